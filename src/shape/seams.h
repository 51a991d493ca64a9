// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: border edges beyond which a surface goes on in another mesh or height field.
//
//   own border    |-------- a --------|   edge 4 * a + i
//   the other's   |--- b ---|--- c ---|   -> [0, 0.5]: the third corner of b; [0.5, 1]: that of c
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
  float from, to;      // the part of it that the other's edge covers
  V3 corner;           // in own coordinates
};

class Seams {
 public:
  /// The corner beyond a place on an edge, from 0 to 1; null: the border is free there.
  [[nodiscard]] const V3* beyond(std::uint32_t triangle, std::uint32_t edge, double at) const noexcept;
  /// `found` ascends. Where it covers what was there it replaces it.
  void add(std::span<const Seam> found);
  void forget() noexcept { all_ = {}; }
  [[nodiscard]] std::size_t memory_bytes() const noexcept { return all_.capacity() * sizeof(Seam); }

 private:
  std::vector<Seam> all_;  // ascending by edge; of one edge the latest first
};

/// How many edges they are of.
[[nodiscard]] std::size_t edges_of(std::span<const Seam> seams) noexcept;
/// Seams of `own`, ascending, where its border lies on that of `other`. Errors: as TriangleMesh::adjoin().
[[nodiscard]] Result<std::vector<Seam>> find_seams(const Shape& own, const Qvvs& at, const Shape& other,
                                                   const Qvvs& other_at, float within);

}  // namespace juxta::shape_detail
