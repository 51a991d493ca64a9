// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Where most points are: a heat map of a map view, in characters.
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "juxta/core/random.h"
#include "juxta/ranked/ranked_points.h"

int main() {
  constexpr std::size_t kPoints = 100'000, kColumns = 60, kRows = 20;
  std::vector<std::uint32_t> random(2 * kPoints);
  juxta::fill_random({.seed = 1, .step = 0, .purpose = 0}, 0, random);
  std::vector<double> x, y;
  for (std::size_t i = 0; i < kPoints; ++i) {
    const double u = random[2 * i] / 4294967296.0, v = random[2 * i + 1] / 4294967296.0;
    x.push_back(u * u);  // crowded on the left
    y.push_back(v);
  }
  const auto points = juxta::RankedPoints::build(x, y, x);
  if (!points) {
    std::fprintf(stderr, "%s\n", points.error().message.c_str());
    return 1;
  }
  const juxta::RectD view = {0, 0.25, 1, 0.75};
  std::vector<std::uint32_t> counts(kColumns * kRows);
  const auto result = points->count_cells(view, kColumns, kRows, counts);
  if (!result) {
    std::fprintf(stderr, "%s\n", result.error().message.c_str());
    return 1;
  }
  const std::string shades = " .:-=+*#%@";
  for (std::size_t row = kRows; row-- > 0;) {  // row 0 is the lowest
    for (std::size_t column = 0; column < kColumns; ++column) {
      const std::size_t shade = counts[row * kColumns + column] / 20;
      std::putchar(shades[shade < shades.size() ? shade : shades.size() - 1]);
    }
    std::putchar('\n');
  }
  const std::size_t sum = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  std::printf("%zu of %zu points\n", sum, kPoints);
  return sum == points->count(view).found && sum == result->found ? 0 : 1;
}
