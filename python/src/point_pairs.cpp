// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.PointTree.pairs: all pairs of near points.
#include "juxta/points/point_pairs.h"

#include <cstdint>
#include <type_traits>
#include <utility>

#include "bind.h"
#include "call.h"
#include "juxta/core/kept_memory.h"
#include "juxta/points/neighbours.h"
#include "outputs.h"
#include "point_lists.h"
#include "point_tree_docs.h"
#include "point_tree_object.h"

namespace juxta::python {
namespace {

// (2, n): a row of all i and a row of all j, in memory that has pairs one behind the other.
template <class Index>
py::object in_two_rows(Buffer<Index>&& pairs) {
  const auto count = static_cast<py::ssize_t>(pairs.size() / 2);
  constexpr py::ssize_t kSize = sizeof(Index);
  return std::move(pairs).template into_array<Index>({2, count}, {kSize, 2 * kSize});
}

// In the order of points.
template <int D, class Real, class Index>
py::object table_pairs(const BasicNeighbourTable<D, Real>& table, Call& call) {
  Buffer<Index> pairs;
  pairs.resize(2 * table.found());
  NeighbourLists<D, Real> lists;
  if constexpr (std::is_same_v<Index, std::uint32_t>) {
    lists.pairs = pairs.span();
  } else {
    lists.pairs64 = pairs.span();
  }
  if (table.found() != 0) {
    call.run([&](const Context& context) { return table.write(lists, context); });
  }
  return in_two_rows(std::move(pairs));
}

// As they are found.
template <int D, class Real, class Index>
py::object visited_pairs(const BasicPointTree<D, Real>& tree, Real radius, Call& call) {
  Buffer<Index> pairs(32 * tree.size());  // costs nothing where it is not filled
  bool full = false;
  const auto take = [&](std::span<const PointPair> more) {
    const std::size_t at = pairs.size();
    try {
      pairs.resize(at + 2 * more.size());
    } catch (const std::bad_alloc&) {
      full = true;
      return false;
    }
    Index* const out = pairs.data() + at;
    for (std::size_t i = 0; i < more.size(); ++i) {
      out[2 * i] = more[i].a;
      out[2 * i + 1] = more[i].b;
    }
    return true;
  };
  call.run([&](const Context& context) { return visit_pairs(tree, radius, take, context); });
  if (full) {
    throw std::bad_alloc();
  }
  return in_two_rows(std::move(pairs));
}

template <class Index>
py::object pairs_of(const PointTreeObject& self, const py::object& r, const py::object& asked, bool half,
                    bool sorted, bool nearest_image, Call& call) {
  const Reading reading(self);
  return with_tree(self, [&]<int D, class Real>(const BasicPointTree<D, Real>& tree) {
    const QueriesIn<D, Real> queries(asked, "queries");
    const RadiiIn<D, Real> radii(r, tree, queries, nearest_image);
    if (queries.own() && half && !sorted) {
      return visited_pairs<D, Real, Index>(tree, radii.span()[0], call);
    }
    BasicNeighbourTable<D, Real> table(kept_memory_resource());
    const NeighbourOptions options{.half = half && queries.own(), .sorted = sorted};
    call.run([&](const Context& context) {
      return find_lists(table, tree, queries, radii.span(), options, context);
    });
    return table_pairs<D, Real, Index>(table, call);
  });
}

py::object pairs_of_tree(const PointTreeObject& self, const py::object& r, const py::object& queries,
                         bool half, bool sorted, bool nearest_image, const py::object& dtype,
                         const py::object& threads, const py::object& progress) {
  const IndexType type = index_type_of(dtype);
  Call call(threads, progress);
  return type == IndexType::kUint32
             ? pairs_of<std::uint32_t>(self, r, queries, half, sorted, nearest_image, call)
             : pairs_of<std::int64_t>(self, r, queries, half, sorted, nearest_image, call);
}

}  // namespace

void bind_point_pairs(py::class_<PointTreeObject>& tree) {
  using py::arg;
  const auto none = py::none();
  tree.def("pairs", &pairs_of_tree, arg("r"), py::kw_only(), arg("queries") = none, arg("half") = true,
           arg("sorted") = false, arg("nearest_image") = false, arg("dtype") = none, arg("threads") = none,
           arg("progress") = none, docs::kPointTreePairs);
}

}  // namespace juxta::python
