// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A tank of four parts and a rock: make them, move them, ask where they are, and visit what changed.
#include <juxta/transform/hierarchy.h>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

bool all_well = true;

void check(const char* what, bool well) {
  std::printf("%-52s %s\n", what, well ? "yes" : "NO");
  all_well = all_well && well;
}

bool stands_at(const juxta::Result<juxta::Qvvs>& where, juxta::Vec3 expected) {
  const auto near = [](float a, float b) { return std::abs(a - b) < 1e-5F; };
  return where && near(where->position.x, expected.x) && near(where->position.y, expected.y) &&
         near(where->position.z, expected.z);
}

/// How many nodes changed after `version`; the version is brought up to now.
std::size_t changed_since(const juxta::Hierarchy& world, std::uint64_t& version) {
  std::size_t changed = 0;
  world.changed_since(version, [&](juxta::Id, const juxta::Qvvs&) { ++changed; });
  version = world.version();
  return changed;
}

}  // namespace

int main() {
  // Local transforms: rotation, position, scale, each relative to the parent. Numbers are checked by the
  // call.
  juxta::Hierarchy world;
  const auto hull = world.insert({{}, {10, 0, 0}, 1});
  const auto rock = world.insert({{}, {50, 0, 50}, 4});
  if (!hull || !rock) {
    return 1;
  }
  const auto turret = world.insert({{}, {0, 2, 0}, 1}, *hull);
  const auto barrel = turret ? world.insert({{}, {0, 0, 1}, 1}, *turret) : turret;
  const auto muzzle = barrel ? world.insert({{}, {0, 0, 3}, 1}, *barrel) : barrel;
  if (!muzzle) {
    std::fprintf(stderr, "%s\n", muzzle.error().message.c_str());
    return 1;
  }

  // Reading is exact at once; propagate() brings everything up to date, which is what a frame ends with.
  std::uint64_t seen = 0;
  check("the muzzle is four ahead of the turret", stands_at(world.world(*muzzle), {10, 2, 4}));
  check("a first frame computes all five", world.propagate()->computed == 5);
  check("and all five are new", changed_since(world, seen) == 5);

  // The hull drives: what hangs on it follows. The rock is not even looked at.
  check("the hull drives", world.set_position(*hull, {20, 0, 0}).has_value());
  check("the muzzle is there before the frame ends", stands_at(world.world(*muzzle), {20, 2, 4}));
  check("the frame computes the tank alone", world.propagate()->computed == 4);
  check("four nodes changed", changed_since(world, seen) == 4);

  // The turret turns by a quarter about y: +z becomes +x.
  const float half = std::sqrt(0.5F);
  check("the turret turns", world.set_local(*turret, {{0, half, 0, half}, {0, 2, 0}, 1}).has_value());
  (void)world.propagate();
  check("the muzzle points along x", stands_at(world.world(*muzzle), {24, 2, 0}));
  std::vector<juxta::Id> moved;
  world.changed_since(seen, [&](juxta::Id id, const juxta::Qvvs&) { moved.push_back(id); });
  check("turret, barrel and muzzle changed", moved == std::vector<juxta::Id>{*turret, *barrel, *muzzle});
  seen = world.version();

  check("a frame without a change costs nothing",
        world.propagate()->computed == 0 && world.version() == seen);

  // Mistakes are values, and leave everything as it was.
  const auto cycle = world.reparent(*hull, *muzzle);
  check("a cycle is refused", !cycle && cycle.error().code == juxta::ErrorCode::kInvalidArgument);
  std::printf("  \"%s\"\n", cycle ? "" : cycle.error().message.c_str());
  check("destroying the hull takes all of it", world.remove(*hull) && world.size() == 1);
  check("its Ids are dead", !world.alive(*muzzle) && !world.world(*muzzle));
  return all_well ? 0 : 1;
}
