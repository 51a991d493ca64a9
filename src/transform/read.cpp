// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What users read out of nodes.

#include "core/prefetch.h"
#include "juxta/core/try.h"
#include "juxta/transform/hierarchy.h"
#include "transform/bulk_rows.h"
#include "transform/propagation.h"
#include "transform/read_stored.h"
#include "transform/store.h"
#include "transform/tags.h"
#include "transform/write_rows.h"

namespace juxta {

using transform_detail::HierarchyStore;
using transform_detail::kAhead;
using transform_detail::kTileRows;
using transform_detail::Row;
using transform_detail::Tile;

namespace {

/// out[i] = read(row of ids[i]); nothing is written when an Id is dead. `ask` prefetches what `read` will
/// read: of nodes in any order, slot and row are two cache misses each, and neighbours do not depend on each
/// other.
template <class T, class Ask, class Read>
Result<void> read_all(const HierarchyStore& store, std::span<const Id> ids, std::span<T> out, Ask&& ask,
                      Read&& read) {
  if (ids.size() != out.size()) {
    return fail(ErrorCode::kInvalidArgument, "the output is not as long as ids");
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    transform_detail::prefetch_slot(store, ids, i + kAhead);
    if (!store.alive(ids[i])) {
      return tl::unexpected(row_of(store, ids[i], i).error());
    }
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    transform_detail::prefetch_slot(store, ids, i + 2 * kAhead);
    if (i + kAhead < ids.size()) {
      ask(store.slots[ids[i + kAhead].slot].row);
    }
    out[i] = read(store.slots[ids[i].slot].row);
  }
  return {};
}

Result<void> has_history(const HierarchyStore& store) {
  return store.history ? Result<void>()
                       : fail(ErrorCode::kInvalidArgument,
                              "this hierarchy keeps no history; make it with HierarchyOptions::history");
}

void ask_past(const HierarchyStore& store, Row row, std::uint32_t steps) noexcept {
  const Tile& tile = store.tile_of(row);
  core_detail::prefetch_line(&tile.history->steps[tile.step ^ steps][row % kTileRows]);
}

/// The world transform when this step (0), or the one before (1), began.
Qvvs past_world(const HierarchyStore& store, Row row, std::uint32_t steps) {
  const Tile& tile = store.tile_of(row);
  const std::uint32_t r = row % kTileRows;
  return tile.version_of(r) == 0 ? transform_detail::exact_world(store, row)
                                 : tile.history->steps[tile.step ^ steps][r];
}

Result<void> read_past(const HierarchyStore& store, std::span<const Id> ids, std::span<Qvvs> out,
                       std::uint32_t steps) {
  return read_all(
      store, ids, out, [&](Row row) { ask_past(store, row, steps); },
      [&](Row row) { return past_world(store, row, steps); });
}

}  // namespace

Result<LocalTransform> Hierarchy::local(Id id) const {
  return row_of(*store_, id).map([&](Row row) { return transform_detail::exact_local(*store_, row); });
}
Result<void> Hierarchy::local(std::span<const Id> ids, std::span<LocalTransform> out) const {
  if (store_->dirty.empty()) {  // what is stored is exact: known once, not once a node
    return transform_detail::read_stored(*store_, ids, out);
  }
  return read_all(
      *store_, ids, out,
      [&](Row row) {
        transform_detail::ask_row(store_->tile_of(row), row % kTileRows,
                                  static_cast<LocalTransform*>(nullptr));
      },
      [&](Row row) { return transform_detail::exact_local(*store_, row); });
}

Result<Qvvs> Hierarchy::world(Id id) const {
  return row_of(*store_, id).map([&](Row row) { return transform_detail::exact_world(*store_, row); });
}
Result<void> Hierarchy::world(std::span<const Id> ids, std::span<Qvvs> out) const {
  if (store_->dirty.empty()) {
    return transform_detail::read_stored(*store_, ids, out);
  }
  return read_all(
      *store_, ids, out,
      [&](Row row) {
        transform_detail::ask_row(store_->tile_of(row), row % kTileRows, static_cast<Qvvs*>(nullptr));
      },
      [&](Row row) { return transform_detail::exact_world(*store_, row); });
}

Result<Inherit> Hierarchy::inherit(Id id) const {
  return row_of(*store_, id).map([&](Row row) {
    return transform_detail::without_tags(static_cast<Inherit>(store_->tile_of(row).flags[row % kTileRows]));
  });
}

Result<void> Hierarchy::begin_step() {
  JUXTA_TRY(has_history(*store_));
  for (Tile* tile : store_->tiles) {
    if (tile == nullptr || tile->steps_due == 0) {
      continue;
    }
    tile->step ^= 1;
    --tile->steps_due;
    auto& previous = tile->history->steps[tile->step];
    for (std::uint32_t row = 0; row < tile->used; ++row) {
      previous[row] = tile->world_of(row);
    }
  }
  return {};
}

Result<Qvvs> Hierarchy::previous(Id id) const {
  return has_history(*store_).and_then([&] { return row_of(*store_, id); }).map([&](Row row) {
    return past_world(*store_, row, 0);
  });
}
Result<Qvvs> Hierarchy::two_ago(Id id) const {
  return has_history(*store_).and_then([&] { return row_of(*store_, id); }).map([&](Row row) {
    return past_world(*store_, row, 1);
  });
}
Result<void> Hierarchy::previous(std::span<const Id> ids, std::span<Qvvs> out) const {
  return has_history(*store_).and_then([&] { return read_past(*store_, ids, out, 0); });
}
Result<void> Hierarchy::two_ago(std::span<const Id> ids, std::span<Qvvs> out) const {
  return has_history(*store_).and_then([&] { return read_past(*store_, ids, out, 1); });
}

}  // namespace juxta
