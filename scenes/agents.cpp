// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "scenes/agents.h"

#include <algorithm>
#include <cmath>

#include "scenes/boxes_math.h"
#include "scenes/keyed.h"

namespace juxta::scenes {
namespace {

constexpr float kTayEdge = 1000, kTaySpeed = 1, kTayHalfEdge = 25, kVisitSpeed = 0.05F;
constexpr std::size_t kClumpEvery = 5;
constexpr float kClumpLo = 300, kClumpEdge = 46.4159F;  // 1000 / 10,000^(1/3)
constexpr std::uint32_t kDirections = 3, kClump = 6;    // purposes of random numbers; positions: 0 to 2

AgentScene scatter(std::size_t count, std::uint32_t dimensions, float hi, float speed, std::uint64_t seed) {
  AgentScene scene;
  scene.dimensions = dimensions;
  scene.hi = hi;
  for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
    scene.position[axis] = keyed_uniform(count, seed, axis, 0, hi);
    scene.velocity[axis] = keyed_uniform(count, seed, kDirections + axis, -1, 1);
  }
  set_lengths(scene.velocity, dimensions, [speed](std::size_t) { return speed; });
  return scene;
}

// Down to multiples of 1 / 64.
void to_grid(std::vector<float>& values) {
  for (float& value : values) {
    value = std::floor(value * 64) / 64;
  }
}

}  // namespace

AgentScene make_even(std::size_t count, std::uint32_t dimensions, double neighbours, std::uint64_t seed) {
  constexpr double kDisc = 3.14159265358979, kBall = 4.18879020478639;
  const double n = static_cast<double>(count);
  const double edge = dimensions == 2 ? std::sqrt(n * kDisc / neighbours) : cube_root(n * kBall / neighbours);
  return scatter(count, dimensions, static_cast<float>(edge), kVisitSpeed, seed);
}

AgentScene make_crowded(std::size_t count, std::uint32_t dimensions, double neighbours, std::uint64_t seed) {
  constexpr double kShare = 0.9, kSpace = 0.01;
  AgentScene scene = make_even(count, dimensions, neighbours * kSpace / kShare, seed);
  const auto part = static_cast<float>(dimensions == 2 ? std::sqrt(kSpace) : cube_root(kSpace));
  for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
    for (std::size_t i = 0; i < count; ++i) {
      if (i % 10 != 0) {  // kShare
        float& p = scene.position[axis][i];
        p = scene.hi * (1 - part) / 2 + p * part;
      }
    }
  }
  return scene;
}

AgentScene make_visits(std::size_t count, std::uint32_t dimensions, std::uint64_t seed) {
  return make_even(count, dimensions, kVisitNeighbours, seed);
}

AgentScene make_tay_points(std::size_t count, float radius, std::uint64_t seed) {
  AgentScene scene = scatter(count, 3, kTayEdge, kTaySpeed, seed);
  scene.radius = radius;
  for (auto* const columns : {&scene.position, &scene.velocity}) {
    for (std::vector<float>& column : *columns) {
      to_grid(column);
    }
  }
  return scene;
}

AgentScene make_tay_boxes(std::size_t count, float radius, std::uint64_t seed) {
  AgentScene scene = make_tay_points(count, radius, seed);
  scene.half_edge = kTayHalfEdge;
  for (std::vector<float>& column : scene.position) {
    for (float& p : column) {  // the whole cube inside
      p = kTayHalfEdge + p * ((kTayEdge - 2 * kTayHalfEdge) / kTayEdge);
    }
    to_grid(column);
  }
  return scene;
}

AgentScene make_clumped(std::size_t count, float radius, std::uint64_t seed) {
  AgentScene scene = make_tay_points(count, radius, seed);
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    std::vector<float> near = keyed_uniform(count, seed, kClump + axis, kClumpLo, kClumpLo + kClumpEdge);
    to_grid(near);
    for (std::size_t i = 0; i < count; i += kClumpEvery) {
      scene.position[axis][i] = near[i];
    }
  }
  return scene;
}

}  // namespace juxta::scenes
