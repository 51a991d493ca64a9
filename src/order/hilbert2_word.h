// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

// The Hilbert code of one cell by a parallel prefix over the levels; curves_kernel.cpp does the same with
// registers of cells and draws the idea.

#include <cstdint>

namespace juxta::order_detail {

/// Puts a zero bit before each of the low 16 bits.
[[nodiscard]] constexpr std::uint32_t spread_bits_16(std::uint32_t v) noexcept {
  v = (v | v << 8) & 0x00FF'00FFU;
  v = (v | v << 4) & 0x0F0F'0F0FU;
  v = (v | v << 2) & 0x3333'3333U;
  return (v | v << 1) & 0x5555'5555U;
}

[[nodiscard]] constexpr std::uint32_t hilbert2_word(std::uint32_t x, std::uint32_t y) noexcept {
  // a, b: does a level swap or turn the axes; c, d: which bits it flips. First each two levels together,
  std::uint32_t a = x ^ y;
  std::uint32_t b = 0xFFFFU ^ a;
  std::uint32_t c = 0xFFFFU ^ (x | y);
  std::uint32_t d = x & (y ^ 0xFFFFU);
  std::uint32_t all_a = a | b >> 1;
  std::uint32_t all_b = a >> 1 ^ a;
  std::uint32_t all_c = (c >> 1 ^ (b & d >> 1)) ^ c;
  std::uint32_t all_d = ((a & c >> 1) ^ d >> 1) ^ d;
  // ... then 4, 8 and 16 (the last round needs no new a and b, but they cost nothing that matters here).
  for (unsigned levels = 2; levels <= 8; levels *= 2) {
    a = all_a, b = all_b, c = all_c, d = all_d;
    all_a = (a & a >> levels) ^ (b & b >> levels);
    all_b = (a & b >> levels) ^ (b & (a ^ b) >> levels);
    all_c ^= (a & c >> levels) ^ (b & d >> levels);
    all_d ^= (b & c >> levels) ^ ((a ^ b) & d >> levels);
  }
  const std::uint32_t flip_a = all_c ^ all_c >> 1;
  const std::uint32_t flip_b = all_d ^ all_d >> 1;
  const std::uint32_t low = x ^ y;
  const std::uint32_t high = flip_b | (0xFFFFU ^ (low | flip_a));
  return spread_bits_16(high) << 1 | spread_bits_16(low);
}

}  // namespace juxta::order_detail
