// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Agents that act one after the other, beside a plain loop over structs.
#include "juxta/study/turns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "juxta/agents/simulation.h"
#include "juxta/study/cells.h"
#include "support/code_of.h"

namespace juxta {
namespace {

enum Purpose : std::uint32_t { kPlace, kOrder, kAct };
constexpr std::uint32_t kOthers = 10;  // purposes of the second population begin here

/// What an agent does: it finds up to 5, loses 1, takes up to 4 from its neighbour in memory, may kill
/// anybody of either population, and has children while it is rich.
struct Plain {
  struct Agent {
    std::vector<float> at;
    double energy;
    bool dead;
  };
  std::vector<Agent> agents;

  void turns(Plain& others, const RandomKey& order, const RandomKey& act) {
    std::vector<std::uint32_t> rows(agents.size()), parents;
    random_order(order, rows);
    for (const std::uint32_t row : rows) {
      if (agents[row].dead) {
        continue;
      }
      const auto words = random_block(act, row);
      const std::size_t beside = (row + 1) % rows.size();
      const double taken = std::min(4.0, agents[beside].energy);
      agents[beside].energy -= taken;
      agents[row].energy += taken + words[3] % 6 - 1;
      if (words[0] < 1U << 28) {
        agents[words[1] % rows.size()].dead = true;  // itself perhaps
      }
      if (words[0] > 7U << 29 && !others.agents.empty()) {
        others.agents[words[1] % others.agents.size()].dead = true;
      }
      if (words[2] % 3 == 0 && agents[row].energy > 6) {
        agents[row].energy /= 2;
        parents.push_back(row);
      }
      agents[row].dead = agents[row].dead || agents[row].energy < 0;
    }
    for (const std::uint32_t parent : parents) {  // as the parent is when all have had their turns
      agents.push_back({agents[parent].at, agents[parent].energy, false});
    }
  }
  void bury() {
    std::erase_if(agents, [](const Agent& agent) { return agent.dead; });
  }
};

/// The same by Turns.
struct Herd : Turns {
  Column<double> energy;

  Herd(Population& population, Column<double> column) : Turns(&population), energy(column) {}
  /// How many kill() calls found somebody alive.
  std::size_t turns(Herd& others, const RandomKey& order, const RandomKey& words_key) {
    shuffle(order, words_key);
    const auto energies = agents().write(energy);
    std::size_t killed = 0;
    act([&](std::uint32_t row, const Words& words) -> Fate {
      const std::size_t beside = (row + 1) % energies.size();
      const double taken = std::min(4.0, energies[beside]);
      energies[beside] -= taken;
      energies[row] += taken + words[3] % 6 - 1;
      if (words[0] < 1U << 28) {
        killed += kill(words[1] % static_cast<std::uint32_t>(energies.size())) ? 1 : 0;
      }
      if (words[0] > 7U << 29 && others.agents().size() > 0) {
        killed += others.kill(words[1] % static_cast<std::uint32_t>(others.agents().size())) ? 1 : 0;
      }
      const bool bears = words[2] % 3 == 0 && energies[row] > 6;
      energies[row] /= bears ? 2 : 1;
      return {.dies = energies[row] < 0, .bears = bears};
    });
    EXPECT_TRUE(insert_children(energy));
    return killed;
  }
};

void expect_same(const Herd& herd, const Plain& plain) {
  const Population& population = herd.agents();
  ASSERT_EQ(population.size(), plain.agents.size());
  const auto energies = population.read(herd.energy);
  for (std::uint32_t row = 0; row < population.size(); ++row) {
    ASSERT_EQ(energies[row], plain.agents[row].energy) << row;
    ASSERT_EQ(herd.is_dead(row), plain.agents[row].dead) << row;
    for (std::uint32_t axis = 0; axis < population.world().dimensions; ++axis) {
      ASSERT_EQ(population.read(population.position(axis))[row], plain.agents[row].at[axis]) << row;
    }
  }
}

/// In every cell those that live and are there, in the order of rows.
void expect_placed(const Herd& herd, const Plain& plain, GridSpace& space) {
  ASSERT_TRUE(herd.place_living(space));
  const auto alive = std::ranges::count(plain.agents, false, &Plain::Agent::dead);
  ASSERT_EQ(space.size(), static_cast<std::size_t>(alive));
  for (std::uint32_t row = 0; row < plain.agents.size(); ++row) {
    const std::vector<float>& at = plain.agents[row].at;
    const auto whole = [](float value) { return static_cast<std::uint32_t>(value); };
    const std::uint32_t cell =
        space.grid().cell_at(whole(at[0]), whole(at[1]), at.size() > 2 ? whole(at[2]) : 0);
    ASSERT_EQ(space.cell_of(row), plain.agents[row].dead ? GridSpace::kNoCell : cell) << row;
  }
}

Herd add_herd(Simulation& simulation, const char* name, const CellGrid& grid, std::size_t count,
              std::uint32_t purposes, Plain& plain) {
  Population& population = **simulation.add_population(name);
  const auto energy = *population.add_column<double>("energy");
  EXPECT_TRUE(insert_at_random(population, count, grid, simulation.key(purposes + kPlace)));
  fill_column(population, energy, [](std::uint32_t row) { return row % 7; });
  for (std::uint32_t row = 0; row < count; ++row) {
    const auto words = random_block(simulation.key(purposes + kPlace), row);
    plain.agents.push_back({{}, static_cast<double>(row % 7), false});
    for (std::uint32_t axis = 0; axis < population.world().dimensions; ++axis) {
      plain.agents.back().at.push_back(static_cast<float>(random_below(words[axis], grid.cells[axis])));
    }
  }
  return {population, energy};
}

void expect_steps_as_the_plain_loop(const CellGrid& grid, std::size_t count, std::uint64_t seed) {
  SCOPED_TRACE(testing::Message() << count << " agents, seed " << seed);
  Simulation simulation = *Simulation::build(grid.world(), seed);
  Plain plain, plain_others;
  Herd herd = add_herd(simulation, "herd", grid, count, 0, plain);
  Herd others = add_herd(simulation, "others", grid, count / 2, kOthers, plain_others);
  GridSpace space = *GridSpace::build({.grid = grid, .holds = CellHolds::kMany});
  std::size_t killed = 0, born = 0, died = 0;
  for (int step = 0; step < 25 && herd.agents().size() > 0; ++step) {
    const std::size_t before = plain.agents.size();
    killed += herd.turns(others, simulation.key(kOrder), simulation.key(kAct));
    plain.turns(plain_others, simulation.key(kOrder), simulation.key(kAct));
    born += plain.agents.size() - before;
    expect_same(herd, plain);
    expect_placed(herd, plain, space);
    // Children of this step may be killed by others, whose turns come later.
    killed += others.turns(herd, simulation.key(kOthers + kOrder), simulation.key(kOthers + kAct));
    plain_others.turns(plain, simulation.key(kOthers + kOrder), simulation.key(kOthers + kAct));
    expect_same(herd, plain);
    expect_same(others, plain_others);
    herd.note_deaths();
    others.note_deaths();
    ASSERT_TRUE(simulation.end_step());
    const std::size_t all = plain.agents.size();
    plain.bury();
    plain_others.bury();
    died += all - plain.agents.size();
    expect_same(herd, plain);
    expect_same(others, plain_others);
    ASSERT_FALSE(testing::Test::HasFailure()) << "step " << step;
  }
  if (count > 50) {
    EXPECT_GT(killed, 20U);
    EXPECT_GT(born, 20U);
    EXPECT_GT(died, 20U);
  }
}

TEST(Turns, StepAsAPlainLoop) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    for (const std::size_t count : {1U, 2U, 60U, 700U}) {
      expect_steps_as_the_plain_loop({.cells = {9, 5, 1}}, count, seed);
      expect_steps_as_the_plain_loop({.cells = {3, 4, 5}, .edges = {Edge::kPeriodic}}, count, seed);
    }
  }
}

TEST(Turns, EachAgentHasOneTurnAndTheWordsOfItsRow) {
  Simulation simulation = *Simulation::build(square_grid(4).world(), 6);
  Population& agents = **simulation.add_population("agents");
  ASSERT_TRUE(agents.insert(37));
  Turns turns(&agents);
  turns.shuffle(simulation.key(kOrder), simulation.key(kAct));
  std::vector<std::uint32_t> seen, expected(37);
  turns.act([&](std::uint32_t row, const Turns::Words& words) -> Fate {
    EXPECT_EQ(words, random_block(simulation.key(kAct), row));
    EXPECT_EQ(words, turns.words()[row]);
    seen.push_back(row);
    return {};
  });
  random_order(simulation.key(kOrder), expected);
  EXPECT_EQ(seen, expected);
  ASSERT_TRUE(turns.insert_children());
  turns.note_deaths();
  ASSERT_TRUE(simulation.end_step());
  EXPECT_EQ(agents.size(), 37U);
}

TEST(Turns, ChildrenAreInsertedOnce) {
  Simulation simulation = *Simulation::build(square_grid(4).world(), 6);
  Population& agents = **simulation.add_population("agents");
  ASSERT_TRUE(agents.insert(3));
  agents.write(agents.position(0))[2] = 2;
  Turns turns(&agents);
  turns.shuffle(simulation.key(kOrder), simulation.key(kAct));
  turns.act([](std::uint32_t row, const Turns::Words&) -> Fate { return {.dies = true, .bears = row == 2}; });
  ASSERT_TRUE(turns.insert_children());
  ASSERT_TRUE(turns.insert_children());
  ASSERT_EQ(agents.size(), 4U);
  EXPECT_FALSE(turns.is_dead(3)) << "who dies in its turn may have had a child, which lives";
  turns.note_deaths();
  ASSERT_TRUE(simulation.end_step());
  ASSERT_EQ(agents.size(), 1U);
  EXPECT_EQ(agents.read(agents.position(0))[0], 2.0F);
}

TEST(Turns, KillsEachAgentOnceAndNobodyElse) {
  Simulation simulation = *Simulation::build(square_grid(4).world(), 6);
  Population& agents = **simulation.add_population("agents");
  Turns turns(&agents);
  EXPECT_FALSE(turns.kill(0));
  ASSERT_TRUE(agents.insert(5));
  EXPECT_TRUE(turns.kill(3)) << "before any shuffle()";
  EXPECT_FALSE(turns.kill(3));
  EXPECT_FALSE(turns.kill(5));
  EXPECT_FALSE(turns.kill(GridSpace::kNoRow));
  std::vector<std::uint32_t> seen;
  turns.shuffle(simulation.key(kOrder), simulation.key(kAct));
  turns.act([&](std::uint32_t row, const Turns::Words&) -> Fate {
    seen.push_back(row);
    return {};
  });
  std::ranges::sort(seen);
  EXPECT_EQ(seen, (std::vector<std::uint32_t>{0, 1, 2, 4}));
  EXPECT_TRUE(turns.is_dead(3));
  EXPECT_FALSE(turns.is_dead(77));
  turns.note_deaths();
  EXPECT_FALSE(turns.is_dead(3));
  ASSERT_TRUE(simulation.end_step());
  EXPECT_EQ(agents.size(), 4U);
}

// The dead take no place, and may stand anywhere.
TEST(Turns, PlaceLivingPassesOverTheDead) {
  Simulation simulation = *Simulation::build(square_grid(4).world(), 6);
  Population& agents = **simulation.add_population("agents");
  ASSERT_TRUE(agents.insert(5));
  const auto [x, y] = write_xy(agents);
  for (std::uint32_t row = 0; row < 5; ++row) {
    x[row] = row < 3 ? 1.5F : 2;
    y[row] = row == 1 ? -7.0F : 3;  // 0 and 2 share a cell, 3 and 4 too; 1 is outside
  }
  for (const CellHolds holds : {CellHolds::kOne, CellHolds::kMany}) {
    Turns turns(&agents);
    GridSpace space = *GridSpace::build({.grid = square_grid(4), .holds = holds});
    EXPECT_FALSE(turns.place_living(space));
    for (const std::uint32_t dead : {1U, 0U, 4U}) {
      EXPECT_TRUE(turns.kill(dead));
    }
    ASSERT_TRUE(turns.place_living(space));
    EXPECT_EQ(space.size(), 2U);
    EXPECT_EQ(space.cell_of(2), 13U);
    EXPECT_EQ(space.cell_of(3), 14U);
  }
}

// Agents that came after shuffle() have no turn, and may die as any other.
TEST(Turns, ABodyMayKillThoseThatCameLater) {
  Simulation simulation = *Simulation::build(square_grid(4).world(), 6);
  Population& agents = **simulation.add_population("agents");
  ASSERT_TRUE(agents.insert(2000));
  Turns turns(&agents);
  turns.shuffle(simulation.key(0), simulation.key(1));
  turns.act([](std::uint32_t, const Turns::Words&) -> Fate { return {.bears = true}; });
  ASSERT_TRUE(turns.insert_children());
  turns.act([&](std::uint32_t, const Turns::Words&) -> Fate {
    turns.kill(3999);
    return {.dies = true};
  });
  for (std::uint32_t row = 0; row < 4000; ++row) {
    ASSERT_EQ(turns.is_dead(row), row < 2000 || row == 3999) << row;
  }
}

TEST(Turns, PlaceLivingRefusesWhatASpaceRefuses) {
  Simulation simulation = *Simulation::build(square_grid(4).world(), 6);
  Population& agents = **simulation.add_population("agents");
  ASSERT_TRUE(agents.insert(2));
  const Turns turns(&agents);
  GridSpace one = *GridSpace::build({.grid = square_grid(4)});
  EXPECT_EQ(test::code_of(turns.place_living(one)), ErrorCode::kInvalidArgument) << "two in a cell for one";
  GridSpace many = *GridSpace::build({.grid = square_grid(4), .holds = CellHolds::kMany});
  EXPECT_TRUE(turns.place_living(many));
  EXPECT_EQ(many.count_in(0), 2U);
}

}  // namespace
}  // namespace juxta
