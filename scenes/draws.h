// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace juxta::scenes {

/// SplitMix64 (Steele, Lea, Flood 2014): small, and the same on every machine, which std distributions are
/// not. Every draw is exact integer work followed by one exact conversion.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) noexcept : state_(seed) {}

  std::uint64_t next() noexcept {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  /// In [0, 1): a multiple of 2^-24.
  float unit() noexcept { return static_cast<float>(next() >> 40) * 0x1p-24F; }
  float uniform(float low, float high) noexcept { return low + unit() * (high - low); }
  /// In [0, bound), bound at least 1; the bias is below bound / 2^32.
  std::uint32_t below(std::uint32_t bound) noexcept {
    return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
  }
  /// Puts `values` in random order (Fisher-Yates).
  template <class T>
  void shuffle(std::vector<T>& values) noexcept {
    for (std::size_t i = values.size(); i > 1; --i) {
      std::swap(values[i - 1], values[below(static_cast<std::uint32_t>(i))]);
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace juxta::scenes
