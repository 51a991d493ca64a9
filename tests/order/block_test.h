// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What the tests of block orders and trees share: both dimensions, seeded worlds, orders in one call.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <type_traits>
#include <vector>

#include "order/block_twins.h"
#include "scenes/draws.h"

namespace juxta::test {

template <class Dimensions>
class InEveryDimension : public testing::Test {
 protected:
  static constexpr int kD = Dimensions::value;
};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
struct DimensionNames {
  template <class T>
  static std::string GetName(int) {
    return std::to_string(T::value) + "D";
  }
};

/// Around a register, a block, a block of blocks.
inline constexpr std::array<std::size_t, 8> kBlockSizes = {0, 1, 15, 16, 17, 255, 256, 257};

template <int D>
std::vector<Aabb<D>> seeded_world(BlockWorld world, std::size_t n) {
  scenes::Draws draws(1000 * n + static_cast<std::size_t>(world));
  return make_block_world<D>(draws, world, n);
}

template <int D>
std::vector<std::uint32_t> order_of(const std::vector<Aabb<D>>& boxes, const Executor* executor = nullptr,
                                    OrderQuality quality = OrderQuality::kFast) {
  std::vector<std::uint32_t> order(boxes.size(), 0xABCDU);
  Workspace workspace;
  const auto done = block_order<D>(boxes, order, quality, {.executor = executor, .workspace = &workspace});
  EXPECT_TRUE(done) << done.error().message;
  return order;
}

/// The mean edge of the bounds of the blocks at places [16 first, 16 last), and of nodes of `node` places.
template <int D>
double mean_edge(const std::vector<Aabb<D>>& boxes, std::span<const std::uint32_t> order,
                 std::size_t node = kBlockLanes) {
  double sum = 0;
  std::size_t nodes = 0;
  for (std::size_t i = 0; i < order.size(); i += node, ++nodes) {
    Aabb<D> bounds = empty_lane<D>();
    for (std::size_t k = i; k < std::min(i + node, order.size()); ++k) {
      bounds = joined(bounds, boxes[order[k]]);
    }
    for (int axis = 0; axis < D; ++axis) {
      sum += static_cast<double>(bounds.hi[axis]) - static_cast<double>(bounds.lo[axis]);
    }
  }
  return sum / static_cast<double>(nodes * D);
}

}  // namespace juxta::test
