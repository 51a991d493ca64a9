// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace juxta::classics {

/// A straightforward cell list: cells of edge >= radius, row by row along x; a counting sort puts the numbers
/// of the points and their positions into the order of cells; a point's neighbours are looked for in the 9
/// or 27 cells around, of which three in a row are one run. Scalar. One thread.
/// Lists know points by their row, which is their place in the order of cells; number(row) is the input's.
template <int kAxes>
class CellList {
  static_assert(kAxes == 2 || kAxes == 3);

 public:
  using Axes = std::array<std::span<const float>, kAxes>;  ///< x, y (and z), all of one length.

  /// Anew, from finite points. Radius > 0.
  void build(const Axes& points, float radius);

  [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(numbers_.size()); }
  [[nodiscard]] std::uint32_t number(std::uint32_t row) const noexcept { return numbers_[row]; }
  [[nodiscard]] const std::array<float, kAxes>& point(std::uint32_t row) const noexcept {
    return points_[row];
  }
  [[nodiscard]] std::size_t cells() const noexcept { return starts_.size() - 1; }

  /// f(row of the neighbour, its point less the point of `row`, squared distance) for each with
  /// distance squared <= radius * radius, but `row` itself.
  template <class F>
  void for_each_neighbour(std::uint32_t row, F&& f) const {
    const std::array<float, kAxes> at = points_[row];
    std::array<std::uint32_t, 3> low{}, high{};
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      const std::uint32_t cell = cell_of(at[axis], axis);
      low[axis] = cell > 0 ? cell - 1 : 0;
      high[axis] = std::min(cell + 1, counts_[axis] - 1);
    }
    for (std::uint32_t z = low[2]; z <= high[2]; ++z) {
      for (std::uint32_t y = low[1]; y <= high[1]; ++y) {
        const std::size_t line = (std::size_t{z} * counts_[1] + y) * counts_[0];
        const std::uint32_t end = starts_[line + high[0] + 1];
        for (std::uint32_t other = starts_[line + low[0]]; other < end; ++other) {
          std::array<float, kAxes> d;
          float distance2 = 0;
          for (std::size_t axis = 0; axis < kAxes; ++axis) {
            d[axis] = points_[other][axis] - at[axis];
            distance2 += d[axis] * d[axis];
          }
          if (distance2 <= radius2_ && other != row) {
            f(other, d, distance2);
          }
        }
      }
    }
  }

 private:
  [[nodiscard]] std::uint32_t cell_of(float coordinate, std::size_t axis) const noexcept {
    // Rounding may put the highest point one cell too far.
    return std::min(static_cast<std::uint32_t>((coordinate - lo_[axis]) * cells_per_unit_),
                    counts_[axis] - 1);
  }
  void choose_cells(const Axes& points, float radius);

  float radius2_ = 0, cells_per_unit_ = 0;
  std::array<float, kAxes> lo_{};
  std::array<std::uint32_t, 3> counts_{1, 1, 1};
  std::vector<std::uint32_t> starts_{0, 0}, cell_of_point_, numbers_;
  std::vector<std::array<float, kAxes>> points_;
};

/// The sum of (1 - d / radius)^2 over the neighbours within `radius` of each point, and how many they are, by
/// number. The list is built anew: the contender `cells` of the visits.
template <int kAxes>
void visit_cells(CellList<kAxes>& list, const typename CellList<kAxes>::Axes& points, float radius,
                 std::span<float> sums, std::span<std::uint32_t> found);

extern template class CellList<2>;
extern template class CellList<3>;
extern template void visit_cells<2>(CellList<2>&, const CellList<2>::Axes&, float, std::span<float>,
                                    std::span<std::uint32_t>);
extern template void visit_cells<3>(CellList<3>&, const CellList<3>::Axes&, float, std::span<float>,
                                    std::span<std::uint32_t>);

}  // namespace juxta::classics
