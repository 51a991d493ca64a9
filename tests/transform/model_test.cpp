// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The oracle itself, by hand: an oracle that is wrong in the same way proves nothing.
#include "transform/model.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "juxta/math/qvvs.h"
#include "scenes/draws.h"
#include "transform/mixed_axes.h"
#include "transform/values.h"

namespace juxta {
namespace {

using test::HierarchyModel;

LocalTransform at(float x, float y = 0, float z = 0) {
  return {{}, {x, y, z}, 1};
}
Id id(std::uint32_t slot) {
  return {slot, 1};
}

TEST(TransformModel, FollowsAndCountsVersions) {
  HierarchyModel model;
  EXPECT_FALSE(model.propagate());
  model.insert(id(0), at(1), {});
  model.insert(id(1), at(10), id(0));
  model.insert(id(2), at(100), id(1));
  model.insert(id(3), at(5), {});
  EXPECT_EQ(model.evaluate(id(2)).world.position.x, 111);
  EXPECT_TRUE(model.propagate());
  EXPECT_FALSE(model.propagate());
  EXPECT_EQ(model.version(), 1u);
  model.set_position(id(1), {10, 0, 0});  // as it was: written all the same
  EXPECT_TRUE(model.propagate());
  const auto changed_at = [&](std::uint32_t slot) { return model.nodes()[slot].changed_at; };
  EXPECT_EQ(changed_at(0), 1u);
  EXPECT_EQ(changed_at(1), 2u);
  EXPECT_EQ(changed_at(2), 2u);
  EXPECT_EQ(changed_at(3), 1u);
}

TEST(TransformModel, ReparentsAndDestroys) {
  HierarchyModel model;
  model.insert(id(0), at(1), {});
  model.insert(id(1), at(10), id(0));
  model.insert(id(2), at(100), id(1));
  model.insert(id(3), at(5), {});
  EXPECT_TRUE(model.is_above(id(0), id(2)));
  EXPECT_FALSE(model.is_above(id(2), id(0)));
  model.reparent(id(1), id(3), Keep::kLocal);
  EXPECT_EQ(model.evaluate(id(2)).world.position.x, 115);
  model.reparent(id(1), id(0), Keep::kWorld);
  EXPECT_EQ(model.evaluate(id(1)).local.position.x, 14);
  EXPECT_EQ(model.evaluate(id(2)).world.position.x, 115);
  EXPECT_EQ(model.roots(), 2u);
  model.remove(id(1), Children::kToAncestor);
  EXPECT_EQ(model.evaluate(id(2)).world.position.x, 115);
  EXPECT_EQ(model.nodes()[2].parent, 0u);
  model.remove(id(0), Children::kDestroy);
  EXPECT_EQ(model.size(), 1u);
  EXPECT_FALSE(model.alive(id(2)));
  EXPECT_TRUE(model.alive(id(3)));
}

TEST(TransformModel, KeepsWhatFlagsKeep) {
  HierarchyModel model;
  model.insert(id(0), at(1), {});
  model.insert(id(1), at(10, 20, 30), id(0), {.inherit = Inherit::kWorldX});
  model.insert(id(2), at(1), id(1), {.inherit = Inherit::kUserWorld});
  model.insert(id(3), at(1), id(1), {.inherit = Inherit::kCopyParent});
  model.propagate();
  model.set_position(id(0), {100, 100, 100});
  const auto now = model.evaluate(id(1));
  EXPECT_EQ(now.world.position, (Vec3{11, 120, 130}));
  EXPECT_EQ(now.local.position, (Vec3{-89, 20, 30}));
  EXPECT_EQ(model.evaluate(id(2)).world.position, (Vec3{12, 20, 30}));
  EXPECT_EQ(model.evaluate(id(3)).world, now.world);
  Qvvs there;
  there.position = {7, 7, 7};
  model.set_world(id(2), there);
  EXPECT_EQ(model.nodes()[2].settled.position, (Vec3{12, 20, 30}));
  model.propagate();
  EXPECT_EQ(model.nodes()[2].settled, there);
}

TEST(TransformModel, RemembersTwoSteps) {
  HierarchyModel model;
  model.insert(id(0), at(1), {});
  model.begin_step();
  model.propagate();
  for (float x = 2; x < 5; ++x) {
    model.begin_step();
    model.set_position(id(0), {x, 0, 0});
    model.propagate();
  }
  EXPECT_EQ(model.nodes()[0].previous.position.x, 3);
  EXPECT_EQ(model.nodes()[0].two_ago.position.x, 2);
}

TEST(TransformModel, RootsStandWhereTheirLocalTransformSays) {
  HierarchyModel model;
  const LocalTransform local{{-0.0F, 0.0F, -0.0F, 1}, {-0.0F, 0.0F, -3}, 2};
  model.insert(id(0), local, {}, {.stretch = {1, 2, 3}, .context = 4});
  const Qvvs expected{local.rotation, local.position, 4, {1, 2, 3}, 2};
  EXPECT_TRUE(test::same_bits(model.evaluate(id(0)).world, expected));
}

// The rotation of two axes, and what decides between them, against axes that are known.
TEST(TransformModel, MixedAxes) {
  scenes::Draws draws(1);
  for (int i = 0; i < 20'000; ++i) {
    const Quat kept = normalized(test::draw_rotation(draws)),
               followed = normalized(test::draw_rotation(draws));
    for (const Inherit keep : {Inherit::kWorldForward, Inherit::kWorldUp}) {
      for (const Inherit strict : {Inherit::kNormal, Inherit::kStrictUp}) {
        const auto axes = test::mixed_axes(kept, followed, keep | strict);
        if (!axes) {
          continue;
        }
        const Quat q = test::rotation_of(*axes);
        ASSERT_LT(test::distance(q, *axes), 2e-6);
        ASSERT_NEAR(length_squared(q), 1, 1e-6);
        // The axis that has precedence is exactly that of its source.
        const bool up_first = strict == Inherit::kStrictUp;
        const Quat& source = (keep == Inherit::kWorldUp) == up_first ? kept : followed;
        const auto expected = test::axis_of(source, up_first ? 1 : 2);
        const auto got = up_first ? axes->up : axes->forward;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          ASSERT_NEAR(got[axis], expected[axis], 1e-5);
        }
      }
    }
  }
}

}  // namespace
}  // namespace juxta
