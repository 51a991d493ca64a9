// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: from seers to the lists that a sweep runs through.
#pragma once

#include <cstddef>
#include <cstdint>

#include "agents/directory.h"
#include "juxta/agents/detail/sweep.h"

namespace juxta::agents_detail {

/// What a pass is about.
struct Seeing {
  const Directory& directory;  // of the seen
  const Reach& reach;
  SweepTask task;  // all but groups, list and partial totals
  Sweep* sweep;
  const void* rules;
  std::size_t seen;  // agents
  bool are_seen;     // the seers are of the population that is seen
  /// All fours are looked up one by one, without vectors: the twin of the fast way, for tests.
  bool plain = false;
};

/// Lists whom the seers [first, last) may see, and hands them to the sweep, some hundred seers at a time. How
/// many pairs that were. `first` is a multiple of four. Undefined below SSE4.2 (see active_isa()).
std::size_t sweep_seers(const Seeing& seeing, std::uint32_t first, std::uint32_t last) noexcept;

}  // namespace juxta::agents_detail
