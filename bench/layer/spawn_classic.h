// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Included by spawn.cpp alone.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bench/layer/spawn_ways.h"
#include "classics/layer/collision_layer.h"
#include "juxta/core/workspace.h"

namespace juxta::bench {

/// As the article has it: flags set by the visitor of FindPairs, then one job per other layer that skips what
/// is hit already.
class ClassicSpawn final : public SpawnWay {
 public:
  ClassicSpawn(SpawnRest rest, SpawnLayers layers, std::uint32_t cells)
      : rest_(rest), cells_(cells), things_(layers) {}

  void frame(const scenes::SpawnWorld& world, std::span<std::uint8_t> safe) override {
    begin(world.radius);
    const auto others = things_.of(world);
    spawners_.build(world.spawners.boxes, workspace_);
    for (std::size_t i = 0; i < things_.count(); ++i) {
      others_[i].build(
          others[i], workspace_,
          rest_ == SpawnRest::kObjects ? classics::Ask::kPairsAndObjects : classics::Ask::kPairs);
    }
    hit_.assign(world.busy.begin(),
                world.busy.end());  // a busy one is no more worth asking for than a hit one
    spawners_.flag_pairs(workspace_, hit_);
    ask_others(world.spawners.boxes);
    std::transform(hit_.begin(), hit_.end(), safe.begin(),
                   [](std::uint8_t hit) { return static_cast<std::uint8_t>(hit == 0 ? 1 : 0); });
  }

 private:
  void begin(float radius) {
    if (!begun_) {
      const classics::LayerCells ball{
          {{-radius, -radius, -radius}, {radius, radius, radius}}, cells_, cells_};
      spawners_ = classics::CollisionLayer(ball);
      std::generate(others_.begin(), others_.end(), [&] { return classics::CollisionLayer(ball); });
      begun_ = true;
    }
  }

  void ask_others(const std::vector<Aabb3>& boxes) {
    switch (rest_) {
      case SpawnRest::kPairs:
        for (const classics::CollisionLayer& other : std::span(others_).first(things_.count())) {
          spawners_.flag_pairs(other, workspace_, hit_);
        }
        break;
      case SpawnRest::kObjects:
        for (const classics::CollisionLayer& other : std::span(others_).first(things_.count())) {
          for (const std::uint32_t spawner : spawners_.order()) {
            if (hit_[spawner] == 0) {
              hit_[spawner] = other.any_object(boxes[spawner]) ? 1 : 0;
            }
          }
        }
        break;
      case SpawnRest::kFiltered:
        keep_.resize(hit_.size());
        std::transform(hit_.begin(), hit_.end(), keep_.begin(),
                       [](std::uint8_t hit) { return static_cast<std::uint8_t>(hit == 0 ? 1 : 0); });
        unhit_.build_from(spawners_, keep_);
        for (const classics::CollisionLayer& other : std::span(others_).first(things_.count())) {
          unhit_.flag_pairs(other, workspace_, hit_);
        }
        break;
    }
  }

  SpawnRest rest_;
  std::uint32_t cells_;
  SpawnOthers things_;
  bool begun_ = false;
  classics::CollisionLayer spawners_, unhit_;
  std::array<classics::CollisionLayer, 4> others_;
  std::vector<std::uint8_t> hit_, keep_;
  Workspace workspace_;
};

class ClassicSmall final : public SmallLayerWay {
 public:
  ClassicSmall(SmallLayerAsk ask, std::uint32_t cells) : ask_(ask), cells_(cells) {}

  void frame(std::span<const Aabb3> boxes, std::span<const Aabb3> queries,
             std::span<std::uint8_t> hit) override {
    if (!begun_) {
      classics::LayerCells cells{boxes.front(), cells_, cells_};
      for (const Aabb3& box : boxes) {
        for (int axis = 0; axis < 3; ++axis) {
          cells.world.lo[axis] = std::min(cells.world.lo[axis], box.lo[axis]);
          cells.world.hi[axis] = std::max(cells.world.hi[axis], box.hi[axis]);
        }
      }
      layer_ = classics::CollisionLayer(cells);
      queries_ = classics::CollisionLayer(cells);
      begun_ = true;
    }
    if (ask_ == SmallLayerAsk::kSingle) {
      layer_.build(boxes, workspace_, classics::Ask::kPairsAndObjects);
      std::transform(queries.begin(), queries.end(), hit.begin(), [&](const Aabb3& query) {
        return static_cast<std::uint8_t>(layer_.any_object(query) ? 1 : 0);
      });
      return;
    }
    layer_.build(boxes, workspace_);
    queries_.build(queries, workspace_);
    std::fill(hit.begin(), hit.end(), 0);
    queries_.flag_pairs(layer_, workspace_, hit);
  }

 private:
  SmallLayerAsk ask_;
  std::uint32_t cells_;
  bool begun_ = false;
  classics::CollisionLayer layer_, queries_;
  Workspace workspace_;
};

inline std::unique_ptr<SpawnWay> make_classic_spawn(SpawnRest rest, SpawnLayers layers, std::uint32_t cells) {
  return std::make_unique<ClassicSpawn>(rest, layers, cells);
}

inline std::unique_ptr<SmallLayerWay> make_classic_small(SmallLayerAsk ask, std::uint32_t cells) {
  return std::make_unique<ClassicSmall>(ask, cells);
}

}  // namespace juxta::bench
