// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/core/random.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "core/random_kernel.h"
#include "support/each_isa.h"

namespace juxta {
namespace {

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  return random_block(
      {.seed = std::uint64_t{key[1]} << 32 | key[0], .step = counter[2], .purpose = counter[3]},
      std::uint64_t{counter[1]} << 32 | counter[0]);
}

// The vectors that Random123 publishes for philox4x32-10 (its examples/kat_vectors).
TEST(Random, KnownAnswers) {
  using Block = std::array<std::uint32_t, 4>;
  constexpr std::uint32_t kOnes = 0xFFFF'FFFFU;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

template <class T, class Single>
void expect_batch(const RandomKey& key, std::uint64_t first, std::size_t n, Single&& single) {
  std::vector<T> out(n);
  fill_random(key, first, std::span(out));
  for (std::size_t i = 0; i < n; ++i) {
    RC_ASSERT(out[i] == single(key, first + i));
  }
}

TEST(Random, BatchesEqualSingleNumbers) {
  EXPECT_TRUE(rc::check(
      [](std::uint64_t seed, std::uint32_t step, std::uint32_t purpose, std::uint64_t first, std::uint8_t n) {
        const RandomKey key{seed, step, purpose};
        expect_batch<std::uint32_t>(key, first, n, random_u32);
        expect_batch<std::uint64_t>(key, first, n, random_u64);
        expect_batch<float>(key, first, n, random_float);
        expect_batch<double>(key, first, n, random_double);
      }));
}

TEST(Random, BlocksOfManyEqualSingleOnesOnEveryInstructionSet) {
  using Block = std::array<std::uint32_t, 4>;
  test::for_each_isa([](Isa) {
    for (const RandomKey key : {RandomKey{}, RandomKey{0xFEDC'BA98'7654'3210, 17, 0xFFFF'FFFF}}) {
      // Across 2^32 and around 2^64, as ids are counted.
      for (const std::uint64_t first : {0ULL, 0xFFFF'FFE0ULL, 0xFFFF'FFFF'FFFF'FFF0ULL}) {
        for (std::size_t count = 0; count <= 68; ++count) {
          std::vector<Block> many(count + 1, Block{1, 2, 3, 4}), plain(count);
          fill_random(key, first, std::span(many).first(count));
          core_detail::philox_blocks_plain(key, first, plain);
          EXPECT_TRUE(std::equal(plain.begin(), plain.end(), many.begin())) << first << " + " << count;
          EXPECT_EQ(many[count], (Block{1, 2, 3, 4})) << "written behind the end";
          for (std::size_t i = 0; i < count; ++i) {
            ASSERT_EQ(many[i], random_block(key, first + i));
          }
        }
      }
    }
  });
}

TEST(Random, EveryPartOfTheKeyChangesTheNumber) {
  const std::uint64_t base = random_u64({1, 2, 3}, 4);
  EXPECT_EQ(random_u64({1, 2, 3}, 4), base);
  EXPECT_NE(random_u64({5, 2, 3}, 4), base);
  EXPECT_NE(random_u64({1, 5, 3}, 4), base);
  EXPECT_NE(random_u64({1, 2, 5}, 4), base);
  EXPECT_NE(random_u64({1, 2, 3}, 5), base);
  EXPECT_NE(random_u64({1, 2, 3}, random_id({4, 1})), base);
  EXPECT_NE(random_u64({std::uint64_t{1} << 32 | 1, 2, 3}, 4), base);
}

TEST(Random, FractionsAreInRangeAndSpread) {
  constexpr std::size_t kCount = 1'000'000;
  std::vector<float> floats(kCount);
  std::vector<double> doubles(kCount);
  fill_random({7, 0, 0}, 0, std::span(floats));
  fill_random({7, 0, 1}, 0, std::span(doubles));
  double sum_f = 0, sum_d = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    ASSERT_TRUE(floats[i] >= 0 && floats[i] < 1);
    ASSERT_TRUE(doubles[i] >= 0 && doubles[i] < 1);
    sum_f += static_cast<double>(floats[i]);
    sum_d += doubles[i];
  }
  EXPECT_NEAR(sum_f / kCount, 0.5, 0.0015);  // five standard deviations of the mean
  EXPECT_NEAR(sum_d / kCount, 0.5, 0.0015);
}

TEST(RandomOrder, IsEveryNumberOnceAndEveryOrderAsOftenAsAnyOther) {
  std::array<std::uint32_t, 24> seen{};
  for (std::uint32_t step = 0; step < 24'000; ++step) {
    std::array<std::uint32_t, 4> order{};
    random_order({5, step, 1}, order);
    auto sorted = order;
    std::ranges::sort(sorted);
    ASSERT_EQ(sorted, (std::array<std::uint32_t, 4>{0, 1, 2, 3}));
    // The order's number: how many of the later ones are smaller, as digits of 4! = 4 * 3 * 2 * 1.
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const auto smaller = std::count_if(order.begin() + static_cast<std::ptrdiff_t>(i), order.end(),
                                         [&](std::uint32_t other) { return other < order[i]; });
      number = number * static_cast<std::uint32_t>(4 - i) + static_cast<std::uint32_t>(smaller);
    }
    ++seen[number];
  }
  for (const std::uint32_t times : seen) {  // 1000 expected, standard deviation 31
    EXPECT_GT(times, 850u);
    EXPECT_LT(times, 1150u);
  }
}

TEST(RandomOrder, IsTheShuffleThatTheHeaderDescribes) {
  for (const std::size_t count : {1U, 2U, 3U, 5U, 255U, 256U, 257U, 258U, 511U, 513U, 3000U}) {
    const RandomKey key{11, 4, 6};
    std::vector<std::uint32_t> order(count), expected(count);
    random_order(key, order);
    std::iota(expected.begin(), expected.end(), 0u);
    for (std::size_t swap = 0; swap + 1 < count; ++swap) {
      const std::size_t left = count - swap;
      const std::uint64_t word = random_block(key, swap / 4)[swap % 4];
      std::swap(expected[left - 1], expected[word * left >> 32]);
    }
    EXPECT_EQ(order, expected) << count;
  }
}

TEST(RandomOrder, TakesAnyLengthAndIsAFunctionOfTheKey) {
  for (const std::size_t count : {0U, 1U, 10U, 1000U}) {
    std::vector<std::uint32_t> a(count), b(count), c(count);
    random_order({9, 3, 2}, a);
    random_order({9, 3, 2}, b);
    random_order({9, 4, 2}, c);
    EXPECT_EQ(a, b);
    EXPECT_EQ(a == c, count < 2);
  }
}

}  // namespace
}  // namespace juxta
