// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/transform/prefab.h"

#include "transform/new_nodes.h"

namespace juxta {

Result<Prefab> Prefab::make(std::span<const NodeDescription> nodes, std::pmr::memory_resource* resource) {
  if (nodes.empty()) {
    return fail(ErrorCode::kInvalidArgument, "prefab: it has no nodes; give at least a root");
  }
  if (nodes.size() > kMaxNodes) {
    return fail(ErrorCode::kInvalidArgument,
                "prefab: more than 1000 nodes; make such trees with Hierarchy::create()", kMaxNodes);
  }
  Prefab prefab(resource);
  prefab.nodes_.assign(nodes.begin(), nodes.end());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Result<LocalTransform> local = transform_detail::checked(nodes[i], "prefab", i);
    if (!local) {
      return tl::unexpected(local.error());
    }
    if ((nodes[i].parent == NodeDescription::kRoot) != (i == 0)) {
      return fail(ErrorCode::kInvalidArgument,
                  "prefab: node " + std::to_string(i) + ": the first node, and no other, is the root", i);
    }
    prefab.nodes_[i].local = *local;
  }
  // Level by level; in each, children in the order of their parents.
  prefab.order_.push_back(0);
  prefab.levels_ = {0, 1};
  for (std::size_t r = 0; r < prefab.order_.size(); ++r) {
    if (r == prefab.levels_.back()) {
      prefab.levels_.push_back(static_cast<std::uint32_t>(prefab.order_.size()));
    }
    prefab.first_child_.push_back(static_cast<std::uint32_t>(prefab.order_.size()));
    for (std::uint32_t i = prefab.order_[r] + 1; i < nodes.size(); ++i) {
      if (nodes[i].parent == prefab.order_[r]) {
        prefab.order_.push_back(i);
      }
    }
  }
  prefab.first_child_.push_back(static_cast<std::uint32_t>(nodes.size()));
  return prefab;
}

}  // namespace juxta
