// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The plain twins of find_kernel.cpp, put_kernel.cpp and get_kernel.cpp.
#include "transform/bulk_rows.h"

#include <algorithm>

#include "juxta/core/try.h"
#include "transform/write_rows.h"

namespace juxta::transform_detail {

FoundRows find_rows_reference(const SlotTable& slots, std::span<const Id> ids, Row before,
                              Row* rows) noexcept {
  FoundRows found;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Id id = ids[i];
    if (id.slot >= slots.size) {
      found.alive = false;
      return found;
    }
    const Slot& slot = slots.pages[id.slot / Paged<Slot>::kPage][id.slot % Paged<Slot>::kPage];
    if (slot.generation != id.generation || (id.generation & 1) == 0) {
      found.alive = false;
      return found;
    }
    rows[i] = slot.row;
    const std::uint32_t tile = slot.row / kTileRows, last = before / kTileRows;
    if (before != kNoRow && tile != last) {
      ++found.changes;
      found.ascending = found.ascending && tile > last;
    }
    before = slot.row;
  }
  return found;
}

Result<FoundRows> find_all(const HierarchyStore& store, std::span<const Id> ids, std::span<Row> rows) {
  const SlotTable slots = slots_of(store);
  read_ahead(slots, ids);
  const FoundRows found = find_rows(slots, ids, 0, kNoRow, rows.data());
  for (std::size_t i = 0; i < ids.size() && !found.alive; ++i) {
    JUXTA_TRY(row_of(store, ids[i], i));
  }
  return found;
}

void read_ahead(const SlotTable& slots, std::span<const Id> ids) noexcept {
  constexpr std::size_t kSample = 64, kMost = std::size_t{2} << 20;  // 16 MiB of slots
  constexpr std::uint32_t kLine = 64 / sizeof(Slot);
  if (slots.size > kMost || ids.size() < slots.size / kLine || ids.size() < kSample) {
    return;
  }
  std::size_t jumps = 0;
  for (std::size_t i = 1; i < kSample; ++i) {
    jumps += ids[i].slot - ids[i - 1].slot + Paged<Slot>::kPage > 2 * Paged<Slot>::kPage ? 1 : 0;
  }
  for (std::uint32_t slot = 0; jumps > kSample / 2 && slot < slots.size; slot += kLine) {
    core_detail::prefetch_line(&slots.pages[slot / Paged<Slot>::kPage][slot % Paged<Slot>::kPage]);
  }
}

bool find_unfit_reference(std::span<const LocalTransform> locals, std::uint16_t* masks) noexcept {
  bool any = false;
  for (std::size_t i = 0; i < locals.size(); ++i) {
    masks[i / kBulk] = i % kBulk == 0 ? std::uint16_t{0} : masks[i / kBulk];
    if (!kept_as_it_is(locals[i])) {
      masks[i / kBulk] = static_cast<std::uint16_t>(masks[i / kBulk] | 1U << i % kBulk);
      any = true;
    }
  }
  return any;
}

void put_locals_reference(Tile* const* tiles, std::span<const Row> rows,
                          const LocalTransform* locals) noexcept {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Tile& tile = *tiles[rows[i] / kTileRows];
    tile.put_local(rows[i] % kTileRows, locals[i]);
    mark_row(tile, rows[i] % kTileRows);
  }
}

void put_chosen_reference(Tile* const* tiles, Row first, std::span<std::uint32_t> which,
                          const LocalTransform* locals) noexcept {
  for (std::uint32_t& local : which) {
    if (local != kNone) {
      put_locals_reference(tiles, std::span(&first, 1), &locals[local]);
      local = kNone;
    }
    ++first;
  }
}

void get_worlds_reference(const Tile* const* tiles, std::span<const Row> rows, Qvvs* out) noexcept {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out[i] = tiles[rows[i] / kTileRows]->world_of(rows[i] % kTileRows);
  }
}

void get_locals_reference(const Tile* const* tiles, std::span<const Row> rows, LocalTransform* out) noexcept {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out[i] = tiles[rows[i] / kTileRows]->local_at(rows[i] % kTileRows);
  }
}

}  // namespace juxta::transform_detail
