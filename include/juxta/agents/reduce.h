// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Passes that need no rules of your own: what a column is over an agent's neighbours, and the rules of boids.
// Columns are named when the program runs, so that other languages can use them too. For anything else write
// an interaction (docs/interactions.md): it makes several numbers in one pass.
#pragma once

#include <cstdint>
#include <string_view>

#include "juxta/agents/population.h"
#include "juxta/agents/see_options.h"
#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/query_result.h"

namespace juxta {

/// The number that reduce() makes of the neighbours, and what an agent without any gets.
enum class Reduction : std::uint8_t {
  kCount,     ///< How many there are: 0. Exact up to 2^24.
  kSum,       ///< 0
  kMean,      ///< The sum divided by the count: NaN.
  kLeast,     ///< +infinity. NaNs are passed over.
  kGreatest,  ///< -infinity. NaNs are passed over.
};

/// For each seer, one number made of the column `of` over all agents of `seen` that are near, itself left out
/// when the two populations are one. It is written to the seers' column `into`, which may be the one that is
/// read: all read the state as it was before. Both are columns of floats. kCount does not look at `of`.
///
/// Result:  `tested` alone is counted, as see() does. Sums are in the order of see(): the same bits as an
///          interaction that adds the same.
/// Cost:    that of see() with one or two totals.
/// Memory:  4 to 8 bytes a seer from the workspace.
/// Threads: uses the executor's. The same bits for any executor and instruction set.
/// Errors:  those of see(). No column was written then.
[[nodiscard]] JUXTA_API Result<QueryResult> reduce(Population& seers, const Population& seen, float radius,
                                                   Reduction reduction, std::string_view of,
                                                   std::string_view into, const SeeOptions& options = {},
                                                   const Context& context = {});

/// The three rules of boids, with the parameters of the published flock (flock.h).
struct BoidRules {
  float see_radius = 0.37148F;    ///< Whom a boid follows: finite, > 0. Sort for it.
  float avoid_radius = 0.16118F;  ///< Whom it avoids: in [0, see_radius].
  float cohere = 0.22352F;        ///< To the middle of its neighbours.
  float avoid = 0.07352F;         ///< Away from those that are too near.
  float align = 0.09117F;         ///< Along with its neighbours.
  /// Columns of floats; in 2D the third is not looked at.
  std::string_view velocity[3] = {"vx", "vy", "vz"};
};

/// One step of the rules: each boid's velocity from those of its n neighbours j, with d = p[j] - p:
///
///   v += cohere * sum(d) / n
///   v -= avoid * sum(d where |d| <= avoid_radius)
///   v += align * (sum(v[j]) / n - v)
///
/// A boid without neighbours flies on. Positions stay: to move, to limit the speed and to turn from walls is
/// up to you. Result, cost and errors: as reduce(), with ten totals in 3D.
[[nodiscard]] JUXTA_API Result<QueryResult> steer_boids(Population& boids, const BoidRules& rules = {},
                                                        const Context& context = {});

}  // namespace juxta
