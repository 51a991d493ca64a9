// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Boids of other ranks that ours see: positions and pulls of whole rows of cells, behind our own.
#include <algorithm>
#include <array>

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

/// Of a range of our rows.
std::size_t first_boid(const FlockStore& store, const RowRange& rows) {
  return begin_of_place(store, store.ranks->places[rows.first]);
}
std::size_t boid_behind(const FlockStore& store, const RowRange& rows) {
  return begin_of_place(store, store.ranks->places[rows.last - 1] + 1);
}

Result<void> carry_boid_counts(FlockStore& store) {
  std::vector<RankSend> sends;
  std::vector<RankReceive> receives;
  for (FlockNeighbour& neighbour : store.ranks->neighbours) {
    neighbour.going.clear();
    for (const RowRange& rows : neighbour.ours) {
      neighbour.going.push_back(
          static_cast<std::uint32_t>(boid_behind(store, rows) - first_boid(store, rows)));
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
      out = std::copy_n(column + first_boid(store, neighbour.ours[i]), neighbour.going[i], out);
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
  const FlockRanks& over = *store.ranks;
  const Grid& grid = store.directory.grid;
  const std::size_t pitch = over.pitch(store), first = over.places[rows.first] * pitch;
  std::uint32_t* const begins = store.directory.begins.data();
  std::size_t cell = first;
  for (const std::size_t end = row + boids; row < end; ++row) {
    std::array<std::uint32_t, 3> at{};
    for (std::uint32_t a = 0; a < grid.dimensions; ++a) {
      at[a] = grid.axis[a].cell(store.sorted.position[a][row]);
    }
    const std::uint32_t row_of_cells = at[2] * grid.axis[1].cells + at[1];
    for (const std::size_t last = first + (row_of_cells - rows.first) * pitch + at[0]; cell <= last; ++cell) {
      begins[cell] = static_cast<std::uint32_t>(row);
    }
  }
  std::fill(begins + cell, begins + first + (rows.last - rows.first) * pitch,
            static_cast<std::uint32_t>(row));
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
  std::size_t seen = 0;
  for (FlockNeighbour& neighbour : over.neighbours) {
    pack_seen(store, neighbour);
    neighbour.received.resize(boids_in(neighbour.coming) * 2 * store.options.dimensions);
    if (!neighbour.sent.empty()) {
      sends.push_back({neighbour.rank, std::as_bytes(std::span(neighbour.sent))});
    }
    if (!neighbour.received.empty()) {
      receives.push_back({neighbour.rank, std::as_writable_bytes(std::span(neighbour.received))});
    }
    seen += boids_in(neighbour.coming);
  }
  resize_seen(store, store.count + seen);
  return over.ranks.start(sends, receives);
}

Result<void> finish_halo(FlockStore& store) {
  FlockRanks& over = *store.ranks;
  JUXTA_TRY(over.ranks.finish());
  std::size_t row = store.count;
  for (const FlockNeighbour& neighbour : over.neighbours) {
    unpack_seen(store, neighbour, row);
    for (std::size_t i = 0; i < neighbour.wanted.size(); ++i) {
      fill_row_begins(store, neighbour.wanted[i], row, neighbour.coming[i]);
      row += neighbour.coming[i];
    }
  }
  return {};
}

}  // namespace juxta::agents_detail
