// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Neighbours as lists and pairs.
#include "juxta/c/agents_lists.h"

#include "c/agents.h"
#include "juxta/agents/neighbour_lists.h"
#include "juxta/core/try.h"

using namespace juxta::c_detail;
using juxta::Result;

namespace {

static_assert(sizeof(juxta_row_pair) == sizeof(juxta::RowPair));

Result<juxta::NeighbourListOptions> cpp_options(const juxta_neighbour_list_options* options) {
  JUXTA_TRY(check_cookie(options, Cookie::kNeighbourListOptions, "juxta_neighbour_list_options"));
  const juxta_neighbour_list_options given =
      options != nullptr ? *options : juxta_default_neighbour_list_options();
  if (given.metric > JUXTA_METRIC_BOX) {
    return juxta::fail(juxta::ErrorCode::kInvalidArgument, "the metric is none of juxta_metric");
  }
  return juxta::NeighbourListOptions{.metric = static_cast<juxta::Metric>(given.metric),
                                     .radii = {given.radii},
                                     .half = given.half,
                                     .nearest_images = given.nearest_images};
}

juxta::NeighbourOutputs cpp_outputs(const juxta_neighbour_outputs& given, std::uint32_t dimensions) noexcept {
  const std::size_t size = given.size;
  return {.rows = answers_or_none<std::uint32_t>(given.rows, size),
          .pairs = answers_or_none<juxta::RowPair>(given.pairs, size),
          .distance2 = answers_or_none<float>(given.distance2, size),
          .distance = answers_or_none<float>(given.distance, size),
          .displacement = answers_or_none<float>(given.displacement, size * dimensions)};
}

}  // namespace

juxta_neighbour_list_options juxta_default_neighbour_list_options(void) {
  return {static_cast<std::uint32_t>(Cookie::kNeighbourListOptions), JUXTA_METRIC_BALL, JUXTA_NO_COLUMN,
          false, false};
}

juxta_status juxta_population_neighbour_lists(const juxta_population* seers, const juxta_population* seen,
                                              float radius, uint64_t* offsets,
                                              const juxta_neighbour_outputs* outputs,
                                              const juxta_neighbour_list_options* options,
                                              const juxta_context* context, juxta_query_result* result,
                                              juxta_error* error) {
  return pass(context, result, error, [&](const juxta::Context& on) -> Result<juxta::QueryResult> {
    JUXTA_TRY_LET(const juxta::NeighbourListOptions how, cpp_options(options));
    const juxta::NeighbourOutputs where =
        outputs != nullptr ? cpp_outputs(*outputs, cpp(seers).world().dimensions) : juxta::NeighbourOutputs{};
    if (offsets == nullptr) {
      return juxta::neighbour_pairs(cpp(seers), cpp(seen), radius, where, how, on);
    }
    return juxta::neighbour_lists(cpp(seers), cpp(seen), radius, {offsets, cpp(seers).size() + 1}, where, how,
                                  on);
  });
}
