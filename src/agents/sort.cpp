// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Agents into the order of space: cells, a stable counting sort, every column gathered.

#include <cmath>
#include <limits>
#include <string>

#include "agents/check_positions.h"
#include "agents/plan_grid.h"
#include "agents/store.h"
#include "juxta/order/counting_sort.h"
#include "juxta/order/reorder.h"

namespace juxta {
namespace detail {
namespace {

constexpr std::size_t kGrain = 16384;

Result<void> check(const SortOptions& options) {
  if (!(options.radius > 0) || !std::isfinite(options.radius)) {
    return fail(ErrorCode::kInvalidArgument, "sort: radius must be a finite number above 0");
  }
  if (!(options.skin >= 0) || !std::isfinite(options.skin)) {
    return fail(ErrorCode::kInvalidArgument, "sort: skin must be a finite number from 0 on");
  }
  return {};
}

/// The cell of every row.
void cells_of(const PopulationStore& store, const Grid& grid, std::span<std::uint32_t> cells,
              const Executor& executor) {
  const float* const x = store.position(0);
  const float* const y = store.position(1);
  const float* const z = grid.dimensions == 3 ? store.position(2) : nullptr;
  executor.parallel_for(cells.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const std::uint32_t cz = z != nullptr ? grid.axis[2].cell(z[i]) : 0;
      cells[i] = grid.index({grid.axis[0].cell(x[i]), grid.axis[1].cell(y[i]), cz});
    }
  });
}

/// All columns and names into a new order.
Result<void> reorder(PopulationStore& store, std::span<const std::uint32_t> order, const Executor& executor) {
  std::vector<GatherColumn> columns;
  columns.reserve(store.columns.size());
  for (ColumnData& column : store.columns) {
    column.grow_spare(order.size());
    columns.push_back({column.data.data(), column.spare.data(), order.size(), order.size(), column.bytes});
  }
  if (Result<void> done = gather(order, columns, &executor); !done) {
    return done;
  }
  for (ColumnData& column : store.columns) {
    std::swap(column.data, column.spare);
  }
  return store.ids.reorder(order, &executor);
}

/// Whoever reads a whole sixteen meets nobody behind the last row.
void pad(PopulationStore& store) noexcept {
  for (std::uint32_t a = 0; a < store.world.dimensions; ++a) {
    float* const end = store.columns[a].as<float>() + store.size();
    std::fill_n(end, kArrayPadding, std::numeric_limits<float>::quiet_NaN());
  }
}

}  // namespace
}  // namespace detail

Result<SortReport> Population::sort(const SortOptions& options) {
  using namespace detail;
  PopulationStore& store = *store_;
  if (Result<void> good = check(options); !good) {
    return tl::unexpected(good.error());
  }
  const Executor& executor = executor_or_serial(options.executor);
  const Result<Extent> extent = check_positions(store, executor);
  if (!extent) {
    return tl::unexpected(extent.error());
  }
  wrap_positions(store, executor);
  Directory& directory = store.directory;
  float widest = 0;
  for (const float largest : extent->largest) {
    widest = std::max(widest, largest);
  }
  directory.arrangement = Arrangement::kRows;
  directory.grid = plan_rows(store.world, *extent, options.radius + widest);
  directory.largest = extent->largest;
  directory.magnitude = extent->magnitude;
  const Grid& grid = directory.grid;
  const std::uint32_t cell_count = grid.axis[0].cells * grid.axis[1].cells * grid.axis[2].cells;
  {
    const Workspace::Scope scope(store.scratch);
    const std::span<std::uint32_t> cells = store.scratch.take<std::uint32_t>(size());
    const std::span<std::uint32_t> order = store.scratch.take<std::uint32_t>(size());
    cells_of(store, grid, cells, executor);
    directory.begins.resize_discard(cell_count + 1);
    if (Result<void> sorted =
            counting_sort(cells, cell_count, directory.begins.span(), order, store.scratch, &executor);
        !sorted) {
      return tl::unexpected(sorted.error());
    }
    if (Result<void> done = reorder(store, order, executor); !done) {
      return tl::unexpected(done.error());
    }
  }
  pad(store);
  store.sorted_at = store.changed;
  return SortReport{directory.arrangement, cell_count, true};
}

bool Population::sorted() const noexcept {
  return store_->sorted_at == store_->changed;
}

}  // namespace juxta
