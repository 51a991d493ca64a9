// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/study/collector.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "juxta/agents/simulation.h"
#include "juxta/core/random.h"
#include "support/code_of.h"

namespace juxta {
namespace {

struct Odd {
  std::int16_t a = 0, b = 0, c = 0;
};

class StudyCollector : public ::testing::Test {
 protected:
  StudyCollector() : simulation_(Simulation::build({.dimensions = 2}, 1).value()) {
    sheep_ = *simulation_.add_population("sheep");
    EXPECT_TRUE(sheep_->add_column<double>("weight", 0.1));
    EXPECT_TRUE(sheep_->add_column<std::int32_t>("age", -7));
    EXPECT_TRUE(sheep_->add_column<std::uint32_t>("kills", 4'000'000'000));
    EXPECT_TRUE(sheep_->add_column<std::uint8_t>("pack", 200));
    EXPECT_TRUE(sheep_->add_results({"seen"}));
    EXPECT_TRUE(sheep_->add_column<Odd>("wool"));
    EXPECT_TRUE(sheep_->add_references("mother", *sheep_));
    EXPECT_TRUE(sheep_->insert(4));
    for (std::uint32_t row = 0; row < 4; ++row) {
      sheep_->write(sheep_->position(0))[row] = static_cast<float>(row) + 0.25F;
    }
  }
  static std::vector<std::string> names_of(const Table& table) {
    return {table.names().begin(), table.names().end()};
  }

  Simulation simulation_;
  Population* sheep_ = nullptr;
};

TEST_F(StudyCollector, NotesNumbersAtEachStep) {
  Collector collector;
  double value = 2;
  collector.add("value", [&] { return value; });
  collector.add("square", [&] { return value * value; });
  for (const std::uint32_t step : {0u, 3u, 4'000'000'000u}) {
    collector.collect(step);
    value += 1;
  }
  const Table& table = collector.steps();
  EXPECT_EQ(names_of(table), (std::vector<std::string>{"step", "value", "square"}));
  ASSERT_EQ(table.rows(), 3u);
  EXPECT_EQ(table.column("step")[2], 4e9);
  EXPECT_EQ(table.column("value")[1], 3);
  EXPECT_EQ(table.column("square")[2], 16);
  EXPECT_EQ(collector.agent_tables(), 0u);
}

TEST_F(StudyCollector, NotesAgentsAsThePopulationHasThem) {
  Collector collector;
  ASSERT_TRUE(collector.add_agents(*sheep_));
  ASSERT_TRUE(collector.add_agents(*sheep_, {"weight", "x"}, 2));
  ASSERT_EQ(collector.agent_tables(), 2u);
  EXPECT_EQ(&collector.population(1), sheep_);
  EXPECT_EQ(names_of(collector.agents(0)),
            (std::vector<std::string>{"step", "id", "x", "y", "weight", "age", "kills", "pack", "seen"}));
  EXPECT_EQ(names_of(collector.agents(1)), (std::vector<std::string>{"step", "id", "x", "weight"}));
  std::size_t row = 0, sparse_row = 0;
  for (std::uint32_t step = 0; step < 5; ++step) {
    collector.collect(step);
    const Table& table = collector.agents(0);
    ASSERT_EQ(table.rows(), row + sheep_->size());
    for (std::uint32_t at = 0; at < sheep_->size(); ++at, ++row) {
      EXPECT_EQ(table.column("step")[row], step);
      EXPECT_EQ(table.column("id")[row], static_cast<double>(random_id(sheep_->id_of(at))));
      EXPECT_EQ(table.column("x")[row], static_cast<double>(sheep_->read(sheep_->position(0))[at]));
      EXPECT_EQ(table.column("weight")[row], 0.1);
      EXPECT_EQ(table.column("age")[row], -7);
      EXPECT_EQ(table.column("kills")[row], 4e9);
      EXPECT_EQ(table.column("pack")[row], 200);
      EXPECT_EQ(table.column("seen")[row], 0);
    }
    sparse_row += step % 2 == 0 ? sheep_->size() : 0;
    EXPECT_EQ(collector.agents(1).rows(), sparse_row);
    // Others every step: the slots of the dead are taken by the next generation.
    sheep_->changes().kill(0);
    sheep_->changes().spawn();
    if (step % 2 == 0) {
      sheep_->changes().spawn();
    }
    ASSERT_TRUE(simulation_.end_step());
  }
  EXPECT_GT(collector.agents(0).column("id")[row - 1], 4294967296.0);
}

TEST_F(StudyCollector, RefusesColumnsThatAreNotNumbersOrNotThere) {
  Collector collector;
  const auto refused = collector.add_agents(*sheep_, {"x", "wool"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(test::code_of(refused), ErrorCode::kInvalidArgument);
  EXPECT_NE(refused.error().message.find("wool"), std::string::npos);
  const auto none = collector.add_agents(*sheep_, {"x", "milk"});
  ASSERT_FALSE(none);
  EXPECT_EQ(test::code_of(none), ErrorCode::kNotFound);
  EXPECT_EQ(none.error().message, "'sheep' has no column 'milk'");
  EXPECT_EQ(collector.agent_tables(), 0u);
}

TEST_F(StudyCollector, GoesOnBehindAnEarlierRun) {
  const auto declared = [&] {
    Collector collector;
    collector.add("count", [&] { return static_cast<double>(sheep_->size()); });
    EXPECT_TRUE(collector.add_agents(*sheep_, {"x"}));
    return collector;
  };
  Collector whole = declared(), first = declared(), second = declared();
  whole.collect(0);
  first.collect(0);
  ASSERT_TRUE(second.go_on({first.steps(), first.agents(0)}));
  whole.collect(1);
  second.collect(1);
  EXPECT_TRUE(second.steps() == whole.steps());
  EXPECT_TRUE(second.agents(0) == whole.agents(0));
  const auto refused = [&](std::vector<Table> earlier) {
    Collector collector = declared();
    const auto done = collector.go_on(std::move(earlier));
    ASSERT_FALSE(done);
    EXPECT_EQ(test::code_of(done), ErrorCode::kCorruptFile);
    EXPECT_EQ(collector.steps().rows(), 0u);
  };
  refused({});
  refused({first.steps()});
  refused({first.steps(), first.agents(0), first.agents(0)});
  refused({first.agents(0), first.agents(0)});
  refused({first.steps(), first.steps()});
  refused({Table({"step", "counts"}), first.agents(0)});
}

TEST_F(StudyCollector, NotesWholeNumbersTextAndIdsAsSuch) {
  Collector collector;
  std::size_t count = 9'007'199'254'740'993;
  std::string word = "calm";
  collector.add("count", [&] { return count; });
  collector.add("word", [&] { return word; });
  collector.add("name", [] { return "a, b"; });
  collector.add("leader", [this] { return sheep_->id_of(1); });
  collector.add("mean", [] { return 0.5F; });
  collector.add("any", [] { return true; });
  ASSERT_TRUE(collector.collect(1));
  word = "wild";
  ASSERT_TRUE(collector.collect(2));
  EXPECT_EQ(collector.steps().csv(),
            "step,count,word,name,leader,mean,any\n"
            "1,9007199254740993,calm,\"a, b\",4294967297,0.5,1\n"
            "2,9007199254740993,wild,\"a, b\",4294967297,0.5,1\n");
  EXPECT_EQ(collector.steps().kind(0), CellKind::kWhole);
  EXPECT_EQ(collector.steps().kind(4), CellKind::kId);
  EXPECT_EQ(collector.steps().kind(6), CellKind::kNumber);
  EXPECT_TRUE(std::isnan(collector.report(1)));
  EXPECT_EQ(collector.report(0), 9'007'199'254'740'992.0);
}

TEST_F(StudyCollector, WholeNumbersHaveTolerances) {
  Collector collector;
  int sheep = 100;
  collector.add("sheep", [&] { return sheep; }, {.tolerance = 0.1});
  ASSERT_TRUE(collector.collect(0));
  sheep = 110;
  ASSERT_TRUE(collector.collect(1));
  sheep = 111;
  EXPECT_FALSE(collector.collect(2));
  EXPECT_TRUE(collector.diverged());
}

TEST_F(StudyCollector, AgentsHaveIdsAndIntegersOfTheirOwnKind) {
  const auto mother = *sheep_->find_column<Id>("mother");
  sheep_->write(mother)[2] = sheep_->id_of(0);
  Collector collector;
  ASSERT_TRUE(collector.add_agents(*sheep_, {"mother", "age", "kills", "pack", "weight"}));
  ASSERT_TRUE(collector.collect(5));
  const Table& table = collector.agents(0);
  std::string kinds;
  for (const TableColumn& column : table.columns()) {
    kinds += "nwti"[static_cast<int>(column.kind)];
  }
  EXPECT_EQ(kinds, "winwwwi");  // step, id, weight, age, kills, pack, mother
  EXPECT_EQ(table.id_column(1)[3], sheep_->id_of(3));
  EXPECT_EQ(table.whole_column(3)[0], -7);
  EXPECT_EQ(table.whole_column(4)[0], 4'000'000'000);
  EXPECT_EQ(table.id_column(6)[2], sheep_->id_of(0));
  EXPECT_EQ(table.id_column(6)[1], Id{});
}

}  // namespace
}  // namespace juxta
