// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/function_ref.h"
#include "juxta/core/id.h"
#include "juxta/core/memory.h"
#include "juxta/core/owned.h"
#include "juxta/core/query_result.h"
#include "juxta/math/rect.h"
#include "juxta/ranked/column.h"
#include "juxta/ranked/cursor.h"
#include "juxta/ranked/ranked_points.h"
#include "juxta/ranked/region.h"

namespace juxta {
namespace ranked_detail {
struct LiveState;
struct LiveStore;
struct ReaderSlot;
}  // namespace ranked_detail

/// One point of LiveRankedPoints.
struct RankedPoint {
  double x = 0, y = 0;
  RankValue rank = 0;
  std::uint64_t categories = 0;  ///< A bit for each, as RankedFilter asks for them.
  /// A number for each column of numbers. NaN: it has none, which a column of integers does not allow.
  RankValue values[2] = {};
};

/// Many points, as columns of equal length. `categories` may be empty: no point has one. `values`: up to two
/// columns of numbers, which RankedFilter::ranges asks for; as many as the points were built with, or none:
/// no point has a number.
struct RankedColumns {
  CoordinateColumn xs, ys;
  RankColumn ranks;
  std::span<const std::uint64_t> categories = {};
  std::span<const ValueColumn> values = {};
};

/// What a change of points that are kept in files waits for.
enum class LiveSync : std::uint8_t {
  kProgram,  ///< It is in the hands of the system: a crash of the program loses nothing. Some us.
  kDisk,     ///< It is on the disk: a power cut loses nothing. Milliseconds, which many threads share.
};

/// None of the fields changes an answer.
struct LiveRankedOptions {
  /// Merge in the background: when a tenth of the points has changed, a thread of the object's own builds the
  /// index again from all of them. Off: call merge() where it suits you.
  bool merge_in_background = true;
  /// Of that thread: where it runs its loops, who watches it. What this points to outlives the object.
  Context merging = {};
  LiveSync sync = LiveSync::kProgram;  ///< Of points that are kept in files.
};

/// What a change did to one point: one line of the log that lies beside points that are kept.
struct LiveLogRow {
  std::uint64_t change;  ///< From 1 on; points that were changed by one call have one number.
  Id id;
  bool is_removed;
  RankedPoint point;  ///< As it is after the change; of one that was removed, nothing.
};

/// Visits the changes since the last merge of points that keep() keeps in `path`, in their order; also while
/// a program has them open. `visit` returns false to stop. Errors: kIo, kCorruptFile.
[[nodiscard]] JUXTA_API Result<void> read_live_log(std::string_view path,
                                                   FunctionRef<bool(const LiveLogRow&)> visit);

/// LiveRankedPoints as it was at one moment, whatever changes meanwhile. It answers the questions of
/// RankedPoints, with Ids, and with the same order: by rank, and equal ranks by slot. Answers are exact.
///
/// Cost: a question costs what RankedPoints needs, and a look at the changes since the last merge: 1.5 times
/// as much where nothing has changed, 2 times with 1 % of the points moved, 3 to 4 times with 5 %. Taking one
/// costs about 10 ns. While it lives, memory that later changes have replaced is kept; so take one per
/// question or frame, not one for ever. Allocates only when a question has a larger answer than those before
/// it, nearest() when it has more than 65,536, and count_cells() as RankedPoints does.
/// Threads: one at a time; take one for each thread. It must not outlive its LiveRankedPoints.
class JUXTA_API RankedSnapshot {
 public:
  RankedSnapshot(RankedSnapshot&& other) noexcept;
  RankedSnapshot& operator=(RankedSnapshot&&) = delete;
  ~RankedSnapshot();

  /// The min(k, out.size()) lowest-ranked points that pass the filter, ascending. `found` is the number
  /// written.
  [[nodiscard]] QueryResult top(const RectD& rect, std::size_t k, std::span<Id> out,
                                const RankedFilter& filter = {}) const;
  [[nodiscard]] QueryResult top(const RankedRegion& region, std::size_t k, std::span<Id> out,
                                const RankedFilter& filter = {}) const;

  /// The next page: top() of the points behind `after`, a rank and the slot of an Id. Errors: those of
  /// RankedPoints::top_after(), but the ranks are always there.
  [[nodiscard]] Result<QueryResult> top_after(const RankedCursor& after, const RankedRegion& region,
                                              std::size_t k, std::span<Id> out,
                                              const RankedFilter& filter = {}) const;

  /// How many points pass the filter: `found`.
  [[nodiscard]] QueryResult count(const RectD& rect, const RankedFilter& filter = {}) const;
  [[nodiscard]] QueryResult count(const RankedRegion& region, const RankedFilter& filter = {}) const;

  /// The Ids of the points nearest to (x, y) in ascending distance, and their distances; equal distances by
  /// rank, and equal ranks by slot. As RankedPoints::nearest(); a point's place in rank order is that among
  /// the points of the snapshot. Cost: 1.3 times that of RankedPoints; with most_important, after changes,
  /// also that of a top() of so many points; where the frozen index has fewer than k points to find, also a
  /// look at all that pass the filter and were changed since the last merge.
  [[nodiscard]] QueryResult nearest(double x, double y, std::size_t k, std::span<Id> out,
                                    std::span<double> distances,
                                    const RankedNearestOptions& options = {}) const;

  /// How many points are in each cell of a grid, as RankedPoints::count_cells(). Cost: that, and some tens of
  /// ns for each point in the rectangle that was changed since the last merge.
  [[nodiscard]] Result<QueryResult> count_cells(const RectD& rect, std::size_t columns, std::size_t rows,
                                                std::span<std::uint32_t> counts,
                                                const Context& context = {}) const;

  [[nodiscard]] std::size_t size() const noexcept;  ///< Points.

 private:
  friend class LiveRankedPoints;
  explicit RankedSnapshot(const ranked_detail::LiveStore& store);

  const ranked_detail::LiveStore* store_;
  const ranked_detail::LiveState* state_;
  ranked_detail::ReaderSlot* slot_;  // null: moved from
};

/// RankedPoints that change while others read: insert, remove, move, and change ranks, categories and
/// numbers, one at a time or many at once. Every point has an Id.
///
///   a frozen index  +  a tree of the points inserted since  -  those removed since  =  a snapshot
///
/// A call changes all that it names or nothing, and a snapshot sees all of it or nothing. Snapshots never
/// wait, neither for changes nor for a merge.
///
/// Types: those of the columns that it was made with, numbers included. Coordinates, and ranks and numbers of
/// float, are rounded to them.
/// Cost: inserting or removing one of 10M points takes about 0.5 us, moving one of the frozen index 2.5 us;
/// the thread that merges takes about 5 us for each.
/// Memory: RankedPoints with its
/// ranks and numbers, and 24 bytes a point (32 with categories), about 170 for each that was changed since;
/// twice that while merging. At most 2^31 - 2 points.
/// Threads: all members may be called from any number of threads at once. Changes wait for each other, and
/// find() for them. A change that runs out of memory leaves an object that may only be destroyed.
/// A moved-from object may only be assigned to or destroyed.
class JUXTA_API LiveRankedPoints {
 public:
  /// From columns, empty ones too. Ids: slot i, generation 1 for point i. Errors: those of
  /// RankedPoints::build(); kTooLarge.
  [[nodiscard]] static Result<LiveRankedPoints> build(
      const RankedColumns& points, const LiveRankedOptions& options = {}, const Context& context = {},
      std::pmr::memory_resource* resource = huge_page_resource());
  LiveRankedPoints(LiveRankedPoints&&) noexcept;
  LiveRankedPoints& operator=(LiveRankedPoints&&) noexcept;
  ~LiveRankedPoints();

  /// Keeps the points in files from now on: all of them in `path`, and each later change in a log beside it,
  /// before its call returns. Merges write `path` again and begin a new log, while others read and change.
  /// The call merges. Errors: kInvalidArgument (they are kept already; there is a file), kIo, kCancelled.
  [[nodiscard]] Result<void> keep(std::string_view path, const Context& context = {});
  /// The points that keep() kept, up to the last change that returned, and keeps them further. Whatever was
  /// being written when the program ended is not there. Cost: that of RankedPoints::load(), and about 1 us a
  /// change since the last merge. Errors: kIo (also when another program has them open), kCorruptFile.
  [[nodiscard]] static Result<LiveRankedPoints> open(
      std::string_view path, const LiveRankedOptions& options = {},
      std::pmr::memory_resource* resource = huge_page_resource());
  /// Puts all changes that have returned on the disk. Errors: kIo.
  [[nodiscard]] Result<void> sync();

  /// The points as they are now.
  [[nodiscard]] RankedSnapshot snapshot() const;

  // Errors of all changes of points that are kept: also kIo. Then nothing was changed; only if kDisk cannot
  // be kept, the change is made.

  /// A new point. The slot freed last is used first. Errors: kNotFinite (coordinates, NaN ranks), kTooLarge,
  /// kInvalidArgument (the ranks are integers and this one is not; they are int32 and it is beyond; they are
  /// not integers and it is one beyond 2^53; the same of a column of numbers; a number without a column).
  [[nodiscard]] Result<Id> insert(const RankedPoint& point);
  /// Errors of these: kNotFound (a dead Id; with its index, if there are many), and those of insert().
  [[nodiscard]] Result<void> remove(Id id);
  [[nodiscard]] Result<void> move(Id id, double x, double y);
  [[nodiscard]] Result<void> set_rank(Id id, RankValue rank);
  [[nodiscard]] Result<void> set_categories(Id id, std::uint64_t categories);
  /// Another number in column `column`, 0 or 1. NaN: none. Errors: also kInvalidArgument (no such column).
  [[nodiscard]] Result<void> set_value(Id id, std::size_t column, RankValue number);

  /// The same for many, as one change. Errors: also kInvalidArgument (columns of unlike lengths; an Id that
  /// is named twice in remove()). Of two entries with one Id, the later one holds.
  [[nodiscard]] Result<void> insert(const RankedColumns& points, std::span<Id> ids);
  [[nodiscard]] Result<void> remove(std::span<const Id> ids);
  [[nodiscard]] Result<void> move(std::span<const Id> ids, CoordinateColumn xs, CoordinateColumn ys);
  [[nodiscard]] Result<void> set_rank(std::span<const Id> ids, RankColumn ranks);
  [[nodiscard]] Result<void> set_categories(std::span<const Id> ids,
                                            std::span<const std::uint64_t> categories);
  [[nodiscard]] Result<void> set_value(std::span<const Id> ids, std::size_t column, ValueColumn numbers);

  /// The point as it is now. Errors: kNotFound.
  [[nodiscard]] Result<RankedPoint> find(Id id) const;
  [[nodiscard]] std::size_t size() const noexcept;           ///< Points.
  [[nodiscard]] std::size_t value_columns() const noexcept;  ///< Columns of numbers: 0 to 2.

  /// Builds the index again from all points, on this thread, while others read and change. Waits for a merge
  /// that runs. No answer changes. Cost: that of RankedPoints::build(). Errors: kCancelled; kIo, of
  /// points that are kept. Then the object is as it was.
  [[nodiscard]] Result<void> merge(const Context& context = {});
  /// Changes since the last merge: points that are not in the frozen index, and points of it that are gone.
  [[nodiscard]] std::size_t unmerged() const noexcept;
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  explicit LiveRankedPoints(Owned<ranked_detail::LiveStore> store) noexcept;
  Owned<ranked_detail::LiveStore> store_;
};

}  // namespace juxta
