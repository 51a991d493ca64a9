// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tool/heat.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "juxta/core/try.h"

namespace juxta::tool {
namespace {

/// With the sides of the points where it has no end.
RectD finite(const RectD& rect, const RectD& points) {
  const auto side = [](double given, double found) { return std::isfinite(given) ? given : found; };
  return {side(rect.lx, points.lx), side(rect.ly, points.ly), side(rect.hx, points.hx),
          side(rect.hy, points.hy)};
}

PixelSize usual_size(const RectD& rect) {
  constexpr double kLonger = 512;
  const double width = rect.hx - rect.lx, height = rect.hy - rect.ly, longer = std::max(width, height);
  if (!(std::isfinite(longer) && longer > 0)) {
    return {512, 512};  // refused later
  }
  const auto pixels = [&](double side) {
    return static_cast<std::uint32_t>(std::max(1.0, std::round(kLonger * (side / longer))));
  };
  return {pixels(width), pixels(height)};
}

}  // namespace

Result<Raster> heat_map(const RankedPoints& points, const RectD& rect, std::optional<PixelSize> size,
                        const Context& context) {
  const RectD shown = finite(rect, points.bounds());
  const PixelSize pixels = size ? *size : usual_size(shown);
  std::vector<std::uint32_t> counts(std::size_t{pixels.width} * pixels.height);
  JUXTA_TRY(points.count_cells(shown, pixels.width, pixels.height, counts, context));
  const double most = std::log1p(static_cast<double>(*std::ranges::max_element(counts)));
  Raster image(pixels.width, pixels.height);
  for (std::uint32_t row = 0; row < pixels.height; ++row) {
    for (std::uint32_t column = 0; column < pixels.width; ++column) {
      const std::uint32_t count = counts[std::size_t{row} * pixels.width + column];
      if (count != 0) {
        image.rect(column, row, column + 1, row + 1,
                   colour_of(std::log1p(static_cast<double>(count)) / most));
      }
    }
  }
  return image;
}

}  // namespace juxta::tool
