// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

// What the serial and the parallel half of the radix sort share: columns that travel together.

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace juxta::order_detail {

/// The value column of a sort without values: every operation is gone when compiled.
struct NoValues {};

/// A column of keys, and one of values or none.
template <std::unsigned_integral Key, class Value>
struct RadixColumns {
  static constexpr bool kHasValues = !std::same_as<Value, NoValues>;

  Key* keys;
  Value* values;

  [[nodiscard]] RadixColumns from(std::size_t first) const noexcept {
    if constexpr (kHasValues) {
      return {keys + first, values + first};
    } else {
      return {keys + first, values};
    }
  }
  void move(std::size_t to, const RadixColumns& source, std::size_t i) const noexcept {
    keys[to] = source.keys[i];
    if constexpr (kHasValues) {
      values[to] = source.values[i];
    }
  }
  void copy_from(const RadixColumns& source, std::size_t n) const noexcept {
    std::copy_n(source.keys, n, keys);
    if constexpr (kHasValues) {
      std::copy_n(source.values, n, values);
    }
  }
};

/// Which bits differ anywhere, and whether there is anything to do.
template <class Key>
struct KeySpread {
  Key differing = 0;
  bool sorted = true;
  [[nodiscard]] unsigned bits() const noexcept { return static_cast<unsigned>(std::bit_width(differing)); }
};

/// keys[first - 1] must exist when first > 0: a range is compared with what stands before it.
template <class Key>
[[nodiscard]] KeySpread<Key> key_spread(const Key* keys, std::size_t first, std::size_t last) noexcept {
  // Both reductions are branch-free, so that the compiler may use whole registers.
  Key differing = 0;
  Key descents = 0;
  const Key base = keys[0];
  for (std::size_t i = first; i < last; ++i) {
    differing |= keys[i] ^ base;
  }
  for (std::size_t i = std::max<std::size_t>(first, 1); i < last; ++i) {
    descents |= static_cast<Key>(keys[i] < keys[i - 1]);
  }
  return {differing, descents == 0};
}

/// Sorts `at` (n pairs, fewer than 2^32) into `home`, which is either `at` itself or `other`; both are
/// overwritten. Stable, on the calling thread, allocates nothing.
template <std::unsigned_integral Key, class Value>
void radix_sort_serial(RadixColumns<Key, Value> at, RadixColumns<Key, Value> other, std::size_t n,
                       bool home_is_other) noexcept;

}  // namespace juxta::order_detail
