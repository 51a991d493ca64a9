// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what new nodes are made of.
#pragma once

#include <span>
#include <string_view>

#include "juxta/transform/prefab.h"
#include "transform/store.h"

namespace juxta::transform_detail {

/// Moves that tidying may make for a node that was linked, and for one that was destroyed.
inline constexpr std::size_t kDebtOfLink = 12;
inline constexpr std::size_t kDebtOfHole = 3;

/// Refuses a description that Hierarchy refuses; its local transform as the store keeps it. `what` names the
/// list.
[[nodiscard]] Result<LocalTransform> checked(const NodeDescription& node, std::string_view what,
                                             std::uint64_t index);

/// Puts a new node into a row that began: a name, a place, marks that it was written. Not: parent, children.
Id put_node(HierarchyStore& store, Tile& tile, Row row, const LocalTransform& local,
            const NodeOptions& options);
/// The same where another node was before, but for marks and the row's version. Lines that hold what they
/// should are not touched: memory is what this costs.
Id put_node_again(HierarchyStore& store, Tile& tile, Row row, const LocalTransform& local,
                  const NodeOptions& options);
/// Marks of such rows of a word: they live, were written and never changed.
void renew_marks(Tile& tile, std::uint32_t word, std::uint64_t rows) noexcept;

/// Puts whole trees, laid out in their final order, under `parent` (kNoRow: under none). Nothing is checked.
/// `as_kept`: their local transforms are as the store keeps them. ids[i] names nodes[i].
void place_trees(HierarchyStore& store, std::span<const NodeDescription> nodes, std::span<Id> ids, Row parent,
                 bool as_kept);

}  // namespace juxta::transform_detail
