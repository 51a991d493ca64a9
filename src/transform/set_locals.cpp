// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Many local transforms at once: all are looked at first, so that all are written or none.
#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "juxta/core/try.h"
#include "juxta/transform/hierarchy.h"
#include "transform/bulk_rows.h"
#include "transform/by_bucket.h"
#include "transform/write_rows.h"

namespace juxta {
namespace transform_detail {
namespace {

// Below, nodes are written in the order of the call: on one thread, and with an executor.
constexpr std::size_t kMany = 8192;
constexpr std::size_t kManyOnThreads = 2048;
constexpr std::size_t kChecked = 512;               // locals that are checked, or normalised, at a time
constexpr std::size_t kDense = Buckets::kRows / 8;  // pairs: groups of which many rows are written
constexpr std::size_t kStreamed = 400'000;          // so many would leave nothing else in the caches

/// Where the nodes stand, and what was seen on the way.
struct Found {
  std::span<Row> rows;
  FoundRows seen;
  bool as_they_are = true;  // the store keeps all locals as they are
};

/// What is wrong with the first that is wrong.
[[gnu::cold]] Result<void> first_error(const HierarchyStore& store, std::span<const Id> ids,
                                       std::span<const LocalTransform> locals) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    JUXTA_TRY(row_of(store, ids[i], i));
    JUXTA_TRY(checked(locals[i], ids[i], i));
  }
  return {};
}

/// False: a node is dead, or a transform must be refused.
bool find(const HierarchyStore& store, std::span<const Id> ids, std::span<const LocalTransform> locals,
          Row before, Found& found) {
  const SlotTable slots = slots_of(store);
  std::array<std::uint16_t, kChecked / kBulk> masks;
  for (std::size_t first = 0; first < ids.size(); first += kChecked) {
    const std::size_t count = std::min(kChecked, ids.size() - first);
    const FoundRows seen =
        find_rows(slots, ids.subspan(first, count), ids.size() - first - count, before, &found.rows[first]);
    if (!seen.alive) {
      return false;
    }
    found.seen.changes += seen.changes;
    found.seen.ascending = found.seen.ascending && seen.ascending;
    before = found.rows[first + count - 1];
    if (!find_unfit(locals.subspan(first, count), masks.data())) {
      continue;
    }
    found.as_they_are = false;
    for (std::size_t i = 0; i < count; ++i) {
      if ((masks[i / kBulk] >> i % kBulk & 1) != 0 && !checked(locals[first + i], {})) {
        return false;
      }
    }
  }
  return true;
}

/// The same on all threads.
bool find(const HierarchyStore& store, std::span<const Id> ids, std::span<const LocalTransform> locals,
          const Executor& executor, Found& found) {
  std::atomic<bool> fine = true, as_they_are = true, ascending = true;
  std::atomic<std::size_t> changes = 0;
  executor.parallel_for(ids.size(), kManyOnThreads / 2, [&](std::size_t first, std::size_t last) {
    const std::size_t count = last - first;
    Found part{found.rows.subspan(first, count), {}, true};
    Row before = kNoRow;
    if (first != 0 && store.alive(ids[first - 1])) {
      before = store.slots[ids[first - 1].slot].row;
    }
    if (!find(store, ids.subspan(first, count), locals.subspan(first, count), before, part)) {
      fine.store(false, std::memory_order_relaxed);
      return;
    }
    if (!part.as_they_are) {
      as_they_are.store(false, std::memory_order_relaxed);
    }
    if (!part.seen.ascending) {
      ascending.store(false, std::memory_order_relaxed);
    }
    changes.fetch_add(part.seen.changes, std::memory_order_relaxed);
  });
  found.as_they_are = as_they_are;
  found.seen = {fine, ascending, changes};
  return fine;
}

class Writer {
 public:
  Writer(HierarchyStore& store, std::span<const LocalTransform> locals, const Found& found)
      : store_(store),
        tiles_(store.tiles.data()),
        locals_(locals),
        found_(found),
        rows_(found.rows),
        streamed_(locals.size() >= kStreamed) {}

  /// In the order of the call.
  void in_order() {
    write(0, rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (i == 0 || rows_[i] / kTileRows != rows_[i - 1] / kTileRows) {
        store_.mark_tile(rows_[i] / kTileRows);
      }
    }
  }

  /// Most nodes stand in the tile of the node before them. A task writes all rows of its tiles, in the order
  /// of the call.
  void by_tile(const Executor* executor) {
    const std::span<Run> runs = store_.scratch.take<Run>(found_.seen.changes + 1);
    std::size_t count = 0;
    for (std::size_t i = 0; i < rows_.size(); ++count) {
      const std::size_t end = end_of_tile(rows_, i);
      runs[count] = {rows_[i] / kTileRows, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(end)};
      store_.mark_tile(runs[count].tile);
      i = end;
    }
    if (executor != nullptr && !found_.seen.ascending) {
      std::ranges::sort(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(count), {},
                        [](const Run& run) { return std::pair(run.tile, run.first); });
    }
    executor_or_serial(executor).parallel_for(count, 4, [&](std::size_t first, std::size_t last) {
      // Where runs are sorted, a tile belongs to the task in which it begins.
      const auto goes_on = [&](std::size_t i) {
        return executor != nullptr && i < count && i != 0 && runs[i].tile == runs[i - 1].tile;
      };
      while (first < last && goes_on(first)) {
        ++first;
      }
      if (found_.seen.ascending) {  // from the end, which the checks have left in the cache
        for (std::size_t i = first; i < last; ++i) {
          write_run(runs[count - 1 - i].first, runs[count - 1 - i].last);
        }
        return;
      }
      for (std::size_t i = first; first < last && (i < last || goes_on(i)); ++i) {
        write_run(runs[i].first, runs[i].last);
      }
    });
  }

  /// A few tiles after the other.
  void by_bucket(const Executor* executor) {
    const Buckets buckets(rows_, store_.tiles.size() * kTileRows, executor, store_.scratch);
    executor_or_serial(executor).parallel_for(buckets.size(), 4, [&](std::size_t first, std::size_t last) {
      for (std::size_t bucket = first; bucket < last; ++bucket) {
        write_bucket(buckets, bucket);
      }
    });
    for (std::size_t bucket = 0; bucket < buckets.size(); ++bucket) {
      mark_tiles(buckets, bucket);
    }
  }

 private:
  /// Rows of one tile, by their places in the call.
  struct Run {
    std::uint32_t tile, first, last;
  };

  void write(std::size_t first, std::size_t last) {
    if (found_.as_they_are) {
      put_locals(tiles_, rows_.subspan(first, last - first), &locals_[first], streamed_);
      return;
    }
    std::array<LocalTransform, kChecked> kept;
    for (; first < last; first += kChecked) {
      const std::size_t count = std::min(kChecked, last - first);
      for (std::size_t i = 0; i < count; ++i) {
        kept[i] = kept_of(first + i);
      }
      put_locals(tiles_, rows_.subspan(first, count), kept.data(), false);
    }
  }
  [[nodiscard]] LocalTransform kept_of(std::size_t i) const {
    return found_.as_they_are || kept_as_it_is(locals_[i]) ? locals_[i] : *checked(locals_[i], {});
  }

  /// Of one tile. Rows in no order (as in the order in which instances were made) would be written number by
  /// number: in a tile of lanes whole groups are, from wherever their rows come.
  void write_run(std::size_t first, std::size_t last) {
    const std::span<const Row> rows = rows_.subspan(first, last - first);
    if (!found_.as_they_are || !tiles_[rows[0] / kTileRows]->lanes || !is_scattered(rows)) {
      write(first, last);
      return;
    }
    std::array<std::uint32_t, kTileRows> which;
    which.fill(kNone);
    for (std::size_t i = 0; i < rows.size(); ++i) {  // of a node that is named twice the last counts
      core_detail::prefetch_line(&locals_[first + i]);
      which[rows[i] % kTileRows] = static_cast<std::uint32_t>(first + i);
    }
    put_chosen(tiles_, rows[0] / kTileRows * kTileRows, which, locals_.data(), streamed_);
  }

  void write_bucket(const Buckets& buckets, std::size_t bucket) {
    const std::span<const RowPair> pairs = buckets[bucket];
    if (buckets.small() && pairs.size() >= kDense && found_.as_they_are) {
      std::array<std::uint32_t, Buckets::kRows> which;
      which.fill(kNone);
      const Row begin = buckets.first_row(bucket);
      for (const RowPair& pair : pairs) {  // of a node that is named twice the last counts
        core_detail::prefetch_line(&locals_[pair.place]);
        which[pair.row - begin] = pair.place;
      }
      put_chosen(tiles_, begin, which, locals_.data(), streamed_);
      return;
    }
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (i + kAhead < pairs.size()) {
        const RowPair& next = pairs[i + kAhead];
        core_detail::prefetch_line(&locals_[next.place]);
        prefetch_row(*tiles_[next.row / kTileRows], next.row % kTileRows);
      }
      Tile& tile = *tiles_[pairs[i].row / kTileRows];
      tile.put_local(pairs[i].row % kTileRows, kept_of(pairs[i].place));
      mark_row(tile, pairs[i].row % kTileRows);
    }
  }
  void mark_tiles(const Buckets& buckets, std::size_t bucket) {
    const std::span<const RowPair> pairs = buckets[bucket];
    if (pairs.size() < kDense) {
      for (const RowPair& pair : pairs) {
        store_.mark_tile(pair.row / kTileRows);
      }
      return;
    }
    const std::uint32_t first = buckets.first_row(bucket) / kTileRows;
    const auto last =
        std::min(first + buckets.rows() / kTileRows, static_cast<std::uint32_t>(store_.tiles.size()));
    for (std::uint32_t number = first; number < last; ++number) {
      if (tiles_[number] != nullptr && tiles_[number]->pending.any()) {
        store_.mark_tile(number);
      }
    }
  }

  HierarchyStore& store_;
  Tile* const* tiles_;
  std::span<const LocalTransform> locals_;
  const Found& found_;
  std::span<const Row> rows_;
  bool streamed_;
};

}  // namespace
}  // namespace transform_detail

using transform_detail::Row;

Result<void> Hierarchy::set_local(std::span<const Id> ids, std::span<const LocalTransform> locals,
                                  const Context& context) {
  store_->known.forget();
  if (ids.size() != locals.size()) {
    return fail(ErrorCode::kInvalidArgument, "set_local: locals is not as long as ids");
  }
  if (ids.empty()) {
    return {};
  }
  const bool many = ids.size() >= (context.executor == nullptr ? transform_detail::kMany
                                                               : transform_detail::kManyOnThreads);
  const Executor* const executor = many ? context.executor : nullptr;
  const Workspace::Scope scope(store_->scratch);
  transform_detail::read_ahead(transform_detail::slots_of(*store_), ids);
  transform_detail::Found found{store_->scratch.take<Row>(ids.size()), {}, true};
  if (!(executor != nullptr
            ? transform_detail::find(*store_, ids, locals, *executor, found)
            : transform_detail::find(*store_, ids, locals, transform_detail::kNoRow, found))) {
    return transform_detail::first_error(*store_, ids, locals);
  }
  transform_detail::Writer writer(*store_, locals, found);
  if (!many) {
    writer.in_order();
  } else if (found.seen.ascending || found.seen.changes < ids.size() / 16) {
    writer.by_tile(executor);
  } else {
    writer.by_bucket(executor);
  }
  return {};
}

}  // namespace juxta
