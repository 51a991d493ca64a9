// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "shape/cast_core.h"

#include "juxta/shape/parts.h"
#include "shape/parts_store.h"

namespace juxta::shape_detail {
namespace {

/// Hulls leave out points that lie inside by 1e-6 of their size: their middle is that of all points.
constexpr double kHullBound = 1 + 1e-5;

/// Places a shape of any kind: from its own coordinates to those of the way.
struct CoreOf {
  const Frame& frame;
  V3 x, y, z, at;  // the shape's axes, stretched, and its origin

  CoreOf(const Frame& f, const Ahead& ahead) noexcept
      : frame(f),
        x(ahead.seen(V3(f.row[0].x, f.row[1].x, f.row[2].x) * f.stretch.x)),
        y(ahead.seen(V3(f.row[0].y, f.row[1].y, f.row[2].y) * f.stretch.y)),
        z(ahead.seen(V3(f.row[0].z, f.row[1].z, f.row[2].z) * f.stretch.z)),
        at(ahead.seen(f.position)) {}

  [[nodiscard]] V3 way(V3 v) const noexcept { return x * v.x + y * v.y + z * v.z; }
  [[nodiscard]] V3 place(V3 p) const noexcept { return at + way(p); }

  // Each names all that a core has: to clear one first takes longer than to fill it.
  Core operator()(const Sphere& sphere) const noexcept {
    const V3 middle = place(sphere.center);
    const double radius = static_cast<double>(sphere.radius) * frame.scale;
    return {middle, {{}, {}, {}}, middle, radius, radius, radius, nullptr, 0, Core::Kind::kPoint};
  }
  Core operator()(const Capsule& capsule) const noexcept {
    const V3 a(capsule.a), b(capsule.b), middle = place((a + b) * 0.5), half = way((b - a) * 0.5);
    const double radius = static_cast<double>(capsule.radius) * frame.scale, size = radius + length(half);
    return {middle, {half, {}, {}}, middle, size, size, radius, nullptr, 0, Core::Kind::kSegment};
  }
  Core operator()(const Box& box) const noexcept {
    V3 e = x, f = y, g = z;
    if (const Quat& q = box.rotation; q.x != 0 || q.y != 0 || q.z != 0) {
      Qvvs turn;
      turn.rotation = q;
      const Frame own(turn, V3());
      e = way({own.row[0].x, own.row[1].x, own.row[2].x});
      f = way({own.row[0].y, own.row[1].y, own.row[2].y});
      g = way({own.row[0].z, own.row[1].z, own.row[2].z});
    }
    const V3 half(box.half), middle = place(box.center);
    e = e * half.x;
    f = f * half.y;
    g = g * half.z;
    // Edges that are stretched askew make one diagonal longer than others.
    const double squared = dot(e, e) + dot(f, f) + dot(g, g),
                 askew = std::abs(dot(e, f)) + std::abs(dot(f, g)) + std::abs(dot(e, g));
    const double size = std::sqrt(squared), bound = std::sqrt(squared + 2 * askew);
    return {middle, {e, f, g}, middle, bound, size, 0, nullptr, 0, Core::Kind::kBox};
  }
  Core operator()(const ConvexHull& hull) const noexcept {
    const HullStore& store = Access::store(hull);
    const double size = store.half_diagonal * std::max({frame.stretch.x, frame.stretch.y, frame.stretch.z});
    return hull_of(store.vertex_columns.data(), static_cast<std::uint32_t>(store.vertices.size()),
                   place(store.middle), size * kHullBound, size);
  }
  template <class NotConvex>
  Core operator()(const NotConvex& /*unused*/) const noexcept {
    return {};
  }

  [[nodiscard]] Core hull_of(const double* columns, std::uint32_t count, V3 middle, double bound,
                             double size) const noexcept {
    const Core::Kind kind = columns == nullptr ? Core::Kind::kNone : Core::Kind::kHull;
    return {at, {x, y, z}, middle, bound, size, 0, columns, count, kind};
  }
};

}  // namespace

// Duff et al., "Building an orthonormal basis, revisited" (JCGT 2017).
Ahead::Ahead(V3 way) noexcept : length(shape_detail::length(way)) {
  if (!(length > 0)) {
    length = 0;
    return;
  }
  const V3 z = way * (1 / length);
  const double up = std::copysign(1.0, z.z), a = -1 / (up + z.z), b = z.x * z.y * a;
  axis[0] = {1 + up * z.x * z.x * a, up * b, -up * z.x};
  axis[1] = {b, up + z.y * z.y * a, -z.y};
  axis[2] = z;
}

Core core_of(const std::array<V3, 3>& corners, const Ahead& ahead) noexcept {
  V3 low = corners[0], high = low;
  for (const V3 q : {corners[1], corners[2]}) {
    low = {std::min(low.x, q.x), std::min(low.y, q.y), std::min(low.z, q.z)};
    high = {std::max(high.x, q.x), std::max(high.y, q.y), std::max(high.z, q.z)};
  }
  const double size = length(high - low) / 2;
  return {{},
          {ahead.seen(corners[0]), ahead.seen(corners[1]), ahead.seen(corners[2])},
          ahead.seen((low + high) * 0.5),
          size,
          size,
          0,
          nullptr,
          0,
          Core::Kind::kTriangle};
}

Core core_of(const Shape& shape, const Frame& frame, const Ahead& ahead) noexcept {
  if (const auto* triangle = shape.get_if<Triangle>()) {
    return core_of(std::array{frame(triangle->a), frame(triangle->b), frame(triangle->c)}, ahead);
  }
  return shape.visit(CoreOf(frame, ahead));
}

Core core_of(const Convex& convex, const Ahead& ahead) noexcept {
  if (convex.shape != nullptr) {
    return core_of(*convex.shape, convex.frame, ahead);
  }
  if (convex.vertices.empty()) {
    return core_of(std::array{convex.corners[0], convex.corners[1], convex.corners[2]}, ahead);
  }
  const CoreOf place(convex.frame, ahead);
  return place.hull_of(convex.columns, convex.count, place.place(convex.vertices[0]), 2 * convex.size,
                       convex.size);  // of a hull without a shape no more is known
}

}  // namespace juxta::shape_detail
