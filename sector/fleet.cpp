// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "sector/fleet.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "juxta/core/try.h"
#include "sector/orientation.h"

namespace juxta::sector {
namespace {

/// hull, turrets, their muzzles, exhausts: in this order in the prefab.
std::vector<NodeDescription> nodes_of(Kind kind, float length) {
  const std::uint32_t turrets = kTurrets[kind], exhausts = kExhausts[kind];
  std::vector<NodeDescription> nodes{{}};
  const auto add = [&](Vec3 at, std::uint32_t parent) {
    NodeDescription node;
    node.local.position = at * length;
    node.parent = parent;
    nodes.push_back(node);
  };
  for (std::uint32_t i = 0; i < turrets; ++i) {  // along the back, from the bow
    add({0.3F - 0.25F * static_cast<float>(i), 0, 0.18F}, 0);
  }
  for (std::uint32_t i = 0; i < turrets; ++i) {
    add({kBarrel, 0, 0}, 1 + i);
  }
  for (std::uint32_t i = 0; i < exhausts; ++i) {  // side by side at the stern
    add({-0.5F, 0.1F * (static_cast<float>(i) - 0.5F * static_cast<float>(exhausts - 1)), 0}, 0);
  }
  return nodes;
}

/// A bow, a bridge and a stern of a ship of length 1.
constexpr std::array<Vec3, 12> kCruiserHull = {{{0.5F, 0, 0},
                                                {0.25F, 0.14F, -0.06F},
                                                {0.25F, -0.14F, -0.06F},
                                                {0.2F, 0.1F, 0.08F},
                                                {0.2F, -0.1F, 0.08F},
                                                {-0.2F, 0.06F, 0.16F},
                                                {-0.2F, -0.06F, 0.16F},
                                                {-0.5F, 0.2F, 0},
                                                {-0.5F, -0.2F, 0},
                                                {-0.5F, 0.12F, 0.1F},
                                                {-0.5F, -0.12F, 0.1F},
                                                {-0.45F, 0, -0.12F}}};

Result<std::unique_ptr<ConvexHull>> cruiser_hull(float length) {
  std::array<Vec3, kCruiserHull.size()> points = kCruiserHull;
  for (Vec3& point : points) {
    point = point * length;
  }
  return ConvexHull::build(points).map(
      [](ConvexHull hull) { return std::make_unique<ConvexHull>(std::move(hull)); });
}

Shape hull_of(Kind kind, float length, const ConvexHull& cruiser) {
  switch (kind) {
    case kFighter:
      return Capsule{{-0.35F * length, 0, 0}, {0.35F * length, 0, 0}, 0.15F * length};
    case kCorvette: {
      Box box;
      box.half = {0.5F * length, 0.2F * length, 0.12F * length};
      return box;
    }
    default:
      return cruiser;
  }
}

float radius_of(const Aabb3& box) noexcept {
  const auto far = [&](int axis) { return std::max(-box.lo[axis], box.hi[axis]); };
  return length(Vec3{far(0), far(1), far(2)});
}

Result<Prefab> spawn_point_prefab() {
  std::array<NodeDescription, 2> nodes;
  nodes[1].parent = 0;
  nodes[1].local.position = {0, 0, 1};
  return Prefab::build(nodes);
}

}  // namespace

ShipNodes Model::nodes_of(Kind kind, std::span<const Id> ids) noexcept {
  ShipNodes nodes{};
  nodes.root = ids[0];
  for (std::size_t i = 0; i < kTurrets[kind]; ++i) {
    nodes.turret[i] = ids[1 + i];
    nodes.muzzle[i] = ids[1 + kTurrets[kind] + i];
  }
  return nodes;
}

Result<Fleet> make_fleet(const Scenario& scenario) {
  Fleet fleet;
  auto hull = cruiser_hull(scenario.kinds[kCruiser].length);
  auto point = spawn_point_prefab();
  if (!hull || !point) {
    return tl::unexpected<Error>(!hull ? hull.error() : point.error());
  }
  fleet.cruiser_hull = std::move(*hull);
  fleet.spawn_point = std::make_unique<Prefab>(std::move(*point));
  for (const Kind kind : {kFighter, kCorvette, kCruiser}) {
    const float length = scenario.kinds[kind].length;
    JUXTA_TRY_LET(auto prefab, Prefab::build(nodes_of(kind, length)));
    const Shape shape = hull_of(kind, length, *fleet.cruiser_hull);
    const Aabb3 box = bounds_of(shape);
    fleet.models.push_back({std::move(prefab), shape, box, radius_of(box)});
  }
  return fleet;
}

}  // namespace juxta::sector
