// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/core/export.h"
#include "juxta/core/id.h"

namespace juxta {

/// What all numbers of one pass have in common. A random number is a pure function of this key and of an id.
/// There is no state, so order, threads and machines cannot change it.
struct RandomKey {
  std::uint64_t seed = 0;     ///< Of the whole run.
  std::uint32_t step = 0;     ///< Of the simulation.
  std::uint32_t purpose = 0;  ///< What the number is for. Different purposes give independent numbers.
};

/// An Id as a random stream of its own.
[[nodiscard]] constexpr std::uint64_t random_id(Id id) noexcept {
  return std::uint64_t{id.generation} << 32 | id.slot;
}

/// Four independent numbers for (key, id): Philox4x32-10 with counter (id low, id high, step, purpose) and
/// key (seed low, seed high). Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2,
/// 3" (SC11); computed by their Random123. Cost: about 10 ns. Any thread.
[[nodiscard]] JUXTA_API std::array<std::uint32_t, 4> random_block(const RandomKey& key,
                                                                  std::uint64_t id) noexcept;

/// A random word as a number below `count`: any as likely as any other but for 2^-32 of `count`.
[[nodiscard]] constexpr std::uint32_t random_below(std::uint32_t word, std::size_t count) noexcept {
  return static_cast<std::uint32_t>(std::uint64_t{word} * count >> 32);
}
/// A word of a block as a number in [0, 1): its top 24 bits, an exact multiple of 2^-24. random_float() is
/// that of the first word.
[[nodiscard]] constexpr float random_fraction(std::uint32_t word) noexcept {
  return static_cast<float>(word >> 8) * 0x1p-24F;
}

/// Uniform over all values: the first word of the block; the first two, the first word low.
[[nodiscard]] JUXTA_API std::uint32_t random_u32(const RandomKey& key, std::uint64_t id) noexcept;
[[nodiscard]] JUXTA_API std::uint64_t random_u64(const RandomKey& key, std::uint64_t id) noexcept;

/// Uniform in [0, 1), exact multiples of 2^-24 and 2^-53: the top bits of random_u32 and random_u64.
[[nodiscard]] JUXTA_API float random_float(const RandomKey& key, std::uint64_t id) noexcept;
[[nodiscard]] JUXTA_API double random_double(const RandomKey& key, std::uint64_t id) noexcept;

/// One number for each of the ids first_id, first_id + 1, ...: out[i] is what the function above gives for
/// (key, first_id + i). Cost: about 1.6 ns a number, many at once in registers; one call across the library's
/// border for all of them.
JUXTA_API void fill_random(const RandomKey& key, std::uint64_t first_id,
                           std::span<std::uint32_t> out) noexcept;
JUXTA_API void fill_random(const RandomKey& key, std::uint64_t first_id,
                           std::span<std::uint64_t> out) noexcept;
JUXTA_API void fill_random(const RandomKey& key, std::uint64_t first_id, std::span<float> out) noexcept;
JUXTA_API void fill_random(const RandomKey& key, std::uint64_t first_id, std::span<double> out) noexcept;
/// The whole blocks: out[i] is random_block(key, first_id + i).
JUXTA_API void fill_random(const RandomKey& key, std::uint64_t first_id,
                           std::span<std::array<std::uint32_t, 4>> out) noexcept;

/// All numbers from 0 to order.size() - 1, each once, every order as likely as any other but for 2^-32 of its
/// size: Fisher and Yates' shuffle, with word i mod 4 of the block of (key, i / 4) for the i-th swap from the
/// back. Cost: about 1.7 ns a number.
JUXTA_API void random_order(const RandomKey& key, std::span<std::uint32_t> order) noexcept;

}  // namespace juxta
