// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A swarm of walkers: instances of one prefab that come and go, one that gets on another's back, and frames
// drawn between two steps of the simulation.
#include <juxta/transform/hierarchy.h>
#include <juxta/transform/interpolate.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

namespace {

bool all_well = true;

void check(const char* what, bool well) {
  std::printf("%-52s %s\n", what, well ? "yes" : "NO");
  all_well = all_well && well;
}

/// A body with a saddle and two legs; each leg has a foot. Feet stay as large as they are whatever the
/// walker.
juxta::Result<juxta::Prefab> walker() {
  const std::array<juxta::NodeDescription, 6> nodes = {{
      {},
      {.local = {{}, {0, 1, 0}, 1}, .parent = 0},
      {.local = {{}, {-0.5F, 0, 0}, 1}, .parent = 0, .stretch = {0.2F, 1, 0.2F}},
      {.local = {{}, {0.5F, 0, 0}, 1}, .parent = 0, .stretch = {0.2F, 1, 0.2F}},
      {.local = {{}, {0, -1, 0}, 1}, .parent = 2, .inherit = juxta::Inherit::kWorldScale},
      {.local = {{}, {0, -1, 0}, 1}, .parent = 3, .inherit = juxta::Inherit::kWorldScale},
  }};
  return juxta::Prefab::build(nodes);
}

constexpr std::size_t kBody = 0, kSaddle = 1, kWalkers = 100;

bool near(float a, float b) {
  return std::abs(a - b) < 1e-4F;
}

/// One step: everybody walks along z; begin_step() keeps where they were.
bool step(juxta::Hierarchy& world, std::span<const juxta::Id> bodies) {
  std::vector<juxta::LocalTransform> locals(bodies.size());
  if (!world.begin_step() || !world.local(bodies, locals)) {
    return false;
  }
  for (juxta::LocalTransform& local : locals) {
    local.position.z += 2;
  }
  return world.set_local(bodies, locals) && world.propagate();
}

}  // namespace

int main() {
  juxta::Hierarchy world({.history = true});
  const auto prefab = walker();
  if (!prefab) {
    std::fprintf(stderr, "%s\n", prefab.error().message.c_str());
    return 1;
  }
  std::vector<juxta::LocalTransform> starts;
  for (std::size_t i = 0; i < kWalkers; ++i) {
    starts.push_back({{}, {5 * static_cast<float>(i), 1, 0}, i % 2 == 0 ? 1.0F : 2.0F});
  }
  std::vector<juxta::Id> parts(kWalkers * prefab->size());
  check("100 walkers of six parts come", world.instantiate(*prefab, starts, parts) && world.propagate());
  const auto part = [&](std::size_t walker, std::size_t which) {
    return parts[walker * prefab->size() + which];
  };
  std::vector<juxta::Id> bodies;
  for (std::size_t i = 0; i < kWalkers; ++i) {
    bodies.push_back(part(i, kBody));
  }

  // Three frames drawn for one step, at 0, 1/3 and 2/3 of it.
  check("they walk", step(world, bodies));
  std::vector<juxta::Qvvs> before(parts.size()), now(parts.size()), drawn(parts.size());
  check("previous and present are read", world.previous(parts, before) && world.world(parts, now));
  bool between = true;
  for (int frame = 0; frame < 3; ++frame) {
    const float t = static_cast<float>(frame) / 3;
    between = between && juxta::interpolate(before, now, t, drawn) && near(drawn[0].position.z, 2 * t);
  }
  check("frames lie between the steps", between);

  // Walker 1 gets on the back of walker 0. It does not jump: its local transform is computed anew.
  const float x = world.world(bodies[1])->position.x;
  check("one gets on another's back", world.reparent(bodies[1], part(0, kSaddle)).has_value());
  check("and is still where it was", near(world.world(bodies[1])->position.x, x));
  check("the saddle carries it on",
        step(world, std::span(bodies).first(1)) && near(world.world(bodies[1])->position.z, 4));

  // Walker 0 goes; its rider is handed to nobody, and stays where it is.
  check("its mount goes, with saddle and legs",
        world.reparent(bodies[1], juxta::Id{}) && world.remove(bodies[0]));
  check("the rider stays", near(world.world(bodies[1])->position.z, 4));
  check("five hundred and ninety-four parts are left", world.size() == (kWalkers - 1) * prefab->size());

  // A body goes and its parts fall apart: each child becomes a root where it stood.
  const std::size_t roots = world.stats().roots;
  check("another one falls apart", world.remove(bodies[2], juxta::Children::kToAncestor).has_value());
  check("three roots for one", world.stats().roots == roots + 2);
  check("and again a walker comes, ready at once",
        world.instantiate(*prefab, std::span(starts).first(1), std::span(parts).first(prefab->size())) &&
            near(world.world(part(0, kSaddle))->position.y, 2));
  return all_well && world.propagate() ? 0 : 1;
}
