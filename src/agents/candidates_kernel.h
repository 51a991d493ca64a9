// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: from seers to the candidates that a sweep runs through.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "agents/directory.h"
#include "agents/marked_rows.h"
#include "juxta/agents/detail/sweep.h"

namespace juxta::agents_detail {

/// Seers of a group at most. A range of seers begins with a multiple of it, so that groups are the same
/// whoever runs them.
inline constexpr std::uint32_t kMostSeers = 16;

/// What a pass is about.
struct Seeing {
  const Directory& directory;  // of the seen
  const Reach& reach;
  SweepTask task;  // all but groups, candidates and partial totals
  Sweep* sweep;
  const void* rules;
  bool are_seen;  // the seers are the rows of the population that is seen
  /// Candidates are tested one by one, without vectors: the twin of the fast way, for tests.
  bool plain = false;
  /// A group reaches no further than this, whatever the radii of its seers.
  float furthest = std::numeric_limits<float>::infinity();
  /// The seers are copies of these rows of the seen, in any order; null: copies of none, or rows in a row.
  const std::uint32_t* rows = nullptr;
  /// The columns of the seen hold only these rows of the directory; null: all.
  const MarkedRows* marked = nullptr;
  /// Of one population: rows before a group's first seer are no candidates.
  bool later_only = false;
  /// Seers that are rows of the seen: the row of the first among those of the directory. Not 0 in a halo.
  std::uint32_t first_own = 0;
};

/// Whom each group of sixteen may see, found beforehand: rows[begins[g] .. begins[g + 1]) for group g,
/// ascending. Where some are marked, rows are their numbers.
struct Listed {
  const std::uint32_t* begins;
  const std::uint32_t* rows;
};

/// Finds whom the seers [first, last) may see, and hands them to the sweep, some hundreds at a time. How many
/// pairs that were. Undefined below SSE4.2 (see active_isa()).
std::size_t sweep_seers(const Seeing& seeing, std::uint32_t first, std::uint32_t last) noexcept;

/// The same for candidates that are listed already. Seers that are seen are among the marked. Groups without
/// any candidates are left out.
std::size_t sweep_listed(const Seeing& seeing, const Listed& listed, std::uint32_t first,
                         std::uint32_t last) noexcept;

}  // namespace juxta::agents_detail
