// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: codes along a curve for the centres of triangles, where triangle_fast.cpp wants them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "shape/triangle_tree.h"

namespace juxta::shape_detail {

/// Four lanes each, so that a box is two registers; the last lane means nothing.
struct alignas(32) FastBounds {
  float lo[4] = {kInf, kInf, kInf, kInf}, hi[4] = {-kInf, -kInf, -kInf, -kInf};

  void add(const float* other_lo, const float* other_hi) noexcept {
    for (int lane = 0; lane < 4; ++lane) {
      lo[lane] = other_lo[lane] < lo[lane] ? other_lo[lane] : lo[lane];
      hi[lane] = other_hi[lane] > hi[lane] ? other_hi[lane] : hi[lane];
    }
  }
};

/// Cells and their codes: each bit halves the longest edge that is left, so that cells are as good as cubes.
/// Bits of a cell go to their places in the code by tables, eight at a time.
class CodeGrid {
 public:
  explicit CodeGrid(const FastBounds& centers) noexcept {
    float edge[3];
    for (int i = 0; i < 3; ++i) {
      from_[i] = centers.lo[i];
      edge[i] = centers.hi[i] - centers.lo[i];
    }
    std::uint8_t axis_of[kCodeBits];  // from the highest bit on
    int bits[3] = {};
    for (std::uint8_t& axis : axis_of) {
      axis = 0;
      for (std::uint8_t i = 1; i < 3; ++i) {
        axis = edge[i] > edge[axis] ? i : axis;
      }
      edge[axis] *= bits[axis] == kMostBits - 1 ? 0.0F : 0.5F;
      ++bits[axis];
    }
    for (int i = 0; i < 3; ++i) {
      bits[i] = std::min(bits[i], kMostBits);
      const float extent = centers.hi[i] - centers.lo[i];
      scale_[i] = static_cast<float>(1 << bits[i]) * 0.9999F / extent;
      if (!(extent > 0) || !(scale_[i] < kInf)) {
        scale_[i] = 0;
      }
      fill_tables(axis_of, i, bits[i]);
    }
  }
  [[nodiscard]] std::uint32_t code(float x, float y, float z) const noexcept {
    return part(x, 0) | part(y, 1) | part(z, 2);
  }

 private:
  static constexpr int kCodeBits = 32, kMostBits = 16;

  void fill_tables(const std::uint8_t (&axis_of)[kCodeBits], int axis, int bits) noexcept {
    std::uint32_t place[kMostBits] = {};  // of the axis' bits, the lowest first
    for (int i = 0, left = bits; i < kCodeBits && left > 0; ++i) {
      if (axis_of[i] == axis) {
        place[--left] = std::uint32_t{1} << (kCodeBits - 1 - i);
      }
    }
    for (std::uint32_t half = 0; half < 2; ++half) {
      std::uint32_t* const table = table_[axis][half];
      table[0] = 0;
      for (std::uint32_t byte = 1; byte < 256; ++byte) {
        const auto highest = static_cast<std::uint32_t>(std::bit_width(byte)) - 1;
        table[byte] = table[byte ^ std::uint32_t{1} << highest] | place[8 * half + highest];
      }
    }
  }
  // A cell is below 2^bits: the scale is less than that.
  [[nodiscard]] std::uint32_t part(float center, int axis) const noexcept {
    const auto cell =
        static_cast<std::uint32_t>(static_cast<std::int32_t>((center - from_[axis]) * scale_[axis]));
    return table_[axis][0][cell & 255] | table_[axis][1][cell >> 8];
  }

  float from_[3], scale_[3];
  std::uint32_t table_[3][2][256];
};

}  // namespace juxta::shape_detail
