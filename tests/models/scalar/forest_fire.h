// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A forest fire as one writes it down: every cell is looked at in every step.
#pragma once

#include <cstdint>
#include <vector>

namespace juxta::scalar {

class ForestFire {
 public:
  enum State : std::uint8_t { kEmpty, kGreen, kBurning, kBurnt };

  ForestFire(std::int32_t size, double density, std::uint64_t seed);
  void step();

  [[nodiscard]] const std::vector<std::uint8_t>& states() const noexcept { return states_; }

 private:
  [[nodiscard]] bool burns(std::int32_t x, std::int32_t y) const noexcept {
    return x >= 0 && x < size_ && y >= 0 && y < size_ &&
           states_[static_cast<std::size_t>(y * size_ + x)] == kBurning;
  }

  std::int32_t size_;
  std::vector<std::uint8_t> states_, next_;
};

}  // namespace juxta::scalar
