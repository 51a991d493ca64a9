// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Moving by the hierarchy, as sector/move.cpp does.
#include <memory>
#include <span>
#include <vector>

#include "bench/sector/ways.h"
#include "bench/support/must.h"
#include "juxta/transform/hierarchy.h"
#include "juxta/transform/prefab.h"

namespace juxta::bench {
namespace {

class JuxtaMove final : public MoveWay {
 public:
  JuxtaMove(const StageScene& scene, const Executor* executor) : executor_(executor) {
    for (const std::vector<NodeDescription>& prefab : scene.forest.prefabs) {
      prefabs_.push_back(must(Prefab::build(prefab)));
    }
    grow(scene.forest.batches);
    propagate();
  }

  void load(const MoveInput& input) override { moving_.look_up(input.nodes, ids_); }
  void frame(const MoveInput& input) override {
    dying_.clear();
    for (const NodeRange& died : input.died) {
      dying_.push_back(ids_[died.first]);
    }
    must(hierarchy_.remove(dying_));
    grow(input.born);
    propagate();
    must(hierarchy_.set_local(moving_.with_born(input.nodes, ids_), input.locals, {.executor = executor_}));
    propagate();
  }
  [[nodiscard]] Qvvs world(std::uint32_t node) const override { return must(hierarchy_.world(ids_[node])); }

 private:
  void grow(std::span<const Forest::Batch> batches) {
    for (const Forest::Batch& batch : batches) {
      const Prefab& prefab = prefabs_[batch.prefab];
      const std::size_t at = ids_.size();
      ids_.resize(at + prefab.size() * batch.roots.size());
      must(hierarchy_.instantiate(prefab, batch.roots, std::span(ids_).subspan(at)));
    }
  }
  void propagate() {
    Context options;
    options.executor = executor_;
    must(hierarchy_.propagate(options));
  }

  const Executor* executor_;
  Hierarchy hierarchy_;
  std::vector<Prefab> prefabs_;
  std::vector<Id> ids_, dying_;
  NodeNames moving_;
};

}  // namespace

std::unique_ptr<MoveWay> juxta_move(const StageScene& scene, const Executor* executor) {
  return std::make_unique<JuxtaMove>(scene, executor);
}

}  // namespace juxta::bench
