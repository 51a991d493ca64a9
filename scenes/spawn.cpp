// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "scenes/spawn.h"

#include <algorithm>

#include "scenes/boxes_math.h"
#include "scenes/draws.h"

namespace juxta::scenes {
namespace {

struct Kind {
  std::size_t count;
  float smallest, largest;  // edge
  float speed;              // per frame and axis, at most
};

float dot(const float (&a)[3], const std::array<float, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Even in the ball, by rejection.
void draw_centre(Draws& draws, float radius, float (&out)[3]) {
  float length2 = 0;
  do {
    for (float& v : out) {
      v = draws.uniform(-1, 1);
    }
    length2 = out[0] * out[0] + out[1] * out[1] + out[2] * out[2];
  } while (length2 > 1);
  for (float& v : out) {
    v *= radius;
  }
}

SpawnThings make_things(Draws& draws, const Kind& kind, float radius) {
  SpawnThings things;
  things.boxes.reserve(kind.count);
  things.velocities.reserve(kind.count);
  for (std::size_t i = 0; i < kind.count; ++i) {
    float centre[3];
    draw_centre(draws, radius, centre);
    const float edge = draws.uniform(kind.smallest, kind.largest);
    things.boxes.push_back(box_around(centre, {edge, edge, edge}));
    std::array<float, 3> velocity{};
    for (float& v : velocity) {
      v = draws.uniform(-kind.speed, kind.speed);
    }
    things.velocities.push_back(velocity);
  }
  return things;
}

void advance(SpawnThings& things, float radius) {
  for (std::size_t i = 0; i < things.boxes.size(); ++i) {
    Aabb3& box = things.boxes[i];
    std::array<float, 3>& velocity = things.velocities[i];
    const float centre[3] = {0.5F * (box.lo[0] + box.hi[0]), 0.5F * (box.lo[1] + box.hi[1]),
                             0.5F * (box.lo[2] + box.hi[2])};
    const bool outside =
        centre[0] * centre[0] + centre[1] * centre[1] + centre[2] * centre[2] > radius * radius;
    if (outside && dot(centre, velocity) > 0) {
      for (float& v : velocity) {
        v = -v;
      }
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      box.lo[axis] += velocity[axis];
      box.hi[axis] += velocity[axis];
    }
  }
}

}  // namespace

SpawnForm scaled(const SpawnForm& form, double share) {
  const auto part = [share](std::size_t count) {
    return std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(count) * share));
  };
  SpawnForm small = form;
  small.spawners = part(form.spawners);
  small.ships = part(form.ships);
  small.bullets = part(form.bullets);
  small.explosions = part(form.explosions);
  small.wormholes = part(form.wormholes);
  small.radius = static_cast<float>(static_cast<double>(form.radius) * cube_root(share));
  return small;
}

SpawnWorld make_spawn(const SpawnForm& form, std::uint64_t seed) {
  Draws draws(seed);
  SpawnWorld world;
  world.radius = form.radius;
  world.spawners =
      make_things(draws, {form.spawners, form.spawner_edge, form.spawner_edge, 0.2F}, form.radius);
  world.ships = make_things(draws, {form.ships, 2.0F, 12.0F, 1.0F}, form.radius);
  world.bullets = make_things(draws, {form.bullets, 0.4F, 8.0F, 4.0F}, form.radius);
  world.explosions = make_things(draws, {form.explosions, 20.0F, 80.0F, 0.1F}, form.radius);
  world.wormholes = make_things(draws, {form.wormholes, 120.0F, 120.0F, 0.1F}, form.radius);
  world.busy.resize(form.spawners);
  for (std::uint8_t& busy : world.busy) {
    busy = draws.below(25) == 0 ? 1 : 0;
  }
  return world;
}

void advance(SpawnWorld& world) {
  for (SpawnThings* things :
       {&world.spawners, &world.ships, &world.bullets, &world.explosions, &world.wormholes}) {
    advance(*things, world.radius);
  }
}

}  // namespace juxta::scenes
