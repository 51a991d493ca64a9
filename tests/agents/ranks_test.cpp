// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A simulation over ranks has the bytes of one machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "agents/ranks_scenario.h"
#include "juxta/agents/nearest.h"
#include "juxta/agents/neighbour_lists.h"
#include "juxta/agents/sequential.h"
#include "support/code_of.h"
#include "support/thread_ranks.h"

namespace juxta {
namespace {

using test::ColumnHashes;
using test::Crowding;
using test::RanksScenario;

/// How many agents each rank had at the end, beside the hashes.
struct OverRanks {
  std::vector<ColumnHashes> hashes;
  std::vector<std::size_t> agents, pokes;  // pokes: of messages under way, by rank
};

OverRanks over_ranks(const RanksScenario& of, std::uint32_t size) {
  OverRanks all;
  all.agents.resize(size);
  all.pokes.resize(size);
  test::run_ranks(size, [&](test::ThreadRanks& ranks) {
    Simulation simulation = ranks.rank() == 0 ? test::begin_scenario(of) : Simulation::build({}).value();
    Result<void> done = simulation.distribute(ranks);
    ASSERT_TRUE(done) << done.error().message;
    for (int i = 0; i < of.steps; ++i) {
      done = test::step_scenario(of, simulation);
      ASSERT_TRUE(done) << done.error().message;
      const auto whole = simulation.gather(static_cast<std::uint32_t>(i) % size);
      ASSERT_TRUE(whole) << whole.error().message;
      if (ranks.rank() == static_cast<std::uint32_t>(i) % size) {
        all.hashes.push_back(test::hashes_of(*whole));
      }
    }
    all.agents[ranks.rank()] = simulation.population(0).size();
    all.pokes[ranks.rank()] = ranks.pokes;
  });
  return all;
}

void expect_same(const RanksScenario& of, const std::string& what,
                 std::initializer_list<std::uint32_t> sizes = {1, 2, 3, 4, 8}) {
  SCOPED_TRACE(what);
  const std::vector<ColumnHashes> expected = test::on_one_machine(of);
  for (const std::uint32_t size : sizes) {
    SCOPED_TRACE(std::to_string(size) + " ranks");
    const OverRanks found = over_ranks(of, size);
    ASSERT_EQ(test::differences(expected, found.hashes), "");
  }
}

constexpr std::array kOrders{Arrangement::kAuto, Arrangement::kRows, Arrangement::kMorton,
                             Arrangement::kHilbert, Arrangement::kHashed};

TEST(Ranks, HaveTheBytesOfOneMachineInEveryWorld) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (std::uint32_t edges = 0; edges < test::world_count(dimensions); edges += dimensions == 2 ? 2 : 9) {
      RanksScenario of;
      of.dimensions = dimensions;
      of.edges = edges;
      of.steps = 3;
      ASSERT_NO_FATAL_FAILURE(expect_same(of, test::name(test::make_world(dimensions, edges))));
    }
  }
}

TEST(Ranks, InEveryOrderAndCrowd) {
  for (const Arrangement arrangement : kOrders) {
    for (const Crowding crowding : test::kCrowdings) {
      RanksScenario of;
      of.edges = 6;
      of.arrangement = arrangement;
      of.crowding = crowding;
      of.agents = 300;
      of.steps = 2;
      if (crowding == Crowding::kLonely) {
        of.edges = 8;  // curves refuse an open world with agents that far out
      }
      ASSERT_NO_FATAL_FAILURE(expect_same(
          of, std::to_string(static_cast<int>(arrangement)) + " " + std::string(test::name(crowding)),
          {3, 8}));
    }
  }
}

// Cells that are ordered inside, and boxes in halos.
TEST(Ranks, InClumps) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (const Crowding crowding : {Crowding::kClusters, Crowding::kLonely}) {
      RanksScenario of;
      of.dimensions = dimensions;
      of.crowding = crowding;
      of.arrangement = Arrangement::kRows;
      of.agents = 4000;
      of.radius = 0.002F;
      of.speed = 0.001F;
      of.steps = 2;
      ASSERT_NO_FATAL_FAILURE(
          expect_same(of, std::to_string(dimensions) + "D " + std::string(test::name(crowding)), {3}));
    }
  }
}

// Seers that see no ghosts come first, while the values of ghosts are under way.
TEST(Ranks, WorkMeanwhile) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (const float skin : {0.0F, 0.1F}) {
      RanksScenario of;
      of.dimensions = dimensions;
      of.edges = dimensions == 2 ? 8 : 13;
      of.agents = 16000;
      of.radius = dimensions == 2 ? 0.2F : 0.4F;
      of.skin = skin;
      of.speed = 0.01F;
      of.births = skin == 0;
      of.steps = 3;
      const std::vector<ColumnHashes> expected = test::on_one_machine(of);
      for (const std::uint32_t size : {2U, 3U}) {
        const OverRanks found = over_ranks(of, size);
        EXPECT_EQ(test::differences(expected, found.hashes), "") << dimensions << "D, skin " << skin;
        const std::size_t pokes = std::accumulate(found.pokes.begin(), found.pokes.end(), std::size_t{0});
        EXPECT_GE(pokes, of.steps) << "a poke follows some seers that do not wait";
      }
    }
  }
}

/// Seers change their rows and ranks between two passes, but not where they are.
Result<void> sort_seers_in_between(const RanksScenario& of, Simulation& simulation) {
  Population &prey = simulation.population(0), &hunters = simulation.population(1);
  SortOptions sort;
  sort.radius = of.radius;
  JUXTA_TRY(prey.sort(sort));
  JUXTA_TRY(see(hunters, prey, of.radius, test::Census{0.1F}, {}));
  JUXTA_TRY(hunters.sort(sort));
  JUXTA_TRY(see(hunters, prey, of.radius, test::Push{}, {}));
  return {};
}

TEST(Ranks, SeersThatAreSortedInBetween) {
  RanksScenario of;
  of.agents = 16000;
  of.radius = 0.3F;
  Simulation alone = test::begin_scenario(of);
  ASSERT_TRUE(sort_seers_in_between(of, alone));
  test::run_ranks(3, [&](Ranks& ranks) {
    Simulation simulation = ranks.rank() == 0 ? test::begin_scenario(of) : Simulation::build({}).value();
    ASSERT_TRUE(simulation.distribute(ranks));
    ASSERT_TRUE(sort_seers_in_between(of, simulation));
    const auto whole = simulation.gather();
    ASSERT_TRUE(whole);
    if (ranks.rank() == 0) {
      const ColumnHashes expected = test::hashes_of(alone), found = test::hashes_of(*whole);
      for (const char* column : {"hunters.ids", "hunters.push_x", "hunters.push_y"}) {
        EXPECT_EQ(found.at(column), expected.at(column)) << column;
      }
    }
  });
}

TEST(Ranks, WithinASkin) {
  for (const std::uint32_t edges : {0U, 8U}) {
    RanksScenario of;
    of.edges = edges;
    of.steps = 8;
    of.skin = 0.4F;
    of.speed = 0.02F;
    of.births = false;
    ASSERT_NO_FATAL_FAILURE(expect_same(of, "skin"));
  }
}

// An order that is kept stays kept when its agents are spread, gathered and spread again.
TEST(Ranks, ASkinGoesAlong) {
  for (const bool extents : {false, true}) {
    RanksScenario of;
    of.edges = 2;
    of.steps = 3;
    of.skin = 1;
    of.speed = 0.01F;
    of.births = false;
    of.extents = extents;
    of.arrangement = Arrangement::kRows;
    Simulation one = test::begin_scenario(of);
    std::vector<ColumnHashes> expected;
    for (int i = 0; i < 3 * of.steps; ++i) {
      ASSERT_TRUE(test::step_scenario(of, one));
      expected.push_back(test::hashes_of(one));
    }
    SortOptions options;
    options.radius = of.radius;
    options.skin = of.skin;
    options.arrangement = of.arrangement;
    ASSERT_FALSE(one.population(0).sort(options).value().sorted) << "the test is about an order that is kept";

    Simulation begun = test::begin_scenario(of);
    std::vector<ColumnHashes> found;
    const auto note = [&](const Simulation& simulation) { found.push_back(test::hashes_of(simulation)); };
    for (int i = 0; i < of.steps; ++i) {
      ASSERT_TRUE(test::step_scenario(of, begun));
      note(begun);
    }
    for (const std::uint32_t size : {4U, 3U}) {
      std::optional<Simulation> last;
      test::run_ranks(size, [&](Ranks& ranks) {
        Simulation simulation = ranks.rank() == 0 ? std::move(begun) : Simulation::build({}).value();
        ASSERT_TRUE(simulation.distribute(ranks));
        for (int i = 0; i < of.steps; ++i) {
          ASSERT_TRUE(test::step_scenario(of, simulation));
          auto whole = simulation.gather();
          ASSERT_TRUE(whole);
          if (ranks.rank() == 0) {
            note(*whole);
            last = std::move(*whole);
          }
        }
      });
      begun = std::move(*last);
    }
    EXPECT_EQ(test::differences(expected, found), "");
  }
}

TEST(Ranks, OfAgentsWithASize) {
  RanksScenario of;
  of.extents = true;
  of.arrangement = Arrangement::kRows;
  ASSERT_NO_FATAL_FAILURE(expect_same(of, "extents"));
}

// In one step from one end of the world to the other, and more ranks than agents, or none at all.
TEST(Ranks, FastAndFew) {
  RanksScenario of;
  of.edges = 8;
  of.speed = 20;
  of.steps = 4;
  ASSERT_NO_FATAL_FAILURE(expect_same(of, "fast"));
  for (const std::size_t agents : {0U, 1U, 5U, 16U}) {
    of.agents = agents;
    ASSERT_NO_FATAL_FAILURE(expect_same(of, "few"));
  }
  of.agents = 200;
  of.radius = 30;  // everybody sees everybody: a world smaller than a halo
  ASSERT_NO_FATAL_FAILURE(expect_same(of, "wide"));
}

/// The scenario's agents from `first` on, `count` of each population; hunters name the prey before them.
Simulation part_of_scenario(const RanksScenario& of, std::uint32_t part, std::uint32_t parts) {
  Simulation whole = test::begin_scenario(of);
  Simulation simulation = test::begin_scenario({.agents = 0});
  for (std::size_t p = 0; p < whole.population_count(); ++p) {
    Population &from = whole.population(p), &to = simulation.population(p);
    const std::size_t first = from.size() * part / parts, last = from.size() * (part + 1) / parts;
    EXPECT_TRUE(to.insert(last - first));
    for (std::uint32_t c = 0; c < to.column_count(); ++c) {
      const auto values = from.read(Column<float>{c});
      if (!values.empty()) {
        const auto some = values.subspan(first, last - first);
        std::copy(some.begin(), some.end(), to.write(Column<float>{c}).begin());
      }
    }
  }
  Population &prey = simulation.population(0), &hunters = simulation.population(1);
  const auto named = hunters.write(*hunters.find_column<Id>("who_heavy"));
  for (std::uint32_t row = 0; row < named.size() && prey.size() > 0; ++row) {
    named[row] = prey.id_of(row % static_cast<std::uint32_t>(prey.size()));
  }
  return simulation;
}

// Rank after rank, as if one machine had inserted them in that order; later ones too.
TEST(Ranks, EachMayBringItsOwn) {
  const RanksScenario of;
  for (const std::uint32_t size : {1U, 3U, 4U}) {
    test::run_ranks(size, [&](Ranks& ranks) {
      Simulation simulation = part_of_scenario(of, ranks.rank(), size);
      ASSERT_TRUE(simulation.distribute(ranks));
      const auto whole = simulation.gather();
      ASSERT_TRUE(whole);
      if (ranks.rank() == 0) {
        const Simulation expected = test::begin_scenario(of);
        const Population &prey = whole->population(0), &hunters = whole->population(1);
        EXPECT_EQ(test::values(prey, "number"), test::values(expected.population(0), "number"));
        for (const Id id : hunters.read(*hunters.find_column<Id>("who_heavy"))) {
          EXPECT_TRUE(prey.alive(id));
        }
        EXPECT_EQ(hunters.read(*hunters.find_column<Id>("who_heavy")).back().slot / (of.agents / size),
                  size - 1);
      }
      for (const std::size_t count : {std::size_t{ranks.rank()}, std::size_t{0}, std::size_t{5}}) {
        ASSERT_TRUE(simulation.population(0).insert(count));
      }
      const auto more = simulation.gather(size - 1);
      ASSERT_TRUE(more);
      if (ranks.rank() == size - 1) {
        EXPECT_EQ(more->population(0).size(),
                  of.agents + std::size_t{size} * (size - 1) / 2 + std::size_t{size} * 5);
        for (std::uint32_t row = 0; row < more->population(0).size(); ++row) {
          ASSERT_EQ(more->population(0).id_of(row), (Id{row, 1}));
        }
      }
    });
  }
}

TEST(Ranks, AnErrorOfOneIsAnErrorOfAll) {
  const RanksScenario of;
  test::run_ranks(3, [&](Ranks& ranks) {
    Simulation simulation = ranks.rank() == 0 ? test::begin_scenario(of) : Simulation::build({}).value();
    ASSERT_TRUE(simulation.distribute(ranks));
    Population& prey = simulation.population(0);
    ASSERT_TRUE(prey.sort({.radius = 1}));
    const float x = prey.read(prey.position(0))[0];
    prey.write(prey.position(0))[0] = ranks.rank() == 1 ? std::numeric_limits<float>::quiet_NaN() : x;
    const auto refused = prey.sort({.radius = 1});
    ASSERT_FALSE(refused);
    EXPECT_EQ(test::code_of(refused), ErrorCode::kNotFinite);
    EXPECT_EQ(refused.error().message.starts_with("rank 1: sort"), ranks.rank() != 1);
    prey.write(prey.position(0))[0] = x;
    EXPECT_TRUE(prey.sort({.radius = 1}));
    // A pass, too: a radius of one agent, and an order that is stale on one rank.
    SeeOptions own;
    own.radii = test::column(prey, "sight");
    prey.write(own.radii)[0] = ranks.rank() == 1 ? 9 : 0.5F;
    EXPECT_EQ(test::code_of(see(prey, prey, 1, test::Count{}, own)), ErrorCode::kInvalidArgument);
    prey.write(own.radii)[0] = 0.5F;
    EXPECT_TRUE(see(prey, prey, 1, test::Count{}, own));
    if (ranks.rank() == 2) {
      prey.write(prey.position(1))[0] += 0;
    }
    EXPECT_EQ(test::code_of(reduce(prey, prey, 1, Reduction::kCount, "", "ill_near")),
              ErrorCode::kInvalidArgument);
  });
}

TEST(Ranks, SayWhatTheyCannotDo) {
  const RanksScenario of;
  test::run_ranks(2, [&](Ranks& ranks) {
    Simulation simulation = ranks.rank() == 0 ? test::begin_scenario(of) : Simulation::build({}).value();
    EXPECT_FALSE(simulation.gather());
    ASSERT_TRUE(simulation.distribute(ranks));
    EXPECT_EQ(test::code_of(simulation.distribute(ranks)), ErrorCode::kInvalidArgument);
    EXPECT_EQ(test::code_of(simulation.gather(2)), ErrorCode::kInvalidArgument);
    EXPECT_EQ(test::code_of(simulation.save("ranks_test.bin")), ErrorCode::kInvalidArgument);
    Population& prey = simulation.population(0);
    EXPECT_EQ(test::code_of(prey.sort({.radius = 1, .arrangement = Arrangement::kTree})),
              ErrorCode::kInvalidArgument);
    ASSERT_TRUE(prey.sort({.radius = 1}));
    Neighbours neighbours(prey);
    EXPECT_EQ(test::code_of(neighbours.begin({.radius = 1})), ErrorCode::kInvalidArgument);
    EXPECT_EQ(activate_randomly(prey, simulation.key(0), [](std::uint32_t) { FAIL(); }), 0U);
    std::vector<std::uint32_t> rows(prey.size()), counts(prey.size());
    std::vector<float> distance2(prey.size());
    EXPECT_EQ(test::code_of(nearest(prey, prey, 1, 1, rows, distance2, counts)), ErrorCode::kInvalidArgument);
    EXPECT_EQ(test::code_of(visit_neighbour_pairs(prey, prey, 1, [](const NeighbourBlock&) { FAIL(); })),
              ErrorCode::kInvalidArgument);
  });
  test::run_ranks(2, [&](Ranks& ranks) {
    Simulation simulation = test::begin_scenario({.edges = ranks.rank()});
    const auto refused = simulation.distribute(ranks);
    ASSERT_FALSE(refused);
    EXPECT_EQ(test::code_of(refused), ErrorCode::kInvalidArgument);
  });
}

TEST(Ranks, ShareTheWork) {
  RanksScenario of;
  of.edges = 8;
  of.agents = 4000;
  of.steps = 3;
  const OverRanks found = over_ranks(of, 4);
  // Cuts follow measured times, and other programs run beside the test: shares of 1,000 differ by a half.
  for (const std::size_t agents : found.agents) {
    EXPECT_GT(agents, 250U);
    EXPECT_LT(agents, 2000U);
  }
}

}  // namespace
}  // namespace juxta
