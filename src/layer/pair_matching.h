// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what two lists of pairs in a similar order do not share.
//
//   last  A B C   D E F G H
//   now   A B C X D E   G H Y     X and Y are unmatched, and F
//
// As long as a layer keeps the order of its bodies, the search gives the pairs of two frames in nearly one
// order: both lists are the same runs of pairs, with a few in between that only one has.
#pragma once

#include <cstddef>
#include <span>

#include "juxta/core/executor.h"
#include "juxta/core/workspace.h"
#include "juxta/layer/pair.h"

namespace juxta::layer_detail {

/// The pairs of each list that found no partner in the other, in the order of their lists. A pair of `now`
/// and the same pair of `last` that are far apart, or swapped, are both among them.
struct Unmatched {
  std::span<Pair> now, last;  ///< From the workspace.
  bool alike = false;         ///< False: the lists differ too much, and the spans are empty.
};

/// Every result is right in this sense: each list is its unmatched pairs, and partners of equal value. How
/// few are unmatched depends on the order of the lists. About 2.6 ns a pair when a tenth begins and a tenth
/// ends, 0.7 when a hundredth does. Takes some 5 us to see that lists are not alike.
[[nodiscard]] Unmatched match_pairs(std::span<const Pair> now, std::span<const Pair> last,
                                    Workspace& workspace, const Executor* executor);

/// A span of the workspace whose memory is that of the next larger step, four to an octave: a frame that has
/// a few pairs more than any before finds the block of the last one.
[[nodiscard]] std::span<Pair> take_pairs(Workspace& workspace, std::size_t count);

}  // namespace juxta::layer_detail
