// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Schelling's model with count tables and turns, in plain C++: agents are in the order of a random word of
// each, and only those that have too few like them are sorted and asked. Ends where models/schelling.cpp
// does.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "juxta/agents/simulation.h"

namespace juxta::scalar {

class SchellingTurns {
 public:
  struct Cell {
    std::uint32_t x, y;
  };

  /// From a state of models/schelling.cpp; radius <= 7, so that counts fit a byte.
  SchellingTurns(const Simulation& start, std::uint32_t size, std::uint32_t radius, std::uint32_t happy);
  void step();

  /// Where each agent is.
  [[nodiscard]] std::vector<Cell> cells() const;

 private:
  using Turn = std::pair<std::uint64_t, std::uint32_t>;  // the word by which it is ordered, and the agent
  /// Of a cell of the grid: where it is in a table, which has a border as wide as the radius.
  [[nodiscard]] std::uint32_t place(std::uint32_t cell) const noexcept {
    return (cell / size_ + radius_) * stride_ + cell % size_ + radius_;
  }
  [[nodiscard]] Turn turn(std::uint32_t number) const;
  template <std::uint32_t width>
  void leave(std::uint32_t at, std::uint32_t size, const Turn& now);
  template <std::uint32_t width>
  void come(std::uint32_t at, std::uint32_t size) noexcept;
  template <std::uint32_t width>
  void move(std::uint32_t number, const Turn& now);
  template <std::uint32_t width>
  void take_turns();

  std::uint32_t size_, radius_, happy_, stride_, table_;
  std::uint64_t seed_, order_seed_ = 0;
  std::uint32_t step_;
  std::vector<std::uint32_t> cell_, at_;  // of each agent; at_: its group's table and its place there
  std::vector<std::uint8_t> counts_;      // two tables, the agent itself counted
  std::vector<std::uint32_t> who_;        // at each place of two tables: its agent of that group, or kNobody
  std::vector<std::uint8_t> free_;
  std::vector<Turn> first_;  // turns of those with too few when the step begins, in order
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> later_;  // and of later ones
};

}  // namespace juxta::scalar
