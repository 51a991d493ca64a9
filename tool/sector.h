// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The parts of 'juxta sector': one battle, what it took, and how that is told.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/study/table.h"
#include "sector/tick.h"
#include "sector/trace.h"
#include "sector/world.h"
#include "tool/sector_video.h"

namespace juxta::tool {

inline constexpr std::uint32_t kSectorTicks = 600;  ///< Ten seconds of the battle's own time.

struct SectorSettings {
  std::string scenario, out, resume, trace;
  std::optional<std::uint32_t> ticks;
  std::optional<std::uint64_t> seed;
  std::uint32_t record = 0, checkpoint = 0;  // 0: not asked for
  unsigned threads = 0;
  bool headless = false, json = false;
  VideoSettings video;
};

/// A stopwatch for the stages of every tick: four bytes for each of them, 32 a tick.
class SectorTimes final : public sector::StageListener {
 public:
  static constexpr std::size_t kStages = sector::kStages.size();
  /// Passes what it hears on to `trace`, when there is one.
  explicit SectorTimes(sector::StageListener* trace) : trace_(trace) {}
  void begin(std::size_t stage) override;
  void end(std::size_t stage) override;
  /// What was done beside the tick that just ended: hashes, pictures, files.
  void recorded(double seconds) { record_.push_back(static_cast<float>(seconds * 1e3)); }

  /// Milliseconds, by tick.
  [[nodiscard]] const std::vector<float>& stage(std::size_t index) const { return stages_[index]; }
  [[nodiscard]] const std::vector<float>& record() const { return record_; }
  /// Of all stages together.
  [[nodiscard]] std::vector<double> ticks() const;

 private:
  using Clock = std::chrono::steady_clock;
  sector::StageListener* trace_;
  Clock::time_point began_{};
  std::array<std::vector<float>, kStages> stages_;
  std::vector<float> record_;
};

/// How a battle went.
struct SectorReport {
  explicit SectorReport(sector::StageListener* trace) : times(trace) {}

  const sector::World* world = nullptr;
  std::uint32_t first = 0;  ///< Tick that it began or went on from.
  std::uint32_t last = 0;   ///< That it was to reach.
  double seconds = 0;       ///< Of ticks and of what was done beside them.
  unsigned threads = 1;
  SectorTimes times;
  sector::Tally total;  ///< Of all ticks.
  Table populations;    ///< Some ticks, with what lived and what happened in them.
  struct Picture {
    std::uint32_t tick;
    std::string png;
  };
  std::vector<Picture> pictures;
  std::optional<std::uint32_t> saved;  ///< Tick of the last checkpoint.
  std::uint64_t hash = 0;              ///< Of the state at the end.
  std::vector<std::string> files;      ///< Written.
  bool interrupted = false;
};

/// A row of the table of times, in milliseconds.
struct SectorTime {
  std::string name;
  double median, p99, worst;
};
/// The stages, all of them together as "tick", and "record".
[[nodiscard]] std::vector<SectorTime> time_rows(const SectorTimes& times);
/// How fast a battle went; 0 when there was no tick.
struct TickRates {
  double simulation;  ///< Ticks per second, by the time of the stages alone.
  double whole;       ///< By all time: with hashes, recording, pictures and checkpoints.
};
[[nodiscard]] TickRates ticks_per_second(const SectorReport& report);
/// Names and numbers, in the order in which they are told.
using Counts = std::vector<std::pair<std::string, std::uint64_t>>;
[[nodiscard]] Counts living(const SectorReport& report);
[[nodiscard]] Counts happened(const SectorReport& report);
/// "battle: 12,000 ships of 2 factions, ...".
[[nodiscard]] std::string headline(const SectorReport& report);

/// Lines for a person.
[[nodiscard]] std::string format_report(const SectorReport& report);
/// The same as one JSON object.
[[nodiscard]] std::string json_report(const SectorReport& report);
/// The same with plots and pictures: one page that needs nothing beside it.
[[nodiscard]] std::string html_report(const SectorReport& report);

/// One battle, from its start or from a checkpoint. The exit code.
[[nodiscard]] int run_sector(const SectorSettings& settings);

}  // namespace juxta::tool
