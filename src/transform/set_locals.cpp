// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Many local transforms at once: all are looked at first, so that all are written or none.
#include <algorithm>
#include <atomic>
#include <numeric>

#include "juxta/core/try.h"
#include "juxta/order/radix_sort.h"
#include "juxta/transform/hierarchy.h"
#include "transform/write_rows.h"

namespace juxta {

using transform_detail::HierarchyStore;
using transform_detail::kAhead;
using transform_detail::kept_as_it_is;
using transform_detail::kTileRows;
using transform_detail::Row;
using transform_detail::Tile;

namespace {

constexpr std::size_t kMany = 8192;  // below, neither sorting nor threads are worth their beginning

/// rows[i] = where ids[i] stands, or what is wrong with the first that is wrong. Otherwise: whether the store
/// keeps all locals as they are.
Result<bool> find_checked(const HierarchyStore& store, std::span<const Id> ids,
                          std::span<const LocalTransform> locals, std::span<Row> rows) {
  bool as_they_are = true;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    transform_detail::prefetch_slot(store, ids, i + kAhead);
    if (!store.alive(ids[i])) {
      return tl::unexpected(row_of(store, ids[i], i).error());
    }
    if (!kept_as_it_is(locals[i])) {
      as_they_are = false;
      JUXTA_TRY(transform_detail::checked(locals[i], ids[i], i));
    }
    rows[i] = store.slots[ids[i].slot].row;
  }
  return as_they_are;
}

/// The same on all threads; the lowest index is found by looking again.
Result<bool> find_checked(const HierarchyStore& store, std::span<const Id> ids,
                          std::span<const LocalTransform> locals, std::span<Row> rows,
                          const Executor& executor) {
  std::atomic<bool> fine = true, as_they_are = true;
  executor.parallel_for(ids.size(), kMany / 2, [&](std::size_t first, std::size_t last) {
    const std::size_t count = last - first;
    const Result<bool> found = find_checked(store, ids.subspan(first, count), locals.subspan(first, count),
                                            rows.subspan(first, count));
    if (!found) {
      fine.store(false, std::memory_order_relaxed);
    } else if (!*found) {
      as_they_are.store(false, std::memory_order_relaxed);
    }
  });
  return fine.load(std::memory_order_relaxed) ? Result<bool>(as_they_are.load(std::memory_order_relaxed))
                                              : find_checked(store, ids, locals, rows);
}

void write(HierarchyStore& store, Row row, const LocalTransform& local, bool as_it_is) {
  Tile& tile = store.tile_of(row);
  tile.put_local(row % kTileRows,
                 as_it_is || kept_as_it_is(local) ? local : *transform_detail::checked(local, {}));
  transform_detail::mark_row(tile, row % kTileRows);
}

/// In the order of the call.
void write_few(HierarchyStore& store, std::span<const Row> rows, std::span<const LocalTransform> locals,
               bool as_they_are) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i + kAhead < rows.size()) {
      transform_detail::prefetch_row(store, rows[i + kAhead]);
    }
    write(store, rows[i], locals[i], as_they_are);
    store.mark_tile(rows[i] / kTileRows);
  }
}

/// Most nodes stand in the tile of the node before them, as when they are named in the order in which prefabs
/// made them: that tile is in the cache, and sorting would cost more than it saves.
bool mostly_by_tile(std::span<const Row> rows) noexcept {
  std::size_t changes = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    changes += rows[i] / kTileRows != rows[i - 1] / kTileRows ? 1 : 0;
  }
  return changes < rows.size() / 16;
}

/// In the order of memory: to sort the rows costs less than to write each where nothing is in the cache.
/// Stably, so that a node that is named twice has what was said last. A task writes the tiles that begin in
/// its range.
Result<void> write_many(HierarchyStore& store, std::span<Row> rows, std::span<const LocalTransform> locals,
                        bool as_they_are, const Executor* executor) {
  const std::span<std::uint32_t> order = store.scratch.take<std::uint32_t>(rows.size());
  std::iota(order.begin(), order.end(), 0U);
  if (!std::is_sorted(rows.begin(), rows.end())) {
    JUXTA_TRY(sort_pairs(rows, order, {.executor = executor, .workspace = &store.scratch}));
  }
  const auto tile_begins = [&](std::size_t i) {
    return i == 0 || rows[i] / kTileRows != rows[i - 1] / kTileRows;
  };
  executor_or_serial(executor).parallel_for(rows.size(), kMany / 2, [&](std::size_t first, std::size_t last) {
    while (first < last && !tile_begins(first)) {
      ++first;
    }
    for (std::size_t i = first; i < rows.size() && (i < last || !tile_begins(i)) && first < last; ++i) {
      if (i + kAhead < rows.size()) {
        core_detail::prefetch_line(&locals[order[i + kAhead]]);
      }
      write(store, rows[i], locals[order[i]], as_they_are);
    }
  });
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (tile_begins(i)) {
      store.mark_tile(rows[i] / kTileRows);
    }
  }
  return {};
}

}  // namespace

Result<void> Hierarchy::set_local(std::span<const Id> ids, std::span<const LocalTransform> locals,
                                  const Context& context) {
  const Executor* const executor = context.executor;
  store_->known.forget();
  if (ids.size() != locals.size()) {
    return fail(ErrorCode::kInvalidArgument, "set_local: locals is not as long as ids");
  }
  const Workspace::Scope scope(store_->scratch);
  const std::span<Row> rows = store_->scratch.take<Row>(ids.size());
  const bool many = ids.size() >= kMany;
  JUXTA_TRY_LET(const auto as_they_are, many&& executor != nullptr
                                            ? find_checked(*store_, ids, locals, rows, *executor)
                                            : find_checked(*store_, ids, locals, rows));
  if (many && (executor != nullptr || !mostly_by_tile(rows))) {
    return write_many(*store_, rows, locals, as_they_are, executor);
  }
  write_few(*store_, rows, locals, as_they_are);
  return {};
}

}  // namespace juxta
