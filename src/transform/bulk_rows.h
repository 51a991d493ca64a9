// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the loops of bulk calls, from Ids to rows and between rows and arrays of users. All of them have
// a plain twin with the same bits, which is also what runs below SSE4.2.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "core/prefetch.h"
#include "juxta/core/id.h"
#include "juxta/core/isa.h"
#include "juxta/math/qvvs.h"
#include "transform/ask_rows.h"
#include "transform/store.h"

namespace juxta::transform_detail {

/// Kernels are undefined below SSE4.2.
[[nodiscard]] inline bool kernels_run() noexcept {
  return active_isa().has_value();
}

/// Ids are looked up, and locals checked, so many at once.
inline constexpr std::size_t kBulk = 16;

/// HierarchyStore::slots as kernels take it.
struct SlotTable {
  const Slot* const* pages = nullptr;
  std::uint32_t size = 0;
};
[[nodiscard]] inline SlotTable slots_of(const HierarchyStore& store) noexcept {
  return {store.slots.pages(), store.slots.size()};
}

/// What find_rows() saw on its way.
struct FoundRows {
  bool alive = true;        // all of them; else rows are of no use
  bool ascending = true;    // no node stands in a tile with a lower number than the node before it
  std::size_t changes = 0;  // nodes that stand in another tile than the node before
};
/// rows[i] = where ids[i] stands. `further`: so many Ids stand behind them in memory, which will be looked up
/// next. `before`: the row of the node before the first (kNoRow: there is none).
[[nodiscard]] FoundRows find_rows(const SlotTable& slots, std::span<const Id> ids, std::size_t further,
                                  Row before, Row* rows) noexcept;
/// Reads the whole table into the cache if these Ids, in no order, would read most of it line by line.
void read_ahead(const SlotTable& slots, std::span<const Id> ids) noexcept;

/// The rows of all. Errors: kNotFound, with the first dead Id.
[[nodiscard]] Result<FoundRows> find_all(const HierarchyStore& store, std::span<const Id> ids,
                                         std::span<Row> rows);

/// Bit i % 16 of masks[i / 16]: the store does not keep locals[i] as it is (kept_as_it_is()). Whether there
/// is one.
[[nodiscard]] bool find_unfit(std::span<const LocalTransform> locals, std::uint16_t* masks) noexcept;

/// locals[i] to rows[i], as they are, in this order, and marks the rows; tiles are not put on the list.
/// `streamed`: full groups bypass the caches.
void put_locals(Tile* const* tiles, std::span<const Row> rows, const LocalTransform* locals,
                bool streamed) noexcept;

/// In `which`: no local transform for this row.
inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
/// locals[which[k]] to row first + k, for all k that have one; `which` holds kNone everywhere afterwards.
/// `first` and the length are multiples of kGroupRows.
void put_chosen(Tile* const* tiles, Row first, std::span<std::uint32_t> which, const LocalTransform* locals,
                bool streamed) noexcept;

/// out[i] = the world transform that the last propagate() left in rows[i].
void get_worlds(const Tile* const* tiles, std::span<const Row> rows, Qvvs* out, bool streamed) noexcept;
/// out[i] = the local transform that is stored in rows[i].
void get_locals(const Tile* const* tiles, std::span<const Row> rows, LocalTransform* out,
                bool streamed) noexcept;

/// out[i] = tile[rows[i] % kTileRows]: rows of one tile, of which `tile` has all.
void copy_rows(const Qvvs* tile, std::span<const Row> rows, Qvvs* out, bool streamed) noexcept;
void copy_rows(const LocalTransform* tile, std::span<const Row> rows, LocalTransform* out,
               bool streamed) noexcept;

/// The first from i on that stands in another tile than rows[i].
[[nodiscard]] inline std::size_t end_of_tile(std::span<const Row> rows, std::size_t i) noexcept {
  constexpr std::size_t kStep = 64;
  const Row tile = rows[i] / kTileRows;
  for (; rows.size() - i >= kStep; i += kStep) {
    Row others = 0;
    for (std::size_t j = i; j < i + kStep; ++j) {
      others |= rows[j] ^ tile * kTileRows;
    }
    if (others >= kTileRows) {
      break;
    }
  }
  while (i < rows.size() && rows[i] / kTileRows == tile) {
    ++i;
  }
  return i;
}

/// Most of them (as far as the first tell) do not follow each other. They are enough to take trouble.
[[nodiscard]] inline bool is_scattered(std::span<const Row> rows) noexcept {
  constexpr std::size_t kSample = 64;
  std::size_t breaks = 0;
  for (std::size_t i = 1; i < std::min(kSample, rows.size()); ++i) {
    breaks += rows[i] != rows[i - 1] + 1 ? 1 : 0;
  }
  return rows.size() >= kTileRows / 4 && breaks >= kSample / 8;
}

/// One row of what get_worlds() and get_locals() give.
inline void get_row(const Tile& tile, std::uint32_t row, Qvvs& out) noexcept {
  out = tile.world_of(row);
}
inline void get_row(const Tile& tile, std::uint32_t row, LocalTransform& out) noexcept {
  out = tile.local_at(row);
}
/// Asks for what get_row() will read.
inline void ask_row(const Tile& tile, std::uint32_t row, const Qvvs*) noexcept {
  ask_for_world(tile, row);
  core_detail::prefetch_line(&tile.cold[row]);
}
inline void ask_row(const Tile& tile, std::uint32_t row, const LocalTransform*) noexcept {
  ask_for_local(tile, row);
}

template <class T>
void copy_rows_reference(const T* tile, std::span<const Row> rows, T* out) noexcept {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out[i] = tile[rows[i] % kTileRows];
  }
}
[[nodiscard]] FoundRows find_rows_reference(const SlotTable& slots, std::span<const Id> ids, Row before,
                                            Row* rows) noexcept;
[[nodiscard]] bool find_unfit_reference(std::span<const LocalTransform> locals,
                                        std::uint16_t* masks) noexcept;
void put_locals_reference(Tile* const* tiles, std::span<const Row> rows,
                          const LocalTransform* locals) noexcept;
void put_chosen_reference(Tile* const* tiles, Row first, std::span<std::uint32_t> which,
                          const LocalTransform* locals) noexcept;
void get_worlds_reference(const Tile* const* tiles, std::span<const Row> rows, Qvvs* out) noexcept;
void get_locals_reference(const Tile* const* tiles, std::span<const Row> rows, LocalTransform* out) noexcept;

}  // namespace juxta::transform_detail
