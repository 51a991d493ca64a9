// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What changed after a version: node by node, or by sixteens.
#include <atomic>

#include "juxta/core/isa.h"
#include "juxta/core/try.h"
#include "juxta/transform/hierarchy.h"
#include "transform/store.h"
#include "transform/systems.h"

namespace juxta {

using transform_detail::HierarchyStore;
using transform_detail::kTileWords;
using transform_detail::RowMask;
using transform_detail::Tile;

namespace {

/// The living rows among 64 that changed after `version`.
std::uint64_t changed_rows(const Tile& tile, std::uint32_t w, std::uint64_t version) noexcept {
  const transform_detail::Change& change = tile.changes[w];
  std::uint64_t rows = change.version > version ? change.mask : 0;
  if (change.before > version) {
    transform_detail::for_each_bit(tile.live.words[w] & ~change.mask, w * 64, [&](std::uint32_t row) {
      rows |= std::uint64_t{tile.row_version(row) > version} << row % 64;
    });
  }
  return rows & tile.live.words[w];
}

}  // namespace

void Hierarchy::changed_since(std::uint64_t version, FunctionRef<void(Id, const Qvvs&)> visit) const {
  for (const Tile* tile : store_->tiles) {
    if (tile == nullptr || tile->version <= version) {
      continue;
    }
    for (std::uint32_t w = 0; w < kTileWords; ++w) {
      transform_detail::for_each_bit(changed_rows(*tile, w, version), w * 64, [&](std::uint32_t row) {
        const std::uint32_t slot = tile->slot[row];
        visit({slot, store_->slots[slot].generation}, tile->world_of(row));
      });
    }
  }
}

Result<void> Hierarchy::changed_spans(std::uint64_t version, FunctionRef<void(const WorldLanes&)> reader,
                                      const Context& context) const {
  JUXTA_TRY(active_isa());
  const HierarchyStore& store = *store_;
  executor_or_serial(context.executor)
      .parallel_for(store.tiles.size(), 2, [&](std::size_t first, std::size_t last) {
        for (std::size_t number = first; number < last; ++number) {
          const Tile* const tile = store.tiles[number];
          if (tile == nullptr || tile->version <= version) {
            continue;
          }
          RowMask changed;
          for (std::uint32_t w = 0; w < kTileWords; ++w) {
            changed.words[w] = changed_rows(*tile, w, version);
          }
          transform_detail::read_lanes(store, *tile, nullptr, changed, reader);
        }
      });
  return {};
}

Result<std::size_t> Hierarchy::changed_matrices(std::uint64_t version, std::span<Matrix34> out,
                                                const Context& context) const {
  if (out.size() < slot_count()) {
    return fail(ErrorCode::kInvalidArgument, "changed_matrices: out has " + std::to_string(out.size()) +
                                                 " places for " + std::to_string(slot_count()) +
                                                 " slots: give it slot_count() of them");
  }
  std::atomic<std::size_t> written = 0;
  const auto write = [&](const WorldLanes& lanes) {
    write_matrices(lanes, out);
    written.fetch_add(static_cast<std::size_t>(std::popcount(lanes.mask())), std::memory_order_relaxed);
  };
  JUXTA_TRY(changed_spans(version, write, context));
  return written.load(std::memory_order_relaxed);
}

}  // namespace juxta
