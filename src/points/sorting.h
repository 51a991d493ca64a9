// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: sorting for kernels. Not in a kernel file: there, a comparison belongs to one instruction set,
// and the standard library's loops, which belong to none, call it each time.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

namespace juxta::points_detail {

/// A point that a seer met. Equally far: the lower number first.
template <class Real>
struct MetKey {
  Real square;
  std::uint32_t number, place;
  bool operator<(const MetKey& other) const noexcept {
    return square < other.square || (square == other.square && number < other.number);
  }
};

/// The first `n` of `count` keys go to the front, in order.
template <class Real>
void sort_first(MetKey<Real>* keys, std::uint32_t n, std::uint32_t count) {
  std::nth_element(keys, keys + n, keys + count);
  std::sort(keys, keys + n);
}

/// Sorts by distinct keys of at most `most`, from the lowest digits of up to nine bits to the highest.
/// `spare` has room for `count`. With 350 neighbours, finding and sorting a list takes 2.9 us; with
/// std::sort, whose branches are mispredicted, 7.7.
template <class KeyOf>
void sort_by_digits(std::uint32_t* list, std::size_t count, std::uint32_t* spare, std::uint32_t most,
                    const KeyOf& key_of) {
  constexpr unsigned kMostBits = 9;
  const auto width = static_cast<unsigned>(std::bit_width(most));
  const unsigned passes = (width + kMostBits - 1) / kMostBits;
  const unsigned bits = passes == 0 ? 0 : (width + passes - 1) / passes;
  std::uint32_t* from = list;
  std::uint32_t* to = spare;
  for (unsigned shift = 0; shift < width; shift += bits) {
    const std::uint32_t mask = (1U << bits) - 1;
    std::array<std::uint32_t, std::size_t{1} << kMostBits> begin{};
    for (std::size_t i = 0; i < count; ++i) {
      ++begin[key_of(from[i]) >> shift & mask];
    }
    std::exclusive_scan(begin.begin(), begin.begin() + mask + 1, begin.begin(), 0U);
    for (std::size_t i = 0; i < count; ++i) {
      to[begin[key_of(from[i]) >> shift & mask]++] = from[i];
    }
    std::swap(from, to);
  }
  if (from != list) {
    std::copy_n(from, count, list);
  }
}

}  // namespace juxta::points_detail
