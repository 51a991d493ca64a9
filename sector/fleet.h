// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What ships are made of. Ships look along +x, with +z up.
//
//   hull -+- turret -- muzzle     fighter:  1 turret,  2 exhausts:  5 nodes
//         +- ...                  corvette: 2 turrets, 3 exhausts:  8 nodes
//         +- exhaust ...          cruiser:  3 turrets, 5 exhausts: 12 nodes
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/core/id.h"
#include "juxta/math/aabb.h"
#include "juxta/shape/parts.h"
#include "juxta/shape/shape.h"
#include "juxta/transform/prefab.h"
#include "sector/scenario.h"

namespace juxta::sector {

inline constexpr std::size_t kMostTurrets = 3;
inline constexpr std::array<std::uint32_t, kKinds> kTurrets = {1, 2, 3};
inline constexpr std::array<std::uint32_t, kKinds> kExhausts = {2, 3, 5};
inline constexpr float kBarrel = 0.15F;  ///< From a turret to its muzzle, in lengths of the ship.

/// The nodes of one ship that the battle writes to or reads: a column of the ships. Id{} behind the last
/// turret.
struct ShipNodes {
  Id root;
  std::array<Id, kMostTurrets> turret, muzzle;
  friend bool operator==(const ShipNodes&, const ShipNodes&) = default;
};

/// One kind: its tree of nodes, its hull, and the box around that in its own space.
struct Model {
  Prefab prefab;
  Shape hull;  ///< Capsule, box or convex hull.
  Aabb3 box;
  float radius;  ///< Of a ball around the root that holds the hull.

  /// From the Ids of one instance, node by node as instantiate() gives them.
  [[nodiscard]] static ShipNodes nodes_of(Kind kind, std::span<const Id> ids) noexcept;
};

/// The models, and the prefab of a spawn point: a beacon that holds a ring.
struct Fleet {
  std::vector<Model> models;  ///< By Kind.
  std::unique_ptr<ConvexHull> cruiser_hull;
  std::unique_ptr<Prefab> spawn_point;
};
[[nodiscard]] Result<Fleet> make_fleet(const Scenario& scenario);

}  // namespace juxta::sector
