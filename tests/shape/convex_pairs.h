// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Random convex shapes for the functions of src/shape/convex.h. Hulls are points as they come: nothing here
// needs what builds hulls.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "juxta/shape/shape.h"
#include "scenes/draws.h"
#include "shape/convex.h"
#include "shape/frame.h"
#include "shape/oracle.h"
#include "shape/parts_store.h"

namespace juxta::test {

/// One shape, for the library and for the oracle. `cloud`: the points of a hull; else `shape` counts.
struct Piece {
  Shape shape;
  std::vector<Vec3> cloud;
  std::vector<double> columns;  // of the cloud, as HullStore has them
  Qvvs at{};

  /// Borrows from this.
  [[nodiscard]] shape_detail::Convex convex(V3 origin) const {
    const shape_detail::Frame frame(at, origin);
    if (cloud.empty()) {
      return shape_detail::convex_of(shape, frame);
    }
    shape_detail::Convex out;
    out.vertices = cloud;
    out.columns = columns.empty() ? nullptr : columns.data();
    out.count = static_cast<std::uint32_t>(cloud.size());
    out.frame = frame;
    for (const Vec3& p : cloud) {
      out.size = std::max(out.size, length(frame(p) - frame(cloud[0])));
    }
    return out;
  }
  [[nodiscard]] Solid solid(V3 origin) const {
    if (cloud.empty()) {
      return solid_of(shape, skin_of(shape), at, origin);
    }
    std::vector<V3> points(cloud.begin(), cloud.end());
    const Skin skin = skin_of(std::span<const V3>(points));
    const shape_detail::Frame frame(at, origin);
    Solid solid{{}, skin.edges, skin.faces, 0, 0};
    for (const V3& p : points) {
      solid.points.push_back(frame(p));
      solid.size = std::max(solid.size, length(solid.points.back() - solid.points[0]));
    }
    return solid;
  }
};

/// x of all, y of all, z of all, padded with the first.
inline std::vector<double> columns_of(std::span<const Vec3> points) {
  const std::size_t padded = shape_detail::whole_hull_blocks(points.size());
  std::vector<double> columns(3 * padded);
  for (std::size_t i = 0; i < padded; ++i) {
    const shape_detail::V3 p(points[i < points.size() ? i : 0]);
    columns[i] = p.x;
    columns[padded + i] = p.y;
    columns[2 * padded + i] = p.z;
  }
  return columns;
}

inline constexpr std::uint32_t kPieces = 10;

class Pieces {
 public:
  explicit Pieces(std::uint64_t seed) : draws_(seed) {}

  scenes::Draws& draws() { return draws_; }
  float between(float low, float high) { return draws_.uniform(low, high); }
  Vec3 inside() { return {between(-1, 1), between(-1, 1), between(-1, 1)}; }
  Quat rotation() {
    for (;;) {
      const Quat q{between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)};
      if (const float squared = length_squared(q); squared > 0.01F && squared <= 1) {
        return normalized(q);
      }
    }
  }
  /// Kind 0 .. kPieces - 1: points, spheres, segments, capsules, boxes, flat boxes, triangles, slivers,
  /// hulls, stretched hulls. About 1 large.
  Piece piece(std::uint32_t kind) {
    Piece piece;
    piece.at.rotation = rotation();
    const Vec3 half{between(0.1F, 1), between(0.1F, 1), between(0.1F, 1)};
    switch (kind) {
      case 0:
      case 1:
        piece.shape = Sphere{inside() * 0.2F, kind == 0 ? 0 : between(0.1F, 1)};
        break;
      case 2:
      case 3:
        piece.shape = Capsule{inside(), inside(), kind == 2 ? 0 : between(0.05F, 0.8F)};
        break;
      case 4:
        piece.shape = Box{inside() * 0.2F, rotation(), half};
        break;
      case 5:
        piece.shape = Box{{}, {}, {half.x, draws_.below(2) == 0 ? 0.0F : half.y, 0}};
        break;
      case 6:
        piece.shape = Triangle{inside(), inside(), inside()};
        break;
      case 7: {
        const Vec3 a = inside(), b = inside();
        piece.shape = Triangle{a, b, (a + b) * 0.5F + inside() * 1e-5F};
        break;
      }
      default:
        piece.cloud.resize(4 + draws_.below(5));
        for (Vec3& p : piece.cloud) {
          p = inside();
        }
        piece.columns = columns_of(piece.cloud);
        if (kind == 9) {
          piece.at.stretch = {between(0.5F, 2), between(0.5F, 2), between(0.5F, 2)};
          piece.at.scale = between(0.5F, 2);
        }
    }
    return piece;
  }

 private:
  scenes::Draws draws_;
};

}  // namespace juxta::test
