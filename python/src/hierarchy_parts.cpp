// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.Hierarchy: parts of local transforms, subtrees, destroyed nodes, memory given back.
#include <cstring>
#include <string>
#include <vector>

#include "call.h"
#include "hierarchy_object.h"
#include "hierarchy_parts_docs.h"
#include "outputs.h"

namespace juxta::python {
namespace {

// Values of `width` floats for Ids: one for each, or one for all.
template <class Value>
std::vector<Value> values_for(const py::object& input, const char* name, const IdsIn& ids) {
  constexpr std::size_t kWidth = sizeof(Value) / sizeof(float);
  constexpr int kAxes = kWidth == 1 ? 0 : 1;  // of one value
  const Numbers<float> numbers(input, name);
  const bool single = numbers.ndim() == kAxes;
  if ((!single && numbers.ndim() != kAxes + 1) || (kAxes == 1 && numbers.shape(-1) != kWidth) ||
      (!single && numbers.shape(0) != ids.count())) {
    numbers.refuse_shape("Give one, or one for each id");
  }
  std::vector<Value> all(ids.count());
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::memcpy(static_cast<void*>(&all[i]), numbers.data() + (single ? 0 : i * kWidth), sizeof(Value));
  }
  return all;
}

template <class Value>
void write_parts(HierarchyObject& self, const py::object& names, const py::object& input, const char* name,
                 Result<void> (Hierarchy::*write)(std::span<const Id>, std::span<const Value>)) {
  const IdsIn ids(names, "ids");
  const std::vector<Value> values = values_for<Value>(input, name, ids);
  const Writing writing(self);
  unwrap(Call::released([&] { return (self.hierarchy.*write)(ids.span(), values); }));
}

void set_rotation(HierarchyObject& self, const py::object& ids, const py::object& rotation) {
  write_parts<Quat>(self, ids, rotation, "rotation", &Hierarchy::set_rotation);
}
void set_scale(HierarchyObject& self, const py::object& ids, const py::object& scale) {
  write_parts<float>(self, ids, scale, "scale", &Hierarchy::set_scale);
}
void translate_by(HierarchyObject& self, const py::object& ids, const py::object& by) {
  write_parts<Vec3>(self, ids, by, "by", &Hierarchy::translate_by);
}
void rotate_by(HierarchyObject& self, const py::object& ids, const py::object& by) {
  write_parts<Quat>(self, ids, by, "by", &Hierarchy::rotate_by);
}

py::object root_of(const HierarchyObject& self, const py::object& names) {
  const IdsIn ids(names, "ids");
  const Reading reading(self);
  return ids.map<std::uint64_t>([&](Id id) { return number_of(unwrap(self.hierarchy.root_of(id))); });
}

void set_tags(HierarchyObject& self, const py::object& names, const py::object& input) {
  const IdsIn ids(names, "ids");
  const Numbers<std::uint32_t> tags(input, "tags");
  if (tags.ndim() > 1 || (tags.ndim() == 1 && tags.shape(0) != ids.count())) {
    tags.refuse_shape("Give one, or one for each id");
  }
  const Writing writing(self);
  const auto of = [&](std::size_t i) { return tags.data()[tags.ndim() == 0 ? 0 : i]; };
  for (std::size_t i = 0; i < ids.count(); ++i) {
    if (of(i) > 127) {
      raise({.code = ErrorCode::kInvalidArgument,
             .message = "tags " + std::to_string(i) + ": above 127",
             .index = i});
    }
  }
  check_alive(self, ids);
  for (std::size_t i = 0; i < ids.count(); ++i) {
    unwrap(self.hierarchy.set_tags(ids[i], static_cast<std::uint8_t>(of(i))));
  }
}

py::object tags(const HierarchyObject& self, const py::object& names) {
  const IdsIn ids(names, "ids");
  const Reading reading(self);
  return ids.map<std::uint8_t>([&](Id id) { return unwrap(self.hierarchy.tags(id)); });
}

py::object inherited_tags(const HierarchyObject& self, const py::object& names) {
  const IdsIn ids(names, "ids");
  const Reading reading(self);
  return ids.map<std::uint8_t>([&](Id id) { return unwrap(self.hierarchy.inherited_tags(id)); });
}

Id one_id(const py::object& name, const char* what) {
  const IdsIn id(name, what);
  if (!id.single()) {
    raise_value(std::string(what) + " is an array. Give one");
  }
  return id[0];
}

py::object below(const HierarchyObject& self, const py::object& name) {
  const Id id = one_id(name, "id");
  const Reading reading(self);
  std::vector<Id> found;
  unwrap(Call::released(
      [&] { return self.hierarchy.for_each_below(id, [&](Id one) { found.push_back(one); }); }));
  return id_array(found);
}

py::object copy(HierarchyObject& self, const py::object& name, const py::object& parent) {
  const Id id = one_id(name, "id");
  const Id above = parent.is_none() ? Id{} : one_id(parent, "parent");
  const Writing writing(self);
  std::vector<Id> copies;
  unwrap(Call::released(
      [&] { return self.hierarchy.copy(id, above, [&](Id, Id made) { copies.push_back(made); }); }));
  return id_array(copies);
}

py::object destroyed_since(const HierarchyObject& self, std::uint64_t version) {
  const Reading reading(self);
  std::vector<Id> ids;
  unwrap(self.hierarchy.destroyed_since(version, [&](Id id) { ids.push_back(id); }));
  return id_array(ids);
}

void forget_destroyed(HierarchyObject& self, std::uint64_t version) {
  const Writing writing(self);
  unwrap(self.hierarchy.forget_destroyed(version));
}

std::size_t shrink(HierarchyObject& self) {
  const Writing writing(self);
  return Call::released([&] { return self.hierarchy.shrink(); });
}

}  // namespace

void bind_hierarchy_parts(py::class_<HierarchyObject>& hierarchy) {
  using py::arg;
  hierarchy.def("root_of", &root_of, arg("ids"), docs::kHierarchyRootOf)
      .def("set_tags", &set_tags, arg("ids"), arg("tags"), docs::kHierarchySetTags)
      .def("tags", &tags, arg("ids"), docs::kHierarchyTags)
      .def("inherited_tags", &inherited_tags, arg("ids"), docs::kHierarchyInheritedTags)
      .def("below", &below, arg("id"), docs::kHierarchyBelow)
      .def("copy", &copy, arg("id"), arg("parent") = py::none(), docs::kHierarchyCopy)
      .def("set_rotation", &set_rotation, arg("ids"), arg("rotation"), docs::kHierarchySetRotation)
      .def("set_scale", &set_scale, arg("ids"), arg("scale"), docs::kHierarchySetScale)
      .def("translate_by", &translate_by, arg("ids"), arg("by"), docs::kHierarchyTranslateBy)
      .def("rotate_by", &rotate_by, arg("ids"), arg("by"), docs::kHierarchyRotateBy)
      .def("destroyed_since", &destroyed_since, arg("version"), docs::kHierarchyDestroyedSince)
      .def("forget_destroyed", &forget_destroyed, arg("version"), docs::kHierarchyForgetDestroyed)
      .def("shrink", &shrink, docs::kHierarchyShrink);
}

}  // namespace juxta::python
