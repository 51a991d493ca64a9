// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The picture of boxes: what is drawn, what it says about the rest, and how large it may become.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "juxta/files/svg_boxes.h"

namespace juxta {
namespace {

std::size_t occurrences(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    ++count;
  }
  return count;
}

const std::array<BoxKind, 2> kKinds{{{"alone & free", "#33658a"}, {"hit", "#c8553d"}}};

std::string draw(const std::vector<FlatBox>& boxes, SvgBoxesOptions options = {}) {
  options.kinds = kKinds;
  return svg_boxes(
      boxes.size(), [&](std::size_t i) { return boxes[i]; }, options);
}

std::vector<FlatBox> grid(std::size_t count) {
  std::vector<FlatBox> boxes;
  for (std::size_t i = 0; i < count; ++i) {
    const auto x = static_cast<double>(i % 300), y = static_cast<double>(i / 300);
    boxes.push_back({{x, y, x + .9, y + .9}, i % 4 == 0 ? 1u : 0u});
  }
  return boxes;
}

TEST(SvgBoxes, DrawsEveryBoxOfAKindAndCountsThem) {
  const std::string svg =
      draw({{{0, 0, 4, 2}, 0}, {{3, 1, 5, 3}, 1}, {{4, 2, 4, 2}, 1}}, {.title = "<three>", .note = "n"});
  EXPECT_EQ(occurrences(svg, "<path "), 3u);
  EXPECT_NE(svg.find("&lt;three&gt;"), std::string::npos);
  EXPECT_NE(svg.find("alone &amp; free: 1<"), std::string::npos);
  EXPECT_NE(svg.find("hit: 2<"), std::string::npos);
  EXPECT_NE(svg.find("h1v1h-1z"), std::string::npos) << "a point is one pixel";
  EXPECT_EQ(svg.find("boxes drawn"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(SvgBoxes, SaysThatItDrawsSomeOfMany) {
  const std::string svg = draw(grid(90'000), {.note = "x and y", .max_shapes = 20'000});
  const std::size_t drawn = occurrences(svg, "<path ");
  EXPECT_LE(drawn, 20'000u);
  EXPECT_GE(drawn, 15'000u);
  EXPECT_NE(svg.find("x and y; " + std::to_string(drawn / 1000) + "," + std::to_string(drawn % 1000)),
            std::string::npos);
  EXPECT_NE(svg.find(" of 90,000 boxes drawn"), std::string::npos);
  EXPECT_NE(svg.find("hit: 22,500<"), std::string::npos) << "counts are of all boxes";
}

TEST(SvgBoxes, StaysSmall) {
  const std::string svg = draw(grid(1'000'000));
  EXPECT_LT(svg.size(), 3u << 20);
  EXPECT_GT(svg.size(), 1u << 20);
}

TEST(SvgBoxes, OneStrayBoxDoesNotShrinkTheWorld) {
  auto boxes = grid(3000);
  boxes.push_back({{1e30, 1e30, 2e30, 2e30}, 0});
  const std::string svg = draw(boxes);
  EXPECT_NE(svg.find("1 outside of the frame"), std::string::npos);
  EXPECT_EQ(occurrences(svg, "<path "), 3000u);
}

TEST(SvgBoxes, HoldsNothingAndOddWorlds) {
  EXPECT_NE(draw({}).find("</svg>"), std::string::npos);
  for (const double size : {0.0, 1e-30, 1e30, 1e299}) {
    const std::string svg = draw({{{0, 0, size, size}, 0}, {{-size, 0, 0, 0}, 1}});
    EXPECT_EQ(occurrences(svg, "<path "), 2u) << size;
    EXPECT_EQ(svg.find("nan"), std::string::npos) << size;
    EXPECT_EQ(svg.find("inf"), std::string::npos) << size;
  }
}

}  // namespace
}  // namespace juxta
