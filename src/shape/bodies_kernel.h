// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: which bodies' boxes a moving box enters, and which are near a box, nearest first.
#pragma once

#include <cstdint>

#include "juxta/core/function_ref.h"
#include "juxta/layer/query_options.h"
#include "juxta/math/aabb.h"
#include "layer/sink.h"
#include "layer/store.h"

namespace juxta::shape_detail {

/// A box (a ray: half = 0) that moves from `origin` by t * direction, 0 <= t <= end.
struct BoxWay {
  float origin[3];
  float direction[3];  // the longest part in [1, 2), or all 0
  float half[3] = {};
  float end = 0;
};

/// Gets a candidate; returns the new end or limit (an infinity: as before), a negative number to stop.
using Candidate = FunctionRef<float(std::uint32_t body)>;

/// Nothing that the way meets is left out, whatever was rounded: boxes count as entered 2^-20 of t too early
/// and left as much too late. Nearest blocks first, in a block the nearest box first.
void boxes_on_way(const layer_detail::LayerView<3>& view, const BoxWay& way, const QueryOptions& options,
                  Candidate candidate, layer_detail::SearchWork& work) noexcept;

/// Boxes whose squared distance from `box` (in float, rounded down by 2^-20 of it) is at most `limit2`.
void boxes_near(const layer_detail::LayerView<3>& view, const Aabb3& box, float limit2,
                const QueryOptions& options, Candidate candidate, layer_detail::SearchWork& work) noexcept;

}  // namespace juxta::shape_detail
