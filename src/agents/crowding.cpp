// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Each rank counts its agents by cell. Who adds up the counts of a cell is settled by its number; most are
// added where they were counted, since ranks have runs of cells.
#include "agents/crowding.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "agents/arrange.h"
#include "agents/distribution.h"
#include "agents/trade.h"
#include "juxta/core/try.h"
#include "juxta/order/radix_sort.h"

namespace juxta::agents_detail {
namespace {

/// Counting by a table pays if it has at most so many cells an agent.
constexpr std::size_t kWindowPerAgent = 8;

/// Agents by cell, ascending; cells without any are left out.
void count_cells(PopulationStore& store, const Places& places, std::vector<CellCount>& counts,
                 const Executor& executor) {
  counts.clear();
  if (store.size() == 0) {
    return;
  }
  const Workspace::Scope scope(store.scratch);
  const std::span<std::uint32_t> cells = store.scratch.take<std::uint32_t>(store.size());
  table_cells(store.directory, places, cells, executor);
  std::uint32_t first = cells[0], last = cells[0];
  for (const std::uint32_t cell : cells) {
    first = std::min(first, cell);
    last = std::max(last, cell);
  }
  const std::size_t window = std::size_t{last} - first + 1;
  if (window <= kWindowPerAgent * cells.size() + static_cast<std::size_t>(kFewCells)) {
    const std::span<std::uint32_t> agents = store.scratch.take<std::uint32_t>(window);
    std::fill(agents.begin(), agents.end(), 0U);
    std::size_t taken = 0;
    for (const std::uint32_t cell : cells) {
      taken += agents[cell - first]++ == 0 ? 1 : 0;
    }
    counts.resize(taken + 1);
    std::size_t at = 0;
    for (std::size_t i = 0; i < window; ++i) {  // no branches: a third of the cells have nobody
      counts[at] = {first + static_cast<std::uint32_t>(i), agents[i]};
      at += agents[i] != 0 ? 1 : 0;
    }
    counts.pop_back();
    return;
  }
  static_cast<void>(sort_keys(cells, {.executor = &executor, .workspace = &store.scratch}));
  for (const std::uint32_t cell : cells) {
    if (counts.empty() || counts.back().cell != cell) {
      counts.push_back({cell, 0});
    }
    ++counts.back().agents;
  }
}

/// What is counted here, by who adds it up.
struct Shares {
  std::span<CellCount> own;
  std::vector<std::vector<CellCount>> of_others;
};

/// Any division of cells will do if all ranks know it; by the last cuts, nearly all counts stay where they
/// are.
Shares share_counts(const PopulationStore& store, std::span<CellCount> counts) {
  const Distribution& distribution = *store.distribution;
  const auto& axis = store.directory.grid.axis;
  const std::uint64_t cells = std::uint64_t{axis[0].cells} * axis[1].cells * axis[2].cells;
  Shares shares{{}, std::vector<std::vector<CellCount>>(distribution.size())};
  auto first = counts.begin();
  for (std::uint32_t rank = 0; rank < distribution.size(); ++rank) {
    const bool last = rank + 1 == distribution.size();
    const std::uint64_t end = last                        ? cells
                              : distribution.cuts.empty() ? cells * (rank + 1) / distribution.size()
                                                          : distribution.cuts[rank + 1];
    const auto next =
        std::lower_bound(first, counts.end(), end,
                         [](const CellCount& count, std::uint64_t cell) { return count.cell < cell; });
    if (rank == distribution.rank()) {
      shares.own = {first, next};
    } else {
      shares.of_others[rank].assign(first, next);
    }
    first = next;
  }
  return shares;
}

/// Adds what others counted in our cells; those of which we have no agent.
Crowding add_counts(std::span<CellCount> own, const std::vector<std::vector<CellCount>>& from) {
  std::vector<CellCount> others;
  for (const auto& counts : from) {
    others.insert(others.end(), counts.begin(), counts.end());
  }
  const auto by_cell = [](const CellCount& a, const CellCount& b) { return a.cell < b.cell; };
  std::sort(others.begin(), others.end(), by_cell);
  Crowding alone;
  for (std::size_t i = 0; i < others.size();) {
    CellCount sum{others[i].cell, 0};
    for (; i < others.size() && others[i].cell == sum.cell; ++i) {
      sum.agents += others[i].agents;
    }
    const auto mine = std::lower_bound(own.begin(), own.end(), sum, by_cell);
    if (mine != own.end() && mine->cell == sum.cell) {
      mine->agents += sum.agents;
    } else {
      alone.add(sum.agents);
    }
  }
  return alone;
}

}  // namespace

Result<Crowding> crowding_of_all(PopulationStore& store, const Places& places, const Executor& executor) {
  Ranks& ranks = store.distribution->ranks;
  count_cells(store, places, store.distribution->counts, executor);
  const Shares shares = share_counts(store, store.distribution->counts);
  JUXTA_TRY_LET(const auto from, trade(ranks, shares.of_others));
  Crowding here = add_counts(shares.own, from);
  for (const CellCount& count : shares.own) {
    here.add(count.agents);
  }
  JUXTA_TRY_LET(const std::vector<Crowding> all, all_gather(ranks, here));
  Crowding total;
  for (const Crowding& one : all) {
    total.add(one);
  }
  return total;
}

}  // namespace juxta::agents_detail
