// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: on which side of a line a point lies, exactly.
#pragma once

namespace juxta::ranked_detail {

/// The sign of (b - a) x (p - a): 1 when p is left of the line from a to b, -1 right, 0 on it. Exact for
/// coordinates up to 1e150 whose products do not underflow. After Shewchuk, "Adaptive precision
/// floating-point arithmetic and fast robust geometric predicates" (1997): a bound of the rounding error
/// decides nearly all; the rest is summed without rounding.
[[nodiscard]] int orientation(double ax, double ay, double bx, double by, double px, double py) noexcept;

}  // namespace juxta::ranked_detail
