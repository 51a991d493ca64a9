// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//   title
//   +----------------+
//   | boxes          |
//   +----------------+
//   [] kind: count  [] kind: count
//   note; what is not shown
#include "juxta/files/svg_boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "files/svg_dots.h"
#include "files/svg_frame.h"
#include "files/svg_labels.h"

namespace juxta {
namespace {

using files_detail::coordinate;
using files_detail::SvgFrame;

constexpr double kLegend = 26;

/// What has been drawn, and what not.
struct Drawing {
  std::vector<std::string> shapes;  // per kind
  std::vector<std::size_t> counts;  // per kind, drawn or not
  std::size_t drawn = 0, outside = 0, skipped = 0;
};

/// 1234567 as "1,234,567".
std::string grouped(std::size_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) {
      text.push_back(',');
    }
    text.push_back(digits[i]);
  }
  return text;
}

bool drawable(const FlatBox& box, std::size_t kinds) {
  constexpr double kFar = 1e300;
  const RectD& r = box.rect;
  return box.kind < kinds && std::abs(r.lx) < kFar && std::abs(r.hx) < kFar && std::abs(r.ly) < kFar &&
         std::abs(r.hy) < kFar;
}

void add_shape(const SvgFrame& frame, const RectD& whole, std::string& out) {
  const RectD r = frame.clipped(whole);
  const double x = frame.px(r.lx), y = frame.py(r.hy);
  const double width = std::max(frame.px(r.hx) - x, 1.0), height = std::max(frame.py(r.ly) - y, 1.0);
  fmt::format_to(std::back_inserter(out), "<path d=\"M{} {}h{}v{}h-{}z\"/>\n", coordinate(x), coordinate(y),
                 coordinate(width), coordinate(height), coordinate(width));
}

Drawing draw(const SvgFrame& frame, std::size_t count, FlatBoxAt at, const SvgBoxesOptions& options) {
  const std::size_t kinds = options.kinds.size();
  Drawing drawing{std::vector<std::string>(kinds), std::vector<std::size_t>(kinds)};
  const std::size_t step = count / std::max<std::size_t>(options.max_shapes, 1) + 1;
  for (std::size_t i = 0; i < count; ++i) {
    const FlatBox box = at(i);
    if (!drawable(box, kinds)) {
      ++drawing.outside;
      continue;
    }
    const bool turn = drawing.counts[box.kind]++ % step == 0;
    const RectD& r = box.rect;
    const RectD& world = frame.world;
    if (r.hx < world.lx || r.lx > world.hx || r.hy < world.ly || r.ly > world.hy) {
      ++drawing.outside;
    } else if (turn) {
      add_shape(frame, r, drawing.shapes[box.kind]);
      ++drawing.drawn;
    } else {
      ++drawing.skipped;
    }
  }
  return drawing;
}

std::string legend(const Drawing& drawing, std::span<const BoxKind> kinds, double y) {
  std::string out;
  double x = files_detail::kSvgMargin;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const std::string text = fmt::format("{}: {}", kinds[k].name, grouped(drawing.counts[k]));
    out += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"12\" height=\"12\" fill=\"{}\"/>\n<text x=\"{}\" y=\"{}\" "
        "font-size=\"13\" fill=\"#1d2b36\">{}</text>\n",
        coordinate(x), coordinate(y - 11), xml_escape(kinds[k].colour), coordinate(x + 18), coordinate(y),
        xml_escape(text));
    x += 18 + files_detail::text_width(text, 13) + 28;
  }
  return out;
}

/// What a reader of the picture would not see otherwise.
std::string unseen(const Drawing& drawing, std::size_t count) {
  std::string text;
  if (drawing.skipped != 0) {
    text = fmt::format("{} of {} boxes drawn", grouped(drawing.drawn), grouped(count));
  }
  if (drawing.outside != 0) {
    text += fmt::format("{}{} outside of the frame", text.empty() ? "" : ", ", grouped(drawing.outside));
  }
  return text;
}

}  // namespace

std::string svg_boxes(std::size_t count, FlatBoxAt box, const SvgBoxesOptions& options) {
  const double width = std::clamp(options.width, 200, 10000);
  const double top = files_detail::kSvgMargin + (options.title.empty() ? 0 : files_detail::kSvgTitle);
  const auto corner = [&](std::size_t i) {
    const RectD r = box(i / 2).rect;
    return i % 2 == 0 ? MapPoint{r.lx, r.ly} : MapPoint{r.hx, r.hy};
  };
  const RectD world = files_detail::middle_of(2 * count, corner);
  const double inner = width - 2 * files_detail::kSvgMargin;
  const double height = files_detail::panel_height(world, inner, width * 0.2, width);
  const SvgFrame frame{files_detail::kSvgMargin, top, inner, height,
                       files_detail::fitted(world, inner, height)};
  const Drawing drawing = draw(frame, count, box, options);

  std::string body = fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#f7f9fa\" stroke=\"#ccd6dd\"/>\n",
      coordinate(frame.left), coordinate(top), coordinate(inner), coordinate(height));
  for (std::size_t k = 0; k < options.kinds.size(); ++k) {
    body += fmt::format(
        "<g fill=\"{0}\" stroke=\"{0}\" fill-opacity=\"0.2\" stroke-opacity=\"0.8\" "
        "stroke-width=\"0.7\">\n{1}</g>\n",
        xml_escape(options.kinds[k].colour), drawing.shapes[k]);
  }
  body += legend(drawing, options.kinds, top + height + files_detail::kSvgMargin + 6);
  const std::string rest = unseen(drawing, count);
  const std::string note = options.note + (options.note.empty() || rest.empty() ? "" : "; ") + rest;
  const double total =
      top + height + files_detail::kSvgMargin + kLegend + (note.empty() ? 0 : files_detail::kSvgNote);
  return files_detail::svg_paper(width, total, options.title, note, body);
}

}  // namespace juxta
