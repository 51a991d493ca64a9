// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// bench_c_calls: what the C interface adds to a call. One table; nothing is timed unless all contenders give
// the same answers.
//   Single queries with ten answers each, so that the call weighs much and the cache little. The contenders
//   take turns within a round, in another order each round, and what a call adds is the median over rounds of
//   the difference to C++ in that round: what slows the machine down for longer than a round falls out.
// JUXTA_BENCH_POINTS: other than 100,000 points and boxes.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bench/support/settings.h"
#include "benchmark/benchmark.h"
#include "c/layer.h"
#include "juxta.h"
#include "juxta/layer/layer.h"
#include "juxta/layer/query.h"
#include "juxta/math/aabb.h"
#include "juxta/math/rect.h"
#include "juxta/ranked/ranked_points.h"
#include "scenes/boxes.h"
#include "scenes/draws.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kAnswers = 10;
constexpr std::size_t kAsked = 256;    // queries a round, all with ten answers
constexpr std::size_t kRounds = 4001;  // each takes some 100 us

using Answers = std::vector<std::uint32_t>;

/// One way to ask all queries. Adds the answers behind each other, kAnswers for each.
struct Way {
  std::string name;
  std::function<void(std::uint32_t* out)> ask;
};

template <class Ask>
Way way(std::string name, const Ask& ask) {
  return {std::move(name), [ask](std::uint32_t* out) {
            for (std::size_t i = 0; i < kAsked; ++i) {
              ask(i, out + i * kAnswers);
            }
          }};
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void check(const std::string& workload, const std::vector<Way>& ways) {
  Answers expected(kAsked * kAnswers), got(kAsked * kAnswers);
  ways[0].ask(expected.data());
  for (const Way& other : ways) {
    std::fill(got.begin(), got.end(), UINT32_MAX);
    other.ask(got.data());
    if (got != expected) {
      give_up(workload + ": " + other.name + " and C++ answer differently; nothing was timed.");
    }
  }
}

/// The first way is C++. Prints a line for each.
void compare(const std::string& workload, const std::vector<Way>& ways) {
  check(workload, ways);
  Answers out(kAsked * kAnswers);
  std::vector<std::vector<double>> times(ways.size()), added(ways.size());
  std::vector<double> now(ways.size());
  std::vector<std::size_t> order(ways.size());
  std::iota(order.begin(), order.end(), 0);
  scenes::Draws draws(1);
  for (std::size_t round = 0; round < kRounds; ++round) {
    draws.shuffle(order);
    for (const std::size_t who : order) {
      const auto begin = std::chrono::steady_clock::now();
      ways[who].ask(out.data());
      benchmark::DoNotOptimize(out.data());
      const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
      now[who] = took.count() / static_cast<double>(kAsked);
    }
    for (std::size_t who = 0; who < ways.size(); ++who) {
      times[who].push_back(now[who]);
      added[who].push_back(now[who] - now[0]);
    }
  }
  for (std::size_t who = 0; who < ways.size(); ++who) {
    std::printf("| %s | %s | %.1f | %+.1f |\n", workload.c_str(), ways[who].name.c_str(), median(times[who]),
                median(added[who]));
  }
}

void must_c(juxta_status status, const juxta_error& error) {
  if (status != JUXTA_OK) {
    give_up(error.message);
  }
}

void measure_ranked(std::size_t count) {
  scenes::Draws draws(1);
  std::vector<float> x(count), y(count);
  std::vector<std::int32_t> rank(count);
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = draws.unit();
    y[i] = draws.unit();
    rank[i] = static_cast<std::int32_t>(draws.below(1U << 30U));
  }
  juxta_ranked_points* handle = nullptr;
  juxta_error error{};
  must_c(juxta_ranked_points_build({x.data(), 0, JUXTA_FLOAT}, {y.data(), 0, JUXTA_FLOAT},
                                   {rank.data(), 0, JUXTA_INT32}, count, nullptr, nullptr, &handle, &error),
         error);
  const RankedPoints& points =
      *reinterpret_cast<const RankedPoints*>(handle);  // its one member (src/c/ranked.cpp)
  std::vector<RectD> rects;
  std::vector<juxta_rect> c_rects;
  while (rects.size() < kAsked) {
    const double lx = draws.unit() * 0.7, ly = draws.unit() * 0.7;
    const RectD rect{lx, ly, lx + 0.3, ly + 0.3};
    if (points.count(rect).found >= kAnswers) {
      rects.push_back(rect);
      c_rects.push_back({rect.lx, rect.ly, rect.hx, rect.hy});
    }
  }
  compare("top 10 of ranked points",
          {way("C++",
               [&](std::size_t i, std::uint32_t* out) {
                 benchmark::DoNotOptimize(points.top(rects[i], kAnswers, {out, kAnswers}));
               }),
           way("C", [&](std::size_t i, std::uint32_t* out) {
             benchmark::DoNotOptimize(juxta_ranked_points_top(handle, &c_rects[i], kAnswers, out));
           })});
  juxta_ranked_points_free(handle);
}

/// Boxes that touch ten bodies each.
std::vector<Aabb3> boxes_with_ten(const scenes::BoxWorld& world, const Layer& layer) {
  std::vector<Aabb3> found;
  for (std::uint64_t seed = 2; found.size() < kAsked; ++seed) {
    for (const Aabb3& box : scenes::make_query_boxes(world, 10 * kAsked, seed)) {
      if (found.size() < kAsked && count(layer, box) == kAnswers) {
        found.push_back(box);
      }
    }
  }
  return found;
}

void measure_layer(std::size_t count) {
  static_assert(sizeof(Aabb3) == 6 * sizeof(float));
  const scenes::BoxWorld world = scenes::make_boxes(scenes::BoxSet::kUniform, count, 1);
  juxta_layer* handle = nullptr;
  juxta_error error{};
  must_c(juxta_layer_build(3, &world.boxes[0].lo.x, 0, count, nullptr, nullptr, &handle, &error), error);
  const Layer& layer = std::get<Layer>(handle->of);
  const std::vector<Aabb3> boxes = boxes_with_ten(world, layer);
  const juxta_query_options options = juxta_default_query_options();
  compare(
      "boxes of a layer, 10 answers",
      {way("C++",
           [&](std::size_t i, std::uint32_t* out) {
             benchmark::DoNotOptimize(find_all(layer, boxes[i], {out, kAnswers}));
           }),
       way("C",
           [&](std::size_t i, std::uint32_t* out) {
             benchmark::DoNotOptimize(juxta_layer_find_all(handle, &boxes[i].lo.x, out, kAnswers, nullptr));
           }),
       way("C with options", [&](std::size_t i, std::uint32_t* out) {
         benchmark::DoNotOptimize(juxta_layer_find_all(handle, &boxes[i].lo.x, out, kAnswers, &options));
       })});
  juxta_layer_free(handle);
}

}  // namespace
}  // namespace juxta::bench

int main() {
  const std::size_t count = juxta::bench::number_setting("JUXTA_BENCH_POINTS", 100'000);
  std::printf("| question | from | ns a call | added |\n|---|---|---:|---:|\n");
  juxta::bench::measure_ranked(count);
  juxta::bench::measure_layer(count);
}
