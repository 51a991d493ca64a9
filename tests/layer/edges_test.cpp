// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Layers in states that are rare, and counters where a query takes its other way.
#include <gtest/gtest.h>

#include <algorithm>

#include "juxta/layer/query.h"
#include "layer/world_test.h"
#include "support/each_isa.h"

namespace juxta {
namespace {

using test::World;

template <class T>
class LayerEdges : public test::InEveryDimension<T> {};
TYPED_TEST_SUITE(LayerEdges, test::Dimensions, test::DimensionNames);

template <int D>
Aabb<D> everywhere() {
  Aabb<D> box;
  std::fill_n(box.lo, D, -test::kInf);
  std::fill_n(box.hi, D, test::kInf);
  return box;
}

// Few leaves are listed before they are read, many are gone down to: every block is read in both ways.
TYPED_TEST(LayerEdges, AQueryForEverythingCountsEveryBlock) {
  constexpr int D = TestFixture::kD;
  for (const std::uint32_t bodies : {100u, 20'000u}) {
    scenes::Draws draws(bodies);
    const auto layer = BasicLayer<D>::build(test::make_world<D>(draws, World::kSparse, bodies));
    ASSERT_TRUE(layer);
    const std::size_t blocks = plan_block_tree(bodies).total;
    test::for_each_isa([&](Isa) {
      const QueryResult in_box = find_all(*layer, everywhere<D>(), {});
      EXPECT_EQ(in_box.found, bodies);
      EXPECT_EQ(in_box.visited, blocks);
      const QueryResult in_frustum = find_in_frustum(*layer, std::span<const Plane<D>>(), {});
      EXPECT_EQ(in_frustum.found, bodies);
      EXPECT_EQ(in_frustum.visited, blocks);
    });
  }
}

}  // namespace
}  // namespace juxta
