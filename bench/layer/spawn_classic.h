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

/// How "Find Objects 1" asks, step by step. Only `walk` and `tree` are the library's inner matter; the
/// defaults are the quickest of both that visit everything.
struct ObjectsAsked {
  classics::TreeWalk walk = classics::TreeWalk::kStack;
  classics::TreeBuild tree = classics::TreeBuild::kOnePass;
  bool layer_order = true;  ///< Spawn points ask in the order of their layer; else as they are numbered.
  bool skip_busy = true;    ///< Those in an animation do not ask.
  bool early = false;       ///< Stops at the first hit, which FindObjects cannot.
};

/// Cells of y and z, and over how much of the ball: the sample lays 6 x 6 over the cube inside of its arena.
struct ClassicCells {
  std::uint32_t side = 1;
  float share = 1;  ///< Of the ball's radius; boxes outside belong to the outermost cells.
};
inline constexpr ClassicCells kSampleCells{6, 0.57735F};

/// As the article has it: flags set by the visitor of FindPairs, then one job per other layer that skips what
/// is hit already.
class ClassicSpawn final : public SpawnWay {
 public:
  ClassicSpawn(SpawnRest rest, SpawnLayers layers, ClassicCells cells, const ObjectsAsked& asked = {},
               classics::Sweep sweep = classics::Sweep::kOneAxis)
      : rest_(rest), cells_(cells), asked_(asked), sweep_(sweep), things_(layers) {}

  void frame(const scenes::SpawnWorld& world, std::span<std::uint8_t> safe) override {
    begin(world.radius);
    const auto others = things_.of(world);
    spawners_.build(world.spawners.boxes, workspace_);
    for (std::size_t i = 0; i < things_.count(); ++i) {
      others_[i].build(others[i], workspace_,
                       rest_ == SpawnRest::kObjects ? classics::Ask::kPairsAndObjects : classics::Ask::kPairs,
                       asked_.tree);
    }
    if (asked_.skip_busy) {
      // A busy one is no more worth asking for than a hit one.
      hit_.assign(world.busy.begin(), world.busy.end());
    } else {
      hit_.assign(world.busy.size(), 0);
    }
    spawners_.flag_pairs(workspace_, hit_, sweep_);
    ask_others(world.spawners.boxes);
    for (std::size_t i = 0; i < safe.size(); ++i) {
      safe[i] = hit_[i] == 0 && world.busy[i] == 0 ? 1 : 0;
    }
  }

 private:
  void begin(float radius) {
    if (!begun_) {
      const float half = cells_.share * radius;
      const classics::LayerCells ball{{{-half, -half, -half}, {half, half, half}}, cells_.side, cells_.side};
      spawners_ = classics::CollisionLayer(ball);
      std::generate(others_.begin(), others_.end(), [&] { return classics::CollisionLayer(ball); });
      begun_ = true;
    }
  }

  void ask_others(const std::vector<Aabb3>& boxes) {
    switch (rest_) {
      case SpawnRest::kPairs:
        for (const classics::CollisionLayer& other : std::span(others_).first(things_.count())) {
          spawners_.flag_pairs(other, workspace_, hit_, sweep_);
        }
        break;
      case SpawnRest::kObjects:
        for (const classics::CollisionLayer& other : std::span(others_).first(things_.count())) {
          ask_objects(other, boxes);
        }
        break;
      case SpawnRest::kFiltered:
        keep_.resize(hit_.size());
        std::transform(hit_.begin(), hit_.end(), keep_.begin(),
                       [](std::uint8_t hit) { return static_cast<std::uint8_t>(hit == 0 ? 1 : 0); });
        unhit_.build_from(spawners_, keep_);
        for (const classics::CollisionLayer& other : std::span(others_).first(things_.count())) {
          unhit_.flag_pairs(other, workspace_, hit_, sweep_);
        }
        break;
    }
  }

  void ask_objects(const classics::CollisionLayer& other, const std::vector<Aabb3>& boxes) {
    const auto ask = [&](std::uint32_t spawner) {
      if (hit_[spawner] == 0) {
        const bool hit = asked_.early ? other.any_object_early(boxes[spawner], asked_.walk)
                                      : other.any_object(boxes[spawner], asked_.walk);
        hit_[spawner] = hit ? 1 : 0;
      }
    };
    if (asked_.layer_order) {
      std::for_each(spawners_.order().begin(), spawners_.order().end(), ask);
    } else {
      for (std::uint32_t spawner = 0; spawner < boxes.size(); ++spawner) {
        ask(spawner);
      }
    }
  }

  SpawnRest rest_;
  ClassicCells cells_;
  ObjectsAsked asked_;
  classics::Sweep sweep_;
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
  return std::make_unique<ClassicSpawn>(rest, layers, ClassicCells{cells});
}

/// Pairs among the spawn points, then objects.
inline std::unique_ptr<SpawnWay> make_classic_objects(const ObjectsAsked& asked, std::uint32_t cells) {
  return std::make_unique<ClassicSpawn>(SpawnRest::kObjects, SpawnLayers::kPerType, ClassicCells{cells},
                                        asked);
}

/// Nothing but pairs, swept in one of the ways.
inline std::unique_ptr<SpawnWay> make_classic_swept(classics::Sweep sweep, ClassicCells cells) {
  return std::make_unique<ClassicSpawn>(SpawnRest::kPairs, SpawnLayers::kPerType, cells, ObjectsAsked{},
                                        sweep);
}

inline std::unique_ptr<SmallLayerWay> make_classic_small(SmallLayerAsk ask, std::uint32_t cells) {
  return std::make_unique<ClassicSmall>(ask, cells);
}

}  // namespace juxta::bench
