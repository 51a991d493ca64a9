// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "sector/launch.h"

#include "juxta/core/try.h"
#include "sector/each.h"
#include "sector/orientation.h"

namespace juxta::sector {
namespace {

/// The launches of one kind, as one batch of instances of its prefab.
Result<void> instantiate(World& world, std::span<const Launch> launches, Kind kind, std::uint32_t first_row) {
  const Prefab& prefab = world.fleet.models[kind].prefab;
  std::vector<LocalTransform> roots;
  std::vector<std::uint32_t> rows;
  for (std::uint32_t i = 0; i < launches.size(); ++i) {
    if (launches[i].kind == kind) {
      roots.push_back({facing(launches[i].velocity), launches[i].at, 1});
      rows.push_back(first_row + i);
    }
  }
  std::vector<Id> ids(roots.size() * prefab.size());
  return world.hierarchy.instantiate(prefab, roots, ids).map([&] {
    const auto nodes = world.ships.all->write(world.ships.nodes);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      nodes[rows[i]] = Model::nodes_of(kind, std::span(ids).subspan(i * prefab.size(), prefab.size()));
    }
  });
}

void fill(World& world, std::span<const Launch> launches, std::uint32_t first_row) {
  Ships& ships = world.ships;
  const auto at = write(*ships.all, position_column<3>(*ships.all)),
             velocity = write(*ships.all, ships.velocity);
  const auto faction = ships.all->write(ships.faction), health = ships.all->write(ships.health),
             threat = ships.all->write(ships.threat), least = ships.all->write(ships.speed_min),
             most = ships.all->write(ships.speed_max);
  const auto kind = ships.all->write(ships.kind), turn = ships.all->write(ships.turn);
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const std::size_t row = first_row + i;
    const KindNumbers& numbers = world.scenario.kinds[launches[i].kind];
    at.set(row, launches[i].at);
    velocity.set(row, launches[i].velocity);
    faction[row] = static_cast<float>(launches[i].faction);
    kind[row] = launches[i].kind;
    turn[row] = static_cast<std::uint8_t>(ships.all->id_of(static_cast<std::uint32_t>(row)).slot % kTurns);
    health[row] = numbers.health;
    threat[row] = numbers.threat;
    least[row] = numbers.speed_min;
    most[row] = numbers.speed_max;
  }
}

}  // namespace

Result<void> launch(World& world, std::span<const Launch> launches) {
  return world.ships.all->insert(launches.size()).and_then([&](std::uint32_t first) -> Result<void> {
    fill(world, launches, first);
    for (const Kind kind : {kFighter, kCorvette, kCruiser}) {
      JUXTA_TRY(instantiate(world, launches, kind, first));
    }
    return {};
  });
}

Kind kind_at(const Scenario& scenario, float share) noexcept {
  const auto& kinds = scenario.kinds;
  const float at = share * ((kinds[kFighter].share + kinds[kCorvette].share) + kinds[kCruiser].share);
  if (at < kinds[kFighter].share) {
    return kFighter;
  }
  return at < kinds[kFighter].share + kinds[kCorvette].share ? kCorvette : kCruiser;
}

}  // namespace juxta::sector
