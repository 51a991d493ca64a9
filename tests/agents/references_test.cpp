// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Columns that name other agents, and what becomes of those names.
#include <gtest/gtest.h>

#include <vector>

#include "juxta/agents/simulation.h"
#include "scenes/draws.h"
#include "support/code_of.h"

namespace juxta {
namespace {

class AgentsReferences : public ::testing::Test {
 protected:
  AgentsReferences()
      : sim(Simulation::build({.dimensions = 2}).value()),
        wolves(*sim.add_population("wolves").value()),
        sheep(*sim.add_population("sheep").value()),
        prey(wolves.add_references("prey", sheep).value()),
        mother(sheep.add_references("mother", sheep).value()) {
    EXPECT_TRUE(wolves.insert(10));
    EXPECT_TRUE(sheep.insert(10));
  }
  std::size_t nulled(std::size_t population) { return sim.end_step().value()[population].nulled; }

  Simulation sim;
  Population& wolves;
  Population& sheep;
  Column<Id> prey, mother;
};

TEST_F(AgentsReferences, ToTheDeadBecomeNothing) {
  for (std::uint32_t row = 0; row < 10; ++row) {
    EXPECT_EQ(wolves.read(prey)[row], Id{});
    wolves.write(prey)[row] = sheep.id_of(row / 2);  // two wolves for each of five sheep
    sheep.write(mother)[row] = sheep.id_of((row + 1) % 10);
  }
  const Id kept = sheep.id_of(1);
  sheep.changes().kill(0);
  sheep.changes().kill(4);
  wolves.changes().kill(9);  // after prey 4
  const auto reports = sim.end_step().value();
  EXPECT_EQ(reports[0].nulled, 3u);
  EXPECT_EQ(reports[1].nulled, 2u);
  EXPECT_EQ(wolves.read(prey)[0], Id{});
  EXPECT_EQ(wolves.read(prey)[2], kept);
  EXPECT_EQ(sheep.row_of(kept).value(), 0u);
  EXPECT_EQ(wolves.read(prey)[8], Id{});
  EXPECT_EQ(nulled(0), 0u);
}

TEST_F(AgentsReferences, OtherSimulationsAreRefused) {
  Simulation other = Simulation::build({.dimensions = 2}).value();
  Population& goats = *other.add_population("sheep").value();
  EXPECT_EQ(test::code_of(wolves.add_references("goat", goats)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(goats.add_references("wolf", wolves)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(wolves.add_references("prey", sheep)), ErrorCode::kInvalidArgument);  // taken
  EXPECT_EQ(wolves.column_count(), 3u);
}

TEST_F(AgentsReferences, NewbornsMayNameOthersButNotThoseThatDieWithTheirBirth) {
  const Id dying = sheep.id_of(3), living = sheep.id_of(5);
  sheep.changes().spawn().set(mother, living);
  sheep.changes().spawn().set(mother, dying);
  sheep.write(mother)[5] = dying;
  sheep.changes().spawn_like(5);
  sheep.changes().kill(3);
  EXPECT_EQ(nulled(1), 3u);
  ASSERT_EQ(sheep.size(), 12u);
  EXPECT_EQ(sheep.read(mother)[9], living);
  EXPECT_EQ(sheep.read(mother)[10], Id{});
  EXPECT_EQ(sheep.read(mother)[11], Id{});
  // The slot of the dead is used again, its Id is not.
  EXPECT_FALSE(sheep.alive(dying));
  EXPECT_EQ(sheep.id_of(9).slot, dying.slot);
}

TEST_F(AgentsReferences, ThoseWrittenAfterTheDeathAreFoundToo) {
  const Id dead = sheep.id_of(3);
  sheep.changes().kill(3);
  EXPECT_EQ(nulled(0), 0u);
  wolves.write(prey)[2] = dead;
  EXPECT_EQ(nulled(0), 1u);  // nobody died in this step
  EXPECT_EQ(wolves.read(prey)[2], Id{});
  sheep.changes().spawn().set(mother, dead);
  EXPECT_EQ(nulled(1), 1u);
  EXPECT_EQ(sheep.read(mother)[9], Id{});
}

/// Against a plain list of who names whom, by name.
TEST_F(AgentsReferences, LongHistories) {
  const auto name = sheep.add_column<std::uint32_t>("name").value();
  scenes::Draws draws(1);
  struct Animal {
    std::uint32_t name, mother;
  };
  constexpr std::uint32_t kNobody = ~0U;
  std::vector<Animal> plain;
  std::uint32_t names = 0;
  for (std::uint32_t row = 0; row < sheep.size(); ++row) {
    plain.push_back({names, kNobody});
    sheep.write(name)[row] = names++;
  }
  for (int step = 0; step < 300; ++step) {
    std::vector<bool> dies(plain.size());
    const std::uint32_t born = draws.below(12), deaths = plain.empty() ? 0 : draws.below(12);
    std::vector<Animal> lambs;
    for (std::uint32_t i = 0; i < deaths; ++i) {
      const std::uint32_t row = draws.below(static_cast<std::uint32_t>(plain.size()));
      dies[row] = true;
      sheep.changes().kill(row);
    }
    for (std::uint32_t i = 0; i < born; ++i) {
      if (plain.empty() || i % 4 == 0) {
        lambs.push_back({names, kNobody});
        sheep.changes().spawn().set(name, names++);
      } else {
        const std::uint32_t row = draws.below(static_cast<std::uint32_t>(plain.size()));
        lambs.push_back({names, plain[row].name});
        sheep.changes().spawn().set(name, names++).set(mother, sheep.id_of(row));
      }
    }
    std::size_t lost = 0;
    std::vector<Animal> next;
    std::vector<std::uint32_t> gone;
    for (std::size_t row = 0; row < plain.size(); ++row) {
      if (dies[row]) {
        gone.push_back(plain[row].name);
      } else {
        next.push_back(plain[row]);
      }
    }
    next.insert(next.end(), lambs.begin(), lambs.end());
    for (Animal& animal : next) {
      if (std::find(gone.begin(), gone.end(), animal.mother) != gone.end()) {
        animal.mother = kNobody;
        ++lost;
      }
    }
    plain = next;
    ASSERT_EQ(nulled(1), lost) << step;
    ASSERT_EQ(sheep.size(), plain.size());
    for (std::uint32_t row = 0; row < plain.size(); ++row) {
      ASSERT_EQ(sheep.read(name)[row], plain[row].name);
      const Id id = sheep.read(mother)[row];
      ASSERT_EQ(id == Id{}, plain[row].mother == kNobody);
      if (id != Id{}) {
        ASSERT_EQ(sheep.read(name)[sheep.row_of(id).value()], plain[row].mother);
      }
    }
  }
  EXPECT_GT(names, 500u);
}

}  // namespace
}  // namespace juxta
