// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include "juxta/agents/column.h"
#include "juxta/agents/metric.h"

namespace juxta {

/// How to see.
struct SeeOptions {
  Metric metric = Metric::kBall;  ///< Changes the result.
  /// Of the seers: each agent's own radius, instead of the one for all; finite, >= 0 (0: it sees what it
  /// touches), and none above `radius`. Changes the result.
  Column<float> radii{Column<float>::kNone};
};

}  // namespace juxta
