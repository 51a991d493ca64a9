// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Lists, pairs and visits of neighbours against all pairs: who is near, in which order, with which bits.
#include "juxta/agents/neighbour_lists.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "agents/crowds.h"
#include "agents/list_book.h"
#include "agents/pass_check.h"
#include "scenes/draws.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

using scenes::Draws;
using test::ListBook;

struct Case {
  World world;
  test::Crowding crowding = test::Crowding::kUniform;
  NeighbourListOptions options = {};
  bool extents = false, radii = false, others = false;
  std::size_t count = 300;
  float radius = 1.1F;
  Arrangement arrangement = Arrangement::kAuto;
};

Population& add_agents(Simulation& simulation, std::string_view name, Draws& draws, const Case& c,
                       std::size_t count) {
  Population& agents = *simulation.add_population(name).value();
  test::Crowd crowd = test::draw_crowd(draws, simulation.world(), c.crowding, count, c.radius);
  if (c.extents) {
    test::draw_extents(draws, simulation.world(), crowd);
  }
  test::draw_radii(draws, c.radius, crowd);
  test::fill(agents, crowd, draws);
  return agents;
}

/// Calls body(seers, seen, options) with sorted populations.
template <class Body>
void with_agents(const Case& c, Body&& body) {
  SCOPED_TRACE(test::name(c.world) + ", " + std::string(test::name(c.crowding)) + ", " +
               std::to_string(c.count) + " agents");
  Draws draws(5);
  auto simulation = Simulation::build(c.world).value();
  Population& seers = add_agents(simulation, "seers", draws, c, c.count);
  const Population& seen = c.others ? add_agents(simulation, "seen", draws, c, 2 * c.count) : seers;
  for (std::size_t i = 0; i < simulation.population_count(); ++i) {
    const auto sorted = simulation.population(i).sort({.radius = c.radius, .arrangement = c.arrangement});
    ASSERT_TRUE(sorted) << sorted.error().message;
  }
  NeighbourListOptions options = c.options;
  options.nearest_images = true;  // as the oracle does
  if (c.radii) {
    options.radii = seers.find_column<float>("sight").value();
  }
  body(seers, seen, options);
}

/// Lists, pairs and visits, on every instruction set.
void expect_all_pairs(const Case& c) {
  with_agents(c, [&](const Population& seers, const Population& seen, const NeighbourListOptions& options) {
    const ListBook expected = test::list_by_hand(seers, seen, c.radius, options);
    test::for_each_isa([&](Isa) {
      ASSERT_EQ(test::difference(test::list_all(seers, seen, c.radius, options), expected), "");
      ASSERT_EQ(test::difference(test::list_rows(seers, seen, c.radius, options), expected), "");
      ASSERT_EQ(test::difference(test::visit_all(seers, seen, c.radius, options), expected), "");
    });
  });
}

template <class Body>
void for_each_world(Body&& body) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (std::uint32_t edges = 0; edges < test::world_count(dimensions); edges += 4) {
      body(test::make_world(dimensions, edges));
    }
  }
}

TEST(NeighbourLists, AreAllPairsInEveryWorld) {
  for_each_world([](const World& world) {
    for (const bool half : {false, true}) {
      expect_all_pairs({.world = world, .options = {.half = half}});
      expect_all_pairs({.world = world, .options = {.metric = Metric::kBox, .half = half}});
      expect_all_pairs({.world = world, .options = {.half = half}, .extents = true});
    }
    expect_all_pairs({.world = world, .radii = true, .others = true, .count = 150});
    expect_all_pairs({.world = world, .options = {.metric = Metric::kBox}, .radii = true, .count = 150});
  });
}

TEST(NeighbourLists, AreAllPairsInEveryCrowd) {
  for (const test::Crowding crowding : test::kCrowdings) {
    for (const std::size_t count : {0UL, 1UL, 2UL, 17UL, 400UL}) {
      for (const std::uint32_t edges : {0U, 14U, 26U}) {
        expect_all_pairs({.world = test::make_world(3, edges),
                          .crowding = crowding,
                          .options = {.half = count % 2 == 0},
                          .count = count});
      }
      expect_all_pairs({.world = test::make_world(2, 8), .crowding = crowding, .count = count});
    }
  }
}

TEST(NeighbourLists, AreAllPairsInEveryArrangement) {
  for (const Arrangement arrangement : {Arrangement::kRows, Arrangement::kMorton, Arrangement::kHilbert,
                                        Arrangement::kHashed, Arrangement::kTree}) {
    for (const bool half : {false, true}) {
      expect_all_pairs({.world = test::make_world(3, 26),
                        .options = {.half = half},
                        .count = 700,
                        .arrangement = arrangement});
    }
  }
}

// Groups with more than 512 candidates come in parts.
TEST(NeighbourLists, AreCompleteWhereSomeThousandAreNear) {
  for (const bool half : {false, true}) {
    for (const auto crowding : {test::Crowding::kPoint, test::Crowding::kClusters}) {
      expect_all_pairs(
          {.world = test::make_world(3, 0), .crowding = crowding, .options = {.half = half}, .count = 900});
    }
    expect_all_pairs({.world = test::make_world(2, 8), .options = {.half = half}, .count = 900, .radius = 3});
  }
  expect_all_pairs(
      {.world = test::make_world(2, 8), .extents = true, .others = true, .count = 700, .radius = 3});
}

// A radius above half a period: the nearest image alone, as see() has it.
TEST(NeighbourLists, MeetEachOnceInASmallPeriodicWorld) {
  for (const float radius : {4.9F, 5.5F, 7.0F, 30.0F}) {
    for (const bool half : {false, true}) {
      expect_all_pairs(
          {.world = test::make_world(3, 26), .options = {.half = half}, .count = 200, .radius = radius});
    }
  }
}

TEST(NeighbourLists, TakeAnAgentAtExactlyTheRadius) {
  World world{.dimensions = 2, .edges = {Edge::kPeriodic, Edge::kWall}, .lo = {0, 0}, .hi = {8, 8}};
  auto simulation = Simulation::build(world).value();
  Population& agents = *simulation.add_population("agents").value();
  ASSERT_TRUE(agents.insert(4));
  const float x[] = {8.0F, 1.0F, 7.0F, 1.0F + 0x1p-22F}, y[] = {8.0F, 8.0F, 8.0F, 8.0F};
  std::copy(x, x + 4, agents.write(agents.position(0)).begin());
  std::copy(y, y + 4, agents.write(agents.position(1)).begin());
  ASSERT_TRUE(agents.sort({.radius = 1}));
  std::vector<RowPair> pairs(16);
  const auto found = neighbour_pairs(agents, agents, 1, {.pairs = pairs}, {.half = true});
  ASSERT_TRUE(found);
  // The one at 8 stands at 0, and sees 1 and 7; just behind 1 is near 1 alone.
  EXPECT_EQ(found->found, 3U);
}

TEST(NeighbourLists, AreTheSameOnAnyExecutor) {
  const Case c{.world = test::make_world(3, 26), .count = 40'000, .radius = 0.45F};
  with_agents(c, [&](const Population& seers, const Population& seen, NeighbourListOptions options) {
    for (const bool half : {false, true}) {
      options.half = half;
      ListBook first;
      test::for_each_executor([&](const Executor* executor) {
        const Context context{.executor = executor};
        const ListBook book = test::list_all(seers, seen, c.radius, options, context);
        if (executor == nullptr) {
          first = book;
          ASSERT_GT(book.rows.size(), 100'000U);
        }
        ASSERT_EQ(test::difference(book, first), "");
        ASSERT_EQ(test::difference(test::list_rows(seers, seen, c.radius, options, context), first), "");
        ASSERT_EQ(test::difference(test::visit_all(seers, seen, c.radius, options, context), first), "");
      });
    }
  });
}

// Ranges that find more than their room holds search again.
TEST(NeighbourLists, AreTheSameOnAnyExecutorWhereSomeRangesAreFull) {
  for (const auto crowding : {test::Crowding::kLonely, test::Crowding::kClusters}) {
    const Case c{.world = test::make_world(2, 4), .crowding = crowding, .count = 2500, .radius = 0.05F};
    with_agents(c, [&](const Population& seers, const Population& seen, const NeighbourListOptions& options) {
      ListBook first;
      test::for_each_executor([&](const Executor* executor) {
        const ListBook book = test::list_all(seers, seen, c.radius, options, {.executor = executor});
        first = executor == nullptr ? book : first;
        ASSERT_EQ(test::difference(book, first), "");
      });
    });
  }
}

// A span that is too short gets the first entries, and nothing behind it is written. What a longer one has
// behind the last entry is not defined: stores are as wide as registers.
TEST(NeighbourLists, FillSpansThatAreTooShort) {
  const Case c{.world = test::make_world(2, 8), .count = 2000, .radius = 0.9F};
  with_agents(c, [&](const Population& seers, const Population& seen, const NeighbourListOptions& options) {
    const ListBook all = test::list_all(seers, seen, c.radius, options);
    ASSERT_GT(all.rows.size(), 4000U);
    test::for_each_executor([&](const Executor* executor) {
      for (const std::size_t room : {0UL, 1UL, 15UL, 16UL, 999UL, all.rows.size() - 1, all.rows.size() + 5}) {
        const std::size_t stored = std::min(room, all.rows.size());
        std::vector<std::uint32_t> rows(all.rows.size() + 64, 77);
        std::vector<float> displacement(rows.size() * 2, 77);
        std::vector<std::uint64_t> offsets(seers.size() + 1);
        const auto result = neighbour_lists(
            seers, seen, c.radius, offsets,
            {.rows = {rows.data(), room}, .displacement = {displacement.data(), 2 * room + room % 2}},
            options, {.executor = executor});
        ASSERT_TRUE(result);
        EXPECT_EQ(result->found, all.rows.size());
        EXPECT_EQ(result->written, stored);
        EXPECT_EQ(offsets, all.offsets);
        for (std::size_t i = 0; i < rows.size(); ++i) {
          const bool in_the_gap =
              i >= stored && i < room;  // after the last entry, inside the span: unspecified
          if (!in_the_gap) {
            ASSERT_EQ(rows[i], i < stored ? all.rows[i] : 77) << i;
            ASSERT_EQ(displacement[2 * i], i < stored ? all.displacement[2 * i] : 77) << i;
          }
        }
      }
    });
  });
}

}  // namespace
}  // namespace juxta
