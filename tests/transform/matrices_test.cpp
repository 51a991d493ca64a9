// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/transform/matrices.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <vector>

#include "support/code_of.h"
#include "support/executors.h"
#include "support/fnv.h"
#include "transform/draw_transforms.h"

namespace juxta {
namespace {

/// x goes to y, y to z, z to x; the components are exact.
constexpr Quat kAround = {0.5F, 0.5F, 0.5F, 0.5F};

std::array<double, 3> times(const Matrix34& matrix, Vec3 v) {
  std::array<double, 3> out{};
  for (std::size_t row = 0; row < 3; ++row) {
    const float* m = matrix.m[row];
    out[row] = double{m[0]} * v.x + double{m[1]} * v.y + double{m[2]} * v.z + double{m[3]};
  }
  return out;
}

struct Columns {
  explicit Columns(std::size_t count) : numbers(12, std::vector<float>(count)) {
    for (std::size_t entry = 0; entry < 12; ++entry) {
      view.entries[entry] = numbers[entry];
    }
  }
  std::vector<std::vector<float>> numbers;
  MatrixColumns view;
};

bool same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

TEST(Matrices, AKnownOne) {
  const Qvvs transform{kAround, {7, 8, 9}, 3, {2, 4, 8}, 0.5F};
  const Matrix34 want = {{{0, 0, 4, 7}, {1, 0, 0, 8}, {0, 2, 0, 9}}};
  EXPECT_EQ(to_matrix34(transform), want);
  const Matrix44 columns = {{{0, 1, 0, 0}, {0, 0, 2, 0}, {4, 0, 0, 0}, {7, 8, 9, 1}}};
  EXPECT_EQ(to_matrix44(transform), columns);
  EXPECT_EQ(to_matrix34({}), (Matrix34{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}));
}

TEST(Matrices, TheyMovePointsAsTheHierarchyMovesChildren) {
  scenes::Draws draws(1);
  for (int round = 0; round < 5000; ++round) {
    const Qvvs parent = test::draw_transform(draws);
    const Vec3 v = test::draw_vector(draws, 10);
    const auto moved = times(to_matrix34(parent), v);
    const Vec3 child = mul(parent, {{}, v, 1}).position;
    const double reach = 1e-5 * (200 + std::abs(parent.position.x) + std::abs(parent.position.y) +
                                 std::abs(parent.position.z));
    EXPECT_NEAR(moved[0], child.x, reach);
    EXPECT_NEAR(moved[1], child.y, reach);
    EXPECT_NEAR(moved[2], child.z, reach);
  }
}

TEST(Matrices, NeverSheared) {
  scenes::Draws draws(2);
  for (int round = 0; round < 1000; ++round) {
    const Qvvs t = test::draw_transform(draws);
    const Matrix34 matrix = to_matrix34(t);
    const Vec3 size = t.stretch * t.scale;
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        double dot = 0;
        for (const auto& row : matrix.m) {
          dot += double{row[a]} * double{row[b]};
        }
        const Vec3 sizes = {size.x, size.y, size.z};
        const auto column = static_cast<std::size_t>(a), other = static_cast<std::size_t>(b);
        const double want = a == b ? double{sizes[column]} * double{sizes[column]} : 0;
        EXPECT_NEAR(dot, want, 1e-5 * (std::abs(double{sizes[column]} * double{sizes[other]}) + 1e-9));
      }
    }
  }
}

TEST(Matrices, AllFormsHoldTheSameNumbersOnEveryExecutor) {
  for (const std::size_t count :
       std::initializer_list<std::size_t>{0, 1, 2, 15, 16, 17, 2048, 2049, 10'000}) {
    const auto transforms = test::draw_transforms(count, 3);
    test::for_each_executor([&](const Executor* executor) {
      std::vector<Matrix34> rows(count);
      std::vector<Matrix44> columns(count);
      Columns apart(count);
      ASSERT_TRUE(to_matrices(transforms, rows, {.executor = executor}));
      ASSERT_TRUE(to_matrices(transforms, columns, {.executor = executor}));
      ASSERT_TRUE(to_matrices(transforms, apart.view, {.executor = executor}));
      std::size_t different = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const Matrix34 one = to_matrix34(transforms[i]);
        different += std::memcmp(&one, &rows[i], sizeof one) != 0;
        for (std::size_t entry = 0; entry < 12; ++entry) {
          const float number = one.m[entry / 4][entry % 4];
          different += !same_bits(columns[i].m[entry % 4][entry / 4], number);
          different += !same_bits(apart.numbers[entry][i], number);
        }
        for (std::size_t column = 0; column < 4; ++column) {
          different += columns[i].m[column][3] != (column == 3 ? 1.0F : 0.0F);
        }
      }
      EXPECT_EQ(different, 0u);
    });
  }
}

TEST(Matrices, OtherLengthsAreRefusedAndNothingIsWritten) {
  const auto transforms = test::draw_transforms(4, 4);
  std::vector<Matrix34> rows(3);
  const auto refused = to_matrices(transforms, rows);
  ASSERT_FALSE(refused);
  EXPECT_EQ(test::code_of(refused), ErrorCode::kInvalidArgument);
  EXPECT_EQ(rows[0], Matrix34{});
  std::vector<Matrix44> longer(5);
  EXPECT_EQ(test::code_of(to_matrices(transforms, longer)), ErrorCode::kInvalidArgument);
  for (std::size_t shorter = 0; shorter < 12; ++shorter) {
    Columns apart(4);
    apart.view.entries[shorter] = apart.view.entries[shorter].first(3);
    EXPECT_EQ(test::code_of(to_matrices(transforms, apart.view)), ErrorCode::kInvalidArgument) << shorter;
    EXPECT_EQ(apart.numbers[0][0], 0);
  }
}

TEST(Matrices, Golden) {
  const auto transforms = test::draw_transforms(10'000, 5);
  std::vector<Matrix34> rows(transforms.size());
  ASSERT_TRUE(to_matrices(transforms, rows));
  EXPECT_EQ(test::fnv(std::span<const Matrix34>(rows)), 675819489251350015u);
}

}  // namespace
}  // namespace juxta
