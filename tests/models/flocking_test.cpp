// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Birds beside the same rules written straight down, step by step.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "juxta/study/columns.h"
#include "juxta/study/model.h"
#include "models/models.h"
#include "support/each_isa.h"
#include "tests/models/scalar/flocking.h"
#include "tests/models/scalar/flocking_grid.h"

namespace juxta {
namespace {

using scalar::Bird;
using scalar::FlockingRules;

/// The model, and what its birds are.
struct Flock {
  Flock(const Parameters& parameters, std::uint64_t seed)
      : simulation(*models::flocking().begin(parameters, seed)),
        model(*models::flocking().open(parameters, simulation)),
        birds(**require_population(simulation, "birds")) {}

  [[nodiscard]] std::vector<Bird> state() const {
    const auto columns = *find_columns<double>(birds, {"px", "py", "vx", "vy"});
    std::vector<Bird> all;
    for (std::size_t i = 0; i < birds.size(); ++i) {
      all.push_back({birds.read(columns[0])[i], birds.read(columns[1])[i], birds.read(columns[2])[i],
                     birds.read(columns[3])[i]});
    }
    return all;
  }
  Simulation simulation;
  Owned<Model> model;
  Population& birds;
};

Parameters parameters_with(std::string_view preset, std::initializer_list<const char*> assignments = {}) {
  Parameters parameters = *parameters_of(models::flocking(), preset);
  for (const char* assignment : assignments) {
    EXPECT_TRUE(parameters.set(assignment)) << assignment;
  }
  return parameters;
}

FlockingRules rules_of(const Parameters& p) {
  return {p["size"], p["radius"], p["cohere"], p["separate"], p["separation"], p["match"], p["speed"]};
}

/// From every state of the model one step of both. Sums are in another order, so that they agree within
/// rounding.
void expect_same_flight(const Parameters& parameters, std::uint64_t seed, int steps) {
  Flock flock(parameters, seed);
  auto plain = scalar::make_flocking(rules_of(parameters), parameters.count("birds"), seed);
  const double size = parameters["size"], far = 1e-12 * (size + parameters["speed"]);
  for (int step = 0; step < steps; ++step) {
    ASSERT_TRUE(flock.model->step({}));
    scalar::step_flocking(plain);
    const auto state = flock.state();
    ASSERT_EQ(state.size(), plain.birds.size());
    ASSERT_LE(scalar::farthest_apart(plain.rules, state, plain.birds), far) << "after step " << step;
    for (std::size_t i = 0; i < state.size(); ++i) {
      ASSERT_NEAR(state[i].vx, plain.birds[i].vx, 1e-11) << "bird " << i << " after step " << step;
      ASSERT_NEAR(state[i].vy, plain.birds[i].vy, 1e-11) << "bird " << i << " after step " << step;
      ASSERT_EQ(flock.birds.read(flock.birds.position(0))[i], static_cast<float>(state[i].x));
      ASSERT_EQ(flock.birds.read(flock.birds.position(1))[i], static_cast<float>(state[i].y));
    }
    plain.birds = state;
  }
}

TEST(Flocking, FliesAsTheRulesWrittenStraightDown) {
  for (const char* preset : {"small", "large"}) {
    for (const std::uint64_t seed : {0, 1, 77}) {
      SCOPED_TRACE(std::string(preset) + " seed " + std::to_string(seed));
      expect_same_flight(parameters_with(preset), seed, 100);
    }
  }
}

TEST(Flocking, AlsoWhenThereAreMany) {
  expect_same_flight(parameters_with("small", {"birds=3000", "size=380"}), 6, 5);
}

TEST(Flocking, FliesSoWithAnyParameters) {
  for (const auto& odd :
       std::vector<std::vector<const char*>>{{"birds=0"},
                                             {"birds=1"},
                                             {"birds=2", "radius=1000000"},
                                             {"radius=0"},
                                             {"speed=0"},
                                             {"speed=250"},
                                             {"size=0.001", "radius=0.0003"},
                                             {"size=1000000", "radius=400000"},
                                             {"birds=300", "size=10", "radius=5"},
                                             {"cohere=1000", "separate=1000"},
                                             {"separation=1000000", "match=0"},
                                             {"birds=100", "size=3", "radius=2", "speed=2.9"}}) {
    Parameters parameters = parameters_with("small");
    for (const char* assignment : odd) {
      ASSERT_TRUE(parameters.set(assignment)) << assignment;
    }
    SCOPED_TRACE(odd.front());
    expect_same_flight(parameters, 5, 15);
  }
}

// The yardstick of bench_models: its sums have another order, so its places are the same up to rounding.
TEST(Flocking, TheGridOfTheBenchmarkFliesTheSameWay) {
  const auto expect_near = [](const Parameters& parameters, std::uint32_t steps) {
    auto plain = scalar::make_flocking(rules_of(parameters), parameters.count("birds"), 3);
    scalar::FlockingGrid grid(plain);
    while (plain.step < steps) {
      scalar::step_flocking(plain);
      grid.step();
      ASSERT_EQ(grid.birds().size(), plain.birds.size());
      ASSERT_LT(scalar::farthest_apart(plain.rules, grid.birds(), plain.birds), 1e-9) << plain.step;
    }
  };
  expect_near(parameters_with("small"), 100);
  expect_near(parameters_with("large"), 100);
  expect_near(parameters_with("small", {"birds=50", "size=40", "speed=70"}), 10);  // rounding grows
  expect_near(parameters_with("small", {"birds=100", "size=9", "radius=3"}), 10);
}

TEST(Flocking, DecidesInDoubles) {
  // On a ring at exactly the radius: in floats about half of them are beyond it.
  const Parameters parameters = parameters_with("small", {"birds=65", "radius=5", "speed=0"});
  Flock flock(parameters, 1);
  auto plain = scalar::make_flocking(rules_of(parameters), 65, 1);
  const auto columns = *find_columns<double>(flock.birds, {"px", "py"});
  for (std::uint32_t i = 0; i < 65; ++i) {
    const double turn = 6.283185307179586 * i / 64;
    Bird& bird = plain.birds[i];
    bird.x = i == 64 ? 50.1 : 50.1 + 5 * std::cos(turn);
    bird.y = i == 64 ? 50.3 : 50.3 + 5 * std::sin(turn);
    const double values[] = {bird.x, bird.y};
    for (std::uint32_t axis = 0; axis < 2; ++axis) {
      flock.birds.write(columns[axis])[i] = values[axis];
      flock.birds.write(flock.birds.position(axis))[i] = static_cast<float>(values[axis]);
    }
  }
  ASSERT_TRUE(flock.model->step({}));
  scalar::step_flocking(plain);
  const auto state = flock.state();
  for (std::size_t i = 0; i < state.size(); ++i) {
    EXPECT_NEAR(state[i].vx, plain.birds[i].vx, 1e-14) << i;
    EXPECT_NEAR(state[i].vy, plain.birds[i].vy, 1e-14) << i;
  }
}

TEST(Flocking, BirdsFlyAtUnitSpeedAndStayInside) {
  Flock flock(parameters_with("large"), 9);
  for (int step = 0; step < 50; ++step) {
    ASSERT_TRUE(flock.model->step({}));
  }
  for (const Bird& bird : flock.state()) {
    EXPECT_NEAR(bird.vx * bird.vx + bird.vy * bird.vy, 1, 1e-14);
    EXPECT_TRUE(bird.x >= 0 && bird.x < 150 && bird.y >= 0 && bird.y < 150);
  }
}

TEST(Flocking, RefusesASimulationOfOtherThings) {
  auto other = *Simulation::build({.dimensions = 2});
  const auto opened = models::flocking().open(parameters_with("small"), other);
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("birds"), std::string::npos);
  ASSERT_TRUE(other.add_population("birds"));
  EXPECT_FALSE(models::flocking().open(parameters_with("small"), other));
}

}  // namespace
}  // namespace juxta
