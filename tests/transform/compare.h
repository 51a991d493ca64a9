// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A hierarchy against the model of it: what differs comes back as words, and none are good.
#pragma once

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "support/code_of.h"
#include "transform/access.h"
#include "transform/model.h"
#include "transform/store.h"

namespace juxta::test {

inline std::string named(Id id) {
  return " of slot " + std::to_string(id.slot) + ", generation " + std::to_string(id.generation);
}

/// All of its bits.
inline std::string hex(float x) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%a", static_cast<double>(x));
  return text.data();
}

inline std::string words(const Qvvs& q) {
  std::string all;
  for (const float x : {q.rotation.x, q.rotation.y, q.rotation.z, q.rotation.w, q.position.x, q.position.y,
                        q.position.z, q.stretch.x, q.stretch.y, q.stretch.z, q.scale}) {
    all += hex(x) + " ";
  }
  return all + "context " + std::to_string(q.context);
}

/// Each living node once in for_each(), each child once below its parent.
inline std::string compare_tree(const Hierarchy& hierarchy, const HierarchyModel& model) {
  if (hierarchy.size() != model.size() || hierarchy.stats().nodes != model.size()) {
    return "size " + std::to_string(hierarchy.size()) + " of " + std::to_string(model.size());
  }
  if (hierarchy.stats().roots != model.roots()) {
    return "roots " + std::to_string(hierarchy.stats().roots) + " of " + std::to_string(model.roots());
  }
  std::vector<std::uint32_t> seen;
  std::string strange;
  hierarchy.for_each([&](Id id) {
    seen.push_back(id.slot);
    strange += model.alive(id) ? "" : "for_each visits a dead node" + named(id);
  });
  if (!strange.empty()) {
    return strange;
  }
  std::sort(seen.begin(), seen.end());
  if (seen.size() != model.size() || std::adjacent_find(seen.begin(), seen.end()) != seen.end()) {
    return "for_each";
  }
  for (const HierarchyModel::Node& node : model.nodes()) {
    if (hierarchy.alive(node.id) != node.alive) {
      return "life" + named(node.id);
    }
    if (!node.alive) {
      if (code_of(hierarchy.world(node.id)) != ErrorCode::kNotFound) {
        return "a dead node answers" + named(node.id);
      }
      continue;
    }
    const Id above = node.parent == HierarchyModel::kNone ? Id{} : model.nodes()[node.parent].id;
    if (const auto parent = hierarchy.parent(node.id); !parent || !(*parent == above)) {
      return "parent" + named(node.id);
    }
    std::vector<std::uint32_t> children, expected = node.children;
    if (!hierarchy.for_each_child(node.id, [&](Id child) { children.push_back(child.slot); })) {
      return "for_each_child" + named(node.id);
    }
    std::sort(children.begin(), children.end());
    std::sort(expected.begin(), expected.end());
    if (children != expected) {
      return "children" + named(node.id);
    }
  }
  return {};
}

/// World and local transforms of all nodes, propagated or not.
inline std::string compare_transforms(const Hierarchy& hierarchy, HierarchyModel& model) {
  const auto now = model.evaluate();
  if (!model.problem().empty()) {
    return model.problem();
  }
  for (const HierarchyModel::Node& node : model.nodes()) {
    if (!node.alive) {
      continue;
    }
    const auto world = hierarchy.world(node.id);
    const auto local = hierarchy.local(node.id);
    const auto inherit = hierarchy.inherit(node.id);
    if (!world || !same_bits(*world, now[node.id.slot].world)) {
      return "world" + named(node.id) + ": " + (world ? words(*world) : world.error().message) + ", not " +
             words(now[node.id.slot].world);
    }
    if (!local || !same_bits(*local, now[node.id.slot].local)) {
      return "local" + named(node.id);
    }
    if (!inherit || *inherit != node.inherit) {
      return "inherit" + named(node.id);
    }
  }
  return {};
}

/// Masks say which rows have a context and a stretch: readers by sixteens skip the others.
inline std::string compare_masks(const Hierarchy& hierarchy) {
  const transform_detail::HierarchyStore& store = transform_detail::Access::store(hierarchy);
  std::string found;
  hierarchy.for_each([&](Id id) {
    const transform_detail::Row at = store.slots[id.slot].row;
    const transform_detail::Tile& tile = store.tile_of(at);
    const std::uint32_t row = at % transform_detail::kTileRows;
    if (tile.contexts().test(row) != (tile.cold[row].context != 0) ||
        tile.stretched().test(row) != (tile.cold[row].stretch != Vec3{1, 1, 1})) {
      found = "masks" + named(id);
    }
  });
  return found;
}

/// changed_spans() shows what changed_since() shows, in the same order.
inline std::string compare_spans(const Hierarchy& hierarchy, std::uint64_t version) {
  std::vector<std::pair<Id, Qvvs>> shown;
  hierarchy.changed_since(version, [&](Id id, const Qvvs& world) { shown.emplace_back(id, world); });
  std::size_t at = 0;
  std::string strange;
  const auto done = hierarchy.changed_spans(version, [&](const WorldLanes& lanes) {
    const TransformLanes& w = lanes.world;
    for (std::size_t i = 0; i < kNodeLanes; ++i) {
      if (!lanes.has(i)) {
        continue;
      }
      const Qvvs world{{w.qx[i], w.qy[i], w.qz[i], w.qw[i]},
                       {w.x[i], w.y[i], w.z[i]},
                       lanes.context[i],
                       {lanes.stretch_x[i], lanes.stretch_y[i], lanes.stretch_z[i]},
                       w.scale[i]};
      if (at >= shown.size() || !(shown[at].first == lanes.id(i)) || !same_bits(shown[at].second, world)) {
        strange = "changed_spans" + named(lanes.id(i)) + ": " + words(world);
      }
      ++at;
    }
  });
  return done && at == shown.size() ? strange : "changed_spans visits " + std::to_string(at);
}

/// Exactly the nodes that changed above `version`, in the order of memory, as the last propagate() left them,
/// but for what readers see as it was written.
inline std::string compare_changes(const Hierarchy& hierarchy, const HierarchyModel& model,
                                   std::uint64_t version) {
  std::vector<Id> order, changed;
  hierarchy.for_each([&](Id id) { order.push_back(id); });
  std::string strange;
  hierarchy.changed_since(version, [&](Id id, const Qvvs& world) {
    changed.push_back(id);
    if (!model.alive(id) || model.nodes()[id.slot].changed_at <= version) {
      strange = "changed_since visits too much" + named(id);
    } else if (!same_bits(world, model.nodes()[id.slot].shown)) {
      strange = "world in changed_since" + named(id) + ": " + words(world) + ", not " +
                words(model.nodes()[id.slot].shown);
    }
  });
  if (!strange.empty()) {
    return strange;
  }
  if (const auto found = compare_spans(hierarchy, version); !found.empty()) {
    return found;
  }
  std::size_t expected = 0, at = 0;
  for (const Id id : order) {
    if (model.nodes()[id.slot].changed_at > version) {
      ++expected;
      if (at >= changed.size() || !(changed[at] == id)) {
        return "changed_since misses, or has another order at" + named(id);
      }
      ++at;
    }
  }
  return changed.size() == expected ? std::string() : "changed_since visits twice";
}

/// Those that propagate() just computed and could not place, and the first of them in memory.
inline std::string compare_overflows(const Hierarchy& hierarchy, const HierarchyModel& model,
                                     const PropagateResult& done) {
  std::size_t count = 0;
  Id first{};
  hierarchy.for_each([&](Id id) {
    const HierarchyModel::Node& node = model.nodes()[id.slot];
    if (node.overflowed && node.changed_at == model.version()) {
      first = count++ == 0 ? id : first;
    }
  });
  return done.tiles == 0 || (count == done.overflowed && first == done.first_overflowed)
             ? std::string()
             : std::to_string(done.overflowed) + " overflowed, not " + std::to_string(count);
}

inline std::string compare_versions(const Hierarchy& hierarchy, const HierarchyModel& model) {
  if (hierarchy.version() != model.version()) {
    return "version " + std::to_string(hierarchy.version()) + " of " + std::to_string(model.version());
  }
  for (const HierarchyModel::Node& node : model.nodes()) {
    if (node.alive) {
      const auto at = hierarchy.changed_at(node.id);
      if (!at || *at != node.changed_at) {
        return "changed_at" + named(node.id) + ": " + std::to_string(at ? *at : 0) + ", not " +
               std::to_string(node.changed_at);
      }
    }
  }
  const std::uint64_t version = model.version();
  std::string all = compare_changes(hierarchy, model, version) + compare_changes(hierarchy, model, 0);
  if (version > 0) {
    all += compare_changes(hierarchy, model, version - 1) + compare_changes(hierarchy, model, version / 2);
  }
  return all;
}

/// Previous and two ago, of what was propagated once.
inline std::string compare_history(const Hierarchy& hierarchy, const HierarchyModel& model) {
  for (const HierarchyModel::Node& node : model.nodes()) {
    if (!node.alive || node.changed_at == 0) {
      continue;
    }
    const auto previous = hierarchy.previous(node.id), two_ago = hierarchy.two_ago(node.id);
    if (!previous || !same_bits(*previous, node.previous)) {
      return "previous" + named(node.id) + ": " + (previous ? words(*previous) : previous.error().message) +
             ", not " + words(node.previous);
    }
    if (!two_ago || !same_bits(*two_ago, node.two_ago)) {
      return "two_ago" + named(node.id);
    }
  }
  return {};
}

/// The nodes that were destroyed after some versions, and what is forgotten.
inline std::string compare_destroyed(const Hierarchy& hierarchy, const HierarchyModel& model, bool kept) {
  const auto less = [](Id a, Id b) {
    return a.slot != b.slot ? a.slot < b.slot : a.generation < b.generation;
  };
  const std::uint64_t now = model.version();
  for (const std::uint64_t version : {std::uint64_t{0}, now / 2, now - (now > 0 ? 1 : 0), now, now + 1}) {
    std::vector<Id> found, expected;
    const auto done = hierarchy.destroyed_since(version, [&](Id id) { found.push_back(id); });
    if (done.has_value() != (kept && version >= model.forgotten())) {
      return "destroyed_since " + std::to_string(version);
    }
    for (const HierarchyModel::Destroyed& one : model.destroyed()) {
      if (done && one.version > version && one.version <= now) {
        expected.push_back(one.id);
      }
    }
    std::sort(found.begin(), found.end(), less);
    std::sort(expected.begin(), expected.end(), less);
    if (found != expected) {
      return std::to_string(found.size()) + " destroyed since " + std::to_string(version) + ", not " +
             std::to_string(expected.size());
    }
  }
  return {};
}

/// Own tags, and those of all nodes above.
inline std::string compare_tags(const Hierarchy& hierarchy, const HierarchyModel& model) {
  std::vector<std::uint8_t> all(hierarchy.slot_count(), 200);
  if (!hierarchy.inherited_tags(all)) {
    return "inherited_tags of all";
  }
  const std::size_t step = 1 + model.nodes().size() / 500;
  for (const HierarchyModel::Node& node : model.nodes()) {
    if (!node.alive) {
      if (node.id.slot < all.size() && all[node.id.slot] != 0) {
        return "tags of the slot of no node" + named(node.id);
      }
      continue;
    }
    // Its own and those of its parent, which are checked the same way: so it is right for all, or for none.
    const std::uint8_t above = node.parent == HierarchyModel::kNone ? std::uint8_t{0} : all[node.parent];
    const auto own = hierarchy.tags(node.id);
    if (!own || *own != node.tags || all[node.id.slot] != (node.tags | above)) {
      return "tags" + named(node.id);
    }
    if (node.id.slot % step == 0) {  // a path to the root for each
      const auto inherited = hierarchy.inherited_tags(node.id);
      if (!inherited || *inherited != all[node.id.slot]) {
        return "inherited tags" + named(node.id);
      }
    }
  }
  return {};
}

inline std::string compare_all(const Hierarchy& hierarchy, HierarchyModel& model, bool history) {
  std::string found = compare_tree(hierarchy, model);
  found = found.empty() ? compare_transforms(hierarchy, model) : found;
  found = found.empty() ? compare_versions(hierarchy, model) : found;
  found = found.empty() ? compare_tags(hierarchy, model) : found;
  found = found.empty() ? compare_masks(hierarchy) : found;
  return found.empty() && history ? compare_history(hierarchy, model) : found;
}

}  // namespace juxta::test
