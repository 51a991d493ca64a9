// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Agents that are seen are put into cells as wide as the radius, or wider where they are few. Seers look into
// the cells around their own.
//
// Per seen:  a row listed, a cell, a place in its order. Per cell: 5 bytes, counted, summed and marked.
#include "juxta/agents/count_near.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <utility>

#include "agents/columns_of_pass.h"
#include "agents/count_kernel.h"
#include "agents/store.h"
#include "juxta/core/executor.h"
#include "juxta/core/isa.h"
#include "juxta/core/try.h"

namespace juxta {
namespace agents_detail {
namespace {

constexpr std::size_t kSeersOfCount = 2048;
/// Cells are wider than the reach by so much that rounding never hides one behind the next.
constexpr float kRoom = 1.01F;
constexpr std::int32_t kMostCellsOfAxis = 2048;
/// Cells for one that is seen, for one that sees, and for all: each costs about a nanosecond.
constexpr std::size_t kCellsOfSeen = 4, kCellsAtLeast = 1024;
constexpr std::size_t kMostCellsOfCount = std::size_t{1} << 30;  // cells have numbers of 32 bits

Result<RowsWhere> rows_where(const PopulationStore& store, const Where& where) {
  if (where.column.index == Column<float>::kNone) {
    return RowsWhere{nullptr, where.least, where.most};
  }
  if (where.column.index >= store.columns.size() ||
      (store.columns[where.column.index].kind != ColumnKind::kFloat &&
       store.columns[where.column.index].kind != ColumnKind::kResult)) {
    return fail(ErrorCode::kInvalidArgument,
                "count_near: the column of a Where is none of floats of '" + store.name + "'");
  }
  return RowsWhere{store.columns[where.column.index].as<float>(), where.least, where.most};
}

Result<std::uint32_t> check_count(const PopulationStore& seers, const PopulationStore& seen, float radius,
                                  std::string_view into) {
  if (!(radius > 0) || !std::isfinite(radius) || !std::isfinite(radius * radius)) {
    return fail(ErrorCode::kInvalidArgument,
                "count_near: radius must be a finite number above 0, at most 1.8e19");
  }
  if (seers.family != seen.family) {
    return fail(ErrorCode::kInvalidArgument, "count_near: the two populations are of two simulations");
  }
  const World& world = seen.world;
  const auto* const end = world.edges.data() + world.dimensions;
  if (std::find(world.edges.data(), end, Edge::kPeriodic) != end || seen.distribution ||
      seen.extents != Column<float>::kNone || seers.extents != Column<float>::kNone) {
    return fail(ErrorCode::kInvalidArgument,
                "count_near: not for periodic worlds, agents with sizes or several ranks; use sort() and "
                "reduce()");
  }
  JUXTA_TRY(active_isa());
  JUXTA_TRY_LET(const std::uint32_t column, find_float_column(seers, into, "count_near"));
  if (seers.is_place(column)) {
    return fail(ErrorCode::kInvalidArgument,
                "count_near: column '" + std::string(into) + "' says where agents are, and cannot be filled");
  }
  return column;
}

bool is_somewhere(const PopulationStore& store, std::uint32_t row) noexcept {
  bool finite = true;
  for (std::uint32_t a = 0; a < store.world.dimensions; ++a) {
    finite = finite && std::isfinite(store.position(a)[row]);
  }
  return finite;
}

/// Cells around all that are seen: as wide as the reach, wider where that would be many.
void plan_cells(CountTask& task, const PopulationStore& seen, std::span<const std::uint32_t> rows,
                std::size_t seers) {
  std::array<float, 3> wide{};
  task.axes = {{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}}};
  for (std::uint32_t a = 0; a < task.dimensions; ++a) {
    const float* const position = seen.position(a);
    float lo = position[rows[0]], hi = lo;
    for (const std::uint32_t row : rows) {
      lo = std::min(lo, position[row]);
      hi = std::max(hi, position[row]);
    }
    wide[a] = hi - lo;
    task.axes[a].origin = lo;
    const float fit = wide[a] / (task.reach * kRoom);
    task.axes[a].cells =
        fit < kMostCellsOfAxis ? std::max(1, static_cast<std::int32_t>(fit)) : kMostCellsOfAxis;
  }
  const std::size_t most =
      std::min(std::max({kCellsAtLeast, seers, rows.size() * kCellsOfSeen}), kMostCellsOfCount);
  const auto cells = [&](std::uint32_t a) -> std::int32_t& { return task.axes[a].cells; };
  while (static_cast<std::size_t>(cells(0)) * static_cast<std::size_t>(cells(1)) *
             static_cast<std::size_t>(cells(2)) >
         most) {
    std::uint32_t finest = 0;
    for (std::uint32_t a = 1; a < task.dimensions; ++a) {
      finest = cells(a) > cells(finest) ? a : finest;
    }
    cells(finest) = (cells(finest) + 1) / 2;
  }
  for (std::uint32_t a = 0; a < task.dimensions; ++a) {
    const bool splits = task.axes[a].cells > 1 && std::isfinite(wide[a]);
    task.axes[a].cells = splits ? task.axes[a].cells : 1;
    task.axes[a].inverse = splits ? static_cast<float>(task.axes[a].cells) / wide[a] : 0;
  }
}

std::size_t cell_of(const CountTask& task, std::size_t x, std::size_t y, std::size_t z) noexcept {
  return (z * static_cast<std::size_t>(task.axes[1].cells) + y) *
             static_cast<std::size_t>(task.axes[0].cells) +
         x;
}

/// A counting sort of the seen by cells.
void file_seen(CountTask& task, const PopulationStore& seen, std::span<const std::uint32_t> rows,
               Workspace& scratch) {
  const std::size_t cells = cell_of(task, 0, 0, static_cast<std::size_t>(task.axes[2].cells));
  const std::span<std::uint32_t> begins = scratch.take<std::uint32_t>(cells + 1);
  const std::span<std::uint32_t> cell = scratch.take<std::uint32_t>(rows.size());
  std::fill(begins.begin(), begins.end(), 0U);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::array<std::size_t, 3> at{};
    for (std::uint32_t a = 0; a < task.dimensions; ++a) {
      at[a] = static_cast<std::size_t>(task.axes[a].cell(seen.position(a)[rows[i]]));
    }
    cell[i] = static_cast<std::uint32_t>(cell_of(task, at[0], at[1], at[2]));
    ++begins[cell[i]];
  }
  std::uint32_t sum = 0;
  for (std::uint32_t& begin : begins) {
    begin = sum += begin;
  }
  std::array<float*, 3> filed{};
  for (std::uint32_t a = 0; a < task.dimensions; ++a) {
    const std::span<float> column = scratch.take<float>(rows.size() + kArrayPadding);
    std::fill(column.end() - kArrayPadding, column.end(), 0.0F);
    task.filed[a] = filed[a] = column.data();
  }
  for (std::size_t i = rows.size(); i-- > 0;) {
    const std::uint32_t place = --begins[cell[i]];
    for (std::uint32_t a = 0; a < task.dimensions; ++a) {
      filed[a][place] = seen.position(a)[rows[i]];
    }
  }
  task.begins = begins.data();
}

/// Marks the cells in or beside which somebody is filed: spreads marks along one axis after the other.
void mark_near(CountTask& task, Workspace& scratch) {
  const auto cells = [&](std::uint32_t a) { return static_cast<std::size_t>(task.axes[a].cells); };
  const std::size_t all = cells(0) * cells(1) * cells(2);
  std::span<std::uint8_t> marks = scratch.take<std::uint8_t>(all), next = scratch.take<std::uint8_t>(all);
  for (std::size_t first = 0; first < all; first += cells(0)) {
    const std::uint32_t* const row = task.begins + first;
    const std::size_t last = cells(0) - 1;
    marks[first] = row[0] != row[std::min<std::size_t>(2, cells(0))] ? 1 : 0;
    marks[first + last] = row[last == 0 ? 0 : last - 1] != row[last + 1] ? 1 : 0;
    for (std::size_t x = 1; x < last; ++x) {
      marks[first + x] = row[x - 1] != row[x + 2] ? 1 : 0;
    }
  }
  std::size_t stride = cells(0);
  for (std::uint32_t a = 1; a < task.dimensions; stride *= cells(a++)) {
    for (std::size_t first = 0; first < all; first += stride) {
      const std::size_t at = first / stride % cells(a);
      const std::uint8_t* const here = marks.data() + first;
      const std::uint8_t* const before = at == 0 ? here : here - stride;
      const std::uint8_t* const behind = at + 1 == cells(a) ? here : here + stride;
      for (std::size_t i = 0; i < stride; ++i) {
        next[first + i] = here[i] | before[i] | behind[i];
      }
    }
    std::swap(marks, next);
  }
  task.near = marks.data();
}

}  // namespace
}  // namespace agents_detail

Result<void> count_near(Population& seers_of, const Population& seen_of, float radius, std::string_view into,
                        const CountOptions& options, const Context& context) {
  using namespace agents_detail;
  PopulationStore& seers = PopulationStore::of(seers_of);
  const PopulationStore& seen = PopulationStore::of(seen_of);
  JUXTA_TRY_LET(const std::uint32_t column, check_count(seers, seen, radius, into));
  CountTask task{};
  JUXTA_TRY_LET(task.seers, rows_where(seers, options.seers));
  JUXTA_TRY_LET(task.seen, rows_where(seen, options.seen));
  task.dimensions = seen.world.dimensions;
  task.reach = std::max(radius * 1.00001F, std::nextafter(radius, INFINITY));
  task.radius2 = radius * radius;
  task.same = &seers == &seen;
  for (std::uint32_t a = 0; a < task.dimensions; ++a) {
    task.seer[a] = seers.position(a);
  }
  Workspace& scratch = context.workspace != nullptr ? *context.workspace : seers.scratch;
  const Workspace::Scope scope(scratch);
  std::span<std::uint32_t> rows = scratch.take<std::uint32_t>(seen.size());
  rows = rows.first(select_rows(task.seen, seen.size(), rows.data()));
  rows = {rows.begin(), std::remove_if(rows.begin(), rows.end(),
                                       [&](std::uint32_t row) { return !is_somewhere(seen, row); })};
  float* const counts = seers.columns[column].as<float>();
  if (rows.empty()) {
    std::fill_n(counts, seers.size(), 0.0F);
    return {};
  }
  plan_cells(task, seen, rows, seers.size());
  file_seen(task, seen, rows, scratch);
  mark_near(task, scratch);
  // The column that is filled may be the one that says who is seen.
  const bool aliased = counts == task.seers.column || counts == task.seen.column;
  task.into = aliased ? scratch.take<float>(seers.size()).data() : counts;
  executor_or_serial(context.executor)
      .parallel_for(seers.size(), kSeersOfCount, [&](std::size_t first, std::size_t last) {
        std::array<std::uint32_t, kSeersOfCount + kArrayPadding> looking;
        count_rows(task, first, last, looking.data());
      });
  if (aliased) {
    std::copy_n(task.into, seers.size(), counts);
  }
  return {};
}

std::size_t count_where(const Population& population, const Where& where) noexcept {
  const agents_detail::PopulationStore& store = agents_detail::PopulationStore::of(population);
  const auto rows = agents_detail::rows_where(store, where);
  std::size_t count = 0;
  for (std::size_t row = 0; rows && row < store.size(); ++row) {
    count += rows->has(row) ? 1 : 0;
  }
  return count;
}

}  // namespace juxta
