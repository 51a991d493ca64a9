// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Fields of a simulation: saved, loaded, damaged, and spread over ranks with the agents that use them.
#include "juxta/agents/fields.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "agents/pasture.h"
#include "agents/simulation_parts.h"
#include "juxta/agents/simulation.h"
#include "study/scratch.h"
#include "support/code_of.h"
#include "support/saved_bytes.h"
#include "support/thread_ranks.h"

namespace juxta {
namespace {

using agents_detail::SimulationParts;

constexpr std::size_t kAnts = 200;

/// Ants that leave scent, and a flow of air that they do not feel.
Simulation make_ants(std::uint32_t dimensions, Edge edge) {
  Simulation sim = Simulation::build(test::meadow(dimensions, edge), 5).value();
  (void)sim.add_field("scent", {.world = sim.world(), .cells = {30, 17, dimensions == 2 ? 1U : 9U}}).value();
  (void)sim.add_field("air", {.world = sim.world(), .cells = {3, 2, 1}, .components = 2}).value();
  Population& ants = *sim.add_population("ants").value();
  (void)ants.add_column<float>("load", 1).value();
  (void)ants.insert(kAnts).value();
  test::place(sim, ants, 0);
  std::fill(sim.field(1).values(1).begin(), sim.field(1).values(1).end(), 0.25F);
  return sim;
}

/// Ants climb the scent, and some are born and die: all that a model does with a field.
void forage(Simulation& sim) {
  Population& ants = *sim.find_population("ants");
  Field& scent = *sim.find_field("scent");
  ASSERT_TRUE(ants.sort({.radius = 1}));
  ASSERT_TRUE(deposit(ants, scent, ants.read(ants.find_column<float>("load").value())));
  ASSERT_TRUE(scent.diffuse({.amount = 0.1F, .decay = 0.05F, .steps = 3}));
  std::array<std::vector<float>, 3> slope;
  std::vector<float> value(ants.size());
  slope[0].resize(ants.size());
  slope[1].resize(ants.size());
  slope[2].resize(sim.world().dimensions == 3 ? ants.size() : 0);
  ASSERT_TRUE(gradient(ants, scent, slope[0], slope[1], slope[2]));
  ASSERT_TRUE(sample(ants, scent, value, {.method = FieldMethod::kNearest}));
  for (std::uint32_t axis = 0; axis < sim.world().dimensions; ++axis) {
    const auto x = ants.write(ants.position(axis));
    for (std::size_t row = 0; row < x.size(); ++row) {
      x[row] = std::clamp(x[row] + slope[axis][row] + 0.1F * value[row], -9.9F, 9.9F);
    }
  }
  ASSERT_TRUE(ants.for_each([&](std::uint32_t row, Changes& changes) {
    const std::uint64_t id = random_id(ants.id_of(row));
    if (random_u32(sim.key(40), id) % 16 == 0) {
      changes.kill(row);
    } else if (random_u32(sim.key(41), id) % 16 == 0) {
      changes.spawn_like(row);
    }
  }));
  ASSERT_TRUE(sim.end_step());
}

TEST(SimulationFields, HaveNamesOfTheirOwn) {
  Simulation sim = make_ants(2, Edge::kWall);
  ASSERT_EQ(sim.field_count(), 2U);
  EXPECT_EQ(sim.field_name(1), "air");
  EXPECT_EQ(sim.find_field("air"), &sim.field(1));
  EXPECT_EQ(sim.find_field("ants"), nullptr);
  const FieldOptions options{.world = sim.world()};
  for (const char* taken : {"", "scent", "ants"}) {
    EXPECT_EQ(test::code_of(sim.add_field(taken, options)), ErrorCode::kInvalidArgument) << taken;
  }
  EXPECT_EQ(test::code_of(sim.add_population("scent")), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(sim.add_field("deep", {.world = test::meadow(3, Edge::kWall)})),
            ErrorCode::kInvalidArgument);
  const Field* const scent = sim.find_field("scent");
  Simulation moved = std::move(sim);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(moved.add_field("more" + std::to_string(i), options));
  }
  EXPECT_EQ(moved.find_field("scent"), scent);
}

TEST(SimulationFields, ALoadedOneGoesOnAlike) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (const Edge edge : {Edge::kWall, Edge::kPeriodic}) {
      Simulation sim = make_ants(dimensions, edge);
      for (int step = 0; step < 4; ++step) {
        forage(sim);
        const auto bytes = test::saved_bytes(sim);
        Simulation loaded = test::from_bytes<Simulation>(bytes);
        ASSERT_TRUE(test::saved_bytes(loaded) == bytes);
        ASSERT_TRUE(loaded.field(0) == sim.field(0));
        forage(loaded);
        Simulation again = test::from_bytes<Simulation>(bytes);
        forage(again);
        ASSERT_TRUE(test::saved_bytes(again) == test::saved_bytes(loaded));
      }
    }
  }
}

TEST(SimulationFields, WhatIsNotFiniteIsNotSaved) {
  Simulation sim = make_ants(2, Edge::kWall);
  sim.field(1).values(1)[4] = std::numeric_limits<float>::infinity();
  const test::ScratchFile file;
  const auto saved = sim.save(file.path().string());
  EXPECT_EQ(test::code_of(saved), ErrorCode::kNotFinite);
  EXPECT_NE(saved.error().message.find("\"air\" is not finite in component 1, cell (1, 1)"),
            std::string::npos)
      << saved.error().message;
  EXPECT_TRUE(file.read().empty());
}

/// Everything that the next step depends on.
std::vector<char> state_of(const Simulation& sim) {
  return test::saved_bytes(sim);
}

TEST(SimulationFields, OverRanksHaveTheBitsOfOneMachine) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (const Edge edge : {Edge::kWall, Edge::kPeriodic}) {
      std::vector<Simulation> expected;
      Simulation alone = make_ants(dimensions, edge);
      for (int step = 0; step < 5; ++step) {
        forage(alone);
        expected.push_back(test::from_bytes<Simulation>(state_of(alone)));
      }
      for (const std::uint32_t size : {1U, 2U, 4U}) {
        SCOPED_TRACE(std::to_string(size) + " ranks");
        test::run_ranks(size, [&](Ranks& ranks) {
          Simulation sim = ranks.rank() == 0 ? make_ants(dimensions, edge) : Simulation::build({}).value();
          ASSERT_TRUE(sim.distribute(ranks));
          EXPECT_FALSE(sim.add_field("late", {.world = sim.world()}));
          for (const Simulation& after : expected) {
            ASSERT_NO_FATAL_FAILURE(forage(sim));
            const Simulation whole = sim.gather().value();
            if (ranks.rank() == 0) {
              ASSERT_TRUE(whole.field(0) == after.field(0));
              ASSERT_TRUE(whole.field(1) == after.field(1));
              const auto at = [](const Simulation& of) {
                return of.population(0).read(of.population(0).position(1));
              };
              ASSERT_TRUE(std::ranges::equal(at(whole), at(after)));
            }
          }
        });
      }
    }
  }
}

TEST(SimulationFields, WhatRanksSaveOthersLoad) {
  Simulation alone = make_ants(2, Edge::kPeriodic);
  for (int step = 0; step < 4; ++step) {
    forage(alone);
  }
  for (const auto& [before, after] : {std::pair{2U, 3U}, {20U, 2U}, {3U, 1U}, {1U, 4U}}) {
    SCOPED_TRACE(std::to_string(before) + " ranks, then " + std::to_string(after));
    const test::ScratchFolder folder;
    const std::string path = (folder / "world").string();
    std::vector<std::byte> manifest;
    test::run_ranks(before, [&](Ranks& ranks) {
      Simulation sim = ranks.rank() == 0 ? make_ants(2, Edge::kPeriodic) : Simulation::build({}).value();
      ASSERT_TRUE(sim.distribute(ranks));
      forage(sim);
      forage(sim);
      auto saved = SimulationParts::save(sim, path);
      ASSERT_TRUE(saved) << saved.error().message;
      if (ranks.rank() == 0) {
        manifest = std::move(*saved);
      }
    });
    test::run_ranks(after, [&](Ranks& ranks) {
      auto sim = SimulationParts::load(ranks, manifest, path, huge_page_resource());
      ASSERT_TRUE(sim) << sim.error().message;
      forage(*sim);
      forage(*sim);
      const Simulation whole = sim->gather().value();
      ASSERT_TRUE(ranks.rank() != 0 || whole.field(0) == alone.field(0));
      ASSERT_TRUE(ranks.rank() != 0 || whole.field(1) == alone.field(1));
    });
  }
}

/// A manifest whose numbers contradict each other, under a checksum that fits.
TEST(SimulationFields, AForgedManifestIsRefused) {
  const test::ScratchFolder folder;
  const std::string path = (folder / "world").string();
  std::vector<std::byte> manifest;
  test::run_ranks(2, [&](Ranks& ranks) {
    Simulation sim = ranks.rank() == 0 ? make_ants(2, Edge::kWall) : Simulation::build({}).value();
    ASSERT_TRUE(sim.distribute(ranks));
    auto saved = SimulationParts::save(sim, path);
    ASSERT_TRUE(saved);
    if (ranks.rank() == 0) {
      manifest = std::move(*saved);
    }
  });
  const auto refused = [&](std::size_t at, std::uint32_t value) {
    std::vector<std::byte> forged = manifest;
    std::memcpy(forged.data() + at, &value, sizeof value);
    const std::uint64_t sum = agents_detail::kPartsFormat.checksum_of(forged);
    std::memcpy(forged.data() + offsetof(agents_detail::PartsHeader, checksum), &sum, sizeof sum);
    bool all = true;
    test::run_ranks(2, [&](Ranks& ranks) {
      const auto loaded = SimulationParts::load(ranks, forged, path, huge_page_resource());
      if (ranks.rank() == 0) {
        all = !loaded;
      }
    });
    return all;
  };
  using agents_detail::PartsHeader;
  EXPECT_TRUE(refused(offsetof(PartsHeader, parts), 0));
  EXPECT_TRUE(refused(offsetof(PartsHeader, fields), 1));
  EXPECT_FALSE(refused(offsetof(PartsHeader, fields), 2));  // as it is
  // The records of the fields are near the end: any other number of cells, kind of edge or place of the
  // world.
  std::size_t tried = 0;
  for (std::size_t at = manifest.size() - 4 * 64; at < manifest.size() - 3 * 64 + 52; at += 4) {
    std::uint32_t value = 0;
    std::memcpy(&value, manifest.data() + at, sizeof value);
    if (value != 0) {
      EXPECT_TRUE(refused(at, value + 3)) << at;
      ++tried;
    }
  }
  EXPECT_GT(tried, 8U);
}

TEST(SimulationFields, OverRanksNewbornsLeaveNothingBeforeTheyAreSorted) {
  test::run_ranks(2, [&](Ranks& ranks) {
    Simulation sim = ranks.rank() == 0 ? make_ants(2, Edge::kWall) : Simulation::build({}).value();
    ASSERT_TRUE(sim.distribute(ranks));
    Population& ants = *sim.find_population("ants");
    const std::vector<float> one = {1};
    EXPECT_EQ(test::code_of(deposit(ants, sim.field(0), one)), ErrorCode::kInvalidArgument);
    ASSERT_TRUE(ants.sort({.radius = 1}));
    EXPECT_TRUE(deposit(ants, sim.field(0), one));
  });
}

}  // namespace
}  // namespace juxta
