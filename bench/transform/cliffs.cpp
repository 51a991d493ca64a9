// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// cliffs_*: what must not become slow however a hierarchy was built.
//   cliffs_world_deep_*      one world transform at the end of a chain whose root was written
//   cliffs_reparent_*        a chain that is hung together node by node
//   cliffs_frames_after_*    60 frames after 100,000 nodes were built, the first included: all roots move.
//   The
//                            row is the middle frame; max_ns is the longest, which is to stay below three
//                            times that
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/support/must.h"
#include "bench/transform/forest.h"
#include "bench/transform/rows.h"
#include "bench/transform/whole_runs.h"
#include "juxta/transform/hierarchy.h"
#include "scenes/draws.h"

namespace juxta::bench {
namespace {

constexpr std::uint32_t kRoot = NodeDescription::kRoot;
constexpr int kFrames = 60;

/// Parents by place; a parent stands before its children.
using Parents = std::vector<std::uint32_t>;

Parents ropes(std::size_t count, std::size_t nodes, bool by_turns) {
  Parents parents(nodes);
  const std::size_t length = std::max<std::size_t>(1, nodes / count);
  for (std::uint32_t i = 0; i < nodes; ++i) {
    parents[i] = by_turns ? (i < count ? kRoot : i - static_cast<std::uint32_t>(count))
                          : (i % length == 0 ? kRoot : i - 1);
  }
  return parents;
}

Parents random_parents(std::size_t roots, std::size_t nodes) {
  scenes::Draws draws(seed());
  Parents parents(nodes);
  for (std::uint32_t i = 0; i < nodes; ++i) {
    parents[i] = i < roots ? kRoot : draws.below(i);
  }
  return parents;
}

LocalTransform one_local() {
  return {{0.02F, 0.01F, 0, 1}, {1, 0.5F, 0}, 1};
}

enum class How : std::uint8_t { kByList, kOneByOne, kHungDown, kHungUp, kHungShuffled };

std::vector<std::uint32_t> order_of(How how, std::size_t count, std::uint64_t from = seed()) {
  std::vector<std::uint32_t> order(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    order[i] = how == How::kHungUp ? static_cast<std::uint32_t>(count) - 1 - i : i;
  }
  scenes::Draws draws(from);
  for (std::size_t i = count; how == How::kHungShuffled && i > 1; --i) {
    std::swap(order[i - 1], order[draws.below(static_cast<std::uint32_t>(i))]);
  }
  return order;
}

std::vector<Id> create_all(Hierarchy& hierarchy, const Parents& parents, How how) {
  std::vector<Id> ids(parents.size());
  if (how == How::kByList) {
    std::vector<NodeDescription> nodes(parents.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      nodes[i] = {.local = one_local(), .parent = parents[i]};
    }
    must(hierarchy.insert(nodes, ids));
    return ids;
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const bool root = how != How::kOneByOne || parents[i] == kRoot;
    ids[i] = must(hierarchy.insert(one_local(), root ? Id{} : ids[parents[i]]));
  }
  return ids;
}

void hang(Hierarchy& hierarchy, const std::vector<Id>& ids, const Parents& parents, How how, Keep keep) {
  for (const std::uint32_t i : order_of(how, ids.size())) {
    if (parents[i] != kRoot) {
      must(hierarchy.reparent(ids[i], ids[parents[i]], keep));
    }
  }
}

std::vector<double> run_frames(const Parents& parents, How how) {
  Hierarchy hierarchy;
  const std::vector<Id> ids = create_all(hierarchy, parents, how);
  if (how > How::kOneByOne) {
    hang(hierarchy, ids, parents, how, Keep::kLocal);
  }
  std::vector<Id> roots;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (parents[i] == kRoot) {
      roots.push_back(ids[i]);
    }
  }
  std::vector<Vec3> positions(roots.size());
  std::vector<double> seconds;
  for (int frame = 0; frame < kFrames; ++frame) {
    std::fill(positions.begin(), positions.end(), Vec3{static_cast<float>(frame), 0, 0});
    seconds.push_back(processor_seconds([&] {
      must(hierarchy.set_position(roots, positions));
      must(hierarchy.propagate());
    }));
  }
  return seconds;
}

void add_frames(const std::string& name, const Parents& parents, How how) {
  const auto body = [=](benchmark::State& state) {
    for (auto _ : state) {
      std::vector<std::vector<double>> runs;
      for (int run = 0; run < 3; ++run) {
        runs.push_back(run_frames(parents, how));
      }
      std::vector<double> seconds;
      for (std::size_t i = 0; i < kFrames; ++i) {
        seconds.push_back(quantile({runs[0][i], runs[1][i], runs[2][i]}, 0.5));
      }
      state.SetIterationTime(quantile(seconds, 0.5));
      count_frames(state, seconds);
    }
    state.counters["nodes"] = static_cast<double>(parents.size());
  };
  const std::string row = row_name({"cliffs_frames_after_" + name, "juxta"});
  benchmark::RegisterBenchmark(row.c_str(), body)->UseManualTime()->Iterations(1);
}

void add_world_deep(std::size_t nominal, How how) {
  const std::size_t depth = node_count(nominal);
  const auto body = [=](benchmark::State& state) {
    Hierarchy hierarchy;
    // Shuffled: the chain visits the nodes in an order that has nothing to do with that of their creation,
    // and its links are made in a third order.
    const std::vector<std::uint32_t> chain = order_of(how, depth, seed() + 1);
    Parents parents(depth, kRoot);
    for (std::size_t i = 1; i < depth; ++i) {
      parents[chain[i]] = chain[i - 1];
    }
    const std::vector<Id> ids = create_all(hierarchy, parents, how);
    if (how > How::kOneByOne) {
      hang(hierarchy, ids, parents, how, Keep::kLocal);
    }
    must(hierarchy.propagate());
    must(hierarchy.set_position(ids[chain.front()], {3, 0, 0}));
    for (auto _ : state) {
      benchmark::DoNotOptimize(must(hierarchy.world(ids[chain.back()])));
    }
    state.counters["nodes"] = static_cast<double>(depth);  // levels
  };
  const std::string hung = how == How::kHungShuffled ? "_shuffled" : "";
  const std::string row = row_name({"cliffs_world_deep_" + std::to_string(nominal) + hung, "juxta"});
  benchmark::RegisterBenchmark(row.c_str(), body);
}

void add_reparent(const std::string& name, How how, Keep keep) {
  const Parents parents = ropes(1, node_count(16'000), false);
  const auto body = [=](benchmark::State& state) {
    for (auto _ : state) {
      Hierarchy hierarchy;
      const std::vector<Id> ids = create_all(hierarchy, parents, how);
      state.SetIterationTime(processor_seconds([&] { hang(hierarchy, ids, parents, how, keep); }));
    }
    state.counters["nodes"] = static_cast<double>(parents.size());
  };
  const std::string row = row_name({"cliffs_reparent_chain_" + name, "juxta"});
  benchmark::RegisterBenchmark(row.c_str(), body)->UseManualTime();
}

}  // namespace

void register_cliffs() {
  for (const std::size_t depth : {1000U, 10'000U, 100'000U}) {
    add_world_deep(depth, How::kOneByOne);
    add_world_deep(depth, How::kHungShuffled);
  }
  for (const Keep keep : {Keep::kLocal, Keep::kWorld}) {
    const std::string what = keep == Keep::kWorld ? "_world" : "_local";
    add_reparent("down" + what, How::kHungDown, keep);
    add_reparent("up" + what, How::kHungUp, keep);
    add_reparent("shuffled" + what, How::kHungShuffled, keep);
  }
  const std::size_t nodes = node_count(100'000);
  const Parents one_after_the_other = ropes(100, nodes, false), by_turns = ropes(100, nodes, true);
  const Parents random = random_parents(1000, nodes), chain = ropes(1, nodes, false);
  add_frames("ropes_by_list", one_after_the_other, How::kByList);
  add_frames("ropes_one_by_one", one_after_the_other, How::kOneByOne);
  add_frames("ropes_by_turns", by_turns, How::kOneByOne);
  add_frames("ropes_hung_up", one_after_the_other, How::kHungUp);
  add_frames("ropes_hung_shuffled", one_after_the_other, How::kHungShuffled);
  add_frames("random_by_list", random, How::kByList);
  add_frames("random_one_by_one", random, How::kOneByOne);
  add_frames("random_hung_shuffled", random, How::kHungShuffled);
  add_frames("chain_one_by_one", chain, How::kOneByOne);
  add_frames("chain_hung_up", chain, How::kHungUp);
}

}  // namespace juxta::bench
