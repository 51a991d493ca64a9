// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A step of a flock row by row: the same bytes as sorting all boids and moving them, on every instruction
// set.
#include "agents/flock_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory_resource>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "agents/flock_states.h"
#include "agents/flock_store.h"
#include "agents/flock_stores.h"
#include "agents/pick_cells_kernel.h"
#include "juxta/core/executor.h"
#include "scenes/draws.h"
#include "scenes/flocks.h"
#include "support/each_isa.h"

namespace juxta {
namespace {

using agents_detail::FlockStore;
using scenes::Draws;
using test::Boids;
using test::Crowding;

FlockOptions world(bool periodic, float half_size = 4) {
  FlockOptions options;
  options.periodic = periodic;
  options.half_size = half_size;
  return options;
}

template <class T>
bool same_bytes(const Array<T>& a, const Array<T>& b, std::size_t count) {
  return std::memcmp(a.data(), b.data(), count * sizeof(T)) == 0;
}

std::string compare(const FlockStore& right, const FlockStore& got) {
  const std::size_t n = right.count;
  if (got.count != n) {
    return "another number of boids";
  }
  for (std::uint32_t a = 0; a < 2; ++a) {
    if (!same_bytes(right.now.position[a], got.now.position[a], n)) {
      return "positions on axis " + std::to_string(a);
    }
    if (!same_bytes(right.now.velocity[a], got.now.velocity[a], n)) {
      return "velocities on axis " + std::to_string(a);
    }
  }
  return same_bytes(right.now.number, got.now.number, n) ? "" : "numbers";
}

/// Two stores with the same boids, after a step of all at once; the second knows its rows.
struct Pair {
  Pair(const FlockOptions& options, const Boids& boids)
      : right(options, std::pmr::get_default_resource()), got(options, std::pmr::get_default_resource()) {
    for (FlockStore* store : {&right, &got}) {
      test::fill(*store, boids);
      test::step_at_once(*store);
    }
    keep_rows(got);
  }
  FlockStore right, got;
};

void expect_same(const FlockOptions& options, const Boids& boids, int steps,
                 const Executor& executor = serial_executor()) {
  Pair pair(options, boids);
  for (int step = 0; step < steps; ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    test::step_at_once(pair.right);
    ASSERT_TRUE(step_by_rows(pair.got, executor));
    ASSERT_EQ(compare(pair.right, pair.got), "");
  }
}

Boids draw(const FlockOptions& options, Crowding crowding, std::size_t count, std::uint64_t seed) {
  Draws draws(seed);
  return test::draw_boids(draws, options, crowding, count);
}

TEST(FlockRows, AllCrowds) {
  for (const bool periodic : {false, true}) {
    for (const Crowding crowding : test::kCrowdings) {
      for (const std::size_t count : {1U, 15U, 17U, 300U, 3000U}) {
        SCOPED_TRACE(std::string(periodic ? "periodic, " : "walls, ") + std::string(test::name(crowding)) +
                     ", " + std::to_string(count));
        const FlockOptions options = world(periodic);
        ASSERT_NO_FATAL_FAILURE(expect_same(options, draw(options, crowding, count, count), 4));
      }
    }
  }
}

TEST(FlockRows, EveryInstructionSet) {
  test::for_each_isa([](Isa) {
    for (const float half_size : {5.0F, 90.0F}) {  // pulls hold positions, or not
      const FlockOptions options = world(half_size < 10, half_size);
      ASSERT_NO_FATAL_FAILURE(expect_same(options, draw(options, Crowding::kClusters, 4000, 3), 3));
      ASSERT_NO_FATAL_FAILURE(expect_same(options, draw(options, Crowding::kUniform, 4000, 3), 3));
    }
  });
}

// As many rows as there must be at least, and some more: blocks of any length at the end.
TEST(FlockRows, AnyNumberOfRows) {
  std::vector<std::uint32_t> seen;
  for (int size = 0; size < 30; ++size) {
    const float half_size = 3 + 0.37F * static_cast<float>(size);
    for (const bool periodic : {false, true}) {
      const FlockOptions options = world(periodic, half_size);
      const Boids boids = draw(options, Crowding::kUniform, 2500, 9);
      Pair pair(options, boids);
      const std::uint32_t rows = pair.got.directory.grid.axis[1].cells;
      seen.push_back(rows);
      test::step_at_once(pair.right);
      ASSERT_EQ(step_by_rows(pair.got, serial_executor()), rows >= 18) << rows;
      if (rows >= 18) {
        ASSERT_EQ(compare(pair.right, pair.got), "") << rows;
      }
    }
  }
  EXPECT_LT(*std::min_element(seen.begin(), seen.end()), 18U);
  EXPECT_NE(std::find(seen.begin(), seen.end(), 18U), seen.end());
  EXPECT_GT(*std::max_element(seen.begin(), seen.end()), 40U);
}

TEST(FlockRows, TwoThreads) {
  const Result<TbbExecutor> threads = TbbExecutor::build(2);
  if (!threads) {
    GTEST_SKIP() << threads.error().message;
  }
  const FlockOptions options = world(true, 12);
  expect_same(options, draw(options, Crowding::kUniform, 20'000, 5), 5, *threads);
}

/// Not safe from other threads than the one that made it; counts.
class OwnThreadResource final : public std::pmr::memory_resource {
 public:
  std::size_t allocations = 0, elsewhere = 0;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    ++(std::this_thread::get_id() == own_ ? allocations : elsewhere);
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* at, std::size_t bytes, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(at, bytes, alignment);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  std::thread::id own_ = std::this_thread::get_id();
};

// The flock's memory resource is the caller's: tasks take nothing from it, and steps nothing once they have
// what they need.
TEST(FlockRows, MemoryIsTakenByTheCaller) {
  const Result<TbbExecutor> threads = TbbExecutor::build(2);
  if (!threads) {
    GTEST_SKIP() << threads.error().message;
  }
  OwnThreadResource memory;
  const FlockOptions options = world(true, 12);
  FlockStore store(options, &memory);
  test::fill(store, draw(options, Crowding::kUniform, 20'000, 5));
  test::step_at_once(store);
  keep_rows(store);
  for (int step = 0; step < 2; ++step) {
    ASSERT_TRUE(step_by_rows(store, *threads));
  }
  const std::size_t before = memory.allocations;
  for (int step = 0; step < 20; ++step) {
    ASSERT_TRUE(step_by_rows(store, *threads));
  }
  EXPECT_EQ(memory.allocations, before);
  EXPECT_EQ(memory.elsewhere, 0U);
  EXPECT_GT(store.rows.memory_bytes(), 20'000U);
}

// Nobody may pass over a row: then all boids are sorted at once, and nothing was touched before.
TEST(FlockRows, FastBoidsAreLeftToTheOtherWay) {
  FlockOptions options = world(false, 6);
  options.rules.time_step = 1;  // three rows and more
  Pair pair(options, draw(options, Crowding::kUniform, 2000, 4));
  ASSERT_EQ(compare(pair.right, pair.got), "");
  EXPECT_FALSE(step_by_rows(pair.got, serial_executor()));
  EXPECT_EQ(compare(pair.right, pair.got), "");
  test::step_at_once(pair.right);
  test::step_at_once(pair.got);
  EXPECT_EQ(compare(pair.right, pair.got), "");
}

// Flock takes this way by itself where boids are many: the same flight as when it cannot know the rows.
TEST(FlockRows, ManyBoids) {
  const std::size_t count = agents_detail::kManyBoids + 777;
  const float half_size = scenes::flock_half_size(count);
  const scenes::FlockScene scene = scenes::make_flock(count, half_size, 1);
  std::vector<Vec3> positions(count), velocities(count);
  for (std::size_t i = 0; i < count; ++i) {
    positions[i] = {scene.position[0][i], scene.position[1][i], 0};
    velocities[i] = {scene.velocity[0][i], scene.velocity[1][i], 0};
  }
  Flock flock = std::move(*Flock::build(world(false, half_size)));
  ASSERT_TRUE(flock.rebuild(positions, velocities));
  Pair pair(world(false, half_size), {scene.position, scene.velocity});
  ASSERT_TRUE(flock.step({}));
  for (int step = 0; step < 3; ++step) {
    test::step_at_once(pair.right);
    ASSERT_TRUE(flock.step({}));
    const auto expect_bytes = [&](const auto& right, auto got) {
      ASSERT_EQ(std::memcmp(right.data(), got.data(), got.size_bytes()), 0);
    };
    for (std::uint32_t a = 0; a < 2; ++a) {
      expect_bytes(pair.right.now.position[a], flock.position(a));
      expect_bytes(pair.right.now.velocity[a], flock.velocity(a));
    }
    expect_bytes(pair.right.now.number, flock.numbers());
    if (step == 1) {  // other cells: boids stand in no order of them
      FlockRules rules = flock.options().rules;
      rules.see_radius2 *= 0.8F;
      ASSERT_TRUE(flock.set_rules(rules));
      pair.right.options.rules = rules;
      agents_detail::plan_cells(pair.right, count);
    }
  }
}

TEST(PickCells, LikeThePlainTwin) {
  Draws draws(8);
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t count = draws.below(70), first = draws.below(count + 1),
                        cells = 1 + draws.below(round % 2 == 0 ? 40 : 4);
    std::vector<std::uint32_t> all(count + 16);
    for (std::uint32_t i = 0; i < count; ++i) {
      all[i] = draws.below(20) == 0 ? ~std::uint32_t{0} - draws.below(3) : draws.below(60);
    }
    const agents_detail::CellSpan wanted{draws.below(40), cells};
    std::vector<std::uint32_t> rows(count + 16), row_cells(count + 16), right_rows(count), right_cells(count);
    const std::size_t right = agents_detail::pick_cells_reference(all.data(), first, count, wanted,
                                                                  right_rows.data(), right_cells.data());
    test::for_each_isa([&](Isa) {
      ASSERT_EQ(agents_detail::pick_cells(all.data(), first, count, wanted, rows.data(), row_cells.data()),
                right);
      ASSERT_TRUE(
          std::equal(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(right), right_rows.begin()));
      ASSERT_TRUE(std::equal(row_cells.begin(), row_cells.begin() + static_cast<std::ptrdiff_t>(right),
                             right_cells.begin()));
    });
  }
}

}  // namespace
}  // namespace juxta
