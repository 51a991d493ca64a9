// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// All contacts of a layer of bodies against asking each pair.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <limits>

#include "juxta/core/workspace.h"
#include "juxta/shape/bodies.h"
#include "shape/bodies_world.h"
#include "support/code_of.h"
#include "support/executors.h"

namespace juxta {
namespace {

using test::BodiesWorld;
using test::built;
using test::kNan;

bool same_contact(const Bodies::Contact& a, const Bodies::Contact& b) {
  bool same = a.a == b.a && a.b == b.b && a.manifold.count == b.manifold.count &&
              a.manifold.normal == b.manifold.normal && a.manifold.part_a == b.manifold.part_a &&
              a.manifold.part_b == b.manifold.part_b;
  for (std::size_t i = 0; same && i < a.manifold.count; ++i) {
    same = a.manifold.points[i].point == b.manifold.points[i].point &&
           a.manifold.points[i].distance == b.manifold.points[i].distance &&
           a.manifold.points[i].feature == b.manifold.points[i].feature;
  }
  return same;
}

std::vector<Bodies::Contact> contacts_of_all(const BodiesWorld& world, float margin) {
  std::vector<Bodies::Contact> all;
  for (std::uint32_t a = 0; a < world.bodies.size(); ++a) {
    for (std::uint32_t b = a + 1; b < world.bodies.size(); ++b) {
      if (!world.filters.empty() && !world.filters[a].meets(world.filters[b])) {
        continue;
      }
      const Body &one = world.bodies[a], &other = world.bodies[b];
      std::array<Manifold, kMostManifolds> found;
      const QueryResult some = contacts(one.shape, one.at, other.shape, other.at, margin, found);
      for (std::size_t i = 0; i < some.written; ++i) {
        all.push_back({a, b, found[i]});
      }
    }
  }
  return all;
}

// The infinities that pad the last block of a tree must not come near anything.
TEST(BodiesContacts, AnInfiniteMarginFindsAllPairs) {
  for (const std::size_t count : {1U, 3U, 16U, 17U, 50U}) {
    const BodiesWorld world(count, 23, false);
    const Bodies bodies = built(world, nullptr);
    for (const float margin : {1e30F, 3e38F, std::numeric_limits<float>::infinity()}) {
      SCOPED_TRACE(margin);
      EXPECT_EQ(bodies.find_contacts(margin, {})->found, contacts_of_all(world, margin).size());
    }
  }
}

TEST(BodiesContacts, EqualAskingEachPair) {
  for (const bool filtered : {false, true}) {
    const BodiesWorld world(400, 21, filtered);
    for (const float margin : {0.0F, 0.25F}) {
      SCOPED_TRACE(margin);
      const auto right = contacts_of_all(world, margin);
      ASSERT_GT(right.size(), 10U);
      test::for_each_executor([&](const Executor* executor) {
        const Bodies bodies = built(world, executor);
        Workspace workspace;
        for (const std::size_t room : {right.size(), right.size() / 3}) {
          std::vector<Bodies::Contact> out(room);
          const QueryResult result =
              bodies.find_contacts(margin, out, {}, {.executor = executor, .workspace = &workspace}).value();
          ASSERT_EQ(result.found, right.size());
          ASSERT_EQ(result.written, room);
          ASSERT_TRUE(std::equal(out.begin(), out.end(), right.begin(), same_contact));
        }
      });
    }
  }
}

TEST(BodiesContacts, OfChosenBodies) {
  const BodiesWorld world(300, 22, false);
  const Bodies bodies = built(world);
  std::vector<std::uint8_t> only(world.bodies.size());
  for (std::size_t i = 0; i < only.size(); ++i) {
    only[i] = i % 3 != 0 ? 1 : 0;
  }
  FindContactsOptions options;
  options.only = only;
  Workspace workspace;
  for (const float margin : {0.0F, 0.3F}) {
    auto right = contacts_of_all(world, margin);
    std::erase_if(right, [&](const Bodies::Contact& c) { return only[c.a] == 0 || only[c.b] == 0; });
    std::vector<Bodies::Contact> out(right.size() + 1);
    ASSERT_EQ(bodies.find_contacts(margin, out, options, {.workspace = &workspace})->found, right.size());
    ASSERT_TRUE(std::equal(right.begin(), right.end(), out.begin(), same_contact));
  }
  only.pop_back();  // no longer one for each body
  options.only = only;
  std::vector<Bodies::Contact> none(10);
  const auto refused = bodies.find_contacts(0.3F, none, options, {.workspace = &workspace});
  ASSERT_FALSE(refused);
  EXPECT_EQ(test::code_of(refused), ErrorCode::kInvalidArgument);
  EXPECT_EQ(bodies.find_contacts(kNan, {}, {}, {.workspace = &workspace})->found, 0U);
  EXPECT_EQ(bodies.find_contacts(-1, {}, {}, {.workspace = &workspace})->found, 0U);
}

TEST(BodiesContacts, OfAcceptedPairs) {
  const BodiesWorld world(300, 22, true);
  auto right = contacts_of_all(world, 0.3F);
  const auto odd = [](std::uint32_t a, std::uint32_t b) { return (a + b) % 2 == 1; };
  std::erase_if(right, [&](const Bodies::Contact& c) { return !odd(c.a, c.b); });
  ASSERT_GT(right.size(), 10U);
  test::for_each_executor([&](const Executor* executor) {
    const Bodies bodies = built(world, executor);
    std::atomic<std::size_t> asked{0}, wrong{0};
    const auto accept = [&](std::uint32_t a, std::uint32_t b) {
      ++asked;
      wrong += a < b && world.filters[a].meets(world.filters[b]) ? 0 : 1;  // after filters
      return odd(a, b);
    };
    Workspace workspace;
    std::vector<Bodies::Contact> out(right.size() + 1);
    const QueryResult found =
        bodies.find_contacts(0.3F, out, {.accept = accept}, {.executor = executor, .workspace = &workspace})
            .value();
    ASSERT_EQ(found.found, right.size());
    ASSERT_TRUE(std::equal(right.begin(), right.end(), out.begin(), same_contact));
    EXPECT_GT(asked, right.size());
    EXPECT_EQ(wrong, 0U);
  });
}

}  // namespace
}  // namespace juxta
