// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the rectangle of a query is double; the nearest bounds in the points' own type that keep its
// meaning.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

namespace juxta::ranked_detail {

/// The next float above (step +1) or below (step -1) a finite value.
[[nodiscard]] inline float neighbour(float value, std::int32_t step) noexcept {
  if (value == 0) {
    return std::bit_cast<float>(step > 0 ? 1u : 0x80000001u);
  }
  const auto bits = std::bit_cast<std::int32_t>(value);
  return std::bit_cast<float>(bits + (value > 0 ? step : -step));
}

/// The smallest T >= value. `value` lies between two finite Ts.
template <class T>
[[nodiscard]] inline T narrow_up(double value) noexcept {
  if constexpr (std::same_as<T, double>) {
    return value;
  } else {
    const auto near = static_cast<float>(value);
    return static_cast<double>(near) < value ? neighbour(near, 1) : near;
  }
}

/// The largest T <= value. `value` lies between two finite Ts.
template <class T>
[[nodiscard]] inline T narrow_down(double value) noexcept {
  if constexpr (std::same_as<T, double>) {
    return value;
  } else {
    const auto near = static_cast<float>(value);
    return static_cast<double>(near) > value ? neighbour(near, -1) : near;
  }
}

}  // namespace juxta::ranked_detail
