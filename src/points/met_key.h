// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the candidates of nearest() in order. Not in a kernel file: there, a comparison belongs to one
// instruction set, and the standard library's loops, which belong to none, call it each time.
#pragma once

#include <algorithm>
#include <cstdint>

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

}  // namespace juxta::points_detail
