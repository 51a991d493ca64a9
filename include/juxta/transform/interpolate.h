// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Between two moments: a simulation of 20 steps a second, drawn 144 times a second.
//
//   Hierarchy::previous(id)            Hierarchy::world(id)
//   (when the step began)  t = 0 ----- t = 1  (as it is now)
#pragma once

#include <span>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/math/qvvs.h"

namespace juxta {

/// The transform at the moment t between `from` (0) and `to` (1).
/// - t = 0 is `from` and t = 1 is `to`, and a field that is the same in both stays: bit for bit.
/// - Position, scale and stretch go along the straight line between the two. Both halves are computed from
///   their own end, so that neither end is missed by rounding.
/// - The rotation goes along the shorter arc: the straight line between the two quaternions (one of them
///   negated when they point apart), brought back to length 1 by square root and division. Half way is
///   exactly half way; before and after, the turn lags and leads an even one: by less than 0.04 degrees where
///   the rotations are 30 degrees apart, 1 degree at 90, 8.2 degrees at 180.
/// - The context is that of `to`, but for t = 0.
/// - Below 0 and above 1 the lines go on: for drawing a little ahead of the simulation. The rotation turns on
///   along its arc, ever slower. A scale stops at 0; stretch may pass it.
/// Rotations are of length 1. The result is finite when both ends are and the line does not leave float.
[[nodiscard]] JUXTA_API Qvvs interpolate(const Qvvs& from, const Qvvs& to, float t) noexcept;

/// Many at once: out[i] is interpolate(from[i], to[i], t), bit for bit, on any executor. `out` may be `from`
/// or `to` itself. About 12 ns each; allocates nothing. Errors: kInvalidArgument (lengths differ), kNotFinite
/// (t).
[[nodiscard]] JUXTA_API Result<void> interpolate(std::span<const Qvvs> from, std::span<const Qvvs> to,
                                                 float t, std::span<Qvvs> out, const Context& context = {});

}  // namespace juxta
