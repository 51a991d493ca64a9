// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/arrange.h"

#include <algorithm>
#include <numeric>

#include "agents/crowded_cells.h"
#include "agents/number_cells.h"
#include "juxta/core/isa.h"
#include "juxta/core/try.h"
#include "juxta/order/block_order.h"
#include "juxta/order/radix_sort.h"
#include "juxta/order/reorder.h"
#include "order/block_tree.h"
#include "order/fill_identity.h"
#include "order/sort_cells.h"

namespace juxta::agents_detail {
namespace {

/// No box of a tree reaches further; sums of two do not overflow.
constexpr float kFar = 1.5e38F;
/// Where so many share a cell, others stand alone. (In a lattice it can be five or six.)
constexpr double kLonely = 8;
/// If so many of a crowd would share even the narrowest cells, wide ones are better, of so many agents in the
/// mean. Who stands alone has fewer of them to look at; where most do, it pays earlier.
constexpr double kCrowded = 16, kCrowdedAmongLonely = 4, kShare = 4;
/// Passes look at all wide boxes of a cell: some 50 ns a seer for so many agents.
constexpr double kTooMany = 0x1p18;

double count_cells(const Grid& grid) noexcept {
  return static_cast<double>(grid.axis[0].cells) * grid.axis[1].cells * grid.axis[2].cells;
}

/// Calls cell(x, y, z) for each agent's cells and keeps what it says.
template <class Axis, class Out, class Cell>
void for_each_cell(const std::array<Axis, 3>& axis, const Places& places, std::span<Out> out,
                   const Executor& executor, Cell&& cell) {
  const float *const x = places.position[0], *const y = places.position[1], *const z = places.position[2];
  executor.parallel_for(places.count, kManyRows, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      out[i] = cell(axis[0].cell(x[i]), axis[1].cell(y[i]), z != nullptr ? axis[2].cell(z[i]) : 0);
    }
  });
}

void arrange_in_table(Directory& directory, const Places& places, std::span<std::uint32_t> order,
                      Workspace& scratch, const Executor& executor) {
  const Grid& grid = directory.grid;
  const std::span<std::uint32_t> cells = scratch.take<std::uint32_t>(places.count);
  table_cells(directory, places, cells, executor);
  const std::uint32_t cell_count = grid.axis[0].cells * grid.axis[1].cells * grid.axis[2].cells;
  directory.begins.resize_discard(std::size_t{cell_count} + 1);
  if (places.count > 0) {
    order_detail::sort_cells(cells, directory.begins.span(), order, scratch, executor);
  } else {
    std::fill(directory.begins.begin(), directory.begins.end(), 0U);
  }
}

Crowding crowding_of(const Directory& directory, Workspace& scratch, const Executor& executor) {
  const Workspace::Scope scope(scratch);
  const std::size_t cells = directory.begins.size() - 1;
  const std::span<Crowding> parts = scratch.take<Crowding>((cells + kManyRows - 1) / kManyRows);
  executor.parallel_for(cells, kManyRows, [&](std::size_t first, std::size_t last) {
    Crowding part;
    for (std::size_t cell = first; cell < last; ++cell) {
      part.add(directory.begins[cell + 1] - directory.begins[cell]);
    }
    parts[first / kManyRows] = part;
  });
  Crowding all;
  for (const Crowding& part : parts) {
    all.add(part);
  }
  return all;
}

/// Other cells where agents turn out to be crowded. False if hashed rows are better still.
bool refine_rows(Directory& directory, const Plan& plan, const Places& places, std::span<std::uint32_t> order,
                 Workspace& scratch, const Executor& executor) {
  const Crowding crowding = crowding_of(directory, scratch, executor);
  if (crowding.company() <= kUneven) {
    return true;
  }
  fit_crowd(directory, plan, crowding);
  if (directory.arrangement == Arrangement::kHashed) {
    return false;
  }
  arrange_in_table(directory, places, order, scratch, executor);
  if (directory.crowded) {
    order_crowded_cells(find_crowded_cells(directory.begins.span(), scratch), places,
                        directory.grid.dimensions, order, scratch, executor);
  }
  return true;
}

Result<void> arrange_hashed(Directory& directory, const Places& places, std::span<std::uint32_t> order,
                            Workspace& scratch, const Executor& executor) {
  const std::span<std::uint64_t> keys = scratch.take<std::uint64_t>(places.count);
  hashed_keys(directory.hashed, places, keys, executor);
  order_detail::fill_identity(order, executor);
  return sort_pairs(keys, order, {.executor = &executor, .workspace = &scratch}).map([&] {
    directory.hashed.fill(keys, directory.begins, scratch, executor);
  });
}

template <int D>
Result<void> arrange_tree(Directory& directory, const Places& places, Rows rows,
                          std::span<std::uint32_t> order, Workspace& scratch, const Executor& executor) {
  const std::span<Aabb<D>> boxes = scratch.take<Aabb<D>>(places.count);
  executor.parallel_for(places.count, kManyRows, [&](std::size_t first, std::size_t last) {
    for (std::size_t a = 0; a < D; ++a) {
      const float *const x = places.position[a], *const extent = places.extents[a];
      for (std::size_t i = first; i < last; ++i) {
        const float half = extent != nullptr ? extent[i] : 0;
        boxes[i].lo[a] = std::clamp(x[i] - half, -kFar, kFar);
        boxes[i].hi[a] = std::clamp(x[i] + half, -kFar, kFar);
      }
    }
  });
  order_detail::fill_identity(order, executor);
  TreeBlocks& tree = directory.tree;
  tree.agents = static_cast<std::uint32_t>(places.count);
  tree.plan = plan_block_tree(places.count);
  tree.blocks<D>().resize_discard(tree.plan.total);
  if (rows == Rows::kToSort) {
    JUXTA_TRY(
        block_order<D>(boxes, order, OrderQuality::kFast, {.executor = &executor, .workspace = &scratch}));
  }
  BlockTree<D> blocks(tree.plan, tree.blocks<D>().data());
  fill_tree<D>(blocks, boxes, order, &executor);
  return {};
}

}  // namespace

void table_cells(const Directory& directory, const Places& places, std::span<std::uint32_t> cells,
                 const Executor& executor) {
  const Grid& grid = directory.grid;
  if (directory.arrangement == Arrangement::kRows) {
    executor.parallel_for(places.count, kManyRows, [&](std::size_t first, std::size_t last) {
      const auto row_of = [](std::size_t i) { return i; };
      using RowOf = decltype(row_of);
      (grid.dimensions == 3 ? number_cells<true, RowOf>
                            : number_cells<false, RowOf>)(grid.axis, directory.winding, places, row_of,
                                                          cells.data(), first, last);
    });
  } else {
    for_each_cell(grid.axis, places, cells, executor, [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
      return directory.curve.number(grid, {x, y, z});
    });
  }
}

void hashed_keys(const HashedRows& hashed, const Places& places, std::span<std::uint64_t> keys,
                 const Executor& executor) {
  for_each_cell(hashed.axis, places, keys, executor,
                [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) { return hashed.key(x, y, z); });
}

void begin_directory(Directory& directory, const Plan& plan) {
  directory.arrangement = plan.arrangement;
  directory.grid = plan.grid;
  directory.crowded = false;
  directory.winding = plan.arrangement == Arrangement::kRows || plan.arrangement == Arrangement::kAuto;
  directory.height = directory.winding ? plan.height : 0;
  directory.hashed.axis = plan.wide;
  directory.hashed.bits = plan.key_bits;
  if (plan.arrangement == Arrangement::kMorton || plan.arrangement == Arrangement::kHilbert) {
    directory.curve.fill(plan.arrangement, plan.brick_bits, plan.grid.dimensions);
  }
}

void fill_boxes(Directory& directory, const Places& places, const Executor& executor) {
  if (directory.crowded && active_isa()) {  // searches by single agents need no kernels but those of boxes
    directory.boxes.fill(places, directory.grid.dimensions, executor);
  } else {
    directory.boxes.clear();
  }
}

void fit_crowd(Directory& directory, const Plan& plan, const Crowding& crowding) noexcept {
  const double company = crowding.company();
  if (plan.unsure && company > kTooMany) {
    directory.arrangement = Arrangement::kHashed;
    directory.grid = plan.whole;
    directory.winding = false;
    directory.height = 0;
    return;
  }
  const double lowest = company > kLonely ? plan.lowest : 0;
  RowPlan rows = plan_rows(plan.world, plan.extent, {.denser = company - 1, .lowest = lowest});
  const double most = 2 * crowding.crowded_agents > crowding.agents ? kCrowded : kCrowdedAmongLonely;
  directory.crowded = 2 * crowding.crowded_squares > crowding.squares &&
                      crowding.crowd() * count_cells(directory.grid) > most * count_cells(rows.grid);
  if (directory.crowded) {
    rows = plan_rows(plan.world, plan.extent, {.share = kShare});
  }
  directory.grid = rows.grid;
  directory.height = rows.height;
}

Result<void> arrange(Directory& directory, const Plan& plan, const Places& places, Rows rows,
                     std::span<std::uint32_t> order, Workspace& scratch, const Executor& executor) {
  const Workspace::Scope scope(scratch);
  begin_directory(directory, plan);
  if (plan.arrangement == Arrangement::kHashed) {
    return arrange_hashed(directory, places, order, scratch, executor);
  }
  if (plan.arrangement == Arrangement::kTree) {
    return plan.grid.dimensions == 2 ? arrange_tree<2>(directory, places, rows, order, scratch, executor)
                                     : arrange_tree<3>(directory, places, rows, order, scratch, executor);
  }
  arrange_in_table(directory, places, order, scratch, executor);
  if (directory.winding && !refine_rows(directory, plan, places, order, scratch, executor)) {
    return arrange_hashed(directory, places, order, scratch, executor);
  }
  return {};
}

}  // namespace juxta::agents_detail
