// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the agents that have left their place in the order of memory, in a hashed grid.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>

#include "juxta/agents/world.h"
#include "juxta/core/array.h"

namespace juxta::agents_detail {

using Point = Vec3;
using StrayCell = std::array<std::int32_t, 3>;

/// Cells [first, last] of one axis.
struct StrayInterval {
  std::int32_t first, last;
};
/// Disjoint; two where a box lies across the edge of a periodic world.
struct StrayIntervals {
  std::array<StrayInterval, 2> interval{};
  std::size_t count = 0;
};

/// A hash table of cells with a list of rows in each.
///
///   heads[hash(cell)] -> row -> row -> none     cells that share a hash share a list: who is met is asked
///   for
///                                               its own cell
///   all:  row row row ...                       for boxes of more cells than there are strays
///
/// The order of visits follows from the calls made.
class Strays {
 public:
  explicit Strays(std::pmr::memory_resource* resource) noexcept;

  /// Nobody; rows will be below `rows`. Cells of edge `width`. Cost: who was in it, and the table when it
  /// grows.
  void begin(const World& world, std::size_t rows, float width);

  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  void add(std::uint32_t row, const Point& position) noexcept;
  /// Of a row that is in it, at the position that it was added with.
  void remove(std::uint32_t row, const Point& position) noexcept;

  /// Calls visit(row) once for every stray that may be within `radius` of the point on each axis, and for
  /// some others. `position_of(row)`: what it was added with. The point is inside periodic axes.
  template <class PositionOf, class Visit>
  void for_each(const Point& point, float radius, PositionOf&& position_of, Visit&& visit) const {
    std::array<StrayIntervals, 3> axes;
    double cells = 1;
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      axes[axis] = touched(axis, point[axis], radius);
      double on_axis = 0;
      for (std::size_t i = 0; i < axes[axis].count; ++i) {
        on_axis += static_cast<double>(axes[axis].interval[i].last) - axes[axis].interval[i].first + 1;
      }
      cells *= on_axis;
    }
    if (cells >= static_cast<double>(count_)) {
      for (std::size_t i = 0; i < count_; ++i) {
        visit(all_[i]);
      }
      return;
    }
    for_each_cell(axes, [&](const StrayCell& cell) {
      for (std::uint32_t row = heads_[hash(cell)]; row != kNone; row = next_[row]) {
        if (cell_of(position_of(row)) == cell) {
          visit(row);
        }
      }
    });
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  [[nodiscard]] std::int32_t cell_on_axis(double x) const noexcept;
  [[nodiscard]] StrayCell cell_of(const Point& position) const noexcept;
  [[nodiscard]] std::size_t hash(const StrayCell& cell) const noexcept;
  /// The cells of who may be within `radius`, with room for what distances in float are off by.
  [[nodiscard]] StrayIntervals touched(std::uint32_t axis, float x, float radius) const noexcept;

  template <class Visit>
  static void for_each_cell(const std::array<StrayIntervals, 3>& axes, Visit&& visit) {
    StrayCell cell{};
    for (std::size_t k = 0; k < axes[2].count; ++k) {
      for (cell[2] = axes[2].interval[k].first; cell[2] <= axes[2].interval[k].last; ++cell[2]) {
        for (std::size_t j = 0; j < axes[1].count; ++j) {
          for (cell[1] = axes[1].interval[j].first; cell[1] <= axes[1].interval[j].last; ++cell[1]) {
            for (std::size_t i = 0; i < axes[0].count; ++i) {
              for (cell[0] = axes[0].interval[i].first; cell[0] <= axes[0].interval[i].last; ++cell[0]) {
                visit(cell);
              }
            }
          }
        }
      }
    }
  }

  World world_;
  double inverse_ = 1;                  // cells a unit
  Array<std::uint32_t> heads_;          // by hash: a power of two
  Array<std::uint32_t> next_, before_;  // by row: in its list
  Array<std::uint32_t> place_;          // by row: where in all_
  Array<std::uint32_t> all_;
  std::size_t count_ = 0;
};

}  // namespace juxta::agents_detail
