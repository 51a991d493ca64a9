// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Tay's birds beside the same rules over all pairs, in doubles.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "juxta/study/columns.h"
#include "juxta/study/model.h"
#include "models/models.h"

namespace juxta {
namespace {

using Vector = std::array<double, 3>;

struct Bird {
  Vector p, u;
};

double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
void add(Vector& sum, const Vector& v, double factor) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    sum[axis] += factor * v[axis];
  }
}

/// The birds in the order of their Ids, which nothing changes.
std::vector<Bird> state_of(const Population& birds) {
  const auto directions = *find_columns<float>(birds, {"ux", "uy", "uz"});
  std::vector<Bird> all(birds.size());
  for (std::uint32_t row = 0; row < birds.size(); ++row) {
    Bird& bird = all[birds.id_of(row).slot];
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      bird.p[axis] = static_cast<double>(birds.read(birds.position(axis))[row]);
      bird.u[axis] = static_cast<double>(birds.read(directions[axis])[row]);
    }
  }
  return all;
}

/// One step. `margin` of a bird becomes how near its nearest decision was to the other side.
std::vector<Bird> plain_step(const std::vector<Bird>& birds, const Parameters& p,
                             std::vector<double>& margin) {
  std::vector<Bird> after = birds;
  margin.assign(birds.size(), 1);
  for (std::size_t i = 0; i < birds.size(); ++i) {
    Vector with{}, to{}, away{}, turn{};
    double ahead = 0, close = 0;
    for (std::size_t j = 0; j < birds.size(); ++j) {
      Vector d = birds[j].p;
      add(d, birds[i].p, -1);
      const double distance = std::sqrt(dot(d, d)), facing = dot(birds[i].u, d);
      if (j == i || distance > p["radius"] + 1) {
        continue;
      }
      margin[i] = std::min({margin[i], std::abs(distance - p["radius"]), std::abs(facing),
                            facing > 0 ? std::abs(distance - p["separation"]) : 1});
      if (facing > 0 && distance < p["radius"]) {
        ahead += 1;
        add(with, birds[j].u, 1);
        add(to, d, 1);
        if (distance < p["separation"]) {
          close += 1;
          add(away, d, -(p["separation"] - distance) / distance);
        }
      }
    }
    const double out = std::sqrt(dot(birds[i].p, birds[i].p));
    add(turn, birds[i].p, out > p["home"] ? -(out - p["home"]) * p["pull"] / out : 0);
    add(turn, with, p["align"] / std::max(ahead, 1.0));
    add(turn, away, p["separate"] / std::max(close, 1.0));
    add(turn, to, p["cohere"] / std::max(ahead, 1.0));
    add(after[i].u, turn, 1);
    const double norm = std::sqrt(dot(after[i].u, after[i].u));
    after[i].u = {after[i].u[0] / norm, after[i].u[1] / norm, after[i].u[2] / norm};
    add(after[i].p, after[i].u, p["speed"]);
  }
  return after;
}

TEST(Flock3d, EveryStepIsThatOfTheRulesOverAllPairs) {
  Parameters parameters = *parameters_of(models::flock_3d(), "small");
  ASSERT_TRUE(parameters.set("birds=1500"));
  ASSERT_TRUE(parameters.set("start=100"));
  ASSERT_TRUE(parameters.set("home=80"));  // some are drawn back
  Simulation simulation = *models::flock_3d().begin(parameters, 3);
  auto model = *models::flock_3d().open(parameters, simulation);
  const Population& birds = **require_population(simulation, "birds");
  std::vector<double> margin;
  std::size_t compared = 0;
  for (int step = 0; step < 40; ++step) {
    const auto expected = plain_step(state_of(birds), parameters, margin);
    ASSERT_TRUE(model->step({}));
    const auto state = state_of(birds);
    for (std::size_t i = 0; i < state.size(); ++i) {
      if (margin[i] > 1e-4) {  // else floats may decide otherwise
        ++compared;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          ASSERT_NEAR(state[i].u[axis], expected[i].u[axis], 2e-6) << "bird " << i << " step " << step;
          ASSERT_NEAR(state[i].p[axis], expected[i].p[axis], 2e-5) << "bird " << i << " step " << step;
        }
      }
    }
  }
  EXPECT_GT(compared, 40 * 1500 * 99 / 100);
}

TEST(Flock3d, BirdsGetIntoStepAndStayAround) {
  const Parameters parameters = *parameters_of(models::flock_3d(), "small");
  Simulation simulation = *models::flock_3d().begin(parameters, 1);
  auto model = *models::flock_3d().open(parameters, simulation);
  Collector collector;
  model->declare(collector);
  for (std::uint32_t step = 0; step < 400; ++step) {
    ASSERT_TRUE(model->step({}));
    collector.collect(step);
  }
  const auto in_step = collector.steps().column("in_step");
  EXPECT_LT(in_step.front(), 0.1);
  EXPECT_GT(in_step.back(), 0.8);
  EXPECT_GT(in_step.back(), in_step[100]);
  for (const Bird& bird : state_of(simulation.population(0))) {
    ASSERT_NEAR(dot(bird.u, bird.u), 1, 1e-5);
    ASSERT_LT(std::sqrt(dot(bird.p, bird.p)), 800);
  }
}

TEST(Flock3d, NobodyAndOneFlyToo) {
  for (const char* birds : {"birds=0", "birds=1"}) {
    Parameters parameters = *parameters_of(models::flock_3d());
    ASSERT_TRUE(parameters.set(birds));
    Simulation simulation = *models::flock_3d().begin(parameters, 3);
    auto model = *models::flock_3d().open(parameters, simulation);
    for (int step = 0; step < 3; ++step) {
      ASSERT_TRUE(model->step({})) << birds;
    }
  }
}

}  // namespace
}  // namespace juxta
