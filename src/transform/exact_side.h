// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: position + scale * coordinate as a real number, rounded to float downwards or upwards.
//
//   scale = high + low (26 bits each)     high * c and low * c are exact doubles
//   their sum with the position as three doubles, each below half a step of the one before
//
// Source: T. J. Dekker, "A Floating-Point Technique for Extending the Available Precision", 1971; the sum of
// two numbers with its error is D. E. Knuth's.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace juxta::transform_detail {

struct SumAndError {
  double sum, error;
};

[[nodiscard]] inline SumAndError two_sum(double a, double b) noexcept {
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

/// The next float upwards (`by` = 1) or downwards (-1), itself for 0. By keys that are in order, because
/// std::nextafter() is a call, and which sides need a step is a coin toss that branches lose.
[[nodiscard]] inline float stepped(float from, std::int32_t by) noexcept {
  if (from == 0) {
    return static_cast<float>(by) * std::numeric_limits<float>::denorm_min();
  }
  constexpr std::int32_t kMagnitude = std::numeric_limits<std::int32_t>::max();
  const auto in_order = [](std::int32_t bits) { return bits ^ (bits >> 31 & kMagnitude); };
  return std::bit_cast<float>(in_order(in_order(std::bit_cast<std::int32_t>(from)) + by));
}

/// The largest float not above the real number (up: the smallest one not below it). `scale` is the product of
/// two floats, and all three are finite.
template <bool kUp>
[[nodiscard]] float exact_side(float position, double scale, float coordinate) noexcept {
  const double c = coordinate, spread = scale * 0x1.0000002p27;  // 2^27 + 1
  const double high = spread - (spread - scale), low = scale - high;
  const auto [product, tail] = two_sum(high * c, low * c);
  const auto [rough, rest] = two_sum(product, position);
  const auto [middle, least] = two_sum(rest, tail);
  const auto [head, second] = two_sum(rough, middle);
  const auto rounded = static_cast<float>(head);
  const double first = head - static_cast<double>(rounded);
  // The sign of what the nearest float lacks. Each part is larger than all behind it, so no sum rounds it
  // away.
  const double lacks = first + (second + least);
  return stepped(rounded, kUp ? lacks > 0 : -static_cast<std::int32_t>(lacks < 0));
}

}  // namespace juxta::transform_detail
