// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta/transform for JavaScript: hierarchies. Local transforms are 8 floats: rotation x y z w, position,
// scale.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "common.h"
#include "juxta/transform/hierarchy.h"
#include "juxta/transform/matrices.h"

using namespace juxta;
using namespace juxta::wasm;

static_assert(sizeof(LocalTransform) == 32 && sizeof(Qvvs) == 48 && sizeof(Matrix34) == 48);

JUXTA_JS(Hierarchy*, hierarchy_new)(bool side_by_side) {
  return new Hierarchy({.side_by_side = side_by_side});
}
JUXTA_JS(void, hierarchy_free)(Hierarchy* it) {
  delete it;
}
// parents[i]: the number of a node before i, or -1.
JUXTA_JS(bool, hierarchy_insert_tree)
(Hierarchy* it, const LocalTransform* locals, const std::int32_t* parents, std::size_t count, Id* ids) {
  std::vector<NodeDescription> nodes(count);
  for (std::size_t i = 0; i < count; ++i) {
    nodes[i].local = locals[i];
    nodes[i].parent = parents[i] < 0 ? NodeDescription{}.parent : static_cast<std::uint32_t>(parents[i]);
  }
  auto done = it->insert(nodes, {ids, count});
  return ok(done);
}
// The next few take what does not fit into numbers from the scratch memory.
JUXTA_JS(bool, hierarchy_insert)(Hierarchy* it, std::uint32_t slot, std::uint32_t generation) {
  auto id = it->insert(*scratch_as<LocalTransform>(), {slot, generation});
  if (!ok(id)) {
    return false;
  }
  *scratch_as<Id>() = *id;
  return true;
}
JUXTA_JS(bool, hierarchy_remove)(Hierarchy* it, const Id* ids, std::size_t count, bool keep_children) {
  auto done = it->remove({ids, count}, keep_children ? Children::kToAncestor : Children::kDestroy);
  return ok(done);
}
JUXTA_JS(bool, hierarchy_reparent)
(Hierarchy* it, const Id* ids, const Id* parents, std::size_t count, bool keep_local) {
  auto done = it->reparent({ids, count}, {parents, count}, keep_local ? Keep::kLocal : Keep::kWorld);
  return ok(done);
}
JUXTA_JS(bool, hierarchy_parent)(const Hierarchy* it, std::uint32_t slot, std::uint32_t generation) {
  auto parent = it->parent({slot, generation});
  if (!ok(parent)) {
    return false;
  }
  *scratch_as<Id>() = *parent;
  return true;
}
JUXTA_JS(bool, hierarchy_alive)(const Hierarchy* it, std::uint32_t slot, std::uint32_t generation) {
  return it->alive({slot, generation});
}
JUXTA_JS(bool, hierarchy_set_local)
(Hierarchy* it, const Id* ids, const LocalTransform* locals, std::size_t count) {
  auto done = it->set_local(std::span(ids, count), std::span(locals, count));
  return ok(done);
}
JUXTA_JS(bool, hierarchy_set_position)
(Hierarchy* it, const Id* ids, const Vec3* positions, std::size_t count) {
  auto done = it->set_position(std::span(ids, count), std::span(positions, count));
  return ok(done);
}
JUXTA_JS(bool, hierarchy_set_rotation)
(Hierarchy* it, const Id* ids, const Quat* rotations, std::size_t count) {
  auto done = it->set_rotation(std::span(ids, count), std::span(rotations, count));
  return ok(done);
}
JUXTA_JS(bool, hierarchy_local)(const Hierarchy* it, const Id* ids, LocalTransform* out, std::size_t count) {
  auto done = it->local(std::span(ids, count), std::span(out, count));
  return ok(done);
}
JUXTA_JS(bool, hierarchy_world)(const Hierarchy* it, const Id* ids, Qvvs* out, std::size_t count) {
  auto done = it->world(std::span(ids, count), std::span(out, count));
  return ok(done);
}
// How many were computed; -1: failed.
JUXTA_JS(double, hierarchy_propagate)(Hierarchy* it) {
  auto done = it->propagate();
  return ok(done) ? number(done->computed) : kFailed;
}
JUXTA_JS(double, hierarchy_version)(const Hierarchy* it) {
  return number(it->version());
}
JUXTA_JS(std::size_t, hierarchy_size)(const Hierarchy* it) {
  return it->size();
}
JUXTA_JS(std::size_t, hierarchy_slots)(const Hierarchy* it) {
  return it->slot_count();
}
// Row-major matrices of three rows at the place of each node's slot: how many were written; -1: failed.
JUXTA_JS(double, hierarchy_changed_matrices)
(const Hierarchy* it, double version, Matrix34* out, std::size_t count) {
  auto done = it->changed_matrices(static_cast<std::uint64_t>(version), {out, count});
  return ok(done) ? number(*done) : kFailed;
}
// The Ids of all nodes that changed; `out` gets the first `size`.
JUXTA_JS(std::size_t, hierarchy_changed)(const Hierarchy* it, double version, Id* out, std::size_t size) {
  std::size_t found = 0;
  it->changed_since(static_cast<std::uint64_t>(version), [&](Id id, const Qvvs&) {
    if (found < size) {
      out[found] = id;
    }
    ++found;
  });
  return found;
}
JUXTA_JS(bool, hierarchy_save)(const Hierarchy* it, const char* path, std::size_t path_size) {
  auto done = it->save({path, path_size});
  return ok(done);
}
JUXTA_JS(Hierarchy*, hierarchy_load)(const char* path, std::size_t path_size) {
  return to_heap(Hierarchy::load({path, path_size}));
}
