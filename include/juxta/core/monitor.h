// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "juxta/core/export.h"

namespace juxta {

/// Progress out, cancel in. Pass one in a Context. Long calls call it a few times per stage, always from the
/// thread that called them. Return false to stop the call with ErrorCode::kCancelled.
class JUXTA_API Monitor {
 public:
  virtual ~Monitor();

  /// `stage` names the work ("sort by x"), `done` of `total` units of it are finished (total 0: unknown).
  virtual bool on_progress(std::string_view stage, std::uint64_t done, std::uint64_t total) = 0;
};

/// True: go on. Without a monitor, always true.
[[nodiscard]] inline bool report(Monitor* monitor, std::string_view stage, std::uint64_t done,
                                 std::uint64_t total) {
  return monitor == nullptr || monitor->on_progress(stage, done, total);
}

}  // namespace juxta
