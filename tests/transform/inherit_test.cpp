// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Each inheritance flag by itself, with numbers that can be checked by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "juxta/transform/hierarchy.h"

namespace juxta {
namespace {

constexpr float kHalf = 0.70710678F;
const Quat kQuarterX{kHalf, 0, 0, kHalf};  // +y to +z, +z to -y
const Quat kQuarterY{0, kHalf, 0, kHalf};  // +z to +x, +x to -z
const Quat kQuarterZ{0, 0, kHalf, kHalf};  // +x to +y, +y to -x

void expect_near(Vec3 a, Vec3 b, double tolerance = 2e-6) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

class TransformInherit : public testing::Test {
 protected:
  /// A root at the origin and a child at (1, 2, 3), propagated.
  void make(Inherit inherit, const LocalTransform& local = {{}, {1, 2, 3}, 1}) {
    root_ = hierarchy_.insert({}).value();
    child_ = hierarchy_.insert(local, root_, {.inherit = inherit}).value();
    grandchild_ = hierarchy_.insert({{}, {0, 0, 1}, 1}, child_).value();
    ASSERT_TRUE(hierarchy_.propagate());
  }
  /// The root goes there; read both ways, which are the same.
  Qvvs after(const LocalTransform& root) {
    EXPECT_TRUE(hierarchy_.set_local(root_, root));
    const Qvvs early = hierarchy_.world(child_).value();
    const LocalTransform early_local = hierarchy_.local(child_).value();
    EXPECT_TRUE(hierarchy_.propagate());
    EXPECT_EQ(hierarchy_.world(child_).value(), early);
    EXPECT_EQ(hierarchy_.local(child_).value(), early_local);
    const Qvvs below = mul(early, hierarchy_.local(grandchild_).value());
    EXPECT_EQ(hierarchy_.world(grandchild_)->position, below.position);
    return early;
  }
  /// Local and world agree.
  void expect_local(double tolerance = 2e-6) {
    const Qvvs root = hierarchy_.world(root_).value(), world = hierarchy_.world(child_).value();
    const Qvvs again = mul(root, hierarchy_.local(child_).value());
    expect_near(again.position, world.position, tolerance);
    EXPECT_NEAR(again.scale, world.scale, 1e-6);
    expect_near(rotate(again.rotation, {0, 0, 1}), rotate(world.rotation, {0, 0, 1}));
  }

  Hierarchy hierarchy_;
  Id root_, child_, grandchild_;
};

TEST_F(TransformInherit, NormalFollows) {
  make(Inherit::kNormal);
  const Qvvs world = after({kQuarterZ, {10, 0, 0}, 2});
  expect_near(world.position, {10 - 4, 2, 6});
  EXPECT_EQ(world.scale, 2);
}

TEST_F(TransformInherit, PositionAxisByAxis) {
  for (int axes = 1; axes < 8; ++axes) {
    SCOPED_TRACE(axes);
    make(static_cast<Inherit>(axes));
    const Vec3 place = after({{}, {10, 20, 30}, 2}).position;
    EXPECT_EQ(place.x, (axes & 1) != 0 ? 1 : 12);
    EXPECT_EQ(place.y, (axes & 2) != 0 ? 2 : 24);
    EXPECT_EQ(place.z, (axes & 4) != 0 ? 3 : 36);
    expect_local();
  }
}

TEST_F(TransformInherit, RotationAndScaleAsTheyAre) {
  make(Inherit::kWorldRotation | Inherit::kWorldScale, {kQuarterX, {1, 2, 3}, 3});
  const Qvvs before = hierarchy_.world(child_).value();
  const Qvvs world = after({kQuarterZ, {}, 2});
  EXPECT_EQ(world.rotation, before.rotation);
  EXPECT_EQ(world.scale, 3);
  expect_near(world.position, {-4, 2, 6});
  expect_local();
}

// The parent turns about z and then leans about x; the child's forward stays +z, its up follows (-x, before
// it leans) as far as a right angle to +z allows.
TEST_F(TransformInherit, ForwardStaysUpFollows) {
  make(Inherit::kWorldForward);
  Qvvs world = after({kQuarterZ, {}, 1});
  expect_near(rotate(world.rotation, {0, 0, 1}), {0, 0, 1});
  expect_near(rotate(world.rotation, {0, 1, 0}), {-1, 0, 0});
  const float lean = 0.5F;
  const Quat leaning{std::sin(lean / 2), 0, 0, std::cos(lean / 2)};
  world = after({leaning, {}, 1});
  expect_near(rotate(world.rotation, {0, 0, 1}), {0, 0, 1});
  EXPECT_NEAR(std::abs(rotate(world.rotation, {0, 1, 0}).z), 0, 2e-6);
  expect_local();
}

// Kept up (+y) has no precedence: forward follows exactly, up gives way.
TEST_F(TransformInherit, UpGivesWayToForward) {
  make(Inherit::kWorldUp);
  const float lean = 0.5F;
  const Quat leaning{std::sin(lean / 2), 0, 0, std::cos(lean / 2)};
  const Qvvs world = after({leaning, {}, 1});
  expect_near(rotate(world.rotation, {0, 0, 1}), {0, -std::sin(lean), std::cos(lean)});
  expect_near(rotate(world.rotation, {0, 1, 0}), {0, std::cos(lean), std::sin(lean)});
  const Qvvs turned = after({kQuarterY, {}, 1});
  expect_near(rotate(turned.rotation, {0, 0, 1}), {1, 0, 0});
  expect_near(rotate(turned.rotation, {0, 1, 0}), {0, std::cos(lean), std::sin(lean)});
  expect_local();
}

// Strictly: up stays +y whatever the parent does, forward gives way.
TEST_F(TransformInherit, StrictUpStays) {
  make(Inherit::kWorldUp | Inherit::kStrictUp);
  const float lean = 0.5F;
  const Quat leaning{std::sin(lean / 2), 0, 0, std::cos(lean / 2)};
  Qvvs world = after({leaning, {}, 1});
  expect_near(rotate(world.rotation, {0, 1, 0}), {0, 1, 0});
  expect_near(rotate(world.rotation, {0, 0, 1}), {0, 0, 1});
  world = after({kQuarterY, {}, 1});
  expect_near(rotate(world.rotation, {0, 1, 0}), {0, 1, 0});
  expect_near(rotate(world.rotation, {0, 0, 1}), {1, 0, 0});
  expect_local();
}

// A quarter turn about x brings the followed forward (-y) into line with the kept up (+y).
TEST_F(TransformInherit, AxesThatAgreeLeaveTheOneWithPrecedence) {
  for (const bool strict : {false, true}) {
    SCOPED_TRACE(strict);
    make(Inherit::kWorldUp | (strict ? Inherit::kStrictUp : Inherit::kNormal));
    const Quat followed = mul(Qvvs{}, {kQuarterX, {}, 1}).rotation;
    const Quat got = after({kQuarterX, {}, 1}).rotation;
    const Quat expected = strict ? Quat{} : followed;
    expect_near(rotate(got, {0, 0, 1}), rotate(expected, {0, 0, 1}));
    expect_near(rotate(got, {0, 1, 0}), rotate(expected, {0, 1, 0}));
  }
}

TEST_F(TransformInherit, CopyParentIsTheParent) {
  make(Inherit::kCopyParent | Inherit::kWorldPosition);
  ASSERT_TRUE(hierarchy_.set_stretch(root_, {1, 2, 3}));
  ASSERT_TRUE(hierarchy_.set_context(root_, 77));
  const Qvvs world = after({kQuarterZ, {10, 20, 30}, 2});
  EXPECT_EQ(world, hierarchy_.world(root_).value());
  EXPECT_EQ(world.context, 77);
  EXPECT_EQ(world.stretch, (Vec3{1, 2, 3}));
}

TEST_F(TransformInherit, UserWorldIsWhatTheUserSays) {
  make(Inherit::kUserWorld);
  const LocalTransform local = hierarchy_.local(child_).value();
  EXPECT_EQ(after({kQuarterZ, {10, 20, 30}, 2}).position, (Vec3{1, 2, 3}));
  const Qvvs there{kQuarterY, {7, 8, 9}, 5, {1, 2, 1}, 3};
  ASSERT_TRUE(hierarchy_.set_world(child_, there));
  EXPECT_EQ(hierarchy_.world(child_).value(), there);
  const Vec3 below = mul(there, hierarchy_.local(grandchild_).value()).position;
  EXPECT_EQ(hierarchy_.world(grandchild_)->position, below);
  EXPECT_EQ(after({}), there);
  EXPECT_EQ(hierarchy_.local(child_).value(), local);
}

// What the local transform was written to decides once; its outcome is kept from there on.
TEST_F(TransformInherit, AWrittenLocalTransformDecidesOnce) {
  make(Inherit::kWorldPosition);
  ASSERT_TRUE(hierarchy_.set_position(child_, {5, 5, 5}));
  expect_near(after({{}, {10, 0, 0}, 1}).position, {15, 5, 5});
  expect_near(after({{}, {20, 0, 0}, 1}).position, {15, 5, 5});
  ASSERT_TRUE(hierarchy_.set_world(child_, {{}, {1, 1, 1}, 0, {1, 1, 1}, 1}));
  ASSERT_TRUE(hierarchy_.propagate());
  expect_near(after({{}, {30, 0, 0}, 1}).position, {1, 1, 1});
}

TEST_F(TransformInherit, OnARootFlagsWait) {
  make(Inherit::kNormal);
  ASSERT_TRUE(hierarchy_.set_inherit(root_, Inherit::kWorldPosition));
  EXPECT_EQ(hierarchy_.inherit(root_).value(), Inherit::kWorldPosition);
  expect_near(after({{}, {10, 0, 0}, 1}).position, {11, 2, 3});
  const Id above = hierarchy_.insert({{}, {100, 0, 0}, 1}).value();
  ASSERT_TRUE(hierarchy_.reparent(root_, above, Keep::kWorld));
  ASSERT_TRUE(hierarchy_.propagate());
  ASSERT_TRUE(hierarchy_.set_position(above, {200, 0, 0}));
  expect_near(hierarchy_.world(child_)->position, {11, 2, 3});
  ASSERT_TRUE(hierarchy_.set_inherit(root_, Inherit::kNormal));
  ASSERT_TRUE(hierarchy_.propagate());
  ASSERT_TRUE(hierarchy_.set_position(above, {300, 0, 0}));
  const float from = hierarchy_.world(child_)->position.x;
  ASSERT_TRUE(hierarchy_.set_position(above, {301, 0, 0}));
  EXPECT_NEAR(hierarchy_.world(child_)->position.x, from + 1, 1e-4);
}

// Kept values do not creep: the local transform is derived again each time, the kept world value never is.
TEST_F(TransformInherit, KeptValuesDoNotDrift) {
  make(Inherit::kWorldPosition | Inherit::kWorldRotation | Inherit::kWorldScale,
       {kQuarterX, {1, 2, 3}, 1.5F});
  const Qvvs before = hierarchy_.world(child_).value();
  for (int i = 1; i < 2000; ++i) {
    const auto x = static_cast<float>(i);
    ASSERT_TRUE(hierarchy_.set_local(root_, {normalized({x, 1, 2, 3}), {x, -x, 1 / x}, 1 + 1 / x}));
    ASSERT_TRUE(hierarchy_.propagate());
  }
  EXPECT_EQ(hierarchy_.world(child_).value(), before);
  expect_local(1e-3);  // of parents 2,000 away
}

}  // namespace
}  // namespace juxta
