// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// One world on show: when it steps, what is told of it, and what it is asked. On the engine's thread.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "juxta/core/executor.h"
#include "juxta/view/viewed_world.h"
#include "view/exchange.h"
#include "view/history.h"

namespace juxta::view_detail {

class WorldSession {
 public:
  using Clock = Exchange::Clock;

  WorldSession(ViewedWorld& world, Exchange& exchange, const Executor& executor, bool paused);
  WorldSession(const WorldSession&) = delete;
  WorldSession& operator=(const WorldSession&) = delete;
  /// Answers who still waits, with an error.
  ~WorldSession();

  /// Errors: kInvalidArgument (what the world tells of itself contradicts itself).
  [[nodiscard]] Result<void> begin();
  /// Answers what waits, steps if a step is due, publishes if somebody waits for it. Returns after a step, or
  /// after 50 ms.
  void turn();
  /// When the next turn has something to do even if nobody asks.
  [[nodiscard]] Clock::time_point due() const;

 private:
  [[nodiscard]] Answer answer(const Question& question);
  [[nodiscard]] Answer play(bool on);
  [[nodiscard]] Answer set(const Json& body);
  [[nodiscard]] Answer set_speed(const Json& body);
  [[nodiscard]] Answer restart(const Json& body);
  [[nodiscard]] Answer seek(const Json& body);
  [[nodiscard]] Answer select_and_keep(const Json& body);
  [[nodiscard]] Answer pick_and_keep(const Json& body);
  [[nodiscard]] Answer about(const std::string& name, const Json& body);
  [[nodiscard]] Answer hash() const;
  [[nodiscard]] Json status() const;
  [[nodiscard]] Json info_json() const;
  [[nodiscard]] Result<void> learn();
  [[nodiscard]] bool at_end() const;
  void take_step();
  void hear(Question question);
  void begin_stepping(Question question);
  void go_on_stepping();
  [[nodiscard]] bool waits(const Question& question) const;
  void publish();
  void tell_news(Clock::time_point now);

  /// A question for many steps: they are taken bit by bit, so that others need not wait, nor the monitor.
  struct Stepping {
    Question question;
    std::size_t left;
  };

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
  Clock::time_point steps_end_{};  // of this turn, for many steps
  std::optional<Stepping> stepping_;
  std::deque<Question> waiting_;  // for the end of these steps
  std::string last_news_;
  Json selected_;  // what the last select found; null: there was none
  std::array<std::shared_ptr<Snapshot>, 3> spare_;
};

}  // namespace juxta::view_detail
