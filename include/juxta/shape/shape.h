// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Shapes: what a body is, in its own coordinates. A Qvvs says where it stands.
#pragma once

#include <cstdint>
#include <type_traits>

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

enum class ShapeKind : std::uint8_t {
  kSphere,
  kCapsule,
  kBox,
  kTriangle,
  kHull,
  kMesh,
  kCompound,
  kHeightField,
};

/// One of eight kinds. The four small ones are held by value, the others borrowed: hull, mesh, compound and
/// height field outlive the shape, and may be shared by any number of them.
///
/// Placement: a point p of the shape stands at position + rotate(rotation, p * stretch * scale). The radius
/// of spheres and capsules is multiplied by the scale, and not stretched. Scale is above 0; stretch is above
/// 0 on each axis, and {1, 1, 1} for boxes that are turned inside their shape, unless all three are equal.
class Shape {
 public:
  Shape() noexcept : Shape(Sphere{}) {}  ///< A point in the middle.
  // NOLINTBEGIN(google-explicit-constructor): each of them is a kind of shape
  Shape(const Sphere& sphere) noexcept : kind_(ShapeKind::kSphere), any_{.sphere = sphere} {}
  Shape(const Capsule& capsule) noexcept : kind_(ShapeKind::kCapsule), any_{.capsule = capsule} {}
  Shape(const Box& box) noexcept : kind_(ShapeKind::kBox), any_{.box = box} {}
  Shape(const Triangle& triangle) noexcept : kind_(ShapeKind::kTriangle), any_{.triangle = triangle} {}
  Shape(const ConvexHull& hull) noexcept : kind_(ShapeKind::kHull), any_{.hull = &hull} {}
  Shape(const TriangleMesh& mesh) noexcept : kind_(ShapeKind::kMesh), any_{.mesh = &mesh} {}
  Shape(const Compound& compound) noexcept : kind_(ShapeKind::kCompound), any_{.compound = &compound} {}
  Shape(const HeightField& field) noexcept : kind_(ShapeKind::kHeightField), any_{.field = &field} {}
  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] ShapeKind kind() const noexcept { return kind_; }
  /// Sphere, capsule, box, triangle or hull: what the functions of two shapes call convex.
  [[nodiscard]] bool convex() const noexcept { return kind_ <= ShapeKind::kHull; }

  /// The Sphere, Capsule, Box or Triangle that is held, or the ConvexHull, TriangleMesh, Compound or
  /// HeightField that is borrowed; null when the shape is of another kind.
  template <class Kind>
  [[nodiscard]] const Kind* get_if() const noexcept {
    return visit([](const auto& held) -> const Kind* {
      if constexpr (std::is_same_v<decltype(held), const Kind&>) {
        return &held;
      } else {
        return nullptr;
      }
    });
  }

  /// visitor(held), with a reference to what get_if() gives; the visitor takes all eight kinds.
  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) const {
    switch (kind_) {
      case ShapeKind::kSphere:
        return visitor(any_.sphere);
      case ShapeKind::kCapsule:
        return visitor(any_.capsule);
      case ShapeKind::kBox:
        return visitor(any_.box);
      case ShapeKind::kTriangle:
        return visitor(any_.triangle);
      case ShapeKind::kHull:
        return visitor(*any_.hull);
      case ShapeKind::kMesh:
        return visitor(*any_.mesh);
      case ShapeKind::kCompound:
        return visitor(*any_.compound);
      case ShapeKind::kHeightField:
        break;
    }
    return visitor(*any_.field);
  }

 private:
  // Not a std::variant: that takes a tenth of a second of every compilation.
  union Any {
    Sphere sphere;
    Capsule capsule;
    Box box;
    Triangle triangle;
    const ConvexHull* hull;
    const TriangleMesh* mesh;
    const Compound* compound;
    const HeightField* field;
  };
  ShapeKind kind_;
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
