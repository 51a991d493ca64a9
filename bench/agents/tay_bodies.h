// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "bench/agents/consumer/world.h"
#include "classics/agents/tay.h"

namespace juxta::bench {

/// The agents of a start, as the classics take them.
[[nodiscard]] inline std::vector<classics::TayBody> tay_bodies(const Start& start) {
  std::vector<classics::TayBody> bodies(start.size);
  for (std::size_t i = 0; i < start.size; ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      bodies[i].lo[axis] = start.position[axis][i] - start.half_edge;
      bodies[i].hi[axis] = start.position[axis][i] + start.half_edge;
      bodies[i].velocity[axis] = start.velocity[axis][i];
    }
  }
  return bodies;
}

/// What is asked of them.
[[nodiscard]] inline classics::TayTest tay_test(const Start& start, int depth_correction) {
  classics::TayTest test;
  test.size = start.hi;
  test.radius = start.radius;
  test.depth_correction = depth_correction;
  test.boxes = start.half_edge > 0;
  return test;
}

}  // namespace juxta::bench
