// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "sector/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace juxta::sector {
namespace {

constexpr std::array<std::string_view, kKinds> kSections = {"fighter", "corvette", "cruiser"};

/// A number that each kind has of its own.
struct KindNumber {
  std::string_view key;
  float KindNumbers::*value;
  double lo, hi;
  std::string_view what;
};
constexpr std::array<KindNumber, 8> kOfKinds = {{
    {"share", &KindNumbers::share, 0, 1e6, "a weight: of all ships, whatever the sum of the shares"},
    {"length", &KindNumbers::length, 0.1, 1'000, "metres: of the hull, from bow to stern"},
    {"speed_min", &KindNumbers::speed_min, 0, 10'000, "metres a second"},
    {"speed_max", &KindNumbers::speed_max, 0.1, 10'000, "metres a second"},
    {"health", &KindNumbers::health, 0.1, 1e6, "points: of a whole ship"},
    {"damage", &KindNumbers::damage, 0, 1e6, "points: what one of its bullets takes from whom it hits"},
    {"reload", &KindNumbers::reload, 0, 3'600, "seconds: between two salvos of all its guns"},
    {"threat", &KindNumbers::threat, 0, 1e6, "what the radar ranks by, at full health"},
}};

using Numbers = std::vector<ScenarioNumber>;

void add_world(Scenario& s, Numbers& all) {
  all.insert(all.end(), {{"world", "width", &s.width, 1, 100'000, "metres: along x"},
                         {"world", "depth", &s.depth, 1, 100'000, "metres: along y"},
                         {"world", "height", &s.height, 1, 100'000, "metres: along z, which is up"},
                         {"world", "factions", &s.factions, 1, kMostFactions, "that fight each other"},
                         {"world", "ships", &s.ships, 0, 2'000'000,
                          "of all factions together: at the start, and what spawn points fill up to"},
                         {"world", "spawn_points", &s.spawn_points, 0, 1'000'000, "of all factions together"},
                         {"world", "asteroids", &s.asteroids, 0, 100'000, "that stay where they are"},
                         {"fleets", "groups", &s.fleet_groups, 0, 1'000,
                          "of each faction, cruisers in the middle and escorts around them; 0: ships begin "
                          "scattered over their faction's part of the world"},
                         {"fleets", "radius", &s.fleet_radius, 1, 10'000, "metres: of a group"},
                         {"fleets", "gap", &s.fleet_gap, 0, 100'000,
                          "metres: between the foremost groups of factions that face each other"}});
}

void add_kinds(Scenario& s, Numbers& all) {
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    for (const KindNumber& number : kOfKinds) {
      all.push_back(
          {kSections[kind], number.key, &(s.kinds[kind].*number.value), number.lo, number.hi, number.what});
    }
  }
}

void add_flight(Scenario& s, Numbers& all) {
  all.insert(
      all.end(),
      {{"spawn", "edge", &s.spawn_edge, 0.1, 1'000,
        "metres: of the cube around a spawn point that must be empty"},
       {"spawn", "speed", &s.spawn_speed, 0, 1'000, "metres a second: how fast spawn points drift"},
       {"spawn", "rest", &s.spawn_rest, 0, 3'600, "seconds: from one release of a spawn point to its next"},
       {"steer", "sight", &s.sight, 0.1, 1'000, "metres: how far ships see each other"},
       {"steer", "room", &s.room, 0, 1'000, "metres: ships keep so far apart"},
       {"steer", "align", &s.align, 0, 1'000, "per second: to the mean velocity of its side"},
       {"steer", "cohere", &s.cohere, 0, 1'000, "per second squared: to the centre of its side"},
       {"steer", "separate", &s.separate, 0, 1'000, "per second squared: away from those that are too near"},
       {"steer", "chase", &s.chase, 0, 1'000,
        "per second squared: towards enemies that are fewer, by threat, than its own side"},
       {"steer", "flee", &s.flee, 0, 1'000, "per second squared: away from enemies that are more"},
       {"steer", "advance", &s.advance, 0, 1'000,
        "top speeds a second: towards the target that the radar gave"},
       {"steer", "avoid", &s.avoid, 0, 1'000, "top speeds a second: away from an asteroid ahead"},
       {"steer", "look_ahead", &s.look_ahead, 0, 60,
        "seconds: of flight that a ship looks ahead for asteroids"}});
}

void add_rest(Scenario& s, Numbers& all) {
  all.insert(
      all.end(),
      {{"asteroids", "radius_min", &s.asteroid_min, 0.1, 10'000, "metres"},
       {"asteroids", "radius_max", &s.asteroid_max, 0.1, 10'000, "metres"},
       {"asteroids", "triangles", &s.asteroid_triangles, 20, 20'480,
        "of each mesh, about; every other asteroid is a hull"},
       {"radar", "cells", &s.radar_cells, 1, 128, "rectangles along each side of the map"},
       {"radar", "top", &s.radar_top, 1, 256, "the most threatening enemies that each rectangle is told"},
       {"radar", "margin", &s.radar_margin, 0, 100'000,
        "metres: by which rectangles are larger than their cell, on each side"},
       {"guns", "range", &s.range, 0, 100'000, "metres: from a target on which guns fire"},
       {"guns", "bullet_speed", &s.bullet_speed, 1, 10'000, "metres a second: beside the ship's own"},
       {"guns", "bullet_life", &s.bullet_life, 0, 60, "seconds"},
       {"guns", "turret_turn", &s.turret_turn, 0, 1,
        "part of the way to its target that a turret turns whenever it aims"},
       {"ends", "explosion_time", &s.explosion_time, 0, 60, "seconds"},
       {"ends", "blast", &s.blast, 0, 1e6, "points: what an explosion takes from each ship that it touches"},
       {"ends", "ram", &s.ram, 0, 1e6, "points: that ships which touch lose, per metre a second of meeting"},
       {"ends", "wreck_time", &s.wreck_time, 0, 3'600, "seconds: that parts of a dead ship drift"}});
}

bool within(const ScenarioNumber& number) {
  if (const auto* const real = std::get_if<float*>(&number.value)) {  // a bound is what floats make of it
    return **real >= static_cast<float>(number.lo) && **real <= static_cast<float>(number.hi);
  }
  const double whole = *std::get<std::uint32_t*>(number.value);
  return whole >= number.lo && whole <= number.hi;
}

using Mistake = std::optional<ScenarioMistake>;

Mistake out_of_range(const Scenario& scenario) {
  const auto plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
  if (scenario.name.empty() || scenario.name.size() > kMostScenarioName ||
      !std::ranges::all_of(scenario.name, plain)) {
    return {
        {{{"", "name"}},
         fmt::format("give 1 to {} letters of ASCII, without quotes and backslashes", kMostScenarioName)}};
  }
  Scenario copy = scenario;
  for (const ScenarioNumber& number : numbers_of(copy)) {
    if (!within(number)) {
      return {{{{number.section, number.key}}, "give " + range_text(number)}};
    }
  }
  return {};
}

Mistake above(ScenarioMistake::Number low, float value, ScenarioMistake::Number high, float most) {
  if (value <= most) {
    return {};
  }
  return {{{low, high}, fmt::format("{} is above {} = {}", value, high.key, most)}};
}

/// What stands in the world and is as large as this.
Mistake too_large(const Scenario& s, ScenarioMistake::Number number, std::string_view what, float size) {
  const float edge = std::min({s.width, s.depth, s.height});
  if (size <= edge) {
    return {};
  }
  return {{{number, {"world", "height"}, {"world", "width"}, {"world", "depth"}},
           fmt::format("{} is {} m long, and the world's shortest edge {} m", what, size, edge)}};
}

Mistake contradiction_of_kind(const Scenario& s, std::size_t kind) {
  const KindNumbers& k = s.kinds[kind];
  const std::string_view section = kSections[kind];
  if (auto speeds = above({section, "speed_min"}, k.speed_min, {section, "speed_max"}, k.speed_max)) {
    return speeds;
  }
  return too_large(s, {section, "length"}, "a ship", k.share > 0 ? k.length : 0);
}

/// Groups begin side by side at their side of the world, every other one further back (formation.cpp).
Mistake fleets_too_large(const Scenario& s) {
  const float edge = s.factions > 2 ? std::min(s.width, s.depth) : s.width;
  const float needed = s.fleet_gap + 6 * s.fleet_radius;
  if (s.fleet_groups == 0 || needed <= edge) {
    return {};
  }
  return {{{{"fleets", "gap"},
            {"fleets", "radius"},
            {"fleets", "groups"},
            {"world", "width"},
            {"world", "depth"}},
           fmt::format("a gap of {} m and fleets of 3 radii on both sides take {} m, and the world has {} m",
                       s.fleet_gap, needed, edge)}};
}

/// Numbers that are each within their range, but not together.
Mistake contradiction(const Scenario& s) {
  float shares = 0;
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    shares += s.kinds[kind].share;
    if (auto found = contradiction_of_kind(s, kind)) {
      return found;
    }
  }
  if (shares <= 0) {
    return {{{{"fighter", "share"}, {"corvette", "share"}, {"cruiser", "share"}},
             "no kind of ship has a share: give one of them more than 0"}};
  }
  constexpr std::uint64_t kMostTriangles = 20'000'000;
  if (std::uint64_t{s.asteroids} * s.asteroid_triangles > kMostTriangles) {
    return {{{{"asteroids", "triangles"}, {"world", "asteroids"}},
             fmt::format("{} asteroids of {} triangles have more than {} together: give fewer of either",
                         s.asteroids, s.asteroid_triangles, kMostTriangles)}};
  }
  const std::array<Mistake, 5> others = {
      fleets_too_large(s),
      above({"asteroids", "radius_min"}, s.asteroid_min, {"asteroids", "radius_max"}, s.asteroid_max),
      too_large(s, {"asteroids", "radius_max"}, "an asteroid", s.asteroids > 0 ? 2 * s.asteroid_max : 0),
      above({"steer", "room"}, s.room, {"steer", "sight"}, s.sight),
      too_large(s, {"spawn", "edge"}, "the cube around a spawn point",
                s.spawn_points > 0 ? s.spawn_edge : 0)};
  const auto* const found = std::ranges::find_if(others, [](const Mistake& m) { return m.has_value(); });
  return found == others.end() ? Mistake() : *found;
}

Scenario skirmish() {
  Scenario s;
  s.name = "skirmish";
  s.width = s.depth = 260;
  s.height = 60;
  s.ships = 580;
  s.spawn_points = 120;
  s.asteroids = 12;
  s.radar_cells = 6;
  return s;
}

Scenario mission5() {
  Scenario s;
  s.name = "mission5";
  s.width = s.depth = 1'700;
  s.height = 240;
  s.ships = 120'000;
  s.spawn_points = 25'000;
  s.asteroids = 1'500;
  s.radar_cells = 39;
  return s;
}

/// Two fleets that meet. Cruisers are so long that their turrets show. Threats differ little and guns reach
/// less far than in `battle`, so that most ships shoot at whom is near and not all at the few cruisers. Spawn
/// points are few, so that losses show.
Scenario fleets() {
  Scenario s;
  s.name = "fleets";
  s.width = 1'000;
  s.depth = 600;
  s.height = 100;
  s.ships = 2'400;
  s.spawn_points = 12;
  s.asteroids = 10;
  s.fleet_groups = 4;
  s.fleet_radius = 65;
  s.fleet_gap = 150;
  s.kinds = {{
      {80, 5, 20, 60, 60, 1.5F, 0.8F, 1},
      {18, 14, 15, 40, 450, 3.5F, 1.0F, 1.2F},
      {2, 40, 8, 25, 2'800, 7, 1.2F, 1.7F},
  }};
  s.spawn_rest = 20;
  s.radar_cells = 20;
  s.radar_top = 128;
  s.range = 80;
  s.explosion_time = 1.2F;
  s.blast = 4;
  s.ram = 0.1F;
  s.wreck_time = 8;
  return s;
}

}  // namespace

Numbers numbers_of(Scenario& scenario) {
  Numbers all;
  add_world(scenario, all);
  add_kinds(scenario, all);
  add_flight(scenario, all);
  add_rest(scenario, all);
  return all;
}

std::string range_text(const ScenarioNumber& number) {
  const bool whole = std::holds_alternative<std::uint32_t*>(number.value);
  return fmt::format("a {} from {} to {}", whole ? "whole number" : "number", number.lo, number.hi);
}

std::optional<ScenarioMistake> mistake_in(const Scenario& scenario) {
  auto found = out_of_range(scenario);
  return found ? found : contradiction(scenario);
}

std::string sentence(const ScenarioMistake& mistake) {
  const auto [section, key] = mistake.numbers.front();
  return section.empty() ? fmt::format("{}: {}", key, mistake.what)
                         : fmt::format("[{}] {}: {}", section, key, mistake.what);
}

Result<void> check_scenario(const Scenario& scenario) {
  const auto mistake = mistake_in(scenario);
  return mistake ? fail(ErrorCode::kInvalidArgument, sentence(*mistake)) : Result<void>();
}

Result<Scenario> preset(std::string_view name) {
  if (name == "battle") {
    return Scenario{};
  }
  if (name == "skirmish") {
    return skirmish();
  }
  if (name == "mission5") {
    return mission5();
  }
  if (name == "fleets") {
    return fleets();
  }
  return fail(ErrorCode::kNotFound,
              fmt::format("there is no preset '{}': give {}", name.substr(0, kMostScenarioName),
                          fmt::join(kPresets, ", ")));
}

}  // namespace juxta::sector
