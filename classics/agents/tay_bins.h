// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "classics/agents/tay_bounds.h"

namespace juxta::classics {

/// A cell without bounds: cells are hashed into a table of bins.
using TayCell = std::array<std::int32_t, 3>;

/// The bins of the cells around one cell, as one thread found them last. Most bins hold agents of one cell,
/// so that the next seer often wants the same.
struct TayKernel {
  TayCell cell{};
  std::vector<std::uint32_t> bins;  ///< Empty: of no cell yet.
  std::vector<std::uint32_t> visited;
  std::uint32_t visit = 0;
};

/// Which cell a place is in, and which bin a cell.
class TayCells {
 public:
  /// `bins` is a power of two.
  void place(const TayBounds& bounds, float cell_size, float radius, std::uint32_t bins) {
    origin_ = bounds.lo;
    cell_size_ = cell_size;
    reach_ = static_cast<std::int32_t>(std::ceil(radius / cell_size));
    mask_ = bins - 1;
  }
  [[nodiscard]] TayCell cell_of(const Float4& position) const noexcept {
    TayCell cell;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      cell[axis] = static_cast<std::int32_t>(std::floor((position[axis] - origin_[axis]) / cell_size_));
    }
    return cell;
  }
  [[nodiscard]] std::uint32_t bin_of(const TayCell& cell) const noexcept {
    // The multipliers of Teschner et al., "Optimized Spatial Hashing" (2003).
    return ((static_cast<std::uint32_t>(cell[0]) * 73856093U) ^
            (static_cast<std::uint32_t>(cell[1]) * 19349663U) ^
            (static_cast<std::uint32_t>(cell[2]) * 83492791U)) &
           mask_;
  }
  /// Empties a kernel: bins may hold other agents now.
  void start(TayKernel& kernel) const {
    kernel.bins.clear();
    kernel.visited.resize(std::size_t{mask_} + 1, 0);
  }
  /// The bins of all cells within reach of `cell`, each once although cells may share one, if used(bin).
  template <class Used>
  void find_kernel(const TayCell& cell, TayKernel& kernel, const Used& used) const {
    kernel.cell = cell;
    kernel.bins.clear();
    if (++kernel.visit == 0) {
      kernel.visited.assign(kernel.visited.size(), 0);
      kernel.visit = 1;
    }
    for (std::int32_t x = cell[0] - reach_; x <= cell[0] + reach_; ++x) {
      for (std::int32_t y = cell[1] - reach_; y <= cell[1] + reach_; ++y) {
        for (std::int32_t z = cell[2] - reach_; z <= cell[2] + reach_; ++z) {
          const std::uint32_t bin = bin_of({x, y, z});
          if (used(bin) && kernel.visited[bin] != kernel.visit) {
            kernel.visited[bin] = kernel.visit;
            kernel.bins.push_back(bin);
          }
        }
      }
    }
  }

 private:
  std::array<float, 3> origin_{};
  float cell_size_ = 1;
  std::int32_t reach_ = 1;
  std::uint32_t mask_ = 0;
};

/// A power of two, so that bins are rarely shared.
inline std::uint32_t bins_for(std::size_t agents) noexcept {
  std::uint32_t bins = 1024;
  while (bins < 2 * agents) {
    bins *= 2;
  }
  return bins;
}

}  // namespace juxta::classics
