// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// World transforms that leave the range of float: reported, and never shown as NaN or infinity.
#include <gtest/gtest.h>

#include <vector>

#include "scenes/draws.h"
#include "support/each_isa.h"
#include "support/executors.h"
#include "transform/compare.h"

namespace juxta {
namespace {

LocalTransform tenfold() {
  return {{0.1F, 0.2F, 0, 1}, {1, 2, 3}, 10};
}

void expect_finite(const Hierarchy& hierarchy) {
  hierarchy.changed_since(0, [&](Id id, const Qvvs& world) {
    ASSERT_TRUE(is_finite(world.position) && is_finite(world.rotation) && world.scale * 0 == 0) << id.slot;
  });
}

TEST(TransformOverflow, NestedScalesAreReportedAndStandAtTheirParents) {
  Hierarchy hierarchy;
  std::vector<Id> ids;
  for (int i = 0; i < 200; ++i) {
    ids.push_back(hierarchy.insert(tenfold(), ids.empty() ? Id{} : ids.back()).value());
  }
  const Qvvs before = hierarchy.world(ids.back()).value();
  const auto done = hierarchy.propagate();
  ASSERT_TRUE(done);
  EXPECT_EQ(done->overflowed, 200u - 38u);  // 10^38 is a float, 10^39 is not
  EXPECT_EQ(done->first_overflowed, ids[38]);
  expect_finite(hierarchy);
  EXPECT_TRUE(test::same_bits(before, *hierarchy.world(ids.back())));
  const Qvvs last = hierarchy.world(ids[37]).value(), at_parent = hierarchy.world(ids[38]).value();
  EXPECT_EQ(at_parent.position, last.position);
  EXPECT_EQ(at_parent.scale, last.scale);

  ASSERT_TRUE(hierarchy.set_local(ids[1], {{}, {}, 1e-30F}));  // some fit by now
  const auto better = hierarchy.propagate();
  EXPECT_LT(better->overflowed, done->overflowed);
  EXPECT_EQ(better->first_overflowed, ids[38 + 31]);
  ASSERT_TRUE(hierarchy.set_position(ids[199], {1, 1, 1}));  // only what was computed is reported
  EXPECT_LE(hierarchy.propagate()->overflowed, 1u);
  EXPECT_EQ(hierarchy.propagate()->first_overflowed, Id{});
}

/// Trees whose scales and positions are large, with links and flags, beside the plain model.
struct Wild {
  explicit Wild(std::uint64_t seed) : draws(seed) {}

  LocalTransform local() {
    const float far = draws.below(4) == 0 ? 1e30F : 3;
    return {{0.1F, draws.uniform(-1, 1), 0.3F, 1},
            {draws.uniform(-1, 1) * far, draws.uniform(-1, 1) * far, 1},
            draws.below(3) == 0 ? 1e12F : 1.5F};
  }
  void build() {
    constexpr Inherit kFlags[] = {Inherit::kNormal, Inherit::kNormal, Inherit::kWorldX | Inherit::kWorldScale,
                                  Inherit::kCopyParent};
    for (std::uint32_t i = 0; i < 3000; ++i) {
      const Id parent = i < 20 ? Id{} : ids[draws.below(i)];
      const LocalTransform there = local();
      const NodeOptions options{.stretch = {draws.below(9) == 0 ? 1e20F : 1.0F, 1, 1},
                                .inherit = kFlags[draws.below(4)]};
      ids.push_back(hierarchy.insert(there, parent, options).value());
      model.insert(ids.back(), there, parent, options);
    }
  }
  void frame(const Executor* executor) {
    for (int i = 0; i < 200; ++i) {
      const Id id = ids[draws.below(3000)];
      const LocalTransform there = local();
      model.set_local(id, there);
      ASSERT_TRUE(hierarchy.set_local(id, there));
    }
    model.propagate();
    const auto done = hierarchy.propagate({.executor = executor});
    ASSERT_TRUE(done);
    overflowed += done->overflowed;
    EXPECT_EQ(test::compare_overflows(hierarchy, model, *done), "");
    EXPECT_EQ(test::compare_transforms(hierarchy, model), "");
    expect_finite(hierarchy);
  }

  scenes::Draws draws;
  Hierarchy hierarchy;
  test::HierarchyModel model;
  std::vector<Id> ids;
  std::size_t overflowed = 0;
};

TEST(TransformOverflow, TheSameOnEveryInstructionSetAndExecutor) {
  const auto run = [](const Executor* executor) {
    Wild wild(9);
    wild.model.watch(&wild.hierarchy);
    wild.build();
    for (int frame = 0; frame < 4; ++frame) {
      wild.frame(executor);
    }
    EXPECT_GT(wild.overflowed, 100u);
  };
  test::for_each_isa([&](Isa) { run(nullptr); });
  test::for_each_executor([&](const Executor* executor) { run(executor); });
}

}  // namespace
}  // namespace juxta
