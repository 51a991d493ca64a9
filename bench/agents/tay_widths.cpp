// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// tay_width_*: what a step of Tay's own test takes with partitions of 2 radius / 2^k, k from 0 to 4: the
// curves of its articles; on points, on points with a clump, and on boxes. One row a structure; its time is
// that of the best width. Counters, for each k:
//   width<k>_ns    a step, the fastest of three
//   near<k>        of all pairs tested so many are near: the published efficiency
//   uneven<k>      how far tasks are from the mean of pairs tested, in the mean, were there 8 threads: the
//                  published deviation
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "bench/agents/rows.h"
#include "bench/agents/tay_bodies.h"
#include "benchmark/benchmark.h"
#include "classics/agents/tay.h"
#include "scenes/draws.h"

namespace juxta::bench {
namespace {

using classics::TayStructure;

constexpr std::size_t kWidths = 5, kPublishedThreads = 8;

struct Named {
  const char* name;
  TayStructure structure;
  bool boxes;  ///< Takes boxes too.
};
constexpr std::array<Named, 7> kStructures{{{"tay_grid", TayStructure::kGrid, false},
                                            {"tay_kd", TayStructure::kKd, true},
                                            {"tay_z", TayStructure::kZ, false},
                                            {"tay_boxes", TayStructure::kBoxes, true},
                                            {"tay_grid_pointers", TayStructure::kGridPointers, false},
                                            {"tay_kd_pointers", TayStructure::kKdPointers, true},
                                            {"tay_boxes_pointers", TayStructure::kBoxesPointers, true}}};

/// Agents, and what is asked of them but for the width.
struct TayCrowd {
  classics::TayTest test;
  std::vector<classics::TayBody> bodies;
};

std::unique_ptr<classics::TayWorld> make_world(const TayCrowd& crowd, TayStructure structure, int correction,
                                               std::size_t tasks) {
  classics::TayTest test = crowd.test;
  test.depth_correction = correction;
  test.tasks = tasks;
  auto world = classics::make_tay(structure, test);
  world->set(crowd.bodies);
  return world;
}

/// What does not depend on time.
struct Counted {
  double seen = 0, near = 0, uneven = 0;
};

Counted count(const TayCrowd& crowd, TayStructure structure, int correction) {
  const auto world = make_world(crowd, structure, correction, kPublishedThreads);
  std::vector<classics::TayBody> bodies(crowd.bodies.size());
  world->sort();
  world->see();
  world->get(bodies);
  const std::vector<std::uint64_t> tested = world->tested();
  double seen = 0, off = 0;
  for (const classics::TayBody& body : bodies) {
    seen += body.seen;
  }
  const double all =
      std::max(static_cast<double>(std::accumulate(tested.begin(), tested.end(), std::uint64_t{0})), 1.0);
  for (const std::uint64_t of_task : tested) {
    off += std::abs(static_cast<double>(of_task) * kPublishedThreads / all - 1) / kPublishedThreads;
  }
  return {seen, seen / all, off};
}

double fastest_step(const TayCrowd& crowd, TayStructure structure, int correction) {
  const auto world = make_world(crowd, structure, correction, 1);
  world->step();
  double fastest = std::numeric_limits<double>::max();
  for (int step = 0; step < 3; ++step) {
    fastest = std::min(fastest, seconds(Clock::kProcessor, [&] { world->step(); }));
  }
  return fastest;
}

void run(benchmark::State& state, const TayCrowd& crowd, TayStructure structure) {
  std::array<double, kWidths> took{};
  for (auto _ : state) {
    for (std::size_t k = 0; k < kWidths; ++k) {
      took[k] = fastest_step(crowd, structure, static_cast<int>(k));
    }
    state.SetIterationTime(*std::min_element(took.begin(), took.end()));
  }
  state.counters["agents"] = static_cast<double>(crowd.bodies.size());
  for (std::size_t k = 0; k < kWidths; ++k) {
    const Counted counted = count(crowd, structure, static_cast<int>(k));
    const std::string number = std::to_string(k);
    state.counters["pairs"] = counted.seen;
    state.counters["width" + number + "_ns"] = took[k] * 1e9;
    state.counters["near" + number] = counted.near;
    state.counters["uneven" + number] = counted.uneven;
  }
}

/// The second article's boxes: edges from 1 to 50, each axis by itself, in multiples of 1 / 64.
void give_sizes(std::vector<classics::TayBody>& bodies, float world) {
  scenes::Draws draws(kSeed);
  for (classics::TayBody& body : bodies) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const float edge = static_cast<float>(64 + draws.below(49 * 64 + 1)) / 64;
      body.lo[axis] = std::min(body.lo[axis], world - edge);
      body.hi[axis] = body.lo[axis] + edge;
    }
  }
}

using MakeScene = scenes::AgentScene (*)(std::size_t count, float radius, std::uint64_t seed);

void add(const std::string& workload, MakeScene make, float radius, bool boxes = false) {
  const auto crowd = std::make_shared<Once<TayCrowd>>([=] {
    const Crowd points(make(agent_count(10'000), radius, kSeed), Model::kTay);
    auto made = std::make_unique<TayCrowd>(TayCrowd{tay_test(points.start, 0), tay_bodies(points.start)});
    made->test.boxes = boxes;
    if (boxes) {
      give_sizes(made->bodies, made->test.size);
    }
    return made;
  });
  for (const Named& named : kStructures) {
    if (!boxes || named.boxes) {
      const std::string row = workload + "/" + named.name;
      benchmark::RegisterBenchmark(row.c_str(),
                                   [=](benchmark::State& state) { run(state, **crowd, named.structure); })
          ->Iterations(1)
          ->UseManualTime();
    }
  }
}

}  // namespace

void register_tay_widths() {
  add("tay_width_r50", scenes::make_tay_points, 50);
  add("tay_width_r100", scenes::make_tay_points, 100);
  add("tay_width_r200", scenes::make_tay_points, 200);
  add("tay_width_clump", scenes::make_clumped, 50);
  add("tay_width_boxes_r50", scenes::make_tay_points, 50, true);
  add("tay_width_boxes_r100", scenes::make_tay_points, 100, true);
}

}  // namespace juxta::bench
