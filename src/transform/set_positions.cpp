// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Positions of many nodes at once: all are looked at first, so that all are written or none.
//
//   tile by tile, as a rule   | tile 3 ...... | tile 4 .. | tile 7 ......... |   a task has whole tiles
//   in any order              buckets of four tiles (by_bucket.h); a task has whole buckets
//   nodes with flags          one after the other: what they keep is read from nodes above them
#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

#include "core/prefetch.h"
#include "juxta/core/try.h"
#include "juxta/transform/hierarchy.h"
#include "transform/bulk_rows.h"
#include "transform/by_bucket.h"
#include "transform/propagation.h"
#include "transform/store.h"
#include "transform/write_rows.h"

namespace juxta {
namespace transform_detail {
namespace {

constexpr std::size_t kManyPositions = 8192;  // below, neither buckets nor threads are worth their beginning
constexpr std::size_t kPositionTask = 4096;   // nodes

constexpr const char* kBadPosition = "its position holds NaN or an infinity";

void write_position(HierarchyStore& store, Row row, Vec3 position) {
  Tile& tile = store.tile_of(row);
  const std::uint32_t r = row % kTileRows;
  if (tile.special().test(r)) {  // the rest of it may be out of date
    tile.put_local(r, exact_local(store, row));
  }
  tile.put_position(r, position);
  mark_written(store, row);
}

/// Who puts tiles on the list of those that have changed. A task must not; its nodes have no flags, which ask
/// what has changed above them.
enum class Tiles { kMarked, kLeft };

/// Rows of one tile, next to each other: marked at once.
void write_run(HierarchyStore& store, Row row, std::span<const Vec3> positions, Tiles tiles) {
  Tile& tile = store.tile_of(row);
  const std::uint32_t first = row % kTileRows, last = first + static_cast<std::uint32_t>(positions.size());
  if (tile.special().next(first) < last) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      write_position(store, row + static_cast<Row>(i), positions[i]);
    }
    return;
  }
  for (std::size_t i = 0; i < positions.size(); ++i) {
    tile.put_position(first + static_cast<std::uint32_t>(i), positions[i]);
  }
  tile.pending.set_range(first, last);
  if (tiles == Tiles::kMarked) {
    store.known.forget();
    store.mark_tile(row / kTileRows);
  }
}

/// Asks for what write_run() will touch: rows stand two to a cache line, the places of eight that are turned
/// in two, marks 512 to one.
void prefetch(const HierarchyStore& store, std::span<const Row> rows) noexcept {
  for (std::size_t i = 0; i < rows.size();) {
    const Tile& tile = store.tile_of(rows[i]);
    const std::uint32_t row = rows[i] % kTileRows;
    if (Tile::has_turned(tile.local_turned.bits(), row)) {
      const GroupTransforms& group = tile.local.group(row / kGroupRows);
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
    core_detail::prefetch_line(&store.tile_of(rows[0]).pending.words[rows[0] % kTileRows / 64]);
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

/// In the order of the call.
void write_in_order(HierarchyStore& store, std::span<const Row> rows, std::span<const Vec3> positions,
                    Tiles tiles) {
  for (std::size_t i = 0; i < rows.size();) {
    const std::size_t count = run_length(rows, i);
    const std::size_t ahead = std::min(i + kAhead, rows.size());
    prefetch(store, rows.subspan(ahead, std::min(count, rows.size() - ahead)));
    write_run(store, rows[i], positions.subspan(i, count), tiles);
    i += count;
  }
}

/// Nodes of one tile that are named one after the other, by their places in the call.
struct Stretch {
  std::uint32_t tile, first, last;
};

/// Most nodes stand in the tile of the node before them. A task writes all rows of its tiles, in the order of
/// the call.
void write_by_tile(HierarchyStore& store, std::span<const Row> rows, std::span<const Vec3> positions,
                   const FoundRows& found, const Executor& executor) {
  const std::span<Stretch> all = store.scratch.take<Stretch>(found.changes + 1);
  std::size_t count = 0;
  for (std::size_t i = 0; i < rows.size(); ++count) {
    const std::size_t end = end_of_tile(rows, i);
    all[count] = {rows[i] / kTileRows, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(end)};
    i = end;
  }
  if (!found.ascending) {
    std::ranges::sort(all.first(count), {},
                      [](const Stretch& stretch) { return std::pair(stretch.tile, stretch.first); });
  }
  const auto goes_on = [&](std::size_t i) { return i != 0 && i < count && all[i].tile == all[i - 1].tile; };
  executor.parallel_for(count, 8, [&](std::size_t first, std::size_t last) {
    while (first < last && goes_on(first)) {  // a tile belongs to the task in which it begins
      ++first;
    }
    for (std::size_t i = first; first < last && (i < last || goes_on(i)); ++i) {
      const std::size_t size = all[i].last - all[i].first;
      write_in_order(store, rows.subspan(all[i].first, size), positions.subspan(all[i].first, size),
                     Tiles::kLeft);
    }
  });
}

/// A few tiles after the other. No node has flags: of those, what is kept depends on what was written before.
void write_by_bucket(HierarchyStore& store, std::span<const Row> rows, std::span<const Vec3> positions,
                     const Executor* executor) {
  const Buckets buckets(rows, store.tiles.size() * kTileRows, executor, store.scratch);
  executor_or_serial(executor).parallel_for(buckets.size(), 4, [&](std::size_t first, std::size_t last) {
    for (std::size_t bucket = first; bucket < last; ++bucket) {
      const std::span<const RowPair> pairs = buckets[bucket];
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (i + kAhead < pairs.size()) {
          const RowPair& next = pairs[i + kAhead];
          core_detail::prefetch_line(&positions[next.place]);
          prefetch_row(store.tile_of(next.row), next.row % kTileRows);
        }
        Tile& tile = store.tile_of(pairs[i].row);
        tile.put_position(pairs[i].row % kTileRows, positions[pairs[i].place]);
        tile.pending.set(pairs[i].row % kTileRows);
      }
    }
  });
}

/// Puts the tiles of all rows on the list.
void mark_tiles(HierarchyStore& store, std::span<const Row> rows) {
  std::uint32_t last = std::numeric_limits<std::uint32_t>::max();
  for (const Row row : rows) {
    if (row / kTileRows != last) {
      last = row / kTileRows;
      store.mark_tile(last);
    }
  }
}

bool has_special(const HierarchyStore& store) noexcept {
  return std::ranges::any_of(
      store.tiles, [](const Tile* tile) { return tile != nullptr && tile->has_any(Rare::kSpecial); });
}

bool all_finite(std::span<const Vec3> positions) noexcept {
  float sum = 0;
  for (const Vec3 p : positions) {
    sum += (p.x * 0 + p.y * 0) + p.z * 0;
  }
  return sum == 0;
}

/// What is wrong with the first that is wrong: a number comes before an Id.
[[gnu::cold]] Result<void> first_error(const HierarchyStore& store, std::span<const Id> ids,
                                       std::span<const Vec3> positions) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!is_finite(positions[i])) {
      return fail_at(ErrorCode::kNotFinite, ids[i], kBadPosition, i);
    }
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    JUXTA_TRY(row_of(store, ids[i], i));
  }
  return {};
}

/// Where the nodes stand. `alive` is false where a node is dead, or a position not finite.
FoundRows find(const HierarchyStore& store, std::span<const Id> ids, std::span<const Vec3> positions,
               const Executor& executor, std::span<Row> rows) {
  const SlotTable slots = slots_of(store);
  read_ahead(slots, ids);
  std::atomic<bool> fine = true, ascending = true;
  std::atomic<std::size_t> changes = 0;
  executor.parallel_for(ids.size(), kPositionTask, [&](std::size_t first, std::size_t last) {
    const std::size_t count = last - first;
    Row before = kNoRow;
    if (first != 0 && store.alive(ids[first - 1])) {
      before = store.slots[ids[first - 1].slot].row;
    }
    const FoundRows part = find_rows(slots, ids.subspan(first, count), 0, before, &rows[first]);
    if (!part.alive || !all_finite(positions.subspan(first, count))) {
      fine.store(false, std::memory_order_relaxed);
    }
    if (!part.ascending) {
      ascending.store(false, std::memory_order_relaxed);
    }
    changes.fetch_add(part.changes, std::memory_order_relaxed);
  });
  return {fine, ascending, changes};
}

}  // namespace
}  // namespace transform_detail

using transform_detail::Row;

Result<void> Hierarchy::set_position(Id id, Vec3 position) {
  const Result<Row> row = row_of(*store_, id);
  if (!row) {
    return tl::unexpected(row.error());
  }
  if (!is_finite(position)) {
    return transform_detail::fail_at(ErrorCode::kNotFinite, id, transform_detail::kBadPosition);
  }
  transform_detail::write_position(*store_, *row, position);
  return {};
}

Result<void> Hierarchy::set_position(std::span<const Id> ids, std::span<const Vec3> positions,
                                     const Context& context) {
  if (ids.size() != positions.size()) {
    return fail(ErrorCode::kInvalidArgument, "set_position: positions is not as long as ids");
  }
  if (ids.empty()) {
    return {};
  }
  const bool many = ids.size() >= transform_detail::kManyPositions;
  const Executor* executor = many ? context.executor : nullptr;
  const Workspace::Scope scope(store_->scratch);
  const std::span<Row> rows = store_->scratch.take<Row>(ids.size());
  const transform_detail::FoundRows found =
      transform_detail::find(*store_, ids, positions, executor_or_serial(executor), rows);
  if (!found.alive) {
    return transform_detail::first_error(*store_, ids, positions);
  }
  const bool scattered = many && found.changes >= ids.size() / 16;
  if ((executor == nullptr && !scattered) || transform_detail::has_special(*store_)) {
    transform_detail::write_in_order(*store_, rows, positions, transform_detail::Tiles::kMarked);
    return {};
  }
  store_->known.forget();
  if (scattered) {
    transform_detail::write_by_bucket(*store_, rows, positions, executor);
  } else {
    transform_detail::write_by_tile(*store_, rows, positions, found, *executor);
  }
  transform_detail::mark_tiles(*store_, rows);
  return {};
}

}  // namespace juxta
