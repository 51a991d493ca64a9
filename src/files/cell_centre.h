// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: grids of cells are written as points at their middles. VTK 9.1 looks for values of cells as if
// there were one more along each axis, and fails.
#pragma once

#include <array>

namespace juxta::files_detail {

[[nodiscard]] inline std::array<double, 3> centre_of_first(const std::array<double, 3>& lo,
                                                           const std::array<double, 3>& cell_size) noexcept {
  return {lo[0] + cell_size[0] / 2, lo[1] + cell_size[1] / 2, lo[2] + cell_size[2] / 2};
}

}  // namespace juxta::files_detail
