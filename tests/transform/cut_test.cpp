// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Large trees in pieces, those of eight trees of one shape side by side: the pieces themselves, and whole
// hierarchies of them beside a plain tree.
#include "transform/cut.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "scenes/draws.h"
#include "support/each_isa.h"
#include "support/executors.h"
#include "support/saved_bytes.h"
#include "transform/access.h"
#include "transform/compare.h"
#include "transform/values.h"

namespace juxta {
namespace {

using scenes::Draws;
using transform_detail::Forest;

struct Shape {
  const char* name;
  std::uint32_t nodes;
  /// Of a node that is not the root.
  std::function<std::uint32_t(std::uint32_t)> parent;
  bool side_by_side;
};

std::uint32_t drawn_parent(std::uint32_t i) {
  Draws draws(i);
  return draws.below(i);
}
const Shape kShapes[] = {
    {"rope", 1000, [](std::uint32_t i) { return i - 1; }, true},
    {"two_ropes", 500, [](std::uint32_t i) { return i < 3 ? 0 : i - 2; }, true},
    {"rope_with_knots", 480, [](std::uint32_t i) { return i % 2 == 0 ? i - 2 : i - 1; }, true},
    {"just_too_long", 129, [](std::uint32_t i) { return i - 1; }, false},
    {"skeleton", 200, [](std::uint32_t i) { return i % 20 == 0 ? i - 20 : i - 1; }, false},
    {"binary", 1000, [](std::uint32_t i) { return (i - 1) / 2; }, false},
    {"drawn", 700, drawn_parent, false},
    {"star", 900, [](std::uint32_t) { return 0; }, false},
};

std::vector<NodeDescription> tree_of(const Shape& shape, Draws& draws) {
  std::vector<NodeDescription> nodes;
  for (std::uint32_t i = 0; i < shape.nodes; ++i) {
    nodes.push_back({.local = test::draw_local(draws, false),
                     .parent = i == 0 ? NodeDescription::kRoot : shape.parent(i)});
    if (draws.below(50) == 0) {
      nodes.back().stretch = test::draw_stretch(draws);
    }
  }
  return nodes;
}
std::vector<NodeDescription> trees_of(const Shape& shape, std::uint32_t count, Draws& draws) {
  std::vector<NodeDescription> all;
  for (std::uint32_t t = 0; t < count; ++t) {
    for (NodeDescription node : tree_of(shape, draws)) {
      node.parent += node.parent == NodeDescription::kRoot ? 0 : t * shape.nodes;
      all.push_back(node);
    }
  }
  return all;
}

class TransformCuts : public testing::TestWithParam<Shape> {};

// Each node once, its parent in the same piece or in one that was listed before; eight pieces of one shape
// follow each other where they should.
TEST_P(TransformCuts, Pieces) {
  Draws draws(1);
  const std::vector<NodeDescription> nodes = trees_of(GetParam(), 19, draws);
  const Forest forest = transform_detail::cut_trees(nodes, 0, true);
  std::vector<std::uint32_t> sorted = forest.sources;
  std::ranges::sort(sorted);
  ASSERT_EQ(sorted.size(), nodes.size());
  for (std::uint32_t i = 0; i < sorted.size(); ++i) {
    ASSERT_EQ(sorted[i], i);
  }
  std::vector<bool> listed(nodes.size(), false);
  for (const Forest::Tree& tree : forest.trees) {
    const std::uint32_t top = forest.sources[tree.first];
    ASSERT_EQ(tree.parent, nodes[top].parent == NodeDescription::kRoot ? Forest::kNone : nodes[top].parent);
    ASSERT_TRUE(tree.parent == Forest::kNone || listed[tree.parent]);
    std::uint32_t child = tree.first + 1;
    for (std::uint32_t i = tree.first; i < tree.first + tree.count; ++i) {
      listed[forest.sources[i]] = true;
      for (std::uint32_t c = 0; c < forest.children[i]; ++c) {
        ASSERT_EQ(nodes[forest.sources[child++]].parent, forest.sources[i]);
      }
    }
    ASSERT_EQ(child, tree.first + tree.count);
  }
  std::size_t eights = 0;
  for (std::size_t t = 0; t < forest.trees.size(); ++t) {
    const Forest::Tree& first = forest.trees[t];
    if (!first.first_of_eight) {
      continue;
    }
    ++eights;
    ASSERT_LE(t + 8, forest.trees.size());
    EXPECT_TRUE(transform_detail::fits_lanes(first.count));
    for (std::uint32_t lane = 1; lane < 8; ++lane) {
      const Forest::Tree& tree = forest.trees[t + lane];
      EXPECT_FALSE(tree.first_of_eight);
      EXPECT_TRUE(std::ranges::equal(std::span(forest.children).subspan(tree.first, tree.count),
                                     std::span(forest.children).subspan(first.first, first.count)));
      EXPECT_EQ(forest.sources[tree.first], forest.sources[first.first] + lane * GetParam().nodes);
    }
  }
  EXPECT_EQ(eights != 0, GetParam().side_by_side);
}

// Trees of the shape of a piece do not put them out of step.
TEST(TransformCut, EightsStayTogether) {
  for (const std::uint32_t before : {0U, 3U, 8U, 11U}) {
    std::vector<NodeDescription> nodes;
    const auto add_chain = [&](std::uint32_t count) {
      for (std::uint32_t i = 0; i < count; ++i) {
        nodes.push_back(
            {.parent = i == 0 ? NodeDescription::kRoot : static_cast<std::uint32_t>(nodes.size()) - 1});
      }
    };
    for (std::uint32_t i = 0; i < before; ++i) {
      add_chain(125);
    }
    for (std::uint32_t i = 0; i < 16; ++i) {
      add_chain(1000);
    }
    Hierarchy hierarchy;
    std::vector<Id> ids(nodes.size());
    ASSERT_TRUE(hierarchy.insert(nodes, ids));
    EXPECT_EQ(hierarchy.propagate()->rounds, 8u);
    for (const transform_detail::Tile* tile : transform_detail::Access::store(hierarchy).tiles) {
      std::uint32_t deferred = 0, roots = 0;
      for (std::uint32_t row = 0; tile != nullptr && tile->lanes && row < transform_detail::kTileRows;
           ++row) {
        deferred += tile->live.test(row) && tile->deferred().test(row);
        roots += tile->live.test(row) && tile->linked.test(row) && !tile->deferred().test(row);
      }
      EXPECT_TRUE(deferred == 0 || roots == 0) << "a tile of pieces of two rounds";
    }
  }
}

// Moved, hung elsewhere, destroyed: as a plain tree.
TEST_P(TransformCuts, AsAPlainTree) {
  Draws draws(2);
  const std::vector<NodeDescription> nodes = trees_of(GetParam(), 19, draws);
  Hierarchy hierarchy;
  test::HierarchyModel model;
  std::vector<Id> ids(nodes.size());
  ASSERT_TRUE(hierarchy.insert(nodes, ids));
  model.insert(nodes, ids);
  const auto propagate = [&] {
    model.propagate();
    ASSERT_TRUE(hierarchy.propagate());
    ASSERT_EQ(test::compare_all(hierarchy, model, false), "");
  };
  ASSERT_EQ(test::compare_all(hierarchy, model, false), "");
  propagate();
  for (int round = 0; round < 6; ++round) {
    for (int i = 0; i < 4; ++i) {
      const Id id = ids[draws.below(static_cast<std::uint32_t>(ids.size()))];
      const LocalTransform local = test::draw_local(draws, false);
      model.set_local(id, local);
      ASSERT_TRUE(hierarchy.set_local(id, local));
    }
    const Id child = ids[draws.below(static_cast<std::uint32_t>(ids.size()))],
             parent = ids[draws.below(static_cast<std::uint32_t>(ids.size()))];
    if (!model.is_above(child, parent)) {
      model.reparent(child, parent, Keep::kLocal);
      ASSERT_TRUE(hierarchy.reparent(child, parent, Keep::kLocal));
    }
    propagate();
  }
  for (int i = 0; i < 3; ++i) {
    const Id id = ids[draws.below(static_cast<std::uint32_t>(ids.size()))];
    if (model.alive(id)) {
      model.remove(id, Children::kDestroy);
      ASSERT_TRUE(hierarchy.remove(id));
    }
    propagate();
  }
}

// So many go that tidying takes the pieces of those that are left.
TEST(TransformCut, RopesComeAndGo) {
  Draws draws(4);
  Hierarchy hierarchy({.history = true});
  test::HierarchyModel model;
  std::vector<Id> roots;
  std::size_t moved = 0;
  for (int round = 0; round < 8; ++round) {
    std::vector<NodeDescription> nodes = trees_of(kShapes[round % 3], 24, draws);
    for (NodeDescription& node : nodes) {
      node.inherit = draws.below(100) == 0 ? Inherit::kWorldX : Inherit::kNormal;
    }
    std::vector<Id> ids(nodes.size());
    ASSERT_TRUE(hierarchy.insert(nodes, ids));
    model.insert(nodes, ids);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].parent == NodeDescription::kRoot) {
        roots.push_back(ids[i]);
      }
    }
    while (roots.size() > 12) {
      const std::uint32_t at = draws.below(static_cast<std::uint32_t>(roots.size()));
      model.remove(roots[at], Children::kDestroy);
      ASSERT_TRUE(hierarchy.remove(roots[at]));
      roots[at] = roots.back();
      roots.pop_back();
    }
    for (const Id root : roots) {
      model.set_position(root, {1, 2, static_cast<float>(round)});
      ASSERT_TRUE(hierarchy.set_position(root, {1, 2, static_cast<float>(round)}));
    }
    model.begin_step();
    ASSERT_TRUE(hierarchy.begin_step());
    model.propagate();
    const auto done = hierarchy.propagate();
    ASSERT_TRUE(done);
    moved += done->moved_nodes;
    ASSERT_EQ(test::compare_all(hierarchy, model, true), "") << round;
  }
  EXPECT_GT(moved, 0u);
  hierarchy.shrink();
  EXPECT_EQ(test::compare_all(hierarchy, model, true), "");
}

/// Which nodes the system of a frame writes: a third, all, a few, none twice, none of the upper ones, all.
bool writes(std::uint32_t node, std::size_t frame) {
  switch (frame) {
    case 0:
      return node % 3 == 0;
    case 2:
      return node % 900 == 0;
    case 3:
    case 4:
      return false;
    case 5:
      return node % 1000 >= 500;
    default:
      return true;
  }
}

/// How often each slot was met.
class Times {
 public:
  explicit Times(const Hierarchy& hierarchy) : times_(hierarchy.slot_count()) {}
  void meet(const NodeLanes& lanes) {
    for (std::size_t lane = 0; lane < kNodeLanes; ++lane) {
      times_[lanes.slots()[lane]] += lanes.has(lane) ? 1 : 0;
    }
  }
  [[nodiscard]] std::size_t once() const { return count(1); }
  [[nodiscard]] bool never_twice() const { return count(0) + count(1) == times_.size(); }

 private:
  [[nodiscard]] std::size_t count(int times) const {
    return static_cast<std::size_t>(
        std::ranges::count(times_, times, [](const auto& t) { return t.load(); }));
  }
  std::vector<std::atomic<int>> times_;
};

// The same bits as in rows, from systems too, on every instruction set; frames are their three parts.
TEST_P(TransformCuts, TheSameBitsAsInRows) {
  Draws draws(3);
  const std::vector<NodeDescription> nodes = trees_of(GetParam(), 17, draws);
  std::vector<Qvvs> first;
  const test::ThreadsExecutor threads(2);
  const auto check = [&](bool side_by_side, const Executor* executor) {
    Hierarchy hierarchy({.side_by_side = side_by_side}), parts({.side_by_side = side_by_side});
    std::vector<Id> ids(nodes.size());
    ASSERT_TRUE(parts.insert(nodes, ids));
    ASSERT_TRUE(hierarchy.insert(nodes, ids));
    std::vector<std::uint32_t> node_of(hierarchy.slot_count());  // slots follow the layout
    for (std::uint32_t i = 0; i < ids.size(); ++i) {
      node_of[ids[i].slot] = i;
    }
    for (std::size_t frame = 0; frame < 7; ++frame) {
      Times called(hierarchy), read(hierarchy);
      const auto system = [&](LocalLanes& lanes) {
        called.meet(lanes);
        NodeMask written = 0;
        for (std::size_t lane = 0; lane < kNodeLanes; ++lane) {
          const bool moves = writes(node_of[lanes.slots()[lane]], frame);
          lanes.local.x[lane] += moves ? 0.25F : 0;
          written |= NodeMask{moves} << lane;
        }
        return written;
      };
      const auto reader = [&](const WorldLanes& lanes) { read.meet(lanes); };
      const auto done = hierarchy.frame(NodeFields::kAll, system, reader, {.executor = executor});
      ASSERT_TRUE(done);
      ASSERT_EQ(called.once(), nodes.size()) << frame;
      ASSERT_TRUE(read.never_twice());
      ASSERT_EQ(read.once(), done->computed);
      ASSERT_TRUE(parts.for_each_tile(NodeFields::kAll, system, {.executor = executor}));
      const auto expected = parts.propagate({.executor = executor});
      ASSERT_EQ(done->computed, expected->computed) << frame;
      ASSERT_EQ(done->tiles, expected->tiles) << frame;
      ASSERT_EQ(done->version, expected->version) << frame;
      ASSERT_EQ(done->tiles == 0 ? 1 : done->rounds, done->tiles == 0 ? 1 : expected->rounds) << frame;
      if (frame == 3) {  // nothing was written: what is written by hand then counts all the same
        for (Hierarchy* const world : {&hierarchy, &parts}) {
          ASSERT_TRUE(world->set_position(ids.back(), {1, 2, 3}));
          ASSERT_TRUE(world->propagate());
        }
      }
    }
    ASSERT_TRUE(test::saved_bytes(hierarchy) == test::saved_bytes(parts));
    std::vector<Qvvs> worlds(nodes.size());
    ASSERT_TRUE(hierarchy.world(ids, worlds));
    first = first.empty() ? worlds : first;
    for (std::size_t i = 0; i < worlds.size(); ++i) {
      ASSERT_TRUE(test::same_bits(worlds[i], first[i])) << i;
    }
  };
  for (const bool side_by_side : {false, true}) {
    test::for_each_isa([&](Isa) {
      check(side_by_side, nullptr);
      check(side_by_side, &threads);
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, TransformCuts, testing::ValuesIn(kShapes),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace juxta
