// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the rows of cells on one axis that a box reaches.
#pragma once

#include <algorithm>
#include <cstdint>

#include "agents/directory.h"

namespace juxta::agents_detail {

/// And how far from the box each is at least. Axis: GridAxis or WideAxis.
template <class Axis>
class RowsReached {
 public:
  RowsReached(const Axis& axis, float lo, float hi, const Reach& reach, float on) noexcept
      : axis_(axis), cells_(axis.touched(lo - on, hi + on)), lo_(lo), hi_(hi), slack_(reach.slack) {}

  [[nodiscard]] const CellIntervals& cells() const noexcept { return cells_; }
  [[nodiscard]] std::uint64_t count() const noexcept {
    std::uint64_t all = 0;
    for (std::uint32_t i = 0; i < cells_.count; ++i) {
      all += cells_.interval[i].last - cells_.interval[i].first + 1;
    }
    return all;
  }
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::uint32_t i = 0; i < cells_.count; ++i) {
      const CellInterval& interval = cells_.interval[i];
      for (std::uint32_t c = interval.first; c <= interval.last; ++c) {
        visit(c, gap(c, interval));
      }
    }
  }
  /// The same from the last one to the first.
  template <class Visit>
  void for_each_down(Visit&& visit) const {
    for (std::uint32_t i = cells_.count; i-- > 0;) {
      const CellInterval& interval = cells_.interval[i];
      for (std::uint32_t c = interval.last + 1; c-- > interval.first;) {
        visit(c, gap(c, interval));
      }
    }
  }
  /// Calls visit(c, gap) if row c is reached.
  template <class Visit>
  void if_reached(std::uint32_t c, Visit&& visit) const {
    for (std::uint32_t i = 0; i < cells_.count; ++i) {
      if (cells_.interval[i].first <= c && c <= cells_.interval[i].last) {
        visit(c, gap(c, cells_.interval[i]));
      }
    }
  }

 private:
  [[nodiscard]] float gap(std::uint32_t c, const CellInterval& interval) const noexcept {
    if (cells_.all) {
      return 0;
    }
    const auto met_as = static_cast<std::int32_t>(c) + interval.shift;
    return std::max(axis_.gap(static_cast<typename Axis::Real>(met_as), lo_, hi_) - slack_, 0.0F);
  }

  const Axis& axis_;
  CellIntervals cells_;
  float lo_, hi_, slack_;
};

}  // namespace juxta::agents_detail
