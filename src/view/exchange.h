// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Where the network's thread and the engine's meet. Neither waits for the other for longer than it takes to
// move a pointer.
//
//   network  --- questions --->  engine      in order, each is answered once
//   network  <-- states -------  engine      the latest wins
//   network  <-- news ---------  engine      told to every client that has read the news before
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/mutex.h"
#include "core/signal.h"
#include "juxta/core/error.h"
#include "juxta/view/viewed_world.h"
#include "view/snapshot.h"

namespace juxta::view_detail {

using Json = nlohmann::json;
/// An object, or why there is none.
using Answer = Result<Json>;

struct Question {
  std::string name;
  Json body;                           ///< An object.
  std::function<void(Answer)> answer;  ///< Called once, on the engine's thread; not for who is gone.
  /// Set when nobody waits for the answer any more: the engine need not look for one. Null: somebody does.
  std::shared_ptr<const std::atomic<bool>> gone = nullptr;
  std::uint64_t from = 0;  ///< Who asks. They take turns, so that nobody waits for all questions of another.
};

class Exchange {
 public:
  using Clock = std::chrono::steady_clock;

  // The network's side.
  /// The engine is not there any more, or too much is waiting: false, and the question is left as it was.
  [[nodiscard]] bool ask(Question& question);
  /// The colours that a client wants from now on, by name; empty: none.
  void want_colours(std::uint64_t client, std::vector<std::optional<std::string>> columns);
  void leave(std::uint64_t client);
  /// The next state is to be copied.
  void want_state();
  [[nodiscard]] std::shared_ptr<const Snapshot> state() const;
  /// What the state's groups are; null until a world is shown.
  [[nodiscard]] std::shared_ptr<const ViewInfo> info() const;
  [[nodiscard]] std::size_t clients() const { return clients_.load(std::memory_order_relaxed); }
  void count_client(int more) {
    clients_.fetch_add(static_cast<std::size_t>(more), std::memory_order_relaxed);
  }
  /// Called on the engine's thread: a state was published; news for all.
  void on_state(std::function<void()> call) { on_state_ = std::move(call); }
  void on_news(std::function<void(std::shared_ptr<const std::string>)> call) { on_news_ = std::move(call); }

  // The engine's side.
  /// The next question, or none at `until` at the latest. Also returns when a state is wanted.
  [[nodiscard]] std::optional<Question> next(Clock::time_point until);
  [[nodiscard]] bool state_wanted() const;
  void show(std::shared_ptr<const ViewInfo> info);
  /// Which columns anybody colours by, and how often that has changed.
  [[nodiscard]] Colours colours() const;
  [[nodiscard]] std::uint64_t colour_changes() const;
  void publish(std::shared_ptr<Snapshot> state);
  void tell(std::string news);
  /// After close() no question is taken, and those that wait are answered with an error, until open().
  void open();
  void close();

 private:
  static constexpr std::size_t kMostWaiting = 4096;

  mutable core_detail::Mutex mutex_;
  core_detail::Signal something_;
  std::map<std::uint64_t, std::deque<Question>> questions_;  // by who asks
  std::size_t waiting_ = 0;
  std::uint64_t served_ = 0;  // who had the last turn
  std::map<std::uint64_t, std::vector<std::optional<std::string>>> colours_;
  std::shared_ptr<const ViewInfo> info_;
  std::shared_ptr<const Snapshot> state_;
  std::uint64_t published_ = 0, colour_changes_ = 0;
  bool open_ = true, wanted_ = false;
  std::atomic<std::size_t> clients_ = 0;
  std::function<void()> on_state_;
  std::function<void(std::shared_ptr<const std::string>)> on_news_;
};

}  // namespace juxta::view_detail
