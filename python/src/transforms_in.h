// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Transforms that a caller gives, and transforms as answers.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "juxta/math/qvvs.h"

namespace juxta::python {

namespace py = pybind11;

/// Looks up juxta.WORLD and juxta.LOCAL, once, when the module is imported.
void load_transforms();

/// An array of juxta.WORLD or juxta.LOCAL, not filled.
py::array world_array(std::size_t count);
py::array local_array(std::size_t count);
/// One of them, as a record.
py::object world_record(const Qvvs& transform);
py::object local_record(const LocalTransform& transform);

/// Transforms of T: Qvvs or LocalTransform. Taken from an array of juxta.WORLD (Qvvs without a copy) or
/// juxta.LOCAL (LocalTransform without a copy); from floats (3,), (n, 3): positions; (7,), (n, 7): positions
/// and rotations (x, y, z, w); None: one, the identity.
template <class T>
class TransformsIn {
 public:
  TransformsIn(py::handle value, const char* name);
  TransformsIn(const TransformsIn&) = delete;
  TransformsIn& operator=(const TransformsIn&) = delete;

  /// Given without an axis of its own: None, a record, (3,) or (7,).
  [[nodiscard]] bool single() const noexcept { return single_; }
  [[nodiscard]] std::size_t count() const noexcept { return all_.size(); }
  [[nodiscard]] std::span<const T> all() const noexcept { return all_; }
  /// The one for element i of many: the only one when there is one for all.
  [[nodiscard]] const T& of(std::size_t i) const noexcept { return all_[single_ ? 0 : i]; }
  /// Raises ValueError unless there is one for all or `count` of them.
  void check_count(std::size_t count, const char* of) const;

 private:
  bool take_records(py::handle value);
  void take_floats(py::handle value);

  const char* name_;
  py::object owner_;
  std::vector<T> own_;
  std::span<const T> all_;
  bool single_ = true;
};

extern template class TransformsIn<Qvvs>;
extern template class TransformsIn<LocalTransform>;

/// One place.
[[nodiscard]] Qvvs place_of(py::handle value, const char* name);

}  // namespace juxta::python
