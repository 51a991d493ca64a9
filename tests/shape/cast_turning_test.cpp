// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Convex shapes that turn as they move: closed forms, brute force in doubles at many times, degenerate ones.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "juxta/shape/parts.h"
#include "juxta/shape/query.h"
#include "shape/random_shapes.h"
#include "shape/triangle_meshes.h"
#include "shape/turning.h"

namespace juxta {
namespace {

using shape_detail::V3;
using test::Placed;
using test::RandomShapes;
using test::Solid;

constexpr float kPi = std::numbers::pi_v<float>;
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// A solid at t, by the system's own sine and cosine.
Solid turned(const Solid& solid, const Motion& motion, V3 pivot, double t) {
  const V3 turn(motion.turn);
  const double angle = length(turn);
  const V3 axis = angle > 0 ? turn * (1 / angle) : V3{0, 0, 1};
  const double s = std::sin(angle * t), c = std::cos(angle * t);
  Solid out = solid;
  for (V3& p : out.points) {
    const V3 r = p - pivot;
    p = pivot + V3(motion.way) * t + r * c + cross(axis, r) * s + axis * (dot(axis, r) * (1 - c));
  }
  return out;
}

void expect_same(const CastHit& a, const CastHit& b) {
  EXPECT_EQ(a.hit, b.hit);
  EXPECT_EQ(a.t, b.t);
  EXPECT_EQ(a.point, b.point);
  EXPECT_EQ(a.normal, b.normal);
  EXPECT_EQ(a.part, b.part);
  EXPECT_EQ(a.distance, b.distance);
}

TEST(ShapeCastTurning, SinesToTheLastDigits) {
  for (int i = -200000; i <= 200000; ++i) {
    const double x = i, angle = x * 0.005 + 1e-4 / (1 + x * x);
    const shape_detail::SinCos got = shape_detail::sin_cos(angle);
    EXPECT_NEAR(got.sine, std::sin(angle), 4e-16) << angle;
    EXPECT_NEAR(got.cosine, std::cos(angle), 4e-16) << angle;
  }
}

TEST(ShapeCastTurning, PlacesOnTheWay) {
  Motion motion;
  motion.from.position = {1, 0, 0};
  motion.way = {0, 0, 2};
  motion.turn = {0, 0, kPi};
  motion.pivot = {-1, 0, 0};  // the origin of the world
  const Qvvs half = place_at(motion, 0.5F);
  EXPECT_NEAR(half.position.x, 0, 1e-6);
  EXPECT_NEAR(half.position.y, 1, 1e-6);
  EXPECT_NEAR(half.position.z, 1, 1e-6);
  const Vec3 ahead = rotate(half.rotation, {1, 0, 0});
  EXPECT_NEAR(ahead.x, 0, 1e-6);
  EXPECT_NEAR(ahead.y, 1, 1e-6);
  EXPECT_EQ(place_at(motion, 0), motion.from);
}

// A rod from the pivot outwards meets a ball when the distance of its line from the ball's centre is the
// radius: sin(angle between them) = radius / distance.
TEST(ShapeCastTurning, ARodMeetsABallAtAKnownAngle) {
  for (const float distance : {0.6F, 1.0F, 2.0F, 3.9F}) {
    for (const float radius : {0.5F, 0.05F, 1e-3F}) {
      for (const float thick : {0.0F, 0.1F}) {
        const Capsule rod{{0, 0, 0}, {4, 0, 0}, thick};
        const Sphere ball{{0, distance, 0}, radius};
        if (radius + thick >= distance) {
          continue;
        }
        const Motion motion{.turn = {0, 0, kPi}};
        const CastHit hit = cast(Shape(rod), motion, Shape(ball), {});
        ASSERT_TRUE(hit) << distance << ' ' << radius;
        const double angle = std::numbers::pi / 2 -
                             std::asin(static_cast<double>(radius + thick) / static_cast<double>(distance));
        EXPECT_NEAR(hit.t, angle / std::numbers::pi, 1e-6) << distance << ' ' << radius;
        EXPECT_LE(hit.t, angle / std::numbers::pi + 1e-7);
        EXPECT_EQ(hit.distance, 0);
      }
    }
  }
  // Out of reach, or turned the other way by less.
  const Capsule rod{{0, 0, 0}, {4, 0, 0}, 0.1F};
  EXPECT_FALSE(cast(Shape(rod), {.turn = {0, 0, 6 * kPi}}, Shape(Sphere{{0, 4.7F, 0}, 0.5F}), {}));
  EXPECT_TRUE(cast(Shape(rod), {.turn = {0, 0, 6 * kPi}}, Shape(Sphere{{0, 4.5F, 0}, 0.5F}), {}));
  EXPECT_FALSE(cast(Shape(rod), {.turn = {0, 0, -kPi}}, Shape(Sphere{{0, 2, 0}, 0.5F}), {}));
}

TEST(ShapeCastTurning, ABoxMeetsAWallWithAnEdge) {
  // Half a diagonal of 1.414: the edge is 1.2 out where cos(pi / 4 - angle) = 1.2 / 1.414.
  const Box box{{0, 0, 0}, {}, {1, 1, 1}}, wall{{2.2F, 0, 0}, {}, {1, 5, 5}};
  const CastHit hit = cast(Shape(box), {.turn = {0, 0, kPi / 4}}, Shape(wall), {});
  ASSERT_TRUE(hit);
  const double angle = std::numbers::pi / 4 - std::acos(1.2 / std::numbers::sqrt2);
  EXPECT_NEAR(hit.t, angle / (std::numbers::pi / 4), 1e-6);
  EXPECT_NEAR(hit.normal.x, -1, 1e-5);
  EXPECT_NEAR(hit.point.x, 1.2F, 1e-5);
  // A ball about its own middle touches nothing that it does not at the start.
  EXPECT_FALSE(cast(Shape(Sphere{{0, 0, 0}, 1}), {.turn = {0, 0, 100}}, Shape(wall), {}));
}

enum class Outcome { kHit, kMiss };
/// The promise of cast(), at many times: never later than 1e-5 of the size, never 1e-4 apart at a hit.
Outcome check(const Placed& a, const Motion& motion, const Placed& b, int* rounds) {
  const V3 origin(a.at.position);
  const Solid solid = a.solid(origin), still = b.solid(origin);
  const V3 pivot = shape_detail::Frame(motion.from, origin)(V3(motion.pivot));
  const double size = solid.size + still.size;
  const CastHit hit = cast(a.shape, motion, b.shape, b.at);
  const double end = hit ? static_cast<double>(hit.t) : 1;
  const auto distance = [&](double t) { return truth_of(turned(solid, motion, pivot, t), still).distance; };
  const double before = distance(0);
  if (hit && hit.t == 0) {
    EXPECT_LE(before, 1e-6 * size);
    return Outcome::kHit;
  }
  for (int i = 0; i < 60; ++i) {
    const double t = i < 40 ? end * i / 40 : end * (1 - std::ldexp(1.0, 38 - i));
    EXPECT_GE(distance(t), -1e-5 * size) << "too late: " << t << " of " << end;
  }
  if (hit) {
    // A t in floats is a length of 6e-8 of the way.
    const double blur =
        1e-7 * (length(V3(motion.way)) + length(V3(motion.turn)) * (length(pivot) + 2 * solid.size));
    EXPECT_LE(std::abs(distance(end)), 1e-4 * size + blur) << end;
    EXPECT_NEAR(length(V3(hit.normal)), 1, 1e-5);
  }
  const shape_detail::Frame frame(motion.from, origin);
  shape_detail::Touch touch;
  int needed = 0;
  (void)cast_turning(convex_of(a.shape, frame), shape_detail::Turning(motion, frame),
                     convex_of(b.shape, shape_detail::Frame(b.at, origin)), 0, 1, 1, touch, needed);
  *rounds = std::max(*rounds, needed);
  return hit ? Outcome::kHit : Outcome::kMiss;
}

TEST(ShapeCastTurning, KeepsItsPromiseAgainstBruteForce) {
  RandomShapes random(62);
  int hits = 0, misses = 0, rounds = 0, at_start = 0;
  for (int i = 0; i < 3000 && !HasFailure(); ++i) {
    Placed a = random.shape(random.between(0.2F, 2)), b = random.shape(random.between(0.2F, 4));
    random.pose(a, b, i % 8 == 0 ? test::Pose::kTouching : test::Pose::kApart, i % 5 == 0);
    const float far = static_cast<float>(a.solid({}).size + b.solid({}).size);
    Motion motion{.from = a.at};
    motion.turn = random.direction() * (random.between(0, 1) * (i % 7 == 0 ? 30 : 4));
    if (i % 3 != 0) {
      motion.way = (b.at.position - a.at.position) * random.between(0, 1.5F) + random.inside() * (far * 0.4F);
    }
    if (i % 4 == 0) {
      motion.pivot = random.inside() * (i % 8 == 0 ? 10 : 1);
    }
    const Outcome outcome = check(a, motion, b, &rounds);
    hits += outcome == Outcome::kHit ? 1 : 0;
    misses += outcome == Outcome::kMiss ? 1 : 0;
    at_start += cast(a.shape, motion, b.shape, b.at).t == 0 ? 1 : 0;
    EXPECT_FALSE(HasFailure()) << "pair " << i;
  }
  EXPECT_GT(hits - at_start, 600);
  EXPECT_GT(misses, 600);
  EXPECT_GT(at_start, 100);
  EXPECT_LE(rounds, 256);
  RecordProperty("rounds", rounds);
}

// The surface of a mesh, a height field and a compound: the same as its triangles and parts one by one.
TEST(ShapeCastTurning, SurfacesAndCompoundsAsTheirParts) {
  RandomShapes random(63);
  const test::Soup soup = test::make_sphere(300);
  const TriangleMesh mesh = TriangleMesh::build(soup.vertices, soup.triangles).value();
  std::vector<float> heights(100);
  for (float& height : heights) {
    height = random.between(0, 0.5F);
  }
  const HeightField field = HeightField::build(10, 10, 0.3F, heights).value();
  Qvvs aside;
  aside.position = {2.5F, 0.25F, 0};
  const Compound compound = Compound::build(std::vector<Compound::Part>{
                                                {Shape(mesh), {}}, {Shape(Box{{}, {}, {0.3F, 1, 1}}), aside}})
                                .value();
  int hits = 0, misses = 0;
  for (int i = 0; i < 600; ++i) {
    Placed a = random.shape(random.between(0.05F, 0.8F));
    a.at.position = random.direction() * random.between(1, 4);
    Motion motion{
        .from = a.at, .way = random.inside() * 3, .turn = random.direction() * random.between(0, 8)};
    if (i % 2 == 0) {
      motion.pivot = random.inside() * 2;
    }
    Qvvs at;
    at.rotation = random.rotation();
    at.scale = random.between(0.5F, 2);
    at.position = random.inside() * 0.5F;
    const Shape& still = i % 3 == 0 ? Shape(mesh) : i % 3 == 1 ? Shape(field) : Shape(compound);
    const CastHit got = cast(a.shape, motion, still, at);
    CastHit want;
    const auto offer = [&](const Shape& part, const Qvvs& place) {
      if (const CastHit hit = cast(a.shape, motion, part, place); hit && hit.t < want.t) {
        want = hit;
      }
    };
    const auto offer_all = [&](const auto& surface, std::uint32_t count) {
      for (std::uint32_t t = 0; t < count; ++t) {
        offer(Shape(surface.triangle(t)), at);
      }
    };
    if (i % 3 == 1) {
      offer_all(field, 2 * 9 * 9);
    } else {
      offer_all(mesh, static_cast<std::uint32_t>(mesh.triangle_count()));
      if (i % 3 == 2) {
        offer(Shape(Box{{}, {}, {0.3F, 1, 1}}), mul(at, {.position = aside.position}));
      }
    }
    ASSERT_EQ(got.hit, want.hit) << i;
    hits += got.hit ? 1 : 0;
    misses += got.hit ? 0 : 1;
    if (got.hit) {
      EXPECT_NEAR(got.t, want.t, 2e-5) << i;
    }
  }
  EXPECT_GT(hits, 100);
  EXPECT_GT(misses, 50);
}

TEST(ShapeCastTurning, NoTurnIsACast) {
  RandomShapes random(64);
  for (int i = 0; i < 500; ++i) {
    Placed a = random.shape(1), b = random.shape(2);
    random.pose(a, b, test::Pose::kApart, false);
    const Vec3 way = (b.at.position - a.at.position) * 1.2F;
    const CastHit plain = cast(a.shape, a.at, way, b.shape, b.at);
    const CastHit still = cast(a.shape, {.from = a.at, .way = way}, b.shape, b.at);
    expect_same(plain, still);
    // A turn that rounds away: the same answer but for its digits.
    const CastHit hardly = cast(a.shape, {.from = a.at, .way = way, .turn = {1e-9F, 0, 0}}, b.shape, b.at);
    if (plain && hardly) {
      const double speed = length(V3(way));
      EXPECT_NEAR(plain.t * speed, hardly.t * speed, 2e-3) << i;  // grazing: far from the touch in time
    }
  }
}

TEST(ShapeCastTurning, PointsAndWhatIsNotFinite) {
  const Shape point(Sphere{{1, 0, 0}, 0});  // runs on a circle of radius 1
  EXPECT_NEAR(cast(point, {.turn = {0, 0, kPi}}, Shape(Box{{0, 2, 0}, {}, {1, 2, 1}}), {}).t, 0.0,
              1e-6);  // touches at the start
  const Shape floor(Box{{0, 5, 0}, {}, {9, 4.5F, 9}});
  EXPECT_NEAR(cast(point, {.turn = {0, 0, kPi}}, floor, {}).t, 1.0 / 6, 1e-6);
  EXPECT_FALSE(cast(point, {.turn = {0, 0, -kPi}}, floor, {}));
  for (const float bad : {kNan, kInf, -kInf}) {
    EXPECT_FALSE(cast(point, {.turn = {0, 0, bad}}, floor, {}));
    EXPECT_FALSE(cast(point, {.way = {0, bad, 0}, .turn = {0, 0, 1}}, floor, {}));
    EXPECT_FALSE(cast(point, {.turn = {0, 0, 3}, .pivot = {bad, 0, 0}}, floor, {}));
    Motion motion{.turn = {0, 0, 3}};
    motion.from.position.x = bad;
    EXPECT_FALSE(cast(point, motion, floor, {}));
    EXPECT_FALSE(cast(Shape(Sphere{{0, 0, 0}, kNan}), {.turn = {0, 0, 3}}, floor, {}));
    Qvvs at;
    at.position.x = kNan;
    EXPECT_FALSE(cast(point, {.turn = {0, 0, 3}}, floor, at));
  }
  EXPECT_FALSE(cast(point, {.turn = {0, 0, 1001}}, floor, {}));
  EXPECT_TRUE(cast(point, {.turn = {0, 0, 999}}, floor, {}));
  const TriangleMesh mesh = TriangleMesh::build(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                                                std::vector<std::array<std::uint32_t, 3>>{{0, 1, 2}})
                                .value();
  EXPECT_FALSE(cast(Shape(mesh), {.turn = {0, 0, 3}}, floor, {}));
  // Deep at the start: the way out, as cast() has it.
  const CastHit deep = cast(Shape(Sphere{{0, 1, 0}, 1}), {.turn = {0, 0, 3}}, floor, {});
  const CastHit plain = cast(Shape(Sphere{{0, 1, 0}, 1}), {}, Vec3{}, floor, {});
  expect_same(deep, plain);
}

}  // namespace
}  // namespace juxta
