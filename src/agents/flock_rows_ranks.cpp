// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A step by rows (flock_row_step.cpp) of a flock in a plane whose rows are on several ranks: one exchange,
// and most rows need nothing of it.
//
//   1. all ranks say how many boids their outer rows have and lose
//   2. the first two rows of `now` go to the rank before, the last two to the one behind
//   3. meanwhile all rows move but the two at either end
//   4. then these
//
// So boids that change ranks need no message of their own: whoever has the row that they move to picks them
// from the rows that came.
//
// Per step:  20 bytes a boid of four rows, one small all_gather, one message to each of two neighbours.
#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "agents/distribution.h"
#include "agents/flock_ranks.h"
#include "agents/flock_row_step.h"
#include "juxta/core/try.h"

namespace juxta::agents_detail {
namespace {

/// What a rank tells all others. All are numbers of 32 bits.
struct Outskirts {
  std::uint32_t near = 1;                // no boid moves further than to the next row
  std::array<std::uint32_t, 4> boids{};  // of the first two rows, and of the last two
  std::uint32_t before = 0, behind = 0;  // so many move to the row before these rows, and behind them
};

/// A row of another rank; `which` of Outskirts::boids it is.
struct NeededRow {
  std::uint32_t row, which;
};

class StepOfRank {
 public:
  explicit StepOfRank(FlockStore& store)
      : store_(store), over_(*store.ranks), step_(store, over_.spans[over_.ranks.rank()]) {}

  /// False if boids move too far, somewhere. Collective.
  [[nodiscard]] Result<bool> find_cells(const Executor& executor) {
    put_cells(store_.count);
    const std::uint32_t* const begins = store_.rows.begins.data();
    const RowRange own = step_.own();
    const std::uint32_t rows = own.size();
    Outskirts mine;
    mine.near = step_.find_cells(executor) ? 1 : 0;
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t row = i < 2 ? i : rows - 4 + i;
      mine.boids[i] = begins[row + 1] - begins[row];
    }
    mine.before = step_.moves_of(own.first).before;
    mine.behind = step_.moves_of(own.last - 1).behind;
    JUXTA_TRY_LET(all_, all_gather(over_.ranks, mine));
    return std::all_of(all_.begin(), all_.end(), [](const Outskirts& one) { return one.near != 0; });
  }

  /// Sends rows that others need, and makes `now` large enough for those that come. Collective.
  [[nodiscard]] Result<void> start() {
    std::vector<RankSend> sends;
    std::vector<RankReceive> receives;
    std::size_t at = store_.count;
    for (FlockNeighbour& neighbour : over_.neighbours) {
      pack(neighbour);
      std::size_t coming = 0;
      for (const auto& [row, which] : rows_needed(over_.ranks.rank(), neighbour.rank)) {
        const std::uint32_t boids = all_[neighbour.rank].boids[which];
        step_.add_row(row, range_at(at + coming, boids));
        coming += boids;
      }
      at += coming;
      neighbour.received.resize(coming * kColumns);
      if (!neighbour.sent.empty()) {
        sends.push_back({neighbour.rank, std::as_bytes(std::span(neighbour.sent))});
      }
      if (coming != 0) {
        receives.push_back({neighbour.rank, std::as_writable_bytes(std::span(neighbour.received))});
      }
    }
    JUXTA_TRY(over_.ranks.start(sends, receives));
    store_.now.resize(at, 2);
    put_cells(at);
    count_arrivals();
    step_.find_begins();
    store_.sorted.resize_discard(step_.begins().back(), 2);
    return {};
  }

  void move_inner(const Executor& executor) {
    step_.move_rows(inner(), core_detail::Meanwhile(&over_.ranks), executor);
  }

  /// Collective.
  [[nodiscard]] Result<void> finish(const Executor& executor) {
    JUXTA_TRY(over_.ranks.finish());
    std::size_t at = store_.count;
    for (const FlockNeighbour& neighbour : over_.neighbours) {
      const std::size_t boids = neighbour.received.size() / kColumns;
      const float* in = neighbour.received.data();
      for (std::byte* column : columns()) {
        if (boids != 0) {
          std::memcpy(column + at * kBoidValueBytes, in, boids * kBoidValueBytes);
          in += boids;
        }
      }
      at += boids;
      for (const NeededRow& needed : rows_needed(over_.ranks.rank(), neighbour.rank)) {
        step_.find_cells_of(needed.row);
      }
    }
    const RowRange own = step_.own(), between = inner();
    const core_detail::Meanwhile nothing(nullptr);
    step_.move_rows({own.first, between.first}, nothing, executor);
    step_.move_rows({between.last, own.last}, nothing, executor);
    keep();
    return {};
  }

 private:
  static constexpr std::size_t kColumns = 5;

  [[nodiscard]] static RowRange range_at(std::size_t first, std::uint32_t count) noexcept {
    return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(first) + count};
  }
  void put_cells(std::size_t boids) {
    over_.cells.resize(boids + kArrayPadding);
    step_.put_cells(over_.cells.data());
  }
  /// Position, velocity and number of `now`.
  [[nodiscard]] std::array<std::byte*, kColumns> columns() noexcept {
    const auto bytes = [](auto& column) { return reinterpret_cast<std::byte*>(column.data()); };
    FlockColumns& now = store_.now;
    return {bytes(now.position[0]), bytes(now.position[1]), bytes(now.velocity[0]), bytes(now.velocity[1]),
            bytes(now.number)};
  }

  /// Rows that one rank needs of another, in the order in which they are sent.
  [[nodiscard]] std::vector<NeededRow> rows_needed(std::uint32_t by, std::uint32_t of) const {
    const RowRange mine = over_.spans[by], its = over_.spans[of];
    std::vector<NeededRow> rows;
    const auto add = [&](std::uint32_t row) {
      if (row != kNoRow && its.first <= row && row < its.last) {
        rows.push_back({row, row - its.first < 2 ? row - its.first : 4 - (its.last - row)});
      }
    };
    const std::uint32_t before = step_.rows().before(mine.first), behind = step_.rows().behind(mine.last - 1);
    add(before != kNoRow ? step_.rows().before(before) : kNoRow);
    add(before);
    add(behind);
    add(behind != kNoRow ? step_.rows().behind(behind) : kNoRow);
    return rows;
  }

  void pack(FlockNeighbour& neighbour) {
    const std::vector<NeededRow> rows = rows_needed(neighbour.rank, over_.ranks.rank());
    const std::uint32_t* const begins = store_.rows.begins.data();
    std::size_t going = 0;
    for (const NeededRow& needed : rows) {
      const std::uint32_t* const begin = begins + (needed.row - step_.own().first);
      going += begin[1] - begin[0];
    }
    neighbour.sent.resize(going * kColumns);
    float* out = neighbour.sent.data();
    for (const std::byte* column : columns()) {
      for (const NeededRow& needed : rows) {
        const std::uint32_t* const begin = begins + (needed.row - step_.own().first);
        if (const std::size_t boids = begin[1] - begin[0]; boids != 0) {
          std::memcpy(out, column + begin[0] * kBoidValueBytes, boids * kBoidValueBytes);
          out += boids;
        }
      }
    }
  }

  /// To our outer rows, from those beside them.
  void count_arrivals() noexcept {
    const std::uint32_t before = step_.rows().before(step_.own().first),
                        behind = step_.rows().behind(step_.own().last - 1);
    if (is_elsewhere(before)) {
      step_.moves_of(before).behind = all_[over_.cuts.owner(before)].behind;
    }
    if (is_elsewhere(behind)) {
      step_.moves_of(behind).before = all_[over_.cuts.owner(behind)].before;
    }
  }
  [[nodiscard]] bool is_elsewhere(std::uint32_t row) const noexcept {
    return row != kNoRow && (row < step_.own().first || row >= step_.own().last);
  }
  /// Own rows that need no others.
  [[nodiscard]] RowRange inner() const noexcept {
    const RowRange own = step_.own();
    return {own.first + (is_elsewhere(step_.rows().before(own.first)) ? 2 : 0),
            own.last - (is_elsewhere(step_.rows().behind(own.last - 1)) ? 2 : 0)};
  }

  /// The next state is that of the flock.
  void keep() {
    const std::span<const std::uint32_t> begins = step_.begins();
    std::copy(begins.begin(), begins.end(), store_.rows.begins.begin());
    over_.origins.keys = over_.rows;
    over_.origins.begins.assign(begins.begin(), begins.end());
    store_.count = begins.back();
    std::swap(store_.now, store_.sorted);
  }

  FlockStore& store_;
  FlockRanks& over_;
  StepByRows step_;
  std::vector<Outskirts> all_;  // by rank
};

}  // namespace

Result<bool> step_by_rows_over_ranks(FlockStore& store, const Executor& executor) {
  if (!store.ranks->knows_rows) {
    return false;
  }
  StepOfRank step(store);
  JUXTA_TRY_LET(const bool near, step.find_cells(executor));
  if (near) {
    JUXTA_TRY(step.start());
    step.move_inner(executor);
    JUXTA_TRY(step.finish(executor));
  }
  return near;
}

}  // namespace juxta::agents_detail
