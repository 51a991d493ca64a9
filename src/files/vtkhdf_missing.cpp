// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Stands in for vtkhdf.cpp, vtkhdf_cells.cpp and vtkhdf_read.cpp where HDF5 is not there (JUXTA_HDF5).
#include "juxta/files/vtk_cells.h"
#include "juxta/files/vtk_points.h"

namespace juxta {
namespace {

tl::unexpected<Error> no_hdf5() {
  return fail(ErrorCode::kInvalidArgument,
              "this build of Juxta has no recordings: build it with HDF5 (JUXTA_HDF5=ON)");
}

}  // namespace

Result<void> write_vtkhdf(std::string_view /*path*/, const PointCloud& /*points*/) {
  return no_hdf5();
}

Result<void> write_vtkhdf(std::string_view /*path*/, const CellImage& /*grid*/) {
  return no_hdf5();
}

Result<StoredPoints> read_vtkhdf(std::string_view /*path*/) {
  return no_hdf5();
}

}  // namespace juxta
