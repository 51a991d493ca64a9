// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tests/models/scalar/forest_fire.h"

#include "juxta/core/random.h"

namespace juxta::scalar {

ForestFire::ForestFire(std::int32_t size, double density, std::uint64_t seed) : size_(size) {
  constexpr std::uint32_t kTree = 0;  // as in models/forest_fire.cpp
  for (std::int32_t y = 0; y < size; ++y) {
    for (std::int32_t x = 0; x < size; ++x) {
      const std::int32_t cell = y * size + x;
      const bool tree = random_double({seed, 0, kTree}, static_cast<std::uint32_t>(cell)) < density;
      states_.push_back(!tree ? kEmpty : x == 0 ? kBurning : kGreen);
    }
  }
}

void ForestFire::step() {
  next_ = states_;
  for (std::int32_t y = 0; y < size_; ++y) {
    for (std::int32_t x = 0; x < size_; ++x) {
      const std::int32_t cell = y * size_ + x;
      std::uint8_t& state = next_[static_cast<std::uint32_t>(cell)];
      if (state == kBurning) {
        state = kBurnt;
      } else if (state == kGreen &&
                 (burns(x - 1, y) || burns(x + 1, y) || burns(x, y - 1) || burns(x, y + 1))) {
        state = kBurning;
      }
    }
  }
  states_.swap(next_);
}

}  // namespace juxta::scalar
