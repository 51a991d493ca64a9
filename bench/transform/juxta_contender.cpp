// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "bench/support/must.h"
#include "bench/support/settings.h"
#include "bench/transform/contenders.h"
#include "bench/transform/user_lanes.h"
#include "juxta/core/executor.h"
#include "juxta/transform/hierarchy.h"
#include "juxta/transform/prefab.h"

namespace juxta::bench {
namespace {

class JuxtaContender final : public Contender {
 public:
  explicit JuxtaContender(const JuxtaForm& form) : hierarchy_(HierarchyOptions{form.history}), form_(form) {
    if (form.threads > 1) {
      executor_ = std::make_unique<TbbExecutor>(must(TbbExecutor::build(form.threads)));
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
      must(hierarchy_.insert(forest.trees.nodes, ids_));
      for (const std::uint32_t root : forest.trees.roots) {
        roots_.push_back(ids_[root]);
        positions_.push_back(forest.trees.nodes[root].local.position);
      }
    }
    propagate();
    if (form_.history) {  // what a world takes once things have moved
      must(hierarchy_.begin_step());
    }
  }

  void expect(std::size_t roots, std::size_t nodes) override {
    roots_.reserve(roots);
    positions_.reserve(roots);
    ids_.reserve(nodes);
  }

  void spawn(const scenes::PrefabScene& scene, const scenes::PrefabBatch& batch, bool all_ids) override {
    if (prefabs_.empty()) {
      for (const std::vector<NodeDescription>& prefab : scene.prefabs) {
        prefabs_.push_back(must(Prefab::build(prefab)));
      }
    }
    const Prefab& prefab = prefabs_[batch.prefab];
    const std::span<const LocalTransform> places = scene.roots_of(batch);
    const std::size_t per_instance = all_ids ? prefab.size() : 1;
    std::vector<Id>& ids = all_ids ? ids_ : roots_;
    const std::size_t begin = ids.size();
    ids.resize(begin + places.size() * per_instance);
    must(hierarchy_.instantiate(prefab, places, std::span(ids).subspan(begin)));
    for (std::size_t i = 0; i < places.size(); ++i) {
      positions_.push_back(places[i].position);
      if (all_ids) {
        roots_.push_back(ids[begin + i * per_instance]);
      }
    }
  }

  void move_all() override {
    for (Vec3& position : positions_) {
      position.x += kStep;
    }
    must(hierarchy_.set_position(roots_, positions_, {.executor = executor_.get()}));
  }

  void move(std::span<const std::uint32_t> roots) override {
    moved_ids_.clear();
    moved_positions_.clear();
    for (const std::uint32_t root : roots) {
      positions_[root].x += kStep;
      moved_ids_.push_back(roots_[root]);
      moved_positions_.push_back(positions_[root]);
    }
    must(hierarchy_.set_position(moved_ids_, moved_positions_, {.executor = executor_.get()}));
  }

  void write(std::span<const std::uint32_t> nodes, std::span<const LocalTransform> locals) override {
    if (form_.single) {
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        must(hierarchy_.set_local(ids_[nodes[i]], locals[i]));
      }
    } else {
      must(hierarchy_.set_local(ids_of(nodes), locals));
    }
  }

  void destroy(std::span<const std::uint32_t> roots) override {
    moved_ids_.clear();
    for (std::size_t i = roots.size(); i-- > 0;) {
      moved_ids_.push_back(roots_[roots[i]]);
      roots_[roots[i]] = roots_.back();
      positions_[roots[i]] = positions_.back();
      roots_.pop_back();
      positions_.pop_back();
    }
    must(hierarchy_.remove(moved_ids_));
  }

  void reparent(std::span<const scenes::NewParent> changes) override {
    moved_ids_.clear();
    parents_.clear();
    for (const scenes::NewParent& change : changes) {
      moved_ids_.push_back(ids_[change.node]);
      parents_.push_back(ids_[change.parent]);
    }
    must(hierarchy_.reparent(moved_ids_, parents_, Keep::kLocal));
  }

  void propagate() override { must(hierarchy_.propagate(context())); }

  PositionSum sum_frame(const Turn& by) override {
    LaneSums sums(form_.threads);
    whole_frame(by, [&](const WorldLanes& lanes) { sums.add(lanes); });
    return sums.total();
  }
  void matrix_frame(const Turn& by, std::span<Matrix34> out) override {
    if (form_.parts) {
      const std::uint64_t before = write_and_propagate(by);
      expect_all(must(hierarchy_.changed_matrices(before, out, context())));
    } else {
      whole_frame(by, [&](const WorldLanes& lanes) { write_matrices(lanes, out); });
    }
  }
  [[nodiscard]] std::size_t matrix_count() const override { return hierarchy_.slot_count(); }
  [[nodiscard]] std::uint32_t matrix_of(std::uint32_t node) const override { return ids_[node].slot; }

  [[nodiscard]] Qvvs world(std::uint32_t node) const override { return must(hierarchy_.world(ids_[node])); }
  void read(std::span<const std::uint32_t> nodes, std::span<Qvvs> out) const override {
    if (form_.single) {
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        out[i] = must(hierarchy_.world(ids_[nodes[i]]));
      }
    } else {
      must(hierarchy_.world(ids_of(nodes), out));
    }
  }
  [[nodiscard]] std::vector<std::uint32_t> order() const override {
    std::vector<std::uint32_t> node_of_slot(ids_.size()), order;
    for (std::uint32_t node = 0; node < ids_.size(); ++node) {
      node_of_slot.resize(std::max<std::size_t>(node_of_slot.size(), ids_[node].slot + 1));
      node_of_slot[ids_[node].slot] = node;
    }
    hierarchy_.for_each([&](Id id) { order.push_back(node_of_slot[id.slot]); });
    return order;
  }
  [[nodiscard]] std::size_t nodes() const override { return hierarchy_.size(); }
  [[nodiscard]] std::size_t bytes() const override { return hierarchy_.stats().memory_bytes; }

 private:
  [[nodiscard]] Context context() const {
    Context options;
    options.executor = executor_.get();
    return options;
  }
  void expect_all(std::size_t nodes) const {
    if (nodes != hierarchy_.size()) {
      give_up("a whole frame of juxta left nodes out.");
    }
  }
  /// The version before.
  std::uint64_t write_and_propagate(const Turn& by) {
    const std::uint64_t before = hierarchy_.version();
    must(hierarchy_.for_each_tile(
        NodeFields::kAll, [by](LocalLanes& lanes) { return turn_lanes(lanes, by); }, context()));
    expect_all(must(hierarchy_.propagate(context())).computed);
    return before;
  }
  template <class Reader>
  void whole_frame(const Turn& by, const Reader& reader) {
    if (form_.parts) {
      const std::uint64_t before = write_and_propagate(by);
      must(hierarchy_.changed_spans(before, reader, context()));
    } else {
      const auto system = [by](LocalLanes& lanes) { return turn_lanes(lanes, by); };
      expect_all(must(hierarchy_.frame(NodeFields::kAll, system, reader, context())).computed);
    }
  }

  // Whoever writes the same list each frame keeps its Ids.
  [[nodiscard]] std::span<const Id> ids_of(std::span<const std::uint32_t> nodes) const {
    if (nodes.data() != listed_) {
      listed_ = nodes.data();
      listed_ids_.clear();
      for (const std::uint32_t node : nodes) {
        listed_ids_.push_back(ids_[node]);
      }
    }
    return listed_ids_;
  }

  Hierarchy hierarchy_;
  JuxtaForm form_;
  std::unique_ptr<Executor> executor_;
  std::vector<Prefab> prefabs_;
  std::vector<Id> ids_, roots_;
  std::vector<Vec3> positions_;  // of the roots
  std::vector<Id> moved_ids_, parents_;
  std::vector<Vec3> moved_positions_;
  mutable const std::uint32_t* listed_ = nullptr;
  mutable std::vector<Id> listed_ids_;
};

}  // namespace

std::unique_ptr<Contender> make_juxta(const JuxtaForm& form) {
  return std::make_unique<JuxtaContender>(form);
}

}  // namespace juxta::bench
