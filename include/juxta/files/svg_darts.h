// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "juxta/math/rect.h"

namespace juxta {

/// Something that moves, as the picture shows it.
struct Dart {
  double x = 0, y = 0;    ///< Where its tip is; y grows upwards.
  double vx = 0, vy = 0;  ///< Where it flies. Longer: a longer dart. Both 0: a dot.
  double depth = 0;       ///< 0 is near and 1 far; farther darts are paler, and behind.
};

/// A line of the world, behind all darts.
struct DartLine {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

struct SvgDartsOptions {
  std::string title = {}, note = {};  ///< Above and below the picture; empty: none.
  RectD world{-1, -1, 1, 1};          ///< What the frame shows; darts with their tips outside are left out.
  std::span<const DartLine> lines = {};
  bool depth = false;     ///< The legend says what paler means.
  double speed = 1;       ///< Its dart has the full length; faster ones are not longer. > 0.
  std::size_t space = 0;  ///< Darts have room as if there were so many; 0: as many as are drawn.
  int width = 1000;       ///< Pixels, from 200 to 10000.
};

/// Draws a dart for each moving thing, in the direction of its flight and coloured by it (24 directions,
/// shown by a wheel below the picture; 4 shades of depth). The same bytes on every machine. Darts with NaN or
/// infinite numbers are left out. Size: about 35 bytes each.
[[nodiscard]] std::string svg_darts(std::span<const Dart> darts, const SvgDartsOptions& options = {});

}  // namespace juxta
