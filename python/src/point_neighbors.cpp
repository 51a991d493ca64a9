// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.neighbors, juxta.count_neighbors and PointTree's calls of the same kind: all points within a radius.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bind.h"
#include "call.h"
#include "errors.h"
#include "juxta/core/kept_memory.h"
#include "juxta/core/try.h"
#include "juxta/points/neighbours.h"
#include "outputs.h"
#include "point_lists.h"
#include "point_tree_docs.h"
#include "point_tree_object.h"
#include "results.h"

namespace juxta::python {
namespace {

// Where the lists of a table go: arrays of the right size, of what was asked for.
template <int D, class Real>
class ListArrays {
 public:
  ListArrays(const BasicNeighbourTable<D, Real>& table, const Quantities& wanted, IndexType type)
      : table_(table), offsets_(new_array<std::int64_t>(table.size() + 1)) {
    const std::size_t found = table.found();
    if (wanted.rows) {
      i_ = make_index(found, type, rows32_, rows64_);
    }
    if (wanted.columns) {
      std::uint32_t* narrow = nullptr;
      std::int64_t* wide = nullptr;
      j_ = make_index(found, type, narrow, wide);
      lists_.index = {narrow, narrow == nullptr ? 0 : found};
      lists_.index64 = {wide, wide == nullptr ? 0 : found};
    }
    if (wanted.distances) {
      auto array = new_array<Real>(found);
      lists_.distance = span_of(array);
      d_ = array;
    }
    if (wanted.displacements) {
      auto array = new_array<Real>(found, D);
      lists_.displacement = span_of(array);
      displacement_ = array;
    }
    into_ = offsets_.mutable_data();
  }

  // Without the GIL.
  Result<void> fill(const Context& context) {
    std::copy(table_.offsets().begin(), table_.offsets().end(), into_);
    if (rows32_ != nullptr) {
      fill_rows(table_.offsets(), rows32_, context.executor);
    }
    if (rows64_ != nullptr) {
      fill_rows(table_.offsets(), rows64_, context.executor);
    }
    const bool lists = !lists_.index.empty() || !lists_.index64.empty() || !lists_.distance.empty() ||
                       !lists_.displacement.empty();
    if (lists) {
      JUXTA_TRY(table_.write(lists_, context));
    }
    return {};
  }
  py::object result() const {
    return python::result(ResultType::kNeighbors, offsets_, i_, j_, d_, displacement_);
  }

 private:
  static py::object make_index(std::size_t size, IndexType type, std::uint32_t*& narrow,
                               std::int64_t*& wide) {
    if (type == IndexType::kUint32) {
      auto array = new_array<std::uint32_t>(size);
      narrow = array.mutable_data();
      return array;
    }
    auto array = new_array<std::int64_t>(size);
    wide = array.mutable_data();
    return array;
  }

  const BasicNeighbourTable<D, Real>& table_;
  py::array_t<std::int64_t> offsets_;
  std::int64_t* into_ = nullptr;
  std::uint32_t* rows32_ = nullptr;
  std::int64_t* rows64_ = nullptr;
  py::object i_ = py::none(), j_ = py::none(), d_ = py::none(), displacement_ = py::none();
  NeighbourLists<D, Real> lists_;
};

// What neighbors() of a tree and of points have in common.
struct Question {
  py::object r, queries;
  Quantities quantities;
  bool half, sorted, nearest_image;
  py::object k;
  IndexType type;

  Question(const py::object& r_, const py::object& queries_, const py::object& quantities_, bool half_,
           bool sorted_, const py::object& k_, bool nearest_image_, const py::object& dtype)
      : r(r_),
        queries(queries_),
        quantities(quantities_of(quantities_)),
        half(half_),
        sorted(sorted_),
        nearest_image(nearest_image_),
        k(k_),
        type(index_type_of(dtype)) {
    if (half && !queries.is_none()) {
      raise_value("half=True goes with the tree's own points. With queries= each pair is met once anyway");
    }
    if (half && !k.is_none()) {
      raise_value("half=True and k= exclude each other: being among the k nearest is not mutual");
    }
    if (r.is_none() && k.is_none()) {
      raise_value("neither r nor k is given. Give a radius, a number of neighbours, or both");
    }
  }
};

template <int D, class Real>
py::object lists_of(const BasicPointTree<D, Real>& tree, const Question& asked, Call& call) {
  const QueriesIn<D, Real> queries(asked.queries, "queries");
  if (!asked.k.is_none()) {
    return nearest_lists(
        tree, queries,
        {.r = asked.r, .k = asked.k, .nearest_image = asked.nearest_image, .quantities = asked.quantities},
        asked.type, call);
  }
  const RadiiIn<D, Real> radii(asked.r, tree, queries, asked.nearest_image);
  const NeighbourOptions options{.half = asked.half,
                                 .sorted = asked.sorted,
                                 .measured = asked.quantities.distances || asked.quantities.displacements};
  BasicNeighbourTable<D, Real> table(kept_memory_resource());
  call.run([&](const Context& context) {
    return find_lists(table, tree, queries, radii.span(), options, context);
  });
  ListArrays<D, Real> arrays(table, asked.quantities, asked.type);
  call.run([&](const Context& context) { return arrays.fill(context); });
  return arrays.result();
}

py::object neighbors_of_tree(const PointTreeObject& self, const py::object& r, const py::object& quantities,
                             const py::object& queries, bool half, bool sorted, const py::object& k,
                             bool nearest_image, const py::object& dtype, const py::object& threads,
                             const py::object& progress) {
  const Question asked(r, queries, quantities, half, sorted, k, nearest_image, dtype);
  Call call(threads, progress);
  const Reading reading(self);
  return with_tree(self, [&](const auto& tree) { return lists_of(tree, asked, call); });
}

py::object neighbors_of_points(const py::object& points, const py::object& r, const py::object& quantities,
                               const py::object& queries, bool half, bool sorted, const py::object& k,
                               const py::object& box, const py::object& periodic, bool nearest_image,
                               const py::object& dtype, const py::object& threads,
                               const py::object& progress) {
  const CloudIn cloud(points, "points");
  const Question asked(r, queries, quantities, half, sorted, k, nearest_image, dtype);
  Call call(threads, progress);
  const AnyPointTree built = build_tree(cloud, box, periodic, call);
  return std::visit([&](const auto& tree) { return lists_of(tree, asked, call); }, built);
}

template <int D, class Real>
py::object counts_of(const BasicPointTree<D, Real>& tree, py::handle r, py::handle asked, bool half,
                     bool nearest_image, IndexType type, Call& call) {
  const QueriesIn<D, Real> queries(asked, "queries");
  if (half && !queries.own()) {
    raise_value("half=True goes with the tree's own points. With queries= each pair is met once anyway");
  }
  const RadiiIn<D, Real> radii(r, tree, queries, nearest_image);
  Buffer<std::uint32_t> counts;
  counts.resize(queries.count(tree));
  call.run([&](const Context& context) {
    return queries.own()
               ? juxta::count_neighbours(tree, radii.span()[0], counts.span(), {.half = half}, context)
               : juxta::count_neighbours(tree, queries.span(), radii.span(), counts.span(), {}, context);
  });
  if (queries.single()) {
    return py::int_(counts.span()[0]);
  }
  return index_row(std::move(counts), type, call.executor());
}

py::object count_of_tree(const PointTreeObject& self, const py::object& r, const py::object& queries,
                         bool half, bool nearest_image, const py::object& dtype, const py::object& threads,
                         const py::object& progress) {
  const IndexType type = index_type_of(dtype);
  Call call(threads, progress);
  const Reading reading(self);
  return with_tree(
      self, [&](const auto& tree) { return counts_of(tree, r, queries, half, nearest_image, type, call); });
}

py::object count_of_points(const py::object& points, const py::object& r, const py::object& queries,
                           bool half, const py::object& box, const py::object& periodic, bool nearest_image,
                           const py::object& dtype, const py::object& threads, const py::object& progress) {
  const CloudIn cloud(points, "points");
  const IndexType type = index_type_of(dtype);
  Call call(threads, progress);
  const AnyPointTree built = build_tree(cloud, box, periodic, call);
  return std::visit(
      [&](const auto& tree) { return counts_of(tree, r, queries, half, nearest_image, type, call); }, built);
}

}  // namespace

void bind_point_neighbors(py::class_<PointTreeObject>& tree, py::module_& module) {
  using py::arg;
  const auto none = py::none();
  tree.def("neighbors", &neighbors_of_tree, arg("r") = none, arg("quantities") = "ij", py::kw_only(),
           arg("queries") = none, arg("half") = false, arg("sorted") = true, arg("k") = none,
           arg("nearest_image") = false, arg("dtype") = none, arg("threads") = none, arg("progress") = none,
           docs::kPointTreeNeighbors)
      .def("count", &count_of_tree, arg("r"), py::kw_only(), arg("queries") = none, arg("half") = false,
           arg("nearest_image") = false, arg("dtype") = none, arg("threads") = none, arg("progress") = none,
           docs::kPointTreeCount);
  module.def("neighbors", &neighbors_of_points, arg("points"), arg("r") = none, arg("quantities") = "ij",
             py::kw_only(), arg("queries") = none, arg("half") = false, arg("sorted") = true, arg("k") = none,
             arg("box") = none, arg("periodic") = none, arg("nearest_image") = false, arg("dtype") = none,
             arg("threads") = none, arg("progress") = none, docs::kNeighbors);
  module.def("count_neighbors", &count_of_points, arg("points"), arg("r"), py::kw_only(),
             arg("queries") = none, arg("half") = false, arg("box") = none, arg("periodic") = none,
             arg("nearest_image") = false, arg("dtype") = none, arg("threads") = none, arg("progress") = none,
             docs::kCountNeighbors);
}

}  // namespace juxta::python
