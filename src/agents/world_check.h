// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: which worlds there may be.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "juxta/agents/world.h"
#include "juxta/core/error.h"

namespace juxta::agents_detail {

/// Errors: kInvalidArgument, kNotFinite, with the axis in Error::index.
[[nodiscard]] Result<void> check_world(const World& world);

/// Whether sort() may have put agents there: it does not look at these places again.
[[nodiscard]] inline bool may_be_sorted(const World& world, std::uint32_t axis,
                                        std::span<const float> positions,
                                        std::span<const float> extents) noexcept {
  const float lo = world.lo[axis], hi = world.hi[axis];
  const Edge edge = world.edges[axis];
  bool well = true;
  for (const float x : positions) {
    well = well && std::isfinite(x) && (edge == Edge::kOpen || (x >= lo && x <= hi)) &&
           (edge != Edge::kPeriodic || x < hi);
  }
  for (const float extent : extents) {
    well = well && std::isfinite(extent) && extent >= 0;
  }
  return well;
}

}  // namespace juxta::agents_detail
