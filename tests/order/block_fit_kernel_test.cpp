// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Filling and fitting blocks: the kernels against plain twins on every instruction set, bit for bit.
#include "order/block_fit_kernel.h"

#include <numeric>

#include "order/block_test.h"
#include "support/each_isa.h"

namespace juxta {
namespace {

using test::BlockWorld;
using test::OwnedTree;

template <class Dimensions>
class BlockFit : public test::InEveryDimension<Dimensions> {};
TYPED_TEST_SUITE(BlockFit, test::Dimensions, test::DimensionNames);

// Every box once, in any order, and so many lanes empty.
std::vector<std::uint32_t> shuffled_order(std::size_t n, std::size_t holes, std::uint64_t seed) {
  scenes::Draws draws(seed);
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  order.resize(n + holes, kEmptyLane);
  draws.shuffle(order);
  return order;
}

// About every fifth lane is empty.
std::vector<std::uint32_t> order_with_holes(std::size_t n, std::uint64_t seed) {
  return shuffled_order(n, n / 5, seed);
}

// Runs of blocks without a hole, and runs where one or two lanes are holes, anywhere.
TYPED_TEST(BlockFit, FillOfFullBlocksEqualsItsTwin) {
  constexpr int D = TypeParam::value;
  test::for_each_isa([](Isa) {
    for (const BlockWorld world : test::kBlockWorlds) {
      SCOPED_TRACE(name(world));
      for (const std::size_t n :
           std::initializer_list<std::size_t>{63, 64, 65, 79, 80, 127, 128, 129, 300, 1000}) {
        const auto boxes = test::seeded_world<D>(world, n);
        for (const std::size_t holes : {0U, 1U, 2U}) {
          const auto order = shuffled_order(n, holes, n + holes);
          for (const std::uint32_t first : {0U, 1U, 3U}) {
            OwnedTree<D> got(order.size() + kBlockLanes), want(order.size() + kBlockLanes);
            const std::uint32_t end = got.plan.blocks[0];
            order_detail::fill_blocks<D>(got.tree.level[0], boxes.data(), order.data(), order.size(), first,
                                         end);
            test::fill_blocks_twin<D>(want.tree.level[0], boxes, order, first, end);
            ASSERT_TRUE(same_bits(got, want)) << n << " boxes, " << holes << " holes, from " << first;
          }
        }
      }
    }
  });
}

TYPED_TEST(BlockFit, FillEqualsItsTwin) {
  constexpr int D = TypeParam::value;
  test::for_each_isa([](Isa) {
    for (const BlockWorld world : test::kBlockWorlds) {
      SCOPED_TRACE(name(world));
      for (std::size_t n = 0; n <= 68; ++n) {
        const auto boxes = test::seeded_world<D>(world, n);
        const auto order = order_with_holes(n, n);
        // One block more than the order needs: all of its lanes are empty.
        OwnedTree<D> got(order.size() + kBlockLanes), want(order.size() + kBlockLanes);
        const std::uint32_t end = got.plan.blocks[0];
        order_detail::fill_blocks<D>(got.tree.level[0], boxes.data(), order.data(), order.size(), 0, end);
        test::fill_blocks_twin<D>(want.tree.level[0], boxes, order, 0, end);
        ASSERT_TRUE(same_bits(got, want)) << n;
      }
    }
  });
}

TYPED_TEST(BlockFit, FillAndFitWriteOnlyTheirRange) {
  constexpr int D = TypeParam::value;
  const std::size_t n = 3000;
  const auto boxes = test::seeded_world<D>(BlockWorld::kSigns, n);
  const auto order = order_with_holes(n, 5);
  test::for_each_isa([&](Isa) {
    OwnedTree<D> got(order.size()), want(order.size());
    order_detail::fill_blocks<D>(got.tree.level[0], boxes.data(), order.data(), order.size(), 40, 43);
    test::fill_blocks_twin<D>(want.tree.level[0], boxes, order, 40, 43);
    ASSERT_TRUE(same_bits(got, want));
    const std::uint32_t end = got.plan.blocks[0], last = got.plan.blocks[1];
    test::fill_blocks_twin<D>(got.tree.level[0], boxes, order, 0, end);
    test::fill_blocks_twin<D>(want.tree.level[0], boxes, order, 0, end);
    order_detail::fit_parents<D>(got.tree.level[0], end, got.tree.level[1], last - 2, last - 1);
    test::fit_parents_twin<D>(want.tree.level[0], end, want.tree.level[1], last - 2, last - 1);
    ASSERT_TRUE(same_bits(got, want));
  });
}

TYPED_TEST(BlockFit, ParentsEqualTheirTwin) {
  constexpr int D = TypeParam::value;
  test::for_each_isa([](Isa) {
    for (const BlockWorld world : test::kBlockWorlds) {
      SCOPED_TRACE(name(world));
      for (const std::size_t n : std::initializer_list<std::size_t>{1, 15, 16, 17, 255, 256, 257, 4097}) {
        const auto boxes = test::seeded_world<D>(world, n);
        const auto order = order_with_holes(n, n);
        OwnedTree<D> got(order.size()), want(order.size());
        for (OwnedTree<D>* owned : {&got, &want}) {
          test::fill_blocks_twin<D>(owned->tree.level[0], boxes, order, 0, owned->plan.blocks[0]);
        }
        for (std::uint32_t l = 1; l < got.plan.levels; ++l) {
          const std::uint32_t end = got.plan.blocks[l - 1], last = got.plan.blocks[l];
          order_detail::fit_parents<D>(got.tree.level[l - 1], end, got.tree.level[l], 0, last);
          test::fit_parents_twin<D>(want.tree.level[l - 1], end, want.tree.level[l], 0, last);
        }
        ASSERT_TRUE(same_bits(got, want)) << n;
      }
    }
  });
}

TYPED_TEST(BlockFit, EdgeSumEqualsItsTwinAndIsFinite) {
  constexpr int D = TypeParam::value;
  test::for_each_isa([](Isa) {
    for (const BlockWorld world : test::kBlockWorlds) {
      SCOPED_TRACE(name(world));
      const std::size_t n = 2000;
      const auto boxes = test::seeded_world<D>(world, n);
      OwnedTree<D> owned(n);
      fill_tree_twin<D>(owned, boxes, order_with_holes(n, 7));
      for (std::uint32_t l = 0; l < owned.plan.levels; ++l) {
        const std::uint32_t last = owned.plan.blocks[l];
        const double got = order_detail::edge_sum<D>(owned.tree.level[l], last / 3, last);
        EXPECT_EQ(got, test::edge_sum_twin<D>(owned.tree.level[l], last / 3, last)) << "level " << l;
        EXPECT_TRUE(std::isfinite(got));
      }
    }
  });
}

// Any lane changed, then its path fitted: the tree that filling afresh gives.
TYPED_TEST(BlockFit, PathEqualsFittingAll) {
  constexpr int D = TypeParam::value;
  const std::size_t n = 5000;
  const auto boxes = test::seeded_world<D>(BlockWorld::kSizes, n);
  auto order = order_with_holes(n, 11);
  test::for_each_isa([&](Isa) {
    scenes::Draws draws(3);
    OwnedTree<D> got(order.size()), want(order.size());
    fill_tree_twin<D>(got, boxes, order);
    auto changed = order;
    for (int round = 0; round < 300; ++round) {
      const std::uint32_t lane = draws.below(static_cast<std::uint32_t>(changed.size()));
      changed[lane] = round % 3 == 0 ? kEmptyLane : draws.below(static_cast<std::uint32_t>(n));
      got.tree.level[0][lane / kBlockLanes].set(
          lane % kBlockLanes, changed[lane] == kEmptyLane ? test::empty_lane<D>() : boxes[changed[lane]]);
      order_detail::fit_path<D>(got.tree, lane);
      if (round % 10 == 9) {
        fill_tree_twin<D>(want, boxes, changed);
        ASSERT_TRUE(same_bits(got, want)) << round;
      }
    }
  });
}

}  // namespace
}  // namespace juxta
