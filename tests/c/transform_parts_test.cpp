// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Hierarchies from C: parts of transforms, subtrees, tags, destroyed nodes, memory given back.
#include <gtest/gtest.h>
#include <juxta.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "c/last_page.h"

namespace {

using juxta::test::LastPage;

/// A hull, a turret on it, a gun on that.
class CTransformParts : public testing::Test {
 protected:
  CTransformParts() {
    juxta_hierarchy_options options = juxta_default_hierarchy_options();
    options.destroyed = true;
    EXPECT_EQ(juxta_hierarchy_build_with(&options, &world_, nullptr), JUXTA_OK);
    juxta_node node = juxta_default_node();
    node.context = 5;
    juxta_id parent = juxta_no_id();
    for (int i = 0; i < 3; ++i) {
      node.local.position[0] = 1;
      ids_.emplace_back();
      EXPECT_EQ(juxta_hierarchy_insert(world_, &node, parent, &ids_.back(), nullptr), JUXTA_OK);
      parent = ids_.back();
    }
  }
  ~CTransformParts() override { juxta_hierarchy_free(world_); }
  CTransformParts(const CTransformParts&) = delete;
  CTransformParts& operator=(const CTransformParts&) = delete;

  [[nodiscard]] juxta_local_transform local(juxta_id id) const {
    juxta_local_transform out{};
    EXPECT_EQ(juxta_hierarchy_local(world_, &id, 0, 1, &out, nullptr), JUXTA_OK);
    return out;
  }
  static void note(void* user, juxta_id id) { static_cast<std::vector<juxta_id>*>(user)->push_back(id); }
  static bool same(juxta_id a, juxta_id b) { return a.slot == b.slot && a.generation == b.generation; }

  juxta_hierarchy* world_ = nullptr;
  std::vector<juxta_id> ids_;
};

TEST_F(CTransformParts, SetsAndAdds) {
  const LastPage<juxta_id> ids(ids_, 12);
  const float half = std::sqrt(0.5F);
  const std::vector<float> turns{0, half, 0, half, 0, 0, 0, 2, 0, half, 0, half};
  juxta_error error;
  ASSERT_EQ(juxta_hierarchy_set_rotation(world_, ids.as<juxta_id>(), 12, turns.data(), 0, 3, &error),
            JUXTA_OK)
      << error.message;
  EXPECT_EQ(local(ids_[1]).rotation[3], 1);  // normalised
  ASSERT_EQ(juxta_hierarchy_rotate_by(world_, ids.as<juxta_id>(), 12, turns.data(), 0, 3, nullptr), JUXTA_OK);
  EXPECT_NEAR(local(ids_[2]).rotation[1], 1, 1e-6F);  // twice a quarter
  const std::vector<float> scales{2, 3, 4};
  ASSERT_EQ(juxta_hierarchy_set_scale(world_, ids_.data(), 0, scales.data(), 0, 3, nullptr), JUXTA_OK);
  EXPECT_EQ(local(ids_[1]).scale, 3);
  const std::vector<float> moves{1, 2, 3, 0, 0, 0, 0, 0, 0.5F};
  ASSERT_EQ(juxta_hierarchy_translate_by(world_, ids_.data(), 0, moves.data(), 0, 3, nullptr), JUXTA_OK);
  EXPECT_EQ(local(ids_[0]).position[0], 2);
  EXPECT_EQ(local(ids_[2]).position[2], 0.5F);
  const std::vector<float> bad{1, 1, NAN};
  EXPECT_EQ(juxta_hierarchy_set_scale(world_, ids_.data(), 0, bad.data(), 0, 3, &error), JUXTA_NOT_FINITE);
  EXPECT_EQ(error.index, 2U);
  EXPECT_EQ(local(ids_[0]).scale, 2);
}

TEST_F(CTransformParts, Subtrees) {
  juxta_id out{};
  ASSERT_EQ(juxta_hierarchy_root_of(world_, ids_[2], &out, nullptr), JUXTA_OK);
  EXPECT_TRUE(same(out, ids_[0]));
  std::vector<juxta_id> below;
  ASSERT_EQ(juxta_hierarchy_for_each_below(world_, ids_[0], &note, &below, nullptr), JUXTA_OK);
  ASSERT_EQ(below.size(), 2U);
  EXPECT_TRUE(same(below[0], ids_[1]) && same(below[1], ids_[2]));
  using Pairs = std::vector<std::pair<juxta_id, juxta_id>>;
  Pairs pairs;
  const auto visit = [](void* user, juxta_id source, juxta_id copy) {
    static_cast<Pairs*>(user)->emplace_back(source, copy);
  };
  ASSERT_EQ(juxta_hierarchy_copy(world_, ids_[1], juxta_no_id(), visit, &pairs, &out, nullptr), JUXTA_OK);
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_TRUE(same(pairs[0].first, ids_[1]) && same(pairs[0].second, out) && same(pairs[1].first, ids_[2]));
  EXPECT_EQ(juxta_hierarchy_size(world_), 5U);
  ASSERT_EQ(juxta_hierarchy_copy(world_, ids_[0], ids_[0], nullptr, nullptr, &out, nullptr), JUXTA_OK);
  EXPECT_EQ(juxta_hierarchy_size(world_), 8U);
  const juxta_id never{7000, 1};
  EXPECT_EQ(juxta_hierarchy_copy(world_, never, juxta_no_id(), nullptr, nullptr, &out, nullptr),
            JUXTA_NOT_FOUND);
  EXPECT_EQ(juxta_hierarchy_root_of(world_, never, &out, nullptr), JUXTA_NOT_FOUND);
  EXPECT_EQ(juxta_hierarchy_for_each_below(world_, never, &note, &below, nullptr), JUXTA_NOT_FOUND);
}

TEST_F(CTransformParts, DestroyedNodesAndTheirMemory) {
  ASSERT_EQ(juxta_hierarchy_propagate(world_, nullptr, nullptr, nullptr), JUXTA_OK);
  ASSERT_EQ(juxta_hierarchy_remove(world_, &ids_[1], 0, 1, false, nullptr), JUXTA_OK);
  ASSERT_EQ(juxta_hierarchy_propagate(world_, nullptr, nullptr, nullptr), JUXTA_OK);
  std::vector<juxta_id> gone;
  ASSERT_EQ(juxta_hierarchy_destroyed_since(world_, 1, &note, &gone, nullptr), JUXTA_OK);
  ASSERT_EQ(gone.size(), 2U);
  EXPECT_TRUE(same(gone[0], ids_[2]) && same(gone[1], ids_[1]));
  ASSERT_EQ(juxta_hierarchy_forget_destroyed(world_, 2, nullptr), JUXTA_OK);
  EXPECT_EQ(juxta_hierarchy_destroyed_since(world_, 1, &note, &gone, nullptr), JUXTA_INVALID_ARGUMENT);
  ASSERT_EQ(juxta_hierarchy_remove(world_, ids_.data(), 0, 1, false, nullptr), JUXTA_OK);
  std::size_t bytes = 0;
  ASSERT_EQ(juxta_hierarchy_shrink(world_, &bytes, nullptr), JUXTA_OK);
  EXPECT_GT(bytes, 90'000U);  // the tile
  ASSERT_EQ(juxta_hierarchy_shrink(world_, nullptr, nullptr), JUXTA_OK);
}

TEST(CTransformOptions, AreChecked) {
  juxta_hierarchy* world = nullptr;
  juxta_hierarchy_options options{};
  juxta_error error;
  EXPECT_EQ(juxta_hierarchy_build_with(&options, &world, &error), JUXTA_INVALID_ARGUMENT);
  ASSERT_EQ(juxta_hierarchy_build_with(nullptr, &world, nullptr), JUXTA_OK);
  EXPECT_EQ(juxta_hierarchy_begin_step(world, nullptr), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(juxta_hierarchy_forget_destroyed(world, 0, nullptr), JUXTA_INVALID_ARGUMENT);
  juxta_hierarchy_free(world);
  options = juxta_default_hierarchy_options();
  options.history = true;
  ASSERT_EQ(juxta_hierarchy_build_with(&options, &world, nullptr), JUXTA_OK);
  EXPECT_EQ(juxta_hierarchy_begin_step(world, nullptr), JUXTA_OK);
  juxta_hierarchy_free(world);
}

TEST_F(CTransformParts, TagsGoDown) {
  ASSERT_EQ(juxta_hierarchy_set_tags(world_, ids_[0], 1, nullptr), JUXTA_OK);
  ASSERT_EQ(juxta_hierarchy_set_tags(world_, ids_[1], 64, nullptr), JUXTA_OK);
  juxta_error error;
  EXPECT_EQ(juxta_hierarchy_set_tags(world_, ids_[1], 128, &error), JUXTA_INVALID_ARGUMENT);
  std::uint8_t own = 9, all = 9;
  ASSERT_EQ(juxta_hierarchy_tags(world_, ids_[2], &own, nullptr), JUXTA_OK);
  ASSERT_EQ(juxta_hierarchy_inherited_tags(world_, ids_[2], &all, nullptr), JUXTA_OK);
  EXPECT_EQ(own, 0);
  EXPECT_EQ(all, 65);
  std::vector<std::uint8_t> table(juxta_hierarchy_slot_count(world_), 9);
  ASSERT_EQ(juxta_hierarchy_all_inherited_tags(world_, table.data(), table.size(), nullptr), JUXTA_OK);
  EXPECT_EQ(table[ids_[0].slot], 1);
  EXPECT_EQ(table[ids_[1].slot], 65);
  EXPECT_EQ(table[ids_[2].slot], 65);
  EXPECT_EQ(juxta_hierarchy_all_inherited_tags(world_, table.data(), table.size() - 1, nullptr),
            JUXTA_INVALID_ARGUMENT);
  const juxta_id never{99, 1};
  EXPECT_EQ(juxta_hierarchy_set_tags(world_, never, 1, nullptr), JUXTA_NOT_FOUND);
  EXPECT_EQ(juxta_hierarchy_tags(world_, never, &own, nullptr), JUXTA_NOT_FOUND);
  EXPECT_EQ(juxta_hierarchy_inherited_tags(world_, never, &own, nullptr), JUXTA_NOT_FOUND);
}

TEST_F(CTransformParts, InstancesWithContexts) {
  const std::vector<juxta_node> nodes(1, juxta_default_node());
  juxta_prefab* prefab = nullptr;
  ASSERT_EQ(juxta_prefab_build(nodes.data(), 0, 1, &prefab, nullptr), JUXTA_OK);
  const std::vector<juxta_local_transform> roots(3, nodes[0].local);
  const std::vector<std::int32_t> contexts{7, 8, 9};
  std::vector<juxta_id> made(3);
  ASSERT_EQ(juxta_hierarchy_instantiate_with(world_, prefab, roots.data(), 0, 3, nullptr, contexts.data(), 3,
                                             made.data(), 3, nullptr),
            JUXTA_OK);
  EXPECT_EQ(juxta_hierarchy_instantiate_with(world_, prefab, roots.data(), 0, 3, nullptr, contexts.data(), 2,
                                             made.data(), 3, nullptr),
            JUXTA_INVALID_ARGUMENT);
  std::vector<juxta_qvvs> worlds(3);
  ASSERT_EQ(juxta_hierarchy_world(world_, made.data(), 0, 3, worlds.data(), nullptr), JUXTA_OK);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(worlds[i].context, 7 + i);
  }
  juxta_prefab_free(prefab);
}

// The same answers; another order of memory once eight trees are alike.
TEST(CHierarchyOptions, TreesSideBySideAreAChoice) {
  EXPECT_TRUE(juxta_default_hierarchy_options().side_by_side);
  std::vector<std::vector<std::uint32_t>> orders;
  for (const bool side_by_side : {true, false}) {
    juxta_hierarchy_options options = juxta_default_hierarchy_options();
    options.side_by_side = side_by_side;
    juxta_hierarchy* world = nullptr;
    ASSERT_EQ(juxta_hierarchy_build_with(&options, &world, nullptr), JUXTA_OK);
    std::vector<juxta_node> nodes(24, juxta_default_node());
    for (std::uint32_t i = 0; i < 24; ++i) {
      nodes[i].parent = i % 3 == 0 ? JUXTA_ROOT : i / 3 * 3;
      nodes[i].context = static_cast<std::int32_t>(i);
    }
    std::vector<juxta_id> ids(24);
    ASSERT_EQ(juxta_hierarchy_insert_many(world, nodes.data(), 0, 24, ids.data(), nullptr), JUXTA_OK);
    ASSERT_EQ(juxta_hierarchy_propagate(world, nullptr, nullptr, nullptr), JUXTA_OK);
    orders.emplace_back();
    juxta_hierarchy_changed_since(
        world, 0,
        [](void* user, juxta_id, const juxta_qvvs* at) {
          static_cast<std::vector<std::uint32_t>*>(user)->push_back(static_cast<std::uint32_t>(at->context));
        },
        &orders.back());
    juxta_hierarchy_free(world);
  }
  EXPECT_NE(orders[0], orders[1]);
  std::sort(orders[0].begin(), orders[0].end());
  std::sort(orders[1].begin(), orders[1].end());
  EXPECT_EQ(orders[0], orders[1]);
}

}  // namespace
