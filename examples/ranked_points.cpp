// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The three largest cities in a part of the map.
#include <array>
#include <cstdio>
#include <vector>

#include "juxta/ranked/ranked_points.h"

int main() {
  const char* names[] = {"Oslo", "Bergen", "Stockholm", "Copenhagen", "Helsinki", "Tallinn"};
  const std::vector<double> lon = {10.7, 5.3, 18.1, 12.6, 24.9, 24.8},
                            lat = {59.9, 60.4, 59.3, 55.7, 60.2, 59.4};
  const std::vector<int> rank = {-709, -291, -985,
                                 -660, -665, -454};  // lower is better: minus thousands of people

  const auto cities = juxta::RankedPoints::build(lon, lat, rank);
  if (!cities) {
    std::fprintf(stderr, "%s\n", cities.error().message.c_str());
    return 1;
  }
  std::array<std::uint32_t, 3> best{};
  const auto result = cities->top({5, 58, 20, 61}, best.size(), best);  // lx, ly, hx, hy
  for (std::size_t i = 0; i < result.written; ++i) {
    std::printf("%s\n", names[best[i]]);
  }
  return result.written == 3 && best[0] == 2 && best[1] == 0 && best[2] == 1 ? 0 : 1;
}
