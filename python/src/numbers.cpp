// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "numbers.h"

#include <type_traits>

#include "errors.h"

namespace juxta::python {
namespace {

std::string text_of(const py::ssize_t* shape, int ndim) {
  std::string text = "(";
  for (int axis = 0; axis < ndim; ++axis) {
    text += (axis == 0 ? "" : ", ") + std::to_string(shape[axis]);
  }
  return text + (ndim == 1 ? ",)" : ")");
}

bool is_aligned(py::handle array) {
  return (py::detail::array_proxy(array.ptr())->flags & py::detail::npy_api::NPY_ARRAY_ALIGNED_) != 0;
}

// Whether it is an array that can be read as it is. Comparing types costs tens of nanoseconds, and nearly all
// arrays of a type share one descriptor.
template <class T>
bool is_packed(py::handle value) {
  if (!py::isinstance<py::array>(value)) {
    return false;
  }
  static PyObject* const usual = py::dtype::of<T>().release().ptr();
  const auto* const array = py::detail::array_proxy(value.ptr());
  if (array->descr == usual) {
    return (array->flags & py::array::c_style) != 0 && is_aligned(value);
  }
  return py::isinstance<Packed<T>>(value) && is_aligned(value);
}

// Whole numbers are not made of fractions, negative or too large numbers without a word.
template <class T>
void check_integers(const py::array& array, const char* name) {
  const char kind = array.dtype().kind();
  if (kind == 'f') {
    raise_type(std::string(name) + " holds " + std::string(py::str(array.dtype())) +
               "; give whole numbers (an integer dtype)");
  }
  if (kind == 'b' || array.size() == 0 || array.dtype().is(py::dtype::of<T>())) {
    return;
  }
  const py::object least = array.attr("min")();
  const py::object most = array.attr("max")();
  const bool minus_one = std::is_same_v<T, std::uint32_t>;  // -1 stands for "none"
  if (least.attr("__lt__")(py::int_(minus_one ? -1 : 0)).cast<bool>() ||
      most.attr("__gt__")(py::int_(T(-1))).cast<bool>()) {
    raise_value(std::string(name) + " holds numbers from " + std::string(py::str(least)) + " to " +
                std::string(py::str(most)) + ", which is not a range of indices");
  }
}

}  // namespace

std::string shape_text(const py::array& array) {
  return text_of(array.shape(), static_cast<int>(array.ndim()));
}

py::array array_of_numbers(py::handle value, const char* name) {
  py::array array = py::reinterpret_steal<py::array>(py::handle());
  try {
    array = py::array(py::reinterpret_borrow<py::object>(value));
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) {
      throw;
    }
    raise_value(std::string(name) + " is not an array of numbers: " + std::string(py::str(error.value())));
  }
  const char kind = array.dtype().kind();
  if (kind != 'f' && kind != 'i' && kind != 'u' && kind != 'b') {
    raise_type(std::string(name) + " holds " + std::string(py::str(array.dtype())) +
               ", which are not real numbers");
  }
  return array;
}

template <class T>
Numbers<T>::Numbers(py::handle value, const char* name) : name_(name) {
  if (take_short(value)) {
    return;
  }
  if (is_packed<T>(value)) {
    owner_ = py::reinterpret_borrow<py::array>(value);
    from_owner_ = static_cast<const T*>(owner_.data());
    ndim_ = static_cast<int>(owner_.ndim());
    return;
  }
  py::array array = array_of_numbers(value, name);
  if constexpr (std::is_integral_v<T>) {
    check_integers<T>(array, name);
  }
  owner_ = Packed<T>(array);
  from_owner_ = static_cast<const T*>(owner_.data());
  ndim_ = static_cast<int>(owner_.ndim());
}

template <class T>
std::size_t Numbers<T>::size() const noexcept {
  std::size_t product = 1;
  for (int axis = 0; axis < ndim_; ++axis) {
    product *= shape(axis);
  }
  return product;
}

template <class T>
std::string Numbers<T>::shape_text() const {
  return text_of(owner_ ? owner_.shape() : short_shape_.data(), ndim_);
}

template <class T>
void Numbers<T>::refuse_shape(const std::string& expected) const {
  raise_value(std::string(name_) + " has shape " + shape_text() + ". " + expected);
}

// A Python float, a tuple or list of a few Python numbers, or of a few such tuples or lists: NumPy takes
// microseconds for it.
template <class T>
bool Numbers<T>::take_short(py::handle value) {
  if constexpr (!std::is_floating_point_v<T>) {
    return take_integer(value);
  } else {
    if (PyFloat_Check(value.ptr()) != 0) {
      short_[0] = static_cast<T>(PyFloat_AS_DOUBLE(value.ptr()));
      return true;  // no axis
    }
    if (PyTuple_Check(value.ptr()) == 0 && PyList_Check(value.ptr()) == 0) {
      return false;
    }
    const auto length = static_cast<std::size_t>(PySequence_Fast_GET_SIZE(value.ptr()));
    if (length == 0 || length > kShort) {
      return false;
    }
    std::size_t width = 0;
    if (take_row(value, 0, width)) {
      short_shape_ = {static_cast<py::ssize_t>(width), 0};
      ndim_ = 1;
      return true;
    }
    for (std::size_t i = 0; i < length; ++i) {
      std::size_t this_width = 0;
      const py::handle row = PySequence_Fast_GET_ITEM(value.ptr(), static_cast<Py_ssize_t>(i));
      if ((PyTuple_Check(row.ptr()) == 0 && PyList_Check(row.ptr()) == 0) ||
          !take_row(row, i * width, this_width) || (i > 0 && this_width != width)) {
        return false;
      }
      width = this_width;
    }
    short_shape_ = {static_cast<py::ssize_t>(length), static_cast<py::ssize_t>(width)};
    ndim_ = 2;
    return true;
  }
}

// A Python int. -1 stands for "none" among uint32.
template <class T>
bool Numbers<T>::take_integer(py::handle value) requires(std::is_integral_v<T>) {
  if (PyLong_CheckExact(value.ptr()) == 0) {
    return false;
  }
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  const bool minus_one = std::is_same_v<T, std::uint32_t> && number == -1 && overflow == 0;
  const unsigned long long whole = minus_one ? T(-1) : PyLong_AsUnsignedLongLong(value.ptr());
  if (PyErr_Occurred() != nullptr || whole > T(-1)) {
    PyErr_Clear();
    raise_value(std::string(name_) + " is " + std::string(py::repr(value)) + ", which is out of range");
  }
  short_[0] = static_cast<T>(whole);
  return true;
}

template <class T>
bool Numbers<T>::take_row(py::handle row, std::size_t at, std::size_t& length) {
  length = static_cast<std::size_t>(PySequence_Fast_GET_SIZE(row.ptr()));
  if (length == 0 || at + length > kShort) {
    return false;
  }
  for (std::size_t i = 0; i < length; ++i) {
    PyObject* item = PySequence_Fast_GET_ITEM(row.ptr(), static_cast<Py_ssize_t>(i));
    if (PyFloat_Check(item) != 0) {
      short_[at + i] = static_cast<T>(PyFloat_AS_DOUBLE(item));
    } else if (PyLong_CheckExact(item) != 0) {
      const double number = PyLong_AsDouble(item);
      if (number == -1 && PyErr_Occurred() != nullptr) {
        throw py::error_already_set();  // OverflowError
      }
      short_[at + i] = static_cast<T>(number);
    } else {
      return false;
    }
  }
  return true;
}

template class Numbers<float>;
template class Numbers<double>;
template class Numbers<std::uint32_t>;
template class Numbers<std::uint64_t>;

}  // namespace juxta::python
