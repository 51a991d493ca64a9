// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "classics/layer/sweep-inl.h"
#include "juxta/core/workspace.h"

namespace juxta::classics {

/// What the dual-axis sweep knows about the rows of one bucket. Ranks count the rows by zmin.
///
///   z ranks     0 1 2 ... r ...        one bit each, set while the row's x interval is open
///   row i       first[i] ... last[i]   no row outside of these ranks overlaps it in z
struct DualAxes {
  std::span<std::uint32_t> rank;         // of a row
  std::span<std::uint32_t> first, last;  // of a row: the lowest rank still open at its zmin, and the end of
                                         // those that begin up to its zmax; ranks between may have ended
  std::span<std::uint32_t> by_xmax;      // rows in the order in which they end
  std::span<std::uint32_t> by_rank;      // rows in rank order
  std::span<YzBounds> yz;                // the same rows' bounds, so that neighbours in z stand together
  std::span<std::uint64_t> open;
};

/// Three sorts and two merges.
[[nodiscard]] DualAxes make_dual_axes(const LayerRows& rows, Workspace& workspace);

/// Every pair within one bucket. Goes along x; each row that begins looks at the open rows in its range of
/// z ranks, 64 at a time. Source: G. Capannini, T. Larsson, "Efficient Collision Culling by a Succinct
/// Bi-dimensional Sweep and Prune Algorithm", SCCG 2016, without its tree over the bits.
///
/// As printed in "Find Pairs 3": ranks by zmin, the range of ranks of each row, the bits, and the steps from
/// bit to bit by counting trailing zeros. Not as printed: ranges come from two merges instead of a scan of
/// events along z, rows end by a list sorted by xmax instead of events along x, the bounds that are tested
/// stand in rank order, and signs are flipped.
template <class Sink>
void sweep_axes(const LayerRows& rows, const DualAxes& axes, Sink& sink) {
  std::fill(axes.open.begin(), axes.open.end(), 0);
  std::uint32_t ended = 0;
  for (std::uint32_t i = 0; i < rows.size; ++i) {
    for (; rows.xmax[axes.by_xmax[ended]] < rows.xmin[i]; ++ended) {
      const std::uint32_t gone = axes.rank[axes.by_xmax[ended]];
      axes.open[gone / 64] &= ~(std::uint64_t{1} << gone % 64);
    }
    const YzTest test(rows.yz[i]);
    const std::uint32_t source = rows.source[i], first = axes.first[i], last = axes.last[i];
    for (std::uint32_t word = first / 64; word * 64 < last; ++word) {
      std::uint64_t bits = axes.open[word];
      bits &= word == first / 64 ? ~std::uint64_t{0} << first % 64 : ~std::uint64_t{0};
      bits &= last - word * 64 < 64 ? (std::uint64_t{1} << (last - word * 64)) - 1 : ~std::uint64_t{0};
      for (; bits != 0; bits &= bits - 1) {
        const std::uint32_t other = word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
        if (HWY_UNLIKELY(test.overlaps(axes.yz[other]))) {
          sink(source, rows.source[axes.by_rank[other]]);
        }
      }
    }
    axes.open[axes.rank[i] / 64] |= std::uint64_t{1} << axes.rank[i] % 64;
  }
}

/// The same with its sorts.
template <class Sink>
void sweep_two_axes(const LayerRows& rows, Workspace& workspace, Sink& sink) {
  const Workspace::Scope scope(workspace);
  const DualAxes axes = make_dual_axes(rows, workspace);
  sweep_axes(rows, axes, sink);
}

}  // namespace juxta::classics
