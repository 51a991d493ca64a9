// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/study/draw.h"

#include <cmath>
#include <cstddef>
#include <span>

namespace juxta {

void draw_agents(Raster& image, const Population& population, double radius,
                 FunctionRef<Rgb(std::uint32_t row)> colour) {
  const auto [x, y] = read_xy(population);
  for (std::uint32_t row = 0; row < population.size(); ++row) {
    image.disc(static_cast<double>(x[row]), static_cast<double>(y[row]), radius, colour(row));
  }
}

void draw_field(Raster& image, const Field& field, const FieldPicture& picture) {
  const FieldOptions& options = field.options();
  const std::size_t nx = options.cells[0], plane = nx * options.cells[1];
  const double left = static_cast<double>(options.world.lo.x), low = static_cast<double>(options.world.lo.y);
  const double wide = (static_cast<double>(options.world.hi.x) - left) / static_cast<double>(nx);
  const double high = (static_cast<double>(options.world.hi.y) - low) / options.cells[1];
  const std::span<const float> values = field.values(picture.component);
  const double range = picture.hi - picture.lo;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t cell = field.first_cell() + i;
    const double value = (static_cast<double>(values[i]) - picture.lo) / range;
    if (cell / plane != picture.plane || !std::isfinite(value)) {
      continue;
    }
    const auto x = static_cast<double>(cell % nx), y = static_cast<double>(cell % plane / nx);
    image.rect(left + x * wide, low + y * high, left + (x + 1) * wide, low + (y + 1) * high,
               picture.colour(value));
  }
}

}  // namespace juxta
