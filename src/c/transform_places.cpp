// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Where nodes are: set, read, propagated, changed, and their boxes in the world.
#include "c/transform.h"
#include "juxta/core/try.h"
#include "juxta/transform/world_boxes.h"

using namespace juxta::c_detail;
using juxta::Result;

juxta_status juxta_hierarchy_set_local(juxta_hierarchy* hierarchy, const juxta_id* ids, size_t id_stride,
                                       const juxta_local_transform* locals, size_t stride, size_t count,
                                       const juxta_context* context, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(context);
    JUXTA_TRY(call.check());
    JUXTA_TRY_LET(const auto which, ids_of(ids, id_stride, count, call));
    JUXTA_TRY_LET(const auto to, packed<juxta::LocalTransform>(locals, stride, count, call.workspace()));
    return hierarchy->of.set_local(which, to, *call);
  });
}
juxta_status juxta_hierarchy_set_position(juxta_hierarchy* hierarchy, const juxta_id* ids, size_t id_stride,
                                          const float* positions, size_t stride, size_t count,
                                          juxta_error* error) {
  return juxta_hierarchy_set_positions(hierarchy, ids, id_stride, positions, stride, count, nullptr, error);
}
juxta_status juxta_hierarchy_set_positions(juxta_hierarchy* hierarchy, const juxta_id* ids, size_t id_stride,
                                           const float* positions, size_t stride, size_t count,
                                           const juxta_context* context, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(context);
    JUXTA_TRY(call.check());
    JUXTA_TRY_LET(const auto which, ids_of(ids, id_stride, count, call));
    JUXTA_TRY_LET(const auto to, packed<juxta::Vec3>(positions, stride, count, call.workspace()));
    return hierarchy->of.set_position(which, to, *call);
  });
}
juxta_status juxta_hierarchy_set_world(juxta_hierarchy* hierarchy, const juxta_id* ids, size_t id_stride,
                                       const juxta_qvvs* worlds, size_t stride, size_t count,
                                       juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(nullptr);
    JUXTA_TRY_LET(const auto which, ids_of(ids, id_stride, count, call));
    JUXTA_TRY_LET(const auto to, packed<juxta::Qvvs>(worlds, stride, count, call.workspace()));
    return hierarchy->of.set_world(which, to);
  });
}
juxta_status juxta_hierarchy_set_stretch(juxta_hierarchy* hierarchy, juxta_id id, const float* stretch,
                                         juxta_error* error) {
  return guarded(error, [&] {
    return hierarchy->of.set_stretch(cpp_id(id), {stretch[0], stretch[1], stretch[2]});
  });
}
juxta_status juxta_hierarchy_set_context(juxta_hierarchy* hierarchy, juxta_id id, int32_t number,
                                         juxta_error* error) {
  return guarded(error, [&] { return hierarchy->of.set_context(cpp_id(id), number); });
}
juxta_status juxta_hierarchy_set_inherit(juxta_hierarchy* hierarchy, juxta_id id, uint16_t inherit,
                                         juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY(check_inherit(inherit));
    return hierarchy->of.set_inherit(cpp_id(id), static_cast<juxta::Inherit>(inherit));
  });
}

juxta_status juxta_hierarchy_local(const juxta_hierarchy* hierarchy, const juxta_id* ids, size_t id_stride,
                                   size_t count, juxta_local_transform* out, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(nullptr);
    JUXTA_TRY_LET(const auto which, ids_of(ids, id_stride, count, call));
    JUXTA_TRY_LET(const auto to, answers<juxta::LocalTransform>(out, count));
    return hierarchy->of.local(which, to);
  });
}
juxta_status juxta_hierarchy_world(const juxta_hierarchy* hierarchy, const juxta_id* ids, size_t id_stride,
                                   size_t count, juxta_qvvs* out, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(nullptr);
    JUXTA_TRY_LET(const auto which, ids_of(ids, id_stride, count, call));
    JUXTA_TRY_LET(const auto to, answers<juxta::Qvvs>(out, count));
    return hierarchy->of.world(which, to);
  });
}

juxta_status juxta_hierarchy_propagate(juxta_hierarchy* hierarchy, const juxta_context* context,
                                       juxta_propagate_result* result, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(context);
    JUXTA_TRY(call.check());
    JUXTA_TRY_LET(const juxta::PropagateResult done, hierarchy->of.propagate(*call));
    if (result != nullptr) {
      *result = {done.version, done.computed, done.moved_nodes, done.overflowed, c_id(done.first_overflowed)};
    }
    return {};
  });
}
uint64_t juxta_hierarchy_version(const juxta_hierarchy* hierarchy) {
  return hierarchy->of.version();
}
void juxta_hierarchy_changed_since(const juxta_hierarchy* hierarchy, uint64_t version,
                                   juxta_qvvs_visitor visitor, void* user) {
  hierarchy->of.changed_since(version, [&](juxta::Id id, const juxta::Qvvs& world) {
    visitor(user, c_id(id), reinterpret_cast<const juxta_qvvs*>(&world));
  });
}

juxta_status juxta_hierarchy_begin_step(juxta_hierarchy* hierarchy, juxta_error* error) {
  return guarded(error, [&] { return hierarchy->of.begin_step(); });
}
juxta_status juxta_hierarchy_previous(const juxta_hierarchy* hierarchy, int steps, const juxta_id* ids,
                                      size_t id_stride, size_t count, juxta_qvvs* out, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(nullptr);
    JUXTA_TRY_LET(const auto which, ids_of(ids, id_stride, count, call));
    JUXTA_TRY_LET(const auto to, answers<juxta::Qvvs>(out, count));
    if (steps != 1 && steps != 2) {
      return juxta::fail(juxta::ErrorCode::kInvalidArgument, "history goes back 1 or 2 steps");
    }
    return steps == 1 ? hierarchy->of.previous(which, to) : hierarchy->of.two_ago(which, to);
  });
}

juxta_status juxta_world_boxes(const juxta_qvvs* worlds, size_t stride, const float* boxes, size_t box_stride,
                               size_t count, float* out, const juxta_context* context, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(context);
    JUXTA_TRY(call.check());
    JUXTA_TRY_LET(const auto places, packed<juxta::Qvvs>(worlds, stride, count, call.workspace()));
    JUXTA_TRY_LET(const auto local, packed<juxta::Aabb3>(boxes, box_stride, count, call.workspace()));
    if (out == nullptr && count != 0) {
      return juxta::fail(juxta::ErrorCode::kInvalidArgument, "the array for the boxes is NULL");
    }
    return juxta::world_boxes(places, local, {reinterpret_cast<juxta::Aabb3*>(out), count}, *call);
  });
}
