// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.RankedPoints.
#include "juxta/ranked/ranked_points.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bind.h"
#include "boxes.h"
#include "call.h"
#include "columns.h"
#include "outputs.h"
#include "ranked_docs.h"
#include "ranked_object.h"
#include "ranked_questions.h"

namespace juxta::python {
namespace {

// The columns of x and y have one type.
struct Columns {
  Columns(py::handle x, py::handle y, py::handle rank) : ranks(rank_column(rank, "rank")) {
    auto [xs_column, ys_column] = coordinate_columns(x, "x", y, "y");
    xs = std::move(xs_column);
    ys = std::move(ys_column);
  }
  std::vector<py::object> owners() const { return {xs, ys}; }
  py::array xs{py::reinterpret_steal<py::array>(py::handle())};
  py::array ys{py::reinterpret_steal<py::array>(py::handle())};
  py::array ranks;
};

void rebuild(RankedObject& self, const py::object& x, const py::object& y, const py::object& rank, bool copy,
             const py::object& categories, bool keep_ranks, const py::object& values,
             const py::object& threads, const py::object& progress) {
  const Columns columns(x, y, rank);
  const Masks masks = masks_of(categories);
  const std::span<const std::uint64_t> bits(masks.data(), static_cast<std::size_t>(masks.size()));
  const std::vector<py::array> numbers = value_columns(values);
  Call call(threads, progress);
  const Writing writing(self);
  call.run([&, xs = as_coordinates(columns.xs), ys = as_coordinates(columns.ys),
            ranks = as_ranks(columns.ranks), borrowed = as_values(numbers)](const Context& context) {
    return self.points.rebuild(
        xs, ys, ranks,
        {.borrow_coordinates = !copy, .categories = bits, .keep_ranks = keep_ranks, .values = borrowed},
        context);
  });
  self.borrowed = copy ? std::vector<py::object>{} : columns.owners();
}

std::unique_ptr<RankedObject> build(const py::object& x, const py::object& y, const py::object& rank,
                                    bool copy, const py::object& categories, bool keep_ranks,
                                    const py::object& values, const py::object& threads,
                                    const py::object& progress) {
  auto made = std::make_unique<RankedObject>();
  rebuild(*made, x, y, rank, copy, categories, keep_ranks, values, threads, progress);
  return made;
}

constexpr std::size_t kOnStack = 256;

/// (rank, index), or None for the first page.
std::optional<RankedCursor> cursor_of(const py::object& after) {
  const auto end = page_end_of(after, 0xFFFFFFFF, "index");
  return end ? std::optional(RankedCursor(end->rank, static_cast<std::uint32_t>(end->number))) : std::nullopt;
}

/// `where`: a rectangle or a region.
template <class Where>
py::object top_one(const RankedObject& self, const Where& where, std::size_t k, const RankedFilter& filter,
                   const std::optional<RankedCursor>& after, IndexType type) {
  k = std::min(k, self.points.size());
  std::array<std::uint32_t, kOnStack> few;
  Buffer<std::uint32_t> many(k > kOnStack ? k : 0);
  const std::span<std::uint32_t> out = k > kOnStack ? many.rest() : std::span(few).first(k);
  const QueryResult found = unwrap(Call::released([&]() -> Result<QueryResult> {
    return after ? self.points.top_after(*after, where, k, out, filter)
                 : self.points.top(where, k, out, filter);
  }));
  return index_array(out.first(found.written), type);
}

py::object top_many(const RankedObject& self, std::span<const RectD> rects, std::size_t k,
                    const RankedFilter& filter, IndexType type, Call& call) {
  k = std::min(k, self.points.size());
  Buffer<std::uint32_t> out;
  if (k != 0 && rects.size() > static_cast<std::size_t>(-1) / 16 / k) {
    throw std::bad_alloc();
  }
  out.resize(rects.size() * k);
  Buffer<std::uint32_t> counts;
  counts.resize(rects.size());
  call.run_ranges(rects.size(), "top", [&](const Context& context, std::size_t first, std::size_t last) {
    const std::span<std::uint32_t> rows = out.span().subspan(first * k, (last - first) * k);
    auto result = self.points.top(rects.subspan(first, last - first), k, rows,
                                  counts.span().subspan(first, last - first), filter, context);
    for (std::size_t i = first; result && i < last; ++i) {
      const std::span<std::uint32_t> row = out.span().subspan(i * k, k);
      std::ranges::fill(row.subspan(counts.span()[i]), kNoBody);
    }
    return result;
  });
  return index_array(std::move(out), rects.size(), type, call.executor());
}

py::object top(const RankedObject& self, const py::object& rects, const py::object& most,
               const py::object& any, const py::object& all, const py::object& none, const py::object& ranges,
               const py::object& after, const py::object& dtype, const py::object& threads,
               const py::object& progress) {
  const std::size_t k = size_of(most, "k");
  const RankedFilter filter = filter_of(any, all, none, ranges);
  const std::optional<RankedCursor> cursor = cursor_of(after);
  const IndexType type = index_type_of(dtype);
  if (py::isinstance<RegionObject>(rects)) {
    const Reading reading(self);
    return top_one(self, rects.cast<const RegionObject&>().region, k, filter, cursor, type);
  }
  const BoxesIn<double> boxes(rects, "rects", 2);
  const Reading reading(self);
  if (boxes.single()) {
    return top_one(self, boxes.as_rects()[0], k, filter, cursor, type);
  }
  if (cursor) {
    throw py::value_error("after goes with one rectangle, and rects are many");
  }
  Call call(threads, progress);
  return top_many(self, boxes.as_rects(), k, filter, type, call);
}

py::object count(const RankedObject& self, const py::object& rects, const py::object& any,
                 const py::object& all, const py::object& none, const py::object& ranges,
                 const py::object& threads, const py::object& progress) {
  const RankedFilter filter = filter_of(any, all, none, ranges);
  if (py::isinstance<RegionObject>(rects)) {
    const RankedRegion& region = rects.cast<const RegionObject&>().region;
    const Reading reading(self);
    return py::int_(Call::released([&] { return self.points.count(region, filter).found; }));
  }
  const BoxesIn<double> boxes(rects, "rects", 2);
  const Reading reading(self);
  const std::span<const RectD> rectangles = boxes.as_rects();
  if (boxes.single()) {
    return py::int_(Call::released([&] { return self.points.count(rectangles[0], filter).found; }));
  }
  Call call(threads, progress);
  Buffer<std::uint32_t> counts;
  counts.resize(rectangles.size());
  call.run_ranges(rectangles.size(), "count",
                  [&](const Context& context, std::size_t first, std::size_t last) {
                    const std::size_t size = last - first;
                    return self.points.count(rectangles.subspan(first, size),
                                             counts.span().subspan(first, size), filter, context);
                  });
  auto wide = new_array<std::int64_t>(rectangles.size());
  std::ranges::copy(counts.span(), wide.mutable_data());
  return wide;
}

py::object count_cells(const RankedObject& self, const py::object& rect, const py::object& columns,
                       const py::object& rows, const py::object& threads) {
  CellsAsked asked(rect, columns, rows);
  const Reading reading(self);
  Call call(threads, py::none());
  call.run([&](const Context& context) {
    return self.points.count_cells(asked.rect(), asked.columns, asked.rows, asked.out, context);
  });
  return asked.counts;
}

void save(const RankedObject& self, const py::object& path, const py::object& attachment) {
  const std::string file = path_of(path);
  const Bytes bytes(attachment, "attachment");
  const Reading reading(self);
  unwrap(Call::released([&] { return self.points.save(file, bytes.span()); }));
}

std::unique_ptr<RankedObject> load(const py::object& path, const std::string& check) {
  const std::string file = path_of(path);
  if (check != "whole" && check != "as_read") {
    throw py::value_error("check is '" + check + "': say 'whole' or 'as_read'");
  }
  const FileCheck how = check == "whole" ? FileCheck::kWhole : FileCheck::kAsRead;
  auto made = std::make_unique<RankedObject>();
  made->points = unwrap(Call::released([&] { return RankedPoints::load(file, how); }));
  return made;
}

void check_read(const RankedObject& self) {
  const Reading reading(self);
  unwrap(Call::released([&] { return self.points.check_read(); }));
}

py::object bounds(const RankedObject& self) {
  const Reading reading(self);
  const RectD rect = self.points.bounds();
  auto array = new_array<double>(2, 2);
  double* const out = array.mutable_data();
  out[0] = rect.lx;
  out[1] = rect.ly;
  out[2] = rect.hx;
  out[3] = rect.hy;
  return array;
}

template <class Read>
auto reading(Read&& read) {
  return [read](const RankedObject& self) {
    const Reading held(self);
    return read(self.points);
  };
}

}  // namespace

void bind_ranked(py::module_& module) {
  using py::arg;
  bind_region(module);
  py::class_<RankedObject> ranked(module, "RankedPoints", docs::kRankedPoints);
  ranked
      .def(py::init(&build), arg("x"), arg("y"), arg("rank"), py::kw_only(), arg("copy") = true,
           arg("categories") = py::none(), arg("keep_ranks") = false, arg("values") = py::none(),
           arg("threads") = py::none(), arg("progress") = py::none(), docs::kRankedInit)
      .def("rebuild", &rebuild, arg("x"), arg("y"), arg("rank"), py::kw_only(), arg("copy") = true,
           arg("categories") = py::none(), arg("keep_ranks") = false, arg("values") = py::none(),
           arg("threads") = py::none(), arg("progress") = py::none(), docs::kRankedRebuild)
      .def("top", &top, arg("rects"), arg("k"), py::kw_only(), arg("any") = 0, arg("all") = 0,
           arg("none") = 0, arg("ranges") = py::none(), arg("after") = py::none(), arg("dtype") = py::none(),
           arg("threads") = py::none(), arg("progress") = py::none(), docs::kRankedTop)
      .def("count", &count, arg("rects"), py::kw_only(), arg("any") = 0, arg("all") = 0, arg("none") = 0,
           arg("ranges") = py::none(), arg("threads") = py::none(), arg("progress") = py::none(),
           docs::kRankedCount)
      .def("count_cells", &count_cells, arg("rect"), arg("columns"), arg("rows"), py::kw_only(),
           arg("threads") = py::none(), docs::kRankedCountCells)
      .def("save", &save, arg("path"), py::kw_only(), arg("attachment") = py::bytes(), docs::kRankedSave)
      .def_static("load", &load, arg("path"), py::kw_only(), arg("check") = "whole", docs::kRankedLoad)
      .def("check_read", &check_read, docs::kRankedCheckRead)
      .def_property_readonly("bounds", &bounds, docs::kRankedBounds)
      .def_property_readonly("attachment", reading([](const RankedPoints& points) {
                               const auto bytes = points.attachment();
                               return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
                             }),
                             docs::kRankedAttachment)
      .def_property_readonly("categories",
                             reading([](const RankedPoints& points) { return points.categories(); }),
                             docs::kRankedCategories)
      .def_property_readonly("memory_bytes",
                             reading([](const RankedPoints& points) { return points.memory_bytes(); }),
                             docs::kMemoryBytes)
      .def("__len__", reading([](const RankedPoints& points) { return points.size(); }))
      .def("__repr__", reading([](const RankedPoints& points) {
             return "<juxta.RankedPoints of " + std::to_string(points.size()) + " points>";
           }));
  bind_ranked_nearest(ranked);
  bind_ranked_live(module);
}

}  // namespace juxta::python
