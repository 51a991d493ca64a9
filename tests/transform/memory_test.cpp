// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// How many bytes a node takes, and what asks for none.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <vector>

#include "juxta/transform/hierarchy.h"
#include "scenes/draws.h"
#include "support/counting_resource.h"
#include "transform/values.h"

namespace {
std::atomic<std::size_t> allocations{0};
}  // namespace

// All of the heap, whoever asks.
#if defined(__GNUC__) && !defined(__clang__)
// These are a pair; gcc sees only one of them inlined in sanitizer builds.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif
void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) {
    return memory;
  }
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace juxta {
namespace {

using test::Flags;
using test::Tree;

/// A huge page that is being filled.
double waiting_per_node(const Hierarchy& hierarchy) {
  return static_cast<double>(std::size_t{2} << 20) / static_cast<double>(hierarchy.size());
}
double bytes_per_node(const Hierarchy& hierarchy) {
  const HierarchyStats stats = hierarchy.stats();
  return static_cast<double>(stats.memory_bytes) / static_cast<double>(stats.nodes);
}

/// About 120,000 nodes.
void fill_with_prefabs(Hierarchy& hierarchy) {
  scenes::Draws draws(1);
  for (int i = 0; i < 24; ++i) {
    const auto prefab =
        Prefab::build(test::draw_tree(draws, Tree::kRandom, 6 + draws.below(8), Flags::kNone, true)).value();
    const std::vector<LocalTransform> roots(500);
    std::vector<Id> ids(roots.size());
    ASSERT_TRUE(hierarchy.instantiate(prefab, roots, ids));
  }
}

TEST(TransformMemory, PrefabsTakeLittle) {
  for (const bool history : {false, true}) {
    test::CountingResource resource;
    Hierarchy hierarchy({.history = history}, &resource);
    ASSERT_NO_FATAL_FAILURE(fill_with_prefabs(hierarchy));
    ASSERT_GT(hierarchy.size(), 100'000u);
    EXPECT_LE(bytes_per_node(hierarchy), (history ? 223 : 120) + waiting_per_node(hierarchy));
    ASSERT_TRUE(hierarchy.propagate());
    EXPECT_LE(bytes_per_node(hierarchy), (history ? 223 : 120) + waiting_per_node(hierarchy));
    // It says what it holds.
    EXPECT_GE(hierarchy.stats().memory_bytes + 4096, resource.held());
    EXPECT_LE(hierarchy.stats().memory_bytes, resource.held() + resource.held() / 50 + 16'384);
  }
}

TEST(TransformMemory, TreesOfEveryShapeTakeLittle) {
  for (const Tree tree : test::kTrees) {
    for (const bool history : {false, true}) {
      SCOPED_TRACE(static_cast<int>(tree));
      scenes::Draws draws(2);
      const auto nodes = test::draw_tree(draws, tree, 120'000, Flags::kNone, false);
      std::vector<Id> ids(nodes.size());
      Hierarchy hierarchy({.history = history});
      ASSERT_TRUE(hierarchy.insert(nodes, ids));
      ASSERT_TRUE(hierarchy.propagate());
      EXPECT_LE(bytes_per_node(hierarchy), (history ? 223 : 120) + waiting_per_node(hierarchy));
    }
  }
}

TEST(TransformMemory, NothingIsLeftBehind) {
  test::CountingResource resource;
  {
    Hierarchy hierarchy({.history = true}, &resource);
    ASSERT_NO_FATAL_FAILURE(fill_with_prefabs(hierarchy));
    ASSERT_TRUE(hierarchy.propagate());
    Hierarchy other({.history = true}, &resource);
    other = std::move(hierarchy);
    Hierarchy third(std::move(other));
    EXPECT_GT(third.size(), 100'000u);
  }
  EXPECT_EQ(resource.held(), 0u);
}

TEST(TransformMemory, NothingToDoAsksForNothing) {
  test::CountingResource resource;
  Hierarchy hierarchy({}, &resource);
  ASSERT_NO_FATAL_FAILURE(fill_with_prefabs(hierarchy));
  ASSERT_TRUE(hierarchy.propagate());
  const std::size_t calls = resource.calls(), before = allocations;
  const std::uint64_t version = hierarchy.version();
  std::size_t visited = 0;
  for (int i = 0; i < 100; ++i) {
    const auto done = hierarchy.propagate();
    ASSERT_TRUE(done);
    EXPECT_EQ(done->version, version);
    EXPECT_EQ(done->computed + done->tiles + done->moved_nodes, 0u);
    hierarchy.changed_since(version, [&](Id, const Qvvs&) { ++visited; });
  }
  EXPECT_EQ(visited, 0u);
  EXPECT_EQ(resource.calls(), calls);
  EXPECT_EQ(allocations, before);
}

TEST(TransformMemory, TheSameMoversAgainAskForNothing) {
  test::CountingResource resource;
  Hierarchy hierarchy({}, &resource);
  ASSERT_NO_FATAL_FAILURE(fill_with_prefabs(hierarchy));
  std::vector<Id> roots;
  hierarchy.for_each([&](Id id) {
    if (hierarchy.parent(id).value() == Id{}) {
      roots.push_back(id);
    }
  });
  std::vector<Vec3> positions(roots.size());
  std::vector<Qvvs> worlds(roots.size());
  std::size_t calls = 0, before = 0;
  for (int frame = 0; frame < 20; ++frame) {
    if (frame == 2) {
      calls = resource.calls();
      before = allocations;
    }
    for (Vec3& position : positions) {
      position.x += 1;
    }
    ASSERT_TRUE(hierarchy.set_position(roots, positions));
    ASSERT_TRUE(hierarchy.propagate());
    ASSERT_TRUE(hierarchy.world(roots, worlds));
  }
  EXPECT_EQ(resource.calls(), calls);
  EXPECT_EQ(allocations, before);
}

}  // namespace
}  // namespace juxta
