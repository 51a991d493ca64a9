// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The populations of a battle and their columns: declared when it begins, found again when it goes on.
#include "sector/world.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "juxta/agents/vector_column.h"
#include "juxta/core/try.h"
#include "juxta/study/columns.h"
#include "sector/columns.h"
#include "sector/each.h"
#include "sector/steer_rules.h"

namespace juxta::sector {
namespace {

enum class Do { kDeclare, kFind };

/// Declares the columns of one population, or finds them: the same list serves both. The first error stays.
class Columns {
 public:
  Columns(Simulation& simulation, const char* population, Do what) : declares_(what == Do::kDeclare) {
    if (declares_) {
      take(all_, [&] { return simulation.add_population(population); });
    } else if (all_ = simulation.find_population(population); all_ == nullptr) {
      error_ = fail(ErrorCode::kNotFound, fmt::format("there are no {}: this is not a battle", population));
    }
  }
  template <class T>
  Columns& column(const char* name, Column<T>& column) {
    return take(column, [&] { return declares_ ? all_->add_column<T>(name) : all_->find_column<T>(name); });
  }
  Columns& vector(const std::string_view (&names)[3], VectorColumn<3>& columns) {
    return take(columns, [&] {
      return declares_ ? add_vector_column(*all_, names) : find_vector_column(*all_, names);
    });
  }
  /// Ids of agents of the same population.
  Columns& references(const char* name, Column<Id>& column) {
    return take(column,
                [&] { return declares_ ? all_->add_references(name, *all_) : all_->find_column<Id>(name); });
  }
  /// What a pass fills; nobody keeps these handles.
  template <class Rules>
  Columns& results() {
    if (error_ && declares_) {
      error_ = add_results_of<Rules>(*all_);
    }
    return *this;
  }
  Result<void> done(Population*& all) {
    all = all_;
    return error_;
  }

 private:
  template <class T, class Get>
  Columns& take(T& here, const Get& get) {
    if (error_) {
      if (auto got = get(); got) {
        here = *got;
      } else {
        error_ = tl::unexpected<Error>(std::move(got).error());
      }
    }
    return *this;
  }

  bool declares_;
  Population* all_ = nullptr;
  Result<void> error_;
};

/// What agents there are in a battle, as handles into a simulation.
struct Agents {
  Ships& ships;
  Bullets& bullets;
  SpawnPoints& points;
  Explosions& explosions;
  Wrecks& wrecks;
};

Result<void> ship_columns(Simulation& simulation, Ships& ships, Do what) {
  return Columns(simulation, "ships", what)
      .vector({"vx", "vy", "vz"}, ships.velocity)
      .column("faction", ships.faction)
      .column("health", ships.health)
      .column("reload", ships.reload)
      .column("threat", ships.threat)
      .column("speed_min", ships.speed_min)
      .column("speed_max", ships.speed_max)
      .vector({"avoid_x", "avoid_y", "avoid_z"}, ships.avoid)
      .vector({"advance_x", "advance_y", "advance_z"}, ships.advance)
      .results<Notice>()
      .column("kind", ships.kind)
      .column("turn", ships.turn)
      .references("target", ships.target)
      .column("nodes", ships.nodes)
      .done(ships.all);
}

/// All columns of all populations. Saved battles and their hashes depend on this order: append only.
Result<void> all_columns(Simulation& simulation, const Agents& agents, Do what) {
  JUXTA_TRY(ship_columns(simulation, agents.ships, what));
  JUXTA_TRY(Columns(simulation, "bullets", what)
                .vector({"vx", "vy", "vz"}, agents.bullets.velocity)
                .column("age", agents.bullets.age)
                .column("damage", agents.bullets.damage)
                .column("faction", agents.bullets.faction)
                .done(agents.bullets.all));
  JUXTA_TRY(Columns(simulation, "spawn_points", what)
                .vector({"vx", "vy", "vz"}, agents.points.velocity)
                .column("faction", agents.points.faction)
                .column("rest", agents.points.rest)
                .column("root", agents.points.root)
                .done(agents.points.all));
  JUXTA_TRY(Columns(simulation, "explosions", what)
                .column("age", agents.explosions.age)
                .column("radius", agents.explosions.radius)
                .done(agents.explosions.all));
  return Columns(simulation, "wrecks", what)
      .vector({"vx", "vy", "vz"}, agents.wrecks.velocity)
      .column("age", agents.wrecks.age)
      .column("faction", agents.wrecks.faction)
      .column("root", agents.wrecks.root)
      .done(agents.wrecks.all);
}

}  // namespace

Result<void> declare_columns(Simulation& simulation) {
  Ships ships;
  Bullets bullets;
  SpawnPoints points;
  Explosions explosions;
  Wrecks wrecks;
  return all_columns(simulation, {ships, bullets, points, explosions, wrecks}, Do::kDeclare);
}

Result<void> find_columns(World& world) {
  return all_columns(world.simulation,
                     {world.ships, world.bullets, world.points, world.explosions, world.wrecks}, Do::kFind);
}

}  // namespace juxta::sector
