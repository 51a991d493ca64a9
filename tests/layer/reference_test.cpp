// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The definitions themselves, on cases small enough to be right by sight.
#include "layer/reference.h"

#include <gtest/gtest.h>

#include <cmath>

#include "layer/worlds.h"

namespace juxta {
namespace {

using layer_detail::ReferenceBodies;
using test::kInf;
using test::kMax;
using test::kNan;

constexpr Aabb2 kUnit = {{0, 0}, {1, 1}};

TEST(LayerReference, PairsTouchAndMeet) {
  const std::vector<Aabb2> boxes = {
      {{0, 0}, {1, 1}}, {{1, 1}, {2, 2}}, {{2.5F, 0}, {3, 3}}, {{0, 2}, {3, 3}}};
  const std::vector<Filter> filters = {{1, 2}, {2, 1}, {1, 1}, {1, 4}};
  const std::vector<std::uint8_t> alive = {1, 0, 1, 1}, only = {1, 1, 0, 1};
  using Pairs = std::vector<Pair>;
  EXPECT_EQ(layer_detail::pairs_reference<2>({boxes}), (Pairs{{0, 1}, {1, 3}, {2, 3}}));
  EXPECT_EQ(layer_detail::pairs_reference<2>({boxes}, only), (Pairs{{0, 1}, {1, 3}}));
  EXPECT_EQ(layer_detail::pairs_reference<2>({boxes}, std::span(only).first(3)), Pairs{});
  EXPECT_EQ(layer_detail::pairs_reference<2>({boxes, filters}), (Pairs{{0, 1}}));
  EXPECT_EQ(layer_detail::pairs_reference<2>({boxes, {}, alive}), (Pairs{{2, 3}}));
  EXPECT_EQ(layer_detail::pairs_reference<2>({boxes}, {std::span(boxes).first(1)}), (Pairs{{0, 0}, {1, 0}}));
}

TEST(LayerReference, RaysEnterWhereTheySay) {
  const auto enters = [](Ray2 ray) { return layer_detail::ray_enters<2>(ray, kUnit); };
  EXPECT_EQ(enters({{-1, 0.5F}, {1, 0}, kInf}), 1);
  EXPECT_EQ(enters({{-1, 0.5F}, {2, 0}, kInf}), 0.5F);
  EXPECT_EQ(enters({{-1, 0.5F}, {-1, 0}, kInf}), -1);
  EXPECT_EQ(enters({{3, 0.5F}, {-1, -0.0F}, kInf}), 2);
  EXPECT_EQ(enters({{-1, 1}, {1, 0}, kInf}), 1);      // along a face
  EXPECT_EQ(enters({{-1, 1.5F}, {1, 0}, kInf}), -1);  // beside it
  EXPECT_EQ(enters({{-1, 2}, {1, -1}, kInf}), 1);     // through a corner
  EXPECT_EQ(enters({{0.5F, 0.5F}, {1, 1}, 0}), 0);    // from inside, no length
  EXPECT_EQ(enters({{0.5F, 0.5F}, {0, 0}, kInf}), 0);
  EXPECT_EQ(enters({{1.5F, 0.5F}, {0, 0}, kInf}), -1);
  EXPECT_EQ(enters({{-1, 0.5F}, {1, 0}, 1}), 1);  // ends on the face
  EXPECT_EQ(enters({{-1, 0.5F}, {1, 0}, std::nextafter(1.0F, 0.0F)}), -1);
  const Vec2 from{-1, -1}, to{3, 3};
  EXPECT_EQ(enters(segment(from, to)), 0.25F);
}

TEST(LayerReference, RaysThatAskForNothing) {
  EXPECT_TRUE(layer_detail::ray_is_sound<2>({{0, 0}, {0, 0}, -0.0F}));
  EXPECT_TRUE(layer_detail::ray_is_sound<2>({{0, kMax}, {1, kMax}, kInf}));
  for (const Ray2& ray : {Ray2{{kNan, 0}, {1, 0}}, Ray2{{0, kInf}, {1, 0}}, Ray2{{0, 0}, {1, -kInf}},
                          Ray2{{0, 0}, {kNan, 0}}, Ray2{{0, 0}, {1, 0}, -1}, Ray2{{0, 0}, {1, 0}, kNan}}) {
    EXPECT_FALSE(layer_detail::ray_is_sound(ray));
    EXPECT_TRUE(layer_detail::raycast_all_reference<2>({std::span(&kUnit, 1)}, ray).empty());
  }
}

TEST(LayerReference, HitsStandByDistanceThenNumber) {
  const std::vector<Aabb2> boxes = {{{4, 0}, {5, 1}}, {{2, 0}, {9, 1}}, {{2, 0}, {3, 1}}, {{0, 3}, {9, 4}}};
  const Ray2 ray = {{0, 0.5F}, {1, 0}};
  EXPECT_EQ(layer_detail::raycast_all_reference<2>({boxes}, ray),
            (std::vector<RayHit>{{1, 2}, {2, 2}, {0, 4}}));
  EXPECT_EQ(layer_detail::raycast_closest_reference<2>({boxes}, ray), (RayHit{1, 2}));
  EXPECT_FALSE(layer_detail::raycast_any_reference<2>({boxes}, {{0, 0.5F}, {-1, 0}}));
}

TEST(LayerReference, DistancesAreSquaredAndRoundAsStated) {
  const Aabb3 box = {{0, 0, 0}, {1, 1, 1}};
  EXPECT_EQ(layer_detail::distance2<3>(box, {0.5F, 1, 0}), 0);
  EXPECT_EQ(layer_detail::distance2<3>(box, {2, -1, 3}), 1 + 1 + 4);
  const std::vector<Aabb3> boxes = {{{5, 0, 0}, {6, 1, 1}}, box, box};
  const ReferenceBodies<3> bodies{boxes};
  EXPECT_EQ(layer_detail::nearest_reference(bodies, {3, 0, 0}, kInf), (NearestHit{0, 4}));
  EXPECT_EQ(layer_detail::nearest_reference(bodies, {2, 0, 0}, 1), (NearestHit{1, 1}));
  EXPECT_EQ(layer_detail::nearest_reference(bodies, {2, 0, 0}, 0.9F), NearestHit{});
  EXPECT_EQ(layer_detail::nearest_reference(bodies, {1, 1, 1}, -0.0F), (NearestHit{1, 0}));
  EXPECT_EQ(layer_detail::nearest_reference(bodies, {1, 1, 1}, -1), NearestHit{});
  EXPECT_EQ(layer_detail::nearest_reference(bodies, {1, 1, 1}, kNan), NearestHit{});
  EXPECT_EQ(layer_detail::nearest_reference(bodies, {1, kInf, 1}, kInf), NearestHit{});
}

TEST(LayerReference, PlanesTakeTheFarthestCorner) {
  const std::vector<Aabb2> boxes = {kUnit, {{2, 0}, {3, 1}}};
  const auto inside = [&](std::vector<Plane2> planes) {
    return layer_detail::find_in_frustum_reference<2>({boxes}, std::span<const Plane2>(planes));
  };
  using Bodies = std::vector<std::uint32_t>;
  EXPECT_EQ(inside({}), (Bodies{0, 1}));
  EXPECT_EQ(inside({{{1, 0}, -1}}), (Bodies{0, 1}));  // x >= 1: the first one touches
  EXPECT_EQ(inside({{{1, 0}, -1.5F}}), (Bodies{1}));
  EXPECT_EQ(inside({{{-1, 0}, 1.5F}}), (Bodies{0}));
  EXPECT_EQ(inside({{{-1, 0}, 1.5F}, {{1, 0}, -1.5F}}), Bodies{});
  EXPECT_EQ(inside({{{0, kNan}, 1}}), Bodies{});
}

TEST(LayerReference, InvertedAndNanQueriesTouchNothing) {
  const ReferenceBodies<2> bodies{std::span(&kUnit, 1)};
  EXPECT_TRUE(layer_detail::find_any_reference(bodies, {{-kInf, -kInf}, {kInf, kInf}}));
  EXPECT_TRUE(layer_detail::find_any_reference(bodies, {{1, 1}, {1, 1}}));
  EXPECT_FALSE(layer_detail::find_any_reference(bodies, {{0.7F, 0}, {0.3F, 1}}));
  EXPECT_FALSE(layer_detail::find_any_reference(bodies, {{kNan, 0}, {1, 1}}));
}

}  // namespace
}  // namespace juxta
