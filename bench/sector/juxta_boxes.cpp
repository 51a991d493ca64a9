// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Spawning and hitting by layers, as sector/spawn.cpp and sector/hit.cpp ask them.
#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "bench/sector/ways.h"
#include "bench/support/must.h"
#include "juxta/core/workspace.h"
#include "juxta/layer/layer.h"
#include "juxta/layer/query.h"

namespace juxta::bench {
namespace {

// Asteroids stay where they are.
const LayerOptions kStill{.quality = OrderQuality::kTight};

class JuxtaSpawn final : public SpawnWay {
 public:
  JuxtaSpawn(const StageScene& scene, const Executor* executor)
      : executor_(executor), asteroids_(must(Layer::build(scene.asteroids, kStill))) {}

  void frame(const SpawnInput& input, std::span<std::uint8_t> safe) override {
    must(points_.rebuild(input.points, {}, {.executor = executor_, .workspace = &workspace_}));
    must(obstacles_.rebuild(input.obstacles, {}, {.executor = executor_, .workspace = &workspace_}));
    std::transform(input.resting.begin(), input.resting.end(), safe.begin(),
                   [](std::uint8_t resting) { return static_cast<std::uint8_t>(resting == 0 ? 1 : 0); });
    must(visit_pairs(points_,
                     [&](std::span<const Pair> pairs) {
                       for (const Pair& pair : pairs) {
                         safe[pair.a] = safe[pair.b] = 0;
                       }
                       return true;
                     },
                     {}, {.executor = executor_, .workspace = &workspace_}));
    for (const Layer* layer : {&obstacles_, &asteroids_}) {
      ask(*layer, input.points, safe);
    }
  }

 private:
  // Those still safe, in one batch.
  void ask(const Layer& layer, std::span<const Aabb3> boxes, std::span<std::uint8_t> safe) {
    asking_.clear();
    queries_.clear();
    for (std::uint32_t i = 0; i < safe.size(); ++i) {
      if (safe[i] != 0) {
        asking_.push_back(i);
        queries_.push_back(boxes[i]);
      }
    }
    answers_.resize(asking_.size());
    must(find_any(layer, std::span<const Aabb3>(queries_), std::span(answers_), {},
                  {.executor = executor_, .workspace = &workspace_}));
    for (std::size_t i = 0; i < asking_.size(); ++i) {
      safe[asking_[i]] = answers_[i] == kNoBody ? 1 : 0;
    }
  }

  const Executor* executor_;
  Layer points_, obstacles_, asteroids_;
  std::vector<std::uint32_t> asking_, answers_;
  std::vector<Aabb3> queries_;
  Workspace workspace_;
};

class JuxtaHit final : public HitWay {
 public:
  JuxtaHit(const StageScene& scene, const Executor* executor)
      : executor_(executor), asteroids_(must(Layer::build(scene.asteroids, kStill))) {}

  void frame(const HitInput& input, Meetings& pairs) override {
    take(ships_, input.ships, input.ship_filters);
    take(bullets_, input.bullets, input.bullet_filters);
    find(bullets_, ships_, pairs[kBulletShip]);
    pairs[kShipShip].fill([&](std::span<Pair> out) {
      return find_pairs(ships_, out, {}, {.executor = executor_, .workspace = &workspace_})->found;
    });
    find(bullets_, asteroids_, pairs[kBulletAsteroid]);
    find(ships_, asteroids_, pairs[kShipAsteroid]);
  }

 private:
  void take(Layer& layer, std::span<const Aabb3> boxes, std::span<const Filter> filters) {
    must(layer.rebuild(boxes, {.filters = filters}, {.executor = executor_, .workspace = &workspace_}));
  }
  void find(const Layer& a, const Layer& b, PairList& pairs) {
    pairs.fill([&](std::span<Pair> out) {
      return find_pairs(a, b, out, {}, {.executor = executor_, .workspace = &workspace_})->found;
    });
  }

  const Executor* executor_;
  Layer ships_, bullets_, asteroids_;
  Workspace workspace_;
};

}  // namespace

std::unique_ptr<SpawnWay> juxta_spawn(const StageScene& scene, const Executor* executor) {
  return std::make_unique<JuxtaSpawn>(scene, executor);
}

std::unique_ptr<HitWay> juxta_hit(const StageScene& scene, const Executor* executor) {
  return std::make_unique<JuxtaHit>(scene, executor);
}

}  // namespace juxta::bench
