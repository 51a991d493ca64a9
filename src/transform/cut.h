// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: large trees into pieces that tiles can hold.
#pragma once

#include <cstdint>
#include <span>

#include "juxta/transform/hierarchy.h"
#include "transform/layout.h"

namespace juxta::transform_detail {

/// Lists all trees breadth first; the sources are places in `nodes`. Trees that are too large are cut. A
/// piece takes whole subtrees from its root down, while they fit. Of a subtree that does not fit it takes the
/// root alone, if it may still take many nodes or that is an only child: so chains stay together. What is
/// left out becomes a piece of its own, linked to its parent. Pieces of one parent follow each other and
/// share a link.
///
/// `rows_left`: in the tile that is being filled. `side_by_side`: eight large narrow trees of
/// one shape that follow each other are cut alike, and their pieces listed by turns:
///
///   three of eight ropes    a0 a1 a2 ..  b0 b1 b2 ..  c0 c1 c2 ..
///   listed                  a0 b0 c0  a1 b1 c1  a2 b2 c2  ..            of one shape: for tiles of lanes
///
/// They are, if the pieces nearly fill such tiles: 100 nodes on average, of 128.
[[nodiscard]] Forest cut_trees(std::span<const NodeDescription> nodes, std::uint32_t rows_left,
                               bool side_by_side);

}  // namespace juxta::transform_detail
