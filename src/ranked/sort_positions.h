// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: sorts positions, which are mostly spread evenly over a range.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/prefetch.h"

namespace juxta::ranked_detail {

/// Asks for what a position leads to, unless `index_of` is null.
struct PrefetchIndex {
  const std::uint32_t* index_of;
  void operator()(std::uint32_t position) const noexcept {
    if (index_of != nullptr) {
      core_detail::prefetch_line(index_of + position);
    }
  }
};

/// A few values, or values that are far from evenly spread. Where size counts, a Shell sort instead of the
/// C++ library's introsort, which has 4 KB of code.
inline void sort_words(std::span<std::uint32_t> values) noexcept {
#ifdef JUXTA_SMALL_CODE
  for (std::size_t gap = values.size() < 16 ? 1 : values.size() / 2; gap != 0;
       gap = gap == 2 ? 1 : gap * 5 / 11) {
    for (std::size_t i = gap; i < values.size(); ++i) {
      const std::uint32_t value = values[i];
      std::size_t at = i;
      for (; at >= gap && values[at - gap] > value; at -= gap) {
        values[at] = values[at - gap];
      }
      values[at] = value;
    }
  }
#else
  std::sort(values.begin(), values.end());
#endif
}

/// Sorts values: counts them into about one bucket a value between the lowest and the highest, then inserts.
/// 6 to 8 ns a value up to a few thousand, where std::sort takes 30 to 80. Allocates nothing: 48 KiB of the
/// stack.
///
///   values   93 12 55 61   lowest 12, highest 93, four buckets:  12 | | 55 61 | 93
///
/// More of them are first parted in place by range (P. McIlroy, K. Bostic and D. McIlroy, 1993); values that
/// crowd into few buckets are left to std::sort.
///
/// `meet(value)` is called for each value, well before the end: what belongs to it can be asked for.
template <class Meet>
class PositionSort {
 public:
  explicit PositionSort(Meet meet) noexcept : meet_(meet) {}

  void operator()(std::span<std::uint32_t> values) const noexcept {
    if (values.empty()) {
      return;
    }
    const auto [low, high] = std::ranges::minmax(values);
    if (values.size() <= kChunk) {
      sort_chunk(values, low, high);
    } else {
      sort_long(values, low, high);
    }
  }

 private:
  static constexpr std::size_t kChunk = 8192;
  static constexpr std::size_t kParts = 256;
  static constexpr std::size_t kCrowd = 24;  // values in a bucket that insertion would be slow for

  /// Maps [low, high] to buckets in order.
  struct Scale {
    Scale(std::uint32_t low, std::uint32_t high, std::size_t buckets) noexcept
        : first(low), factor((std::uint64_t{buckets} << 32) / (high - low + std::uint64_t{1})) {}
    [[nodiscard]] std::size_t operator()(std::uint32_t value) const noexcept {
      return static_cast<std::size_t>((value - first) * factor >> 32);
    }
    std::uint32_t first;
    std::uint64_t factor;
  };

  void sort_chunk(std::span<std::uint32_t> values, std::uint32_t low, std::uint32_t high) const noexcept {
    const std::size_t n = values.size();
    const std::size_t buckets = std::bit_ceil(n);
    const Scale bucket_of(low, high, buckets);
    std::array<std::uint16_t, kChunk> next;
    std::fill_n(next.begin(), buckets, std::uint16_t{0});
    for (const std::uint32_t value : values) {
      ++next[bucket_of(value)];
    }
    std::uint16_t sum = 0, most = 0;
    for (std::size_t b = 0; b < buckets; ++b) {
      const std::uint16_t count = next[b];
      most = std::max(most, count);
      next[b] = sum;
      sum = static_cast<std::uint16_t>(sum + count);
    }
    std::array<std::uint32_t, kChunk> nearly;
    for (const std::uint32_t value : values) {
      nearly[next[bucket_of(value)]++] = value;
      meet_(value);
    }
    if (most > kCrowd) {
      sort_words(values);
    } else {
      insert_all(std::span(nearly).first(n), values);
    }
  }

  /// Insertion sort from `nearly` to `sorted`.
  static void insert_all(std::span<const std::uint32_t> nearly, std::span<std::uint32_t> sorted) noexcept {
    for (std::size_t i = 0; i < nearly.size(); ++i) {
      const std::uint32_t value = nearly[i];
      std::size_t at = i;
      for (; at != 0 && sorted[at - 1] > value; --at) {
        sorted[at] = sorted[at - 1];
      }
      sorted[at] = value;
    }
  }

  void sort_long(std::span<std::uint32_t> values, std::uint32_t low, std::uint32_t high) const noexcept {
    const Scale part_of(low, high, kParts);
    std::array<std::size_t, kParts> next{}, end{};
    for (const std::uint32_t value : values) {
      ++end[part_of(value)];
    }
    std::size_t sum = 0;
    for (std::size_t p = 0; p < kParts; ++p) {
      next[p] = sum;
      sum += end[p];
      end[p] = sum;
    }
    std::size_t begin = 0;
    for (std::size_t p = 0; p < kParts; begin = end[p++]) {
      while (next[p] != end[p]) {
        const std::size_t from = next[p], to = next[part_of(values[from])]++;
        std::swap(values[from], values[to]);
      }
      const std::span<std::uint32_t> part = values.subspan(begin, end[p] - begin);
      if (part.size() == values.size()) {
        sort_words(part);
      } else {
        (*this)(part);
      }
    }
  }

  Meet meet_;
};

}  // namespace juxta::ranked_detail
