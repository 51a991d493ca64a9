// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "bench/agents/contenders.h"
#include "bench/support/must.h"
#include "juxta/agents/flock.h"
#include "juxta/core/executor.h"

namespace juxta::bench {
namespace {

class JuxtaFlock final : public World {
 public:
  explicit JuxtaFlock(unsigned threads) {
    if (threads > 1) {
      executor_ = std::make_unique<TbbExecutor>(must(TbbExecutor::build(threads)));
    }
  }
  void set(const Start& start) override {
    if (!flock_) {
      FlockOptions options;
      options.dimensions = start.dimensions;
      options.half_size = start.hi;
      flock_.emplace(must(Flock::build(options)));
    }
    std::vector<Vec3> positions(start.size), velocities(start.size);
    for (std::uint32_t axis = 0; axis < start.dimensions; ++axis) {
      for (std::size_t i = 0; i < start.size; ++i) {
        positions[i][axis] = start.position[axis][i];
        velocities[i][axis] = start.velocity[axis][i];
      }
    }
    must(flock_->rebuild(positions, velocities));
  }
  void act() override { must(flock_->step({.executor = executor_.get()})); }
  void read(State& state) const override {
    const std::span<const std::uint32_t> numbers = flock_->numbers();
    for (std::uint32_t axis = 0; axis < flock_->options().dimensions; ++axis) {
      state.position[axis].resize(numbers.size());
      state.velocity[axis].resize(numbers.size());
      for (std::size_t row = 0; row < numbers.size(); ++row) {
        state.position[axis][numbers[row]] = flock_->position(axis)[row];
        state.velocity[axis][numbers[row]] = flock_->velocity(axis)[row];
      }
    }
  }

 private:
  std::unique_ptr<Executor> executor_;
  std::optional<Flock> flock_;
};

}  // namespace

std::unique_ptr<World> make_juxta_flock(unsigned threads) {
  return std::make_unique<JuxtaFlock>(threads);
}

}  // namespace juxta::bench
