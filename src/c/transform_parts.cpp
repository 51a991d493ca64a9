// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Parts of local transforms, subtrees, tags, destroyed nodes, memory given back.
#include <utility>

#include "c/transform.h"
#include "juxta/core/try.h"

using namespace juxta::c_detail;
using juxta::Hierarchy;
using juxta::Id;
using juxta::Result;

namespace {

/// A call of C++ for many nodes, each with a value that C gives as floats.
template <class Value>
juxta_status write_parts(juxta_hierarchy* hierarchy, const juxta_id* ids, size_t id_stride,
                         const float* values, size_t stride, size_t count, juxta_error* error,
                         Result<void> (Hierarchy::*write)(std::span<const Id>, std::span<const Value>)) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(nullptr);
    JUXTA_TRY_LET(const auto which, ids_of(ids, id_stride, count, call));
    JUXTA_TRY_LET(const auto to, packed<Value>(values, stride, count, call.workspace()));
    return (hierarchy->of.*write)(which, to);
  });
}

}  // namespace

juxta_hierarchy_options juxta_default_hierarchy_options(void) {
  return {static_cast<std::uint32_t>(Cookie::kHierarchyOptions), false, false, true};
}
juxta_status juxta_hierarchy_build_with(const juxta_hierarchy_options* options, juxta_hierarchy** out,
                                        juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY(check_cookie(options, Cookie::kHierarchyOptions, "juxta_hierarchy_options"));
    juxta::HierarchyOptions given;
    if (options != nullptr) {
      given = {.history = options->history,
               .destroyed = options->destroyed,
               .side_by_side = options->side_by_side};
    }
    *out = new juxta_hierarchy{Hierarchy(given)};
    return {};
  });
}

juxta_status juxta_hierarchy_copy(juxta_hierarchy* hierarchy, juxta_id id, juxta_id parent,
                                  juxta_copy_visitor visitor, void* user, juxta_id* out, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const auto visit = [&](Id source, Id copy) { visitor(user, c_id(source), c_id(copy)); };
    juxta::FunctionRef<void(Id, Id)> told;
    if (visitor != nullptr) {
      told = visit;
    }
    JUXTA_TRY_LET(const Id copy, hierarchy->of.copy(cpp_id(id), cpp_id(parent), told));
    *out = c_id(copy);
    return {};
  });
}
juxta_status juxta_hierarchy_root_of(const juxta_hierarchy* hierarchy, juxta_id id, juxta_id* out,
                                     juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY_LET(const Id root, hierarchy->of.root_of(cpp_id(id)));
    *out = c_id(root);
    return {};
  });
}
juxta_status juxta_hierarchy_for_each_below(const juxta_hierarchy* hierarchy, juxta_id id,
                                            juxta_node_visitor visitor, void* user, juxta_error* error) {
  return guarded(error, [&] {
    return hierarchy->of.for_each_below(cpp_id(id), [&](Id below) { visitor(user, c_id(below)); });
  });
}

juxta_status juxta_hierarchy_set_rotation(juxta_hierarchy* hierarchy, const juxta_id* ids, size_t id_stride,
                                          const float* rotations, size_t stride, size_t count,
                                          juxta_error* error) {
  return write_parts<juxta::Quat>(hierarchy, ids, id_stride, rotations, stride, count, error,
                                  &Hierarchy::set_rotation);
}
juxta_status juxta_hierarchy_set_scale(juxta_hierarchy* hierarchy, const juxta_id* ids, size_t id_stride,
                                       const float* scales, size_t stride, size_t count, juxta_error* error) {
  return write_parts<float>(hierarchy, ids, id_stride, scales, stride, count, error, &Hierarchy::set_scale);
}
juxta_status juxta_hierarchy_translate_by(juxta_hierarchy* hierarchy, const juxta_id* ids, size_t id_stride,
                                          const float* by, size_t stride, size_t count, juxta_error* error) {
  return write_parts<juxta::Vec3>(hierarchy, ids, id_stride, by, stride, count, error,
                                  &Hierarchy::translate_by);
}
juxta_status juxta_hierarchy_rotate_by(juxta_hierarchy* hierarchy, const juxta_id* ids, size_t id_stride,
                                       const float* by, size_t stride, size_t count, juxta_error* error) {
  return write_parts<juxta::Quat>(hierarchy, ids, id_stride, by, stride, count, error, &Hierarchy::rotate_by);
}

juxta_status juxta_hierarchy_destroyed_since(const juxta_hierarchy* hierarchy, uint64_t version,
                                             juxta_node_visitor visitor, void* user, juxta_error* error) {
  return guarded(
      error, [&] { return hierarchy->of.destroyed_since(version, [&](Id id) { visitor(user, c_id(id)); }); });
}
juxta_status juxta_hierarchy_forget_destroyed(juxta_hierarchy* hierarchy, uint64_t version,
                                              juxta_error* error) {
  return guarded(error, [&] { return hierarchy->of.forget_destroyed(version); });
}
juxta_status juxta_hierarchy_shrink(juxta_hierarchy* hierarchy, size_t* out, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const std::size_t bytes = hierarchy->of.shrink();
    if (out != nullptr) {
      *out = bytes;
    }
    return {};
  });
}

juxta_status juxta_hierarchy_set_tags(juxta_hierarchy* hierarchy, juxta_id id, uint8_t tags,
                                      juxta_error* error) {
  return guarded(error, [&] { return hierarchy->of.set_tags(cpp_id(id), tags); });
}
juxta_status juxta_hierarchy_tags(const juxta_hierarchy* hierarchy, juxta_id id, uint8_t* out,
                                  juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY_LET(*out, hierarchy->of.tags(cpp_id(id)));
    return {};
  });
}
juxta_status juxta_hierarchy_inherited_tags(const juxta_hierarchy* hierarchy, juxta_id id, uint8_t* out,
                                            juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY_LET(*out, hierarchy->of.inherited_tags(cpp_id(id)));
    return {};
  });
}
juxta_status juxta_hierarchy_all_inherited_tags(const juxta_hierarchy* hierarchy, uint8_t* out, size_t count,
                                                juxta_error* error) {
  return guarded(error, [&] { return hierarchy->of.inherited_tags(std::span(out, count)); });
}
