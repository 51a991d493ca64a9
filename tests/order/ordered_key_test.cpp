// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/order/ordered_key.h"

#include <gtest/gtest.h>

#include <rapidcheck.h>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace juxta {
namespace {

template <class T>
class OrderedKey : public testing::Test {};
using Types = testing::Types<std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(OrderedKey, Types);

template <class T>
void expect_same_order(T a, T b) {
  EXPECT_EQ(a < b, ordered_key(a) < ordered_key(b)) << a << " " << b;
  EXPECT_EQ(a == b, ordered_key(a) == ordered_key(b)) << a << " " << b;
}

TYPED_TEST(OrderedKey, EdgesKeepTheirOrder) {
  using Limits = std::numeric_limits<TypeParam>;
  std::vector<TypeParam> values{0, 1, 2, 1000, Limits::max(), Limits::lowest(), Limits::min()};
  if constexpr (Limits::has_infinity) {
    values.insert(values.end(), {TypeParam(-0.0), Limits::infinity(), -Limits::infinity(),
                                 Limits::denorm_min(), -Limits::denorm_min(), -Limits::min()});
  }
  for (const TypeParam a : values) {
    for (const TypeParam b : values) {
      expect_same_order(a, b);
      if (a != Limits::lowest()) {
        expect_same_order(static_cast<TypeParam>(-a), b);
      }
    }
  }
}

TYPED_TEST(OrderedKey, AnyTwoValuesKeepTheirOrder) {
  EXPECT_TRUE(rc::check([](std::uint64_t x, std::uint64_t y) {
    TypeParam a, b;
    std::memcpy(&a, &x, sizeof(a));
    std::memcpy(&b, &y, sizeof(b));
    if constexpr (std::numeric_limits<TypeParam>::has_infinity) {
      RC_PRE(!std::isnan(a) && !std::isnan(b));
    }
    RC_ASSERT((a < b) == (ordered_key(a) < ordered_key(b)));
    RC_ASSERT((a == b) == (ordered_key(a) == ordered_key(b)));
  }));
}

static_assert(ordered_key(-0.0F) == ordered_key(0.0F) && ordered_key(-0.0) == ordered_key(0.0));
static_assert(ordered_key(std::int32_t{-1}) < ordered_key(std::int32_t{0}));

}  // namespace
}  // namespace juxta
