// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Casts and distances over the classic layer against looking at every box.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "classics/layer/collision_layer.h"
#include "classics/layer_worlds.h"
#include "juxta/layer/layer.h"
#include "juxta/layer/nearest.h"

namespace juxta::classics {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
using Point3 = Vec3;

struct Cast {
  Aabb3 box;
  Point3 direction;
  float max;
};

// When a moving box first touches another, or a negative number: on each axis the times between which the two
// intervals touch.
float touches(const Cast& cast, const Aabb3& other) {
  float enter = 0, leave = cast.max;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const float inverse = 1 / cast.direction[axis];
    const float gap_before = other.lo[axis] - cast.box.hi[axis];
    const float gap_after = other.hi[axis] - cast.box.lo[axis];
    if (!std::isfinite(inverse)) {
      if (cast.box.hi[axis] < other.lo[axis] || other.hi[axis] < cast.box.lo[axis]) {
        return -1;
      }
    } else {
      enter = std::max(enter, std::min(gap_before * inverse, gap_after * inverse));
      leave = std::min(leave, std::max(gap_before * inverse, gap_after * inverse));
    }
  }
  return enter <= leave ? enter : -1;
}

RayHit brute_cast(const std::vector<Aabb3>& boxes, const Cast& cast) {
  RayHit best;
  for (std::uint32_t i = 0; i < boxes.size(); ++i) {
    const float t = touches(cast, boxes[i]);
    if (t >= 0 && (!best || t < best.t)) {
      best = {i, t};
    }
  }
  return best;
}

NearestHit brute_nearest(const std::vector<Aabb3>& boxes, const Aabb3& from, float max_distance) {
  NearestHit best;
  for (std::uint32_t i = 0; i < boxes.size(); ++i) {
    float square[3];
    for (int axis = 0; axis < 3; ++axis) {
      const float before = boxes[i].lo[axis] - from.hi[axis], after = from.lo[axis] - boxes[i].hi[axis];
      const float apart = before > 0 ? before : (after > 0 ? after : 0);
      square[axis] = apart * apart;
    }
    const float distance2 = square[0] + square[1] + square[2];
    if (distance2 <= max_distance * max_distance && (!best || distance2 < best.distance2)) {
      best = {i, distance2};
    }
  }
  return best;
}

std::vector<Cast> casts_for(const std::vector<Aabb3>& boxes) {
  std::vector<Cast> casts;
  const std::vector<Aabb3> movers = scenes::make_query_boxes({boxes, {}, 0}, 120, 14);
  const std::vector<Ray3> ways = scenes::make_query_rays({boxes, {}, 0}, 120, 15);
  for (std::size_t i = 0; i < movers.size(); ++i) {
    Cast cast{movers[i], {ways[i].direction[0], ways[i].direction[1], ways[i].direction[2]}, kInfinity};
    casts.push_back(cast);
    cast.max = i % 2 == 0 ? 0.5F : 10.0F;
    casts.push_back(cast);
    cast.direction[i % 3] = 0;  // along a plane
    casts.push_back(cast);
    cast.direction[(i + 1) % 3] = -0.0F;  // along an axis
    casts.push_back(cast);
    cast.direction[(i + 2) % 3] = 0;  // nowhere
    casts.push_back(cast);
  }
  // Along faces and edges of the touching boxes, from outside.
  casts.push_back({{{-3, 2, 2}, {-2, 3, 3}}, {1, 0, 0}, kInfinity});
  casts.push_back({{{-3, -3, -3}, {-2, -2, -2}}, {1, 1, 1}, kInfinity});
  casts.push_back({{{-3, -1, -1}, {-2, 0, 0}}, {2, 0, 0}, 1});  // touches the first box at t = 1
  casts.push_back({{{20, 20, 20}, {21, 21, 21}}, {1, 0, 0}, kInfinity});
  return casts;
}

// Calls body(boxes, layer) for every world with every choice of cells.
template <class Body>
void for_each_layer(const Body& body) {
  Workspace workspace;
  for (const test::NamedBoxes& world : test::named_worlds()) {
    int choice = 0;
    for (const LayerCells& cells : test::cell_choices(world.boxes)) {
      SCOPED_TRACE(world.name + ", cells " + std::to_string(choice++));
      CollisionLayer layer(cells);
      layer.build(world.boxes, workspace, Ask::kPairsAndObjects);
      body(world.boxes, layer);
    }
  }
}

TEST(ClassicCasts, AreThoseOfBruteForce) {
  std::size_t hits = 0;
  for_each_layer([&](const std::vector<Aabb3>& boxes, const CollisionLayer& layer) {
    const std::vector<Cast> casts = casts_for(boxes);
    for (std::size_t i = 0; i < casts.size(); ++i) {
      const RayHit want = brute_cast(boxes, casts[i]);
      ASSERT_EQ(layer.boxcast_closest(casts[i].box, casts[i].direction, casts[i].max), want) << i;
      hits += want ? 1 : 0;
    }
  });
  EXPECT_GT(hits, 10'000U);
}

TEST(ClassicCasts, OfAPointIsARay) {
  const std::vector<Aabb3> boxes = scenes::make_boxes(scenes::BoxSet::kUniform, 1000, 3).boxes;
  Workspace workspace;
  CollisionLayer layer({test::bounds_of(boxes), 3, 3});
  layer.build(boxes, workspace, Ask::kPairsAndObjects);
  for (const Ray3& ray : scenes::make_query_rays({boxes, {}, 0}, 200, 4)) {
    const Aabb3 point{{ray.origin[0], ray.origin[1], ray.origin[2]},
                      {ray.origin[0], ray.origin[1], ray.origin[2]}};
    EXPECT_EQ(layer.boxcast_closest(point, {ray.direction[0], ray.direction[1], ray.direction[2]}, ray.max),
              layer.raycast_closest(ray));
  }
}

TEST(ClassicCasts, OfNonsenseTouchNothing) {
  const std::vector<Aabb3> boxes = test::touching_boxes(3);
  Workspace workspace;
  CollisionLayer layer;
  const Aabb3 sound{{1, 1, 1}, {2, 2, 2}};
  EXPECT_FALSE(layer.boxcast_closest(sound, {1, 0, 0}, 1));  // an empty layer
  layer.build(boxes, workspace, Ask::kPairsAndObjects);
  EXPECT_TRUE(layer.boxcast_closest(sound, {1, 0, 0}, 1));
  EXPECT_FALSE(layer.boxcast_closest(sound, {1, kNaN, 0}, 1));
  EXPECT_FALSE(layer.boxcast_closest(sound, {1, 0, kInfinity}, 1));
  EXPECT_FALSE(layer.boxcast_closest(sound, {1, 0, 0}, -1));
  EXPECT_FALSE(layer.boxcast_closest(sound, {1, 0, 0}, kNaN));
  EXPECT_FALSE(layer.boxcast_closest({{2, 1, 1}, {1, 2, 2}}, {1, 0, 0}, 1));
  EXPECT_FALSE(layer.boxcast_closest({{1, 1, 1}, {2, kInfinity, 2}}, {1, 0, 0}, 1));
}

// Points and boxes inside, outside and far away, with every kind of limit.
TEST(ClassicNearest, IsThatOfBruteForce) {
  std::size_t hits = 0;
  for_each_layer([&](const std::vector<Aabb3>& boxes, const CollisionLayer& layer) {
    std::vector<Aabb3> froms = scenes::make_query_boxes({boxes, {}, 0}, 60, 16);
    const Aabb3 world = test::bounds_of(boxes);
    froms.push_back({{world.hi[0], world.hi[1], world.hi[2]}, {world.hi[0], world.hi[1], world.hi[2]}});
    froms.push_back({{-9, -9, -9}, {-8, -8, -8}});
    for (const Aabb3& from : froms) {
      for (const float limit : {0.0F, 0.3F, 2.0F, 40.0F, kInfinity}) {
        const NearestHit want = brute_nearest(boxes, from, limit);
        ASSERT_EQ(layer.nearest(from, limit), want) << limit;
        const Point3 corner{from.lo[0], from.lo[1], from.lo[2]};
        const Aabb3 point{{corner[0], corner[1], corner[2]}, {corner[0], corner[1], corner[2]}};
        ASSERT_EQ(layer.nearest(corner, limit), brute_nearest(boxes, point, limit)) << limit;
        hits += want ? 1 : 0;
      }
    }
  });
  EXPECT_GT(hits, 10'000U);
}

TEST(ClassicNearest, IsThatOfTheLibrary) {
  const scenes::BoxWorld world = scenes::make_boxes(scenes::BoxSet::kMixed, 3000, 9);
  Workspace workspace;
  CollisionLayer classic({test::bounds_of(world.boxes), 4, 4});
  classic.build(world.boxes, workspace, Ask::kPairsAndObjects);
  const auto layer = Layer::build(world.boxes);
  ASSERT_TRUE(layer);
  std::size_t hits = 0;
  for (const Aabb3& at : scenes::make_query_boxes(world, 300, 17)) {
    const Point3 point{at.lo[0], at.lo[1], at.lo[2]};
    for (const float limit : {0.2F, 5.0F, kInfinity}) {
      const NearestHit got = classic.nearest(point, limit);
      ASSERT_EQ(got, nearest(*layer, point, limit));
      hits += got ? 1 : 0;
    }
  }
  EXPECT_GT(hits, 300U);
}

TEST(ClassicNearest, OfNonsenseIsNothing) {
  const std::vector<Aabb3> boxes = test::touching_boxes(3);
  Workspace workspace;
  CollisionLayer layer;
  layer.build(boxes, workspace, Ask::kPairsAndObjects);
  EXPECT_TRUE(layer.nearest(Point3{1, 1, 1}, 1));
  EXPECT_FALSE(layer.nearest(Point3{kNaN, 1, 1}, 1));
  EXPECT_FALSE(layer.nearest(Point3{1, kInfinity, 1}, kInfinity));
  EXPECT_FALSE(layer.nearest(Point3{1, 1, 1}, -1));
  EXPECT_FALSE(layer.nearest(Point3{1, 1, 1}, kNaN));
}

}  // namespace
}  // namespace juxta::classics
