// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "boxes.h"

#include <algorithm>
#include <string>

#include "errors.h"

namespace juxta::python {
namespace {

std::string dims_text(int dims) {
  return dims == 0 ? "D = 2 or 3" : "D = " + std::to_string(dims);
}

bool fits(std::size_t width, int dims) {
  return dims == 0 ? width == 2 || width == 3 : width == static_cast<std::size_t>(dims);
}

std::string box_shapes(int dims) {
  return "Boxes are (2, D) or (n, 2, D): lo and hi corners; (2 D,) or (n, 2 D): lo, then hi; or a tuple (lo, "
         "hi) of two arrays (D,) or (n, D); with " +
         dims_text(dims);
}

// A tuple (lo, hi) of arrays, and not of two short tuples, which are one block of numbers.
bool has_corners(py::handle value) {
  if (PyTuple_Check(value.ptr()) == 0 || PyTuple_GET_SIZE(value.ptr()) != 2) {
    return false;
  }
  const py::handle lo = PyTuple_GET_ITEM(value.ptr(), 0);
  if (PyTuple_Check(lo.ptr()) == 0 && PyList_Check(lo.ptr()) == 0) {
    return PyNumber_Check(lo.ptr()) == 0 || py::isinstance<py::array>(lo);
  }
  if (PySequence_Fast_GET_SIZE(lo.ptr()) == 0) {
    return true;
  }
  const py::handle first = PySequence_Fast_GET_ITEM(lo.ptr(), 0);
  return PyNumber_Check(first.ptr()) == 0 || py::isinstance<py::array>(first);
}

}  // namespace

template <class T>
BoxesIn<T>::BoxesIn(py::handle value, const char* name, int dims) {
  if (has_corners(value)) {
    take_corners(PyTuple_GET_ITEM(value.ptr(), 0), PyTuple_GET_ITEM(value.ptr(), 1), name, dims);
  } else {
    take_block(value, name, dims);
  }
}

template <class T>
void BoxesIn<T>::take_block(py::handle value, const char* name, int dims) {
  const Numbers<T>& numbers = numbers_.emplace(value, name);
  const int ndim = numbers.ndim();
  data_ = numbers.data();
  if (dims != 0 && ndim == 1 && numbers.shape(0) == 0) {
    dims_ = dims;  // [], no box
    return;
  }
  const std::size_t width = ndim >= 1 ? numbers.shape(-1) : 0;
  if (ndim >= 2 && ndim <= 3 && numbers.shape(-2) == 2 && fits(width, dims)) {
    dims_ = static_cast<int>(width);
    single_ = ndim == 2;
  } else if (ndim >= 1 && ndim <= 2 && width % 2 == 0 && fits(width / 2, dims)) {
    dims_ = static_cast<int>(width / 2);
    single_ = ndim == 1;
  } else {
    numbers.refuse_shape(box_shapes(dims));
  }
  count_ = single_ ? 1 : numbers.shape(0);
}

template <class T>
void BoxesIn<T>::take_corners(py::handle lo_value, py::handle hi_value, const char* name, int dims) {
  const std::string lo_name = std::string(name) + "[0]", hi_name = std::string(name) + "[1]";
  const Numbers<T> lo(lo_value, lo_name.c_str()), hi(hi_value, hi_name.c_str());
  if (lo.ndim() < 1 || lo.ndim() > 2 || !fits(lo.shape(-1), dims)) {
    lo.refuse_shape(box_shapes(dims));
  }
  if (lo.ndim() != hi.ndim() || lo.shape(0) != hi.shape(0) || lo.shape(-1) != hi.shape(-1)) {
    hi.refuse_shape(lo_name + " has " + lo.shape_text() + "; both corners must have the same shape");
  }
  dims_ = static_cast<int>(lo.shape(-1));
  single_ = lo.ndim() == 1;
  count_ = single_ ? 1 : lo.shape(0);
  const auto width = static_cast<std::size_t>(dims_);
  mixed_.resize(count_ * 2 * width);
  for (std::size_t i = 0; i < count_; ++i) {
    std::copy_n(lo.data() + i * width, width, mixed_.data() + 2 * i * width);
    std::copy_n(hi.data() + i * width, width, mixed_.data() + (2 * i + 1) * width);
  }
  data_ = mixed_.data();
}

template class BoxesIn<float>;
template class BoxesIn<double>;

PointsIn::PointsIn(py::handle value, const char* name, int dims) : numbers_(value, name) {
  const int ndim = numbers_.ndim();
  if (dims != 0 && ndim == 1 && numbers_.shape(0) == 0) {
    dims_ = dims;
    return;
  }
  if (ndim < 1 || ndim > 2 || !fits(numbers_.shape(-1), dims)) {
    numbers_.refuse_shape("Points are (D,) or (n, D) with " + dims_text(dims));
  }
  dims_ = static_cast<int>(numbers_.shape(-1));
  single_ = ndim == 1;
  count_ = single_ ? 1 : numbers_.shape(0);
}

ScalarsIn::ScalarsIn(py::handle value, const char* name, std::size_t count, const char* of)
    : numbers_(value, name) {
  if (numbers_.ndim() == 0) {
    return;
  }
  if (numbers_.ndim() != 1 || numbers_.shape(0) != count) {
    numbers_.refuse_shape("Give one number, or one for each of the " + std::to_string(count) + " " + of);
  }
  step_ = 1;
}

template <int D>
RaysIn<D>::RaysIn(py::handle origin, py::handle direction, py::handle max) {
  const PointsIn origins(origin, "origin", D), directions(direction, "direction", D);
  const auto from = origins.as<D>();
  const auto way = directions.as<D>();
  const std::size_t count = origins.single() ? way.size() : from.size();
  if (!origins.single() && !directions.single() && from.size() != way.size()) {
    raise_value("origin has " + std::to_string(from.size()) + " points and direction has " +
                std::to_string(way.size()) + ". Give one for each ray, or one for all");
  }
  const ScalarsIn ends(max, "max", count, "rays");
  single_ = origins.single() && directions.single();
  if (single_ && !ends.single()) {
    raise_value("max is an array, but there is one ray: give one number");
  }
  if (single_) {
    one_ = {from[0], way[0], ends[0]};
    rays_ = {&one_, 1};
    return;
  }
  many_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    many_[i] = {from[origins.single() ? 0 : i], way[directions.single() ? 0 : i], ends[i]};
  }
  rays_ = many_;
}

template class RaysIn<2>;
template class RaysIn<3>;

}  // namespace juxta::python
