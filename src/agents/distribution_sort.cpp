// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// sort() over ranks: the plan of all agents, cuts between cells, each agent to the rank that has its cell,
// and there into its order.
//
//   arrivals of lower ranks | who stays | arrivals of higher ranks | newborns by number      then by cell,
//   stably; and inside cells that many share (crowded_cells.h)
//
// That is the order in which one machine would have them before its own sort, so agents of one cell come to
// stand as they would there. Cuts change nothing but who does the work.
#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "agents/arrange.h"
#include "agents/check_positions.h"
#include "agents/crowded_cells.h"
#include "agents/crowding.h"
#include "agents/distribution.h"
#include "agents/migration.h"
#include "agents/plan_grid.h"
#include "agents/store.h"
#include "juxta/core/executor.h"
#include "juxta/core/function_ref.h"
#include "juxta/core/try.h"
#include "juxta/order/radix_sort.h"
#include "order/gather_columns.h"
#include "order/sort_cells.h"

namespace juxta::agents_detail {
namespace {

/// A rank may have so many times as much to do as the mean before cuts are moved.
constexpr double kUnbalanced = 1.05;
/// Keys that each rank names for the cuts: a rank's part is true to one in so many.
constexpr std::size_t kSamples = 256;
/// What a row costs beside the passes, in ns.
constexpr double kSortNs = 20;

/// What all agents have in common.
Result<Extent> extent_of_all(PopulationStore& store, const Places& places, const Executor& executor) {
  Ranks& ranks = store.distribution->ranks;
  const Result<Extent> mine = check_positions(store, places, executor);
  JUXTA_TRY(agree(ranks, mine.map([](const Extent&) {})));
  JUXTA_TRY_LET(const std::vector<Extent> extents, all_gather(ranks, *mine));
  Extent all = *mine;
  all.agents = 0;
  std::array<double, 3> sizes{};
  for (const Extent& extent : extents) {
    if (extent.agents == 0) {
      continue;
    }
    const bool first = all.agents == 0;
    for (std::uint32_t a = 0; a < store.world.dimensions; ++a) {
      all.bounds.lo[a] = first ? extent.bounds.lo[a] : std::min(all.bounds.lo[a], extent.bounds.lo[a]);
      all.bounds.hi[a] = first ? extent.bounds.hi[a] : std::max(all.bounds.hi[a], extent.bounds.hi[a]);
      all.largest[a] = std::max(all.largest[a], extent.largest[a]);
      sizes[a] += double{extent.mean[a]} * static_cast<double>(extent.agents);
    }
    all.magnitude = std::max(all.magnitude, extent.magnitude);
    all.agents += extent.agents;
  }
  for (std::uint32_t a = 0; a < store.world.dimensions && all.agents != 0; ++a) {
    all.mean[a] = static_cast<float>(sizes[a] / static_cast<double>(all.agents));
  }
  return all;
}

/// How far any agent of any rank moved within the skin; else a negative number.
Result<float> moved_of_all(PopulationStore& store, const SortOptions& options, const Executor& executor) {
  const float mine = store.skin.moved(store, options, executor);
  JUXTA_TRY_LET(const std::vector<float> all, all_gather(store.distribution->ranks, mine));
  const auto [least, most] = std::minmax_element(all.begin(), all.end());
  return *least < 0 ? -1 : *most;
}

bool has_table(const Directory& directory) noexcept {
  return directory.arrangement != Arrangement::kHashed;
}

/// The keys of the rows' cells: they ascend as the order of space does.
void find_keys(PopulationStore& store, const Places& places, std::span<std::uint64_t> keys,
               const Executor& executor) {
  if (!has_table(store.directory)) {
    return hashed_keys(store.directory.hashed, places, keys, executor);
  }
  const Workspace::Scope scope(store.scratch);
  const std::span<std::uint32_t> cells = store.scratch.take<std::uint32_t>(keys.size());
  table_cells(store.directory, places, cells, executor);
  std::copy(cells.begin(), cells.end(), keys.begin());
}

/// Cells for all agents, as arrange() makes them on one machine.
Result<void> plan_cells(PopulationStore& store, const Plan& plan, const Places& places,
                        const Executor& executor) {
  Directory& directory = store.directory;
  begin_directory(directory, plan);
  directory.boxes.clear();
  if (plan.arrangement != Arrangement::kRows) {
    return {};
  }
  JUXTA_TRY_LET(const Crowding crowding, crowding_of_all(store, places, executor));
  if (crowding.company() > kUneven) {
    fit_crowd(directory, plan, crowding);
  }
  return {};
}

struct Sample {
  std::uint64_t key;
  double work;
};

/// What the rank's rows will cost, by what they cost since the last sort. A rank's processor time decides,
/// and not how many pairs were tested: who stands alone costs time, too.
double expected_work(Distribution& distribution, std::size_t rows) noexcept {
  if (distribution.ordered != 0 && distribution.seconds > 0) {
    const double now = distribution.seconds * 1e9 / static_cast<double>(distribution.ordered);
    distribution.row_ns = distribution.row_ns == 0 ? now : (distribution.row_ns + now) / 2;
  }
  distribution.seconds = 0;
  return (kSortNs + distribution.row_ns) * static_cast<double>(rows);
}

/// Cuts that give every rank as much to do. Rows stand where they stood in the last order, so every n-th of
/// them is a fair sample.
Result<std::vector<std::uint64_t>> balanced_cuts(Distribution& distribution, double work,
                                                 std::span<const std::uint64_t> keys) {
  std::vector<Sample> mine(std::min(kSamples, keys.size()));
  for (std::size_t i = 0; i < mine.size(); ++i) {
    mine[i] = {keys[i * keys.size() / mine.size()], work / static_cast<double>(mine.size())};
  }
  JUXTA_TRY_LET(std::vector<Sample> all, all_of_all<Sample>(distribution.ranks, mine));
  std::stable_sort(all.begin(), all.end(), [](const Sample& a, const Sample& b) { return a.key < b.key; });
  double total = 0;
  for (const Sample& sample : all) {
    total += sample.work;
  }
  std::vector<std::uint64_t> cuts{0};
  double before = 0;
  for (const Sample& sample : all) {
    while (cuts.size() < distribution.size() &&
           before >= total * static_cast<double>(cuts.size()) / distribution.size()) {
      cuts.push_back(sample.key);
    }
    before += sample.work;
  }
  cuts.resize(distribution.size(), std::numeric_limits<std::uint64_t>::max());
  return cuts;
}

/// The cuts of the last sort are good enough for the same cells.
Result<bool> keeps_cuts(Distribution& distribution, bool same_cells, double work) {
  JUXTA_TRY_LET(const std::vector<double> all, all_gather(distribution.ranks, work));
  double sum = 0, most = 0;
  for (const double one : all) {
    sum += one;
    most = std::max(most, one);
  }
  return same_cells && most * static_cast<double>(all.size()) <= kUnbalanced * sum;
}

/// What decides which cell a position is in.
bool are_same_cells(const Grid& a, const Grid& b) noexcept {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (a.axis[axis].origin != b.axis[axis].origin || a.axis[axis].inverse != b.axis[axis].inverse ||
        a.axis[axis].cells != b.axis[axis].cells) {
      return false;
    }
  }
  return true;
}

/// Cells [first, last) hold all the keys: those between the cuts, or if they are too many, those between the
/// least and the largest key.
struct CellRange {
  std::uint64_t first, last;
};
CellRange range_of_keys(const PopulationStore& store, std::span<const std::uint64_t> keys) noexcept {
  const Distribution& distribution = *store.distribution;
  const auto& axis = store.directory.grid.axis;
  const std::uint32_t here = distribution.rank();
  const std::uint64_t cells = std::uint64_t{axis[0].cells} * axis[1].cells * axis[2].cells,
                      first = distribution.cuts[here],
                      last = here + 1 == distribution.size() ? cells : distribution.cuts[here + 1];
  if (last - first < 2 * keys.size()) {
    return {first, last};
  }
  const auto [least, most] = std::minmax_element(keys.begin(), keys.end());
  return {*least, *most + 1};
}

/// Who came and who stayed, in the order of cells, stably.
Result<void> order_rows(PopulationStore& store, const Arrivals& arrivals, const Places& places,
                        std::span<std::uint32_t> order, const Executor& executor) {
  Distribution& distribution = *store.distribution;
  const std::span<std::uint64_t> keys = distribution.keys.span();
  distribution.run.begins.resize_discard(0);
  if (keys.empty()) {
    return {};
  }
  const CellRange range = has_table(store.directory) ? range_of_keys(store, keys) : CellRange{};
  if (has_table(store.directory) && range.last - range.first <= 8 * keys.size() + 4096) {
    const std::span<std::uint32_t> cells = store.scratch.take<std::uint32_t>(keys.size());
    std::transform(keys.begin(), keys.end(), cells.begin(), [first = range.first](std::uint64_t key) {
      return static_cast<std::uint32_t>(key - first);
    });
    distribution.run.first = range.first;
    distribution.run.begins.resize_discard(range.last - range.first + 1);
    order_detail::sort_cells(cells, distribution.run.begins.span(), order, store.scratch, executor);
  } else {
    for (std::size_t i = 0; i < order.size(); ++i) {
      order[i] = static_cast<std::uint32_t>(i);
    }
    JUXTA_TRY(sort_pairs(keys, order, {.executor = &executor, .workspace = &store.scratch}));
  }
  std::transform(order.begin(), order.end(), order.begin(),
                 [&](std::uint32_t at) { return arrivals.rows[at]; });
  if (store.directory.crowded) {
    const auto& begins = distribution.run.begins;
    order_crowded_cells(begins.empty() ? find_crowded_cells(keys, store.scratch)
                                       : find_crowded_cells(begins.span(), store.scratch),
                        places, store.world.dimensions, order, store.scratch, executor);
  }
  return {};
}

/// All that goes along, and names, into the new order. Rows from size() on are those that arrived.
void take_order(PopulationStore& store, const Luggage& luggage, const Arrivals& arrivals,
                std::span<const std::uint32_t> order, const Executor& executor) {
  const std::size_t before = store.size() + arrivals.slots.size();
  const std::span<std::uint32_t> slots = store.scratch.take<std::uint32_t>(order.size());
  const auto own = store.ids.slots();
  std::transform(order.begin(), order.end(), slots.begin(), [&](std::uint32_t row) {
    return row < own.size() ? own[row] : arrivals.slots[row - own.size()];
  });
  std::vector<GatherColumn> columns;
  for (ColumnData* column : luggage) {
    column->grow_spare(order.size());
    columns.push_back({column->data.data(), column->spare.data(), before, order.size(), column->bytes});
  }
  if (!order.empty()) {
    order_detail::gather_columns(order, columns, executor);
  }
  for (ColumnData* column : luggage) {
    std::swap(column->data, column->spare);
  }
  for (ColumnData& column : store.columns) {
    column.grow(order.size());  // results, which stay where they are
  }
  store.ids.settle(slots);
}

/// Every agent to its rank and into the order of the places, which are among the luggage.
Result<void> take_places(PopulationStore& store, const Plan& plan, FunctionRef<Places()> find_places,
                         const Luggage& luggage, const Executor& executor) {
  Distribution& distribution = *store.distribution;
  const Workspace::Scope scope(store.scratch);
  const Grid before = store.directory.grid;
  const Arrangement arrangement = store.directory.arrangement;
  const Places places = find_places();
  JUXTA_TRY(plan_cells(store, plan, places, executor));
  const std::span<std::uint64_t> keys = store.scratch.take<std::uint64_t>(store.size());
  find_keys(store, places, keys, executor);
  const bool same = has_table(store.directory) && arrangement == store.directory.arrangement &&
                    are_same_cells(before, store.directory.grid) && !distribution.cuts.empty();
  const double work = expected_work(distribution, keys.size());
  JUXTA_TRY_LET(const bool keeps, keeps_cuts(distribution, same, work));
  if (!keeps) {
    JUXTA_TRY_LET(distribution.cuts, balanced_cuts(distribution, work, keys));
  }
  JUXTA_TRY_LET(const Arrivals arrivals, migrate(store, luggage, keys));
  const std::span<std::uint32_t> order = store.scratch.take<std::uint32_t>(arrivals.rows.size());
  JUXTA_TRY(order_rows(store, arrivals, find_places(), order, executor));
  take_order(store, luggage, arrivals, order, executor);
  distribution.ordered = order.size();
  distribution.numbers.clear();
  ++distribution.sorts;
  return {};
}

/// After distribute(): agents stand in the order of their skin, on whatever rank. Each to its rank by where
/// it stood then, so that the order stays.
Result<void> restore_places(PopulationStore& store, const SortOptions& options, const Executor& executor) {
  JUXTA_TRY_LET(const Extent extent, extent_of_all(store, store.skin.places(store), executor));
  JUXTA_TRY_LET(const Plan planned, plan(store.world, extent, options));
  std::vector<ColumnData> stood = columns_of_skin(store);
  Luggage luggage = luggage_of(store, false);
  for (ColumnData& column : stood) {
    luggage.push_back(&column);
  }
  const auto find_places = [&] { return places_in(store, stood); };
  JUXTA_TRY(take_places(store, planned, find_places, luggage, executor));
  take_skin(store, stood, store.size());
  store.directory.magnitude = extent.magnitude;
  return {};
}

}  // namespace

Result<SortReport> sort_over_ranks(PopulationStore& store, const SortOptions& options,
                                   const Executor& executor) {
  JUXTA_TRY_LET(const Extent extent, extent_of_all(store, places_of(store), executor));
  JUXTA_TRY_LET(const Plan planned, plan(store.world, extent, options));
  if (planned.arrangement == Arrangement::kTree) {
    return fail(ErrorCode::kInvalidArgument,
                "sort: '" + store.name +
                    "' is on several ranks, where no tree can be: give kRows or kHashed as the arrangement");
  }
  wrap_positions(store, executor);
  JUXTA_TRY_LET(const float moved, moved_of_all(store, options, executor));
  Directory& directory = store.directory;
  if (moved < 0) {
    const auto find_places = [&] { return places_of(store); };
    JUXTA_TRY(take_places(store, planned, find_places, luggage_of(store, false), executor));
    directory.magnitude = 0;
    store.skin.keep(store, options);
  } else if (!store.skin.directory) {
    JUXTA_TRY(restore_places(store, options, executor));
  }
  store.skin.directory = true;
  store.distribution->skin = options.skin;
  directory.radius = options.radius;
  directory.largest = extent.largest;
  directory.magnitude = std::max(directory.magnitude, extent.magnitude);
  directory.moved = std::max(moved, 0.0F);
  store.pad();
  store.sorted_at = store.changed;
  const auto& axis = directory.grid.axis;
  return SortReport{directory.arrangement,
                    has_table(directory) ? std::size_t{axis[0].cells} * axis[1].cells * axis[2].cells : 0,
                    moved < 0};
}

}  // namespace juxta::agents_detail
