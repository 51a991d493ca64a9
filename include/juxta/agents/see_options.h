// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "juxta/agents/column.h"
#include "juxta/agents/metric.h"

namespace juxta {

/// How to see.
struct SeeOptions {
  Metric metric = Metric::kBall;  ///< Changes the result.
  /// Of the seers: each agent's own radius, instead of the one for all; finite, >= 0 (0: it sees what it
  /// touches), and none above `radius`. Changes the result.
  Column<float> radii{Column<float>::kNone};
  /// Of the seen: only agents whose mark is not 0 are seen ("only the ill"); the others cost one to two
  /// nanoseconds each. Changes the result.
  Column<std::uint8_t> among{Column<std::uint8_t>::kNone};
};

}  // namespace juxta
