// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "files/svg_dots.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace juxta::files_detail {
namespace {

/// Points per cell of a frame, cells of `size` pixels.
struct DotGrid {
  std::size_t columns, rows;
  double size;
  std::vector<std::uint32_t> cells;

  [[nodiscard]] std::size_t used() const {
    return cells.size() - static_cast<std::size_t>(std::count(cells.begin(), cells.end(), 0u));
  }
};

DotGrid count_points(const SvgFrame& frame, std::size_t count, PointAt point) {
  DotGrid grid{static_cast<std::size_t>(frame.width), static_cast<std::size_t>(frame.height), 1, {}};
  grid.cells.assign(grid.columns * grid.rows, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const MapPoint p = point(i);
    if (!frame.world.contains(p.x, p.y)) {
      continue;
    }
    const auto column = std::min(grid.columns - 1, static_cast<std::size_t>(frame.px(p.x) - frame.left));
    const auto row = std::min(grid.rows - 1, static_cast<std::size_t>(frame.py(p.y) - frame.top));
    std::uint32_t& cell = grid.cells[row * grid.columns + column];
    cell += cell != ~0u ? 1 : 0;
  }
  return grid;
}

/// Joins 2 x 2 cells into one.
DotGrid halved(const DotGrid& fine) {
  DotGrid grid{(fine.columns + 1) / 2, (fine.rows + 1) / 2, fine.size * 2, {}};
  grid.cells.assign(grid.columns * grid.rows, 0);
  for (std::size_t row = 0; row < fine.rows; ++row) {
    for (std::size_t column = 0; column < fine.columns; ++column) {
      std::uint32_t& cell = grid.cells[row / 2 * grid.columns + column / 2];
      const std::uint32_t more = fine.cells[row * fine.columns + column];
      cell = more > ~0u - cell ? ~0u : cell + more;
    }
  }
  return grid;
}

constexpr std::array<const char*, 4> kShades = {"0.3", "0.42", "0.56", "0.75"};

/// Few dots are drawn larger, in cells; where they are close they overlap.
const char* pen_width(const DotGrid& grid) {
  const std::size_t used = grid.used();
  return grid.size > 1 ? "1.1" : used > 20'000 ? "1.7" : used > 4'000 ? "2.2" : "3.2";
}

/// The shade of a cell: by the logarithm of its points, the fullest 2 % of the used cells being the darkest.
std::size_t shade_of(std::uint32_t points, double full) {
  const double part = std::log1p(points - 1.0) / std::max(std::log1p(full - 1.0), 1e-9);
  return std::min<std::size_t>(kShades.size() - 1, static_cast<std::size_t>(part * kShades.size()));
}

double fullest(const DotGrid& grid) {
  std::vector<std::uint32_t> used;
  std::copy_if(grid.cells.begin(), grid.cells.end(), std::back_inserter(used), [](auto c) { return c != 0; });
  if (used.empty()) {
    return 1;
  }
  const auto place = used.begin() + static_cast<std::ptrdiff_t>(used.size() * 49 / 50);
  std::nth_element(used.begin(), place, used.end());
  return std::max(*place, 4u);
}

}  // namespace

RectD middle_of(std::size_t count, PointAt point) {
  constexpr std::size_t kSample = 1 << 17;
  constexpr double kFar = 1e300;  // widths beyond would overflow
  const std::size_t step = count / kSample + 1;
  std::vector<double> xs, ys;
  for (std::size_t i = 0; i < count; i += step) {
    const MapPoint p = point(i);
    if (std::abs(p.x) < kFar && std::abs(p.y) < kFar) {  // false for NaN too
      xs.push_back(p.x);
      ys.push_back(p.y);
    }
  }
  if (xs.empty()) {
    return {0, 0, 1, 1};
  }
  const auto range = [](std::vector<double>& v, double& low, double& high) {
    std::sort(v.begin(), v.end());
    const std::size_t cut = v.size() / 200;
    const double inner = v[v.size() - 1 - cut] - v[cut];
    // Ends that are not far from the middle are kept: a world map shall show all of it.
    low = v.front() > v[cut] - inner / 2 ? v.front() : v[cut];
    high = v.back() < v[v.size() - 1 - cut] + inner / 2 ? v.back() : v[v.size() - 1 - cut];
    const double grow = std::max({(high - low) * 0.02, std::abs(low) * 1e-6, 1e-30});
    low -= grow;
    high += grow;
  };
  RectD world{};
  range(xs, world.lx, world.hx);
  range(ys, world.ly, world.hy);
  return world;
}

std::string draw_dots(const SvgFrame& frame, std::size_t count, PointAt point, std::size_t max_dots) {
  DotGrid grid = count_points(frame, count, point);
  while (grid.used() > max_dots && grid.columns > 1) {
    grid = halved(grid);
  }
  const double full = fullest(grid);
  // One path per shade: a round pen of a dot's width, moved from dot to dot by relative steps.
  std::array<std::string, kShades.size()> path;
  std::array<std::pair<long, long>, kShades.size()> pen{};
  for (std::size_t row = 0; row < grid.rows; ++row) {
    for (std::size_t column = 0; column < grid.columns; ++column) {
      const std::uint32_t points = grid.cells[row * grid.columns + column];
      if (points == 0) {
        continue;
      }
      const std::size_t s = shade_of(points, full);
      const auto x = static_cast<long>(column), y = static_cast<long>(row);
      fmt::format_to(std::back_inserter(path[s]), "m{} {}h0", x - pen[s].first, y - pen[s].second);
      pen[s] = {x, y};
    }
  }
  std::string out;
  for (std::size_t s = 0; s < path.size(); ++s) {
    if (!path[s].empty()) {
      out += fmt::format(
          "<path transform=\"translate({} {}) scale({})\" stroke-width=\"{}\" stroke-opacity=\"{}\" "
          "d=\"M0 0{}\"/>\n",
          coordinate(frame.left + grid.size / 2), coordinate(frame.top + grid.size / 2), grid.size,
          pen_width(grid), kShades[s], path[s]);
    }
  }
  return "<g stroke=\"#33658a\" stroke-linecap=\"round\" fill=\"none\">\n" + out + "</g>\n";
}

}  // namespace juxta::files_detail
