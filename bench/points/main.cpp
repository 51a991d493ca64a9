// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// bench_points: building a tree of points, and counts, lists, pairs and the k nearest of all of its points,
// in 2D and 3D, float and double, with 6, 30 and 60 neighbours; one thread. JUXTA_BENCH_POINTS: 1,000,000
// unless set. python/bench/neighbors.py has the peers.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "bench/support/must.h"
#include "bench/support/once.h"
#include "bench/support/settings.h"
#include "benchmark/benchmark.h"
#include "juxta/core/random.h"
#include "juxta/core/workspace.h"
#include "juxta/points/nearest_points.h"
#include "juxta/points/neighbours.h"
#include "juxta/points/point_pairs.h"

namespace juxta::bench {
namespace {

/// Uniform points, a radius within which each has about so many others, and where answers go.
template <int D, class Real>
struct Cloud {
  std::vector<Real> at;
  Real radius;
  Workspace workspace;
  BasicPointTree<D, Real> tree;
  BasicNeighbourTable<D, Real> table;
  std::vector<std::uint32_t> counts, index;
  std::vector<Real> distance2;
  std::size_t pairs = 0;

  Cloud(std::size_t points, std::size_t neighbours, std::size_t k) : at(points * D) {
    std::vector<std::uint32_t> words(at.size());
    fill_random({.seed = 5, .step = 0, .purpose = 0}, 0, std::span(words));
    std::transform(words.begin(), words.end(), at.begin(),
                   [](std::uint32_t word) { return static_cast<Real>(word >> 8) * Real(0x1p-24); });
    const double share = static_cast<double>(neighbours) / static_cast<double>(points);
    radius = static_cast<Real>(D == 2 ? std::sqrt(share / std::numbers::pi)
                                      : std::cbrt(share * 3 / (4 * std::numbers::pi)));
    counts.resize(points);
    index.resize(points * std::max(k, 2 * neighbours));
    distance2.resize(points * k);
    build();
    const std::size_t found = must(count_neighbours(tree, radius, counts)).found;
    find();
    visit();
    if (table.found() != found || 2 * pairs != found) {
      give_up("counts, lists and pairs differ");
    }
  }

  void build() { must(tree.rebuild(at, {}, {.workspace = &workspace})); }
  void count() { benchmark::DoNotOptimize(must(count_neighbours(tree, radius, counts)).found); }
  void find() { must(table.rebuild(tree, radius, {})); }
  void write() {
    index.resize(std::max(index.size(), table.found()));
    must(table.write({.index = index}));
  }
  void visit() {
    pairs = 0;
    const auto take = [this](std::span<const PointPair> more) {
      pairs += more.size();
      return true;
    };
    must(visit_pairs(tree, radius, take));
  }
  void find_nearest(std::size_t k) {
    const std::span<std::uint32_t> numbers(index.data(), tree.size() * k);
    must(nearest(tree, k, std::numeric_limits<Real>::infinity(), {numbers, distance2}));
  }
};

template <class Work>
void measure(benchmark::State& state, std::size_t points, Work&& work) {
  for (auto _ : state) {
    work();
    benchmark::ClobberMemory();
  }
  const auto total = static_cast<double>(points) * static_cast<double>(state.iterations());
  state.counters["s_per_point"] =
      benchmark::Counter(total, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

template <int D, class Real>
void register_rows(std::size_t points, std::size_t neighbours) {
  constexpr std::size_t kNearest = 8;
  const auto cloud = std::make_shared<Once<Cloud<D, Real>>>(
      [=] { return std::make_unique<Cloud<D, Real>>(points, neighbours, kNearest); });
  const std::string name = std::to_string(D) + "d_" + (sizeof(Real) == sizeof(float) ? "float_" : "double_") +
                           std::to_string(neighbours) + "/";
  const auto add = [&](const char* row, auto work) {
    benchmark::RegisterBenchmark((name + row).c_str(), [cloud, points, work](benchmark::State& state) {
      Cloud<D, Real>& c = **cloud;
      measure(state, points, [&] { work(c); });
    })->Unit(benchmark::kMillisecond);
  };
  add("build", [](auto& c) { c.build(); });
  add("count", [](auto& c) { c.count(); });
  add("find_lists", [](auto& c) { c.find(); });
  add("write_lists", [](auto& c) { c.write(); });
  add("visit_pairs", [](auto& c) { c.visit(); });
  add("nearest_8", [](auto& c) { c.find_nearest(kNearest); });
}

}  // namespace
}  // namespace juxta::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    return 1;
  }
  const std::size_t points = juxta::bench::number_setting("JUXTA_BENCH_POINTS", 1'000'000);
  juxta::bench::register_rows<3, float>(points, 30);
  juxta::bench::register_rows<3, double>(points, 30);
  juxta::bench::register_rows<3, double>(points, 6);
  juxta::bench::register_rows<3, double>(points, 60);
  juxta::bench::register_rows<2, float>(points, 30);
  juxta::bench::register_rows<2, double>(points, 30);
  juxta::bench::register_rows<3, float>(points / 10, 350);  // lists that are too long for ranks
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
