// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Boids of other ranks that ours see: positions and pulls of whole rows of cells, in their places.
#include <algorithm>
#include <cstring>
#include <utility>

#include "agents/flock_ranks.h"
#include "juxta/core/try.h"

namespace juxta::agents_detail {
namespace {

/// The columns that others read.
std::vector<float*> seen_columns(FlockStore& store) {
  std::vector<float*> columns;
  for (std::uint32_t a = 0; a < store.options.dimensions; ++a) {
    columns.push_back(store.sorted.position[a].data());
    columns.push_back(store.pull[a].data());
  }
  return columns;
}

Result<void> carry_boid_counts(FlockStore& store) {
  std::vector<RankSend> sends;
  std::vector<RankReceive> receives;
  for (FlockNeighbour& neighbour : store.ranks->neighbours) {
    neighbour.going.clear();
    for (const RowRange& rows : neighbour.ours) {
      neighbour.going.push_back(
          static_cast<std::uint32_t>(begin_of_row(store, rows.last) - begin_of_row(store, rows.first)));
    }
    neighbour.coming.resize(neighbour.wanted.size());
    sends.push_back({neighbour.rank, std::as_bytes(std::span(neighbour.going))});
    receives.push_back({neighbour.rank, std::as_writable_bytes(std::span(neighbour.coming))});
  }
  JUXTA_TRY(store.ranks->ranks.start(sends, receives));
  return store.ranks->ranks.finish();
}

std::size_t boids_in(const std::vector<std::uint32_t>& counts) noexcept {
  std::size_t all = 0;
  for (const std::uint32_t count : counts) {
    all += count;
  }
  return all;
}

void pack_seen(FlockStore& store, FlockNeighbour& neighbour) {
  const std::vector<float*> columns = seen_columns(store);
  neighbour.sent.resize(boids_in(neighbour.going) * columns.size());
  float* out = neighbour.sent.data();
  for (const float* column : columns) {
    for (std::size_t i = 0; i < neighbour.ours.size(); ++i) {
      out = std::copy_n(column + begin_of_row(store, neighbour.ours[i].first), neighbour.going[i], out);
    }
  }
}

/// Boids that came, in `sorted` from `row` on.
void unpack_seen(FlockStore& store, const FlockNeighbour& neighbour, std::size_t row) {
  const std::vector<float*> columns = seen_columns(store);
  const std::size_t boids = boids_in(neighbour.coming);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::copy_n(neighbour.received.data() + c * boids, boids, columns[c] + row);
  }
}

/// The directory of rows of cells whose boids stand from `row` on, in order.
void fill_row_begins(FlockStore& store, RowRange rows, std::size_t row, std::size_t boids) {
  const Grid& grid = store.directory.grid;
  const std::size_t width = grid.axis[0].cells;
  std::uint32_t* const begins = store.directory.begins.data();
  std::size_t cell = rows.first * width;
  for (const std::size_t end = row + boids; row < end; ++row) {
    std::array<std::uint32_t, 3> at{};
    for (std::uint32_t a = 0; a < grid.dimensions; ++a) {
      at[a] = grid.axis[a].cell(store.sorted.position[a][row]);
    }
    for (const std::uint32_t last = grid.index(at); cell <= last; ++cell) {
      begins[cell] = static_cast<std::uint32_t>(row);
    }
  }
  std::fill(begins + cell, begins + rows.last * width + 1, static_cast<std::uint32_t>(row));
}

void resize_seen(FlockStore& store, std::size_t rows) {
  for (std::uint32_t a = 0; a < store.options.dimensions; ++a) {
    store.sorted.position[a].resize(rows);
    store.pull[a].resize(rows);
  }
}

}  // namespace

Result<void> start_halo(FlockStore& store) {
  FlockRanks& over = *store.ranks;
  JUXTA_TRY(carry_boid_counts(store));
  std::vector<RankSend> sends;
  std::vector<RankReceive> receives;
  std::size_t before = 0, after = 0;
  for (FlockNeighbour& neighbour : over.neighbours) {
    pack_seen(store, neighbour);
    neighbour.received.resize(boids_in(neighbour.coming) * 2 * store.options.dimensions);
    if (!neighbour.sent.empty()) {
      sends.push_back({neighbour.rank, std::as_bytes(std::span(neighbour.sent))});
    }
    if (!neighbour.received.empty()) {
      receives.push_back({neighbour.rank, std::as_writable_bytes(std::span(neighbour.received))});
    }
    (neighbour.rank < over.ranks.rank() ? before : after) += boids_in(neighbour.coming);
  }
  const std::size_t first = store.first;
  make_room(store, before);
  if (const auto further = static_cast<std::uint32_t>(store.first - first); further != 0) {
    const std::size_t width = store.directory.grid.axis[0].cells;
    for (std::size_t cell = over.own().first * width; cell <= over.own().last * width; ++cell) {
      store.directory.begins[cell] += further;
    }
  }
  resize_seen(store, store.first + store.count + after);
  return over.ranks.start(sends, receives);
}

Result<void> finish_halo(FlockStore& store) {
  FlockRanks& over = *store.ranks;
  JUXTA_TRY(over.ranks.finish());
  std::size_t before = 0;
  for (const FlockNeighbour& neighbour : over.neighbours) {
    before += neighbour.rank < over.ranks.rank() ? boids_in(neighbour.coming) : 0;
  }
  std::size_t lower = store.first - before, higher = store.first + store.count;
  for (const FlockNeighbour& neighbour : over.neighbours) {
    std::size_t& row = neighbour.rank < over.ranks.rank() ? lower : higher;
    unpack_seen(store, neighbour, row);
    for (std::size_t i = 0; i < neighbour.wanted.size(); ++i) {
      fill_row_begins(store, neighbour.wanted[i], row, neighbour.coming[i]);
      row += neighbour.coming[i];
    }
  }
  return {};
}

Result<void> step_over_ranks(FlockStore& store, const Executor& executor) {
  JUXTA_TRY(balance_flock(store));
  FlockRanks& over = *store.ranks;
  const RowRange own = over.own();
  const std::size_t width = store.directory.grid.axis[0].cells;
  const CellWindow window{own.first * width, own.last * width};
  store.directory.begins.resize_discard(store.cells() +
                                        2);  // memory of rows that are elsewhere stays untouched
  over.has_stepped = true;
  JUXTA_TRY_LET(const FlockSequence all, migrate_boids(store, window, executor));
  const std::size_t most = store.first + all.count;
  store.resize_sorted(most);
  if (all.count != 0) {
    sort_flock(store, all.begin, window, over.cells.span().subspan(all.begin, all.count), executor);
  } else {
    store.count = 0;
    std::fill_n(store.directory.begins.begin() + window.first, window.last - window.first + 1,
                static_cast<std::uint32_t>(store.first));
  }
  JUXTA_TRY(start_halo(store));
  store.now.resize_discard(store.first + store.count, store.options.dimensions);
  const std::size_t from = begin_of_row(store, over.inner.first), to = begin_of_row(store, over.inner.last),
                    end = store.first + store.count;
  move_flock(store, from, to, executor);
  JUXTA_TRY(finish_halo(store));
  move_flock(store, store.first, from, executor);
  move_flock(store, to, end, executor);
  std::swap(store.now.number, store.sorted.number);
  return {};
}

}  // namespace juxta::agents_detail
