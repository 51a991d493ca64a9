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

/// The options of one layer of several, as a user would write them.
class OneLayer {
 public:
  OneLayer(const SeveralOptions& several, std::uint32_t layer) : several_(several), layer_(layer) {}
  [[nodiscard]] QueryOptions options() const { return {.filter = several_.filter, .accept = *this}; }
  bool operator()(std::uint32_t body) const {
    const LayerBody asked{layer_, body};
    const bool ignored =
        std::find(several_.ignore.begin(), several_.ignore.end(), asked) != several_.ignore.end();
    return !ignored && (!several_.accept || several_.accept(asked));
  }

 private:
  const SeveralOptions& several_;
  std::uint32_t layer_;
};

template <int D>
void ask_boxes(const Layers<D>& all, const Aabb<D>& box, const SeveralOptions& options) {
  std::vector<LayerBody> expected;
  LayerBody any;
  for (std::uint32_t i = 0; i < all.layers.size(); ++i) {
    const OneLayer one(options, i);
    std::vector<std::uint32_t> bodies(all.boxes[i].size());
    const std::size_t found = find_all(all.layers[i], box, std::span(bodies), one.options()).found;
    for (std::size_t b = 0; b < found; ++b) {
      expected.push_back({i, bodies[b]});
    }
    if (!any && found > 0) {
      any = {i, find_any(all.layers[i], box, one.options())};
    }
  }
  ASSERT_EQ(find_any<D>(all.span(), box, options), any);
  for (const std::size_t room : {std::size_t{0}, expected.size() / 2, expected.size() + 2}) {
    ASSERT_TRUE(test::stores_first(
        expected, room, expected.size(), LayerBody{7, 7},
        [&](std::span<LayerBody> out) { return find_all<D>(all.span(), box, out, options); }));
  }
}

template <int D>
void ask_ray(const Layers<D>& all, const Ray<D>& ray, const SeveralOptions& options) {
  LayerRayHit expected;
  for (std::uint32_t i = 0; i < all.layers.size(); ++i) {
    const OneLayer one(options, i);
    const RayHit hit = raycast_closest(all.layers[i], ray, one.options());
    if (hit && (!expected || hit.t < expected.t)) {
      expected = {{i, hit.body}, hit.t};
    }
  }
  const LayerRayHit found = raycast_closest<D>(all.span(), ray, options);
  if (expected.t < test::kInf) {  // beyond float the t of RayHit does not say which is nearer
    ASSERT_EQ(found.where, expected.where);
  }
  ASSERT_EQ(static_cast<bool>(found), static_cast<bool>(expected));
  ASSERT_EQ(found.t, expected.t);
}

template <int D>
void ask_nearest(const Layers<D>& all, const PointOf<D>& point, float distance,
                 const SeveralOptions& options) {
  LayerNearestHit expected;
  for (std::uint32_t i = 0; i < all.layers.size(); ++i) {
    const OneLayer one(options, i);
    const NearestHit hit = nearest(all.layers[i], point, distance, one.options());
    if (hit && (!expected || hit.distance2 < expected.distance2)) {
      expected = {{i, hit.body}, hit.distance2};
    }
  }
  const LayerNearestHit found = nearest<D>(all.span(), point, distance, options);
  if (expected.distance2 < test::kInf) {  // as above
    ASSERT_EQ(found.where, expected.where);
  }
  ASSERT_EQ(static_cast<bool>(found), static_cast<bool>(expected));
  ASSERT_EQ(found.distance2, expected.distance2);
}

TYPED_TEST(SeveralLayers, AnswerAsEachAlone) {
  constexpr int D = TestFixture::kD;
  for (const World kind : test::kWorlds) {
    SCOPED_TRACE(test::name(kind));
    const Layers<D> all(kind, {40, 0, 500, 1, 300}, 3);
    scenes::Draws draws(4);
    for (std::size_t round = 0; round < 400; ++round) {
      const LayerBody gone{static_cast<std::uint32_t>(draws.below(5)),
                           static_cast<std::uint32_t>(draws.below(40))};
      const auto odd = [&](LayerBody body) { return (body.layer + body.body) % 2 == 1; };
      SeveralOptions options{.filter = draws.below(4) == 0 ? Filter{0, 0} : Filter{}};
      if (draws.below(2) == 0) {
        options.ignore = {&gone, 1};
      }
      if (draws.below(3) == 0) {
        options.accept = odd;
      }
      const auto boxes = all.some_boxes(round * 2);
      ask_boxes(all, test::draw_question_box<D>(draws, boxes), options);
      ask_ray(all, test::draw_ray<D>(draws, boxes), options);
      ask_nearest(all, test::draw_point<D>(draws, boxes), test::draw_distance(draws), options);
      if (testing::Test::HasFatalFailure()) {
        return;
      }
    }
  }
}

TEST(SeveralLayersTies, GoToTheFirstLayer) {
  const std::vector<Aabb2> far = {{{8, 0}, {9, 1}}}, close = {{{5, 0}, {6, 1}}, {{4, 0}, {6, 1}}};
  const auto a = Layer2::build(far).value(), b = Layer2::build(close).value(),
             c = Layer2::build(close).value();
  const std::vector<const Layer2*> layers = {&a, &b, &c};
  const LayerSpan<2> span = layers;
  const LayerRayHit hit = raycast_closest<2>(span, {{0, 0.5F}, {1, 0}});
  EXPECT_EQ(hit.where, (LayerBody{1, 1}));
  EXPECT_EQ(hit.t, 4);
  const LayerNearestHit near = nearest<2>(span, {0, 0.5F});
  EXPECT_EQ(near.where, (LayerBody{1, 1}));
  EXPECT_EQ(near.distance2, 16);
  EXPECT_FALSE(nearest<2>(span, {0, 0.5F}, 3.9F));
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
    const LayerNearestHit near = nearest<2>(LayerSpan<2>(layers), {0, 0});
    ASSERT_EQ(near.where, (LayerBody{1, 0})) << x;
    ASSERT_EQ(near.distance2, y * y);
  }
}

}  // namespace
}  // namespace juxta
