// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "scenes/boxes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "scenes/boxes_math.h"
#include "support/fnv.h"

namespace juxta::scenes {
namespace {

// Overlapping pairs, by a sweep along x.
std::size_t count_pairs(std::vector<Aabb3> boxes) {
  std::sort(boxes.begin(), boxes.end(), [](const Aabb3& a, const Aabb3& b) { return a.lo[0] < b.lo[0]; });
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = i + 1; j < boxes.size() && boxes[j].lo[0] <= boxes[i].hi[0]; ++j) {
      pairs += boxes[i].overlaps(boxes[j]) ? 1 : 0;
    }
  }
  return pairs;
}

double mean_hits(const BoxWorld& world, const std::vector<Aabb3>& queries) {
  std::size_t hits = 0;
  for (const Aabb3& query : queries) {
    hits += static_cast<std::size_t>(std::count_if(world.boxes.begin(), world.boxes.end(),
                                                   [&](const Aabb3& box) { return box.overlaps(query); }));
  }
  return static_cast<double>(hits) / static_cast<double>(queries.size());
}

float edge(const Aabb3& box, int axis) {
  return box.hi[axis] - box.lo[axis];
}

TEST(Boxes, AreTheSameEverywhere) {
  std::uint64_t h = 0xcbf29ce484222325U;
  for (const BoxSet set : kBoxSets) {
    BoxWorld world = make_boxes(set, 20'000, 7);
    for (int frame = 0; frame < 20; ++frame) {
      advance(world);
    }
    h = test::fnv(std::span<const Aabb3>(world.boxes), h);
    h = test::fnv(std::span<const Vec3>(world.velocities), h);
    const std::vector<Aabb3> queries = make_query_boxes(world, 100, 8);
    h = test::fnv(std::span<const Aabb3>(queries), h);
    for (const Ray3& ray : make_query_rays(world, 100, 9)) {
      h = test::fnv(std::span<const float>(ray.origin), h);
      h = test::fnv(std::span<const float>(ray.direction), h);
      EXPECT_EQ(ray.max, INFINITY);
    }
  }
  EXPECT_EQ(h, 16347811085793678077U);
}

TEST(Boxes, AreSoundWhereverTheyGo) {
  for (const BoxSet set : kBoxSets) {
    BoxWorld world = make_boxes(set, 5000, 1);
    ASSERT_EQ(world.boxes.size(), 5000U);
    ASSERT_EQ(world.velocities.size(), 5000U);
    for (int frame = 0; frame < 300; ++frame) {
      advance(world);
    }
    for (const Aabb3& box : world.boxes) {
      ASSERT_FALSE(box.empty()) << name(set);
      for (int axis = 0; axis < 3; ++axis) {
        // One step and, in clusters, a swing and a tail beyond the wall.
        const float beyond = set == BoxSet::kClustered ? 60 : 0.1F;
        const float centre = 0.5F * (box.lo[axis] + box.hi[axis]);
        ASSERT_GE(centre, -beyond) << name(set);
        ASSERT_LE(centre, world.side + beyond) << name(set);
      }
    }
  }
}

TEST(Boxes, HaveTheStatedPairs) {
  EXPECT_NEAR(static_cast<double>(count_pairs(make_boxes(BoxSet::kUniform, 100'000, 2).boxes)), 200e3, 4e3);
  EXPECT_NEAR(static_cast<double>(count_pairs(make_boxes(BoxSet::kFlatX, 5'000, 2).boxes)), 6400, 400);
  EXPECT_EQ(count_pairs(make_boxes(BoxSet::kIdentical, 4000, 2).boxes), 7'998'000U);
  EXPECT_GT(count_pairs(make_boxes(BoxSet::kClustered, 100'000, 2).boxes), 80'000U);
  EXPECT_GT(count_pairs(make_boxes(BoxSet::kMixed, 100'000, 2).boxes), 50'000U);
}

// A benchmark that runs longer must not get an easier world.
TEST(Boxes, KeepTheirPairsForHundredsOfFrames) {
  for (const BoxSet set : kBoxSets) {
    BoxWorld world = make_boxes(set, set == BoxSet::kIdentical ? 500 : 10'000, 3);
    const auto before = static_cast<double>(count_pairs(world.boxes));
    for (int frame = 0; frame < 400; ++frame) {
      advance(world);
    }
    const auto after = static_cast<double>(count_pairs(world.boxes));
    // Half the pairs of a mixed world are those of its four largest boxes, wherever they are.
    EXPECT_NEAR(after / before, 1, set == BoxSet::kMixed ? 0.5 : 0.25) << name(set);
    EXPECT_NE(before == after, set != BoxSet::kIdentical) << name(set);
  }
}

TEST(Boxes, HaveTheirShapes) {
  for (const Aabb3& box : make_boxes(BoxSet::kUniform, 3000, 4).boxes) {
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(edge(box, axis), 0.8, 0.4001);
    }
  }
  for (const Aabb3& box : make_boxes(BoxSet::kFlatX, 3000, 4).boxes) {
    EXPECT_EQ(box.lo[0], 0);
    EXPECT_EQ(box.hi[0], 1);
  }
  const BoxWorld mixed = make_boxes(BoxSet::kMixed, 100'000, 4);
  EXPECT_NEAR(mixed.side, 100, 0.001);
  std::size_t large = 0, small = 0;
  for (const Aabb3& box : mixed.boxes) {
    EXPECT_NEAR(edge(box, 1), edge(box, 0), 1e-4);
    large += edge(box, 0) > 59.99F ? 1 : 0;
    small += edge(box, 0) < 0.2F ? 1 : 0;
  }
  EXPECT_GE(large, 4U);
  EXPECT_LE(large, 6U);
  EXPECT_NEAR(static_cast<double>(small), 75'000, 1000);  // 1 - (.1 / .2)^2
  const BoxWorld same = make_boxes(BoxSet::kIdentical, 100, 4);
  EXPECT_EQ(std::count(same.boxes.begin(), same.boxes.end(), same.boxes[0]), 100);
}

// Neighbours in the input of a clustered world are far apart: the order must not help anyone.
TEST(Boxes, OrderSaysNothing) {
  const BoxWorld world = make_boxes(BoxSet::kClustered, 20'000, 5);
  double apart = 0;
  for (std::size_t i = 1; i < world.boxes.size(); ++i) {
    apart += std::abs(world.boxes[i].lo[0] - world.boxes[i - 1].lo[0]);
  }
  EXPECT_GT(apart / 20'000, 0.2 * static_cast<double>(world.side));
}

TEST(Boxes, MembersOfAClusterGoTogether) {
  const BoxWorld world = make_boxes(BoxSet::kClustered, 20'000, 5);
  std::set<std::array<float, 3>> velocities;
  for (const Vec3& v : world.velocities) {
    velocities.insert({v.x, v.y, v.z});
  }
  EXPECT_GT(velocities.size(), 50U);
  EXPECT_LT(velocities.size(), 2000U);
}

TEST(QueryBoxes, HitAsOftenAsStated) {
  const BoxWorld world = make_boxes(BoxSet::kUniform, 100'000, 1);
  EXPECT_NEAR(mean_hits(world, make_query_boxes(world, 1000, 2)), 4.7, 0.2);
}

TEST(QueryRays, AreEvenOnTheSphere) {
  const BoxWorld world = make_boxes(BoxSet::kUniform, 1000, 1);
  const std::vector<Ray3> rays = make_query_rays(world, 20'000, 2);
  double sum[3] = {}, squares[3] = {};
  for (const Ray3& ray : rays) {
    double length2 = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double d = ray.direction[axis];
      length2 += d * d;
      sum[axis] += d;
      squares[axis] += d * d;
      EXPECT_GE(ray.origin[axis], -0.7F);
      EXPECT_LE(ray.origin[axis], world.side + 0.7F);
    }
    ASSERT_NEAR(length2, 1, 1e-5);
  }
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(sum[axis] / 20'000, 0, 0.02);
    EXPECT_NEAR(squares[axis] / 20'000, 1.0 / 3, 0.01);
  }
}

TEST(Boxes, AnyCount) {
  for (const BoxSet set : kBoxSets) {
    for (const std::size_t n : {0U, 1U, 3U, 5U}) {
      BoxWorld world = make_boxes(set, n, 6);
      advance(world);
      EXPECT_EQ(world.boxes.size(), n);
      EXPECT_EQ(make_query_boxes(world, 4, 1).size(), 4U);
      EXPECT_EQ(make_query_rays(world, 4, 1).size(), 4U);
    }
  }
}

TEST(BoxesMath, IsCloseToTheStandardLibrary) {
  for (double v = 1e-3; v < 1e12; v *= 1.37) {
    EXPECT_NEAR(cube_root(v) / std::cbrt(v), 1, 1e-14) << v;
  }
  EXPECT_EQ(cube_root(0), 0);
  for (double x = -60; x < 60; x += 0.37) {
    EXPECT_NEAR(exponential(x) / std::exp(x), 1, 1e-11) << x;
  }
  Draws draws(1);
  double sum = 0, squares = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double x = normal(draws);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / 100'000, 0, 0.02);
  EXPECT_NEAR(squares / 100'000, 1, 0.02);
}

TEST(Boxes, NamesAreDistinct) {
  std::set<std::string> names;
  for (const BoxSet set : kBoxSets) {
    names.emplace(name(set));
  }
  EXPECT_EQ(names.size(), kBoxSets.size());
}

}  // namespace
}  // namespace juxta::scenes
