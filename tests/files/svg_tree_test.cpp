// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The picture of a tree: a line per child, a dot per node, and what it says about the rest.
#include <gtest/gtest.h>

#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "juxta/files/svg_tree.h"

namespace juxta {
namespace {

std::size_t occurrences(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    ++count;
  }
  return count;
}

TEST(SvgTree, DrawsALinePerChildAndADotPerNode) {
  const std::vector<TreeNode> nodes = {{0, 0, TreeNode::kRoot, false, "hip <&>"},
                                       {0, 2, 0, true, ""},
                                       {1, 3, 1, true, ""},
                                       {5, 1, 77, false, ""}};
  const std::string svg =
      svg_tree(nodes, {.title = "a & b", .note = "n", .plain = "node", .marked = "joint"});
  EXPECT_EQ(occurrences(svg, "<path d=\"M"), 2u) << "no line to a parent that is not there";
  EXPECT_EQ(occurrences(svg, "r=\"5\"/>"), 4u);
  EXPECT_NE(svg.find("hip &lt;&amp;&gt;"), std::string::npos);
  EXPECT_NE(svg.find("a &amp; b"), std::string::npos);
  EXPECT_NE(svg.find("node: 2<"), std::string::npos);
  EXPECT_NE(svg.find("joint: 2<"), std::string::npos);
}

TEST(SvgTree, UpIsUpAndBothAxesHaveOneScale) {
  const std::vector<TreeNode> nodes = {{0, 0}, {0, 1, 0}, {1, 0, 0}};
  const std::string svg = svg_tree(nodes);
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0;
  const std::size_t up = svg.find("<path d=\"M"), right = svg.find("<path d=\"M", up + 1);
  ASSERT_EQ(std::sscanf(svg.c_str() + up, "<path d=\"M%lf %lfL%lf %lf", &x0, &y0, &x1, &y1), 4);
  ASSERT_EQ(std::sscanf(svg.c_str() + right, "<path d=\"M%*f %*fL%lf %lf", &x2, &y2), 2);
  EXPECT_NEAR(x1, x0, .11);
  EXPECT_LT(y1, y0) << "pixels grow downwards";
  EXPECT_NEAR(y2, y0, .11);
  EXPECT_NEAR(x2 - x0, y0 - y1, .21);
}

TEST(SvgTree, SaysThatItDrawsTheFirstOfMany) {
  std::vector<TreeNode> nodes(50'000);
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    nodes[i].x = i % 100;
    nodes[i].y = i / 100;
    nodes[i].parent = i == 0 ? TreeNode::kRoot : i / 2;
    nodes[i].name = "never shown";
  }
  const std::string svg = svg_tree(nodes);
  EXPECT_NE(svg.find("the first 20000 of 50000 nodes are drawn"), std::string::npos);
  EXPECT_EQ(occurrences(svg, "<path d=\"M"), 19'999u);
  EXPECT_EQ(svg.find("never shown"), std::string::npos);
  EXPECT_LT(svg.size(), 4u << 20);
}

TEST(SvgTree, HoldsNothingAndOddPlaces) {
  EXPECT_NE(svg_tree({}).find("</svg>"), std::string::npos);
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (const double size : {0.0, 1e-30, 1e30, 1e299}) {
    const std::vector<TreeNode> nodes = {{0, 0}, {size, -size, 0}, {inf, 0, 0}, {0, nan, 1}, {0, size, 2}};
    const std::string svg = svg_tree(nodes);
    EXPECT_EQ(occurrences(svg, "<path d=\"M"), 1u) << size;
    EXPECT_EQ(svg.find("nan"), std::string::npos) << size;
    EXPECT_EQ(svg.find("inf"), std::string::npos) << size;
    EXPECT_NE(svg.find("2 too far away to draw"), std::string::npos);
  }
}

}  // namespace
}  // namespace juxta
