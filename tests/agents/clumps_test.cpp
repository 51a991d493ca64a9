// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Searches in clumps against brute force: runs of more than 256 rows, of which boxes leave most out.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agents/crowds.h"
#include "agents/pass_check.h"
#include "agents/store.h"
#include "juxta/agents/nearest.h"
#include "juxta/agents/neighbour_lists.h"
#include "scenes/draws.h"

namespace juxta {
namespace {

using scenes::Draws;
using test::Crowd;

constexpr std::size_t kAgents = 2400;
constexpr float kWidth = 100, kClump = 2;

struct Case {
  std::uint32_t dimensions;
  Edge edge;
  float corner;  // of the clump; 99: across the edge of a periodic world
};
std::array<Case, 6> all_cases() {
  return {Case{2, Edge::kWall, 40},     Case{3, Edge::kWall, 40},     Case{2, Edge::kPeriodic, 40},
          Case{2, Edge::kPeriodic, 99}, Case{3, Edge::kPeriodic, 40}, Case{3, Edge::kPeriodic, 99}};
}
std::string name(const Case& c) {
  return std::to_string(c.dimensions) + "D, edge " + std::to_string(static_cast<int>(c.edge)) +
         ", clump at " + std::to_string(c.corner);
}

/// Five of six agents in the clump, the others anywhere.
Crowd clumped(const Case& c, Draws& draws, std::size_t count) {
  Crowd crowd;
  for (std::uint32_t axis = 0; axis < c.dimensions; ++axis) {
    for (std::size_t i = 0; i < count; ++i) {
      const float x = i % 6 == 0 ? draws.uniform(0, kWidth) : c.corner + draws.uniform(0, kClump);
      crowd.position[axis].push_back(x < kWidth ? x : x - kWidth);
    }
  }
  return crowd;
}

struct Clumps {
  explicit Clumps(const Case& c, bool extents = false) {
    World world;
    world.dimensions = c.dimensions;
    world.edges.fill(c.edge);
    world.hi = Vec3::all(kWidth);
    simulation.emplace(Simulation::build(world).value());
    Draws draws(4);
    for (const auto& [population, title] : {std::pair{&seen, "seen"}, std::pair{&others, "others"}}) {
      *population = simulation->add_population(title).value();
      Crowd crowd = clumped(c, draws, kAgents);
      if (extents) {
        test::draw_extents(draws, world, crowd);
      }
      test::draw_radii(draws, 0.5F, crowd);
      test::fill(**population, crowd, draws);
    }
  }
  void sort(float skin = 0) const {
    const auto sorted = seen->sort({.radius = 0.3F, .skin = skin, .arrangement = Arrangement::kRows});
    ASSERT_TRUE(sorted) << sorted.error().message;
    ASSERT_FALSE(agents_detail::PopulationStore::of(*seen).directory.boxes.empty());
  }
  std::optional<Simulation> simulation;
  Population *seen = nullptr, *others = nullptr;
};

TEST(Clumps, PassesOfEveryKind) {
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(name(c));
    const Clumps clumps(c);
    ASSERT_NO_FATAL_FAILURE(clumps.sort());
    SeeOptions box, radii;
    box.metric = Metric::kBox;
    radii.radii = test::column(*clumps.seen, "sight");
    EXPECT_EQ(test::compare_census(*clumps.seen, *clumps.seen, 0.3F, {}), "");
    EXPECT_EQ(test::compare_census(*clumps.seen, *clumps.seen, 0.3F, box), "");
    EXPECT_EQ(test::compare_census(*clumps.seen, *clumps.seen, 0.5F, radii), "");
    EXPECT_EQ(test::compare_census(*clumps.others, *clumps.seen, 0.3F, {}), "");  // which are not sorted
  }
}

// Sixteen of them are as wide as the clump, and see it all unless they are split.
TEST(Clumps, SeersInNoOrderLookAroundThemselves) {
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(name(c));
    const Clumps clumps(c);
    ASSERT_NO_FATAL_FAILURE(clumps.sort());
    const auto seen = see(*clumps.others, *clumps.seen, 0.01F, test::Census{0});
    ASSERT_TRUE(seen);
    EXPECT_LT(seen->tested, kAgents * 100);
  }
}

TEST(Clumps, OnlySomeAreSeen) {
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(name(c));
    const Clumps clumps(c);
    SeeOptions among;
    among.among = clumps.seen->add_column<std::uint8_t>("marked").value();
    ASSERT_NO_FATAL_FAILURE(clumps.sort());
    auto marks = clumps.seen->write(among.among);
    for (std::size_t row = 0; row < marks.size(); ++row) {
      marks[row] = row % 3 == 0 ? 1 : 0;
    }
    EXPECT_EQ(test::compare_census(*clumps.seen, *clumps.seen, 0.3F, among), "");
  }
}

TEST(Clumps, AgentsWithASize) {
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(name(c));
    const Clumps clumps(c, true);
    ASSERT_NO_FATAL_FAILURE(clumps.sort());
    EXPECT_EQ(test::compare_census(*clumps.seen, *clumps.seen, 0.2F, {}), "");
  }
}

TEST(Clumps, AgentsThatMovedWithinTheSkin) {
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(name(c));
    const Clumps clumps(c);
    ASSERT_NO_FATAL_FAILURE(clumps.sort(0.4F));
    Draws draws(5);
    for (std::uint32_t axis = 0; axis < c.dimensions; ++axis) {
      for (float& x : clumps.seen->write(clumps.seen->position(axis))) {
        x = std::clamp(x + draws.uniform(-0.1F, 0.1F), 0.0F, std::nextafter(kWidth, 0.0F));
      }
    }
    const auto again = clumps.seen->sort({.radius = 0.3F, .skin = 0.4F, .arrangement = Arrangement::kRows});
    ASSERT_TRUE(again);
    ASSERT_FALSE(again->sorted) << "the test is about an order that is kept";
    EXPECT_EQ(test::compare_census(*clumps.seen, *clumps.seen, 0.3F, {}), "");
  }
}

// Half lists hold each pair once, whole ones twice; a pass has counted the neighbours of each.
TEST(Clumps, Lists) {
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(name(c));
    const Clumps clumps(c);
    ASSERT_NO_FATAL_FAILURE(clumps.sort());
    ASSERT_EQ(test::compare_census(*clumps.seen, *clumps.seen, 0.3F, {}), "");
    const auto counts = test::values(*clumps.seen, "count");
    std::vector<std::uint64_t> whole(kAgents + 1), half(kAgents + 1);
    ASSERT_TRUE(neighbour_lists(*clumps.seen, *clumps.seen, 0.3F, whole, {}));
    ASSERT_TRUE(neighbour_lists(*clumps.seen, *clumps.seen, 0.3F, half, {}, {.half = true}));
    for (std::size_t row = 0; row < kAgents; ++row) {
      ASSERT_EQ(static_cast<float>(whole[row + 1] - whole[row]), counts[row]) << row;
    }
    EXPECT_EQ(2 * half[kAgents], whole[kAgents]);
    EXPECT_GT(half[kAgents], kAgents);
  }
}

TEST(Clumps, Nearest) {
  constexpr std::uint32_t kNear = 3;
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(name(c));
    const Clumps clumps(c);
    ASSERT_NO_FATAL_FAILURE(clumps.sort());
    std::vector<std::uint32_t> rows(kNear * kAgents), counts(kAgents);
    std::vector<float> found(kNear * kAgents);
    ASSERT_TRUE(nearest(*clumps.others, *clumps.seen, kNear, 200, rows, found, counts));
    const Crowd seers = test::crowd_of(*clumps.others, false), seen = test::crowd_of(*clumps.seen, false);
    for (std::size_t row = 0; row < kAgents; row += 7) {
      std::vector<float> all;
      for (std::size_t i = 0; i < kAgents; ++i) {
        float square = 0;
        for (std::uint32_t axis = 0; axis < c.dimensions; ++axis) {
          const float d = std::abs(seen.position[axis][i] - seers.position[axis][row]);
          const float off = c.edge == Edge::kPeriodic ? std::min(d, kWidth - d) : d;
          square += off * off;
        }
        all.push_back(square);
      }
      std::partial_sort(all.begin(), all.begin() + kNear, all.end());
      ASSERT_EQ(counts[row], kNear);
      for (std::uint32_t k = 0; k < kNear; ++k) {
        ASSERT_EQ(found[row * kNear + k], all[k]) << row;
      }
    }
  }
}

}  // namespace
}  // namespace juxta
