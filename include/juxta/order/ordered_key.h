// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>

namespace juxta {

/// Unsigned keys in the order of their values: a < b exactly when ordered_key(a) < ordered_key(b), and equal
/// values have equal keys, -0 and +0 included. Infinities are in order. NaN has no order: its key is beyond
/// an infinity, so refuse NaN before. About one operation each, constexpr, any thread.
[[nodiscard]] constexpr std::uint32_t ordered_key(std::int32_t value) noexcept {
  return std::bit_cast<std::uint32_t>(value) ^ 0x8000'0000U;
}
[[nodiscard]] constexpr std::uint64_t ordered_key(std::int64_t value) noexcept {
  return std::bit_cast<std::uint64_t>(value) ^ 0x8000'0000'0000'0000U;
}
[[nodiscard]] constexpr std::uint32_t ordered_key(std::uint32_t value) noexcept {
  return value;
}
[[nodiscard]] constexpr std::uint64_t ordered_key(std::uint64_t value) noexcept {
  return value;
}

// A float is sign and magnitude: positive ones get the top bit, negative ones are turned over as a whole.
[[nodiscard]] constexpr std::uint32_t ordered_key(float value) noexcept {
  constexpr std::uint32_t kSign = 0x8000'0000U;
  std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  bits = bits == kSign ? 0 : bits;
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}
[[nodiscard]] constexpr std::uint64_t ordered_key(double value) noexcept {
  constexpr std::uint64_t kSign = 0x8000'0000'0000'0000U;
  std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
  bits = bits == kSign ? 0 : bits;
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

}  // namespace juxta
