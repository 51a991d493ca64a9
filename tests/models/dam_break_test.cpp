// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The dam break beside the same equations in scalar C++, and what holds of water whatever the equations.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "models/models.h"
#include "support/code_of.h"
#include "support/each_isa.h"
#include "support/executors.h"
#include "support/fnv.h"
#include "support/saved_bytes.h"
#include "tests/models/dam_break_run.h"
#include "tests/models/scalar/dam_break_copy.h"

namespace juxta::test {
namespace {

/// How far two runs are apart, in spacings, in speeds of sound, in parts of the density (what others feel,
/// too).
struct Apart {
  double place = 0, speed = 0, compression = 0, felt = 0, front = 0;
};

template <std::size_t dimensions>
Apart apart(const DamRun& run, const ScalarDamBreak<dimensions>& scalar) {
  const models::Tank tank(run.parameters);
  const auto compression = run.column("compression"), water = run.column("water");
  const auto push = run.column("push"), head = run.column("head");
  const std::vector<std::uint32_t> rows = run.rows_by_slot();
  Apart most;
  float front = 0, scalar_front = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& seen = scalar.seen()[i];
    const auto& own = scalar.own()[i];
    const std::uint32_t row = rows[own.number];
    for (std::uint32_t a = 0; a < dimensions; ++a) {
      const auto d = static_cast<double>(run.place(a)[row]) - static_cast<double>(seen.x[a]);
      const double period = a == 2 ? tank.deep * tank.spacing : 1e9;
      const double near = std::min(std::abs(d), std::abs(period - std::abs(d)));
      most.place = std::max(most.place, near / tank.spacing);
      most.speed =
          std::max(most.speed, static_cast<double>(std::abs(run.speed(a)[row] - seen.v[a])) / tank.sound);
    }
    most.compression =
        std::max(most.compression, static_cast<double>(std::abs(compression[row] - own.compression)));
    most.felt = std::max({most.felt, static_cast<double>(std::abs(push[row] - seen.push) / tank.step.sound2),
                          static_cast<double>(std::abs(head[row] - seen.head))});
    front = water[row] > 0 ? std::max(front, run.place(0)[row]) : front;
    scalar_front = seen.water > 0 ? std::max(scalar_front, seen.x[0]) : scalar_front;
  }
  most.front = static_cast<double>(std::abs(front - scalar_front)) / tank.spacing;
  return most;
}

template <std::size_t dimensions>
void expect_same_as_scalar(DamRun& run, std::uint32_t before, std::uint32_t steps) {
  run.step(before);
  auto scalar = scalar_copy<dimensions>(run.parameters, run.simulation);
  run.step(1);
  scalar.step();
  const Apart one = apart(run, scalar);
  EXPECT_LT(one.place, 1e-4);  // a few roundings of a coordinate
  EXPECT_LT(one.speed, 1e-6);
  EXPECT_LT(one.compression, 1e-7);
  EXPECT_LT(one.felt, 1e-7);
  run.step(steps - 1);
  for (std::uint32_t step = 1; step < steps; ++step) {
    scalar.step();
  }
  const Apart many = apart(run, scalar);
  EXPECT_LT(many.front, 0.01);
  EXPECT_LT(many.place, 0.05);
  EXPECT_LT(many.compression, 1e-3);
}

TEST(DamBreak, IsTheScalarVersionIn2D) {
  DamRun run({"across=20"});
  expect_same_as_scalar<2>(run, 1000, 200);
}

TEST(DamBreak, IsTheScalarVersionIn3D) {
  DamRun run({"dimensions=3", "across=8", "depth=9", "smoothing=1.3"});
  expect_same_as_scalar<3>(run, 100, 200);
}

/// So thin that all see each other round the world, each once.
TEST(DamBreak, IsTheScalarVersionInTheThinnestTank) {
  DamRun run({"dimensions=3", "across=8", "depth=8", "smoothing=2", "tank=2", "wall=2"});
  expect_same_as_scalar<3>(run, 50, 20);
}

/// What one does to the other, the other does to it.
TEST(DamBreak, ForcesCancel) {
  for (const char* dimensions : {"dimensions=2", "dimensions=3"}) {
    DamRun run({dimensions, "across=12", "depth=9", "smoothing=1.3"});
    run.step(200);
    for (const char* name :
         run.simulation.world().dimensions == 2 ? std::vector{"fx", "fy"} : std::vector{"fx", "fy", "fz"}) {
      double sum = 0, size = 0;
      for (const float force : run.column(name)) {
        sum += static_cast<double>(force);
        size += std::abs(static_cast<double>(force));
      }
      EXPECT_GT(size, 0);
      EXPECT_LT(std::abs(sum), 1e-6 * size) << name;
    }
  }
}

/// The line through pressure over height, p / density = slope * (y - surface), of all water, and what else
/// tells that it is at rest.
struct Rest {
  double slope = 0, surface = 0, off = 0, fastest = 0;
};
Rest rest_of(const DamRun& run) {
  const models::Tank tank(run.parameters);
  const auto water = run.column("water"), compression = run.column("compression");
  Rest rest;
  double n = 0, y = 0, p = 0, yy = 0, yp = 0, squares = 0;
  const auto each = [&](auto body) {
    for (std::size_t i = 0; i < water.size(); ++i) {
      if (water[i] > 0) {
        body(static_cast<double>(run.place(1)[i]),
             tank.sound * tank.sound * static_cast<double>(compression[i]), i);
      }
    }
  };
  each([&](double yi, double pi, std::size_t i) {
    n += 1, y += yi, p += pi, yy += yi * yi, yp += yi * pi;
    rest.fastest = std::max(rest.fastest, static_cast<double>(std::hypot(run.speed(0)[i], run.speed(1)[i])));
  });
  rest.slope = (n * yp - y * p) / (n * yy - y * y);
  rest.surface = y / n - p / n / rest.slope;
  each([&](double yi, double pi, std::size_t) {
    const double off = pi - rest.slope * (yi - rest.surface);
    squares += off * off;
  });
  rest.off = std::sqrt(squares / n);
  return rest;
}

/// The column breathes, as an organ pipe does: its disorder gives way at the start, and little damps that.
/// Hence the mean over three breaths of four heights over the speed of sound.
TEST(DamBreak, StillWaterKeepsThePressureOfItsDepth) {
  DamRun run({"across=24", "tank=1"});
  const models::Tank tank(run.parameters);
  const double height = tank.high * tank.spacing, bottom = tank.gravity * height;
  run.step(4000);
  double slope = 0;
  constexpr int kTimes = 36, kSteps = 40;
  for (int time = 0; time < kTimes; ++time) {
    run.step(kSteps);
    const Rest rest = rest_of(run);
    slope += rest.slope / kTimes;
    EXPECT_NEAR(-rest.slope / tank.gravity, 1, 0.12);
    EXPECT_NEAR(rest.surface / height, 1, 0.03);
    EXPECT_LT(rest.off, 0.02 * bottom);
    EXPECT_LT(rest.fastest, 0.05 * std::sqrt(bottom));
  }
  EXPECT_NEAR(-slope / tank.gravity, 1, 0.02);
  EXPECT_NEAR(run.report("highest"), height, tank.spacing);
  EXPECT_NEAR(run.report("lost"), 0, 0.003);
  EXPECT_EQ(run.report("outside"), 0);
}

TEST(DamBreak, FollowsTheExperiment) {
  DamRun run({"across=24"});
  follow_martin_and_moyce(run, {.ahead = 0.28, .off = 0.07, .lost = 0.03});
}

/// How far water is above the floor, in spacings, where the lattice would have it half a spacing above: for
/// each two spacings along the floor, from the dam's place to a little behind the front.
std::vector<double> gaps_of(const DamRun& run) {
  const models::Tank tank(run.parameters);
  const double wide = 2 * tank.spacing, dam = tank.across * tank.spacing;
  const auto first = static_cast<std::size_t>(dam / wide) + 1;
  const auto last = static_cast<std::size_t>((run.report("front") - 4 * tank.spacing) / wide);
  std::vector<double> lowest(last - first, 1e9);
  for (std::size_t i = 0; i < run.all().size(); ++i) {
    const auto k = static_cast<std::size_t>(std::max(static_cast<double>(run.place(0)[i]), 0.0) / wide);
    if (run.column("water")[i] > 0 && k >= first && k < last) {
      lowest[k - first] = std::min(lowest[k - first], static_cast<double>(run.place(1)[i]));
    }
  }
  for (double& y : lowest) {
    y = y / tank.spacing - 0.5;
  }
  std::ranges::sort(lowest);
  return lowest;
}

void runs_on_the_floor(DamRun& run) {
  const models::Tank tank(run.parameters);
  while (run.report("front") < 3 * tank.across * tank.spacing) {
    run.step(20);
  }
  const std::vector<double> gaps = gaps_of(run);
  ASSERT_GT(gaps.size(), 8);
  EXPECT_LT(std::abs(gaps[gaps.size() / 2]), 0.3);
  EXPECT_LT(gaps.back(), 0.5);
  EXPECT_GT(gaps.front(), -0.5);
}

TEST(DamBreak, RunsOnTheFloorIn2D) {
  DamRun run({"across=24"});
  runs_on_the_floor(run);
}

TEST(DamBreak, RunsOnTheFloorIn3D) {
  DamRun run({"dimensions=3", "across=12", "depth=8", "smoothing=1.3"});
  runs_on_the_floor(run);
}

/// Volume by counting: the sum of W over all within reach, of water that has water or walls all around, is
/// what its density says. The continuity equation alone would not notice were it to drift.
TEST(DamBreak, KeepsItsVolume) {
  DamRun run({"across=24"});
  run.step(1600);  // the front is at twice the width
  const models::Tank tank(run.parameters);
  const double reach = 2 * tank.h, pi = 3.14159265358979323846;
  const auto x = run.place(0), y = run.place(1), water = run.column("water");
  const auto w = [&](double q) {
    return 7 / (4 * pi) / (tank.h * tank.h) * std::pow(1 - q / 2, 4) * (1 + 2 * q);
  };
  double count = 0, counted = 0, carried = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto xi = static_cast<double>(x[i]), yi = static_cast<double>(y[i]);
    // Behind the dam, and below a surface that is there still higher than half of what it was.
    if (!(water[i] > 0) || xi > tank.across * tank.spacing / 2 || yi > tank.high * tank.spacing / 4) {
      continue;
    }
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double r = std::hypot(static_cast<double>(x[j]) - xi, static_cast<double>(y[j]) - yi);
      sum += r < reach ? tank.spacing * tank.spacing * w(r / tank.h) : 0;
    }
    ++count;
    counted += sum;
    carried += 1 + static_cast<double>(run.column("compression")[i]);
  }
  ASSERT_GT(count, 100);
  EXPECT_NEAR(counted / count, carried / count, 0.02);
  EXPECT_NEAR(carried / count, 1, 0.01);
}

TEST(DamBreak, DependsOnTheSeed) {
  const DamRun run({"across=12"});
  const Simulation other = run.info.begin(run.parameters, 2).value();
  const auto place = [](const Simulation& s) { return s.population(0).read(s.population(0).position(0)); };
  EXPECT_FALSE(std::ranges::equal(place(run.simulation), place(other)));
  const DamRun tidy({"across=12", "disorder=0"});
  const Simulation same = tidy.info.begin(tidy.parameters, 2).value();
  EXPECT_TRUE(std::ranges::equal(place(tidy.simulation), place(same)));
}

/// The same bytes for any number of threads and any instruction set.
TEST(DamBreak, IsOneResult) {
  std::uint64_t expected = 0;
  for_each_isa([&](Isa) {
    for (const unsigned threads : {1U, 3U}) {
      DamRun run({"across=12"});
      const ThreadsExecutor executor(threads);
      run.step(150, &executor);
      std::uint64_t hash = 0;
      for (const char* name : {"x", "y", "ux", "uy", "vx", "vy", "compression", "push", "head"}) {
        hash = fnv(run.column(name), hash);
      }
      expected = expected == 0 ? hash : expected;
      EXPECT_EQ(hash, expected) << threads;
    }
  });
}

/// In the midst of a run, where the order of rows is a few steps old.
TEST(DamBreak, GoesOnAsIfItHadNotBeenStopped) {
  const ScratchFile file;
  DamRun whole({"across=16"});
  whole.step(703);
  ASSERT_TRUE(whole.simulation.save(file.path().string()));
  DamRun resumed({"across=16"});
  resumed.resume(Simulation::load(file.path().string()).value());
  whole.step(50);
  resumed.step(50);
  for (const char* name : {"x", "y", "ux", "uy", "vx", "vy", "compression", "push", "head", "water"}) {
    EXPECT_TRUE(std::ranges::equal(whole.column(name), resumed.column(name))) << name;
  }
}

TEST(DamBreak, DrawsWaterAndWalls) {
  DamRun run({"across=12"});
  run.step(100);
  Raster image(500, 300);
  run.model->draw(image);
  const auto pixels = image.pixels();
  const auto grey = std::ranges::count(pixels, Rgb{120, 120, 120});
  const auto white = std::ranges::count(pixels, Rgb{255, 255, 255});
  const auto all = static_cast<std::ptrdiff_t>(pixels.size());
  EXPECT_GT(grey, all / 20);
  EXPECT_GT(white, all / 4);
  EXPECT_GT(all - grey - white, all / 20);
}

TEST(DamBreak, RefusesTooManyAndTooHigh) {
  const ModelInfo info = models::dam_break();
  for (const Parameters& parameters :
       {DamRun::with({"dimensions=3", "across=2000", "depth=500"}), DamRun::with({"height=2", "wall=1.9"})}) {
    const auto refused = info.begin(parameters, 1);
    ASSERT_FALSE(refused);
    EXPECT_EQ(test::code_of(refused), ErrorCode::kInvalidArgument);
  }
}

TEST(DamBreak, RefusesAForeignSimulation) {
  Simulation empty = Simulation::build({.dimensions = 2}).value();
  const ModelInfo info = models::dam_break();
  const auto none = info.open(Parameters(info.parameters), empty);
  ASSERT_FALSE(none);
  EXPECT_EQ(test::code_of(none), ErrorCode::kNotFound);
  ASSERT_TRUE(empty.add_population("particles"));
  const auto bare = info.open(Parameters(info.parameters), empty);
  ASSERT_FALSE(bare);
  EXPECT_EQ(test::code_of(bare), ErrorCode::kNotFound);
  Parameters deep(info.parameters);
  Simulation flat = info.begin(deep, 1).value();
  ASSERT_TRUE(deep.set("dimensions", 3));
  const auto other = info.open(deep, flat);
  ASSERT_FALSE(other);
  EXPECT_EQ(test::code_of(other), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace juxta::test
