// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Two or three float columns that hold one vector per agent:
//
//   JUXTA_TRY_LET(const VectorColumn<3> velocity, add_vector_column(ships, {"vx", "vy", "vz"}));
//   const auto at = write(ships, position_column<3>(ships));
//   const auto v = read(ships, velocity);
//   at.set(row, at[row] + v[row] * dt);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "juxta/agents/column.h"
#include "juxta/agents/population.h"
#include "juxta/core/error.h"
#include "juxta/core/try.h"
#include "juxta/math/vec.h"

namespace juxta {

/// Names the columns of a vector of one population. Cheap to copy; the default one names none.
template <int D>
struct VectorColumn {
  Column<float> axes[D];

  [[nodiscard]] Column<float> operator[](std::size_t axis) const noexcept { return axes[axis]; }
};

/// The vectors of all agents, row by row, as read() and write() below give them. Valid as long as the spans
/// of Population::read() and write(). T is float or const float.
template <int D, class T>
class VectorSpan {
 public:
  /// Spans of one length, one for each axis.
  explicit VectorSpan(const std::span<T> (&axes)[D]) noexcept : size_(axes[0].size()) {
    for (int axis = 0; axis < D; ++axis) {
      data_[axis] = axes[axis].data();
      size_ = axes[axis].size() < size_ ? axes[axis].size() : size_;
    }
  }

  /// 0 when one of the columns is not there.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] Vec<D> operator[](std::size_t row) const noexcept {
    if constexpr (D == 2) {
      return {data_[0][row], data_[1][row]};
    } else {
      return {data_[0][row], data_[1][row], data_[2][row]};
    }
  }
  void set(std::size_t row, Vec<D> v) const noexcept {
    static_assert(!std::is_const_v<T>,
                  "these vectors are read only: take them from write(), not from read()");
    data_[0][row] = v.x;
    data_[1][row] = v.y;
    if constexpr (D == 3) {
      data_[2][row] = v.z;
    }
  }
  /// The numbers of one axis.
  [[nodiscard]] std::span<T> axis(std::size_t axis) const noexcept { return {data_[axis], size_}; }

 private:
  T* data_[D];
  std::size_t size_;
};

/// The positions. D is at most World::dimensions; otherwise the columns are not there.
template <int D>
[[nodiscard]] VectorColumn<D> position_column(const Population& population) noexcept {
  VectorColumn<D> columns;
  for (std::uint32_t axis = 0; axis < D && population.world().dimensions >= D; ++axis) {
    columns.axes[axis] = population.position(axis);
  }
  return columns;
}

/// Existing columns. Errors: of Population::find_column(), for the first that is not there.
template <int D>
[[nodiscard]] Result<VectorColumn<D>> find_vector_column(const Population& population,
                                                         const std::string_view (&names)[D]) {
  VectorColumn<D> columns;
  for (int axis = 0; axis < D; ++axis) {
    JUXTA_TRY_LET(columns.axes[axis], population.find_column<float>(names[axis]));
  }
  return columns;
}

/// New columns of floats, 0 at first. All or none. Errors: of Population::add_columns().
template <int D>
[[nodiscard]] Result<VectorColumn<D>> add_vector_column(Population& population,
                                                        const std::string_view (&names)[D]) {
  if constexpr (D == 2) {
    JUXTA_TRY(population.add_columns({names[0], names[1]}));
  } else {
    JUXTA_TRY(population.add_columns({names[0], names[1], names[2]}));
  }
  return find_vector_column(population, names);
}

/// The vectors of all agents. Columns of another population, or that are not there: none.
template <int D>
[[nodiscard]] VectorSpan<D, const float> read(const Population& population,
                                              const VectorColumn<D>& columns) noexcept {
  if constexpr (D == 2) {
    return VectorSpan<2, const float>({population.read(columns[0]), population.read(columns[1])});
  } else {
    return VectorSpan<3, const float>(
        {population.read(columns[0]), population.read(columns[1]), population.read(columns[2])});
  }
}

/// The same, to be written. Writing positions makes the order stale, as Population::write() says.
template <int D>
[[nodiscard]] VectorSpan<D, float> write(Population& population, const VectorColumn<D>& columns) noexcept {
  if constexpr (D == 2) {
    return VectorSpan<2, float>({population.write(columns[0]), population.write(columns[1])});
  } else {
    return VectorSpan<3, float>(
        {population.write(columns[0]), population.write(columns[1]), population.write(columns[2])});
  }
}

}  // namespace juxta
