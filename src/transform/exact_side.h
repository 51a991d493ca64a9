// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: position + scale * coordinate as a real number, rounded to float downwards or upwards.
//
//   scale = high + low (26 bits each)     high * c and low * c are exact doubles
//   their sum with the position as three doubles, each below half a step of the one before
//
// Source: T. J. Dekker, "A Floating-Point Technique for Extending the Available Precision", 1971; the sum of
// two numbers with its error is D. E. Knuth's.
#pragma once

#include <cmath>
#include <limits>

namespace juxta::detail {

struct SumAndError {
  double sum, error;
};

[[nodiscard]] inline SumAndError two_sum(double a, double b) noexcept {
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
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
  // Where the nearest float lies on the wrong side. The first part that is not 0 decides.
  const double off = first != 0 ? first : second != 0 ? second : least;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (kUp ? off > 0 : off < 0) {
    return std::nextafter(rounded, kUp ? kInfinity : -kInfinity);
  }
  return rounded;
}

}  // namespace juxta::detail
