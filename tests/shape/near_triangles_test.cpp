// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// closest() and overlaps() of a convex shape and a mesh, against the search that leaves nothing out in floats
// and against all triangles: the same to the last bit, on every instruction set. JUXTA_SHAPE_SEED: other
// meshes and places.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "juxta/shape/query.h"
#include "scenes/draws.h"
#include "shape/gjk.h"
#include "shape/placed.h"
#include "shape/surface.h"
#include "shape/triangle_meshes.h"
#include "shape/triangle_near.h"
#include "support/each_isa.h"

namespace juxta::shape_detail {
namespace {

Placed placed_at(const Shape& shape, const Qvvs& at, V3 origin) {
  Placed out;
  out.shape = &shape;
  out.frame = Frame(at, origin);
  return out;
}

/// The plain search of closest(): Triangles::visit_near(), whose boxes and half spaces are doubles.
ClosestPoints plain_closest(const Shape& a, const Qvvs& at_a, const Shape& b, const Qvvs& at_b, float most) {
  const V3 origin(at_a.position);
  const Convex x = convex_of(a, Frame(at_a, origin));
  const Surface mesh(placed_at(b, at_b, origin));
  double limit = static_cast<double>(most);
  Near best;
  std::uint32_t triangle = kNoPart;
  bool found = false;
  Screen screen(x, mesh);
  mesh.visit_near(
      mesh.box_of(x), std::max(limit, 0.0),
      [&](std::uint32_t t) {
        Near near;
        const Convex other = convex_of(mesh.triangle(t));
        const double reach = found ? limit + std::abs(limit) * 1e-9 + (x.size + other.size) * 1e-12 : limit;
        if (closest_convex(x, other, reach, near) &&
            (!found || near.distance < best.distance || (near.distance == best.distance && t < triangle))) {
          found = true;
          best = near;
          triangle = t;
          limit = std::min(limit, near.distance);
        }
        if (found) {
          screen.turn(best.normal, limit);
        }
        return std::max(limit, 0.0);
      },
      screen.hidden());
  ClosestPoints out;
  if (found) {
    out.found = true;
    out.distance = static_cast<float>(best.distance);
    out.on_a = (origin + best.on_a).rounded();
    out.on_b = (origin + best.on_b).rounded();
    out.normal = best.normal.rounded();
    out.part_a = {kNoPart, kNoPart};
    out.part_b = {kNoPart, triangle};
  }
  return out;
}

/// All triangles, one after the other.
bool plain_overlaps(const Shape& a, const Qvvs& at_a, const Shape& b, const Qvvs& at_b) {
  const V3 origin(at_a.position);
  const Convex x = convex_of(a, Frame(at_a, origin));
  const Surface mesh(placed_at(b, at_b, origin));
  for (std::uint32_t t = 0; t < mesh.triangles->size(); ++t) {
    const Convex y = convex_of(mesh.triangle(t));
    const double reach = x.radius + 1e-6 * (x.size + y.size);
    Simplex simplex;
    Near near;
    const GjkEnd end = gjk(x, y, {}, reach, simplex, near);
    if (end == GjkEnd::kTouching || (end == GjkEnd::kApart && near.distance <= reach)) {
      return true;
    }
  }
  return false;
}

bool same(const Vec3& a, const Vec3& b) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (std::bit_cast<std::uint32_t>(a[i]) != std::bit_cast<std::uint32_t>(b[i])) {
      return false;
    }
  }
  return true;
}
bool same(const ClosestPoints& a, const ClosestPoints& b) {
  return a.found == b.found && a.distance == b.distance && same(a.on_a, b.on_a) && same(a.on_b, b.on_b) &&
         same(a.normal, b.normal) && (!a.found || a.part_b.triangle == b.part_b.triangle);
}

/// Meshes and what stands beside them. `kind`: s, c, b, t, h, and H: a hull of too many corners for floats.
class Scene {
 public:
  Scene(test::Kind kind, std::size_t triangles, float unit, float away, bool stretched, std::uint64_t seed)
      : draws_(seed + 1000 * asked_for()),
        unit_(unit),
        soup_(scaled(test::make_soup(kind, triangles, draws_), unit)) {
    std::erase_if(soup_.triangles, [&](const auto& t) {
      return std::any_of(t.begin(), t.end(), [&](std::uint32_t v) { return !is_finite(soup_.vertices[v]); });
    });
    for (Vec3& v : soup_.vertices) {
      v = is_finite(v) ? v : Vec3{};
    }
    mesh.push_back(TriangleMesh::build(soup_.vertices, soup_.triangles).value());
    at.rotation = rotation();
    at.position = Vec3{away, -away, away / 2};
    at.scale = stretched ? 0.7F : 1.0F;
    at.stretch = stretched ? Vec3{3, 0.4F, 1.1F} : Vec3{1, 1, 1};
    for (const std::size_t corners : {24U, 24U, 300U}) {
      std::vector<Vec3> points(corners);
      for (Vec3& p : points) {
        p = way() * (0.4F * unit);
      }
      hulls.push_back(ConvexHull::build(points).value());
    }
  }

  Shape shape(char kind) {
    const float r = unit_ * draws_.uniform(0.05F, 0.4F);
    switch (kind) {
      case 's':
        return Sphere{{}, draws_.below(4) == 0 ? 0.0F : r};
      case 'c':
        return Capsule{{0, -r, 0}, {0, r * 0.5F, 0}, draws_.below(4) == 0 ? 0.0F : r * 0.5F};
      case 'b':
        return Box{{}, {}, {r, draws_.below(5) == 0 ? 0.0F : r * 0.6F, r * draws_.unit()}};
      case 't':
        return Triangle{way() * r, way() * r, way() * r};
      default:
        return hulls[kind == 'h' ? draws_.below(2) : 2];
    }
  }
  /// Next to the surface, now and then exactly on a corner, straight or turned.
  Qvvs place() {
    Qvvs out;
    const auto& t = soup_.triangles[draws_.below(static_cast<std::uint32_t>(soup_.triangles.size()))];
    const float by =
        unit_ * (draws_.below(4) == 0 ? 0.0F : draws_.uniform(0, draws_.below(6) == 0 ? 5.0F : 0.7F));
    const Vec3 p = soup_.vertices[t[0]] * 0.4F + soup_.vertices[t[1]] * 0.6F;
    const Vec3 on = draws_.below(5) == 0 ? soup_.vertices[t[2]] : p;
    const Vec3 wide{on.x * at.stretch.x * at.scale, on.y * at.stretch.y * at.scale,
                    on.z * at.stretch.z * at.scale};
    out.position = at.position + rotate(at.rotation, wide) + way() * by;
    out.rotation = draws_.below(4) == 0 ? at.rotation : rotation();
    return out;
  }
  float limit() {
    return draws_.below(2) == 0 ? std::numeric_limits<float>::infinity() : unit_ * draws_.uniform(0, 0.2F);
  }

  std::vector<TriangleMesh> mesh;
  std::vector<ConvexHull> hulls;
  Qvvs at;

 private:
  static test::Soup scaled(test::Soup soup, float unit) {
    for (Vec3& v : soup.vertices) {
      v = v * unit;
    }
    return soup;
  }
  Vec3 way() {
    for (;;) {
      const Vec3 v{draws_.uniform(-1, 1), draws_.uniform(-1, 1), draws_.uniform(-1, 1)};
      if (const float squared = dot(v, v); squared > 0.01F && squared <= 1) {
        return v * (1 / std::sqrt(squared));
      }
    }
  }
  Quat rotation() {
    for (;;) {
      const Vec3 v = way();
      const Quat q{v.x, v.y, v.z, draws_.uniform(-1, 1)};
      if (length_squared(q) > 0.01F) {
        return normalized(q);
      }
    }
  }

  static std::uint64_t asked_for() {
    const char* text = std::getenv("JUXTA_SHAPE_SEED");
    return text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
  }

  scenes::Draws draws_;
  float unit_;
  test::Soup soup_;
};

constexpr char kShapes[] = {'s', 'c', 'b', 't', 'h', 'H'};

/// Returns how many overlapped.
std::size_t compare(Scene& scene, std::size_t rounds) {
  std::size_t met = 0;
  const Shape mesh = scene.mesh[0];
  for (const char kind : kShapes) {
    for (std::size_t i = 0; i < rounds && !testing::Test::HasFailure(); ++i) {
      const Shape shape = scene.shape(kind);
      const Qvvs place = scene.place();
      const float most = scene.limit();
      const ClosestPoints right = plain_closest(shape, place, mesh, scene.at, most);
      const ClosestPoints got = closest(shape, place, mesh, scene.at, most);
      EXPECT_TRUE(same(right, got)) << kind << " " << i << ": " << got.distance << " at "
                                    << got.part_b.triangle << ", not " << right.distance << " at "
                                    << right.part_b.triangle;
      const bool meets = plain_overlaps(shape, place, mesh, scene.at);
      EXPECT_EQ(overlaps(shape, place, mesh, scene.at), meets) << kind << " " << i;
      EXPECT_EQ(overlaps(mesh, scene.at, shape, place), plain_overlaps(shape, place, mesh, scene.at)) << kind;
      met += meets ? 1U : 0U;
    }
  }
  return met;
}

TEST(NearTriangles, AnswersEqualTheSearchInDoubles) {
  test::for_each_isa([](Isa) {
    for (const test::Kind kind : test::kKinds) {
      for (const std::size_t n : {1U, 5U, 40U, 600U}) {
        SCOPED_TRACE(std::string(test::name(kind)) + " " + std::to_string(n));
        if (kind == test::Kind::kHoles && n == 1) {
          continue;  // its only triangle is a hole
        }
        Scene scene(kind, n, 1, 0, n == 40, n);
        const std::size_t met = compare(scene, 12);
        EXPECT_GT(met, 0U);
      }
    }
  });
}

TEST(NearTriangles, AnswersEqualFarAwayHugeAndTiny) {
  test::for_each_isa([](Isa) {
    for (const test::Kind kind : {test::Kind::kSphere, test::Kind::kSlivers, test::Kind::kSizes}) {
      for (const float unit : {1e-12F, 1e-3F, 1.0F, 1e5F, 1e15F}) {
        for (const float away : {0.0F, 1000.0F}) {
          SCOPED_TRACE(std::string(test::name(kind)) + " " + std::to_string(unit) + " " +
                       std::to_string(away));
          Scene scene(kind, 200, unit, away * unit, away != 0, 7);
          compare(scene, 6);
        }
      }
      Scene scene(kind, 200, 0.05F, 1000, false, 9);  // a kilometre away
      compare(scene, 12);
    }
  });
}

/// Whatever the limit, deep ones too: no triangle within it is left out.
TEST(NearTriangles, NoTriangleWithinTheLimitIsLeftOut) {
  std::size_t within = 0, left_out = 0;
  test::for_each_isa([&](Isa) {
    for (const test::Kind kind : test::kKinds) {
      Scene scene(kind, 300, 1, 3, kind == test::Kind::kFlat, 3);
      const Shape mesh_shape = scene.mesh[0];
      for (const char shape_kind : kShapes) {
        const Shape shape = scene.shape(shape_kind);
        const Qvvs place = scene.place();
        const V3 origin(place.position);
        const Convex x = convex_of(shape, Frame(place, origin));
        const Surface mesh(placed_at(mesh_shape, scene.at, origin));
        NearCore core(x, mesh);
        for (const double limit : {-0.2, -0.05, -0.001, 0.0, 0.03, 0.5}) {
          core.set_limit(limit);
          core.touch = -1;  // all are visited
          std::vector<bool> seen(mesh.triangles->size(), false);
          EXPECT_FALSE(any_near(
              *mesh.triangles,
              [&](std::uint32_t t) {
                seen[t] = true;
                return false;
              },
              core));
          for (std::uint32_t t = 0; t < seen.size(); ++t) {
            Near near;
            const bool counts = closest_convex(x, convex_of(mesh.triangle(t)), limit, near);
            within += counts ? 1U : 0U;
            left_out += seen[t] ? 0U : 1U;
            ASSERT_TRUE(seen[t] || !counts)
                << shape_kind << " " << t << " at " << near.distance << ", limit " << limit;
          }
        }
      }
    }
  });
  EXPECT_GT(within, 1000U);
  EXPECT_GT(left_out, 10 * within);
}

}  // namespace
}  // namespace juxta::shape_detail
