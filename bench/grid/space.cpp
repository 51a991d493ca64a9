// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Agents in the cells of a grid of 1000 x 1000, one a cell: what one look, one move and one search takes.
#include "bench/grid/space.h"

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "juxta/grid/grid_space.h"

namespace juxta::bench {
namespace {

constexpr std::uint32_t kEdge = 1000, kCells = kEdge * kEdge;

struct Full {
  GridSpace space;
  std::vector<float> x, y;
  std::vector<std::uint32_t> order;  // of rows, at random
};

Full fill(std::uint32_t percent, std::uint32_t radius, CellHolds holds, std::uint32_t kinds) {
  const CellGrid grid{.cells = {kEdge, kEdge, 1}};
  const std::uint32_t agents = kCells / 100 * percent;
  Full full{*GridSpace::build({.grid = grid, .holds = holds, .kinds = kinds, .near = {radius}}), {}, {}, {}};
  std::vector<std::uint32_t> cells(kCells);
  random_order({1, 0, 0}, cells);
  for (std::uint32_t row = 0; row < agents; ++row) {
    full.x.push_back(static_cast<float>(grid.x_of(cells[row])));
    full.y.push_back(static_cast<float>(grid.y_of(cells[row])));
  }
  const std::vector<std::uint8_t> kind(kinds > 0 ? agents : 0);
  static_cast<void>(full.space.rebuild(full.x, full.y, {}, kind));
  full.order.resize(agents);
  random_order({1, 0, 1}, full.order);
  return full;
}

/// `question(full, row, i)` for one row after the other.
template <class Question>
void add_row(const std::string& name, std::uint32_t percent, std::uint32_t radius, CellHolds holds,
             std::uint32_t kinds, Question question) {
  benchmark::RegisterBenchmark(("space/" + name).c_str(), [=](benchmark::State& state) {
    Full full = fill(percent, radius, holds, kinds);
    std::size_t i = 0;
    std::uint64_t sum = 0;
    for (auto _ : state) {
      sum += question(full, full.order[i % full.order.size()], static_cast<std::uint32_t>(i));
      ++i;
    }
    benchmark::DoNotOptimize(sum);
  });
}

std::uint32_t count_now(const Full& full, std::uint32_t row, std::uint32_t radius) {
  std::uint32_t count = 0;
  full.space.visit_near(full.space.cell_of(row), {radius}, [&](std::uint32_t) { ++count; });
  return count;
}

void add_rebuild_row(const std::string& name, CellHolds holds, std::uint32_t kinds) {
  benchmark::RegisterBenchmark(("space/rebuild_" + name).c_str(), [=](benchmark::State& state) {
    Full full = fill(50, 1, holds, kinds);
    const std::vector<std::uint8_t> kind(kinds > 0 ? full.x.size() : 0);
    for (auto _ : state) {
      static_cast<void>(full.space.rebuild(full.x, full.y, {}, kind));
    }
    state.counters["ns_a_row"] =
        benchmark::Counter(static_cast<double>(full.x.size()) * 1e-9,
                           benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  })->Unit(benchmark::kMillisecond);
}

}  // namespace

void add_space_rows() {
  const auto move = [](Full& full, std::uint32_t row, std::uint32_t i) {
    return *full.space.move_to_free(row, {1, i, 2});
  };
  const auto draw = [](Full& full, std::uint32_t row, std::uint32_t i) {
    return *full.space.free_cell({1, i, 2}, row);
  };
  for (const std::uint32_t radius : {1U, 2U, 7U}) {
    const std::string r = "_r" + std::to_string(radius);
    add_row("alike" + r, 50, radius, CellHolds::kOne, 2,
            [](Full& full, std::uint32_t row, std::uint32_t) { return full.space.alike(row); });
    add_row("count_now" + r, 50, radius, CellHolds::kOne, 0,
            [=](Full& full, std::uint32_t row, std::uint32_t) { return count_now(full, row, radius); });
    add_row("move_to_free" + r, 50, radius, CellHolds::kOne, 2, move);
  }
  add_row("move_to_free_no_kinds", 50, 1, CellHolds::kOne, 0, move);
  for (const std::uint32_t percent : {50U, 80U, 99U}) {
    add_row("free_cell_" + std::to_string(percent), percent, 1, CellHolds::kOne, 0, draw);
  }
  add_row("free_cell_99_many", 99, 1, CellHolds::kMany, 0, draw);
  add_row("nearest_free_99", 99, 1, CellHolds::kOne, 0, [](Full& full, std::uint32_t row, std::uint32_t) {
    return *full.space.nearest_free(full.space.cell_of(row));
  });
  add_rebuild_row("one", CellHolds::kOne, 0);
  add_rebuild_row("many", CellHolds::kMany, 0);
  add_rebuild_row("kinds", CellHolds::kOne, 2);
}

}  // namespace juxta::bench
