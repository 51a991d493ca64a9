// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The questions of native.mjs, natively: run it with JUXTA_ISA=sse4. Prints microseconds, medians of 7
// rounds.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "juxta/agents/flock.h"
#include "juxta/core/workspace.h"
#include "juxta/layer/find_pairs.h"
#include "juxta/layer/query.h"
#include "juxta/ranked/ranked_points.h"

namespace {

class Random {  // mulberry32, as in cases.mjs
 public:
  explicit Random(std::uint32_t seed) : state_(seed) {}
  double operator()() {
    state_ += 0x6d2b79f5;
    std::uint32_t t = (state_ ^ (state_ >> 15)) * (1 | state_);
    t = (t + ((t ^ (t >> 7)) * (61 | t))) ^ t;
    return static_cast<double>(t ^ (t >> 14)) / 4294967296.0;
  }

 private:
  std::uint32_t state_;
};

template <class Run>
void report(const char* name, double questions, Run&& run) {
  std::vector<double> times;
  for (int round = 0; round < 8; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - begin;
    if (round > 0) {
      times.push_back(taken.count() / questions);
    }
  }
  std::sort(times.begin(), times.end());
  std::printf("%s %.4f\n", name, times[times.size() / 2]);
}

}  // namespace

int main() {
  Random next(1);
  constexpr std::size_t kPoints = 1'000'000, kBoxes = 100'000, kQueries = 2000;
  std::vector<double> x(kPoints), y(kPoints);
  std::vector<std::int32_t> rank(kPoints);
  for (std::size_t i = 0; i < kPoints; ++i) {
    x[i] = next() * 1000;
    y[i] = next() * 1000;
    rank[i] = static_cast<std::int32_t>(next() * 1e9);
  }
  std::vector<juxta::RectD> rects(kQueries);
  for (auto& r : rects) {
    const double lx = next() * 900, ly = next() * 900, w = next() * next() * 100;
    r = {lx, ly, lx + w, ly + w};
  }
  std::vector<std::uint32_t> out(kPoints);
  std::size_t sum = 0;
  const auto points = juxta::RankedPoints::build(x, y, rank).value();
  report("top", kQueries, [&] {
    for (const auto& r : rects) sum += points.top(r, 20, out).written;
  });
  report("count", kQueries, [&] {
    for (const auto& r : rects) sum += points.count(r).found;
  });
  report("filtered", kQueries, [&] {
    for (const auto& r : rects)
      sum += points.top(juxta::RankedRegion::circle(r.lx, r.ly, r.hx - r.lx), 20, out).written;
  });
  std::vector<juxta::Aabb3> boxes(kBoxes);
  for (auto& b : boxes) {
    for (int a = 0; a < 3; ++a) {
      b.lo[a] = static_cast<float>(next() * 100);
      b.hi[a] = b.lo[a] + static_cast<float>(next() * 3);
    }
  }
  auto layer = juxta::Layer::build(boxes).value();
  juxta::Workspace workspace;
  std::vector<juxta::Pair> pairs(4'000'000);
  report("pairs", 1, [&] { sum += juxta::find_pairs(layer, pairs, {}, {.workspace = &workspace})->found; });
  report("search", kQueries, [&] {
    for (std::size_t i = 0; i < kQueries; ++i) sum += juxta::find_all(layer, boxes[i], out).found;
  });
  report("refit", 1, [&] { sum += layer.refit(boxes, {.workspace = &workspace}).has_value(); });
  auto flock = juxta::Flock::build({.half_size = 40}).value();
  (void)flock.scatter(20'000, 5);
  report("flock", 1, [&] { sum += flock.step({.workspace = &workspace}).has_value(); });
  std::printf("sum %zu\n", sum);
}
