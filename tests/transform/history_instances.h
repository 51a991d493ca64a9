// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Instances of a few prefabs that come and go as a whole, so that new ones find the places of old ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "juxta/transform/prefab.h"
#include "transform/model.h"
#include "transform/values.h"

namespace juxta::test {

template <class Draw>
class HistoryInstances {
 public:
  /// Some instances, each under what `parent()` says: most often of a prefab that was there before, seldom
  /// with other transforms in it.
  template <class Parent>
  std::string add(Hierarchy& hierarchy, HierarchyModel& model, Draw& draw, Flags flags, Parent&& parent) {
    const auto prefab = Prefab::build(draw_prefab(draw, flags));
    if (!prefab) {
      return "prefab: " + prefab.error().message;
    }
    std::vector<LocalTransform> roots(draw.below(draw.below(4) == 0 ? 28 : 8));
    std::vector<Id> parents(draw.below(2) * roots.size());
    for (LocalTransform& root : roots) {
      root = draw_local(draw, true);
    }
    for (Id& one : parents) {
      one = parent();
    }
    std::vector<Id> ids(roots.size() * prefab->size());
    if (const auto done = hierarchy.instantiate(*prefab, roots, ids, parents); !done) {
      return "instantiate: " + done.error().message;
    }
    model.instantiate(*prefab, roots, ids, parents);
    for (std::size_t i = 0; i < ids.size(); i += prefab->size()) {
      roots_.push_back(ids[i]);
    }
    return {};
  }
  /// The roots of some of them that are still there.
  std::vector<Id> take(const HierarchyModel& model, Draw& draw) {
    std::vector<Id> ids;
    for (std::uint32_t i = draw.below(16); i > 0 && !roots_.empty(); --i) {
      const std::uint32_t one = draw.below(static_cast<std::uint32_t>(roots_.size()));
      if (model.alive(roots_[one])) {
        ids.push_back(roots_[one]);
      }
      roots_[one] = roots_.back();
      roots_.pop_back();
    }
    return ids;
  }

 private:
  std::vector<NodeDescription> draw_prefab(Draw& draw, Flags flags) {
    if (prefabs_.size() < 3 || draw.below(8) == 0) {
      const Tree tree = kTrees[draw.below(kTrees.size())];
      const bool plain = draw.below(2) == 0;
      prefabs_.push_back(draw_tree(draw, tree, 1 + draw.below(12), plain ? Flags::kNone : flags, true));
      for (NodeDescription& node : prefabs_.back()) {
        node.stretch = plain ? Vec3{1, 1, 1} : node.stretch;
        node.context = plain ? 0 : node.context;
      }
    }
    std::vector<NodeDescription>& prefab = prefabs_[draw.below(static_cast<std::uint32_t>(prefabs_.size()))];
    if (draw.below(8) == 0) {
      prefab[draw.below(static_cast<std::uint32_t>(prefab.size()))].local = draw_local(draw, true);
    }
    return prefab;
  }

  std::vector<std::vector<NodeDescription>> prefabs_;
  std::vector<Id> roots_;
};

}  // namespace juxta::test
