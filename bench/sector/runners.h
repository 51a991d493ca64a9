// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A contender's way through a stage, fed from a recording. Included by stages.cpp alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "bench/layer/oracle.h"
#include "bench/sector/recording.h"
#include "bench/sector/ways.h"

namespace juxta::bench {

/// Numbers that contenders must agree on.
using Answer = std::vector<double>;

/// One contender's way through one stage.
class Runner {
 public:
  virtual ~Runner() = default;
  virtual void begin() {}                           ///< Before the recording's first tick. Not timed.
  virtual void load(const TickInputs& /*tick*/) {}  ///< Not timed.
  virtual void frame(const TickInputs& tick) = 0;   ///< Timed.
  virtual void answer(Answer& answer) const = 0;    ///< Of the last frame.
};

class SpawnRunner final : public Runner {
 public:
  explicit SpawnRunner(std::unique_ptr<SpawnWay> way) : way_(std::move(way)) {}
  void load(const TickInputs& tick) override { safe_.resize(tick.spawn.points.size()); }
  void frame(const TickInputs& tick) override { way_->frame(tick.spawn, safe_); }
  void answer(Answer& answer) const override { answer.assign(safe_.begin(), safe_.end()); }

 private:
  std::unique_ptr<SpawnWay> way_;
  std::vector<std::uint8_t> safe_;
};

class SteerRunner final : public Runner {
 public:
  explicit SteerRunner(std::unique_ptr<SteerWay> way) : way_(std::move(way)) {}
  void load(const TickInputs& tick) override { way_->load(tick.steer); }
  void frame(const TickInputs& /*tick*/) override { way_->frame(); }
  void answer(Answer& answer) const override {
    SteerTotals totals;
    way_->read(totals);
    answer.clear();
    for (const std::vector<float>& total : totals) {
      answer.insert(answer.end(), total.begin(), total.end());
    }
  }

 private:
  std::unique_ptr<SteerWay> way_;
};

class HitRunner final : public Runner {
 public:
  explicit HitRunner(std::unique_ptr<HitWay> way) : way_(std::move(way)) {}
  void frame(const TickInputs& tick) override { way_->frame(tick.hit, met_); }
  void answer(Answer& answer) const override {
    answer.clear();
    for (std::size_t what = 0; what < met_.size(); ++what) {
      const auto pairs = met_[what].pairs();
      const Digest digest = what == kShipShip ? digest_self(pairs) : digest_cross(pairs);
      answer.push_back(static_cast<double>(pairs.size()));
      answer.push_back(checksum(digest));
    }
  }

 private:
  std::unique_ptr<HitWay> way_;
  Meetings met_;
};

class MoveRunner final : public Runner {
 public:
  using Make = std::function<std::unique_ptr<MoveWay>()>;
  MoveRunner(Make make, const Recording& recording) : make_(std::move(make)), recording_(recording) {}

  void begin() override {
    way_ = make_();
    alive_.assign(recording_.scene.forest.nodes(), 1);
    way_->load(recording_.start);
    frame(recording_.start);
  }
  void load(const TickInputs& tick) override {
    way_->load(tick.move);
    for (const NodeRange& died : tick.move.died) {
      std::fill_n(alive_.begin() + died.first, died.count, std::uint8_t{0});
    }
    for (const Forest::Batch& born : tick.move.born) {
      const std::size_t nodes = recording_.scene.forest.prefabs[born.prefab].size() * born.roots.size();
      alive_.insert(alive_.end(), nodes, 1);
    }
  }
  void frame(const TickInputs& tick) override { frame(tick.move); }
  void answer(Answer& answer) const override {
    answer.clear();
    for (std::uint32_t node = 0; node < alive_.size(); ++node) {
      if (alive_[node] != 0) {
        const Qvvs at = way_->world(node);
        // Of a rotation and its negative, which are the same, the one with w above 0.
        const float sign = at.rotation.w < 0 ? -1.0F : 1.0F;
        answer.insert(answer.end(), {at.position.x, at.position.y, at.position.z, sign * at.rotation.x,
                                     sign * at.rotation.y, sign * at.rotation.z});
      }
    }
  }

 private:
  void frame(const MoveInput& input) { way_->frame(input); }

  Make make_;
  const Recording& recording_;
  std::unique_ptr<MoveWay> way_;
  std::vector<std::uint8_t> alive_;  // by node
};

}  // namespace juxta::bench
