// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Nodes come and go, and get other parents; files.
#include "c/transform.h"

#include <utility>

#include "juxta/core/try.h"

using namespace juxta::c_detail;
using juxta::Result;

juxta_node juxta_default_node(void) {
  return {{{0, 0, 0, 1}, {0, 0, 0}, 1}, JUXTA_ROOT, {1, 1, 1}, 0, JUXTA_INHERIT_NORMAL};
}
juxta_id juxta_no_id(void) {
  return c_id(juxta::Id{});
}

juxta_status juxta_hierarchy_build(bool history, juxta_hierarchy** out, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    *out = new juxta_hierarchy{juxta::Hierarchy(juxta::HierarchyOptions{.history = history})};
    return {};
  });
}
void juxta_hierarchy_free(juxta_hierarchy* hierarchy) {
  delete hierarchy;
}

juxta_status juxta_prefab_build(const juxta_node* nodes, size_t stride, size_t count, juxta_prefab** out,
                                juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(nullptr);
    JUXTA_TRY_LET(const auto given, nodes_of(nodes, stride, count, call));
    JUXTA_TRY_LET(juxta::Prefab made, juxta::Prefab::build(given));
    *out = new juxta_prefab{std::move(made)};
    return {};
  });
}
void juxta_prefab_free(juxta_prefab* prefab) {
  delete prefab;
}
size_t juxta_prefab_size(const juxta_prefab* prefab) {
  return prefab->of.size();
}

juxta_status juxta_hierarchy_insert(juxta_hierarchy* hierarchy, const juxta_node* node, juxta_id parent,
                                    juxta_id* out, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY(check_inherit(node->inherit));
    const auto given = read_one<juxta::NodeDescription>(node);
    JUXTA_TRY_LET(const juxta::Id id, hierarchy->of.insert(given.local, cpp_id(parent),
                                                           {given.stretch, given.context, given.inherit}));
    *out = c_id(id);
    return {};
  });
}
juxta_status juxta_hierarchy_insert_many(juxta_hierarchy* hierarchy, const juxta_node* nodes, size_t stride,
                                         size_t count, juxta_id* ids, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(nullptr);
    JUXTA_TRY_LET(const auto given, nodes_of(nodes, stride, count, call));
    JUXTA_TRY_LET(const auto named, answers<juxta::Id>(ids, count));
    return hierarchy->of.insert(given, named);
  });
}
juxta_status juxta_hierarchy_instantiate(juxta_hierarchy* hierarchy, const juxta_prefab* prefab,
                                         const juxta_local_transform* roots, size_t stride, size_t count,
                                         const juxta_id* parents, juxta_id* ids, size_t id_count,
                                         juxta_error* error) {
  return juxta_hierarchy_instantiate_with(hierarchy, prefab, roots, stride, count, parents, nullptr, 0, ids,
                                          id_count, error);
}
juxta_status juxta_hierarchy_instantiate_with(juxta_hierarchy* hierarchy, const juxta_prefab* prefab,
                                              const juxta_local_transform* roots, size_t stride, size_t count,
                                              const juxta_id* parents, const int32_t* contexts,
                                              size_t context_count, juxta_id* ids, size_t id_count,
                                              juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(nullptr);
    JUXTA_TRY_LET(const auto places, packed<juxta::LocalTransform>(roots, stride, count, call.workspace()));
    JUXTA_TRY_LET(const auto named, answers<juxta::Id>(ids, id_count));
    JUXTA_TRY_LET(const auto above, ids_of(parents, 0, parents == nullptr ? 0 : count, call));
    JUXTA_TRY_LET(const auto numbers, packed<std::int32_t>(contexts, 0, context_count, call.workspace()));
    return hierarchy->of.instantiate(prefab->of, places, named, above, numbers);
  });
}
juxta_status juxta_hierarchy_remove(juxta_hierarchy* hierarchy, const juxta_id* ids, size_t stride,
                                    size_t count, bool keep_children, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(nullptr);
    JUXTA_TRY_LET(const auto which, ids_of(ids, stride, count, call));
    return hierarchy->of.remove(which,
                                keep_children ? juxta::Children::kToAncestor : juxta::Children::kDestroy);
  });
}

juxta_status juxta_hierarchy_reparent(juxta_hierarchy* hierarchy, juxta_id id, juxta_id parent,
                                      bool keep_local, juxta_error* error) {
  return guarded(error, [&] {
    return hierarchy->of.reparent(cpp_id(id), cpp_id(parent),
                                  keep_local ? juxta::Keep::kLocal : juxta::Keep::kWorld);
  });
}
juxta_status juxta_hierarchy_parent(const juxta_hierarchy* hierarchy, juxta_id id, juxta_id* out,
                                    juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY_LET(const juxta::Id parent, hierarchy->of.parent(cpp_id(id)));
    *out = c_id(parent);
    return {};
  });
}
juxta_status juxta_hierarchy_for_each_child(const juxta_hierarchy* hierarchy, juxta_id id,
                                            juxta_node_visitor visitor, void* user, juxta_error* error) {
  return guarded(error, [&] {
    return hierarchy->of.for_each_child(cpp_id(id), [&](juxta::Id child) { visitor(user, c_id(child)); });
  });
}
void juxta_hierarchy_for_each(const juxta_hierarchy* hierarchy, juxta_node_visitor visitor, void* user) {
  hierarchy->of.for_each([&](juxta::Id id) { visitor(user, c_id(id)); });
}
bool juxta_hierarchy_alive(const juxta_hierarchy* hierarchy, juxta_id id) {
  return hierarchy->of.alive(cpp_id(id));
}
size_t juxta_hierarchy_size(const juxta_hierarchy* hierarchy) {
  return hierarchy->of.size();
}

juxta_status juxta_hierarchy_save(const juxta_hierarchy* hierarchy, const char* path, juxta_error* error) {
  return guarded(error, [&] { return hierarchy->of.save(path); });
}
juxta_status juxta_hierarchy_load(const char* path, juxta_hierarchy** out, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY_LET(juxta::Hierarchy loaded, juxta::Hierarchy::load(path));
    *out = new juxta_hierarchy{std::move(loaded)};
    return {};
  });
}
