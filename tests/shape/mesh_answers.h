// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Two meshes of the same triangles, whatever their trees are, answer with the same bits.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/shape/parts.h"
#include "juxta/shape/query.h"
#include "scenes/draws.h"
#include "shape/triangle_meshes.h"

namespace juxta::test {

template <class T>
[[nodiscard]] bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}
[[nodiscard]] inline bool same_answer(const SurfaceHit& a, const SurfaceHit& b) {
  return a.hit == b.hit && same_bits(a.t, b.t) && same_bits(a.point, b.point) &&
         same_bits(a.normal, b.normal) && a.part.triangle == b.part.triangle;
}
[[nodiscard]] inline bool same_answer(const CastHit& a, const CastHit& b) {
  return a.hit == b.hit && same_bits(a.t, b.t) && same_bits(a.point, b.point) &&
         same_bits(a.normal, b.normal) && same_bits(a.distance, b.distance) &&
         a.part.triangle == b.part.triangle;
}
[[nodiscard]] inline bool same_answer(const ClosestPoints& a, const ClosestPoints& b) {
  return a.found == b.found && same_bits(a.distance, b.distance) && same_bits(a.on_a, b.on_a) &&
         same_bits(a.on_b, b.on_b) && same_bits(a.normal, b.normal) && a.part_a.triangle == b.part_a.triangle;
}

[[nodiscard]] inline bool same_contacts(const Shape& shape, const Qvvs& place, const TriangleMesh& a,
                                        const TriangleMesh& b) {
  std::array<Manifold, 16> of_a, of_b;
  const std::size_t count = contacts(shape, place, a, {}, 0.1F, of_a).written;
  bool same = contacts(shape, place, b, {}, 0.1F, of_b).written == count;
  for (std::size_t i = 0; same && i < count; ++i) {
    same = of_a[i].count == of_b[i].count && same_bits(of_a[i].normal, of_b[i].normal);
    for (std::uint32_t j = 0; same && j < of_a[i].count; ++j) {
      same = same_bits(of_a[i].points[j].point, of_b[i].points[j].point) &&
             same_bits(of_a[i].points[j].distance, of_b[i].points[j].distance) &&
             of_a[i].points[j].feature == of_b[i].points[j].feature;
    }
  }
  return same;
}

/// Rays one by one and many, casts, distances, containment, the mesh itself. `soup` says where to ask.
inline void expect_same_answers(const TriangleMesh& a, const TriangleMesh& b, const Soup& soup,
                                std::size_t questions = 150) {
  ASSERT_EQ(a.triangle_count(), b.triangle_count());
  ASSERT_EQ(a.vertex_count(), b.vertex_count());
  EXPECT_EQ(a.bounds(), b.bounds());
  EXPECT_EQ(a.closed(), b.closed());
  for (std::uint32_t i = 0; i < a.triangle_count(); ++i) {
    ASSERT_TRUE(same_bits(a.triangle(i), b.triangle(i))) << i;
  }
  if (soup.triangles.empty()) {
    return;
  }
  scenes::Draws draws(questions);
  Qvvs at;
  at.position = {0.25F, -1, 3};
  at.scale = 1.5F;
  const std::vector<Ray3> rays = make_rays(soup, questions, draws);
  std::vector<SurfaceHit> many_a(rays.size()), many_b(rays.size());
  ASSERT_TRUE(raycast(a, {}, rays, many_a));
  ASSERT_TRUE(raycast(b, {}, rays, many_b));
  std::size_t hits = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const SurfaceHit one = raycast(a, {}, rays[i]);
    ASSERT_TRUE(same_answer(one, raycast(b, {}, rays[i]))) << "ray " << i;
    ASSERT_TRUE(same_answer(one, many_b[i])) << "ray " << i << " of many";
    ASSERT_TRUE(same_answer(one, many_a[i])) << "ray " << i << " of many";
    ASSERT_EQ(raycast_any(b, {}, rays[i]), one.hit) << "ray " << i;
    ASSERT_TRUE(same_answer(raycast(a, at, rays[i]), raycast(b, at, rays[i]))) << "ray " << i;
    hits += one.hit ? 1U : 0U;
  }
  EXPECT_GT(hits, 0U);
  for (std::size_t i = 0; i < questions / 3; ++i) {
    Qvvs place;
    place.position = {draws.uniform(-2, 2), draws.uniform(-2, 2), draws.uniform(-2, 2)};
    const Capsule capsule{{0, -0.1F, 0}, {0, 0.1F, 0}, 0.05F};
    ASSERT_TRUE(same_answer(closest(a, {}, capsule, place), closest(b, {}, capsule, place))) << i;
    const Vec3 way{draws.uniform(-3, 3), draws.uniform(-3, 3), draws.uniform(-3, 3)};
    ASSERT_TRUE(same_answer(cast(capsule, place, way, a, {}), cast(capsule, place, way, b, {}))) << i;
    const Motion motion{.from = place,
                        .way = way,
                        .turn = {draws.uniform(-3, 3), draws.uniform(-3, 3), draws.uniform(-3, 3)},
                        .pivot = {0, draws.uniform(-1, 1), 0}};
    ASSERT_TRUE(same_answer(cast(capsule, motion, a, {}), cast(capsule, motion, b, {}))) << "turning " << i;
    ASSERT_TRUE(same_contacts(capsule, place, a, b)) << i;
    ASSERT_EQ(contains(a, {}, place.position), contains(b, {}, place.position)) << i;
    ASSERT_EQ(overlaps(a, {}, capsule, place), overlaps(b, {}, capsule, place)) << i;
  }
}

}  // namespace juxta::test
