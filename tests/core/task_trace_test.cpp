// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/core/task_trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace juxta {
namespace {

// Time passes when the work says so.
double now_ns = 0;

double test_clock() {
  return now_ns;
}

void work(double ns) {
  now_ns += ns;
}

template <class Step>
TaskTrace traced(Step&& step) {
  TaskTrace trace(test_clock);
  trace.begin();
  step(static_cast<const Executor&>(trace));
  trace.end();
  return trace;
}

// 5, four ranges of 10, 7.
TaskTrace one_loop() {
  return traced([](const Executor& executor) {
    work(5);
    executor.parallel_for(4, 1, [](std::size_t, std::size_t) { work(10); });
    work(7);
  });
}

TEST(TaskTrace, PlaysALoopOnAnyNumberOfWorkers) {
  const TaskTrace trace = one_loop();
  EXPECT_EQ(trace.work_ns(), 52);
  EXPECT_EQ(trace.span_ns(), 22);
  for (const auto& [workers, ns] : {std::pair{0U, 52}, {1U, 52}, {2U, 32}, {3U, 32}, {4U, 22}, {1000U, 22}}) {
    EXPECT_EQ(trace.forecast_ns(workers), ns) << workers;
  }
}

TEST(TaskTrace, CutsRangesAsAnExecutorMust) {
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  const TaskTrace trace = traced([&](const Executor& executor) {
    executor.parallel_for(10, 4, [&](std::size_t first, std::size_t last) {
      ranges.emplace_back(first, last);
      work(static_cast<double>(last - first));
    });
    executor.parallel_for(0, 4, [&](std::size_t, std::size_t) { ADD_FAILURE(); });
    executor.parallel_for(3, 0, [&](std::size_t, std::size_t) { work(1); });
  });
  EXPECT_EQ(ranges, (std::vector<std::pair<std::size_t, std::size_t>>{{0, 4}, {4, 8}, {8, 10}}));
  EXPECT_EQ(trace.work_ns(), 13);
  EXPECT_EQ(trace.span_ns(), 5);
}

TEST(TaskTrace, PlaysLoopsWithinRanges) {
  const TaskTrace trace = traced([](const Executor& executor) {
    executor.parallel_for(2, 1, [&](std::size_t, std::size_t) {
      work(1);
      executor.parallel_for(4, 1, [](std::size_t, std::size_t) { work(10); });
      work(2);
    });
  });
  EXPECT_EQ(trace.work_ns(), 86);
  EXPECT_EQ(trace.span_ns(), 13);
  EXPECT_EQ(trace.forecast_ns(2), 45);  // the second range begins its last part when the first has ended
  EXPECT_EQ(trace.forecast_ns(8), 13);
}

TEST(TaskTrace, AddsWhatHandingOverCosts) {
  const HandOver cost{.range_ns = 3, .loop_ns = 100};
  EXPECT_EQ(one_loop().forecast_ns(1, cost), 52 + 4 * 3 + 100);
  EXPECT_EQ(one_loop().forecast_ns(4, cost), 22 + 3 + 100);
  const TaskTrace alone = traced([](const Executor& executor) {
    executor.parallel_for(3, 5,
                          [](std::size_t, std::size_t) { work(10); });  // one range stays with its caller
  });
  EXPECT_EQ(alone.forecast_ns(4, cost), 10);
}

TEST(TaskTrace, NamesWhatWorkersWaitFor) {
  const TaskTrace trace = one_loop();
  std::array<Bottleneck, 3> parts;
  ASSERT_EQ(trace.bottlenecks(4, parts), 3U);
  EXPECT_EQ(parts[0].work_ns, 7);
  EXPECT_DOUBLE_EQ(parts[0].lost_ns, 7 * 3.0 / 4);
  EXPECT_EQ(parts[0].before, Bottleneck::kNone);
  EXPECT_EQ(parts[1].work_ns, 5);
  EXPECT_DOUBLE_EQ(parts[1].lost_ns, 5 * 3.0 / 4);
  EXPECT_EQ(parts[1].after, Bottleneck::kNone);
  EXPECT_EQ(parts[1].before, parts[0].after);
  EXPECT_EQ(parts[2].work_ns, 40);
  EXPECT_EQ(parts[2].lost_ns, 0);
  EXPECT_EQ(parts[2].inside, parts[0].after);
  EXPECT_FALSE(trace.callers(parts[0].after).empty());
  EXPECT_TRUE(trace.callers(Bottleneck::kNone).empty());
  EXPECT_EQ(trace.bottlenecks(4, {}), 3U);
}

TEST(TaskTrace, TakesLoopsOfOneCallerTogether) {
  volatile int times = 3;  // one call, which the compiler does not write three times
  const TaskTrace trace = traced([&times](const Executor& executor) {
    for (int i = 0; i < times; ++i) {
      executor.parallel_for(2, 1, [](std::size_t, std::size_t) { work(10); });
      work(4);
    }
  });
  std::array<Bottleneck, 8> parts;
  ASSERT_EQ(trace.bottlenecks(2, parts), 4U);  // before the first, between two, in the loops, after the last
  EXPECT_EQ(parts[0].work_ns, 8);
  EXPECT_EQ(parts[0].before, parts[0].after);
  EXPECT_EQ(parts[1].work_ns, 4);
}

TEST(TaskTrace, RecordsFromBeginToEnd) {
  TaskTrace trace(test_clock);
  const auto loop = [&] { trace.parallel_for(2, 1, [](std::size_t, std::size_t) { work(10); }); };
  EXPECT_EQ(trace.work_ns(), 0);
  EXPECT_EQ(trace.span_ns(), 0);
  EXPECT_EQ(trace.forecast_ns(2), 0);
  EXPECT_EQ(trace.bottlenecks(2, {}), 0U);
  trace.end();
  loop();
  EXPECT_EQ(trace.work_ns(), 0);
  trace.begin();
  loop();
  trace.end();
  loop();
  EXPECT_EQ(trace.work_ns(), 20);
  TaskTrace moved = std::move(trace);
  EXPECT_EQ(moved.forecast_ns(2), 10);
  moved.begin();
  moved.end();
  EXPECT_EQ(moved.work_ns(), 0);
}

// Work of any shape, and its longest chain by the definition.
class AnyWork {
 public:
  explicit AnyWork(unsigned seed) : random_(seed) {}

  double run(const Executor& executor, int depth) {
    double longest = spend();
    for (int loops = draw(3); loops > 0 && depth < 3; --loops) {
      double longest_range = 0;
      executor.parallel_for(static_cast<std::size_t>(draw(12)), 1, [&](std::size_t, std::size_t) {
        longest_range = std::max(longest_range, run(executor, depth + 1));
      });
      longest += longest_range + spend();
    }
    return longest;
  }

 private:
  int draw(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  double spend() {
    const double ns = draw(4) == 0 ? 0 : draw(1000);
    work(ns);
    return ns;
  }
  std::mt19937 random_;
};

TEST(TaskTrace, KeepsTheBoundsOfGreedySchedules) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    double longest = 0;
    const double began = now_ns;
    const TaskTrace trace =
        traced([&](const Executor& executor) { longest = AnyWork(seed).run(executor, 0); });
    const double total = now_ns - began;
    EXPECT_EQ(trace.work_ns(), total);
    EXPECT_EQ(trace.span_ns(), longest);
    EXPECT_EQ(trace.forecast_ns(1), total);
    EXPECT_EQ(trace.forecast_ns(1'000'000), longest);
    for (const std::size_t workers : {2U, 3U, 7U, 16U}) {
      const auto count = static_cast<double>(workers);
      const double ns = trace.forecast_ns(workers);
      EXPECT_GE(ns, std::max(longest, total / count) - 1e-6) << seed;
      EXPECT_LE(ns, total / count + longest + 1e-6) << seed;  // Graham's bound
      std::vector<Bottleneck> parts(trace.bottlenecks(workers, {}));
      trace.bottlenecks(workers, parts);
      const auto add = [](double sum, const Bottleneck& part) { return sum + part.lost_ns; };
      EXPECT_NEAR(std::accumulate(parts.begin(), parts.end(), 0.0, add), ns - total / count, 1e-6 * total)
          << seed;
      EXPECT_TRUE(std::ranges::is_sorted(parts, std::ranges::greater(), &Bottleneck::lost_ns)) << seed;
    }
  }
}

}  // namespace
}  // namespace juxta
