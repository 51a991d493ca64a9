// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: an order inside the cells that many agents share.
//
//   a cell of a table that is too    +-----------+   rows as high as the square (cube) that sixteen of the
//   coarse for a clump               | > . > . > |   cell's agents fill, there and back again: a world of
//                                    | < . < . < |   its own. Sixteen agents that follow each other are
//                                    | > . > . > |   near each other, as they are elsewhere.
//                                    +-----------+
//
// Where a part of such a cell is crowded in turn, the same is done with it. Nobody needs a directory of all
// that: boxes around each sixteen agents (row_boxes.h) say which of a cell are near.
#pragma once

#include <cstdint>
#include <span>

#include "agents/arrange.h"
#include "juxta/core/executor.h"
#include "juxta/core/workspace.h"

namespace juxta::agents_detail {

/// Cells of more agents than this get an order inside; two squares hold no more.
inline constexpr std::uint32_t kOrderedInside = 32;

/// Which parts of an order are cells that many share: `begins` says where each begins, and the end.
[[nodiscard]] std::span<const Run> find_crowded_cells(std::span<const std::uint32_t> begins,
                                                      Workspace& scratch);
/// The same from the ascending keys of all that is ordered.
[[nodiscard]] std::span<const Run> find_crowded_cells(std::span<const std::uint64_t> keys,
                                                      Workspace& scratch);

/// Orders those parts of an order of rows, stably. Cost: some 8 ns for each of their agents, as often as they
/// are in a crowd of a crowd.
void order_crowded_cells(std::span<const Run> cells, const Places& places, std::uint32_t dimensions,
                         std::span<std::uint32_t> order, Workspace& scratch, const Executor& executor);
/// The same; cells of `together` agents or more are sorted by all threads together, one after the other. That
/// changes nothing but the time.
void order_crowded_cells(std::span<const Run> cells, const Places& places, std::uint32_t dimensions,
                         std::span<std::uint32_t> order, Workspace& scratch, const Executor& executor,
                         std::size_t together);

}  // namespace juxta::agents_detail
