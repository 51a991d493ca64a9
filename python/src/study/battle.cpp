// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The space battle (sector/), tick by tick.
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "juxta/core/monitor.h"
#include "juxta/study/table.h"
#include "python/src/call.h"
#include "python/src/guard.h"
#include "sector/checkpoint.h"
#include "sector/picture.h"
#include "sector/scenario.h"
#include "sector/tick.h"
#include "sector/world.h"
#include "study.h"
#include "tables.h"

namespace juxta::python {
namespace {

using sector::Tally;
using sector::World;

/// What happened in a tick, as columns of the table.
constexpr std::array<std::pair<const char*, std::size_t Tally::*>, 11> kHappened = {{
    {"safe_points", &Tally::safe_points},
    {"released", &Tally::released},
    {"shots", &Tally::shots},
    {"hits", &Tally::hits},
    {"near_collisions", &Tally::near_collisions},
    {"collisions", &Tally::collisions},
    {"deaths", &Tally::deaths},
    {"looked", &Tally::looked},
    {"warned", &Tally::warned},
    {"aimed", &Tally::aimed},
    {"nodes_moved", &Tally::nodes_moved},
}};

struct BattleObject : Guarded {
  explicit BattleObject(std::unique_ptr<World> begun) : world(std::move(begun)), table(columns()) {
    world->executor = nullptr;  // that of the call that made it
    note();
  }
  void note() {
    const sector::Census census = sector::census_of(*world);
    row.assign(1, static_cast<double>(census.tick));
    const auto add = [&](std::size_t number) { row.push_back(static_cast<double>(number)); };
    std::for_each_n(census.ships.begin(), world->scenario.factions, add);
    for (const std::size_t number :
         {census.bullets, census.explosions, census.wrecks, census.spawn_points, census.nodes}) {
      add(number);
    }
    for (const auto& [name, member] : kHappened) {
      add(world->tally.*member);
    }
    table.append(row);
  }

  std::unique_ptr<World> world;
  Table table;
  std::vector<double> row;
  bool failed = false;  // a tick ended with an error: there is no next one

 private:
  [[nodiscard]] std::vector<std::string> columns() const {
    std::vector<std::string> names = {"tick"};
    for (std::uint32_t faction = 0; faction < world->scenario.factions; ++faction) {
      names.push_back("ships_" + std::to_string(faction));
    }
    names.insert(names.end(), {"bullets", "explosions", "wrecks", "spawn_points", "nodes"});
    for (const auto& [name, member] : kHappened) {
      names.emplace_back(name);
    }
    return names;
  }
};

std::string name_of(const sector::ScenarioNumber& number) {
  return std::string(number.section) + "." + std::string(number.key);
}

Result<void> set_number(sector::Scenario& scenario, const std::string& name, double value) {
  for (const sector::ScenarioNumber& number : sector::numbers_of(scenario)) {
    if (name_of(number) != name) {
      continue;
    }
    const bool whole = std::holds_alternative<std::uint32_t*>(number.value);
    if (!(value >= number.lo && value <= number.hi) || (whole && value != std::floor(value))) {
      return fail(ErrorCode::kInvalidArgument, name + ": give " + sector::range_text(number));
    }
    std::visit([value](auto* to) { *to = static_cast<std::remove_pointer_t<decltype(to)>>(value); },
               number.value);
    return {};
  }
  return fail(ErrorCode::kNotFound,
              "a scenario has no number '" + name + "': juxta.sector.parameters() has the names of all");
}

sector::Scenario scenario_of(const std::string& preset_or_file) {
  return unwrap(Call::released([&] { return sector::read_scenario(preset_or_file); }));
}

std::unique_ptr<BattleObject> begin(const std::string& scenario, const Settings& set,
                                    std::optional<std::uint64_t> seed, const py::object& threads) {
  sector::Scenario made = scenario_of(scenario);
  made.seed = seed.value_or(made.seed);
  for (const auto& [name, value] : set) {
    unwrap(set_number(made, name, value));
  }
  Call call(threads, py::none());
  return std::make_unique<BattleObject>(
      call.run([&](const Context& context) { return sector::begin_world(made, context.executor); }));
}

std::unique_ptr<BattleObject> load(const std::string& path, const py::object& threads) {
  Call call(threads, py::none());
  return std::make_unique<BattleObject>(
      call.run([&](const Context& context) { return sector::load_checkpoint(path, context.executor); }));
}

/// The ticks of advance(). What a tick did stays done, whatever ends the loop.
Result<void> go(BattleObject& self, std::uint32_t ticks, const Context& context) {
  for (std::uint32_t i = 0; i < ticks; ++i) {
    if (auto done = sector::tick(*self.world); !done) {
      self.failed = true;
      return done;
    }
    self.note();
    if (!report(context.monitor, self.world->scenario.name, i + 1, ticks) && i + 1 < ticks) {
      return fail(ErrorCode::kCancelled, "the battle was cancelled; it stands between two ticks");
    }
  }
  return {};
}

void advance(BattleObject& self, std::uint32_t ticks, const py::object& threads, const py::object& progress) {
  Call call(threads, progress);
  const Writing writing(self);
  if (self.failed) {
    raise_value("an earlier tick of this battle ended with an error, so it cannot go on; begin another one");
  }
  struct Borrowed {  // the world must not keep the executor of a call that is over
    World& world;
    ~Borrowed() { world.executor = nullptr; }
  } const borrowed{*self.world};
  self.world->executor = call.executor();
  call.run([&](const Context& context) { return go(self, ticks, context); });
}

py::array draw(const BattleObject& self, std::uint32_t size) {
  const Reading reading(self);
  const Raster image = Call::released([&] {
    const sector::Scenario& scenario = self.world->scenario;
    const double longer = std::max(scenario.width, scenario.depth);
    const auto side = [&](double of) {
      return static_cast<std::uint32_t>(std::max(size * of / longer, 1.0));
    };
    Raster drawn(side(scenario.width), side(scenario.depth));
    sector::draw(*self.world, drawn);
    return drawn;
  });
  return image_array(image);
}

void save(const BattleObject& self, const std::string& folder) {
  const Reading reading(self);
  unwrap(Call::released([&] { return sector::save_checkpoint(*self.world, folder); }));
}

py::list numbers(const std::string& preset_or_file) {
  sector::Scenario scenario = scenario_of(preset_or_file);
  py::list all;
  for (const sector::ScenarioNumber& number : sector::numbers_of(scenario)) {
    const double value = std::visit([](const auto* at) { return static_cast<double>(*at); }, number.value);
    const bool whole = std::holds_alternative<std::uint32_t*>(number.value);
    all.append(py::make_tuple(name_of(number), value, number.lo, number.hi, whole, std::string(number.what)));
  }
  return all;
}

template <class Read>
auto reading(Read&& read) {
  return [read](const BattleObject& self) {
    const Reading held(self);
    return read(self);
  };
}

}  // namespace

void bind_battle(py::module_& module) {
  using py::arg;
  module.def("presets", [] {
    py::list names;
    for (const std::string_view name : sector::kPresets) {
      names.append(std::string(name));
    }
    return names;
  });
  module.def("scenario_numbers", &numbers, arg("scenario"));
  py::class_<BattleObject>(module, "Battle")
      .def(py::init(&begin), arg("scenario"), arg("set"), arg("seed"), arg("threads"))
      .def_static("load", &load, arg("path"), arg("threads"))
      .def("advance", &advance, arg("ticks"), arg("threads"), arg("progress"))
      .def("draw", &draw, arg("size"))
      .def("save", &save, arg("folder"))
      .def("ships", reading([](const BattleObject& b) { return agents_array(*b.world->ships.all); }))
      .def("table", reading([](const BattleObject& b) { return table_array(b.table, true); }))
      .def("name", reading([](const BattleObject& b) { return b.world->scenario.name; }))
      .def("scenario",
           reading([](const BattleObject& b) { return sector::scenario_text(b.world->scenario); }))
      .def("seed", reading([](const BattleObject& b) { return b.world->scenario.seed; }))
      .def("tick", reading([](const BattleObject& b) { return b.world->tick(); }))
      .def("state_hash", reading([](const BattleObject& b) { return sector::state_hash(*b.world); }));
}

}  // namespace juxta::python
