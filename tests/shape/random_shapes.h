// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Random convex shapes of all kinds and sizes, and pairs of them: apart, touching, deep, one in the other,
// here and a kilometre away.
#pragma once

#include <cmath>
#include <vector>

#include "juxta/shape/parts.h"
#include "juxta/shape/shape.h"
#include "scenes/draws.h"
#include "shape/oracle.h"

namespace juxta::test {

/// A shape where it stands, and what the oracle needs to know of it.
struct Placed {
  Shape shape;
  Skin skin;
  Qvvs at{};

  [[nodiscard]] Solid solid(V3 origin) const { return solid_of(shape, skin, at, origin); }
};

enum class Pose { kApart, kDeep, kTouching, kInside, kCentred };
inline constexpr std::uint32_t kPoses = 5;

class RandomShapes {
 public:
  explicit RandomShapes(std::uint64_t seed) : draws_(seed) {
    for (std::uint32_t i = 0; i < 24; ++i) {
      std::vector<Vec3> points(4 + i % 9);
      for (Vec3& p : points) {
        p = i % 4 == 3 ? direction() : inside();
      }
      hulls_.push_back(ConvexHull::build(points).value());
      skins_.push_back(skin_of(Shape(hulls_.back())));
    }
  }

  scenes::Draws& draws() { return draws_; }
  float between(float low, float high) { return draws_.uniform(low, high); }
  /// From 1/1000 to 1000, each power of two as often.
  float size() {
    const int power = static_cast<int>(draws_.below(20)) - 10;
    return std::ldexp(between(1, 2), power);
  }
  Vec3 inside() { return {between(-1, 1), between(-1, 1), between(-1, 1)}; }
  Vec3 direction() {
    for (;;) {
      const Vec3 v = inside();
      if (const float l = v.x * v.x + v.y * v.y + v.z * v.z; l > 0.01F && l <= 1) {
        return v * (1 / std::sqrt(l));
      }
    }
  }
  Quat rotation() {
    for (;;) {
      const Quat q{between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)};
      if (const float l = length_squared(q); l > 0.01F && l <= 1) {
        return normalized(q);
      }
    }
  }

  /// Of one of the five convex kinds, about `size` large, at the origin, turned and perhaps stretched.
  Placed shape(float size) {
    Placed placed;
    const std::uint32_t kind = draws_.below(5);
    const bool stretched = draws_.below(4) == 0;
    switch (kind) {
      case 0:
        placed.shape = Sphere{inside() * (size * 0.1F), size * between(0.5F, 1)};
        break;
      case 1:
        placed.shape = Capsule{inside() * size, inside() * size, size * between(0.05F, 0.8F)};
        break;
      case 2:
        placed.shape = Box{inside() * (size * 0.1F), stretched ? Quat{} : rotation(), half_edges(size)};
        break;
      case 3:
        placed.shape = Triangle{inside() * size, inside() * size, inside() * size};
        break;
      default:
        return hull(size, stretched);
    }
    placed.skin = skin_of(placed.shape);
    placed.at = place(stretched);
    return placed;
  }

  /// Puts `b` into the pose beside `a`, and both a kilometre away if `far`.
  void pose(Placed& a, Placed& b, Pose kind, bool far) {
    const Vec3 there = far ? Vec3{1000.25F, -731.5F, 402.125F} : Vec3{};
    a.at.position = there + inside() * 0.5F;
    const float reach = static_cast<float>(a.solid({}).size + b.solid({}).size);
    const float way = kind == Pose::kApart    ? 4
                      : kind == Pose::kDeep   ? 0.6F
                      : kind == Pose::kInside ? 0.05F
                                              : 1;
    b.at.position = a.at.position;
    if (kind != Pose::kCentred) {
      const Vec3 towards = direction();  // within one expression compilers draw in other orders
      b.at.position = a.at.position + towards * (reach * between(0, way));
    }
    if (kind == Pose::kTouching) {
      const V3 origin = V3(a.at.position);
      const Truth truth = truth_of(a.solid(origin), b.solid(origin));
      b.at.position = (V3(b.at.position) - truth.normal * truth.distance).rounded();
    }
  }

 private:
  Vec3 half_edges(float size) {
    const Vec3 v = inside() * size;
    return {std::abs(v.x), std::abs(v.y), std::abs(v.z)};
  }
  Qvvs place(bool stretched) {
    Qvvs at;
    at.rotation = rotation();
    at.scale = between(0.5F, 2);
    if (stretched) {
      at.stretch = {between(0.5F, 2), between(0.5F, 2), between(0.5F, 2)};
    }
    return at;
  }
  Placed hull(float size, bool stretched) {
    const std::uint32_t which = draws_.below(static_cast<std::uint32_t>(hulls_.size()));
    Placed placed{Shape(hulls_[which]), skins_[which], place(stretched)};
    placed.at.scale = size;
    return placed;
  }

  scenes::Draws draws_;
  std::vector<ConvexHull> hulls_;
  std::vector<Skin> skins_;
};

}  // namespace juxta::test
