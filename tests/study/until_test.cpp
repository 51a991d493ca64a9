// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Stop conditions: what they read, where runs and sweeps end by them, and that nothing else changes.
#include "juxta/study/until.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "juxta/study/collector.h"
#include "juxta/study/run.h"
#include "juxta/study/sweep.h"
#include "study/pond.h"
#include "study/replica.h"
#include "study/scratch.h"
#include "support/code_of.h"
#include "support/executors.h"

namespace juxta {
namespace {

using ModelRun = juxta::Run;  // testing::Test has a Run of its own
using test::pond_with;
using test::ponds;

Until until(std::string_view text) {
  const auto parsed = parse_until(text);
  EXPECT_TRUE(parsed) << parsed.error().message;
  return parsed.value_or(Until{});
}

TEST(StudyUntil, IsReadFromAText) {
  EXPECT_EQ(until("infected == 0").text(), "infected == 0");
  EXPECT_EQ(until("infected==0").text(), "infected == 0");
  EXPECT_EQ(until("  mean age  >=  12.5 ").text(), "mean age >= 12.5");
  EXPECT_EQ(until("a < -1e300").text(), "a < -1e+300");
  EXPECT_EQ(until("a <= inf").text(), "a <= inf");
  EXPECT_EQ(until("a > 0.1").value, 0.1);
  EXPECT_EQ(until("a != 2").op, Until::Op::kNotEqual);
  EXPECT_EQ(until("a<b <= 2").report, "a<b");  // the last operator counts
  EXPECT_EQ(until(until("a<b <= 2").text()).report, "a<b");
  for (const char* wrong :
       {"", "infected", "infected = 0", "== 0", "infected ==", "infected == none", "infected == nan",
        "infected == 0 1", "infected => 0", "infected == 0x1", " < 3"}) {
    const auto parsed = parse_until(wrong);
    ASSERT_FALSE(parsed) << wrong;
    EXPECT_EQ(test::code_of(parsed), ErrorCode::kParse);
    EXPECT_NE(parsed.error().message.find(std::string("'") + wrong + "' is no stop condition"),
              std::string::npos);
    EXPECT_NE(parsed.error().message.find("<, <=, >, >=, ==, !="), std::string::npos);
  }
}

TEST(StudyUntil, ComparesAndNaNMeetsNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::pair<const char*, std::vector<bool>>> cases = {
      {"a < 2", {true, false, false}}, {"a <= 2", {true, true, false}},  {"a > 2", {false, false, true}},
      {"a >= 2", {false, true, true}}, {"a == 2", {false, true, false}}, {"a != 2", {true, false, true}},
  };
  for (const auto& [text, met] : cases) {
    for (const std::size_t i : {0u, 1u, 2u}) {
      EXPECT_EQ(until(text).met_by(static_cast<double>(i) + 1), met[i]) << text << " " << i;
    }
    EXPECT_FALSE(until(text).met_by(nan)) << text;
  }
}

/// Steps until the condition is met, at most so many.
void go(ModelRun& run, std::uint32_t most, const Context& context = {}) {
  while (run.steps_done() < most && !run.until_met()) {
    const auto done = run.step(context);
    ASSERT_TRUE(done) << done.error().message;
  }
}

/// The step at which the pond has at least so many fish, from a run without a condition.
std::uint32_t first_step_with(double fish) {
  ModelRun run = ModelRun::begin(ponds()[1], pond_with({}), 5).value();
  go(run, 100);
  const auto all = run.collected().steps().column("fish");
  const auto found = std::ranges::find_if(all, [&](double each) { return each >= fish; });
  EXPECT_NE(found, all.end());
  return static_cast<std::uint32_t>(found - all.begin());
}

TEST(StudyUntil, EndsARunBehindTheStepThatMeetsIt) {
  const std::uint32_t end = first_step_with(20);
  ASSERT_GT(end, 3u);
  ModelRun plain = ModelRun::begin(ponds()[1], pond_with({}), 5).value();
  go(plain, end);
  EXPECT_EQ(plain.steps_done(), end);
  test::for_each_executor([&](const Executor* executor) {
    ModelRun run = ModelRun::begin(ponds()[1], pond_with({}), 5, {.until = until("fish >= 20")}).value();
    go(run, 100, {.executor = executor});
    EXPECT_TRUE(run.until_met());
    EXPECT_EQ(run.steps_done(), end);
    EXPECT_EQ(run.state_hash(), plain.state_hash());
    EXPECT_EQ(run.collected().steps().csv(), plain.collected().steps().csv());
    ASSERT_TRUE(run.step_only());
    EXPECT_FALSE(run.until_met());  // nobody has looked
    ASSERT_TRUE(run.collect());
    EXPECT_EQ(run.until_met(), run.collected().steps().column("fish").back() >= 20);
  });
  ModelRun at_once = ModelRun::begin(ponds()[1], pond_with({}), 5, {.until = until("fish > 0")}).value();
  EXPECT_FALSE(at_once.until_met());  // the start does not count
  go(at_once, 100);
  EXPECT_EQ(at_once.steps_done(), 1u);
  ModelRun third = ModelRun::begin(ponds()[1], pond_with({}), 5, {.until = until("step == 3")}).value();
  go(third, 100);
  EXPECT_EQ(third.steps_done(), 3u);
  EXPECT_FALSE(plain.until_met());
  EXPECT_FALSE(plain.until());
}

TEST(StudyUntil, NamesTheReportsThatThereAre) {
  const auto begun = ModelRun::begin(ponds()[1], pond_with({}), 5, {.until = until("whales > 3")});
  ASSERT_FALSE(begun);
  EXPECT_EQ(test::code_of(begun), ErrorCode::kNotFound);
  EXPECT_EQ(begun.error().message,
            "pond, until: the model reports no 'whales': give one of step, fish, energy");
  const std::vector<std::string> odd = {"step", "a >", " b", "c"};
  EXPECT_EQ(test::code_of(Until({"a >", Until::Op::kEqual, 0}).column_in(odd)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(Until({" b", Until::Op::kEqual, 0}).column_in(odd)), ErrorCode::kInvalidArgument);
  EXPECT_FALSE(Until({"c", Until::Op::kEqual, std::nan("")}).column_in(odd));
  EXPECT_EQ(Until({"c", Until::Op::kEqual, 0}).column_in(odd).value(), 3u);
  ModelRun run = ModelRun::begin(ponds()[1], pond_with({}), 5, {.until = until("fish >= 20")}).value();
  EXPECT_FALSE(run.set_until(until("whales > 3")));
  EXPECT_EQ(run.until()->report, "fish");  // the old one stays
  ASSERT_TRUE(run.step());
  ASSERT_TRUE(run.set_until(until("fish > 0")));
  EXPECT_TRUE(run.until_met());
  ASSERT_TRUE(run.set_until({}));
  EXPECT_FALSE(run.until_met());
}

TEST(StudyUntil, IsSavedWithTheRun) {
  const test::ScratchFolder folder;
  const std::string path = (folder / "run").string();
  const RunOptions options{.steps = 50, .until = until("fish >= 20")};
  ModelRun straight = ModelRun::begin(ponds()[1], pond_with({}), 5, options).value();
  go(straight, 100);
  ModelRun parts = ModelRun::begin(ponds()[1], pond_with({}), 5, options).value();
  go(parts, 2);
  ASSERT_TRUE(parts.save(path));
  ModelRun resumed = ModelRun::resume(path, ponds()).value();
  EXPECT_EQ(resumed.until()->text(), "fish >= 20");
  EXPECT_EQ(resumed.planned_steps(), 50u);
  go(resumed, 100);
  EXPECT_EQ(resumed.steps_done(), straight.steps_done());
  EXPECT_EQ(resumed.state_hash(), straight.state_hash());
  ASSERT_TRUE(resumed.save(path));
  ASSERT_TRUE(straight.save((folder / "straight").string()));
  EXPECT_EQ(test::read_text(path), test::read_text(folder / "straight"));
  EXPECT_TRUE(ModelRun::resume(path, ponds()).value().until_met());
  // Without a condition the file is what it always was.
  ASSERT_TRUE(resumed.set_until({}));
  ASSERT_TRUE(resumed.save(path));
  EXPECT_FALSE(ModelRun::resume(path, ponds()).value().until());
}

Sweep pond_sweep(std::uint32_t every, const char* condition) {
  Sweep sweep;
  sweep.model = &ponds()[1];
  sweep.parameters = pond_with({});
  sweep.steps = 40;
  sweep.every = every;
  sweep.until = until(condition);
  sweep.seeds = {5, 6, 7};
  sweep.vary = {{"splits_at", {2, 2.5, 9}}};
  return sweep;
}

/// The rows of a run that ends by the condition, thinned as a sweep does it.
std::vector<double> steps_noted(const Sweep& sweep, std::size_t replica) {
  const study_detail::Replica one(sweep, replica);
  ModelRun run = ModelRun::begin(*sweep.model, pond_with({{"splits_at", one.values()[0]}}), one.seed(),
                                 {.until = sweep.until})
                     .value();
  go(run, sweep.steps);
  std::vector<double> steps;
  for (std::uint32_t step = 0; step <= run.steps_done(); ++step) {
    if (step == run.steps_done() || (sweep.every != 0 && step % sweep.every == 0)) {
      steps.push_back(step);
    }
  }
  return steps;
}

TEST(StudyUntil, EndsEachReplicaOfASweep) {
  for (const std::uint32_t every : {0u, 1u, 3u, 7u}) {
    SCOPED_TRACE(every);
    const Sweep sweep = pond_sweep(every, "fish >= 20");
    const auto done = run_sweep(sweep);
    ASSERT_TRUE(done) << done.error().message;
    const auto replica = done->table.column("replica"), step = done->table.column("step");
    std::vector<double> expected, found(step.begin(), step.end());
    for (std::size_t i = 0; i < sweep.replicas(); ++i) {
      const auto steps = steps_noted(sweep, i);
      expected.insert(expected.end(), steps.begin(), steps.end());
    }
    EXPECT_EQ(found, expected);
    std::vector<double> last;
    for (std::size_t r = 0; r < done->table.rows(); ++r) {
      if (r + 1 == done->table.rows() || replica[r + 1] != replica[r]) {
        last.push_back(step[r]);
      }
    }
    ASSERT_EQ(last.size(), 9u);
    EXPECT_LT(*std::ranges::min_element(last), 40);  // some were met
    EXPECT_EQ(*std::ranges::max_element(last), 40);  // and some never, which have their last row too
    test::for_each_executor([&](const Executor* executor) {
      const test::ScratchFolder folder;
      const std::string journal = (folder / "journal").string();
      const auto again = run_sweep(sweep, {.journal = journal}, {.executor = executor});
      ASSERT_TRUE(again);
      EXPECT_EQ(again->table.csv(), done->table.csv());
      const std::string whole = test::read_text(journal);
      test::write_text(journal, std::string_view(whole).substr(0, whole.size() * 2 / 3));
      const auto resumed = run_sweep(sweep, {.journal = journal}, {.executor = executor});
      ASSERT_TRUE(resumed);
      EXPECT_GT(resumed->resumed, 0u);
      EXPECT_LT(resumed->resumed, 9u);
      EXPECT_EQ(resumed->table.csv(), done->table.csv());
    });
  }
}

TEST(StudyUntil, OfASweepThatNamesNoReportIsRefused) {
  const auto done = run_sweep(pond_sweep(0, "whales > 3"));
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().index, 0u);
  EXPECT_NE(done.error().message.find("the model reports no 'whales': give one of step, fish, energy"),
            std::string::npos);
}

TEST(StudyUntil, ChangesTheFingerprintOnlyWhereItIsSet) {
  Sweep sweep = pond_sweep(3, "fish >= 20");
  const std::uint64_t with = study_detail::fingerprint(sweep);
  sweep.until = until("fish >= 21");
  EXPECT_NE(study_detail::fingerprint(sweep), with);
  sweep.until = {};
  const std::uint64_t without = study_detail::fingerprint(sweep);
  EXPECT_NE(without, with);
  // Journals of versions that knew no conditions and no samples stay what they are.
  EXPECT_EQ(without,
            study_detail::text_sum("pond\nsteps 40\nevery 3\nset fish 12\nset fails_at 0\nset hasty 0\n"
                                   "set tables 0\nvary splits_at 2 2.5 9\nseeds 5 6 7"));
  sweep.together = true;
  EXPECT_NE(study_detail::fingerprint(sweep), without);
}

}  // namespace
}  // namespace juxta
