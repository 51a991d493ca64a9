// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What sorts, passes and actions refuse, and that nothing has changed then.
#include <gtest/gtest.h>

#include <limits>

#include "agents/crowds.h"
#include "agents/pass_check.h"
#include "juxta/agents/act.h"
#include "scenes/draws.h"
#include "support/code_of.h"

namespace juxta {
namespace {

using test::Count;
using test::Crowding;
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

class SeeRefusals : public testing::Test {
 protected:
  /// Walls on x, periodic on y.
  SeeRefusals() : simulation(Simulation::build(test::make_world(2, 1 + 3 * 2)).value()) {
    agents = simulation.add_population("ants").value();
    scenes::Draws draws(1);
    test::fill(*agents, test::draw_crowd(draws, simulation.world(), Crowding::kUniform, 100, 1), draws);
  }
  void sort() { ASSERT_TRUE(agents->sort({.radius = 1})); }
  template <class Rules>
  void expect_refused(float radius, const Rules& rules, const SeeOptions& options, ErrorCode code,
                      const char* word) {
    const auto before = test::values(*agents, "count");
    const auto done = see(*agents, *agents, radius, rules, options);
    ASSERT_FALSE(done) << word;
    EXPECT_EQ(test::code_of(done), code) << done.error().message;
    EXPECT_NE(done.error().message.find(word), std::string::npos) << done.error().message;
    EXPECT_EQ(test::values(*agents, "count"), before);
  }

  Simulation simulation;
  Population* agents;
};

TEST_F(SeeRefusals, Radii) {
  sort();
  for (const float radius : {0.0F, -0.0F, -1.0F, kInf, -kInf, kNan}) {
    expect_refused(radius, Count{}, {}, ErrorCode::kInvalidArgument, "radius");
    const auto done = agents->sort({.radius = radius});
    ASSERT_FALSE(done);
    EXPECT_EQ(test::code_of(done), ErrorCode::kInvalidArgument);
    EXPECT_NE(done.error().message.find("radius"), std::string::npos);
  }
  for (const float skin : {-1.0F, kInf, kNan}) {
    const auto done = agents->sort({.radius = 1, .skin = skin});
    ASSERT_FALSE(done);
    EXPECT_EQ(test::code_of(done), ErrorCode::kInvalidArgument);
    EXPECT_NE(done.error().message.find("skin"), std::string::npos);
  }
  EXPECT_TRUE(see(*agents, *agents, 1, Count{}));
}

TEST_F(SeeRefusals, RadiiOfTheirOwn) {
  SeeOptions options;
  options.radii = test::column(*agents, "sight");
  for (const float bad : {-0.5F, 1.5F, kInf, kNan}) {
    sort();
    agents->write(options.radii)[42] = bad;
    const auto done = see(*agents, *agents, 1, Count{}, options);
    ASSERT_FALSE(done) << bad;
    EXPECT_EQ(test::code_of(done), ErrorCode::kInvalidArgument);
    EXPECT_EQ(done.error().index, 42u);
    agents->write(options.radii)[42] = 1;
    EXPECT_TRUE(see(*agents, *agents, 1, Count{}, options));
  }
  options.radii = Column<float>{1000};
  expect_refused(1, Count{}, options, ErrorCode::kInvalidArgument, "radii");
  options.radii.index = agents->add_column<double>("wide").value().index;
  sort();
  expect_refused(1, Count{}, options, ErrorCode::kInvalidArgument, "radii");
}

TEST_F(SeeRefusals, WhatIsNotSorted) {
  expect_refused(1, Count{}, {}, ErrorCode::kInvalidArgument, "sort()");
  sort();
  EXPECT_TRUE(see(*agents, *agents, 1, Count{}));
  EXPECT_TRUE(agents->sorted());
  static_cast<void>(agents->write(agents->position(1)));
  EXPECT_FALSE(agents->sorted());
  expect_refused(1, Count{}, {}, ErrorCode::kInvalidArgument, "ants");
  sort();
  static_cast<void>(agents->write(test::column(*agents, "mass")));  // no position
  EXPECT_TRUE(agents->sorted());
  ASSERT_TRUE(agents->insert(1));
  expect_refused(1, Count{}, {}, ErrorCode::kInvalidArgument, "sort()");
  sort();
  agents->changes().kill(3);
  ASSERT_TRUE(simulation.end_step());
  expect_refused(1, Count{}, {}, ErrorCode::kInvalidArgument, "sort()");
  sort();
  ASSERT_TRUE(agents->add_extents());
  expect_refused(1, Count{}, {}, ErrorCode::kInvalidArgument, "sort()");
  sort();
  static_cast<void>(agents->write(test::column(*agents, "ex")));
  expect_refused(1, Count{}, {}, ErrorCode::kInvalidArgument, "sort()");
}

TEST_F(SeeRefusals, Columns) {
  sort();
  expect_refused(1, test::Misspelt{}, {}, ErrorCode::kNotFound, "'mas'");
  auto other = simulation.add_population("bees").value();
  ASSERT_TRUE(other->sort({.radius = 1}));
  const auto missing = see(*other, *agents, 1, Count{});
  ASSERT_FALSE(missing);
  EXPECT_EQ(test::code_of(missing), ErrorCode::kNotFound);
  EXPECT_NE(missing.error().message.find("'count'"), std::string::npos);
  EXPECT_NE(missing.error().message.find("bees"), std::string::npos);
  ASSERT_TRUE(other->add_column<double>("count"));
  EXPECT_EQ(test::code_of(see(*other, *agents, 1, Count{})), ErrorCode::kInvalidArgument);
  const auto drift = act(*other, test::Drift{});
  ASSERT_FALSE(drift);
  EXPECT_EQ(test::code_of(drift), ErrorCode::kNotFound);
}

TEST_F(SeeRefusals, PopulationsOfTwoSimulations) {
  sort();
  auto elsewhere = Simulation::build(simulation.world()).value();
  Population& others = *elsewhere.add_population("ants").value();
  ASSERT_TRUE(others.sort({.radius = 1}));
  EXPECT_EQ(test::code_of(see(*agents, others, 1, Count{})), ErrorCode::kInvalidArgument);
}

TEST_F(SeeRefusals, PositionsThatHaveNoPlace) {
  struct Bad {
    std::uint32_t axis;
    float at;
    ErrorCode code;
  };
  for (const std::size_t row : {0U, 57U, 99U}) {
    for (const Bad& bad :
         {Bad{0, kNan, ErrorCode::kNotFinite}, Bad{1, kNan, ErrorCode::kNotFinite},
          Bad{1, kInf, ErrorCode::kNotFinite}, Bad{0, -kInf, ErrorCode::kNotFinite},
          Bad{0, 8.5F, ErrorCode::kInvalidArgument}, Bad{0, -8.001F, ErrorCode::kInvalidArgument}}) {
      sort();
      const float good = agents->read(agents->position(bad.axis))[row];
      agents->write(agents->position(bad.axis))[row] = bad.at;
      agents->write(agents->position(1))[(row + 1) % 100] += 22;  // would be brought back
      const auto x = test::values(*agents, "x"), y = test::values(*agents, "y"),
                 number = test::values(*agents, "number");
      const auto done = agents->sort({.radius = 1});
      ASSERT_FALSE(done) << bad.at;
      EXPECT_EQ(test::code_of(done), bad.code) << done.error().message;
      EXPECT_EQ(done.error().index, row);
      const Id id = agents->id_of(static_cast<std::uint32_t>(row));
      EXPECT_NE(done.error().message.find(std::to_string(id.slot)), std::string::npos)
          << done.error().message;
      EXPECT_EQ(test::values(*agents, "number"), number);
      agents->write(agents->position(bad.axis))[row] = good;
      auto right = bad.axis == 0 ? x : y;
      right[row] = good;
      EXPECT_EQ(test::values(*agents, bad.axis == 0 ? "x" : "y"), right);
      EXPECT_EQ(test::values(*agents, bad.axis == 0 ? "y" : "x"), bad.axis == 0 ? y : x);
    }
  }
  agents->write(agents->position(0))[5] = 8;  // at the wall is inside
  agents->write(agents->position(0))[6] = -8;
  EXPECT_TRUE(agents->sort({.radius = 1}));
}

TEST_F(SeeRefusals, ExtentsThatAreNone) {
  ASSERT_TRUE(agents->add_extents());
  for (const float bad : {-1.0F, kInf, kNan}) {
    sort();
    agents->write(test::column(*agents, "ey"))[17] = bad;
    const auto done = agents->sort({.radius = 1});
    ASSERT_FALSE(done) << bad;
    EXPECT_EQ(done.error().index, 17u);
    agents->write(test::column(*agents, "ey"))[17] = 0;
  }
}

// A table for a world like this would need more memory than there is.
TEST_F(SeeRefusals, TablesThatWouldBeAbsurd) {
  auto wide = Simulation::build(test::make_world(3, 0)).value();
  Population& few = *wide.add_population("few").value();
  scenes::Draws draws(2);
  test::fill(few, test::draw_crowd(draws, wide.world(), Crowding::kLonely, 300, 0.001F), draws);
  const auto number = test::values(few, "number");
  for (const Arrangement table : {Arrangement::kMorton, Arrangement::kHilbert}) {
    const auto done = few.sort({.radius = 0.001F, .arrangement = table});
    if (!done) {  // else it took wider cells
      EXPECT_EQ(test::code_of(done), ErrorCode::kInvalidArgument);
      EXPECT_EQ(test::values(few, "number"), number);
    } else {
      EXPECT_LT(done->cells, 1'000'000u);
    }
  }
  for (const Arrangement any : {Arrangement::kAuto, Arrangement::kHashed, Arrangement::kTree}) {
    ASSERT_TRUE(few.sort({.radius = 0.001F, .arrangement = any}));
    EXPECT_EQ(test::compare_pass(few, few, 0.001F, {}), "");
  }
}

}  // namespace
}  // namespace juxta
