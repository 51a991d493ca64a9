// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/directory.h"

#include <limits>

namespace juxta::detail {
namespace {

/// The rows of cells on one axis that a box reaches, and how far from the box each is at least.
class RowsReached {
 public:
  RowsReached(const GridAxis& axis, float lo, float hi, const Reach& reach, float on) noexcept
      : axis_(axis), cells_(axis.touched(lo - on, hi + on)), lo_(lo), hi_(hi), slack_(reach.slack) {}

  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::uint32_t i = 0; i < cells_.count; ++i) {
      const CellInterval& interval = cells_.interval[i];
      for (std::uint32_t c = interval.first; c <= interval.last; ++c) {
        visit(c, cells_.all ? 0.0F : gap(static_cast<std::int32_t>(c) + interval.shift));
      }
    }
  }

 private:
  [[nodiscard]] float gap(std::int32_t c) const noexcept {
    return std::max(axis_.gap(static_cast<float>(c), lo_, hi_) - slack_, 0.0F);
  }

  const GridAxis& axis_;
  CellIntervals cells_;
  float lo_, hi_, slack_;
};

void for_each_run_of_rows(const Directory& directory, const Bounds& box, const Reach& reach,
                          FunctionRef<void(Run run)> visit) {
  const std::array<GridAxis, 3>& axis = directory.grid.axis;
  const RowsReached ys(axis[1], box.lo[1], box.hi[1], reach, reach.on[1]);
  const RowsReached zs(axis[2], box.lo[2], box.hi[2], reach, reach.on[2]);
  zs.for_each([&](std::uint32_t cz, float gap_z) {
    ys.for_each([&](std::uint32_t cy, float gap_y) {
      const float width = reach.width(gap_y, gap_z);
      if (width < 0) {
        return;
      }
      const CellIntervals xs = axis[0].touched(box.lo[0] - width, box.hi[0] + width);
      const std::uint32_t* const begins = directory.row(cy, cz);
      for (std::uint32_t k = 0; k < xs.count; ++k) {
        visit(Run{begins[xs.interval[k].first], begins[xs.interval[k].last + 1]});
      }
    });
  });
}

}  // namespace

Reach::Reach(const Directory& directory, float radius, bool ball) noexcept : round(ball) {
  constexpr float kEpsilon = std::numeric_limits<float>::epsilon();
  float furthest = radius;
  for (std::uint32_t a = 0; a < directory.grid.dimensions; ++a) {
    on[a] = radius + directory.largest[a] + 2 * directory.moved;
    furthest = std::max(furthest, on[a]);
    round = round && directory.largest[a] == 0;
  }
  slack = 32 * kEpsilon * (directory.magnitude + furthest);
  for (float& one : on) {
    one += slack;
  }
}

void for_each_run(const Directory& directory, const Bounds& box, const Reach& reach,
                  FunctionRef<void(Run run)> visit) {
  for_each_run_of_rows(directory, box, reach, visit);
}

}  // namespace juxta::detail
