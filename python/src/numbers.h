// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Numbers that a caller gives: arrays without a copy where type and layout fit, short tuples and lists
// without an array, anything else that NumPy understands by conversion.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

namespace juxta::python {

namespace py = pybind11;

/// An array that can be read as one T behind the other. NumPy copies what is not: a view of bytes may begin
/// anywhere.
template <class T>
using Packed =
    py::array_t<T, py::array::c_style | py::array::forcecast | py::detail::npy_api::NPY_ARRAY_ALIGNED_>;

/// A read-only, C-contiguous block of T (float, double, uint32 or uint64), borrowed from an array that it
/// keeps alive. Float64 and integers are rounded to the nearest float. Booleans count as 0 and 1. Refused, as
/// TypeError: text, complex numbers, dates, objects. Refused, as ValueError: rows of unlike lengths.
template <class T>
class Numbers {
 public:
  /// `name` is the argument's, for messages.
  Numbers(py::handle value, const char* name);
  Numbers(const Numbers&) = delete;
  Numbers& operator=(const Numbers&) = delete;

  [[nodiscard]] const T* data() const noexcept { return owner_ ? from_owner_ : short_.data(); }
  [[nodiscard]] int ndim() const noexcept { return ndim_; }
  /// Axis from the front, or from the back when below 0.
  [[nodiscard]] std::size_t shape(int axis) const noexcept {
    const py::ssize_t* all = owner_ ? owner_.shape() : short_shape_.data();
    return static_cast<std::size_t>(all[axis < 0 ? axis + ndim_ : axis]);
  }
  [[nodiscard]] std::size_t size() const noexcept;
  [[nodiscard]] std::span<const T> span() const noexcept { return {data(), size()}; }
  [[nodiscard]] const char* name() const noexcept { return name_; }
  /// "(5, 3)", for messages.
  [[nodiscard]] std::string shape_text() const;
  /// Raises ValueError "NAME has shape (5, 3). EXPECTED".
  [[noreturn]] void refuse_shape(const std::string& expected) const;

 private:
  static constexpr std::size_t kShort = 12;
  bool take_short(py::handle value);
  bool take_integer(py::handle value) requires(std::is_integral_v<T>);
  bool take_row(py::handle row, std::size_t at, std::size_t& length);

  const char* name_;
  py::array owner_{py::reinterpret_steal<py::array>(py::handle())};
  const T* from_owner_ = nullptr;
  std::array<T, kShort> short_;
  std::array<py::ssize_t, 2> short_shape_{};
  int ndim_ = 0;
};

extern template class Numbers<float>;
extern template class Numbers<double>;
extern template class Numbers<std::uint32_t>;
extern template class Numbers<std::uint64_t>;

/// What NumPy makes of a value: an array of numbers of any type. Errors as Numbers.
py::array array_of_numbers(py::handle value, const char* name);

/// True for a tuple or list that is not an array: parts are looked at one by one.
[[nodiscard]] inline bool is_tuple(py::handle value) noexcept {
  return PyTuple_Check(value.ptr()) != 0;
}

/// "(5, 3)".
std::string shape_text(const py::array& array);

}  // namespace juxta::python
