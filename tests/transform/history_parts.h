// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Random changes of parts of local transforms, copies of subtrees, memory given back: of a hierarchy and its
// model. What differs comes back as words, and none are good.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "transform/model.h"
#include "transform/values.h"

namespace juxta::test {

/// What one of the calls makes of a local transform.
inline LocalTransform with_part(LocalTransform local, std::uint32_t which, const LocalTransform& value) {
  switch (which) {
    case 0:
      local.rotation = value.rotation;
      break;
    case 1:
      local.scale = value.scale;
      break;
    case 2:
      local.position = local.position + value.position;
      break;
    default:
      local.rotation = renormalized(value.rotation * local.rotation);
  }
  return local;
}

/// A rotation that the hierarchy takes as it is.
template <class Draw>
LocalTransform draw_part(Draw& draw) {
  LocalTransform value = draw_local(draw, true);
  const float squared = length_squared(value.rotation);
  value.rotation = squared > 0.99999F && squared < 1.00001F ? value.rotation : Quat{};
  return value;
}

/// One call for one node.
template <class Draw>
std::string change_part(Hierarchy& hierarchy, HierarchyModel& model, Draw& draw) {
  const auto id = model.living_from(draw.below(1U << 20));
  if (!id) {
    return {};
  }
  const std::uint32_t which = draw.below(5);
  if (which == 4) {
    const auto tags = static_cast<std::uint8_t>(draw.below(128));
    model.set_tags(*id, tags);
    return hierarchy.set_tags(*id, tags) ? std::string() : "set_tags";
  }
  const LocalTransform value = draw_part(draw);
  model.write_local(*id, with_part(model.evaluate(*id).local, which, value));
  const auto done = which == 0   ? hierarchy.set_rotation(*id, value.rotation)
                    : which == 1 ? hierarchy.set_scale(*id, value.scale)
                    : which == 2 ? hierarchy.translate_by(*id, value.position)
                                 : hierarchy.rotate_by(*id, value.rotation);
  return done ? std::string() : "change of part " + std::to_string(which) + ": " + done.error().message;
}

/// One call for so many less one at most, some of them more than once. With flags that mix axes the model
/// reads rotations from the hierarchy, which is written only at the end: then one.
template <class Draw>
std::string change_parts(Hierarchy& hierarchy, HierarchyModel& model, Draw& draw, std::uint32_t most) {
  const std::uint32_t which = draw.below(4);
  std::vector<Id> ids;
  std::vector<LocalTransform> values;
  std::vector<Quat> rotations;
  std::vector<Vec3> moves;
  std::vector<float> scales;
  for (std::uint32_t i = draw.below(most); i > 0 && model.size() > 0; --i) {
    const Id id = *model.living_from(draw.below(1U << 20));
    ids.push_back(id);
    values.push_back(draw_part(draw));
    rotations.push_back(values.back().rotation);
    moves.push_back(values.back().position);
    scales.push_back(values.back().scale);
    model.write_local(id, with_part(model.evaluate(id).local, which, values.back()));
  }
  const auto done = which == 0   ? hierarchy.set_rotation(ids, rotations)
                    : which == 1 ? hierarchy.set_scale(ids, scales)
                    : which == 2 ? hierarchy.translate_by(ids, moves)
                                 : hierarchy.rotate_by(ids, rotations);
  return done ? std::string() : "change of parts " + std::to_string(which) + ": " + done.error().message;
}

/// What a copy of a node is made from.
struct CopySource {
  Id id;
  LocalTransform local;
  NodeOptions options;
};

inline CopySource copy_source(HierarchyModel& model, Id id) {
  const HierarchyModel::Node& node = model.nodes()[id.slot];
  const HierarchyModel::Now now = model.evaluate(id);
  CopySource source{id, now.local, {node.stretch, node.context, node.inherit}};
  if (node.inherit != Inherit::kNormal) {
    source.options.stretch = now.world.stretch;
    source.options.context = now.world.context;
  }
  if (node.parent != HierarchyModel::kNone && keeps(node.inherit, Inherit::kUserWorld)) {
    const LocalTransform there = inverse_mul(model.evaluate(model.nodes()[node.parent].id).world, now.world);
    source.local = is_finite(there) && there.scale > 0 ? there : source.local;
  }
  return source;
}

/// A node with all below it is copied, if that is not too much.
template <class Draw>
std::string copy_some(Hierarchy& hierarchy, HierarchyModel& model, Draw& draw, Id parent,
                      std::uint32_t most) {
  const auto id = model.living_from(draw.below(1U << 20));
  if (!id) {
    return {};
  }
  std::vector<Id> order{*id};
  if (!hierarchy.for_each_below(*id, [&](Id below) { order.push_back(below); })) {
    return "for_each_below";
  }
  std::size_t below = 0;
  for (const HierarchyModel::Node& node : model.nodes()) {
    below += node.alive && model.is_above(*id, node.id);
  }
  if (below != order.size()) {
    return "for_each_below visits " + std::to_string(order.size() - 1) + ", not " + std::to_string(below - 1);
  }
  if (below > most / 4 + 1) {
    return {};
  }
  std::vector<CopySource> sources;
  for (const Id one : order) {
    sources.push_back(copy_source(model, one));
  }
  std::vector<std::uint32_t> parents(model.nodes().size(), 0);  // slots of copies, by those of sources
  for (std::size_t i = 1; i < order.size(); ++i) {
    parents[order[i].slot] = model.nodes()[order[i].slot].parent;
  }
  std::vector<Id> copies;
  std::string problem;
  const auto top = hierarchy.copy(*id, parent, [&](Id source, Id copy) {
    if (copies.size() >= order.size() || source != order[copies.size()] || model.alive(copy)) {
      problem = "copy visits another node than for_each_below";
    }
    copies.push_back(copy);
  });
  if (!top || !problem.empty() || copies.size() != order.size() || *top != copies[0]) {
    return !top ? "copy: " + top.error().message : "copy " + problem;
  }
  for (std::size_t i = 0; i < copies.size(); ++i) {
    Id above = parent;
    for (std::size_t j = 0; i > 0 && j < i; ++j) {
      above = order[j].slot == parents[order[i].slot] ? copies[j] : above;
    }
    model.insert(copies[i], sources[i].local, above, sources[i].options);
    model.write_local(copies[i], sources[i].local);
    model.set_tags(copies[i], model.nodes()[order[i].slot].tags);
  }
  return {};
}

/// Memory goes back, or what was destroyed is forgotten: nothing else changes.
template <class Draw>
std::string give_back(Hierarchy& hierarchy, HierarchyModel& model, Draw& draw) {
  if (draw.below(2) == 0) {
    const std::uint64_t version = draw.below(static_cast<std::uint32_t>(model.version()) + 2);
    if (hierarchy.forget_destroyed(version)) {
      model.forget_destroyed(version);
    }
    return {};
  }
  const std::size_t before = hierarchy.stats().memory_bytes, slots = hierarchy.slot_count();
  std::vector<Id> order, after;
  hierarchy.for_each([&](Id id) { order.push_back(id); });
  const std::size_t given = hierarchy.shrink();
  hierarchy.for_each([&](Id id) { after.push_back(id); });
  if (order != after || hierarchy.slot_count() > slots || hierarchy.stats().memory_bytes + given != before) {
    return "shrink";
  }
  return {};
}

}  // namespace juxta::test
