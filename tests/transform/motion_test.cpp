// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Motion history: previous and two ago, as steps begin and nodes come, move and rest.
#include <gtest/gtest.h>

#include <vector>

#include "juxta/transform/hierarchy.h"
#include "support/code_of.h"

namespace juxta {
namespace {

LocalTransform at(float x) {
  LocalTransform local;
  local.position = {x, 0, 0};
  return local;
}

class TransformMotion : public testing::Test {
 protected:
  /// Two ago, previous and now, along x.
  void expect(Id id, float two_ago, float previous, float now) {
    EXPECT_EQ(hierarchy_.two_ago(id)->position.x, two_ago);
    EXPECT_EQ(hierarchy_.previous(id)->position.x, previous);
    EXPECT_EQ(hierarchy_.world(id)->position.x, now);
  }
  void move(Id id, float x) { ASSERT_TRUE(hierarchy_.set_position(id, {x, 0, 0})); }
  void step() { ASSERT_TRUE(hierarchy_.begin_step()); }
  void propagate() { ASSERT_TRUE(hierarchy_.propagate()); }

  Hierarchy hierarchy_{{.history = true}};
};

TEST_F(TransformMotion, AMoverLeavesATrailAndThenItCatchesUp) {
  const Id root = hierarchy_.insert(at(1)).value();
  const Id child = hierarchy_.insert(at(10), root).value();
  propagate();
  expect(root, 1, 1, 1);
  expect(child, 11, 11, 11);
  for (float x = 2; x < 5; ++x) {
    step();
    move(root, x);
    propagate();
    expect(root, x == 2 ? 1 : x - 2, x - 1, x);
    expect(child, (x == 2 ? 1 : x - 2) + 10, x + 9, x + 10);
  }
  step();
  expect(root, 3, 4, 4);
  expect(child, 13, 14, 14);
  step();
  expect(root, 4, 4, 4);
  expect(child, 14, 14, 14);
  step();
  expect(root, 4, 4, 4);
}

TEST_F(TransformMotion, SeveralPropagationsAreOneStep) {
  const Id root = hierarchy_.insert(at(0)).value();
  propagate();
  step();
  for (const float x : {1.0F, 2.0F, 3.0F}) {
    move(root, x);
    propagate();
    expect(root, 0, 0, x);
  }
  step();
  expect(root, 0, 3, 3);
}

TEST_F(TransformMotion, WhatIsNotPropagatedIsNotHistory) {
  const Id root = hierarchy_.insert(at(1)).value();
  const Id child = hierarchy_.insert(at(0), root).value();
  propagate();
  move(root, 2);
  step();
  expect(root, 1, 1, 2);
  EXPECT_EQ(hierarchy_.previous(child)->position.x, 1);
  EXPECT_EQ(hierarchy_.world(child)->position.x, 2);
  propagate();
  expect(root, 1, 1, 2);
  expect(child, 1, 1, 2);
  step();
  expect(root, 1, 2, 2);
  expect(child, 1, 2, 2);
}

TEST_F(TransformMotion, WhatUsersWriteIsThereAtOnce) {
  const Id root = hierarchy_.insert(at(1)).value();
  const Id user = hierarchy_.insert(at(0), root, {.inherit = Inherit::kUserWorld}).value();
  propagate();
  Qvvs there;
  there.position = {50, 0, 0};
  ASSERT_TRUE(hierarchy_.set_world(user, there));
  step();
  expect(user, 1, 50, 50);
}

TEST_F(TransformMotion, WhatUsersWriteIsThereWhateverNeighboursDo) {
  for (const bool neighbour_moves : {false, true}) {
    const Id written = hierarchy_.insert(at(0)).value(), neighbour = hierarchy_.insert(at(1)).value();
    const Id user = hierarchy_.insert(at(0), neighbour, {.inherit = Inherit::kUserWorld}).value();
    propagate();
    step();
    step();
    step();
    if (neighbour_moves) {
      move(neighbour, 2);
      propagate();
    }
    Qvvs there;
    there.position = {50, 0, 0};
    ASSERT_TRUE(hierarchy_.set_stretch(written, {2, 1, 1}) && hierarchy_.set_context(neighbour, 7));
    ASSERT_TRUE(hierarchy_.set_world(user, there));
    step();
    EXPECT_EQ(hierarchy_.previous(written)->stretch.x, 2);
    EXPECT_EQ(hierarchy_.previous(neighbour)->context, 7);
    expect(user, 0 + 1, 50, 50);
    step();
    EXPECT_EQ(hierarchy_.two_ago(written)->stretch.x, 2);
    EXPECT_EQ(hierarchy_.two_ago(user)->position.x, 50);
  }
}

TEST_F(TransformMotion, FlagsShowNothingThatWasNotPropagated) {
  const Id root = hierarchy_.insert(at(0)).value();
  const Id child = hierarchy_.insert(at(1), root).value();
  propagate();
  move(root, 10);
  ASSERT_TRUE(hierarchy_.set_inherit(child, Inherit::kWorldScale | Inherit::kWorldX));
  step();
  expect(child, 1, 1, 11);
  hierarchy_.changed_since(
      0, [&](Id id, const Qvvs& world) { EXPECT_EQ(world.position.x, id == child ? 1 : 0); });
  move(root, 20);
  propagate();
  expect(child, 1, 1, 11);  // kept from when it was told to
  move(root, 30);
  propagate();
  expect(child, 1, 1, 11);
}

TEST_F(TransformMotion, ANewNodeStandsStill) {
  const Id root = hierarchy_.insert(at(1)).value();
  propagate();
  step();
  step();
  const Id late = hierarchy_.insert(at(5), root).value();
  step();
  move(root, 7);
  propagate();
  expect(late, 12, 12, 12);
  step();
  move(late, 6);
  propagate();
  expect(late, 12, 12, 13);
}

TEST_F(TransformMotion, AReusedSlotHasNoPast) {
  const Id root = hierarchy_.insert(at(1)).value();
  const Id first = hierarchy_.insert(at(1), root).value();
  propagate();
  for (const float x : {2.0F, 3.0F}) {
    step();
    move(first, x);
    propagate();
  }
  ASSERT_TRUE(hierarchy_.remove(first));
  const Id second = hierarchy_.insert(at(40), root).value();
  propagate();
  expect(second, 41, 41, 41);
  EXPECT_EQ(hierarchy_.changed_at(second).value(), hierarchy_.version());
  EXPECT_FALSE(hierarchy_.previous(first));
}

TEST_F(TransformMotion, ReparentingAndTidyingKeepTheTrail) {
  std::vector<Id> roots, children;
  for (int i = 0; i < 3000; ++i) {
    roots.push_back(hierarchy_.insert(at(0)).value());
  }
  for (int i = 0; i < 3000; ++i) {
    children.push_back(
        hierarchy_.insert(at(static_cast<float>(i)), roots[static_cast<std::size_t>(i)]).value());
  }
  propagate();
  for (int frame = 1; frame < 30; ++frame) {
    step();
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (i % 7 == static_cast<std::size_t>(frame % 7)) {
        ASSERT_TRUE(hierarchy_.reparent(children[i], roots[(i * 31 + static_cast<std::size_t>(frame)) % 3000],
                                        Keep::kLocal));
      }
      move(children[i], static_cast<float>(frame * 10'000 + static_cast<int>(i)));
    }
    propagate();
    for (std::size_t i = 0; i < children.size(); i += 13) {
      const auto x = [&](int f) {
        return static_cast<float>((f < 1 ? 0 : f * 10'000) + static_cast<int>(i));
      };
      ASSERT_EQ(hierarchy_.world(children[i])->position.x, x(frame));
      ASSERT_EQ(hierarchy_.previous(children[i])->position.x, x(frame - 1));
      ASSERT_EQ(hierarchy_.two_ago(children[i])->position.x, x(frame - 2));
    }
  }
}

TEST_F(TransformMotion, ManyAtOnceAreTheSame) {
  std::vector<Id> ids;
  for (int i = 0; i < 5000; ++i) {
    ids.push_back(hierarchy_.insert(at(static_cast<float>(i))).value());
  }
  propagate();
  step();
  move(ids[77], -1);
  propagate();
  step();
  std::vector<Qvvs> previous(ids.size()), two_ago(ids.size());
  ASSERT_TRUE(hierarchy_.previous(ids, previous) && hierarchy_.two_ago(ids, two_ago));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    ASSERT_EQ(previous[i], hierarchy_.previous(ids[i]).value());
    ASSERT_EQ(two_ago[i], hierarchy_.two_ago(ids[i]).value());
  }
  EXPECT_EQ(previous[77].position.x, -1);
  EXPECT_EQ(two_ago[77].position.x, 77);
}

TEST(TransformWithoutMotion, AsksForHistory) {
  Hierarchy hierarchy;
  const Id id = hierarchy.insert({}).value();
  ASSERT_TRUE(hierarchy.propagate());
  EXPECT_EQ(test::code_of(hierarchy.begin_step()), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(hierarchy.previous(id)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(hierarchy.two_ago(id)), ErrorCode::kInvalidArgument);
  std::vector<Qvvs> out(1);
  EXPECT_EQ(test::code_of(hierarchy.previous(std::vector{id}, out)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(hierarchy.two_ago(std::vector{id}, out)), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace juxta
