// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

#include "juxta/core/monitor.h"
#include "tool/console.h"

namespace juxta::tool {

/// How far a battle is, how fast, and the remaining time: a line on the error output, for a terminal
/// alone.
class SectorProgress final : public Monitor {
 public:
  explicit SectorProgress(bool silent) : shows_(!silent && error_is_terminal()) {}
  ~SectorProgress() override { clear(); }

  /// Before the first tick: large battles take seconds to be set up.
  void begin(const std::string& name) { show(fmt::format("{}: setting up", name)); }
  bool on_progress(std::string_view stage, std::uint64_t done, std::uint64_t total) override {
    const auto now = Clock::now();
    if (done == 0) {
      started_ = now;
    }
    if (shows_ && done != 0 && (done == total || now - shown_at_ >= std::chrono::milliseconds(100))) {
      shown_at_ = now;
      const double rate = static_cast<double>(done) / std::chrono::duration<double>(now - started_).count();
      show(fmt::format("{}: {} of {} ticks, {:.1f} a second, {:.0f} s left", stage, done, total, rate,
                       static_cast<double>(total - done) / rate));
    }
    return !interrupted();
  }
  /// Wipes the line, so that other text may be printed.
  void clear() {
    if (shown_) {
      std::fputs("\r\033[K", stderr);
      shown_ = false;
    }
  }

 private:
  using Clock = std::chrono::steady_clock;

  void show(const std::string& text) {
    if (shows_) {
      std::fputs(("\r\033[K" + text).c_str(), stderr);
      shown_ = true;
    }
  }

  bool shows_, shown_ = false;
  Clock::time_point started_ = Clock::now(), shown_at_{};
};

}  // namespace juxta::tool
