// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// FindObjects and rays of the classic layer against looking at every box.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "classics/layer/collision_layer.h"
#include "classics/layer_worlds.h"

namespace juxta::classics {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

std::vector<std::uint32_t> brute_objects(const std::vector<Aabb3>& boxes, const Aabb3& query) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < boxes.size(); ++i) {
    if (!query.empty() && boxes[i].overlaps(query)) {
      found.push_back(i);
    }
  }
  return found;
}

// The boxes themselves (every begin and end is met exactly), random ones, and odd ones.
std::vector<Aabb3> queries_for(const std::vector<Aabb3>& boxes) {
  std::vector<Aabb3> queries(boxes.begin(), boxes.begin() + std::min<std::ptrdiff_t>(200, std::ssize(boxes)));
  const std::vector<Aabb3> random = scenes::make_query_boxes({boxes, {}, 0}, 100, 12);
  queries.insert(queries.end(), random.begin(), random.end());
  const Aabb3 all{{-kInfinity, -kInfinity, -kInfinity}, {kInfinity, kInfinity, kInfinity}};
  queries.push_back(all);
  queries.push_back({{1, -kInfinity, 1}, {2, kInfinity, 2}});
  queries.push_back({{kInfinity, 0, 0}, {kInfinity, 1, 1}});
  queries.push_back({{2, 2, 2}, {1, 3, 3}});
  queries.push_back({{0, 0, kNaN}, {3, 3, 3}});
  queries.push_back({{0, 0, 0}, {kNaN, 3, 3}});
  return queries;
}

TEST(ClassicObjects, AreThoseOfBruteForce) {
  Workspace workspace;
  for (const test::NamedBoxes& world : test::named_worlds()) {
    const std::vector<Aabb3> queries = queries_for(world.boxes);
    int choice = 0;
    for (const LayerCells& cells : test::cell_choices(world.boxes)) {
      SCOPED_TRACE(world.name + ", cells " + std::to_string(choice++));
      CollisionLayer layer(cells);
      layer.build(world.boxes, workspace, Ask::kPairsAndObjects);
      for (std::size_t q = 0; q < queries.size(); ++q) {
        const std::vector<std::uint32_t> want = brute_objects(world.boxes, queries[q]);
        for (const TreeWalk walk : {TreeWalk::kRecursive, TreeWalk::kCheckpoints, TreeWalk::kStack}) {
          std::vector<std::uint32_t> got(want.size());
          ASSERT_EQ(layer.find_objects(queries[q], got, walk), want.size()) << q;
          std::sort(got.begin(), got.end());
          ASSERT_EQ(got, want) << q;
          ASSERT_EQ(layer.any_object(queries[q], walk), !want.empty()) << q;
          ASSERT_EQ(layer.any_object_early(queries[q], walk), !want.empty()) << q;
        }
      }
    }
  }
}

TEST(ClassicObjects, OfAPartNeedNoSorting) {
  const std::vector<Aabb3> boxes = test::degenerate_boxes(300);
  std::vector<std::uint8_t> keep(boxes.size());
  for (std::size_t i = 0; i < keep.size(); i += 2) {
    keep[i] = 1;
  }
  Workspace workspace;
  CollisionLayer all({test::bounds_of(boxes), 2, 2}), part;
  all.build(boxes, workspace);
  part.build_from(all, keep, Ask::kPairsAndObjects);
  for (const Aabb3& query : queries_for(boxes)) {
    std::vector<std::uint32_t> want = brute_objects(boxes, query);
    std::erase_if(want, [&](std::uint32_t i) { return keep[i] == 0; });
    std::vector<std::uint32_t> got(want.size());
    ASSERT_EQ(part.find_objects(query, got), want.size());
    std::sort(got.begin(), got.end());
    ASSERT_EQ(got, want);
  }
}

// As juxta/layer/raycast.h defines it, box by box.
float enters(const Ray3& ray, const Aabb3& box) {
  float enter = 0, leave = ray.max;
  for (int axis = 0; axis < 3; ++axis) {
    const float inverse = 1 / ray.direction[axis];
    if (!std::isfinite(inverse)) {
      if (ray.origin[axis] < box.lo[axis] || ray.origin[axis] > box.hi[axis]) {
        return -1;
      }
      continue;
    }
    const float lo = (box.lo[axis] - ray.origin[axis]) * inverse;
    const float hi = (box.hi[axis] - ray.origin[axis]) * inverse;
    enter = std::max(enter, std::min(lo, hi));
    leave = std::min(leave, std::max(lo, hi));
  }
  return enter <= leave ? enter : -1;
}

RayHit brute_closest(const std::vector<Aabb3>& boxes, const Ray3& ray) {
  RayHit best;
  for (std::uint32_t i = 0; i < boxes.size(); ++i) {
    const float t = enters(ray, boxes[i]);
    if (t >= 0 && (!best || t < best.t)) {
      best = {i, t};
    }
  }
  return best;
}

std::vector<Ray3> rays_for(const std::vector<Aabb3>& boxes) {
  std::vector<Ray3> rays = scenes::make_query_rays({boxes, {}, 0}, 150, 13);
  for (std::size_t i = 0; i < 50; ++i) {
    Ray3 ray = rays[i];
    ray.max = i % 2 == 0 ? 0.5F : 10.0F;
    rays.push_back(ray);
    ray.direction[i % 3] = 0;  // along a plane
    rays.push_back(ray);
    ray.direction[(i + 1) % 3] = -0.0F;  // along an axis
    rays.push_back(ray);
    ray.direction[(i + 2) % 3] = 0;  // nowhere: only boxes around the origin
    rays.push_back(ray);
  }
  // Along edges and faces of the touching boxes, from outside and from inside.
  rays.push_back({{-3, 2, 2}, {1, 0, 0}});
  rays.push_back({{-3, -3, -3}, {1, 1, 1}});
  rays.push_back({{4, 4, 4}, {0, -1, 0}});
  rays.push_back({{-1e20F, 1, 1}, {1, 0, 0}});
  return rays;
}

TEST(ClassicRays, AreThoseOfBruteForce) {
  Workspace workspace;
  for (const test::NamedBoxes& world : test::named_worlds()) {
    const std::vector<Ray3> rays = rays_for(world.boxes);
    int choice = 0;
    for (const LayerCells& cells : test::cell_choices(world.boxes)) {
      SCOPED_TRACE(world.name + ", cells " + std::to_string(choice++));
      CollisionLayer layer(cells);
      layer.build(world.boxes, workspace, Ask::kPairsAndObjects);
      for (std::size_t i = 0; i < rays.size(); ++i) {
        ASSERT_EQ(layer.raycast_closest(rays[i]), brute_closest(world.boxes, rays[i])) << i;
      }
    }
  }
}

TEST(ClassicRays, OfNonsenseTouchNothing) {
  const std::vector<Aabb3> boxes = test::touching_boxes(3);
  Workspace workspace;
  CollisionLayer layer;
  layer.build(boxes, workspace, Ask::kPairsAndObjects);
  EXPECT_TRUE(layer.raycast_closest({{1, 1, 1}, {1, 0, 0}}));
  EXPECT_FALSE(layer.raycast_closest({{kNaN, 1, 1}, {1, 0, 0}}));
  EXPECT_FALSE(layer.raycast_closest({{1, 1, 1}, {1, kNaN, 0}}));
  EXPECT_FALSE(layer.raycast_closest({{1, 1, 1}, {kInfinity, 0, 0}}));
  EXPECT_FALSE(layer.raycast_closest({{1, 1, 1}, {1, 0, 0}, -1}));
  EXPECT_FALSE(layer.raycast_closest({{1, 1, 1}, {1, 0, 0}, kNaN}));
}

}  // namespace
}  // namespace juxta::classics
