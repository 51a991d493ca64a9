// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Single bodies: insert, move, remove, set_filter and their Ids, in long random histories beside a plain
// list.
#include <gtest/gtest.h>

#include "layer/history.h"
#include "layer/world_test.h"
#include "support/code_of.h"

namespace juxta {
namespace {

using test::World;

template <class T>
class LayerBodies : public test::InEveryDimension<T> {};
TYPED_TEST_SUITE(LayerBodies, test::Dimensions, test::DimensionNames);

TYPED_TEST(LayerBodies, IdsLiveOnceAndSayWhoIsDead) {
  constexpr int D = TestFixture::kD;
  BasicLayer<D> layer;
  const Id first = layer.insert({}).value(), second = layer.insert({}).value();
  EXPECT_EQ(first.slot, 0u);
  EXPECT_EQ(second.slot, 1u);
  ASSERT_TRUE(layer.remove(first));
  for (const auto& refused : {layer.remove(first), layer.move(first, {}), layer.set_filter(first, {})}) {
    ASSERT_FALSE(refused);
    EXPECT_EQ(test::code_of(refused), ErrorCode::kNotFound);
    EXPECT_NE(refused.error().message.find("slot 0, generation 1"), std::string::npos)
        << refused.error().message;
  }
  const Id again = layer.insert({}).value();  // the number is given out again, the Id is not
  EXPECT_EQ(again.slot, 0u);
  EXPECT_NE(again, first);
  EXPECT_FALSE(layer.alive(first));
  EXPECT_TRUE(layer.alive(again));
  EXPECT_EQ(layer.id_of(0), again);
  EXPECT_FALSE(layer.remove(first));
  EXPECT_FALSE(layer.remove(Id{}));
  EXPECT_FALSE(layer.remove(Id{2, 1}));
  EXPECT_FALSE(layer.alive(layer.id_of(2)));
  EXPECT_FALSE(layer.alive(layer.id_of(~0u)));
  EXPECT_EQ(test::code_of(layer.box_of(2)), ErrorCode::kNotFound);
  EXPECT_EQ(layer.size(), 2u);
  EXPECT_EQ(layer.capacity(), 2u);
}

TYPED_TEST(LayerBodies, BodiesOfABuildHaveIdsToo) {
  constexpr int D = TestFixture::kD;
  auto layer = BasicLayer<D>::build(std::vector<Aabb<D>>(20)).value();
  const Id seventh = layer.id_of(7);
  EXPECT_TRUE(layer.alive(seventh));
  const Id inserted = layer.insert({}).value();
  EXPECT_EQ(inserted.slot, 20u);
  EXPECT_EQ(layer.id_of(7), seventh);  // the same before and after the first change
  ASSERT_TRUE(layer.remove(seventh));
  EXPECT_FALSE(layer.remove(seventh));
  EXPECT_EQ(layer.insert({}).value().slot, 7u);
}

TYPED_TEST(LayerBodies, FilterChangesAreSeenAtOnce) {
  constexpr int D = TestFixture::kD;
  auto layer = BasicLayer<D>::build(std::vector<Aabb<D>>(40)).value();
  Workspace workspace;
  EXPECT_EQ(find_pairs(layer, {}, {}, {.workspace = &workspace})->found, 780u);
  ASSERT_TRUE(layer.set_filter(layer.id_of(3), {1, 0}));
  EXPECT_EQ(layer.filter_of(3).value(), (Filter{1, 0}));
  EXPECT_EQ(layer.filter_of(4).value(), Filter{});
  EXPECT_EQ(find_pairs(layer, {}, {}, {.workspace = &workspace})->found, 780u - 39u);
  EXPECT_EQ(count(layer, Aabb<D>{}), 39u);
  ASSERT_TRUE(layer.set_filter(layer.id_of(3), {}));
  EXPECT_EQ(find_pairs(layer, {}, {}, {.workspace = &workspace})->found, 780u);
}

template <int D>
using DrawnHistory = test::History<D, scenes::Draws>;

TYPED_TEST(LayerBodies, RandomHistoriesEqualAPlainList) {
  constexpr int D = TestFixture::kD;
  for (const World kind : test::kWorlds) {
    SCOPED_TRACE(test::name(kind));
    scenes::Draws draws(77);
    DrawnHistory<D> history(draws, kind);
    for (std::size_t step = 0; step < 2000; ++step) {
      ASSERT_EQ(history.change(500), "") << step;
      ASSERT_EQ(history.ask(), "") << step;
      if (step % 200 == 0) {
        ASSERT_EQ(history.refuse(), "") << step;
        ASSERT_EQ(history.ask_pairs(), "") << step;
        ASSERT_EQ(history.ask_batches(30), "") << step;
      }
    }
    ASSERT_EQ(history.ask_pairs(), "");
  }
}

TYPED_TEST(LayerBodies, ManyStraysOnALargeLayer) {
  constexpr int D = TestFixture::kD;
  scenes::Draws draws(5);
  DrawnHistory<D> history(draws, World::kSparse);
  ASSERT_EQ(history.rebuild(5000), "");
  for (std::size_t step = 0; step < 6000; ++step) {
    ASSERT_EQ(history.change(8000), "") << step;
    if (step % 100 == 0) {
      ASSERT_EQ(history.ask(), "") << step;
    }
  }
  ASSERT_EQ(history.ask_pairs(), "");
}

TYPED_TEST(LayerBodies, TheSameHistoryGivesTheSameOrder) {
  constexpr int D = TestFixture::kD;
  scenes::Draws draws_one(9), draws_two(9);
  DrawnHistory<D> one(draws_one, World::kSparse), two(draws_two, World::kSparse);
  for (std::size_t step = 0; step < 4000; ++step) {
    ASSERT_EQ(one.change(1500), "");
    ASSERT_EQ(two.change(1500), "");
  }
  EXPECT_EQ(test::order_of(one.layer), test::order_of(two.layer));
  EXPECT_EQ(one.layer.stats().sorts, two.layer.stats().sorts);
}

TYPED_TEST(LayerBodies, AnInsertionThatIsRefusedInsertsNothing) {
  constexpr int D = TestFixture::kD;
  BasicLayer<D> layer;
  std::vector<Aabb<D>> boxes(30);
  boxes[29].lo[D - 1] = 5;  // inverted
  std::vector<Id> ids(30);
  const auto refused = layer.insert(boxes, ids);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().index, 29u);
  EXPECT_EQ(layer.size(), 0u);
  EXPECT_EQ(layer.capacity(), 0u);
  EXPECT_EQ(layer.insert({}).value().slot, 0u);
}

}  // namespace
}  // namespace juxta
