// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//   title
//   +----------------+
//   | lines and dots |
//   +----------------+
//   o plain: count  o marked: count
//   note; what is not shown
#include "juxta/files/svg_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "files/svg_frame.h"
#include "files/svg_labels.h"
#include "juxta/files/svg_map.h"

namespace juxta {
namespace {

using files_detail::coordinate;
using files_detail::SvgFrame;

constexpr double kLegend = 26;
constexpr const char* kNodeColours[2] = {"#33658a", "#c8553d"};
/// More names than these would hide the tree.
constexpr std::size_t kMostNames = 200;

bool is_drawable(const TreeNode& node) {
  constexpr double kFar = 1e300;
  return std::abs(node.x) < kFar && std::abs(node.y) < kFar;
}

/// The rectangle of all nodes, grown a little. Never empty.
RectD world_of(std::span<const TreeNode> nodes) {
  RectD world{1, 1, 0, 0};
  bool first = true;
  for (const TreeNode& node : nodes) {
    if (is_drawable(node)) {
      world = first ? RectD{node.x, node.y, node.x, node.y}
                    : RectD{std::min(world.lx, node.x), std::min(world.ly, node.y),
                            std::max(world.hx, node.x), std::max(world.hy, node.y)};
      first = false;
    }
  }
  const double size = first ? 0 : std::max(world.hx - world.lx, world.hy - world.ly);
  const double least = size > 0 ? size * 0.05 : 1;  // a line of nodes has no width of its own
  return {world.lx - least, world.ly - least, world.hx + least, world.hy + least};
}

std::string lines_of(const SvgFrame& frame, std::span<const TreeNode> nodes, bool marked) {
  std::string out;
  for (const TreeNode& node : nodes) {
    const bool joined = node.marked == marked && node.parent < nodes.size() && is_drawable(node) &&
                        is_drawable(nodes[node.parent]);
    if (joined) {
      const TreeNode& parent = nodes[node.parent];
      fmt::format_to(std::back_inserter(out), "<path d=\"M{} {}L{} {}\"/>\n", coordinate(frame.px(parent.x)),
                     coordinate(frame.py(parent.y)), coordinate(frame.px(node.x)),
                     coordinate(frame.py(node.y)));
    }
  }
  return out;
}

std::string dots_of(const SvgFrame& frame, std::span<const TreeNode> nodes, bool marked, double radius) {
  std::string out;
  for (const TreeNode& node : nodes) {
    if (node.marked == marked && is_drawable(node)) {
      fmt::format_to(std::back_inserter(out), "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n",
                     coordinate(frame.px(node.x)), coordinate(frame.py(node.y)), coordinate(radius));
    }
  }
  return out;
}

std::string names_of(const SvgFrame& frame, std::span<const TreeNode> nodes) {
  std::vector<files_detail::SvgLabel> labels;
  if (nodes.size() > kMostNames) {
    return {};
  }
  for (const TreeNode& node : nodes) {
    if (!node.name.empty() && is_drawable(node)) {
      labels.push_back({frame.px(node.x), frame.py(node.y), files_detail::shortened(node.name, 40)});
    }
  }
  return files_detail::draw_labels(
      labels, {frame.left, frame.top, frame.left + frame.width, frame.top + frame.height});
}

std::string legend(std::span<const TreeNode> nodes, const SvgTreeOptions& options, double y) {
  const auto marked = static_cast<std::size_t>(
      std::count_if(nodes.begin(), nodes.end(), [](const TreeNode& node) { return node.marked; }));
  const std::string texts[2] = {fmt::format("{}: {}", options.plain, nodes.size() - marked),
                                fmt::format("{}: {}", options.marked, marked)};
  std::string out;
  double x = files_detail::kSvgMargin;
  for (int kind = 0; kind < 2; ++kind) {
    out += fmt::format(
        "<circle cx=\"{}\" cy=\"{}\" r=\"5\" fill=\"{}\"/>\n<text x=\"{}\" y=\"{}\" font-size=\"13\" "
        "fill=\"#1d2b36\">{}</text>\n",
        coordinate(x + 6), coordinate(y - 5), kNodeColours[kind], coordinate(x + 18), coordinate(y),
        xml_escape(texts[kind]));
    x += 18 + files_detail::text_width(texts[kind], 13) + 28;
  }
  return out;
}

/// What a reader of the picture would not see otherwise.
std::string unseen(std::size_t all, std::span<const TreeNode> nodes) {
  std::string text =
      nodes.size() < all ? fmt::format("the first {} of {} nodes are drawn", nodes.size(), all) : "";
  const auto outside =
      nodes.size() - static_cast<std::size_t>(std::count_if(nodes.begin(), nodes.end(), is_drawable));
  if (outside != 0) {
    text += fmt::format("{}{} too far away to draw", text.empty() ? "" : ", ", outside);
  }
  return text;
}

}  // namespace

std::string svg_tree(std::span<const TreeNode> all, const SvgTreeOptions& options) {
  const auto nodes = all.first(std::min(all.size(), options.max_nodes));
  const double width = std::clamp(options.width, 200, 10000);
  const double top = files_detail::kSvgMargin + (options.title.empty() ? 0 : files_detail::kSvgTitle);
  const RectD world = world_of(nodes);
  const double inner = width - 2 * files_detail::kSvgMargin;
  const double height = files_detail::panel_height(world, inner, width * 0.2, width);
  const SvgFrame frame{files_detail::kSvgMargin, top, inner, height,
                       files_detail::fitted(world, inner, height)};
  const double radius = nodes.size() > 2000 ? 1.5 : nodes.size() > kMostNames ? 2.5 : 5;

  std::string body = fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#f7f9fa\" stroke=\"#ccd6dd\"/>\n",
      coordinate(frame.left), coordinate(top), coordinate(inner), coordinate(height));
  for (const bool marked : {false, true}) {
    body +=
        fmt::format("<g fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\">\n{}</g>\n",
                    kNodeColours[marked ? 1 : 0], coordinate(std::min(radius * 0.6, 2.0)),
                    lines_of(frame, nodes, marked));
  }
  body += names_of(frame, nodes);
  for (const bool marked : {false, true}) {
    body += fmt::format("<g fill=\"{}\">\n{}</g>\n", kNodeColours[marked ? 1 : 0],
                        dots_of(frame, nodes, marked, radius));
  }
  body += legend(nodes, options, top + height + files_detail::kSvgMargin + 6);
  const std::string rest = unseen(all.size(), nodes);
  const std::string note = options.note + (options.note.empty() || rest.empty() ? "" : "; ") + rest;
  const double total =
      top + height + files_detail::kSvgMargin + kLegend + (note.empty() ? 0 : files_detail::kSvgNote);
  return files_detail::svg_paper(width, total, options.title, note, body);
}

}  // namespace juxta
