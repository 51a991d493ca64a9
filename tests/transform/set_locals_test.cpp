// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Many local transforms at once: the same hierarchy whoever writes them, also where a node is named twice.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "juxta/transform/hierarchy.h"
#include "scenes/draws.h"
#include "support/code_of.h"
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
        parent = *hierarchy.insert({{}, {draws.unit(), 1, 2}, 1}, parent, {.inherit = inherit});
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
    ASSERT_TRUE(got.hierarchy.set_local(writes.ids, writes.locals, {.executor = executor}));
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
    const auto refused = grove.hierarchy.set_local(writes.ids, writes.locals, {.executor = executor});
    ASSERT_FALSE(refused);
    EXPECT_EQ(test::code_of(refused), ErrorCode::kNotFinite);
    EXPECT_EQ(refused.error().index, 12'345u);
    EXPECT_TRUE(test::saved_bytes(grove.hierarchy) == before);
  });
}

// Bulk calls write in the order of the call or of memory, and keep most locals as they are: the outcome is
// that of single calls, whatever the order, also where rotations are not of length 1 and where a node is
// named twice.
TEST(TransformSetLocals, ManyAtOnceAreThoseOfSingleCalls) {
  constexpr std::uint32_t kNodes = 20'000;
  for (const std::uint32_t step : {1U, 7919U}) {  // tile by tile; from tile to tile
    Hierarchy many, single;
    std::vector<NodeDescription> nodes(kNodes);
    std::vector<Id> ids(kNodes), same(kNodes);
    ASSERT_TRUE(many.insert(nodes, ids));
    ASSERT_TRUE(single.insert(nodes, same));
    std::vector<Id> named, named_same;
    std::vector<LocalTransform> locals;
    for (std::uint32_t i = 0; i <= kNodes; ++i) {
      const std::uint32_t node = i * step % kNodes;  // the last is the first again
      named.push_back(ids[node]);
      named_same.push_back(same[node]);
      locals.push_back({{0, 0, 0.5F, i % 3 == 0 ? 2.0F : 0.8660254F}, {static_cast<float>(i), 0, 0}, 1});
    }
    ASSERT_TRUE(many.set_local(named, locals));
    for (std::size_t i = 0; i < named.size(); ++i) {
      ASSERT_TRUE(single.set_local(named_same[i], locals[i]));
    }
    std::vector<LocalTransform> got(kNodes), want(kNodes);
    ASSERT_TRUE(many.local(ids, got));
    ASSERT_TRUE(single.local(same, want));
    EXPECT_TRUE(got == want) << step;
  }
}

}  // namespace
}  // namespace juxta
