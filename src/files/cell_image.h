// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: a grid of cells as an image, points at the middles of its cells.
//
// VTK 9.1 reads values of cells as if there were one more along each axis, and writes past its memory at
// images of one layer. So values are at points, and a flat grid has its one layer twice, at both its faces.
#pragma once

#include <cstddef>

#include "juxta/files/vtk_cells.h"

namespace juxta::files_detail {

[[nodiscard]] inline XdmfGrid image_of(const CellImage& grid) noexcept {
  XdmfGrid image{grid.cells, grid.lo, grid.cell_size};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (grid.cells[axis] == 1) {
      image.points[axis] = 2;
    } else {
      image.origin[axis] += grid.cell_size[axis] / 2;
    }
  }
  return image;
}

}  // namespace juxta::files_detail
