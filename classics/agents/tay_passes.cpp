// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <cmath>
#include <cstddef>

#include "classics/agents/tay_agent.h"

namespace juxta::classics {
namespace {

constexpr int kRoots = 8;

template <class Agent>
void see(Agent& seer, const Agent& seen) {
  seer.sum.add(seen.lo().minus(seer.lo()));
  ++seer.seen;
}

// The same after some roots, one after the other; the first needs the sum so far, so that no two interactions
// of a seer overlap. They end in a number, and nothing times a number is nothing; but the compiler must not
// know that it is one.
template <class Agent>
void see_heavily(Agent& seer, const Agent& seen) {
  Float4 difference = seen.lo().minus(seer.lo());
  float root = seer.sum[0] * seer.sum[0];
  for (int i = 0; i < kRoots; ++i) {
    root = std::sqrt(root + 1);
  }
  difference[0] += 0 * root;
  seer.sum.add(difference);
  ++seer.seen;
}

template <class Agent>
void feel(Agent& agent) {
  if (agent.seen > 0) {
    const auto count = static_cast<float>(agent.seen);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      agent.felt[axis] += agent.sum[axis] / count;
    }
    agent.sum = {};
    agent.seen = 0;
  }
}

void act_point(TayPoint& agent, const TayTest& test) {
  feel(agent);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    float& at = agent.position[axis];
    at += agent.velocity[axis];
    if (at < 0) {
      at = 0;
      agent.velocity[axis] = -agent.velocity[axis];
    }
    if (at > test.size) {
      at = test.size;
      agent.velocity[axis] = -agent.velocity[axis];
    }
  }
}

void act_box(TayBox& agent, const TayTest& test) {
  feel(agent);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    float &lo = agent.least[axis], &hi = agent.most[axis];
    const float extent = hi - lo;
    lo += agent.velocity[axis];
    hi += agent.velocity[axis];
    if (lo < 0) {
      lo = 0;
      hi = extent;
      agent.velocity[axis] = -agent.velocity[axis];
    }
    if (hi > test.size) {
      hi = test.size;
      lo = test.size - extent;
      agent.velocity[axis] = -agent.velocity[axis];
    }
  }
}

}  // namespace

template <>
TayPasses<TayPoint> tay_passes(bool heavy) {
  return {heavy ? see_heavily<TayPoint> : see<TayPoint>, act_point};
}
template <>
TayPasses<TayBox> tay_passes(bool heavy) {
  return {heavy ? see_heavily<TayBox> : see<TayBox>, act_box};
}

}  // namespace juxta::classics
