// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The sort of curve codes against std::stable_sort, on every executor.
#include "order/code_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <numeric>
#include <string>
#include <vector>

#include "juxta/core/random.h"
#include "support/executors.h"

namespace juxta {
namespace {

using Codes = std::vector<std::uint32_t>;

struct Shape {
  std::string name;
  std::function<std::uint32_t(std::uint32_t random, std::size_t i)> code;
};

// One digit, two, three; size classes above a hole; nothing to do; bits that do not differ in between.
const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = {
      {"one digit", [](std::uint32_t r, std::size_t) { return r & 0x3FF; }},
      {"eleven bits", [](std::uint32_t r, std::size_t) { return r & 0x7FF; }},
      {"twelve bits", [](std::uint32_t r, std::size_t) { return r & 0xFFF; }},
      {"plane", [](std::uint32_t r, std::size_t) { return r & 0x3FFFF; }},
      {"space", [](std::uint32_t r, std::size_t) { return r & 0x1FFFFF; }},
      {"thirty bits", [](std::uint32_t r, std::size_t) { return r & 0x3FFFFFFF; }},
      {"all bits", [](std::uint32_t r, std::size_t) { return r; }},
      {"plane and classes", [](std::uint32_t r, std::size_t) { return r & 0xC003FFFF; }},
      {"classes alone", [](std::uint32_t r, std::size_t) { return r & 0xC0000000; }},
      {"one class", [](std::uint32_t r, std::size_t) { return (r & 0x3FFFF) | 0x80000000; }},
      {"equal", [](std::uint32_t, std::size_t) { return 77U; }},
      {"ascending", [](std::uint32_t, std::size_t i) { return static_cast<std::uint32_t>(i / 3); }},
      {"descending",
       [](std::uint32_t, std::size_t i) { return 0x3FFFFFFF - static_cast<std::uint32_t>(i / 3); }},
      {"one that is larger", [](std::uint32_t, std::size_t i) { return i == 100 ? 1U << 29 : 0U; }},
  };
  return all;
}

Codes draw(const Shape& shape, std::size_t n) {
  Codes codes(n);
  fill_random({.seed = n, .step = 0, .purpose = 1}, 0, std::span(codes));
  for (std::size_t i = 0; i < n; ++i) {
    codes[i] = shape.code(codes[i], i);
  }
  return codes;
}

TEST(CodeSort, EqualsStableSort) {
  for (const Shape& shape : shapes()) {
    for (const std::size_t n : std::initializer_list<std::size_t>{0, 1, 2, 100, 511, 512, 513, 5000, 70'000,
                                                                  (1 << 18), (1 << 18) + 1}) {
      const Codes codes = draw(shape, n);
      std::vector<std::uint32_t> want(n);
      std::iota(want.begin(), want.end(), 0U);
      std::stable_sort(want.begin(), want.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return codes[a] < codes[b]; });
      Workspace workspace;
      test::for_each_executor([&](const Executor* executor) {
        Codes sorted = codes;
        std::vector<std::uint32_t> order(n, 12345);
        order_detail::sort_codes(sorted, order, workspace, executor_or_serial(executor));
        ASSERT_EQ(order, want) << shape.name << ' ' << n;
        for (std::size_t i = 0; i < n; ++i) {
          ASSERT_EQ(sorted[i], codes[want[i]]) << shape.name << ' ' << n << " at " << i;
        }
      });
    }
  }
}

}  // namespace
}  // namespace juxta
