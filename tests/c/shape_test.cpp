// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Shapes and bodies from C give the answers of C++.
#include <gtest/gtest.h>
#include <juxta.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <string>
#include <vector>

#include "c/last_page.h"
#include "c/shape_cases.h"
#include "juxta/shape/bodies.h"
#include "juxta/shape/query.h"
#include "transform/draw_transforms.h"

namespace juxta {
namespace {

using namespace c_test;

TEST(CShape, OneAgainstAnotherGivesTheAnswersOfCpp) {
  const Parts parts = make_parts();
  const Shapes shapes(parts);
  scenes::Draws draws(1);
  int hits = 0, meetings = 0;
  for (std::size_t i = 0; i < shapes.c.size(); ++i) {
    for (std::size_t j = 0; j < shapes.c.size(); ++j) {
      for (int round = 0; round < 20; ++round) {
        SCOPED_TRACE(std::to_string(i) + " and " + std::to_string(j));
        const Qvvs at_a = draw_place(draws, 2), at_b = draw_place(draws, 2);
        const juxta_qvvs c_a = c_place(at_a), c_b = c_place(at_b);
        Ray3 ray = draw_ray(draws, 4);
        ray.direction = at_a.position - ray.origin;
        const juxta_ray shot = c_ray(ray);
        const Vec3 way = test::draw_vector(draws, 4);
        const SurfaceHit hit = raycast(shapes.cpp[i], at_a, ray);
        hits += hit.hit;
        expect_same(juxta_shape_raycast(&shapes.c[i], &c_a, &shot), hit);
        EXPECT_EQ(juxta_shape_raycast_any(&shapes.c[i], &c_a, &shot), hit.hit);
        const ClosestPoints near = closest(shapes.cpp[i], at_a, shapes.cpp[j], at_b, 5);
        expect_same(juxta_shape_closest(&shapes.c[i], &c_a, &shapes.c[j], &c_b, 5), near);
        const bool meet = overlaps(shapes.cpp[i], at_a, shapes.cpp[j], at_b);
        meetings += meet;
        EXPECT_EQ(juxta_shape_overlaps(&shapes.c[i], &c_a, &shapes.c[j], &c_b), meet);
        EXPECT_EQ(juxta_shape_contains(&shapes.c[i], &c_a, &way.x), contains(shapes.cpp[i], at_a, way));
        expect_same(juxta_shape_cast(&shapes.c[i], &c_a, &way.x, &shapes.c[j], &c_b),
                    cast(shapes.cpp[i], at_a, way, shapes.cpp[j], at_b));
        juxta_motion c_motion = {c_a, {way.x, way.y, way.z}, {way.y, way.z, way.x}, {0.5F, 0, way.x}};
        const Motion motion{at_a, way, {way.y, way.z, way.x}, {0.5F, 0, way.x}};
        expect_same(juxta_shape_cast_turning(&shapes.c[i], &c_motion, &shapes.c[j], &c_b),
                    cast(shapes.cpp[i], motion, shapes.cpp[j], at_b));
        const juxta_qvvs c_there = juxta_place_at(&c_motion, 0.75F);
        const Qvvs there = place_at(motion, 0.75F);
        EXPECT_EQ(std::memcmp(&c_there, &there, sizeof there), 0);
        expect_same(juxta_shape_contact(&shapes.c[i], &c_a, &shapes.c[j], &c_b, 0.5F),
                    contact(shapes.cpp[i], at_a, shapes.cpp[j], at_b, 0.5F));
        Aabb3 box;
        juxta_shape_bounds(&shapes.c[i], &c_a, &box.lo.x);
        EXPECT_EQ(box, bounds_of(shapes.cpp[i], at_a));
      }
    }
  }
  EXPECT_GT(hits, 50);
  EXPECT_GT(meetings, 200);
}

TEST(CShape, EverySurfaceAndAllContactsAreThoseOfCpp) {
  const Parts parts = make_parts();
  const Shapes shapes(parts);
  scenes::Draws draws(7);
  std::size_t several = 0, cut = 0, touching = 0, groups = 0;
  for (std::size_t i = 0; i < shapes.c.size(); ++i) {
    for (std::size_t j = 0; j < shapes.c.size(); ++j) {
      for (int round = 0; round < 20; ++round) {
        SCOPED_TRACE(std::to_string(i) + " and " + std::to_string(j));
        const Qvvs at_a = draw_place(draws, 1), at_b = draw_place(draws, 1);
        const juxta_qvvs c_a = c_place(at_a), c_b = c_place(at_b);
        Ray3 ray = draw_ray(draws, 4);
        ray.direction = at_a.position - ray.origin;
        const juxta_ray shot = c_ray(ray);
        std::array<SurfaceHit, 24> hits;
        const QueryResult surfaces = raycast_every(shapes.cpp[i], at_a, ray, hits);
        ASSERT_EQ(surfaces.found, surfaces.written);
        several += surfaces.found > 1 ? 1U : 0U;
        // All of them, none, and fewer than there are; the last one is in the last bytes of a page.
        for (const std::size_t most : {hits.size(), std::size_t{1}, std::size_t{0}}) {
          const test::LastPage<juxta_surface_hit> room(std::vector<juxta_surface_hit>(most == 0 ? 1 : most));
          auto* const c_hits = const_cast<juxta_surface_hit*>(room.as<juxta_surface_hit>());
          ASSERT_EQ(juxta_shape_raycast_every(&shapes.c[i], &c_a, &shot, c_hits, most), surfaces.found);
          for (std::size_t k = 0; k < std::min<std::size_t>(most, surfaces.found); ++k) {
            expect_same(c_hits[k], hits[k]);
          }
          cut += surfaces.found > most ? 1U : 0U;
        }
        EXPECT_EQ(juxta_shape_raycast_every(&shapes.c[i], &c_a, &shot, nullptr, 5), surfaces.found);
        std::array<Manifold, kMostManifolds> manifolds;
        std::array<juxta_named_manifold, kMostManifolds> c_manifolds;
        const QueryResult found = contacts(shapes.cpp[i], at_a, shapes.cpp[j], at_b, 0.1F, manifolds);
        ASSERT_EQ(juxta_shape_contacts(&shapes.c[i], &c_a, &shapes.c[j], &c_b, 0.1F, c_manifolds.data(),
                                       c_manifolds.size()),
                  found.found);
        for (std::size_t k = 0; k < found.written; ++k) {
          expect_same(c_manifolds[k], manifolds[k]);
        }
        touching += found.found > 0 ? 1U : 0U;
        groups += found.found > 1 ? 1U : 0U;
        EXPECT_EQ(juxta_shape_contacts(&shapes.c[i], &c_a, &shapes.c[j], &c_b, 0.1F, nullptr, 3),
                  found.found);
      }
    }
  }
  EXPECT_GT(several, 100U);
  EXPECT_GT(cut, 500U);
  EXPECT_GT(touching, 300U);
  EXPECT_GT(groups, 50U);
  juxta_shape nothing = {};
  nothing.kind = JUXTA_HULL;  // without a handle
  const juxta_qvvs at = juxta_default_qvvs();
  const juxta_ray ray = c_ray({{-5, 0, 0}, {1, 0, 0}, 100});
  juxta_surface_hit hit;
  juxta_named_manifold manifold;
  EXPECT_EQ(juxta_shape_raycast_every(&nothing, &at, &ray, &hit, 1), 0U);
  EXPECT_EQ(juxta_shape_contacts(&nothing, &at, &shapes.c[0], &at, 1, &manifold, 1), 0U);
  EXPECT_EQ(juxta_shape_contacts(&shapes.c[0], &at, &nothing, &at, 1, &manifold, 1), 0U);
  EXPECT_GT(juxta_shape_contact(&shapes.c[0], &at, &shapes.c[0], &at, 0).count, 0U);
  for (const float margin : {-1.0F, std::nanf("")}) {
    EXPECT_EQ(juxta_shape_contact(&shapes.c[0], &at, &shapes.c[0], &at, margin).count, 0U);
    EXPECT_EQ(juxta_shape_contacts(&shapes.c[0], &at, &shapes.c[0], &at, margin, &manifold, 1), 0U);
  }
}

TEST(CShape, MistakesHaveAReason) {
  juxta_error error;
  juxta_hull* hull = nullptr;
  EXPECT_EQ(juxta_hull_build(nullptr, 0, 0, &hull, &error), JUXTA_INVALID_ARGUMENT);
  const float points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  const std::uint32_t triangles[6] = {0, 1, 2, 0, 1, 3};
  juxta_mesh* mesh = nullptr;
  EXPECT_EQ(juxta_mesh_build(points, 0, 3, triangles, 2, nullptr, &mesh, &error), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(error.index, 1U);
  ASSERT_EQ(juxta_mesh_build(points, 0, 3, triangles, 1, nullptr, &mesh, &error), JUXTA_OK);
  EXPECT_EQ(juxta_mesh_triangle_count(mesh), 1U);
  EXPECT_FALSE(juxta_mesh_closed(mesh));
  juxta_mesh_free(mesh);
  ASSERT_EQ(juxta_hull_build(points, 0, 3, &hull, &error), JUXTA_OK);
  size_t corners = 0;
  EXPECT_NE(juxta_hull_vertices(hull, &corners), nullptr);
  EXPECT_EQ(corners, 3U);
  juxta_hull_free(hull);

  juxta_shape shape = {};
  shape.kind = JUXTA_HULL;  // without a handle
  const juxta_qvvs at = juxta_default_qvvs();
  EXPECT_EQ(juxta_check_shape(&shape, &at, &error), JUXTA_INVALID_ARGUMENT);
  EXPECT_FALSE(juxta_shape_overlaps(&shape, &at, &shape, &at));
  shape.kind = 77;
  EXPECT_EQ(juxta_check_shape(&shape, &at, &error), JUXTA_INVALID_ARGUMENT);
  shape.kind = JUXTA_SPHERE;
  shape.of.sphere = {{0, 0, 0}, -1};
  EXPECT_EQ(juxta_check_shape(&shape, &at, &error), JUXTA_INVALID_ARGUMENT);
  juxta_shape two[2] = {shape, shape};
  two[0].of.sphere.radius = 1;
  const juxta_qvvs places[2] = {at, at};
  juxta_compound* compound = nullptr;
  EXPECT_EQ(juxta_compound_build(two, places, 2, &compound, &error), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(error.index, 1U);
  juxta_bodies* bodies = nullptr;
  EXPECT_EQ(juxta_bodies_build(two, places, 0, 2, nullptr, nullptr, &bodies, &error), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(error.index, 1U);
  EXPECT_EQ(bodies, nullptr);
}

TEST(CBodies, GiveTheAnswersOfCppOneByOneAndTogether) {
  const Parts parts = make_parts();
  const Shapes shapes(parts);
  scenes::Draws draws(5);
  std::vector<juxta_shape> c_shapes;
  std::vector<Body> cpp_bodies;
  std::vector<Qvvs> places;
  for (std::size_t i = 0; i < 300; ++i) {
    places.push_back(draw_place(draws, 10));
    c_shapes.push_back(shapes.c[i % shapes.c.size()]);
    cpp_bodies.push_back({shapes.cpp[i % shapes.cpp.size()], places.back()});
  }
  const test::LastPage<Qvvs> at_end(places, 56);
  juxta_bodies* c = nullptr;
  juxta_error error;
  ASSERT_EQ(juxta_bodies_build(c_shapes.data(), at_end.as<juxta_qvvs>(), 56, places.size(), nullptr, nullptr,
                               &c, &error),
            JUXTA_OK)
      << error.message;
  Bodies cpp;
  ASSERT_TRUE(cpp.rebuild(cpp_bodies));
  for (Qvvs& place : places) {
    place.position = place.position + Vec3{1, 0, 0};
  }
  ASSERT_EQ(juxta_bodies_refit(c, reinterpret_cast<const juxta_qvvs*>(places.data()), 0, places.size(),
                               nullptr, &error),
            JUXTA_OK);
  ASSERT_TRUE(cpp.refit(places));
  EXPECT_EQ(juxta_bodies_size(c), cpp.size());

  constexpr std::size_t kAsked = 100;
  std::vector<Ray3> rays;
  std::vector<juxta_ray> c_rays;
  std::vector<juxta_shape> asked(kAsked);
  std::vector<BodyCast> casts;
  std::vector<BodyNear> near;
  std::vector<Body> asked_bodies;
  std::vector<Qvvs> from;
  std::vector<Vec3> ways;
  std::vector<float> reach;
  std::vector<std::uint32_t> ignore;
  for (std::size_t i = 0; i < kAsked; ++i) {
    rays.push_back(draw_ray(draws, 12));
    c_rays.push_back(c_ray(rays.back()));
    asked[i] = shapes.c[i % 5];
    from.push_back(draw_place(draws, 10));
    ways.push_back(test::draw_vector(draws, 5));
    reach.push_back(draws.uniform(0, 3));
    casts.push_back({shapes.cpp[i % 5], from[i], ways[i]});
    near.push_back({shapes.cpp[i % 5], from[i], reach[i]});
    asked_bodies.push_back({shapes.cpp[i % 5], from[i]});
    ignore.push_back(static_cast<std::uint32_t>(i));
  }
  juxta_batch_options options = juxta_default_batch_options();
  options.ignore = ignore.data();
  const BatchOptions cpp_options{.ignore = ignore};
  const auto* const c_from = reinterpret_cast<const juxta_qvvs*>(from.data());
  juxta_query_result result;

  std::vector<juxta_surface_hit> hits(kAsked);
  std::vector<BodyRayHit> cpp_hits(kAsked);
  const test::LastPage<juxta_ray> rays_at_end(c_rays, 32);
  ASSERT_EQ(juxta_bodies_raycast_closest_batch(c, rays_at_end.as<juxta_ray>(), 32, kAsked, hits.data(),
                                               &options, nullptr, &result, nullptr),
            JUXTA_OK);
  EXPECT_EQ(cpp.raycast_closest(rays, cpp_hits, cpp_options).value().found, result.found);
  EXPECT_GT(result.found, 10U);
  std::vector<juxta_cast_hit> landings(kAsked);
  std::vector<BodyCastHit> cpp_landings(kAsked);
  ASSERT_EQ(juxta_bodies_cast_closest_batch(c, asked.data(), c_from, &ways[0].x, kAsked, landings.data(),
                                            &options, nullptr, &result, nullptr),
            JUXTA_OK);
  ASSERT_TRUE(cpp.cast_closest(casts, cpp_landings, cpp_options));
  std::vector<juxta_motion> motions(kAsked);
  std::vector<juxta_cast_hit> turning(kAsked);
  std::vector<BodyCastHit> cpp_turning(kAsked);
  for (std::size_t i = 0; i < kAsked; ++i) {
    const Vec3 turn = casts[i].turn = ways[kAsked - 1 - i];
    motions[i] = {c_from[i], {ways[i].x, ways[i].y, ways[i].z}, {turn.x, turn.y, turn.z}, {0, 1, 0}};
    casts[i].pivot = {0, 1, 0};
  }
  ASSERT_EQ(juxta_bodies_cast_turning_batch(c, asked.data(), motions.data(), kAsked, turning.data(), &options,
                                            nullptr, &result, nullptr),
            JUXTA_OK);
  EXPECT_EQ(cpp.cast_closest(casts, cpp_turning, cpp_options).value().found, result.found);
  EXPECT_GT(result.found, 10U);
  EXPECT_EQ(juxta_bodies_cast_turning_batch(c, asked.data(), nullptr, kAsked, turning.data(), &options,
                                            nullptr, &result, nullptr),
            JUXTA_INVALID_ARGUMENT);
  std::vector<juxta_closest_points> distances(kAsked);
  std::vector<BodyDistance> cpp_distances(kAsked);
  ASSERT_EQ(juxta_bodies_nearest_batch(c, asked.data(), c_from, reach.data(), kAsked, distances.data(),
                                       &options, nullptr, &result, nullptr),
            JUXTA_OK);
  ASSERT_TRUE(cpp.nearest(near, cpp_distances, cpp_options));
  for (std::size_t i = 0; i < kAsked; ++i) {
    SCOPED_TRACE(i);
    expect_same(hits[i], cpp_hits[i], cpp_hits[i].body);
    expect_same(landings[i], cpp_landings[i], cpp_landings[i].body);
    expect_same(distances[i], cpp_distances[i], cpp_distances[i].body);
    juxta_query_options one = juxta_default_query_options();
    one.ignore = &ignore[i];
    one.ignore_count = 1;
    const QueryOptions cpp_one{.ignore = {&ignore[i], 1}};
    const BodyRayHit any = cpp.raycast_any(rays[i], cpp_one);
    expect_same(juxta_bodies_raycast_any(c, &c_rays[i], &one), any, any.body);
    expect_same(juxta_bodies_raycast_closest(c, &c_rays[i], &one), cpp_hits[i], cpp_hits[i].body);
    expect_same(juxta_bodies_cast_closest(c, &asked[i], &c_from[i], &ways[i].x, &one), cpp_landings[i],
                cpp_landings[i].body);
    expect_same(turning[i], cpp_turning[i], cpp_turning[i].body);
    expect_same(juxta_bodies_cast_turning(c, &asked[i], &motions[i], &one), cpp_turning[i],
                cpp_turning[i].body);
    expect_same(juxta_bodies_nearest(c, &asked[i], &c_from[i], reach[i], &one), cpp_distances[i],
                cpp_distances[i].body);
    std::vector<juxta_surface_hit> every(20);
    std::vector<BodyRayHit> cpp_every(20);
    const QueryResult surfaces = cpp.raycast_every(rays[i], cpp_every, cpp_one);
    EXPECT_EQ(juxta_bodies_raycast_every(c, &c_rays[i], every.data(), every.size(), &one).found,
              surfaces.found);
    for (std::size_t k = 0; k < surfaces.written; ++k) {
      expect_same(every[k], cpp_every[k], cpp_every[k].body);
    }
    std::vector<std::uint32_t> a(300, 7), b(300, 7);
    EXPECT_EQ(juxta_bodies_find_all(c, &asked[i], &c_from[i], a.data(), a.size(), &one).found,
              cpp.find_all(asked_bodies[i].shape, from[i], b, cpp_one).found);
    EXPECT_EQ(a, b);
  }
  std::vector<Pair> pairs(5000), cpp_pairs(5000);
  ASSERT_EQ(juxta_bodies_find_all_batch(c, asked.data(), c_from, kAsked,
                                        reinterpret_cast<juxta_pair*>(pairs.data()), pairs.size(), &options,
                                        nullptr, &result, nullptr),
            JUXTA_OK);
  EXPECT_EQ(cpp.find_all(asked_bodies, cpp_pairs, cpp_options).value().found, result.found);
  EXPECT_EQ(pairs, cpp_pairs);
  std::vector<juxta_contact> contacts(5000);
  std::vector<Bodies::Contact> cpp_contacts(5000);
  ASSERT_EQ(juxta_bodies_find_contacts(c, 0.1F, contacts.data(), contacts.size(), nullptr, nullptr, &result,
                                       nullptr),
            JUXTA_OK);
  ASSERT_EQ(cpp.find_contacts(0.1F, cpp_contacts).value().found, result.found);
  EXPECT_GT(result.written, 10U);
  for (std::size_t i = 0; i < result.written; ++i) {
    EXPECT_EQ(contacts[i].a, cpp_contacts[i].a);
    EXPECT_EQ(contacts[i].b, cpp_contacts[i].b);
    expect_same(contacts[i].manifold, cpp_contacts[i].manifold);
  }
  std::vector<juxta_named_contact> named(5000);
  const auto even = [](std::uint32_t a, std::uint32_t b, void* counter) {
    *static_cast<std::atomic<int>*>(counter) += 1;
    return (a + b) % 2 == 0;
  };
  std::atomic<int> calls{0};
  ASSERT_EQ(juxta_bodies_find_named_contacts(c, 0.1F, named.data(), named.size(), nullptr, even, &calls,
                                             nullptr, &result, nullptr),
            JUXTA_OK);
  const auto chosen = [](std::uint32_t a, std::uint32_t b) { return (a + b) % 2 == 0; };
  ASSERT_EQ(cpp.find_contacts(0.1F, cpp_contacts, {.accept = chosen}).value().found, result.found);
  EXPECT_GT(calls, 10);
  EXPECT_GT(result.written, 5U);
  for (std::size_t i = 0; i < result.written; ++i) {
    ASSERT_EQ(named[i].a, cpp_contacts[i].a);
    ASSERT_EQ(named[i].manifold.count, cpp_contacts[i].manifold.count);
    ASSERT_EQ(named[i].manifold.points[0].feature, cpp_contacts[i].manifold.points[0].feature);
    ASSERT_EQ(named[i].manifold.points[0].distance, cpp_contacts[i].manifold.points[0].distance);
    ASSERT_EQ(named[i].manifold.part_b.triangle, cpp_contacts[i].manifold.part_b.triangle);
  }
  std::vector<std::uint32_t> continues(4 * result.written, 0), cpp_continues(4 * result.written, 1);
  ASSERT_EQ(juxta_match_contacts(named.data() + 1, result.written - 1, named.data(), result.written, 0.1F,
                                 continues.data(), nullptr),
            JUXTA_OK);
  ASSERT_TRUE(match_contacts(std::span(cpp_contacts).subspan(1, result.written - 1),
                             std::span(cpp_contacts).first(result.written), 0.1F, cpp_continues));
  EXPECT_EQ(continues, cpp_continues);
  juxta_error refused;
  EXPECT_EQ(juxta_match_contacts(nullptr, 1, named.data(), 1, 0, continues.data(), &refused),
            JUXTA_INVALID_ARGUMENT);
  juxta_bodies_free(c);
}

}  // namespace
}  // namespace juxta
