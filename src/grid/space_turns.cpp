// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Agents that take turns: turns.h says how, space_kernel.cpp has the same for planes of one agent a cell.
#include <algorithm>
#include <bit>

#include "grid/space_store.h"
#include "juxta/core/try.h"

namespace juxta {
namespace grid_detail {

void Turns::begin(std::uint32_t rows, std::uint32_t enough, const RandomKey& order) {
  constexpr std::uint32_t kMostSlots = 1U << 31;
  const std::uint32_t slots = rows > kMostSlots / 2 ? kMostSlots : std::bit_ceil(std::max(2 * rows, 64U));
  const std::size_t had = first_.size();
  first_.resize(slots);
  if (had < slots) {  // add_new() reads them, and then looks at their bits
    std::fill_n(first_.data() + had, slots - had, kNone);
  }
  bits_.resize_discard(slots / 64);
  std::fill_n(bits_.data(), bits_.size(), std::uint64_t{0});
  queued_.resize_discard(0);
  moved_.resize_discard(rows);
  list = {.on = true,
          .enough = enough,
          .shift = 64 - static_cast<std::uint32_t>(std::countr_zero(slots)),
          .seed = random_u64(order, 0),
          .bits = bits_.data(),
          .words = bits_.size(),
          .first = first_.data()};
  make_room(rows);
}

void Turns::make_room(std::uint32_t rows) {
  const std::size_t had = queued_.size();
  next_.resize(rows);
  queued_.resize(rows);
  std::fill_n(queued_.data() + had, rows - had, std::uint8_t{0});
  list.next = next_.data();
  list.queued = queued_.data();
}

std::size_t Turns::memory_bytes() const noexcept {
  return bits_.memory_bytes() + first_.memory_bytes() + next_.memory_bytes() + queued_.memory_bytes() +
         moved_.memory_bytes();
}

void SpaceStore::add_all_turns() noexcept {
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (cell[row] != kNone && counts.read(at[row]) <= turns.list.enough) {
      turns.list.add(row);
    }
  }
}

void SpaceStore::add_turns_near(std::uint32_t from, std::uint8_t lost) noexcept {
  const auto look = [&](std::uint32_t near) {
    for (std::uint32_t row = first[near]; row != kNone; row = many ? next[row] : kNone) {
      if (kind[row] == lost && counts.read(at[row]) == turns.list.enough) {
        turns.list.add(row);
      }
    }
  };
  look(from);
  options.grid.visit_near(from, options.near, look);
}

}  // namespace grid_detail

using grid_detail::kNone;
using grid_detail::SpaceStore;

Result<void> GridSpace::begin_turns(std::uint32_t enough, const RandomKey& order) {
  SpaceStore& store = *store_;
  if (store.options.kinds == 0) {
    return fail(ErrorCode::kInvalidArgument,
                "a space without kinds counts no agents: set GridSpaceOptions::kinds");
  }
  if (store.turns.list.on) {
    return fail(ErrorCode::kInvalidArgument,
                "act_below() was called while the agents of this space take turns");
  }
  // With the agent itself. A byte holds at most 255, so that this is more than enough for all of them.
  const std::uint32_t most = store.counts.bytes() != nullptr ? 255 : kNone;
  store.turns.begin(store.rows, std::min(enough, most), order);
  if (store.quick) {
    grid_detail::add_turns(store.task, store.options.kinds);
  } else {
    store.add_all_turns();
  }
  return {};
}

std::uint32_t GridSpace::next_turn() noexcept {
  SpaceStore& store = *store_;
  std::uint32_t row = store.turns.list.take();
  // Those who left the space, or have enough again, have no turn.
  while (row != kNone && (view_.cell[row] == kNone || alike(row) >= store.turns.list.enough)) {
    row = store.turns.list.take();
  }
  return row;
}

Result<std::span<const std::uint32_t>> GridSpace::move_below(std::uint32_t enough, const RandomKey& order,
                                                             const RandomKey& draws) {
  SpaceStore& store = *store_;
  JUXTA_TRY(begin_turns(enough, order));
  const TurnsGuard guard{this};
  std::uint32_t* const moved = store.turns.moved();
  if (store.quick && store.free > 0) {
    store.task.free = store.free;
    return std::span<const std::uint32_t>(moved, grid_detail::move_below(store.task, draws, moved));
  }
  std::size_t count = 0;
  for (std::uint32_t row = next_turn(); row != kNoRow; row = next_turn()) {
    JUXTA_TRY(move_to_free(row, draws));
    moved[count++] = row;
  }
  return std::span<const std::uint32_t>(moved, count);
}

void GridSpace::end_turns() noexcept {
  store_->turns.end();
}

}  // namespace juxta
