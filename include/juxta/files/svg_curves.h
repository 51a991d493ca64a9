// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

namespace juxta {

/// Values over one axis, joined by a line.
struct Curve {
  std::string name;
  std::span<const double> x, y;  ///< Of one length; a point that is not finite interrupts the line.
  bool dots = false;             ///< Dots instead of a line: what others published.
};

struct SvgCurvesOptions {
  std::string title = {}, x_axis = {}, y_axis = {}, note = {};
  int width = 900, height = 420;  ///< Pixels, from 200 to 10000.
};

/// A plot with linear axes, round numbers at the ticks, and a legend. Curves of more than 2000 points are
/// thinned by the least and the most of each pixel's column. The same bytes on every machine.
[[nodiscard]] std::string svg_curves(std::span<const Curve> curves, const SvgCurvesOptions& options = {});

}  // namespace juxta
