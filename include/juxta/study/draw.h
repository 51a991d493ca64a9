// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What many models draw.
#pragma once

#include <cstddef>
#include <type_traits>

#include "juxta/agents/simulation.h"
#include "juxta/files/raster.h"
#include "juxta/study/columns.h"

namespace juxta {

/// The image shows the world from lo to hi along x and y, so that what is drawn next is in its coordinates.
inline void show_world(Raster& image, const World& world) noexcept {
  image.show({static_cast<double>(world.lo[0]), static_cast<double>(world.lo[1]),
              static_cast<double>(world.hi[0]), static_cast<double>(world.hi[1])});
}

/// A square for each agent, of one colour or of that which colour(row) gives: the cell that is 1 wide and has
/// the agent's position as its lower left corner, less `inset` at each side.
template <class Colour>
void draw_squares(Raster& image, const Population& agents, const Colour& colour, double inset = 0) {
  const auto [x, y] = read_xy(agents);
  for (std::size_t row = 0; row < agents.size(); ++row) {
    const double left = static_cast<double>(x[row]), low = static_cast<double>(y[row]);
    const auto square = [&](Rgb of) {
      image.rect(left + inset, low + inset, left + 1 - inset, low + 1 - inset, of);
    };
    if constexpr (std::is_convertible_v<Colour, Rgb>) {
      square(colour);
    } else {
      square(colour(row));
    }
  }
}

}  // namespace juxta
