// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/agents/clock.h"
#include "bench/agents/contenders.h"
#include "bench/agents/tay_bodies.h"
#include "bench/support/settings.h"
#include "classics/agents/tay.h"
#include "juxta/core/executor.h"

namespace juxta::bench {
namespace {

using classics::TayStructure;

/// Which forms of Tay may run: the fastest of all structures and widths does.
struct TayForms {
  std::vector<TayStructure> structures;
  int least_correction = 0, most_correction = 0;  ///< Of the width (TayTest::depth_correction).
  bool heavy = false;
  unsigned threads = 1;
};

class TayContender final : public World, public Phased {
 public:
  explicit TayContender(TayForms forms) : forms_(std::move(forms)) {
    if (forms_.threads > 1) {
      auto executor = TbbExecutor::build(forms_.threads);
      if (!executor) {
        give_up(executor.error().message);
      }
      executor_ = std::make_unique<TbbExecutor>(std::move(*executor));
      clock_ = Clock::kWall;
    }
  }

  void set(const Start& start) override {
    half_edge_ = start.half_edge;
    bodies_ = tay_bodies(start);
    if (world_ == nullptr) {
      choose(start);
    }
    world_->set(bodies_);
  }
  void look() override {
    phases_.sort = seconds(clock_, [this] { world_->sort(); });
    phases_.see = seconds(clock_, [this] { world_->see(); });
  }
  void act() override {
    phases_.act = seconds(clock_, [this] { world_->act(); });
  }
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
  [[nodiscard]] Phases phases() const override { return phases_; }

 private:
  // The fastest in its second step, where there is a choice.
  void choose(const Start& start) {
    double best = std::numeric_limits<double>::max();
    for (const TayStructure structure : forms_.structures) {
      for (int correction = forms_.least_correction; correction <= forms_.most_correction; ++correction) {
        classics::TayTest test = tay_test(start, correction);
        test.heavy = forms_.heavy;
        test.tasks = forms_.threads;
        test.executor = executor_.get();
        std::unique_ptr<classics::TayWorld> tried = classics::make_tay(structure, test);
        if (tried == nullptr) {
          give_up("a structure of Tay's is asked for agents that it does not take.");
        }
        if (forms_.structures.size() == 1 && forms_.least_correction == forms_.most_correction) {
          world_ = std::move(tried);
        } else if (const double took = second_step(*tried); took < best) {
          best = took;
          world_ = std::move(tried);
        }
      }
    }
  }
  [[nodiscard]] double second_step(classics::TayWorld& world) const {
    world.set(bodies_);
    world.step();
    return seconds(clock_, [&] { world.step(); });
  }

  TayForms forms_;
  std::unique_ptr<Executor> executor_;
  Clock clock_ = Clock::kProcessor;
  std::unique_ptr<classics::TayWorld> world_;
  std::vector<classics::TayBody> bodies_;
  float half_edge_ = 0;
  Phases phases_;
};

Contender contender(std::string_view name, const TayForms& forms, const Pace& pace) {
  return {name, [=] { return std::make_unique<TayContender>(forms); }, pace};
}

}  // namespace

std::vector<Contender> tay_contenders(bool boxes, bool simple, const Pace& pace) {
  constexpr int kMostCorrection = 3;
  const auto alone = [&](std::string_view name, TayStructure structure) {
    return contender(name, {.structures = {structure}}, pace);
  };
  std::vector<TayStructure> tuned{TayStructure::kKd, TayStructure::kBoxes};
  std::vector<Contender> all{alone("tay_kd", TayStructure::kKd), alone("tay_boxes", TayStructure::kBoxes),
                             alone("tay_kd_pointers", TayStructure::kKdPointers),
                             alone("tay_boxes_pointers", TayStructure::kBoxesPointers)};
  if (!boxes) {
    tuned.insert(tuned.end(), {TayStructure::kGrid, TayStructure::kZ});
    all.push_back(alone("tay_grid", TayStructure::kGrid));
    all.push_back(alone("tay_z", TayStructure::kZ));
    all.push_back(alone("tay_grid_pointers", TayStructure::kGridPointers));
  }
  if (simple) {
    all.push_back(alone("tay_simple", TayStructure::kSimple));
  }
  all.push_back(contender("tay_tuned", {.structures = tuned, .most_correction = kMostCorrection}, pace));
  return all;
}

std::vector<Contender> tay_thread_contenders(const Pace& pace) {
  std::vector<Contender> all;
  const auto add = [&](std::string_view light_1, std::string_view light_2, std::string_view heavy_1,
                       std::string_view heavy_2, TayStructure structure) {
    const auto form = [&](std::string_view name, bool heavy, unsigned threads) {
      all.push_back(contender(name,
                              {.structures = {structure},
                               .least_correction = 1,
                               .most_correction = 1,
                               .heavy = heavy,
                               .threads = threads},
                              pace));
    };
    form(light_1, false, 1);
    form(light_2, false, 2);
    form(heavy_1, true, 1);
    form(heavy_2, true, 2);
  };
  add("tay_kd", "tay_kd_2threads", "tay_kd_heavy", "tay_kd_heavy_2threads", TayStructure::kKd);
  add("tay_grid", "tay_grid_2threads", "tay_grid_heavy", "tay_grid_heavy_2threads", TayStructure::kGrid);
  add("tay_boxes", "tay_boxes_2threads", "tay_boxes_heavy", "tay_boxes_heavy_2threads", TayStructure::kBoxes);
  return all;
}

}  // namespace juxta::bench
