// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Arrangements from inside: the runs that they give, what is chosen, what a search costs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "agents/crowds.h"
#include "agents/pass_check.h"
#include "agents/run_list.h"
#include "agents/store.h"
#include "scenes/draws.h"
#include "support/code_of.h"

namespace juxta {
namespace {

using agents_detail::Bounds;
using agents_detail::Directory;
using agents_detail::Reach;
using scenes::Draws;
using test::Crowd;
using test::Crowding;

constexpr std::array kAll{Arrangement::kRows, Arrangement::kMorton, Arrangement::kHilbert,
                          Arrangement::kHashed, Arrangement::kTree};

const Directory& directory_of(const Population& population) {
  return agents_detail::PopulationStore::of(population).directory;
}

/// A population with the agents of a crowd.
struct Sorted {
  Sorted(const World& world, const Crowd& crowd, const SortOptions& options)
      : simulation(Simulation::build(world).value()), agents(*simulation.add_population("agents").value()) {
    Draws draws(3);
    test::fill(agents, crowd, draws);
    const auto done = agents.sort(options);
    EXPECT_TRUE(done) << done.error().message;
    report = done.value_or(SortReport{});
  }
  Simulation simulation;
  Population& agents;
  SortReport report;
};

Crowd uniform(const World& world, std::size_t count, std::uint64_t seed = 1) {
  Draws draws(seed);
  return test::draw_crowd(draws, world, Crowding::kUniform, count, 1);
}

/// A world `size` wide on every axis, and agents all over it.
World square(std::uint32_t dimensions, float size, Edge edge) {
  World world;
  world.dimensions = dimensions;
  world.edges.fill(edge);
  world.hi = Vec3::all(size);
  return world;
}

/// How far somebody in `row` is from the box on one axis, in the nearest image.
double gap(const World& world, std::uint32_t axis, const Bounds& box, float at, float extent) {
  const double period = world.edges[axis] == Edge::kPeriodic
                            ? static_cast<double>(world.hi[axis]) - static_cast<double>(world.lo[axis])
                            : 0;
  double least = 1e300;
  for (const double shift : {-period, 0.0, period}) {
    const double x = static_cast<double>(at) + shift;
    least = std::min(least, std::max({static_cast<double>(box.lo[axis]) - x, x - box.hi[axis], 0.0}));
  }
  return std::max(least - static_cast<double>(extent), 0.0);
}

/// Runs ascend, are apart, stay inside, and miss nobody within `radius` of the box; how many rows they have.
std::size_t expect_sound_runs(const Population& agents, const Bounds& box, float radius, bool ball) {
  const Crowd crowd = test::crowd_of(agents, false);
  std::vector<bool> met(agents.size());
  std::uint32_t end = 0;
  std::size_t rows = 0;
  agents_detail::for_each_run(directory_of(agents), box, Reach(directory_of(agents), radius, ball),
                              [&](agents_detail::Run run) {
                                EXPECT_LE(run.first, run.last);
                                EXPECT_LE(run.last, agents.size());
                                if (run.first < run.last) {
                                  EXPECT_GE(run.first, end);
                                  end = run.last;
                                  std::fill(met.begin() + run.first, met.begin() + run.last, true);
                                  rows += run.last - run.first;
                                }
                              });
  for (std::size_t row = 0; row < agents.size(); ++row) {
    double distance2 = 0, furthest = 0;
    for (std::uint32_t axis = 0; axis < agents.world().dimensions; ++axis) {
      const double d = gap(agents.world(), axis, box, crowd.position[axis][row], crowd.extent(axis, row));
      distance2 += d * d;
      furthest = std::max(furthest, d);
    }
    const double limit = static_cast<double>(radius);
    if (ball ? distance2 <= limit * limit : furthest <= limit) {
      EXPECT_TRUE(met[row]) << row;
    }
  }
  return rows;
}

TEST(Arrangement, RunsAscendAndMissNobody) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (const std::uint32_t edges : {0U, dimensions == 2 ? 4U : 13U, dimensions == 2 ? 8U : 26U, 2U}) {
      for (const Arrangement arrangement : kAll) {
        for (const bool extents : {false, true}) {
          Draws draws(dimensions + edges);
          const World world = test::make_world(dimensions, edges);
          Crowd crowd = test::draw_crowd(draws, world, Crowding::kUniform, 700, 1);
          if (extents) {
            test::draw_extents(draws, world, crowd);
          }
          const Sorted sorted(world, crowd, {.radius = 0.5F, .arrangement = arrangement});
          SCOPED_TRACE(test::name(world) + ", arrangement " + std::to_string(static_cast<int>(arrangement)));
          for (int i = 0; i < 60; ++i) {
            Bounds box;
            const std::size_t row = draws.below(700);
            for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
              const float at = sorted.agents.read(sorted.agents.position(axis))[row];
              box.lo[axis] = at - draws.uniform(0, 0.3F);
              box.hi[axis] = at + draws.uniform(0, 0.3F);
            }
            const float radius = std::array{0.01F, 0.5F, 1.7F, 4.0F, 9.0F, 50.0F}[draws.below(6)];
            expect_sound_runs(sorted.agents, box, radius, draws.below(2) == 0);
          }
        }
      }
    }
  }
}

TEST(Arrangement, AListOfRunsJoinsWhatItCannotHold) {
  Draws draws(4);
  for (const std::uint32_t count : {0U, 1U, 100U, 128U, 129U, 500U, 5000U}) {
    agents_detail::RunList list;
    std::vector<bool> wanted(20'000);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t first = draws.below(19'990), last = first + draws.below(4);
      list.add({first, last});
      std::fill(wanted.begin() + first, wanted.begin() + last, true);
    }
    std::uint32_t end = 0, rows = 0;
    bool any = false;
    list.visit_all([&](agents_detail::Run run) {
      EXPECT_TRUE(!any || run.first > end);  // those that touch are one
      EXPECT_LT(run.first, run.last);
      std::fill(wanted.begin() + run.first, wanted.begin() + run.last, false);
      rows += run.last - run.first;
      end = run.last;
      any = true;
    });
    EXPECT_EQ(std::count(wanted.begin(), wanted.end(), true), 0);
    EXPECT_TRUE(count > 128 || rows <= 3 * count) << "joined without need";
    list.visit_all([](agents_detail::Run) { FAIL() << "not emptied"; });
  }
}

TEST(Arrangement, ChoosesByDensityAndSizes) {
  const auto chosen = [](const World& world, const Crowd& crowd, float radius) {
    return Sorted(world, crowd, {.radius = radius}).report.arrangement;
  };
  const World plane = square(2, 100, Edge::kWall), space = square(3, 100, Edge::kPeriodic);
  EXPECT_EQ(chosen(plane, uniform(plane, 20'000), 1), Arrangement::kRows);
  EXPECT_EQ(chosen(space, uniform(space, 20'000), 5), Arrangement::kRows);
  // Rows fit the density, whatever the radius, also that of a crowd in a corner, unless nearly all are there.
  EXPECT_EQ(chosen(plane, uniform(plane, 20'000), 0.05F), Arrangement::kRows);
  EXPECT_EQ(chosen(space, uniform(space, 20'000), 0.5F), Arrangement::kRows);
  EXPECT_EQ(chosen(plane, uniform(plane, 20'000), 1e-3F), Arrangement::kRows);
  Crowd cloud = uniform(plane, 20'000);
  for (std::size_t i = 0; i < 10'000; ++i) {
    cloud.position[0][i] *= 0.03F;
    cloud.position[1][i] *= 0.03F;
  }
  EXPECT_EQ(chosen(plane, cloud, 0.05F), Arrangement::kRows);
  EXPECT_EQ(chosen(plane, cloud, 1), Arrangement::kRows);
  for (std::size_t i = 0; i < 10'000; ++i) {
    cloud.position[0][i] *= 0.01F;
    cloud.position[1][i] *= 0.01F;
  }
  EXPECT_EQ(chosen(plane, cloud, 1e-3F), Arrangement::kRows);
  Crowd apart = uniform(plane, 300'000);
  for (std::size_t i = 1; i < apart.size(); ++i) {
    apart.position[0][i] *= 1e-5F;
    apart.position[1][i] *= 1e-5F;
  }
  EXPECT_EQ(chosen(plane, apart, 1e-4F), Arrangement::kHashed);
  Crowd sized = uniform(plane, 5000);
  sized.extents[0].assign(5000, 1);
  sized.extents[1].assign(5000, 1);
  EXPECT_EQ(chosen(plane, sized, 2), Arrangement::kRows);
  sized.extents[1][77] = 20;
  EXPECT_EQ(chosen(plane, sized, 2), Arrangement::kTree);
  EXPECT_EQ(chosen(plane, sized, 50), Arrangement::kRows);  // the radius is much larger
}

/// Nine of ten agents in this part of the space.
Crowd crowded(const World& world, double part) {
  Crowd crowd = uniform(world, 3000);
  const auto edge = static_cast<float>(std::pow(part, 1.0 / world.dimensions));
  for (std::uint32_t axis = 0; axis < world.dimensions; ++axis) {
    for (std::size_t i = 0; i < 2700; ++i) {
      crowd.position[axis][i] = 30 + crowd.position[axis][i] * edge;
    }
  }
  return crowd;
}

// A table of one cell an agent would have a dozen in a cell where they are crowded.
TEST(Arrangement, RowsBecomeLowerWhereAgentsCrowd) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (const Edge edge : {Edge::kWall, Edge::kPeriodic}) {
      const World world = square(dimensions, 100, edge);
      Sorted even(world, uniform(world, 3000), {.radius = 2, .arrangement = Arrangement::kRows});
      Sorted sorted(world, crowded(world, 0.1), {.radius = 2, .arrangement = Arrangement::kRows});
      const Directory &low = directory_of(sorted.agents), &high = directory_of(even.agents);
      EXPECT_LT(low.height, high.height / 1.5F);
      EXPECT_GT(sorted.report.cells, 2 * even.report.cells);
      EXPECT_LE(sorted.report.cells, 4 * 3000u + 4096u);
      EXPECT_FALSE(low.crowded);
      for (const float radius : {0.3F, 2.0F}) {
        EXPECT_EQ(test::compare_pass(sorted.agents, sorted.agents, radius, {}), "");
      }
    }
  }
}

// No table can have that many cells: there are fewer, ordered inside, and boxes around all sixteens.
TEST(Arrangement, CellsBecomeWiderWhereAgentsAreClumped) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (const Edge edge : {Edge::kWall, Edge::kPeriodic}) {
      const World world = square(dimensions, 100, edge);
      Sorted sorted(world, crowded(world, 1e-4), {.radius = 2, .arrangement = Arrangement::kRows});
      const Directory& clumped = directory_of(sorted.agents);
      EXPECT_TRUE(clumped.crowded);
      EXPECT_FALSE(clumped.boxes.empty());
      EXPECT_LE(sorted.report.cells, 3000u);
      for (const float radius : {0.3F, 2.0F, 20.0F}) {
        EXPECT_EQ(test::compare_pass(sorted.agents, sorted.agents, radius, {}), "");
      }
      const Crowd even = uniform(world, 3000);
      for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
        auto column =
            sorted.agents.write(sorted.agents.find_column<float>(std::array{"x", "y", "z"}[axis]).value());
        std::copy(even.position[axis].begin(), even.position[axis].end(), column.begin());
      }
      ASSERT_TRUE(sorted.agents.sort({.radius = 2, .arrangement = Arrangement::kRows}));
      EXPECT_TRUE(clumped.boxes.empty());
      EXPECT_FALSE(clumped.crowded);
    }
  }
}

TEST(Arrangement, TablesAreSmallOrRefused) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    const World world = square(dimensions, 1000, Edge::kWall);
    const Crowd crowd = uniform(world, 3000);
    for (const Arrangement arrangement : {Arrangement::kRows, Arrangement::kMorton, Arrangement::kHilbert}) {
      for (const float radius : {3000.0F, 300.0F, 30.0F, 10.0F}) {
        const Sorted sorted(world, crowd, {.radius = radius, .arrangement = arrangement});
        EXPECT_EQ(sorted.report.arrangement, arrangement);
        EXPECT_LE(sorted.report.cells, 4 * 3000u + 4096u);
      }
      Sorted sorted(world, crowd, {.radius = 30, .arrangement = arrangement});
      const auto before = test::values(sorted.agents, "number");
      if (arrangement == Arrangement::kRows) {  // whose cells do not depend on the radius
        ASSERT_TRUE(sorted.agents.sort({.radius = 1e-3F, .arrangement = arrangement}));
        EXPECT_EQ(test::compare_census(sorted.agents, sorted.agents, 1, {}), "");
        continue;
      }
      const auto refused = sorted.agents.sort({.radius = 1e-3F, .arrangement = arrangement});
      ASSERT_FALSE(refused);
      EXPECT_EQ(test::code_of(refused), ErrorCode::kInvalidArgument);
      EXPECT_EQ(test::values(sorted.agents, "number"), before);
      EXPECT_EQ(test::compare_census(sorted.agents, sorted.agents, 30, {}), "");  // sorted as it was
    }
  }
}

// In a world 1e30 wide, with neighbours a thousandth apart; most cells of a key would be 1e21 wide.
TEST(Arrangement, HashedRowsInTheWidestWorlds) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (const Edge edge : {Edge::kOpen, Edge::kPeriodic}) {
      Draws draws(6);
      World world = square(dimensions, 1e30F, edge);
      world.lo = Vec3::all(-1e30F);
      Crowd crowd;
      for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
        for (int i = 0; i < 400; ++i) {
          const float scale = std::array{1e-3F, 1.0F, 1e10F, 9e29F}[draws.below(4)];
          crowd.position[axis].push_back(draws.uniform(-1, 1) * scale);
        }
      }
      for (const Arrangement arrangement : {Arrangement::kAuto, Arrangement::kHashed, Arrangement::kTree}) {
        Sorted sorted(world, crowd, {.radius = 1e-3F, .arrangement = arrangement});
        for (const float radius : {1e-3F, 0.1F, 1e9F, 1e18F}) {
          EXPECT_EQ(test::compare_census(sorted.agents, sorted.agents, radius, {}), "") << radius;
        }
        // The square of this radius is beyond float, and so are squared distances: nothing tells who is near.
        const auto refused = see(sorted.agents, sorted.agents, 1e29F, test::Census{0});
        ASSERT_FALSE(refused);
        EXPECT_EQ(test::code_of(refused), ErrorCode::kInvalidArgument);
      }
    }
  }
}

std::size_t tested(Population& agents, float radius) {
  return see(agents, agents, radius, test::Census{0}).value().tested;
}

// Agents in a few clouds of a wide world: who tests all pairs of a cloud tests two thousand each.
TEST(Arrangement, RowsFindCloudsInWideWorlds) {
  const World world = square(2, 1e5F, Edge::kWall);
  Draws draws(7);
  Crowd crowd;
  for (int i = 0; i < 8000; ++i) {
    const float cloud = static_cast<float>(draws.below(4)) * 3e4F;
    crowd.position[0].push_back(cloud + draws.uniform(0, 100));
    crowd.position[1].push_back(cloud + draws.uniform(0, 100));
  }
  Sorted sorted(world, crowd, {.radius = 1});
  EXPECT_EQ(sorted.report.arrangement, Arrangement::kRows);
  EXPECT_LT(tested(sorted.agents, 1), std::size_t{8000} * 40);
}

// One agent a hundred times as large as the others: only the tree keeps it out of everybody's way.
TEST(Arrangement, TreesAreNotWidenedByOneLargeAgent) {
  const World world = square(2, 200, Edge::kPeriodic);
  Crowd crowd = uniform(world, 6000);
  crowd.extents[0].assign(6000, 0.1F);
  crowd.extents[1].assign(6000, 0.1F);
  crowd.extents[0][99] = crowd.extents[1][99] = 40;
  Sorted tree(world, crowd, {.radius = 1});
  Sorted rows(world, crowd, {.radius = 1, .arrangement = Arrangement::kRows});
  EXPECT_EQ(tree.report.arrangement, Arrangement::kTree);
  EXPECT_EQ(tree.report.cells, (6000u + 15) / 16);
  EXPECT_LT(tested(tree.agents, 1) * 5, tested(rows.agents, 1));
}

// The same neighbours in the same sums of whole numbers, whatever the order of rows.
TEST(Arrangement, NeighbourSetsAreThoseOfRows) {
  for (const std::uint32_t edges : {0U, 8U}) {
    const World world = test::make_world(2, edges);
    const Crowd crowd = uniform(world, 2000, 9);
    std::vector<std::vector<float>> expected;
    for (const Arrangement arrangement : kAll) {
      Sorted sorted(world, crowd, {.radius = 0.6F, .arrangement = arrangement});
      ASSERT_TRUE(see(sorted.agents, sorted.agents, 0.6F, test::Census{0.1F}));
      std::vector<std::vector<float>> found(2000);
      const auto number = test::values(sorted.agents, "number");
      for (const std::string_view name : {"count", "masses", "tags", "nearest", "first", "last"}) {
        const auto values = test::values(sorted.agents, name);
        for (std::size_t row = 0; row < values.size(); ++row) {
          found[static_cast<std::size_t>(number[row])].push_back(values[row]);
        }
      }
      if (expected.empty()) {
        expected = found;
      }
      EXPECT_EQ(found, expected) << static_cast<int>(arrangement);
    }
  }
}

// Sixty-four agents in a row of memory stand in a small part of space: four squares of sixteen side by side,
// or along a curve. In hashed rows, which know the radius alone, they are a line.
TEST(Arrangement, NeighboursStandTogetherInMemory) {
  const World world = square(2, 100, Edge::kWall);
  const Crowd crowd = uniform(world, 40'000);
  const auto spread = [&](Arrangement arrangement) {
    const Sorted sorted(world, crowd, {.radius = 1, .arrangement = arrangement});
    const auto x = sorted.agents.read(sorted.agents.position(0)),
               y = sorted.agents.read(sorted.agents.position(1));
    double sum = 0;
    for (std::size_t i = 0; i + 64 <= x.size(); i += 64) {
      const auto some_x = x.subspan(i, 64), some_y = y.subspan(i, 64);
      const auto [x0, x1] = std::minmax_element(some_x.begin(), some_x.end());
      const auto [y0, y1] = std::minmax_element(some_y.begin(), some_y.end());
      sum += static_cast<double>(*x1 - *x0) + static_cast<double>(*y1 - *y0);
    }
    return sum;
  };
  const double hashed = spread(Arrangement::kHashed);
  EXPECT_LT(spread(Arrangement::kRows) * 2, hashed);
  EXPECT_LT(spread(Arrangement::kMorton) * 2, hashed);
  EXPECT_LT(spread(Arrangement::kHilbert) * 2, hashed);
}

}  // namespace
}  // namespace juxta
