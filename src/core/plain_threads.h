// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

// What make_tbb_executor() gives under the thread sanitizer.
//
// oneTBB as packaged is not instrumented: the sanitizer does not see how it hands tasks over, and takes every
// hand-over for a race; suppressing those would hide races between our own bodies, which run below oneTBB's
// frames. Plain threads it understands. Range numbers are drawn without ordering, so that nothing but the
// start and the end of parallel_for() orders two bodies.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#include "juxta/core/executor.h"

namespace juxta::detail {

class PlainThreads final : public Executor {
 public:
  explicit PlainThreads(unsigned threads) : threads_(threads) {}

  void parallel_for(std::size_t count, std::size_t grain, Body body) const override {
    grain = std::max<std::size_t>(grain, 1);
    const std::size_t ranges = count / grain + (count % grain != 0 ? 1 : 0);
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i = 0; (i = next.fetch_add(1, std::memory_order_relaxed)) < ranges;) {
        body(i * grain, i * grain + std::min(grain, count - i * grain));
      }
    };
    std::vector<std::thread> helpers;
    for (std::size_t helper = 1; helper < std::min<std::size_t>(threads_, ranges); ++helper) {
      helpers.emplace_back(work);
    }
    work();
    for (std::thread& helper : helpers) {
      helper.join();
    }
  }

 private:
  unsigned threads_;
};

}  // namespace juxta::detail
