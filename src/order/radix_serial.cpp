// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Least-significant-digit radix sort of what fits a cache.
//
//   bits that differ:   | digit 2 | digit 1 | digit 0 |  rest  |
//                       |<- about log2(n) + 8 bits  ->|
//
// All histograms are counted in one reading. Sorting by a few bits more than log2(n) already separates nearly
// all keys; the few runs that are still equal there are then sorted by the rest, so that 64-bit keys cost
// hardly more passes than 32-bit ones.
//
// Limit: one store per pair and pass to a line of the first cache: about 1 ns.

#include <array>
#include <bit>
#include <utility>

#include "order/radix_buffers.h"

namespace juxta::order_detail {
namespace {

constexpr std::size_t kInsertion = 32;  // up to here insertion sort wins over clearing histograms
constexpr unsigned kMostBits = 11;      // 2048 counters of 4 bytes: a quarter of the first cache
constexpr unsigned kMostPasses = 4;

template <class Key, class Value>
void insertion_sort(const RadixColumns<Key, Value>& at, std::size_t n) noexcept {
  for (std::size_t i = 1; i < n; ++i) {
    const Key key = at.keys[i];
    if (at.keys[i - 1] <= key) {
      continue;
    }
    Value value{};
    if constexpr (RadixColumns<Key, Value>::kHasValues) {
      value = at.values[i];
    }
    std::size_t j = i;
    for (; j > 0 && at.keys[j - 1] > key; --j) {
      at.move(j, at, j - 1);
    }
    at.keys[j] = key;
    if constexpr (RadixColumns<Key, Value>::kHasValues) {
      at.values[j] = value;
    }
  }
}

struct Digits {
  unsigned low;    // the bit where the lowest digit begins
  unsigned width;  // of each digit
  unsigned passes;
};

// Counters are cleared and summed once for each digit value: few pairs get narrow digits, and fewer bits.
// Bits beyond log2(n) leave n / 2^extra pairs equal if keys are uniform.
Digits choose_digits(unsigned bits, std::size_t n) noexcept {
  const unsigned widest = n < 512 ? 7 : n < 4096 ? 8 : kMostBits;
  const unsigned extra = n < 512 ? 5 : 8;
  const unsigned wanted = std::min(bits, static_cast<unsigned>(std::bit_width(n)) + extra);
  const unsigned passes = std::min((wanted + widest - 1) / widest, kMostPasses);
  const unsigned width = std::min((wanted + passes - 1) / passes, widest);
  const unsigned covered = std::min(width * passes, bits);
  return {bits - covered, width, passes};
}

using Counters = std::array<std::array<std::uint32_t, std::size_t{1} << kMostBits>, kMostPasses>;

template <class Key>
void count_digits(const Key* keys, std::size_t n, const Digits& digits, Counters& counters) noexcept {
  const Key mask = static_cast<Key>((Key{1} << digits.width) - 1);
  for (unsigned pass = 0; pass < digits.passes; ++pass) {
    std::fill_n(counters[pass].begin(), std::size_t{1} << digits.width, 0U);
  }
  const auto count = [&]<unsigned kPasses>() {
    for (std::size_t i = 0; i < n; ++i) {
      Key rest = keys[i] >> digits.low;
      for (unsigned pass = 0; pass < kPasses; ++pass, rest >>= digits.width) {
        ++counters[pass][rest & mask];
      }
    }
  };
  switch (digits.passes) {
    case 1:
      return count.template operator()<1>();
    case 2:
      return count.template operator()<2>();
    case 3:
      return count.template operator()<3>();
    default:
      return count.template operator()<4>();
  }
}

// Turns counts into first positions. False when one digit value holds everything: the pass would change
// nothing.
bool sum_digits(std::array<std::uint32_t, std::size_t{1} << kMostBits>& counter, unsigned width,
                std::size_t n) noexcept {
  std::uint32_t sum = 0;
  for (std::size_t d = 0; d < std::size_t{1} << width; ++d) {
    const std::uint32_t count = counter[d];
    if (count == n) {
      return false;
    }
    counter[d] = sum;
    sum += count;
  }
  return true;
}

template <class Key, class Value>
void scatter(const RadixColumns<Key, Value>& from, const RadixColumns<Key, Value>& to, std::size_t n,
             unsigned shift, unsigned width, std::uint32_t* next) noexcept {
  const Key mask = static_cast<Key>((Key{1} << width) - 1);
  for (std::size_t i = 0; i < n; ++i) {
    to.move(next[(from.keys[i] >> shift) & mask]++, from, i);
  }
}

// `at` is sorted by key >> low: sorts each run of equal ones by the bits below.
template <class Key, class Value>
void finish_runs(const RadixColumns<Key, Value>& at, const RadixColumns<Key, Value>& other, std::size_t n,
                 unsigned low) noexcept {
  for (std::size_t first = 0; first + 1 < n;) {
    const Key prefix = at.keys[first] >> low;
    std::size_t last = first + 1;
    while (last < n && at.keys[last] >> low == prefix) {
      ++last;
    }
    if (last - first > 1) {
      radix_sort_serial(at.from(first), other.from(first), last - first, false);
    }
    first = last;
  }
}

// One level; apart from its caller so that insertion sorts do not pay for a frame of 32 KiB.
template <class Key, class Value>
[[gnu::noinline]] bool radix_level(RadixColumns<Key, Value>& at, RadixColumns<Key, Value>& other,
                                   std::size_t n, unsigned bits) noexcept {
  const Digits digits = choose_digits(bits, n);
  bool swapped = false;
  Counters counters;
  count_digits(at.keys, n, digits, counters);
  for (unsigned pass = 0; pass < digits.passes; ++pass) {
    if (sum_digits(counters[pass], digits.width, n)) {
      scatter(at, other, n, digits.low + pass * digits.width, digits.width, counters[pass].data());
      std::swap(at, other);
      swapped = !swapped;
    }
  }
  return swapped;
}

}  // namespace

template <std::unsigned_integral Key, class Value>
void radix_sort_serial(RadixColumns<Key, Value> at, RadixColumns<Key, Value> other, std::size_t n,
                       bool home_is_other) noexcept {
  if (n <= kInsertion) {
    if (home_is_other) {
      other.copy_from(at, n);
    }
    insertion_sort(home_is_other ? other : at, n);
    return;
  }
  const KeySpread<Key> spread = key_spread(at.keys, 0, n);
  if (!spread.sorted) {
    const bool swapped = radix_level(at, other, n, spread.bits());
    home_is_other = home_is_other != swapped;
  }
  if (home_is_other) {
    other.copy_from(at, n);
    std::swap(at, other);
  }
  const unsigned low = choose_digits(std::max(spread.bits(), 1U), n).low;
  if (!spread.sorted && low != 0) {
    finish_runs(at, other, n, low);
  }
}

template void radix_sort_serial(RadixColumns<std::uint32_t, NoValues>, RadixColumns<std::uint32_t, NoValues>,
                                std::size_t, bool) noexcept;
template void radix_sort_serial(RadixColumns<std::uint64_t, NoValues>, RadixColumns<std::uint64_t, NoValues>,
                                std::size_t, bool) noexcept;
template void radix_sort_serial(RadixColumns<std::uint32_t, std::uint32_t>,
                                RadixColumns<std::uint32_t, std::uint32_t>, std::size_t, bool) noexcept;
template void radix_sort_serial(RadixColumns<std::uint64_t, std::uint32_t>,
                                RadixColumns<std::uint64_t, std::uint32_t>, std::size_t, bool) noexcept;

}  // namespace juxta::order_detail
