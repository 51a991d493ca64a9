// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A replay: what a battle was made from, and the hash of its state after every tick. Lines of JSON:
//
//   {"juxta": "replay", "version": 1, "first": 0, "scenario": "..."}
//   {"tick": 1, "hash": "00f3..."}
//   {"tick": 2, "hash": "..."}  ...
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/core/monitor.h"
#include "sector/world.h"

namespace juxta::sector {

/// Appends to a file as the battle goes on: what was flushed survives a crash; a line cut short is left out
/// by the reader.
class ReplayWriter {
 public:
  /// A new file; `world` has not ticked since it began (a battle that was resumed has no replay). Errors:
  /// kInvalidArgument, kIo.
  [[nodiscard]] static Result<ReplayWriter> create(const std::filesystem::path& path, const World& world);
  ReplayWriter(ReplayWriter&&) noexcept;
  ReplayWriter& operator=(ReplayWriter&&) noexcept;
  ~ReplayWriter();
  /// Notes the tick that just ended. Errors: kInvalidArgument (a tick was left out), kIo.
  [[nodiscard]] Result<void> add(const World& world);

 private:
  struct Impl;
  explicit ReplayWriter(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
};

struct Replay {
  Scenario scenario;
  std::vector<std::uint64_t> hashes;  ///< After tick 1, 2, ...
  bool cut_short = false;             ///< The last line was not whole, as a crash leaves it: it is left out.
};
/// Errors: kParse with the line, kCorruptFile (another version).
[[nodiscard]] Result<Replay> parse_replay(std::string_view text);
/// Errors: kIo, kTooLarge (above 1 GiB), and those.
[[nodiscard]] Result<Replay> read_replay(const std::filesystem::path& path);

struct ReplayResult {
  std::uint32_t ticks = 0;                       ///< That ran.
  std::optional<std::uint32_t> first_different;  ///< The tick whose hash differs first.
  std::uint64_t expected = 0, got = 0;           ///< There.
};
/// Runs it again, up to the first tick whose hash differs. Errors: of the battle; kCancelled.
[[nodiscard]] Result<ReplayResult> run_replay(const Replay& replay, const Executor* executor = nullptr,
                                              Monitor* monitor = nullptr);

}  // namespace juxta::sector
