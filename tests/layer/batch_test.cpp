// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Batches of queries equal the same queries one at a time, on every executor and instruction set.
#include <gtest/gtest.h>

#include "layer/batch.h"
#include "layer/compare_batches.h"
#include "layer/narrow.h"
#include "layer/world_test.h"
#include "scenes/boxes.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

using test::World;

template <class T>
class LayerBatches : public test::InEveryDimension<T> {};
TYPED_TEST_SUITE(LayerBatches, test::Dimensions, test::DimensionNames);

/// A layer, and questions of every kind around its bodies.
template <int D>
struct Questions {
  BasicLayer<D> layer;
  std::vector<Aabb<D>> boxes;
  std::vector<Ray<D>> rays;
  std::vector<Vec<D>> points;
  std::vector<std::vector<Plane<D>>> frustums;

  Questions(World kind, std::size_t bodies, std::size_t questions, std::uint64_t seed) {
    scenes::Draws draws(seed);
    const auto world = test::make_world<D>(draws, kind, bodies);
    const auto filters = seed % 2 == 0 ? std::vector<Filter>() : test::draw_filters(draws, bodies);
    EXPECT_TRUE(layer.rebuild(world, {.filters = filters}));
    const std::span<const Aabb<D>> around = world;
    for (std::size_t i = 0; i < questions; ++i) {
      boxes.push_back(test::draw_question_box<D>(draws, around));
      rays.push_back(test::draw_ray<D>(draws, around));
      points.push_back(test::draw_point<D>(draws, around));
      if (i % 16 == 0) {
        frustums.push_back(test::draw_planes<D>(draws, around));
      }
    }
  }

  void ask(test::Narrowing& narrow, bool sorted = false) const {
    BatchOptions options = narrow.batch(boxes.size());
    options.sorted = sorted;
    ASSERT_EQ(test::compare_box_batch(layer, std::span<const Aabb<D>>(boxes), options), "");
    ASSERT_EQ(test::compare_ray_batch(layer, std::span<const Ray<D>>(rays), options), "");
    for (const float distance : {test::kInf, 0.7F}) {
      ASSERT_EQ(test::compare_nearest_batch(layer, std::span<const Vec<D>>(points), distance, options), "");
    }
    BatchOptions of_frustums = narrow.batch(frustums.size());
    of_frustums.sorted = sorted;
    ASSERT_EQ(test::compare_frustum_batch(layer, frustums, of_frustums), "");
  }
};

TYPED_TEST(LayerBatches, EqualSingleCalls) {
  constexpr int D = TestFixture::kD;
  scenes::Draws draws(3);
  for (const World kind : test::kWorlds) {
    for (const std::size_t bodies : {0u, 1u, 17u, 300u, 4097u}) {
      for (const std::size_t questions : {0u, 1u, 16u, 300u}) {
        SCOPED_TRACE(std::string(test::name(kind)) + " " + std::to_string(bodies) + " asked " +
                     std::to_string(questions));
        if (bodies * questions > 400'000 && (kind == World::kPoint || kind == World::kSigns)) {
          continue;
        }
        const Questions<D> all(kind, bodies, questions, bodies + questions);
        test::Narrowing narrow(draws, test::draw_filter(draws), bodies);
        all.ask(narrow, draws.below(2) == 0);
        if (testing::Test::HasFatalFailure()) {
          return;
        }
      }
    }
  }
}

TYPED_TEST(LayerBatches, EqualSingleCallsOnEveryExecutorAndInstructionSet) {
  constexpr int D = TestFixture::kD;
  const Questions<D> all(World::kSparse, 6000, 700, 4);
  std::vector<Pair> first;
  test::for_each_isa([&](Isa) {
    test::for_each_executor([&](const Executor* executor) {
      scenes::Draws draws(5);
      for (int round = 0; round < 3; ++round) {
        test::Narrowing narrow(draws, {}, 6000);
        all.ask(narrow);
      }
      Workspace workspace;
      const std::span<const Aabb<D>> boxes = all.boxes;
      std::vector<Pair> pairs(
          find_all(all.layer, boxes, std::span<Pair>(), {}, {.executor = executor, .workspace = &workspace})
              ->found);
      (void)find_all(all.layer, boxes, std::span(pairs), {}, {.executor = executor, .workspace = &workspace});
      first = first.empty() ? pairs : first;
      EXPECT_EQ(pairs, first);  // the unsorted order too is one and the same
    });
  });
}

// Layers beyond a near cache are asked in the order of space, and many questions some thousands at a time.
TYPED_TEST(LayerBatches, EqualSingleCallsOfLargeLayers) {
  constexpr int D = TestFixture::kD;
  const Questions<D> all(World::kSparse, 150'000, 20'000, 6);
  ASSERT_TRUE(layer_detail::order_pays(layer_detail::view_of(all.layer)));
  ASSERT_GT(all.rays.size(), layer_detail::kSortAtOnce);
  scenes::Draws draws(7);
  test::Narrowing narrow(draws, {}, 150'000);
  const BatchOptions options = narrow.batch(all.rays.size());
  EXPECT_EQ(test::compare_ray_batch(all.layer, std::span<const Ray<D>>(all.rays), options), "");
  EXPECT_EQ(test::compare_nearest_batch(all.layer, std::span<const Vec<D>>(all.points), 0.7F, options), "");
  std::vector<RayHit> hits(all.rays.size()), want = hits;
  ASSERT_TRUE(raycast_closest(all.layer, std::span<const Ray<D>>(all.rays), std::span(want)));
  test::for_each_executor([&](const Executor* executor) {
    Workspace workspace;
    const Context context{.executor = executor, .workspace = &workspace};
    ASSERT_TRUE(raycast_closest(all.layer, std::span<const Ray<D>>(all.rays), std::span(hits), {}, context));
    EXPECT_EQ(hits, want);
  });
}

// Sound boxes are asked where they are; one that asks for nothing makes the batch copy them. The answers and
// their order are the same.
TYPED_TEST(LayerBatches, OneEmptyBoxChangesNothing) {
  constexpr int D = TestFixture::kD;
  for (const std::size_t count : {1U, 2U, 15U, 16U, 17U, 31U, 32U, 33U, 700U, 5000U}) {
    scenes::Draws draws(count);
    const auto world = test::make_world<D>(draws, World::kSparse, 3000);
    const auto filters = count % 2 == 0 ? std::vector<Filter>() : test::draw_filters(draws, world.size());
    BasicLayer<D> layer;
    ASSERT_TRUE(layer.rebuild(world, {.filters = filters}));
    auto boxes = test::make_world<D>(draws, World::kSparse, count);
    const auto ask = [&](const Executor* executor) {
      Workspace workspace;
      const Context context{.executor = executor, .workspace = &workspace};
      const std::span<const Aabb<D>> asked = boxes;
      std::vector<Pair> pairs(find_all(layer, asked, std::span<Pair>(), {}, context)->found);
      EXPECT_TRUE(find_all(layer, asked, std::span(pairs), {}, context));
      return pairs;
    };
    const std::vector<Pair> want = ask(nullptr);
    std::vector<Pair> sorted = want;
    std::ranges::sort(sorted);
    EXPECT_TRUE(count < 700 || !want.empty());
    std::vector<Pair> one_by_one;
    for (std::uint32_t i = 0; i < boxes.size(); ++i) {
      for (std::uint32_t body = 0; body < world.size(); ++body) {
        if (boxes[i].overlaps(world[body]) && (filters.empty() || filters[body].meets(Filter{}))) {
          one_by_one.push_back({i, body});
        }
      }
    }
    ASSERT_EQ(sorted, one_by_one) << count;
    boxes.push_back(boxes.back());
    boxes.back().lo[0] = boxes.back().hi[0] + 1;
    test::for_each_executor([&](const Executor* executor) { ASSERT_EQ(ask(executor), want) << count; });
  }
}

TYPED_TEST(LayerBatches, BodiesToIgnoreOfAnotherLengthAreRefused) {
  constexpr int D = TestFixture::kD;
  const Questions<D> all(World::kSparse, 100, 8, 4);
  const std::vector<std::uint32_t> seven(7, 0);
  const BatchOptions options{.ignore = seven};
  std::vector<std::uint32_t> numbers(8);
  std::vector<Pair> pairs(8);
  std::vector<RayHit> hits(8);
  std::vector<NearestHit> near(8);
  std::vector<std::size_t> offsets(9);
  const std::span<const Aabb<D>> boxes = all.boxes;
  const std::span<const Ray<D>> rays = all.rays;
  const std::span<const Vec<D>> points = all.points;
  const auto refused = [](const Result<QueryResult>& result) {
    return !result && result.error().message.find("bodies to ignore") != std::string::npos;
  };
  EXPECT_TRUE(refused(find_any(all.layer, boxes, std::span(numbers), options)));
  EXPECT_TRUE(refused(find_all(all.layer, boxes, std::span(pairs), options)));
  EXPECT_TRUE(refused(find_first(all.layer, boxes, 1, std::span(numbers), std::span(numbers), options)));
  EXPECT_TRUE(refused(count(all.layer, boxes, std::span(numbers), options)));
  EXPECT_TRUE(refused(raycast_closest(all.layer, rays, std::span(hits), options)));
  EXPECT_TRUE(refused(raycast_any(all.layer, rays, std::span(hits), options)));
  EXPECT_TRUE(refused(raycast_all(all.layer, rays, std::span(offsets), std::span(hits), options)));
  EXPECT_TRUE(refused(nearest(all.layer, points, 1, std::span(near), options)));
  const std::vector<std::span<const Plane<D>>> frustums(8);
  EXPECT_TRUE(refused(find_in_frustum(all.layer, std::span<const std::span<const Plane<D>>>(frustums),
                                      std::span(pairs), options)));
}

TEST(LayerBatchesOfScenes, EqualSingleCalls) {
  for (const auto set : {scenes::BoxSet::kUniform, scenes::BoxSet::kClustered, scenes::BoxSet::kMixed}) {
    const scenes::BoxWorld world = scenes::make_boxes(set, 30'000, 2);
    const auto layer = Layer::build(world.boxes).value();
    const auto boxes = scenes::make_query_boxes(world, 10'000, 3);
    const auto rays = scenes::make_query_rays(world, 3000, 4);
    EXPECT_EQ(test::compare_box_batch(layer, std::span<const Aabb3>(boxes), {}), "");
    EXPECT_EQ(test::compare_ray_batch(layer, std::span<const Ray3>(rays), {}), "");
  }
}

}  // namespace
}  // namespace juxta
