// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace juxta::classics {

/// Input indices in ascending rank, equal ranks in input order.
inline std::vector<std::uint32_t> rank_order(std::span<const std::int32_t> ranks) {
  std::vector<std::uint64_t> keys(ranks.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = std::uint64_t{static_cast<std::uint32_t>(ranks[i]) ^ 0x80000000U} << 32 | i;
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::uint32_t> order(keys.size());
  std::transform(keys.begin(), keys.end(), order.begin(),
                 [](std::uint64_t key) { return static_cast<std::uint32_t>(key); });
  return order;
}

}  // namespace juxta::classics
