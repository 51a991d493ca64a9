// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "classics/agents/tay_agent.h"

namespace juxta::classics {

inline Float4 to_float4(const std::array<float, 3>& v) noexcept {
  return {{v[0], v[1], v[2], 0}};
}
inline std::array<float, 3> to_array(const Float4& v) noexcept {
  return {v[0], v[1], v[2]};
}

/// Bounds of agents.
struct TayBounds {
  std::array<float, 3> lo{}, hi{};

  template <class Agent>
  [[nodiscard]] static TayBounds of_one(const Agent& agent) noexcept {
    return {to_array(agent.lo()), to_array(agent.hi())};
  }
  template <class Agent>
  [[nodiscard]] static TayBounds of(const std::vector<Agent>& agents) noexcept {
    TayBounds bounds = agents.empty() ? TayBounds{} : of_one(agents.front());
    for (const Agent& agent : agents) {
      bounds.add(agent);
    }
    return bounds;
  }
  template <class Agent>
  void add(const Agent& agent) noexcept {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      lo[axis] = std::min(lo[axis], agent.lo()[axis]);
      hi[axis] = std::max(hi[axis], agent.hi()[axis]);
    }
  }
  [[nodiscard]] TayBounds wider_by(float radius) const noexcept {
    TayBounds wider = *this;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      // Rounding must not lose an agent that is as far as can be.
      const float margin = radius + (std::abs(lo[axis]) + std::abs(hi[axis]) + radius) * 0x1p-22F;
      wider.lo[axis] -= margin;
      wider.hi[axis] += margin;
    }
    return wider;
  }
  [[nodiscard]] bool touches(const TayBounds& other) const noexcept {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (lo[axis] > other.hi[axis] || hi[axis] < other.lo[axis]) {
        return false;
      }
    }
    return true;
  }
};

}  // namespace juxta::classics
