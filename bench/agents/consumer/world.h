// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What every contender of bench_agents is, those of this project included. Knows nothing of the library.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace juxta::bench {

/// Agents by number: number i stands at place i of each column.
struct Start {
  std::uint32_t dimensions = 2;
  float lo = 0, hi = 0;  ///< Walls of the world, on every axis; or, of a periodic one, where it begins again.
  float radius = 0;      ///< Of seeing.
  float half_edge = 0;   ///< Of the cubes that agents are; 0: points.
  std::size_t size = 0;
  std::array<const float*, 3> position{}, velocity{};
  bool periodic = false;
};

/// What has become of them, by number.
struct State {
  std::array<std::vector<float>, 3> position, velocity;
  /// What each saw in the last look(): how many, and the sum of what it took from them (one for visits; one
  /// per axis for Tay's test). Empty for flocks, which keep that to themselves.
  std::vector<float> seen;
  std::array<std::vector<float>, 3> sums;
};

class World {
 public:
  virtual ~World() = default;
  /// Replaces all agents. No fewer and no more than the first time.
  virtual void set(const Start& start) = 0;
  /// Brings what searches neighbours up to date, and looks at all of them; nobody moves.
  virtual void look() {}
  /// What was seen becomes a movement. A flock does all of its step here.
  virtual void act() = 0;
  virtual void read(State& state) const = 0;
  void step() {
    look();
    act();
  }
};

enum class Model : std::uint8_t {
  kFlock,        ///< The boids of the published program.
  kVisits,       ///< Sum of (1 - d / radius)^2 within a ball, per seer.
  kHeavyVisits,  ///< The same ten times over, each of another distance.
  kTay,          ///< Tay's own test: differences within a box, summed.
  kHeadings,  ///< The sum of velocities within a ball: what agents of Vicsek's model take their heading from.
};

/// The one function of the library that this project builds.
using MakeWorld = World*(Model model, unsigned threads);
inline constexpr const char* kMakeWorld = "juxta_bench_make_world";

}  // namespace juxta::bench
