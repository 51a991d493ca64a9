// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// One contender's way through each stage: what frame() does is timed, and no more.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bench/sector/inputs.h"
#include "juxta/core/executor.h"
#include "juxta/core/id.h"
#include "juxta/layer/find_pairs.h"

namespace juxta::bench {

class SpawnWay {
 public:
  virtual ~SpawnWay() = default;
  /// safe[i]: 1 where point i may release a ship, else 0.
  virtual void frame(const SpawnInput& input, std::span<std::uint8_t> safe) = 0;
};

/// Pairs in room that is kept from frame to frame.
class PairList {
 public:
  /// `find(out)` writes as many as `out` holds and returns how many there are.
  template <class Find>
  void fill(const Find& find) {
    found_ = find(std::span(room_));
    if (found_ > room_.size()) {
      room_.resize(found_ + found_ / 4);
      found_ = find(std::span(room_));
    }
  }
  /// Drops those that `drop` says.
  template <class Drop>
  void drop_if(const Drop& drop) {
    const auto end = room_.begin() + static_cast<std::ptrdiff_t>(found_);
    found_ = static_cast<std::size_t>(std::remove_if(room_.begin(), end, drop) - room_.begin());
  }
  [[nodiscard]] std::span<const Pair> pairs() const { return std::span(room_).first(found_); }

 private:
  std::vector<Pair> room_;
  std::size_t found_ = 0;
};

class SteerWay {
 public:
  virtual ~SteerWay() = default;
  /// Ships stand where the last tick left them. Not timed: this is where the state lives.
  virtual void load(const SteerInput& input) = 0;
  /// Brings them into the order of space, and finds every total.
  virtual void frame() = 0;
  virtual void read(SteerTotals& totals) const = 0;
};

enum Meeting : std::uint8_t { kBulletShip, kShipShip, kBulletAsteroid, kShipAsteroid };
/// Pairs by Meeting: {bullet, ship}, {ship, ship} with a < b, {bullet, asteroid}, {ship, asteroid}.
using Meetings = std::array<PairList, 4>;

class HitWay {
 public:
  virtual ~HitWay() = default;
  virtual void frame(const HitInput& input, Meetings& pairs) = 0;
};

/// What the nodes of a MoveInput are called in a contender's world: agents know that, and look nothing up.
class NodeNames {
 public:
  /// Those that there are before births.
  void look_up(std::span<const std::uint32_t> nodes, std::span<const Id> ids) {
    names_.resize(nodes.size());
    unborn_.clear();
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i] < ids.size()) {
        names_[i] = ids[nodes[i]];
      } else {
        unborn_.push_back(i);
      }
    }
  }
  /// All of them, after births.
  [[nodiscard]] std::span<const Id> with_born(std::span<const std::uint32_t> nodes, std::span<const Id> ids) {
    for (const std::uint32_t i : unborn_) {
      names_[i] = ids[nodes[i]];
    }
    return names_;
  }

 private:
  std::vector<Id> names_;
  std::vector<std::uint32_t> unborn_;
};

class MoveWay {
 public:
  virtual ~MoveWay() = default;
  /// Looks up what nodes are called. Not timed.
  virtual void load(const MoveInput& input) = 0;
  /// Brings every world transform up to date, after births and after all has moved.
  virtual void frame(const MoveInput& input) = 0;
  /// Of a node of the forest, as of the last frame.
  [[nodiscard]] virtual Qvvs world(std::uint32_t node) const = 0;
};

/// The modules. `executor`: null for the calling thread.
[[nodiscard]] std::unique_ptr<SpawnWay> juxta_spawn(const StageScene& scene, const Executor* executor);
[[nodiscard]] std::unique_ptr<SteerWay> juxta_steer(const StageScene& scene, const Executor* executor);
[[nodiscard]] std::unique_ptr<HitWay> juxta_hit(const StageScene& scene, const Executor* executor);
[[nodiscard]] std::unique_ptr<MoveWay> juxta_move(const StageScene& scene, const Executor* executor);

/// Knobs of the classic's layers.
struct Buckets {
  std::uint32_t y = 1, z = 1;  ///< Cells of the world.
  bool paired = false;         ///< Sweep two boxes at a time, as later releases do.
  bool objects = false;        ///< Spawn: ask for objects, as the article has it; or pairs of those left.
};
[[nodiscard]] std::unique_ptr<SpawnWay> classic_spawn(const StageScene& scene, const Buckets& buckets);
/// Knobs of the cell list.
struct Cells {
  float edge = 1;     ///< In radii; a whole number of them fits the world.
  bool skip = false;  ///< Go on at once where none of four is near.
};
[[nodiscard]] std::unique_ptr<SteerWay> classic_steer(const StageScene& scene, const Cells& cells);
[[nodiscard]] std::unique_ptr<HitWay> classic_hit(const StageScene& scene, const Buckets& buckets);
enum class ClassicSystem : std::uint8_t { kDepthFirst, kDepthLevels };
[[nodiscard]] std::unique_ptr<MoveWay> classic_move(const StageScene& scene, ClassicSystem system);

}  // namespace juxta::bench
