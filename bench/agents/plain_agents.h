// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "bench/agents/consumer/world.h"
#include "scenes/agents.h"

namespace juxta::bench {

/// Agents of visits that stand in arrays by number and stay there; a subclass looks.
class PlainAgents : public World {
 public:
  void set(const Start& start) override {
    start_ = start;
    for (std::uint32_t axis = 0; axis < start.dimensions; ++axis) {
      position_[axis].assign(start.position[axis], start.position[axis] + start.size);
      velocity_[axis].assign(start.velocity[axis], start.velocity[axis] + start.size);
    }
    sums_.assign(start.size, 0);
    found_.assign(start.size, 0);
  }
  void act() override {
    for (std::uint32_t axis = 0; axis < start_.dimensions; ++axis) {
      float* const p = position_[axis].data();
      float* const v = velocity_[axis].data();
      for (std::size_t i = 0; i < start_.size; ++i) {
        scenes::move_reflected(p[i], v[i], start_.lo, start_.hi);
      }
    }
  }
  void read(State& state) const override {
    state.position = position_;
    state.velocity = velocity_;
    state.sums = {sums_, {}, {}};
    state.seen.assign(found_.begin(), found_.end());
  }

 protected:
  Start start_;
  std::array<std::vector<float>, 3> position_, velocity_;
  std::vector<float> sums_;
  std::vector<std::uint32_t> found_;
};

}  // namespace juxta::bench
