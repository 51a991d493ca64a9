// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Systems by sixteens against the same writes by Id, and readers of what changed against changed_since().
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <thread>
#include <vector>

#include "juxta/transform/hierarchy.h"
#include "scenes/draws.h"
#include "support/code_of.h"
#include "support/executors.h"
#include "support/saved_bytes.h"
#include "transform/draw_transforms.h"
#include "transform/seen.h"

namespace juxta {
namespace {

using test::Seen;

/// Trees of all kinds: prefabs, random parents, flags, nodes that went, nodes that got other parents.
struct World {
  Hierarchy hierarchy;
  std::vector<Id> ids;

  explicit World(bool flags) {
    scenes::Draws draws(17);
    const std::vector<NodeDescription> tank = {{.local = {}},
                                               {.local = {{}, {0, 1, 0}, 1}, .parent = 0},
                                               {.local = {{}, {0, 0, 2}, 1}, .parent = 1}};
    std::vector<LocalTransform> places(700);
    std::vector<Id> tanks(places.size() * 3);
    EXPECT_TRUE(hierarchy.instantiate(*Prefab::build(tank), places, tanks));
    ids = tanks;
    for (int i = 0; i < 3000; ++i) {
      const Id parent =
          draws.below(10) == 0 ? Id{} : ids[draws.below(static_cast<std::uint32_t>(ids.size()))];
      const Inherit inherit =
          flags && draws.below(9) == 0 ? static_cast<Inherit>(draws.below(1 << 8)) : Inherit::kNormal;
      ids.push_back(*hierarchy.insert({{}, test::draw_vector(draws, 5), 1}, parent,
                                      {.stretch = test::draw_vector(draws, 2), .inherit = inherit}));
    }
    EXPECT_TRUE(hierarchy.propagate());
    for (int i = 0; i < 300; ++i) {
      EXPECT_TRUE(hierarchy.remove(ids[static_cast<std::size_t>(i) * 7], Children::kToAncestor));
      static_cast<void>(hierarchy.reparent(ids[static_cast<std::size_t>(i) * 9 + 1], ids[draws.below(5000)]));
    }
    std::erase_if(ids, [&](Id id) { return !hierarchy.alive(id); });
    for (int i = 0; i < 200; ++i) {  // some is still to be propagated
      const Id id = ids[draws.below(static_cast<std::uint32_t>(ids.size()))];
      EXPECT_TRUE(hierarchy.set_position(id, test::draw_vector(draws, 3)));
    }
  }
};

/// What the system of a frame does to a node, and whether it touches it.
bool touches(std::uint32_t slot, int frame) {
  return (slot * 2654435761U >> 7) % 5 != static_cast<std::uint32_t>(frame) % 5;
}
LocalTransform moved(LocalTransform local, std::uint32_t slot, NodeFields fields) {
  if (has(fields, NodeFields::kRotation)) {
    local.rotation = {local.rotation.y, local.rotation.z, local.rotation.w, local.rotation.x};
    if (slot % 4 == 0) {
      local.rotation.x += 0.25F;  // to be normalised
    }
  }
  if (has(fields, NodeFields::kPlace)) {
    local.position.x += static_cast<float>(slot % 16);
    local.scale *= slot % 2 == 0 ? 1.25F : 0.8F;
  }
  return local;
}
struct Mover {
  NodeFields fields;
  int frame;
  NodeMask operator()(LocalLanes& lanes) const {
    NodeMask written = 0;
    for (std::uint32_t i = 0; i < kNodeLanes; ++i) {
      TransformLanes& t = lanes.local;
      const LocalTransform was{{t.qx[i], t.qy[i], t.qz[i], t.qw[i]}, {t.x[i], t.y[i], t.z[i]}, t.scale[i]};
      const std::uint32_t slot = lanes.has(i) ? lanes.slots()[i] : 0;
      const LocalTransform now = moved(was, slot, fields);
      t.qx[i] = now.rotation.x;
      t.qy[i] = now.rotation.y;
      t.qz[i] = now.rotation.z;
      t.qw[i] = now.rotation.w;
      t.x[i] = now.position.x;
      t.y[i] = now.position.y;
      t.z[i] = now.position.z;
      t.scale[i] = now.scale;
      written |= NodeMask{!lanes.has(i) || touches(slot, frame)} << i;
    }
    return written;
  }
};

/// The same by Ids.
void move_by_id(Hierarchy& hierarchy, NodeFields fields, int frame) {
  std::vector<Id> ids;
  hierarchy.for_each([&](Id id) {
    if (touches(id.slot, frame)) {
      ids.push_back(id);
    }
  });
  std::vector<LocalTransform> locals(ids.size());
  ASSERT_TRUE(hierarchy.local(ids, locals));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    locals[i] = moved(locals[i], ids[i].slot, fields);
  }
  ASSERT_TRUE(hierarchy.set_local(ids, locals));
}

TEST(TransformSystems, AreWritesById) {
  for (const bool flags : {false, true}) {
    for (const NodeFields fields : {NodeFields::kRotation, NodeFields::kPlace, NodeFields::kAll}) {
      World by_id(flags);
      std::vector<std::vector<char>> expected;
      for (int frame = 0; frame < 3; ++frame) {
        move_by_id(by_id.hierarchy, fields, frame);
        expected.push_back(test::saved_bytes(by_id.hierarchy));
        ASSERT_TRUE(by_id.hierarchy.propagate());
      }
      test::for_each_executor([&](const Executor* executor) {
        World world(flags);
        for (int frame = 0; frame < 3; ++frame) {
          ASSERT_TRUE(world.hierarchy.for_each_tile(fields, Mover{fields, frame}, {.executor = executor}));
          EXPECT_TRUE(test::saved_bytes(world.hierarchy) == expected[static_cast<std::size_t>(frame)])
              << frame;
          ASSERT_TRUE(world.hierarchy.propagate({.executor = executor}));
        }
      });
    }
  }
}

TEST(TransformSystems, AFrameIsItsThreeParts) {
  for (const bool flags : {false, true}) {
    World parts(flags);
    std::vector<std::vector<char>> expected;
    std::vector<PropagateResult> results;
    for (int frame = 0; frame < 4; ++frame) {
      if (frame < 3) {
        ASSERT_TRUE(parts.hierarchy.for_each_tile(NodeFields::kAll, Mover{NodeFields::kAll, frame}));
      }
      results.push_back(*parts.hierarchy.propagate());
      expected.push_back(test::saved_bytes(parts.hierarchy));
    }
    test::for_each_executor([&](const Executor* executor) {
      World world(flags);
      for (int frame = 0; frame < 4; ++frame) {
        const std::uint64_t version = world.hierarchy.version();
        Seen seen(world.hierarchy);
        const auto system = [&](LocalLanes& lanes) -> NodeMask {
          return frame < 3 ? Mover{NodeFields::kAll, frame}(lanes) : 0;  // the last one writes nothing
        };
        const auto result = world.hierarchy.frame(NodeFields::kAll, system, seen, {.executor = executor});
        ASSERT_TRUE(result);
        const PropagateResult& part = results[static_cast<std::size_t>(frame)];
        EXPECT_EQ(result->version, part.version);
        EXPECT_EQ(result->computed, part.computed);
        EXPECT_EQ(result->rounds, part.rounds);
        EXPECT_EQ(result->tiles, part.tiles);
        EXPECT_EQ(result->overflowed, part.overflowed);
        EXPECT_EQ(result->moved_nodes, part.moved_nodes);
        EXPECT_TRUE(test::saved_bytes(world.hierarchy) == expected[static_cast<std::size_t>(frame)]) << frame;
        seen.expect_changes(world.hierarchy, version);
      }
    });
  }
}

TEST(TransformSystems, SpansAndMatricesOfWhatChanged) {
  World world(true);
  ASSERT_TRUE(world.hierarchy.propagate());
  const std::uint64_t first = world.hierarchy.version();
  scenes::Draws draws(23);
  for (int frame = 0; frame < 5; ++frame) {
    for (int i = 0; i < 100; ++i) {
      const Id id = world.ids[draws.below(static_cast<std::uint32_t>(world.ids.size()))];
      ASSERT_TRUE(world.hierarchy.set_position(id, test::draw_vector(draws, 3)));
    }
    ASSERT_TRUE(world.hierarchy.propagate());
    test::for_each_executor([&](const Executor* executor) {
      for (const std::uint64_t since :
           {std::uint64_t{0}, first, world.hierarchy.version() - 1, world.hierarchy.version()}) {
        Seen seen(world.hierarchy);
        ASSERT_TRUE(world.hierarchy.changed_spans(since, seen, {.executor = executor}));
        seen.expect_changes(world.hierarchy, since);
        const Matrix34 before{};
        std::vector<Matrix34> matrices(world.hierarchy.slot_count(), before), expected = matrices;
        std::size_t count = 0;
        world.hierarchy.changed_since(since, [&](Id id, const Qvvs& at) {
          expected[id.slot] = to_matrix34(at);
          ++count;
        });
        const auto written = world.hierarchy.changed_matrices(since, matrices, {.executor = executor});
        ASSERT_TRUE(written);
        EXPECT_EQ(*written, count);
        EXPECT_TRUE(matrices == expected);
      }
    });
  }
  std::vector<Matrix34> few(world.hierarchy.slot_count() - 1);
  EXPECT_EQ(test::code_of(world.hierarchy.changed_matrices(0, few)), ErrorCode::kInvalidArgument);
  EXPECT_TRUE(few == std::vector<Matrix34>(few.size()));
}

TEST(TransformSystems, ALaneThatIsRefusedStaysAndTheOthersAreWritten) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  test::for_each_executor([&](const Executor* executor) {
    Hierarchy hierarchy;
    std::vector<NodeDescription> nodes(3000);
    std::vector<Id> ids(nodes.size());
    ASSERT_TRUE(hierarchy.insert(nodes, ids));
    const auto system = [&](LocalLanes& lanes) {
      for (std::uint32_t i = 0; i < kNodeLanes; ++i) {
        const Id id = lanes.has(i) ? lanes.id(i) : Id{};
        lanes.local.x[i] = id == ids[2500] ? kNan : 7;
        lanes.local.scale[i] = id == ids[1200] ? 0 : 2;
      }
      return kAllNodes;
    };
    const auto refused = hierarchy.for_each_tile(NodeFields::kPlace, system, {.executor = executor});
    ASSERT_EQ(test::code_of(refused), ErrorCode::kInvalidArgument);  // of ids[1200], which stands first
    EXPECT_NE(refused.error().message.find(std::to_string(ids[1200].slot)), std::string::npos)
        << refused.error().message;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const bool stays = i == 1200 || i == 2500;
      const LocalTransform local = *hierarchy.local(ids[i]);
      ASSERT_EQ(local.position.x, stays ? 0 : 7) << i;
      ASSERT_EQ(local.scale, stays ? 1 : 2) << i;
    }
    Seen seen(hierarchy);
    const auto frame = hierarchy.frame(NodeFields::kPlace, system, seen, {.executor = executor});
    EXPECT_EQ(test::code_of(frame), ErrorCode::kInvalidArgument);
    seen.expect_changes(hierarchy, 0);
  });
}

TEST(TransformSystems, TwoAtOnceWithOtherFields) {
  World expected(false);
  const Mover turns{NodeFields::kRotation, 1}, walks{NodeFields::kPlace, 2};
  ASSERT_TRUE(expected.hierarchy.for_each_tile(NodeFields::kRotation, turns));
  ASSERT_TRUE(expected.hierarchy.for_each_tile(NodeFields::kPlace, walks));
  ASSERT_TRUE(expected.hierarchy.propagate());
  for (int round = 0; round < 10; ++round) {
    World world(false);
    std::thread other([&] { EXPECT_TRUE(world.hierarchy.for_each_tile(NodeFields::kPlace, walks)); });
    EXPECT_TRUE(world.hierarchy.for_each_tile(NodeFields::kRotation, turns));
    other.join();
    ASSERT_TRUE(world.hierarchy.propagate());
    EXPECT_TRUE(test::saved_bytes(world.hierarchy) == test::saved_bytes(expected.hierarchy));
  }
}

TEST(TransformSystems, TwoWithTheSameFieldsAreRefused) {
  World world(false);
  bool asked = false;
  const auto system = [&](LocalLanes&) -> NodeMask {
    if (!std::exchange(asked, true)) {
      const auto nothing = [](LocalLanes&) -> NodeMask { return 0; };
      EXPECT_EQ(test::code_of(world.hierarchy.for_each_tile(NodeFields::kAll, nothing)),
                ErrorCode::kInvalidArgument);
      EXPECT_EQ(
          test::code_of(world.hierarchy.frame(NodeFields::kRotation, nothing, [](const WorldLanes&) {})),
          ErrorCode::kInvalidArgument);
      EXPECT_TRUE(world.hierarchy.for_each_tile(NodeFields::kRotation, nothing));
    }
    return 0;
  };
  ASSERT_TRUE(world.hierarchy.for_each_tile(NodeFields::kPlace, system));
  EXPECT_TRUE(asked);
  EXPECT_TRUE(world.hierarchy.for_each_tile(NodeFields::kAll, [](LocalLanes&) -> NodeMask { return 0; }));
}

TEST(TransformSystems, AnEmptyWorldHasNoLanes) {
  Hierarchy hierarchy;
  const auto never = [](LocalLanes&) -> NodeMask {
    ADD_FAILURE();
    return 0;
  };
  EXPECT_TRUE(hierarchy.for_each_tile(NodeFields::kAll, never));
  const auto result = hierarchy.frame(NodeFields::kAll, never, [](const WorldLanes&) { ADD_FAILURE(); });
  ASSERT_TRUE(result);
  EXPECT_EQ(result->version, 0u);
  EXPECT_EQ(hierarchy.slot_count(), 0u);
  EXPECT_EQ(*hierarchy.changed_matrices(0, {}), 0u);
}

}  // namespace
}  // namespace juxta
