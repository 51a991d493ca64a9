// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// One world on show: when it steps, what is told of it, and what it is asked. On the engine's thread.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "juxta/core/executor.h"
#include "juxta/view/viewed_world.h"
#include "view/exchange.h"

namespace juxta::view_detail {

/// Reported numbers, step by step; every second row goes when there are too many.
class History {
 public:
  static constexpr std::size_t kMost = 2000;
  void clear(std::size_t reports);
  void add(std::uint64_t step, const std::vector<double>& values);
  [[nodiscard]] Json since(std::uint64_t step, const std::vector<std::string>& names) const;

 private:
  std::vector<std::uint64_t> steps_;
  std::vector<std::vector<double>> values_;  // by report
  std::uint64_t every_ = 1;
};

class WorldSession {
 public:
  using Clock = Exchange::Clock;

  WorldSession(ViewedWorld& world, Exchange& exchange, const Executor& executor, bool paused);
  WorldSession(const WorldSession&) = delete;
  WorldSession& operator=(const WorldSession&) = delete;

  /// Errors: kInvalidArgument (what the world tells of itself contradicts itself).
  [[nodiscard]] Result<void> begin();
  /// Answers what waits, steps if a step is due, publishes if somebody waits for it. Returns after a step, or
  /// after 50 ms.
  void turn();

 private:
  [[nodiscard]] Answer answer(const Question& question);
  [[nodiscard]] Answer play(bool on);
  [[nodiscard]] Answer step(const Json& body);
  [[nodiscard]] Answer set(const Json& body);
  [[nodiscard]] Answer set_speed(const Json& body);
  [[nodiscard]] Answer restart(const Json& body);
  [[nodiscard]] Answer hash() const;
  [[nodiscard]] Json status() const;
  [[nodiscard]] Json info_json() const;
  [[nodiscard]] Result<void> learn();
  void take_step();
  void publish();
  void tell_news(Clock::time_point now);

  ViewedWorld& world_;
  Exchange& exchange_;
  const Executor& executor_;
  std::shared_ptr<const ViewInfo> info_;
  History history_;
  bool playing_;
  double speed_ = 0, rate_ = 0;
  std::string ended_;  // why there are no more steps; empty: there are
  Clock::time_point due_{}, news_at_{}, rate_since_{};
  std::uint64_t rate_steps_ = 0, frames_ = 0, changes_ = 0, published_changes_ = 0, colour_changes_ = 0;
  std::string last_news_;
  std::array<std::shared_ptr<Snapshot>, 3> spare_;
};

}  // namespace juxta::view_detail
