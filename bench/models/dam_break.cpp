// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A dam that broke 200 steps ago: ten steps from there, of some 100,000 particles.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/models/rows.h"
#include "bench/support/once.h"
#include "models/models.h"
#include "tests/models/scalar/dam_break_copy.h"

namespace juxta::bench {
namespace {

constexpr int kSteps = 10, kStepsBefore = 200;

/// The state that all contenders begin with, as a file: a simulation that is loaded is the one that was
/// saved.
class Broken {
 public:
  explicit Broken(const std::string& preset)
      : parameters_(*parameters_of(models::dam_break(), preset)),
        path_(std::filesystem::temp_directory_path() /
              ("juxta_bench_dam_" + preset + "_" + std::to_string(getpid()))) {
    Simulation simulation = *models::dam_break().begin(parameters_, 1);
    Owned<Model> model = *models::dam_break().open(parameters_, simulation);
    bool good = true;
    for (int step = 0; step < kStepsBefore; ++step) {
      good = good && model->step({}).has_value();
    }
    good_ = good && simulation.save(path_.string()).has_value();
  }
  Broken(const Broken&) = delete;
  Broken& operator=(const Broken&) = delete;
  ~Broken() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] const Parameters& parameters() const { return parameters_; }
  [[nodiscard]] Simulation load() const { return *Simulation::load(path_.string()); }

  /// Found by whoever runs first: where the particle stands that went furthest to the right. Rounding apart,
  /// all find the same.
  [[nodiscard]] bool same_front(float front) {
    front_ = front_.value_or(front);
    return std::abs(front - *front_) <
           1e-3F * static_cast<float>(parameters_["width"] / parameters_["across"]);
  }

 private:
  Parameters parameters_;
  std::filesystem::path path_;
  bool good_ = false;
  std::optional<float> front_;
};
using SharedBroken = std::shared_ptr<Once<Broken>>;

void end(benchmark::State& state, Broken& broken, float front, std::size_t particles) {
  if (!broken.same_front(front)) {
    state.SkipWithError("contenders ended with different fronts");
  }
  state.counters["particle_steps"] = benchmark::Counter(static_cast<double>(particles) * kSteps,
                                                        benchmark::Counter::kIsIterationInvariantRate);
}

void run_juxta(benchmark::State& state, Broken& broken) {
  float front = 0;
  std::size_t particles = 0;
  for (auto _ : state) {
    state.PauseTiming();
    Simulation simulation = broken.load();
    Owned<Model> model = *models::dam_break().open(broken.parameters(), simulation);
    state.ResumeTiming();
    for (int step = 0; step < kSteps; ++step) {
      if (!model->step({})) {
        return state.SkipWithError("a step failed");
      }
    }
    state.PauseTiming();
    const Population& all = simulation.population(0);
    const auto x = all.read(all.position(0)), water = all.read(*all.find_column<float>("water"));
    front = 0;
    particles = all.size();
    for (std::size_t row = 0; row < particles; ++row) {
      front = water[row] > 0 ? std::max(front, x[row]) : front;
    }
    state.ResumeTiming();
  }
  end(state, broken, front, particles);
}

template <std::size_t dimensions>
void run_scalar(benchmark::State& state, Broken& broken) {
  const auto begin = test::scalar_copy<dimensions>(broken.parameters(), broken.load());
  float front = 0;
  for (auto _ : state) {
    state.PauseTiming();
    auto copy = begin;
    state.ResumeTiming();
    for (int step = 0; step < kSteps; ++step) {
      copy.step();
    }
    state.PauseTiming();
    front = 0;
    for (std::size_t row = 0; row < copy.seen().size(); ++row) {
      front = copy.seen()[row].water > 0 ? std::max(front, copy.seen()[row].x[0]) : front;
    }
    state.ResumeTiming();
  }
  end(state, broken, front, begin.seen().size());
}

template <class Body>
void add_row(const std::string& name, const SharedBroken& broken, Body body) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    if (!(*broken)->good()) {
      return state.SkipWithError("the state to begin with could not be made");
    }
    body(state, **broken);
  })->Unit(benchmark::kMillisecond);
}

SharedBroken share(const std::string& preset) {
  return std::make_shared<Once<Broken>>([=] { return std::make_unique<Broken>(preset); });
}

}  // namespace

void add_dam_break_rows() {
  const SharedBroken flat = share("2d"), deep = share("3d");
  add_row("sph_100k/juxta", flat, run_juxta);
  add_row("sph_100k/scalar", flat, run_scalar<2>);
  add_row("sph_3d_100k/juxta", deep, run_juxta);
  add_row("sph_3d_100k/scalar", deep, run_scalar<3>);
}

}  // namespace juxta::bench
