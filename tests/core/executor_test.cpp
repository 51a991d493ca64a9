// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/core/executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <initializer_list>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "support/code_of.h"
#include "support/executors.h"

namespace juxta {
namespace {

TEST(Executor, RunsEveryRangeOfTheCutOnce) {
  test::for_each_executor([](const Executor* given) {
    const Executor& executor = executor_or_serial(given);
    for (const std::size_t count : std::initializer_list<std::size_t>{0, 1, 2, 7, 64, 1000}) {
      for (const std::size_t grain : std::initializer_list<std::size_t>{0, 1, 2, 3, 64, 5000}) {
        const std::size_t used = std::max<std::size_t>(grain, 1);
        std::vector<std::atomic<int>> calls(count + 1);
        std::atomic<bool> right{true};
        executor.parallel_for(count, grain, [&](std::size_t first, std::size_t last) {
          if (first % used != 0 || last != std::min(first + used, count) || first >= last) {
            right = false;
          }
          ++calls[first];
        });
        EXPECT_TRUE(right) << count << " by " << grain;
        for (std::size_t i = 0; i < count; ++i) {
          ASSERT_EQ(calls[i], i % used == 0 ? 1 : 0) << count << " by " << grain;
        }
      }
    }
  });
}

TEST(Executor, BodiesMayRunBodies) {
  test::for_each_executor([](const Executor* given) {
    const Executor& executor = executor_or_serial(given);
    std::atomic<std::size_t> sum{0};
    executor.parallel_for(20, 1, [&](std::size_t outer, std::size_t) {
      executor.parallel_for(30, 7, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
          sum += outer * i;
        }
      });
    });
    EXPECT_EQ(sum, 190U * 435U);
  });
}

TEST(Executor, SerialRunsInAscendingOrderOnTheCallingThread) {
  std::vector<std::size_t> firsts;
  const auto caller = std::this_thread::get_id();
  serial_executor().parallel_for(10, 4, [&](std::size_t first, std::size_t) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    firsts.push_back(first);
  });
  EXPECT_EQ(firsts, (std::vector<std::size_t>{0, 4, 8}));
}

#if defined(JUXTA_TEST_TBB)
TEST(Executor, TbbUsesAsManyThreadsAsAskedFor) {
  const auto executor = TbbExecutor::build(4);
  ASSERT_TRUE(executor) << executor.error().message;
  std::mutex mutex;
  std::set<std::thread::id> threads;
  executor->parallel_for(200, 1, [&](std::size_t, std::size_t) {
    {
      const std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  EXPECT_GT(threads.size(), 1U);
  EXPECT_LE(threads.size(), 4U);
}

TEST(Executor, TbbRefusesAbsurdThreadCounts) {
  const auto executor = TbbExecutor::build(4'000'000'000U);
  ASSERT_FALSE(executor);
  EXPECT_EQ(test::code_of(executor), ErrorCode::kInvalidArgument);
}

#else
TEST(Executor, WithoutTbbTheMessageSaysWhy) {
  const auto executor = TbbExecutor::build(4);
  ASSERT_FALSE(executor);
  EXPECT_EQ(test::code_of(executor), ErrorCode::kInvalidArgument);
  EXPECT_NE(executor.error().message.find("JUXTA_TBB=OFF"), std::string::npos);
}
#endif

}  // namespace
}  // namespace juxta
