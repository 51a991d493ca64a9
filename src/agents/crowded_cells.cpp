// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/crowded_cells.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>

#include "agents/number_cells.h"
#include "agents/plan_grid.h"
#include "order/sort_cells.h"

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
struct Buffers {
  std::span<std::uint32_t> order, rows, numbers;
  std::span<std::uint32_t> begins;  // kCellsPerAgent times as long, and one
  std::span<Run> runs;              // one for kOrderedInside agents
};

/// Of the agents in each cell: the sum of squares, and the most.
struct Counts {
  std::uint64_t squares = 0;
  std::uint32_t most = 0;

  void add(std::uint32_t agents) noexcept {
    squares += std::uint64_t{agents} * agents;
    most = std::max(most, agents);
  }
  /// How many stand in the cell of a mean agent.
  [[nodiscard]] double company(std::size_t agents) const noexcept {
    return static_cast<double>(squares) / static_cast<double>(agents);
  }
  /// Some cells of a cell of so many agents are crowded in turn, unless all stand in one.
  [[nodiscard]] bool have_crowds(std::size_t agents) const noexcept {
    return most > kOrderedInside && most < agents;
  }
};

/// The agents of one cell.
class Inside {
 public:
  Inside(const Places& places, std::uint32_t dimensions, const Buffers& buffers, Run cell) noexcept
      : places_(places), dimensions_(dimensions), buffers_(buffers), cell_(cell) {
    const std::size_t count = cell.last - cell.first, run = cell.first / kOrderedInside;
    order_ = buffers.order.subspan(cell.first, count);
    rows_ = buffers.rows.subspan(cell.first, count);
    numbers_ = buffers.numbers.subspan(cell.first, count);
    runs_ = buffers.runs.subspan(run, cell.last / kOrderedInside - run);
  }

  void sort() noexcept {
    std::copy(order_.begin(), order_.end(), rows_.begin());
    const Extent extent = extent_of(rows_, places_, dimensions_);
    Counts counts = count(plan_inside(extent, dimensions_, 1));
    if (const double company = counts.company(order_.size()); company > kUneven) {
      counts = count(plan_inside(extent, dimensions_, company - 1));  // some of the cell is empty
    }
    std::exclusive_scan(begins_.begin(), begins_.end(), begins_.begin(), 0U);
    for (std::size_t i = 0; i < order_.size(); ++i) {
      order_[begins_[numbers_[i]]++] = rows_[i];
    }
    if (counts.have_crowds(order_.size())) {
      sort_crowds();
    }
  }

 private:
  Counts count(const std::array<GridAxis, 3>& axis) noexcept {
    const auto row_of = [this](std::size_t i) { return rows_[i]; };
    using RowOf = decltype(row_of);
    (dimensions_ == 3 ? number_cells<true, RowOf> : number_cells<false, RowOf>)(axis, true, places_, row_of,
                                                                                numbers_.data(), 0,
                                                                                order_.size());
    begins_ = buffers_.begins.subspan(cell_.first * kCellsPerAgent,
                                      std::size_t{axis[0].cells} * axis[1].cells * axis[2].cells);
    std::fill(begins_.begin(), begins_.end(), 0U);
    for (const std::uint32_t number : numbers_) {
      ++begins_[number];
    }
    Counts counts;
    for (const std::uint32_t agents : begins_) {
      counts.add(agents);
    }
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
      Inside(places_, dimensions_, buffers_, runs_[count]).sort();
    }
  }

  const Places& places_;
  std::uint32_t dimensions_;
  const Buffers& buffers_;
  Run cell_;
  std::span<std::uint32_t> order_, rows_, numbers_, begins_;
  std::span<Run> runs_;
};

/// A large one, by all threads: the order is the one that Inside would make.
class LargeCell {
 public:
  LargeCell(const Places& places, std::uint32_t dimensions, const Buffers& buffers, Run cell,
            Workspace& scratch, const Executor& executor)
      : places_(places),
        dimensions_(dimensions),
        buffers_(buffers),
        cell_(cell),
        scope_(scratch),
        scratch_(scratch),
        executor_(executor),
        permutation_(scratch.take<std::uint32_t>(size())) {}

  /// Calls crowd(run) for what is to be sorted in turn.
  template <class Crowd>
  void sort(Crowd&& crowd) {
    const std::span<std::uint32_t> order = part_of(buffers_.order), rows = part_of(buffers_.rows);
    for_each([&](std::size_t i) { rows[i] = order[i]; });
    const Extent extent = extent_of_all();
    Counts counts = place(plan_inside(extent, dimensions_, 1));
    if (const double company = counts.company(size()); company > kUneven) {
      counts = place(plan_inside(extent, dimensions_, company - 1));
    }
    for_each([&](std::size_t i) { order[i] = rows[permutation_[i]]; });
    for (std::size_t c = 0; counts.have_crowds(size()) && c + 1 < begins_.size(); ++c) {
      if (begins_[c + 1] - begins_[c] > kOrderedInside) {
        crowd(Run{cell_.first + begins_[c], cell_.first + begins_[c + 1]});
      }
    }
  }

 private:
  [[nodiscard]] std::size_t size() const noexcept { return cell_.last - cell_.first; }
  [[nodiscard]] std::span<std::uint32_t> part_of(std::span<std::uint32_t> all) const noexcept {
    return all.subspan(cell_.first, size());
  }
  template <class Body>
  void for_each(Body&& body) const {
    executor_.parallel_for(size(), kManyRows, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        body(i);
      }
    });
  }

  [[nodiscard]] Extent extent_of_all() {
    const std::span<const std::uint32_t> rows = part_of(buffers_.rows);
    const std::span<Bounds> parts = scratch_.take<Bounds>((size() + kManyRows - 1) / kManyRows);
    executor_.parallel_for(parts.size(), 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t part = first; part < last; ++part) {
        const std::size_t at = part * kManyRows;
        parts[part] =
            extent_of(rows.subspan(at, std::min(kManyRows, size() - at)), places_, dimensions_).bounds;
      }
    });
    Extent extent;
    extent.agents = size();
    extent.bounds = parts.front();
    for (const Bounds& part : parts) {
      for (std::uint32_t a = 0; a < dimensions_; ++a) {
        extent.bounds.lo[a] = std::min(extent.bounds.lo[a], part.lo[a]);
        extent.bounds.hi[a] = std::max(extent.bounds.hi[a], part.hi[a]);
      }
    }
    return extent;
  }

  /// permutation_[i] is the row of `rows` that comes i-th, in the order of these cells.
  Counts place(const std::array<GridAxis, 3>& axis) {
    const std::span<std::uint32_t> rows = part_of(buffers_.rows), numbers = part_of(buffers_.numbers);
    const auto row_of = [rows](std::size_t i) { return rows[i]; };
    using RowOf = decltype(row_of);
    executor_.parallel_for(size(), kManyRows, [&](std::size_t first, std::size_t last) {
      (dimensions_ == 3 ? number_cells<true, RowOf> : number_cells<false, RowOf>)(axis, true, places_, row_of,
                                                                                  numbers.data(), first,
                                                                                  last);
    });
    const std::size_t cells = std::size_t{axis[0].cells} * axis[1].cells * axis[2].cells;
    begins_ = buffers_.begins.subspan(cell_.first * kCellsPerAgent, cells + 1);
    order_detail::sort_cells(numbers, begins_, permutation_, scratch_, executor_);
    return counts_of(cells);
  }

  [[nodiscard]] Counts counts_of(std::size_t cells) const {
    std::atomic<std::uint64_t> squares = 0;
    std::atomic<std::uint32_t> most = 0;
    executor_.parallel_for(cells, kManyRows * kCellsPerAgent, [&](std::size_t first, std::size_t last) {
      Counts some;
      for (std::size_t c = first; c < last; ++c) {
        some.add(begins_[c + 1] - begins_[c]);
      }
      squares.fetch_add(some.squares, std::memory_order_relaxed);
      for (std::uint32_t known = most.load(std::memory_order_relaxed);
           known < some.most && !most.compare_exchange_weak(known, some.most, std::memory_order_relaxed);) {
      }
    });
    return {squares.load(std::memory_order_relaxed), most.load(std::memory_order_relaxed)};
  }

  const Places& places_;
  std::uint32_t dimensions_;
  const Buffers& buffers_;
  Run cell_;
  Workspace::Scope scope_;
  Workspace& scratch_;
  const Executor& executor_;
  std::span<std::uint32_t> permutation_, begins_;
};

/// The least cell that takes longer on one thread than all cells do if they are sorted one after the other,
/// by as many threads as there are tasks in such a cell.
std::size_t worth_all_threads(std::span<const Run> cells, const Executor& executor) {
  std::size_t all = 0, most = 0;
  for (const Run& cell : cells) {
    all += cell.last - cell.first;
    most = std::max<std::size_t>(most, cell.last - cell.first);
  }
  // With fewer agents, threads wait for each other as long as they sort.
  constexpr std::size_t kLeast = 8 * kManyRows;
  if (&executor == &serial_executor() || most < kLeast) {
    return most + 1;
  }
  const auto enough = static_cast<std::size_t>(std::sqrt(static_cast<double>(all * kManyRows)));
  return std::max({kLeast, all / usable_threads() + 1, enough});
}

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
  order_crowded_cells(cells, places, dimensions, order, scratch, executor,
                      worth_all_threads(cells, executor));
}

void order_crowded_cells(std::span<const Run> cells, const Places& places, std::uint32_t dimensions,
                         std::span<std::uint32_t> order, Workspace& scratch, const Executor& executor,
                         std::size_t together) {
  const Workspace::Scope scope(scratch);
  const auto take = [&](std::size_t count) { return scratch.take<std::uint32_t>(count); };
  const std::size_t agents = order.size(), runs = agents / kOrderedInside;
  const Buffers buffers{order, take(agents), take(agents), take(agents * kCellsPerAgent + 1),
                        scratch.take<Run>(runs)};
  const std::span<Run> small = scratch.take<Run>(runs), large = scratch.take<Run>(agents / together);
  std::size_t small_count = 0, large_count = 0;
  const auto add = [&](const Run& cell) {
    (cell.last - cell.first < together ? small[small_count++] : large[large_count++]) = cell;
  };
  std::for_each(cells.begin(), cells.end(), add);
  while (large_count > 0) {
    LargeCell(places, dimensions, buffers, large[--large_count], scratch, executor).sort(add);
  }
  executor.parallel_for(small_count, 1, [&](std::size_t from, std::size_t to) {
    for (const Run& cell : small.subspan(from, to - from)) {
      Inside(places, dimensions, buffers, cell).sort();
    }
  });
}

}  // namespace juxta::agents_detail
