// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// From where nodes stand to which nodes meet: the boxes that Layer::build() and Layer::refit() take.
#pragma once

#include <span>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/math/aabb.h"
#include "juxta/math/qvvs.h"

namespace juxta {

/// The axis-aligned box in the world around `local`, a box in a node's own space: around all points
/// position + rotate(rotation, scale * stretch * v) for v in `local`. Rounding never loses a point:
/// - A rotation that maps axes to axes (a component of 1; two, or all four, of the same size; the others 0)
///   gives the smallest box of floats that holds those points as real numbers have them. Where they are
///   floats, it is exact, and boxes that touched before the move touch after it.
/// - Any other rotation: all sides are moved outwards by 2^-19 of the box's reach (the sum of its largest
///   coordinates, scaled) and 2^-22 of the position. That is more than float arithmetic can be wrong by
///   (underflow aside): points by rotate(), by mul() and by to_matrix34() are inside as well. A rotation that
///   is not quite of length 1 is covered both as it is and brought to length 1.
/// - An empty box (inverted or NaN) gives lo = infinity, hi = -infinity. A layer refuses that, with the
///   index: give a node without a body a box of one point.
/// - Where the transform or the box is not finite, or the result would leave float: all sides infinite. A
///   layer refuses those too.
[[nodiscard]] JUXTA_API Aabb3 world_box(const Qvvs& transform, const Aabb3& local) noexcept;

/// Many at once: out[i] is world_box(transforms[i], local[i]), bit for bit, on any executor (null: the
/// calling thread). Allocates nothing.
/// Cost at 100k, one thread, with AVX-512 (AVX2), in ns each: unrotated and of scale 1 2 (5), of any scale
/// 3 (7), also stretched 5 (10); turned by right angles 5 to 7 (12 to 14), otherwise 7 (8). world_box() takes
/// 25, or 55 where the box is exact. Errors: kInvalidArgument (lengths differ).
[[nodiscard]] JUXTA_API Result<void> world_boxes(std::span<const Qvvs> transforms,
                                                 std::span<const Aabb3> local, std::span<Aabb3> out,
                                                 const Context& context = {});

}  // namespace juxta
