// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Sixteen floats at once against one at a time, operation by operation, compiled for every instruction set.
#include "juxta/agents/lanes.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "agents/lanes_operations.h"
#include "juxta/core/isa.h"
#include "scenes/draws.h"

namespace juxta {
namespace {

using test::LaneOperation;
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kDenormal = std::numeric_limits<float>::denorm_min();
constexpr float kMax = std::numeric_limits<float>::max();

struct Copy {
  const char* name;
  test::LaneCall *call, *part_call;
  test::LaneLookCall* look;
};

/// The copies that this machine can run.
std::vector<Copy> copies() {
  std::vector<Copy> all{
      {"plain", test::lane_operations_plain, test::part_operations_plain, test::lane_look_plain}};
#ifdef JUXTA_TEST_LANES_X86
  for (const Isa isa : available_isas()) {
    if (isa == Isa::kSse4) {
      all.push_back({"sse4", test::lane_operations_sse4, test::part_operations_sse4, test::lane_look_sse4});
    } else if (isa == Isa::kAvx2) {
      all.push_back({"avx2", test::lane_operations_avx2, test::part_operations_avx2, test::lane_look_avx2});
    } else if (isa == Isa::kAvx3) {
      all.push_back({"avx3", test::lane_operations_avx3, test::part_operations_avx3, test::lane_look_avx3});
    }
  }
#endif
  return all;
}

float of(bool mask) {
  return mask ? 1.0F : 0.0F;
}

/// By the definition.
float expected(LaneOperation operation, float a, float b) {
  switch (operation) {
    case test::kAdd:
    case test::kAddTo:
      return a + b;
    case test::kSubtract:
    case test::kSubtractFrom:
      return a - b;
    case test::kMultiply:
    case test::kMultiplyBy:
      return a * b;
    case test::kDivide:
    case test::kDivideBy:
      return a / b;
    case test::kNegate:
      return std::bit_cast<float>(std::bit_cast<std::uint32_t>(a) ^ 0x80000000U);
    case test::kLess:
      return of(a < b);
    case test::kLessEqual:
      return of(a <= b);
    case test::kGreater:
      return of(a > b);
    case test::kGreaterEqual:
      return of(a >= b);
    case test::kEqual:
      return of(a == b);
    case test::kNotEqual:
      return of(a != b);
    case test::kAnd:
      return of(a < b && 0 < b);
    case test::kOr:
      return of(a < b || 0 < b);
    case test::kNot:
      return of(!(a < b));
    case test::kAll:
      return 1;
    case test::kNone:
      return 0;
    case test::kSelect:
    case test::kMin:
      return a < b ? a : b;
    case test::kSqrt:
      return std::sqrt(a);
    case test::kMax:
      return a > b ? a : b;
    case test::kClamp:
      return (a < b ? a : b) > -1 ? (a < b ? a : b) : -1.0F;
    case test::kAbs:
      return std::bit_cast<float>(std::bit_cast<std::uint32_t>(a) & 0x7fffffffU);
    case test::kSame:
      return 3.25F;
    case test::kLaneOperations:
      break;
  }
  return kNan;
}

/// To the bit; any NaN for a NaN.
bool same(float a, float b) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

void expect_as_scalars(const std::vector<float>& a, const std::vector<float>& b) {
  ASSERT_EQ(a.size() % kLanes, 0u);
  for (const Copy& copy : copies()) {
    SCOPED_TRACE(copy.name);
    for (std::size_t at = 0; at < a.size(); at += kLanes) {
      std::vector<float> out(test::kLaneOperations * kLanes, -77.0F), part_out(out);
      std::array<bool, kLanes> less{};
      std::array<float, kLanes> sum{};
      copy.call(&a[at], &b[at], out.data());
      copy.part_call(&a[at], &b[at], part_out.data());
      copy.look(&a[at], &b[at], less.data(), sum.data());
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const float x = a[at + lane], y = b[at + lane];
        for (int i = 0; i < test::kLaneOperations; ++i) {
          const float right = expected(static_cast<LaneOperation>(i), x, y);
          const float got = out[static_cast<std::size_t>(i * kLanes) + lane];
          ASSERT_TRUE(same(part_out[static_cast<std::size_t>(i * kLanes) + lane], right)) << i;
          ASSERT_TRUE(same(got, right)) << "operation " << i << " of " << x << ", " << y << " in lane "
                                        << lane << ": " << got << ", not " << right;
        }
        ASSERT_EQ(less[lane], x < y) << lane;
        ASSERT_TRUE(same(sum[lane], x + y)) << lane;
      }
    }
  }
}

TEST(Lanes, EveryPairOfSpecialValues) {
  const std::vector<float> values{0.0F, -0.0F,          1,          -1,         kInf,  -kInf,
                                  kNan, kDenormal,      -kDenormal, kMax,       -kMax, 0.1F,
                                  3,    0x1.fffffep-1F, 0x1p-126F,  16777217.0F};
  std::vector<float> a, b;
  for (const float x : values) {
    for (const float y : values) {
      a.push_back(x);
      b.push_back(y);
    }
  }
  expect_as_scalars(a, b);
}

TEST(Lanes, RandomValuesOfEverySize) {
  scenes::Draws draws(5);
  std::vector<float> a(16'000), b(16'000);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = std::ldexp(draws.uniform(-1, 1), static_cast<int>(draws.below(40)) - 20);
    b[i] =
        draws.below(8) == 0 ? a[i] : std::ldexp(draws.uniform(-1, 1), static_cast<int>(draws.below(40)) - 20);
  }
  expect_as_scalars(a, b);
}

TEST(Lanes, AnyBits) {
  scenes::Draws draws(6);
  std::vector<float> a(16'000), b(16'000);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = std::bit_cast<float>(static_cast<std::uint32_t>(draws.next()));
    b[i] = std::bit_cast<float>(static_cast<std::uint32_t>(draws.next()));
  }
  expect_as_scalars(a, b);
}

// The words that a rule is written with mean the same for one float.
TEST(Lanes, TheSameWordsForOneFloat) {
  EXPECT_EQ(select(true, 1.0F, 2.0F), 1);
  EXPECT_EQ(select(false, 1.0F, 2.0F), 2);
  EXPECT_EQ(juxta::sqrt(9.0F), 3);
  EXPECT_EQ(juxta::min(1.0F, 2.0F), 1);
  EXPECT_EQ(juxta::max(1.0F, 2.0F), 2);
  EXPECT_EQ(juxta::abs(-2.0F), 2);
  EXPECT_EQ(juxta::clamp(-2.0F, 0.0F, 1.0F), 0);
  EXPECT_EQ(juxta::clamp(0.5F, 0.0F, 1.0F), 0.5F);
  EXPECT_EQ(juxta::clamp(kNan, 0.0F, 1.0F), 1);
  EXPECT_EQ(juxta::min(kNan, 2.0F), 2);
  EXPECT_EQ(juxta::max(kNan, 2.0F), 2);
  EXPECT_TRUE(std::isnan(juxta::min(2.0F, kNan)));
  EXPECT_TRUE(std::isnan(juxta::max(2.0F, kNan)));
}

}  // namespace
}  // namespace juxta
