// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "juxta/math/aabb.h"
#include "scenes/spawn.h"

namespace juxta::bench {

/// The things that a spawn point must not touch, a layer each.
[[nodiscard]] inline std::array<std::span<const Aabb3>, 4> others_of(const scenes::SpawnWorld& world) {
  return {world.ships.boxes, world.bullets.boxes, world.explosions.boxes, world.wormholes.boxes};
}

/// One way to find the safe spawn points of a frame in which everything has moved.
class SpawnWay {
 public:
  virtual ~SpawnWay() = default;
  /// Builds its layers and sets safe[i] to 1 where spawn point i is safe (scenes/spawn.h), else to 0.
  virtual void frame(const scenes::SpawnWorld& world, std::span<std::uint8_t> safe) = 0;
};

/// What is left to ask after the spawn points have met each other.
enum class SpawnRest : std::uint8_t {
  kPairs,     ///< Nothing is left out: pairs of all spawn points with each other layer.
  kObjects,   ///< Each one still unhit and not busy asks each other layer, in spatial order.
  kFiltered,  ///< Pairs of those still unhit and not busy with each other layer.
};

/// The things as a frame hands them over: a layer for each type, or (what the question allows, since nobody
/// asks which type it was) all of them copied into one.
enum class SpawnLayers : std::uint8_t { kPerType, kJoined };

class SpawnOthers {
 public:
  explicit SpawnOthers(SpawnLayers layers) : layers_(layers) {}
  [[nodiscard]] std::size_t count() const noexcept { return layers_ == SpawnLayers::kJoined ? 1 : 4; }
  /// Boxes of each layer. Valid until the next call.
  [[nodiscard]] std::array<std::span<const Aabb3>, 4> of(const scenes::SpawnWorld& world) {
    std::array<std::span<const Aabb3>, 4> boxes = others_of(world);
    if (layers_ == SpawnLayers::kJoined) {
      joined_.clear();
      for (const std::span<const Aabb3> type : boxes) {
        joined_.insert(joined_.end(), type.begin(), type.end());
      }
      boxes = {joined_};
    }
    return boxes;
  }

 private:
  SpawnLayers layers_;
  std::vector<Aabb3> joined_;
};

// The article's layers with `cells` x `cells` buckets.
[[nodiscard]] std::unique_ptr<SpawnWay> make_classic_spawn(SpawnRest rest, SpawnLayers layers,
                                                           std::uint32_t cells);

// The library. `refit`: layers keep their order from frame to frame.
[[nodiscard]] std::unique_ptr<SpawnWay> make_juxta_spawn(SpawnRest rest, SpawnLayers layers, bool refit);

/// Many questions to a small layer: which of the queries touch a box.
class SmallLayerWay {
 public:
  virtual ~SmallLayerWay() = default;
  /// Builds its layer and sets hit[i] to 1 where queries[i] touches a box, else to 0.
  virtual void frame(std::span<const Aabb3> boxes, std::span<const Aabb3> queries,
                     std::span<std::uint8_t> hit) = 0;
};

enum class SmallLayerAsk : std::uint8_t {
  kSingle,  ///< One query after the other.
  kBatch,   ///< All in one call; not for the classic.
  kPairs,   ///< The queries become a layer: pairs of two layers.
};
[[nodiscard]] std::unique_ptr<SmallLayerWay> make_classic_small(SmallLayerAsk ask, std::uint32_t cells);
[[nodiscard]] std::unique_ptr<SmallLayerWay> make_juxta_small(SmallLayerAsk ask);

}  // namespace juxta::bench
