// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/memory.h"
#include "juxta/core/owned.h"
#include "juxta/core/query_result.h"
#include "juxta/math/rect.h"
#include "juxta/ranked/column.h"
#include "juxta/ranked/cursor.h"
#include "juxta/ranked/region.h"

namespace juxta {
namespace ranked_detail {
struct RankedStore;
struct StoreAccess;
}  // namespace ranked_detail

/// How to build. None of the fields changes the answer to a question that does not name it.
struct RankedPointsOptions {
  /// Do not copy the coordinates. Your columns must then stay unchanged for as long as you query this object.
  /// Saves 8 bytes a point (16 for double).
  bool borrow_coordinates = false;
  /// Up to 64 categories: a bit mask per point, which RankedFilter asks for; empty: no point has a category.
  /// They are read while building only. Memory: at most 10 bytes for each category of each point, from
  /// 100,000 points a category on; an eighth of a byte a point for each category in use; 0.6 bytes a point,
  /// or 8 for each of the first 4,096, if that is more.
  std::span<const std::uint64_t> categories = {};
  /// Keep the ranks, which top_after() needs: 4 bytes a point, 8 for int64 and double.
  bool keep_ranks = false;
  /// Up to two columns of numbers, a time or a price for example, which RankedFilter::ranges asks for. Each
  /// has a number for every point; NaN: the point has none. Copied. Memory, per point: 17 bytes for a column
  /// of int32 or float, 21 for int64 and double; 4 more when there are two; an eighth of one for each column
  /// and category; and up to 1.3 MB a column.
  std::span<const ValueColumn> values = {};
};

/// Numbers from `least` to `most`, both included. Integers and reals are compared exactly, whatever the
/// column's type. {} is open; inverted and NaN ranges hold no number.
struct RankedRange {
  RankValue least = -std::numeric_limits<double>::infinity();
  RankValue most = std::numeric_limits<double>::infinity();
};

/// Which points a question is about. A point passes when its categories have all bits of `all`, none of
/// `none`, and at least one of `any` unless that is 0; and when its numbers are in `ranges`, that of column i
/// in ranges[i]. An open range lets every point pass, with a number or not. So {} lets every point pass. No
/// point has a category or a number that was not given when building.
struct RankedFilter {
  std::uint64_t any = 0;
  std::uint64_t all = 0;
  std::uint64_t none = 0;
  RankedRange ranges[2] = {RankedRange{}, RankedRange{}};
};

/// What nearest() looks at. Each field can change the answer.
struct RankedNearestOptions {
  /// Only the points that are among so many most important ones of all: those whose place in rank order,
  /// equal ranks by input order, is below it.
  std::size_t most_important = std::numeric_limits<std::size_t>::max();
  /// Only the points that pass. A point's place in rank order is that among all points.
  RankedFilter filter = {};
  /// Only the points within it, its border included: those of RankedRegion::circle(x, y, max_distance).
  double max_distance = std::numeric_limits<double>::infinity();
};

/// How much of a file RankedPoints::load() checks.
enum class FileCheck {
  kWhole,  ///< Every byte, before it returns. So it is, too, where the system refuses what kAsRead needs.
  /// Only what keeps queries inside of the file, and lets them end. Answers count only when check_read() has
  /// found no damage after them; until then an index can even be size() or more. For a program that asks
  /// little and ends. It finds damage, not a forgery with the right sums. Takes 64 GiB of addresses,
  /// no memory, and keeps the file open.
  kAsRead,
};

/// Answers "the k most important points inside this rectangle", and "how many are inside".
///
/// Points keep their input index (u32). Lower rank is more important; equal ranks go by input order.
/// Rectangles are closed, so a point on an edge is inside; -0 equals 0; inverted and NaN rectangles are
/// empty, infinite ones are allowed. Answers are exact for float and for double coordinates, on every
/// instruction set and any executor.
///
/// Idea: each axis is equalised by quantiles, so that a rectangle becomes a box of u16 in a nearly uniform
/// space; then one precomputed list of the lowest ranks around the rectangle answers most queries in one
/// scan, and two block trees (of tall and of flat blocks) the rest; from k = 256, levels of ranks that double
/// in size. docs/ranked.md draws it; docs/sources.md names its origins.
///
/// Memory: about 36 bytes per point at 10M (18 trees, 10 lists, 8 levels), + 8 or 16 for the coordinates
/// unless borrowed, + 4 unless the ranks already ascend.
/// Threads: all const members may be called from any number of threads at once.
/// A moved-from object may only be assigned to or destroyed.
class JUXTA_API RankedPoints {
 public:
  /// An empty set: every query finds nothing.
  explicit RankedPoints(std::pmr::memory_resource* resource = huge_page_resource());
  RankedPoints(RankedPoints&&) noexcept;
  RankedPoints& operator=(RankedPoints&&) noexcept;
  ~RankedPoints();

  /// Builds from columns of equal length: `xs` and `ys` of one type (float or double), `ranks` int32, int64,
  /// float or double. Cost: O(n log n) in radix passes, a few seconds for 10M points on one thread. Errors:
  /// kInvalidArgument (lengths or types differ, more than two columns of numbers), kNotFinite (NaN or
  /// infinite coordinate, NaN rank; with the index), kTooLarge (more than 2^32 - 2 points), kUnsupportedCpu,
  /// kCancelled.
  [[nodiscard]] static Result<RankedPoints> build(CoordinateColumn xs, CoordinateColumn ys, RankColumn ranks,
                                                  const RankedPointsOptions& options = {},
                                                  const Context& context = {},
                                                  std::pmr::memory_resource* resource = huge_page_resource());

  /// Builds again in place. With a workspace, allocates nothing when there are no more points than before.
  /// On an error the object is as it was, but after kCancelled it is empty.
  [[nodiscard]] Result<void> rebuild(CoordinateColumn xs, CoordinateColumn ys, RankColumn ranks,
                                     const RankedPointsOptions& options = {}, const Context& context = {});

  /// Writes the input indices of the min(k, out.size()) lowest-ranked points inside `rect`, in ascending
  /// rank. Fewer when there are fewer. `found` is the number written: the query stops there, and count()
  /// counts them all. Cost: about 0.1-0.3 us for small k on usual data, 15 to 20 ns a result from k = 1,000,
  /// O(sqrt(n)) at worst. Allocates nothing.
  [[nodiscard]] QueryResult top(const RectD& rect, std::size_t k,
                                std::span<std::uint32_t> out) const noexcept;

  /// The same for many rectangles: answer i is in out[i * k, i * k + counts[i]). Faster than one by one,
  /// because the memory of the next queries is fetched while this one runs. With an executor they run in
  /// parallel. `found` and `written` are the sum of `counts`; `tested` and `visited` stay 0. Errors:
  /// kInvalidArgument when `out` is shorter than rects.size() * k or `counts` than rects.size().
  [[nodiscard]] Result<QueryResult> top(std::span<const RectD> rects, std::size_t k,
                                        std::span<std::uint32_t> out, std::span<std::uint32_t> counts,
                                        const Context& context = {}) const;

  /// How many points are inside `rect`, exactly: `found`. Cost: O(sqrt(n)) at worst. Allocates nothing.
  [[nodiscard]] QueryResult count(const RectD& rect) const noexcept;

  /// top() and count() of the points that pass `filter`. Cost of top(), small k: one category takes about as
  /// long as a set of its points alone, up to 2.5 times at worst. Several at once (with `none`, or more than
  /// one bit) and ranges take 1 to 10 us where a twentieth of the points pass, more where fewer do: at worst
  /// 0.5 ns a point in `rect`, and for ranges 0.2 ns a point in the narrower one, if that is less. count()
  /// with several or with ranges: 0.2 to 1.5 ns a point in `rect`, or 0.2 ns a point in a range. Allocates
  /// nothing.
  [[nodiscard]] QueryResult top(const RectD& rect, std::size_t k, std::span<std::uint32_t> out,
                                const RankedFilter& filter) const noexcept;
  [[nodiscard]] QueryResult count(const RectD& rect, const RankedFilter& filter) const noexcept;
  /// The same for many rectangles, as top() above; counts[i] is how many points that pass are in rects[i].
  [[nodiscard]] Result<QueryResult> top(std::span<const RectD> rects, std::size_t k,
                                        std::span<std::uint32_t> out, std::span<std::uint32_t> counts,
                                        const RankedFilter& filter, const Context& context = {}) const;
  [[nodiscard]] Result<QueryResult> count(std::span<const RectD> rects, std::span<std::uint32_t> counts,
                                          const RankedFilter& filter, const Context& context = {}) const;

  /// top() and count() of the points that pass `filter` inside a region: a circle, a ring, a polygon, a
  /// rectangle across the antimeridian (ranked/region.h). Cost: rectangles as above. Others 4 to 40 us for
  /// small k on usual data, the more the more corners there are; count() looks at the points along the
  /// border, 10 to 20 ns each, but across() costs two rectangles. Allocates nothing.
  [[nodiscard]] QueryResult top(const RankedRegion& region, std::size_t k, std::span<std::uint32_t> out,
                                const RankedFilter& filter = {}) const noexcept;
  [[nodiscard]] QueryResult count(const RankedRegion& region, const RankedFilter& filter = {}) const noexcept;

  /// The next page: top() of the points behind `after` in the order of ranks. To read all points of a
  /// rectangle or region page by page, begin with top(), and go on with the rank and index of each page's
  /// last point. No point comes twice or is left out, also among equal ranks. Cost: 1 to 10 us for small k
  /// and up to some thousand points on the pages before; with a filter or in a region, at worst as top() of
  /// all these pages. Allocates nothing. Errors: kInvalidArgument (built without keep_ranks; the
  /// points' ranks are integers and that of `after` is not; they are not, and it is one beyond 2^53),
  /// kNotFinite (it is NaN).
  [[nodiscard]] Result<QueryResult> top_after(const RankedCursor& after, const RectD& rect, std::size_t k,
                                              std::span<std::uint32_t> out,
                                              const RankedFilter& filter = {}) const;
  [[nodiscard]] Result<QueryResult> top_after(const RankedCursor& after, const RankedRegion& region,
                                              std::size_t k, std::span<std::uint32_t> out,
                                              const RankedFilter& filter = {}) const;

  /// Writes the input indices of the min(k, out.size(), distances.size()) points nearest to (x, y), in
  /// ascending distance, and their distances in the unit of the coordinates. Equal distances go by rank
  /// order. Fewer when there are fewer; `found` is the number written. For the most important points within
  /// a distance, call top() with RankedRegion::circle().
  ///
  /// Exactness: points are compared by dx * dx + dy * dy, in double and rounded at each step; a distance is
  /// its square root. So distances below 1e-162 are 0 and equal, those beyond 1e154 infinite and equal.
  /// Cost: for k = 10 of 10M points 10 to 14 us on usual data, 2 to 7 us among the most important thousands,
  /// up to 60 us where the query is far from all of them; 0.3 us a result for k = 1,000. At worst, all points
  /// are looked at: when all are about equally far. Errors: none. A NaN or infinite point and a negative or
  /// NaN max_distance find nothing. Allocates nothing.
  [[nodiscard]] QueryResult nearest(double x, double y, std::size_t k, std::span<std::uint32_t> out,
                                    std::span<double> distances,
                                    const RankedNearestOptions& options = {}) const noexcept;

  /// The categories that some point has.
  [[nodiscard]] std::uint64_t categories() const noexcept;

  /// Counts the points of each cell of a grid over `rect`, exactly, for heat maps and histograms:
  /// counts[row * columns + column], row 0 at `ly`. Column i begins at i * ((hx - lx) / columns) + lx, in
  /// double and rounded at each step; rows likewise. A point on an edge between cells belongs to the one
  /// behind the edge; the last column and row have `hx` and `hy` too. So the counts are those of
  /// numpy.histogram2d with float64 coordinates, and their sum is count(rect), which is `found`. `columns`,
  /// `rows`: 1 to 65,535. Cost: some ns a point in `rect`, less where a cell has hundreds of points; 3 us at
  /// least. With an executor, in parallel. Errors: kInvalidArgument (`counts` is too short; `rect` is not
  /// finite or has no width or height; columns or rows), kUnsupportedCpu.
  [[nodiscard]] Result<QueryResult> count_cells(const RectD& rect, std::size_t columns, std::size_t rows,
                                                std::span<std::uint32_t> counts,
                                                const Context& context = {}) const;

  [[nodiscard]] std::size_t size() const noexcept;  ///< Points.
  /// Bytes that this object holds (a loaded file counts as held).
  [[nodiscard]] std::size_t memory_bytes() const noexcept;
  /// The smallest rectangle around all points; empty when there are none.
  [[nodiscard]] RectD bounds() const noexcept;

  /// Writes one flat file (docs/formats/ranked_points.md): temp file beside `path`, fsync, rename, so that
  /// `path` is either the old file or the whole new one. Errors: kIo;
  /// kCorruptFile (the points are loaded with FileCheck::kAsRead, and their file, which is checked here, is
  /// damaged).
  /// `attachment`: any bytes of yours that belong to these points, the names for example. They go into the
  /// same file behind the arrays, so that nothing can part the two; attachment() of the loaded object has
  /// them. A loaded object's own attachment is saved again only when you pass it.
  [[nodiscard]] Result<void> save(std::string_view path, std::span<const std::byte> attachment = {}) const;

  /// Maps a file that save() wrote, and checks every byte that a query relies on: any file is answered or
  /// refused, never read out of bounds. The file must not be changed while the object lives. Cost: 0.1 to
  /// 0.3 ns a byte of the file; with kAsRead some ms for 10M points. Errors: kIo, kCorruptFile (with the
  /// byte), kUnsupportedCpu.
  [[nodiscard]] static Result<RankedPoints> load(std::string_view path, FileCheck check = FileCheck::kWhole);

  /// Of an object that was loaded with FileCheck::kAsRead: whether all that was read of the file so far, by
  /// queries and by you in attachment(), is as save() wrote it. What it has checked once it does not check
  /// again. Else nothing to do. Cost: 0.5 ms for a file of 1 GB (2 before Linux 6.7), and 8 us for each 64
  /// KiB that were read, or that the system brought along: up to 2 MiB a place. Limit: by the system's table
  /// of pages; one that it took away since, for want of memory as a rule, counts as not read. Where there is
  /// no such table (other systems than Linux), and in a process that was forked since, checks the whole file.
  /// Errors: kCorruptFile (with the byte).
  [[nodiscard]] Result<void> check_read() const;

  /// The bytes that save() was given, of a loaded object; else empty. Its first byte is at a multiple of 64.
  /// Valid until the object is rebuilt, assigned to or destroyed.
  [[nodiscard]] std::span<const std::byte> attachment() const noexcept;

  /// Copies bytes of attachment(), from `at` on. With FileCheck::kAsRead they are checked before they are
  /// copied, so that check_read() need not be asked about them. For some rows of a long table: 10 us each,
  /// while reading them in attachment() brings up to 2 MiB along, which check_read() then looks at. Errors:
  /// kInvalidArgument (there are not so many), kIo, kCorruptFile (with the byte).
  [[nodiscard]] Result<void> copy_attachment(std::size_t at, std::span<std::byte> out) const;

 private:
  friend struct ranked_detail::StoreAccess;
  Owned<ranked_detail::RankedStore> store_;
};

}  // namespace juxta
