// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.Region, and what else questions about ranked points are made of.
#include "ranked_questions.h"

#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <string>

#include "boxes.h"
#include "outputs.h"
#include "ranked_docs.h"

namespace juxta::python {
namespace {

void check_one(const BoxesIn<double>& box) {
  if (!box.single()) {
    throw py::value_error("rect has many rectangles: give one, [lx, ly, hx, hy]");
  }
}

std::unique_ptr<RegionObject> across(const py::object& rect) {
  const BoxesIn<double> box(rect, "rect", 2);
  check_one(box);
  return std::make_unique<RegionObject>(RankedRegion::across(box.as_rects()[0]));
}

void add_ring(RegionObject& to, const py::array_t<double, py::array::c_style | py::array::forcecast>& ring) {
  if (ring.ndim() != 2 || ring.shape(1) != 2) {
    throw py::value_error("a ring of a polygon is not an (m, 2) array of corners");
  }
  const auto corners = ring.unchecked<2>();
  for (py::ssize_t i = 0; i < corners.shape(0); ++i) {
    if (!(std::abs(corners(i, 0)) <= 1e150 && std::abs(corners(i, 1)) <= 1e150)) {
      throw py::value_error("corner " + std::to_string(to.xs.size()) + " is not finite or beyond 1e150");
    }
    to.xs.push_back(corners(i, 0));
    to.ys.push_back(corners(i, 1));
  }
  to.ring_ends.push_back(static_cast<std::uint32_t>(to.xs.size()));
}

std::unique_ptr<RegionObject> polygon(const py::args& rings) {
  auto made = std::make_unique<RegionObject>(RankedRegion::rect({1, 1, 0, 0}));
  for (const py::handle ring : rings) {
    add_ring(*made, py::cast<py::array_t<double, py::array::c_style | py::array::forcecast>>(ring));
  }
  made->region = RankedRegion::polygon(made->xs, made->ys, made->ring_ends);
  return made;
}

std::uint64_t mask_of(const py::object& mask, const char* name) {
  const auto whole = py::reinterpret_steal<py::object>(PyNumber_Index(mask.ptr()));
  const std::uint64_t bits = whole ? PyLong_AsUnsignedLongLong(whole.ptr()) : 0;
  if (PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    throw py::value_error(std::string(name) +
                          " is not a mask of 64 bits: give a whole number from 0 to 2**64 - 1");
  }
  return bits;
}

/// An integer if it is one: an array with one real number has an index too, which would be rounded. None: it
/// is no number, or an integer beyond int64.
std::optional<RankValue> number_of(const py::object& value) {
  if (const auto whole = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()))) {
    const std::int64_t integer = PyLong_AsLongLong(whole.ptr());
    if (PyErr_Occurred() == nullptr) {
      return RankValue(integer);
    }
    PyErr_Clear();
    return std::nullopt;
  }
  PyErr_Clear();
  const double real = PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    return std::nullopt;
  }
  return RankValue(real);
}

/// An end of a range; None: there is none.
RankValue end_of(const py::object& end, double none) {
  if (end.is_none()) {
    return none;
  }
  const auto number = number_of(end);
  if (!number) {
    throw py::type_error("an end of a range is not a number, or is an integer beyond int64");
  }
  return *number;
}

/// (least, most), or None for an open one.
RankedRange range_of(const py::object& range) {
  if (range.is_none()) {
    return {};
  }
  if (!py::isinstance<py::sequence>(range) || py::len(range) != 2) {
    throw py::value_error("a range is not (least, most): give both ends, None for one that is open");
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return {end_of(range[py::int_(0)], -kInfinity), end_of(range[py::int_(1)], kInfinity)};
}

}  // namespace

Masks masks_of(const py::object& categories) {
  if (categories.is_none()) {
    return Masks(0);
  }
  const py::array any = py::array::ensure(categories);
  if (!any || any.ndim() != 1 || (any.dtype().kind() != 'u' && any.dtype().kind() != 'i')) {
    throw py::type_error(
        "categories is not an (n,) array of whole numbers: give a mask of bits for each point");
  }
  return Masks(any);
}

RankedFilter filter_of(const py::object& any, const py::object& all, const py::object& none,
                       const py::object& ranges) {
  RankedFilter filter = {
      .any = mask_of(any, "any"), .all = mask_of(all, "all"), .none = mask_of(none, "none")};
  if (!ranges.is_none()) {
    constexpr std::size_t kMost = std::size(decltype(filter.ranges){});
    if (!py::isinstance<py::sequence>(ranges) || py::len(ranges) > kMost) {
      throw py::value_error("ranges is not a list of up to two: give (least, most) or None for each column");
    }
    for (std::size_t i = 0; i < py::len(ranges); ++i) {
      filter.ranges[i] = range_of(ranges[py::int_(i)]);
    }
  }
  return filter;
}

std::optional<PageEnd> page_end_of(const py::object& after, std::uint64_t largest, const char* what) {
  if (after.is_none()) {
    return std::nullopt;
  }
  const auto refuse = [what] {
    return py::value_error(std::string("after is not (rank, ") + what + "): give the rank and the " + what +
                           " of a page's last point");
  };
  if (!py::isinstance<py::sequence>(after) || py::len(after) != 2) {
    throw refuse();
  }
  const auto rank = number_of(after[py::int_(0)]);
  // A slot and generation may take all 64 bits.
  const auto second = py::reinterpret_steal<py::object>(PyNumber_Index(py::object(after[py::int_(1)]).ptr()));
  const std::uint64_t number = second ? PyLong_AsUnsignedLongLong(second.ptr()) : 0;
  if (PyErr_Occurred() != nullptr || !rank || number > largest) {
    PyErr_Clear();
    throw refuse();
  }
  return PageEnd{*rank, number};
}

CellsAsked::CellsAsked(const py::object& rect, const py::object& width, const py::object& height)
    : box(rect, "rect", 2), columns(size_of(width, "columns")), rows(size_of(height, "rows")) {
  check_one(box);
  // Whatever is not allowed is refused before there is an array of it.
  const bool sound = columns <= 0xFFFF && rows <= 0xFFFF;
  counts = sound ? new_array<std::uint32_t>(rows, columns) : new_array<std::uint32_t>(0, 0);
  out = {counts.mutable_data(), static_cast<std::size_t>(counts.size())};
}

void bind_region(py::module_& module) {
  using py::arg;
  py::class_<RegionObject>(module, "Region", docs::kRegion)
      .def_static(
          "circle",
          [](double x, double y, double radius) { return RegionObject(RankedRegion::circle(x, y, radius)); },
          arg("x"), arg("y"), arg("radius"), docs::kRegionCircle)
      .def_static(
          "ring",
          [](double x, double y, double inner, double outer) {
            return RegionObject(RankedRegion::ring(x, y, inner, outer));
          },
          arg("x"), arg("y"), arg("inner"), arg("outer"), docs::kRegionRing)
      .def_static("across", &across, arg("rect"), docs::kRegionAcross)
      .def_static("polygon", &polygon, docs::kRegionPolygon)
      .def(
          "contains", [](const RegionObject& self, double x, double y) { return self.region.contains(x, y); },
          arg("x"), arg("y"), docs::kRegionContains);
}

}  // namespace juxta::python
