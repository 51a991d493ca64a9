// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What calls that find points have in common: quantities=, and how far they look.
#pragma once

#include <pybind11/pybind11.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "call.h"
#include "juxta/points/neighbours.h"
#include "juxta/points/point_tree.h"
#include "numbers.h"
#include "outputs.h"
#include "point_tree_object.h"

namespace juxta::python {

namespace py = pybind11;

/// The letters of quantities=.
struct Quantities {
  bool rows = false;           // i
  bool columns = false;        // j
  bool distances = false;      // d
  bool displacements = false;  // D
};
/// Raises TypeError, or ValueError for another letter.
Quantities quantities_of(py::handle letters);

/// The rows i of lists in compressed rows.
template <class Index>
void fill_rows(std::span<const std::uint64_t> offsets, Index* rows, const Executor* executor) {
  executor_or_serial(executor).parallel_for(
      offsets.size() - 1, 4096, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
          std::fill(rows + offsets[i], rows + offsets[i + 1], static_cast<Index>(i));
        }
      });
}

/// The shortest period of a space, infinite if it has none, and its axis.
struct Period {
  double length = std::numeric_limits<double>::infinity();
  int axis = 0;
};
template <int D, class Real>
[[nodiscard]] Period least_period(const PointSpace<D, Real>& space) noexcept {
  Period least;
  for (int axis = 0; axis < D; ++axis) {
    const double length = static_cast<double>(space.hi[axis] - space.lo[axis]);
    if (space.periodic[axis] && length < least.length) {
      least = {length, axis};
    }
  }
  return least;
}

/// Raises ValueError for radii that are not above 0, or above half the period unless `nearest_image`.
void check_radii(const Numbers<double>& radii, Period period, bool nearest_image);

/// One radius, or one for each of the points that are asked about.
template <int D, class Real>
class RadiiIn {
 public:
  RadiiIn(py::handle value, const BasicPointTree<D, Real>& tree, const QueriesIn<D, Real>& queries,
          bool nearest_image)
      : numbers_(value, "r") {
    const std::size_t count = queries.count(tree);
    if (numbers_.ndim() != 0 && queries.own()) {
      numbers_.refuse_shape("Give one number; one for each point goes with queries=");
    }
    if (numbers_.ndim() > 1 || (numbers_.ndim() == 1 && numbers_.shape(0) != count)) {
      numbers_.refuse_shape("Give one number, or one for each of the " + std::to_string(count) + " queries");
    }
    check_radii(numbers_, least_period(tree.space()), nearest_image);
    for (const double radius : numbers_.span()) {
      radii_.push_back(static_cast<Real>(radius));
    }
  }

  [[nodiscard]] std::span<const Real> span() const noexcept { return radii_; }

 private:
  Numbers<double> numbers_;
  std::vector<Real> radii_;
};

/// Finds the lists of the tree's own points, or of the queries.
template <int D, class Real>
[[nodiscard]] Result<void> find_lists(BasicNeighbourTable<D, Real>& table,
                                      const BasicPointTree<D, Real>& tree, const QueriesIn<D, Real>& queries,
                                      std::span<const Real> radii, const NeighbourOptions& options,
                                      const Context& context) {
  return queries.own() ? table.rebuild(tree, radii[0], options, context)
                       : table.rebuild(tree, queries.span(), radii, options, context);
}

/// The k nearest within r, or of all when r is None.
struct NearestQuestion {
  py::handle r, k;
  bool nearest_image;
  Quantities quantities;
};
/// As a juxta._results.Neighbors.
template <int D, class Real>
py::object nearest_lists(const BasicPointTree<D, Real>& tree, const QueriesIn<D, Real>& queries,
                         const NearestQuestion& asked, IndexType type, Call& call);

}  // namespace juxta::python
