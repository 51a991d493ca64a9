// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Radar: a faction's enemies as ranked points, the most threatening first, built anew each tick; one
// rectangle of the map after the other is told its top (scan(), while ships steer). Then ships choose among
// what their rectangle was told, and turrets turn.
#include <algorithm>

#include "sector/each.h"
#include "sector/orientation.h"
#include "sector/tick.h"

namespace juxta::sector {
namespace {

Result<void> build(const World& world, std::size_t faction, Radar& radar) {
  const Population& ships = *world.ships.all;
  const auto at = read(ships, position_column<3>(ships));
  const auto factions = ships.read(world.ships.faction), threat = ships.read(world.ships.threat);
  radar.rows = rows_where(world, ships.size(),
                          [&](std::size_t row) { return factions[row] != static_cast<float>(faction); });
  radar.x.resize(radar.rows.size());
  radar.y.resize(radar.rows.size());
  radar.rank.resize(radar.rows.size());
  for_each_index(world, radar.rows.size(), [&](std::size_t i) {
    const std::uint32_t row = radar.rows[i];
    radar.x[i] = at[row].x;
    radar.y[i] = at[row].y;
    radar.rank[i] = -threat[row];  // lower is more important
  });
  return radar.enemies.rebuild(radar.x, radar.y, radar.rank, {.borrow_coordinates = true},
                               {.executor = world.executor, .workspace = &radar.workspace});
}

/// The map's rectangle number `cell`, row by row, and its margin.
RectD rectangle(const Scenario& s, std::uint32_t cell) noexcept {
  const double wide = static_cast<double>(s.width) / s.radar_cells,
               deep = static_cast<double>(s.depth) / s.radar_cells;
  const std::uint32_t row = cell / s.radar_cells, column = cell % s.radar_cells;
  const double x = wide * column - 0.5 * static_cast<double>(s.width),
               y = deep * row - 0.5 * static_cast<double>(s.depth);
  const auto margin = static_cast<double>(s.radar_margin);
  return {x - margin, y - margin, x + wide + margin, y + deep + margin};
}

Result<void> ask(const World& world, Radar& radar) {
  const Scenario& s = world.scenario;
  std::vector<RectD> rectangles(std::size_t{s.radar_cells} * s.radar_cells);
  for (std::uint32_t cell = 0; cell < rectangles.size(); ++cell) {
    rectangles[cell] = rectangle(s, cell);
  }
  radar.contacts.resize(rectangles.size() * s.radar_top);
  radar.counts.resize(rectangles.size());
  return radar.enemies
      .top(rectangles, s.radar_top, radar.contacts, radar.counts, {.executor = world.executor})
      .map([&](QueryResult) {
        for (std::size_t cell = 0; cell < rectangles.size(); ++cell) {  // from points to ships
          for (std::size_t i = 0; i < radar.counts[cell]; ++i) {
            std::uint32_t& contact = radar.contacts[cell * s.radar_top + i];
            contact = radar.rows[contact];
          }
        }
      });
}

std::uint32_t cell_of(const Scenario& s, Vec3 at) noexcept {
  const auto along = [&](float place, float edge) {
    const float cells = static_cast<float>(s.radar_cells);
    return static_cast<std::uint32_t>(std::clamp((place / edge + 0.5F) * cells, 0.0F, cells - 1));
  };
  return along(at.y, s.depth) * s.radar_cells + along(at.x, s.width);
}

/// Of what a ship's rectangle was told, the one that is worth most: threat over distance squared, in ranges.
class Chooser {
 public:
  explicit Chooser(const World& world)
      : world_(world),
        at_(read(*world.ships.all, position_column<3>(*world.ships.all))),
        factions_(world.ships.all->read(world.ships.faction)),
        threat_(world.ships.all->read(world.ships.threat)) {}

  [[nodiscard]] std::uint32_t best_for(std::uint32_t ship) const noexcept {
    const Scenario& s = world_.scenario;
    const Radar& radar = world_.radars[static_cast<std::size_t>(factions_[ship])];
    const std::size_t cell = cell_of(s, at_[ship]);
    std::uint32_t best = Population::kNoRow;
    float most = 0;
    for (std::size_t i = 0; i < radar.counts[cell]; ++i) {
      const std::uint32_t contact = radar.contacts[cell * s.radar_top + i];
      const Vec3 way = at_[contact] - at_[ship];
      const float worth = threat_[contact] / (s.range * s.range + dot(way, way));
      if (worth > most) {
        most = worth;
        best = contact;
      }
    }
    return best;
  }

 private:
  const World& world_;
  VectorSpan<3, const float> at_;
  std::span<const float> factions_, threat_;
};

/// A ship and the one that it aims at, as rows; or kNoRow.
struct Aim {
  std::uint32_t ship, target;
};

/// The ships whose turn it is choose their targets.
std::vector<Aim> choose_targets(World& world) {
  Population& ships = *world.ships.all;
  const std::vector<std::uint32_t> rows = find_turns(world);
  std::vector<Aim> aims(rows.size());
  const Chooser chooser(world);
  const auto at = read(ships, position_column<3>(ships));
  const auto advance = write(ships, world.ships.advance);
  const auto target = ships.write(world.ships.target);
  for_each_index(world, rows.size(), [&](std::size_t i) {
    const std::uint32_t row = rows[i], best = chooser.best_for(row);
    aims[i] = {row, best};
    target[row] = best == Population::kNoRow ? Id{} : ships.id_of(best);
    advance.set(row, best == Population::kNoRow ? Vec3{} : normalized(at[best] - at[row]));
  });
  return aims;
}

/// Where a turret must look from a ship's own point of view, so that a bullet meets the target.
Vec3 lead(const Scenario& s, Vec3 way, Vec3 relative_velocity) noexcept {
  return way + relative_velocity * (length(way) / s.bullet_speed);
}

/// A ship's turret, and whom it aims at.
struct Gun {
  Id turret;
  Aim aim;
};

/// The turrets of ships that have a target within twice their range.
std::vector<Gun> guns_of(World& world, std::span<const Aim> aims) {
  const Population& ships = *world.ships.all;
  const auto at = read(ships, position_column<3>(ships));
  const auto kind = ships.read(world.ships.kind);
  const auto nodes = ships.read(world.ships.nodes);
  std::vector<std::size_t> ends(aims.size() + 1);  // how many turrets a ship has, then where the next begin
  for_each_index(world, aims.size(), [&](std::size_t i) {
    const auto& [row, target] = aims[i];
    const bool near =
        target != Population::kNoRow && length(at[target] - at[row]) <= 2 * world.scenario.range;
    ends[i + 1] = near ? kTurrets[kind[row]] : 0;
  });
  for (std::size_t i = 1; i < ends.size(); ++i) {
    world.tally.aimed += ends[i] != 0 ? 1 : 0;
    ends[i] += ends[i - 1];
  }
  std::vector<Gun> guns(ends.back());
  for_each_index(world, aims.size(), [&](std::size_t i) {
    for (std::size_t gun = ends[i]; gun < ends[i + 1]; ++gun) {
      guns[gun] = {nodes[aims[i].ship].turret[gun - ends[i]], aims[i]};
    }
  });
  return guns;
}

/// They turn towards it, in the ship's own space.
Result<void> aim(World& world, std::span<const Gun> guns) {
  const Scenario& s = world.scenario;
  const Population& ships = *world.ships.all;
  const auto at = read(ships, position_column<3>(ships)), velocity = read(ships, world.ships.velocity);
  std::vector<Id> turrets(guns.size());
  for_each_index(world, guns.size(), [&](std::size_t i) { turrets[i] = guns[i].turret; });
  std::vector<LocalTransform> locals = read_nodes<LocalTransform>(world, turrets, &Hierarchy::local);
  for_each_index(world, turrets.size(), [&](std::size_t i) {
    const auto [ship, target] = guns[i].aim;
    LocalTransform& turret = locals[i];
    const Quat hull = facing(velocity[ship]);
    const Vec3 from = at[ship] + rotate(hull, turret.position);
    const Vec3 way = lead(s, at[target] - from, velocity[target] - velocity[ship]);
    turret.rotation = turned_towards(turret.rotation, facing(rotate(conjugate(hull), way)), s.turret_turn);
  });
  return world.hierarchy.set_local(turrets, locals, {.executor = world.executor});
}

}  // namespace

Result<void> scan(World& world) {
  std::vector<Result<void>> done(world.radars.size());
  executor_or_serial(world.executor)
      .parallel_for(world.radars.size(), 1, [&](std::size_t faction, std::size_t) {
        Radar& own = world.radars[faction];
        done[faction] = build(world, faction, own).and_then([&] { return ask(world, own); });
      });
  for (Result<void>& result : done) {
    if (!result) {
      return std::move(result);
    }
  }
  return {};
}

Result<void> radar(World& world) {
  return aim(world, guns_of(world, choose_targets(world)));
}

}  // namespace juxta::sector
