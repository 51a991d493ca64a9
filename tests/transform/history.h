// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A hierarchy and its model, changed and asked at random. Shared with fuzz/transform: what differs comes back
// as words, and none are good.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "transform/compare.h"
#include "transform/history_instances.h"
#include "transform/history_parts.h"
#include "transform/values.h"

namespace juxta::test {

struct HistoryOptions {
  std::uint32_t most = 200;  ///< The size wanders up to about this.
  Flags flags = Flags::kExact;
  bool history = false;
  bool destroyed = false;
  const Executor* executor = nullptr;
};

template <class Draw>
class History {
 public:
  History(Draw& draw, const HistoryOptions& options,
          std::pmr::memory_resource* resource = huge_page_resource())
      : hierarchy({.history = options.history, .destroyed = options.destroyed}, resource),
        model(),
        draw_(draw),
        options_(options) {
    model.watch(&hierarchy);
    if (options.destroyed) {
      model.keep_destroyed();
    }
  }

  Hierarchy hierarchy;
  HierarchyModel model;

  /// One change of either.
  std::string change() {
    growing_ = draw_.below(200) == 0 ? !growing_ : growing_;
    const bool shrink = model.size() > options_.most || (growing_ == (draw_.below(3) == 0));
    switch (draw_.below(23)) {
      case 0:
        return shrink ? destroy_many() : create_many();
      case 1:
        return shrink ? remove() : instantiate();
      case 2:
      case 3:
      case 4:
        return shrink ? remove() : insert();
      case 5:
        return reparent_many();
      case 6:
      case 7:
      case 8:
      case 9:
        return reparent();
      case 10:
        return set_many();
      case 11:
        return set_world();
      case 12:
        return set_inherit();
      case 13:
        return set_rest();
      case 14:
        return refuse();
      case 15:
        return change_part(hierarchy, model, draw_);
      case 16:
        return change_parts(hierarchy, model, draw_, options_.flags == Flags::kMixed ? 2 : 70);
      case 17:
        return shrink ? give_back(hierarchy, model, draw_)
                      : copy_some(hierarchy, model, draw_, some_parent(), options_.most);
      default:
        return set_local();
    }
  }

  std::string propagate() {
    const auto now = model.evaluate();
    std::size_t due = 0;
    for (const auto& node : model.nodes()) {
      due += node.alive && now[node.id.slot].dirty;
    }
    const bool lost_writes = model.lost_writes();
    const bool something = model.propagate();
    const auto done = hierarchy.propagate({.executor = options_.executor});
    if (!done) {
      return "propagate: " + done.error().message;
    }
    if (!something && lost_writes && done->version == model.version() + 1) {
      model.count_version();
    }
    if (done->version != model.version() || done->version != hierarchy.version()) {
      return "propagate says version " + std::to_string(done->version) + ", not " +
             std::to_string(model.version());
    }
    if (auto found = compare_overflows(hierarchy, model, *done); !found.empty()) {
      return found;
    }
    if (done->computed < due || (!something && done->computed != 0)) {
      return "propagate computed " + std::to_string(done->computed) + " for " + std::to_string(due);
    }
    return {};
  }

  /// A step begins, whether there is something left to propagate or not.
  std::string begin_step() {
    if (!options_.history) {
      return {};
    }
    model.begin_step();
    return hierarchy.begin_step() ? std::string() : "begin_step";
  }

  std::string compare() {
    std::string found = compare_all(hierarchy, model, options_.history);
    return found.empty() ? compare_destroyed(hierarchy, model, options_.destroyed) : found;
  }

  void set_executor(const Executor* executor) { options_.executor = executor; }

  /// Goes on as `other` would, with a hierarchy that should be the same as its own.
  void go_on_from(const History& other, Hierarchy copy) {
    hierarchy = std::move(copy);
    model = other.model;
    model.watch(&hierarchy);
    growing_ = other.growing_;
    instances_ = other.instances_;
  }

  std::string create_tree(Tree tree, std::uint32_t count) {
    const auto nodes = draw_tree(draw_, tree, count, options_.flags, false);
    std::vector<Id> ids(count);
    if (const auto done = hierarchy.insert(nodes, ids); !done) {
      return "create of many: " + done.error().message;
    }
    model.insert(nodes, ids);
    return {};
  }

 private:
  LocalTransform local() { return draw_local(draw_, true); }
  std::optional<Id> some() { return model.living_from(draw_.below(1U << 20)); }
  /// A living node, or none.
  Id some_parent() { return draw_.below(6) == 0 ? Id{} : some().value_or(Id{}); }
  std::vector<Id> some_many(std::uint32_t most) {
    std::vector<Id> ids;
    for (std::uint32_t i = draw_.below(most); i > 0 && model.size() > 0; --i) {
      ids.push_back(*some());
    }
    return ids;
  }

  std::string insert() {
    const LocalTransform there = local();
    const Id parent = some_parent();
    const NodeOptions node{draw_stretch(draw_), static_cast<std::int32_t>(draw_.below(99)),
                           draw_inherit(draw_, options_.flags)};
    const auto id = hierarchy.insert(there, parent, node);
    if (!id) {
      return "create: " + id.error().message;
    }
    if (model.alive(*id)) {
      return "create gave an Id twice";
    }
    model.insert(*id, there, parent, node);
    return tame(*id);
  }

  std::string create_many() {
    const Tree tree = kTrees[draw_.below(kTrees.size())];
    return create_tree(tree, draw_.below(options_.most / 5 + 2));
  }

  std::string instantiate() {
    return instances_.add(hierarchy, model, draw_, options_.flags, [this] { return some_parent(); });
  }

  std::string remove() {
    const auto id = some();
    if (!id) {
      return {};
    }
    const Children children = draw_.below(2) == 0 ? Children::kDestroy : Children::kToAncestor;
    model.remove(*id, children);
    if (const auto done = hierarchy.remove(*id, children); !done) {
      return "destroy: " + done.error().message;
    }
    const auto twice = hierarchy.remove(*id, children);
    return !twice && twice.error().code == ErrorCode::kNotFound ? std::string() : "destroyed twice";
  }

  std::string destroy_many() {
    const bool whole = draw_.below(2) == 0;
    const auto ids = whole ? instances_.take(model, draw_) : some_many(10);
    const Children children = whole || options_.flags == Flags::kMixed || draw_.below(2) == 0
                                  ? Children::kDestroy
                                  : Children::kToAncestor;
    for (const Id id : ids) {
      if (model.alive(id)) {
        model.remove(id, children);
      }
    }
    const auto done = hierarchy.remove(ids, children);
    return done ? std::string() : "destroy of many: " + done.error().message;
  }

  std::string reparent() {
    const auto id = some();
    if (!id) {
      return {};
    }
    const Id parent = some_parent();
    const Keep keep = draw_.below(2) == 0 ? Keep::kWorld : Keep::kLocal;
    if (!(parent == Id{}) && model.is_above(*id, parent)) {
      const auto refused = hierarchy.reparent(*id, parent, keep);
      return !refused && refused.error().code == ErrorCode::kInvalidArgument ? std::string() : "a cycle";
    }
    model.reparent(*id, parent, keep);
    if (const auto done = hierarchy.reparent(*id, parent, keep); !done) {
      return "reparent: " + done.error().message;
    }
    return tame(*id);
  }

  std::string reparent_many() {
    const auto ids = some_many(options_.flags == Flags::kMixed ? 2 : 12);
    std::vector<Id> parents(ids.size());
    const Keep keep = draw_.below(2) == 0 ? Keep::kWorld : Keep::kLocal;
    HierarchyModel after = model;
    std::size_t bad = ids.size();
    for (std::size_t i = 0; i < ids.size(); ++i) {
      parents[i] = some_parent();
      if (bad == ids.size() && !(parents[i] == Id{}) && after.is_above(ids[i], parents[i])) {
        bad = i;
      } else if (bad == ids.size()) {
        after.reparent(ids[i], parents[i], keep);
      }
    }
    const auto done = hierarchy.reparent(ids, parents, keep);
    if (done.has_value() != (bad == ids.size())) {
      return "reparent of many: a cycle at " + std::to_string(bad) + " of " + std::to_string(ids.size());
    }
    if (!done) {
      return done.error().index == bad ? std::string() : "the index of a cycle";
    }
    model = std::move(after);
    for (const Id id : ids) {
      if (auto found = tame(id); !found.empty()) {
        return found;
      }
    }
    return {};
  }

  std::string set_local() {
    const auto id = some();
    if (!id) {
      return {};
    }
    LocalTransform there = draw_.below(4) == 0 ? model.nodes()[id->slot].local : local();
    if (draw_.below(3) != 0) {
      there.position = draw_vector(draw_, 10);
      model.set_position(*id, there.position);
      return hierarchy.set_position(*id, there.position) ? std::string() : "set_position";
    }
    model.set_local(*id, there);
    return hierarchy.set_local(*id, there) ? std::string() : "set_local";
  }

  std::string set_many() {
    const auto ids = some_many(options_.most / 4 + 2);
    std::vector<LocalTransform> locals(ids.size());
    std::vector<Vec3> positions(ids.size());
    const bool whole = options_.flags == Flags::kMixed || draw_.below(2) == 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      locals[i] = local();
      positions[i] = locals[i].position;
      whole ? model.set_local(ids[i], locals[i]) : model.set_position(ids[i], positions[i]);
    }
    const auto done = whole ? hierarchy.set_local(ids, locals) : hierarchy.set_position(ids, positions);
    return done ? std::string() : "set of many: " + done.error().message;
  }

  std::string set_world() {
    const auto ids = some_many(options_.flags == Flags::kMixed || draw_.below(3) != 0 ? 2 : 8);
    std::vector<Qvvs> worlds(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const LocalTransform there = local();
      worlds[i] = {there.rotation, there.position, 5, draw_stretch(draw_), there.scale};
      model.set_world(ids[i], worlds[i]);
    }
    const auto done =
        ids.size() == 1 ? hierarchy.set_world(ids[0], worlds[0]) : hierarchy.set_world(ids, worlds);
    return done ? std::string() : "set_world: " + done.error().message;
  }

  std::string set_inherit() {
    const auto id = some();
    if (!id) {
      return {};
    }
    const Inherit inherit = draw_inherit(draw_, options_.flags);
    model.set_inherit(*id, inherit);
    return hierarchy.set_inherit(*id, inherit) ? std::string() : "set_inherit";
  }

  std::string set_rest() {
    const auto id = some();
    if (!id) {
      return {};
    }
    if (draw_.below(2) == 0) {
      const auto context = static_cast<std::int32_t>(draw_.below(1000));
      model.set_context(*id, context);
      return hierarchy.set_context(*id, context) ? std::string() : "set_context";
    }
    const Vec3 stretch = draw_stretch(draw_);
    model.set_stretch(*id, stretch);
    return hierarchy.set_stretch(*id, stretch) ? std::string() : "set_stretch";
  }

  /// What must be refused, and change nothing: the next comparison shows it.
  std::string refuse() {
    const Id never{draw_.below(64), 2 * draw_.below(4)};  // even: never alive
    const LocalTransform good;
    LocalTransform flat = good;
    flat.scale = draw_.below(2) == 0 ? 0.0F : -1.0F;
    if (hierarchy.alive(never) || hierarchy.world(never) || hierarchy.set_local(never, good) ||
        hierarchy.remove(never) || hierarchy.reparent(never, {}) || hierarchy.insert(good, never)) {
      return "an Id that never lived was taken";
    }
    if (hierarchy.insert(flat)) {
      return "a scale that is not above 0 was taken";
    }
    std::vector<Id> ids = some_many(5);
    ids.push_back(never);
    const std::vector<LocalTransform> locals(ids.size());
    const auto refused = hierarchy.set_local(ids, locals);
    return !refused && refused.error().index == ids.size() - 1 ? std::string() : "a bulk call with a dead Id";
  }

  /// Keeping world transforms under small parents and local ones under large parents would end beyond float.
  std::string tame(Id id) {
    const auto now = model.evaluate(id);
    const auto wild = [](float x) { return !(x < 1e6F && x > -1e6F); };
    if (!wild(now.world.position.x + now.world.position.y + now.world.position.z) &&
        !wild(now.local.position.x + now.local.position.y + now.local.position.z) && !wild(now.world.scale) &&
        !wild(1 / now.world.scale) && !wild(now.local.scale) && !wild(1 / now.local.scale)) {
      return {};
    }
    model.set_local(id, {});
    return hierarchy.set_local(id, {}) ? std::string() : "set_local";
  }

  Draw& draw_;
  HistoryOptions options_;
  HistoryInstances<Draw> instances_;
  bool growing_ = true;
};

}  // namespace juxta::test
