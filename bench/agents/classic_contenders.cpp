// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <ctime>
#include <limits>
#include <utility>

#include "bench/agents/contenders.h"
#include "bench/agents/plain_agents.h"
#include "bench/support/settings.h"
#include "classics/agents/boids.h"
#include "classics/agents/boids_published.h"
#include "classics/agents/cell_list.h"
#include "classics/agents/tay.h"

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
                                                       classics::SseBlockOptions{loads, walk, false});
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

class TayContender final : public World {
 public:
  TayContender(std::vector<classics::TayStructure> structures, int most_correction)
      : structures_(std::move(structures)), most_correction_(most_correction) {}

  void set(const Start& start) override {
    fill(start);
    if (world_ == nullptr) {
      choose(start);
    }
    world_->set(bodies_);
  }
  void look() override {
    world_->sort();
    world_->see();
  }
  void act() override { world_->act(); }
  void read(State& state) const override {
    std::vector<classics::TayBody> bodies(bodies_.size());
    world_->get(bodies);
    state.seen.resize(bodies.size());
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (auto* columns : {&state.position, &state.velocity, &state.sums}) {
        (*columns)[axis].resize(bodies.size());
      }
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        state.position[axis][i] = bodies[i].lo[axis] + half_edge_;
        state.velocity[axis][i] = bodies[i].velocity[axis];
        state.sums[axis][i] = bodies[i].sum[axis];
      }
    }
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      state.seen[i] = static_cast<float>(bodies[i].seen);
    }
  }

 private:
  void fill(const Start& start) {
    half_edge_ = start.half_edge;
    bodies_.assign(start.size, {});
    for (std::size_t i = 0; i < start.size; ++i) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        bodies_[i].lo[axis] = start.position[axis][i] - half_edge_;
        bodies_[i].hi[axis] = start.position[axis][i] + half_edge_;
        bodies_[i].velocity[axis] = start.velocity[axis][i];
      }
    }
  }
  // The fastest in its second step, where there is a choice.
  void choose(const Start& start) {
    std::clock_t best = std::numeric_limits<std::clock_t>::max();
    for (const classics::TayStructure structure : structures_) {
      for (int correction = 0; correction <= most_correction_; ++correction) {
        const classics::TayTest test{start.hi, start.radius, correction, start.half_edge > 0};
        std::unique_ptr<classics::TayWorld> tried = classics::make_tay(structure, test);
        if (tried == nullptr) {
          give_up("a structure of Tay's is asked for agents that it does not take.");
        }
        if (const std::clock_t took = second_step(*tried); took < best) {
          best = took;
          world_ = std::move(tried);
        }
      }
    }
  }
  [[nodiscard]] std::clock_t second_step(classics::TayWorld& world) const {
    world.set(bodies_);
    world.step();
    const std::clock_t begin = std::clock();
    world.step();
    return std::clock() - begin;
  }

  std::vector<classics::TayStructure> structures_;
  int most_correction_;
  std::unique_ptr<classics::TayWorld> world_;
  std::vector<classics::TayBody> bodies_;
  float half_edge_ = 0;
};

}  // namespace

std::unique_ptr<World> make_boids(Boids stage) {
  return std::make_unique<BoidsContender>(stage);
}

std::unique_ptr<World> make_cell_visits() {
  return std::make_unique<CellVisits>();
}

std::vector<Contender> tay_contenders(bool boxes, const Pace& pace) {
  using classics::TayStructure;
  constexpr int kMostCorrection = 3;
  const auto contender = [&pace](std::string_view name, const std::vector<TayStructure>& structures,
                                 int most = 0) {
    return Contender{name, [=] { return std::make_unique<TayContender>(structures, most); }, pace};
  };
  std::vector<TayStructure> structures{TayStructure::kKd, TayStructure::kBoxes};
  std::vector<Contender> all{contender("tay_kd", {TayStructure::kKd}),
                             contender("tay_boxes", {TayStructure::kBoxes})};
  if (!boxes) {
    structures.insert(structures.end(), {TayStructure::kGrid, TayStructure::kZ});
    all.push_back(contender("tay_grid", {TayStructure::kGrid}));
    all.push_back(contender("tay_z", {TayStructure::kZ}));
    all.push_back(contender("tay_pointers", {TayStructure::kPointers}));
  }
  all.push_back(contender("tay_tuned", structures, kMostCorrection));
  return all;
}

}  // namespace juxta::bench
