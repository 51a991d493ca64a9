// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: equal cells over a box of space, and which of them an interval touches.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "juxta/agents/world.h"

namespace juxta::agents_detail {

/// Rows a task, where little is done for each.
inline constexpr std::size_t kManyRows = 16384;

/// So many cells are nothing, however few the agents.
inline constexpr double kFewCells = 4096;
/// So that floats number the cells of an axis exactly.
inline constexpr double kMostOnAxis = 0x1p23;

/// The cells [first, last] of one axis. Cell c is met as cell c + shift of a row of cells that goes on for
/// ever.
struct CellInterval {
  std::uint32_t first, last;
  std::int32_t shift;
};
/// At most two in a world that wraps, ascending.
struct CellIntervals {
  std::array<CellInterval, 2> interval{};
  std::uint32_t count = 0;
  bool all = false;  // every cell, one round or more
};

struct GridAxis {
  using Real = float;
  float origin = 0;
  float inverse = 0;        // cells a unit
  float width = 0;          // of a cell; 0 where there is but one
  std::uint32_t cells = 1;  // below 2^24
  float most = 0;           // cells - 1
  bool periodic = false;

  /// Never falls as x rises, in float arithmetic too: who lies between two positions has a cell between
  /// theirs. What lies outside is counted to the cell at the end; NaN to the first.
  [[nodiscard]] std::uint32_t cell(float x) const noexcept {
    const float c = (x - origin) * inverse;
    const float above = c > 0 ? c : 0;
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(above < most ? above : most));
  }
  /// How far cell c is from [lo, hi], below 0 when it touches.
  [[nodiscard]] float gap(float c, float lo, float hi) const noexcept {
    const float begin = origin + c * width;
    return cells == 1 && !periodic ? 0 : std::max(begin - hi, lo - (begin + width));
  }
  /// What brings a place to its next image, but for rounding; 0 where the axis does not wrap.
  [[nodiscard]] float period() const noexcept { return periodic ? width * static_cast<float>(cells) : 0; }
  /// Some of [lo, hi] lies across the edge of a world that wraps.
  [[nodiscard]] bool wraps(float lo, float hi) const noexcept {
    return periodic && !((lo - origin) * inverse >= 0 && (hi - origin) * inverse < static_cast<float>(cells));
  }
  /// The cells that [lo, hi] touches, each once.
  [[nodiscard]] CellIntervals touched(float lo, float hi) const noexcept {
    if (!wraps(lo, hi)) {
      return {{CellInterval{cell(lo), cell(hi), 0}}, 1};
    }
    const auto n = static_cast<std::int32_t>(cells);
    const auto rounds = static_cast<float>(2 * n);
    const float a = (lo - origin) * inverse, b = (hi - origin) * inverse;
    if (!(a > -rounds && a < rounds && b > -rounds && b < rounds)) {
      return {{CellInterval{0, cells - 1, 0}}, 1, true};
    }
    const std::int32_t first = floor_to_int(a), last = floor_to_int(b);
    // More than a round, or so far outside as only seers that are not sorted stand.
    if (last - first + 1 >= n || first < -n || last >= 2 * n) {
      return {{CellInterval{0, cells - 1, 0}}, 1, true};
    }
    const auto at = [](std::int32_t c) { return static_cast<std::uint32_t>(c); };
    if (first < 0 && last >= 0) {
      return {{CellInterval{0, at(last), 0}, CellInterval{at(first + n), cells - 1, -n}}, 2};
    }
    if (first < n && last >= n) {
      return {{CellInterval{0, at(last - n), n}, CellInterval{at(first), cells - 1, 0}}, 2};
    }
    const std::int32_t shift = first < 0 ? -n : n;
    return {{CellInterval{at(first - shift), at(last - shift), shift}}, 1};
  }

 private:
  [[nodiscard]] static std::int32_t floor_to_int(float x) noexcept {
    const auto towards_zero = static_cast<std::int32_t>(x);
    return towards_zero - (static_cast<float>(towards_zero) > x);
  }
};

struct Grid {
  std::uint32_t dimensions = 3;
  std::array<GridAxis, 3> axis;

  /// Cells row by row: x first. Only where a table of all cells is possible.
  [[nodiscard]] std::uint32_t index(const std::array<std::uint32_t, 3>& c) const noexcept {
    return (c[2] * axis[1].cells + c[1]) * axis[0].cells + c[0];
  }
};

}  // namespace juxta::agents_detail
