// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/core/random.h"

#include <Random123/philox.h>

#include <utility>

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

template <class T>
T number(const RandomKey& key, std::uint64_t id) noexcept;

template <>
inline std::uint32_t number(const RandomKey& key, std::uint64_t id) noexcept {
  return block(key, id)[0];
}

template <>
inline std::uint64_t number(const RandomKey& key, std::uint64_t id) noexcept {
  const auto words = block(key, id);
  return std::uint64_t{words[1]} << 32 | words[0];
}

// The top bits, as many as the mantissa holds: every step is exact, so no rounding can reach 1.
template <>
inline float number(const RandomKey& key, std::uint64_t id) noexcept {
  return static_cast<float>(number<std::uint32_t>(key, id) >> 8) * 0x1p-24F;
}

template <>
inline double number(const RandomKey& key, std::uint64_t id) noexcept {
  return static_cast<double>(number<std::uint64_t>(key, id) >> 11) * 0x1p-53;
}

template <class T>
void fill(const RandomKey& key, std::uint64_t first_id, std::span<T> out) noexcept {
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = number<T>(key, first_id + i);
  }
}

}  // namespace

std::array<std::uint32_t, 4> random_block(const RandomKey& key, std::uint64_t id) noexcept {
  return block(key, id);
}
std::uint32_t random_u32(const RandomKey& key, std::uint64_t id) noexcept {
  return number<std::uint32_t>(key, id);
}
std::uint64_t random_u64(const RandomKey& key, std::uint64_t id) noexcept {
  return number<std::uint64_t>(key, id);
}
float random_float(const RandomKey& key, std::uint64_t id) noexcept {
  return number<float>(key, id);
}
double random_double(const RandomKey& key, std::uint64_t id) noexcept {
  return number<double>(key, id);
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

void random_order(const RandomKey& key, std::span<std::uint32_t> order) noexcept {
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = static_cast<std::uint32_t>(i);
  }
  std::array<std::uint32_t, 4> words{};
  for (std::size_t left = order.size(), swap = 0; left > 1; --left, ++swap) {
    if (swap % 4 == 0) {
      words = block(key, swap / 4);
    }
    const auto other = static_cast<std::size_t>(std::uint64_t{words[swap % 4]} * left >> 32);
    std::swap(order[left - 1], order[other]);
  }
}

}  // namespace juxta
