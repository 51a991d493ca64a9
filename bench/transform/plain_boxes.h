// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "juxta/math/aabb.h"
#include "juxta/math/qvvs.h"

namespace juxta::bench {

/// The loops that a program without world_boxes() has: in float, rounded to nearest, with no regard to empty
/// boxes and to numbers that are not finite. They lose points to rounding.
///
/// Any rotation: the middle of the box is moved, and its half sizes go through the matrix without its signs
/// (Arvo 1990).
void plain_boxes(std::span<const Qvvs> transforms, std::span<const Aabb3> local, std::span<Aabb3> out);

/// Position + scale * stretch * box. Ignores rotations: for programs that have none.
void plain_unrotated_boxes(std::span<const Qvvs> transforms, std::span<const Aabb3> local,
                           std::span<Aabb3> out);

}  // namespace juxta::bench
