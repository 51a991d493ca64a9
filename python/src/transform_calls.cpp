// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Functions of many transforms: juxta.interpolate, to_matrices, world_boxes.
#include <string>

#include "bind.h"
#include "boxes.h"
#include "call.h"
#include "hierarchy_docs.h"
#include "juxta/transform/interpolate.h"
#include "juxta/transform/matrices.h"
#include "juxta/transform/world_boxes.h"
#include "outputs.h"
#include "transforms_in.h"

namespace juxta::python {
namespace {

py::object interpolate_of(const py::object& from_in, const py::object& to_in, double t,
                          const py::object& threads) {
  const TransformsIn<Qvvs> from(from_in, "a"), to(to_in, "b");
  if (from.single() != to.single() || from.count() != to.count()) {
    raise_value("a has " + std::to_string(from.count()) + " transforms and b has " +
                std::to_string(to.count()) + ". Give as many of both");
  }
  Call call(threads, py::none());
  py::array out = world_array(from.count());
  const std::span<Qvvs> all{static_cast<Qvvs*>(out.mutable_data()), from.count()};
  call.run([&](const Context& context) {
    return interpolate(from.all(), to.all(), static_cast<float>(t), all, context);
  });
  return from.single() ? out.attr("__getitem__")(0) : py::object(out);
}

py::object to_matrices_of(const py::object& input, const std::string& layout, const py::object& threads) {
  const TransformsIn<Qvvs> transforms(input, "transforms");
  Call call(threads, py::none());
  py::object matrices;
  if (layout == "3x4") {
    auto out = new_array<float>(transforms.count(), 3, 4);
    const std::span<Matrix34> all{reinterpret_cast<Matrix34*>(out.mutable_data()), transforms.count()};
    call.run([&](const Context& context) { return to_matrices(transforms.all(), all, context); });
    matrices = std::move(out);
  } else if (layout == "4x4") {
    auto out = new_array<float>(transforms.count(), 4, 4);
    const std::span<Matrix44> all{reinterpret_cast<Matrix44*>(out.mutable_data()), transforms.count()};
    call.run([&](const Context& context) { return to_matrices(transforms.all(), all, context); });
    matrices = out.attr("transpose")(0, 2, 1);
  } else {
    raise_value("layout is '" + layout + "'. Give '3x4' or '4x4'");
  }
  return transforms.single() ? matrices.attr("__getitem__")(0) : matrices;
}

py::object world_boxes_of(const py::object& input, const py::object& boxes_in, const py::object& threads) {
  const TransformsIn<Qvvs> transforms(input, "transforms");
  const BoxesIn<float> boxes(boxes_in, "boxes", 3);
  if (transforms.single() != boxes.single() || transforms.count() != boxes.count()) {
    raise_value("there are " + std::to_string(transforms.count()) + " transforms for " +
                std::to_string(boxes.count()) + " boxes. Give one for each");
  }
  Call call(threads, py::none());
  auto out = new_array<float>(boxes.count(), 2, 3);
  const std::span<Aabb3> all{reinterpret_cast<Aabb3*>(out.mutable_data()), boxes.count()};
  call.run(
      [&](const Context& context) { return world_boxes(transforms.all(), boxes.as<3>(), all, context); });
  return boxes.single() ? out.attr("__getitem__")(0) : py::object(out);
}

}  // namespace

void bind_transform_calls(py::module_& module) {
  using py::arg;
  module.def("interpolate", &interpolate_of, arg("a"), arg("b"), arg("t"), py::kw_only(),
             arg("threads") = py::none(), docs::kInterpolate);
  module.def("to_matrices", &to_matrices_of, arg("transforms"), py::kw_only(), arg("layout") = "3x4",
             arg("threads") = py::none(), docs::kToMatrices);
  module.def("world_boxes", &world_boxes_of, arg("transforms"), arg("boxes"), py::kw_only(),
             arg("threads") = py::none(), docs::kWorldBoxes);
}

}  // namespace juxta::python
