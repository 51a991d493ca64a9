// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/order/reorder.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "juxta/core/random.h"
#include "support/code_of.h"
#include "support/executors.h"

namespace juxta {
namespace {

std::vector<std::uint32_t> random_order(std::size_t n, std::uint32_t limit) {
  std::vector<std::uint32_t> order(n);
  fill_random({.seed = 3, .step = 0, .purpose = 4}, 0, std::span(order));
  for (std::uint32_t& entry : order) {
    entry %= limit;
  }
  return order;
}

std::vector<std::uint32_t> random_permutation(std::size_t n) {
  std::vector<std::uint32_t> order(n);
  identity_order(order);
  const auto draws = random_order(n, 0xFFFF'FFFFU);
  for (std::size_t i = n; i > 1; --i) {
    std::swap(order[i - 1], order[draws[i - 1] % i]);
  }
  return order;
}

template <class T>
void expect_gathered(const Executor* executor) {
  for (const std::size_t n : std::initializer_list<std::size_t>{0, 1, 31, 32, 33, 4096, 4097, 50'000}) {
    const auto order = random_order(n, 1000);
    std::vector<T> in(1000), out(n), want(n);
    fill_random({}, 0, std::span(reinterpret_cast<std::uint32_t*>(in.data()), in.size() * sizeof(T) / 4));
    for (std::size_t i = 0; i < n; ++i) {
      want[i] = in[order[i]];
    }
    ASSERT_TRUE(gather(order, std::span<const T>(in), std::span(out), {.executor = executor}));
    ASSERT_EQ(out, want) << n;
  }
}

TEST(Gather, EverySizeOfElementOnEveryExecutor) {
  test::for_each_executor([](const Executor* executor) {
    expect_gathered<std::uint8_t>(executor);
    expect_gathered<std::uint16_t>(executor);
    expect_gathered<std::uint32_t>(executor);
    expect_gathered<std::uint64_t>(executor);
    expect_gathered<std::array<std::uint32_t, 3>>(executor);
    expect_gathered<std::array<std::uint32_t, 4>>(executor);
    expect_gathered<std::array<std::uint32_t, 7>>(executor);
  });
}

TEST(Gather, SeveralColumnsAtOnce) {
  const std::vector<std::uint32_t> order{2, 0, 2};
  const std::vector<double> a{1, 2, 3};
  const std::vector<std::uint8_t> b{7, 8, 9, 10};
  std::vector<double> new_a(3);
  std::vector<std::uint8_t> new_b(3);
  const std::array columns{gather_column<double>(a, new_a), gather_column<std::uint8_t>(b, new_b)};
  ASSERT_TRUE(gather(order, columns));
  EXPECT_EQ(new_a, (std::vector<double>{3, 1, 3}));
  EXPECT_EQ(new_b, (std::vector<std::uint8_t>{9, 7, 9}));
}

TEST(Gather, RefusesBeforeItWrites) {
  const std::vector<std::uint32_t> order{0, 1, 3, 4};
  const std::vector<float> in{1, 2, 3};
  std::vector<float> out(4, -1.0F), shorter(3);
  test::for_each_executor([&](const Executor* executor) {
    const auto result = gather(order, std::span<const float>(in), std::span(out), {.executor = executor});
    ASSERT_FALSE(result);
    EXPECT_EQ(test::code_of(result), ErrorCode::kInvalidArgument);
    EXPECT_EQ(result.error().index, 2U);
  });
  EXPECT_EQ(out, std::vector<float>(4, -1.0F));
  EXPECT_FALSE(gather(order, std::span<const float>(in), std::span(shorter)));
}

TEST(Gather, NamesTheFirstBadEntryOnAnyExecutor) {
  auto order = random_order(500'000, 1000);
  order[400'001] = 1000;
  order[499'999] = 0xFFFF'FFFF;
  const std::vector<float> in(1000);
  std::vector<float> out(order.size());
  test::for_each_executor([&](const Executor* executor) {
    const auto result = gather(order, std::span<const float>(in), std::span(out), {.executor = executor});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().index, 400'001U);
  });
}

TEST(InvertOrder, IsItsOwnInverse) {
  const auto order = random_permutation(200'000);
  test::for_each_executor([&](const Executor* executor) {
    std::vector<std::uint32_t> inverse(order.size()), back(order.size());
    ASSERT_TRUE(invert_order(order, inverse, {.executor = executor}));
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      ASSERT_EQ(inverse[order[i]], i);
    }
    ASSERT_TRUE(invert_order(inverse, back, {.executor = executor}));
    ASSERT_EQ(back, order);
  });
}

TEST(InvertOrder, RefusesWhatIsNoPermutation) {
  std::vector<std::uint32_t> inverse(4);
  auto result = invert_order(std::vector<std::uint32_t>{0, 1, 4, 2}, inverse);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().index, 2U);
  result = invert_order(std::vector<std::uint32_t>{0, 3, 3, 2}, inverse);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().index, 1U);
  EXPECT_FALSE(invert_order(std::vector<std::uint32_t>{0, 1, 2}, inverse));
  EXPECT_TRUE(invert_order({}, {}));
}

}  // namespace
}  // namespace juxta
