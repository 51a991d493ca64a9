// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A sweep is a function of what was asked: not of threads, of order, or of how often it was interrupted.
#include "juxta/study/sweep.h"
#include "juxta/core/monitor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "juxta/study/collector.h"
#include "juxta/study/model.h"
#include "juxta/study/run.h"
#include "study/pond.h"
#include "study/scratch.h"
#include "support/code_of.h"
#include "support/executors.h"

namespace juxta {
namespace {

using test::ponds;
using test::read_text;

Sweep small_sweep() {
  Sweep sweep;
  sweep.model = &ponds()[1];
  sweep.parameters = test::pond_with({});
  sweep.steps = 7;
  sweep.every = 3;
  sweep.seeds = {4, 1, 9};
  sweep.vary = {{"splits_at", {2, 2.5}}, {"fish", {0, 5, 8}}};
  return sweep;
}

std::string csv_of(const Sweep& sweep, const SweepOptions& options = {}, const Context& context = {}) {
  const auto done = run_sweep(sweep, options, context);
  EXPECT_TRUE(done) << done.error().message;
  return done ? done->table.csv() : std::string();
}

TEST(StudySweep, HoldsEveryCombinationByReplicaThenStep) {
  const Sweep sweep = small_sweep();
  ASSERT_EQ(sweep.replicas(), 18u);
  const auto done = run_sweep(sweep);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->resumed, 0u);
  const Table& table = done->table;
  const std::vector<std::string> names = {"replica", "seed", "splits_at", "fish", "step", "fish", "energy"};
  ASSERT_TRUE(std::ranges::equal(table.names(), names));
  ASSERT_EQ(table.rows(), 18u * 3);  // steps 0, 3, 6
  std::size_t row = 0, replica = 0;
  for (const double splits_at : {2.0, 2.5}) {
    for (const double fish : {0.0, 5.0, 8.0}) {
      for (const std::uint64_t seed : {4u, 1u, 9u}) {
        auto run = juxta::Run::begin(*sweep.model,
                                     test::pond_with({{"splits_at", splits_at}, {"fish", fish}}), seed);
        ASSERT_TRUE(run);
        for (int step = 0; step < 7; ++step) {
          ASSERT_TRUE(run->step());
        }
        for (const std::size_t step : {0u, 3u, 6u}) {
          EXPECT_EQ(table.column(0)[row], static_cast<double>(replica));
          EXPECT_EQ(table.column(1)[row], static_cast<double>(seed));
          EXPECT_EQ(table.column(2)[row], splits_at);
          EXPECT_EQ(table.column(3)[row], fish);
          EXPECT_EQ(table.column(4)[row], static_cast<double>(step));
          EXPECT_EQ(table.column(5)[row], run->collected().steps().column("fish")[step]);
          const double energy = run->collected().steps().column("energy")[step];
          EXPECT_TRUE(table.column(6)[row] == energy ||
                      (std::isnan(energy) && std::isnan(table.column(6)[row])));
          ++row;
        }
        ++replica;
      }
    }
  }
}

TEST(StudySweep, TheLastStepAloneUnlessAsked) {
  Sweep sweep = small_sweep();
  sweep.every = 0;
  const auto last = run_sweep(sweep);
  ASSERT_TRUE(last);
  ASSERT_EQ(last->table.rows(), 18u);
  EXPECT_EQ(last->table.column("step")[5], 7);
  sweep.steps = 0;
  EXPECT_EQ(run_sweep(sweep)->table.column("step")[5], 0);
  sweep.every = 1;
  EXPECT_EQ(run_sweep(sweep)->table.rows(), 18u);
  sweep.steps = 7;
  EXPECT_EQ(run_sweep(sweep)->table.rows(), 18u * 8);
  sweep.seeds.clear();
  EXPECT_EQ(run_sweep(sweep)->table.rows(), 0u);
  sweep = small_sweep();
  sweep.vary.clear();
  EXPECT_EQ(run_sweep(sweep)->table.rows(), 3u * 3);
}

TEST(StudySweep, IsTheSameForAnyExecutor) {
  const std::string alone = csv_of(small_sweep());
  ASSERT_GT(alone.size(), 1000u);
  test::for_each_executor([&](const Executor* executor) {
    const test::ScratchFolder folder;
    EXPECT_EQ(csv_of(small_sweep(), {}, {.executor = executor}), alone);
    EXPECT_EQ(csv_of(small_sweep(), {.journal = (folder / "journal").string()}, {.executor = executor}),
              alone);
    // Everything is in the journal, in whichever order it came there.
    const auto again =
        run_sweep(small_sweep(), {.journal = (folder / "journal").string()}, {.executor = executor});
    ASSERT_TRUE(again);
    EXPECT_EQ(again->resumed, 18u);
    EXPECT_EQ(again->table.csv(), alone);
  });
}

/// Says no when so many replicas are finished.
class StopAt final : public Monitor {
 public:
  explicit StopAt(std::uint64_t done) : stop_(done) {}
  bool on_progress(std::string_view stage, std::uint64_t done, std::uint64_t total) override {
    EXPECT_EQ(std::this_thread::get_id(), caller_);
    EXPECT_EQ(stage, "replicas");
    EXPECT_EQ(total, 18u);
    EXPECT_GE(done, last_);
    EXPECT_LE(done, total);
    last_ = done;
    return done < stop_;
  }
  [[nodiscard]] std::uint64_t last() const { return last_; }

 private:
  std::thread::id caller_ = std::this_thread::get_id();
  std::uint64_t stop_, last_ = 0;
};

TEST(StudySweep, TellsItsProgressFromTheCallingThread) {
  test::for_each_executor([&](const Executor* executor) {
    StopAt never(19);
    EXPECT_TRUE(run_sweep(small_sweep(), {}, {.executor = executor, .monitor = &never}));
    EXPECT_EQ(never.last(), 18u);
  });
}

TEST(StudySweep, CancelledAnywhereGoesOnAsIfItHadNeverBeen) {
  const std::string whole = csv_of(small_sweep());
  const test::ThreadsExecutor threads(4);
  for (const Executor* executor :
       {static_cast<const Executor*>(nullptr), static_cast<const Executor*>(&threads)}) {
    for (std::uint64_t stop = 0; stop < 18; ++stop) {
      SCOPED_TRACE(stop);
      const test::ScratchFolder folder;
      StopAt monitor(stop);
      const auto half = run_sweep(small_sweep(), {.journal = (folder / "journal").string()},
                                  {.executor = executor, .monitor = &monitor});
      if (executor == nullptr || stop == 0) {  // other threads may have done all the rest
        ASSERT_FALSE(half);
        EXPECT_EQ(test::code_of(half), ErrorCode::kCancelled);
        EXPECT_NE(half.error().message.find("of 18 replicas are finished and in the journal"),
                  std::string::npos)
            << half.error().message;
      }
      const auto rest =
          run_sweep(small_sweep(), {.journal = (folder / "journal").string()}, {.executor = executor});
      ASSERT_TRUE(rest) << rest.error().message;
      EXPECT_GE(rest->resumed, stop);
      if (executor == nullptr) {
        EXPECT_EQ(rest->resumed, stop);
      }
      EXPECT_EQ(rest->table.csv(), whole);
    }
  }
}

TEST(StudySweep, NamesTheLowestReplicaThatFailsWhateverTheOrder) {
  Sweep sweep = small_sweep();
  sweep.vary = {{"fails_at", {0, 5, 3}}};
  test::for_each_executor([&](const Executor* executor) {
    const test::ScratchFolder folder;
    for (int time = 0; time < 2; ++time) {  // once more with what was finished
      const auto failed =
          run_sweep(sweep, {.journal = (folder / "journal").string()}, {.executor = executor});
      ASSERT_FALSE(failed);
      EXPECT_EQ(failed.error().index, 3u);
      EXPECT_EQ(failed.error().message, "replica 3 (seed 4, fails_at = 5): the pond is dry");
    }
  });
}

#if !defined(_WIN32)  // Windows has no limit for the size of a file
TEST(StudySweep, AFullDiskKeepsWhatWasFinished) {
  const std::string whole = csv_of(small_sweep());
  const test::ScratchFolder folder;
  const auto path = folder / "journal";
  {
    const test::SmallDisk disk(1000);
    const auto full = run_sweep(small_sweep(), {.journal = path.string()});
    ASSERT_FALSE(full);
    EXPECT_EQ(test::code_of(full), ErrorCode::kIo);
  }
  EXPECT_LE(read_text(path).size(), 1000u);
  const auto rest = run_sweep(small_sweep(), {.journal = path.string()});
  ASSERT_TRUE(rest) << rest.error().message;
  EXPECT_GT(rest->resumed, 2u);
  EXPECT_LT(rest->resumed, 18u);
  EXPECT_EQ(rest->table.csv(), whole);
  EXPECT_EQ(test::code_of(run_sweep(small_sweep(), {.journal = (folder / "no" / "journal").string()})),
            ErrorCode::kIo);
}
#endif

TEST(StudySweep, RefusesWhatMakesNoSense) {
  const auto refused = [](const Sweep& sweep, ErrorCode code, const std::string& word) {
    const auto done = run_sweep(sweep);
    ASSERT_FALSE(done) << word;
    EXPECT_EQ(test::code_of(done), code);
    EXPECT_NE(done.error().message.find(word), std::string::npos) << done.error().message;
  };
  refused({}, ErrorCode::kInvalidArgument, "needs a model");
  Sweep sweep = small_sweep();
  sweep.vary.push_back({"whales", {1}});
  refused(sweep, ErrorCode::kNotFound, "whales");
  sweep.vary.back() = {"fish", {1}};
  refused(sweep, ErrorCode::kInvalidArgument, "fish varies twice");
  sweep.vary.back() = {"tables", {2}};
  refused(sweep, ErrorCode::kInvalidArgument, "a whole number from 0 to 1");
  sweep = small_sweep();
  sweep.vary.push_back({"tables", std::vector<double>(100'000, 1)});
  refused(sweep, ErrorCode::kTooLarge, "1800000 replicas");
  for (int i = 0; i < 5; ++i) {
    sweep.vary.push_back(sweep.vary.back());  // more than a number holds
  }
  refused(sweep, ErrorCode::kTooLarge, "more than 1000000");
  // A model whose columns depend on its parameters has no table.
  sweep = small_sweep();
  sweep.every = 0;
  sweep.steps = 0;
  sweep.vary = {{"hasty", {0, 1}}};
  refused(sweep, ErrorCode::kInvalidArgument, "replica 3 reports other columns");
}

}  // namespace
}  // namespace juxta
