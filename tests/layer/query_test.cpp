// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Boxes, rays, points and frustums against brute force, one at a time, on every instruction set.
#include "juxta/layer/query.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "layer/compare_queries.h"
#include "layer/model.h"
#include "layer/narrow.h"
#include "layer/world_test.h"
#include "scenes/boxes.h"
#include "support/each_isa.h"

namespace juxta {
namespace {

using test::kInf;
using test::kNan;
using test::Model;
using test::World;

template <class T>
class LayerQueries : public test::InEveryDimension<T> {};
TYPED_TEST_SUITE(LayerQueries, test::Dimensions, test::DimensionNames);

template <int D>
void ask_everything(const BasicLayer<D>& layer, const Model<D>& model, scenes::Draws& draws, int rounds) {
  const std::span<const Aabb<D>> boxes = model.boxes;
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    const test::Narrowing narrow(draws, test::draw_filter(draws), boxes.size());
    const QueryOptions options = narrow.options();
    ASSERT_EQ(test::compare_box(layer, model.view(), test::draw_question_box<D>(draws, boxes), options), "");
    ASSERT_EQ(test::compare_ray(layer, model.view(), test::draw_ray<D>(draws, boxes), options), "");
    ASSERT_EQ(test::compare_nearest(layer, model.view(), test::draw_point<D>(draws, boxes),
                                    test::draw_distance(draws), options),
              "");
    const auto planes = test::draw_planes<D>(draws, boxes);
    ASSERT_EQ(test::compare_frustum(layer, model.view(), std::span<const Plane<D>>(planes), options), "");
  }
}

TYPED_TEST(LayerQueries, EqualBruteForce) {
  constexpr int D = TestFixture::kD;
  test::for_each_isa([](Isa) {
    for (const World kind : test::kWorlds) {
      for (const std::size_t n : test::kSizes) {
        SCOPED_TRACE(std::string(test::name(kind)) + " " + std::to_string(n));
        scenes::Draws draws(n + 1);
        Model<D> model;
        auto boxes = test::make_world<D>(draws, kind, n);
        auto filters = draws.below(2) == 0 ? std::vector<Filter>() : test::draw_filters(draws, n);
        const auto layer = BasicLayer<D>::build(boxes, {.filters = filters}).value();
        model.build(std::move(boxes), std::move(filters));
        ask_everything(layer, model, draws, n > 1000 ? 60 : 120);
        if (testing::Test::HasFatalFailure()) {
          return;
        }
      }
    }
  });
}

TYPED_TEST(LayerQueries, OfSeventyThousandEqualBruteForce) {
  constexpr int D = TestFixture::kD;
  scenes::Draws draws(70);
  Model<D> model;
  model.build(test::make_world<D>(draws, World::kSparse, 70'000), {});
  const auto layer = BasicLayer<D>::build(model.boxes).value();
  ask_everything(layer, model, draws, 60);
}

TEST(LayerQueriesOfScenes, EqualBruteForce) {
  for (const auto set : scenes::kBoxSets) {
    const scenes::BoxWorld world = scenes::make_boxes(set, 5000, 2);
    const auto layer = Layer::build(world.boxes).value();
    const layer_detail::ReferenceBodies<3> bodies{world.boxes};
    for (const Aabb3& box : scenes::make_query_boxes(world, 200, 3)) {
      ASSERT_EQ(test::compare_box(layer, bodies, box), "") << scenes::name(set);
    }
    for (const Ray3& ray : scenes::make_query_rays(world, 200, 4)) {
      ASSERT_EQ(test::compare_ray(layer, bodies, ray), "") << scenes::name(set);
    }
  }
}

/// Rays on a grid of unit boxes: along faces and edges, through corners, from inside and on the far side.
TEST(LayerRays, AlongFacesEdgesAndThroughCorners) {
  Model<3> model;
  std::vector<Aabb3> boxes;
  for (int i = 0; i < 6 * 6 * 6; ++i) {
    const auto x = static_cast<float>(i % 6), y = static_cast<float>(i / 6 % 6),
               z = static_cast<float>(i / 36);
    boxes.push_back({{x, y, z}, {x + 1, y + 1, z + 1}});
  }
  model.build(boxes, {});
  const auto layer = Layer::build(boxes).value();
  const auto ask = [&](const Ray3& ray) { return test::compare_ray(layer, model.view(), ray); };
  for (const float a : {-1.0F, 0.0F, 0.5F, 1.0F, 3.0F, 6.0F, 7.0F}) {
    for (const float b : {-0.0F, 2.0F, 2.5F, 6.0F}) {
      for (int axis = 0; axis < 3; ++axis) {
        for (const float sign : {1.0F, -1.0F, 1e-3F, -1e30F}) {
          for (const float max : {kInf, 4.0F, 0.0F}) {
            Ray3 ray{{b, b, b}, {0, -0.0F, 0}, max};
            ray.origin[axis] = a;
            ray.direction[axis] = sign;
            ASSERT_EQ(ask(ray), "") << a << " " << b << " " << axis << " " << sign << " " << max;
            ray.direction[(axis + 1) % 3] = sign;  // diagonals through edges
            ASSERT_EQ(ask(ray), "");
            ray.direction[(axis + 2) % 3] = -sign;  // and corners
            ASSERT_EQ(ask(ray), "");
          }
        }
      }
    }
  }
  EXPECT_EQ(raycast_closest(layer, {{0.5F, 0.5F, -5}, {0, 0, 2}}), (RayHit{0, 2.5F}));
  EXPECT_EQ(raycast_closest(layer, {{1, 1, -5}, {0, 0, 1}}), (RayHit{0, 5}));  // four boxes share that edge
  const Vec3 from{-1, 0.5F, 0.5F}, to{1, 0.5F, 0.5F};
  EXPECT_EQ(raycast_closest(layer, segment(from, to)), (RayHit{0, 0.5F}));
}

TEST(LayerRays, WithoutADirectionTouchWhereTheyStand) {
  const auto layer =
      Layer2::build(std::vector<Aabb2>{{{0, 0}, {2, 2}}, {{1, 1}, {3, 3}}, {{9, 9}, {9, 9}}}).value();
  std::vector<RayHit> hits(4);
  EXPECT_EQ(raycast_all(layer, {{1, 2}, {0, -0.0F}}, hits).found, 2u);
  EXPECT_EQ(hits[0], (RayHit{0, 0}));
  EXPECT_EQ(hits[1], (RayHit{1, 0}));
  EXPECT_EQ(raycast_closest(layer, {{9, 9}, {0, 0}, 0}), (RayHit{2, 0}));
  EXPECT_FALSE(raycast_any(layer, {{5, 5}, {0, 0}}));
  EXPECT_FALSE(raycast_any(layer, {{1, 1}, {0, 0}, -1}));
  EXPECT_FALSE(raycast_any(layer, {{kNan, 1}, {0, 0}}));
}

TYPED_TEST(LayerQueries, AnEmptyLayerAnswersNothing) {
  constexpr int D = TestFixture::kD;
  scenes::Draws draws(2);
  auto emptied = BasicLayer<D>::build(std::vector<Aabb<D>>(3)).value();
  for (std::uint32_t body = 0; body < 3; ++body) {
    ASSERT_TRUE(emptied.remove(emptied.id_of(body)));
  }
  Model<D> none, dead;
  dead.build(std::vector<Aabb<D>>(3), {});
  dead.alive.assign(3, 0);
  ask_everything(BasicLayer<D>(), none, draws, 50);
  ask_everything(BasicLayer<D>::build({}).value(), none, draws, 50);
  ask_everything(emptied, dead, draws, 50);
}

TYPED_TEST(LayerQueries, EverythingIsInsideAnInfiniteBox) {
  constexpr int D = TestFixture::kD;
  Aabb<D> all{};
  std::fill(std::begin(all.lo), std::end(all.lo), -kInf);
  std::fill(std::begin(all.hi), std::end(all.hi), kInf);
  for (const World kind : test::kWorlds) {
    for (const std::size_t n : test::kSizes) {
      scenes::Draws draws(n);
      auto layer = BasicLayer<D>::build(test::make_world<D>(draws, kind, n)).value();
      EXPECT_EQ(count(layer, all), n);
      std::vector<std::uint32_t> bodies(n + 1);
      EXPECT_EQ(find_all(layer, all, std::span(bodies)).found, n);
      bodies.resize(n);
      EXPECT_EQ(bodies, test::order_of(layer));
      if (n > 3) {  // lanes without a body stay out of it
        ASSERT_TRUE(layer.remove(layer.id_of(2)));
        EXPECT_EQ(count(layer, all), n - 1);
        EXPECT_EQ(find_in_frustum(layer, std::span<const Plane<D>>(), std::span(bodies)).found, n - 1);
      }
    }
  }
}

// Blocks that lie wholly within a box are copied. A question that asks each body for itself copies none, and
// must find the same bodies in the same order: of boxes of all sizes, with holes where bodies were removed,
// and of more leaves than are listed at once.
TYPED_TEST(LayerQueries, OfWholeBlocksEqualThoseOfSingleBodies) {
  constexpr int D = TestFixture::kD;
  constexpr std::size_t kBodies = 40'000;
  scenes::Draws draws(11);
  const auto boxes = test::make_world<D>(draws, World::kSparse, kBodies);
  auto layer = BasicLayer<D>::build(boxes).value();
  for (std::uint32_t i = 0; i < 300; ++i) {  // single holes, and a run of empty blocks
    ASSERT_TRUE(layer.remove(layer.id_of(i < 200 ? 131 * i + 1 : test::order_of(layer)[5000])));
  }
  Aabb<D> all = boxes[0];
  for (const Aabb<D>& box : boxes) {
    for (int axis = 0; axis < D; ++axis) {
      all.lo[axis] = std::min(all.lo[axis], box.lo[axis]);
      all.hi[axis] = std::max(all.hi[axis], box.hi[axis]);
    }
  }
  const auto every = [](std::uint32_t) { return true; };
  test::for_each_isa([&](Isa) {
    std::vector<std::uint32_t> whole(kBodies), single(kBodies);
    std::size_t saved = 0;
    for (int round = 0; round < 60; ++round) {
      const float share = static_cast<float>(round) / 40;  // of the world's side; beyond 1: all of it
      Aabb<D> box;
      for (int axis = 0; axis < D; ++axis) {
        const float side = all.hi[axis] - all.lo[axis];
        box.lo[axis] = all.lo[axis] + side * (1 - share) * static_cast<float>(draws.below(1000)) / 1000;
        box.hi[axis] = box.lo[axis] + side * share;
      }
      const QueryResult of_all = find_all(layer, box, std::span(whole));
      const QueryResult of_each = find_all(layer, box, std::span(single), {.accept = every});
      ASSERT_EQ(of_all.found, of_each.found);
      ASSERT_TRUE(std::equal(whole.begin(), whole.begin() + of_all.found, single.begin())) << round;
      ASSERT_EQ(count(layer, box), of_all.found);
      std::vector<std::uint32_t> few(of_all.found / 2);  // too short an output gets the first ones
      ASSERT_EQ(find_all(layer, box, std::span(few)).found, of_all.found);
      ASSERT_TRUE(std::equal(few.begin(), few.end(), single.begin())) << round;
      saved += of_each.tested - of_all.tested;
    }
    EXPECT_GT(saved, 0u);
  });
}

TYPED_TEST(LayerQueries, CountersBoundTheWork) {
  constexpr int D = TestFixture::kD;
  scenes::Draws draws(3);
  const auto boxes = test::make_world<D>(draws, World::kSparse, 50'000);
  const auto layer = BasicLayer<D>::build(boxes).value();
  std::size_t tested = 0, visited = 0;
  std::vector<std::uint32_t> out(1000);
  for (std::size_t i = 0; i < 200; ++i) {
    const QueryResult result = find_all(layer, boxes[i * 200], std::span(out));
    EXPECT_GE(result.tested, result.found);
    tested += result.tested;
    visited += result.visited;
  }
  EXPECT_LT(tested / 200, 500u);
  EXPECT_LT(visited / 200, 60u);
}

}  // namespace
}  // namespace juxta
