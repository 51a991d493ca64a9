// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A flock with rules of your own: the example to copy. The rules are those of juxta::Flock, so that the two
// can fly side by side.
#include <juxta/agents/act.h>
#include <juxta/agents/flock.h>
#include <juxta/agents/see.h>
#include <juxta/agents/simulation.h>
#include <juxta/core/try.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "agents_flock_rules.h"

namespace {

constexpr std::size_t kBoids = 5000;
constexpr int kSteps = 40;

bool all_well = true;

void check(const char* what, bool well) {
  std::printf("%-56s %s\n", what, well ? "yes" : "NO");
  all_well = all_well && well;
}

int complain(const juxta::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

/// The boids as columns of a population, in the order of their numbers.
juxta::Result<void> fill(juxta::Population& boids, const juxta::Flock& flock) {
  JUXTA_TRY(boids.add_columns({"vx", "vy"}));
  if (auto added = boids.add_results({"n", "sum_vx", "sum_vy", "sum_dx", "sum_dy", "away_x", "away_y"});
      !added) {
    return added;
  }
  const auto number = boids.add_column<std::uint32_t>("number");
  const auto first = boids.insert(flock.size());
  if (!number || !first) {
    return tl::unexpected<juxta::Error>(!number ? number.error() : first.error());
  }
  const auto vx = boids.write(*boids.find_column<float>("vx")),
             vy = boids.write(*boids.find_column<float>("vy"));
  const auto x = boids.write(boids.position(0)), y = boids.write(boids.position(1));
  const auto numbers = boids.write(*number);
  for (std::size_t i = 0; i < flock.size(); ++i) {
    x[i] = flock.position(0)[i];
    y[i] = flock.position(1)[i];
    vx[i] = flock.velocity(0)[i];
    vy[i] = flock.velocity(1)[i];
    numbers[i] = flock.numbers()[i];
  }
  return {};
}

/// One step of the rules in agents_flock_rules.h.
juxta::Result<void> step(juxta::Simulation& simulation, juxta::Population& boids,
                         const juxta::FlockOptions& options, const juxta::Executor* executor) {
  const float radius = std::sqrt(options.rules.see_radius2);
  JUXTA_TRY(boids.sort({.radius = radius}, {.executor = executor}));
  const boids::Flocking flocking{options.rules.avoid_radius2};
  JUXTA_TRY(juxta::see(boids, boids, radius, flocking, {}, {.executor = executor}));
  if (auto acted = juxta::act(boids, boids::Steer{options.rules, options.half_size}, {.executor = executor});
      !acted) {
    return acted;
  }
  return simulation.end_step().map([](auto) {});
}

/// The values of a column by boid number.
std::vector<float> by_number(std::span<const std::uint32_t> numbers, std::span<const float> values) {
  std::vector<float> sorted(values.size());
  for (std::size_t row = 0; row < values.size(); ++row) {
    sorted[numbers[row]] = values[row];
  }
  return sorted;
}

/// How far each boid is from the same one of the other flock, in ascending order.
std::vector<float> distances(const juxta::Population& boids, const juxta::Flock& flock) {
  const auto numbers = boids.read(*boids.find_column<std::uint32_t>("number"));
  std::vector<float> apart(flock.size());
  for (std::uint32_t axis = 0; axis < 2; ++axis) {
    const auto ours = by_number(numbers, boids.read(boids.position(axis)));
    const auto theirs = by_number(flock.numbers(), flock.position(axis));
    for (std::size_t i = 0; i < ours.size(); ++i) {
      apart[i] = std::max(apart[i], std::abs(ours[i] - theirs[i]));
    }
  }
  std::ranges::sort(apart);
  return apart;
}

}  // namespace

int main() {
  juxta::FlockOptions options;
  options.half_size = 5.25F;
  auto flock = juxta::Flock::build(options);
  if (!flock || !flock->scatter(kBoids, 1)) {
    return complain(flock ? juxta::Error{} : flock.error());
  }

  // A closed square; actions keep the agents inside of the walls.
  const juxta::World world{.dimensions = 2,
                           .edges = {juxta::Edge::kWall, juxta::Edge::kWall},
                           .lo = {-options.half_size, -options.half_size},
                           .hi = {options.half_size, options.half_size}};
  auto simulation = juxta::Simulation::build(world);
  if (!simulation) {
    return complain(simulation.error());
  }
  auto added = simulation->add_population("boids");
  if (!added) {
    return complain(added.error());
  }
  juxta::Population& boids = **added;
  if (auto filled = fill(boids, *flock); !filled) {
    return complain(filled.error());
  }

  const auto threads =
      juxta::TbbExecutor::build(2);  // none in a library built without oneTBB: the calling thread
  const juxta::Executor* const executor = threads ? &*threads : nullptr;
  const std::size_t most = kBoids - 1 - kBoids / 100;
  for (int i = 0; i < kSteps; ++i) {
    if (auto done = step(*simulation, boids, options, executor); !done) {
      return complain(done.error());
    }
    if (auto done = flock->step({.executor = executor}); !done) {
      return complain(done.error());
    }
    if (i == 0) {
      check("after one step the two flocks differ by rounding", distances(boids, *flock)[most] < 2e-6F);
    }
  }
  // Rounding may put somebody on the other side of a radius for a step: one in a hundred may have gone
  // astray.
  const auto apart = distances(boids, *flock);
  std::printf("%zu boids, %d steps: at most %.2g apart, most within %.2g\n", boids.size(), kSteps,
              static_cast<double>(apart.back()), static_cast<double>(apart[most]));
  check("they still fly together", apart[most] < 1e-4F);

  const auto n = boids.read(*boids.find_column<float>("n"));
  double neighbours = 0;
  for (const float seen : n) {
    neighbours += static_cast<double>(seen) / static_cast<double>(n.size());
  }
  std::printf("each sees %.1f others\n", neighbours);
  check("which is a flock's density", neighbours > 20 && neighbours < 60);
  return all_well ? 0 : 1;
}
