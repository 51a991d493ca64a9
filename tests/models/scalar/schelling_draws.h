// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The draws of models/schelling.cpp, for all plain versions of it.
#pragma once

#include <cstdint>

#include "juxta/core/random.h"

namespace juxta::scalar {

enum SchellingPurpose : std::uint32_t { kSchellingOrder = 1, kSchellingMove = 2 };

/// The free cell to which agent `number` moves: cells are drawn until one is free; after 1024 that were not,
/// one of those that a look at all finds free.
template <class IsFree>
std::uint32_t draw_free_cell(std::uint64_t seed, std::uint32_t step, std::uint32_t number,
                             std::uint32_t cells, const IsFree& is_free) {
  constexpr std::uint64_t kRounds = 256;
  const RandomKey key{seed, step, kSchellingMove};
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    for (const std::uint32_t word : random_block(key, round << 32 | number)) {
      const auto cell = static_cast<std::uint32_t>(std::uint64_t{word} * cells >> 32);
      if (is_free(cell)) {
        return cell;
      }
    }
  }
  std::uint64_t free = 0;
  for (std::uint32_t cell = 0; cell < cells; ++cell) {
    free += is_free(cell) ? 1 : 0;
  }
  std::uint64_t left = random_u32(key, kRounds << 32 | number) * free >> 32;
  std::uint32_t cell = 0;
  for (; !is_free(cell) || left != 0; ++cell) {
    left -= is_free(cell) ? 1 : 0;
  }
  return cell;
}

}  // namespace juxta::scalar
