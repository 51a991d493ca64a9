// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "transform/model.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "transform/mixed_axes.h"

namespace juxta::test {
namespace {

/// Of length 1: as it is when it all but has it.
Quat unit(Quat q) {
  const float squared = length_squared(q);
  if (squared > 0.99998F && squared < 1.00002F) {
    return q;
  }
  const float largest = std::max({std::abs(q.x), std::abs(q.y), std::abs(q.z), std::abs(q.w)});
  return normalized({q.x / largest, q.y / largest, q.z / largest, q.w / largest});
}

/// One rotation, either sign: how far apart.
float apart(Quat a, Quat b) {
  const float dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  const float sign = dot < 0 ? -1.0F : 1.0F;
  return std::max({std::abs(a.x - sign * b.x), std::abs(a.y - sign * b.y), std::abs(a.z - sign * b.z),
                   std::abs(a.w - sign * b.w)});
}

}  // namespace

bool same_bits(const Qvvs& a, const Qvvs& b) {
  static_assert(sizeof(Qvvs) == 48, "no padding to compare");
  return std::memcmp(&a, &b, sizeof a) == 0;
}
bool same_bits(const LocalTransform& a, const LocalTransform& b) {
  static_assert(sizeof(LocalTransform) == 32, "no padding to compare");
  return std::memcmp(&a, &b, sizeof a) == 0;
}

// --- Nodes come and go ---

void HierarchyModel::insert(Id id, const LocalTransform& local, Id parent, const NodeOptions& options) {
  if (id.slot >= nodes_.size()) {
    nodes_.resize(id.slot + 1);
  }
  Node& node = nodes_[id.slot];
  node = Node{};
  node.id = id;
  node.alive = node.touched = node.written = true;
  node.local = {unit(local.rotation), local.position, local.scale};
  node.stretch = options.stretch;
  node.context = node.shown.context = options.context;
  node.shown.stretch = options.stretch;
  node.inherit = options.inherit;
  ++living_;
  attach(id.slot, parent == Id{} ? kNone : parent.slot);
}

void HierarchyModel::insert(std::span<const NodeDescription> nodes, std::span<const Id> ids) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeDescription& node = nodes[i];
    insert(ids[i], node.local, node.parent == NodeDescription::kRoot ? Id{} : ids[node.parent],
           {node.stretch, node.context, node.inherit});
  }
}

void HierarchyModel::instantiate(const Prefab& prefab, std::span<const LocalTransform> roots,
                                 std::span<const Id> ids, std::span<const Id> parents) {
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const auto own = ids.subspan(i * prefab.size(), prefab.size());
    for (std::size_t j = 0; j < own.size(); ++j) {
      const NodeDescription& node = prefab.nodes()[j];
      const Id above = parents.empty() ? Id{} : parents[i];
      insert(own[j], j == 0 ? roots[i] : node.local, j == 0 ? above : own[node.parent],
             {node.stretch, node.context, node.inherit});
    }
  }
}

void HierarchyModel::remove(Id id, Children children) {
  std::vector<std::uint32_t> doomed{id.slot};
  if (children == Children::kToAncestor) {
    const auto heirs = nodes_[id.slot].children;
    for (const std::uint32_t child : heirs) {
      move_to(child, nodes_[id.slot].parent, Keep::kWorld);
    }
  } else {
    for (std::size_t i = 0; i < doomed.size(); ++i) {
      const auto& below = nodes_[doomed[i]].children;
      doomed.insert(doomed.end(), below.begin(), below.end());
    }
  }
  for (auto at = doomed.rbegin(); at != doomed.rend(); ++at) {
    remove(*at);
  }
}

void HierarchyModel::remove(std::uint32_t slot) {
  detach(slot);
  lost_writes_ = lost_writes_ || nodes_[slot].touched;
  nodes_[slot].alive = false;
  --living_;
  if (keeps_destroyed_) {
    destroyed_.push_back({nodes_[slot].id, version_ + 1});
  }
}

void HierarchyModel::forget_destroyed(std::uint64_t version) {
  forgotten_ = std::max(forgotten_, std::min(version, version_));
  std::erase_if(destroyed_, [&](const Destroyed& one) { return one.version <= forgotten_; });
}

// --- Who belongs to whom ---

void HierarchyModel::attach(std::uint32_t slot, std::uint32_t parent) {
  nodes_[slot].parent = parent;
  if (parent != kNone) {
    nodes_[slot].place = static_cast<std::uint32_t>(nodes_[parent].children.size());
    nodes_[parent].children.push_back(slot);
  }
}

void HierarchyModel::detach(std::uint32_t slot) {
  const std::uint32_t parent = nodes_[slot].parent, place = nodes_[slot].place;
  if (parent != kNone) {
    auto& siblings = nodes_[parent].children;
    siblings[place] = siblings.back();
    nodes_[siblings[place]].place = place;
    siblings.pop_back();
    nodes_[slot].parent = kNone;
  }
}

void HierarchyModel::reparent(Id id, Id parent, Keep keep) {
  move_to(id.slot, parent == Id{} ? kNone : parent.slot, keep);
}

void HierarchyModel::move_to(std::uint32_t slot, std::uint32_t parent, Keep keep) {
  Node& node = nodes_[slot];
  const Now before = evaluate(node.id);
  const bool was_root = node.parent == kNone;
  node.local = before.local;
  detach(slot);
  if (keep == Keep::kWorld) {
    const Qvvs above = parent == kNone ? Qvvs{} : evaluate(nodes_[parent].id).world;
    node.local = inverse_mul(above, before.world);
  }
  node.touched = true;
  if (!keeps(node.inherit, Inherit::kUserWorld)) {
    node.written = true;
  } else if (was_root) {  // from now on only its user moves it
    node.pinned = before.world;
    node.written = false;
  }
  attach(slot, parent);
}

bool HierarchyModel::is_above(Id id, Id below) const {
  for (std::uint32_t at = below.slot; at != kNone; at = nodes_[at].parent) {
    if (at == id.slot) {
      return true;
    }
  }
  return false;
}

// --- Writing ---

bool HierarchyModel::user_writes(const Node& node) {
  return node.parent != kNone && keeps(node.inherit, Inherit::kUserWorld);
}

HierarchyModel::Node& HierarchyModel::write(Id id) {
  nodes_[id.slot].touched = true;
  return nodes_[id.slot];
}

void HierarchyModel::set_local(Id id, const LocalTransform& local) {
  write_local(id, {unit(local.rotation), local.position, local.scale});
}

void HierarchyModel::write_local(Id id, const LocalTransform& local) {
  Node& node = write(id);
  node.local = local;
  node.written = node.written || !user_writes(node);
}

void HierarchyModel::set_position(Id id, Vec3 position) {
  LocalTransform local = evaluate(id).local;
  local.position = position;
  write_local(id, local);
}

void HierarchyModel::set_world(Id id, const Qvvs& asked) {
  Qvvs world = asked;
  world.rotation = unit(asked.rotation);
  Node& node = write(id);
  node.stretch = node.shown.stretch = world.stretch;
  node.context = node.shown.context = world.context;
  if (user_writes(node)) {
    node.pinned = node.shown = world;
    node.written = false;
    return;
  }
  node.local = inverse_mul(node.parent == kNone ? Qvvs{} : evaluate(nodes_[node.parent].id).world, world);
  node.written = true;
}

void HierarchyModel::set_stretch(Id id, Vec3 stretch) {
  Node& node = write(id);
  node.stretch = node.shown.stretch = stretch;
}
void HierarchyModel::set_context(Id id, std::int32_t context) {
  Node& node = write(id);
  node.context = node.shown.context = context;
}
void HierarchyModel::set_inherit(Id id, Inherit inherit) {
  const Now before = evaluate(id);
  Node& node = write(id);
  if (before.dirty) {  // what is kept is what is there now
    node.local = before.local;
    node.pinned = before.world;
    node.stretch = node.shown.stretch = before.world.stretch;
    node.context = node.shown.context = before.world.context;
    node.written = false;
  }
  node.inherit = inherit;
}

// --- Where everything is ---

Quat HierarchyModel::mixed(const Node& node, Quat kept, Quat followed) {
  const auto axes = mixed_axes(kept, followed, node.inherit);
  const bool strict_up = keeps(node.inherit, Inherit::kStrictUp);
  const bool keeps_first = keeps(node.inherit, strict_up ? Inherit::kWorldUp : Inherit::kWorldForward);
  const Quat own = axes ? rotation_of(*axes) : (keeps_first ? kept : followed);
  if (hierarchy_ == nullptr) {
    return own;
  }
  const auto theirs = hierarchy_->world(node.id);
  if (!theirs) {
    problem_ = "no world transform of slot " + std::to_string(node.id.slot);
    return own;
  }
  if (axes && !(distance(theirs->rotation, *axes) < 1e-4 && apart(theirs->rotation, own) < 1e-4F)) {
    problem_ = "mixed rotation of slot " + std::to_string(node.id.slot);
  }
  return theirs->rotation;
}

HierarchyModel::Now HierarchyModel::step(const Node& node, const Now* parent) {
  Now now{{}, node.local, node.touched || (parent != nullptr && parent->dirty)};
  if (parent == nullptr) {  // its local transform: mul() with the identity would lose the sign of a zero
    now.world = {renormalized(node.local.rotation), node.local.position, node.context, node.stretch,
                 node.local.scale};
    return now;
  }
  Qvvs before = node.pinned ? *node.pinned : node.settled;
  before.stretch = node.stretch;
  before.context = node.context;
  now.world = mul(parent->world, node.local, node.stretch, node.context);
  const auto at_parent_unless_finite = [&] {
    if (!is_finite(now.world.position) || !std::isfinite(now.world.scale)) {
      now.world = {parent->world.rotation, parent->world.position, node.context, node.stretch,
                   parent->world.scale};
      now.overflowed = true;
    }
    return now;
  };
  if (keeps(node.inherit, Inherit::kUserWorld) && !node.written) {
    now.world = before;
    return now;
  }
  if (keeps(node.inherit, Inherit::kCopyParent)) {
    now.world = parent->world;
    return now;
  }
  if (node.written || node.inherit == Inherit::kNormal) {
    return at_parent_unless_finite();
  }
  if (!now.dirty) {
    now.world = node.settled;
    return now;
  }
  if (keeps(node.inherit, Inherit::kWorldRotation)) {
    now.world.rotation = before.rotation;
  } else if ((node.inherit & (Inherit::kWorldRotation | Inherit::kStrictUp)) != Inherit::kNormal) {
    now.world.rotation = mixed(node, before.rotation, now.world.rotation);
  }
  now.world.position.x = keeps(node.inherit, Inherit::kWorldX) ? before.position.x : now.world.position.x;
  now.world.position.y = keeps(node.inherit, Inherit::kWorldY) ? before.position.y : now.world.position.y;
  now.world.position.z = keeps(node.inherit, Inherit::kWorldZ) ? before.position.z : now.world.position.z;
  now.world.scale = keeps(node.inherit, Inherit::kWorldScale) ? before.scale : now.world.scale;
  if (const LocalTransform there = inverse_mul(parent->world, now.world);
      is_finite(there) && is_finite(now.world.position) && std::isfinite(now.world.scale)) {
    now.local = there;
    return now;
  }
  now.world = mul(parent->world, node.local, node.stretch, node.context);
  return at_parent_unless_finite();
}

std::vector<std::uint32_t> HierarchyModel::parents_first() const {
  std::vector<std::uint32_t> order;
  order.reserve(living_);
  for (std::uint32_t slot = 0; slot < nodes_.size(); ++slot) {
    if (nodes_[slot].alive && nodes_[slot].parent == kNone) {
      order.push_back(slot);
    }
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& below = nodes_[order[i]].children;
    order.insert(order.end(), below.begin(), below.end());
  }
  return order;
}

std::vector<HierarchyModel::Now> HierarchyModel::evaluate() {
  std::vector<Now> all(nodes_.size());
  for (const std::uint32_t slot : parents_first()) {
    const Node& node = nodes_[slot];
    all[slot] = step(node, node.parent == kNone ? nullptr : &all[node.parent]);
  }
  return all;
}

HierarchyModel::Now HierarchyModel::evaluate(Id id) {
  std::vector<std::uint32_t> path;
  for (std::uint32_t at = id.slot; at != kNone; at = nodes_[at].parent) {
    path.push_back(at);
  }
  Now now = step(nodes_[path.back()], nullptr);
  for (std::size_t i = path.size() - 1; i-- > 0;) {
    const Now above = now;
    now = step(nodes_[path[i]], &above);
  }
  return now;
}

bool HierarchyModel::propagate() {
  lost_writes_ = false;
  const std::vector<Now> all = evaluate();
  const auto is_due = [&](const Node& node) { return node.alive && all[node.id.slot].dirty; };
  const bool tells = !destroyed_.empty() && destroyed_.back().version > version_;
  if (!tells && std::none_of(nodes_.begin(), nodes_.end(), is_due)) {
    return false;
  }
  ++version_;
  for (Node& node : nodes_) {
    if (!is_due(node)) {
      continue;
    }
    const Now& now = all[node.id.slot];
    node.settled = node.shown = now.world;
    node.overflowed = now.overflowed;
    node.local = now.local;
    node.stretch = now.world.stretch;  // kCopyParent: the parent's, for good
    node.context = now.world.context;
    if (node.changed_at == 0) {
      node.previous = node.two_ago = now.world;
    }
    node.changed_at = version_;
    node.touched = node.written = false;
    node.pinned.reset();
  }
  return true;
}

void HierarchyModel::begin_step() {
  for (Node& node : nodes_) {
    if (node.alive && node.changed_at != 0) {
      node.two_ago = node.previous;
      node.previous = node.shown;
    }
  }
}

// --- Looking ---

bool HierarchyModel::alive(Id id) const {
  return id.slot < nodes_.size() && nodes_[id.slot].alive && nodes_[id.slot].id == id;
}

std::size_t HierarchyModel::roots() const {
  return static_cast<std::size_t>(std::count_if(
      nodes_.begin(), nodes_.end(), [](const Node& node) { return node.alive && node.parent == kNone; }));
}

std::optional<Id> HierarchyModel::living_from(std::size_t from) const {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (const Node& node = nodes_[(from + i) % nodes_.size()]; node.alive) {
      return node.id;
    }
  }
  return std::nullopt;
}

}  // namespace juxta::test
