// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: border edges beyond which a surface goes on in another mesh or height field.
//
//   own border  | a |   edge 4 * a + i   -> the third corner of b, in own coordinates
//   other's     | b |
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/math/qvvs.h"
#include "juxta/shape/shape.h"
#include "shape/frame.h"

namespace juxta::shape_detail {

struct Seam {
  std::uint32_t edge;  // 4 * triangle + its edge
  V3 corner;
};

class Seams {
 public:
  [[nodiscard]] const V3* beyond(std::uint32_t triangle, std::uint32_t edge) const noexcept;
  /// `found` ascends; what it names replaces what was there.
  void add(std::span<const Seam> found);
  void forget() noexcept { all_ = {}; }
  [[nodiscard]] std::size_t memory_bytes() const noexcept { return all_.capacity() * sizeof(Seam); }

 private:
  std::vector<Seam> all_;  // ascending
};

/// Seams of `own` where its border lies on that of `other`. Errors: as TriangleMesh::adjoin().
[[nodiscard]] Result<std::vector<Seam>> find_seams(const Shape& own, const Qvvs& at, const Shape& other,
                                                   const Qvvs& other_at, float within);

}  // namespace juxta::shape_detail
