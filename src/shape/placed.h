// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: shapes in a common frame: their boxes, their parts, and the boxes of others in their own
// coordinates.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "juxta/math/aabb.h"
#include "juxta/shape/parts.h"
#include "juxta/shape/query.h"
#include "juxta/shape/shape.h"
#include "shape/frame.h"
#include "shape/parts_store.h"

namespace juxta::shape_detail {

inline constexpr double kFar = std::numeric_limits<double>::infinity();

/// A box in doubles. Without points: inverted.
struct Extent {
  V3 lo{kFar, kFar, kFar}, hi{-kFar, -kFar, -kFar};

  void take(V3 p) noexcept {
    lo = {std::min(lo.x, p.x), std::min(lo.y, p.y), std::min(lo.z, p.z)};
    hi = {std::max(hi.x, p.x), std::max(hi.y, p.y), std::max(hi.z, p.z)};
  }
  void take(const Extent& e) noexcept {
    lo = {std::min(lo.x, e.lo.x), std::min(lo.y, e.lo.y), std::min(lo.z, e.lo.z)};
    hi = {std::max(hi.x, e.hi.x), std::max(hi.y, e.hi.y), std::max(hi.z, e.hi.z)};
  }
  [[nodiscard]] Extent grown(double by) const noexcept {
    Extent e;
    e.lo = lo - V3(by, by, by);
    e.hi = hi + V3(by, by, by);
    return e;
  }
  [[nodiscard]] static Extent everything() noexcept {
    Extent e;
    std::swap(e.lo, e.hi);
    return e;
  }
};

/// No two shapes in these boxes are nearer: their distance, or, below 0, the shortest way out of each other.
[[nodiscard]] double gap(const Extent& a, const Extent& b) noexcept;
[[nodiscard]] Extent extent_of(const Shape& shape, const Frame& frame) noexcept;
[[nodiscard]] inline Extent extent_of(const Aabb3& box) noexcept {
  Extent e;
  e.lo = V3(box.lo);
  e.hi = V3(box.hi);
  return e;
}
/// The corners of a box, placed.
[[nodiscard]] Extent extent_of(const Aabb3& box, const Frame& frame) noexcept;
/// Holds `extent` as the shape at `frame` sees it, in its own coordinates; rounded outwards.
[[nodiscard]] Aabb3 local_box(const Extent& extent, const Frame& frame) noexcept;
/// The smallest box of floats that holds it.
[[nodiscard]] Aabb3 outward(const Extent& extent) noexcept;

/// A part of a compound in the common frame. Shapes do not shear (check_shape), so a stretch of the whole is
/// one of the part.
[[nodiscard]] inline Frame placed(const Frame& outer, const Qvvs& inner) noexcept {
  const Frame part(inner, {});
  Frame frame;
  for (int i = 0; i < 3; ++i) {
    const V3 row = outer.row[i];
    frame.row[i] = part.row[0] * row.x + part.row[1] * row.y + part.row[2] * row.z;
  }
  frame.position = outer(part.position);
  frame.stretch = {outer.stretch.x * part.stretch.x, outer.stretch.y * part.stretch.y,
                   outer.stretch.z * part.stretch.z};
  frame.scale = outer.scale * part.scale;
  return frame;
}

/// A box in the common frame: centre + axis[0] * x + ... with |x| <= half.x, and so on.
struct PlacedBox {
  V3 center, axis[3], half;

  PlacedBox(const Box& box, const Frame& frame) noexcept
      : center(frame(V3(box.center))),
        half(static_cast<double>(box.half.x) * frame.stretch.x,
             static_cast<double>(box.half.y) * frame.stretch.y,
             static_cast<double>(box.half.z) * frame.stretch.z) {
    Qvvs turn;
    turn.rotation = box.rotation;
    const Frame inner(turn, {});
    axis[0] = frame.turned({inner.row[0].x, inner.row[1].x, inner.row[2].x});
    axis[1] = frame.turned({inner.row[0].y, inner.row[1].y, inner.row[2].y});
    axis[2] = frame.turned({inner.row[0].z, inner.row[1].z, inner.row[2].z});
  }
  /// A way or an offset from the centre, along the axes.
  [[nodiscard]] V3 along(V3 v) const noexcept { return {dot(axis[0], v), dot(axis[1], v), dot(axis[2], v)}; }
};

/// The triangles of a mesh or height field; null for all other kinds.
[[nodiscard]] inline const Triangles* triangles_of(const Shape& shape) noexcept {
  if (const auto* mesh = shape.get_if<TriangleMesh>()) {
    return &Access::store(*mesh).triangles;
  }
  if (const auto* field = shape.get_if<HeightField>()) {
    return &Access::store(*field).triangles;
  }
  return nullptr;
}

/// The least of the three, by which a distance in the shape's own coordinates grows at least.
[[nodiscard]] inline double least_stretch(const Frame& frame) noexcept {
  return std::min({frame.stretch.x, frame.stretch.y, frame.stretch.z});
}

/// A shape that is no compound. `extent`: of parts; otherwise everything, because nothing asks for it.
struct Placed {
  const Shape* shape = nullptr;
  Frame frame;
  Extent extent = Extent::everything();
  std::uint32_t part = kNoPart;
};

/// Calls visit(Placed) for the shape itself, or for each part of a compound, ascending, until it returns
/// false.
template <class Visit>
void visit_parts(const Shape& shape, const Frame& frame, Visit&& visit) {
  const auto* compound = shape.get_if<Compound>();
  if (compound == nullptr) {
    Placed whole;
    whole.shape = &shape;
    whole.frame = frame;
    visit(std::as_const(whole));
    return;
  }
  const CompoundStore& store = Access::store(*compound);
  for (std::uint32_t i = 0; i < store.parts.size(); ++i) {
    Placed part;
    part.shape = &store.parts[i].shape;
    part.frame = placed(frame, store.parts[i].at);
    part.extent = extent_of(store.bounds[i], frame);
    part.part = i;
    if (!visit(std::as_const(part))) {
      return;
    }
  }
}

/// Of two answers that are as good: lowest part first, then triangle. kNoPart equals itself.
[[nodiscard]] inline bool before(const PartId& a, const PartId& b) noexcept {
  return a.part != b.part ? a.part < b.part : a.triangle < b.triangle;
}

}  // namespace juxta::shape_detail
