// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/math/aabb.h"

#include <gtest/gtest.h>

#include <limits>
#include <type_traits>

namespace juxta {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

static_assert(sizeof(Aabb2) == 4 * sizeof(float) && sizeof(Aabb3) == 6 * sizeof(float));
static_assert(std::is_trivially_copyable_v<Aabb3> && std::is_standard_layout_v<Aabb3>);
static_assert(Aabb2{{0, 0}, {1, 1}}.overlaps({{1, 1}, {2, 2}}), "usable at compile time");

/// The unit box with one axis replaced.
template <int D>
Aabb<D> with_axis(int axis, float lo, float hi) {
  Aabb<D> box{};
  for (int k = 0; k < D; ++k) {
    box.lo[k] = k == axis ? lo : 0;
    box.hi[k] = k == axis ? hi : 1;
  }
  return box;
}

template <int D>
void expect_overlap(const Aabb<D>& a, const Aabb<D>& b, bool wanted) {
  EXPECT_EQ(a.overlaps(b), wanted);
  EXPECT_EQ(b.overlaps(a), wanted);
}

template <int D>
void check_overlaps() {
  const Aabb<D> unit = with_axis<D>(0, 0, 1);
  for (int axis = 0; axis < D; ++axis) {
    SCOPED_TRACE(axis);
    expect_overlap(unit, with_axis<D>(axis, 0.25F, 0.5F), true);  // inside
    expect_overlap(unit, with_axis<D>(axis, -1, 2), true);        // around
    expect_overlap(unit, with_axis<D>(axis, 0.5F, 2), true);      // across a face
    expect_overlap(unit, with_axis<D>(axis, 1, 2), true);         // touching
    expect_overlap(unit, with_axis<D>(axis, -2, -0.0F), true);    // touching at -0
    expect_overlap(unit, with_axis<D>(axis, -kInf, kInf), true);  // a query without an end
    expect_overlap(unit, with_axis<D>(axis, 0.5F, 0.5F), true);   // without a size
    expect_overlap(unit, with_axis<D>(axis, 1.0000001F, 2), false);
    expect_overlap(unit, with_axis<D>(axis, -2, -1e-30F), false);
    expect_overlap(unit, with_axis<D>(axis, kNan, 2), false);
    expect_overlap(unit, with_axis<D>(axis, -1, kNan), false);
    expect_overlap(unit, with_axis<D>(axis, kInf, -kInf), false);
  }
}

template <int D>
void check_empty() {
  for (int axis = 0; axis < D; ++axis) {
    SCOPED_TRACE(axis);
    EXPECT_FALSE(with_axis<D>(axis, 2, 3).empty());
    EXPECT_FALSE(with_axis<D>(axis, 2, 2).empty());
    EXPECT_FALSE(with_axis<D>(axis, 0.0F, -0.0F).empty());
    EXPECT_FALSE(with_axis<D>(axis, -kInf, kInf).empty());
    EXPECT_TRUE(with_axis<D>(axis, 3, 2).empty());
    EXPECT_TRUE(with_axis<D>(axis, kNan, 2).empty());
    EXPECT_TRUE(with_axis<D>(axis, 2, kNan).empty());
    EXPECT_TRUE(with_axis<D>(axis, kInf, -kInf).empty());
  }
}

template <int D>
void check_equality() {
  EXPECT_EQ(with_axis<D>(0, 0.0F, 1), with_axis<D>(0, -0.0F, 1));
  EXPECT_NE(with_axis<D>(0, kNan, 1), with_axis<D>(0, kNan, 1));
  for (int axis = 0; axis < D; ++axis) {
    EXPECT_NE(with_axis<D>(axis, 0, 1), with_axis<D>(axis, 0, 2));
    EXPECT_NE(with_axis<D>(axis, 0, 1), with_axis<D>(axis, -1, 1));
  }
}

TEST(Aabb, TouchingBoxesOverlapOnEveryAxis) {
  check_overlaps<2>();
  check_overlaps<3>();
}

TEST(Aabb, InvertedAndNanAreEmpty) {
  check_empty<2>();
  check_empty<3>();
}

TEST(Aabb, EqualByValue) {
  check_equality<2>();
  check_equality<3>();
}

}  // namespace
}  // namespace juxta
