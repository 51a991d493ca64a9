// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The same bytes whoever runs the tasks, in whatever order, with whatever registers: transforms, versions,
// lists of changes, order of rows. Under the thread sanitizer, the same frames show that tasks share nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "support/each_isa.h"
#include "support/executors.h"
#include "support/saved_bytes.h"
#include "transform/scenario.h"

namespace juxta {
namespace {

using Trace = std::vector<std::uint64_t>;

/// Another order of the ranges in each call.
class SeededExecutor final : public Executor {
 public:
  explicit SeededExecutor(std::uint64_t seed) : draws_(seed) {}

  void parallel_for(std::size_t count, std::size_t grain, Body body) const override {
    grain = std::max<std::size_t>(grain, 1);
    std::vector<std::size_t> begins;
    for (std::size_t first = 0; first < count; first += grain) {
      begins.push_back(first);
    }
    draws_.shuffle(begins);
    for (const std::size_t first : begins) {
      body(first, std::min(first + grain, count));
    }
    shuffled_ += begins.size() > 1;
  }
  [[nodiscard]] int shuffled() const { return shuffled_; }

 private:
  mutable scenes::Draws draws_;
  mutable int shuffled_ = 0;
};

struct Outcome {
  Trace trace;
  std::vector<char> bytes;
};

Outcome run(const Executor* executor) {
  test::Scenario scenario({.size = 2}, executor);
  Outcome result{scenario.run(), {}};
  result.bytes = test::saved_bytes(scenario.hierarchy);
  return result;
}

TEST(TransformDeterminism, TheSameBytesOnEveryExecutor) {
  const Outcome expected = run(nullptr);
  ASSERT_EQ(expected.trace.size(), 13u);
  test::for_each_executor([&](const Executor* executor) {
    const Outcome got = run(executor);
    EXPECT_EQ(got.trace, expected.trace);
    EXPECT_TRUE(got.bytes == expected.bytes);
  });
}

TEST(TransformDeterminism, TheSameBytesOnEverySchedule) {
  const Outcome expected = run(nullptr);
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    const SeededExecutor executor(seed);
    const Outcome got = run(&executor);
    EXPECT_EQ(got.trace, expected.trace);
    EXPECT_TRUE(got.bytes == expected.bytes);
    EXPECT_GT(executor.shuffled(), 20) << "nothing was cut into tasks, so nothing is shown";
  }
}

TEST(TransformDeterminism, TheSameBytesOnEveryInstructionSet) {
  Outcome expected;
  test::for_each_isa([&](Isa) {
    const Outcome got = run(nullptr);
    expected = expected.trace.empty() ? got : expected;
    EXPECT_EQ(got.trace, expected.trace);
    EXPECT_TRUE(got.bytes == expected.bytes);
  });
}

TEST(TransformDeterminism, ReadersFromManyThreads) {
  test::Scenario scenario({.frames = 2}, nullptr);
  scenario.run();
  Hierarchy& hierarchy = scenario.hierarchy;
  std::vector<Id> ids;
  hierarchy.for_each([&](Id id) { ids.push_back(id); });
  for (std::size_t i = 0; i < ids.size(); i += 50) {  // root paths are out of date
    ASSERT_TRUE(hierarchy.set_position(ids[i], {1, 2, 3}));
  }
  const Hierarchy& reader = hierarchy;
  const auto read = [&](std::vector<Qvvs>& worlds) {
    worlds.resize(ids.size());
    for (std::size_t i = 0; i < ids.size(); i += 3) {
      worlds[i] = reader.world(ids[i]).value();
    }
    reader.changed_since(0,
                         [&](Id id, const Qvvs& world) { worlds[0].scale += world.scale + float(id.slot); });
  };
  std::vector<std::vector<Qvvs>> all(4);
  std::vector<std::thread> threads;
  for (std::vector<Qvvs>& worlds : all) {
    threads.emplace_back([&] { read(worlds); });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const std::vector<Qvvs>& worlds : all) {
    EXPECT_TRUE(worlds == all[0]);
  }
}

}  // namespace
}  // namespace juxta
