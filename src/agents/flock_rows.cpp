// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A step of a large flock in a plane, some rows of cells at a time.
//
// Rows of cells are as high as a boid sees, and in a step nobody flies as far: whoever comes into a row was
// in it, or in the one before or behind it.
//
//   now      . . | r-1 |  r  | r+1 | . .      by the cells where the boids stood a step ago
//                     |   |   |
//   bench       | r .. r+15 | r-1 | r+16 |    a block of rows and its two neighbours, each row sorted by
//   cells
//                     |                       from three rows of `now`, while these are in the second cache;
//   next     . . | r .. r+15 | . .            then the rules, while the bench is there
//
// sort_flock() and move_flock() do the same with all boids at once; in between they write everything to
// memory and read it again. The order is theirs, since a row takes its boids in the order of `now`.
//
// A task has some blocks, one after the other, and a bench of its own. All memory is taken before tasks run.
//
// Per boid:     72 bytes of memory (20 read, 20 written, the cells) in place of 150; an eighth of the rows is
//               sorted twice.
// Determinism:  that of the order by cells. Which block a row is in changes nothing.
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

/// How many boids of a row of cells go where.
struct Goers {
  std::uint32_t before, same, behind;
};

/// The rows of cells of a flock in a plane: who is next to whom.
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

/// Boids of `now` that are about to be copied. They are asked for line by line: the order in which they will
/// be copied hides from the processor that it goes through all of them.
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

/// Who of a bench is in a row of cells, by cells, stably; begins[c] is the first boid of a cell, whose row
/// begins with boid `first`.
void sort_cells_of_row(FlockBench& bench, std::span<std::uint32_t> begins, std::uint32_t first,
                       std::uint32_t count) noexcept {
  const std::uint32_t *const rows = bench.rows.data(), *const cells = bench.row_cells.data();
  std::uint32_t* const order = bench.order.data();
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
        goers_(store.scratch.take<Goers>(rows_.count)),
        begins_(store.scratch.take<std::uint32_t>(rows_.count + 1)) {}

  /// False: somebody goes further than into the next row.
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
      sum += goers_[row].same + (before != kNoRow ? goers_[before].behind : 0) +
             (behind != kNoRow ? goers_[behind].before : 0);
    }
    begins_[rows_.count] = sum;
    return near.load(std::memory_order_relaxed);
  }

  /// Memory for so many tasks, on the caller's thread: the flock's resource need not be safe from others.
  void make_benches(std::size_t count) {
    std::size_t most = 0, longest = 0;
    for (std::uint32_t row = 0; row < rows_.count; ++row) {  // any block that may begin with it
      const std::uint32_t end = std::min(row + kRowsAtOnce, rows_.count);
      const std::size_t beside = size_if(rows_.before(row)) + size_if(rows_.behind(end - 1));
      most = std::max(most, begins_[end] - begins_[row] + beside);
      longest = std::max(longest, size_if(row));
    }
    FlockRows& kept = store_.rows;
    while (kept.benches.size() < count) {
      kept.benches.emplace_back(kept.memory);
    }
    for (FlockBench& bench : kept.benches) {
      bench.make_room(most, longest, std::size_t{kRowsAtOnce + 2} * (x_cells() + 1), rows_.count);
    }
  }

  /// The rows [first, last), block by block: `now` to `sorted`, which is the next state.
  void move_rows(std::uint32_t first, std::uint32_t last, FlockBench& bench) const noexcept {
    for (; first < last; first += kRowsAtOnce) {
      move_block(first, std::min(first + kRowsAtOnce, last), bench);
    }
  }

  /// Where rows begin after the step.
  [[nodiscard]] std::span<const std::uint32_t> begins() const noexcept { return begins_; }

 private:
  /// What a bench holds so far.
  struct Block {
    FlockBench& bench;
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
    Goers goers{};
    for (std::uint32_t i = first; i < last; ++i) {
      const std::uint32_t to = y.cell(py[i]);
      cells_[i] = to * x.cells + x.cell(px[i]);
      goers.before += to == before;
      goers.same += to == row;
      goers.behind += to == behind;
    }
    goers_[row] = goers;
    return goers.before + goers.same + goers.behind == last - first;
  }

  void move_block(std::uint32_t first, std::uint32_t last, FlockBench& bench) const noexcept {
    bench.directory.arrangement = store_.directory.arrangement;
    bench.directory.grid = store_.directory.grid;
    bench.directory.magnitude = store_.directory.magnitude;
    bench.directory.places = bench.places.data();
    Block block{bench};
    if (first > 0) {
      sort_row(first - 1, block);
    }
    const std::uint32_t own = block.count;
    for (std::uint32_t row = first; row < last; ++row) {
      sort_row(row, block);
      std::transform(bench.order.data(), bench.order.data() + size_of(row),
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
    move_boids(sweep_of(bench, begins_[first] - own), own, own_end);
  }

  /// Boid i of the bench becomes boid `to` + i.
  [[nodiscard]] FlockSweep sweep_of(const FlockBench& bench, std::uint32_t to) const noexcept {
    FlockSweep flock{store_.options,
                     bench.directory,
                     reach_,
                     {},
                     {},
                     {},
                     store_.pull_of_position(),
                     store_.folds(),
                     {},
                     {}};
    for (std::uint32_t a = 0; a < 2; ++a) {
      flock.position[a] = bench.position[a].data();
      flock.velocity[a] = bench.velocity[a].data();
      flock.pull[a] = bench.pull[a].data();
      flock.next_position[a] = store_.sorted.position[a].data() + to;
      flock.next_velocity[a] = store_.sorted.velocity[a].data() + to;
    }
    return flock;
  }

  /// Who is in a row of cells goes to the end of the block, by cells.
  void sort_row(std::uint32_t row, Block& block) const noexcept {
    FlockBench& bench = block.bench;
    std::array<std::uint32_t, 3> from{};
    const std::uint32_t rows = rows_.around(row, from);
    std::size_t picked = 0;
    for (std::uint32_t k = 0; k < rows; ++k) {
      picked += pick_cells(cells_.data(), store_.rows.begins[from[k]], store_.rows.begins[from[k] + 1],
                           {row * x_cells(), x_cells()}, bench.rows.data() + picked,
                           bench.row_cells.data() + picked);
    }
    const std::uint32_t count = size_of(row);
    std::uint32_t* const begins = bench.directory.begins.data() + std::size_t{block.rows} * (x_cells() + 1);
    bench.places[row] = block.rows++;
    sort_cells_of_row(bench, {begins, x_cells() + 1}, block.count, count);
    copy_boids({bench.order.data(), count}, block, row);
    block.count += count;
  }

  /// Meanwhile those of the row of `now` that the next row is the first to look at are asked for.
  void copy_boids(std::span<const std::uint32_t> order, const Block& block,
                  std::uint32_t row) const noexcept {
    const float *const x = store_.now.position[0].data(), *const y = store_.now.position[1].data(),
                       *const u = store_.now.velocity[0].data(), *const v = store_.now.velocity[1].data();
    const auto to = [&](std::array<Array<float>, 2>& columns, std::size_t a) {
      return columns[a].data() + block.count;
    };
    FlockBench& bench = block.bench;
    float *const to_x = to(bench.position, 0), *const to_y = to(bench.position, 1),
                 *const to_u = to(bench.velocity, 0), *const to_v = to(bench.velocity, 1);
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
    float *const pull_x = to(bench.pull, 0), *const pull_y = to(bench.pull, 1);
    for (std::size_t i = 0; i < order.size(); ++i) {
      pull_x[i] = of_velocity * to_u[i] + of_position * to_x[i];
      pull_y[i] = of_velocity * to_v[i] + of_position * to_y[i];
    }
  }

  /// Whoever reads a whole sixteen meets nobody behind the last boid.
  static void pad(const Block& block) noexcept {
    for (std::uint32_t a = 0; a < 2; ++a) {
      std::fill_n(block.bench.position[a].data() + block.count, kArrayPadding,
                  std::numeric_limits<float>::quiet_NaN());
      std::fill_n(block.bench.velocity[a].data() + block.count, kArrayPadding, 0.0F);
      std::fill_n(block.bench.pull[a].data() + block.count, kArrayPadding, 0.0F);
    }
  }

  FlockStore& store_;
  const RowsOfFlock rows_;
  Workspace::Scope scope_;
  const Reach reach_;
  std::span<std::uint32_t> cells_;
  std::span<Goers> goers_;
  std::span<std::uint32_t> begins_;
};

/// In how many tasks: for one thread in one, so that its bench stays in the cache from block to block; else
/// in some for each thread.
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
    step.make_benches(tasks);
    const auto row_of = [=](std::size_t task) { return static_cast<std::uint32_t>(task * rows / tasks); };
    executor.parallel_for(tasks, 1, [&](std::size_t task, std::size_t) {
      step.move_rows(row_of(task), row_of(task + 1), store.rows.benches[task]);
    });
    std::copy(step.begins().begin(), step.begins().end(), store.rows.begins.begin());
  }
  std::swap(store.now, store.sorted);
  return true;
}

}  // namespace juxta::agents_detail
