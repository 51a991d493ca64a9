// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What help() says about the questions to a juxta.Layer.
#pragma once

#include "common_docs.h"

namespace juxta::python::docs {

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
    In any order. It is fastest when both frames have them as ``Layer.find_pairs`` gives them.
)" JUXTA_DOC_DTYPE R"(threads : int, optional

Returns
-------
PairEvents
    ``begun`` and ``ended``, (2, n) arrays, ascending.
)";

}  // namespace juxta::python::docs
