// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.PointTree.nearest, and neighbors(k=...): the k nearest points.
#include "juxta/points/nearest_points.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "bind.h"
#include "call.h"
#include "errors.h"
#include "outputs.h"
#include "point_lists.h"
#include "point_tree_docs.h"
#include "point_tree_object.h"
#include "results.h"

namespace juxta::python {
namespace {

constexpr std::size_t kGrain = std::size_t{1} << 14;

std::size_t neighbours_of(py::handle value) {
  const std::size_t k = size_of(value, "k");
  if (k == 0 || k > kMostNearest) {
    raise_value("k is " + std::to_string(k) + ". Give a number from 1 to " + std::to_string(kMostNearest));
  }
  return k;
}

// k slots for each point, and what the library wrote to them.
template <int D, class Real>
struct Slots {
  std::size_t rows, k;
  Buffer<std::uint32_t> index;
  Buffer<Real> distance;  // squared at first
  Buffer<Real> displacement;
  std::size_t found = 0;

  Slots(std::size_t rows_, std::size_t k_, bool measured, bool displaced) : rows(rows_), k(k_) {
    index.resize(rows * k);
    distance.resize(measured ? rows * k : 0);
    displacement.resize(displaced ? rows * k * D : 0);
  }

  void find(const BasicPointTree<D, Real>& tree, const QueriesIn<D, Real>& queries, double most, Call& call) {
    const NearestLists<Real> lists{index.span(), distance.span(), displacement.span()};
    const auto far = static_cast<Real>(most);
    found = call.run([&](const Context& context) {
                  return queries.own() ? juxta::nearest(tree, k, far, lists, context)
                                       : juxta::nearest(tree, queries.span(), k, far, lists, context);
                })
                .found;
    Call::released([&] {
      executor_or_serial(call.executor())
          .parallel_for(distance.size(), kGrain, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
              distance.data()[i] = std::sqrt(distance.data()[i]);
            }
          });
    });
  }

  // Slots that hold a neighbour move together; offsets[i] is where those of row i begin.
  void close_up(std::int64_t* offsets) {
    std::size_t to = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      offsets[row] = static_cast<std::int64_t>(to);
      for (std::size_t at = row * k; at < (row + 1) * k && index.data()[at] != kNoPoint; ++at, ++to) {
        index.data()[to] = index.data()[at];
        if (distance.size() != 0) {
          distance.data()[to] = distance.data()[at];
        }
        for (std::size_t axis = 0; axis < D && displacement.size() != 0; ++axis) {
          displacement.data()[to * D + axis] = displacement.data()[at * D + axis];
        }
      }
    }
    offsets[rows] = static_cast<std::int64_t>(to);
    index.resize(to);
    distance.resize(std::min(distance.size(), to));
    displacement.resize(std::min(displacement.size(), to * D));
  }
};

template <class Real>
py::object in_rows(Buffer<Real>&& numbers, std::size_t width) {
  const auto columns = static_cast<py::ssize_t>(width);
  const auto rows = static_cast<py::ssize_t>(numbers.size() / width);
  constexpr py::ssize_t kSize = sizeof(Real);
  return std::move(numbers).template into_array<Real>({rows, columns}, {columns * kSize, kSize});
}

py::object rows_of(const py::array_t<std::int64_t>& offsets, IndexType type, const Executor* executor) {
  const std::int64_t* const begin = offsets.data();
  const auto rows = static_cast<std::size_t>(offsets.size()) - 1;
  Buffer<std::uint32_t> numbers;
  numbers.resize(static_cast<std::size_t>(begin[rows]));
  for (std::size_t row = 0; row < rows; ++row) {
    std::fill(numbers.data() + begin[row], numbers.data() + begin[row + 1], static_cast<std::uint32_t>(row));
  }
  return index_row(std::move(numbers), type, executor);
}

py::object nearest_of_tree(const PointTreeObject& self, const py::object& k_given, const py::object& asked,
                           double max_distance, const py::object& dtype, const py::object& threads,
                           const py::object& progress) {
  const std::size_t k = neighbours_of(k_given);
  const IndexType type = index_type_of(dtype);
  Call call(threads, progress);
  const Reading reading(self);
  return with_tree(self, [&]<int D, class Real>(const BasicPointTree<D, Real>& tree) {
    const QueriesIn<D, Real> queries(asked, "queries");
    const std::size_t rows = queries.count(tree);
    Slots<D, Real> slots(rows, k, true, false);
    slots.find(tree, queries, max_distance, call);
    if (queries.single()) {
      return result(ResultType::kNearestPoints, index_row(std::move(slots.index), type, nullptr),
                    std::move(slots.distance).into_array());
    }
    py::array numbers = index_row(std::move(slots.index), type, call.executor());
    return result(ResultType::kNearestPoints, numbers.attr("reshape")(rows, k),
                  in_rows(std::move(slots.distance), k));
  });
}

}  // namespace

template <int D, class Real>
py::object nearest_lists(const BasicPointTree<D, Real>& tree, const QueriesIn<D, Real>& queries,
                         const NearestQuestion& asked, IndexType type, Call& call) {
  double most = std::numeric_limits<double>::infinity();
  if (!asked.r.is_none()) {
    const Numbers<double> radius(asked.r, "r");
    if (radius.ndim() != 0) {
      radius.refuse_shape("With k= give one number for all");
    }
    check_radii(radius, least_period(tree.space()), asked.nearest_image);
    most = radius.data()[0];
  }
  // There are no more than that: a larger k would only take memory.
  const std::size_t k = std::min(neighbours_of(asked.k), std::max<std::size_t>(tree.size(), 1));
  const Quantities wanted = asked.quantities;
  Slots<D, Real> slots(queries.count(tree), k, wanted.distances, wanted.displacements);
  slots.find(tree, queries, most, call);
  auto offsets = new_array<std::int64_t>(slots.rows + 1);
  std::int64_t* const into = offsets.mutable_data();
  Call::released([&] { slots.close_up(into); });
  const py::object rows = wanted.rows ? rows_of(offsets, type, call.executor()) : py::none();
  py::object columns = py::none(), distances = py::none(), displacements = py::none();
  if (wanted.columns) {
    columns = index_row(std::move(slots.index), type, call.executor());
  }
  if (wanted.distances) {
    distances = std::move(slots.distance).into_array();
  }
  if (wanted.displacements) {
    displacements = in_rows(std::move(slots.displacement), D);
  }
  return result(ResultType::kNeighbors, offsets, rows, columns, distances, displacements);
}

template py::object nearest_lists(const BasicPointTree<2, float>&, const QueriesIn<2, float>&,
                                  const NearestQuestion&, IndexType, Call&);
template py::object nearest_lists(const BasicPointTree<3, float>&, const QueriesIn<3, float>&,
                                  const NearestQuestion&, IndexType, Call&);
template py::object nearest_lists(const BasicPointTree<2, double>&, const QueriesIn<2, double>&,
                                  const NearestQuestion&, IndexType, Call&);
template py::object nearest_lists(const BasicPointTree<3, double>&, const QueriesIn<3, double>&,
                                  const NearestQuestion&, IndexType, Call&);

Quantities quantities_of(py::handle letters) {
  if (PyUnicode_Check(letters.ptr()) == 0) {
    raise_type("quantities is " + std::string(py::repr(letters)) + ". Give letters of \"ijdD\"");
  }
  Quantities quantities;
  for (const char letter : letters.cast<std::string>()) {
    switch (letter) {
      case 'i':
        quantities.rows = true;
        break;
      case 'j':
        quantities.columns = true;
        break;
      case 'd':
        quantities.distances = true;
        break;
      case 'D':
        quantities.displacements = true;
        break;
      default:
        raise_value(
            "quantities is " + std::string(py::repr(letters)) +
            ". Give letters of \"ijdD\": i and j are numbers of points, d distances, D displacements");
    }
  }
  return quantities;
}

void check_radii(const Numbers<double>& radii, Period period, bool nearest_image) {
  for (std::size_t at = 0; at < radii.size(); ++at) {
    const double radius = radii.data()[at];
    const auto name = [&] {
      return (radii.ndim() == 0 ? "r is " : "r[" + std::to_string(at) + "] is ") +
             std::string(py::str(py::float_(radius)));
    };
    if (!(radius > 0)) {
      raise_value(name() + ". Give a distance above 0");
    }
    if (!nearest_image && radius > period.length / 2) {
      raise_value(name() + ", more than half of the box, which is " +
                  std::string(py::str(py::float_(period.length))) + " long on axis " +
                  std::to_string(period.axis) +
                  ". A point would be near more than once, but only its nearest image counts: give a smaller "
                  "r, or nearest_image=True");
    }
  }
}

void bind_point_nearest(py::class_<PointTreeObject>& tree) {
  using py::arg;
  const auto none = py::none();
  tree.def("nearest", &nearest_of_tree, arg("k"), py::kw_only(), arg("queries") = none,
           arg("max_distance") = std::numeric_limits<double>::infinity(), arg("dtype") = none,
           arg("threads") = none, arg("progress") = none, docs::kPointTreeNearest);
}

}  // namespace juxta::python
