// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: which lanes of eight, or of four, a mask keeps.
#pragma once

#include <array>
#include <cstddef>
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

/// Of four lanes of four bytes: the places of bytes. 256 bytes.
inline constexpr std::array<std::array<std::uint8_t, 16>, 16> kPackTableOfFour = [] {
  std::array<std::array<std::uint8_t, 16>, 16> table{};
  for (std::uint32_t mask = 0; mask < 16; ++mask) {
    std::size_t kept = 0;
    for (std::uint32_t lane = 0; lane < 4; ++lane) {
      for (std::uint32_t byte = 4 * lane; (mask >> lane & 1) != 0 && byte < 4 * lane + 4; ++byte) {
        table[mask][kept++] = static_cast<std::uint8_t>(byte);
      }
    }
  }
  return table;
}();

}  // namespace juxta::core_detail
