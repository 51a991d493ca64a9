// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Boxes, points and rays that a caller gives. The shape of the input says whether it is one or many.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "juxta/math/aabb.h"
#include "juxta/math/ray.h"
#include "juxta/math/rect.h"
#include "juxta/math/vec.h"
#include "numbers.h"

namespace juxta::python {

/// One box or many, as lo[D], hi[D] of T (float or double) for each. Taken from an array (..., 2, D) or (...,
/// 2 D), or from a tuple (lo, hi) of two arrays (..., D).
template <class T>
class BoxesIn {
 public:
  /// `dims`: 2 or 3, what the boxes must have; 0: either.
  BoxesIn(py::handle value, const char* name, int dims);
  BoxesIn(const BoxesIn&) = delete;
  BoxesIn& operator=(const BoxesIn&) = delete;

  [[nodiscard]] int dims() const noexcept { return dims_; }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  /// One box, given without an axis of its own.
  [[nodiscard]] bool single() const noexcept { return single_; }
  [[nodiscard]] const T* data() const noexcept { return data_; }
  template <int D>
  requires(std::is_same_v<T, float>) [[nodiscard]] std::span<const Aabb<D>> as() const noexcept {
    return {reinterpret_cast<const Aabb<D>*>(data_), count_};
  }
  [[nodiscard]] std::span<const RectD> as_rects() const noexcept requires(std::is_same_v<T, double>) {
    return {reinterpret_cast<const RectD*>(data_), count_};
  }

 private:
  void take_block(py::handle value, const char* name, int dims);
  void take_corners(py::handle lo, py::handle hi, const char* name, int dims);

  std::optional<Numbers<T>> numbers_;
  std::vector<T> mixed_;
  const T* data_ = nullptr;
  std::size_t count_ = 0;
  int dims_ = 0;
  bool single_ = false;
};

extern template class BoxesIn<float>;
extern template class BoxesIn<double>;

/// One point or many: an array (D,) or (n, D).
class PointsIn {
 public:
  PointsIn(py::handle value, const char* name, int dims);

  [[nodiscard]] int dims() const noexcept { return dims_; }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] bool single() const noexcept { return single_; }
  template <int D>
  [[nodiscard]] std::span<const Vec<D>> as() const noexcept {
    return {reinterpret_cast<const Vec<D>*>(numbers_.data()), count_};
  }

 private:
  Numbers<float> numbers_;
  std::size_t count_ = 0;
  int dims_ = 0;
  bool single_ = false;
};

/// One number for all, or one for each of `count`.
class ScalarsIn {
 public:
  ScalarsIn(py::handle value, const char* name, std::size_t count, const char* of);
  [[nodiscard]] float operator[](std::size_t i) const noexcept { return numbers_.data()[i * step_]; }
  /// Given as one number, not as an array.
  [[nodiscard]] bool single() const noexcept { return numbers_.ndim() == 0; }

 private:
  Numbers<float> numbers_;
  std::size_t step_ = 0;
};

/// Rays: origins and directions, (D,) or (n, D) each, one of them possibly shared by all; `max`: (n,) or one.
template <int D>
class RaysIn {
 public:
  RaysIn(py::handle origin, py::handle direction, py::handle max);

  [[nodiscard]] bool single() const noexcept { return single_; }
  [[nodiscard]] std::span<const Ray<D>> rays() const noexcept { return rays_; }

 private:
  Ray<D> one_;
  std::vector<Ray<D>> many_;
  std::span<const Ray<D>> rays_;
  bool single_ = false;
};

extern template class RaysIn<2>;
extern template class RaysIn<3>;

}  // namespace juxta::python
