// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What help(juxta.PointTree), help(juxta.neighbors) and help(juxta.count_neighbors) say.
#pragma once

#include "common_docs.h"

#define JUXTA_DOC_POINTS                          \
  "points : (n, D) array of float32 or float64\n" \
  "    D is 2 or 3. Finite. Everything is computed in the type of the points; other types become float64.\n"

#define JUXTA_DOC_SPACE                                                                                 \
  "box : (D,) or (2, D) array, optional\n"                                                              \
  "    Of a periodic space: the lengths of axes that begin at 0, or a row of lower and a row of upper " \
  "ends.\n"                                                                                             \
  "    Points outside are brought back into it.\n"                                                      \
  "periodic : bool or (D,) array of bool, optional\n"                                                   \
  "    Which axes are periodic. None: all if there is a box. (1, 0, 1) is fine.\n"

#define JUXTA_DOC_NEAR                                                                                       \
  "r : float, or (m,) array\n"                                                                               \
  "    Above 0, in units of the points. A point at distance r is near. An array goes with ``queries``: one " \
  "for each.\n"

#define JUXTA_DOC_LISTS                                                                                    \
  "quantities : str\n"                                                                                     \
  "    What to return, in letters: \"i\" and \"j\" numbers of points, \"d\" distances, \"D\" "             \
  "displacements.\n"                                                                                       \
  "queries : (m, D) or (D,) array, optional\n"                                                             \
  "    Look from these points, not from the tree's own. They are taken in the type of the points.\n"       \
  "half : bool\n"                                                                                          \
  "    Only neighbours with a higher number, so that each pair is met once.\n"                             \
  "sorted : bool\n"                                                                                        \
  "    Each list ascends. False: in an order of the tree's, which never changes either, and is quicker.\n" \
  "k : int, optional\n"                                                                                    \
  "    Only the k nearest within r, by (distance, number). r may be left out then.\n"

#define JUXTA_DOC_IMAGE                                                                                \
  "nearest_image : bool\n"                                                                             \
  "    True: r may be more than half of a periodic axis. Each point is then a neighbour once, by its " \
  "nearest "                                                                                           \
  "image.\n"

#define JUXTA_DOC_NEIGHBORS_RETURNS                                                                         \
  "Returns\n"                                                                                               \
  "-------\n"                                                                                               \
  "juxta._results.Neighbors\n"                                                                              \
  "    ``offsets``, ``i``, ``j``, ``d``, ``D``; None for what was not asked for. The neighbours of point "  \
  "p are\n"                                                                                                 \
  "    ``j[offsets[p]:offsets[p + 1]]``. A point is never its own neighbour; with ``queries``, a point of " \
  "the tree\n"                                                                                              \
  "    in the same place is one.\n"                                                                         \
  "\n"                                                                                                      \
  "Raises\n"                                                                                                \
  "------\n"                                                                                                \
  "juxta.errors.NotFinite\n"                                                                                \
  "    A coordinate is NaN or infinite. ``index`` says which point.\n"                                      \
  "ValueError\n"                                                                                            \
  "    r is not above 0, or more than half of a periodic axis; a wrong shape; a box that is empty.\n"

namespace juxta::python::docs {

inline constexpr const char* kPointTree =
    R"(Points that do not move, and who is near whom: within a radius, or the k nearest.

There is no radius and no cell size to choose. Clusters, equal points, and points on a line or plane are fine. A point's
number is its place in the input. Near means ``dx*dx + dy*dy + dz*dz <= r*r`` in the type of the points: of float64
points, answers are exact; of float32 points, they are what single precision says, so that pairs whose distance differs
from r by less than about 1e-7 of the largest coordinate may fall on either side.

Any number of threads may ask at once. ``len()`` is the number of points. ``juxta.KDTree`` has the names of SciPy.
)";

inline constexpr const char* kPointTreeInit =
    "Builds a tree. The points are copied.\n\nParameters\n----------\n" JUXTA_DOC_POINTS JUXTA_DOC_SPACE
        JUXTA_DOC_BULK
    R"(
Raises
------
juxta.errors.NotFinite
    A coordinate is NaN or infinite. ``index`` says which point.
juxta.errors.InvalidArgument
    A coordinate above 2**61 (float64: 2**500), or a box whose lower end is not below its upper end.

Notes
-----
O(n): about 30 ns a point of a million on one thread. In 3D 18 bytes a point of float32, 42 of float64.
)";

inline constexpr const char* kPointTreeDtype = "str: \"float32\" or \"float64\", in which all is computed.";
inline constexpr const char* kPointTreePeriodic = "(D,) array of bool: which axes are periodic.";
inline constexpr const char* kPointTreeBox =
    "(2, D) array of float64: lower and upper ends of periodic axes; others are infinite.";

inline constexpr const char* kPointTreeNeighbors =
    "All points within r of each point, as lists one behind the "
    "other.\n\nParameters\n----------\n" JUXTA_DOC_NEAR JUXTA_DOC_LISTS JUXTA_DOC_IMAGE JUXTA_DOC_DTYPE
        JUXTA_DOC_BULK "\n" JUXTA_DOC_NEIGHBORS_RETURNS;

inline constexpr const char* kNeighbors =
    "All points within r of each point, as lists one behind the other.\n\nBuilds a ``PointTree`` and asks "
    "it. "
    "Keep a tree to ask more than once.\n\nParameters\n----------\n" JUXTA_DOC_POINTS JUXTA_DOC_NEAR
        JUXTA_DOC_LISTS JUXTA_DOC_SPACE JUXTA_DOC_IMAGE JUXTA_DOC_DTYPE JUXTA_DOC_BULK
    "\n" JUXTA_DOC_NEIGHBORS_RETURNS;

#define JUXTA_DOC_COUNT                                    \
  "queries : (m, D) or (D,) array, optional\n"             \
  "    Look from these points, not from the tree's own.\n" \
  "half : bool\n"                                          \
  "    Only neighbours with a higher number, so that each pair is met once.\n"

#define JUXTA_DOC_COUNT_RETURNS                         \
  "\nReturns\n-------\n(n,) or (m,) array of indices\n" \
  "    A number for each point; an int for one query (D,).\n"

inline constexpr const char* kPointTreeCount =
    "How many points are within r of each point; the point itself is not counted. No lists are made.\n\n"
    "Parameters\n----------\n" JUXTA_DOC_NEAR JUXTA_DOC_COUNT JUXTA_DOC_IMAGE JUXTA_DOC_DTYPE JUXTA_DOC_BULK
        JUXTA_DOC_COUNT_RETURNS;

inline constexpr const char* kCountNeighbors =
    "How many points are within r of each point; the point itself is not counted. No lists are made.\n\n"
    "Parameters\n----------\n" JUXTA_DOC_POINTS JUXTA_DOC_NEAR JUXTA_DOC_COUNT JUXTA_DOC_SPACE JUXTA_DOC_IMAGE
        JUXTA_DOC_DTYPE JUXTA_DOC_BULK JUXTA_DOC_COUNT_RETURNS;

inline constexpr const char* kPointTreePairs =
    "All pairs of points within r of each other.\n\nParameters\n----------\n" JUXTA_DOC_NEAR
    R"(queries : (m, D) array, optional
    Pairs of a query and a point of the tree.
half : bool
    Each pair once, i < j. False: both ways. Not looked at with ``queries``.
sorted : bool
    By (i, j). False: in an order of the tree's, which never changes either. With ``half`` that is twice as quick.
)" JUXTA_DOC_IMAGE JUXTA_DOC_DTYPE JUXTA_DOC_BULK R"(
Returns
-------
(2, p) array
    A row of all i, a row of all j. In memory the two of a pair are side by side: ``.T`` is C-contiguous.
)";

inline constexpr const char* kPointTreeNearest =
    R"(The k nearest points of each point.

Parameters
----------
k : int
    From 1 to 2**20.
queries : (m, D) or (D,) array, optional
    Look from these points, not from the tree's own. A point of the tree in the same place is a neighbour then.
max_distance : float
    What is further away is left out.
)" JUXTA_DOC_DTYPE JUXTA_DOC_BULK R"(
Returns
-------
juxta._results.NearestPoints
    ``j`` and ``d``: (n, k), or (k,) for one query, by (distance, number). Where there are fewer than k, -1
    (``juxta.NO_BODY`` for "uint32") and infinity.

Notes
-----
About 0.3 us a point for k = 8 in 3D, 0.1 us for k = 1.
)";

}  // namespace juxta::python::docs
