// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What users write into nodes. Bulk calls check everything first, so that they do all or nothing.

#include <algorithm>
#include <optional>
#include <vector>

#include "core/prefetch.h"
#include "juxta/core/try.h"
#include "juxta/transform/hierarchy.h"
#include "transform/bulk_rows.h"
#include "transform/by_bucket.h"
#include "transform/propagation.h"
#include "transform/store.h"
#include "transform/tags.h"
#include "transform/write_rows.h"

namespace juxta {

using transform_detail::HierarchyStore;
using transform_detail::kAhead;
using transform_detail::kGroupRows;
using transform_detail::kTileRows;
using transform_detail::mark_row;
using transform_detail::Row;
using transform_detail::Tile;
using transform_detail::user_writes;

namespace {

constexpr std::size_t kManyPositions = 8192;  // below, buckets are not worth their beginning

Result<void> same_length(std::size_t ids, std::size_t others, const char* message) {
  return ids == others ? Result<void>() : fail(ErrorCode::kInvalidArgument, message);
}

/// The node's local transform was written.
void mark_written(HierarchyStore& store, Tile& tile, Row row) {
  store.known.forget();
  mark_row(tile, row % kTileRows);
  if (!tile.dirty) {
    store.mark_tile(row / kTileRows);
  }
}
void mark_written(HierarchyStore& store, Row row) {
  mark_written(store, store.tile_of(row), row);
}

void write_position(HierarchyStore& store, Row row, Vec3 position) {
  Tile& tile = store.tile_of(row);
  const std::uint32_t r = row % kTileRows;
  if (tile.special.test(r)) {  // the rest of it may be out of date
    tile.put_local(r, transform_detail::exact_local(store, row));
  }
  tile.put_position(r, position);
  mark_written(store, tile, row);
}

/// Rows of one tile, next to each other: marked at once.
void write_positions(HierarchyStore& store, Row row, std::span<const Vec3> positions) {
  Tile& tile = store.tile_of(row);
  const std::uint32_t first = row % kTileRows, last = first + static_cast<std::uint32_t>(positions.size());
  if (tile.special.next(first) < last) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      write_position(store, row + static_cast<Row>(i), positions[i]);
    }
    return;
  }
  for (std::size_t i = 0; i < positions.size(); ++i) {
    tile.put_position(first + static_cast<std::uint32_t>(i), positions[i]);
  }
  store.known.forget();
  tile.pending.set_range(first, last);
  if (!tile.dirty) {
    store.mark_tile(row / kTileRows);
  }
}

/// Asks for what write_positions() will touch: rows stand two to a cache line, the places of a group of eight
/// lanes in two, marks 512 to one.
void prefetch(const HierarchyStore& store, std::span<const Row> rows) noexcept {
  for (std::size_t i = 0; i < rows.size();) {
    const Tile& tile = store.tile_of(rows[i]);
    const std::uint32_t row = rows[i] % kTileRows;
    if (tile.lanes) {
      const transform_detail::GroupTransforms& group = tile.local.group(row / kGroupRows);
      core_detail::prefetch_line(group.x);
      core_detail::prefetch_line(group.z);
      for (const Row at = rows[i] / kGroupRows; i < rows.size() && rows[i] / kGroupRows == at;) {
        ++i;
      }
    } else {
      core_detail::prefetch_line(&tile.local.rows()[row]);
      i += 2;
    }
  }
  if (!rows.empty()) {
    const Tile& tile = store.tile_of(rows[0]);
    core_detail::prefetch_line(&tile.pending.words[rows[0] % kTileRows / 64]);
    core_detail::prefetch_line(&tile.special.words[rows[0] % kTileRows / 64]);
  }
}

/// How many rows from rows[i] on stand next to each other in one tile, as far as it pays to look.
std::size_t run_length(std::span<const Row> rows, std::size_t i) noexcept {
  const std::size_t most = std::min(rows.size() - i, kAhead / 2);
  std::size_t count = 1;
  while (count < most && rows[i + count] == rows[i] + count && rows[i + count] % kTileRows != 0) {
    ++count;
  }
  return count;
}

/// Of nodes with flags, what is kept depends on what was written before: their order counts.
bool has_special(const HierarchyStore& store) noexcept {
  return std::ranges::any_of(store.tiles,
                             [](const Tile* tile) { return tile != nullptr && tile->special.any(); });
}

/// A few tiles after the other.
void write_positions_by_bucket(HierarchyStore& store, std::span<const Row> rows,
                               std::span<const Vec3> positions) {
  const transform_detail::Buckets buckets(rows, store.tiles.size() * kTileRows, nullptr, store.scratch);
  store.known.forget();
  for (std::size_t bucket = 0; bucket < buckets.size(); ++bucket) {
    const std::span<const transform_detail::RowPair> pairs = buckets[bucket];
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (i + kAhead < pairs.size()) {
        const transform_detail::RowPair& next = pairs[i + kAhead];
        core_detail::prefetch_line(&positions[next.place]);
        transform_detail::prefetch_row(store.tile_of(next.row), next.row % kTileRows);
      }
      Tile& tile = store.tile_of(pairs[i].row);
      tile.put_position(pairs[i].row % kTileRows, positions[pairs[i].place]);
      tile.pending.set(pairs[i].row % kTileRows);
      store.mark_tile(pairs[i].row / kTileRows);
    }
  }
}

/// positions.size() when all are finite.
std::size_t first_not_finite(std::span<const Vec3> positions) noexcept {
  float sum = 0;
  for (const Vec3 p : positions) {
    sum += (p.x * 0 + p.y * 0) + p.z * 0;
  }
  if (sum == 0) {
    return positions.size();
  }
  return static_cast<std::size_t>(
      std::find_if(positions.begin(), positions.end(), [](Vec3 p) { return !is_finite(p); }) -
      positions.begin());
}

}  // namespace

Result<void> Hierarchy::set_local(Id id, const LocalTransform& local) {
  const Result<Row> row = row_of(*store_, id);
  if (!row) {
    return tl::unexpected(row.error());
  }
  return transform_detail::checked(local, id).map([&](const LocalTransform& kept) {
    store_->tile_of(*row).put_local(*row % kTileRows, kept);
    mark_written(*store_, *row);
  });
}

Result<void> Hierarchy::set_position(Id id, Vec3 position) {
  const Result<Row> row = row_of(*store_, id);
  if (!row) {
    return tl::unexpected(row.error());
  }
  if (!is_finite(position)) {
    return transform_detail::fail_at(ErrorCode::kNotFinite, id, "its position holds NaN or an infinity");
  }
  write_position(*store_, *row, position);
  return {};
}

Result<void> Hierarchy::set_position(std::span<const Id> ids, std::span<const Vec3> positions) {
  if (Result<void> fine =
          same_length(ids.size(), positions.size(), "set_position: positions is not as long as ids");
      !fine) {
    return fine;
  }
  if (const std::size_t bad = first_not_finite(positions); bad < positions.size()) {
    return transform_detail::fail_at(ErrorCode::kNotFinite, ids[bad], "its position holds NaN or an infinity",
                                     bad);
  }
  const Workspace::Scope scope(store_->scratch);
  const std::span<Row> rows = store_->scratch.take<Row>(ids.size());
  JUXTA_TRY_LET(const transform_detail::FoundRows found, transform_detail::find_all(*store_, ids, rows));
  if (found.changes >= ids.size() / 16 && ids.size() >= kManyPositions && !has_special(*store_)) {
    write_positions_by_bucket(*store_, rows, positions);
    return {};
  }
  for (std::size_t i = 0; i < rows.size();) {
    const std::size_t count = run_length(rows, i);
    const std::size_t ahead = std::min(i + kAhead, rows.size());
    prefetch(*store_, rows.subspan(ahead, std::min(count, rows.size() - ahead)));
    write_positions(*store_, rows[i], positions.subspan(i, count));
    i += count;
  }
  return {};
}

namespace {

/// A world transform without numbers that Hierarchy refuses; its rotation has length 1.
Result<Qvvs> checked_world(const Qvvs& world, Id id, std::uint64_t index) {
  if (!is_finite(world.stretch)) {
    return transform_detail::fail_at(ErrorCode::kNotFinite, id, "its stretch holds NaN or an infinity",
                                     index);
  }
  return transform_detail::checked({world.rotation, world.position, world.scale}, id, index)
      .map([&](const LocalTransform& kept) {
        return Qvvs{kept.rotation, kept.position, world.context, world.stretch, kept.scale};
      });
}

/// Puts a node there, as seen from where its parent is by now.
Result<void> write_world(HierarchyStore& store, Row row, const Qvvs& world, Id id, std::uint64_t index) {
  Tile& tile = store.tile_of(row);
  const std::uint32_t r = row % kTileRows;
  if (user_writes(tile, r)) {
    tile.put_world(r, {world.rotation, world.position, world.scale});
    tile.written.clear(r);
    store.kept.erase(tile.slot[r]);
  } else {
    const LocalTransform local = inverse_mul(transform_detail::exact_parent_world(store, row), world);
    if (!is_finite(local) || !(local.scale > 0)) {
      return transform_detail::fail_at(ErrorCode::kNotFinite, id,
                                       "no finite local transform leads there from its parent", index);
    }
    tile.put_local(r, local);
    tile.written.set(r);
  }
  tile.put_context(r, world.context);
  transform_detail::put_stretch(tile, r, world.stretch);  // and shows all of it
  store.mark(row);
  return {};
}

/// A row as it was before its world transform was written.
struct Before {
  Row row;
  LocalTransform local;
  transform_detail::HotWorld world;
  transform_detail::Cold cold;
  bool pending, written;
  std::optional<transform_detail::HotWorld> kept;
};

Before remember(const HierarchyStore& store, Row row) {
  const Tile& tile = store.tile_of(row);
  const std::uint32_t r = row % kTileRows;
  return {row,
          tile.local_at(r),
          tile.world_at(r),
          tile.cold[r],
          tile.pending.test(r),
          tile.written.test(r),
          store.kept_of(tile, r)};
}

void restore(HierarchyStore& store, const Before& before) {
  Tile& tile = store.tile_of(before.row);
  const std::uint32_t r = before.row % kTileRows;
  tile.put_local(r, before.local);
  tile.put_world(r, before.world);
  tile.put_context(r, before.cold.context);
  transform_detail::put_stretch(tile, r, before.cold.stretch);
  tile.pending.put(r, before.pending);
  tile.written.put(r, before.written);
  store.put_kept(tile, r, before.kept);
}

}  // namespace

namespace {

/// One after the other, since a node's parent may stand before it in the list; after an error, back again.
/// `bulk`: errors say which one it was.
Result<void> set_worlds(HierarchyStore& store, std::span<const Id> ids, std::span<const Qvvs> worlds,
                        bool bulk) {
  const auto number = [&](std::size_t i) { return bulk ? i : Error::kNowhere; };
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (const Result<Row> row = row_of(store, ids[i], number(i)); !row) {
      return tl::unexpected(row.error());
    }
    if (const Result<Qvvs> fine = checked_world(worlds[i], ids[i], number(i)); !fine) {
      return tl::unexpected(fine.error());
    }
  }
  std::vector<Before> undo;
  undo.reserve(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Row row = store.slots[ids[i].slot].row;
    undo.push_back(remember(store, row));
    if (Result<void> done = write_world(store, row, *checked_world(worlds[i], ids[i], i), ids[i], number(i));
        !done) {
      for (std::size_t j = undo.size(); j-- > 0;) {
        restore(store, undo[j]);
      }
      return done;
    }
  }
  return {};
}

}  // namespace

Result<void> Hierarchy::set_world(Id id, const Qvvs& world) {
  return set_worlds(*store_, std::span(&id, 1), std::span(&world, 1), false);
}

Result<void> Hierarchy::set_world(std::span<const Id> ids, std::span<const Qvvs> worlds) {
  if (Result<void> fine = same_length(ids.size(), worlds.size(), "set_world: worlds is not as long as ids");
      !fine) {
    return fine;
  }
  return set_worlds(*store_, ids, worlds, true);
}

Result<void> Hierarchy::set_stretch(Id id, Vec3 stretch) {
  const Result<Row> row = row_of(*store_, id);
  if (!row) {
    return tl::unexpected(row.error());
  }
  if (!is_finite(stretch)) {
    return transform_detail::fail_at(ErrorCode::kNotFinite, id, "its stretch holds NaN or an infinity");
  }
  transform_detail::put_stretch(store_->tile_of(*row), *row % kTileRows, stretch);
  store_->mark(*row);
  return {};
}

Result<void> Hierarchy::set_context(Id id, std::int32_t context) {
  return row_of(*store_, id).map([&](Row row) {
    Tile& tile = store_->tile_of(row);
    tile.put_context(row % kTileRows, context);
    tile.show();
    store_->mark(row);
  });
}

Result<void> Hierarchy::set_inherit(Id id, Inherit inherit) {
  return row_of(*store_, id).map([&](Row row) {
    Tile& tile = store_->tile_of(row);
    const std::uint32_t r = row % kTileRows;
    transform_detail::keep_from_now(*store_, row);
    const Inherit known = transform_detail::without_tags(inherit);
    tile.flags[r] = transform_detail::with_tags(static_cast<std::uint16_t>(known),
                                                transform_detail::tags_of(tile.flags[r]));
    tile.special.put(r, known != Inherit::kNormal);
    store_->mark(row);
  });
}

}  // namespace juxta
