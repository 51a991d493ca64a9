// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// cells_<side>: counts of 256 x 256 cells over a rectangle in the middle of the official world, whose sides
// are this share of the world's, and of the worlds of other seeds; juxta, juxta_2threads and a plain loop
// over all points.
#include <memory>
#include <string>
#include <vector>

#include "bench/ranked/official_data.h"
#include "bench/ranked/official_rows.h"
#include "bench/ranked/plain_cells.h"
#include "benchmark/benchmark.h"
#include "juxta/core/executor.h"
#include "juxta/core/workspace.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kSide = 256;

RectD middle_of(const RectF& world, double share) {
  const double x = (double{world.lx} + double{world.hx}) / 2, y = (double{world.ly} + double{world.hy}) / 2;
  const double w = share * (double{world.hx} - double{world.lx}) / 2,
               h = share * (double{world.hy} - double{world.ly}) / 2;
  return {x - w, y - h, x + w, y + h};
}

void add_juxta(const Source& source, const std::string& row, double share, unsigned threads) {
  benchmark::RegisterBenchmark(row.c_str(), [source, row, share, threads](benchmark::State& state) {
    Official& o = source();
    const RectD rect = middle_of(o.world->world, share);
    auto made = TbbExecutor::build(threads);
    if (!made) {
      state.SkipWithError(made.error().message.c_str());
      return;
    }
    Workspace workspace;
    const Context context{.executor = threads > 1 ? &*made : nullptr, .workspace = &workspace};
    std::vector<std::uint32_t> counts(kSide * kSide), right(kSide * kSide);
    plain_cells(o.world->x, o.world->y, rect, kSide, kSide, right);
    const RankedPoints& index = *o.index;
    std::size_t found = 0;
    for (auto _ : state) {
      found = index.count_cells(rect, kSide, kSide, counts, context).value().found;
    }
    if (counts != right) {
      wrong_answer(row, 0);
    }
    state.counters["found"] = static_cast<double>(found);
  });
}

void add_plain(const Source& source, const std::string& row, double share) {
  benchmark::RegisterBenchmark(row.c_str(), [source, share](benchmark::State& state) {
    Official& o = source();
    const RectD rect = middle_of(o.world->world, share);
    std::vector<std::uint32_t> counts(kSide * kSide);
    for (auto _ : state) {
      plain_cells(o.world->x, o.world->y, rect, kSide, kSide, counts);
      benchmark::DoNotOptimize(counts.data());
    }
  });
}

}  // namespace

void add_cells(const Source& source, const std::string& seed) {
  for (const auto& [name, share] : {std::pair{"1", 1.0}, std::pair{"0.3", 0.3}, std::pair{"0.03", 0.03}}) {
    const std::string workload = std::string("cells_") + name + seed;
    add_juxta(source, workload + "/juxta", share, 1);
    add_juxta(source, workload + "/juxta_2threads", share, 2);
    add_plain(source, workload + "/plain", share);
  }
}

}  // namespace juxta::bench
