// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A step of a large flock in a plane, some rows of cells at a time.
//
// Rows of cells are as high as a boid sees, and in a step nobody flies as far: whoever comes into a row was
// in it, or in the one before or behind it.
//
//   now      . . | r-1 |  r  | r+1 | . .      boids by the cells where they stood a step ago
//                     \   |   /
//   bench       |r-1|r . . r+7|r+8|           a block of eight rows and their neighbours, each sorted by
//   cells
//                      |     |                from three rows of `now`, while these are in the second cache;
//   next     . . |  r . . r+7  | . .          then the rules. A block ends before its bench leaves the cache.
//
// sort_flock() and move_flock() do the same with all boids at once; in between they write everything to
// memory and read it again. The order is theirs, since a row takes its boids in the order of `now`.
//
// Per boid:     72 bytes of memory (20 read, 20 written, the cells) in place of 150; a quarter of the rows is
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

/// One step: what all blocks have in common.
class StepByRows {
 public:
  explicit StepByRows(FlockStore& store) noexcept
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
    if (!near.load(std::memory_order_relaxed)) {
      return false;
    }
    std::uint32_t sum = 0;
    for (std::uint32_t row = 0; row < rows_.count; ++row) {
      begins_[row] = sum;
      const std::uint32_t before = rows_.before(row), behind = rows_.behind(row);
      sum += goers_[row].same + (before != kNoRow ? goers_[before].behind : 0) +
             (behind != kNoRow ? goers_[behind].before : 0);
    }
    begins_[rows_.count] = sum;
    return true;
  }

  /// The rows [first, last): `now` to `sorted`, which is the next state.
  void move_block(std::uint32_t first, std::uint32_t last, FlockBench& bench) {
    const Workspace::Scope scope(bench.scratch);
    Block block = take_block(first, last, bench);
    if (first > 0) {
      sort_row(first - 1, block);
    }
    const std::uint32_t own = block.count;
    for (std::uint32_t row = first; row < last; ++row) {
      sort_row(row, block);
      std::transform(block.order, block.order + size_of(row), store_.sorted.number.data() + begins_[row],
                     [&](std::uint32_t from) { return store_.now.number[from]; });
    }
    const std::uint32_t own_end = block.count;
    for (const std::uint32_t row : {rows_.behind(last - 1), first == 0 ? rows_.before(0) : kNoRow}) {
      if (row != kNoRow) {
        sort_row(row, block);
      }
    }
    pad(block);
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
      flock.position[a] = block.position[a];
      flock.velocity[a] = block.velocity[a];
      flock.pull[a] = block.pull[a];
      flock.next_position[a] = store_.sorted.position[a].data() + (begins_[first] - own);
      flock.next_velocity[a] = store_.sorted.velocity[a].data() + (begins_[first] - own);
    }
    move_boids(flock, own, own_end);
  }

  /// Where rows begin after the step.
  [[nodiscard]] std::span<const std::uint32_t> begins() const noexcept { return begins_; }

 private:
  /// The boids of some rows, and behind them those of the rows before and behind.
  struct Block {
    float *position[2], *velocity[2], *pull[2];
    std::uint32_t *rows, *row_cells, *order;  // of one row of cells
    std::uint32_t* places;
    std::uint32_t* begins;
    std::uint32_t count = 0, row_count = 0;
  };

  [[nodiscard]] std::uint32_t size_of(std::uint32_t row) const noexcept {
    return begins_[row + 1] - begins_[row];
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

  /// Memory for the rows [first, last) and their neighbours.
  Block take_block(std::uint32_t first, std::uint32_t last, FlockBench& bench) const {
    std::size_t all = begins_[last] - begins_[first];
    std::uint32_t longest = 0;
    for (const std::uint32_t row : {rows_.before(first), rows_.behind(last - 1)}) {
      all += row != kNoRow ? size_of(row) : 0;
      longest = std::max(longest, row != kNoRow ? size_of(row) : 0);
    }
    for (std::uint32_t row = first; row < last; ++row) {
      longest = std::max(longest, size_of(row));
    }
    Block block{};
    for (std::uint32_t a = 0; a < 2; ++a) {
      block.position[a] = bench.scratch.take<float>(all).data();
      block.velocity[a] = bench.scratch.take<float>(all).data();
      block.pull[a] = bench.scratch.take<float>(all).data();
    }
    block.rows = bench.scratch.take<std::uint32_t>(longest).data();
    block.row_cells = bench.scratch.take<std::uint32_t>(longest).data();
    block.order = bench.scratch.take<std::uint32_t>(longest).data();
    block.places = bench.scratch.take<std::uint32_t>(rows_.count).data();
    Directory& directory = bench.directory;
    directory.arrangement = store_.directory.arrangement;
    directory.grid = store_.directory.grid;
    directory.magnitude = store_.directory.magnitude;
    directory.places = block.places;
    directory.begins.resize_discard(std::size_t{last - first + 2} * (directory.grid.axis[0].cells + 1));
    block.begins = directory.begins.data();
    return block;
  }

  /// Who is in a row of cells goes to the end of the block, by cells.
  void sort_row(std::uint32_t row, Block& block) {
    const std::uint32_t x_cells = store_.directory.grid.axis[0].cells;
    const std::uint32_t count = size_of(row);
    pick_row(row, block);
    std::uint32_t* const begins = block.begins + std::size_t{block.row_count} * (x_cells + 1);
    block.places[row] = block.row_count++;
    sort_cells_of_row({begins, x_cells + 1}, block, count);
    copy_boids({block.order, count}, block, row);
    block.count += count;
  }

  /// The boids of a row, as they stand in `now`, and their cells.
  void pick_row(std::uint32_t row, const Block& block) const noexcept {
    const std::uint32_t x_cells = store_.directory.grid.axis[0].cells;
    std::array<std::uint32_t, 3> from{};
    const std::uint32_t rows = rows_.around(row, from);
    std::size_t picked = 0;
    for (std::uint32_t k = 0; k < rows; ++k) {
      picked += pick_cells(cells_.data(), store_.rows.begins[from[k]], store_.rows.begins[from[k] + 1],
                           {row * x_cells, x_cells}, block.rows + picked, block.row_cells + picked);
    }
  }

  /// A stable counting sort; begins[c] is the first boid of a cell in the block.
  static void sort_cells_of_row(std::span<std::uint32_t> begins, const Block& block,
                                std::uint32_t count) noexcept {
    std::fill(begins.begin(), begins.end(), 0U);
    for (std::uint32_t i = 0; i < count; ++i) {
      ++begins[block.row_cells[i]];
    }
    std::uint32_t sum = 0;
    for (std::uint32_t& begin : begins) {
      sum += std::exchange(begin, sum);
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      block.order[begins[block.row_cells[i]]++] = block.rows[i];
    }
    std::uint32_t begin = block.count;  // each holds where its cell ends
    for (std::uint32_t& end : begins) {
      end = std::exchange(begin, block.count + end);
    }
  }

  void copy_boids(std::span<const std::uint32_t> order, const Block& block,
                  std::uint32_t row) const noexcept {
    const float *const x = store_.now.position[0].data(), *const y = store_.now.position[1].data(),
                       *const u = store_.now.velocity[0].data(), *const v = store_.now.velocity[1].data();
    float *const to_x = block.position[0] + block.count, *const to_y = block.position[1] + block.count,
                 *const to_u = block.velocity[0] + block.count, *const to_v = block.velocity[1] + block.count;
    Coming coming(*this, row);
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
    float *const pull_x = block.pull[0] + block.count, *const pull_y = block.pull[1] + block.count;
    for (std::size_t i = 0; i < order.size(); ++i) {
      pull_x[i] = of_velocity * to_u[i] + of_position * to_x[i];
      pull_y[i] = of_velocity * to_v[i] + of_position * to_y[i];
    }
  }

  static constexpr std::size_t kFloatsOfLine = 16;
  /// The boids of the row of `now` that is first looked at for the next row. They are asked for line by line:
  /// the order in which they will be copied hides from the processor that it goes through all of them.
  class Coming {
   public:
    Coming(const StepByRows& step, std::uint32_t row) noexcept : step_(step) {
      if (row + 2 < step.rows_.count) {
        at_ = step.store_.rows.begins[row + 2];
        end_ = step.store_.rows.begins[row + 3];
      }
    }
    void prefetch() noexcept {
      if (at_ < end_) {
        const FlockColumns& now = step_.store_.now;
        for (std::uint32_t a = 0; a < 2; ++a) {
          core_detail::prefetch_line(now.position[a].data() + at_);
          core_detail::prefetch_line(now.velocity[a].data() + at_);
        }
        core_detail::prefetch_line(now.number.data() + at_);
        core_detail::prefetch_line(step_.cells_.data() + at_);
        at_ += kFloatsOfLine;
      }
    }

   private:
    const StepByRows& step_;
    std::size_t at_ = 0, end_ = 0;
  };

  /// Whoever reads a whole sixteen meets nobody behind the last boid.
  static void pad(const Block& block) noexcept {
    for (std::uint32_t a = 0; a < 2; ++a) {
      std::fill_n(block.position[a] + block.count, kArrayPadding, std::numeric_limits<float>::quiet_NaN());
      std::fill_n(block.velocity[a] + block.count, kArrayPadding, 0.0F);
      std::fill_n(block.pull[a] + block.count, kArrayPadding, 0.0F);
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

/// A bench for as long as a block needs it.
class Loan {
 public:
  explicit Loan(FlockRows& rows) : rows_(rows) {
    const core_detail::Lock lock(rows_.mutex);
    if (!rows_.benches.empty()) {
      bench_ = std::move(rows_.benches.back());
      rows_.benches.pop_back();
    }
  }
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;
  ~Loan() {
    const core_detail::Lock lock(rows_.mutex);
    rows_.benches.push_back(std::move(bench_));
  }
  [[nodiscard]] FlockBench& operator*() {
    if (!bench_) {
      bench_ = std::make_unique<FlockBench>(rows_.memory);
    }
    return *bench_;
  }

 private:
  FlockRows& rows_;
  std::unique_ptr<FlockBench> bench_;
};

}  // namespace

std::size_t FlockRows::memory_bytes() const noexcept {
  std::size_t bytes = begins.memory_bytes();
  for (const auto& bench : benches) {
    bytes += bench->directory.memory_bytes() + bench->scratch.memory_bytes();
  }
  return bytes;
}

void keep_rows(FlockStore& store) {
  const auto& axis = store.directory.grid.axis;
  store.rows.begins.resize_discard(axis[1].cells + 1);
  for (std::size_t row = 0; row <= axis[1].cells; ++row) {
    store.rows.begins[row] = store.directory.begins[row * axis[0].cells];
  }
}

bool step_by_rows(FlockStore& store, const Executor& executor) {
  // A block and its neighbours are different rows.
  if (store.rows.begins.size() == 0 || RowsOfFlock(store).count < kRowsAtOnce + 2) {
    return false;
  }
  {
    StepByRows step(store);
    if (!step.find_cells(executor)) {
      return false;
    }
    executor.parallel_for(RowsOfFlock(store).count, kRowsAtOnce, [&](std::size_t first, std::size_t last) {
      Loan bench(store.rows);
      step.move_block(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last), *bench);
    });
    std::copy(step.begins().begin(), step.begins().end(), store.rows.begins.begin());
  }
  std::swap(store.now, store.sorted);
  return true;
}

}  // namespace juxta::agents_detail
