// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The kernel against its plain twin on every instruction set: all lengths around a register, no byte beyond.
#include "order/curves_kernel.h"

#include <gtest/gtest.h>

#include <vector>

#include "juxta/core/random.h"
#include "juxta/order/curves.h"
#include "support/code_of.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

std::vector<std::uint16_t> random_cells(std::size_t n, std::uint32_t purpose) {
  std::vector<std::uint32_t> words(n);
  fill_random({.seed = 9, .step = 0, .purpose = purpose}, 0, std::span(words));
  std::vector<std::uint16_t> cells(n);
  for (std::size_t i = 0; i < n; ++i) {
    cells[i] = static_cast<std::uint16_t>(words[i]);
  }
  return cells;
}

TEST(Hilbert2Kernel, EqualsItsTwinAndWritesNothingBeyond) {
  test::for_each_isa([](Isa) {
    for (std::size_t n = 0; n <= 200; ++n) {
      const auto x = random_cells(n, 1),
                 y = random_cells(n, 2);  // exact sizes: a sanitizer sees what is read
      std::vector<std::uint32_t> got(n + 1, 0xABCDU), want(n + 1, 0xABCDU);
      order_detail::hilbert2_block(x.data(), y.data(), got.data(), n);
      order_detail::hilbert2_block_reference(x.data(), y.data(), want.data(), n);
      ASSERT_EQ(got, want) << n;
    }
  });
}

TEST(Hilbert2Kernel, EveryCellOfTwoColumnsAndRows) {
  test::for_each_isa([](Isa) {
    std::vector<std::uint16_t> line(65'536), fixed(65'536);
    std::vector<std::uint32_t> got(65'536), want(65'536);
    for (std::size_t i = 0; i < line.size(); ++i) {
      line[i] = static_cast<std::uint16_t>(i);
    }
    for (const unsigned at : {0U, 1U, 0x7FFFU, 0x8000U, 0xAAAAU, 0xFFFFU}) {
      std::fill(fixed.begin(), fixed.end(), static_cast<std::uint16_t>(at));
      order_detail::hilbert2_block(line.data(), fixed.data(), got.data(), line.size());
      order_detail::hilbert2_block_reference(line.data(), fixed.data(), want.data(), line.size());
      ASSERT_EQ(got, want);
      order_detail::hilbert2_block(fixed.data(), line.data(), got.data(), line.size());
      order_detail::hilbert2_block_reference(fixed.data(), line.data(), want.data(), line.size());
      ASSERT_EQ(got, want);
    }
  });
}

TEST(Hilbert2Codes, EqualSingleCodesOnEveryExecutor) {
  const auto x = random_cells(200'003, 1), y = random_cells(200'003, 2);
  test::for_each_executor([&](const Executor* executor) {
    std::vector<std::uint32_t> codes(x.size());
    ASSERT_TRUE(hilbert2_codes(x, y, codes, {.executor = executor}));
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(codes[i], hilbert2(x[i], y[i])) << i;
    }
  });
}

TEST(Hilbert2Codes, RefusesColumnsOfDifferentLength) {
  const std::vector<std::uint16_t> x(3), y(2);
  std::vector<std::uint32_t> codes(3);
  const auto result = hilbert2_codes(x, y, codes);
  ASSERT_FALSE(result);
  EXPECT_EQ(test::code_of(result), ErrorCode::kInvalidArgument);
  EXPECT_FALSE(hilbert2_codes(x, x, std::span(codes).first(2)));
}

}  // namespace
}  // namespace juxta
