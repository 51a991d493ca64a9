// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Trees of blocks: how many blocks there are, and that every level bounds the one below exactly.
#include "order/block_tree.h"

#include <numeric>

#include "juxta/order/block_order.h"
#include "order/block_test.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

using test::BlockWorld;
using test::OwnedTree;
using Order = std::vector<std::uint32_t>;

TEST(BlockTreePlan, CountsBlocksUpToTheMostItems) {
  const std::size_t most = (std::size_t{1} << 32) - 2;
  std::vector<std::size_t> counts = {most, most / 2, 1'000'000, 10'000'000};
  for (std::size_t power = 1; power < most; power *= 16) {
    counts.insert(counts.end(), {power - 1, power, power + 1, 2 * power - 1});
  }
  for (const std::size_t items : counts) {
    const BlockTreePlan plan = plan_block_tree(items);
    if (items == 0) {
      EXPECT_EQ(plan.levels, 0U);
      EXPECT_EQ(plan.total, 0U);
      continue;
    }
    ASSERT_GE(plan.levels, 2U) << items;
    ASSERT_LE(plan.levels, kMaxTreeLevels) << items;
    std::size_t below = items, total = 0;
    for (std::uint32_t l = 0; l < plan.levels; ++l) {
      EXPECT_EQ(plan.blocks[l], (below + 15) / 16) << items << " items, level " << l;
      total += below = plan.blocks[l];
    }
    EXPECT_EQ(plan.total, total) << items;
    // The first level of one block, but never the boxes themselves.
    EXPECT_EQ(plan.blocks[plan.levels - 1], 1U) << items;
    EXPECT_TRUE(plan.levels == 2 || plan.blocks[plan.levels - 2] > 1) << items;
    EXPECT_TRUE(std::all_of(plan.blocks.begin() + plan.levels, plan.blocks.end(),
                            [](std::uint32_t blocks) { return blocks == 0; }));
  }
  EXPECT_EQ(plan_block_tree(most).levels, 8U);
  EXPECT_EQ(plan_block_tree(most).blocks[0], 1U << 28);
}

template <class Dimensions>
class BlockTrees : public test::InEveryDimension<Dimensions> {};
TYPED_TEST_SUITE(BlockTrees, test::Dimensions, test::DimensionNames);

TYPED_TEST(BlockTrees, LevelsLieOneAfterTheOtherAndAligned) {
  constexpr int D = TypeParam::value;
  static_assert(sizeof(BoxBlock<D>) == 2 * D * kBlockLanes * sizeof(float));
  const OwnedTree<D> owned(70'000);
  const BoxBlock<D>* at = owned.blocks.data();
  for (std::uint32_t l = 0; l < owned.tree.levels; ++l) {
    EXPECT_EQ(owned.tree.level[l], at);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(at) % 64, 0U);
    at += owned.tree.blocks[l];
  }
  EXPECT_EQ(at, owned.blocks.data() + owned.blocks.size());
  EXPECT_EQ(BlockTree<D>(BlockTreePlan{}, nullptr).levels, 0U);
}

TYPED_TEST(BlockTrees, LanesKeepTheirBoxes) {
  constexpr int D = TypeParam::value;
  const auto boxes = test::seeded_world<D>(BlockWorld::kUniform, kBlockLanes);
  BoxBlock<D> block;
  for (std::uint32_t lane = 0; lane < kBlockLanes; ++lane) {
    block.set(lane, boxes[lane]);
  }
  for (std::uint32_t lane = 0; lane < kBlockLanes; ++lane) {
    EXPECT_EQ(block.box(lane), boxes[lane]);
    EXPECT_EQ(block.lo[D - 1][lane], boxes[lane].lo[D - 1]);
    EXPECT_EQ(block.hi[0][lane], boxes[lane].hi[0]);
  }
}

// Every lane above level 0 is the join of the sixteen below it, -inf and inf where there is none.
template <int D>
void expect_exact_bounds(const OwnedTree<D>& owned) {
  for (std::uint32_t l = 1; l < owned.tree.levels; ++l) {
    for (std::uint32_t at = 0; at < owned.tree.blocks[l] * kBlockLanes; ++at) {
      const Aabb<D> got = owned.tree.level[l][at / kBlockLanes].box(at % kBlockLanes);
      const Aabb<D> want = at < owned.tree.blocks[l - 1] ? test::bounds_twin(owned.tree.level[l - 1][at])
                                                         : test::empty_lane<D>();
      ASSERT_TRUE(test::same_bits(got, want)) << "level " << l << ", lane " << at;
    }
  }
}

// The order of block_order() with every seventh lane empty, in a tree of 100 lanes more than it needs.
template <int D>
Order sparse_order(const std::vector<Aabb<D>>& boxes) {
  Order order;
  for (const std::uint32_t box : test::order_of<D>(boxes)) {
    if (order.size() % 7 == 3) {
      order.push_back(kEmptyLane);
    }
    order.push_back(box);
  }
  return order;
}

TYPED_TEST(BlockTrees, FillBoundsEveryLevelExactlyOnEveryExecutorAndInstructionSet) {
  constexpr int D = TypeParam::value;
  for (const BlockWorld world : test::kBlockWorlds) {
    SCOPED_TRACE(name(world));
    for (const std::size_t n : std::initializer_list<std::size_t>{0, 1, 15, 16, 17, 255, 256, 257, 20'001}) {
      const auto boxes = test::seeded_world<D>(world, n);
      const Order order = sparse_order<D>(boxes);
      OwnedTree<D> want(order.size() + 100);
      fill_tree_twin<D>(want, boxes, order);
      test::for_each_isa([&](Isa) {
        OwnedTree<D> got(order.size() + 100);
        fill_tree<D>(got.tree, boxes, order);
        ASSERT_TRUE(same_bits(got, want)) << n;
        expect_exact_bounds(got);
      });
    }
  }
  const auto boxes = test::seeded_world<D>(BlockWorld::kUniform, 65'537);
  const Order order = sparse_order<D>(boxes);
  OwnedTree<D> want(order.size());
  fill_tree_twin<D>(want, boxes, order);
  test::for_each_executor([&](const Executor* executor) {
    OwnedTree<D> got(order.size());
    fill_tree<D>(got.tree, boxes, order, executor);
    ASSERT_TRUE(same_bits(got, want));
  });
}

TYPED_TEST(BlockTrees, ATreeWithoutItemsIsNoTree) {
  constexpr int D = TypeParam::value;
  BlockTree<D> none;
  fill_tree<D>(none, {}, {});
  fit_levels<D>(none);
  EXPECT_EQ(sum_of_block_edges<D>(none, 0), 0);
  // Lanes, but no order: all of them are empty.
  OwnedTree<D> empty(300);
  fill_tree<D>(empty.tree, {}, {});
  expect_exact_bounds(empty);
  for (const BoxBlock<D>& block : empty.blocks) {
    for (std::uint32_t lane = 0; lane < kBlockLanes; ++lane) {
      ASSERT_TRUE(test::same_bits(block.box(lane), test::empty_lane<D>()));
    }
  }
  EXPECT_EQ(sum_of_block_edges<D>(empty.tree, 300), 0);
}

TYPED_TEST(BlockTrees, ZerosLoseTheirSign) {
  constexpr int D = TypeParam::value;
  std::vector<Aabb<D>> boxes(40);
  for (auto& box : boxes) {
    box.lo = Vec<D>::all(-0.0F);
    box.hi = Vec<D>::all(-0.0F);
  }
  OwnedTree<D> owned(boxes.size());
  fill_tree<D>(owned.tree, boxes, test::order_of<D>(boxes));
  for (std::uint32_t lane = 0; lane < boxes.size(); ++lane) {
    EXPECT_TRUE(test::same_bits(owned.tree.level[0][lane / kBlockLanes].box(lane % kBlockLanes), Aabb<D>{}));
  }
}

TYPED_TEST(BlockTrees, FitLevelsFollowsLevelZero) {
  constexpr int D = TypeParam::value;
  const auto before = test::seeded_world<D>(BlockWorld::kUniform, 65'537);
  auto after = before;
  for (std::size_t i = 0; i < after.size(); i += 3) {
    after[i] = before[(i * 7) % before.size()];
  }
  const Order order = sparse_order<D>(before);
  OwnedTree<D> want(order.size());
  fill_tree_twin<D>(want, after, order);
  test::for_each_executor([&](const Executor* executor) {
    OwnedTree<D> got(order.size());
    fill_tree<D>(got.tree, before, order, executor);
    test::fill_blocks_twin<D>(got.tree.level[0], after, order, 0, got.plan.blocks[0]);
    fit_levels<D>(got.tree, executor);
    ASSERT_TRUE(same_bits(got, want));
  });
}

TYPED_TEST(BlockTrees, RefitPathEqualsFittingAll) {
  constexpr int D = TypeParam::value;
  for (const std::size_t n : std::initializer_list<std::size_t>{1, 16, 17, 300, 5000}) {
    const auto boxes = test::seeded_world<D>(BlockWorld::kSizes, n);
    OwnedTree<D> got(n), want(n);
    fill_tree<D>(got.tree, boxes, test::order_of<D>(boxes));
    scenes::Draws draws(n);
    for (int round = 0; round < 100; ++round) {
      const std::uint32_t lane = draws.below(static_cast<std::uint32_t>(n));
      BoxBlock<D>& block = got.tree.level[0][lane / kBlockLanes];
      const Aabb<D> other = boxes[draws.below(static_cast<std::uint32_t>(n))];
      block.set(lane % kBlockLanes, round % 4 == 0 ? test::empty_lane<D>() : other);
      refit_path<D>(got.tree, lane);
      want.blocks = got.blocks;
      fit_levels<D>(want.tree);
      ASSERT_TRUE(same_bits(got, want)) << n << ' ' << round;
    }
  }
}

// By definition: whole level-1 blocks, eighths. The same doubles for every executor.
TYPED_TEST(BlockTrees, SumOfBlockEdgesCountsWholeParents) {
  constexpr int D = TypeParam::value;
  const std::size_t n = 1'200'000;  // more than one partial sum of 4,096 parents
  const auto boxes = test::seeded_world<D>(BlockWorld::kUniform, n);
  Order order(n);
  std::iota(order.begin(), order.end(), 0U);
  OwnedTree<D> owned(n);
  fill_tree<D>(owned.tree, boxes, order);
  for (const std::uint32_t lanes : {0U, 1U, 255U, 256U, 511U, 512U, 70'000U, 1'200'000U}) {
    SCOPED_TRACE(lanes);
    double want = 0;
    for (std::uint32_t block = 0; block < lanes / 256 * 16; ++block) {
      const Aabb<D> bounds = test::bounds_twin(owned.tree.level[0][block]);
      for (int axis = 0; axis < D; ++axis) {
        want += (static_cast<double>(bounds.hi[axis]) - static_cast<double>(bounds.lo[axis])) / 8;
      }
    }
    const double got = sum_of_block_edges<D>(owned.tree, lanes);
    EXPECT_NEAR(got, want, 1e-6 * want);
    test::for_each_executor([&](const Executor* executor) {
      EXPECT_EQ(sum_of_block_edges<D>(owned.tree, lanes, executor), got);
    });
  }
  // More lanes than the tree has: all of it, the last parent's empty lanes adding nothing.
  EXPECT_EQ(sum_of_block_edges<D>(owned.tree, ~0U),
            sum_of_block_edges<D>(owned.tree, owned.tree.blocks[1] * 256));
}

}  // namespace
}  // namespace juxta
