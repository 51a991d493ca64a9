// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.Layer: building, saving, reading what it holds.
#include "juxta/layer/layer.h"

#include <memory>
#include <string>

#include "bind.h"
#include "boxes.h"
#include "call.h"
#include "juxta/core/kept_memory.h"
#include "layer_docs.h"
#include "layer_object.h"
#include "options.h"
#include "outputs.h"
#include "results.h"

namespace juxta::python {
namespace {

OrderQuality quality_of(const std::string& word) {
  if (word == "fast") {
    return OrderQuality::kFast;
  }
  if (word == "tight") {
    return OrderQuality::kTight;
  }
  raise_value("quality is '" + word + "'. Give 'fast' or 'tight'");
}

template <int D>
void rebuild_as(LayerObject& self, const BoxesIn<float>& boxes, const LayerOptions& options, Call& call) {
  call.run([&](const Context& context) {
    if (self.dims() != D) {
      self.layer.emplace<BasicLayer<D>>(kept_memory_resource());
    }
    return std::get<BasicLayer<D>>(self.layer).rebuild(boxes.as<D>(), options, context);
  });
}

void rebuild_with(LayerObject& self, int dims, const py::object& input, const py::object& category,
                  const py::object& mask, const std::string& quality, const py::object& threads,
                  const py::object& progress) {
  const BoxesIn<float> boxes(input, "boxes", dims);
  if (boxes.single()) {
    raise_value("boxes is one box. A layer holds many: (n, 2, D) or (n, 2 D)");
  }
  const std::vector<Filter> filters = filters_of(category, mask, boxes.count());
  const LayerOptions options{.filters = filters, .quality = quality_of(quality)};
  Call call(threads, progress);
  const Writing writing(self);
  boxes.dims() == 2 ? rebuild_as<2>(self, boxes, options, call) : rebuild_as<3>(self, boxes, options, call);
}

std::unique_ptr<LayerObject> build(const py::object& boxes, const py::object& category,
                                   const py::object& mask, const std::string& quality,
                                   const py::object& threads, const py::object& progress) {
  auto made = std::make_unique<LayerObject>();
  rebuild_with(*made, 0, boxes, category, mask, quality, threads, progress);
  return made;
}

void rebuild(LayerObject& self, const py::object& boxes, const py::object& category, const py::object& mask,
             const std::string& quality, const py::object& threads, const py::object& progress) {
  rebuild_with(self, self.dims(), boxes, category, mask, quality, threads, progress);
}

void save(const LayerObject& self, const py::object& path) {
  const std::string file = path_of(path);
  const Reading reading(self);
  unwrap(
      Call::released([&] { return with_layer(self, [&](const auto& layer) { return layer.save(file); }); }));
}

// A file of the other dimension is refused as corrupt: both are tried.
std::unique_ptr<LayerObject> load(const py::object& path) {
  const std::string file = path_of(path);
  auto made = std::make_unique<LayerObject>();
  Result<Layer> in_space = Call::released([&] { return Layer::load(file); });
  if (in_space) {
    made->layer = *std::move(in_space);
    return made;
  }
  Result<Layer2> in_plane = Call::released([&] { return Layer2::load(file); });
  if (!in_plane) {
    // Of the two refusals, the one that got further into the file says more.
    const Error &a = in_space.error(), &b = in_plane.error();
    raise(b.byte != Error::kNowhere && (a.byte == Error::kNowhere || b.byte > a.byte) ? b : a);
  }
  made->layer = *std::move(in_plane);
  return made;
}

py::object stats(const LayerObject& self) {
  const Reading reading(self);
  const LayerStats all = with_layer(self, [](const auto& layer) { return layer.stats(); });
  return result(ResultType::kLayerStats, all.bodies, all.blocks, all.levels, all.memory_bytes, all.sorts,
                all.looseness, all.strays);
}

template <class Read>
auto reading(Read&& read) {
  return [read](const LayerObject& self) {
    const Reading held(self);
    return with_layer(self, read);
  };
}

}  // namespace

void bind_layer(py::module_& module) {
  using py::arg;
  py::class_<LayerObject> layer(module, "Layer", docs::kLayer);
  layer
      .def(py::init(&build), arg("boxes"), py::kw_only(), arg("category") = py::none(),
           arg("mask") = py::none(), arg("quality") = "fast", arg("threads") = py::none(),
           arg("progress") = py::none(), docs::kLayerInit)
      .def("rebuild", &rebuild, arg("boxes"), py::kw_only(), arg("category") = py::none(),
           arg("mask") = py::none(), arg("quality") = "fast", arg("threads") = py::none(),
           arg("progress") = py::none(), docs::kLayerRebuild)
      .def("save", &save, arg("path"), docs::kLayerSave)
      .def_static("load", &load, arg("path"), docs::kLayerLoad)
      .def("stats", &stats, docs::kLayerStats)
      .def_property_readonly("ndim", reading([](const auto& held) { return dims_of(held); }),
                             docs::kLayerNdim)
      .def_property_readonly("capacity", reading([](const auto& held) { return held.capacity(); }),
                             docs::kLayerCapacity)
      .def("__len__", reading([](const auto& held) { return held.size(); }))
      .def("__repr__", reading([](const auto& held) {
             return "<juxta.Layer of " + std::to_string(held.size()) + " boxes in " +
                    std::to_string(dims_of(held)) + "D>";
           }));
  bind_layer_changes(layer);
  bind_layer_pairs(layer);
  bind_layer_queries(layer);
  bind_layer_rays(layer);
  bind_pair_tracker(module);
}

}  // namespace juxta::python
