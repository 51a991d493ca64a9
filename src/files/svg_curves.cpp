// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//   title
//   -- name  -- name          legend, wrapped
//   |        .-'
//   |    _.-'                 y up to its next tick, x as far as the curves go
//   +--------------
//    0    20    40
//   note         x axis
//
// Numbers are made by + - * / and by fmt alone: no logarithms, whose last digit is the system's choice.
#include "juxta/files/svg_curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "files/svg_frame.h"
#include "files/svg_labels.h"
#include "juxta/files/svg_map.h"

namespace juxta {
namespace {

using files_detail::coordinate;
using files_detail::svg_text;

constexpr std::array<const char*, 8> kCurveColours = {"#33658a", "#c8553d", "#5a8f5a", "#8a6bb0",
                                                      "#d19a2e", "#3d9a9a", "#a04a78", "#6b6b6b"};
constexpr double kLeft = 84, kRight = 24, kBottom = 52, kLegendLine = 20, kFont = 13;
constexpr std::size_t kThin = 2000;

/// One linear axis from pixel `from` to pixel `to`, with ticks at whole multiples of `step`.
struct Axis {
  double from, to;
  double low = 0, high = 1, step = 0.2;

  [[nodiscard]] double at(double value) const {
    return from + (std::clamp(value, low, high) - low) / (high - low) * (to - from);
  }
};

/// The least of 1, 2 and 5 times a power of ten that is not less than `least`.
double round_step(double least) {
  double power = 1;
  while (power < least && power < 1e300) {
    power *= 10;
  }
  while (power / 10 >= least && power > 1e-300) {
    power /= 10;
  }
  return power / 5 >= least ? power / 5 : power / 2 >= least ? power / 2 : power;
}

/// From the least to the most; up to the next ticks around them when `whole`.
void cover(Axis& axis, double least, double most, bool whole) {
  if (!(least <= most)) {
    return;  // nothing to draw: 0 to 1
  }
  // Never so narrow that neighbouring ticks are the same double, nor so wide that their distance is infinite.
  least = std::max(least, -1e300);
  most = std::min(most, 1e300);
  const double size = std::max(std::abs(least), std::abs(most));
  if (most - least <= size * 1e-9) {
    const double room = size > 0 ? size * 0.1 : 1;
    least -= room;
    most += room;
  }
  const double apart = std::abs(axis.to - axis.from) / (whole ? 42 : 90);  // pixels between two ticks
  axis.step = round_step((most - least) / std::max(apart, 2.0));
  axis.low = whole ? std::floor(least / axis.step) * axis.step : least;
  axis.high = whole ? std::ceil(most / axis.step) * axis.step : most;
}

std::string ticks(const Axis& axis, bool vertical, double near, double far) {
  std::string lines, names;
  const double first = std::ceil(axis.low / axis.step - 1e-6), last = axis.high / axis.step + 1e-6;
  for (double n = first; n <= last && n < first + 1000; ++n) {
    const double value = n * axis.step, at = axis.at(value);
    lines += vertical ? fmt::format("M{} {}V{}", coordinate(at), coordinate(near), coordinate(far))
                      : fmt::format("M{} {}H{}", coordinate(near), coordinate(at), coordinate(far));
    const std::string name = fmt::format("{:.12g}", n == 0 ? 0.0 : value);
    names += vertical ? svg_text(at, far + 19, "middle", name) : svg_text(near - 8, at + 4.5, "end", name);
  }
  return fmt::format("<path stroke=\"#dde4e9\" d=\"{}\"/>\n", lines) + names;
}

/// The pixels of a curve: those of neighbouring points that share a column of pixels become two, their
/// highest and their lowest, in the order in which they came.
class Path {
 public:
  Path(bool dots, bool thin) : dots_(dots), thin_(thin) {}

  void add(double x, double y) {
    if (thin_ && filled_ && std::floor(x) == std::floor(low_.x)) {
      if (y < low_.y) {
        low_ = {x, y, count_};
      }
      if (y > high_.y) {
        high_ = {x, y, count_};
      }
    } else {
      flush();
      low_ = high_ = {x, y, count_};
      filled_ = true;
    }
    ++count_;
  }
  void interrupt() {
    flush();
    joined_ = false;
  }
  [[nodiscard]] std::string take() {
    flush();
    return std::move(text_);
  }

 private:
  struct Pixel {
    double x, y;
    std::size_t number;
  };
  void put(const Pixel& p) {
    const auto out = std::back_inserter(text_);
    fmt::format_to(out, "{}{} {}", joined_ ? "L" : "M", coordinate(p.x), coordinate(p.y));
    if (dots_ || !joined_) {
      text_ += "h0";  // a line of no length shows as a dot: a point alone between gaps stays visible
    }
    joined_ = !dots_;
  }
  void flush() {
    if (filled_) {
      const bool down = low_.number <= high_.number;
      put(down ? low_ : high_);
      if (low_.number != high_.number) {
        put(down ? high_ : low_);
      }
      filled_ = false;
    }
  }

  bool dots_, thin_, filled_ = false, joined_ = false;
  std::size_t count_ = 0;
  Pixel low_{}, high_{};
  std::string text_;
};

bool drawn(const Curve& curve, std::size_t i) {
  return std::isfinite(curve.x[i]) && std::isfinite(curve.y[i]);
}

std::size_t length_of(const Curve& curve) {
  return std::min(curve.x.size(), curve.y.size());
}

std::string draw(const Curve& curve, const char* colour, const Axis& x, const Axis& y) {
  Path path(curve.dots, length_of(curve) > kThin);
  for (std::size_t i = 0; i < length_of(curve); ++i) {
    if (drawn(curve, i)) {
      path.add(x.at(curve.x[i]), y.at(curve.y[i]));
    } else {
      path.interrupt();
    }
  }
  return fmt::format(
      "<path stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\" stroke-linejoin=\"round\" "
      "fill=\"none\" d=\"{}\"/>\n",
      colour, curve.dots ? "6" : "1.8", path.take());
}

void fit(std::span<const Curve> curves, Axis& x, Axis& y) {
  constexpr double kMost = std::numeric_limits<double>::max();
  double x0 = kMost, x1 = -kMost, y0 = kMost, y1 = -kMost;
  for (const Curve& curve : curves) {
    for (std::size_t i = 0; i < length_of(curve); ++i) {
      if (drawn(curve, i)) {
        x0 = std::min(x0, curve.x[i]);
        x1 = std::max(x1, curve.x[i]);
        y0 = std::min(y0, curve.y[i]);
        y1 = std::max(y1, curve.y[i]);
      }
    }
  }
  cover(x, x0, x1, false);
  cover(y, y0, y1, true);
}

/// Names side by side, in as many lines as they need; where the last of them stands.
std::string legend(std::span<const Curve> curves, double right, double& line) {
  std::string out;
  double x = kLeft;
  for (std::size_t c = 0; c < curves.size(); ++c) {
    if (curves[c].name.empty()) {
      continue;
    }
    const double wide = 26 + files_detail::text_width(curves[c].name, kFont) + 18;
    if (x > kLeft && x + wide > right) {
      x = kLeft;
      line += kLegendLine;
    }
    out += fmt::format("<path stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\" d=\"M{} {}h{}\"/>\n",
                       kCurveColours[c % kCurveColours.size()], curves[c].dots ? "6" : "3",
                       coordinate(x + (curves[c].dots ? 9 : 0)), coordinate(line - 4.5),
                       curves[c].dots ? 0 : 18);
    out += svg_text(x + 26, line, "start", curves[c].name);
    x += wide;
  }
  return out;
}

}  // namespace

std::string svg_curves(std::span<const Curve> curves, const SvgCurvesOptions& options) {
  const double width = std::clamp(options.width, 200, 10000), height = std::clamp(options.height, 200, 10000);
  const double right = width - kRight, bottom = height - kBottom - (options.note.empty() ? 0 : 16);
  double line = options.title.empty() ? 22 : 50;
  const std::string names = legend(curves, right, line);
  const double top = std::min(names.empty() ? line - 8 : line + 14, bottom - 40);
  Axis x{kLeft, right}, y{bottom, top};
  fit(curves, x, y);

  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "fill=\"#1d2b36\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"{2}\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      width, height, kFont);
  if (!options.title.empty()) {
    out += svg_text(20, 28, "start", options.title, " font-size=\"18\" font-weight=\"bold\"");
  }
  out += names + ticks(x, true, top, bottom) + ticks(y, false, kLeft, right);
  out += svg_text((kLeft + right) / 2, bottom + 40, "middle", options.x_axis);
  out += fmt::format("<text transform=\"translate(20 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                     coordinate((top + bottom) / 2), xml_escape(options.y_axis));
  if (!options.note.empty()) {
    out += svg_text(right, height - 8, "end", options.note, " fill=\"#5b6b77\"");
  }
  for (std::size_t c = 0; c < curves.size(); ++c) {
    out += draw(curves[c], kCurveColours[c % kCurveColours.size()], x, y);
  }
  return out + "</svg>\n";
}

}  // namespace juxta
