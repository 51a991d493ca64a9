// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Building, totals, hashes, equality, and what is refused.
#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "grid/fields.h"
#include "support/code_of.h"
#include "support/counting_resource.h"
#include "support/executors.h"

namespace juxta {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(GridField, IsMadeOfZerosXFastest) {
  FieldOptions options = test::options_of(3, {4, 3, 2}, {}, 2);
  Field field = Field::build(options).value();
  EXPECT_TRUE(field.options() == options);
  EXPECT_EQ(field.cells(), 24U);
  EXPECT_EQ(field.cell_size(0), 7.0F / 4);
  EXPECT_EQ(field.cell_size(1), 2.5F / 3);
  EXPECT_EQ(field.cell_size(3), 0);
  ASSERT_EQ(field.values(0).size(), 24U);
  ASSERT_EQ(field.values(1).size(), 24U);
  EXPECT_TRUE(field.values(2).empty());
  EXPECT_EQ(field.total(1).value(), 0);
  field.values(1)[1 + 4 * (2 + 3 * 1)] = 5;  // cell (1, 2, 1)
  std::vector<float> out(1);
  const auto centre = [&](std::uint32_t axis, float cell) {
    return std::vector<float>{options.world.lo[axis] + (cell + 0.5F) * field.cell_size(axis)};
  };
  ASSERT_TRUE(field.sample(centre(0, 1), centre(1, 2), centre(2, 1), out,
                           {.component = 1, .method = FieldMethod::kNearest}));
  EXPECT_EQ(out[0], 5);
  EXPECT_EQ(std::as_const(field).values(0)[0], 0);
}

void expect_refused(const FieldOptions& options, ErrorCode code, std::uint64_t index = Error::kNowhere) {
  const auto field = Field::build(options);
  ASSERT_FALSE(field);
  EXPECT_EQ(test::code_of(field), code) << field.error().message;
  EXPECT_EQ(field.error().index, index) << field.error().message;
}

TEST(GridField, RefusesWorldsAndCellsThatMakeNoSense) {
  const FieldOptions good = test::options_of(2, {4, 3, 1}, {});
  const auto with = [&](auto change) {
    FieldOptions options = good;
    change(options);
    return options;
  };
  const auto wrong = ErrorCode::kInvalidArgument;
  expect_refused(with([](auto& o) { o.world.dimensions = 1; }), wrong);
  expect_refused(with([](auto& o) { o.world.dimensions = 4; }), wrong);
  expect_refused(with([](auto& o) { o.cells[0] = 0; }), wrong, 0);
  expect_refused(with([](auto& o) { o.cells[1] = Field::kMostCellsOfAxis + 1; }), wrong, 1);
  expect_refused(with([](auto& o) { o.cells[2] = 2; }), wrong, 2);
  expect_refused(with([](auto& o) { o.cells[2] = 0; }), wrong, 2);
  expect_refused(with([](auto& o) { o.components = 0; }), wrong);
  expect_refused(with([](auto& o) { o.components = Field::kMostComponents + 1; }), wrong);
  expect_refused(with([](auto& o) { o.world.hi.y = o.world.lo.y; }), wrong, 1);
  expect_refused(with([](auto& o) { std::swap(o.world.hi.x, o.world.lo.x); }), wrong, 0);
  expect_refused(with([](auto& o) { o.world.lo.x = -3e38F, o.world.hi.x = 3e38F; }), wrong, 0);
  expect_refused(with([](auto& o) { o.world.lo.x = 0, o.world.hi.x = 1e-45F; }), wrong, 0);
  expect_refused(with([](auto& o) { o.world.edges[1] = static_cast<Edge>(3); }), wrong, 1);
  expect_refused(with([](auto& o) { o.world.lo.y = kNan; }), ErrorCode::kNotFinite, 1);
  expect_refused(with([](auto& o) { o.world.hi.x = kInfinity; }), ErrorCode::kNotFinite, 0);
  expect_refused(with([](auto& o) { o.cells = {1U << 20, 1U << 12, 1}; }), ErrorCode::kTooLarge);
  // In 2D nobody looks at z.
  EXPECT_TRUE(Field::build(with([](auto& o) { o.world.lo.z = kNan; })));
}

TEST(GridField, TotalsAreTheSameForAnyExecutor) {
  scenes::Draws draws(1);
  const Field field = test::draw_field(test::options_of(2, {700, 301, 1}, {}, 2), draws);
  const double due = field.total(1).value();
  test::for_each_executor(
      [&](const Executor* executor) { EXPECT_EQ(field.total(1, {.executor = executor}).value(), due); });
  EXPECT_EQ(test::code_of(field.total(2)), ErrorCode::kInvalidArgument);
  double plain = 0;
  for (const float value : field.values(1)) {
    plain += static_cast<double>(value);
  }
  EXPECT_NEAR(due / plain, 1, 1e-12);
}

TEST(GridField, FillSetsOneComponent) {
  Field field = Field::build(test::options_of(2, {5, 5, 1}, {}, 2)).value();
  ASSERT_TRUE(field.fill(0.5F, 1));
  EXPECT_EQ(field.total(0).value(), 0);
  EXPECT_EQ(field.total(1).value(), 12.5);
  EXPECT_EQ(test::code_of(field.fill(kNan)), ErrorCode::kNotFinite);
  EXPECT_EQ(test::code_of(field.fill(1, 2)), ErrorCode::kInvalidArgument);
}

TEST(GridField, EqualFieldsHaveEqualHashes) {
  for (const std::uint32_t width : {1U, 2U, 5U}) {
    const FieldOptions options = test::options_of(2, {width, 3, 1}, {}, 2);
    Field a = Field::build(options).value(), b = Field::build(options).value();
    EXPECT_TRUE(a == b);
    EXPECT_EQ(a.state_hash(), b.state_hash());
    for (std::uint32_t c = 0; c < 2; ++c) {
      for (float& value : b.values(c)) {
        value = 1;
        EXPECT_FALSE(a == b);
        EXPECT_NE(a.state_hash(), b.state_hash());
        value = 0;
      }
    }
    FieldOptions other = options;
    other.world.edges[1] = Edge::kWall;
    EXPECT_FALSE(a == Field::build(other).value());
    EXPECT_NE(a.state_hash(), Field::build(other).value().state_hash());
  }
}

TEST(GridField, MovesAndGivesItsMemoryBack) {
  test::CountingResource resource;
  {
    Field a = Field::build(test::options_of(2, {64, 64, 1}, {}), &resource).value();
    ASSERT_TRUE(a.fill(2));
    ASSERT_TRUE(a.diffuse({.amount = 0.1F}));
    Field b = std::move(a);
    EXPECT_GE(b.memory_bytes(), 2 * 64 * 64 * sizeof(float));
    a = Field::build(test::options_of(2, {2, 2, 1}, {}), &resource).value();
    EXPECT_EQ(a.cells(), 4U);
    EXPECT_EQ(b.cells(), 4096U);
  }
  EXPECT_EQ(resource.held(), 0U);
}

}  // namespace
}  // namespace juxta
