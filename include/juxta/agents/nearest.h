// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/agents/population.h"
#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/query_result.h"

namespace juxta {

/// For each seer, its `k` nearest agents of `seen` within `radius` (which may be infinite), itself left out
/// when the two populations are one. Near is as Metric::kBall says: by gaps where agents have extents, by
/// nearest images in periodic worlds, distance2 <= radius * radius. Where that is beyond float (further
/// than 1.8e19) distance2 is infinite, and lengths are compared scaled by 2^-66.
///
///   rows        | seer 0: r r r - | seer 1: r r r r | ...     k each; behind the count Population::kNoRow
///   distance2   |         d d d - |         d d d d | ...     and infinity
///   counts      |  3              |  4              | ...
///
/// Result:  `found` is the sum of `counts`, `tested` the pairs that were looked at.
/// Order:   of one seer by (distance2, slot of the seen one's Id): not by where agents stand in memory.
/// Method:  a ball of the radius that `seen` was sorted for, doubled until k are in it: exact. Sort for the
///          distance at which k are to be expected.
/// Cost:    O(seers and pairs tested), and up to k for each that is among the nearest so far. Allocates
///          nothing.
/// Threads: uses the executor's. The same bits for any executor and instruction set.
/// Errors:  kInvalidArgument (radius not above 0; rows or distance2 not k times the seers, counts not as many
///          as they; `seen` not sorted since it changed; populations of two simulations). Nothing was written
///          then.
[[nodiscard]] JUXTA_API Result<QueryResult> nearest(const Population& seers, const Population& seen,
                                                    std::uint32_t k, float radius,
                                                    std::span<std::uint32_t> rows, std::span<float> distance2,
                                                    std::span<std::uint32_t> counts,
                                                    const Context& context = {});

}  // namespace juxta
