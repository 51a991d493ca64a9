// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: a tile in a file. docs/formats/hierarchy.md describes it for other readers.
//
// What follows from something else is not in the file, so that it cannot contradict: whose children rows are
// follows from the child ranges, names from the table of slots, links of a parent from the links, and most
// masks from the columns.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "transform/tile.h"

namespace juxta::transform_detail {

/// Rows without a node hold zeros, but for their child ranges.
struct TileRecord {
  RowMask live, linked, pending, written;
  std::array<Change, kTileWords> changes;
  std::uint32_t number;
  std::uint32_t used;
  std::uint32_t version;
  std::uint32_t step;
  std::uint32_t steps_due;
  std::uint32_t lanes;  // 1: a tile of lanes
  std::array<std::uint32_t, 10> zeros;
  std::array<HotWorld, kTileRows> world;
  std::array<LocalTransform, kTileRows> local;
  std::array<Cold, kTileRows> cold;
  std::array<std::uint32_t, kTileRows> link;  // of a linked row
  std::array<std::uint32_t, kTileRows> row_version;
  std::array<std::uint16_t, kTileRows> flags;
  std::array<std::uint16_t, kTileRows> first_child;  // that of row 1024 is 1024; two for each group of lanes
};
static_assert(sizeof(TileRecord) == 95'040 && sizeof(TileRecord) % 64 == 0);
static_assert(sizeof(TileHistory) == 98'304);

/// The record of a tile, zeros where there is nothing to say.
void to_record(const Tile& tile, std::uint32_t number, TileRecord& record) noexcept;
/// The history of a tile, zeros for rows that have none.
void to_record(const Tile& tile, TileHistory& history) noexcept;

/// Fills a fresh tile, all but `slot`, `first_link`, `has_links`, `deferred` and the history. Empty, or what
/// is wrong with the record: then the tile may only be thrown away. `version` is that of the hierarchy.
[[nodiscard]] std::string_view from_record(const TileRecord& record, std::uint32_t version,
                                           Tile& tile) noexcept;

}  // namespace juxta::transform_detail
