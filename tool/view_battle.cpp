// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tool/view_battle.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "juxta/layer/find_pairs.h"
#include "juxta/shape/parts.h"

namespace juxta::tool {
namespace {

struct Look {
  std::string_view name;
  ViewMark mark;
  float size;
  const char* colour;
};
constexpr std::array<Look, 6> kLooks = {{{"ships", ViewMark::kShip, 4, "faction"},
                                         {"bullets", ViewMark::kStreak, 6, "faction"},
                                         {"explosions", ViewMark::kBall, 6, "age"},
                                         {"wrecks", ViewMark::kRock, 1.2F, ""},
                                         {"spawn points", ViewMark::kDot, 0, "faction"},
                                         {"spawn_points", ViewMark::kDot, 0, "faction"}}};

Vec3 place(const Population& of, std::size_t row) {
  return {of.read(of.position(0))[row], of.read(of.position(1))[row], of.read(of.position(2))[row]};
}

void ship_boxes(const sector::World& world, ViewParts& parts) {
  for (const Aabb3& box : world.derived.ship_boxes) {
    parts.insert(box.lo, box.hi);
  }
}

void tree_blocks(const sector::World& world, ViewParts& parts) {
  std::vector<Aabb3> blocks(world.derived.ship_layer.stats().blocks);
  blocks.resize(std::min(world.derived.ship_layer.block_boxes(blocks), blocks.size()));
  for (const Aabb3& box : blocks) {
    parts.insert(box.lo, box.hi);
  }
}

void near_pairs(const sector::World& world, ViewParts& parts) {
  const Layer& layer = world.derived.ship_layer;
  const auto middle = [&](std::uint32_t body) {
    const auto box = layer.box_of(body);
    return box ? (box->lo + box->hi) * 0.5F : Vec3{};
  };
  const auto shown = visit_pairs(layer, [&](std::span<const Pair> pairs) {
    return std::ranges::all_of(
        pairs, [&](const Pair& pair) { return parts.insert(middle(pair.a), middle(pair.b)); });
  });
  static_cast<void>(shown);  // without options there is no error
}

/// The way of each bullet in this tick: the ray that was cast for it. One that was just fired had none.
void bullet_paths(const sector::World& world, ViewParts& parts) {
  const Population& all = *world.bullets.all;
  const auto vx = all.read(world.bullets.velocity[0]), vy = all.read(world.bullets.velocity[1]),
             vz = all.read(world.bullets.velocity[2]), age = all.read(world.bullets.age);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Vec3 at = place(all, i);
    if (age[i] > 0) {
      parts.insert(at - Vec3{vx[i], vy[i], vz[i]} * sector::kTick, at);
    }
  }
}

void targets(const sector::World& world, ViewParts& parts) {
  const Population& all = *world.ships.all;
  const auto target = all.read(world.ships.target);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (const auto row = all.row_of(target[i])) {
      parts.insert(place(all, i), place(all, *row));
    }
  }
}

ViewShape triangles_of_mesh(const TriangleMesh& mesh) {
  ViewShape shape;
  for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t) {
    const Triangle triangle = mesh.triangle(t);
    const auto first = static_cast<std::uint32_t>(shape.corners.size());
    shape.corners.insert(shape.corners.end(), {triangle.a, triangle.b, triangle.c});
    shape.triangles.push_back({first, first + 1, first + 2});
  }
  return shape;
}

/// Face by face: its corners in turn around the normal, as a fan.
ViewShape triangles_of_hull(const ConvexHull& hull) {
  ViewShape shape;
  shape.corners.assign(hull.vertices().begin(), hull.vertices().end());
  float size = 0;
  for (const Vec3& corner : shape.corners) {
    size = std::max({size, std::fabs(corner.x), std::fabs(corner.y), std::fabs(corner.z)});
  }
  for (const Plane3& face : hull.faces()) {
    const Vec3 aside = std::fabs(face.normal.x) < 0.7F ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 u = normalized(cross(face.normal, aside)), v = cross(face.normal, u);
    std::vector<std::pair<float, std::uint32_t>> around;
    Vec3 middle{};
    for (std::uint32_t i = 0; i < shape.corners.size(); ++i) {
      if (std::fabs(signed_distance(face, shape.corners[i])) <= 1e-4F * size) {
        around.emplace_back(0.0F, i);
        middle = middle + shape.corners[i];
      }
    }
    middle = middle * (1 / std::max(static_cast<float>(around.size()), 1.0F));
    for (auto& [angle, i] : around) {
      const Vec3 way = shape.corners[i] - middle;
      angle = std::atan2(dot(way, v), dot(way, u));
    }
    std::ranges::sort(around);
    for (std::size_t i = 2; i < around.size(); ++i) {
      shape.triangles.push_back({around[0].second, around[i - 1].second, around[i].second});
    }
  }
  return shape;
}

}  // namespace

bool look_as_in_battle(ViewGroup& group) {
  const auto look = std::ranges::find(kLooks, std::string_view(group.name), &Look::name);
  if (look == kLooks.end()) {
    return false;
  }
  group.mark = look->mark;
  group.size = look->size;
  group.colour = look->colour;
  if (group.colour == "faction") {
    group.classes = {"blue", "red", "green", "yellow"};
  }
  return true;
}

/// In the order of battle_overlay().
std::vector<ViewOverlay> battle_overlays() {
  using Kind = ViewOverlay::Kind;
  return {{"ship boxes", Kind::kBoxes, "the boxes of the ships, as the layer has them"},
          {"tree blocks", Kind::kBoxes, "the layer's blocks of 16 ships"},
          {"near pairs", Kind::kLines, "ships whose boxes overlap"},
          {"bullet paths", Kind::kLines, "the ray that was cast for each bullet in this tick"},
          {"targets", Kind::kLines, "from each ship to the one that it aims at"},
          {"radar cells", Kind::kField, "how many enemies the radars told each rectangle of the map"}};
}

void battle_overlay(const sector::World& world, std::size_t index, ViewParts& parts) {
  constexpr std::array<void (*)(const sector::World&, ViewParts&), 5> kMakers = {
      ship_boxes, tree_blocks, near_pairs, bullet_paths, targets};
  if (index < kMakers.size()) {
    kMakers[index](world, parts);
  }
}

ViewField radar_cells(const sector::World& world) {
  ViewField field;
  const sector::Scenario& s = world.scenario;
  field.columns = field.rows = s.radar_cells;
  field.lo = {-s.width / 2, -s.depth / 2, -s.height / 2};
  field.hi = {s.width / 2, s.depth / 2, -s.height / 2};
  field.values.assign(std::size_t{s.radar_cells} * s.radar_cells, 0);
  for (const sector::Radar& radar : world.radars) {
    for (std::size_t cell = 0; cell < std::min(radar.counts.size(), field.values.size()); ++cell) {
      field.values[cell] += static_cast<float>(radar.counts[cell]);
    }
  }
  return field;
}

ViewShape triangles_of(const Body& body) {
  ViewShape shape;
  if (const auto* const mesh = body.shape.get_if<TriangleMesh>()) {
    shape = triangles_of_mesh(*mesh);
  } else if (const auto* const hull = body.shape.get_if<ConvexHull>()) {
    shape = triangles_of_hull(*hull);
  }
  for (Vec3& corner : shape.corners) {
    corner = body.at.position + rotate(body.at.rotation, corner * body.at.stretch * body.at.scale);
  }
  return shape;
}

void find_turrets(const sector::World& world, Turrets& turrets) {
  for (auto* const column : {&turrets.x, &turrets.y, &turrets.z, &turrets.length, &turrets.faction,
                             &turrets.heading[0], &turrets.heading[1], &turrets.heading[2]}) {
    column->clear();
  }
  const Population& ships = *world.ships.all;
  const auto kind = ships.read(world.ships.kind);
  const auto faction = ships.read(world.ships.faction);
  const auto nodes = ships.read(world.ships.nodes);
  for (std::size_t row = 0; row < ships.size(); ++row) {
    if (kind[row] == sector::kFighter) {
      continue;  // its gun is as large as a dot
    }
    for (std::size_t t = 0; t < sector::kTurrets[kind[row]]; ++t) {
      const auto at = world.hierarchy.world(nodes[row].turret[t]);
      if (!at) {
        continue;
      }
      const Vec3 way = rotate(at->rotation, Vec3{1, 0, 0});
      turrets.x.push_back(at->position.x);
      turrets.y.push_back(at->position.y);
      turrets.z.push_back(at->position.z);
      turrets.length.push_back(sector::kBarrel * world.scenario.kinds[kind[row]].length);
      turrets.faction.push_back(faction[row]);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        turrets.heading[axis].push_back(way[axis]);
      }
    }
  }
}

}  // namespace juxta::tool
