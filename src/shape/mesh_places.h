// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: vertices in one place count as one, since files repeat a vertex along seams of texture. About 10
// ns a vertex.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/math/vec.h"

namespace juxta::shape_detail {

/// places[i] is the lowest vertex in the same place as vertex i, found through a table of a power of two of
/// words, at most half full.
inline void find_places(std::span<const Vec3> vertices, std::span<std::uint32_t> table,
                        std::span<std::uint32_t> places) noexcept {
  constexpr std::uint32_t kFree = ~std::uint32_t{0};
  const std::size_t mask = table.size() - 1;
  std::fill(table.begin(), table.end(), kFree);
  for (std::uint32_t i = 0; i < vertices.size(); ++i) {
    std::uint64_t mix = 0;
    for (const float x : vertices[i]) {
      const auto bits = std::bit_cast<std::uint32_t>(x + 0.0F);  // -0 is 0
      mix = (mix ^ bits) * 0x9E3779B97F4A7C15ULL;
      mix ^= mix >> 32;
    }
    std::size_t slot = static_cast<std::size_t>(mix) & mask;
    while (table[slot] != kFree && vertices[table[slot]] != vertices[i]) {
      slot = (slot + 1) & mask;
    }
    if (table[slot] == kFree) {
      table[slot] = i;
    }
    places[i] = table[slot];
  }
}

}  // namespace juxta::shape_detail
