// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "juxta/agents/metric.h"
#include "juxta/agents/population.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/function_ref.h"
#include "juxta/core/memory.h"
#include "juxta/core/owned.h"
#include "juxta/core/query_result.h"
#include "juxta/core/random.h"
#include "juxta/math/vec.h"

namespace juxta {
namespace agents_detail {
struct NeighboursStore;
}  // namespace agents_detail

/// Random sequential activation: calls body(row) once for each agent, one after the other; each sees what the
/// earlier ones did. Returns how many were called.
///
/// Order:   ascending (random_u64(key, random_id(id)), generation, slot): a function of the key and of who
///          lives, not of where they stand. Another purpose or step gives an independent order.
/// Dying:   an agent whose death is noted in Population::changes() before its turn, or was noted by a
///          for_each() earlier in the step, is passed over. Who is born in the pass comes at the end of the
///          step, and is not called.
/// Over ranks (Simulation::distribute()) one after the other would be slower than on one machine: nobody is
/// called.
/// The body may read and write any row, and calls neither sort(), insert() nor end_step() of this population.
/// Cost:    25 to 50 ns an agent, growing with their number, and the bodies.
/// Memory:  25 bytes an agent, kept by the population.
/// Threads: the calling one.
JUXTA_API std::size_t activate_randomly(Population& population, const RandomKey& key,
                                        FunctionRef<void(std::uint32_t row)> body);

/// What a search among agents that move one by one should know.
struct NeighboursOptions {
  float radius = 0;  ///< That most searches ask for: finite, > 0. Others are answered too, less quickly.
  Metric metric = Metric::kBall;  ///< Changes the result.
  /// How far agents may move from where begin() met them and still be searched for in the order of memory;
  /// those that went further are kept in a hashed grid. Finite, >= 0; below 0: a quarter of the radius. Never
  /// changes who is found; it does change the order of visits.
  float slack = -1;
};

/// Who is near me now, while others of the same step have moved already: for models whose agents act one
/// after the other. Built over a sorted population.
///
///   sort(), begin()          the order of memory, and where everyone stood then
///   for each agent in turn:  for_each(row, radius, ...)   exact, whatever moved
///                            move(row, to), kill(row)
///
/// A search reads the runs of rows that sort() put near, widened by the slack, and those cells of a grid that
/// hold agents that have left their place; it tests where they stand now. Distances are those of the World:
/// the nearest image in a periodic one, each agent once, whatever the radius.
///
/// Cost:    begin() copies positions, O(n). A search reads who is within radius + slack of it, and its share
///          of those that have left their place (10 neighbours: about 370 ns); move() and kill() are O(1),
///          about 25 ns. If all left their places, searches would be those of a hashed grid.
/// Memory:  some 30 bytes an agent, kept between steps.
/// Results: the same bits for any executor and instruction set of sort().
/// Threads: one.
class JUXTA_API Neighbours {
 public:
  /// dx, dy, dz: from the point or agent to the one in `row` (dz = 0 in 2D); distance2 = dx*dx + dy*dy (+
  /// dz*dz). It neither moves agents nor searches again; it may kill.
  using Visitor = FunctionRef<void(std::uint32_t row, float dx, float dy, float dz, float distance2)>;

  /// Of one population, which outlives it.
  explicit Neighbours(Population& population, std::pmr::memory_resource* resource = huge_page_resource());

  /// Everyone stands where sort() put them, and nobody is dead but those whose death is noted in
  /// Population::changes(). From here on positions are written by move() alone: whatever else makes the order
  /// stale (see Population::sorted()) ends this round, and the calls below are refused until the next
  /// begin(). Errors: kInvalidArgument (options; not sorted; agents with extents; on several ranks).
  [[nodiscard]] Result<void> begin(const NeighboursOptions& options);

  /// Calls the visitor for every living agent near the one in `row`, but for itself; `found` counts the
  /// calls. Errors: kInvalidArgument (a radius that is not above 0 and at most 1.8e19; a row that is not
  /// there; begin() first).
  Result<QueryResult> visit(std::uint32_t row, float radius, Visitor visitor);
  /// Near a point; in a periodic world any point will do. Errors: also kNotFinite.
  Result<QueryResult> visit_at(const Vec3& point, float radius, Visitor visitor);

  /// Writes the position of an agent; a periodic world brings it back into [lo, hi). In 2D the third
  /// coordinate is not looked at. Errors, and nothing was written: kNotFinite, kInvalidArgument (outside a
  /// wall; a row that is not there; begin() first).
  [[nodiscard]] Result<void> move(std::uint32_t row, const Vec3& position);
  /// The agent dies: noted in Population::changes(), and no longer seen from now on.
  void kill(std::uint32_t row);
  [[nodiscard]] bool killed(std::uint32_t row) const noexcept;

  /// Agents that have left their place.
  [[nodiscard]] std::size_t strays() const noexcept;

 private:
  Owned<agents_detail::NeighboursStore> store_;
};

}  // namespace juxta
