// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The picture: one panel, or two when the rectangle covers little of the map.
//
//   title
//   +-----------------------+   +----------------+
//   | all points, rectangle |   | the rectangle, |
//   +-----------------------+   | with labels    |
//   note                        +----------------+

#include "juxta/files/svg_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "files/svg_dots.h"
#include "files/svg_labels.h"

namespace juxta {
namespace {

using files_detail::coordinate;
using files_detail::kSvgMargin;
using files_detail::kSvgNote;
using files_detail::kSvgTitle;
using files_detail::SvgFrame;

/// The rectangle of the world in one panel, grown on all sides.
RectD around(const RectD& r, double part) {
  const double dx = std::max((r.hx - r.lx) * part, 1e-12 + std::abs(r.lx) * 1e-9);
  const double dy = std::max((r.hy - r.ly) * part, 1e-12 + std::abs(r.ly) * 1e-9);
  return {r.lx - dx, r.ly - dy, r.hx + dx, r.hy + dy};
}

std::string rectangle(const SvgFrame& frame, const RectD& rect, const char* style) {
  const RectD r = frame.clipped(rect);
  const double x = frame.px(r.lx), y = frame.py(r.hy);
  return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}/>\n", coordinate(x),
                     coordinate(y), coordinate(std::max(frame.px(r.hx) - x, 1.0)),
                     coordinate(std::max(frame.py(r.ly) - y, 1.0)), style);
}

bool has_rect(const SvgMapOptions& options) {
  return !options.rect.empty();
}

std::string panel(const SvgFrame& frame, std::size_t count, PointAt point, std::span<const MapLabel> labels,
                  const SvgMapOptions& options, bool name_them) {
  std::string out = rectangle(frame, frame.world, "fill=\"#f7f9fa\" stroke=\"#ccd6dd\"");
  out += files_detail::draw_dots(frame, count, point, options.max_dots);
  if (has_rect(options)) {
    out += rectangle(frame, options.rect,
                     "fill=\"#c8553d\" fill-opacity=\"0.06\" stroke=\"#c8553d\" stroke-width=\"1.6\"");
  }
  std::vector<files_detail::SvgLabel> placed;
  for (const MapLabel& label : labels) {
    if (name_them && frame.world.contains(label.x, label.y)) {
      placed.push_back({frame.px(label.x), frame.py(label.y), files_detail::shortened(label.text, 40)});
    }
  }
  const RectD inside{frame.left, frame.top, frame.left + frame.width, frame.top + frame.height};
  return out + (placed.empty() ? "" : files_detail::draw_labels(placed, inside));
}

/// The part of the rectangle that the map shows, and whether it is so small that it wants a panel of its own.
bool wants_detail(const RectD& world, const RectD& rect, RectD& inner) {
  inner = {std::max(rect.lx, world.lx), std::max(rect.ly, world.ly), std::min(rect.hx, world.hx),
           std::min(rect.hy, world.hy)};
  const double part =
      (inner.hx - inner.lx) / (world.hx - world.lx) * (inner.hy - inner.ly) / (world.hy - world.ly);
  return !inner.empty() && part < 0.3;
}

}  // namespace

std::string svg_map(std::size_t count, PointAt point, std::span<const MapLabel> labels,
                    const SvgMapOptions& options) {
  const double width = std::clamp(options.width, 200, 10000);
  const double top = kSvgMargin + (options.title.empty() ? 0 : kSvgTitle);
  const RectD world = files_detail::middle_of(count, point);
  RectD inner{};
  const bool two = has_rect(options) && wants_detail(world, options.rect, inner);
  const double whole = two ? width * 0.42 : width - 2 * kSvgMargin;
  const double detail_width = width - whole - 3 * kSvgMargin;
  const RectD close = two ? around(inner, 0.08) : world;
  const double whole_height = files_detail::panel_height(world, whole, width * 0.2, width);
  const double height =
      two ? std::max(whole_height, files_detail::panel_height(close, detail_width, width * 0.3, width * 0.6))
          : whole_height;

  const SvgFrame map{kSvgMargin, top, whole, whole_height, files_detail::fitted(world, whole, whole_height)};
  std::string body = panel(map, count, point, labels, options, !two);
  if (two) {
    const SvgFrame zoom{whole + 2 * kSvgMargin, top, detail_width, height,
                        files_detail::fitted(close, detail_width, height)};
    body += panel(zoom, count, point, labels, options, true);
  }
  const double total = top + height + kSvgMargin + (options.note.empty() ? 0 : kSvgNote);
  return files_detail::svg_paper(width, total, options.title, options.note, body);
}

namespace {

/// Bytes of the UTF-8 character at text[i], 0 when it is broken (or not allowed in XML).
std::size_t utf8_length(std::string_view text, std::size_t i) noexcept {
  const auto byte = [&](std::size_t k) {
    return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0u;
  };
  const auto more = [&](std::size_t k) { return (byte(k) & 0xC0u) == 0x80u; };
  const unsigned b = byte(0);
  if (b < 0x80) {
    return b >= 0x20 || b == '\t' || b == '\n' ? 1 : 0;
  }
  if (b >= 0xC2 && b <= 0xDF && more(1)) {
    return 2;
  }
  if (b >= 0xE0 && b <= 0xEF && more(1) && more(2)) {
    const unsigned code = (b & 0x0Fu) << 12 | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu);
    return code >= 0x800 && !(code >= 0xD800 && code <= 0xDFFF) && code < 0xFFFE ? 3 : 0;
  }
  if (b >= 0xF0 && b <= 0xF4 && more(1) && more(2) && more(3)) {
    const unsigned code = (b & 0x07u) << 18 | (byte(1) & 0x3Fu) << 12;
    return code >= 0x10000 && code <= 0x10FFFF ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string xml_escape(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    switch (length == 1 ? text[i] : length == 0 ? '\0' : 'u') {
      case '\0':
        out += "\xEF\xBF\xBD";  // the replacement character
        break;
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&apos;";
        break;
      default:
        out += text.substr(i, length);
    }
    i += std::max<std::size_t>(length, 1);
  }
  return out;
}

}  // namespace juxta
