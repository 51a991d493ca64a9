// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Who is near whom, by looking at all pairs. No cells, no order, no lanes. Shared with fuzz/agents.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "juxta/agents/see.h"
#include "juxta/agents/world.h"

namespace juxta::test {

/// Agents as plain columns, row by row.
struct Crowd {
  std::array<std::vector<float>, 3> position;  // z stays empty in 2D
  std::array<std::vector<float>, 3> extents;   // empty: points
  std::vector<float> radii;                    // of each as a seer; empty: one for all
  std::vector<std::uint8_t> marks;             // 0: is not seen; empty: all are

  [[nodiscard]] std::size_t size() const { return position[0].size(); }
  [[nodiscard]] float extent(std::uint32_t axis, std::size_t row) const {
    return extents[axis].empty() ? 0.0F : extents[axis][row];
  }
};

/// The seen, from the seer, as Pair has it.
struct Sight {
  Vec3 d{};
  float distance2 = 0;
};

/// world.h's rule, in floats, as every pass must take it.
inline float nearest_image(const World& world, std::uint32_t axis, float d) {
  if (world.edges[axis] != Edge::kPeriodic) {
    return d;
  }
  const float period = world.hi[axis] - world.lo[axis];
  return d > period / 2 ? d - period : (d < -(period / 2) ? d + period : d);
}

/// True when agent `b` of `seen` is near agent `a` of `seers`; fills `sight`.
inline bool is_near(const World& world, Metric metric, const Crowd& seers, std::size_t a, const Crowd& seen,
                    std::size_t b, float radius, Sight& sight) {
  bool inside = true;
  sight = {};
  for (std::uint32_t axis = 0; axis < world.dimensions; ++axis) {
    sight.d[axis] = nearest_image(world, axis, seen.position[axis][b] - seers.position[axis][a]);
    const float gap =
        std::max(std::abs(sight.d[axis]) - (seers.extent(axis, a) + seen.extent(axis, b)), 0.0F);
    sight.distance2 = axis == 0 ? gap * gap : sight.distance2 + gap * gap;
    inside = inside && gap <= radius;
  }
  return metric == Metric::kBox ? inside : sight.distance2 <= radius * radius;
}

/// Calls visit(row of the seen, sight) for all that agent `a` sees. `same`: seers and seen are one
/// population, and nobody sees itself.
template <class Visit>
void for_each_seen(const World& world, Metric metric, const Crowd& seers, std::size_t a, const Crowd& seen,
                   bool same, float radius, Visit&& visit) {
  const float own = seers.radii.empty() ? radius : seers.radii[a];
  Sight sight;
  for (std::size_t b = 0; b < seen.size(); ++b) {
    const bool hidden = !seen.marks.empty() && seen.marks[b] == 0;
    if (!hidden && !(same && a == b) && is_near(world, metric, seers, a, seen, b, own, sight)) {
      visit(b, sight);
    }
  }
}

}  // namespace juxta::test
