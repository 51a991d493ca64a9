// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Free cells, and an agent that moves to one. free_draws-inl.h says how a free cell is found.
//
//   2r+1 rows of counts around the old cell lose 1, around the new one gain 1: sixteen at once
//
// Nothing is branched on that depends on what was drawn but the draw itself.
//
// While agents take turns (turns.h), those around the old cell whose count falls to the limit are added: a
// mask for each row of counts, several of them in one word, and a loop over its bits. The first agents to be
// added are found by a pass over the tables, a register of cells at a time. Draws are made for the agent
// whose turn seems to be next while this one moves: else each would wait for the ten rounds of its block.
#include "grid/space_kernel.h"

#include "grid/turns.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/grid/space_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

#include "core/simd/mask_bits-inl.h"
#include "core/simd/philox-inl.h"
#include "grid/free_draws-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::grid_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

std::uint32_t DrawFree(const RandomKey& key, std::uint32_t id, std::uint32_t cells,
                       const std::uint64_t* taken) {
  return DrawFreeCell(key, id, cells, taken);
}

// The next three with lines of counts in registers of so many bytes: the fewest that hold one. Shorter loads
// seldom meet stores that are on their way.
template <std::size_t bytes, bool more>
HWY_INLINE void ChangeCounts(const MoveTask& task, std::uint32_t at) {
  const hn::FixedTag<std::uint8_t, bytes> d;
  std::uint8_t* const around = task.counts + at;
  for (const CountRun *run = task.runs, *end = run + task.run_count; run < end; ++run) {
    std::uint8_t* const to = around + run->offset;
    const auto change = hn::LoadU(d, run->ones);
    const auto before = hn::LoadU(d, to);
    hn::StoreU(more ? hn::Add(before, change) : hn::Sub(before, change), d, to);
  }
}

/// Counts around a cell that an agent of `kind` leaves, while agents take turns.
template <std::size_t bytes>
HWY_INLINE void LowerCounts(const MoveTask& task, TurnList& turns, std::uint32_t at, std::uint32_t from,
                            std::uint32_t kind) {
  const hn::FixedTag<std::uint8_t, bytes> d;
  const auto own = hn::Set(d, static_cast<std::uint8_t>(kind + 1)),
             enough = hn::Set(d, static_cast<std::uint8_t>(turns.enough));
  std::uint8_t* const around = task.counts + at;
  const std::uint8_t* const who = task.who + (at - kind * task.table);
  for (const CountRun *run = task.runs, *end = run + task.run_count; run < end;) {
    const std::int32_t* const cell = run->cells;
    std::uint64_t fell = 0;
    do {
      std::uint8_t* const to = around + run->offset;
      const auto after = hn::Sub(hn::LoadU(d, to), hn::LoadU(d, run->ones));
      hn::StoreU(after, d, to);
      const auto some = hn::And(hn::Eq(after, enough), hn::Eq(hn::LoadU(d, who + run->offset), own));
      fell |= std::uint64_t{core_detail::HWY_NAMESPACE::BitsOf(d, some) & run->mask} << run->shift;
    } while (++run < end && run->shift > 0);
    for (; fell != 0; fell &= fell - 1) {
      const std::int32_t there = cell[hwy::Num0BitsBelowLS1Bit_Nonzero64(fell)];
      turns.add(task.first[static_cast<std::int64_t>(from) + there]);
    }
  }
}

template <std::size_t bytes, bool in_turn>
HWY_INLINE void MoveRow(const MoveTask& task, TurnList& turns, std::uint32_t row, std::uint32_t to) {
  const std::uint32_t from = task.cell[row], kind = task.kind[row], before = task.at[row];
  const std::uint32_t after = task.corner[kind] + to + to / task.width * task.border;
  task.taken[from / 64] &= ~(std::uint64_t{1} << from % 64);
  task.taken[to / 64] |= std::uint64_t{1} << to % 64;
  task.cell[row] = to;
  task.at[row] = after;
  if (in_turn) {
    LowerCounts<bytes>(task, turns, before, from, kind);
  } else {
    ChangeCounts<bytes, false>(task, before);
  }
  ChangeCounts<bytes, true>(task, after);
  // Last: a load of many bytes would wait for a store of one of them.
  task.first[from] = kNone;
  task.first[to] = row;
  task.who[before - kind * task.table] = 0;
  task.who[after - kind * task.table] = static_cast<std::uint8_t>(kind + 1);
}

template <bool in_turn>
HWY_INLINE void MoveRowOf(const MoveTask& task, std::uint32_t row, std::uint32_t to) {
  task.widest <= 4   ? MoveRow<4, in_turn>(task, *task.turns, row, to)
  : task.widest <= 8 ? MoveRow<8, in_turn>(task, *task.turns, row, to)
                     : MoveRow<16, in_turn>(task, *task.turns, row, to);
}

void MoveTo(const MoveTask& task, std::uint32_t row, std::uint32_t to) {
  if (!task.turns->on) {
    return MoveRowOf<false>(task, row, to);
  }
  MoveRowOf<true>(task, row, to);
  // The one whose turn it is has had it; the turn of another one may be to come.
  if (row != task.turns->now && task.counts[task.at[row]] <= task.turns->enough) {
    task.turns->add(row);
  }
}

std::uint32_t MoveToFree(const MoveTask& task, const RandomKey& key, std::uint32_t row) {
  std::uint32_t to = DrawFreeCell(key, row, task.cells, task.taken);
  if (HWY_UNLIKELY(to == kAllTaken)) {
    to = choose_free(task.first, task.free, key, row);
  }
  MoveTo(task, row, to);
  return to;
}

void AddAllTurns(const MoveTask& task, std::uint32_t kinds) {
  const hn::CappedTag<std::uint8_t, 64> d;
  constexpr std::size_t kBytes = hn::MaxLanes(d);
  const std::uint32_t stride = task.width + task.border;
  const std::uint32_t places = task.cells + (task.cells - 1) / task.width * task.border;
  const auto enough = hn::Set(d, static_cast<std::uint8_t>(task.turns->enough));
  TurnList turns = *task.turns;
  for (std::uint32_t kind = 0; kind < kinds; ++kind) {
    const std::uint8_t* const counts = task.counts + task.corner[kind];
    const std::uint8_t* const who = task.who + task.corner[0];
    const auto own = hn::Set(d, static_cast<std::uint8_t>(kind + 1));
    for (std::uint32_t from = 0; from < places; from += kBytes) {
      const auto here = hn::LoadU(d, counts + from);
      const auto few = hn::And(hn::Eq(hn::Min(here, enough), here), hn::Eq(hn::LoadU(d, who + from), own));
      std::uint8_t bytes[8] = {};
      hn::StoreMaskBits(d, few, bytes);
      std::uint64_t bits = 0;
      hwy::CopyBytes<(kBytes + 7) / 8>(bytes, &bits);
      for (; bits != 0; bits &= bits - 1) {
        const std::uint32_t place =
            from + static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(bits));
        turns.add_new(task.first[place - place / stride * task.border]);
      }
    }
  }
}

/// The cells that the first two blocks of some rows draw, a block a lane, while another row moves.
class DrawsAhead {
  using Tag = hn::CappedTag<std::uint64_t, 8>;
  static constexpr std::size_t kLanes = hn::MaxLanes(Tag()), kRows = kLanes / 2;

 public:
  HWY_INLINE DrawsAhead(const RandomKey& key, std::uint32_t cells) : keys_(key), key_(key), cells_(cells) {}

  /// As DrawFreeCell(), for the row whose turn it is.
  HWY_INLINE std::uint32_t Draw(const MoveTask& task, const TurnList& turns, std::uint32_t row) {
    while (used_ < kRows && rows_[used_] != row) {  // some did not move
      ++used_;
    }
    if (HWY_UNLIKELY(used_ >= kRows)) {
      rows_[0] = row;
      turns.peek(rows_ + 1, kRows - 1);
      Make();
    }
    const std::uint64_t* const cells = drawn_ + used_;
    const auto cell = [&](std::size_t i) { return cells[i % 4 * kLanes + i / 4 * kRows]; };
    std::uint32_t free = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      free |= (task.first[cell(i)] == kNone ? 1U : 0U) << i;
    }
    const auto to =
        static_cast<std::uint32_t>(cell(free != 0 ? hwy::Num0BitsBelowLS1Bit_Nonzero32(free) : 0));
    if (++used_ == kRows) {
      turns.peek(rows_, kRows);
      Make();
    }
    return HWY_LIKELY(free != 0) ? to : DrawMore(key_, row, task.cells, task.taken);
  }

 private:
  /// For rows_; those that are none draw too.
  HWY_INLINE void Make() {
    const Tag d;
    const hn::Repartition<std::uint32_t, Tag> halves;
    const hn::Rebind<std::uint32_t, Tag> narrow;
    HWY_ALIGN std::uint32_t twice[kLanes];
    for (std::size_t i = 0; i < kLanes; ++i) {
      twice[i] = rows_[i % kRows];
    }
    hn::Vec<Tag> words[4] = {hn::PromoteTo(d, hn::Load(narrow, twice)),
                             hn::ShiftRight<hwy::CeilLog2(kRows)>(hn::Iota(d, 0))};
    core_detail::HWY_NAMESPACE::PhiloxRounds<1>(d, keys_, &words[0], &words[1], &words[2], &words[3]);
    const auto count = hn::BitCast(halves, hn::Set(d, cells_));
    for (std::size_t k = 0; k < 4; ++k) {
      hn::Store(hn::ShiftRight<32>(hn::MulEven(hn::BitCast(halves, words[k]), count)), d,
                drawn_ + k * kLanes);
    }
    used_ = 0;
  }

  core_detail::HWY_NAMESPACE::PhiloxKeys<Tag> keys_;
  HWY_ALIGN std::uint64_t drawn_[4 * kLanes];  // word by word; of all rows the first blocks, then the second
  std::uint32_t rows_[kRows];
  std::size_t used_ = kRows;
  const RandomKey key_;
  const std::uint32_t cells_;
};

template <std::size_t bytes>
HWY_INLINE std::size_t MoveAll(const MoveTask& given, const RandomKey& key, std::uint32_t* moved) {
  const MoveTask task = given;  // copies that no store to a byte can change
  TurnList turns = *given.turns;
  DrawsAhead draws(key, task.cells);
  std::size_t count = 0;
  for (std::uint32_t row = turns.take(); row != kNone; row = turns.take()) {
    if (task.counts[task.at[row]] > turns.enough) {  // again
      continue;
    }
    std::uint32_t to = draws.Draw(task, turns, row);
    if (HWY_UNLIKELY(to == kAllTaken)) {
      to = choose_free(task.first, task.free, key, row);
    }
    MoveRow<bytes, true>(task, turns, row, to);
    moved[count++] = row;
  }
  return count;
}

std::size_t MoveBelow(const MoveTask& task, const RandomKey& key, std::uint32_t* moved) {
  return task.widest <= 4   ? MoveAll<4>(task, key, moved)
         : task.widest <= 8 ? MoveAll<8>(task, key, moved)
                            : MoveAll<16>(task, key, moved);
}

}  // namespace juxta::grid_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::grid_detail {

JUXTA_KERNEL(DrawFree);
JUXTA_KERNEL(MoveTo);
JUXTA_KERNEL(MoveToFree);
JUXTA_KERNEL(AddAllTurns);
JUXTA_KERNEL(MoveBelow);

std::uint32_t draw_free(const RandomKey& key, std::uint32_t id, std::uint32_t cells,
                        const std::uint64_t* taken) noexcept {
  return JUXTA_CALL_KERNEL(DrawFree)(key, id, cells, taken);
}
std::uint32_t move_to_free(const MoveTask& task, const RandomKey& key, std::uint32_t row) noexcept {
  return JUXTA_CALL_KERNEL(MoveToFree)(task, key, row);
}
void move_to(const MoveTask& task, std::uint32_t row, std::uint32_t to) noexcept {
  JUXTA_CALL_KERNEL(MoveTo)(task, row, to);
}
void add_turns(const MoveTask& task, std::uint32_t kinds) noexcept {
  JUXTA_CALL_KERNEL(AddAllTurns)(task, kinds);
}
std::size_t move_below(const MoveTask& task, const RandomKey& draws, std::uint32_t* moved) noexcept {
  return JUXTA_CALL_KERNEL(MoveBelow)(task, draws, moved);
}

}  // namespace juxta::grid_detail
#endif
