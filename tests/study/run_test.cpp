// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A run that is stopped and resumed is one that never was.
#include "juxta/study/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "juxta/study/collector.h"
#include "juxta/study/model.h"
#include "study/pond.h"
#include "study/scratch.h"
#include "support/code_of.h"
#include "support/executors.h"

namespace juxta {
namespace {

using ModelRun = juxta::Run;  // testing::Test has a Run of its own
using test::pond_with;
using test::ponds;
using test::read_text;

ModelRun begin_run(std::initializer_list<std::pair<const char*, double>> values = {},
                   std::uint64_t seed = 5) {
  return ModelRun::begin(ponds()[1], pond_with(values), seed).value();
}

/// NaN as any other number, unlike Table's own comparison.
void expect_same(const Table& a, const Table& b) {
  ASSERT_TRUE(std::ranges::equal(a.names(), b.names()));
  EXPECT_EQ(a.csv(), b.csv());
}

void expect_same(const ModelRun& a, const ModelRun& b) {
  EXPECT_EQ(a.state_hash(), b.state_hash());
  EXPECT_EQ(a.simulation().step(), b.simulation().step());
  expect_same(a.collected().steps(), b.collected().steps());
  ASSERT_EQ(a.collected().agent_tables(), b.collected().agent_tables());
  for (std::size_t i = 0; i < a.collected().agent_tables(); ++i) {
    expect_same(a.collected().agents(i), b.collected().agents(i));
  }
}

TEST(StudyRun, BeginsWithTheStateAtTheStartAndCollectsEachStep) {
  ModelRun run = begin_run({{"fish", 20}});
  EXPECT_EQ(run.info().name, "pond");
  EXPECT_EQ(run.parameters()["fish"], 20);
  ASSERT_EQ(run.collected().steps().rows(), 1u);
  EXPECT_EQ(run.collected().steps().column("fish")[0], 20);
  for (int i = 0; i < 10; ++i) {
    const std::uint64_t before = run.state_hash();
    ASSERT_TRUE(run.step());
    EXPECT_NE(run.state_hash(), before);
  }
  const auto fish = run.collected().steps().column("fish");
  ASSERT_EQ(fish.size(), 11u);
  EXPECT_EQ(fish.back(), static_cast<double>(run.simulation().population(0).size()));
  EXPECT_NE(fish.front(), fish.back());  // there were births and deaths
  EXPECT_EQ(run.collected().steps().column("step")[7], 7);
}

TEST(StudyRun, IsAFunctionOfParametersAndSeed) {
  ModelRun first = begin_run();
  ModelRun other = begin_run({}, 6);
  EXPECT_NE(first.state_hash(), other.state_hash());
  for (int i = 0; i < 6; ++i) {
    ASSERT_TRUE(first.step());
  }
  test::for_each_executor([&](const Executor* executor) {
    ModelRun run = begin_run();
    for (int i = 0; i < 6; ++i) {
      ASSERT_TRUE(run.step({.executor = executor}));
    }
    expect_same(run, first);
  });
}

TEST(StudyRun, StoppedAtAnyStepGoesOnAsIfItHadNeverBeen) {
  const test::ScratchFolder folder;
  const std::initializer_list<std::pair<const char*, double>> values = {{"tables", 1}, {"fish", 30}};
  constexpr int kSteps = 12;
  ModelRun whole = begin_run(values);
  for (int i = 0; i < kSteps; ++i) {
    ASSERT_TRUE(whole.step());
  }
  ASSERT_TRUE(whole.save((folder / "whole").string()));
  ASSERT_GT(whole.collected().agents(1).rows(), 100u);
  for (int stop = 0; stop <= kSteps; ++stop) {
    SCOPED_TRACE(stop);
    ModelRun before = begin_run(values);
    for (int i = 0; i < stop; ++i) {
      ASSERT_TRUE(before.step());
    }
    ASSERT_TRUE(before.save((folder / "run").string()));
    auto after = ModelRun::resume((folder / "run").string(), ponds());
    ASSERT_TRUE(after) << after.error().message;
    expect_same(*after, before);
    EXPECT_EQ(after->parameters()["fish"], 30);
    ASSERT_TRUE(after->save((folder / "again").string()));
    EXPECT_TRUE(read_text(folder / "again") == read_text(folder / "run"));
    for (int i = stop; i < kSteps; ++i) {
      ASSERT_TRUE(after->step());
    }
    expect_same(*after, whole);
    ASSERT_TRUE(after->save((folder / "run").string()));
    EXPECT_TRUE(read_text(folder / "run") == read_text(folder / "whole"));
  }
}

TEST(StudyRun, NotesAllAgentsWhenAskedStoppedOrNot) {
  const test::ScratchFolder folder;
  const auto begin = [] {
    return ModelRun::begin(ponds()[1], pond_with({}), 5, {.agents_every = 3}).value();
  };
  ModelRun whole = begin();
  ModelRun run = begin();
  for (int step = 0; step < 8; ++step) {
    ASSERT_TRUE(whole.step());
    ASSERT_TRUE(run.step());
    ASSERT_TRUE(run.save((folder / "run").string()));
    run = ModelRun::resume((folder / "run").string(), ponds()).value();
  }
  ASSERT_EQ(whole.collected().agent_tables(), 1u);
  const auto steps = whole.collected().agents(0).column("step");
  ASSERT_FALSE(steps.empty());
  EXPECT_EQ(steps.back(), 6);
  expect_same(run, whole);
}

TEST(StudyRun, KnowsHowManyStepsItIsMeantToHave) {
  const test::ScratchFolder folder;
  EXPECT_EQ(begin_run({}).planned_steps(), ponds()[1].steps);
  const ModelRun run = ModelRun::begin(ponds()[1], pond_with({}), 5, {.steps = 1234}).value();
  EXPECT_EQ(run.planned_steps(), 1234u);
  ASSERT_TRUE(run.save((folder / "run").string()));
  EXPECT_EQ(ModelRun::resume((folder / "run").string(), ponds()).value().planned_steps(), 1234u);
}

TEST(StudyRun, EmptyWorldsAndNumbersThatAreNoneAreKept) {
  const test::ScratchFolder folder;
  ModelRun run = begin_run({{"fish", 0}, {"tables", 1}});
  ASSERT_TRUE(run.step());
  ASSERT_TRUE(std::isnan(run.collected().steps().column("energy")[1]));
  ASSERT_TRUE(run.save((folder / "run").string()));
  const auto again = ModelRun::resume((folder / "run").string(), ponds());
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(std::isnan(again->collected().steps().column("energy")[1]));
  expect_same(*again, run);
}

TEST(StudyRun, MovedItIsTheSameRun) {
  ModelRun run = begin_run({{"tables", 1}});
  ModelRun moved = std::move(run);
  ASSERT_TRUE(moved.step());
  ModelRun assigned = begin_run();
  assigned = std::move(moved);
  ASSERT_TRUE(assigned.step());
  EXPECT_EQ(assigned.collected().steps().rows(), 3u);
  EXPECT_EQ(&assigned.collected().population(0), &assigned.simulation().population(0));
}

TEST(StudyRun, TellsWhatTheModelSays) {
  ModelRun run = begin_run({{"fails_at", 3}});
  ASSERT_TRUE(run.step());
  ASSERT_TRUE(run.step());
  const auto third = run.step();
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().message, "the pond is dry");
  EXPECT_EQ(run.collected().steps().rows(), 3u);
  // A model that does not end its step would collect the wrong numbers for ever after.
  const auto hasty = begin_run({{"hasty", 1}}).step();
  ASSERT_FALSE(hasty);
  EXPECT_NE(hasty.error().message.find("from step 0 to 2"), std::string::npos) << hasty.error().message;
  // Parameters of another model.
  const auto foreign = ModelRun::begin(ponds()[1], Parameters({{"wolves", 1, 0, 2, true, ""}}), 1);
  ASSERT_FALSE(foreign);
  EXPECT_EQ(test::code_of(foreign), ErrorCode::kInvalidArgument);
}

#if !defined(_WIN32)  // Windows has no limit for the size of a file
TEST(StudyRun, AFailedSaveLeavesTheOldFile) {
  const test::ScratchFolder folder;
  ModelRun run = begin_run({{"tables", 1}});
  ASSERT_TRUE(run.save((folder / "run").string()));
  const std::string old = read_text(folder / "run");
  ASSERT_TRUE(run.step());
  for (const std::size_t room : {0u, 100u, 4096u, 5000u, 9000u}) {
    const test::SmallDisk disk(room);
    const auto saved = run.save((folder / "run").string());
    ASSERT_FALSE(saved) << room;
    EXPECT_EQ(test::code_of(saved), ErrorCode::kIo);
  }
  EXPECT_TRUE(read_text(folder / "run") == old);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);  // nothing beside it
  EXPECT_EQ(test::code_of(run.save((folder / "no" / "run").string())), ErrorCode::kIo);
  if (std::filesystem::exists("/dev/full")) {
    EXPECT_EQ(test::code_of(run.save("/dev/full")), ErrorCode::kIo);
  }
  ASSERT_TRUE(run.save((folder / "run").string()));
  EXPECT_FALSE(read_text(folder / "run") == old);
}
#endif

TEST(StudyRun, OfAModelThatIsNotThere) {
  const test::ScratchFolder folder;
  ASSERT_TRUE(begin_run().save((folder / "run").string()));
  const auto none = ModelRun::resume((folder / "run").string(), ponds().first(1));
  ASSERT_FALSE(none);
  EXPECT_EQ(test::code_of(none), ErrorCode::kNotFound);
  EXPECT_NE(none.error().message.find("'pond': give one of lake"), std::string::npos) << none.error().message;
  EXPECT_EQ(test::code_of(ModelRun::resume((folder / "nothing").string(), ponds())), ErrorCode::kIo);
}

}  // namespace
}  // namespace juxta
