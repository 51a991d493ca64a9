// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Nothing is lost or made in a closed world: against the total at the start, and against the same steps in
// doubles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "grid/fields.h"

namespace juxta {
namespace {

/// The same steps in doubles. World without open edges.
std::vector<double> in_doubles(const Field& field, const Diffusion& diffusion) {
  const auto& cells = field.options().cells;
  const std::size_t nx = cells[0], ny = cells[1], nz = cells[2];
  const auto& edges = field.options().world.edges;
  const auto beside = [](std::size_t i, std::size_t n, Edge edge, bool up) {
    const bool outside = up ? i + 1 == n : i == 0;
    return !outside ? (up ? i + 1 : i - 1) : edge == Edge::kWall ? i : up ? std::size_t{0} : n - 1;
  };
  std::vector<double> from(field.values().begin(), field.values().end()), to(from.size());
  for (std::uint32_t step = 0; step < diffusion.steps; ++step) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      const std::size_t x = i % nx, y = i / nx % ny, z = i / (nx * ny);
      double sum = 0;
      for (const bool up : {false, true}) {
        sum += from[beside(x, nx, edges[0], up) + nx * (y + ny * z)] - from[i];
        sum += from[x + nx * (beside(y, ny, edges[1], up) + ny * z)] - from[i];
        sum += nz == 1 ? 0 : from[x + nx * (y + ny * beside(z, nz, edges[2], up))] - from[i];
      }
      to[i] = from[i] + static_cast<double>(diffusion.amount) * sum;
    }
    std::swap(from, to);
  }
  return from;
}

enum class Start { kRandom, kSpike, kStripe, kHill, kRamp, kPowersOfTwo };
constexpr Start kStarts[] = {Start::kRandom, Start::kSpike, Start::kStripe,
                             Start::kHill,   Start::kRamp,  Start::kPowersOfTwo};

void begin(Field& field, Start start) {
  scenes::Draws draws(3);
  const auto values = field.values();
  const std::size_t nx = field.options().cells[0], count = values.size();
  for (std::size_t i = 0; i < count; ++i) {
    const float u = static_cast<float>(i % nx) / static_cast<float>(nx);
    switch (start) {
      case Start::kRandom:
        values[i] = draws.unit();
        break;
      case Start::kSpike:  // large beside small
        values[i] = i == count / 2 + nx / 2 ? 1e9F : 1e-3F * draws.unit();
        break;
      case Start::kStripe:
        values[i] = i % nx < nx / 3 ? 1e6F : draws.unit();
        break;
      case Start::kHill:
        values[i] = std::exp(-40 * (u - 0.5F) * (u - 0.5F));
        break;
      case Start::kRamp:
        values[i] = u;
        break;
      case Start::kPowersOfTwo:  // next to where the digits of a float change
        values[i] = 1 + 1e-3F * (draws.unit() - 0.5F);
        break;
    }
  }
}

void check(const test::Shape& cells, std::uint32_t dimensions, Edge edge, float amount) {
  for (const Start start : kStarts) {
    const FieldOptions options = test::options_of(dimensions, cells, {edge, edge, edge});
    SCOPED_TRACE(test::name_of(options) + ", start " + std::to_string(static_cast<int>(start)));
    Field field = Field::build(options).value();
    begin(field, start);
    const double before = field.total().value();
    const Diffusion diffusion{.amount = amount, .decay = 0, .steps = 1000};
    const std::vector<double> due = in_doubles(field, diffusion);
    ASSERT_TRUE(field.diffuse(diffusion));
    const double after = field.total().value();
    EXPECT_NEAR(after / before, 1, 1e-6);
    const double largest = *std::max_element(due.begin(), due.end());
    double worst = 0;
    for (std::size_t i = 0; i < due.size(); ++i) {
      worst = std::max(worst, std::fabs(static_cast<double>(field.values()[i]) - due[i]));
    }
    EXPECT_LT(worst, 2e-5 * largest);
    std::printf("%-34s start %d: drift %9.2e, worst cell %9.2e of the largest\n",
                test::name_of(options).c_str(), static_cast<int>(start), after / before - 1, worst / largest);
  }
}

TEST(GridConserve, AThousandStepsInAPlane) {
  for (const Edge edge : {Edge::kWall, Edge::kPeriodic}) {
    check({64, 48, 1}, 2, edge, 0.25F);
    check({61, 33, 1}, 2, edge, 0.1F);
    check({300, 4, 1}, 2, edge, 0.2F);
    check({100, 1, 1}, 2, edge, 0.25F);
  }
}

TEST(GridConserve, AThousandStepsInSpace) {
  for (const Edge edge : {Edge::kWall, Edge::kPeriodic}) {
    check({16, 12, 9}, 3, edge, 1.0F / 6);
    check({17, 8, 8}, 3, edge, 0.05F);
  }
}

TEST(GridConserve, OpenEdgesLoseAndDecayTakesItsPart) {
  Field open = Field::build(test::options_of(2, {20, 20, 1}, {})).value();
  ASSERT_TRUE(open.fill(1));
  ASSERT_TRUE(open.diffuse({.amount = 0.25F}));
  EXPECT_EQ(open.total().value(), 400 - 0.25 * 80);  // each of 80 outer sides loses a quarter
  Field closed = Field::build(test::options_of(2, {20, 20, 1}, {Edge::kWall, Edge::kWall})).value();
  ASSERT_TRUE(closed.fill(1));
  ASSERT_TRUE(closed.diffuse({.amount = 0.25F, .decay = 0.5F, .steps = 3}));
  EXPECT_EQ(closed.total().value(), 400 * 0.125);
}

}  // namespace
}  // namespace juxta
