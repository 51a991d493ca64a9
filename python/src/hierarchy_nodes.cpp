// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.Hierarchy: nodes come and go; who belongs to whom.
#include <algorithm>
#include <string>
#include <vector>

#include "call.h"
#include "hierarchy_docs.h"
#include "hierarchy_object.h"
#include "outputs.h"

namespace juxta::python {
namespace {

// Where a parent is asked for: None, or an Id, or one for each.
class ParentsIn {
 public:
  ParentsIn(py::handle value, const char* name) {
    if (!value.is_none()) {
      ids_.emplace(value, name);
    }
  }
  [[nodiscard]] bool single() const noexcept { return !ids_ || ids_->single(); }
  [[nodiscard]] std::size_t count() const noexcept { return ids_ ? ids_->count() : 1; }
  [[nodiscard]] Id of(std::size_t i) const noexcept { return ids_ ? (*ids_)[ids_->single() ? 0 : i] : Id{}; }
  void check_count(std::size_t count, const char* of) const {
    if (!single() && this->count() != count) {
      raise_value("there are " + std::to_string(this->count()) + " parents for " + std::to_string(count) +
                  " " + of + ". Give one for each, or one for all");
    }
  }
  [[nodiscard]] std::vector<Id> spread(std::size_t count) const {
    std::vector<Id> all(count);
    for (std::size_t i = 0; i < count; ++i) {
      all[i] = of(i);
    }
    return all;
  }

 private:
  std::optional<IdsIn> ids_;
};

// One after the other; when one is refused, those before it go again.
Result<void> insert_each(Hierarchy& hierarchy, const TransformsIn<LocalTransform>& local,
                         const ParentsIn& parents, const NodeOptionsIn& options, std::span<Id> ids) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    Result<Id> id = hierarchy.insert(local.of(i), parents.of(i), options.of(i));
    if (!id) {
      Error error = std::move(id).error();
      error.index = i;
      (void)hierarchy.remove(ids.first(i));
      return tl::unexpected<Error>(std::move(error));
    }
    ids[i] = *id;
  }
  return {};
}

py::object insert(HierarchyObject& self, const py::object& local_in, const py::object& parent,
                  const py::object& stretch, const py::object& context, const py::object& inherit) {
  const TransformsIn<LocalTransform> local(local_in, "local");
  const ParentsIn parents(parent, "parent");
  const std::size_t count = local.single() ? parents.count() : local.count();
  parents.check_count(count, "nodes");
  const NodeOptionsIn options(stretch, context, inherit, count);
  const Writing writing(self);
  std::vector<Id> ids(count);
  unwrap(Call::released([&] { return insert_each(self.hierarchy, local, parents, options, ids); }));
  return local.single() && parents.single() ? py::object(py::int_(number_of(ids[0])))
                                            : py::object(id_array(ids));
}

py::object insert_trees(HierarchyObject& self, const py::object& local, const py::object& parents,
                        const py::object& stretch, const py::object& context, const py::object& inherit) {
  const std::vector<NodeDescription> nodes = nodes_of(local, parents, stretch, context, inherit);
  const Writing writing(self);
  std::vector<Id> ids(nodes.size());
  unwrap(Call::released([&] { return self.hierarchy.insert(nodes, ids); }));
  return id_array(ids);
}

// None, one for the root of each copy (or for all of them), or one for each node of each copy.
std::vector<std::int32_t> instance_contexts(const py::object& value, std::size_t copies, std::size_t size) {
  if (value.is_none()) {
    return {};
  }
  const py::array numbers = array_of_numbers(value, "context");
  const bool each = numbers.ndim() == 2;
  if (each && (numbers.shape(0) != static_cast<py::ssize_t>(copies) ||
               numbers.shape(1) != static_cast<py::ssize_t>(size))) {
    raise_value("context has shape " + shape_text(numbers) + ". Give one for each of the " +
                std::to_string(copies) + " copies, or for each of their " + std::to_string(size) + " nodes");
  }
  const std::size_t count = each ? copies * size : copies;
  const py::array_t<std::int32_t> given =
      contexts_of(each ? py::object(numbers.attr("reshape")(-1)) : py::object(numbers), count);
  std::vector<std::int32_t> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    all[i] = given.data()[given.ndim() == 0 ? 0 : i];
  }
  return all;
}

py::object instantiate(HierarchyObject& self, const PrefabObject& prefab, const py::object& roots_in,
                       const py::object& parent, const py::object& context) {
  const Reading reading(prefab);
  const TransformsIn<LocalTransform> roots(roots_in, "roots");
  const ParentsIn parents(parent, "parent");
  parents.check_count(roots.count(), "roots");
  const std::size_t size = prefab.prefab.size();
  const std::vector<std::int32_t> contexts = instance_contexts(context, roots.count(), size);
  const Writing writing(self);
  std::vector<Id> ids(roots.count() * size);
  const std::vector<Id> under = parent.is_none() ? std::vector<Id>{} : parents.spread(roots.count());
  unwrap(Call::released(
      [&] { return self.hierarchy.instantiate(prefab.prefab, roots.all(), ids, under, contexts); }));
  py::array_t<std::uint64_t> all = id_array(ids);
  return roots.single() ? py::object(all)
                        : py::object(all.reshape(
                              {static_cast<py::ssize_t>(roots.count()), static_cast<py::ssize_t>(size)}));
}

Children children_of(const std::string& word) {
  if (word == "destroy") {
    return Children::kDestroy;
  }
  if (word == "to_ancestor") {
    return Children::kToAncestor;
  }
  raise_value("children is '" + word + "'. Give 'destroy' or 'to_ancestor'");
}

void remove(HierarchyObject& self, const py::object& names, const std::string& children) {
  const IdsIn ids(names, "ids");
  const Children what = children_of(children);
  const Writing writing(self);
  unwrap(Call::released([&] { return self.hierarchy.remove(ids.span(), what); }));
}

void reparent(HierarchyObject& self, const py::object& names, const py::object& parent,
              const std::string& keep) {
  if (keep != "world" && keep != "local") {
    raise_value("keep is '" + keep + "'. Give 'world' or 'local'");
  }
  const IdsIn ids(names, "ids");
  const ParentsIn parents(parent, "parent");
  parents.check_count(ids.count(), "ids");
  const std::vector<Id> under = parents.spread(ids.count());
  const Writing writing(self);
  unwrap(Call::released([&] {
    return self.hierarchy.reparent(ids.span(), under, keep == "world" ? Keep::kWorld : Keep::kLocal);
  }));
}

py::object parent_of(const HierarchyObject& self, const py::object& names) {
  const IdsIn ids(names, "ids");
  const Reading reading(self);
  return ids.map<std::uint64_t>([&](Id id) { return number_of(unwrap(self.hierarchy.parent(id))); });
}

py::object children(const HierarchyObject& self, const py::object& name) {
  const IdsIn id(name, "id");
  if (!id.single()) {
    raise_value("id is an array. Give one");
  }
  const Reading reading(self);
  std::vector<Id> found;
  unwrap(self.hierarchy.for_each_child(id[0], [&](Id child) { found.push_back(child); }));
  return id_array(found);
}

py::object alive(const HierarchyObject& self, const py::object& names) {
  const IdsIn ids(names, "ids");
  const Reading reading(self);
  return ids.map<bool>([&](Id id) { return self.hierarchy.alive(id); });
}

}  // namespace

void bind_hierarchy_nodes(py::class_<HierarchyObject>& hierarchy) {
  using py::arg;
  const auto none = py::none();
  hierarchy
      .def("insert", &insert, arg("local") = none, arg("parent") = none, py::kw_only(), arg("stretch") = none,
           arg("context") = 0, arg("inherit") = 0, docs::kHierarchyInsert)
      .def("insert_trees", &insert_trees, arg("local"), arg("parents"), py::kw_only(), arg("stretch") = none,
           arg("context") = 0, arg("inherit") = 0, docs::kHierarchyInsertTrees)
      .def("instantiate", &instantiate, arg("prefab"), arg("roots"), arg("parent") = none, py::kw_only(),
           arg("context") = none, docs::kHierarchyInstantiate)
      .def("remove", &remove, arg("ids"), py::kw_only(), arg("children") = "destroy", docs::kHierarchyRemove)
      .def("reparent", &reparent, arg("ids"), arg("parent"), py::kw_only(), arg("keep") = "world",
           docs::kHierarchyReparent)
      .def("parent", &parent_of, arg("ids"), docs::kHierarchyParent)
      .def("children", &children, arg("id"), docs::kHierarchyChildren)
      .def("alive", &alive, arg("ids"), docs::kHierarchyAlive);
}

}  // namespace juxta::python
