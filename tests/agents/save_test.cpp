// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What is loaded goes on as what was saved.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "agents/pasture.h"
#include "support/code_of.h"
#include "support/executors.h"
#include "support/saved_bytes.h"

namespace juxta {
namespace {

using test::from_bytes;
using test::graze;
using test::make_pasture;
using test::saved_bytes;
using test::Wool;

TEST(AgentsSave, ALoadedOneGoesOnAlike) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (const std::size_t count : {0u, 1u, 40u, 3000u}) {
      Simulation sim = make_pasture(dimensions, Edge::kPeriodic, count);
      for (int step = 0; step < 8; ++step) {
        const auto bytes = saved_bytes(sim);
        Simulation loaded = from_bytes<Simulation>(bytes);
        ASSERT_TRUE(saved_bytes(loaded) == bytes);
        ASSERT_EQ(loaded.step(), sim.step());
        ASSERT_EQ(loaded.seed(), sim.seed());
        for (int ahead = 0; ahead < 3; ++ahead) {
          graze(loaded);
        }
        graze(sim);
        Simulation later = from_bytes<Simulation>(saved_bytes(sim));
        graze(later);
        graze(later);
        ASSERT_TRUE(saved_bytes(later) == saved_bytes(loaded)) << step;
      }
    }
  }
}

/// Sorted with a skin, the order depends on where agents stood when it was last made. How many orders were
/// kept.
std::size_t drift(Simulation& sim) {
  std::size_t kept = 0;
  for (std::size_t p = 0; p < sim.population_count(); ++p) {
    Population& population = sim.population(p);
    kept += !population.sort({.radius = 1, .skin = 0.5F}).value().sorted;
    for (std::uint32_t axis = 0; axis < sim.world().dimensions; ++axis) {
      const auto x = population.write(population.position(axis));
      for (std::uint32_t row = 0; row < x.size(); ++row) {
        const float to = random_float(sim.key(axis), random_id(population.id_of(row))) * 0.12F;
        x[row] += x[row] > 0 ? -to : to;
      }
    }
  }
  (void)sim.end_step().value();
  return kept;
}

TEST(AgentsSave, ASkinGoesOnAlike) {
  constexpr std::size_t kSteps = 14;
  Simulation sim = make_pasture(2, Edge::kPeriodic, 1000);
  std::vector<std::vector<char>> states = {saved_bytes(sim)};
  std::size_t kept = 0;
  for (std::size_t step = 0; step < kSteps; ++step) {
    kept += drift(sim);
    states.push_back(saved_bytes(sim));
  }
  EXPECT_GT(kept, 5u);
  EXPECT_LT(kept, 2 * kSteps - 5);
  for (std::size_t first = 0; first < kSteps; ++first) {
    Simulation loaded = from_bytes<Simulation>(states[first]);
    ASSERT_TRUE(saved_bytes(loaded) == states[first]);
    for (std::size_t step = first; step < std::min(first + 5, kSteps); ++step) {
      drift(loaded);
      ASSERT_TRUE(saved_bytes(loaded) == states[step + 1]) << first << " " << step;
    }
  }
}

TEST(AgentsSave, TheSameBytesOnAnyExecutor) {
  std::vector<char> first;
  test::for_each_executor([&](const Executor* executor) {
    Simulation sim = make_pasture(3, Edge::kWall, 5000);
    for (int step = 0; step < 4; ++step) {
      graze(sim, executor);
    }
    const auto bytes = saved_bytes(sim);
    first = first.empty() ? bytes : first;
    EXPECT_TRUE(bytes == first);
  });
}

TEST(AgentsSave, EverythingIsThere) {
  Simulation sim = make_pasture(2, Edge::kWall, 30);
  Population& sheep = *sim.find_population("sheep");
  sheep.write(sheep.find_column<Wool>("wool").value())[4] = {5, 6, 7};
  sheep.write(sheep.find_column<double>("weight").value())[4] = -0.0;
  const Id kept = sheep.id_of(4), dead = sheep.id_of(3);
  sheep.changes().kill(3);
  ASSERT_TRUE(sim.end_step());
  Simulation loaded = from_bytes<Simulation>(saved_bytes(sim));
  EXPECT_EQ(loaded.world(), sim.world());
  ASSERT_EQ(loaded.population_count(), 2u);
  Population& wolves = loaded.population(0);
  Population& again = loaded.population(1);
  EXPECT_EQ(wolves.name(), "wolves");
  EXPECT_TRUE(wolves.has_extents());
  EXPECT_FALSE(again.has_extents());
  EXPECT_EQ(wolves.size(), 6u);
  ASSERT_EQ(again.size(), 29u);
  ASSERT_EQ(again.column_count(), sheep.column_count());
  for (std::size_t c = 0; c < sheep.column_count(); ++c) {
    EXPECT_EQ(again.column_name(c), sheep.column_name(c));
    EXPECT_EQ(again.kind_of(c), sheep.kind_of(c));
  }
  EXPECT_TRUE(again.alive(kept));
  EXPECT_FALSE(again.alive(dead));
  const std::uint32_t row = again.row_of(kept).value();
  EXPECT_EQ(again.read(again.find_column<Wool>("wool").value())[row], (Wool{5, 6, 7}));
  EXPECT_FALSE(again.find_column<std::int64_t>("wool"));  // of another size
  // Initial values, targets and the next Id are those of the original.
  for (Population* population : {&sheep, &again}) {
    population->changes().spawn().set(population->find_column<Id>("mother").value(), dead);
  }
  const auto one = sim.end_step().value(), other = loaded.end_step().value();
  EXPECT_EQ(one[1].nulled, 1u);
  EXPECT_EQ(other[1].nulled, 1u);
  EXPECT_EQ(again.id_of(29), sheep.id_of(29));
  EXPECT_EQ(again.read(again.find_column<double>("weight").value())[29], 1.5);
  EXPECT_EQ(again.read(again.find_column<std::int32_t>("age").value())[29], -1);
}

TEST(AgentsSave, EmptyAndOddSimulations) {
  Simulation none = Simulation::build({.dimensions = 2}, ~0ULL).value();
  EXPECT_EQ(from_bytes<Simulation>(saved_bytes(none)).seed(), ~0ULL);
  Population& odd = *none.add_population(std::string("line\n\0feed", 10)).value();
  struct Wide {
    std::uint8_t bytes[1000];
  };
  ASSERT_TRUE(odd.add_column<Wide>("\"\\", Wide{{1, 2}}));
  ASSERT_TRUE(odd.add_references("self", odd));
  Simulation loaded = from_bytes<Simulation>(saved_bytes(none));
  EXPECT_EQ(loaded.population(0).name(), odd.name());
  ASSERT_TRUE(loaded.population(0).insert(2));
  EXPECT_EQ(loaded.population(0).read(Column<Wide>{2})[1].bytes[1], 2);
  // Open axes keep what nobody looks at.
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Simulation open = Simulation::build({.lo = {nan, 1, 2}, .hi = {nan, 0, 0}}).value();
  EXPECT_TRUE(saved_bytes(from_bytes<Simulation>(saved_bytes(open))) == saved_bytes(open));
}

TEST(AgentsSave, BirthsAndDeathsOfAnUnfinishedStepAreNotThere) {
  Simulation sim = make_pasture(2, Edge::kWall, 10);
  const auto before = saved_bytes(sim);
  sim.population(0).changes().spawn();
  sim.population(1).changes().kill(0);
  EXPECT_TRUE(saved_bytes(sim) == before);
}

TEST(AgentsSave, AFailedSaveLeavesTheOldFile) {
  const Simulation sim = make_pasture(2, Edge::kWall, 10);
  const auto missing = sim.save("/nowhere/at/all/pasture.jxs");
  ASSERT_FALSE(missing);
  EXPECT_EQ(test::code_of(missing), ErrorCode::kIo);
  EXPECT_EQ(test::code_of(Simulation::load("/nowhere/at/all/pasture.jxs")), ErrorCode::kIo);
  EXPECT_EQ(test::code_of(sim.save(std::filesystem::temp_directory_path().string())), ErrorCode::kIo);
  if (std::ofstream full("/dev/full"); full) {
    EXPECT_EQ(test::code_of(sim.save("/dev/full")), ErrorCode::kIo);
  }
}

}  // namespace
}  // namespace juxta
