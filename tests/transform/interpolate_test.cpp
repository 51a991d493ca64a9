// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/transform/interpolate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <numbers>
#include <vector>

#include "support/code_of.h"
#include "support/executors.h"
#include "support/fnv.h"
#include "transform/draw_transforms.h"

namespace juxta {
namespace {

bool same_bits(const Qvvs& a, const Qvvs& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

Quat about_z(double degrees) {
  const double half = degrees * std::numbers::pi / 360;
  return {0, 0, static_cast<float>(std::sin(half)), static_cast<float>(std::cos(half))};
}

/// Degrees that a rotation about z turns.
double turned(Quat q) {
  return 360 / std::numbers::pi * std::atan2(double{q.z}, double{q.w});
}

TEST(Interpolate, TheEndsAreTheEnds) {
  scenes::Draws draws(1);
  for (int round = 0; round < 2000; ++round) {
    const Qvvs from = test::draw_transform(draws), to = test::draw_transform(draws);
    EXPECT_TRUE(same_bits(interpolate(from, to, 0), from));
    EXPECT_TRUE(same_bits(interpolate(from, to, 1), to));
  }
}

TEST(Interpolate, WhatRestsStays) {
  scenes::Draws draws(2);
  for (int round = 0; round < 2000; ++round) {
    const Qvvs rest = test::draw_transform(draws);
    for (const float t : {-2.0F, -0.1F, 0.1F, 0.3F, 0.5F, 0.7F, 0.999F, 1.3F}) {
      EXPECT_TRUE(same_bits(interpolate(rest, rest, t), rest)) << t;
    }
  }
}

TEST(Interpolate, AKnownOne) {
  const Qvvs from{about_z(0), {0, 10, -4}, 1, {1, 2, -1}, 1};
  const Qvvs to{about_z(60), {8, 10, 4}, 2, {2, 2, 1}, 3};
  const Qvvs quarter = interpolate(from, to, 0.25F);
  EXPECT_EQ(quarter.position, (Vec3{2, 10, -2}));
  EXPECT_EQ(quarter.stretch, (Vec3{1.25F, 2, -0.5F}));
  EXPECT_EQ(quarter.scale, 1.5F);
  EXPECT_EQ(quarter.context, 2);
  EXPECT_NEAR(turned(interpolate(from, to, 0.5F).rotation), 30, 1e-5);
  EXPECT_NEAR(turned(quarter.rotation), 15, 0.3);
}

TEST(Interpolate, TheShorterArcWhateverTheSigns) {
  for (const double degrees : {10.0, 90.0, 170.0, -10.0, -170.0}) {
    const Quat q = about_z(degrees);
    for (const Quat end : {q, Quat{-q.x, -q.y, -q.z, -q.w}}) {
      const Quat half = interpolate({}, {end, {}, 0, {1, 1, 1}, 1}, 0.5F).rotation;
      EXPECT_NEAR(turned(half), degrees / 2, 1e-4) << degrees;
    }
  }
}

/// What the header says about how even the turn is; and the lines between meet nothing but rotations.
TEST(Interpolate, HowFarFromAnEvenTurn) {
  const auto worst = [](double degrees) {
    double most = 0;
    for (int i = 0; i <= 1000; ++i) {
      const float t = static_cast<float>(i) / 1000;
      const Quat q = interpolate({}, {about_z(degrees), {}, 0, {1, 1, 1}, 1}, t).rotation;
      EXPECT_NEAR(length_squared(q), 1, 1e-6);
      most = std::max(most, std::abs(turned(q) - degrees * double{t}));
    }
    return most;
  };
  EXPECT_LT(worst(30), 0.04);
  EXPECT_GT(worst(30), 0.02);
  EXPECT_LT(worst(90), 1.0);
  EXPECT_GT(worst(90), 0.5);
  EXPECT_LT(worst(179.999), 8.2);
  EXPECT_GT(worst(179.999), 8.0);
}

TEST(Interpolate, BeyondTheEnds) {
  const Qvvs from{about_z(0), {0, 0, 0}, 0, {1, 1, 1}, 2};
  const Qvvs to{about_z(20), {1, 2, 3}, 0, {0.5F, 1, 1}, 1};
  const Qvvs ahead = interpolate(from, to, 1.5F);
  EXPECT_EQ(ahead.position, (Vec3{1.5F, 3, 4.5F}));
  EXPECT_EQ(ahead.stretch, (Vec3{0.25F, 1, 1}));
  EXPECT_EQ(ahead.scale, 0.5F);
  EXPECT_NEAR(turned(ahead.rotation), 30, 0.2);
  const Qvvs before = interpolate(from, to, -1);
  EXPECT_EQ(before.position, (Vec3{-1, -2, -3}));
  EXPECT_EQ(before.scale, 3);
  EXPECT_NEAR(turned(before.rotation), -20, 0.7);
  const Qvvs far = interpolate(from, to, 8);
  EXPECT_EQ(far.scale, 0);
  EXPECT_EQ(far.stretch.x, -3);
  double last = turned(to.rotation), step = 20;
  for (int t = 2; t < 40; ++t) {  // on and on, ever slower
    const double now = turned(interpolate(from, to, static_cast<float>(t)).rotation);
    EXPECT_GT(now, last);
    EXPECT_LT(now - last, step);
    step = now - last;
    last = now;
  }
  EXPECT_LT(last, 190);
}

TEST(Interpolate, EvenAtTheFarEndsOfFloat) {
  const float big = std::numeric_limits<float>::max() / 2;
  const Qvvs from{{}, {-big, 1e-30F, big}, 0, {1, 1, 1}, 1}, to{{}, {big, 1, -1}, 0, {1, 1, 1}, 1};
  for (const float t : {0.1F, 0.5F, 0.9F}) {
    const Vec3 p = interpolate(from, to, t).position;
    EXPECT_TRUE(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z));
  }
  // Near an end, that end's own bits remain: 1 is not lost beside the far larger other end.
  EXPECT_NEAR(interpolate({{}, {1e9F, 0, 0}, 0, {1, 1, 1}, 1}, {{}, {1, 0, 0}, 0, {1, 1, 1}, 1}, 0.99999994F)
                  .position.x,
              1 + 1e9 * 0x1p-24, 1);
}

TEST(Interpolate, ManyAreEachOnEveryExecutor) {
  for (const std::size_t count : std::initializer_list<std::size_t>{0, 1, 17, 2049, 9000}) {
    const auto from = test::draw_transforms(count, 3), to = test::draw_transforms(count, 4);
    test::for_each_executor([&](const Executor* executor) {
      std::vector<Qvvs> out(count), first = from, second = to;
      ASSERT_TRUE(interpolate(from, to, 0.3F, out, {.executor = executor}));
      ASSERT_TRUE(interpolate(first, to, 0.3F, first, {.executor = executor}));
      ASSERT_TRUE(interpolate(from, second, 0.3F, second, {.executor = executor}));
      std::size_t different = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const Qvvs one = interpolate(from[i], to[i], 0.3F);
        different += !same_bits(one, out[i]) + !same_bits(one, first[i]) + !same_bits(one, second[i]);
      }
      EXPECT_EQ(different, 0u);
    });
  }
}

TEST(Interpolate, WhatIsRefused) {
  std::vector<Qvvs> three(3), four(4);
  EXPECT_EQ(test::code_of(interpolate(three, four, 0.5F, three)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(interpolate(three, three, 0.5F, four)), ErrorCode::kInvalidArgument);
  for (const float t : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    EXPECT_EQ(test::code_of(interpolate(three, three, t, three)), ErrorCode::kNotFinite);
  }
}

TEST(Interpolate, Golden) {
  const auto from = test::draw_transforms(5000, 5), to = test::draw_transforms(5000, 6);
  std::uint64_t hash = test::fnv(std::span<const char>());
  for (const float t : {-0.5F, 0.0F, 0.25F, 0.5F, 0.8F, 1.0F, 1.5F}) {
    std::vector<Qvvs> out(from.size());
    ASSERT_TRUE(interpolate(from, to, t, out));
    hash = test::fnv(std::span<const Qvvs>(out), hash);
  }
  EXPECT_EQ(hash, 6237275799163908547u);
}

}  // namespace
}  // namespace juxta
