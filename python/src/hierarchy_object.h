// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.Hierarchy and juxta.Prefab.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "guard.h"
#include "ids.h"
#include "juxta/transform/hierarchy.h"
#include "juxta/transform/prefab.h"
#include "transforms_in.h"

namespace juxta::python {

namespace py = pybind11;

struct HierarchyObject : Guarded {
  explicit HierarchyObject(Hierarchy made) : hierarchy(std::move(made)) {}
  Hierarchy hierarchy;
};

struct PrefabObject : Guarded {
  explicit PrefabObject(Prefab made) : prefab(std::move(made)) {}
  Prefab prefab;
};

/// Every Id must be alive: then what follows does all of them or none.
void check_alive(const HierarchyObject& self, const IdsIn& ids);

/// Nodes as a caller describes them: local transforms, parents by their place in the list (-1: none),
/// stretch, context, inherit; each one for all or one for each.
std::vector<NodeDescription> nodes_of(py::handle local, py::handle parents, py::handle stretch,
                                      py::handle context, py::handle inherit);

/// Numbers of one node, or of `count`: stretch, context, inherit of new nodes.
class NodeOptionsIn {
 public:
  NodeOptionsIn(py::handle stretch, py::handle context, py::handle inherit, std::size_t count);
  [[nodiscard]] NodeOptions of(std::size_t i) const;

 private:
  Numbers<float> stretch_;
  py::array_t<std::int32_t> context_;
  Numbers<std::uint32_t> inherit_;
};

/// Whole numbers of 32 bits with a sign: one, or one for each of `count`.
py::array_t<std::int32_t> contexts_of(py::handle value, std::size_t count);
/// Flags of juxta.Inherit. Raises ValueError for other bits.
Inherit inherit_of(std::uint32_t flags);
/// Raises ValueError unless `numbers` are of one node (`width` numbers; 0: one without an axis) or of
/// `count`.
void check_of_nodes(const Numbers<float>& numbers, std::size_t width, std::size_t count);

void bind_hierarchy_nodes(py::class_<HierarchyObject>& hierarchy);
void bind_hierarchy_parts(py::class_<HierarchyObject>& hierarchy);
void bind_hierarchy_places(py::class_<HierarchyObject>& hierarchy);

}  // namespace juxta::python
