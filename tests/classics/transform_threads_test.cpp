// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Both classic propagations on executors: transforms and versions are those of the calling thread, whatever
// the order of the tasks, and the thread sanitizer sees no race.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "classics/transform/chunk_world.h"
#include "classics/transform_worlds.h"
#include "support/executors.h"

namespace juxta::classics {
namespace {

// A scattered forest and a chain far below depth 16; frames move, write, reparent and tag.
class History {
 public:
  History() : ids_(6000) {
    const auto nodes = test::random_forest(draws_, 6000, 2500, 6000);
    world_.create(nodes, test::shuffled(draws_, nodes.size()), ids_);
    const std::vector<Id> chain = test::add_chain(world_, draws_, 300);
    ids_.insert(ids_.end(), chain.begin(), chain.end());
  }
  void change() {
    for (int i = 0; i < 4; ++i) {
      world_.set_local(any(), test::random_local(draws_));
      world_.reparent(any(), draws_.below(4) == 0 ? Id{} : any(), Keep::kLocal);
      world_.set_copy_parent(any(), i == 0);
    }
  }
  ChunkWorld& world() { return world_; }

 private:
  Id any() { return ids_[draws_.below(static_cast<std::uint32_t>(ids_.size()))]; }

  scenes::Draws draws_{41};
  ChunkWorld world_;
  std::vector<Id> ids_;
};

// Four threads, each with every fourth range, however late it starts: nothing orders one thread's writes
// before another's reads, so the thread sanitizer sees a race on one core too.
class StripesExecutor final : public Executor {
 public:
  void parallel_for(std::size_t count, std::size_t grain, Body body) const override {
    std::vector<std::thread> threads;
    for (std::size_t stripe = 0; stripe < kThreads; ++stripe) {
      threads.emplace_back([=] {
        for (std::size_t first = stripe * grain; first < count; first += kThreads * grain) {
          body(first, std::min(first + grain, count));
        }
      });
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
  }

 private:
  static constexpr std::size_t kThreads = 4;
};

using Propagate = void (*)(ChunkWorld&, const PropagateForm&);

void expect_same_on(const Executor& executor, Propagate propagate, bool eager) {
  History serial, threaded;
  for (int frame = 0; frame < 12; ++frame) {
    propagate(serial.world(), {.eager = eager});
    propagate(threaded.world(), {.executor = &executor, .eager = eager});
    ASSERT_EQ(test::world_versions(serial.world()), test::world_versions(threaded.world())) << frame;
    ASSERT_EQ(test::worlds(serial.world()), test::worlds(threaded.world())) << frame;
    test::expect_parent_to_world(threaded.world());
    serial.change();
    threaded.change();
  }
  propagate(threaded.world(), {.executor = &executor, .eager = eager});
  test::expect_naive(threaded.world());
}

TEST(ClassicThreads, DepthFirstIsThatOfOneThread) {
  expect_same_on(test::ShuffledExecutor(test::ShuffledExecutor::Order::kReversed), propagate_depth_first,
                 false);
  expect_same_on(test::ShuffledExecutor(test::ShuffledExecutor::Order::kShuffled), propagate_depth_first,
                 true);
  expect_same_on(StripesExecutor(), propagate_depth_first, false);
}

TEST(ClassicThreads, DepthLevelsAreThoseOfOneThread) {
  expect_same_on(test::ShuffledExecutor(test::ShuffledExecutor::Order::kReversed), propagate_depth_levels,
                 false);
  expect_same_on(test::ShuffledExecutor(test::ShuffledExecutor::Order::kShuffled), propagate_depth_levels,
                 false);
  expect_same_on(StripesExecutor(), propagate_depth_levels, false);
}

}  // namespace
}  // namespace juxta::classics
