// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The flocking model with a grid, as one writes it for speed in plain C++: square cells a radius wide or
// more, each a list of the birds in it, by value. A bird looks at the 3 x 3 cells around it and changes lists
// when it crosses an edge. Draws are those of scalar/flocking.h; sums are in another order, so that places
// differ from those by rounding.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/models/scalar/flocking.h"

namespace juxta::scalar {

class FlockingGrid {
 public:
  /// Needs three cells a side: radius <= size / 3.
  explicit FlockingGrid(const FlockingWorld& start);
  void step();

  [[nodiscard]] std::uint32_t steps() const noexcept { return step_; }
  /// By number.
  [[nodiscard]] std::vector<Bird> birds() const;

 private:
  struct Resident {
    Bird bird;
    std::uint32_t number;
  };
  struct Home {
    std::int32_t cell, slot;
  };

  [[nodiscard]] std::int32_t cell_of(const Bird& bird) const noexcept;
  void put(std::int32_t cell, const Resident& resident);
  void fly(std::uint32_t self);

  FlockingRules rules_;
  std::uint64_t seed_;
  std::uint32_t step_;
  std::int32_t side_;  // cells along an edge
  double cells_per_length_;
  std::vector<std::vector<Resident>> cells_;
  std::vector<Home> homes_;           // of each bird
  std::vector<std::uint32_t> order_;  // whose turn it is
};

}  // namespace juxta::scalar
