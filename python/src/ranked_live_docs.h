// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What help(juxta.LiveRankedPoints) and help(juxta.RankedSnapshot) say.
#pragma once

namespace juxta::python::docs {

inline constexpr const char* kLivePoints =
    R"(Ranked points that change while others read.

A frozen index, a tree of the points inserted since, and the points of the index that are gone. When a tenth of the
points has changed, the index is built again in the background. Every point has an id, a whole number. A call changes
all points that it names, or none.

Any number of threads may call at once. ``len()`` is the number of points.
)";

inline constexpr const char* kLiveInit =
    R"(Builds from three columns, which may be empty.

Parameters
----------
x, y : (n,) array of float32 or float64
    Coordinates, finite. Points inserted later are rounded to this type.
rank : (n,) array of int32, int64, float32 or float64
    Lower is more important, and equal ranks go by the low half of the id. No NaN. Ranks given later must be whole
    numbers if these are.
categories : (n,) array of whole numbers, optional
    A mask of up to 64 categories for each point.
values : list of up to two (n,) arrays of int32, int64, float32 or float64, optional
    Numbers of the points, a price or a time for example, for ``ranges`` of ``top()``, ``count()`` and ``nearest()``.
    NaN: the point has none. Numbers given later are rounded to these types, or must be whole if these are.
background : bool
    Build the index again in the background. False: call ``merge()`` where it suits you.
sync : bool
    Of points that are kept in files: True waits until a change is on the disk, so that a power cut loses nothing. False
    waits until the system has it, so that a crash of the program loses nothing.
threads : int, optional
    Threads that build the index, now and later. None: ``juxta.default_threads()``; 0: as many as this process may use.
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
The id of point i is ``2**32 + i``.
)";

inline constexpr const char* kLiveKeep =
    R"(Keeps the points in files from now on.

All points are in ``path``, and each later change is in a log beside it before its call returns. Merges write ``path``
again. The call merges.

Parameters
----------
path : str or os.PathLike
    A file that is not there yet.
threads : int, optional
    Threads that build. None: ``juxta.default_threads()``; 0: as many as this process may use.
progress : bool or callable, optional
    True shows a line; a callable gets ``(stage, done, total)`` and may return False to stop the call.

Raises
------
juxta.errors.InvalidArgument
    There is such a file, or the points are kept already.
juxta.errors.IoError
    The system refuses. From then on, a change that cannot be written is refused too, and not made.
)";

inline constexpr const char* kLiveOpen =
    R"(The points that ``keep()`` kept, up to the last change that returned; they are kept further.

Parameters
----------
path : str or os.PathLike
    What ``keep()`` was given.
background, sync : bool
    As for ``LiveRankedPoints()``.
threads : int, optional
    Threads that build the index later. None: ``juxta.default_threads()``; 0: as many as this process may use.

Returns
-------
LiveRankedPoints
    With the same ids.

Raises
------
juxta.errors.IoError
    There is no such file, or another program has it open.
juxta.errors.CorruptFile
    The file or a log is damaged, or they do not belong together.
)";

inline constexpr const char* kLiveSync = "Puts all changes that have returned on the disk.";

inline constexpr const char* kLiveInsert =
    R"(Adds points.

Parameters
----------
x, y : float or (m,) array
    Coordinates.
rank : int, float or (m,) array
    Lower is more important.
categories : int or (m,) array of whole numbers, optional
    Masks of categories.
values : list of float, int or (m,) arrays, optional
    As many as the points were built with, or none: no point has a number, which columns of whole numbers do not allow.

Returns
-------
int or (m,) array of uint64
    The ids. The low half is a slot, which is used again when its point is gone; the high half tells the points of one
    slot apart.

Raises
------
juxta.errors.NotFinite
    A coordinate is not finite, or a rank is NaN.
juxta.errors.InvalidArgument
    The columns are not of one length, or a rank or number does not suit those of the points.
)";

inline constexpr const char* kLiveRemove =
    R"(Removes points.

Parameters
----------
ids : int or (m,) array of uint64
    Each once.

Raises
------
juxta.errors.NotFound
    An id names no point. ``index`` says which; nothing is removed.
)";

inline constexpr const char* kLiveMove =
    R"(Moves points.

Parameters
----------
ids : int or (m,) array of uint64
    What ``insert()`` returned.
x, y : float or (m,) array
    Where to.

Raises
------
juxta.errors.NotFound
    An id names no point.
juxta.errors.NotFinite
    A coordinate is not finite.
)";

inline constexpr const char* kLiveSetRank =
    R"(Gives points other ranks.

Parameters
----------
ids : int or (m,) array of uint64
    What ``insert()`` returned.
rank : int, float or (m,) array
    Lower is more important.

Raises
------
juxta.errors.NotFound
    An id names no point.
juxta.errors.InvalidArgument
    A rank does not suit those of the points.
)";

inline constexpr const char* kLiveSetCategories =
    R"(Gives points other categories.

Parameters
----------
ids : int or (m,) array of uint64
    What ``insert()`` returned.
categories : int or (m,) array of whole numbers
    Masks of categories.

Raises
------
juxta.errors.NotFound
    An id names no point.
)";

inline constexpr const char* kLiveSetValue =
    R"(Gives points other numbers in one of their columns.

Parameters
----------
ids : int or (m,) array of uint64
    What ``insert()`` returned.
column : int
    0 or 1, as in ``values`` of ``LiveRankedPoints()``.
values : int, float or (m,) array
    The numbers. NaN: the point has none.

Raises
------
juxta.errors.NotFound
    An id names no point.
juxta.errors.InvalidArgument
    There is no such column, or a number does not suit its type.
)";

inline constexpr const char* kLiveFind =
    R"(One point as it is now.

Parameters
----------
id : int
    What ``insert()`` returned.

Returns
-------
tuple
    ``(x, y, rank, categories)``, and behind these a number for each column of numbers. NaN: the point has none.

Raises
------
juxta.errors.NotFound
    The id names no point.
)";

inline constexpr const char* kLiveTop =
    R"(The k most important points inside one rectangle or region, or inside each of many rectangles.

Parameters
----------
rects : (2, 2) or (4,) array, a tuple (lo, hi), a Region, or (m, 2, 2) or (m, 4) array
    The lowest x and y, then the highest x and y, of each rectangle.
k : int
    How many at most.
any, all, none : int
    Masks of categories: points that have one of ``any``, all of ``all`` and none of ``none``. 0: every point passes.
ranges : list of up to two (least, most), optional
    Only points whose number in column i of ``values`` is in ranges[i], both ends included. None in place of an end, or
    of a pair: there is none.
after : tuple, optional
    The last point of the page before, as ``(rank, id)``: only points behind it. With one rectangle or region.

Returns
-------
(j,) or (m, k) array of uint64
    Ids in ascending rank, equal ranks by the low half of the id. Rows of many rectangles are filled with
    ``juxta.NO_ID``.

Raises
------
juxta.errors.InvalidArgument
    The rank of ``after`` does not suit those of the points.
)";

inline constexpr const char* kLiveCount =
    R"(How many points are inside one rectangle or region, or inside each of many rectangles.

Parameters
----------
rects : (2, 2) or (4,) array, a tuple (lo, hi), a Region, or (m, 2, 2) or (m, 4) array
    The lowest x and y, then the highest x and y, of each rectangle.
any, all, none : int
    Masks of categories, as in ``top()``.
ranges : list of up to two (least, most), optional
    Ranges of numbers, as in ``top()``.

Returns
-------
int or (m,) array of int64
    Numbers of points.
)";

inline constexpr const char* kLiveNearest =
    R"(The k points nearest to one point, or to each of many; for example of the 1,000 most important.

Parameters
----------
points : (2,) or (m, 2) array
    x and y. From a point that is NaN or infinite, nothing is found.
k : int
    How many points at most, for each point.
most_important : int, optional
    Only the points whose place in the rank order of all points is below it. Costs a ``top()`` of so many points.
any, all, none : int
    Masks of categories, as in ``top()``.
ranges : list of up to two (least, most), optional
    Ranges of numbers, as in ``top()``.
max_distance : float
    Only the points within it, its border included.

Returns
-------
juxta._results.NearestPoints
    ``j`` and ``d``: ids (uint64) and their distances (float64), nearest first; equal distances by rank. For one point
    (i,) arrays, i <= k. For many (m, min(k, n)) arrays; rows that have fewer points end with ``juxta.NO_ID`` and
    infinity.
)";

inline constexpr const char* kLiveSnapshot =
    R"(The points as they are now, whatever changes meanwhile.

Returns
-------
RankedSnapshot
    It answers ``top()``, ``count()``, ``nearest()`` and ``count_cells()``. While it lives, memory that later changes have replaced is kept.
)";

inline constexpr const char* kLiveMerge =
    R"(Builds the index again from all points, while others read and change.

Parameters
----------
threads : int, optional
    Threads that build. None: ``juxta.default_threads()``; 0: as many as this process may use.
progress : bool or callable, optional
    True shows a line; a callable gets ``(stage, done, total)`` and may return False to stop the call.

Raises
------
juxta.errors.Cancelled
    ``progress`` returned False. The points are as they were.
)";

inline constexpr const char* kLiveUnmerged =
    "int: points that are not in the index, and points of the index that are gone.";

inline constexpr const char* kRankedSnapshot =
    R"(LiveRankedPoints as they were at one moment. From ``LiveRankedPoints.snapshot()``.

One call at a time: take one for each thread. ``len()`` is the number of points.
)";

}  // namespace juxta::python::docs
