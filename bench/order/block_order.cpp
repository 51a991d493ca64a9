// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// block_order_*: the order of a uniform world of boxes; fill_tree_*, fit_levels_*: a tree in that order.
// plain: what one would write without the library: codes of centres one by one, std::sort, loops over boxes.
#include "juxta/order/block_order.h"
#include "order/block_tree.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "bench/order/rows.h"
#include "bench/support/once.h"
#include "bench/support/settings.h"
#include "juxta/core/array.h"
#include "juxta/order/curves.h"
#include "scenes/boxes.h"

namespace juxta::bench {
namespace {

void plain_order(std::span<const Aabb3> boxes, float side, std::vector<std::uint64_t>& keys,
                 std::span<std::uint32_t> order) {
  const float scale = 1024 / side;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    std::uint32_t cell[3];
    for (int axis = 0; axis < 3; ++axis) {
      const float place = (boxes[i].lo[axis] + boxes[i].hi[axis]) * 0.5F * scale;
      cell[axis] = std::min(static_cast<std::uint32_t>(std::max(place, 0.0F)), 1023U);
    }
    keys[i] = std::uint64_t{hilbert3_10(cell[0], cell[1], cell[2])} << 32 | i;
  }
  std::sort(keys.begin(), keys.end());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    order[i] = static_cast<std::uint32_t>(keys[i]);
  }
}

void plain_fit(BlockTree<3>& tree) {
  for (std::uint32_t level = 1; level < tree.levels; ++level) {
    for (std::uint32_t at = 0; at < tree.blocks[level] * kBlockLanes; ++at) {
      Aabb3 bounds{};
      for (int axis = 0; axis < 3; ++axis) {
        bounds.lo[axis] = std::numeric_limits<float>::infinity();
        bounds.hi[axis] = -bounds.lo[axis];
        if (at < tree.blocks[level - 1]) {
          const BoxBlock<3>& block = tree.level[level - 1][at];
          bounds.lo[axis] = *std::min_element(block.lo[axis], block.lo[axis] + kBlockLanes);
          bounds.hi[axis] = *std::max_element(block.hi[axis], block.hi[axis] + kBlockLanes);
        }
      }
      tree.level[level][at / kBlockLanes].set(at % kBlockLanes, bounds);
    }
  }
}

void plain_fill(BlockTree<3>& tree, std::span<const Aabb3> boxes, std::span<const std::uint32_t> order) {
  for (std::size_t at = 0; at < std::size_t{tree.blocks[0]} * kBlockLanes; ++at) {
    Aabb3 box{};
    box.lo = Vec3::all(std::numeric_limits<float>::infinity());
    box.hi = Vec3::all(-std::numeric_limits<float>::infinity());
    tree.level[0][at / kBlockLanes].set(at % kBlockLanes, at < order.size() ? boxes[order[at]] : box);
  }
  plain_fit(tree);
}

struct World {
  scenes::BoxWorld scene;
  Array<std::uint32_t> order, fast;
  std::vector<std::uint64_t> keys;
  BlockTreePlan plan;
  Array<BoxBlock<3>> blocks;
  BlockTree<3> tree;
  Workspace workspace;

  explicit World(std::size_t n)
      : scene(scenes::make_boxes(scenes::BoxSet::kUniform, n, 1)),
        order(n),
        fast(n),
        keys(n),
        plan(plan_block_tree(n)),
        blocks(plan.total),
        tree(plan, blocks.data()) {
    sort(OrderQuality::kFast, nullptr);
    std::copy(order.begin(), order.end(), fast.begin());
    check();
  }
  void sort(OrderQuality quality, const Executor* executor) {
    if (const auto done = block_order<3>(scene.boxes, order.span(), quality,
                                         {.executor = executor, .workspace = &workspace});
        !done) {
      give_up(done.error().message);
    }
  }
  void sort_plainly() { plain_order(scene.boxes, scene.side, keys, order.span()); }
  /// Mean sum of the edges of the level-0 blocks in the last order, as far as they fill level-1 blocks.
  double edges() {
    fill_tree<3>(tree, scene.boxes, order.span());
    const auto lanes = static_cast<std::uint32_t>(order.size());
    const std::uint32_t counted = std::max(lanes / (kBlockLanes * kBlockLanes) * kBlockLanes, 1U);
    return sum_of_block_edges(tree, lanes) * 8 / static_cast<double>(counted);
  }

 private:
  // The trees are equal; no order is a bad one (an order by nothing has edges of the world's side).
  void check() {
    fill_tree<3>(tree, scene.boxes, order.span());
    std::vector<Aabb3> lanes;
    const auto each_lane = [&](auto&& visit) {
      for (std::size_t at = 0; at < plan.total * kBlockLanes; ++at) {
        visit(at, blocks[at / kBlockLanes].box(at % kBlockLanes));
      }
    };
    each_lane([&](std::size_t, const Aabb3& box) { lanes.push_back(box); });
    plain_fill(tree, scene.boxes, order.span());
    each_lane([&](std::size_t at, const Aabb3& box) {
      if (box != lanes[at]) {
        give_up("the trees differ at lane " + std::to_string(at));
      }
    });
    const double ours = edges();
    sort_plainly();
    if (const double plain = edges(); ours > 1.1 * plain) {
      give_up("blocks have edges of " + std::to_string(ours) + ", plain ones of " + std::to_string(plain));
    }
  }
};
using Shared = std::shared_ptr<Once<World>>;

template <class Work>
void add(const std::string& name, const Shared& world, std::size_t n, Work work, bool of_order = false) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [world, n, work, of_order](benchmark::State& state) {
                                 World& w = **world;
                                 measure(
                                     state, n, [] {}, [&] { work(w); });
                                 if (of_order) {
                                   state.counters["block_edges"] = w.edges();
                                   state.counters["workspace_bytes"] =
                                       static_cast<double>(w.workspace.memory_bytes());
                                 }
                               })
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
}

void register_world(const std::string& size, std::size_t most, const Executor* two) {
  const std::size_t n = std::min(most, bench_elements());
  const auto world = std::make_shared<Once<World>>([n] { return std::make_unique<World>(n); });
  const auto order = [&](const std::string& contender, auto work) {
    add("block_order_" + size + "/" + contender, world, n, work, true);
  };
  order("fast", [](World& w) { w.sort(OrderQuality::kFast, nullptr); });
  order("tight", [](World& w) { w.sort(OrderQuality::kTight, nullptr); });
  if (two != nullptr) {
    order("fast_2_threads", [two](World& w) { w.sort(OrderQuality::kFast, two); });
    order("tight_2_threads", [two](World& w) { w.sort(OrderQuality::kTight, two); });
  }
  order("plain", [](World& w) { w.sort_plainly(); });
  const std::string fill = "fill_tree_" + size, fit = "fit_levels_" + size;
  add(fill + "/juxta", world, n, [](World& w) { fill_tree<3>(w.tree, w.scene.boxes, w.fast.span()); });
  add(fill + "/plain", world, n, [](World& w) { plain_fill(w.tree, w.scene.boxes, w.fast.span()); });
  add(fit + "/juxta", world, n, [](World& w) { fit_levels<3>(w.tree); });
  add(fit + "/plain", world, n, [](World& w) { plain_fit(w.tree); });
}

}  // namespace

void register_block_order() {
  static const auto two = TbbExecutor::build(2);
  const Executor* executor = two ? &*two : nullptr;
  register_world("100k", 100'000, executor);
  register_world("1M", 1'000'000, executor);
}

}  // namespace juxta::bench
