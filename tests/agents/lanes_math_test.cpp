// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// exp, log, sin, cos and pow of lanes: the same bits for every instruction set and for a float alone, within
// the errors that docs/interactions.md states, and the special values of C.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "agents/lanes_functions.h"
#include "agents/math_rules.h"
#include "juxta/agents/act.h"
#include "juxta/agents/simulation.h"
#include "scenes/draws.h"
#include "support/each_isa.h"
#include "support/fnv.h"

namespace juxta {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kLeast = std::numeric_limits<float>::denorm_min();
constexpr float kMax = std::numeric_limits<float>::max();
constexpr float kTurns = 100'000;  // the range of sin and cos
const std::vector<float> kSpecial{
    0,          -0.0F,       1,           -1,        2,      -2,          3,          -3,         0.5F,
    -0.5F,      1.5F,        -1.5F,       kInf,      -kInf,  kNan,        kLeast,     kMax,       -kMax,
    -kLeast,    0x1p-126F,   0x1p23F,     0x1p24F,   1e-39F, -1e-39F,     88.7F,      88.8F,      -87,
    -103.9F,    -104,        -104.1F,     1000,      -1000,  kTurns,      -kTurns,    100001,     8388607,
    8388609,    -8388607.0F, 16777217.0F, 1e9F,      -1e9F,  0.70710677F, 0.7071068F, 1.4142135F, 0.9999999F,
    1.0000001F, 0.7853982F,  1.5707963F,  3.1415927F};

/// Whole groups of lanes: the last ones are filled with 1.
struct Arguments {
  void add(float a, float b) {
    x.push_back(a);
    y.push_back(b);
  }
  void finish() {
    while (x.size() % kLanes != 0) {
      add(1, 1);
    }
  }
  std::vector<float> x, y;
};

/// About the binary logarithm of |a|. None of the functions of C that another machine may round otherwise.
float about_log2(float a) {
  int exponent = 0;
  std::frexp(a, &exponent);
  return static_cast<float>(exponent) - 0.5F;
}

/// Pairs of special values, then every 16411th float, each with a second one that keeps the power in range.
Arguments arguments() {
  Arguments all;
  for (const float a : kSpecial) {
    for (const float b : kSpecial) {
      all.add(a, b);
    }
  }
  scenes::Draws draws(8);
  for (std::uint64_t bits = 0; bits < (1ULL << 32); bits += 16411) {
    const float a = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    const float whole = static_cast<float>(draws.below(41)) - 20;
    const float other = draws.uniform(-152, 130) / about_log2(a);
    all.add(a, draws.below(4) == 0 || a < 0 || !std::isfinite(other) ? whole : other);
  }
  for (int i = 0; i < 60'000; ++i) {  // where rules are: near 1, and angles of a few turns
    const float a = draws.uniform(-20, 20);
    all.add(a, draws.uniform(-5, 5));
    const int small = -static_cast<int>(draws.below(22));  // drawn first by every compiler
    const float near_one = 1 + std::ldexp(draws.uniform(-1, 1), small);
    all.add(near_one, draws.uniform(-50, 50) / (near_one - 1));
  }
  for (int i = 1; i < 64'000; i += 3) {  // where sines and cosines are next to 0
    all.add(static_cast<float>(i * 1.5707963267948966), 0.5F);
  }
  all.finish();
  return all;
}

using test::LaneFunctionCall;
using Results = std::vector<float>;  // of all arguments: kLaneFunctions for each

Results results(LaneFunctionCall* call, const Arguments& all) {
  Results out(all.x.size() * test::kLaneFunctions);
  float lanes[test::kLaneFunctions * kLanes];
  for (std::size_t at = 0; at < all.x.size(); at += kLanes) {
    call(&all.x[at], &all.y[at], lanes);
    for (std::size_t k = 0; k < kLanes; ++k) {
      for (std::size_t i = 0; i < test::kLaneFunctions; ++i) {
        const float y = lanes[i * kLanes + k];
        out[(at + k) * test::kLaneFunctions + i] = std::isnan(y) ? kNan : y;  // any NaN for a NaN
      }
    }
  }
  return out;
}

double exact(int function, double x, double y) {
  switch (function) {
    case test::kExp:
      return std::exp(x);
    case test::kLog:
      return std::log(x);
    case test::kSin:
      return std::abs(x) <= kTurns ? std::sin(x) : kNan;
    case test::kCos:
      return std::abs(x) <= kTurns ? std::cos(x) : kNan;
    default:
      return std::pow(x, y);
  }
}

/// The distance of floats where `value` is.
double ulp(double value) {
  int exponent = 0;
  std::frexp(value, &exponent);
  return std::ldexp(1.0, std::max(exponent, -125) - 24);
}

struct Copy {
  const char* name;
  LaneFunctionCall *lanes, *part, *single;
};

/// The copies that this machine can run, the plain one first.
std::vector<Copy> copies() {
  std::vector<Copy> all{
      {"plain", test::lane_functions_plain, test::part_functions_plain, test::float_functions_plain}};
#ifdef JUXTA_TEST_LANES_X86
  for (const Isa isa : test::tested_isas()) {
    if (isa == Isa::kSse4) {
      all.push_back(
          {"sse4", test::lane_functions_sse4, test::part_functions_sse4, test::float_functions_sse4});
    } else if (isa == Isa::kAvx2) {
      all.push_back(
          {"avx2", test::lane_functions_avx2, test::part_functions_avx2, test::float_functions_avx2});
    } else if (isa == Isa::kAvx3) {
      all.push_back(
          {"avx3", test::lane_functions_avx3, test::part_functions_avx3, test::float_functions_avx3});
    }
  }
#endif
  return all;
}

void expect_same_bits(const Results& expected, const Results& got, const Arguments& all) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::size_t at = i / test::kLaneFunctions;
    ASSERT_EQ(std::bit_cast<std::uint32_t>(expected[i]), std::bit_cast<std::uint32_t>(got[i]))
        << "function " << i % test::kLaneFunctions << " of " << all.x[at] << ", " << all.y[at];
  }
}

// One float alone is the plain twin of sixteen.
TEST(LanesMath, TheSameBitsForEveryInstructionSet) {
  const Arguments all = arguments();
  const Results expected = results(test::float_functions_plain, all);
  for (const Copy& copy : copies()) {
    SCOPED_TRACE(copy.name);
    expect_same_bits(expected, results(copy.lanes, all), all);
    expect_same_bits(expected, results(copy.part, all), all);
    expect_same_bits(expected, results(copy.single, all), all);
  }
}

// One number for every compiler, optimisation and machine.
TEST(LanesMath, Golden) {
  EXPECT_EQ(test::fnv(std::span<const float>(results(test::lane_functions_plain, arguments()))),
            0x8752c45e70c5feccU);
}

TEST(LanesMath, ErrorsAreWithinTheBounds) {
  constexpr double kBounds[test::kLaneFunctions] = {1, 0.9, 1.6, 1.6, 0.51};
  const Arguments all = arguments();
  const Results got = results(test::lane_functions_plain, all);
  double worst[test::kLaneFunctions] = {};
  for (std::size_t i = 0; i < got.size(); ++i) {
    const std::size_t at = i / test::kLaneFunctions, function = i % test::kLaneFunctions;
    const double right = exact(static_cast<int>(function), all.x[at], all.y[at]);
    const auto nearest = static_cast<float>(right);
    if (!std::isfinite(nearest)) {  // infinite or NaN, in the same cases
      ASSERT_TRUE(std::isnan(nearest) ? std::isnan(got[i]) : got[i] == nearest)
          << "function " << function << " of " << all.x[at] << ", " << all.y[at] << " is " << got[i];
      continue;
    }
    const double error = std::abs(got[i] - right) / ulp(right);
    ASSERT_LE(error, kBounds[function])
        << "function " << function << " of " << all.x[at] << ", " << all.y[at] << " is " << got[i];
    worst[function] = std::max(worst[function], error);
  }
  for (int i = 0; i < test::kLaneFunctions; ++i) {
    EXPECT_GT(worst[i], 0.8 * kBounds[i]) << "function " << i << ": the bound is too wide";
  }
}

void expect_bits(float got, float expected) {
  EXPECT_TRUE((std::isnan(got) && std::isnan(expected)) ||
              std::bit_cast<std::uint32_t>(got) == std::bit_cast<std::uint32_t>(expected))
      << got << ", not " << expected;
}

TEST(LanesMath, SpecialValues) {
  for (const float zero : {0.0F, -0.0F}) {
    expect_bits(juxta::exp(zero), 1);
    expect_bits(juxta::log(zero), -kInf);
    expect_bits(juxta::sin(zero), zero);
    expect_bits(juxta::cos(zero), 1);
  }
  expect_bits(juxta::log(1), 0);
  expect_bits(juxta::exp(kInf), kInf);
  expect_bits(juxta::exp(-kInf), 0);
  EXPECT_LT(juxta::exp(88.72283F), kMax);
  expect_bits(juxta::exp(std::nextafter(88.72283F, kInf)), kInf);
  expect_bits(juxta::exp(-103.97207F), kLeast);
  expect_bits(juxta::exp(std::nextafter(-103.97208F, -kInf)), 0);
  expect_bits(juxta::log(kInf), kInf);
  for (const float below : {-kLeast, -1.0F, -kInf}) {
    expect_bits(juxta::log(below), kNan);
  }
  for (const float beyond : {100'000.01F, -1e20F, kInf, -kInf}) {
    expect_bits(juxta::sin(beyond), kNan);
    expect_bits(juxta::cos(beyond), kNan);
  }
  for (float (*function)(float) : {&juxta::exp, &juxta::log, &juxta::sin, &juxta::cos}) {
    expect_bits(function(kNan), kNan);
  }
}

// Each case of C's pow, signs of zeros included.
TEST(LanesMath, SpecialValuesOfPow) {
  for (const float x : kSpecial) {
    for (const float y : kSpecial) {
      const auto expected = static_cast<float>(std::pow(static_cast<double>(x), static_cast<double>(y)));
      const float got = juxta::pow(x, y);
      if (!std::isfinite(expected) || expected == 0 || expected == 1) {
        SCOPED_TRACE(testing::Message() << x << " to the power of " << y);
        expect_bits(got, expected);
      }
    }
  }
}

TEST(LanesMath, PowersThatAreFloatsAreExact) {
  for (const float x : kSpecial) {
    expect_bits(juxta::pow(x, 1), x);
  }
  for (int i = -149; i <= 127; ++i) {
    expect_bits(juxta::pow(2, static_cast<float>(i)), std::ldexp(1.0F, i));
  }
  for (int i = 1; i <= 4096; ++i) {
    const auto x = static_cast<float>(i);
    expect_bits(juxta::pow(x, 2), x * x);
    expect_bits(juxta::pow(x * x, 0.5F), x);
  }
}

// Sines turn with the sign of the angle, whatever the quadrant.
TEST(LanesMath, Symmetry) {
  scenes::Draws draws(9);
  for (int i = 0; i < 10'000; ++i) {
    const float x = draws.uniform(0, 1000);
    expect_bits(juxta::sin(-x), -juxta::sin(x));
    expect_bits(juxta::cos(-x), juxta::cos(x));
  }
}

// Through an action, with the flags of juxta_add_interactions().
TEST(LanesMath, InARule) {
  const Arguments all = arguments();
  constexpr std::size_t kRows = 20'011;
  const std::size_t step = all.x.size() / kRows;
  auto simulation = Simulation::build({.dimensions = 2}, 1).value();
  Population& agents = *simulation.add_population("agents").value();
  ASSERT_TRUE(agents.add_columns({"a", "b", "e", "l", "s", "c", "p"}));
  ASSERT_TRUE(agents.insert(kRows));
  const auto column = [&](const char* name) { return agents.write(*agents.find_column<float>(name)); };
  for (std::size_t row = 0; row < kRows; ++row) {
    column("a")[row] = all.x[row * step];
    column("b")[row] = all.y[row * step];
  }
  test::for_each_isa([&](Isa) {
    ASSERT_TRUE(act(agents, test::Functions{}));
    for (std::size_t row = 0; row < kRows; ++row) {
      const test::Functions::Reads<float> in{all.x[row * step], all.y[row * step]};
      test::Functions::Writes<float> out{};
      test::Functions{}(in, out);
      SCOPED_TRACE(testing::Message() << in.a << ", " << in.b);
      expect_bits(column("e")[row], out.e);
      expect_bits(column("l")[row], out.l);
      expect_bits(column("s")[row], out.s);
      expect_bits(column("c")[row], out.c);
      expect_bits(column("p")[row], out.p);
      if (testing::Test::HasFailure()) {
        return;
      }
    }
  });
}

}  // namespace
}  // namespace juxta
