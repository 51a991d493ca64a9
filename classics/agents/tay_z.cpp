// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "classics/agents/tay_store.h"
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

/// A table of 2^k cells on each side along Morton's curve, over the bounds of the agents.
class TayZ final : public TayStore<TayPoint> {
 public:
  using TayStore::TayStore;

  void sort() override {
    place_cells();
    cells_.assign(std::size_t{1} << (3 * bits_), {});
    for (TayPoint& agent : agents_) {
      const std::uint32_t code = code_of(cell_of(agent.position.axis));
      agent.place = {code, cells_[code].count++};
    }
    std::uint32_t first = 0;
    for (Run& cell : cells_) {
      cell.first = first;
      first += cell.count;
    }
    copy_to_places([&](std::uint32_t code) { return cells_[code].first; });
  }

  void see() override {
    for (std::size_t row = 0; row < agents_.size();) {
      const std::uint32_t code = agents_[row].place.part;
      see_around(code);
      row += cells_[code].count;
    }
  }

 private:
  struct Run {
    std::uint32_t first = 0, count = 0;
  };
  static constexpr std::uint32_t kMaxBits = 7;  ///< 2 million cells.

  // On the longest axis as many cells, rounded down to a power of two, as are no narrower than wanted.
  void place_cells() {
    const TayBounds bounds = TayBounds::of(agents_);
    std::array<float, 3> extent{};
    float cells = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      origin_[axis] = bounds.lo[axis];
      extent[axis] = std::max((bounds.hi[axis] - bounds.lo[axis]) * 1.0001F, part_size());
      cells = std::max(cells, extent[axis] / part_size());
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
  void see_around(std::uint32_t code) {
    const Cell at{gather(code), gather(code >> 1), gather(code >> 2)};
    TayBounds box;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      box.lo[axis] = origin_[axis] + static_cast<float>(at[axis]) * cell_size_[axis];
      box.hi[axis] = box.lo[axis] + cell_size_[axis];
    }
    box = box.wider_by(test_.radius);
    const Cell low = cell_of(box.lo), high = cell_of(box.hi);
    const TaySlice<TayPoint> seers = slice(cells_[code].first, cells_[code].count);
    for (std::uint32_t x = low[0]; x <= high[0]; ++x) {
      for (std::uint32_t y = low[1]; y <= high[1]; ++y) {
        for (std::uint32_t z = low[2]; z <= high[2]; ++z) {
          const Run& other = cells_[code_of({x, y, z})];
          tay_pair(seers, slice(other.first, other.count), test_.radius, passes_.see);
        }
      }
    }
  }

  std::array<float, 3> origin_{}, cell_size_{};
  std::uint32_t bits_ = 0;
  std::vector<Run> cells_;
};

}  // namespace

std::unique_ptr<TayWorld> make_tay_z(const TayTest& test) {
  return std::make_unique<TayZ>(test);
}

}  // namespace juxta::classics
