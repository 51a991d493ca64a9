// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Steps by rows of a flock over ranks: the bytes of one machine, for small flocks, too.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <memory_resource>
#include <string>
#include <vector>

#include "agents/flock_ranks.h"
#include "agents/flock_states.h"
#include "agents/flock_store.h"
#include "agents/flock_stores.h"
#include "juxta/core/executor.h"
#include "scenes/draws.h"
#include "support/executors.h"
#include "support/thread_ranks.h"

namespace juxta {
namespace {

using agents_detail::FlockStore;
using test::Boids;
using test::Crowding;

struct Flight {
  FlockOptions options;
  Crowding crowding = Crowding::kUniform;
  std::size_t boids = 3000;
  int steps = 20;        // the balance is looked at before the seventeenth
  bool by_rows = false;  // some steps must go by rows; elsewhere a rank may have too few
  bool far = false;      // boids move further than a row
};

/// Of each boid, row after row.
using Bits = std::vector<std::array<std::uint32_t, 5>>;
void append_bits(const FlockStore& store, Bits& bits) {
  const auto of = [](const Array<float>& column, std::size_t row) {
    return std::bit_cast<std::uint32_t>(column[row]);
  };
  for (std::size_t row = 0; row < store.count; ++row) {
    bits.push_back({of(store.now.position[0], row), of(store.now.position[1], row),
                    of(store.now.velocity[0], row), of(store.now.velocity[1], row), store.now.number[row]});
  }
}

/// The plain twin: all boids at once, on one machine.
std::vector<Bits> on_one_machine(const Flight& flight, const Boids& boids) {
  FlockStore store(flight.options, std::pmr::get_default_resource());
  test::fill(store, boids);
  std::vector<Bits> all;
  for (int i = 0; i < flight.steps; ++i) {
    test::step_at_once(store);
    append_bits(store, all.emplace_back());
  }
  return all;
}

/// One rank's part after every step. Wherever a step by rows should be possible, it is taken.
void fly(const Flight& flight, const Boids& boids, test::ThreadRanks& ranks, const Executor& executor,
         std::vector<Bits>& mine) {
  FlockStore store(flight.options, std::pmr::get_default_resource());
  test::fill(store, ranks.rank() == 0 ? boids : Boids());
  ASSERT_TRUE(distribute_flock(store, ranks, 0));
  int by_rows = 0;
  for (int i = 0; i < flight.steps; ++i) {
    if (i != 0 && i % 16 != 15 && store.ranks->knows_rows) {
      const Result<bool> done = step_by_rows_over_ranks(store, executor);
      ASSERT_TRUE(done);
      if (!*done) {
        ASSERT_TRUE(flight.far);
        ASSERT_TRUE(step_over_ranks(store, executor));
      }
      by_rows += *done ? 1 : 0;
    } else {
      ASSERT_TRUE(step_over_ranks(store, executor));
    }
    ++store.steps;
    append_bits(store, mine.emplace_back());
  }
  EXPECT_TRUE(by_rows != 0 || !flight.by_rows);
}

void expect_same(const Flight& flight, std::initializer_list<std::uint32_t> sizes,
                 const Executor& executor = serial_executor()) {
  scenes::Draws draws(5);
  const Boids boids = test::draw_boids(draws, flight.options, flight.crowding, flight.boids);
  const std::vector<Bits> expected = on_one_machine(flight, boids);
  for (const std::uint32_t size : sizes) {
    SCOPED_TRACE(std::to_string(size) + " ranks");
    std::vector<std::vector<Bits>> parts(size);
    test::run_ranks(
        size, [&](test::ThreadRanks& ranks) { fly(flight, boids, ranks, executor, parts[ranks.rank()]); });
    for (std::size_t step = 0; step < expected.size(); ++step) {
      Bits found;  // ranks have rows side by side
      for (const std::vector<Bits>& part : parts) {
        ASSERT_EQ(part.size(), expected.size());
        found.insert(found.end(), part[step].begin(), part[step].end());
      }
      ASSERT_TRUE(found == expected[step]) << "after step " << step;
    }
  }
}

TEST(FlockRowsOverRanks, AllCrowds) {
  for (const bool periodic : {false, true}) {
    for (const Crowding crowding : test::kCrowdings) {
      SCOPED_TRACE(std::string(periodic ? "periodic, " : "") + std::string(test::name(crowding)));
      Flight flight;
      flight.options.periodic = periodic;
      flight.options.half_size = 6;
      flight.crowding = crowding;
      flight.by_rows = crowding == Crowding::kUniform;
      ASSERT_NO_FATAL_FAILURE(expect_same(flight, {1, 2, 3}));
    }
  }
}

/// All ranks find out together that it is not possible.
TEST(FlockRowsOverRanks, LongSteps) {
  Flight flight;
  flight.options.periodic = true;
  flight.options.half_size = 6;
  flight.options.rules.time_step = 3;
  flight.far = true;
  expect_same(flight, {1, 3});
}

TEST(FlockRowsOverRanks, FewBoids) {
  for (const std::size_t boids : {1U, 7U, 40U}) {
    Flight flight;
    flight.crowding = Crowding::kRing;
    flight.options.half_size = 8;
    flight.boids = boids;
    flight.steps = 40;
    ASSERT_NO_FATAL_FAILURE(expect_same(flight, {1, 2, 3}));
  }
}

/// Those that cross from rank to rank all the time, in a world of 24 to 33 rows.
TEST(FlockRowsOverRanks, NarrowWorlds) {
  for (const float half_size : {4.5F, 4.7F, 5.0F, 6.2F}) {
    for (const bool periodic : {false, true}) {
      Flight flight;
      flight.options.periodic = periodic;
      flight.options.half_size = half_size;
      flight.options.rules.min_speed = 1.5F;
      flight.options.rules.max_speed = 2;
      flight.options.rules.time_step = 0.2F;
      ASSERT_NO_FATAL_FAILURE(expect_same(flight, {1, 2, 3, 4, 6}));
    }
  }
}

TEST(FlockRowsOverRanks, Threads) {
  Flight flight;
  flight.options.periodic = true;
  flight.options.half_size = 9;
  flight.by_rows = true;
  flight.boids = 8000;
  test::for_each_executor([&](const Executor* executor) {
    expect_same(flight, {2, 5}, executor_or_serial(executor));
  });
}

}  // namespace
}  // namespace juxta
