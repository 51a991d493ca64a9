// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/ranked/official_data.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "bench/support/settings.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kCheckedByScan = 200;

// The stream must not depend on whether the hot queries were drawn before it: it skips them itself.
std::vector<RectF> queries(const scenes::ContestWorld& world, std::size_t skip, std::size_t count) {
  scenes::ContestRandom random = world.random;
  std::vector<RectF> rects(skip + count);
  for (RectF& rect : rects) {
    rect = random.rect(world.world);
  }
  rects.erase(rects.begin(), rects.begin() + static_cast<std::ptrdiff_t>(skip));
  return rects;
}

// Enough queries of large k: an answer of 20,000 indices takes 80 kB.
std::vector<RectF> first_of(const std::vector<RectF>& rects, std::size_t most) {
  return {rects.begin(), rects.begin() + static_cast<std::ptrdiff_t>(std::min(most, rects.size()))};
}

}  // namespace

std::size_t bench_points() {
  return number_setting("JUXTA_BENCH_POINTS", scenes::kOfficialPoints);
}

std::size_t stream_queries() {
  return number_setting("JUXTA_BENCH_QUERIES", 100'000);
}

std::vector<RectD> widen(const std::vector<RectF>& rects) {
  std::vector<RectD> wide(rects.size());
  std::transform(rects.begin(), rects.end(), wide.begin(), [](const RectF& r) {
    return RectD{double{r.lx}, double{r.ly}, double{r.hx}, double{r.hy}};
  });
  return wide;
}

std::unique_ptr<RankedPoints> build_index(const std::vector<float>& x, const std::vector<float>& y,
                                          const std::vector<std::int32_t>& rank) {
  auto built = RankedPoints::build(x, y, rank);
  if (!built) {
    give_up(built.error().message);
  }
  return std::make_unique<RankedPoints>(std::move(*built));
}

Official::Official(const scenes::ContestSeed& seed)
    : world([seed] {
        auto made = scenes::make_contest(bench_points(), seed);
        if (!made) {
          give_up(made.error().message);
        }
        return std::make_unique<scenes::ContestWorld>(std::move(*made));
      }),
      hot_rects([this] {
        return std::make_unique<std::vector<RectF>>(queries(*world, 0, scenes::kOfficialQueries));
      }),
      stream_rects([this] {
        return std::make_unique<std::vector<RectF>>(
            queries(*world, scenes::kOfficialQueries, stream_queries()));
      }),
      mipmap([this] { return std::make_unique<classics::Mipmap>(columns()); }),
      scan([this] { return std::make_unique<classics::Scan>(columns()); }),
      record_scan([this] { return std::make_unique<classics::RecordScan>(columns()); }),
      index([this] { return build_index(world->x, world->y, world->rank); }),
      contest([this] { return std::make_unique<ContestPeer>(columns()); }),
      select([this] { return std::make_unique<LevelSelect>(columns()); }),
      hot([this] { return workload(*hot_rects, 20); }),
      stream([this] { return workload(*stream_rects, 20); }),
      stream_k100([this] { return workload(*stream_rects, 100); }),
      stream_k1000([this] { return workload(first_of(*stream_rects, 2000), 1000); }),
      stream_k5000([this] { return workload(first_of(*stream_rects, 1000), 5000); }),
      stream_k20000([this] { return workload(first_of(*stream_rects, 300), 20'000); }) {}

classics::RankedColumns Official::columns() {
  return {world->x, world->y, world->rank, world->id};
}

std::unique_ptr<Workload> Official::workload(const std::vector<RectF>& rects, std::size_t k) {
  auto w =
      std::make_unique<Workload>(Workload{rects, widen(rects), answers_of(*mipmap, rects, rects.size(), k)});
  Answers few = answers_of(*scan, rects, kCheckedByScan, k);
  check_ids("mipmap", few,
            [&](std::size_t i, std::uint32_t* out) { return mipmap->top_ids(rects[i], k, out); });
  return w;
}

}  // namespace juxta::bench
