// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Sorting, and the passes that are built in.
#include "juxta/c/agents_passes.h"

#include <algorithm>

#include "c/agents.h"
#include "juxta/agents/find_near.h"
#include "juxta/agents/nearest.h"
#include "juxta/agents/reduce.h"
#include "juxta/core/try.h"

using namespace juxta::c_detail;
using juxta::Result;

namespace {

Result<void> check_choice(unsigned value, unsigned last, const char* message) {
  if (value > last) {
    return juxta::fail(juxta::ErrorCode::kInvalidArgument, message);
  }
  return {};
}

Result<juxta::SeeOptions> cpp_options(const juxta_see_options* options) {
  JUXTA_TRY(check_cookie(options, Cookie::kSeeOptions, "juxta_see_options"));
  const juxta_see_options given = options != nullptr ? *options : juxta_default_see_options();
  JUXTA_TRY(check_choice(given.metric, JUXTA_METRIC_BOX, "the metric is none of juxta_metric"));
  return juxta::SeeOptions{
      .metric = static_cast<juxta::Metric>(given.metric), .radii = {given.radii}, .among = {given.among}};
}

}  // namespace

juxta_sort_options juxta_default_sort_options(void) {
  return {static_cast<std::uint32_t>(Cookie::kSortOptions), 0, 0, JUXTA_ARRANGE_AUTO};
}
juxta_see_options juxta_default_see_options(void) {
  return {static_cast<std::uint32_t>(Cookie::kSeeOptions), JUXTA_METRIC_BALL, JUXTA_NO_COLUMN,
          JUXTA_NO_COLUMN};
}
juxta_boid_rules juxta_default_boid_rules(void) {
  const juxta::BoidRules rules;
  return {static_cast<std::uint32_t>(Cookie::kBoidRules),
          rules.see_radius,
          rules.avoid_radius,
          rules.cohere,
          rules.avoid,
          rules.align,
          {rules.velocity[0].data(), rules.velocity[1].data(), rules.velocity[2].data()}};
}

juxta_status juxta_population_sort(juxta_population* population, const juxta_sort_options* options,
                                   const juxta_context* context, juxta_sort_report* report,
                                   juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY(check_cookie(options, Cookie::kSortOptions, "juxta_sort_options"));
    const juxta_sort_options given = options != nullptr ? *options : juxta_default_sort_options();
    JUXTA_TRY(
        check_choice(given.arrangement, JUXTA_ARRANGE_TREE, "the arrangement is none of juxta_arrangement"));
    const CallContext call(context);
    JUXTA_TRY(call.check());
    JUXTA_TRY_LET(const juxta::SortReport done,
                  cpp(population)
                      .sort({.radius = given.radius,
                             .skin = given.skin,
                             .arrangement = static_cast<juxta::Arrangement>(given.arrangement)},
                            *call));
    if (report != nullptr) {
      *report = {static_cast<juxta_arrangement>(done.arrangement), done.cells, done.sorted};
    }
    return {};
  });
}
bool juxta_population_sorted(const juxta_population* population) {
  return cpp(population).sorted();
}

juxta_status juxta_population_reduce(juxta_population* seers, const juxta_population* seen, float radius,
                                     juxta_reduction reduction, const char* of, const char* into,
                                     const juxta_see_options* options, const juxta_context* context,
                                     juxta_query_result* result, juxta_error* error) {
  return pass(context, result, error, [&](const juxta::Context& where) -> Result<juxta::QueryResult> {
    JUXTA_TRY(check_choice(static_cast<unsigned>(reduction), JUXTA_REDUCE_GREATEST,
                           "the reduction is none of juxta_reduction"));
    JUXTA_TRY_LET(const juxta::SeeOptions how, cpp_options(options));
    return juxta::reduce(cpp(seers), cpp(seen), radius, static_cast<juxta::Reduction>(reduction),
                         name_or_none(of), name_or_none(into), how, where);
  });
}

juxta_status juxta_population_steer_boids(juxta_population* boids, const juxta_boid_rules* rules,
                                          const juxta_context* context, juxta_query_result* result,
                                          juxta_error* error) {
  return pass(context, result, error, [&](const juxta::Context& where) -> Result<juxta::QueryResult> {
    JUXTA_TRY(check_cookie(rules, Cookie::kBoidRules, "juxta_boid_rules"));
    const juxta_boid_rules given = rules != nullptr ? *rules : juxta_default_boid_rules();
    return juxta::steer_boids(cpp(boids),
                              {.see_radius = given.see_radius,
                               .avoid_radius = given.avoid_radius,
                               .cohere = given.cohere,
                               .avoid = given.avoid,
                               .align = given.align,
                               .velocity = {name_or_none(given.velocity[0]), name_or_none(given.velocity[1]),
                                            name_or_none(given.velocity[2])}},
                              where);
  });
}

juxta_status juxta_population_nearest(const juxta_population* seers, const juxta_population* seen, uint32_t k,
                                      float radius, uint32_t* rows, float* distance2, uint32_t* counts,
                                      const juxta_context* context, juxta_query_result* result,
                                      juxta_error* error) {
  return pass(context, result, error, [&](const juxta::Context& where) -> Result<juxta::QueryResult> {
    const std::size_t size = cpp(seers).size();
    JUXTA_TRY_LET(const auto row_span, answers<std::uint32_t>(rows, size * k));
    JUXTA_TRY_LET(const auto distance_span, answers<float>(distance2, size * k));
    JUXTA_TRY_LET(const auto count_span, answers<std::uint32_t>(counts, size));
    return juxta::nearest(cpp(seers), cpp(seen), k, radius, row_span, distance_span, count_span, where);
  });
}

juxta_query_result juxta_population_find_near(const juxta_population* population, const float* point,
                                              float radius, uint32_t* rows, size_t size) {
  juxta::Vec3 at;
  for (std::uint32_t axis = 0; axis < cpp(population).world().dimensions; ++axis) {
    at[axis] = point[axis];
  }
  return result_in_place([&] {
    return juxta::find_near(cpp(population), at, radius, answers_or_none<std::uint32_t>(rows, size));
  });
}
