// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The neighbours of all agents of a sorted population: as lists one behind the other, as pairs, or handed to
// a function of yours. see() (see.h) needs none of them; they are for code that wants the neighbours
// themselves.
//
//   std::vector<std::uint64_t> offsets(agents.size() + 1);
//   const auto counted = neighbour_lists(agents, agents, radius, offsets, {});   // how many there are
//   std::vector<std::uint32_t> rows(counted->found);
//   neighbour_lists(agents, agents, radius, offsets, {.rows = rows});
//   // the neighbours of the agent in row i: rows[offsets[i]] ... rows[offsets[i + 1] - 1], ascending
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/agents/column.h"
#include "juxta/agents/metric.h"
#include "juxta/agents/population.h"
#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/function_ref.h"
#include "juxta/core/query_result.h"

namespace juxta {

/// An agent and one that is near it, by their rows.
struct RowPair {
  std::uint32_t a;  ///< Row of the seer.
  std::uint32_t b;  ///< Row of the agent that it sees.
  friend bool operator==(const RowPair&, const RowPair&) = default;
};

/// Which neighbours are listed.
struct NeighbourListOptions {
  Metric metric = Metric::kBall;  ///< Changes the result.
  /// Of the seers: each agent's own radius, as in SeeOptions. Not together with `half`. Changes the result.
  Column<float> radii{Column<float>::kNone};
  /// Of one population: only neighbours in a higher row, so that each pair is met once. Changes the result.
  bool half = false;
  /// Where the world is periodic and the radius is half a period or more, an agent may have several images of
  /// another near it. That is refused, unless you set this: then each neighbour is met once, by its nearest
  /// image, as see() does. Changes no other result.
  bool nearest_images = false;
  /// Of visit_neighbour_pairs(): blocks have distances and displacements too. Changes no pair.
  bool measured = false;
};

/// Where neighbours go, entry after entry. A span that is empty is not wanted. The shortest of the others
/// says how many entries are written. What longer spans hold behind the last entry is unspecified.
struct NeighbourOutputs {
  std::span<std::uint32_t> rows = {};  ///< The neighbour's row.
  std::span<RowPair> pairs = {};       ///< The seer's row and the neighbour's.
  /// As see() has it: dx*dx + dy*dy (+ dz*dz). With extents, of the gaps between the two boxes.
  std::span<float> distance2 = {};
  std::span<float> distance = {};  ///< Its root.
  /// Two numbers each in 2D, three in 3D: the neighbour's position less the seer's, by the nearest image.
  std::span<float> displacement = {};
};

/// The neighbours of each seer among `seen`, itself left out when the two populations are one.
///
///   offsets   0       2           5   ...     one more than the seers; the list of row i begins at
///   offsets[i] rows      4 7   | 0 2 9     | ...         and each of NeighbourOutputs that you want
///
/// Who is near is what see() says: the distance is at most the radius. Rows are those of the two populations
/// as they are now; the next sort() moves agents to other rows.
///
/// Result:  `found` is the number of all entries, however long the spans are: without any span the call only
///          counts, and offsets are complete all the same. `written` is how many are stored, the first ones.
///          `tested` counts pairs that were looked at.
/// Order:   by the seer's row, then by the neighbour's. The same for any executor and instruction set.
/// Cost:    O(seers and pairs tested), sixteen at a time: about 75 ns an agent with 30 neighbours in 3D,
///          30 ns in 2D; with squared distances half as much again.
/// Memory:  4 bytes an agent of `seen` from the workspace. With an executor also room for the lists of some
///          30,000 agents. Where sixteen seers have more than 512 agents around them, up to 40 bytes for
///          each of those on each thread, allocated anew.
/// Threads: uses the executor's.
/// Errors:  those of see() about the radius and the populations; kInvalidArgument (offsets not one more than
///          the seers; `half` with two populations or with `radii`; half a period or more, see
///          `nearest_images`). Nothing was written then.
[[nodiscard]] JUXTA_API Result<QueryResult> neighbour_lists(const Population& seers, const Population& seen,
                                                            float radius, std::span<std::uint64_t> offsets,
                                                            const NeighbourOutputs& outputs,
                                                            const NeighbourListOptions& options = {},
                                                            const Context& context = {});

/// The same without offsets: ask for NeighbourOutputs::pairs. With `half` each pair comes once, a < b.
[[nodiscard]] JUXTA_API Result<QueryResult> neighbour_pairs(const Population& seers, const Population& seen,
                                                            float radius, const NeighbourOutputs& outputs,
                                                            const NeighbourListOptions& options = {},
                                                            const Context& context = {});

/// Seers in the rows [range * kNeighbourRange, (range + 1) * kNeighbourRange) are one range.
inline constexpr std::size_t kNeighbourRange = 512;

/// Some pairs, in the order of neighbour_pairs().
struct NeighbourBlock {
  std::size_t range;                    ///< All pairs of the block have their seers in this range.
  std::span<const RowPair> pairs;       ///< 1 to 1024 of them.
  std::span<const float> distance2;     ///< One a pair, if NeighbourListOptions::measured; else empty.
  std::span<const float> displacement;  ///< Two or three a pair, likewise.
};

/// Gets a block. It is called on several threads at once, and does not throw.
using NeighbourVisitor = FunctionRef<void(const NeighbourBlock&)>;

/// Hands all pairs to the visitor, on the threads of the executor; nothing is kept.
///
/// Threads: the blocks of one range come one after the other, on one thread. Ranges come in any order, and
///          several at once. So the visitor may add to what belongs to the seer (row a) or to the range
///          without a lock. What belongs to the neighbour (row b) may be written by another thread too: do
///          not touch it, and do not use `half` for sums on both sides.
/// Order:   in a range that of neighbour_pairs(), on any executor and instruction set; only where one block
///          ends and the next begins may differ. So sums per seer, or sums per range that are joined in the
///          order of ranges, have the same bits on any number of threads.
/// Result:  `found` and `written` count the pairs handed over.
/// Cost and errors: as neighbour_lists(). Memory: 4 bytes an agent of `seen` from the workspace, and 24 KiB
///          of stack.
[[nodiscard]] JUXTA_API Result<QueryResult> visit_neighbour_pairs(const Population& seers,
                                                                  const Population& seen, float radius,
                                                                  NeighbourVisitor visitor,
                                                                  const NeighbourListOptions& options = {},
                                                                  const Context& context = {});

}  // namespace juxta
