// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/math/rect.h"

namespace juxta::bench {

/// What a careful programmer would write for a heat map: one loop over all points, the cell by a
/// multiplication, then one step up or down where rounding put the point on the wrong side of an edge.
void plain_cells(std::span<const float> xs, std::span<const float> ys, const RectD& rect, std::size_t columns,
                 std::size_t rows, std::span<std::uint32_t> counts);

}  // namespace juxta::bench
