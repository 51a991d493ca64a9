// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: large trees into pieces that tiles can hold.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "juxta/transform/hierarchy.h"
#include "transform/layout.h"

namespace juxta::transform_detail {

/// Lists all trees breadth first, the sources are places in `nodes`. Those that are too large are cut: a
/// piece takes, from its root down, whole subtrees while they fit; of one that does not fit its root alone,
/// if there is still much room below it or it is an only child (so that chains stay together). What is left
/// out becomes a piece of its own, linked; those of one parent follow each other, and share a link.
///
/// `room`: rows that are left in the tile that is being filled. `side_by_side`: eight large trees of one
/// shape that follow each other are cut alike, and their pieces listed by turns:
///
///   three of eight ropes    a0 a1 a2 ..  b0 b1 b2 ..  c0 c1 c2 ..
///   listed                  a0 b0 c0  a1 b1 c1  a2 b2 c2  ..            of one shape: for tiles of lanes
[[nodiscard]] Forest cut_trees(std::span<const NodeDescription> nodes, std::uint32_t room, bool side_by_side);

/// Eight times a tree that is too large to stand side by side as a whole, in such pieces: the source of node
/// j of the i-th is i * tree.size() + j. None: its pieces would not fill tiles of lanes.
[[nodiscard]] std::optional<Forest> cut_eight(std::span<const NodeDescription> tree);

}  // namespace juxta::transform_detail
