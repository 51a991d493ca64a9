// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/order/radix_sort.h"
#include "juxta/core/workspace.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "juxta/core/random.h"
#include "support/code_of.h"
#include "support/executors.h"

namespace juxta {
namespace {

template <class Key>
class RadixSort : public testing::Test {};
using Keys = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(RadixSort, Keys);

template <class Key>
struct Shape {
  std::string name;
  std::function<Key(Key random, std::size_t i, std::size_t n)> key;
};

// Each shape takes another path: passes skipped, buckets that keep everything, runs that equal in all high
// bits.
template <class Key>
std::vector<Shape<Key>> shapes() {
  constexpr int kBits = sizeof(Key) * 8;
  return {
      {"uniform", [](Key r, std::size_t, std::size_t) { return r; }},
      {"all equal", [](Key, std::size_t, std::size_t) { return Key{7}; }},
      {"two values", [](Key r, std::size_t, std::size_t) { return Key{r & 1}; }},
      {"lowest bits", [](Key r, std::size_t, std::size_t) { return Key{r & 0x3FF}; }},
      {"highest bits",
       [](Key r, std::size_t, std::size_t) { return Key(r & Key(Key{0x3F} << (kBits - 6))); }},
      {"ascending", [](Key, std::size_t i, std::size_t) { return Key(i / 3); }},
      {"descending", [](Key, std::size_t i, std::size_t n) { return Key((n - i) / 3); }},
      {"saw", [](Key, std::size_t i, std::size_t) { return Key(i % 1000); }},
      {"geometric", [](Key r, std::size_t i, std::size_t) { return Key(r >> (i % kBits)); }},
      {"one stray",
       [](Key r, std::size_t i, std::size_t n) { return i == n / 2 ? Key(~Key{0}) : Key{r & 0xFF}; }},
      {"two clusters",
       [](Key r, std::size_t, std::size_t) { return Key((r & 0xFFF) | ((r >> 13 & 1) << (kBits - 1))); }},
  };
}

template <class Key>
std::vector<Key> make(const Shape<Key>& shape, std::size_t n) {
  std::vector<Key> keys(n);
  fill_random({.seed = n, .step = 0, .purpose = 1}, 0, std::span(keys));
  for (std::size_t i = 0; i < n; ++i) {
    keys[i] = shape.key(keys[i], i, n);
  }
  return keys;
}

// What the standard library makes of a column.
template <class Key>
struct Sorted {
  std::vector<Key> input, keys;
  std::vector<std::uint32_t> order;

  explicit Sorted(std::vector<Key> given) : input(std::move(given)), order(input.size()) {
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return input[a] < input[b]; });
    for (const std::uint32_t i : order) {
      keys.push_back(input[i]);
    }
  }
};

template <class Key>
void expect_sorted(const Sorted<Key>& want, Workspace& workspace, const Executor* executor) {
  std::vector<Key> keys = want.input;
  std::vector<std::uint32_t> values(keys.size());
  std::iota(values.begin(), values.end(), 0U);
  ASSERT_TRUE(
      sort_pairs(std::span(keys), std::span(values), {.executor = executor, .workspace = &workspace}));
  EXPECT_TRUE(keys == want.keys);
  EXPECT_TRUE(values == want.order);
  keys = want.input;
  ASSERT_TRUE(sort_keys(std::span(keys), {.executor = executor, .workspace = &workspace}));
  EXPECT_TRUE(keys == want.keys);
}

TYPED_TEST(RadixSort, EqualsStableSortForEveryShapeAndSize) {
  Workspace workspace;
  for (const auto& shape : shapes<TypeParam>()) {
    for (const std::size_t n : std::initializer_list<std::size_t>{0, 1, 2, 3, 31, 32, 33, 100, 1000, 4095,
                                                                  4096, 4097, 30'000, 65'536, 65'537}) {
      SCOPED_TRACE(shape.name + " " + std::to_string(n));
      expect_sorted(Sorted(make(shape, n)), workspace, nullptr);
    }
  }
}

TYPED_TEST(RadixSort, EqualsStableSortOnEveryExecutor) {
  Workspace workspace;
  for (const auto& shape : shapes<TypeParam>()) {
    for (const std::size_t n : std::initializer_list<std::size_t>{8192, 8193, 8194, 20'000, 300'001}) {
      SCOPED_TRACE(shape.name + " " + std::to_string(n));
      const Sorted want(make(shape, n));
      test::for_each_executor([&](const Executor* executor) { expect_sorted(want, workspace, executor); });
    }
  }
}

TYPED_TEST(RadixSort, EqualsStableSortForAnyKeys) {
  Workspace workspace;
  EXPECT_TRUE(rc::check([&](std::vector<TypeParam> few, unsigned copies, unsigned shift) {
    std::vector<TypeParam> keys;
    for (unsigned c = 0; c <= copies % 50; ++c) {
      for (const TypeParam key : few) {
        keys.push_back(key << (shift % (sizeof(TypeParam) * 8)));
      }
    }
    expect_sorted(Sorted(keys), workspace, nullptr);
    RC_ASSERT(!testing::Test::HasFailure());
  }));
}

TYPED_TEST(RadixSort, RefusesColumnsOfDifferentLength) {
  Workspace workspace;
  std::vector<TypeParam> keys{3, 2, 1};
  std::vector<std::uint32_t> values{0, 1};
  const auto result = sort_pairs(std::span(keys), std::span(values), {.workspace = &workspace});
  ASSERT_FALSE(result);
  EXPECT_EQ(test::code_of(result), ErrorCode::kInvalidArgument);
  EXPECT_EQ(keys, (std::vector<TypeParam>{3, 2, 1}));
}

TYPED_TEST(RadixSort, RefusesMoreThanAnIndexHolds) {
  Workspace workspace;
  TypeParam one = 0;  // never read: the size is refused first
  const auto result = sort_keys(std::span(&one, std::size_t{0xFFFF'FFFF}), {.workspace = &workspace});
  ASSERT_FALSE(result);
  EXPECT_EQ(test::code_of(result), ErrorCode::kTooLarge);
}

TYPED_TEST(RadixSort, AllocatesNothingTheSecondTime) {
  Workspace workspace;
  const auto input = make(shapes<TypeParam>()[0], 200'000);
  std::size_t held = 0;
  for (int round = 0; round < 3; ++round) {
    auto keys = input;
    ASSERT_TRUE(sort_keys(std::span(keys), {.workspace = &workspace}));
    if (round > 0) {
      EXPECT_EQ(workspace.memory_bytes(), held);
    }
    held = workspace.memory_bytes();
  }
}

}  // namespace
}  // namespace juxta
