// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.RankedLabels.
#include "juxta/ranked/labels.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bind.h"
#include "boxes.h"
#include "call.h"
#include "columns.h"
#include "guard.h"
#include "outputs.h"
#include "ranked_docs.h"
#include "ranked_labels_docs.h"

namespace juxta::python {
namespace {

struct LabelsObject : Guarded {
  RankedLabels labels;
};

/// One size for all labels, or one for each.
struct LabelSizes {
  LabelSizes(const py::object& value, const char* name, std::size_t points) {
    const ScalarsIn given(value, name, points, "points");
    if (given.single()) {
      one = given[0];
      return;
    }
    for (std::size_t i = 0; i < points; ++i) {
      each.push_back(given[i]);
    }
  }
  float one = 1;  // not read where each point has its own
  std::vector<float> each;
};

unsigned zoom_of(const py::object& value, const char* name) {
  return static_cast<unsigned>(std::min<std::size_t>(size_of(value, name), 1'000'000));  // refused later
}

std::unique_ptr<LabelsObject> build(const py::object& x, const py::object& y, const py::object& rank,
                                    const py::object& width, const py::object& height, double units_per_pixel,
                                    const py::object& first_zoom, const py::object& last_zoom,
                                    const py::object& threads, const py::object& progress) {
  const auto [xs, ys] = coordinate_columns(x, "x", y, "y");
  const py::array ranks = rank_column(rank, "rank");
  const auto points = static_cast<std::size_t>(xs.size());
  const LabelSizes widths(width, "width", points), heights(height, "height", points);
  const RankedLabelsOptions options = {.widths = widths.each,
                                       .heights = heights.each,
                                       .width = widths.one,
                                       .height = heights.one,
                                       .units_per_pixel = units_per_pixel,
                                       .first_zoom = zoom_of(first_zoom, "first_zoom"),
                                       .last_zoom = zoom_of(last_zoom, "last_zoom")};
  auto made = std::make_unique<LabelsObject>();
  Call call(threads, progress);
  made->labels =
      call.run([&, in_x = as_coordinates(xs), in_y = as_coordinates(ys), by = as_ranks(ranks)](
                   const Context& context) { return RankedLabels::build(in_x, in_y, by, options, context); });
  return made;
}

constexpr std::size_t kOnStack = 512;

py::object top(const LabelsObject& self, const py::object& rect, double zoom, const py::object& most,
               const py::object& dtype) {
  const BoxesIn<double> box(rect, "rect", 2);
  if (!box.single()) {
    throw py::value_error("rect has many rectangles: give one, [lx, ly, hx, hy]");
  }
  const RectD& view = box.as_rects()[0];
  const Reading reading(self);
  const std::size_t k =
      most.is_none() ? self.labels.size() : std::min(size_of(most, "k"), self.labels.size());
  const IndexType type = index_type_of(dtype);
  std::array<std::uint32_t, kOnStack> few;
  std::span<std::uint32_t> out = std::span(few).first(std::min(k, kOnStack));
  QueryResult found = Call::released([&] { return self.labels.top(view, zoom, out); });
  Buffer<std::uint32_t> many;
  if (const std::size_t wanted = std::min(k, found.found); wanted > out.size()) {
    many.resize(wanted);
    out = many.span();
    found = Call::released([&] { return self.labels.top(view, zoom, out); });
  }
  return index_array(out.first(found.written), type);
}

py::object appears(const py::object& object) {
  const auto& self = object.cast<const LabelsObject&>();
  const Reading reading(self);
  const std::span<const std::uint8_t> zooms = self.labels.appears_at_zoom();
  return view_of(zooms, {static_cast<py::ssize_t>(zooms.size())}, object);
}

template <class Read>
auto reading_labels(Read&& read) {
  return [read](const LabelsObject& self) {
    const Reading held(self);
    return read(self.labels);
  };
}

}  // namespace

void bind_ranked_labels(py::module_& module) {
  using py::arg;
  py::class_<LabelsObject>(module, "RankedLabels", docs::kRankedLabels)
      .def(py::init(&build), arg("x"), arg("y"), arg("rank"), py::kw_only(), arg("width") = 80.0,
           arg("height") = 20.0, arg("units_per_pixel") = 1.0, arg("first_zoom") = 0, arg("last_zoom") = 20,
           arg("threads") = py::none(), arg("progress") = py::none(), docs::kRankedLabelsInit)
      .def("top", &top, arg("rect"), arg("zoom"), arg("k") = py::none(), py::kw_only(),
           arg("dtype") = py::none(), docs::kRankedLabelsTop)
      .def_property_readonly("appears_at_zoom", &appears, docs::kRankedLabelsAppears)
      .def_property_readonly("shown",
                             reading_labels([](const RankedLabels& labels) { return labels.shown(); }),
                             docs::kRankedLabelsShown)
      .def_property_readonly("memory_bytes",
                             reading_labels([](const RankedLabels& labels) { return labels.memory_bytes(); }),
                             docs::kMemoryBytes)
      .def("__len__", reading_labels([](const RankedLabels& labels) { return labels.size(); }))
      .def("__repr__", reading_labels([](const RankedLabels& labels) {
             return "<juxta.RankedLabels of " + std::to_string(labels.size()) + " points>";
           }));
}

}  // namespace juxta::python
