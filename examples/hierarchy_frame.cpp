// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The frame of a game with 10,000 ships: a system turns every dish, the hierarchy follows, and the renderer's
// matrices are filled, all in one pass. Then a frame in which few ships move, and what it touched.
#include <juxta/transform/hierarchy.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

namespace {

bool all_well = true;

void check(const char* what, bool well) {
  std::printf("%-60s %s\n", what, well ? "yes" : "NO");
  all_well = all_well && well;
}

constexpr std::size_t kHull = 0, kDish = 1, kLamp = 2, kParts = 3, kShips = 10'000;

/// A hull with a dish that turns, and a lamp at the dish's rim.
juxta::Result<juxta::Prefab> ship() {
  const std::array<juxta::NodeDescription, kParts> parts = {{
      {},
      {.local = {{}, {0, 1, 0}, 1}, .parent = kHull},
      {.local = {{}, {2, 0, 0}, 1}, .parent = kDish},
  }};
  return juxta::Prefab::build(parts);
}

/// Turns dishes about y. Each of your own arrays has a place for each slot: here, how fast a node turns.
struct Turning {
  const std::vector<float>& speeds;
  juxta::NodeMask operator()(juxta::LocalLanes& nodes) const {
    juxta::NodeMask written = 0;
    for (std::size_t i = 0; i < juxta::kNodeLanes; ++i) {
      const float half = nodes.has(i) ? speeds[nodes.slots()[i]] / 2 : 0;
      if (half != 0) {
        const float s = std::sin(half), c = std::cos(half);
        juxta::TransformLanes& local = nodes.local;
        const float y = local.qy[i], w = local.qw[i];
        local.qy[i] = y * c + w * s;  // the product of two turns about y
        local.qw[i] = w * c - y * s;
        written |= juxta::NodeMask{1} << i;
      }
    }
    return written;
  }
};

bool near(float a, float b) {
  return std::abs(a - b) < 1e-4F;
}

}  // namespace

int main() {
  juxta::Hierarchy world;
  std::vector<juxta::LocalTransform> places(kShips);
  for (std::size_t i = 0; i < kShips; ++i) {
    places[i].position = {10 * static_cast<float>(i), 0, 0};
  }
  std::vector<juxta::Id> ids(kShips * kParts);
  if (const auto prefab = ship(); !prefab || !world.instantiate(*prefab, places, ids)) {
    return 1;
  }

  constexpr float kQuarter = 1.5707964F;
  std::vector<float> speeds(world.slot_count());
  for (std::size_t i = 0; i < kShips; ++i) {
    speeds[ids[i * kParts + kDish].slot] = kQuarter;
  }
  std::vector<juxta::Matrix34> matrices(world.slot_count());
  const auto draw = [&](const juxta::WorldLanes& nodes) { juxta::write_matrices(nodes, matrices); };
  const auto frame = world.frame(juxta::NodeFields::kRotation, Turning{speeds}, draw);
  check("the first frame computes all nodes", frame && frame->computed == ids.size());
  const auto& lamp = matrices[ids[7 * kParts + kLamp].slot];
  check("a quarter turn takes the lamp from +x to -z", near(lamp.m[0][3], 70) && near(lamp.m[2][3], -2));

  const std::uint64_t seen = world.version();
  if (!world.set_position(ids[3 * kParts + kHull], {30, 5, 0}) || !world.propagate()) {
    return 1;
  }
  const auto written = world.changed_matrices(seen, matrices);
  check("one ship moves: three matrices are written", written && *written == kParts);
  check("its lamp is five higher", near(matrices[ids[3 * kParts + kLamp].slot].m[1][3], 6));
  return all_well ? 0 : 1;
}
