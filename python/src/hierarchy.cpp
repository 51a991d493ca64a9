// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.Hierarchy and juxta.Prefab: making them, propagating, what changed, saving.
#include "juxta/transform/hierarchy.h"

#include <memory>
#include <string>
#include <vector>

#include "bind.h"
#include "call.h"
#include "hierarchy_docs.h"
#include "hierarchy_object.h"
#include "results.h"

namespace juxta::python {
namespace {

std::unique_ptr<HierarchyObject> build(bool history, bool destroyed, bool side_by_side) {
  return std::make_unique<HierarchyObject>(
      Hierarchy(HierarchyOptions{.history = history, .destroyed = destroyed, .side_by_side = side_by_side}));
}

std::unique_ptr<PrefabObject> build_prefab(const py::object& local, const py::object& parents,
                                           const py::object& stretch, const py::object& context,
                                           const py::object& inherit) {
  const std::vector<NodeDescription> nodes = nodes_of(local, parents, stretch, context, inherit);
  return std::make_unique<PrefabObject>(unwrap(Prefab::build(nodes)));
}

py::object propagate(HierarchyObject& self, const py::object& threads) {
  Call call(threads, py::none());
  const Writing writing(self);
  const PropagateResult done =
      call.run([&](const Context& context) { return self.hierarchy.propagate(context); });
  return result(ResultType::kPropagated, done.version, done.computed, done.tiles, done.rounds,
                done.moved_nodes, done.overflowed, number_of(done.first_overflowed));
}

py::object changed_since(const HierarchyObject& self, std::uint64_t version) {
  const Reading reading(self);
  std::vector<Id> ids;
  Buffer<Qvvs> worlds;
  Call::released([&] {
    self.hierarchy.changed_since(version, [&](Id id, const Qvvs& world) {
      ids.push_back(id);
      worlds.append({&world, 1});
    });
  });
  py::array out = world_array(ids.size());
  std::copy_n(worlds.data(), ids.size(), static_cast<Qvvs*>(out.mutable_data()));
  return result(ResultType::kChanged, id_array(ids), std::move(out));
}

py::object all_ids(const HierarchyObject& self) {
  const Reading reading(self);
  std::vector<Id> ids;
  self.hierarchy.for_each([&](Id id) { ids.push_back(id); });
  return id_array(ids);
}

void begin_step(HierarchyObject& self) {
  const Writing writing(self);
  unwrap(Call::released([&] { return self.hierarchy.begin_step(); }));
}

void save(const HierarchyObject& self, const py::object& path) {
  const std::string file = path_of(path);
  const Reading reading(self);
  unwrap(Call::released([&] { return self.hierarchy.save(file); }));
}

std::unique_ptr<HierarchyObject> load(const py::object& path) {
  const std::string file = path_of(path);
  return std::make_unique<HierarchyObject>(unwrap(Call::released([&] { return Hierarchy::load(file); })));
}

py::object stats(const HierarchyObject& self) {
  const Reading reading(self);
  const HierarchyStats all = self.hierarchy.stats();
  return result(ResultType::kHierarchyStats, all.nodes, all.roots, all.tiles, all.links, all.memory_bytes);
}

}  // namespace

void bind_hierarchy(py::module_& module) {
  using py::arg;
  const auto none = py::none();
  module.attr("NO_ID") = number_of(Id{});
  py::class_<PrefabObject>(module, "Prefab", docs::kPrefab)
      .def(py::init(&build_prefab), arg("local"), arg("parents"), py::kw_only(), arg("stretch") = none,
           arg("context") = 0, arg("inherit") = 0, docs::kPrefabInit)
      .def("__len__",
           [](const PrefabObject& self) {
             const Reading reading(self);
             return self.prefab.size();
           })
      .def("__repr__", [](const PrefabObject& self) {
        const Reading reading(self);
        return "<juxta.Prefab of " + std::to_string(self.prefab.size()) + " nodes>";
      });
  py::class_<HierarchyObject> hierarchy(module, "Hierarchy", docs::kHierarchy);
  hierarchy
      .def(py::init(&build), py::kw_only(), arg("history") = false, arg("destroyed") = false,
           arg("side_by_side") = true, docs::kHierarchyInit)
      .def("propagate", &propagate, py::kw_only(), arg("threads") = none, docs::kHierarchyPropagate)
      .def("changed_since", &changed_since, arg("version"), docs::kHierarchyChangedSince)
      .def("begin_step", &begin_step, docs::kHierarchyBeginStep)
      .def("ids", &all_ids, docs::kHierarchyIds)
      .def("stats", &stats, docs::kHierarchyStats)
      .def("save", &save, arg("path"), docs::kHierarchySave)
      .def_static("load", &load, arg("path"), docs::kHierarchyLoad)
      .def_property_readonly(
          "version",
          [](const HierarchyObject& self) {
            const Reading reading(self);
            return self.hierarchy.version();
          },
          docs::kHierarchyVersion)
      .def("__len__",
           [](const HierarchyObject& self) {
             const Reading reading(self);
             return self.hierarchy.size();
           })
      .def("__repr__", [](const HierarchyObject& self) {
        const Reading reading(self);
        return "<juxta.Hierarchy of " + std::to_string(self.hierarchy.size()) + " nodes>";
      });
  bind_hierarchy_nodes(hierarchy);
  bind_hierarchy_parts(hierarchy);
  bind_hierarchy_places(hierarchy);
}

}  // namespace juxta::python
