// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Each rank counts its agents by cell. Who adds up the counts of a cell is settled by its number; most are
// added where they were counted, since ranks have runs of cells.
#include "agents/crowding.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "agents/arrange.h"
#include "agents/check_positions.h"
#include "agents/distribution.h"
#include "agents/trade.h"
#include "juxta/core/try.h"
#include "juxta/order/radix_sort.h"

namespace juxta::agents_detail {
namespace {

struct CellCount {
  std::uint32_t cell, agents;
};

/// Agents by cell, ascending; cells without any are left out.
std::vector<CellCount> count_cells(PopulationStore& store, const Executor& executor) {
  const Workspace::Scope scope(store.scratch);
  const std::span<std::uint32_t> cells = store.scratch.take<std::uint32_t>(store.size());
  table_cells(store.directory, places_of(store), cells, executor);
  static_cast<void>(sort_keys(cells, {.executor = &executor, .workspace = &store.scratch}));
  std::vector<CellCount> counts;
  for (const std::uint32_t cell : cells) {
    if (counts.empty() || counts.back().cell != cell) {
      counts.push_back({cell, 0});
    }
    ++counts.back().agents;
  }
  return counts;
}

}  // namespace

Result<double> crowding_of_all(PopulationStore& store, const Executor& executor) {
  Ranks& ranks = store.distribution->ranks;
  const std::vector<CellCount> mine = count_cells(store, executor);
  const auto& axis = store.directory.grid.axis;
  const std::uint64_t cells = std::uint64_t{axis[0].cells} * axis[1].cells * axis[2].cells;
  std::vector<std::vector<CellCount>> to(ranks.size());
  for (const CellCount& count : mine) {
    to[std::uint64_t{count.cell} * ranks.size() / cells].push_back(count);
  }
  std::vector<CellCount> here = std::move(to[ranks.rank()]);
  to[ranks.rank()].clear();
  JUXTA_TRY_LET(const auto from, trade(ranks, to));
  const std::size_t own = here.size();
  for (const auto& counts : from) {
    here.insert(here.end(), counts.begin(), counts.end());
  }
  if (here.size() != own) {
    std::sort(here.begin(), here.end(),
              [](const CellCount& a, const CellCount& b) { return a.cell < b.cell; });
  }
  struct Sums {
    std::uint64_t agents, squares;
  } sums{store.size(), 0};
  for (std::size_t i = 0; i < here.size();) {
    std::uint64_t agents = 0;
    const std::uint32_t cell = here[i].cell;
    for (; i < here.size() && here[i].cell == cell; ++i) {
      agents += here[i].agents;
    }
    sums.squares += agents * agents;
  }
  JUXTA_TRY_LET(const std::vector<Sums> all, all_gather(ranks, sums));
  Sums total{};
  for (const Sums& one : all) {
    total.agents += one.agents;
    total.squares += one.squares;
  }
  return static_cast<double>(total.squares) / std::max(1.0, static_cast<double>(total.agents));
}

}  // namespace juxta::agents_detail
