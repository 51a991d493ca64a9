// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "sector/asteroids.h"

#include "juxta/core/random.h"
#include "juxta/core/try.h"
#include "scenes/rock.h"
#include "sector/orientation.h"

namespace juxta::sector {
namespace {

/// Of each of the two sorts; a place, a size and a turn make a rock of its own.
constexpr std::size_t kForms = 8;
constexpr std::size_t kHullTriangles = 72;

Result<void> add_mesh(World& world, std::uint64_t seed) {
  const Mesh rock = scenes::make_rock(world.scenario.asteroid_triangles, seed);
  return TriangleMesh::build(rock.vertices, rock.triangles).map([&](TriangleMesh mesh) {
    world.meshes.push_back(std::make_unique<TriangleMesh>(std::move(mesh)));
  });
}

Result<void> add_hull(World& world, std::uint64_t seed) {
  std::vector<Vec3> corners;
  for (const auto& [x, y, z] : scenes::make_rock(kHullTriangles, seed).vertices) {
    corners.push_back({x, y, z});
  }
  return ConvexHull::build(corners).map(
      [&](ConvexHull hull) { world.hulls.push_back(std::make_unique<ConvexHull>(std::move(hull))); });
}

Body asteroid(const World& world, std::uint32_t number) {
  const Scenario& scenario = world.scenario;
  const auto draw = [&, key = RandomKey{scenario.seed, 0, kTumbles}](std::uint32_t i) {
    return random_float(key, 8 * std::uint64_t{number} + i);
  };
  const auto between = [](float lo, float hi, float u) { return lo + (hi - lo) * u; };
  Body body{
      number % 2 == 0 ? Shape(*world.meshes[number / 2 % kForms]) : Shape(*world.hulls[number / 2 % kForms]),
      {}};
  body.at.position = {(draw(0) - 0.5F) * scenario.width, (draw(1) - 0.5F) * scenario.depth,
                      (draw(2) - 0.5F) * scenario.height};
  body.at.scale = between(scenario.asteroid_min, scenario.asteroid_max, draw(3));
  const Quat turn{draw(4) - 0.5F, draw(5) - 0.5F, draw(6) - 0.5F, draw(7)};
  body.at.rotation = length_squared(turn) > 0 ? normalized(turn) : Quat{};
  return body;
}

}  // namespace

Result<void> add_asteroids(World& world) {
  for (std::uint64_t form = 0; form < kForms; ++form) {
    JUXTA_TRY(add_mesh(world, form + 1).and_then([&] { return add_hull(world, form + 1); }));
  }
  std::vector<Body> bodies;
  for (std::uint32_t number = 0; number < world.scenario.asteroids; ++number) {
    bodies.push_back(asteroid(world, number));
  }
  return world.asteroids.rebuild(bodies, {.quality = OrderQuality::kTight});
}

}  // namespace juxta::sector
