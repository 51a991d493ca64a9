// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "scenes/flocks.h"

#include <cmath>

#include "scenes/boxes_math.h"
#include "scenes/keyed.h"

namespace juxta::scenes {
namespace {

constexpr float kHalfSize2 = 10.5F, kHalfSize3 = 3.12F, kMinSpeed = 1.088F, kMaxSpeed = 1.55F;
constexpr double kPublishedCount = 20'000;
// Purposes of random numbers: positions 0 to 2, directions 3 to 5.
constexpr std::uint32_t kHeadings = 3, kSpeeds = 6;

}  // namespace

float flock_half_size(std::size_t count, std::uint32_t dimensions) noexcept {
  const double share = static_cast<double>(count) / kPublishedCount;
  return static_cast<float>(dimensions == 2 ? kHalfSize2 * std::sqrt(share) : kHalfSize3 * cube_root(share));
}

FlockScene make_flock(std::size_t count, float half_size, std::uint64_t seed, std::uint32_t dimensions) {
  FlockScene scene;
  scene.dimensions = dimensions;
  scene.half_size = half_size;
  for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
    scene.position[axis] = keyed_uniform(count, seed, axis, -1, 1);
    for (float& p : scene.position[axis]) {
      p *= 0.9F * half_size;
    }
    scene.velocity[axis] = keyed_uniform(count, seed, kHeadings + axis, -1, 1);
  }
  const std::vector<float> speeds = keyed_uniform(count, seed, kSpeeds, kMinSpeed, kMaxSpeed);
  set_lengths(scene.velocity, dimensions, [&](std::size_t i) { return 0.5F * speeds[i]; });
  return scene;
}

}  // namespace juxta::scenes
