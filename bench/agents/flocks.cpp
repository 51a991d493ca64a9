// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// flock_*: the published boids from their published start, and as they are 300 steps later, when they fly in
// dense flocks. The stages grid, scalar_ordered and sse differ by one thing each: layout, then SIMD.
#include <memory>
#include <vector>

#include "bench/agents/rows.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kStepsToFlock = 300;

scenes::FlockScene flocked(std::size_t nominal) {
  const std::size_t count = agent_count(nominal);
  scenes::FlockScene scene = scenes::make_flock(count, scenes::flock_half_size(count), kSeed);
  const Crowd crowd(scene);
  const std::unique_ptr<World> world = make_juxta_flock();
  world->set(crowd.start);
  for (std::size_t step = 0; step < kStepsToFlock; ++step) {
    world->step();
  }
  State state;
  world->read(state);
  scene.position = state.position;
  scene.velocity = state.velocity;
  return scene;
}

void add(const std::string& workload, const SharedCrowd& crowd, bool naive) {
  std::vector<Contender> all{flock("juxta"),
                             passes("juxta_generic", Model::kFlock),
                             boids("grid", Boids::kGrid, naive ? Pace{} : kSlow),
                             boids("scalar_ordered", Boids::kOrdered, naive ? Pace{} : kSlow),
                             boids("sse", Boids::kSse),
                             boids("sse_published", Boids::kPublished),
                             boids("sse_published_gather", Boids::kPublishedGather),
                             boids("sse_published_morton", Boids::kPublishedMorton),
                             boids("sse_published_hilbert", Boids::kPublishedHilbert),
                             boids("rows16", Boids::kRows),
                             boids("cells", Boids::kCells, naive ? Pace{} : kSlow)};
  if (naive) {
    all.push_back(boids("naive", Boids::kNaive, kSlowest));
  }
  add_rows(workload, crowd, all);
}

}  // namespace

void register_flocks() {
  add("flock_20k", share_flock(20'000), true);
  add("flock_20k_flocked",
      std::make_shared<Once<Crowd>>([] { return std::make_unique<Crowd>(flocked(20'000)); }), true);
  add("flock_100k", share_flock(100'000), false);
  add("flock_1M", share_flock(1'000'000), false);
}

}  // namespace juxta::bench
