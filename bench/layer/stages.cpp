// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// sweep_<count>/<stage>: the single-threaded sweep of the article's own tests, stage by stage
// (classics/layer/ sweep_stages.h): boxes sorted beforehand, all pairs written. The boxes are drawn as the
// article's: lower corners even in a cube, edges u v^2 of what is left to its upper side.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "bench/layer/frames.h"
#include "bench/layer/oracle.h"
#include "bench/layer/rows.h"
#include "bench/support/once.h"
#include "bench/support/settings.h"
#include "classics/layer/sweep_stages.h"
#include "scenes/draws.h"

namespace juxta::bench {
namespace {

using classics::SweepStage;

constexpr std::uint64_t kSeed = 1;
constexpr float kHalf = 100'000;

std::vector<Aabb3> boxes_of_the_article(std::size_t count) {
  scenes::Draws draws(kSeed);
  std::vector<Aabb3> boxes(count);
  for (Aabb3& box : boxes) {
    for (int axis = 0; axis < 3; ++axis) {
      box.lo[axis] = draws.uniform(-kHalf, kHalf);
      const float v = draws.unit();
      box.hi[axis] = box.lo[axis] + (kHalf - box.lo[axis]) * draws.unit() * v * v;
    }
  }
  return boxes;
}

struct Work {
  explicit Work(std::size_t count) : boxes(boxes_of_the_article(count)), stages(boxes) {
    const std::size_t found = stages.find_pairs(SweepStage::kNaive, {});
    pairs.resize(found);
    stages.find_pairs(SweepStage::kNaive, pairs);
    right = boxes.size() <= kBruteBoxes ? brute_self(boxes) : digest_self(pairs);
  }
  std::vector<Aabb3> boxes;
  classics::SweepStages stages;
  std::vector<Pair> pairs;
  Digest right;
};

const char* name(SweepStage stage) {
  switch (stage) {
    case SweepStage::kNaive:
      return "naive";
    case SweepStage::kOneBranch:
      return "one_branch";
    case SweepStage::kSimd:
      return "simd";
    case SweepStage::kRearranged:
      return "rearranged";
    case SweepStage::kColumns:
      return "columns";
    case SweepStage::kFlipped:
      return "flipped";
    case SweepStage::kSentinel:
      return "sentinel";
    case SweepStage::kBatches:
      return "batches";
    case SweepStage::kUnrolled4:
      return "unrolled_4";
    case SweepStage::kUnrolled16:
      return "unrolled_16";
    case SweepStage::kTwoAxes:
      return "two_axes";
    case SweepStage::kLinked:
      return "linked";
    case SweepStage::kAvx:
      return "avx";
  }
  return "";
}

void add_workload(const std::string& workload, std::size_t count) {
  const auto shared = std::make_shared<Once<Work>>([=] { return std::make_unique<Work>(box_count(count)); });
  for (const SweepStage stage : classics::kSweepStages) {
    const std::string row = workload + "/" + name(stage);
    const auto body = [=](benchmark::State& state) {
      Work& work = **shared;
      const std::size_t found = work.stages.find_pairs(stage, work.pairs);
      if (found != work.pairs.size() || !(digest_self(work.pairs) == work.right)) {
        give_up(row + " finds other pairs; nothing was timed.");
      }
      for (auto _ : state) {
        benchmark::DoNotOptimize(work.stages.find_pairs(stage, work.pairs));
        benchmark::ClobberMemory();
      }
      state.counters["boxes"] = static_cast<double>(work.boxes.size());
      state.counters["pairs"] = static_cast<double>(found);
    };
    benchmark::RegisterBenchmark(row.c_str(), body)->Unit(benchmark::kMicrosecond);
  }
}

}  // namespace

void register_stages() {
  add_workload("sweep_100", 100);
  add_workload("sweep_1000", 1'000);
  add_workload("sweep_5000", 5'000);
  add_workload("sweep_20000", 20'000);
}

}  // namespace juxta::bench
