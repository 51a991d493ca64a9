// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A plot of curves: a small one byte by byte; where points stand; ticks; thinning; gaps and odd numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "juxta/files/svg_curves.h"

namespace juxta {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity(),
                 kNan = std::numeric_limits<double>::quiet_NaN();

struct Place {
  char how;  // M or L
  double x, y;
};

/// The points of the curve of this colour.
std::vector<Place> places_of(const std::string& svg, const std::string& colour = "#33658a") {
  const std::size_t curve = svg.rfind("stroke=\"" + colour), start = svg.find("d=\"", curve) + 3;
  const std::size_t end = svg.find('"', start);
  std::vector<Place> all;
  for (std::size_t at = start; at < end; ++at) {
    Place p{};
    if (std::sscanf(svg.c_str() + at, "%c%lf %lf", &p.how, &p.x, &p.y) == 3 &&
        (p.how == 'M' || p.how == 'L')) {
      all.push_back(p);
    }
  }
  return all;
}

bool has(const std::string& svg, const std::string& part) {
  return svg.find(part) != std::string::npos;
}

TEST(SvgCurves, ASmallOneByteByByte) {
  const std::vector<double> x = {0, 50, 100}, y = {0, 3, 1}, published_x = {50}, published_y = {4};
  const std::vector<Curve> curves = {{"mine", x, y}, {"<theirs>", published_x, published_y, true}};
  EXPECT_EQ(
      svg_curves(curves, {.title = "A & B",
                          .x_axis = "step",
                          .y_axis = "birds",
                          .note = "seed 1",
                          .width = 300,
                          .height = 200}),
      R"svg(<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200" viewBox="0 0 300 200" fill="#1d2b36" font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif" font-size="13">
<rect width="100%" height="100%" fill="#fff"/>
<text x="20" y="28" text-anchor="start" font-size="18" font-weight="bold">A &amp; B</text>
<path stroke="#33658a" stroke-width="3" stroke-linecap="round" d="M84 45.5h18"/>
<text x="110" y="50" text-anchor="start">mine</text>
<path stroke="#c8553d" stroke-width="6" stroke-linecap="round" d="M166.6 45.5h0"/>
<text x="183.6" y="50" text-anchor="start">&lt;theirs&gt;</text>
<path stroke="#dde4e9" d="M84 64V132M180 64V132M276 64V132"/>
<text x="84" y="151" text-anchor="middle">0</text>
<text x="180" y="151" text-anchor="middle">50</text>
<text x="276" y="151" text-anchor="middle">100</text>
<path stroke="#dde4e9" d="M84 132H276M84 98H276M84 64H276"/>
<text x="76" y="136.5" text-anchor="end">0</text>
<text x="76" y="102.5" text-anchor="end">2</text>
<text x="76" y="68.5" text-anchor="end">4</text>
<text x="180" y="172" text-anchor="middle">step</text>
<text transform="translate(20 98) rotate(-90)" text-anchor="middle">birds</text>
<text x="276" y="192" text-anchor="end" fill="#5b6b77">seed 1</text>
<path stroke="#33658a" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" fill="none" d="M84 132h0L180 81L276 115"/>
<path stroke="#c8553d" stroke-width="6" stroke-linecap="round" stroke-linejoin="round" fill="none" d="M180 64h0"/>
</svg>
)svg");
}

TEST(SvgCurves, PointsStandWhereTheAxesSay) {
  const std::vector<double> x = {10, 20, 30}, y = {1, 5, 2};
  const auto places = places_of(svg_curves(std::vector<Curve>{{"", x, y}}, {.width = 1000, .height = 500}));
  ASSERT_EQ(places.size(), 3u);
  EXPECT_EQ(places[0].how, 'M');
  EXPECT_EQ(places[1].how, 'L');
  EXPECT_EQ(places[0].x, 84);
  EXPECT_EQ(places[1].x, (84 + 976) / 2);
  EXPECT_EQ(places[2].x, 976);
  EXPECT_EQ(places[0].y, 448) << "1 is a tick: the bottom";
  EXPECT_EQ(places[1].y, 14) << "so is 5: the top";
  EXPECT_NEAR(places[2].y, 448 - (448 - 14) / 4.0, 0.06);
}

TEST(SvgCurves, TicksAreRoundNumbers) {
  const auto ticks_of = [](double low, double high) {
    const std::vector<double> x = {low, high}, y = {0, 1};
    const std::string svg = svg_curves(std::vector<Curve>{{"", x, y}});
    std::vector<std::string> names;
    const std::string start = "text-anchor=\"middle\">";
    for (std::size_t at = svg.find(start); at != std::string::npos; at = svg.find(start, at + 1)) {
      const std::size_t from = at + start.size();
      names.push_back(svg.substr(from, svg.find('<', from) - from));
    }
    names.resize(names.size() - 2);  // the names of the axes
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(ticks_of(0, 100), (Names{"0", "20", "40", "60", "80", "100"}));
  EXPECT_EQ(ticks_of(-0.3, 0.3), (Names{"-0.3", "-0.2", "-0.1", "0", "0.1", "0.2", "0.3"}));
  EXPECT_EQ(ticks_of(7, 8), (Names{"7", "7.2", "7.4", "7.6", "7.8", "8"}));
  EXPECT_EQ(ticks_of(0, 8e6), (Names{"0", "1000000", "2000000", "3000000", "4000000", "5000000", "6000000",
                                     "7000000", "8000000"}));
  EXPECT_EQ(ticks_of(0, 5e-9), (Names{"0", "1e-09", "2e-09", "3e-09", "4e-09", "5e-09"}));
  EXPECT_EQ(ticks_of(5, 5), (Names{"4.6", "4.8", "5", "5.2", "5.4"})) << "room around one value";
}

TEST(SvgCurves, ManyPointsAreThinnedToTheEndsOfEachColumn) {
  std::mt19937 random(4);
  std::vector<double> x, y;
  for (int i = 0; i < 100'000; ++i) {
    x.push_back(i);
    y.push_back(static_cast<double>(random() % 1000) / 1000 + std::abs(i - 50'000) / 10'000.0);
  }
  y[70'007] = 9;  // a peak of one point must not get lost
  const auto places = places_of(svg_curves(std::vector<Curve>{{"", x, y}}, {.width = 500, .height = 300}));
  const int columns = 500 - 84 - 24 + 1;
  EXPECT_LE(places.size(), 2u * columns);
  EXPECT_GE(places.size(), 2u * columns - 2);
  const auto highest = std::min_element(places.begin(), places.end(),
                                        [](const Place& a, const Place& b) { return a.y < b.y; });
  EXPECT_NEAR(highest->x, 84 + 392 * 0.70007, 0.06);
  for (std::size_t p = 1; p < places.size(); ++p) {
    EXPECT_GE(places[p].x, places[p - 1].x) << "in the order of the points";
    EXPECT_EQ(places[p].how, 'L');
  }
  x.resize(2000);
  y.resize(2000);
  EXPECT_EQ(places_of(svg_curves(std::vector<Curve>{{"", x, y}})).size(), 2000u) << "not more than drawn";
}

TEST(SvgCurves, GapsInterruptTheLine) {
  const std::vector<double> x = {0, 1, 2, 3, kInf, 5, 6}, y = {1, 2, kNan, 3, 1, 2, -kInf};
  const std::string svg = svg_curves(std::vector<Curve>{{"", x, y}});
  const auto places = places_of(svg);
  ASSERT_EQ(places.size(), 4u);
  EXPECT_EQ(places[0].how, 'M');
  EXPECT_EQ(places[1].how, 'L');
  EXPECT_EQ(places[2].how, 'M');
  EXPECT_EQ(places[3].how, 'M');
  EXPECT_FALSE(has(svg, "nan") || has(svg, "inf"));
}

TEST(SvgCurves, DotsAreNotJoined) {
  const std::vector<double> x = {0, 1, 2}, y = {1, 2, 3};
  for (const Place& place : places_of(svg_curves(std::vector<Curve>{{"", x, y, true}}))) {
    EXPECT_EQ(place.how, 'M');
  }
}

TEST(SvgCurves, HoldNothingAndOddNumbers) {
  EXPECT_TRUE(has(svg_curves({}), "</svg>"));
  const std::vector<double> none, tiny = {0, 1e-320}, huge = {-1.7e308, 1.7e308}, gaps = {kNan, kInf};
  for (const auto& values : {none, tiny, huge, gaps}) {
    for (const auto& others : {none, tiny, huge, gaps}) {
      const std::string svg =
          svg_curves(std::vector<Curve>{{"a", values, others}}, {.width = -5, .height = 1 << 30});
      EXPECT_TRUE(has(svg, "width=\"200\" height=\"10000\""));
      EXPECT_TRUE(has(svg, "</svg>"));
      EXPECT_FALSE(has(svg, "nan") || has(svg, "inf")) << svg;
      EXPECT_LT(svg.size(), 200'000u);
    }
  }
}

TEST(SvgCurves, TheLegendWrapsAndColoursDiffer) {
  const std::vector<double> x = {0, 1};
  std::vector<Curve> curves;
  for (int c = 0; c < 8; ++c) {
    curves.push_back({"a name of some length " + std::to_string(c), x, x});
  }
  const std::string svg = svg_curves(curves, {.width = 600});
  std::set<std::string> lines, colours;
  const std::string start = "text-anchor=\"start\">a name";
  for (std::size_t at = svg.find(start); at != std::string::npos; at = svg.find(start, at + 1)) {
    const std::size_t y = svg.rfind(" y=\"", at);
    lines.insert(svg.substr(y, svg.find('"', y + 4) - y));
  }
  EXPECT_EQ(lines.size(), 4u) << "two beside each other";
  for (std::size_t at = svg.find("stroke=\"#"); at != std::string::npos;
       at = svg.find("stroke=\"#", at + 1)) {
    colours.insert(svg.substr(at, 16));
  }
  EXPECT_EQ(colours.size(), 1u + 8u) << "the grid and each curve";
}

}  // namespace
}  // namespace juxta
