// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//   title
//   +----------------+      a dart:  \.
//   |   > > ^        |               | '-.    tip first, then its two rear corners
//   |    < v         |               | .-'
//   +----------------+               /'
//   (wheel of directions)  note
//
// Darts of one colour are one path, so that a dart costs three pairs of numbers; colours of the farthest
// shade come first, because what comes later covers what came before.
#include "juxta/files/svg_darts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "files/svg_frame.h"

namespace juxta {
namespace {

using files_detail::coordinate;
using files_detail::SvgFrame;

constexpr std::size_t kHues = 24, kShades = 4;
constexpr double kWheel = 56;  // pixels below the picture

struct Direction {
  double x, y;
};

/// 24 directions, 15 degrees apart. Turned by products, not by std::cos: its last digit is the system's
/// choice.
std::array<Direction, kHues> directions() {
  constexpr double kCos = 0.96592582628906829, kSin = 0.25881904510252076;
  std::array<Direction, kHues> all{};
  all[0] = {1, 0};
  for (std::size_t i = 1; i < kHues; ++i) {
    all[i] = {all[i - 1].x * kCos - all[i - 1].y * kSin, all[i - 1].x * kSin + all[i - 1].y * kCos};
  }
  return all;
}

/// Red, green or blue of a full colour: 0, 1, and straight lines between, over 24 steps of hue.
double channel(std::size_t hue, std::size_t shift) {
  const double at = static_cast<double>((hue + shift) % kHues);  // 0..4 up, 4..12 full, 12..16 down, then 0
  return std::clamp(at < 12 ? at / 4 : (16 - at) / 4, 0.0, 1.0);
}

std::string colour(std::size_t hue, std::size_t shade) {
  const double pale = 0.22 * static_cast<double>(shade);
  std::string text = "#";
  for (const std::size_t shift : {std::size_t{8}, std::size_t{0}, std::size_t{16}}) {
    const double dark = 25 + 175 * channel(hue, shift);  // never so bright that white paper swallows it
    fmt::format_to(std::back_inserter(text), "{:02x}", std::lround(dark + (247 - dark) * pale));
  }
  return text;
}

std::size_t hue_of(const Dart& dart, const std::array<Direction, kHues>& all) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < kHues; ++i) {
    if (dart.vx * all[i].x + dart.vy * all[i].y > dart.vx * all[best].x + dart.vy * all[best].y) {
      best = i;
    }
  }
  return best;
}

double speed_of(const Dart& dart) {
  return std::sqrt(dart.vx * dart.vx + dart.vy * dart.vy);
}

bool drawable(const Dart& dart, const RectD& world) {
  return std::isfinite(dart.vx) && std::isfinite(dart.vy) && std::isfinite(dart.depth) &&
         world.lx <= dart.x && dart.x <= world.hx && world.ly <= dart.y && dart.y <= world.hy;
}

/// Its three corners, or a small square for what does not move.
void append_dart(std::string& out, const SvgFrame& frame, const Dart& dart, double length) {
  const double x = frame.px(dart.x), y = frame.py(dart.y), speed = speed_of(dart);
  const auto to = std::back_inserter(out);
  if (!(speed > 0)) {
    fmt::format_to(to, "M{} {}h1v1h-1z", coordinate(x - 0.5), coordinate(y - 0.5));
    return;
  }
  const double bx = -dart.vx / speed * length, by = dart.vy / speed * length;  // backwards; pixels grow down
  fmt::format_to(to, "M{} {}l{} {}l{} {}z", coordinate(x), coordinate(y), coordinate(bx - by * 0.28),
                 coordinate(by + bx * 0.28), coordinate(by * 0.56), coordinate(-bx * 0.56));
}

std::string lines_of(const SvgFrame& frame, std::span<const DartLine> lines) {
  std::string out;
  for (const DartLine& line : lines) {
    fmt::format_to(std::back_inserter(out), "M{} {}L{} {}", coordinate(frame.px(line.x0)),
                   coordinate(frame.py(line.y0)), coordinate(frame.px(line.x1)),
                   coordinate(frame.py(line.y1)));
  }
  return out.empty() ? out : "<path d=\"" + out + "\" fill=\"none\" stroke=\"#ccd6dd\"/>\n";
}

std::string wheel(const std::array<Direction, kHues>& all, double x, double y, bool depth) {
  std::string out;
  for (std::size_t i = 0; i < kHues; ++i) {
    fmt::format_to(std::back_inserter(out), "<path d=\"M{} {}L{} {}\" stroke=\"{}\" stroke-width=\"3\"/>\n",
                   coordinate(x + all[i].x * 6), coordinate(y - all[i].y * 6), coordinate(x + all[i].x * 20),
                   coordinate(y - all[i].y * 20), colour(i, 0));
  }
  return out +
         fmt::format(
             "<text x=\"{}\" y=\"{}\" font-size=\"13\" fill=\"#1d2b36\">colour: where it flies{}</text>\n",
             coordinate(x + 32), coordinate(y + 4), depth ? "; paler: farther away" : "");
}

}  // namespace

std::string svg_darts(std::span<const Dart> darts, const SvgDartsOptions& options) {
  const double width = std::clamp(options.width, 200, 10000);
  const double top = files_detail::kSvgMargin + (options.title.empty() ? 0 : files_detail::kSvgTitle);
  const double inner = width - 2 * files_detail::kSvgMargin;
  const double height = files_detail::panel_height(options.world, inner, width * 0.2, width * 2);
  const SvgFrame frame{files_detail::kSvgMargin, top, inner, height, options.world};
  // A dart is somewhat longer than the distance to the next one, but never too small to see.
  const std::size_t room = std::max<std::size_t>(options.space != 0 ? options.space : darts.size(), 1);
  const double longest = std::clamp(1.3 * std::sqrt(inner * height / static_cast<double>(room)), 5.0, 16.0);

  const auto all = directions();
  std::array<std::string, kHues * kShades> paths;
  for (const Dart& dart : darts) {
    if (!drawable(dart, options.world)) {
      continue;
    }
    const double shade = std::clamp(dart.depth, 0.0, 1.0) * kShades;
    const std::size_t at = std::min(static_cast<std::size_t>(shade), kShades - 1) * kHues + hue_of(dart, all);
    const double speed = std::min(speed_of(dart) / options.speed, 1.0);
    append_dart(paths[at], frame, dart, longest * (0.5 + 0.5 * speed));
  }
  std::string body = fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#f7f9fa\" stroke=\"#ccd6dd\"/>\n",
      coordinate(frame.left), coordinate(top), coordinate(inner), coordinate(height));
  body += lines_of(frame, options.lines);
  for (std::size_t shade = kShades; shade-- > 0;) {
    for (std::size_t hue = 0; hue < kHues; ++hue) {
      if (const std::string& path = paths[shade * kHues + hue]; !path.empty()) {
        body += fmt::format("<path fill=\"{}\" d=\"{}\"/>\n", colour(hue, shade), path);
      }
    }
  }
  body += wheel(all, files_detail::kSvgMargin + 24, top + height + kWheel / 2, options.depth);
  const double total = top + height + kWheel + (options.note.empty() ? 0 : files_detail::kSvgNote);
  return files_detail::svg_paper(width, total, options.title, options.note, body);
}

}  // namespace juxta
