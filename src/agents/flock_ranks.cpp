// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/flock_ranks.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <utility>

#include "agents/distribution.h"
#include "juxta/core/try.h"

namespace juxta {
namespace agents_detail {
namespace {

/// Steps from one look at the balance to the next, and how much more than the mean a rank may have to do.
constexpr std::uint64_t kBalanceEvery = 16;
constexpr double kUnbalancedFlock = 1.05;
/// A boid costs as much as so many pairs.
constexpr double kPairsOfBoid = 64;
/// A boid sees so many cells to both sides (flock.cpp).
constexpr std::size_t kCellsSeen = 8;

/// Calls visit(row) for the rows of cells next to one, each at least once, itself too.
template <class Visit>
void visit_rows_around(const FlockStore& store, std::uint32_t row, Visit&& visit) {
  const auto& axis = store.directory.grid.axis;
  const auto around = [&](std::uint32_t c, const GridAxis& on, auto&& go) {
    for (std::uint32_t d = 0; d < 3; ++d) {
      if (on.periodic) {
        go((c + on.cells + d - 1) % on.cells);
      } else if (c + d >= 1 && c + d - 1 < on.cells) {
        go(c + d - 1);
      }
    }
  };
  around(row / axis[1].cells, axis[2], [&](std::uint32_t z) {
    around(row % axis[1].cells, axis[1], [&](std::uint32_t y) { visit(z * axis[1].cells + y); });
  });
}

/// Rows as ranges, ascending.
std::vector<RowRange> row_ranges_of(std::vector<std::uint32_t>& rows) {
  std::sort(rows.begin(), rows.end());
  std::vector<RowRange> ranges;
  for (const std::uint32_t row : rows) {
    if (ranges.empty() || row > ranges.back().last) {
      ranges.push_back({row, row + 1});
    } else {
      ranges.back().last = row + 1;
    }
  }
  return ranges;
}

/// Which rows each neighbour must send. The cuts alone decide, so sender and receiver agree without a
/// message.
void find_flock_neighbours(FlockStore& store) {
  FlockRanks& over = *store.ranks;
  const RowRange own = over.own();
  std::vector<std::vector<std::uint32_t>> wanted(over.ranks.size()), ours(over.ranks.size());
  over.inner = {own.first, own.first};
  RowRange run = over.inner;
  for (std::uint32_t row = own.first; row < own.last; ++row) {
    bool alone = true;
    visit_rows_around(store, row, [&](std::uint32_t near) {
      if (near < own.first || near >= own.last) {
        const std::uint32_t owner = over.owner(near);
        wanted[owner].push_back(near);
        ours[owner].push_back(row);
        alone = false;
      }
    });
    run = alone ? RowRange{run.first, row + 1} : RowRange{row + 1, row + 1};
    if (run.last - run.first > over.inner.last - over.inner.first) {
      over.inner = run;
    }
  }
  over.neighbours.clear();
  for (std::uint32_t r = 0; r < over.ranks.size(); ++r) {
    if (!wanted[r].empty()) {
      over.neighbours.push_back({r, row_ranges_of(wanted[r]), row_ranges_of(ours[r]), {}, {}, {}, {}});
    }
  }
}

/// Cuts that give every rank as much to do.
void cut_flock(FlockStore& store, const std::vector<double>& work) {
  FlockRanks& over = *store.ranks;
  const double total = std::accumulate(work.begin(), work.end(), 0.0);
  over.cuts.assign(1, 0);
  double before = 0;
  for (std::uint32_t row = 0; row < work.size(); ++row) {
    while (over.cuts.size() < over.ranks.size() &&
           before + work[row] / 2 >= total * static_cast<double>(over.cuts.size()) / over.ranks.size()) {
      over.cuts.push_back(row);
    }
    before += work[row];
  }
  over.cuts.resize(std::size_t{over.ranks.size()} + 1, static_cast<std::uint32_t>(work.size()));
  find_flock_neighbours(store);
}

/// What the boids of one of our rows have to do, as pairs.
double work_of_row(const FlockStore& store, std::uint32_t row) noexcept {
  const std::size_t width = store.directory.grid.axis[0].cells;
  const std::uint32_t* const begins = &store.directory.begins[row * width];
  const double rows_seen = store.options.dimensions == 3 ? 9 : 3;
  double pairs = 0;
  for (std::size_t x = 0; x < width; ++x) {
    if (const std::uint32_t boids = begins[x + 1] - begins[x]; boids != 0) {
      const std::uint32_t near =
          begins[std::min(x + kCellsSeen, width - 1) + 1] - begins[x - std::min(x, kCellsSeen)];
      pairs += static_cast<double>(boids) * near;
    }
  }
  return kPairsOfBoid * (begins[width] - begins[0]) + rows_seen * pairs;
}

/// Whether this rank's flock is that of rank 0, but for its boids.
Result<void> check_alike(const Flock& flock, Ranks& ranks) {
  const FlockOptions& o = flock.options();
  const FlockRules& r = o.rules;
  const std::array<double, 14> mine{double(o.dimensions),
                                    o.half_size,
                                    double(o.periodic),
                                    r.time_step,
                                    r.see_radius2,
                                    r.avoid_radius2,
                                    r.min_speed,
                                    r.max_speed,
                                    r.wall_distance,
                                    r.wall,
                                    r.avoid,
                                    r.align,
                                    r.cohere,
                                    double(flock.steps())};
  JUXTA_TRY_LET(const auto all, all_gather(ranks, mine));
  return agree(ranks, mine == all[0] ? Result<void>()
                                     : fail(ErrorCode::kInvalidArgument,
                                            "flock: this rank has other options, or took another number of "
                                            "steps, than rank 0"));
}

}  // namespace

std::uint32_t FlockRanks::owner(std::uint32_t row) const noexcept {
  return static_cast<std::uint32_t>(std::upper_bound(cuts.begin(), cuts.end() - 1, row) - cuts.begin() - 1);
}

std::uint32_t row_of_boid(const FlockStore& store, const FlockColumns& columns, std::size_t boid) noexcept {
  const Grid& grid = store.directory.grid;
  std::array<std::uint32_t, 3> cell{};
  for (std::uint32_t a = 1; a < grid.dimensions; ++a) {
    cell[a] = grid.axis[a].cell(columns.position[a][boid]);
  }
  return cell[2] * grid.axis[1].cells + cell[1];
}

std::uint32_t rows_of_cells(const FlockStore& store) noexcept {
  return store.directory.grid.axis[1].cells * store.directory.grid.axis[2].cells;
}

std::size_t begin_of_row(const FlockStore& store, std::uint32_t row) noexcept {
  return store.directory.begins[std::size_t{row} * store.directory.grid.axis[0].cells];
}

void make_room(FlockStore& store, std::size_t before) {
  if (before <= store.first) {
    return;
  }
  const std::size_t first = (2 * before + 1023) / 1024 * 1024;  // seldom again
  const auto move = [&](auto& column) {
    const std::size_t rows = column.size() > store.first ? column.size() - store.first : 0;
    auto moved = std::remove_reference_t<decltype(column)>(first + rows, store.memory);
    if (rows != 0) {
      std::memcpy(moved.data() + first, column.data() + store.first, rows * sizeof(column[0]));
    }
    column = std::move(moved);
  };
  for (FlockColumns* columns : {&store.now, &store.sorted}) {
    for (std::uint32_t a = 0; a < store.options.dimensions; ++a) {
      move(columns->position[a]);
      move(columns->velocity[a]);
    }
    move(columns->number);
  }
  for (std::uint32_t a = 0; a < store.options.dimensions; ++a) {
    move(store.pull[a]);
  }
  move(store.ranks->cells);
  store.first = first;
}

Result<void> balance_flock(FlockStore& store) {
  FlockRanks& over = *store.ranks;
  if (store.steps % kBalanceEvery != 0 || over.ranks.size() == 1 || !over.has_stepped) {
    return {};
  }
  const RowRange own = over.own();
  std::vector<double> mine;
  for (std::uint32_t row = own.first; row < own.last; ++row) {
    mine.push_back(work_of_row(store, row));
  }
  JUXTA_TRY_LET(const auto all, all_of_all<double>(over.ranks, mine));
  double total = 0, most = 0;
  for (std::uint32_t r = 0; r < over.ranks.size(); ++r) {
    const double work = std::accumulate(all.begin() + over.cuts[r], all.begin() + over.cuts[r + 1], 0.0);
    total += work;
    most = std::max(most, work);
  }
  if (most * over.ranks.size() > kUnbalancedFlock * total) {
    cut_flock(store, all);
  }
  return {};
}

}  // namespace agents_detail

using namespace agents_detail;

Result<void> Flock::distribute(Ranks& ranks) {
  FlockStore& store = *store_;
  JUXTA_TRY(check_alike(*this, ranks));
  if (store.ranks) {
    return fail(ErrorCode::kInvalidArgument, "flock: it is on several ranks already");
  }
  JUXTA_TRY_LET(const auto counts, all_gather(ranks, std::uint64_t{store.count}));
  const auto mine = counts.begin() + ranks.rank();
  const std::uint64_t all = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  if (all > kMostBoids) {
    return fail(ErrorCode::kTooLarge, "flock: at most 2^31 - 1 boids");
  }
  const auto lower = static_cast<std::uint32_t>(std::accumulate(counts.begin(), mine, std::uint64_t{0}));
  for (std::uint32_t& number : store.now.number.span().first(store.count)) {
    number += lower;
  }
  plan_cells(store, all);
  std::vector<std::uint32_t> boids(rows_of_cells(store));
  for (std::size_t i = 0; i < store.count; ++i) {
    ++boids[row_of_boid(store, store.now, i)];
  }
  JUXTA_TRY_LET(const auto of_all, all_of_all<std::uint32_t>(ranks, boids));
  std::vector<double> work(boids.size());
  for (std::size_t i = 0; i < of_all.size(); ++i) {
    work[i % work.size()] += of_all[i];
  }
  store.ranks = std::make_unique<FlockRanks>(ranks, store.memory);
  cut_flock(store, work);
  return {};
}

Result<Flock> Flock::gather(std::uint32_t rank) const {
  const FlockStore& store = *store_;
  if (!store.ranks || rank >= store.ranks->ranks.size()) {
    return fail(ErrorCode::kInvalidArgument, "flock: it is not on several ranks, or there is no such rank");
  }
  Ranks& ranks = store.ranks->ranks;
  const bool here = ranks.rank() == rank;
  JUXTA_TRY_LET(const auto counts, all_gather(ranks, std::uint64_t{store.count}));
  const std::uint64_t all = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  JUXTA_TRY_LET(Flock whole, build(store.options, store.memory));
  FlockStore& to = *whole.store_;
  to.resize(here ? all : 0);
  const auto carry = [&](const void* from, void* into) -> Result<void> {
    std::vector<RankReceive> receives;
    std::size_t row = 0;
    for (std::uint32_t r = 0; r < ranks.size() && here; ++r) {
      std::byte* const at = static_cast<std::byte*>(into) + row * 4;
      if (r != rank && counts[r] != 0) {
        receives.push_back({r, {at, static_cast<std::size_t>(counts[r]) * 4}});
      } else if (counts[r] != 0) {
        std::memcpy(at, from, counts[r] * 4);
      }
      row += counts[r];
    }
    std::vector<RankSend> sends;
    if (!here && store.count != 0) {
      sends.push_back({rank, {static_cast<const std::byte*>(from), store.count * 4}});
    }
    JUXTA_TRY(ranks.start(sends, receives));
    return ranks.finish();
  };
  for (std::uint32_t a = 0; a < store.options.dimensions; ++a) {
    JUXTA_TRY(carry(position(a).data(), to.now.position[a].data()));
    JUXTA_TRY(carry(velocity(a).data(), to.now.velocity[a].data()));
  }
  JUXTA_TRY(carry(numbers().data(), to.now.number.data()));
  plan_cells(to, all);
  to.steps = store.steps;
  return whole;
}

}  // namespace juxta
