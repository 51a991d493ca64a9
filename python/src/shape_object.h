// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.Shape: one of eight kinds, never changed once it is made, but for the vertices of a mesh (refit).
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "guard.h"
#include "juxta/shape/parts.h"
#include "juxta/shape/query.h"
#include "juxta/shape/shape.h"
#include "outputs.h"

namespace juxta::python {

namespace py = pybind11;

struct ShapeObject : Guarded {
  Shape shape;
  std::shared_ptr<const void> parts;  // the hull, mesh, compound or height field that `shape` borrows
};

/// A new array of `count` vectors, (3,) for one that is not one of many.
class VectorColumn {
 public:
  explicit VectorColumn(std::size_t count) : array_(new_array<float>(count, 3)), to_(array_.mutable_data()) {}
  void set(std::size_t i, const Vec3& v) noexcept {
    to_[3 * i] = v.x;
    to_[3 * i + 1] = v.y;
    to_[3 * i + 2] = v.z;
  }
  [[nodiscard]] py::array take() && { return std::move(array_); }

 private:
  py::array_t<float> array_;
  float* to_;
};
/// (3,).
[[nodiscard]] py::array_t<float> array_of(const Vec3& v);

/// One shape for many questions, or a sequence with one for each. Keeps them.
class ShapesIn {
 public:
  ShapesIn(py::handle value, const char* name);
  [[nodiscard]] bool single() const noexcept { return single_; }
  [[nodiscard]] std::size_t count() const noexcept { return shapes_.size(); }
  [[nodiscard]] const Shape& of(std::size_t i) const noexcept { return shapes_[single_ ? 0 : i]->shape; }
  [[nodiscard]] const ShapeObject& object(std::size_t i) const noexcept { return *shapes_[i]; }
  /// What keeps all of them alive.
  [[nodiscard]] py::object owner() const { return owner_; }

 private:
  py::object owner_;
  std::vector<const ShapeObject*> shapes_;
  bool single_ = false;
};

void bind_shape_queries(py::class_<ShapeObject>& shape);

}  // namespace juxta::python
