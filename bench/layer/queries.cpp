// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// query_any, query_all: 10k boxes ask 100k uniform ones that rest, one at a time; *_batch: in one call.
// query_all_spawn: ships and bullets ask which spawn points they touch, a quarter of one each;
// query_all_things: spawn points ask the things, whose sizes differ by a factor of 300. One iteration is one
// query. Boxes that rest are built once: juxta takes its tight order, juxta_fast the one of frames.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/layer/best_setting.h"
#include "bench/layer/contenders.h"
#include "bench/layer/frames.h"
#include "bench/layer/rows.h"
#include "bench/support/once.h"
#include "scenes/spawn.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kBoxes = 100'000, kQueries = 10'000;
constexpr std::uint64_t kSeed = 1, kQuerySeed = 3;

struct QueryWork {
  QueryWork(std::vector<Aabb3> of, std::vector<Aabb3> ask)
      : boxes(std::move(of)),
        queries(std::move(ask)),
        counts(brute_counts(queries, boxes)),
        right(brute_cross(queries, boxes)),
        bodies(boxes.size()),
        pairs(right.count + 64) {}

  std::vector<Aabb3> boxes, queries;
  std::vector<std::uint32_t> counts;  // how many boxes query i touches
  Digest right;
  std::vector<std::uint32_t> bodies;  // room for answers
  std::vector<Pair> pairs;

  void check_any(const std::string& row, std::size_t query, std::uint32_t body) const {
    const bool right_so = body == kNoBody || body == kSomeBody
                              ? (counts[query] != 0) == (body == kSomeBody)
                              : body < boxes.size() && boxes[body].overlaps(queries[query]);
    if (!right_so) {
      give_up(row + " answers query " + std::to_string(query) + " wrongly; nothing was timed.");
    }
  }
  void check_all(const std::string& row, const Digest& got) const {
    if (!(got == right)) {
      give_up(row + " finds " + std::to_string(got.count) + " overlaps and not the " +
              std::to_string(right.count) + " that there are (or others); nothing was timed.");
    }
  }
  void report(benchmark::State& state) const {
    state.counters["boxes"] = static_cast<double>(boxes.size());
    state.counters["queries"] = static_cast<double>(queries.size());
    state.counters["pairs"] = static_cast<double>(right.count);
    state.counters["checksum"] = checksum(right);
  }
};
using Shared = std::shared_ptr<Once<QueryWork>>;

template <class Asker>
using Make = std::function<std::unique_ptr<Asker>(QueryWork& work)>;

std::size_t ask_any(BoxAsker& asker, const QueryWork& work) {
  std::size_t found = 0;
  for (const Aabb3& query : work.queries) {
    found += asker.any(query) != kNoBody ? 1U : 0U;
  }
  return found;
}

std::size_t ask_all(BoxAsker& asker, QueryWork& work) {
  std::size_t found = 0;
  for (const Aabb3& query : work.queries) {
    found += asker.all(query, work.bodies);
  }
  return found;
}

void check_any(BoxAsker& asker, const QueryWork& work, const std::string& row) {
  for (std::size_t i = 0; i < work.queries.size(); ++i) {
    work.check_any(row, i, asker.any(work.queries[i]));
  }
}

void check_all(BoxAsker& asker, QueryWork& work, const std::string& row) {
  Digest got;
  for (std::uint32_t i = 0; i < work.queries.size(); ++i) {
    const std::size_t found = asker.all(work.queries[i], work.bodies);
    for (std::size_t j = 0; j < found; ++j) {
      got.add(i, work.bodies[j]);
    }
  }
  work.check_all(row, got);
}

std::size_t ask_any(BatchAsker& asker, QueryWork& work) {
  asker.any(work.queries, std::span(work.bodies).first(work.queries.size()));
  return work.queries.size();
}

std::size_t ask_all(BatchAsker& asker, QueryWork& work) {
  return asker.all(work.queries, work.pairs);
}

void check_any(BatchAsker& asker, QueryWork& work, const std::string& row) {
  work.bodies.resize(std::max(work.boxes.size(), work.queries.size()));
  ask_any(asker, work);
  for (std::size_t i = 0; i < work.queries.size(); ++i) {
    work.check_any(row, i, work.bodies[i]);
  }
}

void check_all(BatchAsker& asker, QueryWork& work, const std::string& row) {
  const std::size_t found = asker.all(work.queries, work.pairs);
  work.check_all(row, digest_cross(std::span(work.pairs).first(std::min(found, work.pairs.size()))));
}

// A row of single queries or of batches; `kAny`: one hit is enough.
template <class Asker, bool kAny>
void add_row(const std::string& row, const Shared& shared, const Make<Asker>& make) {
  auto asker = std::make_shared<Once<Asker>>([=] {
    QueryWork& work = **shared;
    auto made = make(work);
    if constexpr (kAny) {
      check_any(*made, work, row);
    } else {
      check_all(*made, work, row);
    }
    return made;
  });
  const auto body = [=](benchmark::State& state) {
    QueryWork& work = **shared;
    Asker& who = **asker;
    std::size_t found = 0;
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(work.queries.size()))) {
      found += kAny ? ask_any(who, work) : ask_all(who, work);
    }
    benchmark::DoNotOptimize(found);
    work.report(state);
  };
  benchmark::RegisterBenchmark(row.c_str(), body);
}

// A contender with a knob, at its best setting for this very question.
template <class Asker, bool kAny>
std::unique_ptr<Asker> at_best(
    QueryWork& work, const std::vector<std::uint32_t>& settings,
    const std::function<std::unique_ptr<Asker>(std::span<const Aabb3>, std::uint32_t)>& make) {
  return make(work.boxes, best_setting(settings, [&](std::uint32_t setting) -> std::function<void()> {
                auto asker = std::shared_ptr<Asker>(make(work.boxes, setting));
                return [asker, &work] { (void)(kAny ? ask_any(*asker, work) : ask_all(*asker, work)); };
              }));
}

template <bool kAny>
void add_single(const std::string& name, const Shared& shared) {
  const auto add = [&](const char* contender, const Make<BoxAsker>& make) {
    add_row<BoxAsker, kAny>(name + "/" + contender, shared, make);
  };
  add("juxta", [](QueryWork& work) { return make_juxta_boxes(work.boxes, OrderQuality::kTight); });
  add("juxta_fast", [](QueryWork& work) { return make_juxta_boxes(work.boxes, OrderQuality::kFast); });
  add("classic_one", [](QueryWork& work) { return make_classic_boxes(work.boxes, 1); });
  add("classic_buckets", [](QueryWork& work) {
    return at_best<BoxAsker, kAny>(work, cells_to_try(work.boxes.size()), make_classic_boxes);
  });
  if constexpr (kAny) {
    add("classic_early_out", [](QueryWork& work) {
      return at_best<BoxAsker, kAny>(work, cells_to_try(work.boxes.size()), make_classic_early_boxes);
    });
  }
#ifdef JUXTA_BENCH_EMBREE
  add("embree", [](QueryWork& work) { return make_embree_boxes(work.boxes); });
#endif
#ifdef JUXTA_BENCH_BOOST
  add("boost", [](QueryWork& work) { return make_boost_boxes(work.boxes); });
#endif
#ifdef JUXTA_BENCH_BULLET
  add("bullet", [](QueryWork& work) { return make_bullet_boxes(work.boxes); });
#endif
}

template <bool kAny>
void add_batch(const std::string& name, const Shared& shared) {
  const auto add = [&](const char* contender, const Make<BatchAsker>& make) {
    add_row<BatchAsker, kAny>(name + "/" + contender, shared, make);
  };
  add("juxta", [](QueryWork& work) { return make_juxta_batch(work.boxes, OrderQuality::kTight); });
  add("juxta_fast", [](QueryWork& work) { return make_juxta_batch(work.boxes, OrderQuality::kFast); });
  add("classic_buckets", [](QueryWork& work) {
    return at_best<BatchAsker, kAny>(work, cells_to_try(work.boxes.size()), make_classic_batch);
  });
#ifdef JUXTA_BENCH_EMBREE
  add("embree", [](QueryWork& work) { return make_embree_batch(work.boxes); });
#endif
#ifdef JUXTA_BENCH_WITH_CGAL
  add("cgal", [](QueryWork& work) {
    return at_best<BatchAsker, kAny>(work, cutoffs_to_try(work.boxes.size()), make_cgal_batch);
  });
#endif
}

std::unique_ptr<QueryWork> uniform_work() {
  const scenes::BoxWorld world = make_boxes(scenes::BoxSet::kUniform, box_count(kBoxes), kSeed);
  return std::make_unique<QueryWork>(world.boxes, make_query_boxes(world, box_count(kQueries), kQuerySeed));
}

scenes::SpawnWorld spawn_world() {
  const double share =
      static_cast<double>(box_count(kBoxes)) / static_cast<double>(kBoxes);  // of a smoke test
  return make_spawn(scenes::scaled(scenes::kSpawnSmall, share), kSeed);
}

// Every third, so that ships and bullets keep their shares.
std::unique_ptr<QueryWork> spawn_work() {
  const scenes::SpawnWorld world = spawn_world();
  std::vector<Aabb3> queries;
  for (const scenes::SpawnThings* things : {&world.ships, &world.bullets}) {
    for (std::size_t i = 0; i < things->boxes.size(); i += 3) {
      queries.push_back(things->boxes[i]);
    }
  }
  return std::make_unique<QueryWork>(world.spawners.boxes, std::move(queries));
}

std::unique_ptr<QueryWork> things_work() {
  scenes::SpawnWorld world = spawn_world();
  std::vector<Aabb3> things;
  for (const scenes::SpawnThings* type :
       {&world.ships, &world.bullets, &world.explosions, &world.wormholes}) {
    things.insert(things.end(), type->boxes.begin(), type->boxes.end());
  }
  world.spawners.boxes.resize(std::min(world.spawners.boxes.size(), box_count(kQueries)));
  return std::make_unique<QueryWork>(std::move(things), std::move(world.spawners.boxes));
}

}  // namespace

void register_queries() {
  const auto uniform = std::make_shared<Once<QueryWork>>(uniform_work);
  add_single<true>("query_any", uniform);
  add_single<false>("query_all", uniform);
  add_batch<true>("query_any_batch", uniform);
  add_batch<false>("query_all_batch", uniform);
  add_single<false>("query_all_spawn", std::make_shared<Once<QueryWork>>(spawn_work));
  add_single<false>("query_all_things", std::make_shared<Once<QueryWork>>(things_work));
}

}  // namespace juxta::bench
