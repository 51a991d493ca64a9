// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "agents/flock_store.h"
#include "order/sort_cells.h"

namespace juxta::agents_detail {
namespace {

/// Boids whose columns are gathered side by side: what is written stays in the first cache until it is whole.
constexpr std::size_t kBlock = 1024;

template <std::uint32_t D>
void find_cells(const FlockStore& store, std::size_t begin, CellWindow window, std::span<std::uint32_t> cells,
                const Executor& executor) {
  const Grid& grid = store.directory.grid;
  const auto first_cell = static_cast<std::uint32_t>(window.first),
             count = static_cast<std::uint32_t>(window.last - window.first);
  std::array<const float*, D> p;
  for (std::uint32_t a = 0; a < D; ++a) {
    p[a] = store.now.position[a].data() + begin;
  }
  executor.parallel_for(cells.size(), kManyRows, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      std::array<std::uint32_t, 3> cell{};
      for (std::uint32_t a = 0; a < D; ++a) {
        cell[a] = grid.axis[a].cell(p[a][i]);
      }
      cells[i] = std::min(grid.index(cell) - first_cell, count);  // one below the window is a huge number
    }
  });
}

/// Columns of [first, last) of the new order, which holds rows of `now` from `begin` on, all in one go: each
/// row of cells comes from three of the old order, and so many streams are few enough.
template <std::uint32_t D>
void gather_block(FlockStore& store, std::size_t begin, std::span<const std::uint32_t> order,
                  std::size_t first, std::size_t last) {
  std::array<const float*, D> p, v;
  std::array<float*, D> to_p, to_v, pull;
  for (std::uint32_t a = 0; a < D; ++a) {
    p[a] = store.now.position[a].data() + begin;
    v[a] = store.now.velocity[a].data() + begin;
    to_p[a] = store.sorted.position[a].data() + store.first;
    to_v[a] = store.sorted.velocity[a].data() + store.first;
    pull[a] = store.pull[a].data() + store.first;
  }
  const std::uint32_t* const number = store.now.number.data() + begin;
  std::uint32_t* const to_number = store.sorted.number.data() + store.first;
  for (std::size_t i = first; i < last; ++i) {
    const std::uint32_t from = order[i];
    for (std::uint32_t a = 0; a < D; ++a) {
      to_p[a][i] = p[a][from];
      to_v[a][i] = v[a][from];
    }
    to_number[i] = number[from];
  }
  const float of_velocity = store.options.rules.align,
              of_position = store.folds() ? store.pull_of_position() : 0;
  for (std::uint32_t a = 0; a < D; ++a) {
    for (std::size_t i = first; i < last; ++i) {
      pull[a][i] = of_velocity * to_v[a][i] + of_position * to_p[a][i];
    }
  }
}

/// Whoever reads a whole sixteen meets nobody behind the last boid.
void pad(FlockStore& store) noexcept {
  const std::size_t end = store.first + store.count;
  for (std::uint32_t a = 0; a < store.options.dimensions; ++a) {
    std::fill_n(store.sorted.position[a].data() + end, kArrayPadding,
                std::numeric_limits<float>::quiet_NaN());
    std::fill_n(store.sorted.velocity[a].data() + end, kArrayPadding, 0.0F);
    std::fill_n(store.pull[a].data() + end, kArrayPadding, 0.0F);
  }
}

}  // namespace

void find_flock_cells(const FlockStore& store, std::size_t begin, CellWindow window,
                      std::span<std::uint32_t> cells, const Executor& executor) {
  store.options.dimensions == 2 ? find_cells<2>(store, begin, window, cells, executor)
                                : find_cells<3>(store, begin, window, cells, executor);
}

void sort_flock(FlockStore& store, std::size_t begin, CellWindow window, std::span<const std::uint32_t> cells,
                const Executor& executor) {
  const Workspace::Scope scope(store.scratch);
  const std::span<std::uint32_t> order = store.scratch.take<std::uint32_t>(cells.size());
  // One cell more, for those that stay out.
  const std::span<std::uint32_t> begins =
      store.directory.begins.span().subspan(window.first, window.last - window.first + 2);
  order_detail::sort_cells(cells, begins, order, store.scratch, executor,
                           static_cast<std::uint32_t>(store.first));
  store.count = begins[begins.size() - 2] - store.first;
  executor.parallel_for(store.count, kBlock, [&](std::size_t first, std::size_t last) {
    store.options.dimensions == 2 ? gather_block<2>(store, begin, order, first, last)
                                  : gather_block<3>(store, begin, order, first, last);
  });
  pad(store);
}

void sort_flock(FlockStore& store, const Executor& executor) {
  const CellWindow all{0, store.cells()};
  store.directory.begins.resize_discard(all.last + 2);
  const Workspace::Scope scope(store.scratch);
  const std::span<std::uint32_t> cells = store.scratch.take<std::uint32_t>(store.count);
  find_flock_cells(store, 0, all, cells, executor);
  sort_flock(store, 0, all, cells, executor);
}

}  // namespace juxta::agents_detail
