// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: one bit for each row of a tile.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace juxta::transform_detail {

inline constexpr std::uint32_t kTileRows = 1024;
inline constexpr std::uint32_t kTileWords = kTileRows / 64;

/// The bits [first, last) of a word, 0 <= first < last <= 64.
[[nodiscard]] constexpr std::uint64_t bits_between(std::uint32_t first, std::uint32_t last) noexcept {
  return (~std::uint64_t{0} >> (64 - (last - first))) << first;
}

/// Words of a mask outside of which there are no bits: where few rows are marked, nobody looks at the
/// others.
struct MaskWords {
  std::uint32_t first = 0, last = kTileWords;
};

struct RowMask {
  std::uint64_t words[kTileWords] = {};

  [[nodiscard]] bool test(std::uint32_t row) const noexcept { return (words[row / 64] >> row % 64 & 1) != 0; }
  void set(std::uint32_t row) noexcept { words[row / 64] |= std::uint64_t{1} << row % 64; }
  void clear(std::uint32_t row) noexcept { words[row / 64] &= ~(std::uint64_t{1} << row % 64); }
  void put(std::uint32_t row, bool value) noexcept { value ? set(row) : clear(row); }
  void set_range(std::uint32_t first, std::uint32_t last) noexcept {
    for_each_word(first, last, [&](std::uint32_t w, std::uint64_t bits) { words[w] |= bits; });
  }
  [[nodiscard]] bool any() const noexcept {
    return std::any_of(words, words + kTileWords, [](std::uint64_t word) { return word != 0; });
  }
  [[nodiscard]] std::uint32_t count(MaskWords of = {}) const noexcept {
    std::uint32_t sum = 0;
    for (std::uint32_t w = of.first; w < of.last; ++w) {
      sum += static_cast<std::uint32_t>(std::popcount(words[w]));
    }
    return sum;
  }
  /// The first row from `row` on whose bit is set; kTileRows when there is none.
  [[nodiscard]] std::uint32_t next(std::uint32_t row) const noexcept {
    return scan(row, [this](std::uint32_t w) { return words[w]; });
  }
  /// The first row from `row` on whose bit is not set.
  [[nodiscard]] std::uint32_t next_clear(std::uint32_t row) const noexcept {
    return scan(row, [this](std::uint32_t w) { return ~words[w]; });
  }

  /// Calls `body(word, bits)` for the words that [first, last) touches.
  template <class Body>
  static void for_each_word(std::uint32_t first, std::uint32_t last, Body&& body) noexcept {
    while (first < last) {
      const std::uint32_t w = first / 64;
      const std::uint32_t end = std::min(last, (w + 1) * 64);
      body(w, bits_between(first - w * 64, end - w * 64));
      first = end;
    }
  }
  /// The first row from `row` on whose bit is set in word_of(w).
  template <class WordOf>
  [[nodiscard]] static std::uint32_t scan(std::uint32_t row, WordOf&& word_of) noexcept {
    if (row >= kTileRows) {
      return kTileRows;
    }
    std::uint32_t w = row / 64;
    std::uint64_t word = word_of(w) & (~std::uint64_t{0} << row % 64);
    while (word == 0) {
      if (++w == kTileWords) {
        return kTileRows;
      }
      word = word_of(w);
    }
    return w * 64 + static_cast<std::uint32_t>(std::countr_zero(word));
  }
};

/// Calls `body(row)` for each set bit of a word, ascending; row = base + bit.
template <class Body>
void for_each_bit(std::uint64_t word, std::uint32_t base, Body&& body) {
  for (; word != 0; word &= word - 1) {
    body(base + static_cast<std::uint32_t>(std::countr_zero(word)));
  }
}

}  // namespace juxta::transform_detail
