// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Roots, what is below a node, copies of it, and instances with contexts of their own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "juxta/transform/hierarchy.h"
#include "scenes/draws.h"
#include "support/code_of.h"
#include "support/saved_bytes.h"
#include "transform/values.h"

namespace juxta {
namespace {

std::vector<Id> below(const Hierarchy& world, Id id) {
  std::vector<Id> ids;
  EXPECT_TRUE(world.for_each_below(id, [&](Id one) { ids.push_back(one); }));
  return ids;
}

TEST(TransformSubtree, RootsAndWhatIsBelow) {
  for (const test::Tree tree : test::kTrees) {
    SCOPED_TRACE(static_cast<int>(tree));
    scenes::Draws draws(3);
    const auto nodes = test::draw_tree(draws, tree, 3000, test::Flags::kNone, false);
    std::vector<Id> ids(nodes.size());
    Hierarchy world;
    ASSERT_TRUE(world.insert(nodes, ids));
    for (int i = 0; i < 500; ++i) {  // links: some across tiles
      (void)world.reparent(ids[draws.below(3000)], ids[draws.below(3000)]);
    }
    std::vector<std::uint32_t> index(world.slot_count());
    for (std::uint32_t i = 0; i < ids.size(); ++i) {
      index[ids[i].slot] = i;
    }
    std::vector<Id> root(ids.size());
    std::vector<std::size_t> size(ids.size(), 0);
    for (std::uint32_t i = 0; i < ids.size(); ++i) {
      Id at = ids[i];
      for (Id up = world.parent(at).value(); up != Id{}; up = world.parent(at).value()) {
        at = up;
        ++size[index[at.slot]];
      }
      root[i] = at;
      ASSERT_EQ(world.root_of(ids[i]).value(), at);
    }
    for (std::uint32_t i = 0; i < ids.size(); i += 7) {
      const auto found = below(world, ids[i]);
      ASSERT_EQ(found.size(), size[i]);
      std::map<std::uint32_t, std::size_t> place{{ids[i].slot, 0}};
      std::size_t last = 0;
      for (std::size_t j = 0; j < found.size(); ++j) {  // breadth first: parents in order, all before
        const auto parent = place.find(world.parent(found[j]).value().slot);
        ASSERT_TRUE(parent != place.end());
        ASSERT_GE(parent->second, last);
        last = parent->second;
        ASSERT_TRUE(place.emplace(found[j].slot, j + 1).second);
      }
    }
  }
}

TEST(TransformSubtree, ACopyIsWhereItsSourceIs) {
  scenes::Draws draws(4);
  const auto nodes = test::draw_tree(draws, test::Tree::kRandom, 2500, test::Flags::kNone, true);
  std::vector<Id> ids(nodes.size());
  Hierarchy world;
  ASSERT_TRUE(world.insert(nodes, ids));
  ASSERT_TRUE(world.propagate());
  std::vector<Id> sources{ids[0]}, copies;
  const auto rest = below(world, ids[0]);
  sources.insert(sources.end(), rest.begin(), rest.end());
  const Id top = world
                     .copy(ids[0], {},
                           [&](Id source, Id copy) {
                             ASSERT_LT(copies.size(), sources.size());
                             EXPECT_EQ(source, sources[copies.size()]);
                             copies.push_back(copy);
                           })
                     .value();
  ASSERT_EQ(copies.size(), nodes.size());
  EXPECT_EQ(copies[0], top);
  ASSERT_TRUE(world.propagate());
  std::map<std::uint32_t, Id> copy_of;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    copy_of[sources[i].slot] = copies[i];
  }
  for (std::size_t i = 0; i < copies.size(); ++i) {
    EXPECT_EQ(world.world(copies[i]).value(), world.world(sources[i]).value());  // bit for bit
    const Id parent = world.parent(sources[i]).value();
    EXPECT_EQ(world.parent(copies[i]).value(), parent == Id{} ? Id{} : copy_of.at(parent.slot));
  }
}

TEST(TransformSubtree, ACopyMayGoBelowItsSource) {
  Hierarchy world;
  const Id a = world.insert({{}, {1, 0, 0}, 1}).value(), b = world.insert({{}, {0, 1, 0}, 1}, a).value();
  const Id copy = world.copy(a, b).value();
  EXPECT_EQ(world.size(), 4u);
  EXPECT_EQ(world.parent(copy).value(), b);
  EXPECT_EQ(world.world(copy)->position, (Vec3{2, 1, 0}));
  EXPECT_EQ(below(world, copy).size(), 1u);
  EXPECT_EQ(below(world, a).size(), 3u);
}

TEST(TransformSubtree, ACopyKeepsFlagsStretchAndContext) {
  Hierarchy world;
  const Id a = world.insert({}, {}, {.stretch = {1, 2, 3}, .context = 7}).value();
  const Id held = world.insert({{}, {0, 5, 0}, 1}, a, {.context = 8, .inherit = Inherit::kWorldY}).value();
  const Id user = world.insert({}, a, {.context = 9, .inherit = Inherit::kUserWorld}).value();
  ASSERT_TRUE(world.propagate());
  ASSERT_TRUE(world.set_position(a, {3, 100, 0}));
  ASSERT_TRUE(world.set_world(user, {{}, {1, 1, 1}, 9, {1, 1, 1}, 1}));
  const Qvvs held_at = world.world(held).value(), user_at = world.world(user).value();
  std::map<std::uint32_t, Id> copies;
  ASSERT_TRUE(world.copy(a, {}, [&](Id source, Id copy) { copies[source.slot] = copy; }));
  ASSERT_TRUE(world.propagate());
  for (const Id id : {a, held, user}) {
    const Qvvs source = world.world(id).value(), copy = world.world(copies.at(id.slot)).value();
    EXPECT_EQ(copy.stretch, source.stretch);
    EXPECT_EQ(copy.context, source.context);
    EXPECT_EQ(world.inherit(copies.at(id.slot)).value(), world.inherit(id).value());
    for (const float Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
      EXPECT_NEAR(copy.position.*axis, source.position.*axis, 1e-4F);
    }
  }
  EXPECT_EQ(world.world(held)->position, held_at.position);
  EXPECT_EQ(user_at.position, (Vec3{1, 1, 1}));
  ASSERT_TRUE(world.set_position(copies.at(a.slot), {0, 0, 0}));  // from here on they keep what they kept
  EXPECT_NEAR(world.world(copies.at(held.slot))->position.y, held_at.position.y, 1e-4F);
  EXPECT_NEAR(world.world(copies.at(user.slot))->position.x, 1, 1e-4F);
}

TEST(TransformSubtree, DeadNodesAreRefusedAndNothingIsCopied) {
  Hierarchy world;
  const Id id = world.insert({}).value(), dead = world.insert({}).value();
  ASSERT_TRUE(world.remove(dead));
  const auto before = test::saved_bytes(world);
  const auto never = [](Id, Id) { FAIL(); };
  EXPECT_EQ(test::code_of(world.copy(dead, {}, never)), ErrorCode::kNotFound);
  EXPECT_EQ(test::code_of(world.copy(id, dead, never)), ErrorCode::kNotFound);
  EXPECT_EQ(test::code_of(world.root_of(dead)), ErrorCode::kNotFound);
  EXPECT_EQ(test::code_of(world.for_each_below(dead, [](Id) { FAIL(); })), ErrorCode::kNotFound);
  EXPECT_TRUE(test::saved_bytes(world) == before);
}

TEST(TransformSubtree, InstancesWithContexts) {
  const auto prefab =
      Prefab::build(std::vector<NodeDescription>{
                        {.context = 100}, {.parent = 0, .context = 101}, {.parent = 0, .context = 102}})
          .value();
  for (const std::size_t count : {1U, 7U, 8U, 1000U}) {  // eight and more stand side by side
    Hierarchy world;
    const std::vector<LocalTransform> roots(count);
    std::vector<Id> ids(3 * count);
    const auto context = [&](std::size_t i) { return world.world(ids[i])->context; };
    std::vector<std::int32_t> one_each, all;
    for (std::size_t i = 0; i < 3 * count; ++i) {
      all.push_back(static_cast<std::int32_t>(i) - 5);
    }
    one_each.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
    ASSERT_TRUE(world.instantiate(prefab, roots, ids));
    EXPECT_EQ(context(3 * count - 2), 101);
    ASSERT_TRUE(world.instantiate(prefab, roots, ids, {}, one_each));
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(context(3 * i), one_each[i]);
      ASSERT_EQ(context(3 * i + 1), 101);
      ASSERT_EQ(context(3 * i + 2), 102);
    }
    ASSERT_TRUE(world.instantiate(prefab, roots, ids, {}, all));
    for (std::size_t i = 0; i < 3 * count; ++i) {
      ASSERT_EQ(context(i), all[i]);
    }
    const std::size_t size = world.size();
    all.pop_back();
    EXPECT_EQ(test::code_of(world.instantiate(prefab, roots, ids, {}, all)), ErrorCode::kInvalidArgument);
    EXPECT_EQ(world.size(), size);
  }
}

}  // namespace
}  // namespace juxta
