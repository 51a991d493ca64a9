// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "bench/agents/consumer/world.h"
#include "bench/support/once.h"
#include "bench/support/settings.h"
#include "scenes/agents.h"
#include "scenes/flocks.h"

namespace juxta::bench {

/// `nominal` agents, or JUXTA_BENCH_POINTS where that is less.
[[nodiscard]] inline std::size_t agent_count(std::size_t nominal) {
  return std::min(nominal, number_setting("JUXTA_BENCH_POINTS", nominal));
}

inline constexpr std::uint64_t kSeed = 1;

/// The crowd that stands unevenly: where it is dense an agent sees some 800 others.
inline constexpr std::size_t kClumped = 50'000;
inline constexpr float kClumpedRadius = 10;

/// What all contenders of a workload begin with, and what they are asked. Stays where it was made: start
/// points into the columns.
struct Crowd {
  Crowd(scenes::FlockScene scene)  // NOLINT(google-explicit-constructor): a flock is a crowd
      : model(Model::kFlock), position(std::move(scene.position)), velocity(std::move(scene.velocity)) {
    // A little more than sqrt(.138): the rules themselves ask for less than .138, squared.
    begin(scene.dimensions, -scene.half_size, scene.half_size, 0.3715F, 0);
  }
  Crowd(scenes::AgentScene scene, Model asked)
      : model(asked), position(std::move(scene.position)), velocity(std::move(scene.velocity)) {
    begin(scene.dimensions, scene.lo, scene.hi, scene.radius, scene.half_edge);
  }
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;

  Model model;
  std::array<std::vector<float>, 3> position, velocity;
  Start start;

 private:
  void begin(std::uint32_t dimensions, float lo, float hi, float radius, float half_edge) {
    start = {dimensions, lo, hi, radius, half_edge, position[0].size(), {}, {}};
    for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
      start.position[axis] = position[axis].data();
      start.velocity[axis] = velocity[axis].data();
    }
  }
};

using SharedCrowd = std::shared_ptr<Once<Crowd>>;

/// From a function that makes the scene when a row first needs it.
template <class MakeScene>
[[nodiscard]] SharedCrowd share_agents(Model model, MakeScene make) {
  return std::make_shared<Once<Crowd>>([=] { return std::make_unique<Crowd>(make(), model); });
}

/// `nominal` boids or fewer at the density of 20,000 in the published world.
[[nodiscard]] inline SharedCrowd share_flock(std::size_t nominal) {
  return std::make_shared<Once<Crowd>>([nominal] {
    const std::size_t count = agent_count(nominal);
    return std::make_unique<Crowd>(scenes::make_flock(count, scenes::flock_half_size(count), kSeed));
  });
}

}  // namespace juxta::bench
