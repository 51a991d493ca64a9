// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Schelling's model with count tables, as one writes it for speed in plain C++: for each group, how many of
// it are within the radius of a cell. An agent that moves changes the counts around it, one that looks reads
// one.
#pragma once

#include <cstdint>
#include <vector>

#include "juxta/agents/simulation.h"
#include "tests/models/scalar/schelling_draws.h"

namespace juxta::scalar {

class SchellingCounts {
 public:
  struct Cell {
    std::uint32_t x, y;
  };

  /// From a state of models/schelling.cpp; radius <= 7, so that counts fit a byte.
  SchellingCounts(const Simulation& start, std::uint32_t size, std::uint32_t radius, std::uint32_t happy,
                  SchellingOrder order);
  void step();

  /// Where each agent is.
  [[nodiscard]] std::vector<Cell> cells() const;

 private:
  /// Of a cell of the grid: where it is in a table, which has a border as wide as the radius.
  [[nodiscard]] std::uint32_t place(std::uint32_t cell) const noexcept {
    return (cell / size_ + radius_) * stride_ + cell % size_ + radius_;
  }
  void add(std::uint32_t at, std::uint8_t change) noexcept;
  void move(std::uint32_t number);

  SchellingOrder how_;
  std::uint32_t size_, radius_, happy_, stride_, table_;
  std::uint64_t seed_;
  std::uint32_t step_;
  std::vector<std::uint32_t> cell_, at_;     // of each agent; at_: its group's table and its place there
  std::vector<std::uint8_t> counts_, free_;  // counts_: two tables, the agent itself counted
  std::vector<std::uint32_t> order_;
};

}  // namespace juxta::scalar
