// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "scenes/spawn.h"

#include <algorithm>
#include <cmath>

#include "scenes/boxes_math.h"
#include "scenes/draws.h"

namespace juxta::scenes {
namespace {

struct Kind {
  std::size_t count;
  float smallest, largest;  // edge
  float speed;              // per frame and axis, at most; on orbits per frame and axis at `radius`
};

// Where things are: the ball, and the room that an orbit leaves to its rim.
struct Places {
  SpawnPlaces law;
  float radius, room;
};

// Even in the ball, by rejection.
void draw_centre(Draws& draws, float radius, Vec3& out) {
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

// A length-1 direction, even on the sphere.
void draw_direction(Draws& draws, Vec3& out) {
  float length2 = 0;
  do {
    draw_centre(draws, 1, out);
    length2 = out[0] * out[0] + out[1] * out[1] + out[2] * out[2];
  } while (length2 < 1e-4F);
  const float length = std::sqrt(length2);
  for (float& v : out) {
    v /= length;
  }
}

// Anywhere on an orbit whose plane may be any: on the sphere of its radius around its centre.
void draw_on_orbit(Draws& draws, const Places& places, Vec3& out) {
  const float u = draws.unit();
  const float orbit = u * u * (places.radius - places.room);
  const float distance = draws.uniform(0, places.radius - orbit);
  Vec3 to_centre, to_thing;
  draw_direction(draws, to_centre);
  draw_direction(draws, to_thing);
  for (int axis = 0; axis < 3; ++axis) {
    out[axis] = distance * to_centre[axis] + orbit * to_thing[axis];
  }
}

SpawnThings make_things(Draws& draws, const Kind& kind, const Places& places) {
  const bool orbits = places.law == SpawnPlaces::kOrbits;
  const float speed = orbits ? kind.speed / places.radius : kind.speed;
  SpawnThings things;
  things.boxes.reserve(kind.count);
  things.velocities.reserve(kind.count);
  for (std::size_t i = 0; i < kind.count; ++i) {
    Vec3 centre;
    if (orbits) {
      draw_on_orbit(draws, places, centre);
    } else {
      draw_centre(draws, places.radius, centre);
    }
    const float edge = draws.uniform(kind.smallest, kind.largest);
    things.boxes.push_back(box_around(centre, {edge, edge, edge}));
    Vec3 velocity{};
    for (float& v : velocity) {
      v = draws.uniform(-speed, speed);
    }
    things.velocities.push_back(velocity);
  }
  return things;
}

void advance(SpawnThings& things, float radius) {
  for (std::size_t i = 0; i < things.boxes.size(); ++i) {
    Aabb3& box = things.boxes[i];
    Vec3& velocity = things.velocities[i];
    const Vec3 centre = {0.5F * (box.lo[0] + box.hi[0]), 0.5F * (box.lo[1] + box.hi[1]),
                         0.5F * (box.lo[2] + box.hi[2])};
    const bool outside =
        centre[0] * centre[0] + centre[1] * centre[1] + centre[2] * centre[2] > radius * radius;
    if (outside && dot(centre, velocity) > 0) {
      velocity = -velocity;
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      box.lo[axis] += velocity[axis];
      box.hi[axis] += velocity[axis];
    }
  }
}

// Turns each thing a little around an axis through 0 and puts it back to its distance.
void turn(SpawnThings& things) {
  for (std::size_t i = 0; i < things.boxes.size(); ++i) {
    Aabb3& box = things.boxes[i];
    const Vec3& w = things.velocities[i];
    Vec3 at, edge;
    for (int axis = 0; axis < 3; ++axis) {
      at[axis] = 0.5F * (box.lo[axis] + box.hi[axis]);
      edge[axis] = box.hi[axis] - box.lo[axis];
    }
    Vec3 to = {at[0] + w[1] * at[2] - w[2] * at[1], at[1] + w[2] * at[0] - w[0] * at[2],
               at[2] + w[0] * at[1] - w[1] * at[0]};
    const float was = at[0] * at[0] + at[1] * at[1] + at[2] * at[2];
    const float is = to[0] * to[0] + to[1] * to[1] + to[2] * to[2];
    const float back = is > 0 ? std::sqrt(was / is) : 1;
    box = box_around(to * back, edge);
  }
}

}  // namespace

SpawnForm scaled(const SpawnForm& form, double share) {
  const auto part = [share](std::size_t count) {
    const auto some = static_cast<std::size_t>(static_cast<double>(count) * share);
    return std::max(some, std::min<std::size_t>(count, 1));
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
  world.places = form.places;
  const Places places{form.places, form.radius, 0.5F * form.spawner_edge};
  const bool orbits = form.places == SpawnPlaces::kOrbits;
  const Kind ships = orbits ? Kind{form.ships, 2.0F, 6.0F, 1.0F} : Kind{form.ships, 2.0F, 12.0F, 1.0F};
  const Kind bullets = orbits ? Kind{form.bullets, 0.2F, 3.4F, 4.0F} : Kind{form.bullets, 0.4F, 8.0F, 4.0F};
  const Kind explosions =
      orbits ? Kind{form.explosions, 4.0F, 20.0F, 0.1F} : Kind{form.explosions, 20.0F, 80.0F, 0.1F};
  world.spawners = make_things(draws, {form.spawners, form.spawner_edge, form.spawner_edge, 0.2F}, places);
  world.ships = make_things(draws, ships, places);
  world.bullets = make_things(draws, bullets, places);
  world.explosions = make_things(draws, explosions, places);
  world.wormholes = make_things(draws, {form.wormholes, 120.0F, 120.0F, 0.1F}, places);
  world.busy.resize(form.spawners);
  for (std::uint8_t& busy : world.busy) {
    busy = draws.below(25) == 0 ? 1 : 0;
  }
  return world;
}

void advance(SpawnWorld& world) {
  for (SpawnThings* things :
       {&world.spawners, &world.ships, &world.bullets, &world.explosions, &world.wormholes}) {
    if (world.places == SpawnPlaces::kOrbits) {
      turn(*things);
    } else {
      advance(*things, world.radius);
    }
  }
}

}  // namespace juxta::scenes
