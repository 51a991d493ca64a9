// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.RankedPoints.
#include "juxta/ranked/ranked_points.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bind.h"
#include "boxes.h"
#include "call.h"
#include "columns.h"
#include "guard.h"
#include "outputs.h"
#include "ranked_docs.h"

namespace juxta::python {
namespace {

struct RankedObject : Guarded {
  RankedPoints points;
  std::vector<py::object> borrowed;  // columns that the points read (copy=False)
};

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
             const py::object& threads, const py::object& progress) {
  const Columns columns(x, y, rank);
  Call call(threads, progress);
  const Writing writing(self);
  call.run([&, xs = as_coordinates(columns.xs), ys = as_coordinates(columns.ys),
            ranks = as_ranks(columns.ranks)](const Context& context) {
    return self.points.rebuild(xs, ys, ranks, {.borrow_coordinates = !copy}, context);
  });
  self.borrowed = copy ? std::vector<py::object>{} : columns.owners();
}

std::unique_ptr<RankedObject> build(const py::object& x, const py::object& y, const py::object& rank,
                                    bool copy, const py::object& threads, const py::object& progress) {
  auto made = std::make_unique<RankedObject>();
  rebuild(*made, x, y, rank, copy, threads, progress);
  return made;
}

constexpr std::size_t kOnStack = 256;

py::object top_one(const RankedObject& self, const RectD& rect, std::size_t k, IndexType type) {
  k = std::min(k, self.points.size());
  std::array<std::uint32_t, kOnStack> few;
  Buffer<std::uint32_t> many(k > kOnStack ? k : 0);
  const std::span<std::uint32_t> out = k > kOnStack ? many.rest() : std::span(few).first(k);
  const QueryResult found = Call::released([&] { return self.points.top(rect, k, out); });
  return index_array(out.first(found.written), type);
}

py::object top_many(const RankedObject& self, std::span<const RectD> rects, std::size_t k, IndexType type,
                    Call& call) {
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
                                  counts.span().subspan(first, last - first), context);
    for (std::size_t i = first; result && i < last; ++i) {
      const std::span<std::uint32_t> row = out.span().subspan(i * k, k);
      std::ranges::fill(row.subspan(counts.span()[i]), kNoBody);
    }
    return result;
  });
  return index_array(std::move(out), rects.size(), type, call.executor());
}

py::object top(const RankedObject& self, const py::object& rects, const py::object& most,
               const py::object& dtype, const py::object& threads, const py::object& progress) {
  const BoxesIn<double> boxes(rects, "rects", 2);
  const std::size_t k = size_of(most, "k");
  const IndexType type = index_type_of(dtype);
  const Reading reading(self);
  if (boxes.single()) {
    return top_one(self, boxes.as_rects()[0], k, type);
  }
  Call call(threads, progress);
  return top_many(self, boxes.as_rects(), k, type, call);
}

py::object count(const RankedObject& self, const py::object& rects, const py::object& threads,
                 const py::object& progress) {
  const BoxesIn<double> boxes(rects, "rects", 2);
  const Reading reading(self);
  const std::span<const RectD> all = boxes.as_rects();
  if (boxes.single()) {
    return py::int_(Call::released([&] { return self.points.count(all[0]).found; }));
  }
  Call call(threads, progress);
  auto counts = new_array<std::int64_t>(all.size());
  std::int64_t* const out = counts.mutable_data();
  call.run_ranges(all.size(), "count", [&](const Context& context, std::size_t begin, std::size_t end) {
    executor_or_serial(context.executor)
        .parallel_for(end - begin, 64, [&](std::size_t first, std::size_t last) {
          for (std::size_t i = begin + first; i < begin + last; ++i) {
            out[i] = static_cast<std::int64_t>(self.points.count(all[i]).found);
          }
        });
    return Result<void>{};
  });
  return counts;
}

py::object count_cells(const RankedObject& self, const py::object& rect, const py::object& columns,
                       const py::object& rows, const py::object& threads) {
  const BoxesIn<double> box(rect, "rect", 2);
  if (!box.single()) {
    throw py::value_error("rect has many rectangles: give one, [lx, ly, hx, hy]");
  }
  // Whatever is not allowed is refused before there is an array of it.
  const std::size_t width = size_of(columns, "columns"), height = size_of(rows, "rows");
  const bool sound = width <= 0xFFFF && height <= 0xFFFF;
  auto counts = sound ? new_array<std::uint32_t>(height, width) : new_array<std::uint32_t>(0, 0);
  const std::span<std::uint32_t> out(counts.mutable_data(), static_cast<std::size_t>(counts.size()));
  const Reading reading(self);
  Call call(threads, py::none());
  call.run([&](const Context& context) {
    return self.points.count_cells(box.as_rects()[0], width, height, out, context);
  });
  return counts;
}

void save(const RankedObject& self, const py::object& path, const py::object& attachment) {
  const std::string file = path_of(path);
  const Bytes bytes(attachment, "attachment");
  const Reading reading(self);
  unwrap(Call::released([&] { return self.points.save(file, bytes.span()); }));
}

std::unique_ptr<RankedObject> load(const py::object& path) {
  const std::string file = path_of(path);
  auto made = std::make_unique<RankedObject>();
  made->points = unwrap(Call::released([&] { return RankedPoints::load(file); }));
  return made;
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
  py::class_<RankedObject>(module, "RankedPoints", docs::kRankedPoints)
      .def(py::init(&build), arg("x"), arg("y"), arg("rank"), py::kw_only(), arg("copy") = true,
           arg("threads") = py::none(), arg("progress") = py::none(), docs::kRankedInit)
      .def("rebuild", &rebuild, arg("x"), arg("y"), arg("rank"), py::kw_only(), arg("copy") = true,
           arg("threads") = py::none(), arg("progress") = py::none(), docs::kRankedRebuild)
      .def("top", &top, arg("rects"), arg("k"), py::kw_only(), arg("dtype") = py::none(),
           arg("threads") = py::none(), arg("progress") = py::none(), docs::kRankedTop)
      .def("count", &count, arg("rects"), py::kw_only(), arg("threads") = py::none(),
           arg("progress") = py::none(), docs::kRankedCount)
      .def("count_cells", &count_cells, arg("rect"), arg("columns"), arg("rows"), py::kw_only(),
           arg("threads") = py::none(), docs::kRankedCountCells)
      .def("save", &save, arg("path"), py::kw_only(), arg("attachment") = py::bytes(), docs::kRankedSave)
      .def_static("load", &load, arg("path"), docs::kRankedLoad)
      .def_property_readonly("bounds", &bounds, docs::kRankedBounds)
      .def_property_readonly("attachment", reading([](const RankedPoints& points) {
                               const auto bytes = points.attachment();
                               return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
                             }),
                             docs::kRankedAttachment)
      .def_property_readonly("memory_bytes",
                             reading([](const RankedPoints& points) { return points.memory_bytes(); }),
                             docs::kMemoryBytes)
      .def("__len__", reading([](const RankedPoints& points) { return points.size(); }))
      .def("__repr__", reading([](const RankedPoints& points) {
             return "<juxta.RankedPoints of " + std::to_string(points.size()) + " points>";
           }));
}

}  // namespace juxta::python
