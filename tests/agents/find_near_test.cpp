// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Who is near a point: kernel, twin and brute force.
#include "juxta/agents/find_near.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "agents/crowds.h"
#include "agents/oracle.h"
#include "agents/scan_kernel.h"
#include "agents/store.h"
#include "juxta/agents/simulation.h"
#include "scenes/draws.h"
#include "support/each_isa.h"

namespace juxta {
namespace {

using test::Crowd;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// A population of a crowd.
struct Placed {
  explicit Placed(const World& world, const Crowd& crowd) : simulation(*Simulation::build(world)) {
    population = *simulation.add_population("crowd");
    EXPECT_TRUE(population->insert(crowd.size()));
    for (std::uint32_t axis = 0; axis < world.dimensions; ++axis) {
      std::ranges::copy(crowd.position[axis], population->write(population->position(axis)).begin());
    }
  }
  Simulation simulation;
  Population* population = nullptr;
};

/// The rows near a point, by the oracle's rule for a population of one seer.
std::vector<std::uint32_t> by_force(const World& world, const Crowd& crowd, const Vec3& point, float radius) {
  Crowd seer;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    seer.position[axis] = {point[axis]};
  }
  std::vector<std::uint32_t> rows;
  test::Sight sight;
  for (std::size_t row = 0; row < crowd.size(); ++row) {
    if (test::is_near(world, Metric::kBall, seer, 0, crowd, row, radius, sight)) {
      rows.push_back(static_cast<std::uint32_t>(row));
    }
  }
  return rows;
}

std::vector<std::uint32_t> scanned(const Population& population, const Vec3& point, float radius) {
  std::vector<std::uint32_t> rows(population.size());
  const QueryResult result = find_near(population, point, radius, rows);
  EXPECT_EQ(result.written, std::min(result.found, rows.size()));
  rows.resize(result.found);
  return rows;
}

Crowd make_crowd(const World& world, test::Crowding crowding, std::size_t count, float radius,
                 scenes::Draws& draws) {
  Crowd crowd;
  for (std::uint32_t axis = 0; axis < world.dimensions; ++axis) {
    const bool open = world.edges[axis] == Edge::kOpen;
    for (std::size_t i = 0; i < count; ++i) {
      const float lo = open ? -8 : world.lo[axis], hi = open ? 8 : world.hi[axis];
      crowd.position[axis].push_back(test::draw_place(draws, crowding, axis, lo, hi, open, radius));
    }
  }
  return crowd;
}

TEST(FindNear, FindsWhoBruteForceFindsInEveryWorldAndCrowd) {
  for (std::uint32_t dimensions = 2; dimensions <= 3; ++dimensions) {
    for (std::uint32_t edges = 0; edges < test::world_count(dimensions); ++edges) {
      const World world = test::make_world(dimensions, edges);
      scenes::Draws draws(edges + 1);
      for (const test::Crowding crowding : test::kCrowdings) {
        SCOPED_TRACE(test::name(world) + " " + std::string(test::name(crowding)));
        const Crowd crowd = make_crowd(world, crowding, 1 + draws.below(70), 1.5F, draws);
        const Placed placed(world, crowd);
        for (const float radius : {0.0F, 0.75F, 1.5F, 9.0F, 40.0F}) {
          Vec3 point{};
          const std::size_t row = draws.below(static_cast<std::uint32_t>(crowd.size()));
          for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
            point[axis] = crowd.position[axis][row];
          }
          const auto expected = by_force(world, crowd, point, radius);
          test::for_each_isa([&](Isa) { EXPECT_EQ(scanned(*placed.population, point, radius), expected); });
        }
      }
    }
  }
}

TEST(FindNear, KernelAndTwinAgreeOnAnything) {
  scenes::Draws draws(7);
  std::array<std::vector<float>, 3> places;
  for (std::size_t count = 0; count < 70; ++count) {
    const auto anything = [&] {
      const std::array<float, 8> odd{kNan, kInfinity, -kInfinity, 0, -0.0F, 3e38F, -3e38F, 1e-40F};
      const std::uint32_t kind = draws.below(12);
      return kind < odd.size() ? odd[kind] : test::draw_unit(draws);
    };
    agents_detail::ScanTask task{};
    task.count = count;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      places[axis].assign(count + kArrayPadding, 0);
      for (float& place : places[axis]) {
        place = anything();
      }
      task.position[axis] = places[axis].data();
      task.point[axis] = test::draw_unit(draws);
      task.period[axis] = draws.below(2) == 0 ? 1.0F : kInfinity;
    }
    task.reach = test::draw_unit(draws);
    for (task.dimensions = 2; task.dimensions <= 3; ++task.dimensions) {
      for (const bool wraps : {false, true}) {
        task.wraps = wraps;
        for (const std::size_t capacity : {count, count / 4}) {
          std::vector<std::uint32_t> plain(count + 1, 77), fast(count + 1, 77);
          const std::size_t expected = agents_detail::scan_rows_plain(task, plain.data(), capacity);
          test::for_each_isa([&](Isa) {
            fast.assign(count + 1, 77);
            EXPECT_EQ(agents_detail::scan_rows(task, fast.data(), capacity), expected);
            EXPECT_EQ(fast, plain);
          });
        }
      }
    }
  }
}

TEST(FindNear, CountsWhatItHasNoRoomFor) {
  Crowd crowd;
  crowd.position[0].assign(40, 0.5F);
  crowd.position[1].assign(40, 0.5F);
  const Placed placed(test::make_world(2, 0), crowd);
  std::array<std::uint32_t, 3> rows{9, 9, 9};
  EXPECT_EQ(find_near(*placed.population, {0.5F, 0.5F, 0}, 1, std::span(rows).first(2)).found, 40U);
  EXPECT_EQ(rows, (std::array<std::uint32_t, 3>{0, 1, 9}));
  EXPECT_EQ(find_near(*placed.population, {0.5F, 0.5F, 0}, 1, {}).found, 40U);
}

TEST(FindNear, OddRadiiAndPlacesAreNearNobody) {
  Crowd crowd;
  crowd.position[0] = {kNan, kInfinity, -kInfinity, 1e30F, 0};
  crowd.position[1] = {0, 0, 0, 0, 0};
  const Placed placed(test::make_world(2, 0), crowd);
  for (const float radius : {kNan, kInfinity, -1.0F}) {
    EXPECT_EQ(find_near(*placed.population, {}, radius, {}).found, 0U);
  }
  EXPECT_EQ(scanned(*placed.population, {}, 3e38F), (std::vector<std::uint32_t>{4}));
  const Placed nobody(test::make_world(2, 0), {});
  EXPECT_EQ(find_near(*nobody.population, {}, 1, {}).found, 0U);
}

}  // namespace
}  // namespace juxta
