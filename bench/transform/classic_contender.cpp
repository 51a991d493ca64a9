// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <memory>
#include <vector>

#include "bench/support/must.h"
#include "bench/support/settings.h"
#include "bench/transform/contenders.h"
#include "bench/transform/wide_frame-inl.h"
#include "classics/transform/chunk_world.h"
#include "juxta/core/executor.h"

namespace juxta::bench {
namespace {

class ClassicContender final : public Contender {
 public:
  ClassicContender(Classic system, const classics::PropagateForm& form, unsigned threads)
      : system_(system), form_(form) {
    if (threads > 1) {
      executor_ = std::make_unique<TbbExecutor>(must(TbbExecutor::build(threads)));
      form_.executor = executor_.get();
    }
  }

  void build(const Forest& forest) override {
    if (forest.prefabs) {
      expect(forest.trees.roots.size(), forest.trees.nodes.size());
      for (const scenes::PrefabBatch& batch : forest.prefabs->batches) {
        spawn(*forest.prefabs, batch, true);
      }
    } else {
      ids_.resize(forest.trees.nodes.size());
      world_.create(forest.trees.nodes, forest.trees.storage, ids_);
      for (const std::uint32_t root : forest.trees.roots) {
        roots_.push_back(ids_[root]);
      }
    }
    propagate();
  }

  void expect(std::size_t roots, std::size_t nodes) override {
    roots_.reserve(roots);
    ids_.reserve(nodes);
  }

  void spawn(const scenes::PrefabScene& scene, const scenes::PrefabBatch& batch, bool all_ids) override {
    const std::vector<NodeDescription>& prefab = scene.prefabs[batch.prefab];
    const std::span<const LocalTransform> places = scene.roots_of(batch);
    const std::size_t per_instance = all_ids ? prefab.size() : 1;
    std::vector<Id>& ids = all_ids ? ids_ : roots_;
    const std::size_t begin = ids.size();
    ids.resize(begin + places.size() * per_instance);
    world_.instantiate(prefab, places, std::span(ids).subspan(begin));
    for (std::size_t i = 0; all_ids && i < places.size(); ++i) {
      roots_.push_back(ids[begin + i * per_instance]);
    }
  }

  void move_all() override { world_.move_all_roots(kStep); }

  void move(std::span<const std::uint32_t> roots) override {
    moved_.clear();
    for (const std::uint32_t root : roots) {
      moved_.push_back(roots_[root]);
    }
    world_.move_roots(moved_, kStep);
  }

  void write(std::span<const std::uint32_t> nodes, std::span<const LocalTransform> locals) override {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      world_.set_local(ids_[nodes[i]], locals[i]);
    }
  }

  // As jobs over chunks: what has a parent is written in its local transform, a root in its place.
  PositionSum sum_frame(const Turn& by) override {
    turn_all(by);
    propagate();
    WideSum sum;
    for_each_world([&](std::size_t, const Qvvs& world) { sum.add(world); });
    return sum.total();
  }
  void matrix_frame(const Turn& by, std::span<Matrix34> out) override {
    turn_all(by);
    propagate();
    for_each_world([to = out.data()](std::size_t at, const Qvvs& world) { matrix_into(world, to[at]); });
  }
  [[nodiscard]] std::size_t matrix_count() const override {
    return std::size_t{world_.chunks()} * classics::Chunk::kCapacity;
  }
  [[nodiscard]] std::uint32_t matrix_of(std::uint32_t node) const override {
    const classics::Place at = world_.place(ids_[node]);
    return at.chunk * classics::Chunk::kCapacity + at.row;
  }

  void destroy(std::span<const std::uint32_t> roots) override {
    for (std::size_t i = roots.size(); i-- > 0;) {
      world_.destroy(roots_[roots[i]]);
      roots_[roots[i]] = roots_.back();
      roots_.pop_back();
    }
  }

  void reparent(std::span<const scenes::NewParent> changes) override {
    for (const scenes::NewParent& change : changes) {
      if (!world_.reparent(ids_[change.node], ids_[change.parent], Keep::kLocal)) {
        give_up("the published store takes a new parent for a cycle.");
      }
    }
  }

  void propagate() override {
    if (system_ == Classic::kDepthFirst) {
      classics::propagate_depth_first(world_, form_);
    } else {
      classics::propagate_depth_levels(world_, form_);
    }
  }

  [[nodiscard]] Qvvs world(std::uint32_t node) const override { return world_.world_of(ids_[node]); }
  void read(std::span<const std::uint32_t> nodes, std::span<Qvvs> out) const override {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      out[i] = world_.world_of(ids_[nodes[i]]);
    }
  }
  [[nodiscard]] std::size_t nodes() const override { return world_.size(); }
  [[nodiscard]] std::size_t bytes() const override { return world_.memory_bytes(); }

 private:
  void turn_all(const Turn& by) {
    for (std::uint32_t index = 0; index < world_.chunks(); ++index) {
      classics::ChunkHead& head = world_.head(index);
      classics::Chunk& chunk = world_.chunk(index);
      const bool parented = (head.archetype & classics::kParented) != 0;
      for (std::uint32_t row = 0; row < head.size; ++row) {
        parented ? turn_local(chunk.local[row], by) : turn_root(chunk.world[row], by);
      }
      (parented ? head.local : head.world) = world_.version();
    }
  }
  template <class Read>
  void for_each_world(Read read) const {
    for (std::uint32_t index = 0; index < world_.chunks(); ++index) {
      const std::size_t first = std::size_t{index} * classics::Chunk::kCapacity;
      for (std::uint32_t row = 0; row < world_.head(index).size; ++row) {
        read(first + row, world_.chunk(index).world[row]);
      }
    }
  }

  Classic system_;
  classics::PropagateForm form_;
  std::unique_ptr<Executor> executor_;
  classics::ChunkWorld world_;
  std::vector<Id> ids_, roots_, moved_;
};

}  // namespace

std::unique_ptr<Contender> make_classic(Classic system, const classics::PropagateForm& form,
                                        unsigned threads) {
  return std::make_unique<ClassicContender>(system, form, threads);
}

}  // namespace juxta::bench
