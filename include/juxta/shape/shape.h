// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Shapes: what a body is, in its own coordinates. A Qvvs says where it stands.
#pragma once

#include <cstdint>
#include <variant>

#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/math/aabb.h"
#include "juxta/math/qvvs.h"

namespace juxta {

class Compound;
class ConvexHull;
class HeightField;
class TriangleMesh;

/// Lengths in units of the world. All are closed sets: a point on the surface belongs to them.
struct Sphere {
  Vec3 center{};
  float radius = 0;  ///< >= 0; 0: a point.
};
/// All points within the radius of the segment from a to b.
struct Capsule {
  Vec3 a{}, b{};     ///< May be equal: a sphere.
  float radius = 0;  ///< >= 0; 0: a segment.
};
struct Box {
  Vec3 center{};
  Quat rotation{};  ///< Of length 1.
  Vec3 half{};      ///< Half its edges, >= 0.
};
/// A surface without volume; degenerate ones (a segment, a point) are allowed.
struct Triangle {
  Vec3 a{}, b{}, c{};
};

/// One of eight kinds. The four small ones are held by value, the others borrowed: hull, mesh, compound and
/// height field outlive the shape, and may be shared by any number of them.
///
/// Placement: a point p of the shape stands at position + rotate(rotation, p * stretch * scale). The radius
/// of spheres and capsules is multiplied by the scale, and not stretched. Scale is above 0; stretch is above
/// 0 on each axis, and {1, 1, 1} for boxes that are turned inside their shape, unless all three are equal.
class Shape {
 public:
  Shape() = default;                                         ///< A point in the middle.
  Shape(const Sphere& sphere) noexcept : any_(sphere) {}     // NOLINT(google-explicit-constructor): a kind of
  Shape(const Capsule& capsule) noexcept : any_(capsule) {}  // NOLINT(google-explicit-constructor)
  Shape(const Box& box) noexcept : any_(box) {}              // NOLINT(google-explicit-constructor)
  Shape(const Triangle& triangle) noexcept : any_(triangle) {}   // NOLINT(google-explicit-constructor)
  Shape(const ConvexHull& hull) noexcept : any_(&hull) {}        // NOLINT(google-explicit-constructor)
  Shape(const TriangleMesh& mesh) noexcept : any_(&mesh) {}      // NOLINT(google-explicit-constructor)
  Shape(const Compound& compound) noexcept : any_(&compound) {}  // NOLINT(google-explicit-constructor)
  Shape(const HeightField& field) noexcept : any_(&field) {}     // NOLINT(google-explicit-constructor)

  using Any = std::variant<Sphere, Capsule, Box, Triangle, const ConvexHull*, const TriangleMesh*,
                           const Compound*, const HeightField*>;
  [[nodiscard]] const Any& any() const noexcept { return any_; }
  /// Sphere, capsule, box, triangle or hull: what the functions of two shapes call convex.
  [[nodiscard]] bool convex() const noexcept { return any_.index() <= 4; }

 private:
  Any any_;
};

/// Refuses what no function of this module can take. Errors: kNotFinite, kInvalidArgument (a negative radius
/// or half edge, a rotation whose length is not 1 within 1e-3, scale or stretch not above 0, a stretch that
/// shears).
[[nodiscard]] JUXTA_API Result<void> check_shape(const Shape& shape, const Qvvs& at = {});

/// The box of a shape where it stands, rounded outwards: it holds the shape as every function below sees it.
[[nodiscard]] JUXTA_API Aabb3 bounds_of(const Shape& shape, const Qvvs& at = {});

/// What a solid body of density 1 weighs, and how it turns. Triangles, meshes that are not closed and height
/// fields have no volume: all is 0.
struct MassProperties {
  double volume = 0;
  Vec3 center{};              ///< Of mass, in the world.
  double inertia[3][3] = {};  ///< About the centre, along the world's axes; symmetric.
};
/// A closed mesh counts with the sign of its orientation (outwards is positive); parts of a compound are
/// added, overlapping or not.
[[nodiscard]] JUXTA_API MassProperties mass_of(const Shape& shape, const Qvvs& at = {});

}  // namespace juxta
