// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Distances, overlaps, casts and containment of shapes with parts, against all pairs of what they are made
// of.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "juxta/shape/parts.h"
#include "juxta/shape/query.h"
#include "shape/oracle.h"
#include "shape/random_shapes.h"
#include "shape/triangle_meshes.h"

namespace juxta {
namespace {

using test::dot;
using test::length;
using test::V3;

/// A convex piece of a shape.
struct Piece {
  test::Solid solid;
  PartId id;
};

void take_apart(const Shape& shape, const Qvvs& at, V3 origin, std::uint32_t part, std::vector<Piece>& out) {
  const auto triangles = [&](const auto& surface, std::size_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const Triangle t = surface.triangle(i);
      if (t.a.y * 0 + t.b.y * 0 + t.c.y * 0 == 0) {  // not a hole
        out.push_back({test::solid_of(t, test::skin_of(Shape(t)), at, origin), {part, i}});
      }
    }
  };
  if (const auto* mesh = shape.get_if<TriangleMesh>()) {
    triangles(*mesh, mesh->triangle_count());
  } else if (const auto* field = shape.get_if<HeightField>()) {
    triangles(*field, std::size_t{2} * (field->columns() - 1) * (field->rows() - 1));
  } else if (const auto* compound = shape.get_if<Compound>()) {
    for (std::uint32_t i = 0; i < compound->parts().size(); ++i) {
      const Compound::Part& p = compound->parts()[i];
      const LocalTransform local{p.at.rotation, p.at.position, p.at.scale};
      Qvvs world = mul(at, local, p.at.stretch);
      world.stretch = world.stretch * at.stretch;
      take_apart(p.shape, world, origin, i, out);
    }
  } else {
    out.push_back({test::solid_of(shape, test::skin_of(shape), at, origin), {part, kNoPart}});
  }
}
/// Taken apart at the origin, and moved in doubles: the parts of compounds are placed in floats here.
std::vector<Piece> pieces(const Shape& shape, Qvvs at, V3 origin) {
  const V3 way = V3(at.position) - origin;
  at.position = {};
  std::vector<Piece> out;
  take_apart(shape, at, {}, kNoPart, out);
  for (Piece& piece : out) {
    piece.solid = piece.solid.moved(way);
  }
  return out;
}

double size_of(const std::vector<Piece>& all) {
  double size = 0;
  for (const Piece& p : all) {
    size = std::max(size, p.solid.size + length(p.solid.points[0] - all[0].solid.points[0]));
  }
  return size;
}

/// Shapes of every kind around the origin, about 1 large.
class Zoo {
 public:
  explicit Zoo(std::uint64_t seed) : random_(seed) {
    for (const test::Kind kind : {test::Kind::kSphere, test::Kind::kRandom, test::Kind::kTerrain}) {
      const test::Soup soup = test::make_soup(kind, 30, random_.draws());
      meshes_.push_back(TriangleMesh::build(soup.vertices, soup.triangles).value());
    }
    std::vector<float> heights(25);
    for (float& h : heights) {
      h = random_.between(0, 1);
    }
    heights[12] = std::numeric_limits<float>::quiet_NaN();
    field_.push_back(HeightField::build(5, 5, 0.4F, heights).value());
    for (int i = 0; i < 6; ++i) {
      std::vector<Compound::Part> parts;
      for (int k = 0; k < 4; ++k) {
        const test::Placed one = random_.shape(0.3F);
        parts.push_back({k == 3 ? any_surface() : one.shape, one.at});
        parts.back().at.position = random_.inside();
      }
      compounds_.push_back(Compound::build(parts).value());
    }
  }
  test::RandomShapes& random() { return random_; }
  Shape any_surface() {
    const std::uint32_t i = random_.draws().below(4);
    return i < 3 ? Shape(meshes_[i]) : Shape(field_[0]);
  }
  Shape any_convex() { return random_.shape(1).shape; }
  Shape any() {
    switch (random_.draws().below(4)) {
      case 0:
        return any_convex();
      case 1:
        return compounds_[random_.draws().below(static_cast<std::uint32_t>(compounds_.size()))];
      default:
        return any_surface();
    }
  }
  Qvvs place(float spread, bool far) {
    Qvvs at;
    at.rotation = random_.rotation();
    at.position = random_.inside() * spread + (far ? Vec3{1000.5F, -777.25F, 350} : Vec3{});
    at.scale = random_.between(0.5F, 2);
    return at;
  }

 private:
  test::RandomShapes random_;
  std::vector<TriangleMesh> meshes_;
  std::vector<HeightField> field_;
  std::vector<Compound> compounds_;
};

struct Least {
  double distance = test::kFar;
  std::vector<std::pair<PartId, PartId>> ids;  // all pairs that are as near, but for rounding
};
Least least_of(const std::vector<Piece>& a, const std::vector<Piece>& b, double tolerance) {
  std::vector<double> distance;
  Least least;
  for (const Piece& x : a) {
    for (const Piece& y : b) {
      distance.push_back(test::truth_of(x.solid, y.solid).distance);
      least.distance = std::min(least.distance, distance.back());
    }
  }
  for (std::size_t i = 0; i < distance.size(); ++i) {
    if (distance[i] <= least.distance + tolerance) {
      least.ids.emplace_back(a[i / b.size()].id, b[i % b.size()].id);
    }
  }
  return least;
}

TEST(Closest, AllKindsAgainstAllPieces) {
  Zoo zoo(21);
  int apart = 0, deep = 0;
  for (int round = 0; round < 1500; ++round) {
    const Shape a = zoo.any(), b = zoo.any();
    const bool far = round % 2 == 0;
    const Qvvs at_a = zoo.place(0.5F, far), at_b = zoo.place(round % 3 == 0 ? 1.0F : 4.0F, far);
    const V3 origin = at_a.position;
    const std::vector<Piece> in_a = pieces(a, at_a, origin), in_b = pieces(b, at_b, origin);
    const double size = size_of(in_a) + size_of(in_b), tolerance = 1e-5 * size;
    const Least least = least_of(in_a, in_b, 2 * tolerance);
    const ClosestPoints got = closest(a, at_a, b, at_b);
    ASSERT_TRUE(got);
    const bool inside = least.distance < 0;
    (inside ? deep : apart) += 1;
    EXPECT_NEAR(static_cast<double>(got.distance), least.distance, inside ? 1e-4 * size : tolerance) << round;
    const V3 step = V3(got.on_a) + V3(got.normal) * static_cast<double>(got.distance) - V3(got.on_b);
    EXPECT_LT(length(step), tolerance + (far ? 3e-4 : 0));
    EXPECT_NEAR(length(V3(got.normal)), 1, 1e-6);
    if (!inside) {
      EXPECT_NE(std::find(least.ids.begin(), least.ids.end(), std::pair{got.part_a, got.part_b}),
                least.ids.end());
    }
    EXPECT_EQ(overlaps(a, at_a, b, at_b), least.distance <= 0) << round << ' ' << least.distance;
    if (std::abs(least.distance) > 10 * tolerance) {
      const auto limit = static_cast<float>(least.distance);
      EXPECT_TRUE(closest(a, at_a, b, at_b, limit + static_cast<float>(5 * tolerance)));
      EXPECT_FALSE(closest(a, at_a, b, at_b, limit - static_cast<float>(5 * tolerance)));
    }
  }
  EXPECT_GT(apart, 300);
  EXPECT_GT(deep, 300);
}

TEST(Closest, StretchedMeshesKeepTheirDistances) {
  Zoo zoo(22);
  for (int round = 0; round < 300; ++round) {
    const Shape a = zoo.any_surface(), b = zoo.any_convex();
    Qvvs at_a = zoo.place(1, false);
    const Qvvs at_b = zoo.place(6, false);
    at_a.stretch = {zoo.random().between(0.1F, 3), zoo.random().between(0.1F, 3),
                    zoo.random().between(0.1F, 3)};
    const V3 origin = at_a.position;
    const std::vector<Piece> in_a = pieces(a, at_a, origin), in_b = pieces(b, at_b, origin);
    const double size = size_of(in_a) + size_of(in_b);
    const Least least = least_of(in_a, in_b, 0);
    EXPECT_NEAR(static_cast<double>(closest(a, at_a, b, at_b).distance), least.distance, 1e-4 * size);
    EXPECT_NEAR(static_cast<double>(closest(b, at_b, a, at_a).distance), least.distance, 1e-4 * size);
  }
}

TEST(Closest, TheLowestOfSeveralAnswers) {
  const std::vector<Vec3> vertices{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 5, -5}};
  const std::vector<std::array<std::uint32_t, 3>> triangles{{1, 2, 3}, {0, 1, 2}, {0, 1, 2}, {0, 1, 2}};
  const TriangleMesh mesh = TriangleMesh::build(vertices, triangles).value();
  const Sphere ball{{0.2F, 0.2F, 2}, 1};
  const ClosestPoints near = closest(mesh, {}, ball, {});
  EXPECT_EQ(near.part_a, (PartId{kNoPart, 1}));
  EXPECT_EQ(near.distance, 1);
  EXPECT_EQ(closest(ball, {}, mesh, {}).part_b, (PartId{kNoPart, 1}));
  const Compound twins =
      Compound::build(std::vector<Compound::Part>{{Sphere{{9, 9, 9}, 1}, {}}, {mesh, {}}, {mesh, {}}})
          .value();
  EXPECT_EQ(closest(ball, {}, twins, {}).part_b, (PartId{1, 1}));
  EXPECT_EQ(cast(ball, {}, {0, 0, -3}, twins, {}).part, (PartId{1, 1}));
  EXPECT_EQ(raycast(twins, {}, {{0.2F, 0.2F, 2}, {0, 0, -1}}).part, (PartId{1, 1}));
}

TEST(Cast, AllKindsAgainstAllPieces) {
  Zoo zoo(23);
  int hits = 0, misses = 0, deep = 0;
  for (int round = 0; round < 1200; ++round) {
    const Shape a = zoo.any_convex(), b = zoo.any();
    const bool far = round % 2 == 0;
    const Qvvs at_a = zoo.place(6, far), at_b = zoo.place(1, far);
    const V3 origin = at_a.position;
    const float longer = round % 5 == 0 ? 100 : zoo.random().between(0.3F, 2);
    const Vec3 way = (at_b.position - at_a.position) * longer + zoo.random().inside();
    const std::vector<Piece> in_a = pieces(a, at_a, origin), in_b = pieces(b, at_b, origin);
    const double size = size_of(in_a) + size_of(in_b);
    double t = test::kFar, ends = test::kFar;
    for (const Piece& p : in_b) {
      t = std::min(t, test::touch_time(in_a[0].solid, way, p.solid));
      ends = std::min(ends, test::truth_of(in_a[0].solid.moved(way), p.solid).distance);
    }
    const CastHit hit = cast(a, at_a, way, b, at_b);
    if (hit.hit != (t <= 1)) {  // a graze: never deeper than it may be missed
      EXPECT_LT(std::abs(ends), 1e-4 * size) << round;
      continue;
    }
    (hit ? hits : misses) += 1;
    if (hit) {
      // Late in length is what counts; where the two graze each other, t may differ and the gap may not.
      const test::Solid there = in_a[0].solid.moved(V3(way) * static_cast<double>(hit.t));
      double gap = test::kFar;
      for (const Piece& p : in_b) {
        gap = std::min(gap, test::truth_of(there, p.solid).distance);
      }
      EXPECT_LT(gap, 1e-4 * size) << round;
      EXPECT_LT((static_cast<double>(hit.t) - t) * length(V3(way)), 1e-5 * (size + length(V3(way)))) << round;
      EXPECT_NEAR(length(V3(hit.normal)), 1, 1e-6);
      if (hit.t > 0) {
        EXPECT_LT(dot(V3(hit.normal), V3(way)), 0);
        EXPECT_EQ(hit.distance, 0);
        continue;
      }
      // How deep in the part that it names, and the way out of it.
      for (const Piece& p : in_b) {
        if (p.id == hit.part) {
          const double depth = std::min(test::truth_of(in_a[0].solid, p.solid).distance, 0.0);
          const V3 out = V3(hit.normal) * -static_cast<double>(hit.distance);
          EXPECT_NEAR(hit.distance, depth, 1e-5 * size) << round;
          EXPECT_GT(test::truth_of(in_a[0].solid.moved(out), p.solid).distance, -2e-5 * size) << round;
          ++deep;
        }
      }
    }
  }
  EXPECT_GT(hits, 300);
  EXPECT_GT(misses, 200);
  EXPECT_GT(deep, 15);
}

TEST(Cast, WhatHitsNothing) {
  const test::Soup soup = test::make_sphere(100);
  const TriangleMesh mesh = TriangleMesh::build(soup.vertices, soup.triangles).value();
  const Sphere ball{{}, 0.5F};
  Qvvs at;
  at.position = {4, 0, 0};
  EXPECT_TRUE(cast(ball, {}, {4, 0, 0}, mesh, at));
  EXPECT_FALSE(cast(mesh, {}, {4, 0, 0}, ball, at));
  EXPECT_FALSE(cast(ball, {}, {std::numeric_limits<float>::infinity(), 0, 0}, mesh, at));
  EXPECT_FALSE(cast(ball, {}, {0, 0, 0}, mesh, at));
  EXPECT_FALSE(cast(ball, {}, {-4, 0, 0}, mesh, at));
  EXPECT_EQ(cast(ball, at, {0, 0, 0}, Sphere{{}, 1}, at).t, 0);
}

}  // namespace
}  // namespace juxta
