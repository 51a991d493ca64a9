// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.Layer: one class for both dimensions.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "errors.h"
#include "guard.h"
#include "juxta/core/kept_memory.h"
#include "juxta/layer/layer.h"

namespace juxta::python {

namespace py = pybind11;

struct LayerObject : Guarded {
  std::variant<Layer2, Layer> layer{std::in_place_index<0>, kept_memory_resource()};

  [[nodiscard]] int dims() const noexcept { return layer.index() == 0 ? 2 : 3; }
};

/// work(layer), with the layer as it is: BasicLayer<2> or BasicLayer<3>.
template <class Object, class Work>
auto with_layer(Object& self, Work&& work) {
  return self.layer.index() == 0 ? work(std::get<0>(self.layer)) : work(std::get<1>(self.layer));
}

template <int D>
constexpr int dims_of(const BasicLayer<D>&) {
  return D;
}

void bind_layer_changes(py::class_<LayerObject>& layer);
void bind_layer_pairs(py::class_<LayerObject>& layer);
void bind_layer_queries(py::class_<LayerObject>& layer);
void bind_layer_rays(py::class_<LayerObject>& layer);
void bind_pair_tracker(py::module_& module);

}  // namespace juxta::python
