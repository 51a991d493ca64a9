// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "classics/agents/tay.h"
#include "classics/agents/tay_agent.h"
#include "classics/agents/tay_bounds.h"
#include "juxta/core/executor.h"

namespace juxta::classics {

/// A partition whose agents were copied next to each other: [first, first + count) of all.
struct TayRun {
  std::uint32_t first = 0, count = 0;
  [[nodiscard]] bool empty() const noexcept { return count == 0; }
};

/// A partition whose agents stay where they are: a linked list, the latest first.
template <class Agent>
struct TayList {
  Agent* head = nullptr;
  [[nodiscard]] bool empty() const noexcept { return head == nullptr; }
};

/// What a structure must know before it takes agents in.
struct TayPlan {
  TayBounds bounds;     ///< Of all agents.
  float part_size = 1;  ///< How wide a partition should be.
  float radius = 1;     ///< Of seeing.
  std::size_t agents = 0;
};

// A structure, as TayCopies and TayLists use it: a template over the agent and over Part, TayRun or TayList.
//   clear(plan)         no partition holds anybody
//   part_of(agent)      number of the partition that the agent belongs to; makes it where there is none
//   part(number)        Part&
//   in_order(f)         f(number) for all partitions, near ones after each other where the structure can
//   as_made(f)          f(number) for all partitions in the order in which they were made
//   Around, start(a)    what one thread remembers on its ways through the structure; before a pass
//   around(number, seer, a, f)   f(part) for all partitions that hold agents, and may hold one near any agent
//                       of partition `number`; with kEachSeer, near this seer alone

/// What all forms share: the agents, and tasks on threads.
template <class Agent>
class TayStore : public TayWorld {
 public:
  explicit TayStore(const TayTest& test) : test_(test), passes_(tay_passes<Agent>(test.heavy)) {}

  void set(std::span<const TayBody> bodies) override {
    agents_.assign(bodies.size(), {});
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

 protected:
  /// Partitions are a trifle wider than published, so that rounding never puts agents that are near a
  /// partition too far apart.
  [[nodiscard]] TayPlan plan(const TayBounds& bounds) const noexcept {
    return {bounds, std::ldexp(test_.radius * 2.0002F, -test_.depth_correction), test_.radius,
            agents_.size()};
  }
  /// body(task) for each task, on the threads of the executor.
  template <class Body>
  void run_tasks(const Body& body) const {
    executor_or_serial(test_.executor).parallel_for(test_.tasks, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t task = first; task < last; ++task) {
        body(task);
      }
    });
  }

  TayTest test_;
  TayPasses<Agent> passes_;
  std::vector<Agent> agents_;
};

}  // namespace juxta::classics
