// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/agents/rows.h"

#include "bench/agents/oracle.h"
#include "bench/support/once.h"
#include "benchmark/benchmark.h"

namespace juxta::bench {
namespace {

// A contender that has been checked; null world: it cannot be had.
struct Running {
  Running(const Contender& contender, const Crowd& crowd, const std::string& row) : world(contender.make()) {
    if (world != nullptr) {
      check_world(*world, crowd, row);
    }
  }
  std::unique_ptr<World> world;
};

void say_missing(benchmark::State& state) {
  for (auto _ : state) {
    state.SetIterationTime(1);
  }
  state.counters["missing"] = 1;
  state.SetLabel(consumer_trouble());
}

// Of the last step of each iteration.
class MeanPhases {
 public:
  void add(const World& world) {
    if (const auto* const phased = dynamic_cast<const Phased*>(&world)) {
      const Phases phases = phased->phases();
      sum_.sort += phases.sort;
      sum_.see += phases.see;
      sum_.act += phases.act;
    }
  }
  void tell(benchmark::State& state) const {
    const auto mean = [](double seconds) {
      return benchmark::Counter(seconds * 1e9, benchmark::Counter::kAvgIterations);
    };
    if (sum_.see > 0) {
      state.counters["sort_ns"] = mean(sum_.sort);
      state.counters["see_ns"] = mean(sum_.see);
      state.counters["act_ns"] = mean(sum_.act);
    }
  }

 private:
  Phases sum_;
};

void run_steps(benchmark::State& state, World& world, const Crowd& crowd, const Pace& pace, Clock clock) {
  const auto steps = [&world](std::size_t count) {
    for (std::size_t step = 0; step < count; ++step) {
      world.step();
    }
  };
  MeanPhases phases;
  for (auto _ : state) {
    world.set(crowd.start);
    steps(pace.warm);
    state.SetIterationTime(seconds(clock, [&] { steps(pace.timed); }) / static_cast<double>(pace.timed));
    phases.add(world);
  }
  phases.tell(state);
  state.counters["agents"] = static_cast<double>(crowd.start.size);
}

}  // namespace

void add_rows(const std::string& workload, const SharedCrowd& crowd, std::span<const Contender> contenders,
              Clock clock) {
  for (const Contender& contender : contenders) {
    const std::string row = workload + "/" + std::string(contender.name);
    const auto running =
        std::make_shared<Once<Running>>([=] { return std::make_unique<Running>(contender, **crowd, row); });
    const auto body = [=](benchmark::State& state) {
      World* const world = (*running)->world.get();
      world == nullptr ? say_missing(state) : run_steps(state, *world, **crowd, contender.pace, clock);
    };
    benchmark::RegisterBenchmark(row.c_str(), body)->UseManualTime();
  }
}

}  // namespace juxta::bench
