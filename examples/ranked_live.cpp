// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A map of taxis: one thread moves them, takes some off the road and sends new ones, while another shows the
// best and the nearest free taxis around a place. Each look sees one moment: as many taxis as there are.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <random>
#include <thread>
#include <vector>

#include "juxta/ranked/live_points.h"

namespace {

constexpr std::uint64_t kFree = 1, kLarge = 2;  // categories
constexpr std::size_t kTaxis = 5000;

juxta::Result<juxta::LiveRankedPoints> make_taxis() {
  std::mt19937 random(1);
  std::vector<double> x, y;
  std::vector<int> rank;  // lower is better
  std::vector<std::uint64_t> categories;
  for (std::size_t i = 0; i < kTaxis; ++i) {
    x.push_back(static_cast<double>(random() % 1000));
    y.push_back(static_cast<double>(random() % 1000));
    rank.push_back(static_cast<int>(random() % 100));
    categories.push_back(random() % 4);
  }
  return juxta::LiveRankedPoints::build({x, y, rank, categories});
}

/// Drives one taxi, and replaces another one. False: a call failed.
bool drive(juxta::LiveRankedPoints& taxis, std::vector<juxta::Id>& ids, std::mt19937& random) {
  const juxta::Id driven = ids[random() % ids.size()];
  const auto at = taxis.find(driven);
  if (!at || !taxis.move(driven, at->x + 1, at->y) || !taxis.set_categories(driven, at->categories ^ kFree)) {
    return false;
  }
  juxta::Id& old = ids[random() % ids.size()];
  const auto fresh = taxis.insert({500, 500, 50, kFree | kLarge});
  if (!fresh || !taxis.remove(old)) {
    return false;
  }
  old = *fresh;
  return true;
}

}  // namespace

int main() {
  auto taxis = make_taxis();
  if (!taxis) {
    std::fprintf(stderr, "%s\n", taxis.error().message.c_str());
    return 1;
  }
  std::atomic<bool> failed{false};
  std::thread driver([&] {
    std::mt19937 random(2);
    std::vector<juxta::Id> ids;
    for (std::uint32_t i = 0; i < kTaxis; ++i) {
      ids.push_back({i, 1});
    }
    for (int i = 0; i < 20'000 && !failed; ++i) {
      failed = !drive(*taxis, ids, random);
    }
  });
  const auto around = juxta::RankedRegion::circle(500, 500, 100);
  const juxta::RankedRegion everywhere = juxta::RankedRegion::rect({-1e9, -1e9, 1e9, 1e9});
  std::vector<juxta::Id> best(3), near(2);
  std::vector<double> metres(2);
  bool whole = true;
  for (int look = 0; look < 1000; ++look) {
    const juxta::RankedSnapshot now = taxis->snapshot();  // one moment, whatever the driver does
    best.resize(now.top(around, 3, best, {.all = kFree}).written);
    whole = whole && (now.size() == kTaxis || now.size() == kTaxis + 1) &&
            now.count(everywhere).found == now.size() && best.size() == 3;
    const auto nearest = now.nearest(505, 505, 2, near, metres, {.filter = {.all = kFree}});
    whole = whole && nearest.written == 2 && metres[0] <= metres[1];
  }
  driver.join();
  for (const juxta::Id id : best) {
    std::printf("taxi %u.%u\n", id.slot, id.generation);
  }
  std::printf("the nearest free one was taxi %u.%u, %.0f m away\n", near[0].slot, near[0].generation,
              metres[0]);
  std::printf("%zu taxis, %zu changes not merged yet\n", taxis->size(), taxis->unmerged());
  return whole && !failed && taxis->size() == kTaxis ? 0 : 1;
}
