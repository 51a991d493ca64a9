// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Literal hashes of answers, one against one and among bodies: one for every compiler, optimisation,
// instruction set and executor.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "juxta/core/workspace.h"
#include "juxta/shape/bodies.h"
#include "juxta/shape/query.h"
#include "shape/random_shapes.h"
#include "support/each_isa.h"
#include "support/executors.h"
#include "support/fnv.h"

namespace juxta::test {
namespace {

/// Folds results into one number, value by value: structs have padding.
class Hash {
 public:
  void add(float x) {
    const float value = x + 0.0F;  // -0 and 0 are the same answer
    value_ = fnv(std::span<const float>(&value, 1), value_);
  }
  void add(std::uint32_t x) { value_ = fnv(std::span<const std::uint32_t>(&x, 1), value_); }
  void add(bool x) { add(x ? 1U : 0U); }
  void add(const Vec3& v) {
    add(v.x);
    add(v.y);
    add(v.z);
  }
  void add(const PartId& part) {
    add(part.part);
    add(part.triangle);
  }
  void add(const SurfaceHit& hit) {
    add(hit.hit);
    add(hit.t);
    add(hit.point);
    add(hit.normal);
    add(hit.part);
  }
  void add(const CastHit& hit) {
    add(hit.hit);
    add(hit.t);
    add(hit.point);
    add(hit.normal);
    add(hit.part);
  }
  void add(const ClosestPoints& near) {
    add(near.found);
    add(near.distance);
    add(near.on_a);
    add(near.on_b);
    add(near.normal);
    add(near.part_a);
    add(near.part_b);
  }
  void add(const Manifold& manifold) {
    add(manifold.normal);
    add(manifold.count);
    for (std::uint32_t i = 0; i < manifold.count; ++i) {
      add(manifold.points[i].point);
      add(manifold.points[i].distance);
    }
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = fnv(std::span<const char>());
};

Ray3 ray_of(const Vec3& from, const Vec3& way) {
  return {{from.x, from.y, from.z}, {way.x, way.y, way.z}};
}

TEST(ShapeGolden, ConvexPairs) {
  for_each_isa([](Isa) {
    RandomShapes random(42);
    Hash hash;
    for (std::uint32_t i = 0; i < 3000; ++i) {
      const float size = random.size();
      Placed a = random.shape(size), b = random.shape(size * random.between(0.25F, 4));
      random.pose(a, b, static_cast<Pose>(i % kPoses), i % 3 == 0);
      const Vec3 way = b.at.position - a.at.position + random.inside() * size;
      const ClosestPoints near = closest(a.shape, a.at, b.shape, b.at);
      hash.add(near);
      hash.add(overlaps(a.shape, a.at, b.shape, b.at));
      hash.add(cast(a.shape, a.at, way, b.shape, b.at));
      hash.add(raycast(b.shape, b.at, ray_of(a.at.position, way)));
      hash.add(contact(a.shape, a.at, b.shape, b.at, std::abs(near.distance) + size * 0.01F));
      hash.add(contains(b.shape, b.at, a.at.position));
      const MassProperties mass = mass_of(a.shape, a.at);
      hash.add(static_cast<float>(mass.volume));
      hash.add(mass.center);
    }
    EXPECT_EQ(hash.value(), 6358926295837962073U);
  });
}

/// A mesh and a height field of bumps, 32 x 32 squares.
struct Ground {
  static constexpr std::uint32_t kSide = 33;
  std::vector<float> heights;
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;

  Ground() {
    scenes::Draws draws(3);
    for (std::uint32_t i = 0; i < kSide * kSide; ++i) {
      heights.push_back(draws.uniform(-1, 1));
      vertices.push_back({static_cast<float>(i % kSide), heights.back(), static_cast<float>(i / kSide)});
    }
    for (std::uint32_t z = 0; z + 1 < kSide; ++z) {
      for (std::uint32_t x = 0; x + 1 < kSide; ++x) {
        const std::uint32_t i = z * kSide + x;
        triangles.push_back({i, i + kSide + 1, i + 1});
        triangles.push_back({i, i + kSide, i + kSide + 1});
      }
    }
  }
};

TEST(ShapeGolden, Surfaces) {
  const Ground ground;
  for_each_isa([&](Isa) {
    Hash first;
    for_each_executor([&](const Executor* executor) {
      const TriangleMesh mesh =
          TriangleMesh::build(ground.vertices, ground.triangles, {.executor = executor}).value();
      const HeightField field = HeightField::build(Ground::kSide, Ground::kSide, 1, ground.heights).value();
      RandomShapes random(7);
      Hash hash;
      for (int i = 0; i < 300; ++i) {
        Placed moving = random.shape(random.between(0.1F, 2));
        moving.at.position = {random.between(0, 32), random.between(-3, 6), random.between(0, 32)};
        Qvvs at;
        at.rotation = random.rotation();
        const Vec3 way{random.between(-9, 9), random.between(-9, 0), random.between(-9, 9)};
        for (const Shape& surface : {Shape(mesh), Shape(field)}) {
          for (const Qvvs& place : {Qvvs{}, at}) {
            hash.add(raycast(surface, place, ray_of(moving.at.position, way)));
            hash.add(closest(moving.shape, moving.at, surface, place, 4));
            hash.add(cast(moving.shape, moving.at, way, surface, place));
          }
        }
      }
      if (executor == nullptr) {
        first = hash;
      }
      EXPECT_EQ(hash.value(), first.value());
    });
    EXPECT_EQ(first.value(), 771451552579311313U);
  });
}

TEST(ShapeGolden, Bodies) {
  RandomShapes random(11);
  std::vector<Body> all;
  for (int i = 0; i < 4000; ++i) {
    Placed placed = random.shape(random.between(0.2F, 2));
    placed.at.position = random.inside() * 40;
    all.push_back({placed.shape, placed.at});
  }
  std::vector<Ray3> rays;
  for (int i = 0; i < 500; ++i) {
    const Vec3 from = random.inside() * 40;
    rays.push_back(ray_of(from, random.inside()));
  }
  for_each_isa([&](Isa) {
    Hash first;
    for_each_executor([&](const Executor* executor) {
      Hash hash;
      Bodies bodies;
      ASSERT_TRUE(bodies.rebuild(all, {}, {.executor = executor}));
      Workspace workspace;
      std::vector<BodyRayHit> hits(rays.size());
      ASSERT_TRUE(bodies.raycast_closest(rays, hits, {}, {.executor = executor, .workspace = &workspace}));
      for (std::size_t i = 0; i < rays.size(); ++i) {
        hash.add(hits[i]);
        hash.add(hits[i].body);
        const Body& asking = all[i];
        const auto self = static_cast<std::uint32_t>(i);
        const QueryOptions query{.filter = {}, .ignore = std::span(&self, 1)};
        const BodyDistance near = bodies.nearest(asking.shape, asking.at, 3, query);
        hash.add(near);
        hash.add(near.body);
        const BodyCastHit hit = bodies.cast_closest(asking.shape, asking.at, {3, -2, 1}, query);
        hash.add(hit);
        hash.add(hit.body);
      }
      std::vector<Bodies::Contact> contacts(20000);
      const QueryResult found =
          bodies.find_contacts(0.05F, contacts, {}, {.executor = executor, .workspace = &workspace}).value();
      ASSERT_LE(found.found, contacts.size());
      for (std::size_t i = 0; i < found.found; ++i) {
        hash.add(contacts[i].a);
        hash.add(contacts[i].b);
        hash.add(contacts[i].manifold);
      }
      if (executor == nullptr) {
        first = hash;
      }
      EXPECT_EQ(hash.value(), first.value());
    });
    EXPECT_EQ(first.value(), 16553515314710522604U);
  });
}

}  // namespace
}  // namespace juxta::test
