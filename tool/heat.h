// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// How many points are where, as a picture.
#pragma once

#include <optional>

#include "juxta/core/error.h"
#include "juxta/files/raster.h"
#include "juxta/math/rect.h"
#include "juxta/ranked/ranked_points.h"
#include "tool/arguments.h"

namespace juxta::tool {

/// A pixel for each cell of a grid over the rectangle: white where no point is, else by the logarithm of how
/// many there are. Sides without an end are those of the points. Without a size, 512 pixels for the longer
/// side. Errors: kInvalidArgument (the rectangle has no width or height).
[[nodiscard]] Result<Raster> heat_map(const RankedPoints& points, const RectD& rect,
                                      std::optional<PixelSize> size, const Context& context);

}  // namespace juxta::tool
