// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What a battle is made of, in numbers: a TOML file, or one of four presets. docs/formats/scenario.md tells
// all of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "juxta/core/error.h"

namespace juxta::sector {

/// Ticks a second of the battle's own time.
inline constexpr float kTicksPerSecond = 60, kTick = 1 / kTicksPerSecond;

/// The kinds of ships. A kind says which prefab (fleet.h) a ship is an instance of.
enum Kind : std::uint8_t { kFighter, kCorvette, kCruiser };
inline constexpr std::size_t kKinds = 3;
inline constexpr std::uint32_t kMostFactions = 4;

/// What ships of one kind have in common. Lengths in metres, times in seconds.
struct KindNumbers {
  float share;                 ///< Of all ships; shares are weights, whatever their sum.
  float length;                ///< Of the hull, from bow to stern.
  float speed_min, speed_max;  ///< Metres a second.
  float health;
  float damage;  ///< What one of its bullets takes from the health of whom it hits.
  float reload;  ///< Seconds between two salvos of all its guns.
  float threat;  ///< What the radar ranks by, at full health.
  friend bool operator==(const KindNumbers&, const KindNumbers&) = default;
};

/// All numbers of a battle. The default is the preset `battle`.
struct Scenario {
  std::string name = "battle";
  std::uint64_t seed = 1;

  // [world]: a box around the origin with walls; z is up, and the map that the radar shows is x and y.
  float width = 700, depth = 700, height = 140;  ///< Its edges along x, y and z.
  std::uint32_t factions = 2;
  std::uint32_t ships = 12'000;  ///< All factions together: at the start, and what spawn points fill up to.
  std::uint32_t spawn_points = 2'500;
  std::uint32_t asteroids = 150;

  // [fleets]: how each faction's ships begin.
  std::uint32_t fleet_groups =
      0;                    ///< Of each faction; 0: scattered over the part of the world that is its own.
  float fleet_radius = 60;  ///< Of a group.
  float fleet_gap = 250;    ///< Between the foremost groups of two factions that face each other.

  // [fighter], [corvette], [cruiser]
  std::array<KindNumbers, kKinds> kinds{{
      {40, 3, 25, 60, 60, 4, 0.8F, 1},
      {35, 6, 15, 40, 160, 8, 1.2F, 3},
      {25, 12, 8, 25, 480, 12, 2.0F, 9},
  }};

  // [spawn]
  float spawn_edge = 15;    ///< Of the cube around a spawn point that must be empty.
  float spawn_speed = 4;    ///< Spawn points drift.
  float spawn_rest = 1.5F;  ///< Seconds of a spawn point's animation, after which it may release again.

  // [steer]: weights per second, of what is a distance per second squared; of a direction, in top speeds a
  // second.
  float sight = 30;         ///< How far ships see each other.
  float room = 9;           ///< Ships keep so far apart.
  float align = 1.2F;       ///< To the mean velocity of its own side.
  float cohere = 0.6F;      ///< To the centre of its own side.
  float separate = 14;      ///< Away from those that are too near.
  float chase = 2.5F;       ///< Towards enemies, when those near are fewer (by threat) than its own side.
  float flee = 3;           ///< Away from them, when they are more.
  float advance = 0.5F;     ///< Towards the target that the radar gave.
  float avoid = 6;          ///< Away from an asteroid ahead.
  float look_ahead = 1.5F;  ///< Seconds of flight that a ship looks ahead for asteroids.

  // [asteroids]
  float asteroid_min = 6, asteroid_max = 22;  ///< Radius.
  std::uint32_t asteroid_triangles = 320;     ///< Of each mesh; every other asteroid is a hull.

  // [radar]
  std::uint32_t radar_cells = 16;  ///< Rectangles along each side of the map.
  std::uint32_t radar_top = 20;    ///< The most threatening enemies that each rectangle is told.
  float radar_margin = 60;         ///< By how much rectangles are larger than their cell, on each side.

  // [guns]
  float range = 120;          ///< Distance of a target from which on guns fire.
  float bullet_speed = 200;   ///< Beside the ship's own.
  float bullet_life = 0.75F;  ///< Seconds.
  float turret_turn = 0.35F;  ///< Part of the way to its target that a turret turns whenever it aims, 0 to 1.

  // [ends]
  float explosion_time = 0.5F;  ///< Seconds.
  float blast = 6;              ///< What an explosion takes from ships that it touches, once.
  float ram = 0.5F;             ///< What ships that touch take from each other, per m/s of their meeting.
  float wreck_time = 4;         ///< Seconds that parts of a dead ship drift.

  friend bool operator==(const Scenario&, const Scenario&) = default;
};

/// One number of a scenario, as its file names it.
struct ScenarioNumber {
  std::string_view section, key;
  std::variant<float*, std::uint32_t*> value;  ///< Into the scenario that was given.
  double lo = 0, hi = 0;                       ///< Both allowed.
  std::string_view what;                       ///< "metres: how far ships see each other"
};
/// All of them, in the order of the file: the one table that the file, its errors and its documentation are
/// made from.
[[nodiscard]] std::vector<ScenarioNumber> numbers_of(Scenario& scenario);
/// "a whole number from 1 to 128".
[[nodiscard]] std::string range_text(const ScenarioNumber& number);

inline constexpr std::size_t kMostScenarioName = 64;  ///< Letters.

/// Why a battle cannot be, and the numbers that say so together: the first of them first.
struct ScenarioMistake {
  struct Number {
    std::string_view section, key;  ///< No section: `name`.
  };
  std::vector<Number> numbers;
  std::string what;  ///< "give a number from 0 to 1"
};
/// A number out of its range, numbers that contradict each other, a name that a file cannot hold; none: a
/// battle that can begin.
[[nodiscard]] std::optional<ScenarioMistake> mistake_in(const Scenario& scenario);
/// "[guns] turret_turn: give a number from 0 to 1".
[[nodiscard]] std::string sentence(const ScenarioMistake& mistake);
/// Errors: kInvalidArgument with that sentence.
[[nodiscard]] Result<void> check_scenario(const Scenario& scenario);

inline constexpr std::array<std::string_view, 4> kPresets = {"skirmish", "battle", "mission5", "fleets"};
/// About 5,000, 100,000 and 1,000,000 nodes, and two fleets that meet. Errors: kNotFound (the message names
/// those that there are).
[[nodiscard]] Result<Scenario> preset(std::string_view name);

/// A scenario in TOML: `preset = "battle"` (or none: battle), `name`, `seed`, and the numbers that differ,
/// each in its section. Errors: kParse with the line: no TOML, a key that is not known, a value out of its
/// range (which is named), numbers that contradict each other (speed_min above speed_max).
[[nodiscard]] Result<Scenario> parse_scenario(std::string_view text);
/// A preset's name, or else a file. Errors: kIo, kParse.
[[nodiscard]] Result<Scenario> read_scenario(const std::string& preset_or_file);
/// Every number, with what it is as a comment: parse_scenario() reads it back as the same scenario, bit for
/// bit.
[[nodiscard]] std::string scenario_text(const Scenario& scenario);

}  // namespace juxta::sector
