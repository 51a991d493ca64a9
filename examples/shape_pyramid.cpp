// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A pyramid of 1,015 boxes, 14 layers high, that must stand: shape_pyramid [seconds]. It ends with 1
// if a box has moved by more than 3 % of its size, or if threads changed a bit.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "shape_pyramid_solver.h"

namespace {

constexpr int kLayers = 14, kRate = 60, kSubsteps = 4;
constexpr float kHalf = 0.5F, kApart = 1.1F, kMost = 0.03F;

pyramid::Solver make_pyramid(const juxta::Executor* executor) {
  std::vector<juxta::Body> boxes;
  std::vector<pyramid::Moving> moving;
  boxes.push_back({juxta::Box{{}, {}, {50, 1, 50}}, {}});
  boxes[0].at.position = {0, -1, 0};
  moving.push_back({});
  for (int layer = 0; layer < kLayers; ++layer) {
    const int side = kLayers - layer;
    for (int i = 0; i < side * side; ++i) {
      const float middle = static_cast<float>(side - 1) / 2;
      juxta::Body box{juxta::Box{{}, {}, {kHalf, kHalf, kHalf}}, {}};
      box.at.position = {(static_cast<float>(i % side) - middle) * kApart,
                         kHalf * static_cast<float>(2 * layer + 1),
                         (static_cast<float>(i / side) - middle) * kApart};
      boxes.push_back(box);
      moving.push_back({{}, {}, 1, {6, 6, 6}});  // 1 kg, edges of 1 m
    }
  }
  return {std::move(boxes), std::move(moving), executor};
}

std::uint64_t hash_of(const pyramid::Solver& solver) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const juxta::Body& box : solver.boxes()) {
    const juxta::Vec3& p = box.at.position;
    const juxta::Quat& q = box.at.rotation;
    for (const float x : {p.x, p.y, p.z, q.x, q.y, q.z, q.w}) {
      hash = (hash ^ std::bit_cast<std::uint32_t>(x)) * 0x100000001B3ULL;
    }
  }
  return hash;
}

float farthest_moved(const pyramid::Solver& now, const pyramid::Solver& start) {
  float most = 0;
  for (std::size_t i = 0; i < now.boxes().size(); ++i) {
    most = std::max(most, juxta::length(now.boxes()[i].at.position - start.boxes()[i].at.position));
  }
  return most;
}

}  // namespace

int main(int count, char** arguments) {
  const int seconds = count > 1 ? std::atoi(arguments[1]) : 5;
  const auto threads = juxta::TbbExecutor::build(2);  // there is none in a library without oneTBB
  pyramid::Solver one = make_pyramid(nullptr), several = make_pyramid(threads ? &*threads : nullptr);
  const pyramid::Solver start = make_pyramid(nullptr);
  for (int step = 0; step < seconds * kRate; ++step) {
    one.step(1.0F / kRate, kSubsteps);
    if (step < kRate / 2) {
      several.step(1.0F / kRate, kSubsteps);
      if (hash_of(one) != hash_of(several)) {
        std::printf("two threads changed step %d\n", step);
        return 1;
      }
    }
    if ((step + 1) % kRate == 0) {
      std::printf("%3d s: moved by %.4f at most, %zu points, %.1f %% continued, bits %016llx\n",
                  (step + 1) / kRate, static_cast<double>(farthest_moved(one, start)), one.points(),
                  100.0 * static_cast<double>(one.continued()) / static_cast<double>(one.points()),
                  static_cast<unsigned long long>(hash_of(one)));
    }
  }
  return farthest_moved(one, start) <= kMost && one.continued() > one.points() / 2 ? 0 : 1;
}
