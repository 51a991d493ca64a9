// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A literal hash of a whole battle: one for every compiler, optimisation and instruction set. A change of the
// rules, of a scenario's numbers or of a room's order changes it: then the failure tells the new one.
#include "sector/worlds.h"
#include "support/each_isa.h"

namespace juxta::sector::test {
namespace {

void expect_golden(const Scenario& scenario, std::uint32_t ticks, std::uint64_t hash) {
  juxta::test::for_each_isa([&](Isa) {
    const auto world = begun(scenario);
    ASSERT_TRUE(world);
    std::size_t deaths = 0, released = 0;
    for (std::uint32_t i = 0; i < ticks; ++i) {
      ASSERT_TRUE(play(*world, 1));
      deaths += world->tally.deaths;
      released += world->tally.released;
    }
    EXPECT_EQ(state_hash(*world), hash) << scenario.name << ": 0x" << std::hex << state_hash(*world);
    EXPECT_EQ(deaths > 0 && released > 0, scenario.name == "small") << deaths << ", " << released;
  });
}

TEST(SectorGolden, Skirmish) {
  expect_golden(preset("skirmish").value(), 120, 0xd9207cbc84e5bb2bU);
}

/// Where ships die and come again sooner.
TEST(SectorGolden, Small) {
  expect_golden(small(1), 150, 0x369877229da520b1U);
}

}  // namespace
}  // namespace juxta::sector::test
