// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// objects_<world>/<way>: FindObjects alone, as "Find Objects 1" goes through it. One iteration is one query:
// does a box of any layer overlap it. The layers rest; all ways of a world have the same cells.
//   objects_100k           10k queries to 100k uniform boxes
//   objects_1k             10k queries to 1k, of which the article says that the loop might pay there
//   objects_spawn, _orbits the spawn points of scenes/spawn.h that are left after pairs ask the layers of
//   things
// printed: as printed, slip of the maxima included. recursive, loop: the printed walks. stack: ours. early:
// stops at the first hit. Counters are per query: buckets, boxes swept, tree nodes read, nodes whose interval
// holds the query's begin, hits. objects_build_100k/<way>: the interval tree of 100k rows alone, as printed
// and in one pass. objects_search_100k/<way>: the binary search among 100k xmins alone; one iteration is one
// search. printed: a branch with gcc 12; masked: no branch; std: std::lower_bound.
#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/layer/best_setting.h"
#include "bench/layer/frames.h"
#include "bench/layer/oracle.h"
#include "bench/layer/rows.h"
#include "bench/layer/spawn_ways.h"
#include "bench/support/once.h"
#include "bench/support/settings.h"
#include "classics/layer/binary_search.h"
#include "classics/layer/collision_layer.h"
#include "classics/layer/interval_tree.h"
#include "juxta/core/workspace.h"
#include "scenes/spawn.h"

namespace juxta::bench {
namespace {

using classics::CollisionLayer;
using classics::ObjectsWork;
using classics::TreeBuild;
using classics::TreeWalk;

constexpr std::size_t kQueries = 10'000;
constexpr std::uint64_t kSeed = 1, kQuerySeed = 3;

struct Question {
  std::vector<std::vector<Aabb3>> layers;
  std::vector<Aabb3> queries;
};

struct Way {
  const char* name;
  TreeWalk walk;
  TreeBuild build;
  bool early;
};
constexpr Way kStackWay{"stack", TreeWalk::kStack, TreeBuild::kOnePass, false};
constexpr Way kWays[] = {{"printed", TreeWalk::kRecursive, TreeBuild::kPublishedZeros, false},
                         {"recursive", TreeWalk::kRecursive, TreeBuild::kTwoRecursions, false},
                         {"loop", TreeWalk::kCheckpoints, TreeBuild::kTwoRecursions, false},
                         kStackWay,
                         {"early", TreeWalk::kStack, TreeBuild::kOnePass, true}};

Aabb3 bounds_of(const Question& question) {
  Aabb3 bounds = question.layers.front().front();
  for (const std::vector<Aabb3>& boxes : question.layers) {
    for (const Aabb3& box : boxes) {
      for (int axis = 0; axis < 3; ++axis) {
        bounds.lo[axis] = std::min(bounds.lo[axis], box.lo[axis]);
        bounds.hi[axis] = std::max(bounds.hi[axis], box.hi[axis]);
      }
    }
  }
  return bounds;
}

// The layers of a question, built in one of the ways.
struct Asker {
  Asker(const Question& question, const Way& which, std::uint32_t cells) : way(which) {
    const Aabb3 world = bounds_of(question);
    Workspace workspace;
    for (const std::vector<Aabb3>& boxes : question.layers) {
      layers.emplace_back(classics::LayerCells{world, cells, cells});
      layers.back().build(boxes, workspace, classics::Ask::kPairsAndObjects, way.build);
    }
  }
  // As the article has it: what one layer hits does not ask the next.
  [[nodiscard]] bool hits(const Aabb3& query) const {
    return std::any_of(layers.begin(), layers.end(), [&](const CollisionLayer& layer) {
      return way.early ? layer.any_object_early(query, way.walk) : layer.any_object(query, way.walk);
    });
  }
  [[nodiscard]] std::size_t ask_all(std::span<const Aabb3> queries) const {
    return static_cast<std::size_t>(
        std::count_if(queries.begin(), queries.end(), [this](const Aabb3& query) { return hits(query); }));
  }

  Way way;
  std::vector<CollisionLayer> layers;
};

struct Work {
  explicit Work(Question asked) : question(std::move(asked)), hit(question.queries.size()) {
    for (const std::vector<Aabb3>& boxes : question.layers) {
      const std::vector<std::uint32_t> counts = brute_counts(question.queries, boxes);
      std::transform(counts.begin(), counts.end(), hit.begin(), hit.begin(),
                     [](std::uint32_t count, std::uint8_t was) {
                       return static_cast<std::uint8_t>(was != 0 || count != 0 ? 1 : 0);
                     });
    }
    cells = best_setting(
        cells_to_try(question.layers.front().size()), [this](std::uint32_t tried) -> std::function<void()> {
          auto asker = std::make_shared<Asker>(question, kStackWay, tried);
          return [this, asker] { benchmark::DoNotOptimize(asker->ask_all(question.queries)); };
        });
  }

  Question question;
  std::vector<std::uint8_t> hit;  // by brute force
  std::uint32_t cells = 1;
};
using Shared = std::shared_ptr<Once<Work>>;

void check(const Asker& asker, const Work& work, const std::string& row) {
  for (std::size_t i = 0; i < work.hit.size(); ++i) {
    if (asker.hits(work.question.queries[i]) != (work.hit[i] != 0)) {
      give_up(row + " answers query " + std::to_string(i) + " wrongly; nothing was timed.");
    }
  }
}

// What an answer takes: all layers up to the first one that is hit.
void report(benchmark::State& state, const Asker& asker, const Work& work) {
  ObjectsWork sum;
  for (const Aabb3& query : work.question.queries) {
    for (const CollisionLayer& layer : asker.layers) {
      const ObjectsWork one = layer.count_objects(query, asker.way.walk);
      sum.buckets += one.buckets;
      sum.swept += one.swept;
      sum.nodes += one.nodes;
      sum.inside += one.inside;
      sum.hits += one.hits;
      if (one.hits != 0) {
        break;
      }
    }
  }
  const auto per_query = [&](std::uint64_t count) {
    return static_cast<double>(count) / static_cast<double>(work.question.queries.size());
  };
  state.counters["queries"] = static_cast<double>(work.question.queries.size());
  state.counters["hit"] = static_cast<double>(std::count(work.hit.begin(), work.hit.end(), 1));
  state.counters["cells"] = work.cells;
  if (asker.way.early) {
    return;  // it does less than the counters tell
  }
  state.counters["buckets"] = per_query(sum.buckets);
  state.counters["swept"] = per_query(sum.swept);
  state.counters["nodes"] = per_query(sum.nodes);
  state.counters["inside"] = per_query(sum.inside);
  state.counters["hits"] = per_query(sum.hits);
}

void add_workload(const std::string& name, const std::function<Question()>& make) {
  const Shared shared = std::make_shared<Once<Work>>([make] { return std::make_unique<Work>(make()); });
  for (const Way& way : kWays) {
    const std::string row = name + "/" + way.name;
    auto asker = std::make_shared<Once<Asker>>([shared, way, row] {
      auto made = std::make_unique<Asker>((*shared)->question, way, (*shared)->cells);
      check(*made, **shared, row);
      return made;
    });
    benchmark::RegisterBenchmark(row.c_str(), [shared, asker](benchmark::State& state) {
      const Asker& who = **asker;
      const std::span<const Aabb3> queries((*shared)->question.queries);
      while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(queries.size()))) {
        benchmark::DoNotOptimize(who.ask_all(queries));
      }
      report(state, who, **shared);
    });
  }
}

Question uniform(std::size_t boxes) {
  const scenes::BoxWorld world = make_boxes(scenes::BoxSet::kUniform, box_count(boxes), kSeed);
  return {{world.boxes}, make_query_boxes(world, box_count(kQueries), kQuerySeed)};
}

// The spawn points that touch no other one and are not busy, in the order of a layer.
Question spawn(const scenes::SpawnForm& form) {
  const double part = static_cast<double>(box_count(form.spawners)) / static_cast<double>(form.spawners);
  const scenes::SpawnWorld world = make_spawn(part < 1 ? scaled(form, part) : form, kSeed);
  Question question;
  for (const std::span<const Aabb3> things : others_of(world)) {
    if (!things.empty()) {
      question.layers.emplace_back(things.begin(), things.end());
    }
  }
  CollisionLayer layer({bounds_of(question), 8, 8});
  Workspace workspace;
  layer.build(world.spawners.boxes, workspace);
  std::vector<std::uint8_t> hit = world.busy;
  layer.flag_pairs(workspace, hit);
  for (const std::uint32_t spawner : layer.order()) {
    if (hit[spawner] == 0) {
      question.queries.push_back(world.spawners.boxes[spawner]);
    }
  }
  return question;
}

struct SortedRows {
  SortedRows() {
    const scenes::BoxWorld world = make_boxes(scenes::BoxSet::kUniform, box_count(100'000), kSeed);
    layer.build(world.boxes, workspace);
    nodes.resize(world.boxes.size());
  }
  void build(TreeBuild how) {
    const classics::LayerRows rows = layer.rows(0);
    build_interval_tree(how, rows.xmin, rows.xmax, rows.size, nodes.data());
    benchmark::ClobberMemory();
  }
  Workspace workspace;
  CollisionLayer layer;
  std::vector<classics::IntervalNode> nodes;
};

void add_build(const std::string& way, const std::shared_ptr<Once<SortedRows>>& shared, TreeBuild how) {
  benchmark::RegisterBenchmark(("objects_build_100k/" + way).c_str(), [=](benchmark::State& state) {
    SortedRows& rows = **shared;
    for (auto _ : state) {
      rows.build(how);
    }
    state.counters["boxes"] = static_cast<double>(rows.nodes.size());
  })->Unit(benchmark::kMillisecond);
}

template <class Search>
void add_search(const std::string& way, const std::shared_ptr<Once<SortedRows>>& shared,
                const Search& search) {
  benchmark::RegisterBenchmark(("objects_search_100k/" + way).c_str(), [=](benchmark::State& state) {
    const classics::LayerRows rows = (*shared)->layer.rows(0);
    std::uint32_t seed = 1;
    std::uint64_t sum = 0;
    for (auto _ : state) {
      seed = seed * 1664525U + 1013904223U;  // any value of the array, in no order
      sum += search(rows.xmin, rows.size, rows.xmin[(std::uint64_t{seed} * rows.size) >> 32]);
    }
    benchmark::DoNotOptimize(sum);
  });
}

}  // namespace

void register_objects() {
  add_workload("objects_100k", [] { return uniform(100'000); });
  add_workload("objects_1k", [] { return uniform(1'000); });
  add_workload("objects_spawn", [] { return spawn(scenes::kSpawnSmall); });
  add_workload("objects_orbits", [] { return spawn(scenes::kSpawnOrbits); });
  const auto rows = std::make_shared<Once<SortedRows>>([] { return std::make_unique<SortedRows>(); });
  add_build("two_recursions", rows, TreeBuild::kTwoRecursions);
  add_build("one_pass", rows, TreeBuild::kOnePass);
  add_search("printed", rows, [](const float* values, std::uint32_t size, float x) {
    return classics::first_not_below(values, size, x);
  });
  add_search("masked", rows, [](const float* values, std::uint32_t size, float x) {
    return classics::first_not_below_masked(values, size, x);
  });
  add_search("std", rows, [](const float* values, std::uint32_t size, float x) {
    return static_cast<std::uint32_t>(std::lower_bound(values, values + size, x) - values);
  });
}

}  // namespace juxta::bench
