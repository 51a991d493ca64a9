// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Boids that go to other ranks.
//
//   `now`    free | arrivals of lower ranks | who was here | arrivals of higher ranks
//
// That is the order of one machine: rows of cells of the last step, rank after rank. Those who left are still
// among who was here; their cell is none of ours, and the sort leaves them out.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "agents/flock_ranks.h"
#include "juxta/core/try.h"

namespace juxta::agents_detail {
namespace {

using BoidRows = std::vector<std::uint32_t>;

/// Position, velocity and number: columns of four bytes.
std::vector<std::byte*> boid_columns(FlockColumns& columns, std::uint32_t dimensions) {
  std::vector<std::byte*> all;
  for (std::uint32_t a = 0; a < dimensions; ++a) {
    all.push_back(reinterpret_cast<std::byte*>(columns.position[a].data()));
    all.push_back(reinterpret_cast<std::byte*>(columns.velocity[a].data()));
  }
  all.push_back(reinterpret_cast<std::byte*>(columns.number.data()));
  return all;
}

constexpr std::size_t kValueBytes = 4;  // of a value

std::vector<std::byte> packed_boids(const std::vector<std::byte*>& columns, const BoidRows& rows) {
  std::vector<std::byte> bytes(rows.size() * columns.size() * kValueBytes);
  std::byte* out = bytes.data();
  for (const std::byte* column : columns) {
    for (const std::uint32_t row : rows) {
      std::memcpy(out, column + row * kValueBytes, kValueBytes);
      out += kValueBytes;
    }
  }
  return bytes;
}

void unpack_boids(const std::vector<std::byte>& bytes, const std::vector<std::byte*>& columns,
                  std::size_t row) {
  const std::size_t column_bytes = bytes.size() / columns.size();
  for (std::size_t c = 0; c < columns.size() && column_bytes != 0; ++c) {
    std::memcpy(columns[c] + row * kValueBytes, bytes.data() + c * column_bytes, column_bytes);
  }
}

/// Rows of `now` whose boids belong to other ranks, by rank.
std::vector<BoidRows> find_leavers(const FlockStore& store, CellWindow window) {
  const FlockRanks& over = *store.ranks;
  std::vector<BoidRows> leavers(over.ranks.size());
  const auto outside = static_cast<std::uint32_t>(window.last - window.first);
  for (std::size_t row = store.first; row < store.first + store.count; ++row) {
    if (over.cells[row] == outside) {
      leavers[over.owner(row_of_boid(store, store.now, row))].push_back(static_cast<std::uint32_t>(row));
    }
  }
  return leavers;
}

void resize_now(FlockColumns& columns, std::size_t rows, std::uint32_t dimensions) {
  for (std::uint32_t a = 0; a < dimensions; ++a) {
    columns.position[a].resize(rows);
    columns.velocity[a].resize(rows);
  }
  columns.number.resize(rows);
}

}  // namespace

Result<FlockSequence> migrate_boids(FlockStore& store, CellWindow window, const Executor& executor) {
  FlockRanks& over = *store.ranks;
  Ranks& ranks = over.ranks;
  const std::uint32_t dimensions = store.options.dimensions;
  over.cells.resize_discard(store.first + store.count);
  find_flock_cells(store, store.first, window, over.cells.span().subspan(store.first), executor);
  const std::vector<BoidRows> leavers = find_leavers(store, window);
  std::vector<std::uint64_t> going(ranks.size()), coming(ranks.size());
  std::transform(leavers.begin(), leavers.end(), going.begin(),
                 [](const BoidRows& rows) { return rows.size(); });
  JUXTA_TRY(ranks.swap(going, coming));
  std::vector<std::vector<std::byte>> sent(ranks.size()), received(ranks.size());
  std::vector<RankSend> sends;
  std::vector<RankReceive> receives;
  std::size_t before = 0, after = 0;
  // A rank without boids takes all arrivals behind: its first boids come at once, and before the own ones
  // they would need a second half of every column.
  const std::uint32_t lower_ranks = store.count == 0 ? 0 : ranks.rank();
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    if (going[r] != 0) {
      sent[r] = packed_boids(boid_columns(store.now, dimensions), leavers[r]);
      sends.push_back({r, sent[r]});
    }
    if (coming[r] != 0) {
      received[r].resize(coming[r] * (2 * dimensions + 1) * kValueBytes);
      receives.push_back({r, received[r]});
    }
    (r < lower_ranks ? before : after) += coming[r];
  }
  JUXTA_TRY(ranks.start(sends, receives));
  make_room(store, before);
  const std::size_t end = store.first + store.count;
  resize_now(store.now, end + after, dimensions);
  over.cells.resize(end + after);
  JUXTA_TRY(ranks.finish());
  const std::vector<std::byte*> columns = boid_columns(store.now, dimensions);
  std::size_t lower = store.first - before, higher = end;
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    std::size_t& row = r < lower_ranks ? lower : higher;
    unpack_boids(received[r], columns, row);
    row += coming[r];
  }
  const std::span<std::uint32_t> cells = over.cells.span();
  find_flock_cells(store, store.first - before, window, cells.subspan(store.first - before, before),
                   executor);
  find_flock_cells(store, end, window, cells.subspan(end, after), executor);
  return FlockSequence{store.first - before, before + store.count + after};
}

}  // namespace juxta::agents_detail
