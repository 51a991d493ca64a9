// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/halo_boxes.h"

#include <algorithm>
#include <array>
#include <limits>

#include "agents/store.h"

namespace juxta::agents_detail {
namespace {

struct Interval {
  float lo, hi;
};

/// The least of x - half and the largest of x + half of rows [first, last), which are some; a null `half` is
/// 0. Sixteen side by side, so that no comparison waits for the one before it.
Interval around(const float* x, const float* half, std::size_t first, std::size_t last) noexcept {
  constexpr std::size_t kSide = 16;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::array<float, kSide> lo, hi;
  lo.fill(kInfinity);
  hi.fill(-kInfinity);
  const auto take = [&](std::size_t side, float least, float most) {
    lo[side] = least < lo[side] ? least : lo[side];
    hi[side] = most > hi[side] ? most : hi[side];
  };
  for (; first + kSide <= last; first += kSide) {
    for (std::size_t side = 0; side < kSide; ++side) {
      const float extent = half != nullptr ? half[first + side] : 0;
      take(side, x[first + side] - extent, x[first + side] + extent);
    }
  }
  for (; first < last; ++first) {
    const float extent = half != nullptr ? half[first] : 0;
    take(0, x[first] - extent, x[first] + extent);
  }
  return {*std::min_element(lo.begin(), lo.end()), *std::max_element(hi.begin(), hi.end())};
}

}  // namespace

std::vector<Bounds> boxes_of(const PopulationStore& store, std::size_t rows_of_box) {
  std::vector<Bounds> boxes((store.size() + rows_of_box - 1) / rows_of_box);
  for (std::uint32_t a = 0; a < store.world.dimensions; ++a) {
    const float* const half =
        store.extents != Column<float>::kNone ? store.columns[store.extents + a].as<float>() : nullptr;
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      const std::size_t first = b * rows_of_box;
      const Interval on = around(store.position(a), half, first, std::min(first + rows_of_box, store.size()));
      boxes[b].lo[a] = on.lo;
      boxes[b].hi[a] = on.hi;
    }
  }
  return boxes;
}

std::vector<Bounds> joined(const std::vector<Bounds>& boxes, std::size_t together) {
  std::vector<Bounds> all;
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    if (b % together == 0) {
      all.push_back(boxes[b]);
      continue;
    }
    Bounds& box = all.back();
    for (std::size_t a = 0; a < 3; ++a) {
      box.lo[a] = std::min(box.lo[a], boxes[b].lo[a]);
      box.hi[a] = std::max(box.hi[a], boxes[b].hi[a]);
    }
  }
  return all;
}

Bounds around(const std::vector<Bounds>& boxes) {
  return boxes.empty() ? Bounds() : joined(boxes, boxes.size()).front();
}

bool are_near(const Bounds& a, const Bounds& b, const World& world, double reach) noexcept {
  for (std::uint32_t axis = 0; axis < world.dimensions; ++axis) {
    const double above = double{b.lo[axis]} - double{a.hi[axis]},
                 below = double{a.lo[axis]} - double{b.hi[axis]};
    double gap = std::max(above, below);
    if (world.edges[axis] == Edge::kPeriodic) {
      const double period = double{world.hi[axis]} - double{world.lo[axis]};
      gap =
          std::min({gap, std::max(above + period, below - period), std::max(above - period, below + period)});
    }
    if (gap > reach) {
      return false;
    }
  }
  return true;
}

}  // namespace juxta::agents_detail
