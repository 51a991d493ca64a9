// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// diffuse(): the plain twin's bits for every shape, edge, executor, instruction set and number of steps.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "grid/diffuse_kernel.h"
#include "grid/fields.h"
#include "juxta/core/monitor.h"
#include "juxta/core/workspace.h"
#include "support/code_of.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

using test::Shape;

/// Step by step by the plain twin.
std::vector<float> twin(const Field& field, const Diffusion& diffusion, std::uint32_t component) {
  const FieldOptions& options = field.options();
  std::vector<float> from(field.values(component).begin(), field.values(component).end()), to(from.size());
  grid_detail::DiffuseTask task{};
  task.nx = options.cells[0];
  task.ny = options.cells[1];
  task.nz = options.cells[2];
  task.edges = options.world.edges;
  task.dimensions = options.world.dimensions;
  task.amount = diffusion.amount;
  task.keep = 1 - diffusion.decay;
  for (std::uint32_t step = 0; step < diffusion.steps; ++step) {
    task.from = from.data();
    task.to = to.data();
    EXPECT_TRUE(diffuse_reference(task));
    std::swap(from, to);
  }
  return from;
}

void expect_same(const Field& field, std::uint32_t component, const std::vector<float>& due) {
  const auto values = field.values(component);
  ASSERT_EQ(values.size(), due.size());
  for (std::size_t i = 0; i < due.size(); ++i) {
    ASSERT_EQ(std::bit_cast<std::uint32_t>(values[i]), std::bit_cast<std::uint32_t>(due[i]))
        << "cell " << i << ": " << values[i] << " for " << due[i];
  }
}

/// All that a call may be asked, from the same field.
void compare(const FieldOptions& options, std::uint32_t steps, std::uint64_t seed,
             const Executor* executor = nullptr) {
  SCOPED_TRACE(test::name_of(options) + ", steps " + std::to_string(steps));
  scenes::Draws draws(seed);
  Field field = test::draw_field(options, draws);
  const float most = options.world.dimensions == 2 ? 0.25F : 1.0F / 6;
  const Diffusion diffusion{.amount = draws.below(4) == 0 ? most : most * draws.unit(),
                            .decay = draws.below(2) == 0 ? 0.0F : 0.1F * draws.unit(),
                            .steps = steps,
                            .component = Diffusion::kAllComponents};
  std::vector<std::vector<float>> due;
  for (std::uint32_t c = 0; c < options.components; ++c) {
    due.push_back(twin(field, diffusion, c));
  }
  const auto done = field.diffuse(diffusion, {.executor = executor});
  ASSERT_TRUE(done) << done.error().message;
  for (std::uint32_t c = 0; c < options.components; ++c) {
    ASSERT_NO_FATAL_FAILURE(expect_same(field, c, due[c]));
  }
}

constexpr Shape kFlat[] = {{1, 1, 1},  {1, 9, 1},  {9, 1, 1},  {2, 2, 1},   {3, 5, 1},   {15, 4, 1},
                           {16, 3, 1}, {17, 7, 1}, {31, 2, 1}, {32, 40, 1}, {33, 66, 1}, {100, 3, 1}};
constexpr Shape kSpace[] = {{1, 1, 1}, {1, 1, 7},  {1, 8, 1},   {9, 1, 2},   {2, 2, 2},
                            {3, 4, 5}, {16, 3, 9}, {17, 2, 40}, {35, 5, 33}, {8, 20, 3}};

TEST(GridDiffuse, EveryShapeEdgeAndInstructionSet) {
  test::for_each_isa([](Isa) {
    std::uint64_t seed = 0;
    for (const std::uint32_t dimensions : {2U, 3U}) {
      const std::span<const Shape> shapes = dimensions == 2 ? std::span<const Shape>(kFlat) : kSpace;
      for (const auto& edges : test::all_edges(dimensions)) {
        for (const Shape& cells : shapes) {
          for (const std::uint32_t steps : {1U, 2U, 3U, 11U}) {
            ASSERT_NO_FATAL_FAILURE(compare(test::options_of(dimensions, cells, edges), steps, ++seed));
          }
        }
      }
    }
  });
}

TEST(GridDiffuse, EveryExecutorAndSeveralComponents) {
  test::for_each_executor([](const Executor* executor) {
    std::uint64_t seed = 100;
    for (const std::uint32_t components : {1U, 2U, 3U}) {
      for (const std::uint32_t steps : {1U, 4U, 9U}) {
        for (const Edge edge : test::kEdges) {
          const std::array<Edge, 3> edges = {Edge::kWall, edge, edge};
          ASSERT_NO_FATAL_FAILURE(
              compare(test::options_of(2, {70, 300, 1}, edges, components), steps, ++seed, executor));
          ASSERT_NO_FATAL_FAILURE(
              compare(test::options_of(3, {21, 7, 90}, edges, components), steps, ++seed, executor));
        }
      }
    }
  });
}

/// Rows so long that fewer steps go together, or none.
TEST(GridDiffuse, LargeRowsAndPlanes) {
  const std::array<Edge, 3> edges = {Edge::kPeriodic, Edge::kOpen, Edge::kPeriodic};
  ASSERT_NO_FATAL_FAILURE(compare(test::options_of(2, {20'001, 9, 1}, edges), 5, 1));
  ASSERT_NO_FATAL_FAILURE(compare(test::options_of(2, {70'001, 5, 1}, edges), 3, 2));
  ASSERT_NO_FATAL_FAILURE(compare(test::options_of(3, {150, 140, 5}, edges), 5, 3));
  ASSERT_NO_FATAL_FAILURE(compare(test::options_of(3, {300, 240, 4}, edges), 2, 4));
  // Large and aligned, so that a single step stores past the caches.
  test::for_each_isa([&](Isa) {
    ASSERT_NO_FATAL_FAILURE(compare(test::options_of(2, {1024, 1025, 1}, edges), 1, 5));
    ASSERT_NO_FATAL_FAILURE(compare(test::options_of(3, {128, 96, 90}, edges), 1, 6));
  });
}

TEST(GridDiffuse, OneComponentLeavesTheOthersAlone) {
  scenes::Draws draws(4);
  Field field = test::draw_field(test::options_of(2, {40, 30, 1}, {}, 3), draws);
  const std::vector<float> first(field.values(0).begin(), field.values(0).end());
  const std::vector<float> third(field.values(2).begin(), field.values(2).end());
  const Diffusion diffusion{.amount = 0.2F, .decay = 0.5F, .steps = 3, .component = 1};
  const auto due = twin(field, diffusion, 1);
  Workspace workspace;
  ASSERT_TRUE(field.diffuse(diffusion, {.workspace = &workspace}));
  expect_same(field, 0, first);
  expect_same(field, 1, due);
  expect_same(field, 2, third);
}

TEST(GridDiffuse, ZeroStepsAndZeroAmountChangeNothing) {
  scenes::Draws draws(5);
  Field field = test::draw_field(test::options_of(2, {40, 30, 1}, {}), draws);
  const std::uint64_t before = field.state_hash();
  ASSERT_TRUE(field.diffuse({.amount = 0.2F, .decay = 0.5F, .steps = 0}));
  EXPECT_EQ(field.state_hash(), before);
  for (float& value : field.values()) {
    value = std::fabs(value) < 1e-20F ? 0 : value;
  }
  const std::uint64_t cleared = field.state_hash();
  ASSERT_TRUE(field.diffuse({.amount = 0, .decay = 0, .steps = 7}));
  EXPECT_EQ(field.state_hash(), cleared);
  ASSERT_TRUE(field.diffuse({.amount = 0.2F, .decay = 1, .steps = 1}));
  EXPECT_EQ(field.total().value(), 0);
}

TEST(GridDiffuse, WhatIsTooSmallBecomesZero) {
  Field field =
      Field::build(test::options_of(2, {64, 64, 1}, {Edge::kWall, Edge::kWall, Edge::kWall})).value();
  field.values()[64 * 32 + 32] = 1e-25F;
  ASSERT_TRUE(field.diffuse({.amount = 0.2F, .decay = 0, .steps = 12}));
  for (const float value : field.values()) {
    EXPECT_TRUE(value == 0 || value >= 0x1p-100F) << value;
  }
  ASSERT_TRUE(field.diffuse({.amount = 0.2F, .decay = 0.1F, .steps = 500}));
  EXPECT_EQ(field.total().value(), 0);
}

TEST(GridDiffuse, RefusesUnstableAmounts) {
  Field flat = Field::build(test::options_of(2, {4, 4, 1}, {})).value();
  Field space = Field::build(test::options_of(3, {4, 4, 4}, {})).value();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  for (const float amount : {-0.01F, 0.26F, kNan, 1e30F}) {
    EXPECT_EQ(test::code_of(flat.diffuse({.amount = amount})), ErrorCode::kInvalidArgument) << amount;
  }
  EXPECT_EQ(test::code_of(space.diffuse({.amount = 0.17F})), ErrorCode::kInvalidArgument);
  EXPECT_TRUE(flat.diffuse({.amount = 0.25F}));
  EXPECT_TRUE(space.diffuse({.amount = 1.0F / 6}));
  for (const float decay : {-0.01F, 1.01F, kNan}) {
    EXPECT_EQ(test::code_of(flat.diffuse({.amount = 0.1F, .decay = decay})), ErrorCode::kInvalidArgument);
  }
  EXPECT_EQ(test::code_of(flat.diffuse({.amount = 0.1F, .component = 1})), ErrorCode::kInvalidArgument);
}

TEST(GridDiffuse, WhatIsNotFiniteIsNamedAndNothingIsChanged) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                  kInfinity = std::numeric_limits<float>::infinity();
  test::for_each_isa([&](Isa) {
    for (const std::uint32_t steps : {1U, 20U}) {
      for (const Shape& cells : {Shape{5, 3, 1}, Shape{50, 40, 1}}) {
        for (const std::size_t at : {std::size_t{0}, std::size_t{7}, std::size_t{cells[0]} * cells[1] - 1}) {
          for (const float bad : {kNan, kInfinity, -kInfinity, 3e38F}) {
            scenes::Draws draws(6);
            Field field = test::draw_field(test::options_of(2, cells, {}, 2), draws);
            std::fill(field.values(1).begin(), field.values(1).end(), bad == 3e38F ? -3e38F : 1.0F);
            field.values(1)[at] = bad;
            const std::uint64_t before = field.state_hash();
            const auto done = field.diffuse({.amount = 0.2F, .decay = 0.5F, .steps = steps});
            ASSERT_FALSE(done);
            EXPECT_EQ(test::code_of(done), ErrorCode::kNotFinite);
            EXPECT_NE(done.error().message.find("component 1"), std::string::npos) << done.error().message;
            if (bad != 3e38F) {
              EXPECT_EQ(done.error().index, at) << done.error().message;
            }
            EXPECT_EQ(field.state_hash(), before);
          }
        }
      }
    }
  });
}

class StopAfter final : public Monitor {
 public:
  bool on_progress(std::string_view, std::uint64_t done, std::uint64_t) override {
    last = done;
    return done < 16;
  }
  std::uint64_t last = 0;
};

TEST(GridDiffuse, ACancelledCallHasDoneSomeSteps) {
  scenes::Draws draws(7);
  const FieldOptions options = test::options_of(2, {40, 30, 1}, {});
  Field field = test::draw_field(options, draws);
  StopAfter stop;
  const auto due = twin(field, {.amount = 0.2F, .decay = 0, .steps = 16}, 0);
  const auto done = field.diffuse({.amount = 0.2F, .decay = 0, .steps = 100}, {.monitor = &stop});
  ASSERT_FALSE(done);
  EXPECT_EQ(test::code_of(done), ErrorCode::kCancelled);
  EXPECT_EQ(stop.last, 16U);
  expect_same(field, 0, due);
}

}  // namespace
}  // namespace juxta
