// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the rows of a propagation whose world transform would not be finite.
#pragma once

#include <atomic>
#include <cstddef>

#include "transform/sweep_kernel.h"

namespace juxta::transform_detail {

/// From any task. The first row of all is the same, whichever task comes first.
class OverflowCount {
 public:
  void note(std::uint32_t tile, const Overflow& overflow) noexcept {
    if (overflow.count != 0) {
      add(overflow.count, tile * kTileRows + overflow.first);
    }
  }
  [[nodiscard]] std::size_t count() const noexcept { return count_.load(std::memory_order_relaxed); }
  [[nodiscard]] Row first() const noexcept { return first_.load(std::memory_order_relaxed); }

 private:
  [[gnu::noinline, gnu::cold]] void add(std::uint32_t count, Row first) noexcept {
    count_.fetch_add(count, std::memory_order_relaxed);
    Row lowest = first_.load(std::memory_order_relaxed);
    while (first < lowest && !first_.compare_exchange_weak(lowest, first, std::memory_order_relaxed)) {
    }
  }

  std::atomic<std::size_t> count_ = 0;
  std::atomic<Row> first_ = kNoRow;
};

}  // namespace juxta::transform_detail
