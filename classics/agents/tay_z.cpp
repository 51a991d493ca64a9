// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "classics/agents/tay_copies.h"
#include "classics/agents/tay_structures.h"

namespace juxta::classics {
namespace {

using Cell = std::array<std::uint32_t, 3>;

// ..abc -> a..b..c
std::uint32_t spread(std::uint32_t v) {
  v = (v | v << 16) & 0x030000ffU;
  v = (v | v << 8) & 0x0300f00fU;
  v = (v | v << 4) & 0x030c30c3U;
  return (v | v << 2) & 0x09249249U;
}
std::uint32_t gather(std::uint32_t v) {
  v &= 0x09249249U;
  v = (v | v >> 2) & 0x030c30c3U;
  v = (v | v >> 4) & 0x0300f00fU;
  v = (v | v >> 8) & 0x030000ffU;
  return (v | v >> 16) & 0x000003ffU;
}
std::uint32_t code_of(const Cell& cell) {
  return spread(cell[0]) | spread(cell[1]) << 1 | spread(cell[2]) << 2;
}

/// A table of 2^k cells on each side along Morton's curve, over the bounds of the agents: the grid that the
/// third article proposes, and its author wrote later.
template <class Agent, class Part>
class TayZ {
 public:
  static constexpr bool kEachSeer = false;
  struct Around {};

  void clear(const TayPlan& plan) {
    place_cells(plan);
    radius_ = plan.radius;
    cells_.assign(std::size_t{1} << (3 * bits_), {});
  }
  std::uint32_t part_of(const Agent& agent) { return code_of(cell_of(agent.position.axis)); }
  [[nodiscard]] Part& part(std::uint32_t code) noexcept { return cells_[code]; }
  template <class F>
  void in_order(const F& f) const {
    for (std::uint32_t code = 0; code < cells_.size(); ++code) {
      f(code);
    }
  }
  void start(Around& /*nothing*/) const {}
  template <class F>
  void around(std::uint32_t code, const Agent& /*seer*/, Around& /*nothing*/, const F& f) const {
    const Cell at{gather(code), gather(code >> 1), gather(code >> 2)};
    TayBounds box;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      box.lo[axis] = origin_[axis] + static_cast<float>(at[axis]) * cell_size_[axis];
      box.hi[axis] = box.lo[axis] + cell_size_[axis];
    }
    box = box.wider_by(radius_);
    const Cell low = cell_of(box.lo), high = cell_of(box.hi);
    for (std::uint32_t x = low[0]; x <= high[0]; ++x) {
      for (std::uint32_t y = low[1]; y <= high[1]; ++y) {
        for (std::uint32_t z = low[2]; z <= high[2]; ++z) {
          if (const Part& other = cells_[code_of({x, y, z})]; !other.empty()) {
            f(other);
          }
        }
      }
    }
  }

 private:
  static constexpr std::uint32_t kMaxBits = 7;  ///< 2 million cells.

  // On the longest axis as many cells, rounded down to a power of two, as are no narrower than wanted.
  void place_cells(const TayPlan& plan) {
    std::array<float, 3> extent{};
    float cells = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      origin_[axis] = plan.bounds.lo[axis];
      extent[axis] = std::max((plan.bounds.hi[axis] - plan.bounds.lo[axis]) * 1.0001F, plan.part_size);
      cells = std::max(cells, extent[axis] / plan.part_size);
    }
    bits_ = 0;
    while (bits_ < kMaxBits && static_cast<float>(2U << bits_) <= cells) {
      ++bits_;
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      cell_size_[axis] = std::ldexp(extent[axis], -static_cast<int>(bits_));
    }
  }
  template <class Position>
  [[nodiscard]] Cell cell_of(const Position& position) const noexcept {
    const auto last = static_cast<float>((1U << bits_) - 1);
    Cell cell;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const float index = (position[axis] - origin_[axis]) / cell_size_[axis];
      cell[axis] = static_cast<std::uint32_t>(std::min(std::max(index, 0.0F), last));
    }
    return cell;
  }

  std::array<float, 3> origin_{}, cell_size_{};
  std::uint32_t bits_ = 0;
  float radius_ = 0;
  std::vector<Part> cells_;
};

}  // namespace

std::unique_ptr<TayWorld> make_tay_z(const TayTest& test) {
  return std::make_unique<TayCopies<TayZ, TayPoint>>(test);
}

}  // namespace juxta::classics
