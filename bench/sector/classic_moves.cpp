// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Moving by the published store of entities in chunks, and either of its systems (classics/transform).
#include <memory>
#include <span>
#include <vector>

#include "bench/sector/ways.h"
#include "classics/transform/chunk_world.h"

namespace juxta::bench {
namespace {

class ClassicMove final : public MoveWay {
 public:
  ClassicMove(const StageScene& scene, ClassicSystem system)
      : system_(system), prefabs_(scene.forest.prefabs) {
    grow(scene.forest.batches);
    propagate();
  }

  void load(const MoveInput& input) override { moving_.look_up(input.nodes, ids_); }
  void frame(const MoveInput& input) override {
    for (const NodeRange& died : input.died) {
      world_.destroy(ids_[died.first]);
    }
    grow(input.born);
    propagate();
    const std::span<const Id> moving = moving_.with_born(input.nodes, ids_);
    for (std::size_t i = 0; i < moving.size(); ++i) {
      world_.set_local(moving[i], input.locals[i]);
    }
    propagate();
  }
  [[nodiscard]] Qvvs world(std::uint32_t node) const override { return world_.world_of(ids_[node]); }

 private:
  void grow(std::span<const Forest::Batch> batches) {
    for (const Forest::Batch& batch : batches) {
      const std::vector<NodeDescription>& prefab = prefabs_[batch.prefab];
      const std::size_t at = ids_.size();
      ids_.resize(at + prefab.size() * batch.roots.size());
      world_.instantiate(prefab, batch.roots, std::span(ids_).subspan(at));
    }
  }
  void propagate() {
    if (system_ == ClassicSystem::kDepthFirst) {
      classics::propagate_depth_first(world_);
    } else {
      classics::propagate_depth_levels(world_);
    }
  }

  ClassicSystem system_;
  std::vector<std::vector<NodeDescription>> prefabs_;
  classics::ChunkWorld world_;
  std::vector<Id> ids_;
  NodeNames moving_;
};

}  // namespace

std::unique_ptr<MoveWay> classic_move(const StageScene& scene, ClassicSystem system) {
  return std::make_unique<ClassicMove>(scene, system);
}

}  // namespace juxta::bench
