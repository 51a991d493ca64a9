// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/agents/population.h"
#include "juxta/core/export.h"
#include "juxta/core/query_result.h"
#include "juxta/math/vec.h"

namespace juxta {

/// Who is near a point now, looked for among all: for about a hundred agents that move one after the other,
/// or as many as you like when most of them are near. Few of many: keep a grid of your own, or Neighbours. (A
/// plain grid is 1.3 times as fast in a flock of 200 that sees 1.6 birds each, and 4 times at 3,200.) Rows
/// ascending; of them the first rows.size() are written, and all are counted.
///
/// Near is dx*dx + dy*dy (+ dz*dz) <= radius * radius in floats, d by the World's nearest image; a point in a
/// periodic world is inside it. Positions that are not finite, and a radius that is not or is below 0: near
/// nobody. Agents whose death is noted still count. Over ranks (Simulation::distribute()): among those of
/// this rank.
///
/// Cost:    about 0.1 ns an agent, 10 ns a call. The limit is arithmetic: a dozen operations for sixteen.
/// Threads: any. The same rows for any instruction set.
JUXTA_API QueryResult find_near(const Population& population, const Vec3& point, float radius,
                                std::span<std::uint32_t> rows) noexcept;

}  // namespace juxta
