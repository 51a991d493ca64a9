// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "transforms_in.h"

#include <cstring>
#include <type_traits>

#include "errors.h"
#include "numbers.h"

namespace juxta::python {
namespace {

PyObject* world_dtype = nullptr;
PyObject* local_dtype = nullptr;

template <class T>
py::dtype dtype_of() {
  return py::reinterpret_borrow<py::dtype>(std::is_same_v<T, Qvvs> ? world_dtype : local_dtype);
}

template <class T>
py::object record_of(const T& transform) {
  const py::array array(dtype_of<T>(), py::ssize_t{1}, &transform);
  return array.attr("__getitem__")(0);
}

Qvvs converted(const LocalTransform& local, const Qvvs&) {
  return {.rotation = local.rotation, .position = local.position, .scale = local.scale};
}
LocalTransform converted(const Qvvs& world, const LocalTransform&) {
  return {.rotation = world.rotation, .position = world.position, .scale = world.scale};
}

}  // namespace

void load_transforms() {
  const py::module_ module = py::module_::import("juxta._transforms");
  world_dtype = py::object(module.attr("WORLD")).release().ptr();
  local_dtype = py::object(module.attr("LOCAL")).release().ptr();
  if (dtype_of<Qvvs>().itemsize() != sizeof(Qvvs) ||
      dtype_of<LocalTransform>().itemsize() != sizeof(LocalTransform)) {
    throw py::import_error("juxta._transforms is that of another version");
  }
}

py::array world_array(std::size_t count) {
  return py::array(dtype_of<Qvvs>(), static_cast<py::ssize_t>(count));
}
py::array local_array(std::size_t count) {
  return py::array(dtype_of<LocalTransform>(), static_cast<py::ssize_t>(count));
}
py::object world_record(const Qvvs& transform) {
  return record_of(transform);
}
py::object local_record(const LocalTransform& transform) {
  return record_of(transform);
}

template <class T>
TransformsIn<T>::TransformsIn(py::handle value, const char* name) : name_(name) {
  if (value.is_none()) {
    own_.resize(1);
    all_ = own_;
  } else if (!take_records(value)) {
    take_floats(value);
  }
}

template <class T>
bool TransformsIn<T>::take_records(py::handle value) {
  using Other = std::conditional_t<std::is_same_v<T, Qvvs>, LocalTransform, Qvvs>;
  if (!py::hasattr(value, "dtype")) {
    return false;
  }
  const py::object type = value.attr("dtype");
  const bool same = type.equal(dtype_of<T>());
  if (!same && !type.equal(dtype_of<Other>())) {
    return false;
  }
  // ascontiguousarray() makes one of a record, too, and keeps what is contiguous already.
  const py::array array = py::module_::import("numpy").attr("ascontiguousarray")(value);
  const py::ssize_t ndim = value.attr("ndim").cast<py::ssize_t>();
  if (ndim > 1) {
    raise_value(std::string(name_) + " has shape " + shape_text(array) +
                ". Give one transform, or (n,) of them");
  }
  single_ = ndim == 0;
  const auto count = static_cast<std::size_t>(array.size());
  if (same && reinterpret_cast<std::uintptr_t>(array.data()) % alignof(T) == 0) {
    owner_ = array;
    all_ = {static_cast<const T*>(array.data()), count};
    return true;
  }
  own_.resize(count);
  const auto* const bytes = static_cast<const std::byte*>(array.data());
  for (std::size_t i = 0; i < count; ++i) {
    if (same) {
      std::memcpy(&own_[i], bytes + i * sizeof(T), sizeof(T));
    } else {
      Other other;
      std::memcpy(&other, bytes + i * sizeof(Other), sizeof(Other));
      own_[i] = converted(other, T{});
    }
  }
  all_ = own_;
  return true;
}

template <class T>
void TransformsIn<T>::take_floats(py::handle value) {
  const Numbers<float> numbers(value, name_);
  const int ndim = numbers.ndim();
  const std::size_t width = ndim == 0 ? 0 : numbers.shape(-1);
  if (ndim < 1 || ndim > 2 || (width != 3 && width != 7)) {
    numbers.refuse_shape(
        "Give transforms (juxta.transforms), positions (3,) or (n, 3), or positions and rotations (7,) or "
        "(n, 7)");
  }
  single_ = ndim == 1;
  own_.resize(single_ ? 1 : numbers.shape(0));
  for (std::size_t i = 0; i < own_.size(); ++i) {
    const float* const from = numbers.data() + i * width;
    own_[i].position = {from[0], from[1], from[2]};
    if (width == 7) {
      own_[i].rotation = {from[3], from[4], from[5], from[6]};
    }
  }
  all_ = own_;
}

template <class T>
void TransformsIn<T>::check_count(std::size_t count, const char* of) const {
  if (!single_ && all_.size() != count) {
    raise_value(std::string(name_) + " has " + std::to_string(all_.size()) + " transforms for " +
                std::to_string(count) + " " + of + ". Give one for each, or one for all");
  }
}

template class TransformsIn<Qvvs>;
template class TransformsIn<LocalTransform>;

Qvvs place_of(py::handle value, const char* name) {
  const TransformsIn<Qvvs> at(value, name);
  if (!at.single()) {
    raise_value(std::string(name) + " holds " + std::to_string(at.count()) + " transforms. Give one");
  }
  return at.of(0);
}

}  // namespace juxta::python
