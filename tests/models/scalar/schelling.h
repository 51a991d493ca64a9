// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Schelling's model as one writes it down: an array of agents, a grid of bytes, loops over neighbours.
#pragma once

#include <cstdint>
#include <vector>

#include "juxta/agents/simulation.h"
#include "tests/models/scalar/schelling_draws.h"

namespace juxta::scalar {

class Schelling {
 public:
  struct Agent {
    std::int32_t x, y;
    std::uint8_t group;  // 1 or 2; 0 on the grid: nobody
  };

  /// From a state of models/schelling.cpp.
  Schelling(const Simulation& start, std::int32_t size, std::int32_t radius, std::int32_t happy,
            SchellingOrder order);
  void step();

  [[nodiscard]] const std::vector<Agent>& agents() const noexcept { return agents_; }
  [[nodiscard]] std::uint64_t moves() const noexcept { return moves_; }
  /// Of its own group, the agent itself not counted; and of both.
  [[nodiscard]] std::int32_t alike(const Agent& agent) const noexcept;
  [[nodiscard]] std::int32_t neighbours(const Agent& agent) const noexcept;

 private:
  [[nodiscard]] std::uint8_t& at(std::int32_t x, std::int32_t y) noexcept {
    return grid_[static_cast<std::size_t>((y + radius_) * stride_ + x + radius_)];
  }
  [[nodiscard]] std::uint8_t at(std::int32_t x, std::int32_t y) const noexcept {
    return grid_[static_cast<std::size_t>((y + radius_) * stride_ + x + radius_)];
  }
  [[nodiscard]] std::int32_t free_cell(std::uint32_t number) const;
  void move(std::uint32_t number);

  SchellingOrder how_;
  std::int32_t size_, radius_, happy_, stride_;
  std::uint64_t seed_, moves_ = 0;
  std::uint32_t step_;
  std::vector<Agent> agents_;
  std::vector<std::uint8_t> grid_;  // with a border of nobody
  std::vector<std::uint32_t> order_;
};

}  // namespace juxta::scalar
