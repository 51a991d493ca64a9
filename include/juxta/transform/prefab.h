// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/core/array.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/memory.h"
#include "juxta/math/qvvs.h"
#include "juxta/transform/inherit.h"

namespace juxta {
namespace transform_detail {
struct Access;
}  // namespace transform_detail

/// One node of a tree that is described as a list.
struct NodeDescription {
  static constexpr std::uint32_t kRoot = ~std::uint32_t{0};

  LocalTransform local{};
  std::uint32_t parent = kRoot;  ///< Place of the parent in the list; kRoot: none.
  Vec3 stretch{1, 1, 1};         ///< Any finite numbers.
  std::int32_t context = 0;
  Inherit inherit = Inherit::kNormal;
};

/// A tree to be instantiated many times: Hierarchy::instantiate(). Immutable.
/// Memory: 72 bytes a node. Threads: const members from any number of threads.
class JUXTA_API Prefab {
 public:
  /// A tree of these nodes: nodes[0] is the root, every other node's parent stands before it.
  /// Errors: kInvalidArgument (empty; a second root; a parent that does not stand before its child; scale not
  /// above 0; zero rotation; more than kMaxNodes), kNotFinite; with the index of the node.
  [[nodiscard]] static Result<Prefab> build(std::span<const NodeDescription> nodes,
                                            std::pmr::memory_resource* resource = huge_page_resource());

  /// Larger trees are made with Hierarchy::insert(): instances are copied tile by tile.
  static constexpr std::size_t kMaxNodes = 1000;

  /// Nodes, the root included.
  [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }
  /// The nodes as they were given, rotations normalised.
  [[nodiscard]] std::span<const NodeDescription> nodes() const noexcept { return nodes_.span(); }

 private:
  friend struct transform_detail::Access;
  explicit Prefab(std::pmr::memory_resource* resource)
      : nodes_(resource), order_(resource), levels_(resource), first_child_(resource) {}

  Array<NodeDescription> nodes_;
  Array<std::uint32_t> order_;   // order_[r]: the r-th node breadth first
  Array<std::uint32_t> levels_;  // where each level begins in order_, and its end
  Array<std::uint32_t>
      first_child_;  // the children of order_[r]: order_[first_child_[r]] to order_[first_child_[r + 1]]
};

}  // namespace juxta
