// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "files/svg_frame.h"

#include <fmt/format.h>

#include <algorithm>

#include "juxta/files/svg_map.h"

namespace juxta::files_detail {

RectD SvgFrame::clipped(const RectD& r) const noexcept {
  return {std::clamp(r.lx, world.lx, world.hx), std::clamp(r.ly, world.ly, world.hy),
          std::clamp(r.hx, world.lx, world.hx), std::clamp(r.hy, world.ly, world.hy)};
}

std::string coordinate(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) {
    text.resize(text.size() - 2);
  }
  return text == "-0" ? "0" : text;
}

double panel_height(const RectD& world, double width, double least, double most) {
  const double aspect = (world.hy - world.ly) / (world.hx - world.lx);
  const bool even = aspect >= 0.25 && aspect <= 4;
  return std::clamp(even ? width * aspect : width * 0.6, least, most);
}

RectD fitted(RectD world, double width, double height) {
  const double dx = world.hx - world.lx, dy = world.hy - world.ly;
  if (dy / dx < 0.25 || dy / dx > 4) {
    return world;
  }
  const double scale = std::max(dx / width, dy / height);
  const double gx = (scale * width - dx) / 2, gy = (scale * height - dy) / 2;
  return {world.lx - gx, world.ly - gy, world.hx + gx, world.hy + gy};
}

std::string svg_paper(double width, double height, const std::string& title, const std::string& note,
                      const std::string& body) {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"#fff\"/>\n",
      coordinate(width), coordinate(height));
  if (!title.empty()) {
    out += fmt::format(
        "<text x=\"{}\" y=\"{}\" font-size=\"19\" font-weight=\"bold\" fill=\"#1d2b36\">{}</text>\n",
        kSvgMargin, kSvgMargin + 17, xml_escape(title));
  }
  if (!note.empty()) {
    out += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"13\" fill=\"#5b6b77\">{}</text>\n", kSvgMargin,
                       coordinate(height - kSvgMargin), xml_escape(note));
  }
  return out + body + "</svg>\n";
}

}  // namespace juxta::files_detail
