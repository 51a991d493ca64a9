// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Which labels does a map show? The k most important places in the viewport, for every step of a zoom.
// docs/start/maps.md explains every line.
#include <juxta/core/try.h>
#include <juxta/ranked/ranked_points.h>

#include <array>
#include <cstdio>
#include <vector>

constexpr std::array kNames = {"Oslo",     "Bergen",  "Stockholm", "Copenhagen",
                               "Helsinki", "Tallinn", "Riga",      "Aarhus"};
constexpr std::size_t kLabels = 3;  // as many as fit on the screen

juxta::Result<std::size_t> zoom() {
  const std::vector<double> lon{10.7, 5.3, 18.1, 12.6, 24.9, 24.8, 24.1, 10.2};
  const std::vector<double> lat{59.9, 60.4, 59.3, 55.7, 60.2, 59.4, 56.9, 56.2};
  const std::vector<std::int32_t> population{709, 291, 985, 660, 665, 454, 605, 290};  // thousands
  std::vector<std::int32_t> rank;  // lower is more important
  for (const std::int32_t people : population) {
    rank.push_back(-people);
  }
  JUXTA_TRY_LET(const juxta::RankedPoints places, juxta::RankedPoints::build(lon, lat, rank));

  const std::array<juxta::RectD, 3> viewports{{{4, 54, 26, 62}, {9, 54, 19, 61}, {9, 55, 13, 57}}};
  std::array<std::uint32_t, 3 * kLabels> labels{};
  std::array<std::uint32_t, 3> counts{};
  JUXTA_TRY_LET(const juxta::QueryResult all, places.top(viewports, kLabels, labels, counts));
  for (std::size_t step = 0; step < viewports.size(); ++step) {
    std::printf("%zu places in view, labels:", places.count(viewports[step]).found);
    for (std::size_t i = 0; i < counts[step]; ++i) {
      std::printf(" %s", kNames[labels[step * kLabels + i]]);
    }
    std::printf("\n");
  }
  return all.found;
}

int main() {
  const auto labels = zoom();
  if (!labels) {
    std::fprintf(stderr, "%s\n", labels.error().message.c_str());
    return 1;
  }
  return *labels == 8 ? 0 : 1;  // 3, 3 and 2
}
