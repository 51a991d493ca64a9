// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/agents/world.h"
#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/memory.h"
#include "juxta/core/owned.h"
#include "juxta/math/vec.h"

namespace juxta {
namespace agents_detail {
struct FlockStore;
}  // namespace agents_detail
class Ranks;  // juxta/core/ranks.h

/// The rules of the boids, with the parameters of the published program. Lengths in units of the world,
/// speeds in units a second.
///
/// For each boid, over all others j, with d = p[j] - p:
///   |d|^2 < see_radius2:    n += 1, sum_v += v[j], sum_d += d
///   |d|^2 < avoid_radius2:  away -= d
/// Then: n > 0: v += cohere * sum_d / n;  v += avoid * away;  n > 0: v += align * (sum_v / n - v); the speed
/// is clamped to [min_speed, max_speed]; within wall_distance of a wall v += wall towards the inside; p += v
/// dt, clamped to the walls less 0.01 (in a periodic world: wrapped). Source: the published SIMD boids on a
/// grid (docs/sources.md); its rules, not its slips (docs/agents.md).
struct FlockRules {
  float time_step = 1.0F / 60;     ///< Seconds, > 0.
  float see_radius2 = 0.138F;      ///< Squared, > 0.
  float avoid_radius2 = 0.02598F;  ///< Squared, in [0, see_radius2].
  float min_speed = 1.088F;        ///< >= 0.
  float max_speed = 1.55F;         ///< >= min_speed.
  float wall_distance = 0.25292F;  ///< >= 0.
  float wall = 0.14117F;
  float avoid = 0.07352F;
  float align = 0.09117F;
  float cohere = 0.22352F;
};

struct FlockOptions {
  std::uint32_t dimensions = 2;  ///< 2 or 3.
  float half_size = 10.5F;       ///< The world is [-half_size, half_size] on every axis; > 0.02.
  bool periodic = false;         ///< No walls: the world is periodic.
  FlockRules rules;
};

/// Boids and nothing else: the flock of the article, tuned by hand. For your own rules see interaction.h;
/// examples/agents_flock.cpp is the same flock written that way.
/// Exact: who sees whom, decided in float. Sums are taken in float: velocities are within about 1e-5 of those
/// that double precision gives.
/// Results: the same bits for any executor and instruction set. Threads: as Population.
class JUXTA_API Flock {
 public:
  /// An empty flock. Errors: kInvalidArgument, kNotFinite (the name of the parameter is in the message).
  [[nodiscard]] static Result<Flock> build(const FlockOptions& options = {},
                                           std::pmr::memory_resource* resource = huge_page_resource());

  /// Replaces all boids: `count` of them, positions 0.9 half_size U(-1, 1) per axis, velocities of random
  /// direction and a speed of U(min, max) / 2, drawn by number from `seed`. Errors: kTooLarge.
  [[nodiscard]] Result<void> scatter(std::size_t count, std::uint64_t seed);
  /// Replaces all boids; in 2D z is not looked at. Errors: kInvalidArgument (lengths differ; a position
  /// outside the world, with the index), kNotFinite (with the index), kTooLarge.
  [[nodiscard]] Result<void> rebuild(std::span<const Vec3> positions, std::span<const Vec3> velocities);

  /// Other rules from the next step on. Errors: kInvalidArgument (also over ranks), kNotFinite; the rules are
  /// as they were then.
  [[nodiscard]] Result<void> set_rules(const FlockRules& rules);

  /// From now on its boids are on several ranks, each with those of some rows of cells; those that ranks
  /// bring stand in the order of ranks. The boids of a rank change with every step. The flight stays that of
  /// one machine, to the bit. `ranks` lives for as long as the flock. Collective, as is step() then. Errors:
  /// kInvalidArgument (it is over ranks already; other options or another step than on rank 0), kTooLarge,
  /// kIo.
  [[nodiscard]] Result<void> distribute(Ranks& ranks);
  /// All boids on one rank, as they would be on one machine; none on the others. Collective. Errors:
  /// kInvalidArgument (not distributed, no such rank), kIo.
  [[nodiscard]] Result<Flock> gather(std::uint32_t rank = 0) const;

  /// One time step. Allocates when the flock grew, or gathered in a part of its world. Cost:
  /// docs/performance.md. Errors: kUnsupportedCpu; over ranks also kIo.
  [[nodiscard]] Result<void> step(const Context& context = {});

  [[nodiscard]] const FlockOptions& options() const noexcept;
  [[nodiscard]] std::size_t size() const noexcept;
  [[nodiscard]] std::uint64_t steps() const noexcept;
  /// Boid by boid in the order of memory, which every step changes; valid until the next step. axis below
  /// dimensions.
  [[nodiscard]] std::span<const float> position(std::uint32_t axis) const noexcept;
  [[nodiscard]] std::span<const float> velocity(std::uint32_t axis) const noexcept;
  /// The number that the boid had in scatter() or rebuild().
  [[nodiscard]] std::span<const std::uint32_t> numbers() const noexcept;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  explicit Flock(Owned<agents_detail::FlockStore> store) noexcept;
  Owned<agents_detail::FlockStore> store_;
};

}  // namespace juxta
