// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// The yardstick needs an oracle: pairs of the classic layer against looking at every two boxes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "classics/layer/collision_layer.h"
#include "classics/layer_worlds.h"

namespace juxta::classics {
namespace {

constexpr Sweep kSweeps[] = {Sweep::kOneAxis, Sweep::kPaired, Sweep::kTwoAxes, Sweep::kUnfiltered};

std::vector<Pair> sorted(std::vector<Pair> pairs) {
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

// Calls body(boxes, cells) on every world with every choice of cells.
template <class Body>
void for_each_world(const Body& body) {
  for (const test::NamedBoxes& world : test::named_worlds()) {
    int choice = 0;
    for (const LayerCells& cells : test::cell_choices(world.boxes)) {
      SCOPED_TRACE(world.name + ", cells " + std::to_string(choice++));
      body(world.boxes, cells);
    }
  }
}

TEST(ClassicPairs, AreThoseOfBruteForce) {
  Workspace workspace;
  for (const test::NamedBoxes& world : test::named_worlds()) {
    const std::vector<Pair> want = test::brute_pairs(world.boxes);
    EXPECT_EQ(want.empty(), world.boxes.size() < 2) << world.name;
    int choice = 0;
    for (const LayerCells& cells : test::cell_choices(world.boxes)) {
      SCOPED_TRACE(world.name + ", cells " + std::to_string(choice++));
      CollisionLayer layer(cells);
      layer.build(world.boxes, workspace);
      for (const Sweep sweep : kSweeps) {
        std::vector<Pair> got(want.size());
        ASSERT_EQ(layer.find_pairs(workspace, got, sweep), want.size());
        ASSERT_EQ(sorted(got), want);
      }
    }
  }
}

TEST(ClassicPairs, OfTwoLayersAreThoseOfBruteForce) {
  Workspace workspace;
  for_each_world([&](const std::vector<Aabb3>& boxes, const LayerCells& cells) {
    const std::size_t third = boxes.size() / 3;
    const std::span<const Aabb3> some = std::span(boxes).first(third), rest = std::span(boxes).subspan(third);
    CollisionLayer a(cells), b(cells);
    a.build(some, workspace);
    b.build(rest, workspace);
    const std::vector<Pair> want = test::brute_pairs(some, rest);
    for (const Sweep sweep : kSweeps) {
      std::vector<Pair> got(want.size());
      ASSERT_EQ(a.find_pairs(b, workspace, got, sweep), want.size());
      ASSERT_EQ(sorted(got), want);
    }
  });
}

TEST(ClassicPairs, ShortOutputGetsTheFirst) {
  const std::vector<Aabb3> boxes = test::touching_boxes(6);
  const std::vector<Pair> want = test::brute_pairs(boxes);
  Workspace workspace;
  CollisionLayer layer({test::bounds_of(boxes), 2, 2});
  layer.build(boxes, workspace);
  std::vector<Pair> all(want.size());
  ASSERT_EQ(layer.find_pairs(workspace, all), want.size());
  std::vector<Pair> few(11, Pair{7, 7});
  EXPECT_EQ(layer.find_pairs(workspace, std::span(few).first(10)), want.size());
  EXPECT_TRUE(std::equal(few.begin(), few.begin() + 10, all.begin()));
  EXPECT_EQ(few[10], (Pair{7, 7}));
}

TEST(ClassicPairs, FlagsAreThoseOfThePairs) {
  Workspace workspace;
  for_each_world([&](const std::vector<Aabb3>& boxes, const LayerCells& cells) {
    const std::size_t half = boxes.size() / 2;
    const std::span<const Aabb3> some = std::span(boxes).first(half), rest = std::span(boxes).subspan(half);
    CollisionLayer a(cells), b(cells);
    a.build(some, workspace);
    b.build(rest, workspace);
    std::vector<std::uint8_t> want(half);
    for (const Pair& pair : test::brute_pairs(some)) {
      want[pair.a] = want[pair.b] = 1;
    }
    std::vector<std::uint8_t> want_other(half);
    for (const Pair& pair : test::brute_pairs(some, rest)) {
      want_other[pair.a] = 1;
    }
    for (const Sweep sweep : kSweeps) {
      std::vector<std::uint8_t> got(half), got_other(half);
      a.flag_pairs(workspace, got, sweep);
      ASSERT_EQ(got, want);
      a.flag_pairs(b, workspace, got_other, sweep);
      ASSERT_EQ(got_other, want_other);
    }
  });
}

TEST(ClassicPairs, OfAPartNeedNoSorting) {
  Workspace workspace;
  for_each_world([&](const std::vector<Aabb3>& boxes, const LayerCells& cells) {
    std::vector<std::uint8_t> keep(boxes.size());
    for (std::size_t i = 0; i < keep.size(); ++i) {
      keep[i] = i % 3 == 1 ? 1 : 0;
    }
    CollisionLayer all(cells), part(cells);
    all.build(boxes, workspace);
    part.build_from(all, keep);
    std::vector<Pair> want = test::brute_pairs(boxes);
    std::erase_if(want, [&](const Pair& pair) { return keep[pair.a] == 0 || keep[pair.b] == 0; });
    std::vector<Pair> got(want.size());
    ASSERT_EQ(part.find_pairs(workspace, got), want.size());
    ASSERT_EQ(sorted(got), want);
    ASSERT_EQ(part.size(), static_cast<std::size_t>(std::count(keep.begin(), keep.end(), 1)));
  });
}

TEST(ClassicPairs, RebuildForgets) {
  Workspace workspace;
  CollisionLayer layer({{{0, 0, 0}, {8, 8, 8}}, 3, 3});
  layer.build(test::touching_boxes(8), workspace);
  const std::vector<Aabb3> boxes = test::degenerate_boxes(100);
  layer.build(boxes, workspace);
  const std::vector<Pair> want = test::brute_pairs(boxes);
  std::vector<Pair> got(want.size());
  ASSERT_EQ(layer.find_pairs(workspace, got), want.size());
  EXPECT_EQ(sorted(got), want);
}

// The sort keys of cells and xmin must put every box into its bucket, and the cross bucket must hold what
// lies in several cells and nothing else: otherwise the pairs may be right and the yardstick slow.
TEST(ClassicPairs, BucketsAreFilledAsPublished) {
  const scenes::BoxWorld world = scenes::make_boxes(scenes::BoxSet::kUniform, 20'000, 3);
  Workspace workspace;
  CollisionLayer layer({{{0, 0, 0}, {world.side, world.side, world.side}}, 4, 4});
  layer.build(world.boxes, workspace);
  ASSERT_EQ(layer.buckets(), 17U);
  for (std::uint32_t bucket = 0; bucket < layer.buckets(); ++bucket) {
    const LayerRows rows = layer.rows(bucket);
    EXPECT_TRUE(std::is_sorted(rows.xmin, rows.xmin + rows.size));
    // A cell is 6.8 wide and an edge .8: (1 - .75 * .8 / 6.8)^2 of the boxes lie in one cell.
    EXPECT_NEAR(rows.size, bucket == 16 ? 3200 : 1050, bucket == 16 ? 400 : 150) << bucket;
  }
}

}  // namespace
}  // namespace juxta::classics
