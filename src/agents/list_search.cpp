// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/list_search.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "agents/candidates_kernel.h"
#include "agents/pass.h"
#include "juxta/core/try.h"

namespace juxta::agents_detail {
namespace {

static_assert(kNeighbourRange % kMostSeers == 0);

/// The radius must be below half of each period, or an agent could see two images of another.
Result<void> check_images(const PopulationStore& seers, const PopulationStore& seen, const SweepTask& task,
                          const std::string& what) {
  for (std::uint32_t a = 0; a < task.dimensions; ++a) {
    if (seen.world.edges[a] != Edge::kPeriodic) {
      continue;
    }
    float reach = task.radius;
    for (const auto& [extents, count] :
         {std::pair{task.seer_extents[a], seers.size()}, std::pair{task.seen_extents[a], seen.size()}}) {
      reach += extents != nullptr && count != 0 ? *std::max_element(extents, extents + count) : 0.0F;
    }
    if (!(reach < task.half_period[a])) {
      return fail(ErrorCode::kInvalidArgument,
                  what + ": agents see " + std::to_string(reach) + " far along axis " + "xyz"[a] +
                      ", whose period is " + std::to_string(task.period[a]) +
                      ", so that several images of an agent may be near. Stay below half the period (" +
                      std::to_string(task.half_period[a]) +
                      "), or set nearest_images to list each neighbour once, by its nearest image");
    }
  }
  return {};
}

}  // namespace

Result<void> check_lists(const PopulationStore& seers, const PopulationStore& seen, float radius,
                         const NeighbourListOptions& options, std::string_view named) {
  const std::string what(named);
  if (options.half && &seers != &seen) {
    return fail(ErrorCode::kInvalidArgument, what + ": half lists are of one population; two were given");
  }
  if (options.half && options.radii.index != Column<float>::kNone) {
    return fail(
        ErrorCode::kInvalidArgument,
        what + ": agents with radii of their own need not see each other; half lists have one radius");
  }
  const SeeOptions see_options{.metric = options.metric, .radii = options.radii};
  JUXTA_TRY(check_pass(seers, seen, radius, see_options, what));
  JUXTA_TRY(check_whole(seen, what));
  return options.nearest_images
             ? Result<void>()
             : check_images(seers, seen, task_of_pass(seers, seen, radius, see_options), what);
}

ListSearch::ListSearch(const PopulationStore& seers, const PopulationStore& seen, float radius,
                       const NeighbourListOptions& options, Workspace& workspace)
    : seers_(seers),
      seen_(seen),
      task_(task_of_pass(seers, seen, radius, {.metric = options.metric, .radii = options.radii})),
      reach_(seen.directory, radius, !task_.box),
      half_(options.half) {
  const std::span<std::uint32_t> rows = workspace.take<std::uint32_t>(seen.size());
  std::iota(rows.begin(), rows.end(), 0U);
  task_.seen_columns[0] = reinterpret_cast<const float*>(rows.data());  // columns are only copied
  task_.seen_column_count = 1;
}

std::size_t ListSearch::find(std::size_t first, std::size_t last, ListSink& sink) const noexcept {
  sink.half = half_;
  sink.same = &seers_ == &seen_;
  const ListRules rules{&sink};
  const bool measured = sink.pairs != nullptr || sink.distance2 != nullptr || sink.distance != nullptr ||
                        sink.displacement != nullptr;
  Seeing seeing{seen_.directory, reach_,   task_, measured ? &sweep_list_measured : &sweep_list_rows,
                &rules,          sink.same};
  seeing.later_only = half_;
  return sweep_seers(seeing, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last));
}

}  // namespace juxta::agents_detail
