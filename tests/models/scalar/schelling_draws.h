// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The draws of models/schelling.cpp, for all plain versions of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "juxta/core/random.h"

namespace juxta::scalar {

enum SchellingPurpose : std::uint32_t { kSchellingOrder = 1, kSchellingMove = 2 };

/// How all agents are put into a random order in a step.
enum class SchellingOrder : std::uint8_t {
  kByWords,   ///< By a random word of each, as models/schelling.cpp: its states, but every agent is sorted.
  kShuffled,  ///< By a shuffle, which is faster, and gives other states.
};

/// Output `number` of SplitMix64.
inline std::uint64_t turn_word(std::uint64_t seed, std::uint64_t number) {
  std::uint64_t z = seed + (number + 1) * 0x9E37'79B9'7F4A'7C15U;
  z = (z ^ z >> 30) * 0xBF58'476D'1CE4'E5B9U;
  z = (z ^ z >> 27) * 0x94D0'49BB'1331'11EBU;
  return z ^ z >> 31;
}

inline void order_agents(SchellingOrder how, std::uint64_t seed, std::uint32_t step,
                         std::vector<std::uint32_t>& order) {
  const RandomKey key{seed, step, kSchellingOrder};
  if (how == SchellingOrder::kShuffled) {
    return random_order(key, order);
  }
  std::vector<std::pair<std::uint64_t, std::uint32_t>> turns(order.size());
  for (std::uint32_t i = 0; i < turns.size(); ++i) {
    turns[i] = {turn_word(random_u64(key, 0), i), i};
  }
  std::ranges::sort(turns);
  std::ranges::transform(turns, order.begin(), [](const auto& turn) { return turn.second; });
}

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
