// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Sixteen rows of a tile of lanes are turned, or they are rows: whoever wrote them last decides. Transforms
// are the same bits either way.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "juxta/transform/hierarchy.h"
#include "scenes/draws.h"
#include "support/each_isa.h"
#include "support/executors.h"
#include "transform/access.h"
#include "transform/draw_transforms.h"
#include "transform/store.h"
#include "transform/twins.h"

namespace juxta {
namespace {

using test::draw_prefab;
using test::Mover;
using test::propagate;
using test::Twins;
using transform_detail::kTileRows;
using transform_detail::kTurnedRows;
using transform_detail::Tile;

/// Sixteens with nodes in tiles of lanes, and how many of them are turned.
struct Sixteens {
  std::size_t all = 0, local = 0, world = 0;
};
Sixteens look(const Hierarchy& hierarchy) {
  Sixteens found;
  for (const Tile* tile : transform_detail::Access::store(hierarchy).tiles) {
    for (std::uint32_t row = 0; tile != nullptr && tile->lanes && row < kTileRows; row += kTurnedRows) {
      if ((tile->live.words[row / 64] >> row % 64 & 0xFFFF) != 0) {
        ++found.all;
        found.local += Tile::has_turned(tile->local_turned.bits(), row);
        found.world += Tile::has_turned(tile->world_turned.bits(), row);
      }
    }
  }
  return found;
}

void move(Twins& twins, std::uint32_t node, Vec3 by) {
  twins.both(
      [&](Hierarchy& h, const std::vector<Id>& ids) { return h.translate_by(ids[node], by).has_value(); });
}
void run_system(Twins& twins, NodeFields fields, const std::set<std::uint32_t>& some, bool all,
                const Executor* executor = nullptr) {
  twins.both([&](Hierarchy& h, const std::vector<Id>& ids) {
    return h.for_each_tile(fields, Mover{ids, some, all}, {.executor = executor}).has_value();
  });
}

TEST(TurnedRows, AreRowsWhereFewNodesMove) {
  scenes::Draws draws(61);
  Twins twins;
  twins.instantiate(draw_prefab(draws, 10), 64, draws);  // eight blocks of five sixteens
  propagate(twins);
  EXPECT_EQ(look(twins.lanes()).all, 40U);
  EXPECT_EQ(look(twins.lanes()).world, 40U);
  EXPECT_EQ(look(twins.lanes()).local, 40U);

  move(twins, 30, {1, 2, 3});  // the fourth tree of the first block
  propagate(twins);
  EXPECT_EQ(look(twins.lanes()).world, 35U);
  EXPECT_EQ(look(twins.lanes()).local, 35U);
  twins.expect_the_same();

  for (std::uint32_t root = 0; root < 64; ++root) {
    move(twins, root * 10, {1, 0, 0});
  }
  propagate(twins);
  EXPECT_EQ(look(twins.lanes()).world, 40U);
  EXPECT_EQ(look(twins.lanes()).local, 35U);  // nobody wrote all of them
  twins.expect_the_same();

  run_system(twins, NodeFields::kPlace, {}, true);  // other systems may run beside it
  EXPECT_EQ(look(twins.lanes()).local, 35U);
  run_system(twins, NodeFields::kAll, {}, true);
  EXPECT_EQ(look(twins.lanes()).local, 40U);
  propagate(twins);
  twins.expect_the_same();

  move(twins, 30, {1, 2, 3});
  propagate(twins);
  EXPECT_EQ(look(twins.lanes()).world, 35U);
  for (std::uint32_t root = 0; root < 64; root += 2) {
    move(twins, root * 10, {1, 0, 0});
  }
  propagate(twins);
  EXPECT_EQ(look(twins.lanes()).world, 40U);  // many move: they are turned again
  twins.expect_the_same();
}

// Another task may read a node from which others hang: its sixteen rows stay as they are.
TEST(TurnedRows, StayTurnedWhereNodesOfOtherTilesHang) {
  scenes::Draws draws(62);
  test::for_each_executor([&](const Executor* executor) {
    std::vector<NodeDescription> chain = draw_prefab(draws, 10);  // parents stand in the same sixteen, too
    for (std::uint32_t i = 1; i < chain.size(); ++i) {
      chain[i].parent = i - 1;
    }
    Twins twins;
    twins.instantiate(chain, 400, draws);
    for (std::uint32_t tree = 0; tree < 400; tree += 8) {
      twins.hang(tree * 10 + 9, draws);  // below a node of the first lane
    }
    for (int frame = 0; frame < 3; ++frame) {
      propagate(twins, executor);
      const std::size_t turned = look(twins.lanes()).world;
      EXPECT_GT(turned, 0U);
      for (std::uint32_t tree = 0; tree < 400; tree += 8) {
        move(twins, 4000 + tree / 8, {0, 1, 0});                       // the node that hangs there
        move(twins, (tree + 1 + draws.below(7)) * 10 + 9, {0, 0, 1});  // one beside that from which it hangs
      }
      propagate(twins, executor);
      EXPECT_EQ(look(twins.lanes()).world, turned);
      twins.expect_the_same();
      run_system(twins, NodeFields::kAll, {}, true, executor);
    }
  });
}

// The first stretch of a tile comes while its rows are swept: a node copies that of its new parent.
TEST(TurnedRows, ATileGetsItsFirstStretchInASweep) {
  scenes::Draws draws(64);
  std::vector<NodeDescription> chain(3), above(1);
  for (std::uint32_t i = 1; i < 3; ++i) {
    chain[i].parent = i - 1;
    chain[i].local.position = {1, 0, 0};
  }
  above[0].stretch = {2, 1, 1};
  Twins twins;
  twins.instantiate(chain, 8, draws);
  twins.insert(above);
  propagate(twins);
  move(twins, 3, {1, 0, 0});
  propagate(twins);
  ASSERT_EQ(look(twins.lanes()).world, 0U);
  twins.both([](Hierarchy& h, const std::vector<Id>& ids) {
    return h.reparent(ids[0], ids[24], Keep::kLocal) && h.set_inherit(ids[0], Inherit::kCopyParent);
  });
  propagate(twins);
  twins.expect_the_same();
}

void write_some(Twins& twins, scenes::Draws& draws, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t node = twins.draw_node(draws);
    const LocalTransform local = test::draw_local(draws, false);
    twins.both(
        [&](Hierarchy& h, const std::vector<Id>& ids) { return h.set_local(ids[node], local).has_value(); });
  }
}

/// One frame of some kind.
void write_frame(Twins& twins, scenes::Draws& draws, const Executor* executor) {
  std::set<std::uint32_t> some;
  for (int i = 0; i < 20; ++i) {
    some.insert(twins.draw_node(draws));
  }
  const NodeFields fields = draws.below(3) == 0 ? NodeFields::kPlace : NodeFields::kAll;
  const bool copies = draws.below(2) == 0;
  const Vec3 stretch = test::draw_stretch(draws);
  switch (draws.below(10)) {
    case 0:
      return test::move_roots(twins, 2, draws);
    case 1:
      return test::move_roots(twins, 400, draws);
    case 2:
      return write_some(twins, draws, 3);
    case 3:
      return write_some(twins, draws, 300);
    case 4:
      return run_system(twins, fields, some, false, executor);
    case 5:
      return run_system(twins, fields, {}, true, executor);
    case 6:
      return twins.both([&](Hierarchy& h, const std::vector<Id>& ids) {
        return h
            .frame(fields, Mover{ids, some, some.size() % 2 == 0}, [](const WorldLanes&) {},
                   {.executor = executor})
            .has_value();
      });
    case 7:
      return twins.both([&](Hierarchy& h, const std::vector<Id>& ids) {
        return h.set_inherit(ids[*some.begin()], copies ? Inherit::kCopyParent : Inherit::kNormal)
            .has_value();
      });
    case 8:
      return twins.both([&](Hierarchy& h, const std::vector<Id>& ids) {
        return h.set_stretch(ids[*some.begin()], stretch).has_value();
      });
    default:
      return twins.hang(twins.draw_node(draws), draws);
  }
}

TEST(TurnedRows, AnyFramesInAnyOrder) {
  test::for_each_isa([](Isa) {
    scenes::Draws draws(63);
    test::for_each_executor([&](const Executor* executor) {
      Twins twins;
      twins.instantiate(draw_prefab(draws, 12), 90, draws);
      twins.instantiate(draw_prefab(draws, 3), 40, draws);
      for (int frame = 0; frame < 60; ++frame) {
        ASSERT_NO_FATAL_FAILURE(write_frame(twins, draws, executor));
        propagate(twins, executor);
        ASSERT_NO_FATAL_FAILURE(twins.expect_the_same()) << "frame " << frame;
        if (frame % 20 == 19) {
          twins.save_and_load();
        }
      }
    });
  });
}

}  // namespace
}  // namespace juxta
