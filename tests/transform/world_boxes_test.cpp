// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/transform/world_boxes.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <vector>

#include "juxta/transform/matrices.h"
#include "support/code_of.h"
#include "support/executors.h"
#include "support/fnv.h"
#include "transform/draw_transforms.h"
#include "transform/exact_side.h"

namespace juxta {
namespace {

__extension__ using Wide = __int128;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr Aabb3 kEverywhere = {{-kInf, -kInf, -kInf}, {kInf, kInf, kInf}};

Aabb3 draw_box(scenes::Draws& draws, float reach) {
  const Vec3 a = test::draw_vector(draws, reach), b = test::draw_vector(draws, reach);
  return {{std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)},
          {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}};
}

struct Point {
  double x, y, z;
};

bool inside(const Aabb3& box, Point p) {
  return box.lo[0] <= p.x && p.x <= box.hi[0] && box.lo[1] <= p.y && p.y <= box.hi[1] && box.lo[2] <= p.z &&
         p.z <= box.hi[2];
}

Vec3 corner(const Aabb3& box, int which) {
  return {(which & 1) != 0 ? box.hi[0] : box.lo[0], (which & 2) != 0 ? box.hi[1] : box.lo[1],
          (which & 4) != 0 ? box.hi[2] : box.lo[2]};
}

/// q v conj(q) in double; divided by the squared length of q when `unit`.
Point placed(const Qvvs& t, Vec3 v, bool unit) {
  const double x = t.rotation.x, y = t.rotation.y, z = t.rotation.z, w = t.rotation.w;
  const double n = unit ? x * x + y * y + z * z + w * w : 1;
  const double a = double{v.x} * double{t.stretch.x} * double{t.scale},
               b = double{v.y} * double{t.stretch.y} * double{t.scale},
               c = double{v.z} * double{t.stretch.z} * double{t.scale};
  const auto turn = [&](double own, double other, double third) { return own + 2 * (other + third) / n; };
  // v + 2 w (u x v) + 2 u x (u x v)
  const double cx = y * c - z * b, cy = z * a - x * c, cz = x * b - y * a;
  return {t.position.x + turn(a, w * cx, y * cz - z * cy), t.position.y + turn(b, w * cy, z * cx - x * cz),
          t.position.z + turn(c, w * cz, x * cy - y * cx)};
}

Point by_matrix(const Matrix34& m, Vec3 v) {
  const auto row = [&](int i) { return (m.m[i][0] * v.x + m.m[i][1] * v.y) + (m.m[i][2] * v.z + m.m[i][3]); };
  return {row(0), row(1), row(2)};
}

/// The 24 rotations of a cube, with components whose squares are not exact among them.
std::vector<Quat> cube_rotations() {
  std::vector<Quat> all;
  const float half = std::sqrt(0.5F);
  for (int x = -1; x <= 1; ++x) {
    for (int y = -1; y <= 1; ++y) {
      for (int z = -1; z <= 1; ++z) {
        for (int w = -1; w <= 1; ++w) {
          const int count = std::abs(x) + std::abs(y) + std::abs(z) + std::abs(w);
          const float size = count == 1 ? 1.0F : count == 2 ? half : 0.5F;
          if (count == 1 || count == 2 || count == 4) {
            all.push_back({static_cast<float>(x) * size, static_cast<float>(y) * size,
                           static_cast<float>(z) * size, static_cast<float>(w) * size});
          }
        }
      }
    }
  }
  return all;  // each twice: q and -q
}

TEST(WorldBoxes, KnownOnes) {
  const Aabb3 local = {{-1, -2, -3}, {1, 2, 5}};
  EXPECT_EQ(world_box({}, local), local);
  EXPECT_EQ(world_box({{}, {10, 20, 30}, 0, {1, 2, -1}, 0.5F}, local),
            (Aabb3{{9.5F, 18, 27.5F}, {10.5F, 22, 31.5F}}));
  // x goes to y, y to z, z to x.
  EXPECT_EQ(world_box({{0.5F, 0.5F, 0.5F, 0.5F}, {0, 0, 0}, 0, {1, 1, 1}, 1}, local),
            (Aabb3{{-3, -1, -2}, {5, 1, 2}}));
  // An eighth of a turn about z: a square on its corner.
  const Aabb3 turned =
      world_box({{0, 0, 0.38268343F, 0.9238795F}, {0, 0, 0}, 0, {1, 1, 1}, 1}, {{-1, -1, 0}, {1, 1, 0}});
  EXPECT_NEAR(turned.hi[0], 1.41421356, 1e-5);
  EXPECT_NEAR(turned.lo[1], -1.41421356, 1e-5);
}

TEST(WorldBoxes, RotationsOfACubeAreExact) {
  const auto rotations = cube_rotations();
  ASSERT_EQ(rotations.size(), 48u);
  scenes::Draws draws(1);
  for (const Quat q : rotations) {
    for (int round = 0; round < 20; ++round) {
      const auto whole = [&] { return static_cast<float>(static_cast<int>(draws.below(2000)) - 1000); };
      Aabb3 local{};
      for (int axis = 0; axis < 3; ++axis) {
        local.lo[axis] = whole();
        local.hi[axis] = local.lo[axis] + static_cast<float>(draws.below(100));
      }
      const float px = whole(), py = whole(), pz = whole();
      const Qvvs t{q, {px, py, pz}, 0, {1, -2, 0.5F}, 4};
      Aabb3 want = {{kInf, kInf, kInf}, {-kInf, -kInf, -kInf}};
      for (int i = 0; i < 8; ++i) {
        const Point at = placed(t, corner(local, i), true);
        const Vec3 p = {static_cast<float>(std::round(at.x)), static_cast<float>(std::round(at.y)),
                        static_cast<float>(std::round(at.z))};
        for (std::size_t axis = 0; axis < 3; ++axis) {
          want.lo[axis] = std::min(want.lo[axis], p[axis]);
          want.hi[axis] = std::max(want.hi[axis], p[axis]);
        }
      }
      EXPECT_EQ(world_box(t, local), want);
    }
  }
}

TEST(WorldBoxes, TouchingBoxesTouchAfterATurn) {
  const float half = std::sqrt(0.5F);
  const Qvvs t{{0, half, 0, half}, {3, 1, -7}, 0, {1, 1, 1}, 2};
  const Aabb3 a = world_box(t, {{0, 0, 0}, {1, 1, 1}}), b = world_box(t, {{1, 0, 0}, {2, 1, 1}});
  EXPECT_TRUE(a.overlaps(b));
  EXPECT_TRUE(a.hi[2] == b.lo[2] || a.lo[2] == b.hi[2]);
}

/// Numbers that are whole multiples of 2^-8 (2^-24 for the position), of 24 bits each, so that 128-bit
/// integers hold position + scale * stretch * v exactly in units of 2^-24.
TEST(WorldBoxes, SidesAreTheNearestFloatsOutside) {
  scenes::Draws draws(2);
  const auto number = [&] {
    return (static_cast<int>(draws.below(1U << 24)) - (1 << 23)) >> draws.below(20);
  };
  std::size_t rounded = 0;
  for (int round = 0; round < 200'000; ++round) {
    const int position = number(), scale = number(), stretch = number(), v = number();
    const Wide cancels = draws.below(4) == 0 ? -Wide{scale} * stretch * v : 0;
    const auto shift = cancels == 0 ? draws.below(20) : 0;
    // Half of the sums nearly cancel: the position is the float next to minus the product.
    const float p = cancels == 0 ? std::ldexp(static_cast<float>(position), static_cast<int>(shift) - 24)
                                 : std::ldexp(static_cast<float>(cancels), -24);
    const float s = std::ldexp(static_cast<float>(scale), -8),
                k = std::ldexp(static_cast<float>(stretch), -8), c = std::ldexp(static_cast<float>(v), -8);
    const auto units = [](float side) { return static_cast<Wide>(std::ldexp(double{side}, 24)); };
    const Wide exact = units(p) + Wide{scale} * stretch * v;
    const double size = double{s} * double{k};
    const float down = transform_detail::exact_side<false>(p, size, c),
                up = transform_detail::exact_side<true>(p, size, c);
    ASSERT_TRUE(units(down) <= exact && exact <= units(up));
    ASSERT_TRUE(down == up ? units(down) == exact : std::nextafter(down, kInf) == up);
    rounded += down != up;
  }
  EXPECT_GT(rounded, 50'000u);
  EXPECT_LT(rounded, 199'000u);
}

TEST(WorldBoxes, NoPointIsLostWhicheverWayItIsComputed) {
  scenes::Draws draws(3);
  std::size_t lost = 0, loose = 0;
  for (int round = 0; round < 100'000; ++round) {
    Qvvs t = test::draw_transform(draws);
    if (draws.below(4) == 0) {  // not quite of length 1, as far as a hierarchy accepts it
      const float off = 1 + draws.uniform(-1e-5F, 1e-5F);
      t.rotation = {t.rotation.x * off, t.rotation.y * off, t.rotation.z * off, t.rotation.w * off};
    }
    const Aabb3 local = draw_box(draws, draws.below(2) == 0 ? 1.0F : 1000.0F);
    const Aabb3 box = world_box(t, local);
    const Matrix34 matrix = to_matrix34(t);
    Aabb3 tight = {{kInf, kInf, kInf}, {-kInf, -kInf, -kInf}};
    double reach = 0;
    for (int i = 0; i < 8; ++i) {
      const Vec3 v = corner(local, i);
      const Vec3 child = mul(t, {{}, v, 1}).position;
      const Point real = placed(t, v, true);
      lost += !inside(box, real) + !inside(box, placed(t, v, false)) + !inside(box, by_matrix(matrix, v)) +
              !inside(box, {child.x, child.y, child.z});
      const std::array<double, 3> p = {real.x, real.y, real.z};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        tight.lo[axis] = std::min(tight.lo[axis], static_cast<float>(p[axis]));
        tight.hi[axis] = std::max(tight.hi[axis], static_cast<float>(p[axis]));
      }
      reach = std::max(reach, double{std::abs(v.x)} + double{std::abs(v.y)} + double{std::abs(v.z)});
    }
    // 3 * 4: the largest stretch and scale that are drawn.
    const double most = 1e-4 * 12 * reach + 1e-6 * 1e5;
    for (int axis = 0; axis < 3; ++axis) {
      loose += double{tight.lo[axis]} - double{box.lo[axis]} > most;
      loose += double{box.hi[axis]} - double{tight.hi[axis]} > most;
    }
  }
  EXPECT_EQ(lost, 0u);
  EXPECT_EQ(loose, 0u);
}

TEST(WorldBoxes, EmptyAndEndlessOnes) {
  const Quat turned = normalized({0.1F, 0.2F, 0.3F, 1});
  for (const Quat q : {Quat{}, turned}) {
    const Qvvs t{q, {1, 2, 3}, 0, {1, 1, 1}, 2};
    const Aabb3 nothing = {{kInf, kInf, kInf}, {-kInf, -kInf, -kInf}};
    EXPECT_EQ(world_box(t, {{1, 0, 0}, {0, 1, 1}}), nothing);
    EXPECT_EQ(world_box(t, {{kNan, 0, 0}, {1, 1, 1}}), nothing);
    EXPECT_EQ(world_box(t, {{-kInf, 0, 0}, {1, 1, 1}}), kEverywhere);
    EXPECT_EQ(world_box({q, {kNan, 0, 0}, 0, {1, 1, 1}, 1}, {}), kEverywhere);
    EXPECT_EQ(world_box({q, {0, 0, 0}, 0, {1, kInf, 1}, 1}, {{0, -1, 0}, {1, 1, 1}}), kEverywhere);
    EXPECT_EQ(world_box({q, {0, 0, 0}, 0, {1, 1, 1}, 1e30F}, {{-1e30F, -1, 0}, {1, 1, 1}}), kEverywhere);
    const Aabb3 point = world_box({q, {4, 5, 6}, 0, {1, 1, 1}, 0}, {{-1, -1, -1}, {1, 1, 1}});
    EXPECT_NEAR(point.lo[0], 4, 1e-5);
    EXPECT_NEAR(point.hi[0], 4, 1e-5);
  }
  EXPECT_EQ(world_box({{kNan, 0, 0, 1}, {}, 0, {1, 1, 1}, 1}, {{0, 0, 0}, {1, 1, 1}}), kEverywhere);
  EXPECT_FALSE(world_box({{0, 0, 0, 0}, {}, 0, {1, 1, 1}, 1}, {{0, 0, 0}, {1, 1, 1}}).empty());
}

TEST(WorldBoxes, ManyAreEachOnEveryExecutor) {
  scenes::Draws draws(4);
  const auto transforms = test::draw_transforms(5000, 5);
  std::vector<Aabb3> local;
  for (std::size_t i = 0; i < transforms.size(); ++i) {
    local.push_back(draw_box(draws, 5));
  }
  test::for_each_executor([&](const Executor* executor) {
    for (const std::size_t count : std::initializer_list<std::size_t>{0, 1, 2049, 5000}) {
      std::vector<Aabb3> out(count);
      ASSERT_TRUE(world_boxes(std::span(transforms).first(count), std::span(local).first(count), out,
                              {.executor = executor}));
      std::size_t different = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const Aabb3 one = world_box(transforms[i], local[i]);
        different += std::memcmp(&one, &out[i], sizeof one) != 0;
      }
      EXPECT_EQ(different, 0u);
    }
  });
  std::vector<Aabb3> out(4);
  EXPECT_EQ(test::code_of(world_boxes(transforms, local, out)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(world_boxes(std::span(transforms).first(4), local, out)),
            ErrorCode::kInvalidArgument);
}

TEST(WorldBoxes, Golden) {
  scenes::Draws draws(6);
  auto transforms = test::draw_transforms(5000, 7);
  const auto straight = cube_rotations();
  std::vector<Aabb3> local, out(transforms.size());
  for (std::size_t i = 0; i < transforms.size(); ++i) {
    if (i % 2 == 0) {
      transforms[i].rotation = straight[i / 2 % straight.size()];
    }
    local.push_back(draw_box(draws, 5));
  }
  ASSERT_TRUE(world_boxes(transforms, local, out));
  EXPECT_EQ(test::fnv(std::span<const Aabb3>(out)), 15590265961122989320u);
}

}  // namespace
}  // namespace juxta
