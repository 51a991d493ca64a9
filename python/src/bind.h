// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What each file of this folder adds to the module, and small conversions.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <span>
#include <string>

namespace juxta::python {

namespace py = pybind11;

void bind_bodies(py::module_& module);
void bind_field(py::module_& module);
void bind_flock(py::module_& module);
void bind_grid_space(py::module_& module);
void bind_hierarchy(py::module_& module);
void bind_layer(py::module_& module);
void bind_point_tree(py::module_& module);
void bind_ranked(py::module_& module);
void bind_ranked_labels(py::module_& module);
void bind_ranked_live(py::module_& module);
void bind_rules(py::module_& module);
void bind_shape(py::module_& module);
void bind_simulation(py::module_& module);
void bind_transform_calls(py::module_& module);

/// A whole number from 0 on. Raises TypeError, or ValueError with the argument's name.
std::size_t size_of(py::handle value, const char* name);

/// A path as UTF-8: str, bytes or os.PathLike.
std::string path_of(py::handle path);

/// The bytes of a bytes-like object, which it keeps from being changed in length.
class Bytes {
 public:
  Bytes(py::handle value, const char* name);
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;
  ~Bytes() { PyBuffer_Release(&view_); }
  [[nodiscard]] std::span<const std::byte> span() const noexcept {
    return {static_cast<const std::byte*>(view_.buf), static_cast<std::size_t>(view_.len)};
  }

 private:
  Py_buffer view_{};
};

}  // namespace juxta::python
