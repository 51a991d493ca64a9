// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Compiled so that the loop stays one (bench/transform/CMakeLists.txt): as a call of memcpy it would take
// stores that bypass the caches, which nobody who computes what he writes can do for free.
#include "bench/transform/contenders.h"
#include "benchmark/benchmark.h"

namespace juxta::bench {

Copy::Copy(std::size_t nodes) : from_(nodes), to_(nodes) {
  std::fill(from_.begin(), from_.end(), LocalTransform{});
  std::fill(to_.begin(), to_.end(), LocalTransform{});
}

void Copy::run() noexcept {
  const LocalTransform* from = from_.data();
  LocalTransform* to = to_.data();
  const std::size_t count = from_.size();
  for (std::size_t i = 0; i < count; ++i) {
    to[i] = from[i];
  }
  benchmark::DoNotOptimize(to);
  benchmark::ClobberMemory();
}

}  // namespace juxta::bench
