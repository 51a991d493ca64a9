// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What help(juxta.RankedLabels) says.
#pragma once

namespace juxta::python::docs {

inline constexpr const char* kRankedLabels =
    R"(The labels that a map view shows, so that none overlap and panning changes none.

A label is a box of pixels around its point. Zooms are decided from the first to the last: at each one, all labels of
the zooms before stay, then the other points follow in rank order (lower is more important, equal ranks go by input
order), and a label is shown when it overlaps no shown label. So the zoom alone decides whether a label is shown. It
stays while you pan, and at all closer zooms.

Any number of threads may ask at once. ``len()`` is the number of points.
)";

inline constexpr const char* kRankedLabelsInit =
    R"(Builds from three columns.

Parameters
----------
x, y : (n,) array of float32 or float64
    Coordinates of the map as drawn, finite. Project longitude and latitude first, to Web Mercator for example.
rank : (n,) array of int32, int64, float32 or float64
    Lower is more important. No NaN.
width, height : float or (n,) array
    The size of all labels, or of each, in pixels: from 1/64 to 4,096.
units_per_pixel : float
    Units of the coordinates for each pixel at zoom 0. Each zoom has half of it.
first_zoom, last_zoom : int
    The zooms that labels are chosen for, from 0 to 30.
threads : int, optional
    Threads that sort the points. None: ``juxta.default_threads()``; 0: as many as this process may use.
progress : bool or callable, optional
    True shows a line; a callable gets ``(stage, done, total)`` and may return False to stop the call.

Raises
------
juxta.errors.NotFinite
    A coordinate is NaN or infinite, or a rank is NaN. ``index`` says which.
juxta.errors.InvalidArgument
    The columns are not of one length, or a size, the units or the zooms are out of range.

Notes
-----
About 2 s for a million points; one thread decides the zooms. The object holds 1 byte a point, and 24 to 40 for each
that is shown at some zoom.
)";

inline constexpr const char* kRankedLabelsTop =
    R"(The labels that a zoom shows and whose point is inside one rectangle.

Parameters
----------
rect : (2, 2) or (4,) array, or a tuple (lo, hi)
    The corners of the view: lowest x and y, then highest x and y. Infinite sides are allowed; an inverted rectangle is
    empty. Widen it by half a label to get those that reach into it.
zoom : float
    Rounded down. Below the first zoom there are no labels; above the last one there are those of the last.
k : int, optional
    How many at most, the most important ones. None: all.
dtype : "intp" or "uint32", optional
    Of the answer. "uint32" is what the library writes.

Returns
-------
(j,) array
    Numbers of points in ascending rank.

Notes
-----
About 7 us for a view of 1024 x 768 pixels.
)";

inline constexpr const char* kRankedLabelsAppears =
    "(n,) array of uint8, read-only: the first zoom that shows each point, or 255 for a point that none "
    "shows.";

inline constexpr const char* kRankedLabelsShown = "int: points that the last zoom shows.";

}  // namespace juxta::python::docs
