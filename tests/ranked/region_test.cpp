// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Questions in regions against every point looked at, on every instruction set; polygons against whole-number
// arithmetic, which has nothing to round.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "juxta/ranked/ranked_points.h"
#include "ranked/orientation.h"
#include "scenes/hard_points.h"
#include "support/each_isa.h"

namespace juxta {
namespace {

using Doubles = std::vector<double>;
using Ids = std::vector<std::uint32_t>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct World {
  Doubles x, y, rank;
  std::vector<std::uint64_t> masks;
};

/// Whole numbers, many of them twice, so that corners and borders hit points.
World lattice(std::size_t points, int side, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> whole(0, side);
  World world;
  for (std::size_t i = 0; i < points; ++i) {
    world.x.push_back(whole(random));
    world.y.push_back(whole(random));
    world.rank.push_back(whole(random));
    world.masks.push_back(random() & random() & 7);
  }
  return world;
}

template <class Inside>
Ids brute(const World& world, const RankedFilter& filter, const Inside& inside) {
  Ids found;
  for (std::uint32_t i = 0; i < world.x.size(); ++i) {
    const std::uint64_t m = world.masks[i];
    if (inside(world.x[i], world.y[i]) && (m & filter.all) == filter.all && (m & filter.none) == 0 &&
        (filter.any == 0 || (m & filter.any) != 0)) {
      found.push_back(i);
    }
  }
  std::ranges::stable_sort(found, [&](auto a, auto b) { return world.rank[a] < world.rank[b]; });
  return found;
}

template <class Inside>
void expect_region(const RankedPoints& points, const World& world, const RankedRegion& region,
                   const Inside& inside) {
  for (const RankedFilter& filter :
       {RankedFilter{}, RankedFilter{.all = 1}, RankedFilter{.any = 6}, RankedFilter{.all = 2, .none = 1}}) {
    const Ids want = brute(world, filter, inside);
    ASSERT_EQ(points.count(region, filter).found, want.size());
    for (const std::size_t k : {1U, 20U, 300U, 5000U}) {
      Ids got(k + 1, 0xDEADBEEF);
      const QueryResult result = points.top(region, k, std::span(got).first(k), filter);
      ASSERT_EQ(got.back(), 0xDEADBEEF);
      got.resize(result.written);
      ASSERT_EQ(got, Ids(want.begin(), want.begin() + static_cast<std::ptrdiff_t>(std::min(k, want.size()))));
    }
  }
}

RankedPoints build(const World& world) {
  return RankedPoints::build(world.x, world.y, world.rank, {.categories = world.masks}).value();
}

TEST(RankedRegion, RectanglesAndThoseAcrossTheEdge) {
  const World world = lattice(5000, 360, 1);
  const RankedPoints points = build(world);
  test::for_each_isa([&](Isa) {
    for (const RectD& r : {RectD{10, 20, 90, 300}, RectD{300, 0, 40, 200}, RectD{359, 5, 1, 9},
                           RectD{200, 100, 199, 300}, RectD{5, 9, 1, 3}, RectD{kNan, 0, 1, 1}}) {
      expect_region(points, world, RankedRegion::rect(r),
                    [&](double x, double y) { return r.contains(x, y); });
      expect_region(points, world, RankedRegion::across(r), [&](double x, double y) {
        const bool in_x = r.lx > r.hx ? x >= r.lx || x <= r.hx : r.lx <= x && x <= r.hx;
        return in_x && r.ly <= y && y <= r.hy;
      });
    }
  });
}

TEST(RankedRegion, CirclesAndRings) {
  const World world = lattice(20'000, 200, 2);
  const RankedPoints points = build(world);
  test::for_each_isa([&](Isa) {
    for (const double radius : {0.0, 1.0, 5.0, 25.0, 65.0, 141.5, 400.0, -1.0, kNan, kInfinity}) {
      for (const auto& [cx, cy] : {std::pair{100.0, 100.0}, {7.0, 3.5}, {-50.0, 90.0}}) {
        expect_region(points, world, RankedRegion::circle(cx, cy, radius),
                      [&, cx = cx, cy = cy](double x, double y) {
                        return radius >= 0 && (x - cx) * (x - cx) + (y - cy) * (y - cy) <= radius * radius;
                      });
        for (const double inner : {radius / 2, radius}) {
          expect_region(points, world, RankedRegion::ring(cx, cy, inner, radius),
                        [&, cx = cx, cy = cy](double x, double y) {
                          const double d = (x - cx) * (x - cx) + (y - cy) * (y - cy);
                          return radius >= 0 && inner * inner <= d && d <= radius * radius;
                        });
        }
      }
    }
  });
}

// Points that are a few steps of a double away from the border, where the squared distance and the bounds
// round.
TEST(RankedRegion, CirclesAtTheLastDigit) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int i = 0; i < 400; ++i) {
    const double scale = i % 4 == 0   ? 1e-200
                         : i % 4 == 1 ? 1e12
                                      : 1,
                 cx = unit(random) * (i % 3), cy = unit(random);
    const double radius = unit(random) * scale;
    World world;
    for (const auto& [dx, dy] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
      double x = cx + dx * radius, y = cy + dy * radius;
      for (int step = 0; step < 4; ++step) {  // away from the centre, where that is not 0
        world.x.push_back(x);
        world.y.push_back(y);
        world.rank.push_back(step);
        world.masks.push_back(7);
        x = dx == 0 ? x : std::nextafter(x, dx * kInfinity);
        y = dy == 0 ? y : std::nextafter(y, dy * kInfinity);
      }
    }
    expect_region(build(world), world, RankedRegion::circle(cx, cy, radius), [&](double x, double y) {
      return (x - cx) * (x - cx) + (y - cy) * (y - cy) <= radius * radius;
    });
  }
}

// No point may be inside by contains() and not be found, whatever the numbers.
TEST(RankedRegion, CirclesOfExtremeNumbers) {
  World world = lattice(200, 10, 6);
  for (const double huge : {-1e308, -1e200, 1e154, 1e160, 1e308}) {
    world.x.push_back(huge);
    world.y.push_back(-huge);
    world.rank.push_back(1);
    world.masks.push_back(7);
  }
  const RankedPoints points = build(world);
  for (const double x : {0.0, 1e-300, 1e155, -1e308, kInfinity, -kInfinity, kNan}) {
    for (const double outer : {0.0, 1e-200, 5.0, 1e149, 1e154, 1e200, 1e308, kInfinity, kNan, -1.0}) {
      for (const double inner : {0.0, 1e-170, 2.0, outer, kInfinity, kNan}) {
        const RankedRegion region = RankedRegion::ring(x, 1, inner, outer);
        expect_region(points, world, region, [&](double px, double py) { return region.contains(px, py); });
        EXPECT_TRUE(std::isfinite(x) || !region.contains(0, 0));
      }
    }
  }
}

/// Even-odd, with whole numbers.
bool in_polygon(const Doubles& xs, const Doubles& ys, std::vector<std::uint32_t> ends, double px, double py) {
  const auto at = [](double v) { return static_cast<std::int64_t>(v); };
  if (ends.empty()) {
    ends.push_back(static_cast<std::uint32_t>(xs.size()));
  }
  bool inside = false;
  std::size_t first = 0;
  for (const std::uint32_t end : ends) {
    for (std::size_t i = first; i < end; ++i) {
      const std::size_t j = i + 1 < end ? i + 1 : first;
      const std::int64_t ax = at(xs[i]) - at(px), ay = at(ys[i]) - at(py), bx = at(xs[j]) - at(px),
                         by = at(ys[j]) - at(py);
      const std::int64_t cross = ax * by - ay * bx;
      if (cross == 0 && ax * bx <= 0 && ay * by <= 0) {
        return true;
      }
      if ((ay > 0) != (by > 0)) {
        inside ^= (by > ay) == (cross > 0);
      }
    }
    first = end;
  }
  return inside;
}

TEST(RankedRegion, PolygonsWithHolesAndCrossings) {
  const World world = lattice(8'000, 60, 3);
  const RankedPoints points = build(world);
  std::mt19937 random(5);
  std::uniform_int_distribution<int> corner(-5, 65);
  struct Shape {
    Doubles xs, ys;
    std::vector<std::uint32_t> ends;
  };
  std::vector<Shape> shapes = {
      {{10, 50, 50, 10}, {10, 10, 50, 50}, {}},                                      // a square
      {{10, 50, 50, 10, 20, 20, 40, 40}, {10, 10, 50, 50, 20, 40, 40, 20}, {4, 8}},  // with a hole
      {{0, 60, 0, 60}, {0, 60, 60, 0}, {}},                                          // a bow tie
      {{5, 30, 55}, {30, 30, 30}, {}},                                               // a line
      {{20}, {20}, {}},                                                              // a point
      {{}, {}, {}},                                                                  // nothing
      {{0, 20, 20, 0, 30, 50, 50, 30},
       {0, 0, 20, 20, 30, 30, 50, 50},
       {4, 4, 8}}};  // two parts, an empty ring
  for (const std::size_t corners : {3U, 5U, 9U, 40U}) {
    for (int i = 0; i < 4; ++i) {
      Shape shape;
      for (std::size_t c = 0; c < corners; ++c) {
        shape.xs.push_back(corner(random));
        shape.ys.push_back(corner(random));
      }
      shapes.push_back(shape);
    }
  }
  test::for_each_isa([&](Isa) {
    for (const Shape& s : shapes) {
      expect_region(points, world, RankedRegion::polygon(s.xs, s.ys, s.ends),
                    [&](double x, double y) { return in_polygon(s.xs, s.ys, s.ends, x, y); });
    }
  });
}

TEST(RankedRegion, PolygonsThatAreNoneAreEmpty) {
  const Doubles xs = {0, 9, 9}, ys = {0, 0, 9}, nan = {0, kNan, 9}, huge = {0, 1e200, 9}, two = {1, 2};
  const std::vector<std::uint32_t> falling = {2, 1}, beyond = {4};
  for (const RankedRegion& region :
       {RankedRegion::polygon(xs, nan), RankedRegion::polygon(huge, ys), RankedRegion::polygon(xs, two),
        RankedRegion::polygon(xs, ys, falling), RankedRegion::polygon(xs, ys, beyond)}) {
    EXPECT_TRUE(region.bounds().empty());
    EXPECT_FALSE(region.contains(1, 0.5));
    EXPECT_EQ(region.part_of({-1, -1, 10, 10}), RankedRegion::Part::kNone);
  }
}

// What a rectangle is said to be, each of its points is.
TEST(RankedRegion, PartsAreNeverWrong) {
  std::mt19937 random(8);
  std::uniform_real_distribution<double> place(-10, 110), size(0, 40);
  const Doubles xs = {10, 90, 70, 95, 20}, ys = {5, 20, 50, 95, 80};
  for (int i = 0; i < 3000; ++i) {
    const RankedRegion region = i % 3 == 0   ? RankedRegion::ring(50, 50, size(random), 50)
                                : i % 3 == 1 ? RankedRegion::polygon(xs, ys)
                                             : RankedRegion::across({80, 10, 30, 90});
    const double x = place(random), y = place(random), w = i % 7 == 0 ? 0 : size(random), h = size(random);
    const auto part = region.part_of({x, y, x + w, y + h});
    for (int j = 0; j < 30; ++j) {
      const double u = std::min(x + w, x + w * (j % 6) / 5), v = std::min(y + h, y + h * (j / 6) / 4);
      ASSERT_TRUE(part == RankedRegion::Part::kSome ||
                  (part == RankedRegion::Part::kAll) == region.contains(u, v));
    }
  }
}

// float and double, and points on which answers break.
TEST(RankedRegion, HardPoints) {
  for (const auto kind : scenes::kHardSets) {
    SCOPED_TRACE(std::string(scenes::name(kind)));
    const scenes::HardPoints set = scenes::make_hard_points(kind, 7'000, 4);
    World world{
        {set.x.begin(), set.x.end()}, {set.y.begin(), set.y.end()}, {set.rank.begin(), set.rank.end()}, {}};
    world.masks.assign(set.x.size(), 7);
    const auto points = RankedPoints::build(set.x, set.y, set.rank, {.categories = world.masks}).value();
    for (const auto family : scenes::kQueryFamilies) {
      for (const RectF& q : scenes::make_hard_queries(family, set, 3, 6)) {
        const double cx = (double{q.lx} + q.hx) / 2, cy = (double{q.ly} + q.hy) / 2,
                     r = (double{q.hx} - q.lx) / 2;
        expect_region(points, world, RankedRegion::ring(cx, cy, r / 2, r), [&](double x, double y) {
          const double d = (x - cx) * (x - cx) + (y - cy) * (y - cy);
          return r / 2 * (r / 2) <= d && d <= r * r;
        });
        const Doubles xs = {q.lx, q.hx, cx}, ys = {q.ly, q.ly, q.hy};
        const RankedRegion triangle = RankedRegion::polygon(xs, ys);
        expect_region(points, world, triangle, [&](double x, double y) { return triangle.contains(x, y); });
      }
    }
  }
}

__extension__ using Wide = __int128;  // products of two of 52 bits

TEST(Orientation, IsExact) {
  std::mt19937_64 random(1);
  std::uniform_int_distribution<std::int64_t> whole(-(1LL << 50), 1LL << 50), step(-2, 2);
  for (int i = 0; i < 200'000; ++i) {
    const std::int64_t ax = whole(random), ay = whole(random), dx = whole(random) >> 20,
                       dy = whole(random) >> 20;
    const std::int64_t bx = ax + 2 * dx, by = ay + 2 * dy, px = ax + dx + step(random),
                       py = ay + dy + step(random);
    const Wide area = static_cast<Wide>(bx - ax) * (py - ay) - static_cast<Wide>(by - ay) * (px - ax);
    const int sign = area > 0 ? 1 : area < 0 ? -1 : 0;
    const auto at = [](std::int64_t v) { return static_cast<double>(v); };
    ASSERT_EQ(ranked_detail::orientation(at(ax), at(ay), at(bx), at(by), at(px), at(py)), sign);
    ASSERT_EQ(ranked_detail::orientation(at(ax) * 0x1p-60, at(ay) * 0x1p-60, at(bx) * 0x1p-60,
                                         at(by) * 0x1p-60, at(px) * 0x1p-60, at(py) * 0x1p-60),
              sign);
  }
}

}  // namespace
}  // namespace juxta
