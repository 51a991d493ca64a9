// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.Field: building, values, steps and files. field_points.cpp has what is asked at points.
#include "juxta/grid/field.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bind.h"
#include "call.h"
#include "field_docs.h"
#include "field_object.h"
#include "juxta/core/kept_memory.h"
#include "juxta/core/try.h"
#include "numbers.h"
#include "world.h"

namespace juxta::python {

namespace {

/// What the arrays of a field hold on to.
class ViewOwner {
 public:
  ViewOwner(py::object field, FieldObject::Views& views) : field_(std::move(field)), views_(views) {
    views_.count.fetch_add(1);
  }
  ViewOwner(const ViewOwner&) = delete;
  ViewOwner& operator=(const ViewOwner&) = delete;
  ~ViewOwner() { views_.count.fetch_sub(1); }

 private:
  py::object field_;
  FieldObject::Views& views_;  // the field's
};

std::unique_ptr<FieldObject> build(const py::object& lo, const py::object& hi, const py::object& cells,
                                   const py::object& components, const py::object& edges) {
  const Numbers<std::uint32_t> counts(cells, "cells");
  if (counts.ndim() != 1 || (counts.size() != 2 && counts.size() != 3)) {
    counts.refuse_shape("Give how many there are along x, y and, in 3D, z");
  }
  const auto dimensions = static_cast<std::uint32_t>(counts.size());
  const FieldOptions options = field_options(world_of(lo, hi, edges, dimensions), counts.span(), components);
  return std::make_unique<FieldObject>(unwrap(Field::build(options, kept_memory_resource())));
}

std::uint32_t index_in(const FieldObject& self, py::ssize_t component) {
  const auto count = static_cast<py::ssize_t>(self.field.options().components);
  if (component < -count || component >= count) {
    throw py::index_error("there is no component " + std::to_string(component) + " in a field of " +
                          std::to_string(count));
  }
  return static_cast<std::uint32_t>(component < 0 ? component + count : component);
}

py::array get(const py::object& self, py::ssize_t component) {
  const auto& object = py::cast<const FieldObject&>(self);
  const Reading reading(object);
  return field_view(self, index_in(object, component));
}
void set(const py::object& self, py::ssize_t component, const py::object& values) {
  auto& object = py::cast<FieldObject&>(self);
  const Writing writing(object);
  field_view(self, index_in(object, component))[py::ellipsis()] = values;
}
py::array values(const py::object& self) {
  return get(self, 0);
}
void set_values(const py::object& self, const py::object& values) {
  set(self, 0, values);
}

void fill(FieldObject& self, float value, const py::object& component) {
  const std::uint32_t which = component_of(component);
  const Writing writing(self);
  unwrap(Call::released([&] { return self.field.fill(value, which); }));
}

double total(const FieldObject& self, const py::object& component, const py::object& threads) {
  const std::uint32_t which = component_of(component);
  Call call(threads, py::none());
  const Reading reading(self);
  return call.run([&](const Context& context) { return self.field.total(which, context); });
}

void diffuse(FieldObject& self, float amount, float decay, const py::object& steps,
             const py::object& component, const py::object& threads, const py::object& progress) {
  const std::size_t count = size_of(steps, "steps");
  if (count > UINT32_MAX) {
    raise_value("steps is " + std::to_string(count) + ". Give less than 2**32");
  }
  const Diffusion diffusion{
      .amount = amount,
      .decay = decay,
      .steps = static_cast<std::uint32_t>(count),
      .component = component.is_none() ? Diffusion::kAllComponents : component_of(component)};
  Call call(threads, progress);
  const Writing writing(self);
  call.run([&](const Context& context) { return diffuse_with_views(self, diffusion, context); });
}

void save(const FieldObject& self, const py::object& path) {
  const std::string file = path_of(path);
  const Reading reading(self);
  unwrap(Call::released([&] { return self.field.save(file); }));
}
std::unique_ptr<FieldObject> load(const py::object& path) {
  const std::string file = path_of(path);
  return std::make_unique<FieldObject>(
      unwrap(Call::released([&] { return Field::load(file, kept_memory_resource()); })));
}

py::tuple cells(const Field& field) {
  py::tuple counts(field.options().world.dimensions);
  for (std::size_t axis = 0; axis < counts.size(); ++axis) {
    counts[axis] = py::int_(field.options().cells[axis]);
  }
  return counts;
}
py::array cell_size(const Field& field) {
  return corner_array({field.cell_size(0), field.cell_size(1), field.cell_size(2)},
                      field.options().world.dimensions);
}
template <Vec3 World::*kCorner>
py::array corner(const Field& field) {
  return corner_array(field.options().world.*kCorner, field.options().world.dimensions);
}
std::string text(const Field& field) {
  std::string text = "<juxta.Field of ";
  for (std::uint32_t axis = 0; axis < field.options().world.dimensions; ++axis) {
    text += (axis == 0 ? "" : " x ") + std::to_string(field.options().cells[axis]);
  }
  const std::uint32_t components = field.options().components;
  return text + " cells, " + std::to_string(components) + (components == 1 ? " component>" : " components>");
}

template <class Read>
auto reading(Read&& read) {
  return [read](const FieldObject& self) {
    const Reading held(self);
    return read(self.field);
  };
}

}  // namespace

std::uint32_t component_of(py::handle component) {
  // A larger one is none of the field's either, and is not "all".
  return static_cast<std::uint32_t>(
      std::min<std::size_t>(size_of(component, "component"), Diffusion::kAllComponents - 1));
}

py::array field_view(const py::object& self, std::uint32_t component) {
  auto& object = py::cast<FieldObject&>(self);
  FieldObject::Views& views = object.views[component];
  const std::span<float> values = object.field.values(component);
  views.at = values.data();
  auto kept = std::make_unique<ViewOwner>(self, views);
  const py::capsule owner(kept.get(), [](void* of) { delete static_cast<ViewOwner*>(of); });
  static_cast<void>(kept.release());
  const FieldOptions& options = object.field.options();
  std::vector<py::ssize_t> shape;
  for (std::uint32_t axis = options.world.dimensions; axis > 0; --axis) {
    shape.push_back(static_cast<py::ssize_t>(options.cells[axis - 1]));
  }
  return py::array(py::dtype::of<float>(), shape, {}, values.data(), owner);
}

Result<void> diffuse_with_views(FieldObject& self, const Diffusion& diffusion, const Context& context) {
  const Result<void> done = self.field.diffuse(diffusion, context);
  const Context unwatched{.executor = context.executor, .workspace = context.workspace};
  for (std::uint32_t c = 0; c < self.field.options().components; ++c) {
    if (self.views[c].count.load() > 0 && self.field.values(c).data() != self.views[c].at) {
      JUXTA_TRY(self.field.diffuse({.component = c}, unwatched));
    }
  }
  return done;
}

FieldOptions field_options(const World& world, std::span<const std::uint32_t> cells,
                           const py::object& components) {
  FieldOptions options{.world = world};
  std::copy(cells.begin(), cells.end(), options.cells.begin());
  options.components = static_cast<std::uint32_t>(
      std::min<std::size_t>(size_of(components, "components"), Field::kMostComponents + 1));
  return options;
}

void bind_field(py::module_& module) {
  using py::arg;
  const auto none = py::none();
  py::class_<FieldObject> field(module, "Field", docs::kField);
  field
      .def(py::init(&build), arg("lo"), arg("hi"), arg("cells"), py::kw_only(), arg("components") = 1,
           arg("edges") = "open", docs::kFieldInit)
      .def_property("values", &values, &set_values, docs::kFieldValues)
      .def("__getitem__", &get, arg("component"), docs::kFieldGet)
      .def("__setitem__", &set, arg("component"), arg("values"), docs::kFieldSet)
      .def("fill", &fill, arg("value"), arg("component") = 0, docs::kFieldFill)
      .def("total", &total, arg("component") = 0, py::kw_only(), arg("threads") = none, docs::kFieldTotal)
      .def("diffuse", &diffuse, arg("amount"), py::kw_only(), arg("decay") = 0.0F, arg("steps") = 1,
           arg("component") = none, arg("threads") = none, arg("progress") = none, docs::kFieldDiffuse)
      .def("save", &save, arg("path"), docs::kFieldSave)
      .def_static("load", &load, arg("path"), docs::kFieldLoad)
      .def_property_readonly("cells", reading(&cells), docs::kFieldCells)
      .def_property_readonly("cell_size", reading(&cell_size), docs::kFieldCellSize)
      .def_property_readonly("dimensions",
                             reading([](const Field& of) { return of.options().world.dimensions; }),
                             docs::kFieldDimensions)
      .def_property_readonly("edges", reading([](const Field& of) { return edge_words(of.options().world); }),
                             docs::kFieldEdges)
      .def_property_readonly("lo", reading(&corner<&World::lo>), docs::kFieldLo)
      .def_property_readonly("hi", reading(&corner<&World::hi>), docs::kFieldHi)
      .def_property_readonly("state_hash", reading([](const Field& of) { return of.state_hash(); }),
                             docs::kFieldStateHash)
      .def_property_readonly("memory_bytes", reading([](const Field& of) { return of.memory_bytes(); }),
                             docs::kFieldMemoryBytes)
      .def("__len__", reading([](const Field& of) { return of.options().components; }))
      .def("__repr__", reading(&text));
  bind_field_points(field);
}

}  // namespace juxta::python
