// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The picture of moving things: where each dart stands, where it points, its colour and its size.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "juxta/files/svg_darts.h"

namespace juxta {
namespace {

/// A dart as it stands in the picture.
struct Drawn {
  std::string colour;
  double x = 0, y = 0, ax = 0, ay = 0, bx = 0, by = 0;  // tip; tip to a corner; that one to the other
};

std::vector<Drawn> darts_of(const std::string& svg) {
  std::vector<Drawn> all;
  const std::string start = "<path fill=\"#";
  for (std::size_t at = svg.find(start); at != std::string::npos; at = svg.find(start, at + 1)) {
    const std::string colour = svg.substr(at + start.size(), 6);
    const std::size_t end = svg.find("/>", at);
    for (std::size_t m = svg.find('M', at); m < end; m = svg.find('M', m + 1)) {
      Drawn d{colour};
      if (std::sscanf(svg.c_str() + m, "M%lf %lfl%lf %lfl%lf %lfz", &d.x, &d.y, &d.ax, &d.ay, &d.bx, &d.by) ==
          6) {
        all.push_back(d);
      }
    }
  }
  return all;
}

/// From the middle of the two rear corners to the tip, in pixels.
double forward_x(const Drawn& d) {
  return -(d.ax + d.bx / 2);
}
double forward_y(const Drawn& d) {
  return d.ay + d.by / 2;  // up
}

TEST(SvgDarts, PointWhereTheyFly) {
  for (int i = 0; i < 48; ++i) {
    const double angle = 0.01 + 2 * 3.14159265358979 * i / 48;
    const Dart dart{0.5, -0.25, std::cos(angle), std::sin(angle)};
    const auto drawn = darts_of(svg_darts(std::vector{dart}));
    ASSERT_EQ(drawn.size(), 1u);
    EXPECT_NEAR(drawn[0].x, 16 + 968 * 0.75, 0.06);
    EXPECT_NEAR(drawn[0].y, 16 + 968 * 0.625, 0.06);
    EXPECT_NEAR(forward_x(drawn[0]), 16 * std::cos(angle), 0.2);
    EXPECT_NEAR(forward_y(drawn[0]), 16 * std::sin(angle), 0.2);
  }
}

TEST(SvgDarts, HaveAColourForEachOf24Directions) {
  std::vector<Dart> darts;
  for (int i = 0; i < 240; ++i) {
    const double angle = 2 * 3.14159265358979 * (i + 0.5) / 240;
    darts.push_back({0, 0, 3 * std::cos(angle), 3 * std::sin(angle)});
  }
  std::set<std::string> colours;
  const auto drawn = darts_of(svg_darts(darts));
  EXPECT_EQ(drawn.size(), 240u);
  for (const Drawn& d : drawn) {
    colours.insert(d.colour);
  }
  EXPECT_EQ(colours.size(), 24u);
  EXPECT_EQ(darts_of(svg_darts(std::vector{Dart{0, 0, 1, 0}}))[0].colour, "c81919")
      << "red flies to the right";
}

TEST(SvgDarts, FartherOnesArePalerAndBehind) {
  const std::vector<Dart> darts = {{0, 0, 1, 0, 0}, {0, 0, 1, 0, 1}, {0, 0, -1, 0, 0.5}, {0, 0, 1, 0, 7}};
  const std::string svg = svg_darts(darts, {.depth = true});
  const auto drawn = darts_of(svg);
  ASSERT_EQ(drawn.size(), 4u);
  EXPECT_EQ(drawn[0].colour, drawn[1].colour) << "depth is held in [0, 1]";
  EXPECT_LT(forward_x(drawn[2]), 0);
  EXPECT_EQ(drawn[3].colour, "c81919");
  const auto brightness = [](const Drawn& d) { return std::stoul(d.colour.substr(2, 2), nullptr, 16); };
  EXPECT_GT(brightness(drawn[0]), brightness(drawn[3]));
  EXPECT_NE(svg.find("paler: farther"), std::string::npos);
  EXPECT_EQ(svg_darts(darts).find("paler"), std::string::npos);
}

TEST(SvgDarts, LengthsFollowSpeedAndRoom) {
  const auto length = [](double speed, std::size_t space) {
    const auto drawn = darts_of(svg_darts(std::vector{Dart{0, 0, speed, 0}}, {.speed = 2, .space = space}));
    return forward_x(drawn.at(0));
  };
  EXPECT_NEAR(length(2, 0), 16, 0.11);
  EXPECT_NEAR(length(200, 0), 16, 0.11) << "never longer";
  EXPECT_NEAR(length(1, 0), 12, 0.11);
  EXPECT_NEAR(length(2, 10'000), 1.3 * 968 / 100, 0.11);
  EXPECT_NEAR(length(2, 100'000'000), 5, 0.11) << "never too small to see";
}

TEST(SvgDarts, HoldNothingAndOddNumbers) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(svg_darts({}).find("</svg>"), std::string::npos);
  const std::vector<DartLine> lines = {{-1, -1, 1, 1}, {0, 0, 0, 1}};
  const std::vector<Dart> odd = {{nan, 0, 1, 1},    {0, inf, 1, 1}, {0, 0, nan, 1}, {0, 0, 1, inf},
                                 {0, 0, 1, 1, nan}, {1.5, 0, 1, 1}, {0, 0, 0, 0},   {0, 0, 1e200, 0}};
  const std::string svg = svg_darts(odd, {.title = "a & b", .note = "<n>", .lines = lines});
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_NE(svg.find("a &amp; b"), std::string::npos);
  EXPECT_NE(svg.find("&lt;n&gt;"), std::string::npos);
  EXPECT_NE(svg.find("h1v1h-1z"), std::string::npos) << "what stands still is a dot";
  EXPECT_NE(svg.find("M16 1018L984 50"), std::string::npos) << "the line from corner to corner";
}

}  // namespace
}  // namespace juxta
