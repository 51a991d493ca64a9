// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "files/svg_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "files/svg_dots.h"

namespace juxta::files_detail {
namespace {

constexpr double kFont = 14, kDot = 4.5;

struct Placed {
  RectD box;
  bool shown = false, far = false;
};

bool overlap(const RectD& a, const RectD& b) noexcept {
  return a.lx < b.hx && b.lx < a.hx && a.ly < b.hy && b.ly < a.hy;
}

/// Directions from the dot, in the order of preference: right, left, above, below, the corners.
constexpr std::array<std::array<double, 2>, 8> kSides = {
    {{1, 0}, {-1, 0}, {0, -1}, {0, 1}, {0.7, -0.7}, {0.7, 0.7}, {-0.7, -0.7}, {-0.7, 0.7}}};
constexpr std::array<double, 5> kDistances = {9, 20, 34, 52, 74};

RectD box_at(const SvgLabel& label, double width, const std::array<double, 2>& side, double distance) {
  const double cx = label.x + side[0] * (distance + width / 2);
  const double cy = label.y + side[1] * (distance + kFont / 2);
  return {cx - width / 2 - 1, cy - kFont * 0.6, cx + width / 2 + 1, cy + kFont * 0.6};
}

class Placer {
 public:
  Placer(std::span<const SvgLabel> labels, const RectD& frame) : frame_(frame) {
    for (const SvgLabel& l : labels) {
      taken_.push_back({l.x - kDot, l.y - kDot, l.x + kDot, l.y + kDot});
    }
  }

  Placed place(const SvgLabel& label) {
    const double width = text_width(label.text, kFont);
    for (std::size_t d = 0; d < kDistances.size() && !label.text.empty(); ++d) {
      for (const auto& side : kSides) {
        const RectD box = box_at(label, width, side, kDistances[d]);
        const bool inside = frame_.contains(box.lx, box.ly) && frame_.contains(box.hx, box.hy);
        const bool free =
            std::none_of(taken_.begin(), taken_.end(), [&](const RectD& t) { return overlap(t, box); });
        if (inside && free) {
          taken_.push_back(box);
          return {box, true, d > 0};
        }
      }
    }
    return {};
  }

 private:
  RectD frame_;
  std::vector<RectD> taken_;
};

}  // namespace

std::string svg_text(double x, double y, const char* anchor, std::string_view what, const char* attributes) {
  return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\"{}>{}</text>\n", coordinate(x), coordinate(y),
                     anchor, attributes, xml_escape(what));
}

double text_width(const std::string& text, double font_size) {
  const auto characters = std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  return static_cast<double>(characters) * font_size * 0.57;
}

std::string shortened(const std::string& text, std::size_t length) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts = (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80;
    if (starts && ++characters > length) {
      return text.substr(0, i) + "...";
    }
  }
  return text;
}

std::string draw_labels(std::span<const SvgLabel> labels, const RectD& frame) {
  Placer placer(labels, frame);
  std::string lines, dots, texts;
  for (const SvgLabel& label : labels) {
    const Placed placed = placer.place(label);
    const double cx = (placed.box.lx + placed.box.hx) / 2, cy = (placed.box.ly + placed.box.hy) / 2;
    if (placed.far) {
      const double ex = std::clamp(label.x, placed.box.lx, placed.box.hx);
      const double ey = std::clamp(label.y, placed.box.ly + 2, placed.box.hy - 2);
      lines += fmt::format("<path d=\"M{} {}L{} {}\"/>\n", coordinate(label.x), coordinate(label.y),
                           coordinate(ex), coordinate(ey));
    }
    dots += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n", coordinate(label.x), coordinate(label.y),
                        kDot);
    if (placed.shown) {
      texts += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", coordinate(cx),
                           coordinate(cy + kFont * 0.35), xml_escape(label.text));
    }
  }
  return "<g stroke=\"#c8553d\" stroke-width=\"0.8\">\n" + lines +
         "</g>\n<g fill=\"#c8553d\" stroke=\"#fff\" stroke-width=\"1.2\">\n" + dots +
         fmt::format(
             "</g>\n<g font-size=\"{}\" text-anchor=\"middle\" fill=\"#1d2b36\" stroke=\"#fff\" "
             "stroke-width=\"3.5\" stroke-linejoin=\"round\" paint-order=\"stroke\">\n",
             kFont) +
         texts + "</g>\n";
}

}  // namespace juxta::files_detail
