// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Which nodes were destroyed: each once for every reader, whoever took them along.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "juxta/transform/hierarchy.h"
#include "scenes/draws.h"
#include "support/code_of.h"
#include "support/saved_bytes.h"

namespace juxta {
namespace {

std::vector<Id> destroyed(const Hierarchy& world, std::uint64_t version) {
  std::vector<Id> ids;
  EXPECT_TRUE(world.destroyed_since(version, [&](Id id) { ids.push_back(id); }));
  return ids;
}

TEST(TransformDestroyed, AHullTakesItsPartsAlongAndTheyComeFirst) {
  Hierarchy world({.destroyed = true});
  const Id hull = world.insert({}).value(), turret = world.insert({}, hull).value();
  const Id gun = world.insert({}, turret).value(), other = world.insert({}).value();
  ASSERT_EQ(world.propagate()->version, 1u);
  ASSERT_TRUE(world.remove(hull));
  EXPECT_TRUE(destroyed(world, 0).empty());  // not told yet
  EXPECT_EQ(world.version(), 1u);
  const auto done = world.propagate();  // nothing else is to do
  ASSERT_TRUE(done);
  EXPECT_EQ(done->version, 2u);
  EXPECT_EQ(done->computed, 0u);
  EXPECT_EQ(destroyed(world, 1), (std::vector<Id>{gun, turret, hull}));
  EXPECT_TRUE(destroyed(world, 2).empty());
  EXPECT_TRUE(destroyed(world, 77).empty());
  EXPECT_EQ(world.propagate()->version, 2u);
  ASSERT_TRUE(world.remove(other));
  EXPECT_EQ(world.propagate()->version, 3u);
  EXPECT_EQ(destroyed(world, 0), (std::vector<Id>{gun, turret, hull, other}));
  EXPECT_EQ(destroyed(world, 2), (std::vector<Id>{other}));
}

TEST(TransformDestroyed, HandedOverChildrenAreNotAndRefusedCallsDestroyNothing) {
  Hierarchy world({.destroyed = true});
  const Id hull = world.insert({}).value(), turret = world.insert({}, hull).value();
  ASSERT_TRUE(world.remove(hull, Children::kToAncestor));
  EXPECT_FALSE(world.remove(std::vector<Id>{turret, hull}));
  ASSERT_TRUE(world.propagate());
  EXPECT_EQ(destroyed(world, 0), (std::vector<Id>{hull}));
}

TEST(TransformDestroyed, FrameTellsOfThemToo) {
  Hierarchy world({.destroyed = true});
  const Id id = world.insert({}).value();
  ASSERT_TRUE(world.insert({}));
  ASSERT_TRUE(world.propagate() && world.remove(id));
  const auto nothing = [](LocalLanes&) { return NodeMask{0}; };
  const auto done = world.frame(NodeFields::kPlace, nothing, [](const WorldLanes&) {});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->version, 2u);
  EXPECT_EQ(destroyed(world, 1), (std::vector<Id>{id}));
  EXPECT_EQ(world.frame(NodeFields::kPlace, nothing, [](const WorldLanes&) {})->version, 2u);
}

TEST(TransformDestroyed, WhatIsForgottenIsRefusedAndTheRestStays) {
  Hierarchy world({.destroyed = true});
  std::vector<Id> ids;
  for (int i = 0; i < 6; ++i) {
    ids.push_back(world.insert({}).value());
  }
  ASSERT_TRUE(world.propagate());
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(world.remove(ids[static_cast<std::size_t>(i)]) && world.propagate());  // versions 2 to 5
  }
  ASSERT_TRUE(world.remove(ids[4]));
  ASSERT_TRUE(world.forget_destroyed(3));
  EXPECT_EQ(destroyed(world, 3), (std::vector<Id>{ids[2], ids[3]}));
  const auto refused = world.destroyed_since(2, [](Id) { FAIL(); });
  EXPECT_EQ(test::code_of(refused), ErrorCode::kInvalidArgument);
  EXPECT_NE(refused.error().message.find("version 3"), std::string::npos) << refused.error().message;
  ASSERT_TRUE(world.forget_destroyed(1));  // less than before: nothing
  EXPECT_EQ(destroyed(world, 3).size(), 2u);
  ASSERT_TRUE(world.forget_destroyed(1000));  // what no propagate() told of stays
  EXPECT_TRUE(destroyed(world, 5).empty());
  ASSERT_TRUE(world.propagate());
  EXPECT_EQ(destroyed(world, 5), (std::vector<Id>{ids[4]}));
}

TEST(TransformDestroyed, WithoutTheOptionNothingIsKeptAndNothingIsToDo) {
  Hierarchy world;
  const Id id = world.insert({}).value();
  ASSERT_TRUE(world.propagate() && world.remove(id));
  EXPECT_EQ(world.propagate()->version, 1u);
  EXPECT_EQ(test::code_of(world.destroyed_since(0, [](Id) {})), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(world.forget_destroyed(0)), ErrorCode::kInvalidArgument);
}

/// A table by slots, as a GPU has one, kept by what the hierarchy tells.
struct Table {
  std::map<std::uint32_t, std::uint32_t> generations;  // by slot
  std::uint64_t seen = 0;

  void read(const Hierarchy& world) {
    ASSERT_TRUE(world.destroyed_since(seen, [&](Id id) {
      if (const auto at = generations.find(id.slot); at != generations.end() && at->second == id.generation) {
        generations.erase(at);
      }
    }));
    world.changed_since(seen, [&](Id id, const Qvvs&) { generations[id.slot] = id.generation; });
    seen = world.version();
  }
};

TEST(TransformDestroyed, TablesOfSeveralReadersHoldWhatLives) {
  Hierarchy world({.destroyed = true});
  scenes::Draws draws(5);
  std::vector<Id> ids;
  Table often, seldom;
  for (std::uint32_t round = 0; round < 300; ++round) {
    for (std::uint32_t i = draws.below(30); i > 0; --i) {
      if (ids.empty() || draws.below(5) < 3) {
        const Id parent = ids.empty() || draws.below(4) == 0
                              ? Id{}
                              : ids[draws.below(static_cast<std::uint32_t>(ids.size()))];
        ids.push_back(world.insert({}, parent).value());
      } else {
        ASSERT_TRUE(world.remove(ids[draws.below(static_cast<std::uint32_t>(ids.size()))]));
        std::erase_if(ids, [&](Id id) { return !world.alive(id); });
      }
    }
    ASSERT_TRUE(world.propagate());
    ASSERT_NO_FATAL_FAILURE(often.read(world));
    ASSERT_EQ(often.generations.size(), ids.size());
    if (round % 7 == 0) {
      ASSERT_NO_FATAL_FAILURE(seldom.read(world));
      ASSERT_EQ(seldom.generations, often.generations);
      ASSERT_TRUE(world.forget_destroyed(seldom.seen));
      EXPECT_TRUE(destroyed(world, seldom.seen).empty());
    }
    for (const Id id : ids) {
      ASSERT_EQ(often.generations.at(id.slot), id.generation);
    }
  }
}

TEST(TransformDestroyed, IsSavedAndLoaded) {
  Hierarchy world({.destroyed = true});
  const Id a = world.insert({}).value(), b = world.insert({}).value(), c = world.insert({}).value();
  ASSERT_TRUE(world.propagate() && world.remove(a) && world.propagate() && world.forget_destroyed(1));
  ASSERT_TRUE(world.remove(b));
  auto loaded = test::from_bytes<Hierarchy>(test::saved_bytes(world));
  EXPECT_EQ(destroyed(loaded, 1), (std::vector<Id>{a}));
  EXPECT_FALSE(loaded.destroyed_since(0, [](Id) {}));
  ASSERT_EQ(loaded.propagate()->version, 3u);
  EXPECT_EQ(destroyed(loaded, 2), (std::vector<Id>{b}));
  ASSERT_TRUE(loaded.remove(c) && loaded.propagate());
  EXPECT_EQ(destroyed(loaded, 3), (std::vector<Id>{c}));
}

}  // namespace
}  // namespace juxta
