// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

namespace juxta {

/// Dots and a line through their medians, in one colour.
struct PlotSeries {
  std::string name;
  std::span<const double> x, y;  ///< Of equal length; x >= 0, y > 0, others are left out.
};

struct SvgPlotOptions {
  std::string title, x_axis, y_axis, note;
  int width = 1000, height = 600;  ///< Pixels, from 200 to 10000.
};

/// A scatter plot with logarithmic axes; x below 1 stands in a column of its own at the left, marked 0. The
/// line joins the medians of 24 bins of equal width.
[[nodiscard]] std::string svg_log_plot(std::span<const PlotSeries> series,
                                       const SvgPlotOptions& options = {});

}  // namespace juxta
