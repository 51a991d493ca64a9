// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/agents/find_near.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "agents/scan_kernel.h"
#include "agents/store.h"

namespace juxta {

QueryResult find_near(const Population& population, const Vec3& point, float radius,
                      std::span<std::uint32_t> rows) noexcept {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (!(radius >= 0 && radius < kInfinity)) {
    return {};
  }
  const agents_detail::PopulationStore& store = agents_detail::PopulationStore::of(population);
  agents_detail::ScanTask task{};
  task.dimensions = store.world.dimensions;
  task.count = store.size();
  task.point = point;
  task.reach = std::min(radius * radius, std::numeric_limits<float>::max());
  for (std::uint32_t axis = 0; axis < task.dimensions; ++axis) {
    const bool periodic = store.world.edges[axis] == Edge::kPeriodic;
    task.position[axis] = store.position(axis);
    task.period[axis] = periodic ? store.world.hi[axis] - store.world.lo[axis] : kInfinity;
    task.wraps = task.wraps || periodic;
  }
  const std::size_t found = agents_detail::scan_rows(task, rows.data(), rows.size());
  return {.found = found, .written = std::min(found, rows.size()), .tested = task.count};
}

}  // namespace juxta
