// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/arrange.h"

#include <algorithm>
#include <numeric>

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
constexpr double kCrowded = 8;
/// So many agents that are looked at in vain cost as much as a search in hashed rows, in a plane and in
/// space.
constexpr double kTooMany[] = {1200, 700};

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

/// The cells of some agents by their number in the order: Directory::row_number(), and there and back again
/// in rows. All that it needs is at hand, and there is no branch: the compiler makes vectors of it.
template <bool deep>
void number_cells(const std::array<GridAxis, 3> axis, bool winding, const Places& places, std::uint32_t* out,
                  std::size_t first, std::size_t last) noexcept {
  const float *const px = places.position[0], *const py = places.position[1], *const pz = places.position[2];
  const std::uint32_t nx = axis[0].cells, ny = axis[1].cells, winds = winding ? 1 : 0;
  for (std::size_t i = first; i < last; ++i) {
    const std::uint32_t x = axis[0].cell(px[i]), y = axis[1].cell(py[i]);
    const std::uint32_t z = deep ? axis[2].cell(pz[i]) : 0;
    const std::uint32_t down = 0 - (z & winds);  // all ones: from the last to the first
    const std::uint32_t row = z * ny + ((y ^ down) + (down & ny));
    const std::uint32_t back = 0 - (row & winds);
    out[i] = row * nx + ((x ^ back) + (back & nx));
  }
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

/// The mean number of agents that share a cell with one, itself included.
double crowding(const Directory& directory, Workspace& scratch, const Executor& executor) {
  const Workspace::Scope scope(scratch);
  const std::size_t cells = directory.begins.size() - 1;
  const std::span<std::uint64_t> squares = scratch.take<std::uint64_t>((cells + kManyRows - 1) / kManyRows);
  executor.parallel_for(cells, kManyRows, [&](std::size_t first, std::size_t last) {
    std::uint64_t sum = 0;
    for (std::size_t cell = first; cell < last; ++cell) {
      const std::uint64_t agents = directory.begins[cell + 1] - directory.begins[cell];
      sum += agents * agents;
    }
    squares[first / kManyRows] = sum;
  });
  const std::uint64_t all = std::accumulate(squares.begin(), squares.end(), std::uint64_t{0});
  return static_cast<double>(all) / std::max(1.0, static_cast<double>(directory.begins[cells]));
}

/// Makes rows lower and cells narrower where agents turn out to be crowded. False if hashed rows are better
/// still.
bool refine_rows(Directory& directory, const Plan& plan, const Places& places, std::span<std::uint32_t> order,
                 Workspace& scratch, const Executor& executor) {
  const double company = crowding(directory, scratch, executor);
  if (company <= kUneven) {
    return true;
  }
  make_finer(directory, plan, company);
  arrange_in_table(directory, places, order, scratch, executor);
  return !plan.unsure || !is_hopeless(directory, plan, crowding(directory, scratch, executor));
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
      (grid.dimensions == 3 ? number_cells<true> : number_cells<false>)(grid.axis, directory.winding, places,
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
  directory.winding = plan.arrangement == Arrangement::kRows || plan.arrangement == Arrangement::kAuto;
  directory.height = directory.winding ? plan.height : 0;
  directory.hashed.axis = plan.wide;
  directory.hashed.bits = plan.key_bits;
  if (plan.arrangement == Arrangement::kMorton || plan.arrangement == Arrangement::kHilbert) {
    directory.curve.fill(plan.arrangement, plan.brick_bits, plan.grid.dimensions);
  }
}

void make_finer(Directory& directory, const Plan& plan, double company) noexcept {
  const double lowest = company > kCrowded ? plan.lowest : 0;
  const RowPlan finer = plan_rows(plan.world, plan.extent, {.denser = company - 1, .lowest = lowest});
  directory.grid = finer.grid;
  directory.height = finer.height;
}

bool is_hopeless(const Directory& directory, const Plan& plan, double company) noexcept {
  return looked_at_in_vain(directory.grid, company, plan.reach) > kTooMany[plan.grid.dimensions - 2];
}

void make_hashed(Directory& directory, const Plan& plan) noexcept {
  directory.arrangement = Arrangement::kHashed;
  directory.grid = plan.whole;
  directory.winding = false;
  directory.height = 0;
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
    make_hashed(directory, plan);
    return arrange_hashed(directory, places, order, scratch, executor);
  }
  return {};
}

}  // namespace juxta::agents_detail
