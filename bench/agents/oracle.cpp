// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/agents/oracle.h"

#include <algorithm>
#include <cmath>

#include "bench/agents/all_pairs.h"

namespace juxta::bench {
namespace {

constexpr double kPairs = 2e8;  // looked at for one check
constexpr double kTolerance = 1e-5;

// Every how-many-th agent is checked, so that some 200 are, of small crowds all.
std::size_t stride_of(std::size_t size) {
  const double seers = std::max(200.0, kPairs / static_cast<double>(size));
  return std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(size) / seers));
}

// A state as a start: its columns must outlive it.
Start start_of(const Start& like, const State& state) {
  Start start = like;
  for (std::uint32_t axis = 0; axis < like.dimensions; ++axis) {
    start.position[axis] = state.position[axis].data();
    start.velocity[axis] = state.velocity[axis].data();
  }
  return start;
}

void give_up_at(const std::string& row, std::size_t number, const std::string& what, double got,
                double right) {
  give_up(row + ": " + what + " of agent " + std::to_string(number) + " is " + std::to_string(got) +
          ", not " + std::to_string(right) + ".");
}

void check_same(const State& state, const Start& right, const std::string& row) {
  for (std::uint32_t axis = 0; axis < right.dimensions; ++axis) {
    if (state.position[axis].size() != right.size || state.velocity[axis].size() != right.size) {
      give_up(row + " tells of " + std::to_string(state.position[axis].size()) + " agents, not of " +
              std::to_string(right.size) + ".");
    }
    for (std::size_t i = 0; i < right.size; ++i) {
      if (state.position[axis][i] != right.position[axis][i]) {
        give_up_at(row, i, "the position", state.position[axis][i], right.position[axis][i]);
      }
      if (state.velocity[axis][i] != right.velocity[axis][i]) {
        give_up_at(row, i, "the velocity", state.velocity[axis][i], right.velocity[axis][i]);
      }
    }
  }
}

Looked looked_of(Model model, const Start& all, std::size_t i) {
  return model == Model::kTay ? look_in_box(all, i)
                              : look_around(all, i, model == Model::kHeavyVisits ? 10 : 1);
}

void check_looked(const State& state, Model model, const Start& all, const std::string& row) {
  const std::size_t sums = model == Model::kTay ? 3 : 1;
  for (std::size_t i = 0; i < all.size; i += stride_of(all.size)) {
    const Looked right = looked_of(model, all, i);
    if (double{state.seen[i]} != right.seen) {
      give_up_at(row, i, "the number of neighbours", state.seen[i], right.seen);
    }
    for (std::size_t s = 0; s < sums; ++s) {
      if (!(std::abs(double{state.sums[s][i]} - right.sums[s]) <= kTolerance * right.magnitudes[s])) {
        give_up_at(row, i, "a sum", state.sums[s][i], right.sums[s]);
      }
    }
  }
}

// Two movements, as scenes::move_reflected() has them.
State moved_twice(const Start& start) {
  State state;
  for (std::uint32_t axis = 0; axis < start.dimensions; ++axis) {
    state.position[axis].assign(start.position[axis], start.position[axis] + start.size);
    state.velocity[axis].assign(start.velocity[axis], start.velocity[axis] + start.size);
    for (std::size_t i = 0; i < 2 * start.size; ++i) {
      scenes::move_reflected(state.position[axis][i % start.size], state.velocity[axis][i % start.size],
                             start.lo + start.half_edge, start.hi - start.half_edge);
    }
  }
  return state;
}

void check_looks(World& world, const Crowd& crowd, const std::string& row) {
  State state;
  world.look();
  world.read(state);
  check_same(state, crowd.start, row);
  check_looked(state, crowd.model, crowd.start, row);
  world.act();
  world.step();
  world.look();
  world.read(state);
  const State right = moved_twice(crowd.start);
  const Start moved = start_of(crowd.start, right);
  check_same(state, moved, row + ", moved,");
  check_looked(state, crowd.model, moved, row + ", moved,");
}

void check_boids(const State& state, const Start& before, const std::string& row) {
  const double velocities = 2 * kTolerance + before.hi * 1e-7, positions = velocities / 60 + before.hi * 4e-7;
  for (std::size_t i = 0; i < before.size; i += stride_of(before.size)) {
    const Boid2 right = step_boid(before, i);
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const double v = state.velocity[axis][i], p = state.position[axis][i];
      if (!(std::abs(v - right.velocity[axis]) <= velocities)) {
        give_up_at(row, i, "the velocity", v, right.velocity[axis]);
      }
      if (!(std::abs(p - right.position[axis]) <= positions)) {
        give_up_at(row, i, "the position", p, right.position[axis]);
      }
    }
  }
}

void check_flock(World& world, const Crowd& crowd, const std::string& row) {
  State before, after;
  world.read(before);
  check_same(before, crowd.start, row);
  for (int step = 0; step < 2; ++step) {
    world.step();
    world.read(after);
    check_boids(after, start_of(crowd.start, before), row);
    std::swap(before, after);
  }
}

}  // namespace

Boid2 step_boid(const Start& all, std::size_t i) {
  constexpr float kSee2 = 0.138F, kAvoid2 = 0.02598F;
  constexpr double kTime = double{1.0F / 60}, kMin = double{1.088F}, kMax = double{1.55F};
  constexpr float kWallDistance = 0.25292F;
  double n = 0;
  std::array<double, 2> v{}, d{}, away{};
  for_each_in_ball(all, i, kSee2, [&](std::size_t j, const auto& apart, float distance2) {
    const bool near = distance2 < kSee2, close = distance2 < kAvoid2;
    n += near ? 1 : 0;
    for (std::size_t axis = 0; axis < 2; ++axis) {
      v[axis] += near ? double{all.velocity[axis][j]} : 0;
      d[axis] += near ? double{apart[axis]} : 0;
      away[axis] -= close ? double{apart[axis]} : 0;
    }
  });
  Boid2 boid{{}, {double{all.velocity[0][i]}, double{all.velocity[1][i]}}};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    double& mine = boid.velocity[axis];
    mine += n > 0 ? double{0.22352F} * d[axis] / n : 0;
    mine += double{0.07352F} * away[axis];
    mine += n > 0 ? double{0.09117F} * (v[axis] / n - mine) : 0;
  }
  const double speed = std::hypot(boid.velocity[0], boid.velocity[1]);
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const float p = all.position[axis][i];
    double& mine = boid.velocity[axis];
    mine *= std::clamp(speed, kMin, kMax) / speed;
    mine += p < all.lo + kWallDistance ? double{0.14117F} : 0;
    mine -= p > all.hi - kWallDistance ? double{0.14117F} : 0;
    const double most = double{all.hi} - 0.01;
    boid.position[axis] = std::clamp(double{p} + mine * kTime, -most, most);
  }
  return boid;
}

void check_world(World& world, const Crowd& crowd, const std::string& row) {
  world.set(crowd.start);
  if (crowd.model == Model::kFlock) {
    check_flock(world, crowd, row);
  } else {
    check_looks(world, crowd, row);
  }
}

}  // namespace juxta::bench
