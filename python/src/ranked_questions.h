// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What questions about ranked points are made of: regions, filters, cursors.
#pragma once

#include <pybind11/numpy.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bind.h"
#include "boxes.h"
#include "juxta/ranked/cursor.h"
#include "juxta/ranked/ranked_points.h"
#include "juxta/ranked/region.h"

namespace juxta::python {

/// A region, and the corners that a polygon looks at.
struct RegionObject {
  std::vector<double> xs, ys;
  std::vector<std::uint32_t> ring_ends;
  RankedRegion region;
  explicit RegionObject(const RankedRegion& made) : region(made) {}
};

using Masks = py::array_t<std::uint64_t, py::array::c_style | py::array::forcecast>;

/// A mask per point; none for None. Other numbers than whole ones are refused, not rounded.
Masks masks_of(const py::object& categories);

/// The arguments any, all, none and ranges. Raises ValueError and TypeError.
RankedFilter filter_of(const py::object& any, const py::object& all, const py::object& none,
                       const py::object& ranges = py::none());

/// A page's last point.
struct PageEnd {
  RankValue rank;
  std::uint64_t number;  // of an index, or of an Id
};
/// From (rank, number); none for None. `what`: the number, for messages. Raises ValueError.
std::optional<PageEnd> page_end_of(const py::object& after, std::uint64_t largest, const char* what);

/// What count_cells() is asked. Raises ValueError; whatever else is not allowed the call refuses.
struct CellsAsked {
  CellsAsked(const py::object& rect, const py::object& width, const py::object& height);
  [[nodiscard]] RectD rect() const { return box.as_rects()[0]; }

  BoxesIn<double> box;
  std::size_t columns, rows;
  py::array_t<std::uint32_t> counts;
  std::span<std::uint32_t> out;  // of counts
};

void bind_region(py::module_& module);

}  // namespace juxta::python
