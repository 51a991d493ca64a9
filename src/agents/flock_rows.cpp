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
#include "agents/flock_rows.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "agents/flock_kernel.h"
#include "agents/flock_store.h"
#include "agents/pick_cells_kernel.h"
#include "core/prefetch.h"

namespace juxta::agents_detail {
namespace {

constexpr std::uint32_t kRowsAtOnce = 16, kNoRow = ~std::uint32_t{0};
constexpr std::size_t kFloatsOfLine = 16;
/// Rows of a task at least.
constexpr std::uint32_t kRowsOfTask = 4;

/// How many boids of a row of cells move to which row.
struct RowMoves {
  std::uint32_t before, same, behind;
};

/// The rows of cells of a flock in a plane, and their neighbours.
struct RowsOfFlock {
  explicit RowsOfFlock(const FlockStore& store) noexcept
      : count(store.directory.grid.axis[1].cells), periodic(store.options.periodic) {}

  [[nodiscard]] std::uint32_t before(std::uint32_t row) const noexcept {
    return row > 0 ? row - 1 : periodic ? count - 1 : kNoRow;
  }
  [[nodiscard]] std::uint32_t behind(std::uint32_t row) const noexcept {
    return row + 1 < count ? row + 1 : periodic ? 0 : kNoRow;
  }
  /// A row and its neighbours, ascending; how many.
  [[nodiscard]] std::uint32_t around(std::uint32_t row, std::array<std::uint32_t, 3>& rows) const noexcept {
    rows = {before(row), row, behind(row)};
    std::sort(rows.begin(), rows.end());
    return rows[2] == kNoRow ? 2 : 3;
  }

  std::uint32_t count;
  bool periodic;
};

/// Prefetches boids of `now` line by line before they are copied. The copies go in another order, in which
/// the hardware prefetcher does not detect a stream.
class Coming {
 public:
  Coming(const FlockColumns& now, std::span<const std::uint32_t> cells, std::size_t first,
         std::size_t last) noexcept
      : now_(now), cells_(cells), at_(first), last_(last) {}
  void prefetch() noexcept {
    if (at_ >= last_) {
      return;
    }
    for (std::uint32_t a = 0; a < 2; ++a) {
      core_detail::prefetch_line(now_.position[a].data() + at_);
      core_detail::prefetch_line(now_.velocity[a].data() + at_);
    }
    core_detail::prefetch_line(now_.number.data() + at_);
    core_detail::prefetch_line(cells_.data() + at_);
    at_ += kFloatsOfLine;
  }

 private:
  const FlockColumns& now_;
  std::span<const std::uint32_t> cells_;
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

/// One step: what all tasks have in common.
class StepByRows {
 public:
  explicit StepByRows(FlockStore& store)
      : store_(store),
        rows_(store),
        scope_(store.scratch),
        reach_(store.directory, std::sqrt(store.options.rules.see_radius2), true),
        cells_(store.scratch.take<std::uint32_t>(store.count)),
        moves_(store.scratch.take<RowMoves>(rows_.count)),
        begins_(store.scratch.take<std::uint32_t>(rows_.count + 1)) {}

  /// False if a boid moves further than to the next row.
  [[nodiscard]] bool find_cells(const Executor& executor) {
    std::atomic<bool> near = true;
    executor.parallel_for(rows_.count, kRowsAtOnce, [&](std::size_t first, std::size_t last) {
      for (std::size_t row = first; row < last; ++row) {
        if (!find_cells_of(static_cast<std::uint32_t>(row))) {
          near.store(false, std::memory_order_relaxed);
        }
      }
    });
    std::uint32_t sum = 0;
    for (std::uint32_t row = 0; row < rows_.count; ++row) {
      begins_[row] = sum;
      const std::uint32_t before = rows_.before(row), behind = rows_.behind(row);
      sum += moves_[row].same + (before != kNoRow ? moves_[before].behind : 0) +
             (behind != kNoRow ? moves_[behind].before : 0);
    }
    begins_[rows_.count] = sum;
    return near.load(std::memory_order_relaxed);
  }

  /// Buffers for so many tasks. On the caller's thread, because the flock's memory resource need not be
  /// thread-safe.
  void make_scratch(std::size_t count) {
    std::size_t most = 0, longest = 0;
    for (std::uint32_t row = 0; row < rows_.count; ++row) {  // any block that may begin with it
      const std::uint32_t end = std::min(row + kRowsAtOnce, rows_.count);
      const std::size_t beside = size_if(rows_.before(row)) + size_if(rows_.behind(end - 1));
      most = std::max(most, begins_[end] - begins_[row] + beside);
      longest = std::max(longest, size_if(row));
    }
    FlockRows& kept = store_.rows;
    while (kept.buffers.size() < count) {
      kept.buffers.emplace_back(kept.memory);
    }
    for (FlockScratch& scratch : kept.buffers) {
      scratch.make_room(most, longest, std::size_t{kRowsAtOnce + 2} * (x_cells() + 1), rows_.count);
    }
  }

  /// The rows [first, last), block by block: `now` to `sorted`, which is the next state.
  void move_rows(std::uint32_t first, std::uint32_t last, FlockScratch& scratch) const noexcept {
    for (; first < last; first += kRowsAtOnce) {
      move_block(first, std::min(first + kRowsAtOnce, last), scratch);
    }
  }

  /// Where rows begin after the step.
  [[nodiscard]] std::span<const std::uint32_t> begins() const noexcept { return begins_; }

 private:
  /// The part of the scratch buffers that is filled.
  struct Block {
    FlockScratch& scratch;
    std::uint32_t count = 0, rows = 0;
  };

  [[nodiscard]] std::uint32_t x_cells() const noexcept { return store_.directory.grid.axis[0].cells; }
  [[nodiscard]] std::uint32_t size_of(std::uint32_t row) const noexcept {
    return begins_[row + 1] - begins_[row];
  }
  [[nodiscard]] std::size_t size_if(std::uint32_t row) const noexcept {
    return row != kNoRow ? size_of(row) : 0;
  }

  bool find_cells_of(std::uint32_t row) noexcept {
    const auto& [x, y, z] = store_.directory.grid.axis;
    const float *const px = store_.now.position[0].data(), *const py = store_.now.position[1].data();
    const std::uint32_t before = rows_.before(row), behind = rows_.behind(row);
    const std::uint32_t first = store_.rows.begins[row], last = store_.rows.begins[row + 1];
    RowMoves moves{};
    for (std::uint32_t i = first; i < last; ++i) {
      const std::uint32_t to = y.cell(py[i]);
      cells_[i] = to * x.cells + x.cell(px[i]);
      moves.before += to == before;
      moves.same += to == row;
      moves.behind += to == behind;
    }
    moves_[row] = moves;
    return moves.before + moves.same + moves.behind == last - first;
  }

  void move_block(std::uint32_t first, std::uint32_t last, FlockScratch& scratch) const noexcept {
    scratch.directory.arrangement = store_.directory.arrangement;
    scratch.directory.grid = store_.directory.grid;
    scratch.directory.magnitude = store_.directory.magnitude;
    scratch.directory.places = scratch.places.data();
    Block block{scratch};
    if (first > 0) {
      sort_row(first - 1, block);
    }
    const std::uint32_t own = block.count;
    for (std::uint32_t row = first; row < last; ++row) {
      sort_row(row, block);
      std::transform(scratch.order.data(), scratch.order.data() + size_of(row),
                     store_.sorted.number.data() + begins_[row],
                     [&](std::uint32_t from) { return store_.now.number[from]; });
    }
    const std::uint32_t own_end = block.count;
    for (const std::uint32_t row : {rows_.behind(last - 1), first == 0 ? rows_.before(0) : kNoRow}) {
      if (row != kNoRow) {
        sort_row(row, block);
      }
    }
    pad(block);
    move_boids(sweep_of(scratch, begins_[first] - own), own, own_end);
  }

  /// The rules for a scratch; boid i there becomes boid `to` + i.
  [[nodiscard]] FlockSweep sweep_of(const FlockScratch& scratch, std::uint32_t to) const noexcept {
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
  void sort_row(std::uint32_t row, Block& block) const noexcept {
    FlockScratch& scratch = block.scratch;
    std::array<std::uint32_t, 3> from{};
    const std::uint32_t rows = rows_.around(row, from);
    std::size_t picked = 0;
    for (std::uint32_t k = 0; k < rows; ++k) {
      picked += pick_cells(cells_.data(), store_.rows.begins[from[k]], store_.rows.begins[from[k] + 1],
                           {row * x_cells(), x_cells()}, scratch.rows.data() + picked,
                           scratch.row_cells.data() + picked);
    }
    const std::uint32_t count = size_of(row);
    std::uint32_t* const begins = scratch.directory.begins.data() + std::size_t{block.rows} * (x_cells() + 1);
    scratch.places[row] = block.rows++;
    sort_cells_of_row(scratch, {begins, x_cells() + 1}, block.count, count);
    copy_boids({scratch.order.data(), count}, block, row);
    block.count += count;
  }

  /// Meanwhile prefetches the row of `now` that the next row is the first to read.
  void copy_boids(std::span<const std::uint32_t> order, const Block& block,
                  std::uint32_t row) const noexcept {
    const float *const x = store_.now.position[0].data(), *const y = store_.now.position[1].data(),
                       *const u = store_.now.velocity[0].data(), *const v = store_.now.velocity[1].data();
    const auto to = [&](std::array<Array<float>, 2>& columns, std::size_t a) {
      return columns[a].data() + block.count;
    };
    FlockScratch& scratch = block.scratch;
    float *const to_x = to(scratch.position, 0), *const to_y = to(scratch.position, 1),
                 *const to_u = to(scratch.velocity, 0), *const to_v = to(scratch.velocity, 1);
    const std::span<const std::uint32_t> begins = store_.rows.begins.span();
    Coming coming(store_.now, cells_, row + 2 < rows_.count ? begins[row + 2] : 0,
                  row + 2 < rows_.count ? begins[row + 3] : 0);
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

  /// Kernels read whole registers, up to sixteen values behind the last boid.
  static void pad(const Block& block) noexcept {
    for (std::uint32_t a = 0; a < 2; ++a) {
      std::fill_n(block.scratch.position[a].data() + block.count, kArrayPadding,
                  std::numeric_limits<float>::quiet_NaN());
      std::fill_n(block.scratch.velocity[a].data() + block.count, kArrayPadding, 0.0F);
      std::fill_n(block.scratch.pull[a].data() + block.count, kArrayPadding, 0.0F);
    }
  }

  FlockStore& store_;
  const RowsOfFlock rows_;
  Workspace::Scope scope_;
  const Reach reach_;
  std::span<std::uint32_t> cells_;
  std::span<RowMoves> moves_;
  std::span<std::uint32_t> begins_;
};

/// One task for the serial executor, so that its scratch stays in the cache. Else four for each thread.
std::uint32_t count_tasks(FlockRows& kept, std::uint32_t rows, const Executor& executor) {
  if (&executor == &serial_executor()) {
    return 1;
  }
  kept.threads = kept.threads != 0 ? kept.threads : usable_threads();
  return std::clamp(rows / kRowsOfTask, 1U, 4 * kept.threads);
}

}  // namespace

void keep_rows(FlockStore& store) {
  const auto& axis = store.directory.grid.axis;
  store.rows.begins.resize_discard(axis[1].cells + 1);
  for (std::size_t row = 0; row <= axis[1].cells; ++row) {
    store.rows.begins[row] = store.directory.begins[row * axis[0].cells];
  }
}

bool step_by_rows(FlockStore& store, const Executor& executor) {
  const std::uint32_t rows = RowsOfFlock(store).count;
  if (store.rows.begins.size() == 0 || rows < kRowsAtOnce + 2) {  // a block has two neighbours
    return false;
  }
  {
    StepByRows step(store);
    if (!step.find_cells(executor)) {
      return false;
    }
    const std::uint32_t tasks = count_tasks(store.rows, rows, executor);
    step.make_scratch(tasks);
    const auto row_of = [=](std::size_t task) { return static_cast<std::uint32_t>(task * rows / tasks); };
    executor.parallel_for(tasks, 1, [&](std::size_t task, std::size_t) {
      step.move_rows(row_of(task), row_of(task + 1), store.rows.buffers[task]);
    });
    std::copy(step.begins().begin(), step.begins().end(), store.rows.begins.begin());
  }
  std::swap(store.now, store.sorted);
  return true;
}

}  // namespace juxta::agents_detail
