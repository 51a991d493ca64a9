// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the cells of agents by their number in the order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "agents/arrange.h"
#include "agents/grid.h"

namespace juxta::agents_detail {

/// Directory::row_number() times the cells of a row, and there and back again in rows: out[i] for row_of(i),
/// from `first` to `last`. All that it needs is at hand, and there is no branch: the compiler makes vectors
/// of it.
template <bool deep, class RowOf>
void number_cells(const std::array<GridAxis, 3> axis, bool winding, const Places& places, RowOf row_of,
                  std::uint32_t* out, std::size_t first, std::size_t last) noexcept {
  const float *const px = places.position[0], *const py = places.position[1], *const pz = places.position[2];
  const std::uint32_t nx = axis[0].cells, ny = axis[1].cells, winds = winding ? 1 : 0;
  for (std::size_t i = first; i < last; ++i) {
    const std::size_t at = row_of(i);
    const std::uint32_t x = axis[0].cell(px[at]), y = axis[1].cell(py[at]);
    const std::uint32_t z = deep ? axis[2].cell(pz[at]) : 0;
    const std::uint32_t down = 0 - (z & winds);  // all ones: from the last to the first
    const std::uint32_t row = z * ny + ((y ^ down) + (down & ny));
    const std::uint32_t back = 0 - (row & winds);
    out[i] = row * nx + ((x ^ back) + (back & nx));
  }
}

}  // namespace juxta::agents_detail
