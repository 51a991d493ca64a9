// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/check_positions.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "agents/wrap.h"

namespace juxta::agents_detail {
namespace {

/// Of some rows on one axis.
struct Range {
  float lo = std::numeric_limits<float>::infinity();
  float hi = -std::numeric_limits<float>::infinity();
  bool finite = true;
};

/// Lane by lane, which the compiler makes vectors of: one chain of operations would take four times as long.
Range range_of(const float* x, std::size_t first, std::size_t last) noexcept {
  constexpr std::size_t kLanes = 16;
  std::array<float, kLanes> lo, hi, sum{};  // a sum is NaN when a number is NaN or infinite: x - x is then
  lo.fill(std::numeric_limits<float>::infinity());
  hi.fill(-std::numeric_limits<float>::infinity());
  const auto note = [&](std::size_t lane, float value) {
    lo[lane] = value < lo[lane] ? value : lo[lane];
    hi[lane] = value > hi[lane] ? value : hi[lane];
    sum[lane] += value - value;
  };
  for (; first + kLanes <= last; first += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      note(lane, x[first + lane]);
    }
  }
  for (; first < last; ++first) {
    note(0, x[first]);
  }
  Range range;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    range.lo = std::min(range.lo, lo[lane]);
    range.hi = std::max(range.hi, hi[lane]);
    range.finite = range.finite && sum[lane] == 0;
  }
  return range;
}

tl::unexpected<Error> refuse(const PopulationStore& store, ErrorCode code, std::size_t row,
                             const std::string& what) {
  const Id id = store.ids.id_of(static_cast<std::uint32_t>(row));
  return fail(code,
              "sort: agent {" + std::to_string(id.slot) + ", " + std::to_string(id.generation) + "} of '" +
                  store.name + "' " + what,
              row);
}

/// The first row that is to blame; called only when there is one.
Error blame(const PopulationStore& store) {
  for (std::size_t row = 0; row < store.size(); ++row) {
    for (std::uint32_t a = 0; a < store.world.dimensions; ++a) {
      const float x = store.position(a)[row];
      if (!std::isfinite(x)) {
        return refuse(store, ErrorCode::kNotFinite, row, std::string("has no finite ") + "xyz"[a]).value();
      }
      if (store.world.edges[a] == Edge::kWall && !(x >= store.world.lo[a] && x <= store.world.hi[a])) {
        return refuse(store, ErrorCode::kInvalidArgument, row,
                      std::string("stands outside the walls on ") + "xyz"[a] + ": keep agents inside")
            .value();
      }
      if (store.extents != Column<float>::kNone) {
        const float extent = store.columns[store.extents + a].as<float>()[row];
        if (!(extent >= 0 && std::isfinite(extent))) {
          return refuse(store, ErrorCode::kInvalidArgument, row,
                        std::string("has an extent on ") + "xyz"[a] + " that is no number from 0 on")
              .value();
        }
      }
    }
  }
  return Error{ErrorCode::kNotFinite, "sort: a position is not finite"};
}

/// Of all rows, task by task.
Range range_of(const float* x, std::size_t rows, Workspace& scratch, const Executor& executor) {
  const Workspace::Scope scope(scratch);
  const std::size_t tasks = (rows + kManyRows - 1) / kManyRows;
  const std::span<Range> ranges = scratch.take<Range>(tasks);
  executor.parallel_for(rows, kManyRows, [&](std::size_t first, std::size_t last) {
    ranges[first / kManyRows] = range_of(x, first, last);
  });
  Range all;
  for (const Range& range : ranges) {
    all.lo = std::min(all.lo, range.lo);
    all.hi = std::max(all.hi, range.hi);
    all.finite = all.finite && range.finite;
  }
  return all;
}

/// Task by task, so that any executor adds in one order.
float mean_of(const float* x, std::size_t rows, Workspace& scratch, const Executor& executor) {
  const Workspace::Scope scope(scratch);
  const std::span<double> sums = scratch.take<double>((rows + kManyRows - 1) / kManyRows);
  executor.parallel_for(rows, kManyRows, [&](std::size_t first, std::size_t last) {
    sums[first / kManyRows] = std::accumulate(x + first, x + last, 0.0);
  });
  return static_cast<float>(std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(rows));
}

}  // namespace

Places places_of(const PopulationStore& store) noexcept {
  Places places;
  places.count = store.size();
  for (std::uint32_t a = 0; a < store.world.dimensions; ++a) {
    places.position[a] = store.position(a);
    if (store.extents != Column<float>::kNone) {
      places.extents[a] = store.columns[store.extents + a].as<float>();
    }
  }
  return places;
}

Result<Extent> check_positions(PopulationStore& store, const Places& places, const Executor& executor) {
  Extent extent;
  const std::size_t count = extent.agents = places.count;
  for (std::uint32_t a = 0; a < store.world.dimensions; ++a) {
    const bool wraps = store.world.edges[a] == Edge::kPeriodic, wall = store.world.edges[a] == Edge::kWall;
    if (wraps) {  // where nobody is too
      extent.bounds.lo[a] = store.world.lo[a];
      extent.bounds.hi[a] = store.world.hi[a];
    }
    if (count == 0) {
      continue;
    }
    const Range range = range_of(places.position[a], count, store.scratch, executor);
    if (!range.finite || (wall && (range.lo < store.world.lo[a] || range.hi > store.world.hi[a]))) {
      return tl::unexpected(blame(store));
    }
    if (!wraps) {
      extent.bounds.lo[a] = range.lo;
      extent.bounds.hi[a] = range.hi;
    }
    extent.magnitude =
        std::max({extent.magnitude, std::abs(extent.bounds.lo[a]), std::abs(extent.bounds.hi[a])});
    if (places.extents[a] != nullptr) {
      const Range sizes = range_of(places.extents[a], count, store.scratch, executor);
      if (!sizes.finite || sizes.lo < 0) {
        return tl::unexpected(blame(store));
      }
      extent.largest[a] = sizes.hi;
      extent.mean[a] = mean_of(places.extents[a], count, store.scratch, executor);
    }
  }
  return extent;
}

void wrap_positions(PopulationStore& store, const Executor& executor) noexcept {
  for (std::uint32_t a = 0; a < store.world.dimensions; ++a) {
    if (store.world.edges[a] != Edge::kPeriodic) {
      continue;
    }
    float* const x = store.columns[a].as<float>();
    const float lo = store.world.lo[a], hi = store.world.hi[a];
    executor.parallel_for(store.size(), kManyRows, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        if (!(x[i] >= lo && x[i] < hi)) {
          x[i] = wrapped(x[i], lo, hi);
        }
      }
    });
  }
}

}  // namespace juxta::agents_detail
