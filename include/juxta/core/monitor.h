// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "juxta/core/export.h"

namespace juxta {

/// Progress out, cancel in. Long calls take a `Monitor*` (null: none) and call it a few times per stage,
/// always from the thread that called them; returning false makes the call stop with ErrorCode::kCancelled.
class JUXTA_API Monitor {
 public:
  virtual ~Monitor();

  /// `stage` names the work ("sort by x"), `done` of `total` units of it are finished (total 0: unknown).
  virtual bool on_progress(std::string_view stage, std::uint64_t done, std::uint64_t total) = 0;
};

/// True to go on. A null monitor always goes on.
[[nodiscard]] inline bool report(Monitor* monitor, std::string_view stage, std::uint64_t done,
                                 std::uint64_t total) {
  return monitor == nullptr || monitor->on_progress(stage, done, total);
}

}  // namespace juxta
