// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <vector>

#include "bench/layer/frames.h"

namespace juxta::bench {

/// The one of `settings` with which a contender is fastest, tried on the workload itself: `task(setting)`
/// gives what to time. The best of three runs each, fewer where one is hopeless.
[[nodiscard]] inline std::uint32_t best_setting(
    const std::vector<std::uint32_t>& settings,
    const std::function<std::function<void()>(std::uint32_t)>& task) {
  std::uint32_t best = settings.front();
  double best_time = std::numeric_limits<double>::infinity();
  for (const std::uint32_t setting : settings) {
    const std::function<void()> work = task(setting);
    double time = std::numeric_limits<double>::infinity();
    for (int run = 0; run == 0 || (run < 3 && time < std::min(3 * best_time, 0.3)); ++run) {
      const double begin = ProcessorClock::seconds();
      work();
      time = std::min(time, ProcessorClock::seconds() - begin);
    }
    if (time < best_time) {
      best_time = time;
      best = setting;
    }
  }
  return best;
}

/// Numbers of y-z cells a side to try for the classic: its one knob, and a knife edge (16 x 16 is twice as
/// slow as 4 x 4 at 100k boxes; at 1M 8 x 8 is the best known). Few cells are quadratic: not where that
/// takes long.
[[nodiscard]] inline std::vector<std::uint32_t> cells_to_try(std::size_t boxes) {
  if (boxes > 300'000) {
    return {6, 8, 12, 16, 24};
  }
  return {1, 2, 3, 4, 6, 8, 12, 16, 24};
}

/// Below how many boxes CGAL scans: its one knob.
[[nodiscard]] inline std::vector<std::uint32_t> cutoffs_to_try(std::size_t boxes) {
  if (boxes > 300'000) {
    return {2000, 4000};
  }
  return {2000, 500, 100, 10};
}

}  // namespace juxta::bench
