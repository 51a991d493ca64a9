// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/core/executor.h"
#include "juxta/core/export.h"
#include "juxta/core/function_ref.h"
#include "juxta/core/workspace.h"
#include "juxta/layer/layer.h"

namespace juxta {

/// Two bodies that overlap, by number. Of one layer: a < b. Of two: a of the first, b of the second.
struct Pair {
  std::uint32_t a, b;
  friend bool operator==(const Pair&, const Pair&) = default;
  friend auto operator<=>(const Pair&, const Pair&) = default;
};

/// How to find pairs.
struct FindPairsOptions {
  bool sorted = false;  ///< Ascending (a, b); costs about 11 ns a pair. Changes the order only.
  const Executor* executor = nullptr;  ///< Null: the calling thread. Never changes the result.
  /// One byte per body of the (first) layer, capacity() long: only bodies with a non-zero byte take part.
  /// Empty: all. Another length: the search is refused, and its result says so. Costs one pass over the
  /// layer, no sorting.
  std::span<const std::uint8_t> only = {};
  /// The same for the second layer.
  std::span<const std::uint8_t> only_b = {};
};

/// What a search for pairs did.
struct FindPairsResult {
  std::size_t found = 0;    ///< All pairs there are: the length that `out` needs.
  std::size_t written = 0;  ///< Stored in `out` (or handed to the visitor).
  std::size_t tested = 0;   ///< Boxes compared with boxes.
  std::size_t visited = 0;  ///< Blocks compared with blocks.
  bool refused = false;     ///< `only` or `only_b` is not capacity() long: nothing was searched.
};

/// Finds every overlapping pair of bodies that meet (filters), touching included, each once. Order: the
/// layer's block order, or sorted. A short `out` gets the first pairs of that order, and `found` the exact
/// need. Errors: FindPairsResult::refused, when `only` has a wrong length.
///
/// Cost:    O(n + candidates): about 25 ns a box of a uniform world with two pairs per box at 100k.
/// Memory:  from the workspace, on several threads as much as `out` and 4 KiB a task; nothing else once that
///          has grown. Places of `out` behind `written` are unspecified.
/// Threads: any number at once, one workspace each; uses the executor's threads.
template <int D>
FindPairsResult find_pairs(const BasicLayer<D>& layer, Workspace& workspace, std::span<Pair> out,
                           const FindPairsOptions& options = {});
/// The pairs of a body of `a` with a body of `b`; not for one layer given twice. Layers may be of unlike
/// sizes and ages (static and dynamic).
template <int D>
FindPairsResult find_pairs(const BasicLayer<D>& a, const BasicLayer<D>& b, Workspace& workspace,
                           std::span<Pair> out, const FindPairsOptions& options = {});

/// Gets pairs in batches of 1 to some thousand; returns false to stop.
using PairVisitor = FunctionRef<bool(std::span<const Pair>)>;

/// The same pairs in the same order, to a visitor on the calling thread, which does not throw; `written`
/// counts those handed over before it stopped, and so does `found`. With `sorted` all pairs are kept in the
/// workspace first.
template <int D>
FindPairsResult visit_pairs(const BasicLayer<D>& layer, Workspace& workspace, PairVisitor visitor,
                            const FindPairsOptions& options = {});
template <int D>
FindPairsResult visit_pairs(const BasicLayer<D>& a, const BasicLayer<D>& b, Workspace& workspace,
                            PairVisitor visitor, const FindPairsOptions& options = {});

/// Gets pairs on any of the executor's threads.
using ExclusiveVisitor = FunctionRef<void(std::span<const Pair>)>;

/// All pairs under the exclusive schedule: no two calls that run at once hold a body in common (of either
/// layer), so a visitor may write to both bodies of a pair without locks. Each body sees its pairs in one
/// order, on any number of threads; there is no serial part. `sorted` is ignored.
///
/// How: the layer is cut into territories of neighbouring blocks; pairs of overlapping territories are
/// coloured so that no colour holds a territory twice, and colours run one after the other. docs/layer.md.
template <int D>
FindPairsResult visit_pairs_exclusive(const BasicLayer<D>& layer, Workspace& workspace,
                                      ExclusiveVisitor visitor, const FindPairsOptions& options = {});
template <int D>
FindPairsResult visit_pairs_exclusive(const BasicLayer<D>& a, const BasicLayer<D>& b, Workspace& workspace,
                                      ExclusiveVisitor visitor, const FindPairsOptions& options = {});

/// The same for visitors that write to the body of `a` alone and read that of `b`, a bullet and whom it
/// meets, say: no two calls that run at once hold a body of `a` in common. A territory of `a` is one task and
/// nobody waits for anybody, so that it runs side by side where `b` is a few large bodies. Each body of `a`
/// sees its pairs in one order.
template <int D>
FindPairsResult visit_pairs_by_first(const BasicLayer<D>& a, const BasicLayer<D>& b, Workspace& workspace,
                                     ExclusiveVisitor visitor, const FindPairsOptions& options = {});

}  // namespace juxta
