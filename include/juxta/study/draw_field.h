// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "juxta/files/raster.h"
#include "juxta/grid/field.h"

namespace juxta {

/// How draw_field() shows a field.
struct FieldPicture {
  double lo = 0, hi = 1;        ///< The values that have the colours of 0 and 1.
  std::uint32_t component = 0;  ///< One that is not there: nothing is drawn.
  std::uint32_t plane = 0;      ///< In 3D: the cells with this z.
  Rgb (*colour)(double) = colour_of;
};

/// Paints the cells of a field, each a rectangle in the coordinates of the image (Raster::show()). A value
/// that is not finite leaves its cell as it is. Over ranks: the cells of this rank. Cost: about 10 ns a cell.
void draw_field(Raster& image, const Field& field, const FieldPicture& picture = {});

}  // namespace juxta
