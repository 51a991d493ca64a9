// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// layer_rays: 10k segments of length 60 ask 100k bodies that rest what they hit first. One iteration is one
// ray. juxta_batch hands over all at once.
#include <benchmark/benchmark.h>

#include "bench/shape/layer_world.h"
#include "bench/shape/rows.h"
#include "bench/support/settings.h"
#include "juxta/core/workspace.h"

namespace juxta::bench {
namespace {

const LayerWorkload kRays{
    .name = "layer_rays",
    .ask = [](BodyAsker& asker, const LayerWorld& world, std::size_t i) { return asker.ray(world.rays[i]); },
    .brute_force =
        [](const LayerWorld& world, std::size_t i) {
          BodyAnswer best;
          for (std::uint32_t body = 0; body < world.bodies.size(); ++body) {
            const Body& b = world.bodies.body(body);
            if (const SurfaceHit hit = raycast(b.shape, b.at, world.rays[i]);
                hit && (best.body == kNoBody || hit.t < best.value)) {
              best = {body, hit.t};
            }
          }
          return best;
        },
    .tolerance = 2e-2F / 60};

struct Batch {
  Bodies bodies;
  Workspace workspace;
  std::vector<BodyRayHit> out;

  void run() {
    const std::span<const Ray3> rays(layer_world().rays);
    if (const auto done = bodies.raycast_closest(rays, out, {}, {.workspace = &workspace}); !done) {
      give_up(done.error().message);
    }
  }
};

void add_batch_row() {
  auto batch = std::make_shared<Once<Batch>>([] {
    auto made = std::make_unique<Batch>();
    if (const auto built =
            made->bodies.rebuild(layer_world().world.bodies, {.quality = OrderQuality::kTight});
        !built) {
      give_up(built.error().message);
    }
    made->out.resize(layer_world().rays.size());
    made->run();
    (void)check_answers("layer_rays/juxta_batch", kRays, 0, [&](std::size_t i) {
      return BodyAnswer{made->out[i].body, made->out[i].t};
    });
    return made;
  });
  benchmark::RegisterBenchmark("layer_rays/juxta_batch", [=](benchmark::State& state) {
    const std::size_t rays = layer_world().rays.size();
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(rays))) {
      (*batch)->run();
    }
    state.counters["bodies"] = static_cast<double>(layer_world().bodies.size());
    state.counters["queries"] = static_cast<double>(rays);
  });
}

}  // namespace

void add_layer_rays_rows() {
  add_layer_rows(kRays, true);
  add_batch_row();
}

}  // namespace juxta::bench
