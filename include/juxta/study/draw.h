// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What many models draw: for Model::draw(). Coordinates are those of the world, along x and y.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "juxta/agents/simulation.h"
#include "juxta/core/function_ref.h"
#include "juxta/files/raster.h"
#include "juxta/grid/field.h"
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

/// A disc for each agent, in the order of rows. `colour` is called with the row.
void draw_agents(Raster& image, const Population& population, double radius,
                 FunctionRef<Rgb(std::uint32_t row)> colour);

/// How draw_field() shows a field.
struct FieldPicture {
  double lo = 0, hi = 1;        ///< The values that have the colours of 0 and 1.
  std::uint32_t component = 0;  ///< One that is not there: nothing is drawn.
  std::uint32_t plane = 0;      ///< In 3D: the cells with this z.
  Rgb (*colour)(double) = colour_of;
};

/// Paints the cells of a field, each a rectangle in the coordinates of the image (Raster::show()). A value
/// that is not finite leaves its cell as it is. Over ranks: the cells of this rank.
///
/// Cost: about 55 ns a cell with colour_of().
void draw_field(Raster& image, const Field& field, const FieldPicture& picture = {});

}  // namespace juxta
