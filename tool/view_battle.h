// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A battle as things to look at: what they look like, and what can be drawn beside them.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "juxta/view/viewed_world.h"
#include "sector/world.h"

namespace juxta::tool {

/// Sets mark, size, colour and classes of a group with the name of one of the battle's populations. False: it
/// is none of them.
bool look_as_in_battle(ViewGroup& group);

/// Beside a battle: boxes, pairs, rays and what radars tell.
[[nodiscard]] std::vector<ViewOverlay> battle_overlays();
void battle_overlay(const sector::World& world, std::size_t index, ViewParts& parts);
/// How many enemies the radars told each rectangle of the map.
[[nodiscard]] ViewField radar_cells(const sector::World& world);

/// The triangles of a mesh or a hull; of other shapes none.
[[nodiscard]] ViewShape triangles_of(const Body& body);

/// Barrels of the turrets of ships that are large enough to show them.
struct Turrets {
  std::vector<float> x, y, z, length, faction;
  std::array<std::vector<float>, 3> heading;
};
void find_turrets(const sector::World& world, Turrets& turrets);

}  // namespace juxta::tool
