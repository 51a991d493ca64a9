// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The plain other side of a filter: all points in rank order, looked at until k pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "juxta/math/rect.h"
#include "juxta/ranked/ranked_points.h"

namespace juxta::bench {

struct PlainFilter {
  /// Sorts the points by rank.
  PlainFilter(std::span<const float> xs, std::span<const float> ys, std::span<const std::int32_t> ranks,
              std::span<const std::uint64_t> masks);

  std::size_t top(const RectF& rect, std::size_t k, const RankedFilter& filter, std::uint32_t* out) const;
  [[nodiscard]] std::size_t count(const RectF& rect, const RankedFilter& filter) const;

 private:
  std::vector<float> xs_, ys_;
  std::vector<std::uint64_t> masks_;
  std::vector<std::uint32_t> index_;
};

}  // namespace juxta::bench
