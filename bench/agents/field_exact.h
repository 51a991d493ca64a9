// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bench/agents/field_flock.h"
#include "classics/agents/boids.h"
#include "classics/agents/cell_list.h"
#include "juxta/agents/flock.h"

namespace juxta::bench {

using Boids = std::vector<classics::Boid>;

/// The library's flock behind the interface of the classics. Ends the program on an error.
class ExactBoids final : public classics::BoidsClassic {
 public:
  explicit ExactBoids(float half_size);
  void set(std::span<const classics::Boid> boids) override;
  void step() override;
  void get(std::span<classics::Boid> boids) const override;

 private:
  std::optional<Flock> flock_;
};

/// The published start, at the density of 20,000 in the published world.
[[nodiscard]] Boids field_start(std::size_t count, std::uint64_t seed = 1);
/// The same 300 steps of the rules later.
[[nodiscard]] Boids field_flocked(std::size_t count);
void advance(classics::BoidsClassic& flock, std::size_t steps);

/// From boids, with all that see each other as neighbours; a few more, for the rules to decide.
void build(classics::CellList<2>& list, const Boids& boids);

/// What the rules sum over the neighbours of each boid, by number.
struct Exact {
  std::vector<FieldBoids::Sums> sums;
  std::vector<double> together;  ///< |sum of unit velocities, its own too| / (count + 1).
  double on_the_spot = 0;        ///< Neighbours nearer than a tenth of the radius to avoid, on average.
};
[[nodiscard]] Exact look_around(const Boids& boids);

}  // namespace juxta::bench
