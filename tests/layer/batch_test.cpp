// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Batches of queries equal the same queries one at a time, on every executor and instruction set.
#include <gtest/gtest.h>

#include "layer/compare_batches.h"
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
    LayerOptions options;
    options.filters = filters;
    EXPECT_TRUE(layer.rebuild(world, options));
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

  void ask(const BatchOptions& options) const {
    ASSERT_EQ(test::compare_box_batch(layer, std::span<const Aabb<D>>(boxes), options), "");
    ASSERT_EQ(test::compare_ray_batch(layer, std::span<const Ray<D>>(rays), options), "");
    for (const float distance : {test::kInf, 0.7F}) {
      ASSERT_EQ(test::compare_nearest_batch(layer, std::span<const Vec<D>>(points), distance, options), "");
    }
    ASSERT_EQ(test::compare_frustum_batch(layer, frustums, options), "");
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
        BatchOptions options;
        options.filter = test::draw_filter(draws);
        options.sorted = draws.below(2) == 0;
        all.ask(options);
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
      BatchOptions options;
      options.executor = executor;
      all.ask(options);
      Workspace workspace;
      const std::span<const Aabb<D>> boxes = all.boxes;
      std::vector<Pair> pairs(find_all(all.layer, boxes, workspace, std::span<Pair>(), options).found);
      find_all(all.layer, boxes, workspace, std::span(pairs), options);
      first = first.empty() ? pairs : first;
      EXPECT_EQ(pairs, first);  // the unsorted order too is one and the same
    });
  });
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
