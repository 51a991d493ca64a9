// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "juxta/core/try.h"
#include "sector/tick.h"
#include "sector/world.h"
#include "tool/view_battle.h"
#include "tool/view_population.h"
#include "tool/view_worlds.h"

namespace juxta::tool {
namespace {

enum Group : std::size_t {
  kShips,
  kBullets,
  kExplosions,
  kWrecks,
  kSpawnPoints,
  kAsteroids,
  kTurrets,
  kGroups
};
constexpr std::size_t kPopulations = kAsteroids;  // groups before this one are populations

/// Milliseconds of each stage of the last tick.
class StageTimes final : public sector::StageListener {
 public:
  void begin(std::size_t) override { began_ = Clock::now(); }
  void end(std::size_t stage) override {
    ms_[stage] = std::chrono::duration<double, std::milli>(Clock::now() - began_).count();
  }
  [[nodiscard]] std::vector<double> ms() const { return {ms_.begin(), ms_.end()}; }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point began_{};
  std::array<double, sector::kStages.size()> ms_{};
};

/// Sections whose numbers every tick reads anew, and by which no memory was sized.
bool is_live(std::string_view section) {
  return section == "steer" || section == "guns" || section == "ends";
}

std::string full_name(const sector::ScenarioNumber& number) {
  return std::string(number.section) + "." + std::string(number.key);
}

double value_of(const sector::ScenarioNumber& number) {
  return std::visit([](auto* value) { return static_cast<double>(*value); }, number.value);
}

/// Changes one number of a scenario. Errors: kNotFound, kInvalidArgument.
Result<void> set_number(sector::Scenario& scenario, std::string_view name, double value, bool live_only) {
  for (const sector::ScenarioNumber& number : sector::numbers_of(scenario)) {
    if (full_name(number) != name) {
      continue;
    }
    if (live_only && !is_live(number.section)) {
      return fail(ErrorCode::kInvalidArgument, std::string(name) + ": it counts when a battle begins");
    }
    if (!(value >= number.lo && value <= number.hi)) {
      return fail(ErrorCode::kInvalidArgument, std::string(name) + ": give " + sector::range_text(number));
    }
    std::visit([value](auto* to) { *to = static_cast<std::remove_pointer_t<decltype(to)>>(value); },
               number.value);
    return sector::check_scenario(scenario);
  }
  return fail(ErrorCode::kNotFound, std::string(name) + ": a scenario has no such number");
}

std::vector<ViewGroup> groups_of(const sector::World& world) {
  constexpr std::array<const char*, kPopulations> kNames = {"ships", "bullets", "explosions", "wrecks",
                                                            "spawn points"};
  const std::array<const Population*, kPopulations> populations = {
      world.ships.all, world.bullets.all, world.explosions.all, world.wrecks.all, world.points.all};
  std::vector<ViewGroup> groups(kGroups);
  for (std::size_t g = 0; g < kPopulations; ++g) {
    groups[g].name = kNames[g];
    groups[g].columns = viewed_columns(*populations[g]);
    look_as_in_battle(groups[g]);
    groups[g].heading = g == kShips || g == kBullets;
  }
  groups[kAsteroids] = {.name = "asteroids", .mark = ViewMark::kRock, .size = 20, .shapes = true};
  groups[kTurrets] = {.name = "turrets",
                      .mark = ViewMark::kTurret,
                      .size = 3,
                      .columns = {"faction"},
                      .colour = "faction",
                      .classes = groups[kShips].classes,
                      .heading = true};
  for (ViewGroup& group : groups) {
    group.classes.resize(std::min<std::size_t>(group.classes.size(), world.scenario.factions));
  }
  return groups;
}

class SectorWorld final : public ViewedWorld {
 public:
  SectorWorld(std::unique_ptr<sector::World> world, const Executor* executor)
      : world_(std::move(world)), executor_(executor) {
    measure();
  }

  ViewInfo info() const override {
    const sector::Scenario& scenario = world_->scenario;
    ViewInfo info;
    info.title = "battle: " + scenario.name;
    info.dimensions = 3;
    info.hi = {scenario.width / 2, scenario.depth / 2, scenario.height / 2};
    info.lo = {-info.hi.x, -info.hi.y, -info.hi.z};
    info.steps_per_second = sector::kTicksPerSecond;
    info.groups = groups_of(*world_);
    sector::Scenario copy = scenario;
    for (const sector::ScenarioNumber& number : sector::numbers_of(copy)) {
      const bool whole = std::holds_alternative<std::uint32_t*>(number.value);
      info.parameters.push_back(
          {{full_name(number), value_of(number), number.lo, number.hi, whole, std::string(number.what)},
           is_live(number.section)});
    }
    for (const sector::Stage& stage : sector::kStages) {
      info.stages.emplace_back(stage.name);
    }
    const std::array<const char*, 4> names = {"blue ships", "red ships", "green ships", "yellow ships"};
    info.reports.assign(names.begin(), names.begin() + scenario.factions);
    info.reports.insert(info.reports.end(), {"bullets", "deaths"});
    info.overlays = battle_overlays();
    return info;
  }
  ViewThings things(std::size_t group) const override {
    if (group == kAsteroids) {
      ViewThings things;
      things.x = asteroids_[0];
      things.y = asteroids_[1];
      things.z = asteroids_[2];
      things.sizes = asteroids_[3];
      return things;
    }
    if (group == kTurrets) {
      return viewed_turrets();
    }
    ViewThings things = viewed_things(*population(group));
    if (group == kShips) {
      things.sizes = ship_sizes_;
    } else if (group == kExplosions) {
      things.sizes = explosion_sizes_;
    }
    return things;
  }
  std::uint64_t steps() const override { return world_->tick(); }
  Result<void> step() override {
    JUXTA_TRY(sector::tick(*world_, &times_));
    deaths_ += world_->tally.deaths;
    measure();
    return {};
  }
  std::uint64_t id_of(std::size_t group, std::size_t row) const override {
    return group < kPopulations ? number_of(population(group)->id_of(static_cast<std::uint32_t>(row))) : row;
  }
  std::optional<std::size_t> row_of(std::size_t group, std::uint64_t id) const override {
    return group < kPopulations ? row_of_number(*population(group), id) : std::optional<std::size_t>(id);
  }
  /// Of a ship: its kind, whom it aims at, and where its hull and muzzles are in the hierarchy.
  std::string more(std::size_t group, std::size_t row) const override {
    nlohmann::json more = nlohmann::json::object();
    if (group == kShips) {
      constexpr std::array<const char*, sector::kKinds> kNames = {"fighter", "corvette", "cruiser"};
      const Population& all = *world_->ships.all;
      const std::size_t kind = all.read(world_->ships.kind)[row];
      const Id target = all.read(world_->ships.target)[row];
      const sector::ShipNodes& nodes = all.read(world_->ships.nodes)[row];
      more["kind"] = kNames[std::min(kind, kNames.size() - 1)];
      more["target"] = target == Id{} ? nlohmann::json() : nlohmann::json(std::to_string(number_of(target)));
      more["hull"] = place_of(nodes.root);
      for (const Id muzzle : nodes.muzzle) {
        if (!(muzzle == Id{})) {
          more["muzzles"].push_back(place_of(muzzle));
        }
      }
    }
    return more.dump();
  }
  std::vector<double> stage_ms() const override { return times_.ms(); }
  std::vector<double> reports() const override {
    const sector::Census census = sector::census_of(*world_);
    std::vector<double> values;
    for (std::uint32_t faction = 0; faction < world_->scenario.factions; ++faction) {
      values.push_back(static_cast<double>(census.ships[faction]));
    }
    values.push_back(static_cast<double>(census.bullets));
    values.push_back(static_cast<double>(deaths_));
    return values;
  }
  void overlay(std::size_t index, ViewParts& parts) const override { battle_overlay(*world_, index, parts); }
  ViewField field(std::size_t) const override { return radar_cells(*world_); }
  ViewShape shape(std::size_t, std::size_t row) const override {
    return triangles_of(world_->asteroids.body(static_cast<std::uint32_t>(row)));
  }
  std::optional<std::uint64_t> hash() const override { return sector::state_hash(*world_); }
  Result<void> set(std::string_view name, double value) override {
    sector::Scenario changed = world_->scenario;
    JUXTA_TRY(set_number(changed, name, value, true));
    world_->scenario = changed;
    return {};
  }
  Result<void> restart(std::optional<std::uint64_t> seed,
                       std::span<const std::pair<std::string, double>> parameters) override {
    sector::Scenario changed = world_->scenario;
    changed.seed = seed.value_or(changed.seed);
    for (const auto& [name, value] : parameters) {
      JUXTA_TRY(set_number(changed, name, value, false));
    }
    JUXTA_TRY_LET(auto begun, sector::begin_world(changed, executor_));
    world_ = std::move(begun);
    deaths_ = 0;
    measure();
    return {};
  }

 private:
  [[nodiscard]] const Population* population(std::size_t group) const {
    const std::array<const Population*, 5> all = {world_->ships.all, world_->bullets.all,
                                                  world_->explosions.all, world_->wrecks.all,
                                                  world_->points.all};
    return all[group];
  }
  /// Found when they are asked for: a battle that nobody looks at spends nothing on them.
  [[nodiscard]] ViewThings viewed_turrets() const {
    if (!turrets_found_) {
      find_turrets(*world_, turrets_);
      turrets_found_ = true;
    }
    ViewThings things;
    things.x = turrets_.x;
    things.y = turrets_.y;
    things.z = turrets_.z;
    things.sizes = turrets_.length;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      things.heading[axis] = turrets_.heading[axis];
    }
    things.columns = {std::span<const float>(turrets_.faction)};
    return things;
  }
  [[nodiscard]] nlohmann::json place_of(Id node) const {
    const auto at = world_->hierarchy.world(node);
    return at ? nlohmann::json{at->position.x, at->position.y, at->position.z} : nlohmann::json();
  }
  /// Lengths of ships and balls of fire as they are now, and of asteroids.
  void measure() {
    turrets_found_ = false;
    const Population& ships = *world_->ships.all;
    ship_sizes_.clear();
    for (const std::uint8_t kind : ships.read(world_->ships.kind)) {
      ship_sizes_.push_back(world_->scenario.kinds[kind].length);
    }
    const Population& explosions = *world_->explosions.all;
    const auto age = explosions.read(world_->explosions.age),
               radius = explosions.read(world_->explosions.radius);
    explosion_sizes_.clear();
    for (std::size_t i = 0; i < age.size(); ++i) {
      const float spent = std::clamp(age[i] / std::max(world_->scenario.explosion_time, 1e-6F), 0.0F, 1.0F);
      explosion_sizes_.push_back(2 * radius[i] * (0.3F + 0.7F * spent));
    }
    for (auto& column : asteroids_) {
      column.clear();
    }
    for (std::uint32_t i = 0; i < world_->asteroids.size(); ++i) {
      const Body& body = world_->asteroids.body(i);
      const Aabb3 box = bounds_of(body.shape, body.at);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        asteroids_[axis].push_back((box.lo[axis] + box.hi[axis]) / 2);
      }
      asteroids_[3].push_back((box.hi[0] - box.lo[0] + box.hi[1] - box.lo[1]) / 2);
    }
  }

  std::unique_ptr<sector::World> world_;
  const Executor* executor_;
  StageTimes times_;
  std::size_t deaths_ = 0;
  std::array<std::vector<float>, 4> asteroids_;  // x, y, z, length
  std::vector<float> ship_sizes_, explosion_sizes_;
  mutable Turrets turrets_;
  mutable bool turrets_found_ = false;  // of this tick
};

}  // namespace

Result<std::unique_ptr<ViewedWorld>> view_sector(const std::string& scenario,
                                                 std::optional<std::uint64_t> seed,
                                                 const Executor* executor) {
  JUXTA_TRY_LET(sector::Scenario read, sector::read_scenario(scenario));
  read.seed = seed.value_or(read.seed);
  JUXTA_TRY_LET(auto world, sector::begin_world(read, executor));
  return std::make_unique<SectorWorld>(std::move(world), executor);
}

}  // namespace juxta::tool
