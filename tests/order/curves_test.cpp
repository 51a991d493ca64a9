// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/order/curves.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

namespace juxta {
namespace {

// Bit by bit: the definition.
std::uint64_t interleave(std::vector<std::uint64_t> axes, int bits) {
  std::uint64_t code = 0;
  for (int bit = bits - 1; bit >= 0; --bit) {
    for (std::size_t a = axes.size(); a-- > 0;) {
      code = code << 1 | (axes[a] >> bit & 1);
    }
  }
  return code;
}

TEST(Morton, InterleavesBits) {
  EXPECT_TRUE(rc::check([](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    const auto x16 = static_cast<std::uint16_t>(x), y16 = static_cast<std::uint16_t>(y);
    RC_ASSERT(morton2(x16, y16) == interleave({x16, y16}, 16));
    RC_ASSERT(morton2(x, y) == interleave({x, y}, 32));
    RC_ASSERT(morton3_10(x, y, z) == interleave({x, y, z}, 10));
    RC_ASSERT(morton3_21(x, y, z) == interleave({x, y, z}, 21));
  }));
  EXPECT_EQ(morton2(std::uint32_t{0xFFFF'FFFF}, std::uint32_t{0}), 0x5555'5555'5555'5555U);
  EXPECT_EQ(morton3_21(0x1F'FFFF, 0x1F'FFFF, 0x1F'FFFF), (std::uint64_t{1} << 63) - 1);
}

TEST(Morton, InverseGivesTheCellBack) {
  EXPECT_TRUE(rc::check([](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    using Cell = std::array<std::uint32_t, 3>;
    const auto x16 = static_cast<std::uint16_t>(x), y16 = static_cast<std::uint16_t>(y);
    RC_ASSERT((morton2_inverse(morton2(x16, y16)) == std::array{x16, y16}));
    RC_ASSERT((morton2_inverse(morton2(x, y)) == std::array{x, y}));
    RC_ASSERT((morton3_10_inverse(morton3_10(x, y, z)) == Cell{x & 0x3FF, y & 0x3FF, z & 0x3FF}));
    RC_ASSERT((morton3_21_inverse(morton3_21(x, y, z)) == Cell{x & 0x1F'FFFF, y & 0x1F'FFFF, z & 0x1F'FFFF}));
  }));
}

// The textbook recursion, one quadrant at a time from the highest bit.
std::uint32_t hilbert2_by_quadrants(std::uint32_t x, std::uint32_t y) {
  std::uint32_t code = 0;
  for (std::uint32_t side = 1U << 15; side > 0; side /= 2) {
    const std::uint32_t right = (x & side) != 0 ? 1 : 0, up = (y & side) != 0 ? 1 : 0;
    code += side * side * ((3 * right) ^ up);
    if (up == 0) {
      if (right == 1) {
        x = 0xFFFF - x;
        y = 0xFFFF - y;
      }
      std::swap(x, y);
    }
  }
  return code;
}

TEST(Hilbert2, EqualsTheRecursion) {
  EXPECT_TRUE(rc::check([](std::uint32_t cell) {
    const auto x = static_cast<std::uint16_t>(cell * 2654435761U >> 16), y = static_cast<std::uint16_t>(cell);
    RC_ASSERT(hilbert2(x, y) == hilbert2_by_quadrants(x, y));
  }));
  for (std::uint32_t i = 0; i < 200'000; ++i) {
    const std::uint32_t cell = i * 2654435761U;
    const auto x = static_cast<std::uint16_t>(cell >> 16), y = static_cast<std::uint16_t>(cell);
    ASSERT_EQ(hilbert2(x, y), hilbert2_by_quadrants(x, y)) << x << "," << y;
  }
}

TEST(Hilbert2, NextCodeIsTheCellBeside) {
  for (std::uint32_t start : {0U, 0x1555'0000U, 0x3FFF'8000U, 0x7FFF'8000U, 0xBFFF'8000U, 0xFFFF'0000U}) {
    auto here = hilbert2_inverse(start);
    for (std::uint32_t code = start; code < start + 0xFFFF; ++code) {
      ASSERT_EQ(hilbert2(here[0], here[1]), code);
      const auto next = hilbert2_inverse(code + 1);
      ASSERT_EQ(std::abs(next[0] - here[0]) + std::abs(next[1] - here[1]), 1) << code;
      here = next;
    }
  }
  EXPECT_EQ(hilbert2(0, 0), 0U);
  EXPECT_EQ(hilbert2(0xFFFF, 0), 0xFFFF'FFFFU);
}

template <class Code, class Inverse, class Forward>
void expect_walk(Code start, Code count, Inverse&& inverse, Forward&& forward) {
  auto here = inverse(start);
  for (Code code = start; code < start + count; ++code) {
    ASSERT_EQ(forward(here[0], here[1], here[2]), code);
    const auto next = inverse(code + 1);
    std::int64_t distance = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      distance += std::abs(std::int64_t{next[a]} - std::int64_t{here[a]});
    }
    ASSERT_EQ(distance, 1) << code;
    here = next;
  }
}

TEST(Hilbert3, NextCodeIsTheCellBeside) {
  expect_walk<std::uint32_t>(0, 300'000, hilbert3_10_inverse, hilbert3_10);
  expect_walk<std::uint32_t>((1U << 30) - 50'001, 50'000, hilbert3_10_inverse, hilbert3_10);
  expect_walk<std::uint64_t>(0, 50'000, hilbert3_21_inverse, hilbert3_21);
  expect_walk<std::uint64_t>((std::uint64_t{1} << 62) - 25'000, 50'000, hilbert3_21_inverse, hilbert3_21);
  expect_walk<std::uint64_t>((std::uint64_t{1} << 63) - 50'001, 50'000, hilbert3_21_inverse, hilbert3_21);
  EXPECT_EQ(hilbert3_10(0, 0, 0), 0U);
  EXPECT_EQ(hilbert3_21(0, 0, 0), 0U);
}

TEST(Hilbert3, InverseGivesTheCellBack) {
  EXPECT_TRUE(rc::check([](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    using Cell = std::array<std::uint32_t, 3>;
    RC_ASSERT((hilbert3_10_inverse(hilbert3_10(x, y, z)) == Cell{x & 0x3FF, y & 0x3FF, z & 0x3FF}));
    RC_ASSERT(
        (hilbert3_21_inverse(hilbert3_21(x, y, z)) == Cell{x & 0x1F'FFFF, y & 0x1F'FFFF, z & 0x1F'FFFF}));
  }));
}

}  // namespace
}  // namespace juxta
