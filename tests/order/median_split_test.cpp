// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Splitting at medians against a plain k-d tree: every run sorted as a whole, then cut.
#include <algorithm>
#include <numeric>

#include "order/block_order.h"
#include "order/block_test.h"
#include "support/executors.h"

namespace juxta {
namespace {

using test::BlockWorld;
using Order = std::vector<std::uint32_t>;

template <class Dimensions>
class MedianSplit : public test::InEveryDimension<Dimensions> {};
TYPED_TEST_SUITE(MedianSplit, test::Dimensions, test::DimensionNames);

template <int D>
float centre(const Aabb<D>& box, int axis) {
  return box.lo[axis] * 0.25F + box.hi[axis] * 0.25F;
}

// The definition: nodes of the largest power of 16 below the run's length, half of them on the left.
template <int D>
void split_twin(const std::vector<Aabb<D>>& boxes, std::span<std::uint32_t> run) {
  if (run.size() <= 16) {
    std::sort(run.begin(), run.end());
    return;
  }
  int longest = 0;
  float extent = -1;
  for (int axis = 0; axis < D; ++axis) {
    const auto [low, high] = std::minmax_element(run.begin(), run.end(), [&](auto a, auto b) {
      return centre<D>(boxes[a], axis) < centre<D>(boxes[b], axis);
    });
    if (const float e = centre<D>(boxes[*high], axis) - centre<D>(boxes[*low], axis); e > extent) {
      longest = axis;
      extent = e;
    }
  }
  std::sort(run.begin(), run.end());
  std::stable_sort(run.begin(), run.end(), [&](auto a, auto b) {
    return centre<D>(boxes[a], longest) < centre<D>(boxes[b], longest);
  });
  std::size_t node = 1;
  while (node * 16 < run.size()) {
    node *= 16;
  }
  const std::size_t nodes = run.size() / node + (run.size() % node != 0 ? 1 : 0);
  split_twin(boxes, run.first(nodes / 2 * node));
  split_twin(boxes, run.subspan(nodes / 2 * node));
}

TYPED_TEST(MedianSplit, EqualsAPlainTreeOnEveryExecutor) {
  constexpr int D = TypeParam::value;
  for (const std::size_t n : std::initializer_list<std::size_t>{0, 1, 15, 16, 17, 31, 33, 255, 256, 257, 4096,
                                                                4097, 5000, 40'000}) {
    for (const BlockWorld world : test::kBlockWorlds) {
      SCOPED_TRACE(std::string(name(world)) + ' ' + std::to_string(n));
      const auto boxes = test::seeded_world<D>(world, n);
      Order given(n), want(n);
      std::iota(given.begin(), given.end(), 0U);
      scenes::Draws draws(n);
      draws.shuffle(given);  // what a run holds is all that counts, not how it stood
      want = given;
      split_twin<D>(boxes, want);
      const auto run = [&](const Executor& executor) {
        Order got = given;
        Workspace workspace;
        order_detail::split_at_medians<D>(boxes, got, workspace, executor);
        ASSERT_EQ(got, want);
      };
      run(serial_executor());
      run(test::ShuffledExecutor(test::ShuffledExecutor::Order::kReversed));
      run(test::ThreadsExecutor(4));
    }
  }
}

// A part of the boxes, as where large ones stand at the end of the order.
TYPED_TEST(MedianSplit, SplitsWhatTheOrderNames) {
  constexpr int D = TypeParam::value;
  const auto boxes = test::seeded_world<D>(BlockWorld::kUniform, 10'000);
  Order got;
  for (std::uint32_t i = 1; i < boxes.size(); i += 2) {
    got.push_back(i);
  }
  Order want = got;
  split_twin<D>(boxes, want);
  Workspace workspace;
  order_detail::split_at_medians<D>(boxes, got, workspace, serial_executor());
  EXPECT_EQ(got, want);
}

// Splits fall between nodes: no two nodes of 256 among 4,096 boxes of no size share more than a face.
TYPED_TEST(MedianSplit, NodesOfPointsDoNotOverlap) {
  constexpr int D = TypeParam::value;
  auto boxes = test::seeded_world<D>(BlockWorld::kUniform, 65'536);
  for (auto& box : boxes) {
    box.hi = box.lo;
  }
  Order order(boxes.size());
  std::iota(order.begin(), order.end(), 0U);
  Workspace workspace;
  order_detail::split_at_medians<D>(boxes, order, workspace, serial_executor());
  for (const std::size_t node : {std::size_t{256}, std::size_t{4096}}) {
    std::vector<Aabb<D>> bounds;
    for (std::size_t i = 0; i < order.size(); i += node) {
      bounds.push_back(test::empty_lane<D>());
      for (std::size_t k = i; k < i + node; ++k) {
        bounds.back() = test::joined(bounds.back(), boxes[order[k]]);
      }
    }
    for (std::size_t a = 0; a < bounds.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        bool apart = false;
        for (int axis = 0; axis < D; ++axis) {
          apart =
              apart || bounds[a].hi[axis] <= bounds[b].lo[axis] || bounds[b].hi[axis] <= bounds[a].lo[axis];
        }
        ASSERT_TRUE(apart) << a << ' ' << b << " of " << node;
      }
    }
  }
}

}  // namespace
}  // namespace juxta
