// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/agents/contenders.h"
#include "bench/agents/plain_agents.h"
#include "classics/agents/boids.h"
#include "classics/agents/boids_published.h"
#include "classics/agents/cell_list.h"

namespace juxta::bench {
namespace {

class BoidsContender final : public World {
 public:
  explicit BoidsContender(Boids stage) : stage_(stage) {}

  void set(const Start& start) override {
    if (flock_ == nullptr) {
      flock_ = make(start.hi);
    }
    boids_.resize(start.size);
    for (std::size_t i = 0; i < start.size; ++i) {
      boids_[i] = {start.position[0][i], start.position[1][i], start.velocity[0][i], start.velocity[1][i]};
    }
    flock_->set(boids_);
  }
  void act() override { flock_->step(); }
  void read(State& state) const override {
    std::vector<classics::Boid> boids(boids_.size());
    flock_->get(boids);
    for (std::size_t axis = 0; axis < 2; ++axis) {
      state.position[axis].resize(boids.size());
      state.velocity[axis].resize(boids.size());
    }
    for (std::size_t i = 0; i < boids.size(); ++i) {
      state.position[0][i] = boids[i].x;
      state.position[1][i] = boids[i].y;
      state.velocity[0][i] = boids[i].vx;
      state.velocity[1][i] = boids[i].vy;
    }
  }

 private:
  [[nodiscard]] std::unique_ptr<classics::BoidsClassic> make(float half_size) const {
    using classics::CellWalk;
    using classics::SeerLoads;
    const auto published = [half_size](SeerLoads loads, CellWalk walk) {
      return std::make_unique<classics::SseBlockBoids>(half_size, FlockRules{}, classics::BoidsGridOptions{},
                                                       classics::SseBlockOptions{loads, walk});
    };
    switch (stage_) {
      case Boids::kNaive:
        return std::make_unique<classics::NaiveBoids>(half_size);
      case Boids::kGrid:
        return std::make_unique<classics::GridBoids>(half_size);
      case Boids::kOrdered:
        return std::make_unique<classics::OrderedBoids>(half_size);
      case Boids::kSse:
        return std::make_unique<classics::SseBoids>(half_size);
      case Boids::kPublished:
        return published(SeerLoads::kWhereTheyFollow, CellWalk::kRows);
      case Boids::kPublishedGather:
        return published(SeerLoads::kNever, CellWalk::kRows);
      case Boids::kPublishedMorton:
        return published(SeerLoads::kWhereTheyFollow, CellWalk::kMorton);
      case Boids::kPublishedHilbert:
        return published(SeerLoads::kWhereTheyFollow, CellWalk::kHilbert);
      case Boids::kRows:
        return std::make_unique<classics::RowBoids>(half_size);
      case Boids::kCells:
        return std::make_unique<classics::CellBoids>(half_size);
    }
    return nullptr;
  }

  Boids stage_;
  std::unique_ptr<classics::BoidsClassic> flock_;
  std::vector<classics::Boid> boids_;
};

class CellVisits final : public PlainAgents {
 public:
  void look() override {
    const auto column = [this](std::size_t axis) { return std::span<const float>(position_[axis]); };
    if (start_.dimensions == 2) {
      classics::visit_cells<2>(flat_, {column(0), column(1)}, start_.radius, sums_, found_);
    } else {
      classics::visit_cells<3>(solid_, {column(0), column(1), column(2)}, start_.radius, sums_, found_);
    }
  }

 private:
  classics::CellList<2> flat_;
  classics::CellList<3> solid_;
};

}  // namespace

std::unique_ptr<World> make_boids(Boids stage) {
  return std::make_unique<BoidsContender>(stage);
}

std::unique_ptr<World> make_cell_visits() {
  return std::make_unique<CellVisits>();
}

}  // namespace juxta::bench
