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
  /// Adds those of `own` where its border lies on that of `other`, in place of what they cover. Returns how
  /// many edges have some. Errors: as TriangleMesh::adjoin().
  Result<std::size_t> adjoin(const Shape& own, const Qvvs& at, const Shape& other, const Qvvs& other_at,
                             float within);
  void forget() noexcept { all_ = {}; }
  [[nodiscard]] std::size_t memory_bytes() const noexcept { return all_.capacity() * sizeof(Seam); }

 private:
  void add(std::span<const Seam> found);

  std::vector<Seam> all_;  // ascending by edge; of one edge the latest first
};

}  // namespace juxta::shape_detail
