// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: which of sixteen boxes are within reach of another.
#pragma once

#include <cstdint>

namespace juxta::agents_detail {

/// Sixteen boxes, axis by axis, and a box that is looked from.
struct NearBoxesTask {
  std::uint32_t dimensions;
  bool round;  // the distance counts, else that on each axis
  const float *lo[3], *hi[3];
  float from[3], to[3];
  float reach[3];   // where round the first one, for all axes
  bool wraps;       // boxes are also looked for one period on, either way
  float period[3];  // 0 on an axis that does not wrap
};

/// A bit for each that is near. A box that contains a place is never further than the place, rounding
/// included. Undefined below SSE4.2 (see active_isa()).
[[nodiscard]] std::uint32_t near_boxes(const NearBoxesTask& task) noexcept;

}  // namespace juxta::agents_detail
