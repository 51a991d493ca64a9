// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Some frames of a world with everything in it: prefabs, a tree larger than a tile, a deep chain, flags,
// sparse and dense movers, reparenting, spawning, destroying. What a user can see of it becomes a list of
// hashes.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <vector>

#include "juxta/transform/hierarchy.h"
#include "scenes/draws.h"
#include "support/fnv.h"
#include "transform/values.h"

namespace juxta::test {

struct ScenarioOptions {
  std::uint32_t size = 1;  ///< Times about 9,000 nodes.
  int frames = 12;
  bool history = true;
};

class Scenario {
 public:
  Scenario(const ScenarioOptions& options, const Executor* executor)
      : hierarchy({.history = options.history}), options_(options), executor_(executor) {}

  Hierarchy hierarchy;

  /// One number for each frame.
  std::vector<std::uint64_t> run() {
    start();
    std::vector<std::uint64_t> trace{look()};
    for (int frame = 0; frame < options_.frames; ++frame) {
      if (options_.history) {
        EXPECT_TRUE(hierarchy.begin_step());
      }
      this->frame(frame);
      trace.push_back(look());
    }
    return trace;
  }

 private:
  void add(std::span<const NodeDescription> nodes) {
    std::vector<Id> more(nodes.size());
    EXPECT_TRUE(hierarchy.insert(nodes, more));
    ids_.insert(ids_.end(), more.begin(), more.end());
  }
  void spawn(std::uint32_t count) {
    const auto prefab =
        Prefab::build(draw_tree(draws_, Tree::kRandom, 1 + draws_.below(12), Flags::kNone, true));
    ASSERT_TRUE(prefab);
    std::vector<LocalTransform> roots(count);
    for (LocalTransform& root : roots) {
      root = draw_local(draws_, true);
    }
    std::vector<Id> more(count * prefab->size());
    EXPECT_TRUE(hierarchy.instantiate(*prefab, roots, more));
    ids_.insert(ids_.end(), more.begin(), more.end());
  }
  void start() {
    for (std::uint32_t i = 0; i < options_.size; ++i) {
      spawn(300);
      add(draw_tree(draws_, Tree::kRandom, 3000, Flags::kExact, false));
      add(draw_tree(draws_, Tree::kNines, 2001, Flags::kNone, false));
    }
    add(draw_tree(draws_, Tree::kChain, 1500, Flags::kNone, false));
    add(draw_tree(draws_, Tree::kRandom, 800, Flags::kMixed, false));
    propagate();
  }
  Id some() { return ids_[draws_.below(static_cast<std::uint32_t>(ids_.size()))]; }

  void frame(int frame) {
    const auto count = static_cast<std::uint32_t>(ids_.size());
    const std::uint32_t movers = frame % 4 == 3 ? count : frame % 4 == 2 ? 0 : count / 100;
    for (std::uint32_t i = 0; i < movers; ++i) {
      const Id id = movers == count ? ids_[i] : some();
      static_cast<void>(hierarchy.set_position(id, draw_vector(draws_, 10)));  // it may be dead: refused
    }
    propagate();
    for (std::uint32_t i = 0; i < count / 200; ++i) {  // cycles and the dead are refused, the same each time
      const Id id = some();  // one after the other: compilers order arguments as they like
      const Id parent = some();
      static_cast<void>(hierarchy.reparent(id, parent, draws_.below(2) == 0 ? Keep::kLocal : Keep::kWorld));
    }
    if (frame % 3 == 1) {
      propagate();
    }
    static_cast<void>(hierarchy.set_local(ids_[count - 2300], draw_local(draws_, false)));  // the chain's top
    spawn(20 * options_.size);
    for (int i = 0; i < 10; ++i) {
      const Id id = some();
      static_cast<void>(
          hierarchy.remove(id, draws_.below(2) == 0 ? Children::kDestroy : Children::kToAncestor));
    }
    const Id keeper = some();
    static_cast<void>(hierarchy.set_inherit(keeper, draw_inherit(draws_, Flags::kMixed)));
    propagate();
  }
  void propagate() {
    const auto done = hierarchy.propagate({.executor = executor_});
    ASSERT_TRUE(done) << done.error().message;
    const std::vector<std::uint64_t> counts{done->version, done->computed, done->tiles, done->rounds,
                                            done->moved_nodes};
    hash_ = fnv(std::span<const std::uint64_t>(counts), hash_);
  }
  /// Order, transforms, versions and lists of changes.
  std::uint64_t look() {
    std::vector<Id> order;
    hierarchy.for_each([&](Id id) { order.push_back(id); });
    std::vector<Qvvs> worlds(order.size());
    std::vector<LocalTransform> locals(order.size());
    EXPECT_TRUE(hierarchy.world(order, worlds) && hierarchy.local(order, locals));
    add_hash(order);
    add_hash(worlds);
    add_hash(locals);
    std::vector<std::uint64_t> versions;
    for (const Id id : order) {
      versions.push_back(hierarchy.changed_at(id).value());
    }
    add_hash(versions);
    for (const std::uint64_t back : {1U, 2U, 5U}) {
      std::vector<Id> changed;
      std::vector<Qvvs> values;
      hierarchy.changed_since(hierarchy.version() - std::min(back, hierarchy.version()),
                              [&](Id id, const Qvvs& world) {
                                changed.push_back(id);
                                values.push_back(world);
                              });
      add_hash(changed);
      add_hash(values);
    }
    if (options_.history) {
      EXPECT_TRUE(hierarchy.previous(order, worlds));
      add_hash(worlds);
      EXPECT_TRUE(hierarchy.two_ago(order, worlds));
      add_hash(worlds);
    }
    return hash_;
  }
  template <class T>
  void add_hash(const std::vector<T>& values) {
    hash_ = fnv(std::span<const T>(values), hash_);
  }

  ScenarioOptions options_;
  const Executor* executor_;
  scenes::Draws draws_{2026};
  std::vector<Id> ids_;
  std::uint64_t hash_ = fnv(std::span<const char>());
};

}  // namespace juxta::test
