// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Wolves, sheep and grass as one writes them down: arrays of animals, a list of the sheep of each cell.
#pragma once

#include <cstdint>
#include <vector>

#include "juxta/agents/simulation.h"

namespace juxta::scalar {

struct WolfSheepRules {
  std::int32_t size, regrowth;
  double sheep_gain, wolf_gain, sheep_reproduction, wolf_reproduction;
};

class WolfSheep {
 public:
  struct Animal {
    std::int32_t x, y;
    double energy;
    bool dead;
  };

  /// From a state of models/wolf_sheep.cpp at step 0.
  WolfSheep(const Simulation& start, const WolfSheepRules& rules);
  void step();

  [[nodiscard]] const std::vector<Animal>& sheep() const noexcept { return sheep_; }
  [[nodiscard]] const std::vector<Animal>& wolves() const noexcept { return wolves_; }
  [[nodiscard]] const std::vector<std::int32_t>& countdown() const noexcept { return countdown_; }
  [[nodiscard]] const std::vector<std::uint8_t>& grown() const noexcept { return grown_; }

 private:
  void walk(Animal& animal, std::uint32_t word) const noexcept;
  void live_or_die(std::vector<Animal>& animals, std::uint32_t number, std::uint32_t word,
                   double reproduction);
  void sheep_turn();
  void wolves_turn();
  void grow();
  [[nodiscard]] std::size_t cell_of(const Animal& animal) const noexcept {
    const std::int32_t cell = animal.y * rules_.size + animal.x;
    return static_cast<std::size_t>(cell);
  }

  WolfSheepRules rules_;
  std::uint64_t seed_;
  std::uint32_t step_ = 0;
  std::vector<Animal> sheep_, wolves_;
  std::vector<std::int32_t> countdown_;
  std::vector<std::uint8_t> grown_;
  std::vector<std::uint32_t> order_, first_, next_;
};

}  // namespace juxta::scalar
