// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Which bodies overlap which: of one layer, or of two.
#pragma once

#include <cstdint>
#include <span>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/function_ref.h"
#include "juxta/core/query_result.h"
#include "juxta/layer/layer.h"
#include "juxta/layer/pair.h"

namespace juxta {

/// How to find pairs.
struct FindPairsOptions {
  bool sorted = false;  ///< Ascending (a, b); costs about 11 ns a pair. Changes the order only.
  /// One byte per body of the (first) layer, capacity() long: only bodies with a non-zero byte take part.
  /// Empty: all. Costs one pass over the layer, no sorting.
  std::span<const std::uint8_t> only = {};
  /// The same for the second layer.
  std::span<const std::uint8_t> only_b = {};
};

/// Finds every overlapping pair of bodies that meet (filters), touching included, each once. Order: the
/// layer's block order, or sorted. A short `out` gets the first pairs of that order, and `found` the exact
/// need. `tested` counts boxes compared with boxes, `visited` blocks compared with blocks.
///
/// Cost:    O(n + candidates): about 25 ns a box of a uniform world with two pairs per box at 100k.
/// Memory:  from the workspace, on several threads as much as `out` and 4 KiB a task; nothing else once that
///          has grown. Places of `out` behind `written` are unspecified.
/// Threads: any number at once, one workspace each; uses the executor's threads.
/// Errors:  kInvalidArgument (`only` or `only_b` is not capacity() long).
template <int D>
[[nodiscard]] Result<QueryResult> find_pairs(const BasicLayer<D>& layer, std::span<Pair> out,
                                             const FindPairsOptions& options = {},
                                             const Context& context = {});
/// The pairs of a body of `a` with a body of `b`; not for one layer given twice. Layers may be of unlike
/// sizes and ages (static and dynamic).
template <int D>
[[nodiscard]] Result<QueryResult> find_pairs(const BasicLayer<D>& a, const BasicLayer<D>& b,
                                             std::span<Pair> out, const FindPairsOptions& options = {},
                                             const Context& context = {});

/// Gets pairs in batches of 1 to some thousand; returns false to stop.
using PairVisitor = FunctionRef<bool(std::span<const Pair>)>;

/// The same pairs in the same order, to a visitor on the calling thread, which does not throw; `written`
/// counts those handed over before it stopped, and so does `found`. With `sorted` all pairs are kept in the
/// workspace first. Errors: as find_pairs().
template <int D>
[[nodiscard]] Result<QueryResult> visit_pairs(const BasicLayer<D>& layer, PairVisitor visitor,
                                              const FindPairsOptions& options = {},
                                              const Context& context = {});
template <int D>
[[nodiscard]] Result<QueryResult> visit_pairs(const BasicLayer<D>& a, const BasicLayer<D>& b,
                                              PairVisitor visitor, const FindPairsOptions& options = {},
                                              const Context& context = {});

/// Gets pairs on any of the executor's threads.
using ExclusiveVisitor = FunctionRef<void(std::span<const Pair>)>;

/// All pairs under the exclusive schedule: no two calls that run at once hold a body in common (of either
/// layer), so a visitor may write to both bodies of a pair without locks. Each body sees its pairs in one
/// order, on any number of threads; there is no serial part. `sorted` is ignored. Errors: as find_pairs().
///
/// How: the layer is cut into territories of neighbouring blocks; pairs of overlapping territories are
/// coloured so that no colour holds a territory twice, and colours run one after the other. docs/layer.md.
template <int D>
[[nodiscard]] Result<QueryResult> visit_pairs_exclusive(const BasicLayer<D>& layer, ExclusiveVisitor visitor,
                                                        const FindPairsOptions& options = {},
                                                        const Context& context = {});
template <int D>
[[nodiscard]] Result<QueryResult> visit_pairs_exclusive(const BasicLayer<D>& a, const BasicLayer<D>& b,
                                                        ExclusiveVisitor visitor,
                                                        const FindPairsOptions& options = {},
                                                        const Context& context = {});

/// The same for visitors that write to the body of `a` alone and read that of `b`: bullets and what they
/// meet, say. No two calls that run at once hold a body of `a` in common. A territory of `a` is one task and
/// no task waits for another, so this runs in parallel also where `b` is a few large bodies. Each body of `a`
/// sees its pairs in one order. Errors: as find_pairs().
template <int D>
[[nodiscard]] Result<QueryResult> visit_pairs_by_first(const BasicLayer<D>& a, const BasicLayer<D>& b,
                                                       ExclusiveVisitor visitor,
                                                       const FindPairsOptions& options = {},
                                                       const Context& context = {});

}  // namespace juxta
