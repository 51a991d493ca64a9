// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// hard/<set>/<family>/juxta: where published contenders break. The bar is a number of cache misses.
// hard/<set>/<family>/mipmap: the contest entry there; its article says that no query takes more than 2 ms.
// hard_k<k>/<set>/<family>/juxta, /scan and /select: the same with a large k, 100 queries a cell.
// The first answers of every cell are compared with a scan.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "bench/ranked/level_select.h"
#include "bench/ranked/official_data.h"
#include "bench/ranked/rows.h"
#include "bench/support/query_row.h"
#include "bench/support/settings.h"
#include "juxta/files/read_points.h"
#include "scenes/hard_points.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kTop = 20, kQueries = 5000, kLargeQueries = 100, kCheckedByScan = 50;
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
        mipmap([this] {
          return std::make_unique<classics::Mipmap>(
              classics::RankedColumns{points->x, points->y, points->rank, {}});
        }),
        select([this] {
          return std::make_unique<LevelSelect>(
              classics::RankedColumns{points->x, points->y, points->rank, {}});
        }),
        index([this] { return build_index(points->x, points->y, points->rank); }) {}
  Once<scenes::HardPoints> points;
  Once<classics::Scan> scan;
  Once<classics::Mipmap> mipmap;
  Once<LevelSelect> select;
  Once<RankedPoints> index;
};

// What both contenders of a cell are asked.
struct Cell {
  std::vector<RectF> rects;
  std::vector<RectD> wide;
  Answers right;
};

std::shared_ptr<Once<Cell>> share_cell(const std::shared_ptr<Hard>& hard, scenes::QueryFamily family,
                                       std::size_t k, std::size_t queries) {
  return std::make_shared<Once<Cell>>([hard, family, k, queries] {
    auto cell = std::make_unique<Cell>();
    const std::size_t count = std::min(number_setting("JUXTA_BENCH_QUERIES", queries), queries);
    cell->rects = scenes::make_hard_queries(family, *hard->points, count, kQuerySeed);
    cell->wide = widen(cell->rects);
    cell->right = answers_of(*hard->scan, cell->rects, kCheckedByScan, k);
    return cell;
  });
}

/// `ask(contender, cell, i, out)` answers query i.
template <class Contender, class Ask>
void add_row(const std::string& row, const std::shared_ptr<Hard>& hard, Once<Contender> Hard::*contender,
             const std::shared_ptr<Once<Cell>>& shared, const Ask& ask) {
  auto timed = std::make_shared<QueryRow>();
  auto checked = std::make_shared<bool>(false);
  const auto body = [=](benchmark::State& state) {
    Contender& asked = *((*hard).*contender);
    const Cell& cell = **shared;
    if (!*checked) {
      check_ids(row, cell.right, [&](std::size_t i, std::uint32_t* to) { return ask(asked, cell, i, to); });
      *checked = true;
    }
    std::vector<std::uint32_t> out(cell.right.k);
    timed->run(state, cell.rects.size(), [&](std::size_t i) { return ask(asked, cell, i, out.data()); });
    state.counters["checksum"] = checksum(cell.right);
    state.counters["bytes"] = static_cast<double>(asked.memory_bytes());
  };
  benchmark::RegisterBenchmark(row.c_str(), body);
}

constexpr auto kAskTop = [](RankedPoints& index, const Cell& c, std::size_t i, std::uint32_t* out) {
  return index.top(c.wide[i], c.right.k, {out, c.right.k}).written;
};

void add_cell(const std::shared_ptr<Hard>& hard, scenes::HardSet set, scenes::QueryFamily family) {
  const std::string row = "hard/" + std::string(name(set)) + '/' + std::string(name(family));
  const auto cell = share_cell(hard, family, kTop, kQueries);
  add_row(row + "/juxta", hard, &Hard::index, cell, kAskTop);
  add_row(row + "/mipmap", hard, &Hard::mipmap, cell,
          [](classics::Mipmap& mipmap, const Cell& c, std::size_t i, std::uint32_t* out) {
            return mipmap.top_ids(c.rects[i], c.right.k, out);
          });
}

void add_large_k(const std::shared_ptr<Hard>& hard, scenes::HardSet set, scenes::QueryFamily family,
                 std::size_t k) {
  const std::string row =
      "hard_k" + std::to_string(k) + '/' + std::string(name(set)) + '/' + std::string(name(family));
  const auto cell = share_cell(hard, family, k, kLargeQueries);
  const auto ask = [](auto& other, const Cell& c, std::size_t i, std::uint32_t* out) {
    return other.top_ids(c.rects[i], c.right.k, out);
  };
  add_row(row + "/juxta", hard, &Hard::index, cell, kAskTop);
  add_row(row + "/scan", hard, &Hard::scan, cell, ask);
  add_row(row + "/select", hard, &Hard::select, cell, ask);
}

}  // namespace

void register_hard() {
  for (const scenes::HardSet set : scenes::kHardSets) {
    const auto hard = std::make_shared<Hard>(set);
    for (const scenes::QueryFamily family : scenes::kQueryFamilies) {
      add_cell(hard, set, family);
      for (const std::size_t k : {256u, 1000u, 20'000u}) {
        add_large_k(hard, set, family, k);
      }
    }
  }
}

}  // namespace juxta::bench
