// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/agents/population.h"
#include "juxta/core/error.h"
#include "juxta/core/executor.h"
#include "juxta/core/export.h"

namespace juxta {

struct NearestOptions {
  const Executor* executor = nullptr;  ///< Null: the calling thread. Never changes the result.
};

/// What a search for the nearest found, and what it cost.
struct NearestResult {
  std::size_t found = 0;   ///< The sum of `counts`.
  std::size_t tested = 0;  ///< Pairs that were looked at; a pair once in each ball that held it.
};

/// For each seer, its `k` nearest agents of `seen` within `radius` (which may be infinite), itself left out
/// when the two populations are one. Near is as Metric::kBall says: by gaps where agents have extents, by
/// nearest images in periodic worlds, distance2 <= radius * radius. Where that is beyond float (further
/// than 1.8e19) distance2 is infinite, and lengths are compared scaled by 2^-66.
///
///   rows        | seer 0: r r r - | seer 1: r r r r | ...     k each; behind the count Population::kNoRow
///   distance2   |         d d d - |         d d d d | ...     and infinity
///   counts      |  3              |  4              | ...
///
/// Order:   of one seer by (distance2, slot of the seen one's Id): not by where agents stand in memory.
/// Method:  a ball of the radius that `seen` was sorted for, doubled until k are in it: exact. Sort for the
///          distance at which k are to be expected.
/// Cost:    O(seers and pairs tested), and up to k for each that is among the nearest so far. Allocates
///          nothing.
/// Threads: uses the executor's. The same bits for any executor and instruction set.
/// Errors:  kInvalidArgument (radius not above 0; rows or distance2 not k times the seers, counts not as many
///          as they; `seen` not sorted since it changed; populations of two simulations). Nothing was written
///          then.
[[nodiscard]] JUXTA_API Result<NearestResult> nearest(const Population& seers, const Population& seen,
                                                      std::uint32_t k, float radius,
                                                      std::span<std::uint32_t> rows,
                                                      std::span<float> distance2,
                                                      std::span<std::uint32_t> counts,
                                                      const NearestOptions& options = {});

}  // namespace juxta
