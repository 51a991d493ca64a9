// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/shape/layer_world.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "bench/support/settings.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kBodies = 100'000, kQueries = 10'000;
constexpr std::uint64_t kSeed = 1, kRaySeed = 2, kCastSeed = 3;
// Of 1000 answers, how many a peer may give otherwise. Embree's tree is of floats that are rounded. Bullet's
// rays and casts take a distance of .01 for a hit (an epsilon of 1e-4 for its square), and so hit what they
// pass by.
[[maybe_unused]] constexpr double kEmbreeAllowed = 1, kBulletAllowed = 40;

class JuxtaBodies final : public BodyAsker {
 public:
  JuxtaBodies(const scenes::BodyWorld& world, OrderQuality quality) {
    LayerOptions options;
    options.quality = quality;
    if (const auto built = bodies_.rebuild(world.bodies, options); !built) {
      give_up(built.error().message);
    }
  }
  BodyAnswer ray(const Ray3& ray) override {
    const BodyRayHit hit = bodies_.raycast_closest(ray);
    return {hit.body, hit.t};
  }
  BodyAnswer cast(const BodyCast& cast) override {
    const BodyCastHit hit = bodies_.cast_closest(cast.shape, cast.from, cast.way);
    return {hit.body, hit.t};
  }
  BodyAnswer closest(const Shape& shape, const Qvvs& at) override {
    const BodyDistance near = bodies_.nearest(shape, at, kMostDistance);
    return {near.body, near.distance};
  }

 private:
  Bodies bodies_;
};

std::unique_ptr<LayerWorld> make_world() {
  const std::size_t bodies = std::min(kBodies, number_setting("JUXTA_BENCH_POINTS", kBodies));
  const std::size_t queries = std::min(kQueries, bodies);
  auto made = std::make_unique<LayerWorld>();
  made->world = scenes::make_bodies(bodies, kSeed);
  if (const auto built = made->bodies.rebuild(made->world.bodies); !built) {
    give_up(built.error().message);
  }
  made->rays = scenes::make_body_rays(made->world, made->bodies, queries, kRaySeed);
  made->casts = scenes::make_body_casts(made->world, made->bodies, queries, kCastSeed);
  return made;
}

bool same(const BodyAnswer& a, const BodyAnswer& b, float tolerance) {
  if (a.body == kNoBody || b.body == kNoBody) {
    return a.body == b.body;
  }
  return std::fabs(a.value - b.value) <= tolerance;  // another body at the same place is as good
}

// One pass over the questions; a sum of answers that all contenders share but for their roundings.
double ask_all(BodyAsker& asker, const LayerWorkload& workload, std::size_t& hits) {
  const LayerWorld& world = layer_world();
  double sum = 0;
  hits = 0;
  for (std::size_t i = 0; i < world.rays.size(); ++i) {
    const BodyAnswer answer = workload.ask(asker, world, i);
    if (answer.body != kNoBody) {
      sum += static_cast<double>(answer.value);
      ++hits;
    }
  }
  return sum;
}

struct Checked {
  std::unique_ptr<BodyAsker> asker;
  std::size_t differ = 0;
};

void add_row(const LayerWorkload& workload, const std::string& who,
             const std::function<std::unique_ptr<BodyAsker>()>& make, double allowed) {
  const std::string row = workload.name + "/" + who;
  auto checked = std::make_shared<Once<Checked>>([=] {
    auto made = std::make_unique<Checked>();
    made->asker = make();
    made->differ = check_answers(row, workload, allowed,
                                 [&](std::size_t i) { return workload.ask(*made->asker, layer_world(), i); });
    return made;
  });
  benchmark::RegisterBenchmark(row.c_str(), [=](benchmark::State& state) {
    Checked& contender = **checked;
    const std::size_t queries = layer_world().rays.size();
    double sum = 0;
    std::size_t hits = 0;
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(queries))) {
      sum = ask_all(*contender.asker, workload, hits);
    }
    state.counters["bodies"] = static_cast<double>(layer_world().bodies.size());
    state.counters["queries"] = static_cast<double>(queries);
    state.counters["hits"] = static_cast<double>(hits);
    state.counters["checksum"] = sum;
    state.counters["differ"] = static_cast<double>(contender.differ);
  });
}

// The first answers by brute force, bit for bit.
void prove(const LayerWorkload& workload) {
  const LayerWorld& world = layer_world();
  const auto juxta = make_juxta_bodies(world.world, OrderQuality::kFast);
  const std::size_t most = std::clamp<std::size_t>(5'000'000 / world.bodies.size(), 1, world.rays.size());
  for (std::size_t i = 0; i < most; ++i) {
    const BodyAnswer right = workload.brute_force(world, i), got = workload.ask(*juxta, world, i);
    if (got.body != right.body || (right.body != kNoBody && got.value != right.value)) {
      give_up(workload.name + ": question " + std::to_string(i) + " has body " + std::to_string(right.body) +
              " at " + std::to_string(right.value) + " for an answer, but got " + std::to_string(got.body) +
              " at " + std::to_string(got.value));
    }
  }
}

// What all are held against: the library's answers, which brute force has proven in part.
const std::vector<BodyAnswer>& right_answers(const LayerWorkload& workload) {
  static std::vector<std::pair<std::string, std::vector<BodyAnswer>>> known;
  for (const auto& [name, answers] : known) {
    if (name == workload.name) {
      return answers;
    }
  }
  prove(workload);
  const LayerWorld& world = layer_world();
  const auto juxta = make_juxta_bodies(world.world, OrderQuality::kFast);
  std::vector<BodyAnswer> answers(world.rays.size());
  for (std::size_t i = 0; i < answers.size(); ++i) {
    answers[i] = workload.ask(*juxta, world, i);
  }
  known.reserve(8);  // references stay good: there are three workloads
  return known.emplace_back(workload.name, std::move(answers)).second;
}

}  // namespace

LayerWorld& layer_world() {
  static Once<LayerWorld> world(make_world);
  return *world;
}

std::unique_ptr<BodyAsker> make_juxta_bodies(const scenes::BodyWorld& world, OrderQuality quality) {
  return std::make_unique<JuxtaBodies>(world, quality);
}

std::size_t check_answers(const std::string& row, const LayerWorkload& workload, double allowed,
                          const std::function<BodyAnswer(std::size_t query)>& answer) {
  const std::vector<BodyAnswer>& right = right_answers(workload);
  std::size_t differ = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    differ += same(answer(i), right[i], workload.tolerance) ? 0U : 1U;
  }
  if (static_cast<double>(differ) > allowed * 1e-3 * static_cast<double>(right.size())) {
    give_up(row + " answers " + std::to_string(differ) + " of " + std::to_string(right.size()) +
            " questions differently; nothing was timed.");
  }
  return differ;
}

void add_layer_rows(const LayerWorkload& workload, bool with_embree) {
  const auto juxta = [](OrderQuality quality) {
    return [=] { return make_juxta_bodies(layer_world().world, quality); };
  };
  add_row(workload, "juxta", juxta(OrderQuality::kTight), 0);
  add_row(workload, "juxta_fast", juxta(OrderQuality::kFast), 0);
#ifdef JUXTA_BENCH_BULLET
  add_row(
      workload, "bullet", [] { return make_bullet_bodies(layer_world().world); }, kBulletAllowed);
#endif
#ifdef JUXTA_BENCH_EMBREE
  if (with_embree) {
    add_row(
        workload, "embree", [] { return make_embree_bodies(layer_world().world); }, kEmbreeAllowed);
  }
#else
  (void)with_embree;
#endif
}

}  // namespace juxta::bench
