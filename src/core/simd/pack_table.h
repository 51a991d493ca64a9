// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: which lanes of eight a mask keeps.
#pragma once

#include <array>
#include <cstdint>

namespace juxta::core_detail {

/// Byte k of entry m: the place of the k-th set bit of m (0 where there is none). 2 KiB.
inline constexpr std::array<std::uint64_t, 256> kPackTable = [] {
  std::array<std::uint64_t, 256> table{};
  for (std::uint32_t mask = 0; mask < 256; ++mask) {
    std::uint32_t kept = 0;
    for (std::uint64_t lane = 0; lane < 8; ++lane) {
      if ((mask >> lane & 1) != 0) {
        table[mask] |= lane << 8 * kept++;
      }
    }
  }
  return table;
}();

}  // namespace juxta::core_detail
