// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.RankedPoints.nearest.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <span>
#include <string>
#include <utility>

#include "bind.h"
#include "call.h"
#include "numbers.h"
#include "outputs.h"
#include "ranked_docs.h"
#include "ranked_object.h"
#include "ranked_questions.h"
#include "results.h"

namespace juxta::python {
namespace {

struct NearestAsked {
  std::size_t k;
  RankedNearestOptions options;
  IndexType type;
};

py::object nearest_one(const RankedObject& self, const double* point, const NearestAsked& asked) {
  Buffer<std::uint32_t> out(asked.k);
  Buffer<double> distances(asked.k);
  const QueryResult found = Call::released([&] {
    return self.points.nearest(point[0], point[1], asked.k, out.rest(), distances.rest(), asked.options);
  });
  const std::span<const double> far = distances.rest().first(found.written);
  return result(ResultType::kNearestPoints, index_array(out.rest().first(found.written), asked.type),
                array_of(far));
}

py::object nearest_many(const RankedObject& self, std::span<const double> points, const NearestAsked& asked,
                        Call& call) {
  const std::size_t rows = points.size() / 2, k = asked.k;
  if (k != 0 && rows > static_cast<std::size_t>(-1) / 16 / k) {
    throw std::bad_alloc();
  }
  Buffer<std::uint32_t> out;
  out.resize(rows * k);
  auto distances = new_array<double>(rows, k);
  const std::span<double> far = span_of(distances);
  call.run_ranges(rows, "nearest", [&](const Context& context, std::size_t begin, std::size_t end) {
    executor_or_serial(context.executor)
        .parallel_for(end - begin, 64, [&](std::size_t first, std::size_t last) {
          for (std::size_t i = begin + first; i < begin + last; ++i) {
            const auto numbers = out.span().subspan(i * k, k);
            const auto lengths = far.subspan(i * k, k);
            const std::size_t found =
                self.points.nearest(points[2 * i], points[2 * i + 1], k, numbers, lengths, asked.options)
                    .written;
            std::ranges::fill(numbers.subspan(found), kNoBody);
            std::ranges::fill(lengths.subspan(found), std::numeric_limits<double>::infinity());
          }
        });
    return Result<QueryResult>();
  });
  return result(ResultType::kNearestPoints, index_array(std::move(out), rows, asked.type, call.executor()),
                distances);
}

py::object nearest(const RankedObject& self, const py::object& points, const py::object& k,
                   const py::object& most_important, const py::object& any, const py::object& all,
                   const py::object& none, const py::object& ranges, double max_distance,
                   const py::object& dtype, const py::object& threads, const py::object& progress) {
  NearestAsked asked = {size_of(k, "k"), {}, index_type_of(dtype)};
  asked.options.filter = filter_of(any, all, none, ranges);
  asked.options.max_distance = max_distance;
  if (!most_important.is_none()) {
    asked.options.most_important = size_of(most_important, "most_important");
  }
  const Numbers<double> at(points, "points");
  const bool single = at.ndim() == 1;
  if ((!single && at.ndim() != 2) || at.shape(-1) != 2) {
    at.refuse_shape("Give one point, (2,), or many, (m, 2)");
  }
  const Reading reading(self);
  asked.k = std::min(asked.k, self.points.size());
  if (single) {
    return nearest_one(self, at.data(), asked);
  }
  Call call(threads, progress);
  return nearest_many(self, at.span(), asked, call);
}

}  // namespace

void bind_ranked_nearest(py::class_<RankedObject>& ranked) {
  using py::arg;
  ranked.def("nearest", &nearest, arg("points"), arg("k"), py::kw_only(), arg("most_important") = py::none(),
             arg("any") = 0, arg("all") = 0, arg("none") = 0, arg("ranges") = py::none(),
             arg("max_distance") = std::numeric_limits<double>::infinity(), arg("dtype") = py::none(),
             arg("threads") = py::none(), arg("progress") = py::none(), docs::kRankedNearest);
}

}  // namespace juxta::python
