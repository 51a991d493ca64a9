// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Systems and readers by sixteens, matrices of what changed.
#include "c/transform.h"
#include "juxta/core/try.h"
#include "juxta/transform/lanes.h"

using namespace juxta::c_detail;
using juxta::Hierarchy;
using juxta::Matrix34;
using juxta::NodeFields;
using juxta::Result;

namespace {

Result<NodeFields> fields_of(juxta_node_fields fields, juxta_system system) {
  if (fields != JUXTA_NODE_ROTATION && fields != JUXTA_NODE_PLACE && fields != JUXTA_NODE_ALL) {
    return juxta::fail(juxta::ErrorCode::kInvalidArgument, "the fields of a system: 1, 2 or 3");
  }
  if (system == nullptr) {
    return juxta::fail(juxta::ErrorCode::kInvalidArgument, "the system is NULL");
  }
  return static_cast<NodeFields>(fields);
}

/// A system of C.
struct System {
  juxta_system call;
  void* user;
  juxta::NodeMask operator()(juxta::LocalLanes& nodes) const {
    juxta::TransformLanes& local = nodes.local;
    const juxta_local_lanes lanes = {
        nodes.mask(), nodes.slots().data(), local.qx, local.qy, local.qz, local.qw, local.x, local.y,
        local.z,      local.scale};
    return call(user, &lanes);
  }
};

Result<std::span<Matrix34>> matrices_of(float* out, std::size_t count) {
  static_assert(sizeof(Matrix34) == 12 * sizeof(float) && alignof(Matrix34) == alignof(float));
  if (out == nullptr && count != 0) {
    return juxta::fail(juxta::ErrorCode::kInvalidArgument, "the array for the matrices is NULL");
  }
  return std::span(reinterpret_cast<Matrix34*>(out), count);
}

}  // namespace

size_t juxta_hierarchy_slot_count(const juxta_hierarchy* hierarchy) {
  return hierarchy->of.slot_count();
}

juxta_status juxta_hierarchy_for_each_tile(juxta_hierarchy* hierarchy, juxta_node_fields fields,
                                           juxta_system system, void* user, const juxta_context* context,
                                           juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(context);
    JUXTA_TRY(call.check());
    JUXTA_TRY_LET(const NodeFields touched, fields_of(fields, system));
    return hierarchy->of.for_each_tile(touched, System{system, user}, *call);
  });
}

juxta_status juxta_hierarchy_frame(juxta_hierarchy* hierarchy, juxta_node_fields fields, juxta_system system,
                                   void* user, float* matrices, size_t count, const juxta_context* context,
                                   juxta_propagate_result* result, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(context);
    JUXTA_TRY(call.check());
    JUXTA_TRY_LET(const NodeFields touched, fields_of(fields, system));
    JUXTA_TRY_LET(const auto out, matrices_of(matrices, count));
    if (count < hierarchy->of.slot_count()) {
      return juxta::fail(juxta::ErrorCode::kInvalidArgument,
                         "fewer matrices than juxta_hierarchy_slot_count()");
    }
    JUXTA_TRY_LET(const juxta::PropagateResult done,
                  hierarchy->of.frame(
                      touched, System{system, user},
                      [&](const juxta::WorldLanes& nodes) { juxta::write_matrices(nodes, out); }, *call));
    if (result != nullptr) {
      *result = {done.version, done.computed, done.moved_nodes, done.overflowed, c_id(done.first_overflowed)};
    }
    return {};
  });
}

juxta_status juxta_hierarchy_changed_spans(const juxta_hierarchy* hierarchy, uint64_t version,
                                           juxta_world_reader reader, void* user,
                                           const juxta_context* context, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(context);
    JUXTA_TRY(call.check());
    if (reader == nullptr) {
      return juxta::fail(juxta::ErrorCode::kInvalidArgument, "the reader is NULL");
    }
    const auto read = [&](const juxta::WorldLanes& nodes) {
      const juxta::TransformLanes& world = nodes.world;
      const juxta_world_lanes lanes = {nodes.mask(),    nodes.slots().data(),
                                       world.qx,        world.qy,
                                       world.qz,        world.qw,
                                       world.x,         world.y,
                                       world.z,         world.scale,
                                       nodes.stretch_x, nodes.stretch_y,
                                       nodes.stretch_z, nodes.context};
      reader(user, &lanes);
    };
    return hierarchy->of.changed_spans(version, read, *call);
  });
}

juxta_status juxta_hierarchy_changed_matrices(const juxta_hierarchy* hierarchy, uint64_t version, float* out,
                                              size_t count, size_t* written, const juxta_context* context,
                                              juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(context);
    JUXTA_TRY(call.check());
    JUXTA_TRY_LET(const auto matrices, matrices_of(out, count));
    JUXTA_TRY_LET(const std::size_t some, hierarchy->of.changed_matrices(version, matrices, *call));
    if (written != nullptr) {
      *written = some;
    }
    return {};
  });
}
