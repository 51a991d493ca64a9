// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.LiveRankedPoints and juxta.RankedSnapshot. All calls of the first may run at once: it locks where it
// must. A snapshot serves one thread at a time.
#include "juxta/ranked/live_points.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bind.h"
#include "boxes.h"
#include "call.h"
#include "columns.h"
#include "guard.h"
#include "ids.h"
#include "outputs.h"
#include "ranked_docs.h"
#include "ranked_live_docs.h"
#include "ranked_live_object.h"
#include "ranked_questions.h"
#include "threads.h"

namespace juxta::python {
namespace {

/// Points as a caller gives them: columns, or one number for each of them.
class PointsGiven {
 public:
  PointsGiven(const py::object& x, const py::object& y, const py::object& rank, const py::object& categories,
              const py::object& values)
      : single_(is_number(x)),
        coordinates_(coordinate_columns(row(x), "x", row(y), "y")),
        ranks_(rank_column(row(rank), "rank")),
        masks_(masks_of(categories.is_none() ? categories : row(categories))),
        numbers_(value_columns(rows(values))),
        values_(as_values(numbers_)) {}

  [[nodiscard]] bool single() const noexcept { return single_; }
  [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(coordinates_.first.size()); }
  [[nodiscard]] RankedColumns columns() const {
    return {as_coordinates(coordinates_.first),
            as_coordinates(coordinates_.second),
            as_ranks(ranks_),
            {masks_.data(), static_cast<std::size_t>(masks_.size())},
            values_};
  }

  /// Each element of a list as a row.
  static py::object rows(const py::object& values) {
    if (!py::isinstance<py::sequence>(values)) {
      return values;
    }
    py::list made;
    for (const py::handle column : values) {
      made.append(row(py::reinterpret_borrow<py::object>(column)));
    }
    return made;
  }
  static bool is_number(const py::object& value) {
    const py::array any = py::array::ensure(value);
    return any && any.ndim() == 0;
  }
  /// One number as a row of one.
  static py::object row(const py::object& value) {
    return is_number(value) ? py::object(py::array::ensure(value).reshape({1})) : value;
  }

 private:
  bool single_;
  std::pair<py::array, py::array> coordinates_;
  py::array ranks_;
  Masks masks_;
  std::vector<py::array> numbers_;
  std::vector<ValueColumn> values_;  // the same, borrowed
};

LiveSync sync_of(bool to_disk) {
  return to_disk ? LiveSync::kDisk : LiveSync::kProgram;
}

std::unique_ptr<LiveObject> build(const py::object& x, const py::object& y, const py::object& rank,
                                  const py::object& categories, const py::object& values, bool background,
                                  bool sync, const py::object& threads, const py::object& progress) {
  const PointsGiven given(x, y, rank, categories, values);
  std::shared_ptr<const Executor> executor = executor_for(threads);
  Call call(threads, progress);
  LiveRankedPoints made = call.run([&, columns = given.columns()](const Context& context) {
    return LiveRankedPoints::build(
        columns,
        {.merge_in_background = background, .merging = {.executor = executor.get()}, .sync = sync_of(sync)},
        context);
  });
  return std::make_unique<LiveObject>(std::move(executor), std::move(made));
}

std::unique_ptr<LiveObject> open(const py::object& path, bool background, bool sync,
                                 const py::object& threads) {
  const std::string file = path_of(path);
  std::shared_ptr<const Executor> executor = executor_for(threads);
  LiveRankedPoints made = unwrap(Call::released([&] {
    return LiveRankedPoints::open(
        file,
        {.merge_in_background = background, .merging = {.executor = executor.get()}, .sync = sync_of(sync)});
  }));
  return std::make_unique<LiveObject>(std::move(executor), std::move(made));
}

void keep(LiveObject& self, const py::object& path, const py::object& threads, const py::object& progress) {
  const std::string file = path_of(path);
  const Reading held(self);
  Call call(threads, progress);
  call.run([&](const Context& context) { return self.points.keep(file, context); });
}

py::object insert(LiveObject& self, const py::object& x, const py::object& y, const py::object& rank,
                  const py::object& categories, const py::object& values) {
  const PointsGiven given(x, y, rank, categories, values);
  std::vector<Id> ids(given.count());
  const Reading held(self);
  unwrap(Call::released([&, columns = given.columns()] { return self.points.insert(columns, ids); }));
  return given.single() ? py::object(py::int_(number_of(ids[0]))) : py::object(id_array(ids));
}

void remove(LiveObject& self, const py::object& names) {
  const IdsIn ids(names, "ids");
  const Reading held(self);
  unwrap(Call::released([&] { return self.points.remove(ids.span()); }));
}

void move(LiveObject& self, const py::object& names, const py::object& x, const py::object& y) {
  const IdsIn ids(names, "ids");
  const auto [xs, ys] = coordinate_columns(PointsGiven::row(x), "x", PointsGiven::row(y), "y");
  const Reading held(self);
  unwrap(Call::released([&, to_x = as_coordinates(xs), to_y = as_coordinates(ys)] {
    return self.points.move(ids.span(), to_x, to_y);
  }));
}

void set_rank(LiveObject& self, const py::object& names, const py::object& rank) {
  const IdsIn ids(names, "ids");
  const py::array ranks = rank_column(PointsGiven::row(rank), "rank");
  const Reading held(self);
  unwrap(Call::released([&, by = as_ranks(ranks)] { return self.points.set_rank(ids.span(), by); }));
}

void set_categories(LiveObject& self, const py::object& names, const py::object& categories) {
  const IdsIn ids(names, "ids");
  const Masks masks = masks_of(PointsGiven::row(categories));
  const std::span<const std::uint64_t> bits(masks.data(), static_cast<std::size_t>(masks.size()));
  const Reading held(self);
  unwrap(Call::released([&] { return self.points.set_categories(ids.span(), bits); }));
}

void set_value(LiveObject& self, const py::object& names, const py::object& column,
               const py::object& values) {
  const IdsIn ids(names, "ids");
  const py::array numbers = rank_column(PointsGiven::row(values), "values");
  const std::size_t which = size_of(column, "column");
  const Reading held(self);
  unwrap(
      Call::released([&, to = as_ranks(numbers)] { return self.points.set_value(ids.span(), which, to); }));
}

py::object number_of_value(const RankValue& number) {
  return number.is_integer() ? py::object(py::int_(number.integer())) : py::float_(number.real());
}

py::object find(const LiveObject& self, const py::object& name) {
  const IdsIn id(name, "id");
  if (!id.single()) {
    throw py::value_error("id is many: give one");
  }
  const Reading held(self);
  const RankedPoint found = unwrap(Call::released([&] { return self.points.find(id[0]); }));
  const py::object rank = number_of_value(found.rank);
  switch (self.points.value_columns()) {
    case 0:
      return py::make_tuple(found.x, found.y, rank, found.categories);
    case 1:
      return py::make_tuple(found.x, found.y, rank, found.categories, number_of_value(found.values[0]));
    default:
      return py::make_tuple(found.x, found.y, rank, found.categories, number_of_value(found.values[0]),
                            number_of_value(found.values[1]));
  }
}

/// The most that can be found: k, or all points.
std::size_t most_of(const py::object& k, const RankedSnapshot& now) {
  return std::min(size_of(k, "k"), now.size());
}

py::object top_one(const RankedSnapshot& now, const RankedRegion& region, std::size_t k,
                   const RankedFilter& filter, const std::optional<PageEnd>& after) {
  std::vector<Id> out(k);
  const QueryResult found = unwrap(Call::released([&]() -> Result<QueryResult> {
    return after ? now.top_after({after->rank, id_from(after->number).slot}, region, k, out, filter)
                 : now.top(region, k, out, filter);
  }));
  return id_array(std::span(out).first(found.written));
}

py::object top_in(const RankedSnapshot& now, const py::object& rects, const py::object& most,
                  const py::object& any, const py::object& all, const py::object& none,
                  const py::object& ranges, const py::object& after) {
  const std::size_t k = most_of(most, now);
  const RankedFilter filter = filter_of(any, all, none, ranges);
  const std::optional<PageEnd> end = page_end_of(after, ~std::uint64_t{0}, "id");
  if (py::isinstance<RegionObject>(rects)) {
    return top_one(now, rects.cast<const RegionObject&>().region, k, filter, end);
  }
  const BoxesIn<double> boxes(rects, "rects", 2);
  if (boxes.single()) {
    return top_one(now, RankedRegion::rect(boxes.as_rects()[0]), k, filter, end);
  }
  if (end) {
    throw py::value_error("after goes with one rectangle, and rects are many");
  }
  auto out = new_array<std::uint64_t>(boxes.count(), k);
  std::uint64_t* const to = out.mutable_data();
  Call::released([&] {
    std::vector<Id> row(k);
    for (std::size_t i = 0; i < boxes.count(); ++i) {
      const std::size_t written = now.top(boxes.as_rects()[i], k, row, filter).written;
      std::fill(row.begin() + static_cast<std::ptrdiff_t>(written), row.end(), Id{});
      std::ranges::transform(row, to + i * k, number_of);
    }
  });
  return out;
}

py::object count_in(const RankedSnapshot& now, const py::object& rects, const py::object& any,
                    const py::object& all, const py::object& none, const py::object& ranges) {
  const RankedFilter filter = filter_of(any, all, none, ranges);
  if (py::isinstance<RegionObject>(rects)) {
    const RankedRegion& region = rects.cast<const RegionObject&>().region;
    return py::int_(Call::released([&] { return now.count(region, filter).found; }));
  }
  const BoxesIn<double> boxes(rects, "rects", 2);
  std::vector<std::int64_t> counts(boxes.count());
  Call::released([&] {
    std::ranges::transform(boxes.as_rects(), counts.begin(), [&](const RectD& rect) {
      return static_cast<std::int64_t>(now.count(rect, filter).found);
    });
  });
  if (boxes.single()) {
    return py::int_(counts[0]);
  }
  auto wide = new_array<std::int64_t>(counts.size());
  std::ranges::copy(counts, wide.mutable_data());
  return wide;
}

template <class Read>
auto reading(Read&& read) {
  return [read](const LiveObject& self) {
    const Reading held(self);
    return read(self.points);
  };
}

void bind_snapshot(py::module_& module) {
  using py::arg;
  py::class_<SnapshotObject> snapshot(module, "RankedSnapshot", docs::kRankedSnapshot);
  snapshot
      .def(
          "top",
          [](const SnapshotObject& self, const py::object& rects, const py::object& k, const py::object& any,
             const py::object& all, const py::object& none, const py::object& ranges,
             const py::object& after) {
            const Writing alone(self);
            return top_in(self.snapshot, rects, k, any, all, none, ranges, after);
          },
          arg("rects"), arg("k"), py::kw_only(), arg("any") = 0, arg("all") = 0, arg("none") = 0,
          arg("ranges") = py::none(), arg("after") = py::none(), docs::kLiveTop)
      .def(
          "count",
          [](const SnapshotObject& self, const py::object& rects, const py::object& any,
             const py::object& all, const py::object& none, const py::object& ranges) {
            const Writing alone(self);
            return count_in(self.snapshot, rects, any, all, none, ranges);
          },
          arg("rects"), py::kw_only(), arg("any") = 0, arg("all") = 0, arg("none") = 0,
          arg("ranges") = py::none(), docs::kLiveCount)
      .def("__len__", [](const SnapshotObject& self) {
        const Reading held(self);
        return self.snapshot.size();
      });
  bind_live_places(snapshot);
}

}  // namespace

void bind_ranked_live(py::module_& module) {
  using py::arg;
  bind_snapshot(module);
  py::class_<LiveObject> live(module, "LiveRankedPoints", docs::kLivePoints);
  bind_live_places(live);
  live.def(py::init(&build), arg("x"), arg("y"), arg("rank"), py::kw_only(), arg("categories") = py::none(),
           arg("values") = py::none(), arg("background") = true, arg("sync") = false,
           arg("threads") = py::none(), arg("progress") = py::none(), docs::kLiveInit)
      .def_static("open", &open, arg("path"), py::kw_only(), arg("background") = true, arg("sync") = false,
                  arg("threads") = py::none(), docs::kLiveOpen)
      .def("keep", &keep, arg("path"), py::kw_only(), arg("threads") = py::none(),
           arg("progress") = py::none(), docs::kLiveKeep)
      .def(
          "sync",
          [](LiveObject& self) {
            const Reading held(self);
            unwrap(Call::released([&] { return self.points.sync(); }));
          },
          docs::kLiveSync)
      .def("insert", &insert, arg("x"), arg("y"), arg("rank"), py::kw_only(), arg("categories") = py::none(),
           arg("values") = py::none(), docs::kLiveInsert)
      .def("remove", &remove, arg("ids"), docs::kLiveRemove)
      .def("move", &move, arg("ids"), arg("x"), arg("y"), docs::kLiveMove)
      .def("set_rank", &set_rank, arg("ids"), arg("rank"), docs::kLiveSetRank)
      .def("set_categories", &set_categories, arg("ids"), arg("categories"), docs::kLiveSetCategories)
      .def("set_value", &set_value, arg("ids"), arg("column"), arg("values"), docs::kLiveSetValue)
      .def("find", &find, arg("id"), docs::kLiveFind)
      .def(
          "snapshot",
          [](const LiveObject& self) {
            const Reading held(self);
            return std::make_unique<SnapshotObject>(self.points.snapshot());
          },
          py::keep_alive<0, 1>(), docs::kLiveSnapshot)
      .def(
          "top",
          [](const LiveObject& self, const py::object& rects, const py::object& k, const py::object& any,
             const py::object& all, const py::object& none, const py::object& ranges,
             const py::object& after) {
            const Reading held(self);
            return top_in(self.points.snapshot(), rects, k, any, all, none, ranges, after);
          },
          arg("rects"), arg("k"), py::kw_only(), arg("any") = 0, arg("all") = 0, arg("none") = 0,
          arg("ranges") = py::none(), arg("after") = py::none(), docs::kLiveTop)
      .def(
          "count",
          [](const LiveObject& self, const py::object& rects, const py::object& any, const py::object& all,
             const py::object& none, const py::object& ranges) {
            const Reading held(self);
            return count_in(self.points.snapshot(), rects, any, all, none, ranges);
          },
          arg("rects"), py::kw_only(), arg("any") = 0, arg("all") = 0, arg("none") = 0,
          arg("ranges") = py::none(), docs::kLiveCount)
      .def(
          "merge",
          [](LiveObject& self, const py::object& threads, const py::object& progress) {
            const Reading held(self);
            Call call(threads, progress);
            call.run([&](const Context& context) { return self.points.merge(context); });
          },
          py::kw_only(), arg("threads") = py::none(), arg("progress") = py::none(), docs::kLiveMerge)
      .def_property_readonly("unmerged",
                             reading([](const LiveRankedPoints& points) { return points.unmerged(); }),
                             docs::kLiveUnmerged)
      .def_property_readonly("memory_bytes",
                             reading([](const LiveRankedPoints& points) { return points.memory_bytes(); }),
                             docs::kMemoryBytes)
      .def("__len__", reading([](const LiveRankedPoints& points) { return points.size(); }))
      .def("__repr__", reading([](const LiveRankedPoints& points) {
             return "<juxta.LiveRankedPoints of " + std::to_string(points.size()) + " points>";
           }));
}

}  // namespace juxta::python
