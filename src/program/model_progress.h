// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <stop_token>
#include <string_view>
#include <thread>

#include "program/console.h"

namespace juxta::program_detail {

/// Progress of a run, from before its start. A model tells nothing while it is filled or steps, and either
/// may take minutes: a thread says after two seconds that the first step is under way, until a step is done.
class ModelProgress final : public Monitor {
 public:
  ~ModelProgress() override { clear(); }

  bool on_progress(std::string_view stage, std::uint64_t done, std::uint64_t total) override {
    end_first();
    return console_.on_progress(stage, done, total);
  }
  /// Wipes the line, so that other text may be printed.
  void clear() {
    end_first();
    console_.clear();
  }

 private:
  void wait(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    over_.wait_for(lock, stop, std::chrono::seconds(2), [] { return false; });
    if (!stop.stop_requested() && error_is_terminal()) {
      std::fputs("\r\033[Kthe first step is under way", stderr);
      shown_ = true;
    }
  }
  void end_first() {
    if (!first_.joinable()) {
      return;
    }
    first_.request_stop();
    first_.join();
    if (shown_) {
      std::fputs("\r\033[K", stderr);
    }
  }

  ConsoleProgress console_;
  std::mutex mutex_;
  std::condition_variable_any over_;
  bool shown_ = false;  // read when the thread has ended
  std::jthread first_{[this](const std::stop_token& stop) { wait(stop); }};
};

}  // namespace juxta::program_detail
