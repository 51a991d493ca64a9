// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the file of all points at a merge: a file of ranked points, whose attachment has the Ids.
//
//   | header, 64 B | Id of each point | categories of each point, if any | free slots and their generations |
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <string>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/core/id.h"
#include "ranked/live_generation.h"

namespace juxta::ranked_detail {

/// What the points alone do not say.
struct LiveSlots {
  std::uint64_t number = 0;    // of the first log that follows the file
  std::uint64_t sequence = 0;  // of the last change in the file
  std::vector<Id> free;        // in the order in which they were freed; used up ones, of generation 0, first
};

/// Errors: kIo. Then the old file is as it was.
[[nodiscard]] Result<void> save_live_file(const std::string& path, const LiveTypes& types,
                                          const LiveGeneration& generation, const LiveSlots& slots);

struct LiveFileContents {
  LiveTypes types;
  LiveSlots slots;
  std::unique_ptr<LiveGeneration> generation;
};
/// Checks everything. Errors: kIo, kCorruptFile.
[[nodiscard]] Result<LiveFileContents> load_live_file(const std::string& path,
                                                      std::pmr::memory_resource* resource);

}  // namespace juxta::ranked_detail
