// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "classics/agents/tay.h"
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
  [[nodiscard]] static TayBounds of(const std::vector<Agent>& agents) noexcept {
    TayBounds bounds;
    for (std::size_t axis = 0; axis < 3 && !agents.empty(); ++axis) {
      bounds.lo[axis] = agents.front().lo()[axis];
      bounds.hi[axis] = agents.front().hi()[axis];
      for (const Agent& agent : agents) {
        bounds.lo[axis] = std::min(bounds.lo[axis], agent.lo()[axis]);
        bounds.hi[axis] = std::max(bounds.hi[axis], agent.hi()[axis]);
      }
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

/// What all structures share: the agents, a second buffer to copy them to, and act().
template <class Agent>
class TayStore : public TayWorld {
 public:
  explicit TayStore(const TayTest& test) : test_(test), passes_(tay_passes<Agent>()) {}

  void set(std::span<const TayBody> bodies) override {
    agents_.assign(bodies.size(), {});
    copies_.assign(bodies.size(), {});
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      Agent& agent = agents_[i];
      const TayBody& body = bodies[i];
      if constexpr (Agent::kIsPoint) {
        agent.position = to_float4(body.lo);
      } else {
        agent.least = to_float4(body.lo);
        agent.most = to_float4(body.hi);
      }
      agent.velocity = to_float4(body.velocity);
      agent.sum = to_float4(body.sum);
      agent.felt = to_float4(body.felt);
      agent.seen = body.seen;
      agent.number = static_cast<std::uint32_t>(i);
    }
  }
  void get(std::span<TayBody> bodies) const override {
    for (const Agent& agent : agents_) {
      bodies[agent.number] = {to_array(agent.lo()), to_array(agent.hi()), to_array(agent.velocity),
                              to_array(agent.sum),  to_array(agent.felt), agent.seen};
    }
  }
  void act() override {
    for (Agent& agent : agents_) {
      passes_.act(agent, test_);
    }
  }

 protected:
  /// Copies every agent to firsts[place.part] + place.index of the other buffer.
  template <class First>
  void copy_to_places(const First& first_of) {
    for (const Agent& agent : agents_) {
      copies_[first_of(agent.place.part) + agent.place.index] = agent;
    }
    agents_.swap(copies_);
  }
  /// Agents [first, first + count).
  [[nodiscard]] TaySlice<Agent> slice(std::uint32_t first, std::uint32_t count) noexcept {
    return {agents_.data() + first, count};
  }
  /// How wide a partition should be; a trifle more than published, so that rounding never puts agents that
  /// are near a partition too far apart.
  [[nodiscard]] float part_size() const noexcept {
    return std::ldexp(test_.radius * 2.0002F, -test_.depth_correction);
  }

  TayTest test_;
  TayPasses<Agent> passes_;
  std::vector<Agent> agents_, copies_;
};

}  // namespace juxta::classics
