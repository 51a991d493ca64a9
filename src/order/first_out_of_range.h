// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/core/executor.h"

namespace juxta::order_detail {

/// The first i with values[i] >= limit, or values.size(). The same for any executor.
[[nodiscard]] inline std::size_t first_out_of_range(std::span<const std::uint32_t> values, std::size_t limit,
                                                    const Executor& executor) {
  constexpr std::size_t kGrain = std::size_t{1} << 17;
  std::atomic<std::size_t> lowest{values.size()};
  executor.parallel_for(values.size(), kGrain, [&](std::size_t first, std::size_t last) {
    std::uint32_t most = 0;  // a maximum without branches: whole registers
    for (std::size_t i = first; i < last; ++i) {
      most = std::max(most, values[i]);
    }
    if (most < limit) {
      return;
    }
    std::size_t i = first;
    while (values[i] < limit) {
      ++i;
    }
    for (std::size_t seen = lowest.load(); i < seen && !lowest.compare_exchange_weak(seen, i);) {
    }
  });
  return lowest.load();
}

}  // namespace juxta::order_detail
