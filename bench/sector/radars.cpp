// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// radar_build: 100,000 ranked points, built again in place each tick as sector/radar.cpp does; ranks are
// those of three kinds of ships in all states of health.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "bench/layer/frames.h"
#include "bench/sector/rows.h"
#include "bench/support/must.h"
#include "benchmark/benchmark.h"
#include "juxta/core/executor.h"
#include "juxta/core/workspace.h"
#include "juxta/ranked/ranked_points.h"
#include "scenes/draws.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kPoints = 100'000;

struct Contacts {
  explicit Contacts(std::size_t count) : x(count), y(count), rank(count) {
    scenes::Draws draws(1);
    for (std::size_t i = 0; i < count; ++i) {
      x[i] = draws.uniform(-850, 850);
      y[i] = draws.uniform(-850, 850);
      const float threat = std::array{1.0F, 3.0F, 9.0F}[draws.below(3)];
      const bool whole = draws.below(2) == 0;
      rank[i] = -threat * (whole ? 1 : draws.uniform(0.5F, 1));
    }
  }
  std::vector<float> x, y, rank;
};

void build(benchmark::State& state, unsigned threads) {
  const std::size_t count = std::min(kPoints, number_setting("JUXTA_BENCH_POINTS", kPoints));
  Contacts contacts(count);
  std::unique_ptr<Executor> executor;
  if (threads > 1) {
    executor = std::make_unique<TbbExecutor>(must(TbbExecutor::build(threads)));
  }
  Workspace workspace;
  const Context context{.executor = executor.get(), .workspace = &workspace};
  RankedPoints points;
  const auto rebuild = [&] {
    must(points.rebuild(contacts.x, contacts.y, contacts.rank, {.borrow_coordinates = true}, context));
  };
  rebuild();
  scenes::Draws draws(2);
  time_frames<WallClock>(
      state,
      [&] {  // everybody flies on for a tick
        for (std::size_t i = 0; i < count; ++i) {
          contacts.x[i] += draws.uniform(-0.6F, 0.6F);
          contacts.y[i] += draws.uniform(-0.6F, 0.6F);
        }
      },
      rebuild);
  state.counters["points"] = static_cast<double>(points.size());
  state.counters["bytes"] = static_cast<double>(points.memory_bytes());
}

}  // namespace

void add_radar_rows() {
  add_frames("radar_build/juxta", [](benchmark::State& state) { build(state, 1); });
  if (TbbExecutor::build(2)) {  // not in a build without oneTBB
    add_frames("radar_build/juxta_2threads", [](benchmark::State& state) { build(state, 2); });
  }
}

}  // namespace juxta::bench
