// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>

#include "agents/flock_store.h"
#include "order/sort_cells.h"

namespace juxta::agents_detail {
namespace {

/// Boids whose columns are gathered side by side: what is written stays in the first cache until it is whole.
constexpr std::size_t kBlock = 1024;

/// The cell of every boid.
template <std::uint32_t D>
void find_cells(const FlockStore& store, std::span<std::uint32_t> cells, const Executor& executor) {
  const Grid& grid = store.directory.grid;
  std::array<const float*, D> p;
  for (std::uint32_t a = 0; a < D; ++a) {
    p[a] = store.now.position[a].data();
  }
  executor.parallel_for(cells.size(), kManyRows, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      std::array<std::uint32_t, 3> cell{};
      for (std::uint32_t a = 0; a < D; ++a) {
        cell[a] = grid.axis[a].cell(p[a][i]);
      }
      cells[i] = grid.index(cell);
    }
  });
}

/// Columns of [first, last) of the new order, all in one go: each row of cells comes from three of the old
/// order, and so many streams are few enough.
template <std::uint32_t D>
void gather_block(FlockStore& store, std::span<const std::uint32_t> order, std::size_t first,
                  std::size_t last) {
  std::array<const float*, D> p, v;
  std::array<float*, D> to_p, to_v, pull;
  for (std::uint32_t a = 0; a < D; ++a) {
    p[a] = store.now.position[a].data();
    v[a] = store.now.velocity[a].data();
    to_p[a] = store.sorted.position[a].data();
    to_v[a] = store.sorted.velocity[a].data();
    pull[a] = store.pull[a].data();
  }
  const std::uint32_t* const number = store.now.number.data();
  std::uint32_t* const to_number = store.sorted.number.data();
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
  for (std::uint32_t a = 0; a < store.options.dimensions; ++a) {
    std::fill_n(store.sorted.position[a].data() + store.count, kArrayPadding,
                std::numeric_limits<float>::quiet_NaN());
    std::fill_n(store.sorted.velocity[a].data() + store.count, kArrayPadding, 0.0F);
    std::fill_n(store.pull[a].data() + store.count, kArrayPadding, 0.0F);
  }
}

template <std::uint32_t D>
void sort(FlockStore& store, const Executor& executor) {
  const Grid& grid = store.directory.grid;
  const std::size_t cell_count = std::size_t{grid.axis[0].cells} * grid.axis[1].cells * grid.axis[2].cells;
  const Workspace::Scope scope(store.scratch);
  const std::span<std::uint32_t> cells = store.scratch.take<std::uint32_t>(store.count);
  const std::span<std::uint32_t> order = store.scratch.take<std::uint32_t>(store.count);
  find_cells<D>(store, cells, executor);
  store.directory.begins.resize_discard(cell_count + 1);
  order_detail::sort_cells(cells, store.directory.begins.span(), order, store.scratch, executor);
  executor.parallel_for(store.count, kBlock, [&](std::size_t first, std::size_t last) {
    gather_block<D>(store, order, first, last);
  });
  pad(store);
}

}  // namespace

void sort_flock(FlockStore& store, const Executor& executor) {
  store.options.dimensions == 2 ? sort<2>(store, executor) : sort<3>(store, executor);
}

}  // namespace juxta::agents_detail
