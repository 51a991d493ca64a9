// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// One shape against one: rays, distances, casts, contacts. Nothing here allocates, and any number of calls
// may run at once. All is computed in doubles in the frame of the first shape, so that it is as exact a
// kilometre from the origin: positions, distances and times to 1e-5 of the size of the two shapes. The same
// bits on every machine.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/query_result.h"
#include "juxta/math/qvvs.h"
#include "juxta/math/ray.h"
#include "juxta/shape/shape.h"

namespace juxta {

/// "No part": of shapes that have none.
inline constexpr std::uint32_t kNoPart = ~std::uint32_t{0};

/// Which part of a shape: the triangle of a mesh or height field, the part of a compound, and the triangle
/// inside it.
struct PartId {
  std::uint32_t part = kNoPart;      ///< Of a compound.
  std::uint32_t triangle = kNoPart;  ///< Of a mesh or height field.
  friend bool operator==(const PartId&, const PartId&) = default;
};

/// Where a ray meets a surface.
struct SurfaceHit {
  bool hit = false;
  float t = std::numeric_limits<float>::infinity();  ///< In lengths of the ray's direction.
  Vec3 point{};
  Vec3
      normal{};  ///< Of length 1, against the ray; {0, 0, 0} when the ray starts inside a solid (then t = 0).
  PartId part{};

  [[nodiscard]] explicit operator bool() const noexcept { return hit; }
};

/// The first point of a ray in the shape, touching included. A ray that starts inside a sphere, capsule, box
/// or hull hits it at t = 0; triangles, meshes and height fields are surfaces. A ray that runs in a
/// triangle's plane misses it. Rays that are not finite, or of direction 0, hit nothing, but for a direction
/// of 0 from inside of a solid. A closed mesh has no cracks: a ray through an edge or a vertex hits one of
/// the triangles there.
[[nodiscard]] JUXTA_API SurfaceHit raycast(const Shape& shape, const Qvvs& at, const Ray3& ray);

/// Whether raycast() hits: a line of sight. Cost: for meshes and height fields about four fifths of that,
/// because the search ends at the first triangle.
[[nodiscard]] JUXTA_API bool raycast_any(const Shape& shape, const Qvvs& at, const Ray3& ray);

/// out[i] = raycast(shape, at, rays[i]), to the bit; `found` counts the hits. Rays against a mesh or a height
/// field go down its tree sixteen at a time where neighbours in `rays` run side by side: give those of a
/// picture in squares of 4 x 4. Cost (70k triangles): 30 to 160 ns a ray then, least where several rays
/// meet each triangle; one after the other takes 90 to 300, in no order 280 to 600. Errors: kInvalidArgument
/// (lengths differ).
[[nodiscard]] JUXTA_API Result<QueryResult> raycast(const Shape& shape, const Qvvs& at,
                                                    std::span<const Ray3> rays, std::span<SurfaceHit> out,
                                                    const Context& context = {});

/// All surfaces that the ray meets, by (t, part, triangle): each triangle of meshes and height fields, and
/// each convex part once, where the ray enters it. A ray through an edge or a corner meets every triangle
/// there. A short `out` gets the nearest, and `found` counts all. Cost: that of the triangles in the ray's
/// way, none of which can be left out, tested one by one.
JUXTA_API QueryResult raycast_every(const Shape& shape, const Qvvs& at, const Ray3& ray,
                                    std::span<SurfaceHit> out);

/// The two nearest points of two shapes.
struct ClosestPoints {
  bool found = false;                                       ///< False: farther apart than was asked for.
  float distance = std::numeric_limits<float>::infinity();  ///< Below 0: the least way out of each other.
  Vec3 on_a{}, on_b{};
  Vec3 normal{};  ///< Of length 1, from a to b: on_b = on_a + normal * distance.
  PartId part_a{}, part_b{};

  [[nodiscard]] explicit operator bool() const noexcept { return found; }
};

/// The nearest points within max_distance, which may be infinite or 0. Two convex shapes that overlap: the
/// depth and direction of the shortest way apart (exact for spheres and capsules; for others to 1e-4 of their
/// size). Meshes, height fields and triangles are surfaces: the deepest of their triangles counts. Two
/// meshes: all pairs of triangles that come near, by both trees. Where meshes overlap, normal and distance
/// part the deepest pair of triangles, not the meshes. Cost, near a mesh of 2,000 triangles: a sphere or
/// capsule 2 to 3 us, a box 4 to 5, a hull of 24 corners 10.
[[nodiscard]] JUXTA_API ClosestPoints closest(const Shape& a, const Qvvs& at_a, const Shape& b,
                                              const Qvvs& at_b,
                                              float max_distance = std::numeric_limits<float>::infinity());

/// Whether they have a point in common, touching included (to 1e-6 of their size).
[[nodiscard]] JUXTA_API bool overlaps(const Shape& a, const Qvvs& at_a, const Shape& b, const Qvvs& at_b);

/// Whether a point is in a solid, or on the surface (to 1e-6 of its size). Closed meshes are solid here:
/// inside is what the surface winds around, once or more often, either way.
[[nodiscard]] JUXTA_API bool contains(const Shape& shape, const Qvvs& at, const Vec3& point);

/// When a moving shape first meets another.
struct CastHit {
  bool hit = false;
  float t =
      std::numeric_limits<float>::infinity();  ///< Part of the way, 0 .. 1; 0: they overlap at the start.
  Vec3 point{};                                ///< Where they touch then.
  Vec3 normal{};                               ///< Of length 1, from the still shape to the moving one.
  PartId part{};                               ///< Of the still shape.
  /// At most 0. Where they overlap at the start: how deep (below 0), so that `normal * -distance` moves the
  /// shape out of the part or triangle named in `part` by the shortest way. Otherwise 0.
  float distance = 0;

  [[nodiscard]] explicit operator bool() const noexcept { return hit; }
};

/// Moves a convex shape by `way` without turning it. The answer's t is never later than the true one by more
/// than 1e-5 of their size, and never so early that they are farther than 1e-4 of it apart. Shapes that touch
/// at the start hit at t = 0, wherever the way leads; of several parts or triangles that do, the lowest is
/// named. A non-convex `moving` hits nothing. Cost: 0.2 to 0.5 us for two convex shapes that are apart at the
/// start. Where they overlap there, that of closest(): 0.5 us for capsules, 2 for boxes, 5 for hulls of 24
/// corners.
[[nodiscard]] JUXTA_API CastHit cast(const Shape& moving, const Qvvs& from, const Vec3& way,
                                     const Shape& still, const Qvvs& at);

/// A motion that turns: for t in 0 .. 1 the shape has moved by `way` * t and turned by `turn` * t about the
/// pivot, which moves along.
struct Motion {
  Qvvs from{};   ///< Where the shape starts.
  Vec3 way{};    ///< In the world.
  Vec3 turn{};   ///< Axis times angle in radians, in the world; of length 1000 at most. 2 pi is a whole turn.
  Vec3 pivot{};  ///< In the shape's own coordinates; the default is its origin.
};
/// Where the shape stands at t. The same bits on every machine.
[[nodiscard]] JUXTA_API Qvvs place_at(const Motion& motion, float t);

/// As cast(), for a convex shape that turns as it moves. The answer's t is never later than the true one by
/// more than 1e-5 of their size (in lengths that a point of the shape moves), and never so early that they
/// are farther than 1e-4 of it apart. Shapes closer than 1e-7 of the size of the smaller one count as
/// touching. A turn of 0 gives the bits of cast(). Motions that are not finite, or turn by more than 1000
/// radians, hit nothing. Cost: 2 us for capsules, 4 for boxes, 8 for hulls of 24 corners. The search
/// ends after 256 distances: then t is as far as the shape is known to be free, and so too early. Only
/// turns by many times 2 pi that pass the other shape closely take that long.
[[nodiscard]] JUXTA_API CastHit cast(const Shape& moving, const Motion& motion, const Shape& still,
                                     const Qvvs& at);

/// Up to four points where two shapes touch, for solvers.
struct Manifold {
  struct Point {
    Vec3 point{};        ///< Half way between the two surfaces.
    float distance = 0;  ///< Along the normal; below 0: inside.
    /// What touches what: a corner of one over a face of the other, two edges that cross, or the features of
    /// the nearest points. The same from frame to frame as long as the same features touch, whichever of two
    /// faces is cut at the other's sides. Hulls with more than about 5,000 corners may name two alike.
    /// contacts(): parts and triangles are mixed in.
    std::uint32_t feature = 0;
  };
  Vec3 normal{};  ///< From a to b.
  std::uint32_t count = 0;
  std::array<Point, 4> points{};
  PartId part_a{}, part_b{};  ///< Of the deepest point. contact(): none.
};
/// Those within `margin`, the deepest first; of more than four those that span the largest area: the deepest,
/// the one farthest from it, and the two that add most. Shapes that are not convex, or too far apart, and a
/// margin below 0 or NaN: none.
[[nodiscard]] JUXTA_API Manifold contact(const Shape& a, const Qvvs& at_a, const Shape& b, const Qvvs& at_b,
                                         float margin = 0);

/// No pair of shapes has more manifolds.
inline constexpr std::size_t kMostManifolds = 16;
/// Contacts of shapes of any kind. Two convex ones: contact(). Else the contacts of each part and triangle of
/// one with each of the other are collected, and those of one pair of parts whose normals differ by less than
/// 5 degrees make one manifold. A point within a thousandth of their size of another one is left out.
/// Order:  ascending by part_a, then part_b.
/// Limits: beyond kMostManifolds parts share one of their normal; where there is none, the deepest stay. Two
///         meshes: the pairs of triangles that come within the margin, each with its own shortest way out.
/// Edges:  a triangle has no contact across an edge whose other triangle lies level with it or rises above
///         it on the side of the contact, nor across a ridge beyond the other triangle's normal: there the
///         contact is that of its face, measured along its normal, with what stands over the triangle. What
///         slides over a flat mesh or height field gets the normal of the surface only. Edges are found by
///         the places of their ends; edges of three triangles or more, and the border of a mesh, count as
///         free. Meshes side by side do not know of each other.
/// A short `out` gets the first, and `found` the exact need. A margin below 0 or NaN finds nothing.
JUXTA_API QueryResult contacts(const Shape& a, const Qvvs& at_a, const Shape& b, const Qvvs& at_b,
                               float margin, std::span<Manifold> out);

}  // namespace juxta
