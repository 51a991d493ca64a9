// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// flock_frame: how many boids of the published program fit into a frame of 60 Hz, the measure of the article.
// The world is the published one whatever their number, so that more boids stand closer. Each contender looks
// for its own number when its row first runs; the row is the time of a step with so many, and its counter
// "agents" is the number.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <ctime>
#include <memory>
#include <span>

#include "bench/agents/rows.h"

namespace juxta::bench {
namespace {

constexpr double kFrame = 1.0 / 60;
constexpr float kHalfSize = 10.5F;
constexpr std::size_t kFirst = 1000, kMost = 500'000;

std::unique_ptr<Crowd> crowd_of(std::size_t count) {
  return std::make_unique<Crowd>(scenes::make_flock(count, kHalfSize, kSeed));
}

// Processor time of a step, the median of five behind one that is not timed. 0: the contender cannot be had.
double seconds_of_step(const Contender& contender, std::size_t count) {
  const std::unique_ptr<Crowd> crowd = crowd_of(count);
  const std::unique_ptr<World> world = contender.make();
  if (world == nullptr) {
    return 0;
  }
  world->set(crowd->start);
  world->step();
  std::array<double, 5> took{};
  for (double& seconds : took) {
    const std::clock_t begin = std::clock();
    world->step();
    seconds = std::max(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 1e-6);
  }
  std::nth_element(took.begin(), took.begin() + 2, took.end());
  return took[2];
}

// The time grows with a power of the number between 1 and 2: a step by the square root comes nearer every
// time, and never goes beyond by more than the noise.
std::unique_ptr<Crowd> crowd_of_a_frame(const Contender& contender) {
  const std::size_t most = agent_count(kMost);
  std::size_t count = std::min(kFirst, most);
  for (int round = 0; round < 9; ++round) {
    const double seconds = seconds_of_step(contender, count);
    if (seconds <= 0) {
      break;
    }
    const double factor = std::clamp(std::sqrt(kFrame / seconds), 0.25, 4.0);
    count = std::clamp<std::size_t>(static_cast<std::size_t>(static_cast<double>(count) * factor), 10, most);
  }
  return crowd_of(count);
}

}  // namespace

void register_frames() {
  const Contender all[] = {flock("juxta"),
                           passes("juxta_generic", Model::kFlock),
                           boids("rows16", Boids::kRows),
                           boids("sse", Boids::kSse),
                           boids("sse_published", Boids::kPublished),
                           boids("scalar_ordered", Boids::kOrdered),
                           boids("cells", Boids::kCells),
                           boids("grid", Boids::kGrid),
                           boids("naive", Boids::kNaive)};
  for (const Contender& contender : all) {
    const auto crowd = std::make_shared<Once<Crowd>>([contender] { return crowd_of_a_frame(contender); });
    add_rows("flock_frame", crowd, std::span(&contender, 1));
  }
}

}  // namespace juxta::bench
