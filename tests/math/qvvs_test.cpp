// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Every function of QVVS transforms against matrices in double precision.
#include "juxta/math/qvvs.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "scenes/draws.h"

namespace juxta {
namespace {

constexpr int kRounds = 20'000;
using Vec = std::array<double, 3>;
using Matrix = std::array<Vec, 3>;  // rows

static_assert(sizeof(LocalTransform) == 32 && sizeof(Qvvs) == 48, "what the header says");
static_assert(Quat{} * Quat{0, 1, 0, 0} == Quat{0, 1, 0, 0});
static_assert(mul(Qvvs{}, LocalTransform{}) == Qvvs{});
static_assert(inverse_mul(Qvvs{}, Qvvs{}) == LocalTransform{});
static_assert(rotate(Quat{0, 0, 1, 0}, {1, 2, 3}) == Vec3{-1, -2, 3});
static_assert(cross({1, 0, 0}, {0, 1, 0}) == Vec3{0, 0, 1});

Vec in_double(Vec3 v) {
  return {v.x, v.y, v.z};
}

/// The textbook matrix of a rotation.
Matrix matrix(Quat q) {
  const double x = q.x, y = q.y, z = q.z, w = q.w;
  return {Vec{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
          Vec{2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
          Vec{2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
}

Vec times(const Matrix& m, const Vec& v) {
  Vec result{};
  for (std::size_t row = 0; row < 3; ++row) {
    result[row] = m[row][0] * v[0] + m[row][1] * v[1] + m[row][2] * v[2];
  }
  return result;
}

Matrix times(const Matrix& a, const Matrix& b) {
  Matrix result{};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      for (std::size_t k = 0; k < 3; ++k) {
        result[row][column] += a[row][k] * b[k][column];
      }
    }
  }
  return result;
}

Matrix transposed(const Matrix& m) {
  return {Vec{m[0][0], m[1][0], m[2][0]}, Vec{m[0][1], m[1][1], m[2][1]}, Vec{m[0][2], m[1][2], m[2][2]}};
}

void expect_near(const Vec& a, const Vec& b, double tolerance) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    ASSERT_NEAR(a[axis], b[axis], tolerance) << "axis " << axis;
  }
}

void expect_near(const Matrix& a, const Matrix& b, double tolerance) {
  for (std::size_t row = 0; row < 3; ++row) {
    expect_near(a[row], b[row], tolerance);
  }
}

double length(Quat q) {
  const double x = q.x, y = q.y, z = q.z, w = q.w;
  return std::sqrt(x * x + y * y + z * z + w * w);
}

class QvvsTest : public testing::Test {
 protected:
  Quat rotation() {
    Quat q;
    do {
      q = {draws_.uniform(-1, 1), draws_.uniform(-1, 1), draws_.uniform(-1, 1), draws_.uniform(-1, 1)};
    } while (length_squared(q) < 0.01F);
    return normalized(q);
  }
  Vec3 vector(float size) {
    return {draws_.uniform(-size, size), draws_.uniform(-size, size), draws_.uniform(-size, size)};
  }
  Qvvs world() {
    return {rotation(),
            vector(100),
            7,
            {draws_.uniform(0.5F, 2), draws_.uniform(0.5F, 2), 1.5F},
            draws_.uniform(0.25F, 4)};
  }
  LocalTransform local() { return {rotation(), vector(10), draws_.uniform(0.25F, 4)}; }

  scenes::Draws draws_{1};
};

TEST_F(QvvsTest, VectorsAddSubtractMultiplyAndCross) {
  for (int i = 0; i < kRounds; ++i) {
    const Vec3 a = vector(10), b = vector(10);
    const Vec da = in_double(a), db = in_double(b);
    expect_near(in_double(a + b), {da[0] + db[0], da[1] + db[1], da[2] + db[2]}, 2e-6);
    expect_near(in_double(a - b), {da[0] - db[0], da[1] - db[1], da[2] - db[2]}, 2e-6);
    expect_near(in_double(a * b), {da[0] * db[0], da[1] * db[1], da[2] * db[2]}, 1e-5);
    expect_near(in_double(a * 3.0F), {da[0] * 3, da[1] * 3, da[2] * 3}, 4e-6);
    expect_near(in_double(cross(a, b)),
                {da[1] * db[2] - db[1] * da[2], da[2] * db[0] - db[2] * da[0], da[0] * db[1] - db[0] * da[1]},
                3e-5);
  }
}

TEST_F(QvvsTest, AProductOfRotationsIsTheProductOfTheirMatrices) {
  for (int i = 0; i < kRounds; ++i) {
    const Quat a = rotation(), b = rotation();
    expect_near(matrix(a * b), times(matrix(a), matrix(b)), 2e-6);
    expect_near(matrix(conjugate(a)), transposed(matrix(a)), 0);
  }
}

TEST_F(QvvsTest, RotateIsTheMatrix) {
  for (int i = 0; i < kRounds; ++i) {
    const Quat q = rotation();
    const Vec3 v = vector(10);
    expect_near(in_double(rotate(q, v)), times(matrix(q), in_double(v)), 2e-5);
    expect_near(in_double(rotate(conjugate(q), rotate(q, v))), in_double(v), 3e-5);
  }
  EXPECT_EQ(rotate(Quat{}, {1, 2, 3}), (Vec3{1, 2, 3}));
}

TEST_F(QvvsTest, LengthsAndNormalized) {
  for (int i = 0; i < kRounds; ++i) {
    const Quat unit = rotation();
    ASSERT_NEAR(length(unit), 1, 3e-7);
    const float size = draws_.uniform(1e-3F, 1e3F);
    const Quat q{unit.x * size, unit.y * size, unit.z * size, unit.w * size};
    const double squared = length(q) * length(q);
    ASSERT_NEAR(length_squared(q), squared, 1e-6 * squared);
    expect_near(matrix(normalized(q)), matrix(unit), 3e-6);
  }
}

// What leads from a to b is conjugate(a) * b, and its w is the cosine of half its angle.
TEST_F(QvvsTest, DotIsTheCosineOfHalfTheAngle) {
  for (int i = 0; i < kRounds; ++i) {
    const Quat a = rotation(), b = rotation();
    ASSERT_NEAR(dot(a, b), (conjugate(a) * b).w, 3e-7);
    ASSERT_EQ(dot(a, a), length_squared(a));
  }
  EXPECT_EQ(dot(Quat{1, 2, 3, 4}, Quat{5, 6, 7, 8}), 70);
}

TEST_F(QvvsTest, RenormalizedIsANewtonStep) {
  for (const double error : {0.0, 1e-5, -1e-5, 1e-3, -1e-3, 0.05, -0.05}) {
    for (int i = 0; i < 1000; ++i) {
      const Quat unit = rotation();
      const auto k = static_cast<float>(1 + error);
      const Quat q{unit.x * k, unit.y * k, unit.z * k, unit.w * k};
      // The exact step: l (1.5 - l^2 / 2) = 1 - 1.5 e^2 - e^3 / 2.
      const double l = length(q);
      ASSERT_NEAR(length(renormalized(q)), l * (1.5 - 0.5 * l * l), 5e-7) << error;
      ASSERT_NEAR(length(renormalized(q)), 1 - 1.5 * error * error, 5e-7 + std::abs(error * error * error));
    }
  }
}

TEST_F(QvvsTest, MulIsTheProductOfMatricesButForStretch) {
  for (int i = 0; i < kRounds; ++i) {
    const Qvvs parent = world();
    const LocalTransform child = local();
    const Vec3 stretch = vector(2);
    const Qvvs got = mul(parent, child, stretch, 42);
    expect_near(matrix(got.rotation), times(matrix(parent.rotation), matrix(child.rotation)), 2e-6);
    Vec offset = in_double(child.position);
    const Vec parent_stretch = in_double(parent.stretch);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      offset[axis] *= parent_stretch[axis] * parent.scale;
    }
    Vec place = times(matrix(parent.rotation), offset);
    const Vec from = in_double(parent.position);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      place[axis] += from[axis];
    }
    expect_near(in_double(got.position), place, 2e-4);
    ASSERT_NEAR(got.scale, double{parent.scale} * child.scale, 2e-6 * got.scale);
    ASSERT_EQ(got.stretch, stretch);
    ASSERT_EQ(got.context, 42);
  }
}

TEST_F(QvvsTest, InverseMulUndoesMul) {
  for (int i = 0; i < kRounds; ++i) {
    const Qvvs parent = world();
    const LocalTransform child = local();
    const LocalTransform back = inverse_mul(parent, mul(parent, child));
    expect_near(matrix(back.rotation), matrix(child.rotation), 4e-6);
    expect_near(in_double(back.position), in_double(child.position), 2e-3);
    ASSERT_NEAR(back.scale, child.scale, 1e-6 * child.scale);

    const Qvvs there = world();
    const Qvvs again = mul(parent, inverse_mul(parent, there), there.stretch, there.context);
    expect_near(matrix(again.rotation), matrix(there.rotation), 4e-6);
    expect_near(in_double(again.position), in_double(there.position), 5e-4);
    ASSERT_NEAR(again.scale, there.scale, 1e-6 * there.scale);
  }
}

TEST_F(QvvsTest, ZeroScaleAndZeroStretchHaveAnInverse) {
  const Qvvs there = world();
  Qvvs parent = world();
  parent.stretch = {0, 1, -0.0F};
  LocalTransform local = inverse_mul(parent, there);
  EXPECT_EQ(local.position.x, 0);
  EXPECT_NE(local.position.y, 0);
  EXPECT_EQ(local.position.z, 0);
  EXPECT_FLOAT_EQ(local.scale, there.scale / parent.scale);
  parent.scale = 0;
  local = inverse_mul(parent, there);
  EXPECT_EQ(local.position, Vec3{});
  EXPECT_EQ(local.scale, 1);
  EXPECT_NEAR(length(local.rotation), 1, 1e-6);
  // A flat parent holds its children in its plane, and turns their rotations as ever.
  parent = world();
  parent.stretch = {1, 0, 1};
  const Qvvs child = mul(parent, {Quat{}, {0, 5, 0}, 2});
  EXPECT_EQ(child.position, parent.position);
  EXPECT_EQ(child.scale, 2 * parent.scale);
}

TEST_F(QvvsTest, NeverAnInfinityOutOfFiniteNumbersUnlessTheQuotientIs) {
  constexpr float kTiny = std::numeric_limits<float>::denorm_min();
  Qvvs parent;
  parent.stretch = {kTiny, 1, 1};
  Qvvs there;
  there.position = {kTiny, 3, -2};
  EXPECT_EQ(inverse_mul(parent, there).position, (Vec3{1, 3, -2}));
  there.position = {1, 3, -2};  // 1 / denorm_min is beyond float
  EXPECT_TRUE(std::isinf(inverse_mul(parent, there).position.x));
  for (const float zero : {0.0F, -0.0F}) {
    parent.stretch = {zero, zero, zero};
    parent.scale = zero;
    const LocalTransform local = inverse_mul(parent, there);
    EXPECT_EQ(local.position, Vec3{});
    EXPECT_EQ(local.scale, 1);
  }
}

TEST_F(QvvsTest, NegativeStretchMirrorsTheChildrensPlaces) {
  Qvvs parent;
  parent.stretch = {-1, 2, 1};
  EXPECT_EQ(mul(parent, {Quat{}, {1, 1, 1}, 1}).position, (Vec3{-1, 2, 1}));
  EXPECT_EQ(inverse_mul(parent, mul(parent, {Quat{}, {1, 1, 1}, 1})).position, (Vec3{1, 1, 1}));
}

// Each factor is as far from a rotation as a hierarchy takes one: without the step, the length would be 2.7.
TEST_F(QvvsTest, AChainOfAHundredThousandStaysARotation) {
  Qvvs at;
  Quat plain;
  double angle = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double turn = 0.001 * (1 + i % 7);
    const auto s = static_cast<float>(std::sin(turn / 2) * (1 + 1e-5));
    const auto c = static_cast<float>(std::cos(turn / 2) * (1 + 1e-5));
    angle += turn;
    at = mul(at, {{0, 0, s, c}, {0.001F, 0, 0}, 1});
    plain = plain * Quat{0, 0, s, c};
    ASSERT_NEAR(length(at.rotation), 1, 1e-6) << "depth " << i;
  }
  EXPECT_GT(length(plain), 2.0);
  EXPECT_EQ(at.scale, 1);
  const Vec3 x = rotate(at.rotation, {1, 0, 0});
  EXPECT_NEAR(x.x, std::cos(angle), 2e-3);
  EXPECT_NEAR(x.y, std::sin(angle), 2e-3);
  EXPECT_NEAR(x.z, 0, 1e-6);
}

}  // namespace
}  // namespace juxta
