// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// nearest() and count_cells() of juxta.LiveRankedPoints and juxta.RankedSnapshot.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "bind.h"
#include "boxes.h"
#include "call.h"
#include "guard.h"
#include "ids.h"
#include "numbers.h"
#include "outputs.h"
#include "ranked_docs.h"
#include "ranked_live_docs.h"
#include "ranked_live_object.h"
#include "ranked_questions.h"
#include "results.h"

namespace juxta::python {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

py::object nearest_one(const RankedSnapshot& now, const double* point, std::size_t k,
                       const RankedNearestOptions& options) {
  std::vector<Id> ids(k);
  std::vector<double> distances(k);
  const std::size_t found =
      Call::released([&] { return now.nearest(point[0], point[1], k, ids, distances, options).written; });
  return result(ResultType::kNearestPoints, id_array(std::span(ids).first(found)),
                array_of(std::span<const double>(distances).first(found)));
}

py::object nearest_many(const RankedSnapshot& now, std::span<const double> points, std::size_t k,
                        const RankedNearestOptions& options) {
  const std::size_t rows = points.size() / 2;
  auto ids = new_array<std::uint64_t>(rows, k);
  auto distances = new_array<double>(rows, k);
  std::uint64_t* const to = ids.mutable_data();
  const std::span<double> far = span_of(distances);
  Call::released([&] {
    std::vector<Id> row(k);
    for (std::size_t i = 0; i < rows; ++i) {
      const auto lengths = far.subspan(i * k, k);
      const std::size_t found =
          now.nearest(points[2 * i], points[2 * i + 1], k, row, lengths, options).written;
      std::fill(row.begin() + static_cast<std::ptrdiff_t>(found), row.end(), Id{});
      std::ranges::transform(row, to + i * k, number_of);
      std::ranges::fill(lengths.subspan(found), kInfinity);
    }
  });
  return result(ResultType::kNearestPoints, ids, distances);
}

py::object nearest(const RankedSnapshot& now, const py::object& points, const py::object& most,
                   const py::object& most_important, const py::object& any, const py::object& all,
                   const py::object& none, const py::object& ranges, double max_distance) {
  RankedNearestOptions options;
  options.filter = filter_of(any, all, none, ranges);
  options.max_distance = max_distance;
  if (!most_important.is_none()) {
    options.most_important = size_of(most_important, "most_important");
  }
  const Numbers<double> at(points, "points");
  const bool single = at.ndim() == 1;
  if ((!single && at.ndim() != 2) || at.shape(-1) != 2) {
    at.refuse_shape("Give one point, (2,), or many, (m, 2)");
  }
  const std::size_t k = std::min(size_of(most, "k"), now.size());
  return single ? nearest_one(now, at.data(), k, options) : nearest_many(now, at.span(), k, options);
}

py::object count_cells(const RankedSnapshot& now, const py::object& rect, const py::object& columns,
                       const py::object& rows, const py::object& threads) {
  CellsAsked asked(rect, columns, rows);
  Call call(threads, py::none());
  call.run([&](const Context& context) {
    return now.count_cells(asked.rect(), asked.columns, asked.rows, asked.out, context);
  });
  return asked.counts;
}

/// `Held`: the guard of one call. `snapshot_of(object)`: what answers.
template <class Held, class Object, class SnapshotOf>
void bind(py::class_<Object>& made, SnapshotOf snapshot_of) {
  using py::arg;
  made.def(
          "nearest",
          [snapshot_of](const Object& self, const py::object& points, const py::object& k,
                        const py::object& most_important, const py::object& any, const py::object& all,
                        const py::object& none, const py::object& ranges, double max_distance) {
            const Held held(self);
            return nearest(snapshot_of(self), points, k, most_important, any, all, none, ranges,
                           max_distance);
          },
          arg("points"), arg("k"), py::kw_only(), arg("most_important") = py::none(), arg("any") = 0,
          arg("all") = 0, arg("none") = 0, arg("ranges") = py::none(), arg("max_distance") = kInfinity,
          docs::kLiveNearest)
      .def(
          "count_cells",
          [snapshot_of](const Object& self, const py::object& rect, const py::object& columns,
                        const py::object& rows, const py::object& threads) {
            const Held held(self);
            return count_cells(snapshot_of(self), rect, columns, rows, threads);
          },
          arg("rect"), arg("columns"), arg("rows"), py::kw_only(), arg("threads") = py::none(),
          docs::kRankedCountCells);
}

}  // namespace

void bind_live_places(py::class_<SnapshotObject>& snapshot) {
  bind<Writing>(snapshot, [](const SnapshotObject& self) -> const RankedSnapshot& { return self.snapshot; });
}

void bind_live_places(py::class_<LiveObject>& live) {
  bind<Reading>(live, [](const LiveObject& self) { return self.points.snapshot(); });
}

}  // namespace juxta::python
