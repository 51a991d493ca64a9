// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/crowded_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "agents/number_cells.h"
#include "agents/plan_grid.h"

namespace juxta::agents_detail {
namespace {

constexpr std::size_t kCellsPerAgent = 4;

/// At least one cell, at most `most`, which is at least one, from lo to hi.
GridAxis axis_of(float lo, float hi, double cells, double most) noexcept {
  const double sound = cells > 1 ? std::floor(std::min({cells, most, kMostOnAxis})) : 1;
  GridAxis axis;
  axis.origin = lo;
  axis.cells = static_cast<std::uint32_t>(sound);
  axis.most = static_cast<float>(sound - 1);
  // In a world as small as the least floats all are in cell 0.
  constexpr double kMostInverse = std::numeric_limits<float>::max();
  axis.inverse = static_cast<float>(hi > lo ? std::min(sound / (double{hi} - lo), kMostInverse) : 0);
  return axis;
}

/// At most four cells an agent, in rows as high as sixteen agents are wide where they stand so many times as
/// densely as on average.
std::array<GridAxis, 3> plan_inside(const Extent& extent, std::uint32_t dimensions, double denser) noexcept {
  const auto agents = static_cast<double>(extent.agents);
  const double edge = room_of_sixteen(extent, dimensions, agents * denser);
  std::array<GridAxis, 3> axis;
  double rows = 1;
  for (std::uint32_t a = 1; a < dimensions; ++a) {
    const float lo = extent.bounds.lo[a], hi = extent.bounds.hi[a];
    axis[a] = axis_of(lo, hi, hi > lo ? (double{hi} - lo) / edge : 1, agents / rows);
    rows *= axis[a].cells;
  }
  axis[0] = axis_of(extent.bounds.lo[0], extent.bounds.hi[0], agents * denser / rows,
                    kCellsPerAgent * agents / rows);
  return axis;
}

Extent extent_of(std::span<const std::uint32_t> rows, const Places& places,
                 std::uint32_t dimensions) noexcept {
  Extent extent;
  extent.agents = rows.size();
  for (std::uint32_t a = 0; a < dimensions; ++a) {
    float lo = places.position[a][rows[0]], hi = lo;
    for (const std::uint32_t row : rows) {
      lo = std::min(lo, places.position[a][row]);
      hi = std::max(hi, places.position[a][row]);
    }
    extent.bounds.lo[a] = lo;
    extent.bounds.hi[a] = hi;
  }
  return extent;
}

/// The order, and what is needed beside it. A cell uses the part where its agents are.
struct Room {
  std::span<std::uint32_t> order, rows, numbers;
  std::span<std::uint32_t> begins;  // kCellsPerAgent times as long
  std::span<Run> runs;              // one for kOrderedInside agents
};

/// The agents of one cell.
class Inside {
 public:
  Inside(const Places& places, std::uint32_t dimensions, const Room& room, Run cell) noexcept
      : places_(places), dimensions_(dimensions), room_(room), cell_(cell) {
    const std::size_t count = cell.last - cell.first, run = cell.first / kOrderedInside;
    order_ = room.order.subspan(cell.first, count);
    rows_ = room.rows.subspan(cell.first, count);
    numbers_ = room.numbers.subspan(cell.first, count);
    runs_ = room.runs.subspan(run, cell.last / kOrderedInside - run);
  }

  void sort() noexcept {
    std::copy(order_.begin(), order_.end(), rows_.begin());
    const Extent extent = extent_of(rows_, places_, dimensions_);
    Counts counts = count(plan_inside(extent, dimensions_, 1));
    if (const double company = counts.squares / static_cast<double>(order_.size()); company > kUneven) {
      counts = count(plan_inside(extent, dimensions_, company - 1));  // some of the cell is empty
    }
    std::exclusive_scan(begins_.begin(), begins_.end(), begins_.begin(), 0U);
    for (std::size_t i = 0; i < order_.size(); ++i) {
      order_[begins_[numbers_[i]]++] = rows_[i];
    }
    if (counts.most > kOrderedInside && counts.most < order_.size()) {  // unless all stand in one
      sort_crowds();
    }
  }

 private:
  /// Of the agents in each cell: the sum of squares, and the most.
  struct Counts {
    double squares = 0;
    std::uint32_t most = 0;
  };
  Counts count(const std::array<GridAxis, 3>& axis) noexcept {
    const auto row_of = [this](std::size_t i) { return rows_[i]; };
    using RowOf = decltype(row_of);
    (dimensions_ == 3 ? number_cells<true, RowOf> : number_cells<false, RowOf>)(axis, true, places_, row_of,
                                                                                numbers_.data(), 0,
                                                                                order_.size());
    begins_ = room_.begins.subspan(cell_.first * kCellsPerAgent,
                                   std::size_t{axis[0].cells} * axis[1].cells * axis[2].cells);
    std::fill(begins_.begin(), begins_.end(), 0U);
    for (const std::uint32_t number : numbers_) {
      ++begins_[number];
    }
    Counts counts;
    std::uint64_t squares = 0;
    for (const std::uint32_t agents : begins_) {
      squares += std::uint64_t{agents} * agents;
      counts.most = std::max(counts.most, agents);
    }
    counts.squares = static_cast<double>(squares);
    return counts;
  }
  /// Cells of the cell that are crowded in turn.
  void sort_crowds() noexcept {
    std::size_t count = 0;
    std::uint32_t begin = 0;
    for (const std::uint32_t end : begins_) {  // they have moved on to the ends
      if (end - begin > kOrderedInside) {
        runs_[count++] = {cell_.first + begin, cell_.first + end};
      }
      begin = end;
    }
    while (count-- > 0) {  // the last first: it writes its own runs behind those that are left
      Inside(places_, dimensions_, room_, runs_[count]).sort();
    }
  }

  const Places& places_;
  std::uint32_t dimensions_;
  const Room& room_;
  Run cell_;
  std::span<std::uint32_t> order_, rows_, numbers_, begins_;
  std::span<Run> runs_;
};

template <class Visit>
void for_each_crowded(std::span<const std::uint32_t> begins, Visit&& visit) {
  for (std::size_t cell = 0; cell + 1 < begins.size(); ++cell) {
    if (begins[cell + 1] - begins[cell] > kOrderedInside) {
      visit(Run{begins[cell], begins[cell + 1]});
    }
  }
}
template <class Visit>
void for_each_crowded(std::span<const std::uint64_t> keys, Visit&& visit) {
  for (std::size_t first = 0, last = 0; first < keys.size(); first = last) {
    while (last < keys.size() && keys[last] == keys[first]) {
      ++last;
    }
    if (last - first > kOrderedInside) {
      visit(Run{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)});
    }
  }
}

template <class Cells>
std::span<const Run> find(const Cells& cells, std::size_t agents, Workspace& scratch) {
  const std::span<Run> runs = scratch.take<Run>(agents / kOrderedInside);
  std::size_t count = 0;
  for_each_crowded(cells, [&](const Run& run) { runs[count++] = run; });
  return runs.first(count);
}

}  // namespace

std::span<const Run> find_crowded_cells(std::span<const std::uint32_t> begins, Workspace& scratch) {
  return find(begins, begins.back() - begins.front(), scratch);
}
std::span<const Run> find_crowded_cells(std::span<const std::uint64_t> keys, Workspace& scratch) {
  return find(keys, keys.size(), scratch);
}

void order_crowded_cells(std::span<const Run> cells, const Places& places, std::uint32_t dimensions,
                         std::span<std::uint32_t> order, Workspace& scratch, const Executor& executor) {
  const Workspace::Scope scope(scratch);
  const auto take = [&](std::size_t each) { return scratch.take<std::uint32_t>(order.size() * each); };
  const Room room{order, take(1), take(1), take(kCellsPerAgent),
                  scratch.take<Run>(order.size() / kOrderedInside)};
  executor.parallel_for(cells.size(), 1, [&](std::size_t from, std::size_t to) {
    for (const Run& cell : cells.subspan(from, to - from)) {
      Inside(places, dimensions, room, cell).sort();
    }
  });
}

}  // namespace juxta::agents_detail
