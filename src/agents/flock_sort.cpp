// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "agents/flock_ranks.h"
#include "agents/flock_store.h"
#include "order/sort_cells.h"

namespace juxta::agents_detail {
namespace {

/// Boids whose columns are gathered side by side: what is written stays in the first cache until it is whole.
constexpr std::size_t kBlock = 1024;

template <std::uint32_t D, class Number>
void find_cells(const FlockStore& store, std::size_t begin, std::span<std::uint32_t> cells,
                const Executor& executor, Number&& number) {
  const Grid& grid = store.directory.grid;
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
      cells[i] = number(cell);
    }
  });
}

template <std::uint32_t D>
void find_cells(const FlockStore& store, std::size_t begin, std::span<std::uint32_t> cells,
                const Executor& executor) {
  const Grid& grid = store.directory.grid;
  if (!store.ranks) {
    return find_cells<D>(store, begin, cells, executor,
                         [&](const auto& cell) { return static_cast<std::uint32_t>(grid.index(cell)); });
  }
  const FlockRanks& over = *store.ranks;
  const std::uint32_t* const places = over.places.data();
  const auto pitch = static_cast<std::uint32_t>(over.pitch(store)),
             own = static_cast<std::uint32_t>(over.rows.size());
  find_cells<D>(store, begin, cells, executor, [=, across = grid.axis[1].cells](const auto& cell) {
    const std::uint32_t place = places[cell[2] * across + cell[1]];
    return place < own ? place * pitch + cell[0] : own * pitch;
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

}  // namespace

void find_flock_cells(const FlockStore& store, std::size_t begin, std::span<std::uint32_t> cells,
                      const Executor& executor) {
  store.options.dimensions == 2 ? find_cells<2>(store, begin, cells, executor)
                                : find_cells<3>(store, begin, cells, executor);
}

void order_flock(FlockStore& store, std::span<const std::uint32_t> cells, std::size_t cell_count,
                 std::span<std::uint32_t> order, const Executor& executor) {
  const std::span<std::uint32_t> begins = store.directory.begins.span().first(cell_count + 2);
  order_detail::sort_cells(cells, begins, order, store.scratch, executor);
  store.count = begins[cell_count];
}

void gather_flock(FlockStore& store, std::span<const std::uint32_t> order, const Executor& executor) {
  executor.parallel_for(store.count, kBlock, [&](std::size_t first, std::size_t last) {
    store.options.dimensions == 2 ? gather_block<2>(store, order, first, last)
                                  : gather_block<3>(store, order, first, last);
  });
  pad(store);
}

void sort_flock(FlockStore& store, const Executor& executor) {
  store.directory.begins.resize_discard(store.cells() + 2);
  const Workspace::Scope scope(store.scratch);
  const std::span<std::uint32_t> cells = store.scratch.take<std::uint32_t>(store.count),
                                 order = store.scratch.take<std::uint32_t>(store.count);
  find_flock_cells(store, 0, cells, executor);
  order_flock(store, cells, store.cells(), order, executor);
  gather_flock(store, order, executor);
}

}  // namespace juxta::agents_detail
