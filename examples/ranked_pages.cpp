// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A list of hotels around a place, page by page. A new hotel opens while somebody reads: no page shows one
// twice.
#include <cstdint>
#include <cstdio>
#include <set>
#include <vector>

#include "juxta/ranked/ranked_points.h"

namespace {

struct Hotels {
  std::vector<double> x, y;
  std::vector<int> rank;  // lower is better; many have the same

  [[nodiscard]] juxta::Result<juxta::RankedPoints> build() const {
    return juxta::RankedPoints::build(x, y, rank, {.keep_ranks = true});
  }
  void add(double at_x, double at_y, int of_rank) {
    x.push_back(at_x);
    y.push_back(at_y);
    rank.push_back(of_rank);
  }
};

/// The page behind `last`. The link to it needs two numbers: the rank and the index of `last`.
juxta::Result<std::vector<std::uint32_t>> next_page(const juxta::RankedPoints& points, const Hotels& hotels,
                                                    std::uint32_t last) {
  const auto around = juxta::RankedRegion::circle(5, 5, 4);
  std::vector<std::uint32_t> page(6);
  return points.top_after({hotels.rank[last], last}, around, page.size(), page)
      .map([&](const juxta::QueryResult& result) {
        page.resize(result.written);
        return page;
      });
}

void print(const std::vector<std::uint32_t>& page, const Hotels& hotels) {
  for (const std::uint32_t hotel : page) {
    std::printf("  hotel %u, rank %d", hotel, hotels.rank[hotel]);
  }
  std::printf("\n");
}

}  // namespace

int main() {
  Hotels hotels;
  for (int i = 0; i < 60; ++i) {
    hotels.add(i * 7 % 11, i * 3 % 11, i % 5);
  }
  auto points = hotels.build();
  if (!points) {
    std::fprintf(stderr, "%s\n", points.error().message.c_str());
    return 1;
  }
  std::vector<std::uint32_t> page(6);
  page.resize(points->top(juxta::RankedRegion::circle(5, 5, 4), page.size(), page).written);
  std::set<std::uint32_t> shown;
  std::size_t entries = 0;
  while (!page.empty()) {
    print(page, hotels);
    shown.insert(page.begin(), page.end());
    entries += page.size();
    if (entries == page.size()) {  // after the first page
      hotels.add(5, 5, -1);        // the best of all: it belongs on the page that has been shown
      points = hotels.build();
    }
    const auto next =
        points.and_then([&](const juxta::RankedPoints& now) { return next_page(now, hotels, page.back()); });
    if (!next) {
      std::fprintf(stderr, "%s\n", next.error().message.c_str());
      return 1;
    }
    page = *next;
  }
  const std::size_t inside = points->count(juxta::RankedRegion::circle(5, 5, 4)).found;
  std::printf("%zu of %zu hotels\n", shown.size(), inside);
  return shown.size() + 1 == inside && shown.size() == entries ? 0 : 1;  // all but the new one, each once
}
