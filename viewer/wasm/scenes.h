// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What the page without a server shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "juxta/core/error.h"
#include "juxta/files/point_table.h"
#include "juxta/view/viewed_world.h"

namespace juxta::page {

/// Invented cities in a country of 360 by 180: the most important ones in the middle of each region, names of
/// syllables, and the i-th largest has about an i-th of the people of the largest. The same for the same
/// arguments on every machine.
[[nodiscard]] PointTable make_cities(std::size_t count, std::uint64_t seed);

/// Boxes in clusters that drift: a Layer follows them, and tells which overlap. Errors: of Layer.
[[nodiscard]] Result<std::unique_ptr<ViewedWorld>> make_boxes_world(std::size_t count, std::uint64_t seed);

/// A scanner that flies around a rock of triangles and casts rays at it, step by step. Errors: of
/// TriangleMesh.
[[nodiscard]] Result<std::unique_ptr<ViewedWorld>> make_rays_world(std::size_t triangles, std::uint64_t seed);

}  // namespace juxta::page
