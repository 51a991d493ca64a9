// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the kernels that search a live tree, chosen for the running CPU.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "juxta/core/function_ref.h"
#include "juxta/core/id.h"
#include "juxta/core/query_result.h"
#include "juxta/ranked/ranked_points.h"
#include "juxta/ranked/region.h"
#include "ranked/live_tree.h"

namespace juxta::ranked_detail {

/// One state of a tree.
struct LiveView {
  const LiveTree* tree = nullptr;
  std::uint32_t root = 0;  // 0: no points
};

/// A range of numbers. Those whose quanta are strictly between `first` and `last` are in it.
struct LiveRange {
  bool asked = false;
  std::uint16_t first = 0, last = 0;
  std::uint64_t least = 0, most = 0;  // keys

  [[nodiscard]] bool holds(std::uint64_t key) const noexcept {
    return !asked || (key >= least && key <= most);
  }
};

/// What is asked. `outer` holds all points of the region; those in `inner` are known to be in it.
struct LiveQuestion {
  const RankedRegion* region = nullptr;
  RankedFilter filter;
  QuantumBox outer{}, inner{};
  bool inner_empty = true;
  bool asks_ranges = false;
  std::array<LiveRange, kMostValues> ranges{};

  [[nodiscard]] bool passes(const LiveRecord& record) const noexcept {
    const std::uint64_t categories = record.categories;
    return (categories & filter.all) == filter.all && (categories & filter.none) == 0 &&
           (filter.any == 0 || (categories & filter.any) != 0) &&
           (!asks_ranges || (ranges[0].holds(record.values[0]) && ranges[1].holds(record.values[1])));
  }
  /// Whether some point may pass that has no other categories than these.
  [[nodiscard]] bool may_pass(std::uint64_t categories) const noexcept {
    return (categories & filter.all) == filter.all && (filter.any == 0 || (categories & filter.any) != 0);
  }
  [[nodiscard]] bool asks_categories() const noexcept { return (filter.any | filter.all | filter.none) != 0; }
};

/// The k best of a question that stand before `limit`, and behind `after` when there is one.
struct LiveTop {
  std::size_t k = 0;
  LiveOrder limit = kBehindAll;
  const LiveOrder* after = nullptr;
};

struct LiveFound {
  LiveOrder order;
  std::uint32_t record;
};

/// A node that is to be looked at, and the lower corner of its cell.
struct LiveTask {
  std::uint64_t best;  // no key in it is lower
  std::uint32_t node;
  std::uint32_t level;
  std::uint32_t x, y;
};

/// An answer of nearest().
struct LiveNear {
  double square;  // of its distance
  LiveOrder order;
  Id id;

  friend bool operator<(const LiveNear& a, const LiveNear& b) noexcept {
    return a.square < b.square || (a.square == b.square && a.order < b.order);
  }
};

/// Memory of searches, kept from one to the next.
struct LiveScratch {
  std::vector<std::uint32_t> frozen;  // answers of the frozen index
  std::vector<double> distances;      // theirs
  std::vector<LiveFound> found;       // answers of top_live(), ascending
  std::vector<LiveNear> near;
  std::vector<LiveTask> tasks;
  std::size_t wasted = 0;  // of LiveStore::wasted, not added yet
};

/// Leaves the answer in scratch.found. `tested` and `visited` of the result are set.
QueryResult top_live(const LiveView& view, const LiveQuestion& question, const LiveTop& top,
                     LiveScratch& scratch);

/// Visits the records of the points that do not stand behind `limit`, in any order.
QueryResult visit_live(const LiveView& view, const LiveQuestion& question, const LiveOrder& limit,
                       LiveScratch& scratch, FunctionRef<void(const LiveRecord&)> visit);

/// How many there are: `found`.
QueryResult count_live(const LiveView& view, const LiveQuestion& question, LiveScratch& scratch);

}  // namespace juxta::ranked_detail
