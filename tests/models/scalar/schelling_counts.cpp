// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tests/models/scalar/schelling_counts.h"

#include <cstddef>

namespace juxta::scalar {
namespace {

[[gnu::always_inline]] inline void add_square(std::uint8_t* row, std::uint32_t stride, std::uint32_t width,
                                              std::uint8_t change) noexcept {
  for (std::uint32_t y = 0; y < width; ++y, row += stride) {
    for (std::uint32_t x = 0; x < width; ++x) {
      row[x] = static_cast<std::uint8_t>(row[x] + change);
    }
  }
}

}  // namespace

SchellingCounts::SchellingCounts(const Simulation& start, std::uint32_t size, std::uint32_t radius,
                                 std::uint32_t happy, SchellingOrder order)
    : how_(order),
      size_(size),
      radius_(radius),
      happy_(happy),
      stride_(size + 2 * radius),
      table_(stride_ * stride_),
      seed_(start.seed()),
      step_(start.step()),
      counts_(std::size_t{2} * table_),
      free_(std::size_t{size} * size, 1) {
  const Population& agents = *start.find_population("agents");
  const auto x = agents.read(agents.position(0)), y = agents.read(agents.position(1));
  const auto group = agents.read(*agents.find_column<std::uint8_t>("group"));
  for (std::size_t i = 0; i < agents.size(); ++i) {
    cell_.push_back(static_cast<std::uint32_t>(y[i]) * size + static_cast<std::uint32_t>(x[i]));
    free_[cell_[i]] = 0;
    at_.push_back(group[i] * table_ + place(cell_[i]));
    add(at_[i], 1);
  }
  order_.resize(at_.size());
}

void SchellingCounts::add(std::uint32_t at, std::uint8_t change) noexcept {
  std::uint8_t* row = counts_.data() + at - std::size_t{radius_} * (stride_ + 1);
  switch (radius_) {  // loops of known length
    case 1:
      return add_square(row, stride_, 3, change);
    case 2:
      return add_square(row, stride_, 5, change);
    default:
      return add_square(row, stride_, 2 * radius_ + 1, change);
  }
}

void SchellingCounts::move(std::uint32_t number) {
  const std::uint32_t group = at_[number] < table_ ? 0 : table_;
  const std::uint32_t to = draw_free_cell(seed_, step_, number, size_ * size_,
                                          [&](std::uint32_t cell) { return free_[cell] != 0; });
  free_[cell_[number]] = 1;
  free_[to] = 0;
  cell_[number] = to;
  add(at_[number], 255);
  at_[number] = group + place(to);
  add(at_[number], 1);
}

void SchellingCounts::step() {
  order_agents(how_, seed_, step_, order_);
  for (const std::uint32_t number : order_) {
    if (counts_[at_[number]] <= happy_) {  // the agent itself is counted
      move(number);
    }
  }
  ++step_;
}

std::vector<SchellingCounts::Cell> SchellingCounts::cells() const {
  std::vector<Cell> cells;
  for (const std::uint32_t cell : cell_) {
    cells.push_back({cell % size_, cell / size_});
  }
  return cells;
}

}  // namespace juxta::scalar
