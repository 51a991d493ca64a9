// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// find_pairs() and visit_pairs() against brute force: every kind of world, sizes around the block, filters,
// chosen bodies, one layer and two.
#include "juxta/core/workspace.h"
#include "juxta/layer/find_pairs.h"

#include <gtest/gtest.h>

#include "layer/compare_pairs.h"
#include "layer/model.h"
#include "layer/world_test.h"
#include "scenes/boxes.h"
#include "support/code_of.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

using test::compare_pairs;
using test::Model;
using test::PairSearch;
using test::World;

template <class T>
class LayerPairs : public test::InEveryDimension<T> {};
TYPED_TEST_SUITE(LayerPairs, test::Dimensions, test::DimensionNames);

template <int D>
struct Built {
  Model<D> model;
  BasicLayer<D> layer;

  Built(World kind, std::size_t count, std::uint64_t seed, bool filtered = false) {
    scenes::Draws draws(seed);
    auto boxes = test::make_world<D>(draws, kind, count);
    auto filters = filtered ? test::draw_filters(draws, count) : std::vector<Filter>();
    EXPECT_TRUE(layer.rebuild(boxes, {.filters = filters}));
    model.build(std::move(boxes), std::move(filters));
  }
};

TYPED_TEST(LayerPairs, OfOneLayerEqualBruteForce) {
  constexpr int D = TestFixture::kD;
  for (const World kind : test::kWorlds) {
    for (const std::size_t n : test::kSizes) {
      if (n > 1000 && (kind == World::kPoint || kind == World::kSigns)) {
        continue;  // millions of pairs: AllInOnePlace
      }
      const Built<D> built(kind, n, n);
      const auto expected = layer_detail::pairs_reference(built.model.view());
      ASSERT_EQ(compare_pairs(PairSearch<D>(built.layer, nullptr, {}), expected), "")
          << test::name(kind) << " " << n;
    }
  }
}

TYPED_TEST(LayerPairs, OfTwoLayersEqualBruteForce) {
  constexpr int D = TestFixture::kD;
  for (const World kind : test::kWorlds) {
    for (const std::size_t n : {0u, 1u, 16u, 17u, 300u, 2000u}) {
      for (const std::size_t m : {0u, 1u, 15u, 257u, 700u}) {
        const Built<D> a(kind, n, n + 1), b(kind, m, m + 2);
        const auto expected = layer_detail::pairs_reference(a.model.view(), b.model.view());
        ASSERT_EQ(compare_pairs(PairSearch<D>(a.layer, &b.layer, {}), expected), "")
            << test::name(kind) << " " << n << " " << m;
      }
    }
  }
}

TYPED_TEST(LayerPairs, OfUnlikeWorlds) {
  constexpr int D = TestFixture::kD;
  for (const World kind : test::kWorlds) {
    for (const World other : test::kWorlds) {
      const Built<D> a(kind, 600, 1), b(other, 90, 2, true);
      const auto expected = layer_detail::pairs_reference(a.model.view(), b.model.view());
      ASSERT_EQ(compare_pairs(PairSearch<D>(a.layer, &b.layer, {}), expected), "")
          << test::name(kind) << " " << test::name(other);
    }
  }
}

TYPED_TEST(LayerPairs, ALayerWithItself) {
  constexpr int D = TestFixture::kD;
  const Built<D> built(World::kSparse, 500, 1, true);
  const auto expected = layer_detail::pairs_reference(built.model.view(), built.model.view());
  EXPECT_EQ(compare_pairs(PairSearch<D>(built.layer, &built.layer, {}), expected), "");
}

TYPED_TEST(LayerPairs, FiltersDecideWhoMeets) {
  constexpr int D = TestFixture::kD;
  for (const World kind : {World::kSparse, World::kDense, World::kPoint}) {
    const Built<D> a(kind, 800, 1, true), b(kind, 300, 2, true), plain(kind, 300, 3);
    EXPECT_EQ(
        compare_pairs(PairSearch<D>(a.layer, nullptr, {}), layer_detail::pairs_reference(a.model.view())),
        "");
    for (const auto& [x, y] : {std::pair(&a, &b), std::pair(&a, &plain), std::pair(&plain, &b)}) {
      EXPECT_EQ(compare_pairs(PairSearch<D>(x->layer, &y->layer, {}),
                              layer_detail::pairs_reference(x->model.view(), y->model.view())),
                "");
    }
  }
}

TYPED_TEST(LayerPairs, OfChosenBodies) {
  constexpr int D = TestFixture::kD;
  scenes::Draws draws(4);
  for (const World kind : {World::kSparse, World::kDense, World::kSizes}) {
    for (const bool filtered : {false, true}) {
      const Built<D> a(kind, 1500, 1, filtered), b(kind, 700, 2, filtered);
      for (const std::uint32_t one_of : {1u, 3u, 25u, 100'000u}) {
        const auto only = test::draw_bytes(draws, 1500, one_of),
                   only_b = test::draw_bytes(draws, 700, one_of);
        FindPairsOptions options;
        options.only = only;
        ASSERT_EQ(compare_pairs(PairSearch<D>(a.layer, nullptr, options),
                                layer_detail::pairs_reference(a.model.view(), only)),
                  "");
        ASSERT_EQ(compare_pairs(PairSearch<D>(a.layer, &b.layer, options),
                                layer_detail::pairs_reference(a.model.view(), b.model.view(), only)),
                  "");
        options.only_b = only_b;
        ASSERT_EQ(compare_pairs(PairSearch<D>(a.layer, &b.layer, options),
                                layer_detail::pairs_reference(a.model.view(), b.model.view(), only, only_b)),
                  "");
        options.only = {};
        ASSERT_EQ(compare_pairs(PairSearch<D>(a.layer, &b.layer, options),
                                layer_detail::pairs_reference(a.model.view(), b.model.view(), {}, only_b)),
                  "");
      }
    }
  }
}

// Every search with these options.
template <int D>
std::vector<Result<QueryResult>> all_searches(const BasicLayer<D>& a, const BasicLayer<D>* b,
                                              const FindPairsOptions& options) {
  Workspace workspace;
  std::vector<Pair> out(5000);
  const auto visitor = [](std::span<const Pair>) { return true; };
  const auto exclusive = [](std::span<const Pair>) {};
  if (b == nullptr) {
    return {find_pairs(a, out, options, {.workspace = &workspace}),
            visit_pairs(a, visitor, options, {.workspace = &workspace}),
            visit_pairs_exclusive(a, exclusive, options, {.workspace = &workspace})};
  }
  return {find_pairs(a, *b, out, options, {.workspace = &workspace}),
          visit_pairs(a, *b, visitor, options, {.workspace = &workspace}),
          visit_pairs_exclusive(a, *b, exclusive, options, {.workspace = &workspace}),
          visit_pairs_by_first(a, *b, exclusive, options, {.workspace = &workspace})};
}

TYPED_TEST(LayerPairs, AChoiceOfAnotherLengthIsRefused) {
  constexpr int D = TestFixture::kD;
  const Built<D> a(World::kDense, 40, 1), b(World::kDense, 50, 2);
  const auto expect = [](const std::vector<Result<QueryResult>>& results, bool refused) {
    for (const Result<QueryResult>& result : results) {
      ASSERT_EQ(!result, refused);
      if (refused) {
        EXPECT_EQ(test::code_of(result), ErrorCode::kInvalidArgument);
        EXPECT_NE(result.error().message.find("one byte for each body"), std::string::npos);
      } else {
        EXPECT_NE(result->found, 0U);
      }
    }
  };
  for (const std::size_t n : {1u, 39u, 41u, 50u}) {
    const std::vector<std::uint8_t> wrong(n, 1), wrong_b(n == 50 ? 49 : n, 1);
    FindPairsOptions options;
    options.only = wrong;
    expect(all_searches<D>(a.layer, nullptr, options), true);
    expect(all_searches<D>(a.layer, &b.layer, options), true);
    options.only = {};
    options.only_b = wrong_b;
    expect(all_searches<D>(a.layer, &b.layer, options), true);
    expect(all_searches<D>(a.layer, nullptr, options), false);  // there is no second layer to choose from
  }
  expect(all_searches<D>(a.layer, &b.layer, {}), false);
}

TYPED_TEST(LayerPairs, AllInOnePlace) {
  constexpr int D = TestFixture::kD;
  const Built<D> built(World::kPoint, 4097, 1);
  Workspace workspace;
  std::vector<Pair> pairs(4097 * 2048);
  ASSERT_EQ(find_pairs(built.layer, pairs, {.sorted = true}, {.workspace = &workspace})->written,
            pairs.size());
  std::size_t at = 0, wrong = 0;
  for (std::uint32_t a = 0; a < 4097; ++a) {
    for (std::uint32_t b = a + 1; b < 4097; ++b) {
      wrong += pairs[at++] != Pair{a, b};
    }
  }
  EXPECT_EQ(wrong, 0u);
}

/// The pairs of many boxes, by a sweep along x.
template <int D>
std::vector<Pair> swept_pairs(const std::vector<Aabb<D>>& boxes) {
  std::vector<std::uint32_t> order(boxes.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return boxes[a].lo[0] < boxes[b].lo[0]; });
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Aabb<D>& box = boxes[order[i]];
    for (std::size_t j = i + 1; j < order.size() && boxes[order[j]].lo[0] <= box.hi[0]; ++j) {
      if (box.overlaps(boxes[order[j]])) {
        pairs.push_back({std::min(order[i], order[j]), std::max(order[i], order[j])});
      }
    }
  }
  return test::ascending(std::move(pairs));
}

TYPED_TEST(LayerPairs, OfSeventyThousand) {
  constexpr int D = TestFixture::kD;
  const Built<D> small(World::kSizes, 2000, 3);
  ASSERT_EQ(swept_pairs(small.model.boxes), layer_detail::pairs_reference(small.model.view()));
  const Built<D> built(World::kSparse, 70'000, 3);
  EXPECT_EQ(compare_pairs(PairSearch<D>(built.layer, nullptr, {}), swept_pairs(built.model.boxes)), "");
}

TEST(LayerPairsOfScenes, EqualASweep) {
  for (const auto set : scenes::kBoxSets) {
    scenes::BoxWorld world = scenes::make_boxes(set, set == scenes::BoxSet::kIdentical ? 1000 : 12'000, 5);
    auto layer = Layer::build(world.boxes).value();
    for (int frame = 0; frame < 4; ++frame) {
      ASSERT_EQ(compare_pairs(PairSearch<3>(layer, nullptr, {}), swept_pairs(world.boxes)), "")
          << scenes::name(set) << " frame " << frame;
      scenes::advance(world);
      ASSERT_TRUE(layer.refit(world.boxes));
    }
  }
}

TYPED_TEST(LayerPairs, OneOrderForEveryExecutorAndInstructionSet) {
  constexpr int D = TestFixture::kD;
  for (const World kind : {World::kSparse, World::kDense, World::kSizes, World::kHuge}) {
    const std::size_t n = kind == World::kSparse ? 20'000 : 1500;
    const Built<D> a(kind, n, 1), b(kind, n / 3, 2, true);
    std::vector<Pair> self, both;
    test::for_each_isa([&](Isa) {
      test::for_each_executor([&](const Executor* executor) {
        const PairSearch<D> one(a.layer, nullptr, {}, executor), two(a.layer, &b.layer, {}, executor);
        const auto of_one = one.all();
        const auto of_two = two.all();
        if (self.empty()) {
          self = of_one;
          both = of_two;
          ASSERT_EQ(test::ascending(self), swept_pairs(a.model.boxes));
          ASSERT_EQ(test::ascending(both), layer_detail::pairs_reference(a.model.view(), b.model.view()));
        }
        ASSERT_EQ(of_one, self) << test::name(kind);
        ASSERT_EQ(of_two, both) << test::name(kind);
        const std::size_t cut = self.size() / 3;  // the first pairs stay the first, whoever finds them
        ASSERT_TRUE(test::stores_first(one, self, cut, false));
        ASSERT_TRUE(test::visits_first(one, self, 3, false));
        ASSERT_TRUE(test::visits_first(two, both, ~std::size_t{0}, false));
        const auto sorted = test::ascending(self);
        for (const std::size_t room : {std::size_t{0}, cut, self.size(), self.size() + 9}) {
          ASSERT_TRUE(test::stores_first(one, sorted, room, true));
        }
        ASSERT_TRUE(test::visits_first(one, sorted, 2, true));
      });
    });
  }
}

TYPED_TEST(LayerPairs, CountersBoundTheWork) {
  constexpr int D = TestFixture::kD;
  const Built<D> built(World::kSparse, 50'000, 3);
  Workspace workspace;
  const QueryResult result = find_pairs(built.layer, {}, {}, {.workspace = &workspace}).value();
  EXPECT_GE(result.tested, result.found);
  EXPECT_LT(result.tested, 50'000u * 400u);  // brute force: 50,000 * 25,000
  EXPECT_GT(result.visited, 0u);
  EXPECT_LT(result.visited, 50'000u * 4u);
}

}  // namespace
}  // namespace juxta
