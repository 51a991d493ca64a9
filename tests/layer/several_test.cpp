// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// One question to several layers against the answers of each.
#include "juxta/layer/several.h"

#include <gtest/gtest.h>

#include "layer/compare_queries.h"
#include "layer/world_test.h"

namespace juxta {
namespace {

using test::World;

template <class T>
class SeveralLayers : public test::InEveryDimension<T> {};
TYPED_TEST_SUITE(SeveralLayers, test::Dimensions, test::DimensionNames);

template <int D>
struct Layers {
  std::vector<std::vector<Aabb<D>>> boxes;
  std::vector<BasicLayer<D>> layers;
  std::vector<const BasicLayer<D>*> pointers;

  Layers(World kind, std::initializer_list<std::size_t> sizes, std::uint64_t seed) {
    scenes::Draws draws(seed);
    for (const std::size_t size : sizes) {
      boxes.push_back(test::make_world<D>(draws, kind, size));
      layers.push_back(BasicLayer<D>::build(boxes.back()).value());
    }
    for (const auto& layer : layers) {
      pointers.push_back(&layer);
    }
  }
  [[nodiscard]] LayerSpan<D> span() const { return pointers; }
  [[nodiscard]] std::span<const Aabb<D>> some_boxes(std::size_t i) const { return boxes[i % boxes.size()]; }
};

template <int D>
void ask_boxes(const Layers<D>& all, const Aabb<D>& box, Filter filter) {
  std::vector<LayerBody> expected;
  LayerBody any;
  for (std::uint32_t i = 0; i < all.layers.size(); ++i) {
    std::vector<std::uint32_t> bodies(all.boxes[i].size());
    const std::size_t found = find_all(all.layers[i], box, std::span(bodies), filter).found;
    for (std::size_t b = 0; b < found; ++b) {
      expected.push_back({i, bodies[b]});
    }
    if (!any && found > 0) {
      any = {i, find_any(all.layers[i], box, filter)};
    }
  }
  ASSERT_EQ(find_any<D>(all.span(), box, filter), any);
  for (const std::size_t room : {std::size_t{0}, expected.size() / 2, expected.size() + 2}) {
    ASSERT_TRUE(test::stores_first(
        expected, room, expected.size(), LayerBody{7, 7},
        [&](std::span<LayerBody> out) { return find_all<D>(all.span(), box, out, filter); }));
  }
}

template <int D>
void ask_ray(const Layers<D>& all, const Ray<D>& ray, Filter filter) {
  LayerRayHit expected;
  for (std::uint32_t i = 0; i < all.layers.size(); ++i) {
    const RayHit hit = raycast_closest(all.layers[i], ray, filter);
    if (hit && (!expected || hit.t < expected.t)) {
      expected = {{i, hit.body}, hit.t};
    }
  }
  const LayerRayHit found = raycast_closest<D>(all.span(), ray, filter);
  if (expected.t < test::kInf) {  // beyond float the t of RayHit does not say which is nearer
    ASSERT_EQ(found.where, expected.where);
  }
  ASSERT_EQ(static_cast<bool>(found), static_cast<bool>(expected));
  ASSERT_EQ(found.t, expected.t);
}

template <int D>
void ask_nearest(const Layers<D>& all, const PointOf<D>& point, float distance, Filter filter) {
  LayerNearestHit expected;
  for (std::uint32_t i = 0; i < all.layers.size(); ++i) {
    const NearestHit hit = find_nearest(all.layers[i], point, distance, filter);
    if (hit && (!expected || hit.distance2 < expected.distance2)) {
      expected = {{i, hit.body}, hit.distance2};
    }
  }
  const LayerNearestHit found = find_nearest<D>(all.span(), point, distance, filter);
  ASSERT_EQ(found.where, expected.where);
  ASSERT_EQ(found.distance2, expected.distance2);
}

TYPED_TEST(SeveralLayers, AnswerAsEachAlone) {
  constexpr int D = TestFixture::kD;
  for (const World kind : test::kWorlds) {
    SCOPED_TRACE(test::name(kind));
    const Layers<D> all(kind, {40, 0, 500, 1, 300}, 3);
    scenes::Draws draws(4);
    for (std::size_t round = 0; round < 400; ++round) {
      const Filter filter = draws.below(4) == 0 ? Filter{0, 0} : Filter{};
      const auto boxes = all.some_boxes(round * 2);
      ask_boxes(all, test::draw_question_box<D>(draws, boxes), filter);
      ask_ray(all, test::draw_ray<D>(draws, boxes), filter);
      ask_nearest(all, test::draw_point<D>(draws, boxes), test::draw_distance(draws), filter);
      if (testing::Test::HasFatalFailure()) {
        return;
      }
    }
  }
}

TEST(SeveralLayersTies, GoToTheFirstLayer) {
  const std::vector<Aabb2> far = {{{8, 0}, {9, 1}}}, near = {{{5, 0}, {6, 1}}, {{4, 0}, {6, 1}}};
  const auto a = Layer2::build(far).value(), b = Layer2::build(near).value(), c = Layer2::build(near).value();
  const std::vector<const Layer2*> layers = {&a, &b, &c};
  const LayerSpan<2> span = layers;
  const LayerRayHit hit = raycast_closest<2>(span, {{0, 0.5F}, {1, 0}});
  EXPECT_EQ(hit.where, (LayerBody{1, 1}));
  EXPECT_EQ(hit.t, 4);
  const LayerNearestHit nearest = find_nearest<2>(span, {0, 0.5F});
  EXPECT_EQ(nearest.where, (LayerBody{1, 1}));
  EXPECT_EQ(nearest.distance2, 16);
  EXPECT_FALSE(find_nearest<2>(span, {0, 0.5F}, 3.9F));
  EXPECT_FALSE(find_any<2>(LayerSpan<2>(), {{0, 0}, {9, 9}}));
  EXPECT_FALSE(raycast_closest<2>(LayerSpan<2>(), {{0, 0.5F}, {1, 0}}));
}

/// The next layer is searched within the distance found: its root rounds, and may not lose a nearer body.
TEST(SeveralLayersTies, NothingNearerIsLostToRounding) {
  scenes::Draws draws(9);
  for (int round = 0; round < 20'000; ++round) {
    const float x = draws.uniform(0.5F, 4), d2 = x * x;
    float y = x;  // the largest distance whose square is below
    while (y * y >= d2) {
      y = std::nextafter(y, 0.0F);
    }
    const auto a = Layer2::build(std::vector<Aabb2>{{{x, 0}, {9, 0}}}).value();
    const auto b = Layer2::build(std::vector<Aabb2>{{{y, 0}, {9, 0}}}).value();
    const std::vector<const Layer2*> layers = {&a, &b};
    const LayerNearestHit nearest = find_nearest<2>(LayerSpan<2>(layers), {0, 0});
    ASSERT_EQ(nearest.where, (LayerBody{1, 0})) << x;
    ASSERT_EQ(nearest.distance2, y * y);
  }
}

}  // namespace
}  // namespace juxta
