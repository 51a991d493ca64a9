// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What help(juxta.Layer) says.
#pragma once

#include "common_docs.h"

namespace juxta::python::docs {

inline constexpr const char* kLayer =
    R"(Axis-aligned boxes in 2D or 3D that answer which of them overlap, and what a box, ray, point or frustum touches.

Body i is box i. Boxes are closed: touching boxes overlap. Coordinates are float32: float64 and integers are rounded to
the nearest float32. Every answer is exact for the rounded boxes, and the same on any number of threads.

Any number of threads may ask at once; a change while another call runs raises RuntimeError. ``len()`` is the number of
living bodies.
)";

inline constexpr const char* kLayerInit =
    R"(Builds from boxes.

Parameters
----------
boxes : (n, 2, D) or (n, 2 D) array of float32, or a tuple (lo, hi) of two (n, D) arrays
    lo and hi corners, D = 2 or 3; finite, lo <= hi. A C-contiguous float32 array is read without a copy.
category, mask : int or (n,) array of uint32, optional
    What each body is, and what it meets, in bits: two bodies meet when each one's category has a bit in the other
    one's mask. None: all bits.
quality : "fast" or "tight"
    "tight" takes ten times as long to build and answers queries in about three quarters of the time. It changes the
    order of answers only.
)" JUXTA_DOC_BULK R"(
Raises
------
juxta.errors.NotFinite, juxta.errors.InvalidArgument
    A box with a NaN, an infinite or an inverted side; ``index`` says which.

Notes
-----
O(n): about 15 ns a box at 100k, on one thread. About 34 bytes a box (26 in 2D), 8 more with categories and masks.
)";

inline constexpr const char* kLayerRebuild =
    R"(Builds again in place, from other boxes of the same D, and keeps the memory. Forgets all bodies and their ids.

Parameters are those of the class. After an error the layer is as it was.
)";

inline constexpr const char* kLayerRefit =
    R"(All bodies move.

Takes half the time of a rebuild; sorts again when the order has become bad. Ids, categories and masks stay.

Parameters
----------
boxes : (capacity, 2, D) or (capacity, 2 D) array of float32, or a tuple (lo, hi)
    The new box of each body; those of dead ones are ignored.
)" JUXTA_DOC_BULK R"(
Raises
------
juxta.errors.NotFinite, juxta.errors.InvalidArgument
    A box with a NaN, an infinite or an inverted side, or another number of boxes. Then nothing has moved.
)";

inline constexpr const char* kLayerInsert =
    R"(New bodies.

Parameters
----------
boxes : (2, D) or (n, 2, D) array of float32, or another form of boxes
category, mask : int or (n,) array of uint32, optional
    As for the class.

Returns
-------
int, or (n,) array of uint64
    Ids. The low 32 bits are the body's number, which queries answer with: ``ids & 0xFFFFFFFF``. Numbers of removed
    bodies are given out again, with another id.

Raises
------
juxta.errors.NotFinite, juxta.errors.InvalidArgument
    With the index; then none was inserted.
)";

inline constexpr const char* kLayerMove =
    R"(Some bodies move; queries see it at once. About 70 ns a body near its old place.

Parameters
----------
ids : int, or (n,) array of uint64
boxes : (2, D) or (n, 2, D) array of float32, or another form of boxes
    One for each id.

Raises
------
juxta.errors.NotFound, juxta.errors.NotFinite, juxta.errors.InvalidArgument
    With the index; then nothing has moved.
)";

inline constexpr const char* kLayerRemove =
    R"(Some bodies go.

Parameters
----------
ids : int, or (n,) array of uint64
    Each once.

Raises
------
juxta.errors.NotFound
    One of them is not alive; ``index`` says which. Then nothing was removed.
)";

inline constexpr const char* kLayerSetFilter =
    R"(Changes what bodies are and what they meet.

Parameters
----------
ids : int, or (n,) array of uint64
category, mask : int or (n,) array of uint32, optional
    None: all bits.

Raises
------
juxta.errors.NotFound
)";

inline constexpr const char* kLayerAlive =
    R"(Whether ids name living bodies.

Parameters
----------
ids : int, or (n,) array of uint64

Returns
-------
bool, or (n,) array of bool
)";

inline constexpr const char* kLayerIds =
    R"(The ids of bodies, which ``move`` and ``remove`` take.

Parameters
----------
bodies : int, or (n,) array of int
    Numbers of bodies. A dead one gives an id that is not alive.

Returns
-------
int, or (n,) array of uint64
)";

inline constexpr const char* kLayerBodies =
    R"(The numbers of all living bodies, ascending.

Returns
-------
(n,) array of intp
)";

inline constexpr const char* kLayerBoxes =
    R"(The boxes of bodies, as they were given.

Parameters
----------
bodies : (n,) array of int, optional
    Numbers of living bodies. None: all, as ``bodies()`` lists them.

Returns
-------
(n, 2, D) array of float32

Raises
------
juxta.errors.NotFound
)";

inline constexpr const char* kLayerFilters =
    R"(The categories and masks of bodies.

Parameters
----------
bodies : (n,) array of int, optional
    Numbers of living bodies. None: all, as ``bodies()`` lists them.

Returns
-------
(n, 2) array of uint32
    Category and mask of each.

Raises
------
juxta.errors.NotFound
)";

inline constexpr const char* kLayerSave =
    R"(Writes everything to one file, so that ``load`` goes on as this layer would: same answers in the same order, same ids.

Replaces ``path`` as a whole or not at all.

Parameters
----------
path : str, bytes or os.PathLike

Raises
------
juxta.errors.IoError
)";

inline constexpr const char* kLayerLoad =
    R"(Reads what ``save`` wrote.

Parameters
----------
path : str, bytes or os.PathLike

Returns
-------
Layer

Raises
------
juxta.errors.IoError, juxta.errors.CorruptFile
)";

inline constexpr const char* kLayerStats = R"(What the layer holds, and how good its order is.

Returns
-------
LayerStats
)";
inline constexpr const char* kLayerNdim = "int: D, 2 or 3.";
inline constexpr const char* kLayerCapacity =
    "int: one more than the highest number of a body ever alive: how long ``refit`` and ``only=`` want their "
    "arrays.";

inline constexpr const char* kLayerFindPairs =
    R"(Every pair of bodies that overlap and meet, each once.

Parameters
----------
other : Layer, optional
    Then the pairs of a body of this layer and a body of that one.
sorted : bool
    Ascending. Otherwise the order is the layer's own, the same on any number of threads.
only, only_other : (capacity,) array of bool, optional
    Bodies that take part; those of ``other``.
)" JUXTA_DOC_DTYPE JUXTA_DOC_BULK R"(
Returns
-------
(2, n) array
    A row of bodies a and a row of bodies b: ``a, b = layer.find_pairs()``. Of one layer: a < b.

Notes
-----
About 25 ns a box in a uniform world with two pairs a box. On one thread, without ``sorted``, Ctrl-C stops it. Where
everything may overlap everything, ask ``count_pairs`` first, or take the pairs in batches: ``visit_pairs``.
)";

inline constexpr const char* kLayerCountPairs =
    R"(How many pairs ``find_pairs`` would find. Needs no memory for them.

Parameters
----------
other, only, only_other : as for ``find_pairs``
threads : int, optional

Returns
-------
int
)";

inline constexpr const char* kLayerVisitPairs =
    R"(Hands all pairs to a function, in batches: for more pairs than memory holds.

Parameters
----------
visitor : callable
    Gets (2, n) arrays of pairs, in the order of ``find_pairs``. Returns False to stop; an exception stops too.
other, only, only_other : as for ``find_pairs``
batch : int
    How many pairs to gather, about, before a call.
)" JUXTA_DOC_DTYPE R"(
Returns
-------
int
    Pairs handed over, or found before the visitor stopped.
)";

inline constexpr const char* kLayerQuery =
    R"(Which bodies overlap one box, or each of many.

Parameters
----------
boxes : (2, D), (2 D,), (m, 2, D) or (m, 2 D) array of float32, or a tuple (lo, hi)
    Sides may be infinite. An inverted box or one with a NaN overlaps nothing.
)" JUXTA_DOC_NARROW R"(sorted : bool
    Ascending. Otherwise the order is the layer's own, the same on any number of threads.
)" JUXTA_DOC_DTYPE JUXTA_DOC_BULK R"(
Returns
-------
(n,) array
    For one box: numbers of bodies.
(2, n) array
    For many: a row of queries and a row of bodies: ``query, body = layer.query(boxes)``.
)";

inline constexpr const char* kLayerFindAny =
    R"(A body that overlaps one box, or one for each of many.

Parameters
----------
boxes : as for ``query``
)" JUXTA_DOC_NARROW JUXTA_DOC_DTYPE JUXTA_DOC_BULK R"(
Returns
-------
int, or (m,) array
    -1 (``juxta.NO_BODY`` for "uint32") where there is none.
)";

inline constexpr const char* kLayerFindFirst =
    R"(The first bodies, in the layer's order, that overlap one box, or each of many.

Parameters
----------
boxes : as for ``query``
most : int
    How many, for each box.
)" JUXTA_DOC_NARROW JUXTA_DOC_DTYPE JUXTA_DOC_BULK R"(
Returns
-------
(n,) array
    For one box, n <= most.
(m, min(most, capacity)) array
    For many: rows that have fewer end with -1 (``juxta.NO_BODY`` for "uint32").
)";

inline constexpr const char* kLayerCount =
    R"(How many bodies overlap one box, or each of many.

Parameters
----------
boxes : as for ``query``
)" JUXTA_DOC_NARROW JUXTA_DOC_BULK R"(
Returns
-------
int, or (m,) array of intp
)";

inline constexpr const char* kLayerInFrustum =
    R"(The bodies that no plane has wholly on its outer side: what a camera may see.

Parameters
----------
planes : (p, D + 1) or (f, p, D + 1) array of float32
    A normal and an offset each: ``normal @ point + offset >= 0`` is inside. Three axes: several frustums.
)" JUXTA_DOC_NARROW R"(sorted : bool
    Ascending.
)" JUXTA_DOC_DTYPE R"(threads : int, optional
    For several frustums.

Returns
-------
(n,) array
    For one frustum: numbers of bodies. One beside an edge of it may be there although it is outside.
(2, n) array
    For several: a row of frustums and a row of bodies.
)";

inline constexpr const char* kLayerRaycast =
    R"(The body that each ray enters first.

Parameters
----------
)" JUXTA_DOC_RAY JUXTA_DOC_NARROW JUXTA_DOC_DTYPE JUXTA_DOC_BULK R"(
Returns
-------
RayHit
    ``body`` and ``t``: an int and a float for one ray, (m,) arrays for many. Of several bodies at one t the lowest
    number. Rays that hit nothing have body -1 and t infinity.
)";

inline constexpr const char* kLayerRaycastAny =
    R"(Any body that each ray touches: for lines of sight. Faster than ``raycast``.

Parameters
----------
)" JUXTA_DOC_RAY JUXTA_DOC_NARROW JUXTA_DOC_DTYPE JUXTA_DOC_BULK R"(
Returns
-------
RayHit
)";

inline constexpr const char* kLayerRaycastAll =
    R"(All bodies that each ray touches, in order of (t, body).

Parameters
----------
)" JUXTA_DOC_RAY JUXTA_DOC_NARROW JUXTA_DOC_DTYPE JUXTA_DOC_BULK R"(
Returns
-------
RayHit
    For one ray: (n,) arrays.
RayHits
    For many: ``offsets`` (m + 1,), ``body`` and ``t`` (n,). Those of ray i are ``[offsets[i]:offsets[i + 1]]``.
)";

inline constexpr const char* kLayerNearest =
    R"(The body nearest to each point.

Parameters
----------
points : (D,) or (m, D) array of float32
max_distance : float
    Bodies farther away do not count.
)" JUXTA_DOC_NARROW JUXTA_DOC_DTYPE JUXTA_DOC_BULK R"(
Returns
-------
NearestHit
    ``body`` and ``distance``: an int and a float for one point, (m,) arrays for many. The distance is 0 inside a box.
    Of several bodies equally near the lowest number; -1 and infinity where there is none. Distances beyond 1.8e19 are
    infinite.
)";

inline constexpr const char* kPairTracker =
    R"(Tells which overlaps began and which ended from one frame to the next.

``len()`` is the number of pairs of the last frame.
)";

inline constexpr const char* kPairTrackerUpdate =
    R"(Compares the pairs of this frame with those of the last one.

Parameters
----------
pairs : (2, n) array of int
    In any order, as ``Layer.find_pairs`` gives them; sorted ones cost less.
)" JUXTA_DOC_DTYPE R"(threads : int, optional

Returns
-------
PairEvents
    ``begun`` and ``ended``, (2, n) arrays, ascending.
)";

}  // namespace juxta::python::docs
