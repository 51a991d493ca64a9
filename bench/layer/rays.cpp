// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// ray_closest_*: 5k unbounded rays ask boxes that rest for the one they enter first. One iteration is one
// ray. Boxes that rest are built once: juxta takes its tight order, juxta_fast the one of frames.
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/layer/best_setting.h"
#include "bench/layer/contenders.h"
#include "bench/layer/frames.h"
#include "bench/layer/rows.h"
#include "bench/support/once.h"
#include "juxta/core/workspace.h"
#include "juxta/layer/layer.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kRays = 5'000;
constexpr std::uint64_t kSeed = 1, kRaySeed = 4;
// A peer may take a grazing ray for a miss, because it rounds its boxes: of 1000 rays this many.
[[maybe_unused]] constexpr double kGrazes = 2;

struct RayWork {
  RayWork(scenes::BoxSet set, std::size_t count) {
    const scenes::BoxWorld world = make_boxes(set, box_count(count), kSeed);
    boxes = world.boxes;
    rays = make_query_rays(world, box_count(kRays), kRaySeed);
    // As many as take a second or two by brute force.
    right.resize(std::clamp<std::size_t>(500'000'000 / boxes.size(), 1, rays.size()));
    std::transform(rays.begin(), rays.begin() + static_cast<std::ptrdiff_t>(right.size()), right.begin(),
                   [this](const Ray3& ray) { return brute_closest(ray, boxes); });
  }

  std::vector<Aabb3> boxes;
  std::vector<Ray3> rays;
  std::vector<RayHit> right;  // of the first rays

  // How many of the first answers differ; ends the program where more do than `allowed` of a thousand.
  template <class Answer>
  std::size_t check(const std::string& row, double allowed, const Answer& answer) const {
    std::size_t differ = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
      differ += answer(i) == right[i] ? 0U : 1U;
    }
    if (static_cast<double>(differ) > allowed * 1e-3 * static_cast<double>(right.size())) {
      give_up(row + " answers " + std::to_string(differ) + " of " + std::to_string(right.size()) +
              " rays wrongly; nothing was timed.");
    }
    return differ;
  }
};
using Shared = std::shared_ptr<Once<RayWork>>;
using Make = std::function<std::unique_ptr<RayAsker>(const RayWork& work)>;

float ask(RayAsker& asker, const RayWork& work, std::size_t most) {
  float sum = 0;
  for (std::size_t i = 0; i < most; ++i) {
    sum += asker.closest(work.rays[i]).body == kNoBody ? 0.0F : 1.0F;
  }
  return sum;
}

struct Checked {
  std::unique_ptr<RayAsker> asker;
  std::size_t differ = 0;
};

struct RowOptions {
  double allowed = 0;        // wrong answers of a thousand
  std::size_t most = kRays;  // rays asked; fewer of those who are slow
};

void add_row(const std::string& row, const Shared& shared, const Make& make, RowOptions options = {}) {
  auto checked = std::make_shared<Once<Checked>>([=] {
    const RayWork& work = **shared;
    auto made = std::make_unique<Checked>(Checked{make(work), 0});
    made->differ =
        work.check(row, options.allowed, [&](std::size_t i) { return made->asker->closest(work.rays[i]); });
    return made;
  });
  benchmark::RegisterBenchmark(row.c_str(), [=](benchmark::State& state) {
    const RayWork& work = **shared;
    Checked& who = **checked;
    const std::size_t rays = std::min(options.most, work.rays.size());
    float found = 0;
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(rays))) {
      found += ask(*who.asker, work, rays);
    }
    benchmark::DoNotOptimize(found);
    state.counters["boxes"] = static_cast<double>(work.boxes.size());
    state.counters["queries"] = static_cast<double>(rays);
    state.counters["differ"] = static_cast<double>(who.differ);
  });
}

// The library's batch, which sorts the rays first.
void add_batch_row(const std::string& row, const Shared& shared, OrderQuality quality) {
  struct Batch {
    Layer layer;
    Workspace workspace;
    std::vector<RayHit> out;

    void run(const RayWork& work) {
      const std::span<const Ray3> rays(work.rays);
      if (const auto done = raycast_closest(layer, rays, out, {}, {.workspace = &workspace}); !done) {
        give_up(done.error().message);
      }
    }
  };
  auto batch = std::make_shared<Once<Batch>>([=] {
    const RayWork& work = **shared;
    auto made = std::make_unique<Batch>();
    if (const auto built = made->layer.rebuild(work.boxes, {.quality = quality}); !built) {
      give_up(built.error().message);
    }
    made->out.resize(work.rays.size());
    made->run(work);
    (void)work.check(row, 0, [&](std::size_t i) { return made->out[i]; });
    return made;
  });
  benchmark::RegisterBenchmark(row.c_str(), [=](benchmark::State& state) {
    const RayWork& work = **shared;
    Batch& b = **batch;
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(work.rays.size()))) {
      b.run(work);
    }
    state.counters["boxes"] = static_cast<double>(work.boxes.size());
    state.counters["queries"] = static_cast<double>(work.rays.size());
  });
}

std::unique_ptr<RayAsker> best_classic(const RayWork& work) {
  const auto frame = [&work](std::uint32_t cells) -> std::function<void()> {
    auto asker = std::shared_ptr<RayAsker>(make_classic_rays(work.boxes, cells));
    return [asker, &work] { (void)ask(*asker, work, std::min<std::size_t>(work.rays.size(), 20)); };
  };
  return make_classic_rays(work.boxes, best_setting(cells_to_try(work.boxes.size()), frame));
}

void add_workload(const std::string& name, scenes::BoxSet set, std::size_t count) {
  const auto shared = std::make_shared<Once<RayWork>>([=] { return std::make_unique<RayWork>(set, count); });
  add_row(name + "/juxta", shared,
          [](const RayWork& work) { return make_juxta_rays(work.boxes, OrderQuality::kTight); });
  add_row(name + "/juxta_fast", shared,
          [](const RayWork& work) { return make_juxta_rays(work.boxes, OrderQuality::kFast); });
  add_batch_row(name + "/juxta_batch", shared, OrderQuality::kTight);
  add_batch_row(name + "/juxta_batch_fast", shared, OrderQuality::kFast);
  add_row(name + "/classic_buckets", shared, best_classic, {.allowed = 0, .most = 200});
#ifdef JUXTA_BENCH_EMBREE
  add_row(name + "/embree", shared, [](const RayWork& work) { return make_embree_rays(work.boxes); },
          {.allowed = kGrazes});
#endif
}

}  // namespace

void register_rays() {
  add_workload("ray_closest_10k", scenes::BoxSet::kUniform, 10'000);
  add_workload("ray_closest_100k", scenes::BoxSet::kUniform, 100'000);
  add_workload("ray_closest_1M", scenes::BoxSet::kUniform, 1'000'000);
  add_workload("ray_closest_clustered", scenes::BoxSet::kClustered, 100'000);
}

}  // namespace juxta::bench
