// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Pictures: well-formed text, bounded size, labels that do not touch.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "files/svg_labels.h"
#include "juxta/files/svg_map.h"
#include "juxta/files/svg_plot.h"

namespace juxta {
namespace {

std::size_t occurrences(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    ++count;
  }
  return count;
}

/// A million points on a fine lattice, which would fill every pixel.
constexpr auto lattice = [](std::size_t i) {
  return MapPoint{static_cast<double>(i % 1000), static_cast<double>(i / 1000)};
};

TEST(SvgMap, EscapesTextsForXml) {
  EXPECT_EQ(xml_escape("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&apos;");
  EXPECT_EQ(xml_escape("Malmö 東京 \xF0\x9F\x8C\x8D"), "Malmö 東京 \xF0\x9F\x8C\x8D");
  EXPECT_EQ(xml_escape("\x01\xC3|\xED\xA0\x80"), "\uFFFD\uFFFD|\uFFFD\uFFFD\uFFFD");
}

TEST(SvgMap, DrawsAtMostSoManyDots) {
  SvgMapOptions options;
  options.max_dots = 5000;
  const std::string svg = svg_map(1'000'000, lattice, {}, options);
  const std::size_t dots = occurrences(svg, "h0");
  EXPECT_LE(dots, 5000u);
  EXPECT_GE(dots, 1000u);
  EXPECT_LT(svg.size(), 60'000u);
}

TEST(SvgMap, DrawsTheRectangleAndNamesTheLabels) {
  const std::vector<MapLabel> labels = {{500, 500, "middle & more"}, {100, 100, "corner"}};
  SvgMapOptions options;
  options.title = "T<";
  options.rect = {0, 0, 900, std::numeric_limits<double>::infinity()};
  const std::string svg = svg_map(1'000'000, lattice, labels, options);
  EXPECT_EQ(occurrences(svg, ">middle &amp; more</text>"), 1u);
  EXPECT_EQ(occurrences(svg, ">corner</text>"), 1u);
  EXPECT_EQ(occurrences(svg, "<circle"), 2u);
  EXPECT_EQ(occurrences(svg, ">T&lt;</text>"), 1u);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(SvgMap, AFarPointDoesNotShrinkTheMap) {
  const auto point = [](std::size_t i) { return i == 7 ? MapPoint{1e10, -1e10} : lattice(i); };
  EXPECT_GT(occurrences(svg_map(100'000, point, {}), "h0"), 1000u);
}

TEST(SvgMap, TakesNoPointsOnePointAndUnusableOnes) {
  const auto one = [](std::size_t) { return MapPoint{3, 4}; };
  EXPECT_EQ(occurrences(svg_map(0, one, {}), "h0"), 0u);
  EXPECT_EQ(occurrences(svg_map(1, one, {}), "h0"), 1u);
  const auto unusable = [](std::size_t) { return MapPoint{std::nan(""), HUGE_VAL}; };
  EXPECT_EQ(occurrences(svg_map(10, unusable, {}), "h0"), 0u);
  const auto extreme = [](std::size_t i) { return MapPoint{i % 2 == 0 ? 1e308 : -1e308, 0}; };
  const std::string svg = svg_map(10, extreme, {});
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(SvgLabels, TextsNeverTouch) {
  std::vector<files_detail::SvgLabel> labels;
  for (int i = 0; i < 40; ++i) {  // more than there is room for
    labels.push_back({300.0 + i % 7 * 3, 200.0 + i / 7 * 3, "label " + std::to_string(i)});
  }
  const std::string svg = files_detail::draw_labels(labels, {0, 0, 600, 400});
  struct Box {
    double x, y, width;
  };
  std::vector<Box> boxes;
  for (std::size_t at = svg.find("<text"); at != std::string::npos; at = svg.find("<text", at + 1)) {
    double x = 0, y = 0;
    ASSERT_EQ(std::sscanf(svg.c_str() + at, "<text x=\"%lf\" y=\"%lf\">", &x, &y), 2);
    const std::size_t first = svg.find('>', at) + 1;
    boxes.push_back({x, y, files_detail::text_width(svg.substr(first, svg.find('<', first) - first), 14)});
  }
  EXPECT_GE(boxes.size(), 12u);
  EXPECT_EQ(occurrences(svg, "<circle"), 40u);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = i + 1; j < boxes.size(); ++j) {
      const bool apart = std::abs(boxes[i].x - boxes[j].x) >= (boxes[i].width + boxes[j].width) / 2 ||
                         std::abs(boxes[i].y - boxes[j].y) >= 14;
      EXPECT_TRUE(apart) << i << " and " << j;
    }
  }
}

TEST(SvgPlot, DrawsEveryUsableDot) {
  const std::vector<double> x = {0, 1, 10, 1e6, -1, 5, std::nan("")}, y = {0.1, 0.2, 3, 40, 1, 0, 1};
  const PlotSeries series{"a < b", x, y};
  const std::string svg =
      svg_log_plot({&series, 1}, {.title = "t", .x_axis = "x", .y_axis = "y", .note = {}});
  EXPECT_EQ(occurrences(svg, "h0"), 4u);
  EXPECT_EQ(occurrences(svg, ">a &lt; b</text>"), 1u);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_NE(svg_log_plot({}).find("</svg>"), std::string::npos);
}

}  // namespace
}  // namespace juxta
