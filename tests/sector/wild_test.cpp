// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Battles of absurd numbers: whatever a scenario may say, no stage refuses it, and no number of the world
// ceases to be one.
#include "scenes/draws.h"
#include "sector/picture.h"
#include "sector/worlds.h"

namespace juxta::sector::test {
namespace {

/// A third of its numbers at an end of their range, or anywhere in it on a scale of powers.
Scenario wild(std::uint64_t seed) {
  scenes::Draws draws(seed);
  for (;;) {
    Scenario s = small(seed, 100);
    s.name = "wild";
    for (const ScenarioNumber& number : numbers_of(s)) {
      float* const* const value = std::get_if<float*>(&number.value);
      const std::uint32_t choice = draws.below(9);
      const float power = draws.uniform(-4, 4);
      if (value == nullptr || choice > 2) {
        continue;
      }
      const double any = std::clamp(std::pow(10.0, static_cast<double>(power)), number.lo, number.hi);
      **value = static_cast<float>(choice == 0 ? number.lo : choice == 1 ? number.hi : any);
    }
    if (!mistake_in(s)) {
      return s;
    }
  }
}

TEST(SectorWild, AllowedNumbersNeverBreakABattle) {
  std::size_t shots = 0, deaths = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Scenario scenario = wild(seed);
    SCOPED_TRACE(scenario_text(scenario));
    const auto world = begun(scenario);
    ASSERT_TRUE(world);
    for (int i = 0; i < 40; ++i) {
      ASSERT_TRUE(play(*world, 1));
      ASSERT_TRUE(all_finite(*world));
      shots += world->tally.shots;
      deaths += world->tally.deaths;
    }
    Raster image(40, 30);
    draw(*world, image);  // where the sanitizers look: no number becomes a colour that is none
  }
  EXPECT_GT(shots, 500U);
  EXPECT_GT(deaths, 300U);
}

/// Every number alone at either end of its range.
TEST(SectorWild, NoEndOfARangeBreaksABattle) {
  Scenario plain = small(3, 60);
  const std::size_t count = numbers_of(plain).size();
  std::size_t played = 0;
  for (std::size_t number = 0; number < 2 * count; ++number) {
    Scenario s = plain;
    const ScenarioNumber of = numbers_of(s)[number / 2];
    const double end = number % 2 == 0 ? of.lo : of.hi;
    if (float* const* const real = std::get_if<float*>(&of.value)) {
      **real = static_cast<float>(end);
    } else if (end <= 300) {  // of ships, points and asteroids not as many as there may be
      **std::get_if<std::uint32_t*>(&of.value) = static_cast<std::uint32_t>(end);
    }
    if (mistake_in(s)) {
      continue;
    }
    SCOPED_TRACE(std::string(of.section) + "." + std::string(of.key) + " = " + std::to_string(end));
    const auto world = begun(s);
    ASSERT_TRUE(world);
    ASSERT_TRUE(play(*world, 40));
    ASSERT_TRUE(all_finite(*world));
    ++played;
  }
  EXPECT_GT(played, 70U);
}

TEST(SectorWild, TwoThousandTicksOfHugeWeights) {
  Scenario s = named(small(9, 80), "huge");
  s.align = s.cohere = s.separate = s.chase = s.flee = s.advance = s.avoid = 1'000;
  s.ram = s.blast = 1e6F;
  s.spawn_edge = 4;
  for (KindNumbers& kind : s.kinds) {
    kind.speed_max = 10'000;
    kind.health = 1e6F;
    kind.threat = 1e6F;
  }
  const auto world = begun(s);
  ASSERT_TRUE(world);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(play(*world, 100));
    ASSERT_TRUE(all_finite(*world));
  }
}

}  // namespace
}  // namespace juxta::sector::test
