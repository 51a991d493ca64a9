// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Many local transforms at once: the same hierarchy whoever writes them, also where a node is named twice.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "juxta/transform/hierarchy.h"
#include "scenes/draws.h"
#include "support/executors.h"
#include "support/saved_bytes.h"

namespace juxta {
namespace {

constexpr std::size_t kTrees = 6000, kWrites = 20'000;

/// Trees of three nodes, some of which keep what the library treats apart.
struct Grove {
  Hierarchy hierarchy;
  std::vector<Id> ids;

  Grove() {
    scenes::Draws draws(7);
    for (std::size_t tree = 0; tree < kTrees; ++tree) {
      const Inherit inherit = draws.below(8) == 0   ? Inherit::kUserWorld
                              : draws.below(8) == 0 ? Inherit::kWorldScale
                                                    : Inherit::kNormal;
      Id parent{};
      for (int depth = 0; depth < 3; ++depth) {
        parent = *hierarchy.create({{}, {draws.unit(), 1, 2}, 1}, parent, {.inherit = inherit});
        ids.push_back(parent);
      }
    }
    EXPECT_TRUE(hierarchy.propagate());
  }
};

/// In no order; about one in three is named again later.
struct Writes {
  std::vector<Id> ids;
  std::vector<LocalTransform> locals;

  explicit Writes(const Grove& grove) {
    scenes::Draws draws(11);
    for (std::size_t i = 0; i < kWrites; ++i) {
      ids.push_back(grove.ids[draws.below(static_cast<std::uint32_t>(grove.ids.size()))]);
      LocalTransform& local = locals.emplace_back();
      local.position.x = draws.unit();
      local.rotation.z = draws.unit();  // to be normalised
      local.scale = 0.5F + draws.unit();
    }
  }
};

TEST(TransformSetLocals, TheSameBytesOnEveryExecutor) {
  Grove expected;
  const Writes writes(expected);
  for (std::size_t i = 0; i < kWrites; ++i) {
    ASSERT_TRUE(expected.hierarchy.set_local(writes.ids[i], writes.locals[i]));
  }
  ASSERT_TRUE(expected.hierarchy.propagate());
  Grove alone;
  ASSERT_TRUE(alone.hierarchy.set_local(writes.ids, writes.locals));
  const auto unpropagated = test::saved_bytes(alone.hierarchy);
  const auto propagated = test::saved_bytes(expected.hierarchy);
  test::for_each_executor([&](const Executor* executor) {
    Grove got;
    ASSERT_TRUE(got.hierarchy.set_local(writes.ids, writes.locals, executor));
    EXPECT_TRUE(test::saved_bytes(got.hierarchy) == unpropagated);
    ASSERT_TRUE(got.hierarchy.propagate({.executor = executor}));
    EXPECT_TRUE(test::saved_bytes(got.hierarchy) == propagated);
  });
}

TEST(TransformSetLocals, AllOrNothing) {
  Grove grove;
  Writes writes(grove);
  const auto before = test::saved_bytes(grove.hierarchy);
  writes.locals[12'345].position.y = std::numeric_limits<float>::quiet_NaN();
  writes.locals[15'000].scale = 0;
  writes.ids[18'000] = {};
  test::for_each_executor([&](const Executor* executor) {
    const auto refused = grove.hierarchy.set_local(writes.ids, writes.locals, executor);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kNotFinite);
    EXPECT_EQ(refused.error().index, 12'345u);
    EXPECT_TRUE(test::saved_bytes(grove.hierarchy) == before);
  });
}

}  // namespace
}  // namespace juxta
