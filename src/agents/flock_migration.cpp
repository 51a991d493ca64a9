// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Boids that go to other ranks.
//
//   `now`    | who was here | arrivals, rank after rank |
//
// Those who left are still among who was here; their cell is none of ours, and the sort leaves them out.
//
// On one machine, boids of a cell stand in the order of the rows of cells that they come from. A sort keeps
// that order for who was here, but arrivals belong between them: each carries its row, and the cells that
// have arrivals are put in order once more.
#include <algorithm>
#include <cstring>
#include <utility>

#include "agents/flock_ranks.h"
#include "juxta/core/try.h"

namespace juxta::agents_detail {
namespace {

/// Boids of `now` that belong to another rank, and their keys.
struct Leavers {
  std::vector<std::uint32_t> rows, keys;
};

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

/// Column after column, then the keys.
std::vector<std::byte> packed_boids(const std::vector<std::byte*>& columns, const Leavers& leavers) {
  std::vector<std::byte> bytes(leavers.rows.size() * (columns.size() + 1) * kBoidValueBytes);
  std::byte* out = bytes.data();
  for (const std::byte* column : columns) {
    for (const std::uint32_t row : leavers.rows) {
      std::memcpy(out, column + row * kBoidValueBytes, kBoidValueBytes);
      out += kBoidValueBytes;
    }
  }
  std::memcpy(out, leavers.keys.data(), leavers.keys.size() * kBoidValueBytes);
  return bytes;
}

void unpack_boids(const std::vector<std::byte>& bytes, const std::vector<std::byte*>& columns,
                  std::size_t row, std::vector<std::uint32_t>& keys) {
  const std::size_t boids = bytes.size() / ((columns.size() + 1) * kBoidValueBytes), at = keys.size();
  if (boids == 0) {
    return;
  }
  const std::size_t column_bytes = boids * kBoidValueBytes;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::memcpy(columns[c] + row * kBoidValueBytes, bytes.data() + c * column_bytes, column_bytes);
  }
  keys.resize(at + boids);
  std::memcpy(keys.data() + at, bytes.data() + columns.size() * column_bytes, column_bytes);
}

/// By the rank that they go to.
std::vector<Leavers> find_leavers(const FlockStore& store) {
  const FlockRanks& over = *store.ranks;
  std::vector<Leavers> all(over.ranks.size());
  const std::size_t outside = over.own_cells(store);
  for (std::size_t boid = 0; boid < store.count; ++boid) {
    if (over.cells[boid] == outside) {
      Leavers& leavers = all[over.cuts.owner(row_of_boid(store, boid))];
      leavers.rows.push_back(static_cast<std::uint32_t>(boid));
      leavers.keys.push_back(over.origins.key_of(boid));
    }
  }
  return all;
}

}  // namespace

std::uint32_t FlockOrigins::key_of(std::size_t boid) const noexcept {
  return keys[static_cast<std::size_t>(std::upper_bound(begins.begin(), begins.end(), boid) - begins.begin() -
                                       1)];
}

std::size_t FlockRanks::memory_bytes() const noexcept {
  std::size_t bytes = cells.memory_bytes();
  for (const auto* numbers : {&rows, &places, &arrived, &origins.keys, &origins.begins}) {
    bytes += numbers->capacity() * sizeof(std::uint32_t);
  }
  for (const FlockNeighbour& neighbour : neighbours) {
    bytes += (neighbour.sent.capacity() + neighbour.received.capacity()) * sizeof(float);
  }
  return bytes;
}

Result<std::size_t> migrate_boids(FlockStore& store, const Executor& executor) {
  FlockRanks& over = *store.ranks;
  Ranks& ranks = over.ranks;
  const std::size_t here = store.count;
  over.cells.resize_discard(here);
  find_flock_cells(store, 0, over.cells.span(), executor);
  const std::vector<Leavers> leavers = find_leavers(store);
  std::vector<std::uint64_t> going(ranks.size()), coming(ranks.size());
  std::transform(leavers.begin(), leavers.end(), going.begin(),
                 [](const Leavers& those) { return those.rows.size(); });
  JUXTA_TRY(ranks.swap(going, coming));
  const std::vector<std::byte*> from = boid_columns(store.now, store.options.dimensions);
  std::vector<std::vector<std::byte>> sent(ranks.size()), received(ranks.size());
  std::vector<RankSend> sends;
  std::vector<RankReceive> receives;
  std::size_t all = here;
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    if (going[r] != 0) {
      sent[r] = packed_boids(from, leavers[r]);
      sends.push_back({r, sent[r]});
    }
    if (coming[r] != 0) {
      received[r].resize(coming[r] * (from.size() + 1) * kBoidValueBytes);
      receives.push_back({r, received[r]});
    }
    all += coming[r];
  }
  JUXTA_TRY(ranks.start(sends, receives));
  store.now.resize(all, store.options.dimensions);
  over.cells.resize(all);
  over.arrived.clear();
  JUXTA_TRY(ranks.finish());
  const std::vector<std::byte*> to = boid_columns(store.now, store.options.dimensions);
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    unpack_boids(received[r], to, here + over.arrived.size(), over.arrived);
  }
  find_flock_cells(store, here, over.cells.span().subspan(here), executor);
  return all;
}

void place_arrivals(const FlockStore& store, std::span<std::uint32_t> order) {
  const FlockRanks& over = *store.ranks;
  const std::size_t here = over.cells.size() - over.arrived.size();
  std::vector<std::uint32_t> cells(over.cells.begin() + here, over.cells.end());
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> boids;  // key, boid
  for (const std::uint32_t cell : cells) {
    const std::uint32_t begin = store.directory.begins[cell], end = store.directory.begins[cell + 1];
    boids.clear();
    for (const std::uint32_t boid : order.subspan(begin, end - begin)) {
      boids.emplace_back(boid < here ? over.origins.key_of(boid) : over.arrived[boid - here], boid);
    }
    std::sort(boids.begin(), boids.end());
    std::transform(boids.begin(), boids.end(), order.begin() + begin,
                   [](const auto& each) { return each.second; });
  }
}

}  // namespace juxta::agents_detail
