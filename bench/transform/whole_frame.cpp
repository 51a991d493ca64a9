// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// whole_*: whole frames, from a system that writes every local transform to what a user wants of every world.
//   sum        positions in the world are added up
//   matrices   world transforms are written as 3x4 matrices into an array of the user
// Each contender writes and reads its own storage in its own order. World transforms are kept in all of them.
// juxta: frame(); juxta_parts: for_each_tile(), propagate() and changed_spans() or changed_matrices().
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/support/settings.h"
#include "bench/transform/contenders.h"
#include "bench/transform/oracle.h"
#include "bench/transform/rows.h"
#include "benchmark/benchmark.h"
#include "juxta/core/executor.h"

namespace juxta::bench {
namespace {

/// The scene after a frame: what the oracle is asked for.
void turn_all(scenes::TreeScene& scene, const Turn& by) {
  for (NodeDescription& node : scene.nodes) {
    Quat& q = node.local.rotation;
    turn(q.x, q.y, q.z, q.w, node.local.position.x, by);
  }
}

/// A contender that has been checked.
class WholeRun {
 public:
  WholeRun(std::unique_ptr<WholeWorld> world, const Forest& forest, const std::string& row)
      : world_(std::move(world)) {
    world_->build(forest);
    matrices_.resize_discard(world_->matrix_count());
    scenes::TreeScene now = forest.trees;
    for (int twice = 0; twice < 2; ++twice) {
      turn_all(now, next_turn());
      check_sum(now, row + ", summed,");
      turn_all(now, next_turn());
      check_matrices(now, row);
    }
  }
  void sum() { benchmark::DoNotOptimize(world_->sum_frame(take_turn())); }
  void matrices() {
    world_->matrix_frame(take_turn(), matrices_.span());
    benchmark::DoNotOptimize(matrices_.data());
    benchmark::ClobberMemory();
  }
  [[nodiscard]] std::size_t nodes() const { return world_->nodes(); }

 private:
  [[nodiscard]] const Turn& next_turn() const { return kTurns[frames_ % 2]; }
  const Turn& take_turn() { return kTurns[frames_++ % 2]; }

  /// All worlds, and the sum of their positions. The tolerance is a thousandth of what one of a million nodes
  /// adds on average.
  void check_sum(const scenes::TreeScene& now, const std::string& row) {
    const PositionSum sum = world_->sum_frame(take_turn());
    std::vector<Qvvs> worlds;
    PositionSum right{}, sizes{};
    for (std::uint32_t i = 0; i < now.nodes.size(); ++i) {
      worlds.push_back(world_->world(i));
      const Vec3 p = worlds.back().position;
      for (std::size_t k = 0; k < 3; ++k) {
        const double x = k == 0 ? p.x : k == 1 ? p.y : p.z;
        right[k] += x;
        sizes[k] += std::abs(x);
      }
    }
    Oracle(now).check(worlds, row);
    for (std::size_t k = 0; k < 3; ++k) {
      if (!(std::abs(sum[k] - right[k]) <= 1e-9 * sizes[k])) {
        give_up(row + " adds positions up to " + std::to_string(sum[k]) + ", not to " +
                std::to_string(right[k]) + ".");
      }
    }
  }

  void check_matrices(const scenes::TreeScene& now, const std::string& row) {
    std::fill(matrices_.begin(), matrices_.end(), Matrix34{{{NAN}}});
    matrices();
    const std::vector<Qvvs> right = Oracle(now).worlds();
    for (std::uint32_t i = 0; i < right.size(); ++i) {
      const Matrix34 a = matrices_[world_->matrix_of(i)], b = to_matrix34(right[i]);
      const Vec3 p = right[i].position;
      const float far = std::abs(p.x) + std::abs(p.y) + std::abs(p.z) + right[i].scale + 1;
      for (std::size_t k = 0; k < 12; ++k) {
        if (!(std::abs(a.m[k / 4][k % 4] - b.m[k / 4][k % 4]) <= 1e-4F * far)) {
          give_up(row + " writes another matrix for node " + std::to_string(i) + ".");
        }
      }
    }
  }

  std::unique_ptr<WholeWorld> world_;
  Array<Matrix34> matrices_;
  std::size_t frames_ = 0;
};

using MakeWhole = std::function<std::unique_ptr<WholeWorld>()>;

void add_contender(const std::string& workload, std::string_view who, const MakeWhole& make,
                   const SharedForest& forest) {
  const auto shared = std::make_shared<Once<WholeRun>>(
      [=, row = row_name({workload, who})] { return std::make_unique<WholeRun>(make(), **forest, row); });
  for (const auto& [what, frame] :
       {std::pair{"sum", &WholeRun::sum}, std::pair{"matrices", &WholeRun::matrices}}) {
    benchmark::RegisterBenchmark(row_name({workload, what, who}).c_str(),
                                 [shared, frame = frame](benchmark::State& state) {
                                   WholeRun& run = **shared;
                                   for (auto _ : state) {
                                     (run.*frame)();
                                   }
                                   state.counters["nodes"] = static_cast<double>(run.nodes());
                                 });
  }
}

void add_workload(const std::string& workload, const SharedForest& forest, bool no_parents = false) {
  JuxtaForm parts, two_threads;
  parts.parts = true;
  two_threads.threads = 2;
  const auto add = [&](std::string_view who, const MakeWhole& make) {
    add_contender("whole_" + workload, who, make, forest);
  };
  add("juxta", [] { return make_juxta(); });
  add("juxta_parts", [parts] { return make_juxta(parts); });
  add("depth_first", [] { return make_classic(Classic::kDepthFirst); });
  add("depth_levels", [] { return make_classic(Classic::kDepthLevels); });
  add("linked_list", make_linked_list);
  add("static_array", [] { return make_static_array(); });
  add("static_fused", [] { return make_static_array(true); });
  add("static_lanes", make_static_lanes);
  if (no_parents) {
    add("no_parents", make_no_parents);
  }
  if (TbbExecutor::build(2)) {  // a build with oneTBB
    add("juxta_2threads", [two_threads] { return make_juxta(two_threads); });
  }
}

}  // namespace

void register_whole_frames() {
  add_workload("prefabs_1M", share_prefabs(1'000'000));
  add_workload("prefabs_4k", share_prefabs(4'000));
  add_workload("prefabs_100k", share_prefabs(100'000));
  add_workload("roots_1M", share_trees(scenes::TreeShape::kRoots, 1'000'000), true);
  add_workload("star_1M", share_trees(scenes::TreeShape::kStar, 1'000'000));
  add_workload("ropes_1M", share_ropes(1'000'000));
  add_workload("random_1M", share_trees(scenes::TreeShape::kRandom, 1'000'000));
}

}  // namespace juxta::bench
