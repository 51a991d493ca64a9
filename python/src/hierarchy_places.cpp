// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.Hierarchy: where nodes are.
#include <string>
#include <vector>

#include "boxes.h"
#include "call.h"
#include "hierarchy_docs.h"
#include "hierarchy_object.h"
#include "outputs.h"

namespace juxta::python {

void check_alive(const HierarchyObject& self, const IdsIn& ids) {
  for (std::size_t i = 0; i < ids.count(); ++i) {
    if (!self.hierarchy.alive(ids[i])) {
      raise(dead_id(ids[i], i, ids.single()));
    }
  }
}

namespace {

// Transforms for Ids: one for each, or one for all.
template <class T>
std::vector<T> spread(const TransformsIn<T>& given, const IdsIn& ids, const char* of) {
  given.check_count(ids.count(), of);
  std::vector<T> all(ids.count());
  for (std::size_t i = 0; i < ids.count(); ++i) {
    all[i] = given.of(i);
  }
  return all;
}

void set_local(HierarchyObject& self, const py::object& names, const py::object& local_in,
               const py::object& threads) {
  const IdsIn ids(names, "ids");
  const TransformsIn<LocalTransform> local(local_in, "local");
  local.check_count(ids.count(), "ids");
  Call call(threads, py::none());
  const Writing writing(self);
  std::vector<LocalTransform> copies;
  if (local.single()) {
    copies = spread(local, ids, "ids");
  }
  const std::span<const LocalTransform> all =
      local.single() ? std::span<const LocalTransform>(copies) : local.all();
  call.run([&](const Context& context) { return self.hierarchy.set_local(ids.span(), all, context); });
}

void set_position(HierarchyObject& self, const py::object& names, const py::object& position,
                  const py::object& threads) {
  const IdsIn ids(names, "ids");
  const PointsIn points(position, "position", 3);
  if (!points.single() && points.count() != ids.count()) {
    raise_value("position has " + std::to_string(points.count()) + " points for " +
                std::to_string(ids.count()) + " ids. Give one for each, or one for all");
  }
  Call call(threads, py::none());
  const Writing writing(self);
  const std::vector<Vec3> copies(points.single() ? ids.count() : 0,
                                 points.single() ? points.as<3>()[0] : Vec3{});
  const std::span<const Vec3> all = points.single() ? std::span<const Vec3>(copies) : points.as<3>();
  call.run([&](const Context& context) { return self.hierarchy.set_position(ids.span(), all, context); });
}

void set_world(HierarchyObject& self, const py::object& names, const py::object& world_in) {
  const IdsIn ids(names, "ids");
  const TransformsIn<Qvvs> world(world_in, "world");
  const std::vector<Qvvs> all = spread(world, ids, "ids");
  const Writing writing(self);
  unwrap(Call::released([&] { return self.hierarchy.set_world(ids.span(), all); }));
}

void set_stretch(HierarchyObject& self, const py::object& names, const py::object& input) {
  const IdsIn ids(names, "ids");
  const PointsIn stretch(input, "stretch", 3);
  if (!stretch.single() && stretch.count() != ids.count()) {
    raise_value("stretch has " + std::to_string(stretch.count()) + " vectors for " +
                std::to_string(ids.count()) + " ids. Give one for each, or one for all");
  }
  const auto of = [&](std::size_t i) { return stretch.as<3>()[stretch.single() ? 0 : i]; };
  const Writing writing(self);
  check_alive(self, ids);
  for (std::size_t i = 0; i < ids.count(); ++i) {
    if (!is_finite(of(i))) {
      raise({.code = ErrorCode::kNotFinite,
             .message = "stretch " + std::to_string(i) + " is not finite",
             .index = i});
    }
  }
  for (std::size_t i = 0; i < ids.count(); ++i) {
    unwrap(self.hierarchy.set_stretch(ids[i], of(i)));
  }
}

void set_context(HierarchyObject& self, const py::object& names, const py::object& input) {
  const IdsIn ids(names, "ids");
  const py::array_t<std::int32_t> contexts = contexts_of(input, ids.count());
  const Writing writing(self);
  check_alive(self, ids);
  for (std::size_t i = 0; i < ids.count(); ++i) {
    unwrap(self.hierarchy.set_context(ids[i], contexts.data()[contexts.ndim() == 0 ? 0 : i]));
  }
}

void set_inherit(HierarchyObject& self, const py::object& names, const py::object& input) {
  const IdsIn ids(names, "ids");
  const Numbers<std::uint32_t> flags(input, "inherit");
  if (flags.ndim() > 1 || (flags.ndim() == 1 && flags.shape(0) != ids.count())) {
    flags.refuse_shape("Give one, or one for each id");
  }
  std::vector<Inherit> all(ids.count());
  for (std::size_t i = 0; i < ids.count(); ++i) {
    all[i] = inherit_of(flags.data()[flags.ndim() == 0 ? 0 : i]);
  }
  const Writing writing(self);
  check_alive(self, ids);
  for (std::size_t i = 0; i < ids.count(); ++i) {
    unwrap(self.hierarchy.set_inherit(ids[i], all[i]));
  }
}

// One record for one Id, an array of them for many. read(ids, out) fills it.
template <class Read>
py::object worlds(const py::object& names, const HierarchyObject& self, Read&& read) {
  const IdsIn ids(names, "ids");
  const Reading reading(self);
  if (ids.single()) {
    Qvvs one;
    unwrap(read(ids.span(), std::span(&one, 1)));
    return world_record(one);
  }
  py::array out = world_array(ids.count());
  const std::span<Qvvs> all{static_cast<Qvvs*>(out.mutable_data()), ids.count()};
  unwrap(Call::released([&] { return read(ids.span(), all); }));
  return out;
}

py::object world(const HierarchyObject& self, const py::object& ids) {
  return worlds(ids, self, [&](auto names, auto out) { return self.hierarchy.world(names, out); });
}
py::object previous(const HierarchyObject& self, const py::object& ids) {
  return worlds(ids, self, [&](auto names, auto out) { return self.hierarchy.previous(names, out); });
}
py::object two_ago(const HierarchyObject& self, const py::object& ids) {
  return worlds(ids, self, [&](auto names, auto out) { return self.hierarchy.two_ago(names, out); });
}

py::object local(const HierarchyObject& self, const py::object& names) {
  const IdsIn ids(names, "ids");
  const Reading reading(self);
  if (ids.single()) {
    return local_record(unwrap(self.hierarchy.local(ids[0])));
  }
  py::array out = local_array(ids.count());
  const std::span<LocalTransform> all{static_cast<LocalTransform*>(out.mutable_data()), ids.count()};
  unwrap(Call::released([&] { return self.hierarchy.local(ids.span(), all); }));
  return out;
}

py::object inherit(const HierarchyObject& self, const py::object& names) {
  const IdsIn ids(names, "ids");
  const Reading reading(self);
  return ids.map<std::int64_t>(
      [&](Id id) { return static_cast<std::int64_t>(unwrap(self.hierarchy.inherit(id))); });
}

py::object changed_at(const HierarchyObject& self, const py::object& names) {
  const IdsIn ids(names, "ids");
  const Reading reading(self);
  return ids.map<std::int64_t>(
      [&](Id id) { return static_cast<std::int64_t>(unwrap(self.hierarchy.changed_at(id))); });
}

}  // namespace

void bind_hierarchy_places(py::class_<HierarchyObject>& hierarchy) {
  using py::arg;
  hierarchy
      .def("set_local", &set_local, arg("ids"), arg("local"), py::kw_only(), arg("threads") = py::none(),
           docs::kHierarchySetLocal)
      .def("set_position", &set_position, arg("ids"), arg("position"), py::kw_only(),
           arg("threads") = py::none(), docs::kHierarchySetPosition)
      .def("set_world", &set_world, arg("ids"), arg("world"), docs::kHierarchySetWorld)
      .def("set_stretch", &set_stretch, arg("ids"), arg("stretch"), docs::kHierarchySetStretch)
      .def("set_context", &set_context, arg("ids"), arg("context"), docs::kHierarchySetContext)
      .def("set_inherit", &set_inherit, arg("ids"), arg("inherit"), docs::kHierarchySetInherit)
      .def("local", &local, arg("ids"), docs::kHierarchyLocal)
      .def("world", &world, arg("ids"), docs::kHierarchyWorld)
      .def("previous", &previous, arg("ids"), docs::kHierarchyPrevious)
      .def("two_ago", &two_ago, arg("ids"), docs::kHierarchyTwoAgo)
      .def("inherit", &inherit, arg("ids"), docs::kHierarchyInherit)
      .def("changed_at", &changed_at, arg("ids"), docs::kHierarchyChangedAt);
}

}  // namespace juxta::python
