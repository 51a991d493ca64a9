// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace juxta::fuzz {

/// The fuzzer's bytes first; when they run out, a counter mixed by splitmix64, so that a short input still
/// makes thousands of points.
class Draw {
 public:
  Draw(const std::uint8_t* data, std::size_t size) : bytes_(data, size) {
    state_ = bytes_.ConsumeIntegral<std::uint64_t>();
  }

  std::size_t below(std::size_t bound) {
    if (bytes_.remaining_bytes() > 0) {
      return bytes_.ConsumeIntegralInRange<std::size_t>(0, bound - 1);
    }
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<std::size_t>((z ^ (z >> 31)) % bound);
  }
  template <class T>
  T value() {
    return bytes_.ConsumeIntegral<T>();
  }
  template <class T>
  const T& one_of(const std::vector<T>& values) {
    return values[below(values.size())];
  }

 private:
  FuzzedDataProvider bytes_;
  std::uint64_t state_;
};

}  // namespace juxta::fuzz
