// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A turret among 10,000 bodies: which targets does it see? A line of sight is a ray that needs any hit, not
// the nearest, and leaves out the turret and the target themselves.
#include <juxta/shape/bodies.h>
#include <juxta/shape/query.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr std::uint32_t kBodies = 10000;
constexpr float kWorld = 200;
constexpr juxta::Filter kGlass{.category = 2};  // seen through

/// A small generator, the same on every machine.
float unit(std::uint32_t& state) {
  state = state * 1664525U + 1013904223U;
  return static_cast<float>(state >> 8) * 0x1p-24F;
}

std::vector<juxta::Body> make_world() {
  std::uint32_t state = 7;
  std::vector<juxta::Body> bodies;
  for (std::uint32_t i = 0; i < kBodies; ++i) {
    juxta::Body body;
    const float size = 0.3F + unit(state);
    switch (i % 3) {
      case 0:
        body.shape = juxta::Sphere{{}, size};
        break;
      case 1:
        body.shape = juxta::Capsule{{0, -size, 0}, {0, size, 0}, size / 2};
        break;
      default:
        body.shape = juxta::Box{{}, {}, {size, size, size}};
    }
    body.at.position = {unit(state) * kWorld, unit(state) * kWorld / 4, unit(state) * kWorld};
    body.at.rotation = juxta::normalized(juxta::Quat{unit(state), unit(state), unit(state), 1});
    bodies.push_back(body);
  }
  return bodies;
}

}  // namespace

int main() {
  const std::vector<juxta::Body> world = make_world();
  std::vector<juxta::Filter> filters(kBodies);
  for (std::uint32_t i = 0; i < kBodies; i += 10) {
    filters[i] = kGlass;
  }
  juxta::Bodies bodies;
  if (const auto built = bodies.rebuild(world, {.filters = filters}); !built) {
    std::fprintf(stderr, "%s\n", built.error().message.c_str());
    return 1;
  }

  constexpr std::uint32_t kTurret = 4321;
  const juxta::Vec3 eye = world[kTurret].at.position;
  std::uint32_t seen = 0, asked = 0, wrong = 0, first_in_the_way = juxta::kNoBody;
  for (std::uint32_t target = 0; target < kBodies; target += 7) {
    if (target == kTurret) {
      continue;
    }
    const juxta::Ray3 ray = juxta::segment(eye, world[target].at.position);
    const std::array<std::uint32_t, 2> both = {kTurret, target};
    const juxta::QueryOptions query{.filter = {.mask = ~kGlass.category}, .ignore = both};
    const bool free = !bodies.raycast_any(ray, query);
    ++asked;
    seen += free ? 1 : 0;
    if (!free && first_in_the_way == juxta::kNoBody) {
      first_in_the_way = bodies.raycast_closest(ray, query).body;
    }
    if (target % 70 != 0) {
      continue;
    }
    bool blocked = false;  // the definition: a ray against each body
    for (std::uint32_t i = 0; i < kBodies && !blocked; ++i) {
      blocked = i != kTurret && i != target && i % 10 != 0 && raycast(world[i].shape, world[i].at, ray).hit;
    }
    wrong += blocked == free ? 1 : 0;
  }
  std::printf("%u targets, %u in sight; body %u hides the first of the others\n", asked, seen,
              first_in_the_way);
  return wrong == 0 && seen > 0 && seen < asked ? 0 : 1;
}
