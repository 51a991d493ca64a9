// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A run whose numbers leave what its model allows ends, and says where and why.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "juxta/study/collector.h"
#include "juxta/study/columns.h"
#include "juxta/study/model.h"
#include "juxta/study/run.h"
#include "juxta/study/sweep.h"
#include "study/scratch.h"
#include "support/code_of.h"
#include "support/executors.h"

namespace juxta {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(StudyDiverge, NumbersThatAreNotFiniteAreAnError) {
  for (const double bad : {kNan, kInfinity, -kInfinity}) {
    Collector collector;
    double value = 1;
    collector.add("fine", [] { return 1.0; });
    collector.add("speed", [&] { return value; }, {.advice = "Drive more slowly"});
    EXPECT_TRUE(collector.collect(0));
    EXPECT_FALSE(collector.diverged());
    value = bad;
    const auto refused = collector.collect(7);
    ASSERT_FALSE(refused);
    EXPECT_TRUE(collector.diverged());
    EXPECT_EQ(test::code_of(refused), ErrorCode::kInvalidArgument);
    const std::string& told = refused.error().message;
    EXPECT_EQ(told.find("step 7: 'speed' is "), 0u) << told;
    EXPECT_NE(told.find("finite numbers. Drive more slowly"), std::string::npos) << told;
    EXPECT_EQ(collector.steps().rows(), 2u) << "what was there is noted";
  }
}

TEST(StudyDiverge, ANumberMayBeMissingWhenItIsDeclared) {
  Collector collector;
  double value = kNan;
  collector.add("mean", [&] { return value; }, {.gaps = true});
  EXPECT_TRUE(collector.collect(0));
  value = kInfinity;
  EXPECT_FALSE(collector.collect(1));
}

TEST(StudyDiverge, AConservedNumberKeepsToItsFirstValue) {
  double value = kNan;
  const auto declared = [&](ReporterOptions options) {
    Collector collector;
    options.gaps = true;
    collector.add(
        "energy", [&] { return value; }, options);
    return collector;
  };
  const auto noted = [&](Collector& collector, std::uint32_t step, double now) {
    value = now;
    return collector.collect(step);
  };
  Collector collector = declared({.tolerance = 0.1});
  EXPECT_TRUE(noted(collector, 0, kNan));
  EXPECT_TRUE(noted(collector, 1, -10));  // the first one
  EXPECT_TRUE(noted(collector, 2, -10.9));
  EXPECT_TRUE(noted(collector, 3, -9.1));
  EXPECT_TRUE(noted(collector, 4, kNan));
  Collector resumed = declared({.tolerance = 0.1});
  ASSERT_TRUE(resumed.go_on({collector.steps()}));
  EXPECT_TRUE(noted(resumed, 5, -10.9));
  for (Collector* each : {&collector, &resumed}) {
    const auto refused = noted(*each, 6, -11.1);
    ASSERT_FALSE(refused);
    EXPECT_EQ(
        refused.error().message.find("step 6: 'energy' is -11.1: it is conserved, was -10 at first, and may "
                                     "drift by 1. Give a smaller time step"),
        0u)
        << refused.error().message;
  }
  Collector near0 = declared({.tolerance = 0.1, .scale = 2});  // relative to nothing, all is far
  EXPECT_TRUE(noted(near0, 0, 0));
  EXPECT_TRUE(noted(near0, 1, 0.19));
  EXPECT_FALSE(noted(near0, 2, 0.21));
  Collector held = declared({.tolerance = 0.1, .from_step = 2});  // a thermostat until then
  EXPECT_TRUE(noted(held, 0, 5));
  EXPECT_TRUE(noted(held, 2, 1));
  EXPECT_FALSE(noted(held, 3, 5));
  Collector watched = declared({.tolerance = 0.1});  // rows from step 9 on
  value = 1;
  EXPECT_TRUE(watched.watch(0));
  value = 2;
  EXPECT_FALSE(watched.watch(8));
  EXPECT_FALSE(noted(watched, 9, 2));
}

/// A mass on a spring, by Euler's method: its energy grows by dt^2 a step.
class Spring final : public Model {
 public:
  Spring(const Parameters& p, Simulation& simulation, Population& mass)
      : p_(p), simulation_(simulation), mass_(mass) {}

  Result<void> step(const Context&) override {
    const auto x = mass_.write(mass_.position(0)), v = mass_.write(mass_.position(1));
    const float dt = p_.real("dt"), before = x[0];
    x[0] += dt * v[0];
    v[0] -= dt * before;
    return simulation_.end_step().map([](auto) {});
  }
  void declare(Collector& collector) const override {
    collector.add("energy",
                  [this] {
                    const double x = static_cast<double>(mass_.read(mass_.position(0))[0]);
                    const double v = static_cast<double>(mass_.read(mass_.position(1))[0]);
                    return (x * x + v * v) / 2;
                  },
                  {.tolerance = 0.5, .advice = "Give a smaller dt"});
  }
  void draw(Raster&) const override {}

 private:
  Parameters p_;
  Simulation& simulation_;
  Population& mass_;
};

const ModelInfo& spring() {
  static const ModelInfo info = {
      .name = "spring",
      .what = "a mass on a spring",
      .parameters = {{"dt", 0.01, 0.0001, 2, false, "time of a step"}},
      .presets = {},
      .begin = [](const Parameters&, std::uint64_t seed) -> Result<Simulation> {
        Simulation simulation = Simulation::build({.dimensions = 2}, seed).value();
        Population& mass = *simulation.add_population("mass").value();
        if (auto added = mass.insert(1); !added) {
          return tl::unexpected<Error>(added.error());
        }
        mass.write(mass.position(0))[0] = 1;
        return simulation;
      },
      .open = [](const Parameters& p, Simulation& simulation) -> Result<Owned<Model>> {
        return require_population(simulation, "mass").map([&](Population* mass) {
          return Owned<Model>(new Spring(p, simulation, *mass));
        });
      }};
  return info;
}

Parameters with_dt(double dt) {
  Parameters parameters(spring().parameters);
  EXPECT_TRUE(parameters.set("dt", dt));
  return parameters;
}

TEST(StudyDiverge, ARunEndsWithTheStep) {
  auto run = juxta::Run::begin(spring(), with_dt(0.5), 1).value();
  ASSERT_TRUE(run.step());
  const auto refused = run.step();  // 1.25^2 = 1.5625 times the energy of the start
  ASSERT_FALSE(refused);
  EXPECT_EQ(
      refused.error().message,
      "spring, step 2: 'energy' is 0.78125: it is conserved, was 0.5 at first, and may drift by 0.25. Give a "
      "smaller dt");
  EXPECT_EQ(run.collected().steps().rows(), 3u);
}

TEST(StudyDiverge, AReplicaFailsAloneInASweep) {
  Sweep sweep;
  sweep.model = &spring();
  sweep.parameters = with_dt(0.01);
  sweep.steps = 20;
  sweep.seeds = {1, 2};
  sweep.vary = {{"dt", {0.5, 0.01, 1.5, 0.02}}};
  for (const std::uint32_t every :
       {0u, 5u}) {  // the last step alone: it is held against the first all the same
    sweep.every = every;
    const std::size_t rows = every == 0 ? 1 : 5;
    test::for_each_executor([&](const Executor* executor) {
      const auto done = run_sweep(sweep, {}, {.executor = executor});
      ASSERT_TRUE(done) << done.error().message;
      ASSERT_EQ(done->diverged.size(), 4u);
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(done->diverged[i].index, (std::vector<std::uint64_t>{0, 1, 4, 5})[i]);
      }
      const std::string& told = done->diverged[2].message;
      EXPECT_EQ(told.find("replica 4 (seed 1, dt = 1.5): spring, step 1: 'energy' is "), 0u) << told;
      ASSERT_EQ(done->table.rows(), 4 * rows);
      EXPECT_EQ(done->table.column("replica").front(), 2);
      EXPECT_EQ(done->table.column("replica").back(), 7);
    });
  }
  const test::ScratchFolder folder;  // the same from a journal
  const std::string whole = run_sweep(sweep)->table.csv();
  for (const std::size_t resumed : {0u, 4u}) {
    const auto done = run_sweep(sweep, {.journal = (folder / "journal").string()});
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(done->resumed, resumed);
    EXPECT_EQ(done->diverged.size(), 4u);
    EXPECT_EQ(done->table.csv(), whole);
  }
}

}  // namespace
}  // namespace juxta
