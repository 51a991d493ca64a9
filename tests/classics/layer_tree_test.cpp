// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// What FindObjects is made of: the binary search; the interval tree, every way to build it and to walk it;
// the counters; and two slips of the printed code.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "classics/layer/binary_search.h"
#include "classics/layer/collision_layer.h"
#include "classics/layer/interval_tree.h"
#include "classics/layer_worlds.h"

namespace juxta::classics {
namespace {

constexpr TreeBuild kBuilds[] = {TreeBuild::kOnePass, TreeBuild::kTwoRecursions, TreeBuild::kPublishedZeros};
constexpr TreeWalk kWalks[] = {TreeWalk::kRecursive, TreeWalk::kCheckpoints, TreeWalk::kStack};

// Intervals that ascend by their begin; many begin at the same place.
struct Intervals {
  explicit Intervals(std::uint32_t size, float shift = 0) : xmin(size), xmax(size) {
    for (std::uint32_t row = 0; row < size; ++row) {
      xmin[row] = static_cast<float>(row / 3) + shift;
      xmax[row] = xmin[row] + static_cast<float>(row * 7919 % 101) / 8;
    }
  }
  [[nodiscard]] std::vector<IntervalNode> tree(TreeBuild build) const {
    const auto size = static_cast<std::uint32_t>(xmin.size());
    std::vector<IntervalNode> nodes(size);
    build_interval_tree(build, xmin.data(), xmax.data(), size, nodes.data());
    return nodes;
  }
  std::vector<float> xmin, xmax;
};

TEST(BinarySearch, FindsTheFirstNotBelow) {
  for (std::uint32_t size = 0; size < 70; ++size) {
    const Intervals rows(size);  // each begin three times
    for (float x = -1; x < 26; x += 0.25F) {
      const auto want = static_cast<std::uint32_t>(std::lower_bound(rows.xmin.begin(), rows.xmin.end(), x) -
                                                   rows.xmin.begin());
      ASSERT_EQ(first_not_below(rows.xmin.data(), size, x), want) << size << " at " << x;
      ASSERT_EQ(first_not_below_masked(rows.xmin.data(), size, x), want) << size << " at " << x;
    }
  }
}

TEST(IntervalTree, IsASearchTreeWithMaximaForAnySize) {
  for (std::uint32_t size = 1; size < 300; ++size) {
    const Intervals rows(size);
    const std::vector<IntervalNode> nodes = rows.tree(TreeBuild::kOnePass);
    std::uint32_t next = 0;
    const auto walk = [&](const auto& self, std::uint32_t k) -> float {
      if (k >= size) {
        return -1;
      }
      const float left = self(self, 2 * k + 1);
      EXPECT_EQ(nodes[k].row, next++);
      EXPECT_EQ(nodes[k].xmin, rows.xmin[nodes[k].row]);
      EXPECT_EQ(nodes[k].xmax, rows.xmax[nodes[k].row]);
      const float right = self(self, 2 * k + 2);
      const float most = std::max({left, right, nodes[k].xmax});
      EXPECT_EQ(nodes[k].subtree_xmax, most);
      return most;
    };
    walk(walk, 0);
    ASSERT_EQ(next, size);
  }
}

TEST(IntervalTree, IsTheSameHoweverItIsBuilt) {
  for (std::uint32_t size = 0; size < 300; ++size) {
    for (const float shift : {-500.0F, -20.0F, 0.0F}) {
      const Intervals rows(size, shift);
      const std::vector<IntervalNode> want = rows.tree(TreeBuild::kOnePass),
                                      got = rows.tree(TreeBuild::kTwoRecursions);
      for (std::uint32_t k = 0; k < size; ++k) {
        ASSERT_EQ(got[k].row, want[k].row);
        ASSERT_EQ(got[k].xmin, want[k].xmin);
        ASSERT_EQ(got[k].xmax, want[k].xmax);
        ASSERT_EQ(got[k].subtree_xmax, want[k].subtree_xmax);
      }
    }
  }
}

// Rows that a walk hands over, sorted, and how many nodes it read.
struct Walked {
  std::vector<std::uint32_t> rows;
  std::uint32_t nodes = 0;
};

struct Note {
  Walked& walked;
  std::uint32_t most = ~0U;  // stops after so many
  bool operator()(std::uint32_t row) const {
    walked.rows.push_back(row);
    return walked.rows.size() < most;
  }
  void on_node() const { ++walked.nodes; }
};

Walked walk(TreeWalk way, const std::vector<IntervalNode>& nodes, float x, std::uint32_t most = ~0U) {
  Walked walked;
  const Note note{walked, most};
  const auto size = static_cast<std::uint32_t>(nodes.size());
  bool all = false;
  switch (way) {
    case TreeWalk::kRecursive:
      all = walk_recursively(nodes.data(), size, x, note);
      break;
    case TreeWalk::kCheckpoints:
      all = walk_with_checkpoints(nodes.data(), size, x, note);
      break;
    case TreeWalk::kStack:
      all = walk_with_stack(nodes.data(), size, x, note);
      break;
  }
  EXPECT_EQ(all, walked.rows.size() < most);
  std::sort(walked.rows.begin(), walked.rows.end());
  return walked;
}

TEST(IntervalTree, EveryWalkFindsWhatBeganBeforeAndHasNotEnded) {
  for (const std::uint32_t size : {0U, 1U, 2U, 3U, 7U, 8U, 100U, 255U, 256U, 257U}) {
    for (const TreeBuild build : kBuilds) {
      const Intervals rows(size, -20);
      const std::vector<IntervalNode> nodes = rows.tree(build);
      for (float x = -22; x < 80; x += 0.5F) {
        std::vector<std::uint32_t> want;
        for (std::uint32_t row = 0; row < size; ++row) {
          if (rows.xmin[row] < x && x <= rows.xmax[row]) {
            want.push_back(row);
          }
        }
        const Walked recursive = walk(TreeWalk::kRecursive, nodes, x);
        const Walked loop = walk(TreeWalk::kCheckpoints, nodes, x);
        const Walked stack = walk(TreeWalk::kStack, nodes, x);
        ASSERT_EQ(recursive.rows, want) << size << " at " << x;
        ASSERT_EQ(loop.rows, want) << size << " at " << x;
        ASSERT_EQ(stack.rows, want) << size << " at " << x;
        // The loop is the recursion; the stack leaves out right children where x is a begin.
        ASSERT_EQ(loop.nodes, recursive.nodes);
        ASSERT_LE(stack.nodes, recursive.nodes);
      }
    }
  }
}

TEST(IntervalTree, AVisitorEndsEveryWalk) {
  const Intervals rows(200);
  const std::vector<IntervalNode> nodes = rows.tree(TreeBuild::kOnePass);
  for (const TreeWalk way : kWalks) {
    const Walked all = walk(way, nodes, 40.25F);
    ASSERT_GT(all.rows.size(), 3U);
    const Walked few = walk(way, nodes, 40.25F, 3);
    EXPECT_EQ(few.rows.size(), 3U);
    EXPECT_LT(few.nodes, all.nodes);
  }
}

// The first slip: FindObjects of the article leaves a subtree when the query begins at or after its last end.
// A box that ends exactly there touches the query, and FindPairs of the same article reports such pairs.
TEST(IntervalTree, PublishedPruneDropsTouchingBoxes) {
  const std::vector<float> xmin{0, 1, 2}, xmax{5, 3, 4};
  std::vector<IntervalNode> nodes(3);
  build_interval_tree(xmin.data(), xmax.data(), 3, nodes.data());
  const auto found = [&](auto walk, float x) {
    std::vector<std::uint32_t> rows;
    walk(nodes.data(), 3U, x, [&](std::uint32_t row) { rows.push_back(row); });
    std::sort(rows.begin(), rows.end());
    return rows;
  };
  const auto corrected = [](auto&&... a) { walk_recursively(a...); };
  const auto corrected_loop = [](auto&&... a) { walk_with_checkpoints(a...); };
  const auto published = [](auto&&... a) { walk_recursively<Prune::kPublished>(a...); };
  const auto published_loop = [](auto&&... a) { walk_with_checkpoints<Prune::kPublished>(a...); };
  const auto stack = [](auto&&... a) { walk_with_stack(a...); };
  using Rows = std::vector<std::uint32_t>;
  // Well inside they agree.
  EXPECT_EQ(found(corrected, 2.5F), (Rows{0, 1, 2}));
  EXPECT_EQ(found(published, 2.5F), (Rows{0, 1, 2}));
  EXPECT_EQ(found(published_loop, 2.5F), (Rows{0, 1, 2}));
  // At 5 the first box ends: it touches.
  EXPECT_EQ(found(corrected, 5), (Rows{0}));
  EXPECT_EQ(found(corrected_loop, 5), (Rows{0}));
  EXPECT_EQ(found(stack, 5), (Rows{0}));
  EXPECT_TRUE(found(published, 5).empty());
  EXPECT_TRUE(found(published_loop, 5).empty());
  // At 4 the last one does, in a subtree of its own.
  EXPECT_EQ(found(corrected, 4), (Rows{0, 2}));
  EXPECT_EQ(found(corrected_loop, 4), (Rows{0, 2}));
  EXPECT_EQ(found(stack, 4), (Rows{0, 2}));
  EXPECT_EQ(found(published, 4), (Rows{0}));
  EXPECT_EQ(found(published_loop, 4), (Rows{0}));
}

// The second slip: the printed build takes 0 as the last end of a child that is not there. Every leaf lacks
// both children, so every maximum is at least 0, and below 0 the tree rules nothing out: a walk reads all
// that begins before it. The same intervals on the other side of 0 show what it should read.
TEST(IntervalTree, PublishedZerosReadEverythingBelowZero) {
  constexpr std::uint32_t kSize = 3000;
  const Intervals below(kSize, -2000), above(kSize, 2000);
  const Walked slip = walk(TreeWalk::kRecursive, below.tree(TreeBuild::kPublishedZeros), -1100.5F);
  const Walked right = walk(TreeWalk::kRecursive, below.tree(TreeBuild::kTwoRecursions), -1100.5F);
  const Walked mirrored = walk(TreeWalk::kRecursive, above.tree(TreeBuild::kPublishedZeros), 2899.5F);
  EXPECT_EQ(slip.rows, right.rows);
  EXPECT_EQ(mirrored.rows, right.rows);
  EXPECT_EQ(mirrored.nodes, right.nodes);
  EXPECT_LT(right.nodes, 200U);
  EXPECT_GE(slip.nodes, 2700U);  // 900 * 3 intervals begin before
}

// The counters are those of the queries' own work, bucket by bucket.
TEST(ClassicObjects, CountTheirWork) {
  const scenes::BoxWorld world = scenes::make_boxes(scenes::BoxSet::kUniform, 2000, 5);
  const std::vector<Aabb3> queries = scenes::make_query_boxes(world, 50, 12);
  Workspace workspace;
  for (const std::uint32_t cells : {1U, 3U}) {
    CollisionLayer layer({test::bounds_of(world.boxes), cells, cells});
    for (const TreeBuild build : kBuilds) {
      layer.build(world.boxes, workspace, Ask::kPairsAndObjects, build);
      for (const Aabb3& query : queries) {
        for (const TreeWalk way : kWalks) {
          const ObjectsWork work = layer.count_objects(query, way);
          const auto in_x = static_cast<std::uint64_t>(std::count_if(
              world.boxes.begin(), world.boxes.end(),
              [&](const Aabb3& box) { return box.lo[0] <= query.hi[0] && query.lo[0] <= box.hi[0]; }));
          ASSERT_EQ(work.hits, layer.find_objects(query, {}, way));
          ASSERT_LE(work.inside, work.nodes);
          ASSERT_LE(work.hits, work.swept + work.inside);
          if (cells == 1) {
            ASSERT_EQ(work.buckets, 2U);  // the bucket and the cross bucket, which is empty
            ASSERT_EQ(work.swept + work.inside, in_x);
          } else {
            ASSERT_LE(work.swept + work.inside, in_x);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace juxta::classics
