// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
//   Ids in the order of memory     groups of eight rows go straight to the output
//   in the order of creation       a tile of lanes goes to rows in the cache, and these are copied
//   in any order, many             the same for each bucket of tiles (by_bucket.h)
//   in any order, few              one by one, asked for ahead of time
#include "transform/read_stored.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/mutex.h"
#include "juxta/core/try.h"
#include "transform/bulk_rows.h"
#include "transform/by_bucket.h"
#include "transform/write_rows.h"

namespace juxta::transform_detail {
namespace {

constexpr std::size_t kFewReads = 1024;          // their rows fit on the stack
constexpr std::size_t kManyReads = 16'384;       // below, buckets are not worth their beginning
constexpr std::size_t kStreamedReads = 400'000;  // so many would leave nothing else in the caches

/// The store's scratch memory, or some of its own while another thread has that.
class ReadScratch {
 public:
  explicit ReadScratch(const HierarchyStore& store)
      : lock_(store.reading, core_detail::kTryToLock),
        workspace_(lock_.owns_lock() ? store.read_scratch : own_),
        scope_(workspace_),
        store_(store) {}
  ~ReadScratch() {
    if (lock_.owns_lock()) {
      store_.read_bytes.store(store_.read_scratch.memory_bytes(), std::memory_order_relaxed);
    }
  }
  [[nodiscard]] Workspace& operator*() noexcept { return workspace_; }

 private:
  core_detail::Lock lock_;
  Workspace own_;
  Workspace& workspace_;
  Workspace::Scope scope_;
  const HierarchyStore& store_;
};

void get(const Tile* const* tiles, std::span<const Row> rows, Qvvs* out, bool streamed) noexcept {
  get_worlds(tiles, rows, out, streamed);
}
void get(const Tile* const* tiles, std::span<const Row> rows, LocalTransform* out, bool streamed) noexcept {
  get_locals(tiles, rows, out, streamed);
}

template <class T>
class StoredReader {
 public:
  StoredReader(const HierarchyStore& store, std::span<const Row> rows, std::span<T> out)
      : store_(store),
        tiles_(store.tiles.data()),
        rows_(rows),
        out_(out),
        streamed_(out.size() >= kStreamedReads) {}

  void in_order() { get(tiles_, rows_, out_.data(), streamed_); }

  /// Most nodes stand in the tile of the node before them.
  void by_tile(Workspace& workspace) {
    const std::span<T> space = workspace.take<T>(kTileRows);
    for (std::size_t first = 0; first < rows_.size();) {
      const std::uint32_t tile = rows_[first] / kTileRows;
      const std::size_t last = end_of_tile(rows_, first);
      const std::span<const Row> rows = rows_.subspan(first, last - first);
      if (tiles_[tile]->lanes && is_scattered(rows)) {
        get_tile(tile, space.data());
        copy_rows(space.data(), rows, &out_[first], streamed_);
      } else {
        get(tiles_, rows, &out_[first], streamed_);
      }
      first = last;
    }
  }

  void by_bucket(Workspace& workspace) {
    const Buckets buckets(rows_, store_.tiles.size() * kTileRows, nullptr, workspace);
    const std::span<T> space = workspace.take<T>(Buckets::kRows);
    for (std::size_t bucket = 0; bucket < buckets.size(); ++bucket) {
      const std::span<const RowPair> pairs = buckets[bucket];
      const Row first = buckets.first_row(bucket);
      const bool all = buckets.small() && pairs.size() >= Buckets::kRows / 4;
      for (std::uint32_t tile = first / kTileRows; all && tile < (first + Buckets::kRows) / kTileRows;
           ++tile) {
        get_tile(tile, &space[tile * kTileRows - first]);
      }
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (i + kAhead < pairs.size()) {
          ask(pairs[i + kAhead], !all);
        }
        if (all) {
          out_[pairs[i].place] = space[pairs[i].row - first];
        } else {
          get_row(*tiles_[pairs[i].row / kTileRows], pairs[i].row % kTileRows, out_[pairs[i].place]);
        }
      }
    }
  }

 private:
  /// The rows of a tile that are in use.
  void get_tile(std::uint32_t number, T* out) {
    if (number >= store_.tiles.size() || tiles_[number] == nullptr) {
      return;
    }
    std::array<Row, kTileRows> rows;
    std::iota(rows.begin(), rows.end(), number * kTileRows);
    get(tiles_, std::span(rows).first(tiles_[number]->used), out, false);
  }
  void ask(const RowPair& pair, bool row) const noexcept {
    const auto* const bytes = reinterpret_cast<const std::byte*>(&out_[pair.place]);
    core_detail::prefetch_line(bytes);
    core_detail::prefetch_line(bytes + sizeof(T) - 1);
    if (row) {
      ask_row(*tiles_[pair.row / kTileRows], pair.row % kTileRows, out_.data());
    }
  }

  const HierarchyStore& store_;
  const Tile* const* tiles_;
  std::span<const Row> rows_;
  std::span<T> out_;
  bool streamed_;
};

template <class T>
Result<void> read(const HierarchyStore& store, std::span<const Id> ids, std::span<T> out) {
  if (ids.size() != out.size()) {
    return fail(ErrorCode::kInvalidArgument, "the output is not as long as ids");
  }
  if (ids.size() <= kFewReads) {
    std::array<Row, kFewReads> space;
    const std::span<Row> rows = std::span(space).first(ids.size());
    JUXTA_TRY(find_all(store, ids, rows));
    StoredReader<T>(store, rows, out).in_order();
    return {};
  }
  ReadScratch scratch(store);
  const std::span<Row> rows = (*scratch).template take<Row>(ids.size());
  JUXTA_TRY_LET(const FoundRows found, find_all(store, ids, rows));
  StoredReader<T> reader(store, rows, out);
  if (found.ascending || found.changes < ids.size() / 16) {
    reader.by_tile(*scratch);
  } else if (ids.size() >= kManyReads && ids.size() >= store.tiles.size() * kTileRows / 8) {
    reader.by_bucket(*scratch);
  } else {
    reader.in_order();
  }
  return {};
}

}  // namespace

Result<void> read_stored(const HierarchyStore& store, std::span<const Id> ids, std::span<Qvvs> out) {
  return read(store, ids, out);
}
Result<void> read_stored(const HierarchyStore& store, std::span<const Id> ids,
                         std::span<LocalTransform> out) {
  return read(store, ids, out);
}

}  // namespace juxta::transform_detail
