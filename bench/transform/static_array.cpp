// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// The plainest program there is: nodes sorted once, depth first, each with the place of its parent. A sweep
// reads the array from front to back; a subtree is one range of it. Nothing can be created, destroyed or
// reparented.
//
//   place   0        1     2     3     4    ..
//           nowhere  root  child grand root ..      parent: 0 0 1 2 0 ..    end: . 4 4 4 ..
#include <algorithm>
#include <memory>
#include <memory_resource>
#include <vector>

#include "bench/support/settings.h"
#include "bench/transform/contenders.h"
#include "bench/transform/wide_frame-inl.h"
#include "classics/transform/wide_mul-inl.h"
#include "juxta/core/memory.h"

namespace juxta::bench {
namespace {

class StaticArray final : public Contender {
 public:
  explicit StaticArray(bool fused) : fused_(fused) {}

  void build(const Forest& forest) override {
    const std::vector<NodeDescription>& nodes = forest.trees.nodes;
    sort(nodes);
    for (const std::uint32_t root : forest.trees.roots) {
      roots_.push_back(place_[root]);
    }
    all_ = true;
    propagate();
  }
  void move_all() override {
    for (const std::uint32_t root : roots_) {
      local_[root].position.x += kStep;
    }
    all_ = true;
  }
  void move(std::span<const std::uint32_t> roots) override {
    for (const std::uint32_t root : roots) {
      local_[roots_[root]].position.x += kStep;
      dirty_.push_back(roots_[root]);
    }
  }
  void write(std::span<const std::uint32_t> nodes, std::span<const LocalTransform> locals) override {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      local_[place_[nodes[i]]] = locals[i];
    }
    all_ = all_ || nodes.size() > local_.size() / 16;
    if (!all_) {
      for (const std::uint32_t node : nodes) {
        dirty_.push_back(place_[node]);
      }
    }
  }
  PositionSum sum_frame(const Turn& by) override {
    WideSum sum;
    frame(by, [&](std::uint32_t, const Qvvs& world) { sum.add(world); });
    return sum.total();
  }
  void matrix_frame(const Turn& by, std::span<Matrix34> out) override {
    frame(by, [to = out.data()](std::uint32_t at, const Qvvs& world) { matrix_into(world, to[at]); });
  }
  [[nodiscard]] std::size_t matrix_count() const override { return world_.size(); }
  [[nodiscard]] std::uint32_t matrix_of(std::uint32_t node) const override { return place_[node]; }

  void propagate() override {
    if (all_) {
      sweep(1, static_cast<std::uint32_t>(local_.size()));
    } else {
      std::sort(dirty_.begin(), dirty_.end());
      std::uint32_t done = 0;
      for (const std::uint32_t first : dirty_) {
        if (first >= done) {
          sweep(first, done = end_[first]);
        }
      }
    }
    dirty_.clear();
    all_ = false;
  }
  [[nodiscard]] Qvvs world(std::uint32_t node) const override { return world_[place_[node]]; }
  void read(std::span<const std::uint32_t> nodes, std::span<Qvvs> out) const override {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      out[i] = world_[place_[nodes[i]]];
    }
  }
  [[nodiscard]] std::vector<std::uint32_t> order() const override {
    std::vector<std::uint32_t> order(place_.size());
    for (std::uint32_t node = 0; node < place_.size(); ++node) {
      order[place_[node] - 1] = node;
    }
    return order;
  }
  [[nodiscard]] std::size_t nodes() const override { return place_.size(); }
  [[nodiscard]] std::size_t bytes() const override {
    return local_.size() * (sizeof(LocalTransform) + sizeof(Qvvs) + 3 * sizeof(std::uint32_t));
  }

  void expect(std::size_t /*roots*/, std::size_t /*nodes*/) override {}
  void spawn(const scenes::PrefabScene& /*scene*/, const scenes::PrefabBatch& /*batch*/,
             bool /*all_ids*/) override {
    give_up("the static array cannot grow.");
  }
  void destroy(std::span<const std::uint32_t> /*roots*/) override {
    give_up("the static array cannot shrink.");
  }
  void reparent(std::span<const scenes::NewParent> /*changes*/) override {
    give_up("the static array has no other parents than it began with.");
  }

 private:
  static constexpr std::uint32_t kRoot = NodeDescription::kRoot;

  // A parent stands before its children in `nodes`: sizes of subtrees from the back, then places from the
  // front. The next child stands behind the subtree of the one before.
  void sort(const std::vector<NodeDescription>& nodes) {
    const std::size_t size = nodes.size();
    std::vector<std::uint32_t> below(size, 1), next(size);
    for (std::size_t i = size; i-- > 0;) {
      if (nodes[i].parent != kRoot) {
        below[nodes[i].parent] += below[i];
      }
    }
    place_.resize(size);
    for (auto* column : {&parent_, &end_}) {
      column->resize(size + 1);
    }
    local_.resize(size + 1);
    world_.resize(size + 1);
    std::uint32_t next_root = 1;
    for (std::size_t i = 0; i < size; ++i) {
      const NodeDescription& node = nodes[i];
      std::uint32_t& place = node.parent == kRoot ? next_root : next[node.parent];
      const std::uint32_t at = place;
      place += below[i];
      next[i] = at + 1;
      place_[i] = at;
      end_[at] = at + below[i];
      parent_[at] = node.parent == kRoot ? 0 : place_[node.parent];
      local_[at] = node.local;
      world_[at].stretch = node.stretch;
      world_[at].context = node.context;
    }
  }

  template <class Read>
  void frame(const Turn& by, Read read) {
    const auto size = static_cast<std::uint32_t>(local_.size());
    LocalTransform* const local = local_.data();
    Qvvs* const world = world_.data();
    if (fused_) {
      const std::uint32_t* const parent = parent_.data();
      for (std::uint32_t at = 1; at < size; ++at) {
        turn_local(local[at], by);
        classics::mul_into(world[parent[at]], local[at], world[at]);
        read(at, world[at]);
      }
      return;
    }
    for (std::uint32_t at = 1; at < size; ++at) {
      turn_local(local[at], by);
    }
    sweep(1, size);
    for (std::uint32_t at = 1; at < size; ++at) {
      read(at, world[at]);
    }
  }

  // Place 0 is nowhere, what roots hang on: no test whether a node is one.
  void sweep(std::uint32_t first, std::uint32_t end) {
    const std::uint32_t* const parent = parent_.data();
    const LocalTransform* const local = local_.data();
    Qvvs* const world = world_.data();
    for (std::uint32_t at = first; at < end; ++at) {
      classics::mul_into(world[parent[at]], local[at], world[at]);
    }
  }

  std::pmr::vector<LocalTransform> local_{huge_page_resource()};
  std::pmr::vector<Qvvs> world_{huge_page_resource()};
  std::pmr::vector<std::uint32_t> parent_{huge_page_resource()}, end_{huge_page_resource()};
  std::vector<std::uint32_t> place_, roots_, dirty_;
  bool all_ = false, fused_;
};

}  // namespace

std::unique_ptr<Contender> make_static_array(bool fused) {
  return std::make_unique<StaticArray>(fused);
}

}  // namespace juxta::bench
