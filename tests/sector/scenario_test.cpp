// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Each way to write a scenario wrongly is named, with its line and what is allowed there.
#include "sector/scenario.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <variant>

#include "study/scratch.h"
#include "support/code_of.h"

namespace juxta::sector {
namespace {

using test::read_text;
using test::ScratchFolder;
using test::write_text;

/// The bits of every number, one after the other.
std::vector<std::uint32_t> bits_of(Scenario scenario) {
  std::vector<std::uint32_t> bits;
  for (const ScenarioNumber& number : numbers_of(scenario)) {
    const float* const* const real = std::get_if<float*>(&number.value);
    bits.push_back(real != nullptr ? std::bit_cast<std::uint32_t>(**real)
                                   : *std::get<std::uint32_t*>(number.value));
  }
  return bits;
}

void expect_refused(std::string_view text, std::uint64_t line, const std::string& words) {
  const auto refused = parse_scenario(text);
  ASSERT_FALSE(refused) << text;
  EXPECT_EQ(juxta::test::code_of(refused), ErrorCode::kParse);
  EXPECT_EQ(refused.error().line, line) << text << '\n' << refused.error().message;
  EXPECT_NE(refused.error().message.find(words), std::string::npos) << refused.error().message;
}

double nodes_of(const Scenario& s) {
  double shares = 0, nodes = 0;
  const std::array<double, kKinds> per_ship = {5, 8, 12};
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    shares += s.kinds[kind].share;
    nodes += s.kinds[kind].share * per_ship[kind];
  }
  return s.ships * nodes / shares + 2.0 * s.spawn_points;
}

TEST(SectorScenario, NamesEveryNumberOnce) {
  Scenario scenario;
  std::set<std::string> names;
  std::set<const void*> places;
  std::set<std::string_view> sections;
  std::string_view last;
  for (const ScenarioNumber& number : numbers_of(scenario)) {
    EXPECT_TRUE(names.insert(fmt::format("{}.{}", number.section, number.key)).second) << number.key;
    std::visit([&](const auto* value) { EXPECT_TRUE(places.insert(value).second) << number.key; },
               number.value);
    EXPECT_LT(number.lo, number.hi);
    EXPECT_FALSE(number.what.empty());
    if (number.section != last) {  // a section's numbers stand together
      EXPECT_TRUE(sections.insert(number.section).second) << number.section;
      last = number.section;
    }
  }
  // Nothing of the struct is left out: all of it but the name and the seed is numbers of four bytes.
  const auto* const begin = reinterpret_cast<const char*>(&scenario.width);
  const auto* const end = reinterpret_cast<const char*>(&scenario + 1);
  EXPECT_NEAR(static_cast<double>(places.size()), static_cast<double>(end - begin) / 4, 1);  // 1: padding
}

TEST(SectorScenario, PresetsHaveTheirSizesAndOneDensity) {
  const std::array<double, 3> nodes = {5'000, 100'000, 1'000'000};  // the fleets have numbers of their own
  EXPECT_EQ(kPresets.back(), "fleets");
  EXPECT_TRUE(check_scenario(preset("fleets").value()));
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto found = preset(kPresets[i]);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->name, kPresets[i]);
    EXPECT_TRUE(check_scenario(*found)) << check_scenario(*found).error().message;
    EXPECT_NEAR(nodes_of(*found), nodes[i], 0.1 * nodes[i]);
    const double density = found->ships / (double{found->width} * found->depth * found->height);
    EXPECT_GT(density, 1e-4);
    EXPECT_LT(density, 2e-4);
  }
  EXPECT_EQ(*preset("battle"), Scenario{});
  EXPECT_EQ(preset("mission5")->spawn_points, 25'000u);
  const auto none = preset("battles");
  ASSERT_FALSE(none);
  EXPECT_EQ(juxta::test::code_of(none), ErrorCode::kNotFound);
  EXPECT_NE(none.error().message.find("skirmish, battle, mission5, fleets"), std::string::npos);
}

TEST(SectorScenario, ReadsWhatDiffersFromThePreset) {
  const auto read = parse_scenario(R"(# Few ships that see far.
preset = "skirmish"
seed = 7
[steer]
sight = 40     # a whole number is one with a point too
room = 2.5
[world]
ships = 100
)");
  ASSERT_TRUE(read) << read.error().message;
  Scenario expected = *preset("skirmish");
  expected.seed = 7;
  expected.sight = 40;
  expected.room = 2.5F;
  expected.ships = 100;
  EXPECT_EQ(*read, expected);
  EXPECT_EQ(*parse_scenario(""), Scenario{});
  EXPECT_EQ(parse_scenario("\xEF\xBB\xBFname = 'n' # \xc3\xa9t\xc3\xa9")->name, "n");
  EXPECT_EQ(parse_scenario("world = { ships = 3 }")->ships, 3u);
}

TEST(SectorScenario, TextReadsBackToTheBit) {
  for (const std::string_view name : kPresets) {
    const Scenario scenario = *preset(name);
    const auto read = parse_scenario(scenario_text(scenario));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, scenario);
    EXPECT_EQ(bits_of(*read), bits_of(scenario));
  }
  std::uint32_t state = 1;
  for (int round = 0; round < 300; ++round) {  // any numbers, their bounds among them
    Scenario scenario;
    scenario.seed = std::uint64_t{state} << (round % 33);
    scenario.name = "a #= b's ~";
    for (const ScenarioNumber& number : numbers_of(scenario)) {
      state = state * 1664525U + 1013904223U;
      const double part = state % 7 == 0 ? 0 : state % 7 == 1 ? 1 : state / 4294967296.0;
      const double value = number.lo + part * part * (number.hi - number.lo);
      if (float* const* const real = std::get_if<float*>(&number.value)) {
        **real = static_cast<float>(value);
      } else {
        *std::get<std::uint32_t*>(number.value) = static_cast<std::uint32_t>(value);
      }
    }
    const auto contradiction = mistake_in(scenario);  // all are within their ranges
    EXPECT_TRUE(!contradiction || contradiction->numbers.size() > 1) << sentence(*contradiction);
    const std::string text = scenario_text(scenario);
    const auto read = parse_scenario(text);
    EXPECT_EQ(read.has_value(), !contradiction) << text;
    if (read) {
      EXPECT_EQ(bits_of(*read), bits_of(scenario)) << text;
      EXPECT_EQ(*read, scenario);
    }
  }
}

TEST(SectorScenario, HoldsAnySeed) {
  for (const std::uint64_t seed :
       {std::uint64_t{0}, std::uint64_t{1} << 53, std::uint64_t{0x7FFF'FFFF'FFFF'FFFF},
        std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
    Scenario scenario;
    scenario.seed = seed;
    const auto read = parse_scenario(scenario_text(scenario));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->seed, seed);
  }
  EXPECT_EQ(parse_scenario("seed = '12'")->seed, 12u);
}

TEST(SectorScenario, RangesHoldToTheirBounds) {
  Scenario scenario;
  for (const ScenarioNumber& number : numbers_of(scenario)) {
    const bool whole = std::holds_alternative<std::uint32_t*>(number.value);
    const std::string words = fmt::format("[{}] {}: give {}", number.section, number.key, range_text(number));
    const auto text = [&](const std::string& value) {
      return fmt::format("\n[{}]\n{} = {}\n", number.section, number.key, value);
    };
    for (const std::string& bad :
         {fmt::format("{}", number.lo - 1), fmt::format("{}", number.hi + 1),
          std::string(whole ? "1.5" : "nan"), std::string(whole ? "1.0" : "inf"), std::string("true"),
          std::string("'1'"), std::string("[1]"), std::string("{a = 1}"), std::string("-9223372036854775808"),
          std::string("9223372036854775807"), std::string("1979-05-27"), std::string("1e300")}) {
      expect_refused(text(bad), 3, words);
    }
    for (const double good : {number.lo, number.hi}) {
      const auto read = parse_scenario(text(fmt::format("{}", good)));
      // At a bound only another number may object.
      EXPECT_TRUE(read || read.error().message.find("give a ") == std::string::npos) << read.error().message;
    }
  }
}

TEST(SectorScenario, NamesWhatItDoesNotKnow) {
  expect_refused("\n\nsheeps = 3", 3,
                 "'sheeps' is not known here: give preset, name, seed, or one of the "
                 "sections world, fleets, fighter, corvette, cruiser, spawn, steer");
  expect_refused("[world]\nships = 5\nsheeps = 3", 3,
                 "'sheeps' is not known in [world]: give width, depth, height, factions, ships");
  expect_refused("[fighter]\nspeed = 3", 2, "speed_min, speed_max");
  expect_refused("[Steer]\nsight = 3", 1, "'Steer' is not known here");
  expect_refused("world = 3", 1, "[world] on a line, width = ... below");
  expect_refused("[[world]]\nships = 1", 1, "world is a section");
  expect_refused("preset = 'battles'", 1, "skirmish, battle, mission5, fleets");
  expect_refused("\npreset = 3", 2, "skirmish");
  for (const char* const seed : {"-1", "1.5", "''", "'1.5'", "'-1'", "'1 '", "'18446744073709551616'"}) {
    expect_refused(fmt::format("\nseed = {}", seed), 2, "from 0 to 18446744073709551615");
  }
  expect_refused("name = 3", 1, "in quotes");
  expect_refused("name = ''", 1, "name: give 1 to 64 letters");
  expect_refused("seed = 1\nname = 'a\"b'", 2, "without quotes");
  expect_refused("name = '" + std::string(65, 'a') + "'", 1, "1 to 64 letters");
}

TEST(SectorScenario, TheFirstMistakeOfTheFileIsTold) {
  expect_refused("[steer]\nsight = -1\n[fighter]\nshare = -1\n", 2, "[steer] sight");
  expect_refused("[fighter]\nshare = -1\n[steer]\nsight = -1\n", 2, "[fighter] share");
}

TEST(SectorScenario, RefusesWhatIsNoToml) {
  expect_refused("seed = 1\nseed = 2", 2, "this is no TOML");
  expect_refused("[world]\nships = 1\n[world]\nships = 2", 3, "this is no TOML");
  expect_refused("seed = 1\nseed 2", 2, "this is no TOML");
  expect_refused("seed = 99999999999999999999", 1, "this is no TOML");
  expect_refused("\n{", 2, "this is no TOML");
  EXPECT_FALSE(parse_scenario(std::string_view("\0\0\0", 3)));
  expect_refused("\n[" + std::string(100'000, '.') + "]", 2, "dots");
  std::string keys = "a";
  for (int i = 0; i < 10'000; ++i) {
    keys += ".a";
  }
  expect_refused(keys + " = 1", 1, "dots");
  EXPECT_FALSE(parse_scenario("world = " + std::string(100'000, '[')));
  expect_refused(std::string((1 << 20) + 1, '#'), 1, "bytes");
}

TEST(SectorScenario, NumbersMustFitTogether) {
  expect_refused("[cruiser]\nspeed_min = 30\nspeed_max = 20", 2,
                 "[cruiser] speed_min: 30 is above speed_max = 20");
  expect_refused("[cruiser]\nspeed_max = 0.5", 2, "is above speed_max = 0.5");
  expect_refused("[asteroids]\nradius_min = 9000", 2, "radius_min: 9000 is above radius_max = ");
  expect_refused("[asteroids]\nradius_max = 9000", 2, "an asteroid is 18000 m long");
  expect_refused("[fleets]\ngroups = 2\ngap = 690", 3, "[fleets] gap: a gap of 690 m");
  expect_refused("[steer]\nroom = 999", 2, "[steer] room: 999 is above sight = ");
  expect_refused("[fighter]\nshare = 0\n[corvette]\nshare = 0\n[cruiser]\nshare = 0", 2, "no kind of ship");
  expect_refused("[world]\nasteroids = 100000\n[asteroids]\ntriangles = 400", 4, "give fewer");
  // Only the world's size stands in the file: its line is told.
  const Scenario battle;
  const std::string bare = "[world]\nasteroids = 0\nspawn_points = 0\n";
  expect_refused(fmt::format("[world]\nships = 4\nheight = {}", 2 * battle.asteroid_max - 1), 3,
                 "an asteroid is");
  expect_refused(fmt::format("[world]\nasteroids = 0\ndepth = {}", battle.spawn_edge - 1), 3,
                 "the cube around a spawn point is");
  expect_refused(fmt::format("{}width = {}", bare, battle.kinds[kCruiser].length - 1), 4, "a ship is");
  EXPECT_TRUE(parse_scenario(fmt::format("{}width = {}", bare, battle.kinds[kCruiser].length)));
  EXPECT_TRUE(parse_scenario("[cruiser]\nshare = 0\nlength = 1000"));
}

TEST(SectorScenario, ChecksWhatNoFileSaid) {
  Scenario scenario;
  scenario.turret_turn = std::numeric_limits<float>::quiet_NaN();
  ASSERT_FALSE(check_scenario(scenario));
  EXPECT_EQ(juxta::test::code_of(check_scenario(scenario)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(check_scenario(scenario).error().message, "[guns] turret_turn: give a number from 0 to 1");
  scenario = {};
  scenario.kinds[1].speed_min = 50;
  scenario.kinds[1].speed_max = 40;
  EXPECT_EQ(check_scenario(scenario).error().message, "[corvette] speed_min: 50 is above speed_max = 40");
  scenario = {};
  scenario.name = "caf\xc3\xa9";
  EXPECT_FALSE(check_scenario(scenario));
}

TEST(SectorScenario, IsAPresetOrAFile) {
  const ScratchFolder folder;
  EXPECT_EQ(read_scenario("mission5")->ships, 120'000u);
  write_text(folder / "mine.toml", "preset = 'skirmish'\nname = 'mine'\n");
  const auto mine = read_scenario((folder / "mine.toml").string());
  ASSERT_TRUE(mine) << mine.error().message;
  EXPECT_EQ(mine->name, "mine");
  EXPECT_EQ(mine->ships, preset("skirmish")->ships);
  const auto none = read_scenario((folder / "none.toml").string());
  ASSERT_FALSE(none);
  EXPECT_EQ(juxta::test::code_of(none), ErrorCode::kIo);
  EXPECT_NE(none.error().message.find("skirmish, battle, mission5, fleets"), std::string::npos);
  EXPECT_FALSE(read_scenario(folder.path().string()));
}

std::string text_of(const ScenarioNumber& number) {
  return std::visit([](const auto* value) { return fmt::format("{}", *value); }, number.value);
}

// docs/formats/scenario.md shows these tables; on failure they are printed, to be put there.
TEST(SectorScenario, IsDocumented) {
  std::array<Scenario, 4> presets = {*preset("skirmish"), Scenario{}, *preset("mission5"), *preset("fleets")};
  std::array<std::vector<ScenarioNumber>, 4> numbers;
  std::ranges::transform(presets, numbers.begin(), numbers_of);
  std::string differ = "| number | `skirmish` | `battle` | `mission5` | `fleets` |\n|---|---|---|---|---|\n";
  std::string all = "| section | number | `battle` | range | what |\n|---|---|---|---|---|\n";
  for (std::size_t i = 0; i < numbers[1].size(); ++i) {
    const ScenarioNumber& number = numbers[1][i];
    std::string row = fmt::format("| `[{}]` `{}` |", number.section, number.key);
    bool same = true;
    for (const auto& of_preset : numbers) {
      row += fmt::format(" {} |", text_of(of_preset[i]));
      same = same && text_of(of_preset[i]) == text_of(number);
    }
    differ += same ? "" : row + "\n";
    all += fmt::format("| `[{}]` | `{}` | {} | {} | {} |\n", number.section, number.key, text_of(number),
                       range_text(number).substr(2), number.what);
  }
  const std::string shown = read_text(JUXTA_DOCS "/formats/scenario.md");
  EXPECT_NE(shown.find(differ), std::string::npos) << differ;
  EXPECT_NE(shown.find(all), std::string::npos) << all;
}

}  // namespace
}  // namespace juxta::sector
