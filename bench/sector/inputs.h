// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What the stages of a tick get, without the modules: the same for every contender.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "juxta/layer/filter.h"
#include "juxta/math/aabb.h"
#include "juxta/math/qvvs.h"
#include "juxta/transform/prefab.h"

namespace juxta::bench {

/// Which spawn points are safe: those that are not resting, and touch neither each other nor anything else.
struct SpawnInput {
  std::vector<Aabb3> points;
  std::vector<std::uint8_t> resting;  ///< By point: not 0 while its animation lasts.
  std::vector<Aabb3> obstacles;       ///< All that moves: ships, bullets, explosions. Asteroids come on top.
};

/// Which boxes of bullets, ships and asteroids touch: what the exact tests are done for.
struct HitInput {
  std::vector<Aabb3> ships, bullets;
  std::vector<Filter> ship_filters, bullet_filters;  ///< Who meets whom.
};

/// Ships, row by row, as the last tick left them: what each notes about those within sight. Factions are
/// whole numbers.
struct SteerInput {
  std::array<std::vector<float>, 3> position, velocity;
  std::vector<float> faction, threat;
};
/// The totals of sector::Notice, in its order, each by row of the input.
using SteerTotals = std::array<std::vector<float>, 15>;

/// Trees, one instance after the other; an instance's nodes are numbered as its prefab lists them.
struct Forest {
  std::vector<std::vector<NodeDescription>> prefabs;
  struct Batch {
    std::uint32_t prefab;
    std::vector<LocalTransform> roots;
  };
  std::vector<Batch> batches;

  [[nodiscard]] std::size_t nodes() const {
    std::size_t sum = 0;
    for (const Batch& batch : batches) {
      sum += prefabs[batch.prefab].size() * batch.roots.size();
    }
    return sum;
  }
};

/// All nodes of one instance, by number.
struct NodeRange {
  std::uint32_t first, count;
};

/// What becomes of the forest in one tick: instances go and come, and all is propagated; then all that is
/// placed by its agent goes where that has moved, and all is propagated once more.
struct MoveInput {
  std::vector<NodeRange> died;
  std::vector<Forest::Batch> born;     ///< Their nodes are numbered after all that there are.
  std::vector<std::uint32_t> nodes;    ///< Written, ...
  std::vector<LocalTransform> locals;  ///< ... and with what.
};

/// What stays the same through all ticks.
struct StageScene {
  Aabb3 world;
  float sight, room;  ///< As sector::Scenario has them.
  std::vector<Aabb3> asteroids;
  Forest forest;
};

}  // namespace juxta::bench
