// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/flock_ranks.h"

#include <algorithm>
#include <array>
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

/// One of our rows is `inner`, or on the border.
void note_place(FlockRanks& over, std::uint32_t place, bool inner) {
  std::vector<RowRange>& ranges = inner ? over.inner : over.border;
  if (ranges.empty() || ranges.back().last != place) {
    ranges.push_back({place, place});
  }
  ranges.back().last = place + 1;
}

/// Which rows each neighbour must send, and where rows are. The cuts alone decide, so sender and receiver
/// agree without a message.
void find_flock_neighbours(FlockStore& store) {
  FlockRanks& over = *store.ranks;
  over.rows = over.cuts.rows_of(over.ranks.rank());
  over.rows_here = static_cast<std::uint32_t>(over.rows.size());
  over.places.assign(rows_of_cells(store), FlockRanks::kNowhere);
  for (std::uint32_t place = 0; place < over.rows_here; ++place) {
    over.places[over.rows[place]] = place;
  }
  std::vector<std::vector<std::uint32_t>> wanted(over.ranks.size()), ours(over.ranks.size());
  over.inner.clear();
  over.border.clear();
  for (std::uint32_t place = 0; place < over.rows.size(); ++place) {
    bool alone = true;
    visit_rows_around(store, over.rows[place], [&](std::uint32_t near) {
      if (over.places[near] == FlockRanks::kNowhere) {
        const std::uint32_t owner = over.cuts.owner(near);
        wanted[owner].push_back(near);
        ours[owner].push_back(over.rows[place]);
        alone = false;
      }
    });
    note_place(over, place, alone);
  }
  over.neighbours.clear();
  for (std::uint32_t r = 0; r < over.ranks.size(); ++r) {
    if (!wanted[r].empty()) {
      over.neighbours.push_back({r, row_ranges_of(wanted[r]), row_ranges_of(ours[r]), {}, {}, {}, {}});
      for (const RowRange& rows : over.neighbours.back().wanted) {
        for (std::uint32_t row = rows.first; row < rows.last; ++row) {
          over.places[row] = over.rows_here++;
        }
      }
    }
  }
  store.directory.places = over.places.data();
}

/// In a plane, where each rank has rows side by side. False if they are too few for steps by rows.
bool find_spans(FlockStore& store) {
  FlockRanks& over = *store.ranks;
  over.spans.clear();
  bool enough = rows_of_cells(store) >= kRowsAtOnce + 2;
  for (std::uint32_t r = 0; r < over.ranks.size(); ++r) {
    const std::vector<std::uint32_t> rows = over.cuts.rows_of(r);
    enough = enough && rows.size() >= kFewestRows;
    over.spans.push_back(rows.empty() ? RowRange() : RowRange{rows.front(), rows.back() + 1});
  }
  return enough;
}

/// What the boids of one of our rows have to do, as pairs.
double work_of_place(const FlockStore& store, std::uint32_t place) noexcept {
  const std::size_t width = store.directory.grid.axis[0].cells;
  const std::uint32_t* const begins = &store.directory.begins[place * store.ranks->pitch(store)];
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

/// How many boids stand in each row, on all ranks.
Result<std::vector<double>> boids_of_rows(const FlockStore& store, Ranks& ranks) {
  constexpr std::size_t kAtOnce = 16384;  // of each rank, on every rank for a moment
  std::vector<std::uint32_t> mine(rows_of_cells(store));
  for (std::size_t i = 0; i < store.count; ++i) {
    ++mine[row_of_boid(store, i)];
  }
  std::vector<double> boids(mine.size());
  for (std::size_t first = 0; first < mine.size(); first += kAtOnce) {
    const auto part = std::span(std::as_const(mine)).subspan(first, std::min(kAtOnce, mine.size() - first));
    JUXTA_TRY_LET(const auto all, all_of_all<std::uint32_t>(ranks, part));
    for (std::size_t i = 0; i < all.size(); ++i) {
      boids[first + i % part.size()] += all[i];
    }
  }
  return boids;
}

}  // namespace

std::uint32_t row_of_boid(const FlockStore& store, std::size_t boid) noexcept {
  const Grid& grid = store.directory.grid;
  std::array<std::uint32_t, 3> cell{};
  for (std::uint32_t a = 1; a < grid.dimensions; ++a) {
    cell[a] = grid.axis[a].cell(store.now.position[a][boid]);
  }
  return cell[2] * grid.axis[1].cells + cell[1];
}

std::uint32_t rows_of_cells(const FlockStore& store) noexcept {
  return store.directory.grid.axis[1].cells * store.directory.grid.axis[2].cells;
}

std::size_t begin_of_place(const FlockStore& store, std::uint32_t place) noexcept {
  const FlockRanks& over = *store.ranks;
  return place == over.rows.size() ? store.count : store.directory.begins[place * over.pitch(store)];
}

void cut_flock(FlockStore& store, std::span<const double> work) {
  FlockRanks& over = *store.ranks;
  over.cuts = FlockCuts(store.directory.grid.axis[1].cells, work, over.ranks.size());
  find_flock_neighbours(store);
  over.knows_rows = false;
  over.goes_by_rows = over.is_large && store.options.dimensions == 2 && find_spans(store);
}

Result<void> balance_flock(FlockStore& store) {
  FlockRanks& over = *store.ranks;
  if (store.steps % kBalanceEvery != 0 || over.ranks.size() == 1 || !over.has_stepped) {
    return {};
  }
  std::vector<double> mine;
  for (std::uint32_t place = 0; place < over.rows.size(); ++place) {
    mine.push_back(work_of_place(store, place));
  }
  JUXTA_TRY_LET(const auto all, all_of_all<double>(over.ranks, mine));
  std::vector<double> work(rows_of_cells(store));
  double total = 0, most = 0;
  auto next = all.begin();
  for (std::uint32_t r = 0; r < over.ranks.size(); ++r) {
    double of_rank = 0;
    for (const std::uint32_t row : over.cuts.rows_of(r)) {
      work[row] = *next++;
      of_rank += work[row];
    }
    total += of_rank;
    most = std::max(most, of_rank);
  }
  if (most * over.ranks.size() > kUnbalancedFlock * total) {
    cut_flock(store, work);
  }
  return {};
}

namespace {

/// Boids of `now`, `all` of them, less those who left: into `sorted`.
void sort_own(FlockStore& store, std::size_t all, const Executor& executor) {
  FlockRanks& over = *store.ranks;
  const std::size_t own = over.own_cells(store);
  store.directory.begins.resize_discard(over.rows_here * over.pitch(store) + 2);
  store.resize_sorted(all);
  if (all != 0) {
    const Workspace::Scope scope(store.scratch);
    const std::span<std::uint32_t> order = store.scratch.take<std::uint32_t>(all);
    order_flock(store, over.cells.span().first(all), own, order, executor);
    place_arrivals(store, order);
    gather_flock(store, order, executor);
  } else {
    store.count = 0;
    std::fill_n(store.directory.begins.begin(), own + 2, 0U);
  }
  over.origins.keys = over.rows;
  over.origins.begins.clear();
  for (std::uint32_t place = 0; place <= over.rows.size(); ++place) {
    over.origins.begins.push_back(static_cast<std::uint32_t>(begin_of_place(store, place)));
  }
}

void move_places(FlockStore& store, const std::vector<RowRange>& places, const Executor& executor,
                 Ranks* poked = nullptr) {
  for (const RowRange& range : places) {
    move_flock(store, begin_of_place(store, range.first), begin_of_place(store, range.last), executor, poked);
  }
}

}  // namespace

Result<void> step_over_ranks(FlockStore& store, const Executor& executor) {
  JUXTA_TRY(balance_flock(store));
  FlockRanks& over = *store.ranks;
  over.has_stepped = true;
  if (store.steps % kBalanceEvery != kBalanceEvery - 1) {
    JUXTA_TRY_LET(const bool done, step_by_rows_over_ranks(store, executor));
    if (done) {
      return {};
    }
  }
  JUXTA_TRY_LET(const std::size_t all, migrate_boids(store, executor));
  sort_own(store, all, executor);
  JUXTA_TRY(start_halo(store));
  store.now.resize_discard(store.count, store.options.dimensions);
  move_places(store, over.inner, executor, &over.ranks);
  JUXTA_TRY(finish_halo(store));
  move_places(store, over.border, executor);
  std::swap(store.now.number, store.sorted.number);
  if (over.goes_by_rows) {
    store.rows.begins.resize_discard(over.origins.begins.size());
    std::copy(over.origins.begins.begin(), over.origins.begins.end(), store.rows.begins.begin());
    over.knows_rows = true;
  }
  return {};
}

Result<void> distribute_flock(FlockStore& store, Ranks& ranks, std::size_t many) {
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
  JUXTA_TRY_LET(const auto boids, boids_of_rows(store, ranks));
  store.ranks = std::make_unique<FlockRanks>(ranks, store.memory);
  store.ranks->is_large = all >= many * ranks.size();
  store.ranks->origins = {{ranks.rank()}, {0, static_cast<std::uint32_t>(store.count)}};
  cut_flock(store, boids);
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
  return agents_detail::distribute_flock(store, ranks);
}

}  // namespace juxta
