// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// prefabs_1M/churn_*: 120 frames from a new world; in each a hundredth of all instances, anywhere in memory,
// is destroyed, and as many of all eight prefabs are instantiated. churn_all: all roots move too. The time of
// a row is the mean of its frames, so that a frame in which everything is put in order counts.
#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "bench/support/settings.h"
#include "bench/transform/contenders.h"
#include "bench/transform/oracle.h"
#include "bench/transform/rows.h"
#include "bench/transform/whole_runs.h"
#include "scenes/draws.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kFrames = 120, kEnd = 10, kShare = 100;

// Who goes and who comes, and who is there.
class Churn {
 public:
  explicit Churn(const scenes::PrefabScene& scene) : scene_(scene), draws_(seed() + 12) {
    for (const scenes::PrefabBatch& batch : scene.batches) {
      add(batch, 0);
    }
    per_frame_ = std::max<std::size_t>(1, instances_.size() / kShare / scene.prefabs.size());
  }

  void next(bool all_move) {
    const std::size_t count = per_frame_ * scene_.prefabs.size();
    destroyed_.clear();
    while (destroyed_.size() < count) {  // one in a hundred is seldom drawn twice
      for (std::size_t i = destroyed_.size(); i < count; ++i) {
        destroyed_.push_back(draws_.below(static_cast<std::uint32_t>(instances_.size())));
      }
      std::sort(destroyed_.begin(), destroyed_.end());
      destroyed_.erase(std::unique(destroyed_.begin(), destroyed_.end()), destroyed_.end());
    }
    for (std::size_t i = destroyed_.size(); i-- > 0;) {
      instances_[destroyed_[i]] = instances_.back();
      instances_.pop_back();
    }
    created_.clear();
    for (std::uint32_t prefab = 0; prefab < scene_.prefabs.size(); ++prefab) {
      const std::uint32_t first =
          draws_.below(static_cast<std::uint32_t>(scene_.roots.size() - per_frame_ + 1));
      created_.push_back({prefab, first, first + static_cast<std::uint32_t>(per_frame_)});
      add(created_.back(), frames_);
    }
    frames_ += all_move ? 1 : 0;
  }
  /// Places among the roots before this frame, ascending.
  [[nodiscard]] std::span<const std::uint32_t> destroyed() const { return destroyed_; }
  [[nodiscard]] std::span<const scenes::PrefabBatch> created() const { return created_; }

  /// Every node that is there, and its name: its number among all nodes that were ever created.
  [[nodiscard]] scenes::TreeScene trees(std::vector<std::uint32_t>& names) const {
    scenes::TreeScene trees;
    for (const Instance& instance : instances_) {
      const std::vector<NodeDescription>& prefab = scene_.prefabs[instance.prefab];
      const auto root = static_cast<std::uint32_t>(trees.nodes.size());
      for (std::uint32_t i = 0; i < prefab.size(); ++i) {
        NodeDescription node = prefab[i];
        node.parent += node.parent == NodeDescription::kRoot ? 0 : root;
        trees.nodes.push_back(node);
        names.push_back(instance.first_node + i);
      }
      trees.roots.push_back(root);
      LocalTransform& local = trees.nodes[root].local = scene_.roots[instance.root];
      for (std::size_t frame = instance.since; frame < frames_; ++frame) {
        local.position.x += kStep;
      }
    }
    return trees;
  }

 private:
  struct Instance {
    std::uint32_t prefab, root, first_node;
    std::size_t since;
  };
  void add(const scenes::PrefabBatch& batch, std::size_t since) {
    for (std::uint32_t root = batch.first; root < batch.last; ++root) {
      instances_.push_back({batch.prefab, root, named_, since});
      named_ += static_cast<std::uint32_t>(scene_.prefabs[batch.prefab].size());
    }
  }

  const scenes::PrefabScene& scene_;
  scenes::Draws draws_;
  std::size_t per_frame_ = 0, frames_ = 0;
  std::uint32_t named_ = 0;
  std::vector<Instance> instances_;
  std::vector<std::uint32_t> destroyed_;
  std::vector<scenes::PrefabBatch> created_;
};

std::vector<double> run_frames(Contender& world, Churn& churn, const Forest& forest, bool all_move,
                               bool all_ids) {
  const std::size_t ids = forest.trees.nodes.size() * (all_ids ? 3 : 1);
  world.expect(forest.trees.roots.size() * 2, ids);
  for (const scenes::PrefabBatch& batch : forest.prefabs->batches) {
    world.spawn(*forest.prefabs, batch, all_ids);
  }
  world.propagate();
  std::vector<double> seconds;
  for (std::size_t frame = 0; frame < kFrames; ++frame) {
    churn.next(all_move);
    seconds.push_back(processor_seconds([&] {
      world.destroy(churn.destroyed());
      for (const scenes::PrefabBatch& batch : churn.created()) {
        world.spawn(*forest.prefabs, batch, all_ids);
      }
      if (all_move) {
        world.move_all();
      }
      world.propagate();
    }));
  }
  return seconds;
}

// With names for all nodes, which the rows do without.
void check(const NamedContender& contender, const Forest& forest, bool all_move, const std::string& row) {
  const std::unique_ptr<Contender> world = contender.make();
  Churn churn(*forest.prefabs);
  run_frames(*world, churn, forest, all_move, true);
  std::vector<std::uint32_t> names;
  const scenes::TreeScene trees = churn.trees(names);
  if (world->nodes() != names.size()) {
    give_up(row + " holds " + std::to_string(world->nodes()) + " nodes, not " + std::to_string(names.size()) +
            ".");
  }
  std::vector<Qvvs> got(names.size());
  world->read(names, got);
  Oracle(trees).check(got, row);
}

void add_row(const std::string& row, const NamedContender& contender, const SharedForest& forest,
             bool all_move) {
  auto checked = std::make_shared<bool>(false);
  const auto body = [=](benchmark::State& state) {
    if (!*checked) {
      check(contender, **forest, all_move, row);
      *checked = true;
    }
    for (auto _ : state) {
      const std::unique_ptr<Contender> world = contender.make();
      Churn churn(*(*forest)->prefabs);
      const std::vector<double> seconds = run_frames(*world, churn, **forest, all_move, false);
      state.SetIterationTime(std::accumulate(seconds.begin(), seconds.end(), 0.0) / kFrames);
      count_frames(state, seconds);
      state.counters["first_ns"] = median_of(seconds, 0, kEnd) * 1e9;
      state.counters["last_ns"] = median_of(seconds, kFrames - kEnd, kEnd) * 1e9;
      state.counters["nodes"] = static_cast<double>(world->nodes());
      state.counters["bytes"] = static_cast<double>(world->bytes());
    }
  };
  benchmark::RegisterBenchmark(row.c_str(), body)->UseManualTime()->Iterations(1);
}

}  // namespace

void register_churn() {
  const SharedForest forest = share_prefabs(1'000'000);
  for (const NamedContender& contender : contenders()) {
    add_row(row_name({"prefabs_1M", "churn_all", contender.name}), contender, forest, true);
    add_row(row_name({"prefabs_1M", "churn_none", contender.name}), contender, forest, false);
  }
}

}  // namespace juxta::bench
