// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Hierarchies from C: the same calls as in C++ leave the same bits.
#include <gtest/gtest.h>
#include <juxta.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "c/last_page.h"
#include "c/some_threads.h"
#include "juxta/transform/hierarchy.h"
#include "juxta/transform/world_boxes.h"
#include "transform/draw_transforms.h"

namespace juxta {
namespace {

using test::LastPage;

juxta_node node_like(const NodeDescription& node) {
  juxta_node made = juxta_default_node();
  std::memcpy(&made.local, &node.local, sizeof(made.local));
  std::memcpy(made.stretch, &node.stretch, sizeof(made.stretch));
  made.parent = node.parent;
  made.context = node.context;
  made.inherit = static_cast<std::uint16_t>(node.inherit);
  return made;
}

std::vector<NodeDescription> draw_nodes(scenes::Draws& draws, std::size_t count) {
  std::vector<NodeDescription> nodes(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Qvvs place = test::draw_transform(draws);
    nodes[i].local = {place.rotation, place.position, place.scale};
    nodes[i].parent = i == 0 ? NodeDescription::kRoot : draws.below(static_cast<std::uint32_t>(i));
    nodes[i].context = place.context;
    nodes[i].inherit = draws.below(5) == 0 ? Inherit::kWorldPosition : Inherit::kNormal;
  }
  return nodes;
}

/// The same hierarchy twice.
struct Twins {
  Hierarchy cpp{HierarchyOptions{.history = true}};
  juxta_hierarchy* c = nullptr;
  std::vector<Id> ids;  // of both

  Twins() { EXPECT_EQ(juxta_hierarchy_build(true, &c, nullptr), JUXTA_OK); }
  Twins(const Twins&) = delete;
  Twins& operator=(const Twins&) = delete;
  ~Twins() { juxta_hierarchy_free(c); }

  [[nodiscard]] const juxta_id* c_ids() const { return reinterpret_cast<const juxta_id*>(ids.data()); }

  void insert(const std::vector<NodeDescription>& nodes, std::size_t stride) {
    const std::size_t before = ids.size();
    ids.resize(before + nodes.size());
    ASSERT_TRUE(cpp.insert(nodes, std::span(ids).subspan(before)));
    std::vector<juxta_node> given;
    for (const NodeDescription& node : nodes) {
      given.push_back(node_like(node));
    }
    const LastPage<juxta_node> at_end(given, stride);
    std::vector<Id> named(nodes.size());
    juxta_error error;
    ASSERT_EQ(juxta_hierarchy_insert_many(c, at_end.as<juxta_node>(), stride, nodes.size(),
                                          reinterpret_cast<juxta_id*>(named.data()), &error),
              JUXTA_OK)
        << error.message;
    EXPECT_TRUE(std::equal(named.begin(), named.end(), ids.begin() + static_cast<std::ptrdiff_t>(before)));
  }

  void compare() const {
    const LastPage<Id> at_end(ids, 12);
    std::vector<juxta_qvvs> worlds(ids.size());
    std::vector<Qvvs> cpp_worlds(ids.size());
    juxta_error error;
    ASSERT_EQ(juxta_hierarchy_world(c, at_end.as<juxta_id>(), 12, ids.size(), worlds.data(), &error),
              JUXTA_OK)
        << error.message;
    ASSERT_TRUE(cpp.world(ids, cpp_worlds));
    EXPECT_EQ(std::memcmp(worlds.data(), cpp_worlds.data(), worlds.size() * sizeof(juxta_qvvs)), 0);
    std::vector<juxta_local_transform> locals(ids.size());
    std::vector<LocalTransform> cpp_locals(ids.size());
    ASSERT_EQ(juxta_hierarchy_local(c, c_ids(), 0, ids.size(), locals.data(), &error), JUXTA_OK);
    ASSERT_TRUE(cpp.local(ids, cpp_locals));
    EXPECT_EQ(std::memcmp(locals.data(), cpp_locals.data(), locals.size() * sizeof(juxta_local_transform)),
              0);
    EXPECT_EQ(juxta_hierarchy_version(c), cpp.version());
    EXPECT_EQ(juxta_hierarchy_size(c), cpp.size());
  }
};

TEST(CTransform, TreesThatChangeHaveTheBitsOfCpp) {
  scenes::Draws draws(7);
  Twins both;
  both.insert(draw_nodes(draws, 2000), 0 + sizeof(juxta_node));
  both.insert(draw_nodes(draws, 500), 64);
  both.compare();
  const test::SomeThreads threads(2);
  juxta_context context = juxta_default_context();
  context.executor = threads.executor();
  for (int step = 0; step < 5; ++step) {
    ASSERT_EQ(juxta_hierarchy_begin_step(both.c, nullptr), JUXTA_OK);
    ASSERT_TRUE(both.cpp.begin_step());
    std::vector<Id> some;
    std::vector<LocalTransform> locals;
    std::vector<Vec3> positions;
    std::vector<Qvvs> worlds;
    for (int i = 0; i < 300; ++i) {
      some.push_back(both.ids[draws.below(static_cast<std::uint32_t>(both.ids.size()))]);
      const Qvvs place = test::draw_transform(draws);
      locals.push_back({place.rotation, place.position, place.scale});
      positions.push_back(place.position);
      worlds.push_back(place);
    }
    const auto* const ids = reinterpret_cast<const juxta_id*>(some.data());
    const LastPage<LocalTransform> c_locals(locals, 40);
    const LastPage<Vec3> c_positions(positions, 16);
    const LastPage<Qvvs> c_worlds(worlds);
    juxta_error error;
    ASSERT_EQ(juxta_hierarchy_set_local(both.c, ids, 0, c_locals.as<juxta_local_transform>(), 40, some.size(),
                                        &context, &error),
              JUXTA_OK);
    ASSERT_TRUE(both.cpp.set_local(some, locals));
    ASSERT_EQ(juxta_hierarchy_set_position(both.c, ids + 100, 0, c_positions.as<float>(), 16, 100, &error),
              JUXTA_OK);
    ASSERT_TRUE(both.cpp.set_position(std::span(some).subspan(100, 100), std::span(positions).first(100)));
    ASSERT_EQ(
        juxta_hierarchy_set_positions(both.c, ids, 0, c_positions.as<float>(), 16, 50, &context, &error),
        JUXTA_OK);
    ASSERT_TRUE(both.cpp.set_position(std::span(some).first(50), std::span(positions).first(50)));
    ASSERT_EQ(juxta_hierarchy_set_world(both.c, ids, 0, c_worlds.as<juxta_qvvs>(), 0, 20, &error), JUXTA_OK);
    ASSERT_TRUE(both.cpp.set_world(std::span(some).first(20), std::span(worlds).first(20)));
    ASSERT_EQ(juxta_hierarchy_set_stretch(both.c, ids[3], &worlds[3].stretch.x, nullptr), JUXTA_OK);
    ASSERT_TRUE(both.cpp.set_stretch(some[3], worlds[3].stretch));
    ASSERT_EQ(juxta_hierarchy_set_context(both.c, ids[4], step, nullptr), JUXTA_OK);
    ASSERT_TRUE(both.cpp.set_context(some[4], step));
    ASSERT_EQ(juxta_hierarchy_set_inherit(both.c, ids[5], JUXTA_INHERIT_WORLD_SCALE, nullptr), JUXTA_OK);
    ASSERT_TRUE(both.cpp.set_inherit(some[5], Inherit::kWorldScale));
    const bool c_moved = juxta_hierarchy_reparent(both.c, ids[6], ids[7], false, nullptr) == JUXTA_OK;
    EXPECT_EQ(both.cpp.reparent(some[6], some[7]).has_value(), c_moved);  // a cycle for both, or for none
    both.compare();

    const std::uint64_t before = both.cpp.version();
    juxta_propagate_result result;
    ASSERT_EQ(juxta_hierarchy_propagate(both.c, &context, &result, nullptr), JUXTA_OK);
    const PropagateResult cpp_result = both.cpp.propagate().value();
    EXPECT_EQ(result.version, cpp_result.version);
    EXPECT_EQ(result.computed, cpp_result.computed);
    EXPECT_EQ(result.overflowed, cpp_result.overflowed);
    using Changed = std::vector<std::pair<std::uint32_t, Qvvs>>;
    Changed seen, cpp_seen;
    juxta_hierarchy_changed_since(
        both.c, before,
        [](void* user, juxta_id id, const juxta_qvvs* world) {
          Qvvs place;
          std::memcpy(static_cast<void*>(&place), world, sizeof(place));
          static_cast<Changed*>(user)->emplace_back(id.slot, place);
        },
        &seen);
    both.cpp.changed_since(before, [&](Id id, const Qvvs& world) { cpp_seen.emplace_back(id.slot, world); });
    EXPECT_EQ(seen, cpp_seen);
    EXPECT_GT(seen.size(), 300U);
    both.compare();
    for (const int steps : {1, 2}) {
      std::vector<juxta_qvvs> past(both.ids.size());
      std::vector<Qvvs> cpp_past(both.ids.size());
      ASSERT_EQ(juxta_hierarchy_previous(both.c, steps, both.c_ids(), 0, past.size(), past.data(), nullptr),
                JUXTA_OK);
      ASSERT_TRUE(steps == 1 ? both.cpp.previous(both.ids, cpp_past) : both.cpp.two_ago(both.ids, cpp_past));
      EXPECT_EQ(std::memcmp(past.data(), cpp_past.data(), past.size() * sizeof(juxta_qvvs)), 0);
    }
  }

  const std::string path = testing::TempDir() + "c_hierarchy.jxh";
  ASSERT_EQ(juxta_hierarchy_save(both.c, path.c_str(), nullptr), JUXTA_OK);
  juxta_hierarchy_free(both.c);
  ASSERT_EQ(juxta_hierarchy_load(path.c_str(), &both.c, nullptr), JUXTA_OK);
  both.compare();
  std::remove(path.c_str());
}

TEST(CTransform, InstancesParentsAndChildren) {
  scenes::Draws draws(9);
  std::vector<NodeDescription> nodes = draw_nodes(draws, 20);
  std::vector<juxta_node> given;
  for (const NodeDescription& node : nodes) {
    given.push_back(node_like(node));
  }
  juxta_prefab* prefab = nullptr;
  juxta_error error;
  ASSERT_EQ(juxta_prefab_build(given.data(), 0, given.size(), &prefab, &error), JUXTA_OK) << error.message;
  EXPECT_EQ(juxta_prefab_size(prefab), 20U);
  Twins both;
  std::vector<LocalTransform> roots(50);
  for (std::size_t i = 0; i < roots.size(); ++i) {
    roots[i].position = {static_cast<float>(i), 0, 0};
  }
  both.ids.resize(50 * 20);
  ASSERT_EQ(juxta_hierarchy_instantiate(
                both.c, prefab, reinterpret_cast<const juxta_local_transform*>(roots.data()), 0, 50, nullptr,
                reinterpret_cast<juxta_id*>(both.ids.data()), both.ids.size(), &error),
            JUXTA_OK)
      << error.message;
  ASSERT_TRUE(both.cpp.instantiate(Prefab::build(nodes).value(), roots, both.ids));
  juxta_prefab_free(prefab);
  both.compare();

  juxta_id parent;
  ASSERT_EQ(juxta_hierarchy_parent(both.c, both.c_ids()[1], &parent, nullptr), JUXTA_OK);
  EXPECT_EQ(parent.slot, both.ids[0].slot);
  std::size_t children = 0, all = 0;
  const juxta_node_visitor count = [](void* user, juxta_id) { ++*static_cast<std::size_t*>(user); };
  ASSERT_EQ(juxta_hierarchy_for_each_child(both.c, both.c_ids()[0], count, &children, nullptr), JUXTA_OK);
  EXPECT_GT(children, 0U);
  juxta_hierarchy_for_each(both.c, count, &all);
  EXPECT_EQ(all, 1000U);

  juxta_id one;
  juxta_node node = juxta_default_node();
  ASSERT_EQ(juxta_hierarchy_insert(both.c, &node, both.c_ids()[5], &one, nullptr), JUXTA_OK);
  EXPECT_TRUE(juxta_hierarchy_alive(both.c, one));
  ASSERT_EQ(juxta_hierarchy_remove(both.c, both.c_ids(), 0, 1, false, nullptr), JUXTA_OK);
  EXPECT_FALSE(juxta_hierarchy_alive(both.c, one)) << "it was below the removed root";
  EXPECT_EQ(juxta_hierarchy_remove(both.c, both.c_ids(), 0, 1, true, &error), JUXTA_NOT_FOUND);

  node.inherit = 1 << 12;
  EXPECT_EQ(juxta_hierarchy_insert(both.c, &node, juxta_no_id(), &one, &error), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(juxta_hierarchy_set_inherit(both.c, both.c_ids()[500], 1 << 9, &error), JUXTA_INVALID_ARGUMENT);
  given[7].local.scale = 0;
  EXPECT_EQ(juxta_prefab_build(given.data(), 0, given.size(), &prefab, &error), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(error.index, 7U);
  EXPECT_EQ(juxta_hierarchy_previous(both.c, 3, both.c_ids(), 0, 0, nullptr, &error), JUXTA_INVALID_ARGUMENT);
}

TEST(CTransform, BoxesInTheWorldAreThoseOfCpp) {
  const std::vector<Qvvs> places = test::draw_transforms(500, 3);
  std::vector<Aabb3> boxes(places.size(), Aabb3{{-1, -2, -3}, {1, 2, 3}}), wanted(places.size()),
      out(places.size());
  ASSERT_TRUE(world_boxes(places, boxes, wanted));
  const LastPage<Qvvs> worlds(places, 50);
  const LastPage<Aabb3> local(boxes, 28);
  ASSERT_EQ(juxta_world_boxes(worlds.as<juxta_qvvs>(), 50, local.as<float>(), 28, places.size(),
                              reinterpret_cast<float*>(out.data()), nullptr, nullptr),
            JUXTA_OK);
  EXPECT_EQ(out, wanted);
}

}  // namespace
}  // namespace juxta
