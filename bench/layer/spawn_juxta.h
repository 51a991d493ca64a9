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
#include "bench/support/must.h"
#include "juxta/core/workspace.h"
#include "juxta/layer/find_pairs.h"
#include "juxta/layer/layer.h"
#include "juxta/layer/query.h"

namespace juxta::bench {

/// Rebuilds, or refits where the number of boxes stayed.
inline void take_in(Layer& layer, std::span<const Aabb3> boxes, Workspace& workspace, bool refit) {
  if (refit && layer.capacity() == boxes.size()) {
    must(layer.refit(boxes, {.workspace = &workspace}));
  } else {
    must(layer.rebuild(boxes, {}, {.workspace = &workspace}));
  }
}

class JuxtaSpawn final : public SpawnWay {
 public:
  JuxtaSpawn(SpawnRest rest, SpawnLayers layers, bool refit) : rest_(rest), refit_(refit), things_(layers) {}

  void frame(const scenes::SpawnWorld& world, std::span<std::uint8_t> safe) override {
    const auto others = things_.of(world);
    take_in(spawners_, world.spawners.boxes, workspace_, refit_);
    for (std::size_t i = 0; i < things_.count(); ++i) {
      take_in(others_[i], others[i], workspace_, refit_);
    }
    std::transform(world.busy.begin(), world.busy.end(), safe.begin(),
                   [](std::uint8_t busy) { return static_cast<std::uint8_t>(busy == 0 ? 1 : 0); });
    must(visit_pairs(spawners_,
                     [&](std::span<const Pair> pairs) {
                       for (const Pair& pair : pairs) {
                         safe[pair.a] = 0;
                         safe[pair.b] = 0;
                       }
                       return true;
                     },
                     {}, {.workspace = &workspace_}));
    if (rest_ == SpawnRest::kObjects) {
      ask_objects(world.spawners.boxes, others, safe);
    } else {
      ask_pairs(safe);
    }
  }

 private:
  void ask_pairs(std::span<std::uint8_t> safe) {
    FindPairsOptions options;
    for (const Layer& other : std::span(others_).first(things_.count())) {
      if (rest_ == SpawnRest::kFiltered) {
        only_.assign(safe.begin(), safe.end());  // what the visitor writes is not what is being read
        options.only = only_;
      }
      must(visit_pairs(spawners_, other,
                       [&](std::span<const Pair> pairs) {
                         for (const Pair& pair : pairs) {
                           safe[pair.a] = 0;
                         }
                         return true;
                       },
                       options, {.workspace = &workspace_}));
    }
  }

  // The smaller side asks: few large things ask the spawn points first. Then those still safe ask the large
  // layers, in one batch each, which sorts them by space.
  void ask_objects(const std::vector<Aabb3>& boxes, std::span<const std::span<const Aabb3>> others,
                   std::span<std::uint8_t> safe) {
    const std::size_t few = boxes.size() / 8;
    for (std::size_t i = 0; i < things_.count(); ++i) {
      if (others[i].size() <= few) {
        ask_spawners(others[i], safe);
      }
    }
    asking_.clear();
    for (std::uint32_t i = 0; i < safe.size(); ++i) {
      if (safe[i] != 0) {
        asking_.push_back(i);
      }
    }
    for (std::size_t i = 0; i < things_.count(); ++i) {
      if (others[i].size() > few) {
        ask_things(others_[i], boxes, safe);
      }
    }
  }

  void ask_spawners(std::span<const Aabb3> things, std::span<std::uint8_t> safe) {
    for (const Aabb3& thing : things) {
      visit(spawners_, thing, [&](std::uint32_t spawner) {
        safe[spawner] = 0;
        return true;
      });
    }
  }

  // What one layer hits need not ask the next.
  void ask_things(const Layer& layer, const std::vector<Aabb3>& boxes, std::span<std::uint8_t> safe) {
    queries_.resize(asking_.size());
    answers_.resize(asking_.size());
    for (std::size_t i = 0; i < asking_.size(); ++i) {
      queries_[i] = boxes[asking_[i]];
    }
    must(find_any(layer, std::span<const Aabb3>(queries_), std::span(answers_), {},
                  {.workspace = &workspace_}));
    std::size_t left = 0;
    for (std::size_t i = 0; i < asking_.size(); ++i) {
      const std::uint32_t spawner = asking_[i];
      safe[spawner] = answers_[i] == kNoBody ? 1 : 0;
      asking_[left] = spawner;
      left += answers_[i] == kNoBody ? 1U : 0U;
    }
    asking_.resize(left);
  }

  SpawnRest rest_;
  bool refit_;
  SpawnOthers things_;
  Layer spawners_;
  std::array<Layer, 4> others_;
  std::vector<std::uint32_t> asking_, answers_;
  std::vector<Aabb3> queries_;
  std::vector<std::uint8_t> only_;
  Workspace workspace_;
};

class JuxtaSmall final : public SmallLayerWay {
 public:
  explicit JuxtaSmall(SmallLayerAsk ask) : ask_(ask) {}

  void frame(std::span<const Aabb3> boxes, std::span<const Aabb3> queries,
             std::span<std::uint8_t> hit) override {
    take_in(layer_, boxes, workspace_, false);
    if (ask_ == SmallLayerAsk::kSingle) {
      std::transform(queries.begin(), queries.end(), hit.begin(), [&](const Aabb3& query) {
        return static_cast<std::uint8_t>(find_any(layer_, query) != kNoBody ? 1 : 0);
      });
      return;
    }
    if (ask_ == SmallLayerAsk::kBatch) {
      answers_.resize(queries.size());
      must(find_any(layer_, queries, std::span(answers_), {}, {.workspace = &workspace_}));
      std::transform(answers_.begin(), answers_.end(), hit.begin(),
                     [](std::uint32_t body) { return static_cast<std::uint8_t>(body != kNoBody ? 1 : 0); });
      return;
    }
    take_in(queries_, queries, workspace_, false);
    std::fill(hit.begin(), hit.end(), 0);
    must(visit_pairs(queries_, layer_,
                     [&](std::span<const Pair> pairs) {
                       for (const Pair& pair : pairs) {
                         hit[pair.a] = 1;
                       }
                       return true;
                     },
                     {}, {.workspace = &workspace_}));
  }

 private:
  SmallLayerAsk ask_;
  Layer layer_, queries_;
  std::vector<std::uint32_t> answers_;
  Workspace workspace_;
};

inline std::unique_ptr<SpawnWay> make_juxta_spawn(SpawnRest rest, SpawnLayers layers, bool refit) {
  return std::make_unique<JuxtaSpawn>(rest, layers, refit);
}

inline std::unique_ptr<SmallLayerWay> make_juxta_small(SmallLayerAsk ask) {
  return std::make_unique<JuxtaSmall>(ask);
}

}  // namespace juxta::bench
