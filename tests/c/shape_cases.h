// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Shapes of every kind in C and in C++, and whether two answers are the same.
#pragma once

#include <gtest/gtest.h>
#include <juxta.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "c/last_page.h"
#include "juxta/layer/pair.h"
#include "juxta/shape/parts.h"
#include "juxta/shape/query.h"
#include "transform/draw_transforms.h"

namespace juxta::c_test {

/// Handles of everything that shapes borrow, from C and from C++.
struct Parts {
  ConvexHull hull;
  TriangleMesh mesh;
  HeightField field;
  juxta_hull* c_hull = nullptr;
  juxta_mesh* c_mesh = nullptr;
  juxta_height_field* c_field = nullptr;
  juxta_compound* c_compound = nullptr;
  std::vector<Compound> compound;

  Parts(const std::vector<Vec3>& points, const std::vector<std::array<std::uint32_t, 3>>& triangles,
        const std::vector<float>& heights)
      : hull(ConvexHull::build(points).value()),
        mesh(TriangleMesh::build(points, triangles).value()),
        field(HeightField::build(4, 4, 0.5F, heights).value()) {
    const test::LastPage<Vec3> at_end(points, 20);
    const test::LastPage<std::array<std::uint32_t, 3>> corners(triangles);
    const test::LastPage<float> c_heights(heights);
    EXPECT_EQ(juxta_hull_build(at_end.as<float>(), 20, points.size(), &c_hull, nullptr), JUXTA_OK);
    EXPECT_EQ(juxta_mesh_build(at_end.as<float>(), 20, points.size(), corners.as<std::uint32_t>(),
                               triangles.size(), nullptr, &c_mesh, nullptr),
              JUXTA_OK);
    EXPECT_EQ(juxta_height_field_build(4, 4, 0.5F, c_heights.as<float>(), &c_field, nullptr), JUXTA_OK);
    juxta_shape parts[2] = {};
    parts[0].kind = JUXTA_SPHERE;
    parts[0].of.sphere.radius = 0.5F;
    parts[1].kind = JUXTA_HULL;
    parts[1].of.hull = c_hull;
    juxta_qvvs at[2] = {juxta_default_qvvs(), juxta_default_qvvs()};
    at[1].position[0] = 1;
    EXPECT_EQ(juxta_compound_build(parts, at, 2, &c_compound, nullptr), JUXTA_OK);
    Qvvs moved;
    moved.position = {1, 0, 0};
    const Compound::Part cpp_parts[] = {{Sphere{{}, 0.5F}, {}}, {hull, moved}};
    compound.push_back(Compound::build(cpp_parts).value());
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
  ~Parts() {
    juxta_compound_free(c_compound);
    juxta_height_field_free(c_field);
    juxta_mesh_free(c_mesh);
    juxta_hull_free(c_hull);
  }
};

inline Parts make_parts() {
  return {{{-1, -1, -1}, {1, -1, -1}, {0, 1, -1}, {0, 0, 1}},
          {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}},
          {0, 0.1F, 0, 0, 0, 0.3F, 0.2F, 0, 0, 0, NAN, 0, 0, 0, 0, 0}};
}

/// Every kind of shape, from C and from C++.
struct Shapes {
  std::vector<juxta_shape> c;
  std::vector<Shape> cpp;

  explicit Shapes(const Parts& parts) {
    cpp = {Sphere{{0.1F, 0, 0}, 0.7F},
           Capsule{{0, 0, 0}, {1, 0, 0}, 0.3F},
           Box{{0, 0.2F, 0}, {}, {0.5F, 1, 0.2F}},
           Triangle{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
           parts.hull,
           parts.mesh,
           parts.compound[0],
           parts.field};
    c.resize(cpp.size());
    for (std::size_t i = 0; i < c.size(); ++i) {
      c[i].kind = static_cast<std::uint32_t>(i);
    }
    c[0].of.sphere = {{0.1F, 0, 0}, 0.7F};
    c[1].of.capsule = {{0, 0, 0}, {1, 0, 0}, 0.3F};
    c[2].of.box = {{0, 0.2F, 0}, {0, 0, 0, 1}, {0.5F, 1, 0.2F}};
    c[3].of.triangle = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    c[4].of.hull = parts.c_hull;
    c[5].of.mesh = parts.c_mesh;
    c[6].of.compound = parts.c_compound;
    c[7].of.height_field = parts.c_field;
  }
};

inline juxta_qvvs c_place(const Qvvs& at) {
  juxta_qvvs made;
  std::memcpy(&made, &at, sizeof(made));
  return made;
}

inline Vec3 vec(const float* v) {
  return {v[0], v[1], v[2]};
}

inline void expect_same(const juxta_surface_hit& c, const SurfaceHit& cpp, std::uint32_t body = kNoBody) {
  EXPECT_EQ(c.hit, cpp.hit);
  EXPECT_EQ(c.t, cpp.t);
  EXPECT_EQ(vec(c.point), cpp.point);
  EXPECT_EQ(vec(c.normal), cpp.normal);
  EXPECT_EQ((PartId{c.part.part, c.part.triangle}), cpp.part);
  EXPECT_EQ(c.body, body);
}
inline void expect_same(const juxta_cast_hit& c, const CastHit& cpp, std::uint32_t body = kNoBody) {
  EXPECT_EQ(c.hit, cpp.hit);
  EXPECT_EQ(c.t, cpp.t);
  EXPECT_EQ(vec(c.point), cpp.point);
  EXPECT_EQ(vec(c.normal), cpp.normal);
  EXPECT_EQ((PartId{c.part.part, c.part.triangle}), cpp.part);
  EXPECT_EQ(c.distance, cpp.distance);
  EXPECT_EQ(c.body, body);
}
inline void expect_same(const juxta_closest_points& c, const ClosestPoints& cpp,
                        std::uint32_t body = kNoBody) {
  EXPECT_EQ(c.found, cpp.found);
  EXPECT_EQ(c.distance, cpp.distance);
  EXPECT_EQ(vec(c.on_a), cpp.on_a);
  EXPECT_EQ(vec(c.on_b), cpp.on_b);
  EXPECT_EQ(vec(c.normal), cpp.normal);
  EXPECT_EQ((PartId{c.part_a.part, c.part_a.triangle}), cpp.part_a);
  EXPECT_EQ((PartId{c.part_b.part, c.part_b.triangle}), cpp.part_b);
  EXPECT_EQ(c.body, body);
}
inline void expect_same(const juxta_manifold& c, const Manifold& cpp) {
  ASSERT_EQ(c.count, cpp.count);
  EXPECT_EQ(vec(c.normal), cpp.normal);
  for (std::uint32_t i = 0; i < c.count; ++i) {
    EXPECT_EQ(vec(c.points[i].point), cpp.points[i].point);
    EXPECT_EQ(c.points[i].distance, cpp.points[i].distance);
  }
}

inline void expect_same(const juxta_named_manifold& c, const Manifold& cpp) {
  ASSERT_EQ(c.count, cpp.count);
  EXPECT_EQ(vec(c.normal), cpp.normal);
  for (std::uint32_t i = 0; i < c.count; ++i) {
    EXPECT_EQ(vec(c.points[i].point), cpp.points[i].point);
    EXPECT_EQ(c.points[i].distance, cpp.points[i].distance);
    EXPECT_EQ(c.points[i].feature, cpp.points[i].feature);
  }
  EXPECT_EQ((PartId{c.part_a.part, c.part_a.triangle}), cpp.part_a);
  EXPECT_EQ((PartId{c.part_b.part, c.part_b.triangle}), cpp.part_b);
}

inline Qvvs draw_place(scenes::Draws& draws, float reach) {
  return {test::draw_rotation(draws), test::draw_vector(draws, reach), 0, {1, 1, 1}, draws.uniform(0.5F, 2)};
}

inline Ray3 draw_ray(scenes::Draws& draws, float reach) {
  return {test::draw_vector(draws, reach), test::draw_vector(draws, 1), 100};
}
inline juxta_ray c_ray(const Ray3& ray) {
  juxta_ray made;
  std::memcpy(&made, &ray, sizeof(made));
  return made;
}

}  // namespace juxta::c_test
