// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The labels of a map: how many a view shows at a few zooms. With a path, draws one view as SVG.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "juxta/core/random.h"
#include "juxta/ranked/labels.h"

namespace {

constexpr std::size_t kPlaces = 20'000, kTowns = 40;
constexpr double kViewWidth = 800, kViewHeight = 500;  // pixels

struct Map {
  std::vector<double> x, y;  // units: pixels of zoom 0, on a map of 1024 x 1024
  std::vector<std::uint32_t> rank;
};

/// Places that crowd around towns.
Map make_map() {
  std::vector<std::uint32_t> random(5 * kPlaces);
  juxta::fill_random({.seed = 1, .step = 0, .purpose = 0}, 0, random);
  const auto part = [&](std::size_t i) { return random[i] / 4294967296.0; };
  Map map;
  for (std::size_t i = 0; i < kPlaces; ++i) {
    const std::size_t town = random[i] % kTowns;
    const double angle = 6.283185307179586 * part(kPlaces + i);
    const double far = 150 * std::pow(part(2 * kPlaces + i), 3);
    map.x.push_back(1024 * part(3 * kPlaces + town) + far * std::cos(angle));
    map.y.push_back(1024 * part(3 * kPlaces + kTowns + town) + far * std::sin(angle));
    map.rank.push_back(random[4 * kPlaces + i] >> 1);
  }
  return map;
}

/// What a view of the given zoom shows of the map.
juxta::RectD view_of(double x, double y, int zoom) {
  const double units = std::ldexp(1.0, -zoom);
  return {x - kViewWidth / 2 * units, y - kViewHeight / 2 * units, x + kViewWidth / 2 * units,
          y + kViewHeight / 2 * units};
}

bool draw(const char* path, const Map& map, const juxta::RectD& view,
          const std::vector<std::uint32_t>& shown) {
  std::FILE* const file = std::fopen(path, "w");
  if (file == nullptr) {
    std::fprintf(stderr, "%s cannot be written: give the path of a file\n", path);
    return false;
  }
  const double scale = kViewWidth / (view.hx - view.lx);
  std::fprintf(file, "<svg xmlns='http://www.w3.org/2000/svg' width='%g' height='%g'>\n", kViewWidth,
               kViewHeight);
  for (std::size_t i = 0; i < map.x.size(); ++i) {
    if (view.contains(map.x[i], map.y[i])) {
      std::fprintf(file, "<circle cx='%.1f' cy='%.1f' r='1' fill='#999'/>\n", (map.x[i] - view.lx) * scale,
                   (map.y[i] - view.ly) * scale);
    }
  }
  for (const std::uint32_t i : shown) {
    const double x = (map.x[i] - view.lx) * scale, y = (map.y[i] - view.ly) * scale;
    std::fprintf(file,
                 "<rect x='%.1f' y='%.1f' width='60' height='16' fill='#fff' stroke='#36c'/>"
                 "<text x='%.1f' y='%.1f' font-size='11' text-anchor='middle'>%u</text>\n",
                 x - 30, y - 8, x, y + 4, i);
  }
  std::fputs("</svg>\n", file);
  return std::fclose(file) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  const Map map = make_map();
  const std::vector<std::int32_t> rank(map.rank.begin(), map.rank.end());
  const auto labels =
      juxta::RankedLabels::build(map.x, map.y, rank, {.width = 60, .height = 16, .last_zoom = 12});
  if (!labels) {
    std::fprintf(stderr, "%s\n", labels.error().message.c_str());
    return 1;
  }
  std::vector<std::uint32_t> shown(kPlaces);
  std::size_t before = 0;
  for (const int zoom : {0, 2, 4, 6}) {
    const juxta::RectD all = {-1000, -1000, 3000, 3000}, view = view_of(map.x[0], map.y[0], zoom);
    const std::size_t of_all = labels->top(all, zoom, {}).found,
                      of_view = labels->top(view, zoom, shown).found;
    std::printf("zoom %d: %zu labels, %zu of them in the view\n", zoom, of_all, of_view);
    if (of_all < before || of_view > of_all) {
      return 1;  // a label that is shown stays at closer zooms
    }
    before = of_all;
  }
  const juxta::RectD view = view_of(map.x[0], map.y[0], 2);
  shown.resize(labels->top(view, 2, shown).written);
  return argc < 2 || draw(argv[1], map, view, shown) ? 0 : 1;
}
