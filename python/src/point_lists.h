// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What calls that find points have in common: quantities=, and how far they look.
#pragma once

#include <pybind11/pybind11.h>

#include <algorithm>
#include <limits>

#include "call.h"
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
