// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/memory.h"
#include "juxta/math/qvvs.h"
#include "juxta/transform/inherit.h"

namespace juxta {

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
  [[nodiscard]] static Result<Prefab> make(std::span<const NodeDescription> nodes,
                                           std::pmr::memory_resource* resource = huge_page_resource());

  /// Larger trees are made with Hierarchy::create(): instances are copied tile by tile.
  static constexpr std::size_t kMaxNodes = 1000;

  /// Nodes, the root included.
  [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }
  /// The nodes as they were given, rotations normalised.
  [[nodiscard]] std::span<const NodeDescription> nodes() const noexcept { return nodes_; }
  /// Internal: order()[r] is the r-th node breadth first.
  [[nodiscard]] std::span<const std::uint32_t> order() const noexcept { return order_; }
  /// Internal: where each level begins in order(), and its end.
  [[nodiscard]] std::span<const std::uint32_t> levels() const noexcept { return levels_; }
  /// Internal: the children of order()[r] are order()[first_child()[r]] up to order()[first_child()[r + 1]].
  [[nodiscard]] std::span<const std::uint32_t> first_child() const noexcept { return first_child_; }

 private:
  explicit Prefab(std::pmr::memory_resource* resource)
      : nodes_(resource), order_(resource), levels_(resource), first_child_(resource) {}

  std::pmr::vector<NodeDescription> nodes_;
  std::pmr::vector<std::uint32_t> order_;
  std::pmr::vector<std::uint32_t> levels_;
  std::pmr::vector<std::uint32_t> first_child_;
};

}  // namespace juxta
