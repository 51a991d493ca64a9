// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/files/vtk_points.h"

namespace juxta {

/// Values in the cells of a regular grid. Borrows.
struct CellImage {
  /// Along x, y and z: 1 to 2^31 - 1 each, and at most 2^40 in all; 1 along z in 2D.
  std::array<std::uint32_t, 3> cells = {1, 1, 1};
  std::array<double, 3> lo{};                   ///< The corner of the first cell.
  std::array<double, 3> cell_size = {1, 1, 1};  ///< Above 0 each.
  /// As many values as cells, x fastest, 1 component each.
  std::vector<PointField> fields;
  double time = 0;
};

/// Writes one VTKHDF file (version 1.0, an ImageData of points at the middles of the cells;
/// docs/formats/vtkhdf.md), which ParaView opens and any HDF5 library reads. Whole or not at all. The same
/// values, the same bytes, with one version of HDF5.
///
/// Memory:  the values once more; of a flat grid four times.
/// Threads: as write_vtkhdf() of points.
/// Errors:  kIo; kInvalidArgument (no cells; corners, sizes or a time that are not finite; of fields, with
///          Error::index: a wrong length, more than a component, names as for points).
[[nodiscard]] Result<void> write_vtkhdf(std::string_view path, const CellImage& grid);

/// One time of a series of grids, for write_xdmf().
[[nodiscard]] XdmfStep xdmf_step(const CellImage& grid, std::string file);

}  // namespace juxta
