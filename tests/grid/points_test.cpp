// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// sample(), gradient() and deposit(): the plain twin's bits, known answers, and what is refused.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "grid/field_store.h"
#include "grid/fields.h"
#include "grid/points_kernel.h"
#include "support/code_of.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

using grid_detail::PointQuestion;
using test::Points;
using test::Shape;

constexpr FieldMethod kMethods[] = {FieldMethod::kNearest, FieldMethod::kLinear};
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Answers {
  std::vector<float> value;
  std::vector<float> slope[3];
};

Answers twin(const Field& field, const Points& points, const FieldAccess& access) {
  const std::size_t count = points.x.size();
  const grid_detail::FieldStore store(field.options(), huge_page_resource());  // for its axes
  grid_detail::PointsTask task{};
  task.axes = &store.axes;
  task.dimensions = field.options().world.dimensions;
  task.values = field.values(access.component).data();
  task.position = {points.x.data(), points.y.data(), points.z.data()};
  Answers answers;
  answers.value.resize(count);
  const bool nearest = access.method == FieldMethod::kNearest;
  task.question = nearest ? PointQuestion::kNearestValue : PointQuestion::kLinearValue;
  task.out[0] = answers.value.data();
  EXPECT_EQ(answer_points_reference(task, 0, count), count);
  task.question = nearest ? PointQuestion::kNearestSlope : PointQuestion::kLinearSlope;
  for (std::uint32_t axis = 0; axis < task.dimensions; ++axis) {
    answers.slope[axis].resize(count);
    task.out[axis] = answers.slope[axis].data();
  }
  EXPECT_EQ(answer_points_reference(task, 0, count), count);
  return answers;
}

Answers ask(const Field& field, const Points& points, const FieldAccess& access,
            const Context& context = {}) {
  Answers answers;
  answers.value.resize(points.x.size());
  for (std::uint32_t axis = 0; axis < field.options().world.dimensions; ++axis) {
    answers.slope[axis].resize(points.x.size());
  }
  auto done = field.sample(points.x, points.y, points.z, answers.value, access, context);
  EXPECT_TRUE(done) << done.error().message;
  done = field.gradient(points.x, points.y, points.z, answers.slope[0], answers.slope[1], answers.slope[2],
                        access, context);
  EXPECT_TRUE(done) << done.error().message;
  return answers;
}

/// Equal bits, but for the sign of 0.
void expect_same(const std::vector<float>& got, const std::vector<float>& due) {
  ASSERT_EQ(got.size(), due.size());
  for (std::size_t i = 0; i < due.size(); ++i) {
    ASSERT_EQ(std::bit_cast<std::uint32_t>(got[i] + 0.0F), std::bit_cast<std::uint32_t>(due[i] + 0.0F))
        << "point " << i << ": " << got[i] << " for " << due[i];
  }
}

void compare(const FieldOptions& options, std::size_t count, std::uint64_t seed,
             const Context& context = {}) {
  SCOPED_TRACE(test::name_of(options));
  scenes::Draws draws(seed);
  const Field field = test::draw_field(options, draws);
  const Points points = test::draw_points(options, count, draws);
  for (const FieldMethod method : kMethods) {
    const FieldAccess access{.component = options.components - 1, .method = method};
    const Answers due = twin(field, points, access), got = ask(field, points, access, context);
    ASSERT_NO_FATAL_FAILURE(expect_same(got.value, due.value));
    for (int axis = 0; axis < 3; ++axis) {
      ASSERT_NO_FATAL_FAILURE(expect_same(got.slope[axis], due.slope[axis]));
    }
  }
}

constexpr Shape kFlat[] = {{1, 1, 1}, {1, 6, 1}, {7, 1, 1}, {2, 2, 1}, {5, 3, 1}, {40, 33, 1}};
constexpr Shape kSpace[] = {{1, 1, 1}, {1, 1, 6}, {2, 2, 2}, {5, 3, 4}, {17, 9, 12}};

TEST(GridPoints, EveryShapeEdgeAndInstructionSet) {
  test::for_each_isa([](Isa) {
    std::uint64_t seed = 0;
    for (const std::uint32_t dimensions : {2U, 3U}) {
      const std::span<const Shape> shapes = dimensions == 2 ? std::span<const Shape>(kFlat) : kSpace;
      for (const auto& edges : test::all_edges(dimensions)) {
        for (const Shape& cells : shapes) {
          for (const std::size_t count : {std::size_t{1}, std::size_t{100}}) {
            ASSERT_NO_FATAL_FAILURE(compare(test::options_of(dimensions, cells, edges, 2), count, ++seed));
          }
        }
      }
    }
  });
}

TEST(GridPoints, EveryExecutor) {
  test::for_each_executor([](const Executor* executor) {
    for (const Edge edge : test::kEdges) {
      ASSERT_NO_FATAL_FAILURE(
          compare(test::options_of(2, {90, 70, 1}, {edge, edge, edge}), 30'000, 5, {.executor = executor}));
    }
  });
}

/// A plane is what linear sampling and its slope must give back, away from the edges.
TEST(GridPoints, APlaneIsSampledExactly) {
  FieldOptions options = test::options_of(3, {16, 8, 4}, {Edge::kWall, Edge::kWall, Edge::kWall});
  options.world.lo = {0, 0, 0};
  options.world.hi = {16, 4, 4};
  Field field = Field::build(options).value();
  for (std::size_t i = 0; i < field.cells(); ++i) {
    const auto x = static_cast<float>(i % 16) + 0.5F, y = static_cast<float>(i / 16 % 8) * 0.5F + 0.25F,
               z = static_cast<float>(i / 128) + 0.5F;
    field.values()[i] = 3 * x - 8 * y + 0.5F * z;
  }
  const Points points{{4.25F, 9.5F}, {1.0F, 2.125F}, {1.5F, 2.5F}};
  const Answers got = ask(field, points, {});
  EXPECT_EQ(got.value, (std::vector<float>{12.75F - 8 + 0.75F, 28.5F - 17 + 1.25F}));
  EXPECT_EQ(got.slope[0], (std::vector<float>{3, 3}));
  EXPECT_EQ(got.slope[1], (std::vector<float>{-8, -8}));
  // Central differences beside the walls of a grid of four planes.
  EXPECT_EQ(got.slope[2], (std::vector<float>{0.5F, 0.5F}));
}

/// Four cells of size 1 from 0, with the values 1, 2, 4, 8.
Field four(Edge edge) {
  FieldOptions options = test::options_of(2, {4, 1, 1}, {edge, Edge::kWall, Edge::kOpen});
  options.world.lo = {0, 0, 0};
  options.world.hi = {4, 1, 0};
  Field field = Field::build(options).value();
  for (std::size_t i = 0; i < 4; ++i) {
    field.values()[i] = static_cast<float>(1U << i);
  }
  return field;
}

std::vector<float> at(const Field& field, std::vector<float> x, FieldMethod method) {
  const std::vector<float> y(x.size(), 0.5F);
  std::vector<float> out(x.size());
  EXPECT_TRUE(field.sample(x, y, {}, out, {.method = method}));
  return out;
}

TEST(GridPoints, EdgesByHand) {
  using V = std::vector<float>;
  const FieldMethod near = FieldMethod::kNearest, linear = FieldMethod::kLinear;
  EXPECT_EQ(at(four(Edge::kWall), {0, 0.25F, 1, 3.75F, 4}, linear), (V{1, 1, 1.5F, 8, 8}));
  EXPECT_EQ(at(four(Edge::kWall), {0, 0.99F, 1, 3.75F, 4}, near), (V{1, 1, 2, 8, 8}));
  EXPECT_EQ(at(four(Edge::kPeriodic), {0, 0.25F, 4, -0.25F, 8.5F}, linear), (V{4.5F, 2.75F, 4.5F, 6.25F, 1}));
  EXPECT_EQ(at(four(Edge::kPeriodic), {4, -0.25F, 9.5F}, near), (V{1, 8, 2}));
  EXPECT_EQ(at(four(Edge::kOpen), {0, -0.25F, -0.5F, -9, 4, 4.25F, 1e30F}, linear),
            (V{0.5F, 0.25F, 0, 0, 4, 2, 0}));
  EXPECT_EQ(at(four(Edge::kOpen), {0, -0.25F, 3.99F, 4, -1e30F}, near), (V{1, 0, 8, 0, 0}));
}

/// The float before hi is in the last cell, though its distance from lo rounds to that of hi.
TEST(GridPoints, TheLastPositionIsInTheLastCell) {
  test::for_each_isa([](Isa) {
    for (const Edge edge : {Edge::kWall, Edge::kPeriodic}) {
      Field field = Field::build(test::options_of(2, {5, 1, 1}, {edge, Edge::kWall})).value();
      field.values()[4] = 1;
      const std::vector<float> x(1, std::nextafter(4.0F, 0.0F)), y(1, 2.0F);
      ASSERT_EQ(x[0] + 3, 7.0F);
      std::vector<float> out(1);
      ASSERT_TRUE(field.sample(x, y, {}, out, {.method = FieldMethod::kNearest}));
      EXPECT_EQ(out[0], 1);
      ASSERT_TRUE(field.deposit(x, y, {}, std::vector<float>{2}, {.method = FieldMethod::kNearest}));
      EXPECT_EQ(field.values()[4], 3);
    }
  });
}

TEST(GridPoints, DepositIsTheTransposeOfSample) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (const auto& edges : test::all_edges(dimensions)) {
      for (const FieldMethod method : kMethods) {
        const FieldOptions options = test::options_of(dimensions, {5, 3, dimensions == 2 ? 1U : 4U}, edges);
        SCOPED_TRACE(test::name_of(options));
        scenes::Draws draws(8);
        Field numbered = Field::build(options).value(), deposits = Field::build(options).value();
        for (std::size_t i = 0; i < numbered.cells(); ++i) {
          numbered.values()[i] = draws.unit();
        }
        const Points points = test::draw_points(options, 300, draws);
        std::vector<float> amounts(300), samples(300);
        for (float& amount : amounts) {
          amount = draws.unit();
        }
        ASSERT_TRUE(deposits.deposit(points.x, points.y, points.z, amounts, {.method = method}));
        ASSERT_TRUE(numbered.sample(points.x, points.y, points.z, samples, {.method = method}));
        double of_cells = 0, of_points = 0;
        for (std::size_t i = 0; i < numbered.cells(); ++i) {
          of_cells += static_cast<double>(numbered.values()[i]) * static_cast<double>(deposits.values()[i]);
        }
        for (std::size_t i = 0; i < 300; ++i) {
          of_points += static_cast<double>(samples[i]) * static_cast<double>(amounts[i]);
        }
        EXPECT_NEAR(of_cells, of_points, 1e-4 * of_points);
      }
    }
  }
}

TEST(GridPoints, DepositsOfOneCellAreAddedInTheOrderOfPoints) {
  Field field = four(Edge::kWall);
  ASSERT_TRUE(field.fill(0));
  const std::vector<float> x(4, 2.5F), y(4, 0.5F), amounts = {1e8F, 1, -1e8F, 1};
  ASSERT_TRUE(field.deposit(x, y, {}, amounts));
  EXPECT_EQ(field.values()[2], ((0 + 1e8F) + 1.0F - 1e8F) + 1.0F);
  ASSERT_TRUE(field.deposit(x, y, {}, std::vector<float>{0.25F}, {.method = FieldMethod::kNearest}));
  EXPECT_EQ(field.values()[2], 2);
  EXPECT_EQ(field.total().value(), 2);
}

TEST(GridPoints, WithoutPointsNothingHappens) {
  Field field = four(Edge::kWall);
  std::vector<float> none;
  EXPECT_TRUE(field.deposit({}, {}, {}, {}));
  EXPECT_TRUE(field.sample({}, {}, {}, none));
  EXPECT_TRUE(field.gradient({}, {}, {}, none, none, none));
}

void expect_error(const Result<void>& result, ErrorCode code, std::uint64_t index, const char* word) {
  ASSERT_FALSE(result);
  EXPECT_EQ(test::code_of(result), code) << result.error().message;
  EXPECT_EQ(result.error().index, index) << result.error().message;
  EXPECT_NE(result.error().message.find(word), std::string::npos) << result.error().message;
}

TEST(GridPoints, RefusedPositionsAreNamed) {
  test::for_each_isa([](Isa) {
    Field field = four(Edge::kWall);
    const std::uint64_t before = field.state_hash();
    for (const std::size_t bad : {std::size_t{0}, std::size_t{5}, std::size_t{36}}) {
      for (const float p : {kNan, kInfinity, -kInfinity, -0.001F, 4.001F}) {
        std::vector<float> x(37, 1.0F), y(37, 0.5F), out(37), other(37);
        x[bad] = p;
        x[36] = bad == 36 ? p : 100;  // a later one
        const ErrorCode code = std::isfinite(p) ? ErrorCode::kInvalidArgument : ErrorCode::kNotFinite;
        expect_error(field.sample(x, y, {}, out), code, bad, "Point");
        expect_error(field.gradient(x, y, {}, out, other, {}), code, bad, "Point");
        expect_error(field.deposit(x, y, {}, std::vector<float>{1}), code, bad, "Point");
        EXPECT_EQ(field.state_hash(), before);
      }
    }
    // Open and periodic edges take every finite position.
    std::vector<float> out(1);
    EXPECT_TRUE(four(Edge::kOpen).sample(std::vector<float>{3e38F}, std::vector<float>{0}, {}, out));
    EXPECT_FALSE(four(Edge::kOpen).sample(std::vector<float>{kInfinity}, std::vector<float>{0}, {}, out));
    EXPECT_TRUE(four(Edge::kPeriodic).sample(std::vector<float>{-3e38F}, std::vector<float>{0}, {}, out));
  });
}

TEST(GridPoints, RefusedArgumentsAreNamed) {
  Field field = four(Edge::kWall);
  std::vector<float> one(1, 0.5F), two(2, 0.5F);
  const auto wrong = ErrorCode::kInvalidArgument;
  expect_error(field.sample(one, two, {}, one), wrong, Error::kNowhere, "y");
  expect_error(field.sample(one, one, one, one), wrong, Error::kNowhere, "z");
  expect_error(field.sample(one, one, {}, two), wrong, Error::kNowhere, "x");
  expect_error(field.sample(one, one, {}, one, {.component = 1}), wrong, Error::kNowhere, "component 1");
  expect_error(field.gradient(one, one, {}, one, two, {}), wrong, Error::kNowhere, "results");
  expect_error(field.gradient(one, one, {}, one, one, one), wrong, Error::kNowhere, "results");
  expect_error(field.deposit(one, one, {}, two), wrong, Error::kNowhere, "amounts");
  expect_error(field.deposit(two, two, {}, std::vector<float>{1, kNan}), ErrorCode::kNotFinite, 1, "Amount");
  expect_error(field.deposit(one, one, {}, one, {.component = 7}), wrong, Error::kNowhere, "component 7");
}

TEST(GridPoints, ResultsBeyondFloatAreReported) {
  Field field = four(Edge::kWall);
  std::vector<float> x(3, 2.5F), y(3, 0.5F), out(3), other(3);
  field.values()[1] = -3e38F;
  field.values()[3] = 3e38F;
  EXPECT_TRUE(field.sample(x, y, {}, out));
  expect_error(field.gradient(x, y, {}, out, other, {}), ErrorCode::kNotFinite, 0, "slope");
  field.values()[2] = kNan;
  expect_error(field.sample(x, y, {}, out), ErrorCode::kNotFinite, 0, "not finite");
  ASSERT_TRUE(field.fill(3e38F));
  expect_error(field.deposit(x, y, {}, std::vector<float>{3e37F}), ErrorCode::kNotFinite, 1, "beyond float");
}

}  // namespace
}  // namespace juxta
