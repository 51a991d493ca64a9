// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>

namespace juxta::bench {

enum class Clock : std::uint8_t {
  kProcessor,  ///< Of this process: other programs on the machine do not count.
  kWall,       ///< For rows with threads.
};

/// How long work() takes, > 0.
template <class Work>
[[nodiscard]] double seconds(Clock clock, const Work& work) {
  if (clock == Clock::kWall) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  const std::clock_t begin = std::clock();
  work();
  return std::max(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 1e-9);
}

}  // namespace juxta::bench
