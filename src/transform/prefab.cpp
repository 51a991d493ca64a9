// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/transform/prefab.h"

#include <algorithm>
#include <string>
#include <vector>

#include "juxta/core/try.h"
#include "transform/new_nodes.h"
#include "transform/tags.h"

namespace juxta {

Result<Prefab> Prefab::build(std::span<const NodeDescription> nodes, std::pmr::memory_resource* resource) {
  if (nodes.empty()) {
    return fail(ErrorCode::kInvalidArgument, "prefab: it has no nodes; give at least a root");
  }
  if (nodes.size() > kMaxNodes) {
    return fail(ErrorCode::kInvalidArgument,
                "prefab: more than 1000 nodes; build such trees with Hierarchy::insert()", kMaxNodes);
  }
  Prefab prefab(resource);
  prefab.nodes_.resize_discard(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    JUXTA_TRY_LET(const LocalTransform local, transform_detail::checked(nodes[i], "prefab", i));
    if ((nodes[i].parent == NodeDescription::kRoot) != (i == 0)) {
      return fail(ErrorCode::kInvalidArgument,
                  "prefab: node " + std::to_string(i) + ": the first node, and no other, is the root", i);
    }
    prefab.nodes_[i] = nodes[i];
    prefab.nodes_[i].local = local;
    prefab.nodes_[i].inherit = transform_detail::without_tags(nodes[i].inherit);
  }
  // Level by level; in each, children in the order of their parents.
  std::vector<std::uint32_t> order{0}, levels{0, 1}, first_child;
  for (std::size_t r = 0; r < order.size(); ++r) {
    if (r == levels.back()) {
      levels.push_back(static_cast<std::uint32_t>(order.size()));
    }
    first_child.push_back(static_cast<std::uint32_t>(order.size()));
    for (std::uint32_t i = order[r] + 1; i < nodes.size(); ++i) {
      if (nodes[i].parent == order[r]) {
        order.push_back(i);
      }
    }
  }
  first_child.push_back(static_cast<std::uint32_t>(nodes.size()));
  const auto keep = [](const std::vector<std::uint32_t>& from, Array<std::uint32_t>& to) {
    to.resize_discard(from.size());
    std::copy(from.begin(), from.end(), to.begin());
  };
  keep(order, prefab.order_);
  keep(levels, prefab.levels_);
  keep(first_child, prefab.first_child_);
  return prefab;
}

}  // namespace juxta
