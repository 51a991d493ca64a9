// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.Bodies: shapes in a world; what touches what.
#include "juxta/shape/bodies.h"

#include <memory>
#include <string>
#include <vector>

#include "bind.h"
#include "bodies_docs.h"
#include "bodies_object.h"
#include "boxes.h"
#include "call.h"
#include "contacts.h"
#include "options.h"

namespace juxta::python {
namespace {

void rebuild(BodiesObject& self, const py::object& shapes_in, const py::object& at_in,
             const py::object& category, const py::object& mask, const py::object& threads,
             const py::object& progress) {
  const ShapesIn shapes(shapes_in, "shapes");
  const TransformsIn<Qvvs> at(at_in, "at");
  const std::size_t count = shapes.single() ? at.count() : shapes.count();
  at.check_count(count, "shapes");
  std::vector<Body> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    all[i] = {.shape = shapes.of(i), .at = at.of(i)};
  }
  const std::vector<Filter> filters = filters_of(category, mask, count);
  Call call(threads, progress);
  const Writing writing(self);
  call.run([&](const Context& context) { return self.bodies.rebuild(all, {.filters = filters}, context); });
  self.shapes = shapes.owner();
}

std::unique_ptr<BodiesObject> build(const py::object& shapes, const py::object& at,
                                    const py::object& category, const py::object& mask,
                                    const py::object& threads, const py::object& progress) {
  auto made = std::make_unique<BodiesObject>();
  rebuild(*made, shapes, at, category, mask, threads, progress);
  return made;
}

void refit(BodiesObject& self, const py::object& at_in, const py::object& threads,
           const py::object& progress) {
  const TransformsIn<Qvvs> at(at_in, "at");
  Call call(threads, progress);
  const Writing writing(self);
  if (at.single()) {
    raise_value("at is one transform. Give one for each body: (" + std::to_string(self.bodies.size()) + ",)");
  }
  call.run([&](const Context& context) { return self.bodies.refit(at.all(), context); });
}

py::object places(const BodiesObject& self) {
  const Reading reading(self);
  py::array out = world_array(self.bodies.size());
  auto* const to = static_cast<Qvvs*>(out.mutable_data());
  for (std::size_t i = 0; i < self.bodies.size(); ++i) {
    to[i] = self.bodies.body(static_cast<std::uint32_t>(i)).at;
  }
  return out;
}

py::object boxes(const BodiesObject& self) {
  const Reading reading(self);
  auto out = new_array<float>(self.bodies.size(), 2, 3);
  auto* const to = reinterpret_cast<Aabb3*>(out.mutable_data());
  for (std::size_t i = 0; i < self.bodies.size(); ++i) {
    to[i] = unwrap(self.bodies.layer().box_of(static_cast<std::uint32_t>(i)));
  }
  return out;
}

py::object find_contacts(const BodiesObject& self, double margin, const py::object& only_in,
                         const py::object& dtype, const py::object& threads, const py::object& progress) {
  const IndexType type = index_type_of(dtype);
  Call call(threads, progress);
  const Reading reading(self);
  const OnlyIn only(only_in, "only", self.bodies.size());
  Buffer<Bodies::Contact> found(std::max<std::size_t>(1024, 4 * self.bodies.size()));
  const auto find = [&](const Context& context) {
    return self.bodies.find_contacts(static_cast<float>(margin), found.rest(), {.only = only.bytes()},
                                     context);
  };
  QueryResult count = call.run(find);
  if (count.found > count.written) {
    found.reserve(count.found);
    count = call.run(find);
  }
  found.resize(count.written);
  return contacts_of(found.span(), type);
}

}  // namespace

void bind_bodies(py::module_& module) {
  using py::arg;
  const auto none = py::none();
  py::class_<BodiesObject> bodies(module, "Bodies", docs::kBodies);
  bodies
      .def(py::init(&build), arg("shapes"), arg("at") = none, py::kw_only(), arg("category") = none,
           arg("mask") = none, arg("threads") = none, arg("progress") = none, docs::kBodiesInit)
      .def("rebuild", &rebuild, arg("shapes"), arg("at") = none, py::kw_only(), arg("category") = none,
           arg("mask") = none, arg("threads") = none, arg("progress") = none, docs::kBodiesRebuild)
      .def("refit", &refit, arg("at"), py::kw_only(), arg("threads") = none, arg("progress") = none,
           docs::kBodiesRefit)
      .def("places", &places, docs::kBodiesPlaces)
      .def("boxes", &boxes, docs::kBodiesBoxes)
      .def("find_contacts", &find_contacts, arg("margin") = 0.0, py::kw_only(), arg("only") = none,
           arg("dtype") = none, arg("threads") = none, arg("progress") = none, docs::kBodiesFindContacts)
      .def("__len__",
           [](const BodiesObject& self) {
             const Reading reading(self);
             return self.bodies.size();
           })
      .def("__repr__", [](const BodiesObject& self) {
        const Reading reading(self);
        return "<juxta.Bodies, " + std::to_string(self.bodies.size()) + " of them>";
      });
  bind_bodies_rays(bodies);
  bind_bodies_shapes(bodies);
  bind_contacts(module);
}

}  // namespace juxta::python
