// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A literal hash of what a layer of bodies answers: one for every compiler, optimisation, instruction set and
// executor.
#include <gtest/gtest.h>

#include "juxta/core/workspace.h"
#include "juxta/shape/bodies.h"
#include "scenes/bodies.h"
#include "support/each_isa.h"
#include "support/executors.h"
#include "support/fnv.h"

namespace juxta {
namespace {

class Hash {
 public:
  template <class T>
  void add(const T& value) {
    value_ = test::fnv(std::span<const T>(&value, 1), value_);
  }
  void add(const Vec3& v) {
    add(v.x);
    add(v.y);
    add(v.z);
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = test::fnv(std::span<const char>());
};

void add_queries(Hash& hash, const scenes::BodyWorld& world, const Bodies& bodies) {
  for (const Ray3& ray : scenes::make_body_rays(world, bodies, 300, 8)) {
    const BodyRayHit hit = bodies.raycast_closest(ray);
    hash.add(hit.body);
    hash.add(hit.t);
    hash.add(hit.normal);
    hash.add(bodies.raycast_any(ray).body);
  }
  for (const BodyCast& asked : scenes::make_body_casts(world, bodies, 300, 9)) {
    const BodyCastHit hit = bodies.cast_closest(asked.shape, asked.from, asked.way);
    hash.add(hit.body);
    hash.add(hit.t);
    hash.add(hit.point);
    const BodyDistance near = bodies.nearest(asked.shape, asked.from, 5);
    hash.add(near.body);
    hash.add(near.distance);
    hash.add(near.on_b);
  }
}

void add_contacts(Hash& hash, const Bodies& bodies, const Executor* executor) {
  Workspace workspace;
  std::vector<Bodies::Contact> contacts(
      bodies.find_contacts(0.1F, {}, {}, {.executor = executor, .workspace = &workspace})->found);
  (void)bodies.find_contacts(0.1F, contacts, {}, {.executor = executor, .workspace = &workspace});
  for (const Bodies::Contact& contact : contacts) {
    hash.add(contact.a);
    hash.add(contact.b);
    hash.add(contact.manifold.normal);
    for (std::uint32_t i = 0; i < contact.manifold.count; ++i) {
      hash.add(contact.manifold.points[i].point);
      hash.add(contact.manifold.points[i].distance);
      hash.add(contact.manifold.points[i].feature);
    }
  }
}

std::uint64_t answers_hash(const Executor* executor) {
  const scenes::BodyWorld world = scenes::make_bodies(3000, 7);
  Hash hash;
  Bodies bodies;
  EXPECT_TRUE(bodies.rebuild(world.bodies, {}, {.executor = executor}));
  add_queries(hash, world, bodies);
  add_contacts(hash, bodies, executor);
  return hash.value();
}

constexpr std::uint64_t kAnswersHash = 15462517494669655000U;

TEST(BodiesGolden, AnswersAreTheSameEverywhere) {
  test::for_each_isa([](Isa) { EXPECT_EQ(answers_hash(nullptr), kAnswersHash); });
  test::for_each_executor([](const Executor* executor) { EXPECT_EQ(answers_hash(executor), kAnswersHash); });
}

}  // namespace
}  // namespace juxta
