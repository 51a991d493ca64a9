// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/core/random.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "core/philox.h"
#include "core/random_kernel.h"

namespace juxta {
namespace {

inline std::array<std::uint32_t, 4> block(const RandomKey& key, std::uint64_t id) noexcept {
  const r123::Philox4x32::ctr_type counter{
      {static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(id >> 32), key.step, key.purpose}};
  const r123::Philox4x32::key_type words{
      {static_cast<std::uint32_t>(key.seed), static_cast<std::uint32_t>(key.seed >> 32)}};
  const auto result = r123::Philox4x32()(counter, words);
  return {result[0], result[1], result[2], result[3]};
}

using Block = std::array<std::uint32_t, 4>;
constexpr std::size_t kChunk = 64;  // blocks at once: 1 KiB on the stack

// A number of each kind from its block. The top bits, as many as the mantissa holds: every step is exact, so
// no rounding can reach 1.
template <class T>
T number(const Block& words) noexcept {
  const std::uint64_t both = std::uint64_t{words[1]} << 32 | words[0];
  if constexpr (std::is_same_v<T, std::uint32_t>) {
    return words[0];
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    return both;
  } else if constexpr (std::is_same_v<T, float>) {
    return random_fraction(words[0]);
  } else {
    return static_cast<double>(both >> 11) * 0x1p-53;
  }
}

template <class T>
void fill(const RandomKey& key, std::uint64_t first_id, std::span<T> out) noexcept {
  std::array<Block, kChunk> blocks;
  for (std::size_t done = 0; done < out.size(); done += kChunk) {
    const auto chunk = std::span(blocks).first(std::min(kChunk, out.size() - done));
    core_detail::philox_blocks(key, first_id + done, chunk);
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      out[done + i] = number<T>(chunk[i]);
    }
  }
}

}  // namespace

std::array<std::uint32_t, 4> random_block(const RandomKey& key, std::uint64_t id) noexcept {
  return block(key, id);
}
std::uint32_t random_u32(const RandomKey& key, std::uint64_t id) noexcept {
  return number<std::uint32_t>(block(key, id));
}
std::uint64_t random_u64(const RandomKey& key, std::uint64_t id) noexcept {
  return number<std::uint64_t>(block(key, id));
}
float random_float(const RandomKey& key, std::uint64_t id) noexcept {
  return number<float>(block(key, id));
}
double random_double(const RandomKey& key, std::uint64_t id) noexcept {
  return number<double>(block(key, id));
}

void fill_random(const RandomKey& key, std::uint64_t first_id, std::span<std::uint32_t> out) noexcept {
  fill(key, first_id, out);
}
void fill_random(const RandomKey& key, std::uint64_t first_id, std::span<std::uint64_t> out) noexcept {
  fill(key, first_id, out);
}
void fill_random(const RandomKey& key, std::uint64_t first_id, std::span<float> out) noexcept {
  fill(key, first_id, out);
}
void fill_random(const RandomKey& key, std::uint64_t first_id, std::span<double> out) noexcept {
  fill(key, first_id, out);
}

void fill_random(const RandomKey& key, std::uint64_t first_id,
                 std::span<std::array<std::uint32_t, 4>> out) noexcept {
  core_detail::philox_blocks(key, first_id, out);
}

void random_order(const RandomKey& key, std::span<std::uint32_t> order) noexcept {
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = static_cast<std::uint32_t>(i);
  }
  // Partners of many swaps first, all at once in registers; then nothing but the swaps.
  std::array<Block, kChunk> blocks;
  std::array<std::uint32_t, 4 * kChunk> others;
  const std::size_t swaps = order.size() > 1 ? order.size() - 1 : 0;
  for (std::size_t done = 0; done < swaps; done += others.size()) {
    const std::size_t count = std::min(others.size(), swaps - done);
    core_detail::philox_blocks(key, done / 4, std::span(blocks).first((count + 3) / 4));
    const std::size_t size = order.size() - done;
    for (std::size_t i = 0; i < count; ++i) {
      others[i] = random_below(blocks[i / 4][i % 4], size - i);
    }
    std::uint32_t* last = order.data() + size;
    for (std::size_t i = 0; i < count; ++i) {
      std::swap(*--last, order[others[i]]);
    }
  }
}

}  // namespace juxta
