// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/files/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "files/svg_dots.h"
#include "files/svg_labels.h"
#include "juxta/files/svg_map.h"

namespace juxta {
namespace {

using files_detail::coordinate;
using files_detail::svg_text;

constexpr std::array<const char*, 4> kSeriesColours = {"#c8553d", "#33658a", "#5a8f5a", "#8a6bb0"};
constexpr double kPlotLeft = 78, kPlotRight = 20, kPlotTop = 50, kPlotBottom = 64, kZeroColumn = 46;

/// One logarithmic axis over whole decades, from pixel `from` to pixel `to`.
struct LogAxis {
  double from, to;
  int low = 0, high = 1;

  [[nodiscard]] double at(double value) const {
    return from + (std::log10(value) - low) / (high - low) * (to - from);
  }
};

bool drawn(double x, double y) {
  return std::isfinite(x) && std::isfinite(y) && x >= 0 && y > 0;
}

/// Whole decades around all the values that have a place on the axis.
void cover(LogAxis& axis, double least, double most) {
  if (least <= most) {
    axis.low = static_cast<int>(std::floor(std::log10(least)));
    axis.high = std::max(axis.low + 1, static_cast<int>(std::ceil(std::log10(most))));
  }
}

/// 1000 as 1,000; 1e6 as 1M; small ones as they are.
std::string decade(int power) {
  constexpr std::array<const char*, 10> kNames = {"1",    "10", "100", "1k",   "10k",
                                                  "100k", "1M", "10M", "100M", "1G"};
  return power >= 0 && power < 10 ? kNames[static_cast<std::size_t>(power)]
                                  : fmt::format("{:g}", std::pow(10.0, power));
}

std::string grid(const LogAxis& axis, bool vertical, double near, double far) {
  std::string major, minor, names;
  for (int power = axis.low; power <= axis.high; ++power) {
    for (int digit = 1; digit < 10 && (digit == 1 || power < axis.high); ++digit) {
      const double at = axis.at(digit * std::pow(10.0, power));
      (digit == 1 ? major : minor) +=
          vertical ? fmt::format("M{} {}V{}", coordinate(at), coordinate(near), coordinate(far))
                   : fmt::format("M{} {}H{}", coordinate(near), coordinate(at), coordinate(far));
    }
    const double at = axis.at(std::pow(10.0, power));
    names += vertical ? svg_text(at, far + 20, "middle", decade(power))
                      : svg_text(near - 8, at + 4.5, "end", decade(power));
  }
  return fmt::format("<path stroke=\"#eef2f4\" d=\"{}\"/>\n<path stroke=\"#d3dce2\" d=\"{}\"/>\n", minor,
                     major) +
         names;
}

/// Medians of 24 bins of equal width, as a path.
std::string medians(const PlotSeries& series, const LogAxis& x, const LogAxis& y) {
  constexpr std::size_t kBins = 24;
  std::array<std::vector<double>, kBins> bins;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (drawn(series.x[i], series.y[i]) && series.x[i] >= 1) {
      const double part = (x.at(series.x[i]) - x.from) / (x.to - x.from);
      bins[std::min(kBins - 1, static_cast<std::size_t>(part * kBins))].push_back(series.y[i]);
    }
  }
  std::string path;
  for (std::size_t b = 0; b < kBins; ++b) {
    if (bins[b].size() < 3) {
      continue;  // a median of one or two says nothing
    }
    const auto middle = bins[b].begin() + static_cast<std::ptrdiff_t>(bins[b].size() / 2);
    std::nth_element(bins[b].begin(), middle, bins[b].end());
    const double px = x.from + (static_cast<double>(b) + 0.5) / kBins * (x.to - x.from);
    path += fmt::format("{}{} {}", path.empty() ? "M" : "L", coordinate(px), coordinate(y.at(*middle)));
  }
  return path;
}

std::string draw_series(const PlotSeries& series, const char* colour, const LogAxis& x, const LogAxis& y) {
  std::string dots;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (drawn(series.x[i], series.y[i])) {
      // Dots of the zero column are spread so that they do not hide each other.
      const double px = series.x[i] >= 1
                            ? x.at(series.x[i])
                            : kPlotLeft + kZeroColumn * (0.3 + 0.4 * static_cast<double>(i % 16) / 16);
      dots += fmt::format("M{} {}h0", coordinate(px), coordinate(y.at(series.y[i])));
    }
  }
  return fmt::format(
      "<path stroke=\"{0}\" stroke-opacity=\"0.4\" stroke-width=\"4.5\" stroke-linecap=\"round\" "
      "d=\"{1}\"/>\n"
      "<path stroke=\"{0}\" stroke-width=\"2.5\" stroke-linejoin=\"round\" fill=\"none\" d=\"{2}\"/>\n",
      colour, dots, medians(series, x, y));
}

void fit_axes(std::span<const PlotSeries> series, LogAxis& x, LogAxis& y) {
  double x_most = 10, y_least = HUGE_VAL, y_most = 0;
  for (const PlotSeries& s : series) {
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      if (drawn(s.x[i], s.y[i])) {
        x_most = std::max(x_most, s.x[i]);
        y_least = std::min(y_least, s.y[i]);
        y_most = std::max(y_most, s.y[i]);
      }
    }
  }
  cover(x, 1, x_most);
  cover(y, y_least, y_most);
}

}  // namespace

std::string svg_log_plot(std::span<const PlotSeries> series, const SvgPlotOptions& options) {
  const double width = std::clamp(options.width, 200, 10000), height = std::clamp(options.height, 200, 10000);
  const double bottom = height - kPlotBottom, right = width - kPlotRight;
  LogAxis x{kPlotLeft + kZeroColumn, right}, y{bottom, kPlotTop};
  fit_axes(series, x, y);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "fill=\"#1d2b36\" "
      "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"13\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      width, height);
  out += svg_text(kPlotLeft - 54, 28, "start", options.title, " font-size=\"19\" font-weight=\"bold\"");
  out += grid(x, true, kPlotTop, bottom) + grid(y, false, kPlotLeft, right);
  out += svg_text(kPlotLeft + kZeroColumn / 2, bottom + 20, "middle", "0");
  out += svg_text((x.from + x.to) / 2, height - 22, "middle", options.x_axis);
  out += fmt::format("<text transform=\"translate(22 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                     coordinate((kPlotTop + bottom) / 2), xml_escape(options.y_axis));
  out += svg_text(right, height - 6, "end", options.note, " fill=\"#5b6b77\"");
  for (std::size_t s = 0; s < series.size(); ++s) {
    const char* colour = kSeriesColours[s % kSeriesColours.size()];
    out += "<g fill=\"none\">\n" + draw_series(series[s], colour, x, y) + "</g>\n";
    const double at = kPlotTop + 20 + 20 * static_cast<double>(s);
    out += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"5\" fill=\"{}\"/>\n", x.from + 14, at - 4.5, colour);
    out += svg_text(x.from + 26, at, "start", series[s].name);
  }
  return out + "</svg>\n";
}

}  // namespace juxta
