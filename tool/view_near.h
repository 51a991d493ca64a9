// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Overlays of things that see each other within a radius.
#pragma once

#include "juxta/view/viewed_world.h"

namespace juxta::tool {

/// Lines between those within the radius of each other, by a PointTree. Across an edge where the world comes
/// back on the other side, a line ends outside, where the other one would be. Positions that are not finite:
/// none.
void near_lines(const ViewThings& things, const ViewInfo& info, bool periodic, float radius,
                ViewParts& parts);
/// Squares (cubes) of this edge, side by side from the origin, that hold anything.
void cells_in_use(const ViewThings& things, float edge, ViewParts& parts);

}  // namespace juxta::tool
