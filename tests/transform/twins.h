// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Two hierarchies of the same instances, side by side and not, that take the same calls: their transforms
// must be the same bits.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

#include "juxta/transform/hierarchy.h"
#include "juxta/transform/prefab.h"
#include "scenes/draws.h"
#include "support/saved_bytes.h"
#include "transform/draw_transforms.h"
#include "transform/values.h"

namespace juxta::test {

inline std::vector<NodeDescription> draw_prefab(scenes::Draws& draws, std::uint32_t size) {
  std::vector<NodeDescription> nodes(size);
  for (std::uint32_t i = 0; i < size; ++i) {
    nodes[i].parent = i == 0 ? NodeDescription::kRoot : draws.below(i);
    nodes[i].local = draw_local(draws, false);
    if (draws.below(4) == 0) {
      nodes[i].stretch = draw_stretch(draws);
    }
  }
  return nodes;
}

/// Side 0 stands side by side.
class Twins {
 public:
  void instantiate(const std::vector<NodeDescription>& nodes, std::size_t count, scenes::Draws& draws) {
    const auto prefab = Prefab::build(nodes);
    std::vector<LocalTransform> roots(count);
    for (LocalTransform& root : roots) {
      root.position = draw_vector(draws, 100);
    }
    for (Side& side : sides_) {
      std::vector<Id> ids(count * nodes.size());
      ASSERT_TRUE(side.hierarchy.instantiate(*prefab, roots, ids));
      side.ids.insert(side.ids.end(), ids.begin(), ids.end());
    }
    for (std::size_t i = 0; i < count; ++i) {
      roots_.push_back(static_cast<std::uint32_t>(sides_[0].ids.size() - (count - i) * nodes.size()));
    }
  }
  void insert(const std::vector<NodeDescription>& nodes) {
    for (Side& side : sides_) {
      std::vector<Id> ids(nodes.size());
      ASSERT_TRUE(side.hierarchy.insert(nodes, ids));
      side.ids.insert(side.ids.end(), ids.begin(), ids.end());
    }
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].parent == NodeDescription::kRoot) {
        roots_.push_back(static_cast<std::uint32_t>(sides_[0].ids.size() - nodes.size()) + i);
      }
    }
  }
  /// A new node below another one.
  void hang(std::uint32_t node, scenes::Draws& draws) {
    const LocalTransform local = draw_local(draws, false);
    for (Side& side : sides_) {
      const auto id = side.hierarchy.insert(local, side.ids[node]);
      ASSERT_TRUE(id);
      side.ids.push_back(*id);
    }
  }
  void remove_all() {
    both([](Hierarchy& h, const std::vector<Id>& ids) { return h.remove(ids).has_value(); });
    for (Side& side : sides_) {
      side.ids.clear();
    }
    roots_.clear();
  }
  [[nodiscard]] std::uint32_t draw_node(scenes::Draws& draws) const {
    for (;;) {
      const std::uint32_t node = draws.below(static_cast<std::uint32_t>(sides_[0].ids.size()));
      if (lanes().alive(sides_[0].ids[node])) {
        return node;
      }
    }
  }
  [[nodiscard]] std::uint32_t draw_root(scenes::Draws& draws) const {
    return roots_[draws.below(static_cast<std::uint32_t>(roots_.size()))];
  }
  [[nodiscard]] const Hierarchy& lanes() const { return sides_[0].hierarchy; }
  [[nodiscard]] std::size_t nodes() const { return sides_[0].ids.size(); }

  /// `call(hierarchy, ids)` on both: they must agree on whether it can be done.
  template <class Call>
  void both(const Call& call) {
    const bool first = call(sides_[0].hierarchy, sides_[0].ids);
    ASSERT_EQ(first, call(sides_[1].hierarchy, sides_[1].ids));
  }
  void expect_the_same() const {
    for (std::size_t i = 0; i < nodes(); ++i) {
      const auto a = lanes().world(sides_[0].ids[i]), b = sides_[1].hierarchy.world(sides_[1].ids[i]);
      ASSERT_EQ(a.has_value(), b.has_value());
      ASSERT_TRUE(!a || std::memcmp(&*a, &*b, sizeof *a) == 0) << "node " << i;
      const auto c = lanes().local(sides_[0].ids[i]), d = sides_[1].hierarchy.local(sides_[1].ids[i]);
      ASSERT_TRUE(!c || std::memcmp(&*c, &*d, sizeof *c) == 0) << "local transform of node " << i;
    }
  }
  void save_and_load() {
    for (Side& side : sides_) {
      side.hierarchy = from_bytes<Hierarchy>(saved_bytes(side.hierarchy));
    }
  }

 private:
  struct Side {
    Hierarchy hierarchy;
    std::vector<Id> ids;
  };
  Side sides_[2] = {{Hierarchy(), {}}, {Hierarchy({.side_by_side = false}), {}}};
  std::vector<std::uint32_t> roots_;
};

/// Moves the nodes that were drawn, whatever their Ids are.
struct Mover {
  const std::vector<Id>& ids;
  const std::set<std::uint32_t>& nodes;
  bool all;

  NodeMask operator()(LocalLanes& lanes) const {
    NodeMask written = 0;
    for (std::uint32_t i = 0; i < kNodeLanes; ++i) {
      bool chosen = all;
      for (const std::uint32_t node : nodes) {
        chosen = chosen || (lanes.has(i) && lanes.id(i) == ids[node]);
      }
      if (lanes.has(i) && chosen) {
        lanes.local.y[i] += 0.5F;
        written = static_cast<NodeMask>(written | 1U << i);
      }
    }
    return written;
  }
};

inline void move_roots(Twins& twins, int count, scenes::Draws& draws) {
  for (int i = 0; i < count; ++i) {
    const std::uint32_t root = twins.draw_root(draws);
    const Vec3 by = test::draw_vector(draws, 1);
    twins.both(
        [&](Hierarchy& h, const std::vector<Id>& ids) { return h.translate_by(ids[root], by).has_value(); });
  }
}
inline void propagate(Twins& twins, const Executor* executor = nullptr) {
  twins.both(
      [&](Hierarchy& h, const std::vector<Id>&) { return h.propagate({.executor = executor}).has_value(); });
}

}  // namespace juxta::test
