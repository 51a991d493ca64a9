// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Groups whose eight local transforms are one (LaneTree): whoever writes a node parts it from the others.
// Two hierarchies of the same instances, side by side and not, take the same calls; their world transforms
// must be the same bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "juxta/transform/hierarchy.h"
#include "juxta/transform/prefab.h"
#include "scenes/draws.h"
#include "support/each_isa.h"
#include "support/executors.h"
#include "support/saved_bytes.h"
#include "transform/access.h"
#include "transform/draw_transforms.h"
#include "transform/store.h"
#include "transform/twins.h"
#include "transform/values.h"

namespace juxta {
namespace {

using test::draw_prefab;
using test::move_roots;
using test::Mover;
using test::propagate;
using test::Twins;
using transform_detail::kAlike;
using transform_detail::kGroupRows;
using transform_detail::kNotAlike;
using transform_detail::kTileGroups;
using transform_detail::LaneTree;
using transform_detail::Tile;

/// Groups of tiles of lanes, by what is known of them.
struct Groups {
  std::size_t alike = 0, not_alike = 0, unknown = 0;
  std::size_t most_shared = 0;  // different ones in a tile
};

/// The rows without flags of a group that is alike have what the group shares, unless they wait for a sweep.
Groups look_at_groups(const Hierarchy& hierarchy) {
  Groups groups;
  for (const Tile* tile : transform_detail::Access::store(hierarchy).tiles) {
    std::set<std::uint32_t> shared;
    for (std::uint32_t g = 0; tile != nullptr && tile->lanes && g < kTileGroups; ++g) {
      const std::uint32_t live = Tile::lanes_of(tile->live, g), alike = tile->lane_tree.alike[g];
      groups.unknown += live != 0 && alike < kNotAlike;
      groups.not_alike += live != 0 && alike == kNotAlike;
      groups.alike += live != 0 && alike >= kAlike;
      transform_detail::for_each_bit(live, g * kGroupRows, [&](std::uint32_t row) {
        if (alike >= kAlike && !tile->pending.test(row) && !tile->special().test(row)) {
          shared.insert(alike - kAlike);
          const LocalTransform local = tile->local_at(row);
          EXPECT_EQ(std::memcmp(&tile->lane_tree.shared[alike - kAlike], &local, sizeof local), 0);
        }
      });
    }
    groups.most_shared = std::max(groups.most_shared, shared.size());
  }
  return groups;
}

constexpr std::uint32_t kWays = 18;

/// One of all calls after which nodes do not stand any more where their prefab put them.
void change(Twins& twins, std::uint32_t way, scenes::Draws& draws) {
  const std::uint32_t node = twins.draw_node(draws), other = twins.draw_node(draws);
  const LocalTransform local = test::draw_local(draws, false);
  const Qvvs place = test::draw_transform(draws);
  std::set<std::uint32_t> some;
  while (some.size() < 5) {
    some.insert(twins.draw_node(draws));
  }
  twins.both([&](Hierarchy& h, const std::vector<Id>& ids) -> bool {
    const Id id = ids[node], two[] = {ids[node], ids[other]};
    const LocalTransform locals[] = {local, {}};
    switch (way) {
      case 0:
        return h.set_local(id, local).has_value();
      case 1:
        return h.set_local(two, locals).has_value();
      case 2:
        return h.set_position(id, local.position).has_value();
      case 3:
        return h.set_position(two, std::vector<Vec3>(2, local.position)).has_value();
      case 4:
        return h.set_rotation(id, local.rotation).has_value();
      case 5:
        return h.set_scale(id, 1.5F).has_value();
      case 6:
        return h.translate_by(id, local.position).has_value();
      case 7:
        return h.rotate_by(id, local.rotation).has_value();
      case 8:
        return h.set_world(id, place).has_value();
      case 9:
        return h.reparent(id, ids[other], Keep::kLocal).has_value();
      case 10:
        return h.reparent(id, ids[other], Keep::kWorld).has_value();
      case 11:
        return h.set_inherit(id, Inherit::kWorldPosition).has_value();
      case 12:
        return h.set_inherit(id, Inherit::kNormal).has_value();
      case 13:
        return h.remove(id, Children::kToAncestor).has_value();
      case 14:
        return h.for_each_tile(NodeFields::kPlace, Mover{ids, some, false}).has_value();
      case 15:
        return h.frame(NodeFields::kPlace, Mover{ids, some, false}, [](const WorldLanes&) {}).has_value();
      case 16:
        return h.for_each_tile(NodeFields::kAll, Mover{ids, {}, true}).has_value();
      default:
        return h.frame(NodeFields::kPlace, Mover{ids, {}, true}, [](const WorldLanes&) {}).has_value();
    }
  });
}

TEST(AlikeGroups, AreFoundByTheSecondSweep) {
  scenes::Draws draws(51);
  Twins twins;
  twins.instantiate(draw_prefab(draws, 10), 64, draws);
  for (const std::size_t unknown : {80U, 8U}) {  // at last those of roots, which nobody looks at
    propagate(twins);
    EXPECT_EQ(look_at_groups(twins.lanes()).unknown, unknown);
    for (std::uint32_t root = 0; root < 64; ++root) {
      twins.both([&](Hierarchy& h, const std::vector<Id>& ids) {
        return h.translate_by(ids[root * 10], {1, 0, 0}).has_value();
      });
    }
  }
  const Groups groups = look_at_groups(twins.lanes());
  EXPECT_EQ(groups.alike, 72U);
  EXPECT_EQ(groups.most_shared, 9U);
}

/// Frames that write all nodes, or a few, between sweeps that find groups alike.
void expect_frames_to_part(Twins& twins, scenes::Draws& draws, const Executor* executor) {
  for (int round = 0; round < 12; ++round) {
    for (int sweeps = 0; sweeps < 3; ++sweeps) {
      move_roots(twins, 100, draws);
      propagate(twins);
      twins.expect_the_same();
    }
    EXPECT_GT(look_at_groups(twins.lanes()).alike, 0U);
    std::set<std::uint32_t> some;
    for (int i = 0; i < 40; ++i) {
      some.insert(twins.draw_node(draws));
    }
    twins.both([&](Hierarchy& h, const std::vector<Id>& ids) {
      const Mover mover{ids, some, round % 2 == 0};
      return h.frame(NodeFields::kPlace, mover, [](const WorldLanes&) {}, {.executor = executor}).has_value();
    });
    twins.expect_the_same();
  }
}

TEST(AlikeGroups, FramesPartThem) {
  scenes::Draws draws(54);
  test::for_each_executor([&](const Executor* executor) {
    Twins twins;
    twins.instantiate(draw_prefab(draws, 10), 120, draws);
    ASSERT_NO_FATAL_FAILURE(expect_frames_to_part(twins, draws, executor));
  });
}

// Their pieces wait for each other: in frames they are written in the round in which they are swept.
TEST(AlikeGroups, FramesPartThoseOfRopes) {
  scenes::Draws draws(55);
  std::vector<NodeDescription> nodes(std::size_t{16} * 500);
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    nodes[i].parent = i % 500 == 0 ? NodeDescription::kRoot : i - 1;
    nodes[i].local.position = {0, 0.25F * static_cast<float>(i % 500 % 3), 0.5F};
  }
  Twins twins;
  twins.insert(nodes);
  ASSERT_NO_FATAL_FAILURE(expect_frames_to_part(twins, draws, nullptr));
}

// A new tile in the memory of an old one.
TEST(AlikeGroups, NothingIsLeftOfThoseThatWent) {
  scenes::Draws draws(56);
  Twins twins;
  for (int round = 0; round < 3; ++round) {
    twins.instantiate(draw_prefab(draws, 12), 200, draws);
    for (int sweeps = 0; sweeps < 3; ++sweeps) {
      propagate(twins);
      ASSERT_NO_FATAL_FAILURE(twins.expect_the_same());
      move_roots(twins, 1000, draws);
    }
    EXPECT_GT(look_at_groups(twins.lanes()).alike, 0U);
    twins.remove_all();
  }
}

// A node that keeps its place has another local transform after each move of its parent.
TEST(AlikeGroups, NodesWithFlagsDoNotCount) {
  scenes::Draws draws(57);
  Twins twins;
  twins.instantiate(draw_prefab(draws, 10), 64, draws);
  for (std::uint32_t root = 0; root < 64; ++root) {
    twins.both([&](Hierarchy& h, const std::vector<Id>& ids) {
      return h.set_inherit(ids[root * 10 + 1 + root % 9], Inherit::kWorldPosition).has_value();
    });
  }
  for (int sweeps = 0; sweeps < 6; ++sweeps) {
    move_roots(twins, 200, draws);
    propagate(twins);
    ASSERT_NO_FATAL_FAILURE(twins.expect_the_same());
  }
  EXPECT_EQ(look_at_groups(twins.lanes()).alike, 72U);
}

TEST(AlikeGroups, WhatDoesNotFitStaysAsItIs) {
  scenes::Draws draws(52);
  Twins twins;
  twins.instantiate(draw_prefab(draws, 60), 16, draws);
  for (int i = 0; i < 3; ++i) {
    move_roots(twins, 200, draws);
    propagate(twins);
    twins.expect_the_same();
  }
  const Groups groups = look_at_groups(twins.lanes());
  EXPECT_EQ(groups.most_shared, LaneTree::kShared);
  EXPECT_GT(groups.not_alike, 0U);
}

TEST(AlikeGroups, WhoeverWritesPartsThem) {
  test::for_each_isa([](Isa) {
    scenes::Draws draws(53);
    Twins twins;
    for (const std::uint32_t size : {3U, 10U, 10U, 25U, 1U}) {
      twins.instantiate(draw_prefab(draws, size), 40, draws);
    }
    std::size_t alike = 0, not_alike = 0;
    for (std::uint32_t round = 0; round < 8 * kWays; ++round) {
      ASSERT_NO_FATAL_FAILURE(change(twins, round % kWays, draws));
      if (round % 40 == 39) {
        twins.save_and_load();
      }
      for (int sweeps = 0; sweeps < 3; ++sweeps) {
        move_roots(twins, round % 3 == 0 ? 3 : 200, draws);
        propagate(twins);
        ASSERT_NO_FATAL_FAILURE(twins.expect_the_same()) << "after way " << round % kWays;
        const Groups groups = look_at_groups(twins.lanes());
        alike += groups.alike;
        not_alike += groups.not_alike;
      }
    }
    EXPECT_GT(alike, std::size_t{8} * kWays * 100);
    EXPECT_GT(not_alike, std::size_t{8} * kWays * 10);
  });
}

}  // namespace
}  // namespace juxta
