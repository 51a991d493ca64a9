// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: cells along a curve.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "agents/grid.h"
#include "juxta/agents/population.h"
#include "juxta/core/array.h"

namespace juxta::agents_detail {

/// The curve fills one brick of cells after the other; bricks stand row by row, so that a world of any shape
/// is filled by few.
///
///   bits = 2      . . . .|. . . .|. . . .
///                 . 4x4 .|. 4x4 .|. . . .     number of a cell = number of its brick * 16
///                 . . . .|. . . .|. . . .                       + its number on the curve in the brick
///                 . . . .|. . . .|. . . .
///
/// A square (cube) of 2^j cells a side, at a multiple of 2^j, is one range of numbers on either curve.
struct CurveCells {
  explicit CurveCells(std::pmr::memory_resource* resource) noexcept : numbers(resource) {}

  std::uint32_t bits = 0;        // a side of a brick
  Array<std::uint32_t> numbers;  // on the curve, of the cells of a brick row by row

  /// Makes `numbers`. At most 2^15 cells a side, 2^10 in 3D.
  void fill(Arrangement curve, std::uint32_t brick_bits, std::uint32_t dimensions);

  [[nodiscard]] std::uint32_t number(const Grid& grid, const std::array<std::uint32_t, 3>& c) const noexcept {
    const std::uint32_t mask = (1U << bits) - 1;
    const std::uint32_t y_bricks = grid.axis[1].cells >> bits, x_bricks = grid.axis[0].cells >> bits;
    if (grid.dimensions == 2) {
      const std::uint32_t brick = (c[1] >> bits) * x_bricks + (c[0] >> bits);
      return (brick << (2 * bits)) | numbers[(c[1] & mask) << bits | (c[0] & mask)];
    }
    const std::uint32_t brick = ((c[2] >> bits) * y_bricks + (c[1] >> bits)) * x_bricks + (c[0] >> bits);
    return (brick << (3 * bits)) | numbers[((c[2] & mask) << bits | (c[1] & mask)) << bits | (c[0] & mask)];
  }

 private:
  Arrangement filled_ = Arrangement::kAuto;  // what `numbers` holds
  std::uint32_t dimensions_ = 0;
};

}  // namespace juxta::agents_detail
