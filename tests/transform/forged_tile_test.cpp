// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Child ranges in files that a hierarchy cannot have.
#include <gtest/gtest.h>

#include <cstring>
#include <span>
#include <vector>

#include "juxta/transform/hierarchy.h"
#include "support/code_of.h"
#include "support/saved_bytes.h"
#include "transform/hierarchy_file.h"
#include "transform/seal.h"
#include "transform/tile_file.h"

namespace juxta {
namespace {

using transform_detail::HierarchyFileHeader;
using transform_detail::TileRecord;

/// The first tile of a file, after `change`.
ErrorCode load_changed(const Hierarchy& world, void (*change)(TileRecord&)) {
  std::vector<char> file = test::saved_bytes(world);
  TileRecord record;
  std::memcpy(&record, file.data() + 4096, sizeof record);
  change(record);
  std::memcpy(file.data() + 4096, &record, sizeof record);
  test::seal(file);
  const test::ScratchFile scratch;
  scratch.write(file);
  return test::code_of(Hierarchy::load(scratch.path().string())).value_or(ErrorCode::kIo);
}

// What is placed next stands behind the rows in use: no child range may reach there.
TEST(TransformForgedFile, ChildRangesEndWithTheRowsInUse) {
  Hierarchy lanes, rows;
  std::vector<LocalTransform> roots(8);
  std::vector<Id> ids(8);
  const std::vector<NodeDescription> one(1), three = {{}, {.parent = 0}, {.parent = 1}};
  ASSERT_TRUE(lanes.instantiate(*Prefab::build(one), roots, ids));
  EXPECT_EQ(load_changed(lanes,
                         [](TileRecord& tile) {
                           ASSERT_EQ(tile.lanes, 1U);
                           tile.first_child[1] = 128;
                         }),
            ErrorCode::kCorruptFile);
  ASSERT_TRUE(rows.insert(three, std::span(ids).first(3)));
  EXPECT_EQ(load_changed(rows, [](TileRecord& tile) { tile.first_child[3] = 1024; }),
            ErrorCode::kCorruptFile);
}

// The rows of a group take their parents from one group.
TEST(TransformForgedFile, AGroupHasOneGroupAbove) {
  Hierarchy world;
  std::vector<LocalTransform> roots(16);
  std::vector<Id> ids(32);
  ASSERT_TRUE(world.instantiate(*Prefab::build(std::vector<NodeDescription>{{}, {.parent = 0}}), roots, ids));
  std::vector<Id> gone;  // roots 4 to 11 with their children, and the children of roots 0 to 3
  for (std::size_t i = 0; i < 12; ++i) {
    gone.push_back(ids[2 * i + (i < 4 ? 1 : 0)]);
  }
  ASSERT_TRUE(world.remove(gone));
  EXPECT_EQ(load_changed(world, [](TileRecord&) {}), ErrorCode::kIo);  // it loads
  EXPECT_EQ(load_changed(world,
                         [](TileRecord& tile) {
                           ASSERT_EQ(tile.first_child[4], 3);
                           tile.first_child[0] = 3;
                           tile.first_child[1] = 4;
                         }),
            ErrorCode::kCorruptFile);
}

// Trees may stand again where all went: what their groups say of each other counts.
TEST(TransformForgedFile, DeadGroupsStandInTheirBlocks) {
  Hierarchy world;
  std::vector<LocalTransform> roots(16);
  std::vector<Id> ids(48);
  const std::vector<NodeDescription> chain = {{}, {.parent = 0}, {.parent = 1}};
  ASSERT_TRUE(world.instantiate(*Prefab::build(chain), roots, ids));
  std::vector<Id> gone(ids.begin(), ids.begin() + 24);  // the groups 0, 1 and 2
  for (std::size_t i = 8; i < 16; ++i) {
    gone.push_back(ids[3 * i + 2]);  // group 5
  }
  ASSERT_TRUE(world.remove(gone));
  EXPECT_EQ(load_changed(world, [](TileRecord&) {}), ErrorCode::kIo);                // it loads
  EXPECT_EQ(load_changed(world, [](TileRecord& tile) { tile.first_child[5] = 2; }),  // ends before it begins
            ErrorCode::kCorruptFile);
  EXPECT_EQ(load_changed(world,
                         [](TileRecord& tile) {  // 5 is below 2, in the block of 3, and none below 4
                           ASSERT_EQ(tile.first_child[8], 5);
                           tile.first_child[4] = 5;
                           tile.first_child[5] = 6;
                           tile.first_child[9] = 5;
                         }),
            ErrorCode::kCorruptFile);
}

TEST(TransformForgedFile, ChildRangesOfDeadRowsAscend) {
  Hierarchy world;
  std::vector<Id> ids(8);
  const std::vector<NodeDescription> two = {{}, {.parent = 0}, {.parent = 1},
                                            {}, {.parent = 3}, {.parent = 4}};
  ASSERT_TRUE(world.insert(two, std::span(ids).first(6)));
  ASSERT_TRUE(world.remove(ids[0]));                                   // rows 0, 2, 4
  EXPECT_EQ(load_changed(world, [](TileRecord&) {}), ErrorCode::kIo);  // it loads
  EXPECT_EQ(load_changed(world, [](TileRecord& tile) { tile.first_child[0] = 5; }), ErrorCode::kCorruptFile);
  EXPECT_EQ(load_changed(world,
                         [](TileRecord& tile) {  // that of row 4, the last one, would reach what comes next
                           ASSERT_EQ(tile.used, 6U);
                           tile.first_child[6] = 8;
                         }),
            ErrorCode::kCorruptFile);
}

}  // namespace
}  // namespace juxta
