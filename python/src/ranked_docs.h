// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What help(juxta.RankedPoints) says.
#pragma once

namespace juxta::python::docs {

inline constexpr const char* kMemoryBytes = "int: bytes that this object holds.";

inline constexpr const char* kRegion =
    R"(A part of the plane that is no rectangle, for ``top`` and ``count`` of ``RankedPoints``. Its border is inside.
)";
inline constexpr const char* kRegionCircle =
    R"(What is within a distance of a point. Compares squared distances, in float64.

Parameters
----------
x, y : float
    The centre.
radius : float
    Negative or NaN: nothing is inside.

Returns
-------
Region
)";

inline constexpr const char* kRegionRing =
    R"(What is at a distance of ``inner`` to ``outer`` from a point. Compares squared distances, in float64.

Parameters
----------
x, y : float
    The centre.
inner, outer : float
    Distances; both borders are inside.

Returns
-------
Region
)";

inline constexpr const char* kRegionAcross =
    R"(A rectangle on a map that ends at the antimeridian.

Parameters
----------
rect : array_like
    ``[lx, ly, hx, hy]``, as for ``RankedPoints.top``. With lx > hx, every x >= lx or <= hx is inside.

Returns
-------
Region
)";

inline constexpr const char* kRegionPolygon =
    R"(What is inside an odd number of rings, and the rings themselves; exactly.

Parameters
----------
rings : (m, 2) arrays
    Any number of them. Each ring closes by itself, may go round either way and may cross others: the second one makes
    a hole when it lies in the first.

Returns
-------
Region

Raises
------
ValueError
    A corner is not finite or beyond 1e150, or a ring is of another shape.
)";

inline constexpr const char* kRegionContains =
    R"(Whether a point is inside.

Parameters
----------
x, y : float

Returns
-------
bool
)";

inline constexpr const char* kRankedPoints =
    R"(Points that answer "the k most important inside this rectangle", and "how many are inside".

A point's number is its place in the input. Lower rank is more important; equal ranks go by input order. Rectangles
are closed: a point on an edge is inside. Answers are exact, for float32 and for float64 coordinates.

Any number of threads may ask at once. ``len()`` is the number of points.
)";

inline constexpr const char* kRankedInit =
    R"(Builds from three columns.

Parameters
----------
x, y : (n,) array of float32 or float64
    Coordinates, finite. Any positive stride, so columns of a table cost no copy: ``points[:, 0]``. If one of them is
    float64, both are taken as float64.
rank : (n,) array of int32, int64, float32 or float64
    Lower is more important. No NaN.
copy : bool
    False: the coordinates are not copied, which saves 8 bytes a point (16 for float64). The arrays are kept alive; do
    not write to them while this object is in use.
categories : (n,) array of uint64 (or other whole numbers), optional
    A mask of up to 64 categories per point, for ``any``, ``all`` and ``none`` of ``top`` and ``count``. At most 10
    bytes a point and category that it has.
keep_ranks : bool
    Keep the ranks, for ``after`` of ``top``: 4 bytes a point, 8 for int64 and float64.
values : list of up to two (n,) arrays of int32, int64, float32 or float64, optional
    Numbers of the points, a price or a time for example, for ``ranges`` of ``top`` and ``count``. NaN: the point has
    none. 17 to 21 bytes a point and column, 4 more a point when there are two; and up to 1.3 MB a column.
threads : int, optional
    Threads that build. None: ``juxta.default_threads()``; 0: as many as this process may use.
progress : bool or callable, optional
    True shows a line; a callable gets ``(stage, done, total)`` and may return False to stop the call.

Raises
------
juxta.errors.NotFinite
    A coordinate is NaN or infinite, or a rank is NaN. ``index`` says which.
juxta.errors.InvalidArgument
    The columns are not of one length.

Notes
-----
O(n log n): a few seconds for 10 million points on one thread. About 36 bytes a point, and the coordinates.
)";

inline constexpr const char* kRankedRebuild =
    R"(Builds again in place, from other columns, and keeps the memory.

Parameters are those of the class. After an error the object is as it was; after a cancelled call it is empty.
)";

inline constexpr const char* kRankedTop =
    R"(The most important points inside one rectangle, or inside each of many.

Parameters
----------
rects : (2, 2) or (4,) array; (m, 2, 2) or (m, 4) array; or a tuple (lo, hi)
    The corners: lowest x and y, then highest x and y. Infinite sides are allowed; an inverted rectangle is empty.
    Or one ``juxta.Region``: a circle, a ring, a polygon, a rectangle across the antimeridian.
k : int
    How many points at most, for each rectangle.
any, all, none : int, optional
    Masks of categories: only points that have at least one of ``any`` (unless that is 0), all of ``all`` and none of
    ``none``.
ranges : list of up to two (least, most), optional
    Only points whose number in column i of ``values`` is in ranges[i], both ends included. None in place of an end, or
    of a pair: there is none. Points without a number are in no range that has a finite end. Integers are compared exactly.
after : (rank, index), optional
    The next page: only points behind this one in the order of ranks. Give the rank and the number of the last point of
    the page before. For one rectangle or region, and points with ``keep_ranks=True``.
dtype : "intp" or "uint32", optional
    Of the answer. "uint32" is what the library writes, without a copy.
threads : int, optional
    Threads for many rectangles.
progress : bool or callable, optional
    For many rectangles.

Returns
-------
(j,) array
    For one rectangle: numbers of points in ascending rank, j <= k of them.
(m, min(k, n)) array
    For many: a row for each. Rows that have fewer points end with -1 (``juxta.NO_BODY`` for "uint32").

Notes
-----
About 0.1 to 0.3 us a rectangle for small k on usual data, O(sqrt(n)) at worst. One category takes up to 2.5 times as
long as a set of its points alone; several at once, and ranges, 1 to 60 us, more where few points pass.
)";

inline constexpr const char* kRankedCount =
    R"(How many points are inside one rectangle, or inside each of many; exactly.

Parameters
----------
rects, any, all, none, ranges : as for ``top``
threads : int, optional
    Threads for many rectangles.
progress : bool or callable, optional
    For many rectangles.

Returns
-------
int, or (m,) array of intp
)";

inline constexpr const char* kRankedNearest =
    R"(The k points nearest to one point, or to each of many; for example of the 1,000 most important.

The most important points within a distance are ``top(juxta.Region.circle(x, y, radius), k)``.

Parameters
----------
points : (2,) or (m, 2) array
    x and y. From a point that is NaN or infinite, nothing is found.
k : int
    How many points at most, for each point.
most_important : int, optional
    Only the points whose place in the rank order of all points is below it.
any, all, none, ranges : as for ``top``
max_distance : float
    Only the points within it, its border included: those of ``juxta.Region.circle``.
dtype : "intp" or "uint32", optional
    Of the numbers. "uint32" is what the library writes, without a copy.
threads : int, optional
    Threads for many points.
progress : bool or callable, optional
    For many points.

Returns
-------
juxta._results.NearestPoints
    ``j`` and ``d``: numbers of points and their distances (float64), nearest first; equal distances by rank. For one
    point (i,) arrays, i <= k. For many (m, min(k, n)) arrays; rows that have fewer points end with -1
    (``juxta.NO_BODY`` for "uint32") and infinity.

Notes
-----
For k = 10 of 10 million points 10 to 14 us a point, or 2 to 7 us among the most important thousands; 0.3 us a result
for k = 1,000.
)";

inline constexpr const char* kRankedCountCells =
    R"(How many points are in each cell of a grid over one rectangle; exactly, for heat maps.

The counts of ``numpy.histogram2d(y, x, (rows, columns), ((ly, hy), (lx, hx)))`` with float64 ``x`` and ``y``.

Parameters
----------
rect : array_like
    One rectangle, as for ``top``; finite, with a width and a height.
columns, rows : int
    Cells along x and along y, 1 to 65,535.
threads : int, optional
    Threads.

Returns
-------
(rows, columns) array of uint32
    Row 0 is the lowest: ``imshow(counts, origin="lower")`` shows it.
)";

inline constexpr const char* kRankedSave =
    R"(Writes one file, which ``load`` maps into memory. It replaces ``path`` as a whole or not at all.

Parameters
----------
path : str, bytes or os.PathLike
attachment : bytes-like
    Anything of yours that belongs to these points, their names for example.

Raises
------
juxta.errors.IoError
    The system could not write the file.
)";

inline constexpr const char* kRankedLoad =
    R"(Maps a file that ``save`` wrote, and checks every byte. Do not change the file meanwhile.

Parameters
----------
path : str, bytes or os.PathLike
check : {'whole', 'as_read'}
    'as_read' takes milliseconds, whatever the size of the file, and checks only what says where things are.
    Answers of a damaged file then count only when ``check_read()`` has raised nothing after them.

Returns
-------
RankedPoints

Raises
------
juxta.errors.IoError, juxta.errors.CorruptFile
)";

inline constexpr const char* kRankedCheckRead =
    R"(Checks all that was read so far of a file that was loaded with ``check='as_read'``. Else does nothing.

A page that the system took away since, for want of memory, counts as not read.

Raises
------
juxta.errors.CorruptFile
)";

inline constexpr const char* kRankedBounds =
    "(2, 2) array of float64: the lowest and the highest corner around all points; lo above hi when there "
    "are none.";

inline constexpr const char* kRankedCategories = "int: the mask of all categories that some point has.";

inline constexpr const char* kRankedAttachment =
    "bytes: what ``save`` was given, of points that ``load`` made; else empty.";

}  // namespace juxta::python::docs
