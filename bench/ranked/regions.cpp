// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// region_<shape>: the 20 lowest ranks in a region, over even points with shuffled ranks;
// region_count_<shape>: how many are inside. 1,000 regions with centres anywhere, whose width is a thousandth
// to a half of the frame's; the scan gets the first 100.
//   juxta   RankedPoints::top and count
//   scan    all points in rank order, until 20 are inside; for count, all of them
// The scan asks the region's own contains(), after its bounds.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "bench/ranked/official_data.h"
#include "bench/ranked/official_rows.h"
#include "bench/ranked/rows.h"
#include "benchmark/benchmark.h"
#include "scenes/hard_points.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kResults = 20, kRegions = 1000, kScanned = 100;
enum class Shape { kCircle, kRing, kHexagon, kStar, kAcross };
constexpr std::array kShapes{Shape::kCircle, Shape::kRing, Shape::kHexagon, Shape::kStar, Shape::kAcross};
constexpr std::array kNames{"circle", "ring", "hexagon", "star100", "across"};

struct RegionWorld {
  RegionWorld() : set(scenes::make_hard_points(scenes::HardSet::kUniform, bench_points(), 1)) {
    points = build_index(set.x, set.y, set.rank);
    order.resize(set.x.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      order[i] = i;
    }
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return set.rank[i]; });
    for (const std::uint32_t i : order) {
      xs.push_back(set.x[i]);
      ys.push_back(set.y[i]);
    }
  }

  /// Without branches: most points are outside.
  [[nodiscard]] bool in_box(const RectD& box, std::size_t p) const {
    const auto x = static_cast<double>(xs[p]), y = static_cast<double>(ys[p]);
    return (x >= box.lx) & (x <= box.hx) & (y >= box.ly) & (y <= box.hy);
  }
  std::size_t top_by_scan(const RankedRegion& region, Id* out) const {
    const RectD box = region.bounds();
    std::size_t found = 0;
    for (std::size_t p = 0; p < xs.size() && found < kResults; ++p) {
      if (in_box(box, p) && region.contains(static_cast<double>(xs[p]), static_cast<double>(ys[p]))) {
        out[found++] = order[p];
      }
    }
    return found;
  }
  std::size_t count_by_scan(const RankedRegion& region) const {
    const RectD box = region.bounds();
    std::size_t found = 0;
    for (std::size_t p = 0; p < xs.size(); ++p) {
      found += in_box(box, p) && region.contains(static_cast<double>(xs[p]), static_cast<double>(ys[p]));
    }
    return found;
  }

  scenes::HardPoints set;
  std::unique_ptr<RankedPoints> points;
  std::vector<std::uint32_t> order;
  std::vector<float> xs, ys;
};

/// Regions of one shape, and the corners of those that have some.
struct Regions {
  Regions(const RectF& frame, Shape shape) : corners_x(kRegions), corners_y(kRegions) {
    std::uint64_t state = 7;
    const auto draw = [&] {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      return static_cast<double>(state >> 11) * 0x1p-53;
    };
    const double w = double{frame.hx} - double{frame.lx}, h = double{frame.hy} - double{frame.ly};
    for (std::size_t i = 0; i < kRegions; ++i) {
      const double x = frame.lx + draw() * w, y = frame.ly + draw() * h;
      const double r = w / 2 * std::pow(500, draw()) / 1000;
      regions.push_back(make(shape, frame, x, y, r, corners_x[i], corners_y[i]));
    }
  }

  static RankedRegion make(Shape shape, const RectF& frame, double x, double y, double r,
                           std::vector<double>& xs, std::vector<double>& ys) {
    switch (shape) {
      case Shape::kCircle:
        return RankedRegion::circle(x, y, r);
      case Shape::kRing:
        return RankedRegion::ring(x, y, 0.8 * r, r);
      case Shape::kAcross:
        return RankedRegion::across({frame.hx - r, y - r, frame.lx + r, y + r});
      default:
        break;
    }
    const std::size_t corners = shape == Shape::kHexagon ? 6 : 100;
    for (std::size_t c = 0; c < corners; ++c) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(c) / static_cast<double>(corners);
      const double reach = corners == 100 && c % 2 == 1 ? r / 2 : r;
      xs.push_back(x + reach * std::cos(angle));
      ys.push_back(y + reach * std::sin(angle));
    }
    return RankedRegion::polygon(xs, ys);
  }

  std::vector<RankedRegion> regions;
  std::vector<std::vector<double>> corners_x, corners_y;
};

RegionWorld& the_world() {
  static RegionWorld world;
  return world;
}

template <class Answer>
void add(const std::string& row, Shape shape, std::size_t most, const Answer& answer) {
  auto timed = std::make_shared<QueryRow>();
  benchmark::RegisterBenchmark(row.c_str(), [=](benchmark::State& state) {
    RegionWorld& world = the_world();
    const Regions regions(world.set.frame, shape);
    std::vector<Id> got(kResults), want(kResults);
    for (std::size_t i = 0; i < std::min<std::size_t>(most, 20); ++i) {
      const RankedRegion& region = regions.regions[i];
      const std::size_t n = answer(world, region, got.data());
      const bool same = n == (row.find("count") == std::string::npos ? world.top_by_scan(region, want.data())
                                                                     : world.count_by_scan(region));
      if (!same || got != want) {
        wrong_answer(row, i);
      }
    }
    timed->run(state, most, [&](std::size_t i) { return answer(world, regions.regions[i], got.data()); });
  });
}

}  // namespace

void register_regions() {
  for (std::size_t s = 0; s < kShapes.size(); ++s) {
    const std::string name = kNames[s];
    add("region_" + name + "/juxta", kShapes[s], kRegions,
        [](RegionWorld& w, const RankedRegion& r, Id* out) {
          return w.points->top(r, kResults, {out, kResults}).written;
        });
    add("region_" + name + "/scan", kShapes[s], kScanned,
        [](RegionWorld& w, const RankedRegion& r, Id* out) { return w.top_by_scan(r, out); });
    add("region_count_" + name + "/juxta", kShapes[s], kRegions,
        [](RegionWorld& w, const RankedRegion& r, Id*) { return w.points->count(r).found; });
    add("region_count_" + name + "/scan", kShapes[s], kScanned,
        [](RegionWorld& w, const RankedRegion& r, Id*) { return w.count_by_scan(r); });
  }
}

}  // namespace juxta::bench
