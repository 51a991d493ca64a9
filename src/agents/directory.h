// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: which runs of rows hold the agents of a box.
#pragma once

#include <array>
#include <cstdint>

#include "juxta/agents/population.h"
#include "juxta/core/array.h"

namespace juxta::detail {

/// Rows [first, last).
struct Run {
  std::uint32_t first, last;
};

struct Directory {
  Arrangement arrangement = Arrangement::kAuto;
};

}  // namespace juxta::detail
