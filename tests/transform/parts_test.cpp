// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Rotations and scales that are set, positions and rotations that are added to: in which frame, and what is
// refused. tests/transform/history_parts.h compares them with a plain tree.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "juxta/transform/hierarchy.h"
#include "support/code_of.h"
#include "support/saved_bytes.h"

namespace juxta {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kMost = std::numeric_limits<float>::max();
const float kHalf = std::sqrt(0.5F);
const Quat kQuarterY{0, kHalf, 0, kHalf};  // z becomes x

void expect_near(Vec3 a, Vec3 b) {
  EXPECT_NEAR(a.x, b.x, 1e-5F);
  EXPECT_NEAR(a.y, b.y, 1e-5F);
  EXPECT_NEAR(a.z, b.z, 1e-5F);
}

TEST(TransformParts, MovesAndTurnsAreAlongTheAxesOfTheParent) {
  Hierarchy world;
  const Id hull = world.insert({kQuarterY, {10, 0, 0}, 2}).value();
  const Id gun = world.insert({kQuarterY, {0, 1, 0}, 1}, hull).value();
  ASSERT_TRUE(world.translate_by(gun, {0, 0, 3}));
  EXPECT_EQ(world.local(gun)->position, (Vec3{0, 1, 3}));
  expect_near(world.world(gun)->position, {16, 2, 0});  // the parent's z is the world's x, its unit is 2
  const Quat quarter_x{kHalf, 0, 0, kHalf};             // y becomes z
  ASSERT_TRUE(world.rotate_by(gun, quarter_x));
  EXPECT_EQ(world.local(gun)->position, (Vec3{0, 1, 3}));  // in place
  // Its z pointed along the parent's x, which the turn leaves alone; its y along the parent's y.
  expect_near(rotate(world.local(gun)->rotation, {0, 0, 1}), {1, 0, 0});
  expect_near(rotate(world.local(gun)->rotation, {0, 1, 0}), {0, 0, 1});
  ASSERT_TRUE(world.set_rotation(gun, {0, 5, 0, 5}));
  EXPECT_NEAR(world.local(gun)->rotation.y, kHalf, 1e-6F);
  ASSERT_TRUE(world.set_scale(gun, 0.25F));
  EXPECT_FLOAT_EQ(world.world(gun)->scale, 0.5F);
  // About its own axes, as the header says.
  const Quat own = world.local(gun)->rotation;
  ASSERT_TRUE(world.rotate_by(gun, own * quarter_x * conjugate(own)));
  const Quat expected = own * quarter_x;
  EXPECT_NEAR(std::abs(dot(world.local(gun)->rotation, expected)), 1, 1e-5F);
}

TEST(TransformParts, ANodeThatIsListedTwiceMovesAndTurnsTwice) {
  Hierarchy world;
  const Id id = world.insert({}).value(), other = world.insert({}).value();
  const std::vector<Id> ids{id, other, id};
  ASSERT_TRUE(world.translate_by(ids, std::vector<Vec3>{{1, 0, 0}, {0, 5, 0}, {2, 0, 0}}));
  EXPECT_EQ(world.local(id)->position, (Vec3{3, 0, 0}));
  EXPECT_EQ(world.local(other)->position, (Vec3{0, 5, 0}));
  ASSERT_TRUE(world.rotate_by(ids, std::vector<Quat>(3, kQuarterY)));
  expect_near(rotate(world.local(id)->rotation, {0, 0, 1}), {0, 0, -1});
  ASSERT_TRUE(world.set_scale(ids, std::vector<float>{2, 3, 4}));
  EXPECT_EQ(world.local(id)->scale, 4);
  ASSERT_TRUE(world.set_rotation(ids, std::vector<Quat>{kQuarterY, {}, {}}));
  EXPECT_EQ(world.local(id)->rotation, Quat{});
}

TEST(TransformParts, TurnsGoOnForEver) {
  Hierarchy world;
  const Id id = world.insert({}).value();
  const float angle = 0.01F;
  const Quat step{0, std::sin(angle / 2), 0, std::cos(angle / 2)};
  for (int i = 0; i < 100'000; ++i) {
    ASSERT_TRUE(world.rotate_by(id, step));
  }
  EXPECT_NEAR(length_squared(world.local(id)->rotation), 1, 1e-6F);
  ASSERT_TRUE(world.propagate());
  EXPECT_EQ(world.changed_at(id).value(), 1u);
}

TEST(TransformParts, AHiddenHullHidesItsParts) {
  constexpr std::uint8_t kHidden = 1, kFrozen = 64;
  Hierarchy world;
  const Id hull = world.insert({}).value(), turret = world.insert({}, hull).value();
  const Id gun = world.insert({}, turret, {.inherit = Inherit::kWorldY}).value(),
           other = world.insert({}).value();
  ASSERT_TRUE(world.propagate());
  ASSERT_TRUE(world.set_tags(hull, kHidden) && world.set_tags(gun, kFrozen));
  EXPECT_EQ(world.inherited_tags(turret).value(), kHidden);
  EXPECT_EQ(world.inherited_tags(gun).value(), kHidden | kFrozen);
  EXPECT_EQ(world.tags(gun).value(), kFrozen);
  EXPECT_EQ(world.inherit(gun).value(), Inherit::kWorldY);
  ASSERT_TRUE(
      world.set_inherit(gun, Inherit::kWorldX | static_cast<Inherit>(0x200)));  // a bit that means nothing
  EXPECT_EQ(world.inherit(gun).value(), Inherit::kWorldX);
  EXPECT_EQ(world.tags(gun).value(), kFrozen);
  ASSERT_TRUE(world.propagate());
  std::vector<Id> heard;
  world.changed_since(1, [&](Id id, const Qvvs&) { heard.push_back(id); });
  EXPECT_EQ(heard, (std::vector<Id>{hull, turret, gun}));
  ASSERT_TRUE(world.reparent(turret, other));
  EXPECT_EQ(world.inherited_tags(gun).value(), kFrozen);
  const Id strange = world.insert({}, {}, {.inherit = static_cast<Inherit>(0xFE00)}).value();
  EXPECT_EQ(world.tags(strange).value(), 0);
  const std::vector<NodeDescription> list{{.inherit = static_cast<Inherit>(0xFE00)}};
  std::vector<Id> ids(1);
  ASSERT_TRUE(world.insert(list, ids));
  EXPECT_EQ(world.tags(ids[0]).value(), 0);
  ASSERT_TRUE(world.instantiate(Prefab::build(list).value(), std::vector<LocalTransform>(1), ids));
  EXPECT_EQ(world.tags(ids[0]).value(), 0);
}

/// Refused calls leave every byte of the file as it was.
class TransformPartsRefused : public testing::Test {
 protected:
  TransformPartsRefused() {
    const Id root = world_.insert({{}, {kMost, 0, 0}, 1}).value();
    ids_ = {world_.insert({{}, {1, 2, 3}, 1}, root).value(), root,
            world_.insert({{}, {0, 0, 1}, 1}, root, {.inherit = Inherit::kWorldX}).value()};
    dead_ = world_.insert({}).value();
    EXPECT_TRUE(world_.remove(dead_) && world_.propagate());
    before_ = test::saved_bytes(world_);
  }
  void TearDown() override { EXPECT_TRUE(test::saved_bytes(world_) == before_); }

  /// The last of three, and alone.
  template <class Value>
  void refuses(Result<void> (Hierarchy::*one)(Id, Value),
               Result<void> (Hierarchy::*many)(std::span<const Id>, std::span<const Value>), Value good,
               Value bad, ErrorCode code) {
    const auto single = (world_.*one)(ids_[0], bad);
    EXPECT_EQ(test::code_of(single), code);
    EXPECT_EQ(single.error().index, Error::kNowhere);
    const auto bulk = (world_.*many)(ids_, std::vector<Value>{good, good, bad});
    EXPECT_EQ(test::code_of(bulk), code);
    EXPECT_EQ(bulk.error().index, 2u);
    EXPECT_NE(bulk.error().message.find("number 2"), std::string::npos) << bulk.error().message;
  }
  template <class Value>
  void refuses_ids(Result<void> (Hierarchy::*one)(Id, Value),
                   Result<void> (Hierarchy::*many)(std::span<const Id>, std::span<const Value>), Value good) {
    EXPECT_EQ(test::code_of((world_.*one)(dead_, good)), ErrorCode::kNotFound);
    std::vector<Id> ids = ids_;
    ids.push_back(dead_);
    const auto bulk = (world_.*many)(ids, std::vector<Value>(4, good));
    EXPECT_EQ(test::code_of(bulk), ErrorCode::kNotFound);
    EXPECT_EQ(bulk.error().index, 3u);
    const auto lengths = (world_.*many)(ids_, std::vector<Value>(2, good));
    EXPECT_EQ(test::code_of(lengths), ErrorCode::kInvalidArgument);
  }

  Hierarchy world_;
  std::vector<Id> ids_;
  Id dead_;
  std::vector<char> before_;
};

TEST_F(TransformPartsRefused, Rotations) {
  for (const Quat bad :
       {Quat{kNan, 0, 0, 1}, Quat{0, kInf, 0, 1}, Quat{0, 0, -kInf, 1}, Quat{0, 0, 0, kNan}}) {
    refuses<Quat>(&Hierarchy::set_rotation, &Hierarchy::set_rotation, kQuarterY, bad, ErrorCode::kNotFinite);
    refuses<Quat>(&Hierarchy::rotate_by, &Hierarchy::rotate_by, kQuarterY, bad, ErrorCode::kNotFinite);
  }
  const Quat zero{0, 0, 0, 0};
  refuses<Quat>(&Hierarchy::set_rotation, &Hierarchy::set_rotation, kQuarterY, zero,
                ErrorCode::kInvalidArgument);
  refuses<Quat>(&Hierarchy::rotate_by, &Hierarchy::rotate_by, kQuarterY, zero, ErrorCode::kInvalidArgument);
  refuses_ids<Quat>(&Hierarchy::set_rotation, &Hierarchy::set_rotation, kQuarterY);
  refuses_ids<Quat>(&Hierarchy::rotate_by, &Hierarchy::rotate_by, kQuarterY);
}

TEST_F(TransformPartsRefused, Scales) {
  for (const float bad : {kNan, kInf, -kInf}) {
    refuses<float>(&Hierarchy::set_scale, &Hierarchy::set_scale, 2, bad, ErrorCode::kNotFinite);
  }
  for (const float bad : {0.0F, -0.0F, -1.0F}) {
    refuses<float>(&Hierarchy::set_scale, &Hierarchy::set_scale, 2, bad, ErrorCode::kInvalidArgument);
  }
  refuses_ids<float>(&Hierarchy::set_scale, &Hierarchy::set_scale, 2);
}

TEST_F(TransformPartsRefused, Tags) {
  EXPECT_EQ(test::code_of(world_.set_tags(ids_[0], 128)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(world_.set_tags(dead_, 1)), ErrorCode::kNotFound);
  EXPECT_EQ(test::code_of(world_.tags(dead_)), ErrorCode::kNotFound);
  EXPECT_EQ(test::code_of(world_.inherited_tags(dead_)), ErrorCode::kNotFound);
  std::vector<std::uint8_t> out(world_.slot_count() - 1, 77);
  EXPECT_EQ(test::code_of(world_.inherited_tags(out)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(out, std::vector<std::uint8_t>(out.size(), 77));
}

TEST_F(TransformPartsRefused, Moves) {
  for (const Vec3 bad : {Vec3{kNan, 0, 0}, Vec3{0, kInf, 0}, Vec3{0, 0, -kInf}}) {
    refuses<Vec3>(&Hierarchy::translate_by, &Hierarchy::translate_by, {1, 1, 1}, bad, ErrorCode::kNotFinite);
  }
  refuses_ids<Vec3>(&Hierarchy::translate_by, &Hierarchy::translate_by, {1, 1, 1});
  // Sums that leave float: alone, and the second of two moves of one node, after which the first goes back.
  EXPECT_EQ(test::code_of(world_.translate_by(ids_[1], {kMost, 0, 0})), ErrorCode::kNotFinite);
  const std::vector<Id> twice{ids_[0], ids_[2], ids_[0]};
  const auto refused = world_.translate_by(twice, std::vector<Vec3>(3, Vec3{0, kMost, 0}));
  EXPECT_EQ(test::code_of(refused), ErrorCode::kNotFinite);
  EXPECT_EQ(refused.error().index, 2u);
  EXPECT_EQ(world_.propagate()->version, 1u);  // nothing is to do
}

}  // namespace
}  // namespace juxta
