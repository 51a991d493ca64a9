// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The order of boxes: a stable permutation, the same for every executor and instruction set, of small blocks
// in worlds of any shape; what is refused.
#include "juxta/order/block_order.h"

#include <cmath>

#include "order/block_order.h"
#include "order/block_test.h"
#include "support/code_of.h"
#include "support/counting_resource.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

using test::BlockWorld;
using Order = std::vector<std::uint32_t>;
constexpr std::array kQualities{OrderQuality::kFast, OrderQuality::kTight};
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

template <class Dimensions>
class BlockOrder : public test::InEveryDimension<Dimensions> {};
TYPED_TEST_SUITE(BlockOrder, test::Dimensions, test::DimensionNames);

template <int D>
struct Case {
  std::string what;
  OrderQuality quality;
  std::vector<Aabb<D>> boxes;
  Order order;  // on the calling thread
};

// Every world in every size, both qualities; the large size is past every grain and every crowd.
template <int D>
std::vector<Case<D>> all_cases() {
  std::vector<Case<D>> cases;
  for (const BlockWorld world : test::kBlockWorlds) {
    std::vector<std::size_t> sizes(test::kBlockSizes.begin(), test::kBlockSizes.end());
    sizes.push_back(65'537);
    for (const std::size_t n : sizes) {
      for (const OrderQuality quality : kQualities) {
        const auto boxes = test::seeded_world<D>(world, n);
        const std::string what = std::string(name(world)) + ' ' + std::to_string(n) +
                                 (quality == OrderQuality::kTight ? " tight" : " fast");
        cases.push_back({what, quality, boxes, test::order_of<D>(boxes, nullptr, quality)});
      }
    }
  }
  return cases;
}

TYPED_TEST(BlockOrder, AStablePermutationForEveryExecutorAndInstructionSet) {
  constexpr int D = TypeParam::value;
  const auto cases = all_cases<D>();
  for (const auto& [what, quality, boxes, order] : cases) {
    ASSERT_TRUE(test::is_permutation(order)) << what;
    ASSERT_TRUE(test::keeps_input_order<D>(boxes, order)) << what;
  }
  test::for_each_executor([&](const Executor* executor) {
    for (const auto& [what, quality, boxes, order] : cases) {
      ASSERT_EQ(test::order_of<D>(boxes, executor, quality), order) << what;
    }
  });
  test::for_each_isa([&](Isa) {
    for (const auto& [what, quality, boxes, order] : cases) {
      ASSERT_EQ(test::order_of<D>(boxes, nullptr, quality), order) << what;
    }
  });
}

TYPED_TEST(BlockOrder, EqualBoxesKeepTheirOrder) {
  constexpr int D = TypeParam::value;
  Order identity(5000);
  for (std::size_t i = 0; i < identity.size(); ++i) {
    identity[i] = static_cast<std::uint32_t>(i);
  }
  for (const OrderQuality quality : kQualities) {
    EXPECT_EQ(test::order_of<D>(std::vector<Aabb<D>>(5000), nullptr, quality), identity);
    const auto boxes = test::seeded_world<D>(BlockWorld::kDenormals, 5000);  // no extent: one point
    EXPECT_EQ(test::order_of<D>(boxes, nullptr, quality), identity);
  }
}

TYPED_TEST(BlockOrder, AllocatesNothingOnceTheWorkspaceHasGrown) {
  constexpr int D = TypeParam::value;
  for (const BlockWorld world : test::kBlockWorlds) {
    for (const OrderQuality quality : kQualities) {
      SCOPED_TRACE(name(world));
      test::CountingResource resource;
      Workspace workspace(&resource);
      const auto boxes = test::seeded_world<D>(world, 20'000);
      Order first(boxes.size()), again(boxes.size());
      ASSERT_TRUE(block_order<D>(boxes, first, quality, {.workspace = &workspace}));
      workspace.reset();
      const std::size_t grown = resource.calls();
      ASSERT_TRUE(block_order<D>(boxes, again, quality, {.workspace = &workspace}));
      EXPECT_EQ(resource.calls(), grown);
      EXPECT_EQ(again, first);
    }
  }
}

// Crowds: each cluster is one cell of the curve, and is ordered inside as if it were alone.
TYPED_TEST(BlockOrder, TwoFarClustersKeepSmallBlocks) {
  constexpr int D = TypeParam::value;
  for (const std::size_t half : {std::size_t{256}, std::size_t{4096}, std::size_t{20'000}}) {
    auto boxes = test::seeded_world<D>(BlockWorld::kClusters, 2 * half);
    std::vector<Aabb<D>> alone;
    for (std::size_t i = 0; i < boxes.size(); i += 2) {  // the cluster at the origin
      alone.push_back(boxes[i]);
    }
    for (const OrderQuality quality : kQualities) {
      const double together = test::mean_edge<D>(boxes, test::order_of<D>(boxes, nullptr, quality));
      const double best = test::mean_edge<D>(alone, test::order_of<D>(alone, nullptr, quality));
      EXPECT_LT(together, 1.2 * best) << half;
      Order shuffled(alone.size());
      scenes::Draws draws(1);
      for (std::size_t i = 0; i < shuffled.size(); ++i) {
        shuffled[i] = static_cast<std::uint32_t>(i);
      }
      draws.shuffle(shuffled);
      EXPECT_LT(1.5 * best, test::mean_edge<D>(alone, shuffled)) << "the test sees no order";
    }
  }
}

// Whatever the shape and the scale, blocks are about as large as 16 boxes in their world need.
TYPED_TEST(BlockOrder, BlocksAreSmallInWorldsOfAnyShape) {
  constexpr int D = TypeParam::value;
  const std::size_t n = 16'384;
  for (const OrderQuality quality : kQualities) {
    const auto blocks_of = [&](BlockWorld world) {
      const auto boxes = test::seeded_world<D>(world, n);
      return test::mean_edge<D>(boxes, test::order_of<D>(boxes, nullptr, quality));
    };
    // A cube of 16 boxes of volume one has edges of 2.5 in space, 4 in a plane; boxes stick out by .5.
    EXPECT_LT(blocks_of(BlockWorld::kUniform), D == 3 ? 4.6 : 6.5);
    EXPECT_LT(blocks_of(BlockWorld::kTiny), 4e-30);
    EXPECT_LT(blocks_of(BlockWorld::kDenormals), 1e-40);
    // Along a line: an edge of 1 across; along it, 1 and what 16 boxes take, some more where a cell of the
    // curve holds as many.
    const double side = static_cast<double>(test::side_of<D>(n)), sixteen = 16 * side * side / double{n};
    const double along = 1 + (quality == OrderQuality::kTight ? 1.1 : 4) * sixteen;
    EXPECT_LT(blocks_of(BlockWorld::kLine), (D - 1 + along) / D);
  }
}

/// Cubes around even centres in a cube, or on a line along the first axis.
template <int D>
std::vector<Aabb<D>> cubes(std::size_t count, float edge, float side, std::uint64_t seed,
                           bool on_line = false) {
  scenes::Draws draws(seed);
  std::vector<Aabb<D>> boxes(count);
  for (Aabb<D>& box : boxes) {
    for (int axis = 0; axis < D; ++axis) {
      const float centre = on_line && axis > 0 ? 0 : draws.uniform(0, side);
      box.lo[axis] = centre - edge / 2;
      box.hi[axis] = centre + edge / 2;
    }
  }
  return boxes;
}

TYPED_TEST(BlockOrder, LargeBoxesStandApartAtTheEnd) {
  constexpr int D = TypeParam::value;
  const std::size_t small = 32'768;
  const float side = test::side_of<D>(small);
  const auto alone = cubes<D>(small, 0.5F, side, 1);
  auto boxes = alone;
  // The first class ends at edges of 2 here, the next ones at 8 and at 32.
  for (const auto& [count, edge] : {std::pair{100U, 4.0F}, std::pair{30U, 16.0F}, std::pair{10U, 64.0F}}) {
    const auto large = cubes<D>(count, edge, side, count);
    boxes.insert(boxes.end(), large.begin(), large.end());
  }
  for (const OrderQuality quality : kQualities) {
    const auto order = test::order_of<D>(boxes, nullptr, quality);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const float edge = boxes[order[i]].hi[0] - boxes[order[i]].lo[0];
      const float wanted = i < small ? 0.5F : i < small + 100 ? 4.0F : i < small + 130 ? 16.0F : 64.0F;
      ASSERT_NEAR(edge, wanted, 0.01F * wanted) << "place " << i;
    }
    const double spared = test::mean_edge<D>(boxes, std::span(order).first(small));
    EXPECT_LT(spared, 1.05 * test::mean_edge<D>(alone, test::order_of<D>(alone, nullptr, quality)));
  }
}

// Points, because the edges of boxes add the same to both.
TYPED_TEST(BlockOrder, TightBlocksAndNodesAreTighter) {
  constexpr int D = TypeParam::value;
  for (const std::size_t n : {std::size_t{65'536}, std::size_t{100'000}}) {
    const auto points = cubes<D>(n, 0, 100, n);
    const auto fast = test::order_of<D>(points);
    const auto tight = test::order_of<D>(points, nullptr, OrderQuality::kTight);
    EXPECT_LT(test::mean_edge<D>(points, tight), 0.9 * test::mean_edge<D>(points, fast)) << n;
    EXPECT_LT(test::mean_edge<D>(points, tight, 256), 0.9 * test::mean_edge<D>(points, fast, 256)) << n;
  }
}

// Boxes longer than the blocks of their world are of a higher size class, all of them or some: they are split
// at medians too.
TYPED_TEST(BlockOrder, TightIsTighterWhereBoxesAreLong) {
  constexpr int D = TypeParam::value;
  const std::size_t n = 60'000;
  const float side = static_cast<float>(n);
  for (const bool on_line : {false, true}) {
    for (const float spacings : {2.0F, 5.0F, 20.0F}) {
      const float spacing = on_line ? 1 : side / test::side_of<D>(n);
      const auto boxes = cubes<D>(n, spacings * spacing, side, 1, on_line);
      const auto fast = test::order_of<D>(boxes);
      const auto tight = test::order_of<D>(boxes, nullptr, OrderQuality::kTight);
      EXPECT_LT(test::mean_edge<D>(boxes, tight), 0.99 * test::mean_edge<D>(boxes, fast))
          << spacings << (on_line ? " on a line" : "");
    }
  }
}

TYPED_TEST(BlockOrder, RefusesLengthsThatDiffer) {
  constexpr int D = TypeParam::value;
  const std::vector<Aabb<D>> boxes(3);
  Workspace workspace;
  for (const std::size_t length : {std::size_t{0}, std::size_t{2}, std::size_t{4}}) {
    Order order(length, 7U);
    const auto done = block_order<D>(boxes, order, OrderQuality::kFast, {.workspace = &workspace});
    ASSERT_FALSE(done);
    EXPECT_EQ(test::code_of(done), ErrorCode::kInvalidArgument);
    EXPECT_EQ(order, Order(length, 7U));
  }
}

TYPED_TEST(BlockOrder, MoreThanAnIndexHoldsIsRefusedBeforeItIsRead) {
  constexpr int D = TypeParam::value;
  const Aabb<D> one{};
  std::uint32_t place = 7;
  const std::size_t too_many = (std::size_t{1} << 32) - 1;
  Workspace workspace;
  const auto checked = check_boxes<D>(std::span(&one, too_many));
  ASSERT_FALSE(checked);
  EXPECT_EQ(test::code_of(checked), ErrorCode::kTooLarge);
  const auto ordered = block_order<D>(std::span(&one, too_many), std::span(&place, too_many),
                                      OrderQuality::kFast, {.workspace = &workspace});
  ASSERT_FALSE(ordered);
  EXPECT_EQ(test::code_of(ordered), ErrorCode::kTooLarge);
  EXPECT_EQ(place, 7U);
}

// Two that are no boxes, far apart: always the first is named, whichever range is looked at first.
TYPED_TEST(BlockOrder, TheFirstThatIsNoBoxIsNamedOnEveryExecutor) {
  constexpr int D = TypeParam::value;
  struct Bad {
    float lo, hi;
    ErrorCode code;
  };
  const auto sound = test::seeded_world<D>(BlockWorld::kUniform, 100'000);
  test::for_each_executor([&](const Executor* executor) {
    EXPECT_TRUE(check_boxes<D>(sound, {.executor = executor}));
    std::size_t at = 0;
    for (const Bad bad : {Bad{kNan, 1, ErrorCode::kNotFinite}, Bad{1, kNan, ErrorCode::kNotFinite},
                          Bad{-kInf, 1, ErrorCode::kNotFinite}, Bad{1, kInf, ErrorCode::kNotFinite},
                          Bad{kInf, -kInf, ErrorCode::kNotFinite}, Bad{2, 1, ErrorCode::kInvalidArgument}}) {
      auto boxes = sound;
      const std::size_t first = at++ * 9'001;
      boxes[first].lo[at % D] = bad.lo;
      boxes[first].hi[at % D] = bad.hi;
      boxes[99'999].lo[0] = bad.code == ErrorCode::kNotFinite ? 1e30F : kNan;  // the other mistake
      Order order(boxes.size(), 7U);
      Workspace workspace;
      for (const auto& done : {check_boxes<D>(boxes, {.executor = executor}),
                               block_order<D>(boxes, order, OrderQuality::kFast,
                                              {.executor = executor, .workspace = &workspace})}) {
        ASSERT_FALSE(done);
        EXPECT_EQ(test::code_of(done), bad.code);
        EXPECT_EQ(done.error().index, first);
        EXPECT_NE(done.error().message.find("box " + std::to_string(first)), std::string::npos);
      }
      EXPECT_EQ(order, Order(boxes.size(), 7U));
    }
  });
}

// Another thread writes to boxes that were sound when they were checked (a user of Python may do so): the
// order is worth nothing, but it is one, and it comes to an end.
TYPED_TEST(BlockOrder, BoxesThatChangeMeanwhileDoNoHarm) {
  constexpr int D = TypeParam::value;
  const auto sound = test::seeded_world<D>(BlockWorld::kUniform, 3000);
  for (const float bad : {kNan, kInf, -kInf, 1e38F}) {
    for (const OrderQuality quality : kQualities) {
      auto boxes = sound;
      for (std::size_t i = 0; i < boxes.size(); i += 2) {
        (i % 4 == 0 ? boxes[i].lo : boxes[i].hi)[i / 4 % D] = bad;
      }
      for (const auto& range : {order_detail::range_of_all<D>(boxes, serial_executor()),
                                order_detail::range_of_all<D>(sound, serial_executor())}) {
        Order order(boxes.size());
        Workspace workspace;
        order_detail::order_boxes<D>(boxes, range, order, workspace, serial_executor(), quality);
        EXPECT_TRUE(test::is_permutation(order));
      }
    }
  }
}

TYPED_TEST(BlockOrder, TheLargestBoxesAreSound) {
  constexpr int D = TypeParam::value;
  constexpr float kMax = std::numeric_limits<float>::max();
  std::vector<Aabb<D>> boxes(100);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (int axis = 0; axis < D; ++axis) {
      boxes[i].lo[axis] = i % 3 == 0 ? kMax : -kMax;
      boxes[i].hi[axis] = i % 3 == 1 ? -kMax : kMax;
    }
  }
  for (const OrderQuality quality : kQualities) {
    const auto order = test::order_of<D>(boxes, nullptr, quality);
    EXPECT_TRUE(test::is_permutation(order));
    EXPECT_TRUE(test::keeps_input_order<D>(boxes, order));
  }
}

}  // namespace
}  // namespace juxta
