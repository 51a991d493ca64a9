// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A trace is read back: every task of every thread is there, under its stage, and none that never ran.
#include "sector/trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/code_of.h"
#include "support/executors.h"

namespace juxta::sector {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// The file, deleted again.
Json written(const TracingExecutor& trace, const std::string& name) {
  const fs::path path = fs::path(testing::TempDir()) / name;
  EXPECT_TRUE(trace.write(path).has_value());
  Json json;
  std::ifstream(path) >> json;
  fs::remove(path);
  return json;
}

std::vector<Json> events_of(const Json& trace, const std::string& category) {
  std::vector<Json> events;
  for (const Json& event : trace.at("traceEvents")) {
    if (event.at("ph") == "X" && event.at("cat") == category) {
      events.push_back(event);
    }
  }
  return events;
}

double end_of(const Json& event) {
  return event.at("ts").get<double>() + event.at("dur").get<double>();
}

TEST(Trace, HasEveryTaskUnderItsStage) {
  const test::ThreadsExecutor on(3);
  TracingExecutor trace(on);
  constexpr std::size_t kCount = 1000, kGrain = 64, kTasks = 16;
  std::vector<std::uint32_t> seen(kCount);
  const auto work = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      ++seen[i];
    }
  };
  trace.parallel_for(kCount, kGrain, work);  // before any stage
  for (const std::size_t stage : {0u, 4u}) {
    trace.begin(stage);
    trace.parallel_for(kCount, kGrain, work);
    trace.end(stage);
  }
  EXPECT_EQ(std::ranges::count(seen, 3u), kCount);

  const Json json = written(trace, "tasks.json");
  const auto tasks = events_of(json, "task"), stages = events_of(json, "stage");
  ASSERT_EQ(tasks.size(), 3 * kTasks);
  ASSERT_EQ(stages.size(), 2u);
  EXPECT_EQ(stages[0].at("name"), "spawn");
  EXPECT_EQ(stages[1].at("name"), "fire");
  std::map<std::string, std::size_t> items;
  for (const Json& task : tasks) {
    const std::string name = task.at("name");
    items[name] += task.at("args").at("items").get<std::size_t>();
    EXPECT_GE(task.at("tid").get<int>(), 1);
    for (const Json& stage : stages) {
      if (stage.at("name") == name) {
        EXPECT_LE(stage.at("ts").get<double>(), task.at("ts").get<double>());
        EXPECT_LE(end_of(task), end_of(stage) + 0.01);
      }
    }
  }
  EXPECT_EQ(items, (std::map<std::string, std::size_t>{
                       {"spawn", kCount}, {"fire", kCount}, {"between ticks", kCount}}));
}

TEST(Trace, NamesEveryRow) {
  TracingExecutor trace(serial_executor());
  trace.parallel_for(3, 1, [](std::size_t, std::size_t) {});
  std::map<int, std::string> names;
  const Json json = written(trace, "rows.json");
  for (const Json& event : json.at("traceEvents")) {
    if (event.at("name") == "thread_name") {
      names[event.at("tid")] = event.at("args").at("name");
    }
  }
  EXPECT_EQ(names, (std::map<int, std::string>{{0, "stages"}, {1, "thread 1"}}));
}

TEST(Trace, TasksInsideTasksNest) {
  const test::ThreadsExecutor on(2);
  TracingExecutor trace(on);
  std::atomic<int> ran = 0;
  trace.parallel_for(4, 1, [&](std::size_t, std::size_t) {
    trace.parallel_for(8, 2,
                       [&](std::size_t first, std::size_t last) { ran += static_cast<int>(last - first); });
  });
  EXPECT_EQ(ran, 32);
  const auto tasks = events_of(written(trace, "nested.json"), "task");
  ASSERT_EQ(tasks.size(), 4u + 16u);
  for (const Json& a : tasks) {
    for (const Json& b : tasks) {  // of one thread: apart, or one inside the other
      const double a0 = a.at("ts"), b0 = b.at("ts");
      if (a.at("tid") == b.at("tid") && a0 < b0 && b0 < end_of(a) - 0.001) {
        EXPECT_LE(end_of(b), end_of(a) + 0.001);
      }
    }
  }
}

TEST(Trace, ForgetsTheEarliest) {
  TracingExecutor trace(serial_executor(), 10);
  for (std::size_t size = 1; size <= 25; ++size) {
    trace.parallel_for(size, size, [](std::size_t, std::size_t) {});
  }
  std::vector<std::size_t> sizes;
  for (const Json& task : events_of(written(trace, "last.json"), "task")) {
    sizes.push_back(task.at("args").at("items"));
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{16, 17, 18, 19, 20, 21, 22, 23, 24, 25}));
}

TEST(Trace, IsThereWholeOrNotAtAll) {
  const TracingExecutor trace(serial_executor());
  EXPECT_EQ(juxta::test::code_of(trace.write(fs::path(testing::TempDir()) / "no such folder" / "t.json")),
            ErrorCode::kIo);
  EXPECT_TRUE(events_of(written(trace, "empty.json"), "task").empty());
}

}  // namespace
}  // namespace juxta::sector
