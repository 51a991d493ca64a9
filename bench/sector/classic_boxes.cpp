// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Spawning and hitting by the published layers of buckets (classics/layer).
#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "bench/sector/ways.h"
#include "classics/layer/collision_layer.h"
#include "juxta/core/workspace.h"

namespace juxta::bench {
namespace {

using classics::Ask;
using classics::CollisionLayer;
using classics::LayerCells;
using classics::Sweep;

LayerCells cells_of(const StageScene& scene, const Buckets& buckets) {
  return {scene.world, buckets.y, buckets.z};
}

Sweep sweep_of(const Buckets& buckets) {
  return buckets.paired ? Sweep::kPaired : Sweep::kOneAxis;
}

// As the article has it, flags are set by the visitor of pairs; then those still unhit ask what else there
// is: one after the other for objects, in the layer's order, or all at once as a layer of their own.
class ClassicSpawn final : public SpawnWay {
 public:
  ClassicSpawn(const StageScene& scene, const Buckets& buckets)
      : buckets_(buckets),
        points_(cells_of(scene, buckets)),
        unhit_(cells_of(scene, buckets)),
        obstacles_(cells_of(scene, buckets)),
        asteroids_(cells_of(scene, buckets)) {
    asteroids_.build(scene.asteroids, workspace_, Ask::kPairsAndObjects);
  }

  void frame(const SpawnInput& input, std::span<std::uint8_t> safe) override {
    points_.build(input.points, workspace_);
    obstacles_.build(input.obstacles, workspace_, buckets_.objects ? Ask::kPairsAndObjects : Ask::kPairs);
    hit_.assign(input.resting.begin(), input.resting.end());
    points_.flag_pairs(workspace_, hit_, sweep_of(buckets_));
    if (buckets_.objects) {
      for (const std::uint32_t point : points_.order()) {
        if (hit_[point] == 0) {
          hit_[point] = asteroids_.any_object_early(input.points[point]) ||
                                obstacles_.any_object_early(input.points[point])
                            ? 1
                            : 0;
        }
      }
    } else {
      flip(hit_, keep_);
      unhit_.build_from(points_, keep_);
      unhit_.flag_pairs(asteroids_, workspace_, hit_, sweep_of(buckets_));
      unhit_.flag_pairs(obstacles_, workspace_, hit_, sweep_of(buckets_));
    }
    flip(hit_, safe);
  }

 private:
  template <class To>
  static void flip(const std::vector<std::uint8_t>& from, To& to) {
    if constexpr (requires { to.resize(from.size()); }) {
      to.resize(from.size());
    }
    std::transform(from.begin(), from.end(), to.begin(),
                   [](std::uint8_t flag) { return static_cast<std::uint8_t>(flag == 0 ? 1 : 0); });
  }

  Buckets buckets_;
  CollisionLayer points_, unhit_, obstacles_, asteroids_;
  std::vector<std::uint8_t> hit_, keep_;
  Workspace workspace_;
};

class ClassicHit final : public HitWay {
 public:
  ClassicHit(const StageScene& scene, const Buckets& buckets)
      : sweep_(sweep_of(buckets)),
        ships_(cells_of(scene, buckets)),
        bullets_(cells_of(scene, buckets)),
        asteroids_(cells_of(scene, buckets)) {
    asteroids_.build(scene.asteroids, workspace_);
  }

  void frame(const HitInput& input, Meetings& pairs) override {
    ships_.build(input.ships, workspace_);
    bullets_.build(input.bullets, workspace_);
    find(bullets_, ships_, pairs[kBulletShip]);
    // It knows no filters: its visitor looks.
    pairs[kBulletShip].drop_if(
        [&](const Pair& pair) { return !input.bullet_filters[pair.a].meets(input.ship_filters[pair.b]); });
    pairs[kShipShip].fill([&](std::span<Pair> out) { return ships_.find_pairs(workspace_, out, sweep_); });
    find(bullets_, asteroids_, pairs[kBulletAsteroid]);
    find(ships_, asteroids_, pairs[kShipAsteroid]);
  }

 private:
  void find(const CollisionLayer& a, const CollisionLayer& b, PairList& pairs) {
    pairs.fill([&](std::span<Pair> out) { return a.find_pairs(b, workspace_, out, sweep_); });
  }

  Sweep sweep_;
  CollisionLayer ships_, bullets_, asteroids_;
  Workspace workspace_;
};

}  // namespace

std::unique_ptr<SpawnWay> classic_spawn(const StageScene& scene, const Buckets& buckets) {
  return std::make_unique<ClassicSpawn>(scene, buckets);
}

std::unique_ptr<HitWay> classic_hit(const StageScene& scene, const Buckets& buckets) {
  return std::make_unique<ClassicHit>(scene, buckets);
}

}  // namespace juxta::bench
