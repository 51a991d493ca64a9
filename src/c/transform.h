// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the C handles of hierarchies and prefabs, and structs of C that are those of C++.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "c/call.h"
#include "juxta/c/transform.h"
#include "juxta/transform/hierarchy.h"
#include "juxta/transform/prefab.h"

struct juxta_hierarchy {
  juxta::Hierarchy of;
};
struct juxta_prefab {
  juxta::Prefab of;
};

namespace juxta::c_detail {

static_assert(sizeof(juxta_local_transform) == sizeof(LocalTransform) && sizeof(juxta_qvvs) == sizeof(Qvvs));
static_assert(offsetof(juxta_local_transform, scale) == offsetof(LocalTransform, scale));
static_assert(offsetof(juxta_qvvs, context) == offsetof(Qvvs, context) &&
              offsetof(juxta_qvvs, scale) == offsetof(Qvvs, scale));
static_assert(sizeof(juxta_node) == sizeof(NodeDescription) &&
              offsetof(juxta_node, inherit) == offsetof(NodeDescription, inherit));
static_assert(JUXTA_ROOT == NodeDescription::kRoot);
static_assert(JUXTA_INHERIT_USER_WORLD == static_cast<int>(Inherit::kUserWorld) &&
              JUXTA_INHERIT_WORLD_SCALE == static_cast<int>(Inherit::kWorldScale));

[[nodiscard]] inline Result<std::span<const Id>> ids_of(const juxta_id* ids, std::size_t stride,
                                                        std::size_t count, const CallContext& call) {
  return packed<Id>(ids, stride, count, call.workspace());
}

/// Errors: kInvalidArgument (bits that mean nothing), with the index.
[[nodiscard]] inline Result<void> check_inherit(std::uint16_t bits, std::uint64_t index = Error::kNowhere) {
  constexpr unsigned kAll = 2 * JUXTA_INHERIT_USER_WORLD - 1;
  return (bits & ~kAll) == 0 ? Result<void>()
                             : fail(ErrorCode::kInvalidArgument, "inherit has bits that mean nothing", index);
}

/// Nodes as C gives them.
[[nodiscard]] inline Result<std::span<const NodeDescription>> nodes_of(const juxta_node* nodes,
                                                                       std::size_t stride, std::size_t count,
                                                                       const CallContext& call) {
  Result<std::span<const NodeDescription>> given =
      packed<NodeDescription>(nodes, stride, count, call.workspace());
  for (std::size_t i = 0; given && i < given->size(); ++i) {
    if (Result<void> fine = check_inherit(static_cast<std::uint16_t>((*given)[i].inherit), i); !fine) {
      return tl::unexpected(std::move(fine).error());
    }
  }
  return given;
}

}  // namespace juxta::c_detail
