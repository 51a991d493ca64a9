// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tests/models/scalar/schelling_turns.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "tests/models/scalar/schelling_draws.h"

namespace juxta::scalar {
namespace {

constexpr std::uint32_t kNobody = ~std::uint32_t{0};

}  // namespace

SchellingTurns::SchellingTurns(const Simulation& start, std::uint32_t size, std::uint32_t radius,
                               std::uint32_t happy)
    : size_(size),
      radius_(radius),
      happy_(happy),
      stride_(size + 2 * radius),
      table_(stride_ * stride_),
      seed_(start.seed()),
      step_(start.step()),
      counts_(std::size_t{2} * table_),
      who_(std::size_t{2} * table_, kNobody),
      free_(std::size_t{size} * size, 1) {
  const Population& agents = *start.find_population("agents");
  const auto x = agents.read(agents.position(0)), y = agents.read(agents.position(1));
  const auto group = agents.read(*agents.find_column<std::uint8_t>("group"));
  for (std::uint32_t i = 0; i < agents.size(); ++i) {
    cell_.push_back(static_cast<std::uint32_t>(y[i]) * size + static_cast<std::uint32_t>(x[i]));
    free_[cell_[i]] = 0;
    at_.push_back(group[i] * table_ + place(cell_[i]));
    who_[at_[i]] = i;
    come<0>(at_[i], 2 * radius + 1);
  }
}

SchellingTurns::Turn SchellingTurns::turn(std::uint32_t number) const {
  return {turn_word(order_seed_, number), number};
}

/// Loops of known length, unless `width` is 0: then it is `size`.
template <std::uint32_t width>
void SchellingTurns::come(std::uint32_t at, std::uint32_t size) noexcept {
  size = width > 0 ? width : size;
  std::uint8_t* row = counts_.data() + at - std::size_t{radius_} * (stride_ + 1);
  for (std::uint32_t y = 0; y < size; ++y, row += stride_) {
    for (std::uint32_t x = 0; x < size; ++x) {
      row[x] = static_cast<std::uint8_t>(row[x] + 1);
    }
  }
}

template <std::uint32_t width>
void SchellingTurns::leave(std::uint32_t at, std::uint32_t size, const Turn& now) {
  size = width > 0 ? width : size;
  std::size_t line = at - std::size_t{radius_} * (stride_ + 1);
  for (std::uint32_t y = 0; y < size; ++y, line += stride_) {
    std::uint8_t* const row = counts_.data() + line;
    const std::uint32_t* const who = who_.data() + line;
    std::uint32_t some = 0;
    for (std::uint32_t x = 0; x < size; ++x) {
      row[x] = static_cast<std::uint8_t>(row[x] - 1);
      some |= (row[x] == happy_ && who[x] != kNobody ? 1U : 0U) << x;
    }
    for (; some != 0; some &= some - 1) {
      const Turn its = turn(who[std::countr_zero(some)]);
      if (its > now) {
        later_.push(its);
      }
    }
  }
}

template <std::uint32_t width>
void SchellingTurns::move(std::uint32_t number, const Turn& now) {
  const std::uint32_t group = at_[number] < table_ ? 0 : table_;
  const std::uint32_t to = draw_free_cell(seed_, step_, number, size_ * size_,
                                          [&](std::uint32_t cell) { return free_[cell] != 0; });
  free_[cell_[number]] = 1;
  free_[to] = 0;
  cell_[number] = to;
  who_[at_[number]] = kNobody;
  leave<width>(at_[number], 2 * radius_ + 1, now);
  at_[number] = group + place(to);
  who_[at_[number]] = number;
  come<width>(at_[number], 2 * radius_ + 1);
}

template <std::uint32_t width>
void SchellingTurns::take_turns() {
  order_seed_ = random_u64({seed_, step_, kSchellingOrder}, 0);
  first_.clear();
  for (std::uint32_t number = 0; number < at_.size(); ++number) {
    if (counts_[at_[number]] <= happy_) {  // the agent itself is counted
      first_.push_back(turn(number));
    }
  }
  std::ranges::sort(first_);
  Turn last{0, kNobody};
  for (std::size_t i = 0; i < first_.size() || !later_.empty();) {
    Turn now;
    if (later_.empty() || (i < first_.size() && first_[i] < later_.top())) {
      now = first_[i++];
    } else {
      now = later_.top();
      later_.pop();
    }
    const std::uint32_t number = now.second;
    if (now != last && counts_[at_[number]] <= happy_) {  // once, although it may be there several times
      move<width>(number, now);
    }
    last = now;
  }
}

void SchellingTurns::step() {
  radius_ == 1 ? take_turns<3>() : radius_ == 2 ? take_turns<5>() : take_turns<0>();
  ++step_;
}

std::vector<SchellingTurns::Cell> SchellingTurns::cells() const {
  std::vector<Cell> cells;
  for (const std::uint32_t cell : cell_) {
    cells.push_back({cell % size_, cell / size_});
  }
  return cells;
}

}  // namespace juxta::scalar
