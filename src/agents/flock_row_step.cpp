// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A step of a large flock in a plane, a block of rows of cells at a time.
//
// A row of cells is as high as a boid sees, and a boid moves less than that in a step. So the boids of a row
// come from three rows of the last state: the row itself, and the one before and behind it.
//
//   now       . . | r-1 |  r  | r+1 | . .       boids in the order of the cells of a step ago
//                      \   |   /
//   scratch       | r-1 | r .. r+15 | r+16 |    a block and its two neighbours, each row sorted by cells
//                       |           |
//   next      . . . . . | r .. r+15 | . . .     the rules read the scratch while it is in the L2 cache
//
// sort_flock() and move_flock() do the same for all boids at once, and write everything to memory in between.
// The order is the same, because each row takes its boids in the order of `now`.
//
// A task runs some blocks one after the other, in scratch buffers of its own. The caller allocates all of
// them before tasks run.
//
// Per boid:     72 bytes of memory traffic (20 read, 20 written, the cells) instead of 150. One row in eight
//               is sorted twice.
// Determinism:  that of the order by cells. The cut into blocks changes no result.
#include "agents/flock_row_step.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "agents/pick_cells_kernel.h"
#include "core/prefetch.h"
#include "juxta/core/executor.h"

namespace juxta::agents_detail {
namespace {

constexpr std::size_t kFloatsOfLine = 16;
/// Rows of a task at least.
constexpr std::uint32_t kRowsOfTask = 4;

/// Prefetches boids of `now` line by line before they are copied. The copies go in another order, in which
/// the hardware prefetcher does not detect a stream.
class Coming {
 public:
  Coming(const FlockColumns& now, const std::uint32_t* cells, RowRange boids) noexcept
      : now_(now), cells_(cells), at_(boids.first), last_(boids.last) {}
  void prefetch() noexcept {
    if (at_ >= last_) {
      return;
    }
    for (std::uint32_t a = 0; a < 2; ++a) {
      core_detail::prefetch_line(now_.position[a].data() + at_);
      core_detail::prefetch_line(now_.velocity[a].data() + at_);
    }
    core_detail::prefetch_line(now_.number.data() + at_);
    core_detail::prefetch_line(cells_ + at_);
    at_ += kFloatsOfLine;
  }

 private:
  const FlockColumns& now_;
  const std::uint32_t* cells_;
  std::size_t at_, last_;
};

/// Sorts the picked boids of a row by cell, stably. begins[c] is the first boid of cell c; the row begins
/// with boid `first`.
void sort_cells_of_row(FlockScratch& scratch, std::span<std::uint32_t> begins, std::uint32_t first,
                       std::uint32_t count) noexcept {
  const std::uint32_t *const rows = scratch.rows.data(), *const cells = scratch.row_cells.data();
  std::uint32_t* const order = scratch.order.data();
  std::fill(begins.begin(), begins.end(), 0U);
  for (std::uint32_t i = 0; i < count; ++i) {
    ++begins[cells[i]];
  }
  std::uint32_t sum = 0;
  for (std::uint32_t& begin : begins) {
    sum += std::exchange(begin, sum);
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    order[begins[cells[i]]++] = rows[i];
  }
  std::uint32_t begin = first;  // each holds where its cell ends
  for (std::uint32_t& end : begins) {
    end = std::exchange(begin, first + end);
  }
}

/// Kernels read whole registers, up to sixteen values behind the last boid.
void pad(FlockScratch& scratch, std::uint32_t count) noexcept {
  for (std::uint32_t a = 0; a < 2; ++a) {
    std::fill_n(scratch.position[a].data() + count, kArrayPadding, std::numeric_limits<float>::quiet_NaN());
    std::fill_n(scratch.velocity[a].data() + count, kArrayPadding, 0.0F);
    std::fill_n(scratch.pull[a].data() + count, kArrayPadding, 0.0F);
  }
}

/// One task for the serial executor, so that its scratch stays in the cache. Else four for each thread.
std::uint32_t count_tasks(FlockRows& kept, std::uint32_t rows, const Executor& executor) {
  if (&executor == &serial_executor()) {
    return 1;
  }
  kept.threads = kept.threads != 0 ? kept.threads : usable_threads();
  return std::clamp(rows / kRowsOfTask, 1U, 4 * kept.threads);
}

}  // namespace

std::uint32_t RowsOfFlock::around(std::uint32_t row, std::array<std::uint32_t, 3>& rows) const noexcept {
  rows = {before(row), row, behind(row)};
  std::sort(rows.begin(), rows.end());
  return rows[2] == kNoRow ? 2 : 3;
}

StepByRows::StepByRows(FlockStore& store, RowRange own)
    : store_(store),
      rows_(store),
      own_(own),
      scope_(store.scratch),
      reach_(store.directory, std::sqrt(store.options.rules.see_radius2), true),
      moves_(store.scratch.take<RowMoves>(rows_.count)),
      sources_(store.scratch.take<RowRange>(rows_.count)),
      begins_(store.scratch.take<std::uint32_t>(own.size() + 1)) {
  std::fill(moves_.begin(), moves_.end(), RowMoves());
  std::fill(sources_.begin(), sources_.end(), RowRange());
  for (std::uint32_t i = 0; i < own.size(); ++i) {
    sources_[own.first + i] = {store.rows.begins[i], store.rows.begins[i + 1]};
  }
}

bool StepByRows::find_cells(const Executor& executor) {
  std::atomic<bool> near = true;
  executor.parallel_for(own_.size(), kRowsAtOnce, [&](std::size_t first, std::size_t last) {
    for (std::size_t row = first; row < last; ++row) {
      if (!find_cells_of(own_.first + static_cast<std::uint32_t>(row))) {
        near.store(false, std::memory_order_relaxed);
      }
    }
  });
  return near.load(std::memory_order_relaxed);
}

bool StepByRows::find_cells_of(std::uint32_t row) noexcept {
  const auto& [x, y, z] = store_.directory.grid.axis;
  const float *const px = store_.now.position[0].data(), *const py = store_.now.position[1].data();
  const std::uint32_t before = rows_.before(row), behind = rows_.behind(row);
  const RowRange boids = sources_[row];
  RowMoves moves{};
  for (std::uint32_t i = boids.first; i < boids.last; ++i) {
    const std::uint32_t to = y.cell(py[i]);
    cells_[i] = to * x.cells + x.cell(px[i]);
    moves.before += to == before;
    moves.same += to == row;
    moves.behind += to == behind;
  }
  moves_[row] = moves;
  return moves.before + moves.same + moves.behind == boids.size();
}

std::uint32_t StepByRows::size_of(std::uint32_t row) const noexcept {
  const std::uint32_t before = rows_.before(row), behind = rows_.behind(row);
  return moves_[row].same + (before != kNoRow ? moves_[before].behind : 0) +
         (behind != kNoRow ? moves_[behind].before : 0);
}

void StepByRows::find_begins() noexcept {
  std::uint32_t sum = 0;
  for (std::uint32_t row = own_.first; row < own_.last; ++row) {
    begins_[row - own_.first] = sum;
    sum += size_of(row);
  }
  begins_.back() = sum;
}

void StepByRows::make_scratch(std::size_t tasks) {
  std::size_t most = 1, longest = 1;  // a rank may have no boids, and buffers need their padding
  const auto size_if = [&](std::uint32_t row) { return row != kNoRow ? size_of(row) : 0; };
  for (std::uint32_t row = own_.first; row < own_.last; ++row) {  // any block that may begin with it
    const std::uint32_t end = std::min(row + kRowsAtOnce, own_.last), before = size_if(rows_.before(row)),
                        behind = size_if(rows_.behind(end - 1));
    most = std::max<std::size_t>(most, begins_[end - own_.first] - begin_of(row) + before + behind);
    longest = std::max<std::size_t>({longest, size_of(row), before, behind});
  }
  FlockRows& kept = store_.rows;
  while (kept.buffers.size() < tasks) {
    kept.buffers.emplace_back(kept.memory);
  }
  for (FlockScratch& scratch : kept.buffers) {
    scratch.make_room(most, longest, std::size_t{kRowsAtOnce + 2} * (x_cells() + 1), rows_.count);
  }
}

void StepByRows::move_blocks(RowRange rows, FlockScratch& scratch,
                             const core_detail::Meanwhile& meanwhile) const noexcept {
  for (; rows.first < rows.last; rows.first += kRowsAtOnce) {
    move_block({rows.first, std::min(rows.first + kRowsAtOnce, rows.last)}, scratch);
    meanwhile.poke();
  }
}

void StepByRows::move_rows(RowRange rows, const core_detail::Meanwhile& meanwhile, const Executor& executor) {
  const std::uint32_t tasks = count_tasks(store_.rows, rows.size(), executor);
  make_scratch(tasks);
  const auto row_of = [=](std::size_t task) {
    return rows.first + static_cast<std::uint32_t>(task * rows.size() / tasks);
  };
  executor.parallel_for(tasks, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t task = first; task < last; ++task) {
      move_blocks({row_of(task), row_of(task + 1)}, store_.rows.buffers[task], meanwhile);
    }
  });
}

void StepByRows::move_block(RowRange rows, FlockScratch& scratch) const noexcept {
  scratch.directory.arrangement = store_.directory.arrangement;
  scratch.directory.grid = store_.directory.grid;
  scratch.directory.magnitude = store_.directory.magnitude;
  scratch.directory.places = scratch.places.data();
  Block block{scratch};
  const std::uint32_t before = rows_.before(rows.first), behind = rows_.behind(rows.last - 1);
  if (before != kNoRow && before < rows.first) {
    sort_row(before, block);
  }
  const std::uint32_t begin = block.count;
  for (std::uint32_t row = rows.first; row < rows.last; ++row) {
    sort_row(row, block);
    std::transform(scratch.order.data(), scratch.order.data() + size_of(row),
                   store_.sorted.number.data() + begin_of(row),
                   [&](std::uint32_t from) { return store_.now.number[from]; });
  }
  const std::uint32_t end = block.count;
  for (const std::uint32_t row : {behind, before != kNoRow && before > rows.first ? before : kNoRow}) {
    if (row != kNoRow) {
      sort_row(row, block);
    }
  }
  pad(scratch, block.count);
  const auto to = static_cast<std::ptrdiff_t>(begin_of(rows.first)) - static_cast<std::ptrdiff_t>(begin);
  move_boids(sweep_of(scratch, to), begin, end);
}

/// The rules for a scratch; boid i there becomes boid `to` + i.
FlockSweep StepByRows::sweep_of(const FlockScratch& scratch, std::ptrdiff_t to) const noexcept {
  FlockSweep flock{store_.options,
                   scratch.directory,
                   reach_,
                   {},
                   {},
                   {},
                   store_.pull_of_position(),
                   store_.folds(),
                   {},
                   {}};
  for (std::uint32_t a = 0; a < 2; ++a) {
    flock.position[a] = scratch.position[a].data();
    flock.velocity[a] = scratch.velocity[a].data();
    flock.pull[a] = scratch.pull[a].data();
    flock.next_position[a] = store_.sorted.position[a].data() + to;
    flock.next_velocity[a] = store_.sorted.velocity[a].data() + to;
  }
  return flock;
}

/// Appends the boids of a row of cells, sorted by cell.
void StepByRows::sort_row(std::uint32_t row, Block& block) const noexcept {
  FlockScratch& scratch = block.scratch;
  std::array<std::uint32_t, 3> from{};
  const std::uint32_t rows = rows_.around(row, from);
  std::size_t picked = 0;
  for (std::uint32_t k = 0; k < rows; ++k) {
    picked +=
        pick_cells(cells_, sources_[from[k]].first, sources_[from[k]].last, {row * x_cells(), x_cells()},
                   scratch.rows.data() + picked, scratch.row_cells.data() + picked);
  }
  const std::uint32_t count = size_of(row);
  std::uint32_t* const begins = scratch.directory.begins.data() + std::size_t{block.rows} * (x_cells() + 1);
  scratch.places[row] = block.rows++;
  sort_cells_of_row(scratch, {begins, x_cells() + 1}, block.count, count);
  copy_boids({scratch.order.data(), count}, block, row);
  block.count += count;
}

/// Meanwhile prefetches the row of `now` that the next row is the first to read.
void StepByRows::copy_boids(std::span<const std::uint32_t> order, const Block& block,
                            std::uint32_t row) const noexcept {
  const float *const x = store_.now.position[0].data(), *const y = store_.now.position[1].data(),
                     *const u = store_.now.velocity[0].data(), *const v = store_.now.velocity[1].data();
  const auto to = [&](std::array<Array<float>, 2>& columns, std::size_t a) {
    return columns[a].data() + block.count;
  };
  FlockScratch& scratch = block.scratch;
  float *const to_x = to(scratch.position, 0), *const to_y = to(scratch.position, 1),
               *const to_u = to(scratch.velocity, 0), *const to_v = to(scratch.velocity, 1);
  Coming coming(store_.now, cells_, row + 2 < rows_.count ? sources_[row + 2] : RowRange());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i % kFloatsOfLine == 0) {
      coming.prefetch();
    }
    const std::uint32_t from = order[i];
    to_x[i] = x[from];
    to_y[i] = y[from];
    to_u[i] = u[from];
    to_v[i] = v[from];
  }
  const float of_velocity = store_.options.rules.align,
              of_position = store_.folds() ? store_.pull_of_position() : 0;
  float *const pull_x = to(scratch.pull, 0), *const pull_y = to(scratch.pull, 1);
  for (std::size_t i = 0; i < order.size(); ++i) {
    pull_x[i] = of_velocity * to_u[i] + of_position * to_x[i];
    pull_y[i] = of_velocity * to_v[i] + of_position * to_y[i];
  }
}

}  // namespace juxta::agents_detail
