// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Totals go to scratch memory and from there to the columns: so a pass may fill a column that it reads.
#include "juxta/agents/reduce.h"

#include <cmath>
#include <limits>
#include <span>
#include <string>

#include "agents/columns_of_pass.h"
#include "agents/pass.h"
#include "agents/reduce_kernel.h"
#include "agents/store.h"
#include "core/call_workspace.h"
#include "juxta/core/try.h"

namespace juxta {
namespace agents_detail {
namespace {

Sweep* sweep_for(Reduction reduction) noexcept {
  switch (reduction) {
    case Reduction::kLeast:
      return &sweep_least;
    case Reduction::kGreatest:
      return &sweep_greatest;
    default:
      return &sweep_sums;
  }
}

/// A column of floats that a pass fills. Errors: those of see().
Result<std::uint32_t> find_filled(const PopulationStore& seers, std::string_view into) {
  JUXTA_TRY_LET(const std::uint32_t column, find_float_column(seers, into, "reduce"));
  if (seers.is_place(column)) {
    return fail(ErrorCode::kInvalidArgument,
                "reduce: column '" + std::string(into) + "' says where agents are, and cannot be filled");
  }
  return column;
}

/// The rules for one axis, in the order of the published program.
void steer(const BoidRules& rules, const float* count, const float* velocities, const float* d,
           const float* too_near, float* velocity, std::size_t first, std::size_t last) noexcept {
  for (std::size_t i = first; i < last; ++i) {
    float v = velocity[i];
    if (count[i] > 0) {
      v += rules.cohere * (d[i] / count[i]);
      v -= rules.avoid * too_near[i];
      v += rules.align * (velocities[i] / count[i] - v);
    }
    velocity[i] = v;
  }
}

}  // namespace
}  // namespace agents_detail

using namespace agents_detail;

Result<QueryResult> reduce(Population& seers_of, const Population& seen_of, float radius, Reduction reduction,
                           std::string_view of, std::string_view into, const SeeOptions& options,
                           const Context& context) {
  PopulationStore& seers = PopulationStore::of(seers_of);
  const PopulationStore& seen = PopulationStore::of(seen_of);
  if (reduction > Reduction::kGreatest) {
    return fail(ErrorCode::kInvalidArgument, "reduce: there is no such reduction");
  }
  JUXTA_TRY(check_pass(seers, seen, radius, options, "reduce"));
  JUXTA_TRY_LET(const std::uint32_t column, find_filled(seers, into));
  SweepTask task = task_of_pass(seers, seen, radius, options);
  task.seen_columns[0] = seen.position(0);  // where only counts are wanted
  if (reduction != Reduction::kCount) {
    JUXTA_TRY_LET(const std::uint32_t read, find_float_column(seen, of, "reduce"));
    task.seen_columns[0] = seen.columns[read].as<float>();
  }
  task.seen_column_count = 1;
  JUXTA_TRY_LET(Halo* const halo, halo_for(seers, seen, task, options, context));
  const CallWorkspace scratch(context);
  const SeenRows rows(seen, halo, options, task, *scratch);
  const bool two = reduction <= Reduction::kMean;
  const std::span<float> first = (*scratch).take<float>(seers.size());
  const std::span<float> sums = two ? (*scratch).take<float>(seers.size()) : first;
  task.found[0] = first.data();
  task.found[1] = sums.data();
  JUXTA_TRY_LET(const QueryResult result,
                run_pass(seers, rows, task, sweep_for(reduction), nullptr, context));
  float* const out = seers.columns[column].as<float>();
  executor_or_serial(context.executor)
      .parallel_for(seers.size(), kManyRows, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
          out[i] = reduction == Reduction::kCount  ? first[i]
                   : reduction != Reduction::kMean ? sums[i]
                   : first[i] > 0                  ? sums[i] / first[i]
                                                   : std::numeric_limits<float>::quiet_NaN();
        }
      });
  return result;
}

Result<QueryResult> steer_boids(Population& boids_of, const BoidRules& rules, const Context& context) {
  PopulationStore& boids = PopulationStore::of(boids_of);
  const std::uint32_t dimensions = boids.world.dimensions;
  if (!(rules.avoid_radius >= 0 && rules.avoid_radius <= rules.see_radius)) {
    return fail(ErrorCode::kInvalidArgument, "steer_boids: avoid_radius must be from 0 to see_radius");
  }
  if (!std::isfinite(rules.cohere) || !std::isfinite(rules.avoid) || !std::isfinite(rules.align)) {
    return fail(ErrorCode::kInvalidArgument, "steer_boids: cohere, avoid and align must be finite");
  }
  JUXTA_TRY(check_pass(boids, boids, rules.see_radius, {}, "steer_boids"));
  SweepTask task = task_of_pass(boids, boids, rules.see_radius, {});
  float* velocity[3] = {};
  for (std::uint32_t a = 0; a < dimensions; ++a) {
    JUXTA_TRY_LET(const std::uint32_t column, find_float_column(boids, rules.velocity[a], "steer_boids"));
    if (boids.is_place(column)) {
      return fail(ErrorCode::kInvalidArgument, "steer_boids: a column of velocities says where boids are");
    }
    velocity[a] = boids.columns[column].as<float>();
    task.seen_columns[a] = velocity[a];
  }
  task.seen_column_count = dimensions;
  JUXTA_TRY_LET(Halo* const halo, halo_for(boids, boids, task, {}, context));
  const CallWorkspace scratch(context);
  const SeenRows all(boids, halo, {}, task, *scratch);
  for (std::uint32_t i = 0; i < 1 + 3 * dimensions; ++i) {
    task.found[i] = (*scratch).take<float>(boids.size()).data();
  }
  const BoidSweep sweep{rules.avoid_radius * rules.avoid_radius};
  JUXTA_TRY_LET(const QueryResult result, run_pass(boids, all, task, &sweep_boids, &sweep, context));
  executor_or_serial(context.executor)
      .parallel_for(boids.size(), kManyRows, [&](std::size_t first, std::size_t last) {
        for (std::uint32_t a = 0; a < dimensions; ++a) {
          steer(rules, task.found[0], task.found[1 + a], task.found[1 + dimensions + a],
                task.found[1 + 2 * dimensions + a], velocity[a], first, last);
        }
      });
  return result;
}

}  // namespace juxta
