// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: who is near a point, among all.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "juxta/math/vec.h"

namespace juxta::agents_detail {

struct ScanTask {
  std::array<const float*, 3> position;  // padded by kArrayPadding
  std::uint32_t dimensions;
  bool wraps;         // some axis does
  std::size_t count;  // agents
  Vec3 point;
  Vec3 period;  // +infinity where the world does not wrap
  float reach;  // radius * radius
};

/// Writes the first `capacity` rows that are near, ascending; how many are near.
[[nodiscard]] std::size_t scan_rows(const ScanTask& task, std::uint32_t* rows, std::size_t capacity) noexcept;
/// Its plain twin.
[[nodiscard]] std::size_t scan_rows_plain(const ScanTask& task, std::uint32_t* rows,
                                          std::size_t capacity) noexcept;

}  // namespace juxta::agents_detail
