// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/support/miss.h"

#include <algorithm>
#include <ctime>
#include <numeric>
#include <utility>
#include <vector>

#include "bench/support/settings.h"
#include "benchmark/benchmark.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kLines = (std::size_t{512} << 20) / 64;

}  // namespace

// Sattolo's shuffle makes one cycle through all lines, so that no step can be in a cache by chance.
MissChain::MissChain() : words_(kLines * kWordsPerLine) {
  std::vector<std::uint32_t> next(kLines);
  std::iota(next.begin(), next.end(), 0U);
  std::uint64_t state = 1;
  for (std::size_t i = kLines - 1; i > 0; --i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    std::swap(next[i], next[(state >> 33) % i]);
  }
  for (std::size_t i = 0; i < kLines; ++i) {
    words_[i * kWordsPerLine] = next[i];
  }
}

std::uint32_t MissChain::follow(std::uint32_t at, std::size_t steps) const noexcept {
  for (std::size_t i = 0; i < steps; ++i) {
    at = words_[at * kWordsPerLine];
  }
  return at;
}

double miss_ns() {
  static const double measured = [] {
    if (const std::size_t given = number_setting("JUXTA_BENCH_MISS_NS", 0); given != 0) {
      return static_cast<double>(given);
    }
    constexpr std::size_t kSteps = 1'000'000;
    const MissChain chain;
    std::uint32_t at = 0;
    double best = 1e9;
    for (int run = 0; run < 5; ++run) {
      const std::clock_t begin = std::clock();  // other programs on the machine must not count
      at = chain.follow(at, kSteps);
      benchmark::DoNotOptimize(at);
      best = std::min(best, static_cast<double>(std::clock() - begin) * 1e9 / CLOCKS_PER_SEC / kSteps);
    }
    return best;
  }();
  return measured;
}

}  // namespace juxta::bench
