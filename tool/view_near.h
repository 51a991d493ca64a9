// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Overlays of things that see each other within a radius.
#pragma once

#include "juxta/view/viewed_world.h"

namespace juxta::tool {

/// Lines between those within the radius of each other, by a PointTree: at most 500,000. Positions that are
/// not finite: none.
[[nodiscard]] ViewOverlayValues near_lines(const ViewThings& things, float radius);
/// Squares (cubes) of this edge, side by side from the origin, that hold anything: at most 500,000.
[[nodiscard]] ViewOverlayValues cells_in_use(const ViewThings& things, float edge);

}  // namespace juxta::tool
