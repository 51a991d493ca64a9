// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// hard/<set>/<family>/juxta: where published contenders break. No contender here: the bar is a number of
// cache misses. The first answers of every cell are compared with a scan.
#include <memory>
#include <string>
#include <vector>

#include "bench/ranked/official_data.h"
#include "bench/ranked/rows.h"
#include "bench/support/query_row.h"
#include "bench/support/settings.h"
#include "juxta/files/read_points.h"
#include "scenes/hard_points.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kTop = 20, kQueries = 5000, kCheckedByScan = 50;
constexpr std::uint64_t kPointSeed = 1, kQuerySeed = 2;

// JUXTA_BENCH_CITIES, or none: then the scene makes places up.
std::vector<scenes::City> real_cities() {
  std::vector<scenes::City> cities;
  const std::string path = text_setting("JUXTA_BENCH_CITIES");
  if (path.empty()) {
    return cities;
  }
  const auto table = read_points(path);
  if (!table) {
    give_up(path + ": " + table.error().message);
  }
  for (std::size_t i = 0; i < table->size(); ++i) {
    cities.push_back({static_cast<float>(table->x[i]), static_cast<float>(table->y[i]),
                      static_cast<std::int32_t>(table->rank[i])});
  }
  return cities;
}

// The scan is only kept while the cells are checked: it is as large as the index.
struct Hard {
  explicit Hard(scenes::HardSet set)
      : points([set] {
          const auto cities = set == scenes::HardSet::kCities ? real_cities() : std::vector<scenes::City>{};
          return std::make_unique<scenes::HardPoints>(
              scenes::make_hard_points(set, bench_points(), kPointSeed, cities));
        }),
        scan([this] {
          return std::make_unique<classics::Scan>(
              classics::RankedColumns{points->x, points->y, points->rank, {}});
        }),
        index([this] { return build_index(points->x, points->y, points->rank); }) {}
  Once<scenes::HardPoints> points;
  Once<classics::Scan> scan;
  Once<RankedPoints> index;
};

void add_cell(const std::shared_ptr<Hard>& hard, scenes::HardSet set, scenes::QueryFamily family) {
  const std::string row = "hard/" + std::string(name(set)) + '/' + std::string(name(family)) + "/juxta";
  struct Cell {
    std::vector<RectD> rects;
    double sum = 0;
    QueryRow timed;
  };
  auto cell = std::make_shared<Cell>();
  const auto body = [hard, family, row, cell](benchmark::State& state) {
    RankedPoints& index = *hard->index;
    std::vector<std::uint32_t> out(kTop);
    if (cell->rects.empty()) {
      const std::size_t count = number_setting("JUXTA_BENCH_QUERIES", kQueries);
      const std::vector<RectF> rects = scenes::make_hard_queries(family, *hard->points, count, kQuerySeed);
      cell->rects = widen(rects);
      const Answers right = answers_of(*hard->scan, rects, kCheckedByScan, kTop);
      check_ids(row, right, [&](std::size_t i, std::uint32_t* to) {
        return index.top(cell->rects[i], kTop, {to, kTop}).written;
      });
      cell->sum = checksum(right);
    }
    cell->timed.run(state, cell->rects.size(),
                    [&](std::size_t i) { return index.top(cell->rects[i], kTop, out).written; });
    state.counters["checksum"] = cell->sum;
    state.counters["bytes"] = static_cast<double>(index.memory_bytes());
  };
  benchmark::RegisterBenchmark(row.c_str(), body);
}

}  // namespace

void register_hard() {
  for (const scenes::HardSet set : scenes::kHardSets) {
    const auto hard = std::make_shared<Hard>(set);
    for (const scenes::QueryFamily family : scenes::kQueryFamilies) {
      add_cell(hard, set, family);
    }
  }
}

}  // namespace juxta::bench
