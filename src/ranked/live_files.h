// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the files of points that are kept: PATH, and the logs PATH.<number>.log of the changes since.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/os.h"
#include "juxta/core/error.h"
#include "juxta/core/function_ref.h"
#include "juxta/core/owned.h"
#include "juxta/ranked/live_points.h"
#include "ranked/live_log.h"
#include "ranked/live_points_file.h"

namespace juxta::ranked_detail {

struct LiveFiles {
  std::string path;                                // from the root
  std::unique_ptr<core_detail::AppendFile> lock;   // held while the points are open
  std::shared_ptr<LiveLog> log;                    // of changes from now on
  std::uint64_t last_log = 0;                      // its number
  std::vector<std::shared_ptr<LiveLog>> old_logs;  // PATH needs them, until it is written again
  std::uint64_t sequence = 0;                      // of the last change in a log

  [[nodiscard]] std::string log_path(std::uint64_t number) const {
    return path + "." + std::to_string(number) + ".log";
  }
  /// Changes go into another log from here on.
  void go_on_in(std::shared_ptr<LiveLog> next, std::uint64_t number) {
    if (log != nullptr) {
      old_logs.push_back(std::move(log));
    }
    log = std::move(next);
    last_log = number;
  }
};

/// Files for points that were not kept before, with log 0. Errors: kInvalidArgument (there is a file), kIo.
[[nodiscard]] Result<std::unique_ptr<LiveFiles>> begin_files(const std::string& path, const LiveTypes& types);
/// Removes what begin_files() and a merge that failed have made.
void end_files(LiveFiles& files);
/// What the files hold. Errors: kIo, kCorruptFile.
[[nodiscard]] Result<Owned<LiveStore>> open_files(const std::string& path, const LiveRankedOptions& options,
                                                  std::pmr::memory_resource* resource);
/// All changes up to this one to the disk. Errors: kIo.
[[nodiscard]] Result<void> sync_files(LiveStore& store, std::uint64_t sequence);
/// Removes logs that PATH needs no longer.
void forget_old_logs(std::vector<std::shared_ptr<LiveLog>>& logs);
/// Behind read_live_log().
[[nodiscard]] Result<void> read_log_of(const std::string& path, FunctionRef<bool(const LiveLogRow&)> visit);

}  // namespace juxta::ranked_detail
