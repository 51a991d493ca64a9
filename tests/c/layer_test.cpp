// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Layers from C give the bits of C++, from packed arrays and from strided ones at the end of a page.
#include <gtest/gtest.h>
#include <juxta.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "c/last_page.h"
#include "juxta/layer/find_pairs.h"
#include "juxta/layer/frustum.h"
#include "juxta/layer/layer.h"
#include "juxta/layer/nearest.h"
#include "juxta/layer/query.h"
#include "juxta/layer/raycast.h"
#include "layer/world_test.h"

namespace juxta {
namespace {

using test::LastPage;

template <class T>
class CLayer : public test::InEveryDimension<T> {};
TYPED_TEST_SUITE(CLayer, test::Dimensions, test::DimensionNames);

template <class C, class T>
bool same_bytes(const std::vector<C>& c, const std::vector<T>& cpp) {
  static_assert(sizeof(C) == sizeof(T));
  return c.size() == cpp.size() &&
         (c.empty() || std::memcmp(c.data(), cpp.data(), c.size() * sizeof(C)) == 0);
}

bool operator==(const juxta_query_result& a, const QueryResult& b) {
  return a.found == b.found && a.written == b.written && a.tested == b.tested && a.visited == b.visited;
}

template <int D>
juxta_ray c_ray(const Ray<D>& ray) {
  juxta_ray made = {};
  for (int axis = 0; axis < D; ++axis) {
    made.origin[axis] = ray.origin[axis];
    made.direction[axis] = ray.direction[axis];
  }
  made.max = ray.max;
  return made;
}

/// The same layer twice, and questions around its bodies.
template <int D>
struct Twins {
  std::vector<Aabb<D>> world;
  std::vector<Filter> filters;
  BasicLayer<D> cpp;
  juxta_layer* c = nullptr;
  std::vector<Aabb<D>> boxes;
  std::vector<Ray<D>> rays;
  std::vector<juxta_ray> c_rays;
  std::vector<Vec<D>> points;
  std::vector<Plane<D>> planes;

  Twins(test::World kind, std::size_t bodies, std::size_t questions, std::uint64_t seed, std::size_t stride) {
    scenes::Draws draws(seed);
    world = test::make_world<D>(draws, kind, bodies);
    filters = test::draw_filters(draws, bodies);
    EXPECT_TRUE(cpp.rebuild(world, {.filters = filters}));
    const LastPage<Aabb<D>> given(world, stride == 0 ? sizeof(Aabb<D>) : stride);
    juxta_layer_options options = juxta_default_layer_options();
    options.filters = reinterpret_cast<const juxta_filter*>(filters.data());
    juxta_error error;
    EXPECT_EQ(juxta_layer_build(D, given.template as<float>(), stride, bodies, &options, nullptr, &c, &error),
              JUXTA_OK)
        << error.message;
    const std::span<const Aabb<D>> around = world;
    for (std::size_t i = 0; i < questions; ++i) {
      boxes.push_back(test::draw_question_box<D>(draws, around));
      rays.push_back(test::draw_ray<D>(draws, around));
      c_rays.push_back(c_ray(rays.back()));
      points.push_back(test::draw_point<D>(draws, around));
      const auto sides = test::draw_planes<D>(draws, around);
      planes.insert(planes.end(), sides.begin(), sides.end());
    }
  }
  Twins(const Twins&) = delete;
  Twins& operator=(const Twins&) = delete;
  ~Twins() { juxta_layer_free(c); }
};

template <int D>
void compare_single(const Twins<D>& both, std::uint32_t ignored) {
  const Filter filter{0x5, 0xF};
  const auto odd = [](std::uint32_t body) { return body % 3 != 1; };
  const QueryOptions cpp_options{.filter = filter, .ignore = {&ignored, 1}, .accept = odd};
  juxta_query_options options = juxta_default_query_options();
  options.filter = {filter.category, filter.mask};
  options.ignore = &ignored;
  options.ignore_count = 1;
  options.accept = [](void*, uint32_t body) { return body % 3 != 1; };

  for (std::size_t i = 0; i < both.boxes.size(); ++i) {
    SCOPED_TRACE(i);
    const LastPage<Aabb<D>> box(std::span(&both.boxes[i], 1));
    const LastPage<Vec<D>> point(std::span(&both.points[i], 1));
    const float* const at = box.template as<float>();
    EXPECT_EQ(juxta_layer_find_any(both.c, at, &options), find_any(both.cpp, both.boxes[i], cpp_options));
    EXPECT_EQ(juxta_layer_count(both.c, at, nullptr), count(both.cpp, both.boxes[i]));
    for (const std::size_t most : {std::size_t{0}, std::size_t{3}, both.world.size()}) {
      std::vector<std::uint32_t> a(most, 7), b(most, 7);
      EXPECT_TRUE(juxta_layer_find_all(both.c, at, a.data(), most, &options) ==
                  find_all(both.cpp, both.boxes[i], b, cpp_options));
      EXPECT_EQ(a, b);
      EXPECT_TRUE(juxta_layer_find_first(both.c, at, a.data(), most, &options) ==
                  find_first(both.cpp, both.boxes[i], b, cpp_options));
      EXPECT_EQ(a, b);
      std::vector<juxta_ray_hit> hits(most, {7, 7});
      std::vector<RayHit> cpp_hits(most, {7, 7});
      EXPECT_TRUE(juxta_layer_raycast_all(both.c, &both.c_rays[i], hits.data(), most, &options) ==
                  raycast_all(both.cpp, both.rays[i], cpp_hits, cpp_options));
      EXPECT_TRUE(same_bytes(hits, cpp_hits));
    }
    const juxta_ray_hit hit = juxta_layer_raycast_closest(both.c, &both.c_rays[i], &options);
    EXPECT_EQ((RayHit{hit.body, hit.t}), raycast_closest(both.cpp, both.rays[i], cpp_options));
    const juxta_ray_hit any = juxta_layer_raycast_any(both.c, &both.c_rays[i], &options);
    EXPECT_EQ((RayHit{any.body, any.t}), raycast_any(both.cpp, both.rays[i], cpp_options));
    const juxta_nearest_hit near = juxta_layer_nearest(both.c, point.template as<float>(),
                                                       std::numeric_limits<float>::infinity(), &options);
    EXPECT_EQ((NearestHit{near.body, near.distance2}),
              nearest(both.cpp, both.points[i], std::numeric_limits<float>::infinity(), cpp_options));
  }
}

TYPED_TEST(CLayer, AnswersAboutOneThingAreThoseOfCpp) {
  for (const std::size_t bodies : {0UL, 1UL, 17UL, 700UL}) {
    SCOPED_TRACE(bodies);
    const Twins<TestFixture::kD> both(test::World::kSparse, bodies, 40, bodies, 0);
    compare_single(both, static_cast<std::uint32_t>(bodies / 2));
  }
}

TYPED_TEST(CLayer, VisitorsSeeWhatVisitorsOfCppSee) {
  constexpr int kDims = TestFixture::kD;
  const Twins<kDims> both(test::World::kSparse, 500, 20, 3, 0);
  for (std::size_t i = 0; i < both.boxes.size(); ++i) {
    std::vector<std::uint32_t> a, b;
    const auto result = juxta_layer_visit(
        both.c, reinterpret_cast<const float*>(&both.boxes[i]),
        [](void* user, uint32_t body) {
          auto* const to = static_cast<std::vector<std::uint32_t>*>(user);
          to->push_back(body);
          return to->size() < 5;
        },
        &a, nullptr);
    EXPECT_TRUE(result == visit(both.cpp, both.boxes[i], [&](std::uint32_t body) {
                  b.push_back(body);
                  return b.size() < 5;
                }));
    EXPECT_EQ(a, b);
    std::vector<RayHit> hits, cpp_hits;
    juxta_layer_visit_ray(
        both.c, &both.c_rays[i],
        [](void* user, juxta_ray_hit hit) {
          static_cast<std::vector<RayHit>*>(user)->push_back({hit.body, hit.t});
          return hit.t;
        },
        &hits, nullptr);
    visit_ray(both.cpp, both.rays[i], [&](RayHit hit) {
      cpp_hits.push_back(hit);
      return hit.t;
    });
    EXPECT_EQ(hits, cpp_hits);
  }
}

// What a batch writes, from C and from C++.
template <int D>
void compare_batches(const Twins<D>& both, std::size_t stride) {
  const std::size_t n = both.boxes.size();
  const LastPage<Aabb<D>> boxes(both.boxes, stride == 0 ? sizeof(Aabb<D>) : stride);
  const LastPage<juxta_ray> rays(both.c_rays, stride == 0 ? sizeof(juxta_ray) : stride);
  const LastPage<Vec<D>> points(both.points, stride == 0 ? sizeof(Vec<D>) : stride);
  const float* const at = boxes.template as<float>();
  std::vector<std::uint32_t> ignore(n);
  for (std::size_t i = 0; i < n; ++i) {
    ignore[i] = static_cast<std::uint32_t>(i % (both.world.size() + 1));
  }
  juxta_batch_options options = juxta_default_batch_options();
  options.ignore = ignore.data();
  options.sorted = true;
  options.accept = [](void*, uint32_t query, uint32_t body) { return (query + body) % 5 != 2; };
  const auto accept = [](std::uint32_t query, std::uint32_t body) { return (query + body) % 5 != 2; };
  const BatchOptions cpp{.ignore = ignore, .accept = accept, .sorted = true};
  juxta_query_result result;

  std::vector<std::uint32_t> any(n), cpp_any(n), counts(n), cpp_counts(n), first(n * 4, 9),
      cpp_first(n * 4, 9);
  ASSERT_EQ(
      juxta_layer_find_any_batch(both.c, at, stride, n, any.data(), &options, nullptr, &result, nullptr),
      JUXTA_OK);
  EXPECT_TRUE(result == find_any(both.cpp, both.boxes, cpp_any, cpp).value());
  EXPECT_EQ(any, cpp_any);
  ASSERT_EQ(
      juxta_layer_count_batch(both.c, at, stride, n, counts.data(), &options, nullptr, &result, nullptr),
      JUXTA_OK);
  EXPECT_TRUE(result == count(both.cpp, both.boxes, cpp_counts, cpp).value());
  EXPECT_EQ(counts, cpp_counts);
  ASSERT_EQ(juxta_layer_find_first_batch(both.c, at, stride, n, 4, first.data(), counts.data(), &options,
                                         nullptr, &result, nullptr),
            JUXTA_OK);
  EXPECT_TRUE(result == find_first(both.cpp, both.boxes, 4, cpp_first, cpp_counts, cpp).value());
  EXPECT_EQ(first, cpp_first);
  EXPECT_EQ(counts, cpp_counts);
  for (const std::size_t most : {std::size_t{0}, std::size_t{10}, std::size_t{100'000}}) {
    std::vector<juxta_pair> pairs(most, {7, 7});
    std::vector<Pair> cpp_pairs(most, {7, 7});
    ASSERT_EQ(juxta_layer_find_all_batch(both.c, at, stride, n, pairs.data(), most, &options, nullptr,
                                         &result, nullptr),
              JUXTA_OK);
    EXPECT_TRUE(result == find_all(both.cpp, both.boxes, cpp_pairs, cpp).value());
    EXPECT_TRUE(same_bytes(pairs, cpp_pairs));
    std::vector<juxta_ray_hit> hits(most, {7, 7});
    std::vector<RayHit> cpp_hits(most, {7, 7});
    std::vector<std::size_t> offsets(n + 1), cpp_offsets(n + 1);
    ASSERT_EQ(juxta_layer_raycast_all_batch(both.c, rays.template as<juxta_ray>(), stride, n, offsets.data(),
                                            hits.data(), most, &options, nullptr, &result, nullptr),
              JUXTA_OK);
    EXPECT_TRUE(result == raycast_all(both.cpp, both.rays, cpp_offsets, cpp_hits, cpp).value());
    EXPECT_TRUE(same_bytes(hits, cpp_hits));
    EXPECT_EQ(offsets, cpp_offsets);
  }
  std::vector<juxta_ray_hit> hits(n);
  std::vector<RayHit> cpp_hits(n);
  ASSERT_EQ(juxta_layer_raycast_closest_batch(both.c, rays.template as<juxta_ray>(), stride, n, hits.data(),
                                              &options, nullptr, &result, nullptr),
            JUXTA_OK);
  EXPECT_TRUE(result == raycast_closest(both.cpp, both.rays, cpp_hits, cpp).value());
  EXPECT_TRUE(same_bytes(hits, cpp_hits));
  ASSERT_EQ(juxta_layer_raycast_any_batch(both.c, rays.template as<juxta_ray>(), stride, n, hits.data(),
                                          &options, nullptr, &result, nullptr),
            JUXTA_OK);
  EXPECT_TRUE(result == raycast_any(both.cpp, both.rays, cpp_hits, cpp).value());
  EXPECT_TRUE(same_bytes(hits, cpp_hits));
  std::vector<juxta_nearest_hit> near(n);
  std::vector<NearestHit> cpp_near(n);
  ASSERT_EQ(juxta_layer_nearest_batch(both.c, points.template as<float>(), stride, n, 5, near.data(),
                                      &options, nullptr, &result, nullptr),
            JUXTA_OK);
  EXPECT_TRUE(result == nearest(both.cpp, both.points, 5, cpp_near, cpp).value());
  EXPECT_TRUE(same_bytes(near, cpp_near));
}

TYPED_TEST(CLayer, BatchesAreThoseOfCppAndReadNothingBehindTheirEnd) {
  for (const std::size_t stride : {std::size_t{0}, std::size_t{40}, std::size_t{61}}) {
    SCOPED_TRACE(stride);
    const Twins<TestFixture::kD> both(test::World::kSparse, 900, 300, 5, stride);
    compare_batches(both, stride);
  }
}

TYPED_TEST(CLayer, FrustumsAreThoseOfCpp) {
  constexpr int kDims = TestFixture::kD;
  const Twins<kDims> both(test::World::kSparse, 800, 12, 8, 0);
  const std::size_t a_frustum = both.planes.size() / 4;
  const LastPage<Plane<kDims>> planes(std::span(both.planes).first(4 * a_frustum));
  std::vector<std::uint32_t> bodies(both.world.size()), cpp_bodies(both.world.size());
  std::vector<std::span<const Plane<kDims>>> frustums;
  for (std::size_t i = 0; i < 4; ++i) {
    frustums.push_back(std::span(both.planes).subspan(i * a_frustum, a_frustum));
  }
  EXPECT_TRUE(juxta_layer_find_in_frustum(both.c, planes.template as<float>(), a_frustum, bodies.data(),
                                          bodies.size(),
                                          nullptr) == find_in_frustum(both.cpp, frustums[0], cpp_bodies));
  EXPECT_EQ(bodies, cpp_bodies);
  std::vector<juxta_pair> pairs(10'000, {0, 0});
  std::vector<Pair> cpp_pairs(10'000, {0, 0});
  juxta_query_result result;
  ASSERT_EQ(juxta_layer_find_in_frustum_batch(both.c, planes.template as<float>(), a_frustum, 4, pairs.data(),
                                              pairs.size(), nullptr, nullptr, &result, nullptr),
            JUXTA_OK);
  EXPECT_TRUE(result == find_in_frustum(both.cpp, frustums, cpp_pairs).value());
  EXPECT_TRUE(same_bytes(pairs, cpp_pairs));
}

}  // namespace
}  // namespace juxta
