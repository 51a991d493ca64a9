// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Literal hashes of orders and trees: the same for every compiler, optimisation, instruction set and
// executor.
#include <gtest/gtest.h>

#include <vector>

#include "juxta/order/block_order.h"
#include "order/block_tree.h"
#include "order/block_twins.h"
#include "scenes/boxes.h"
#include "support/each_isa.h"
#include "support/executors.h"
#include "support/fnv.h"

namespace juxta {
namespace {

struct Golden {
  scenes::BoxSet set;
  OrderQuality quality;
  std::uint64_t space, plane;  // hashes in 3D, and of the boxes seen along z
};
constexpr auto kFast = OrderQuality::kFast, kTight = OrderQuality::kTight;
constexpr Golden kGolden[] = {
    {scenes::BoxSet::kUniform, kFast, 0xe754f25f8dc0fbeeU, 0x0486551db074db1dU},
    {scenes::BoxSet::kUniform, kTight, 0x236edd56752cf681U, 0x4e51b182c3da369cU},
    {scenes::BoxSet::kClustered, kFast, 0x50b3872c63a2cfcaU, 0x4115b34fedf86e10U},
    {scenes::BoxSet::kClustered, kTight, 0xdbea74c3b13efc46U, 0x1cba5d96a1e71773U},
    {scenes::BoxSet::kMixed, kFast, 0x3f35d2d6776ebaa5U, 0x4a0ee6ed328457d1U},
    {scenes::BoxSet::kMixed, kTight, 0xda978627da9b6c8dU, 0x7d007218f8a15653U},
    {scenes::BoxSet::kFlatX, kFast, 0x254fabbca3e7879aU, 0xdd8f74f16c68a9acU},
    {scenes::BoxSet::kFlatX, kTight, 0xabfb780649aed249U, 0x347ec74cec6e2181U},
};

std::vector<Aabb2> seen_along_z(const std::vector<Aabb3>& boxes) {
  std::vector<Aabb2> flat;
  for (const Aabb3& box : boxes) {
    flat.push_back({{box.lo[0], box.lo[1]}, {box.hi[0], box.hi[1]}});
  }
  return flat;
}

// The order, and all bounds of the tree in that order.
template <int D>
std::uint64_t hash_of(const std::vector<Aabb<D>>& boxes, OrderQuality quality, const Executor* executor) {
  std::vector<std::uint32_t> order(boxes.size());
  Workspace workspace;
  EXPECT_TRUE(block_order<D>(boxes, order, quality, {.executor = executor, .workspace = &workspace}));
  test::OwnedTree<D> owned(boxes.size());
  fill_tree<D>(owned.tree, boxes, order, executor);
  const double edges = sum_of_block_edges<D>(owned.tree, static_cast<std::uint32_t>(boxes.size()), executor);
  const std::uint64_t hash = test::fnv(std::span<const std::uint32_t>(order));
  return test::fnv(std::span(&edges, 1), test::fnv(std::span<const BoxBlock<D>>(owned.blocks), hash));
}

TEST(BlockGolden, OrdersAndTreesOfSeededWorlds) {
  for (const Golden& golden : kGolden) {
    SCOPED_TRACE(std::string(scenes::name(golden.set)) + (golden.quality == kTight ? " tight" : " fast"));
    const auto boxes = scenes::make_boxes(golden.set, 50'000, 2026).boxes;
    const auto flat = seen_along_z(boxes);
    test::for_each_isa([&](Isa) {
      EXPECT_EQ(hash_of<3>(boxes, golden.quality, nullptr), golden.space);
      EXPECT_EQ(hash_of<2>(flat, golden.quality, nullptr), golden.plane);
    });
    test::for_each_executor([&](const Executor* executor) {
      EXPECT_EQ(hash_of<3>(boxes, golden.quality, executor), golden.space);
      EXPECT_EQ(hash_of<2>(flat, golden.quality, executor), golden.plane);
    });
  }
}

}  // namespace
}  // namespace juxta
