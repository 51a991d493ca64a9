// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The extension module juxta._study. juxta/models.py and juxta/sector.py are what users call.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstring>

#include "python/src/errors.h"
#include "python/src/outputs.h"
#include "python/src/threads.h"
#include "study.h"

namespace juxta::python {

py::array image_array(const Raster& image) {
  static_assert(sizeof(Rgb) == 3);
  auto array = new_array<std::uint8_t>(image.height(), image.width(), std::size_t{3});
  std::memcpy(array.mutable_data(), image.pixels().data(), image.pixels().size_bytes());
  return array;
}

}  // namespace juxta::python

PYBIND11_MODULE(_study, module) {
  using namespace juxta::python;
  module.doc() = "The compiled part of juxta.models and juxta.sector. Import those instead.";
  load_errors();
  load_threads();
  bind_models(module);
  bind_sweep(module);
  bind_battle(module);
}
