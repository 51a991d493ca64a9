// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What help(juxta.Bodies) says.
#pragma once

#include "common_docs.h"

namespace juxta::python::docs {

inline constexpr const char* kBodies =
    R"(Shapes in a world of three dimensions that answer exactly what rays hit, what moving shapes meet and what is near.

Of answers at one t or distance the lowest body comes first. Any number of threads may ask at once; a change while
another call runs raises RuntimeError. ``len()`` is the number of bodies.
)";

#define JUXTA_DOC_BODIES                                                                         \
  "shapes : Shape or sequence of Shape\n"                                                        \
  "    One for each body, or one for all. The bodies keep them.\n"                               \
  "at : transform, or (n,) of them; (n, 3) or (n, 7) array\n"                                    \
  "    Where each body stands: transforms (``juxta.transforms``), positions, or positions and\n" \
  "    rotations (x, y, z, w).\n"                                                                \
  "category, mask : int or (n,) array of uint32, optional\n"                                     \
  "    What each body is, and what it meets, in bits. None: all.\n"

inline constexpr const char* kBodiesInit = R"(Builds from shapes and places.

Parameters
----------
)" JUXTA_DOC_BODIES JUXTA_DOC_BULK R"(
Raises
------
juxta.errors.NotFinite, juxta.errors.InvalidArgument
    A place that is not finite, a scale or stretch that is not above 0, a stretch that shears; with the index.
)";
inline constexpr const char* kBodiesRebuild = R"(Builds again in place, and forgets all bodies.

Parameters
----------
)" JUXTA_DOC_BODIES JUXTA_DOC_BULK;
inline constexpr const char* kBodiesRefit = R"(All bodies move.

Parameters
----------
at : (n,) array of juxta.WORLD; (n, 3) or (n, 7) array
    The new place of each body.
)" JUXTA_DOC_BULK;
inline constexpr const char* kBodiesPlaces = R"(Where all bodies stand.

Returns
-------
(n,) array of juxta.WORLD
)";
inline constexpr const char* kBodiesBoxes = R"(The boxes of all bodies, rounded outwards.

Returns
-------
(n, 2, 3) array of float32
)";
inline constexpr const char* kBodiesFindContacts = R"(Pairs of bodies that touch, and where.

Parameters
----------
margin : float
    Pairs whose shapes come within this distance. Below 0 or NaN: none.
only : (n,) array of bool, optional
    Bodies that take part.
)" JUXTA_DOC_DTYPE JUXTA_DOC_BULK R"(
Returns
-------
Contacts
    Ascending by (a, b). Two convex shapes have one entry, others one for each group of normals.
)";

inline constexpr const char* kMatchContacts = R"(Which points of contact continue those of the frame before.

A point continues the one with the same feature of the same pair of bodies; a point without one, the nearest of the
pair within ``slack`` that no other continues. No two continue the same.

Parameters
----------
previous, current : Contacts
    As ``Bodies.find_contacts`` gives them, with bodies numbered alike. Rows may be left out of both.
slack : float
    How far a point may have slid. 0: by feature only.
)" JUXTA_DOC_DTYPE R"(
Returns
-------
(n, 4) array
    For each point of `current`, the place of the one that it continues in ``previous.features.ravel()``; -1: none.

Notes
-----
What a solver knows of each point is carried like this::

    old = juxta.match_contacts(before, now, 0.02)
    impulse = np.where(old >= 0, impulse.ravel()[old], 0) if len(impulse) else np.zeros(old.shape)
)";

inline constexpr const char* kBodiesRaycast = R"(The body that each ray hits first.

Parameters
----------
)" JUXTA_DOC_RAY JUXTA_DOC_NARROW JUXTA_DOC_DTYPE JUXTA_DOC_BULK R"(
Returns
-------
SurfaceHit
    Of numbers for one ray, of arrays for many. Rays that hit nothing have body -1 and t infinity.
)";
inline constexpr const char* kBodiesRaycastAny = R"(Any body that each ray hits: for lines of sight.

Parameters
----------
)" JUXTA_DOC_RAY JUXTA_DOC_NARROW JUXTA_DOC_DTYPE JUXTA_DOC_BULK R"(
Returns
-------
SurfaceHit
)";
inline constexpr const char* kBodiesRaycastAll =
    R"(The first hit of each body that a ray meets, in order of (t, body).

Parameters
----------
)" JUXTA_DOC_RAY JUXTA_DOC_NARROW JUXTA_DOC_DTYPE JUXTA_DOC_BULK R"(
Returns
-------
SurfaceHit
    For one ray: of arrays.
SurfaceHits
    For many: ``offsets`` (m + 1,) and arrays. Those of ray i are ``[offsets[i]:offsets[i + 1]]``.
)";
inline constexpr const char* kBodiesRaycastEvery =
    R"(All surfaces that a ray meets, in order of (t, body, part, triangle): each triangle of meshes and height fields, and each convex part once, where the ray enters it.

Parameters
----------
)" JUXTA_DOC_RAY JUXTA_DOC_NARROW JUXTA_DOC_DTYPE JUXTA_DOC_BULK R"(
Returns
-------
SurfaceHit
    For one ray: of arrays.
SurfaceHits
    For many: ``offsets`` (m + 1,) and arrays. Those of ray i are ``[offsets[i]:offsets[i + 1]]``.
)";

#define JUXTA_DOC_ASKED                                            \
  "shape : Shape or sequence of Shape\n"                           \
  "    What to ask with: one for all, or one for each question.\n" \
  "at : transform, or (m,) of them; (m, 3) or (m, 7) array\n"      \
  "    Where it stands. An array asks many questions.\n"

inline constexpr const char* kBodiesCast =
    R"(The body that a convex shape meets first when it moves, and turns if ``turn`` is given.

Parameters
----------
shape : Shape or sequence of Shape
    Spheres, capsules, boxes, triangles or hulls: one for all, or one for each question.
way : (3,) or (m, 3) array of float32
    Where to, from where it stands.
at : transform, or (m,) of them; (m, 3) or (m, 7) array
    Where it starts.
turn : (3,) or (m, 3) array of float32, optional
    Axis times angle in radians, of length 1000 at most: how far it turns on the way.
pivot : (3,) or (m, 3) array of float32, optional
    What it turns about, in the shape's own coordinates; the default is its origin.
)" JUXTA_DOC_NARROW JUXTA_DOC_DTYPE JUXTA_DOC_BULK R"(
Returns
-------
CastHit
    Of numbers for one question, of arrays for many. ``t`` is a part of the way, 0 to 1; infinity: it meets nothing.
)";
inline constexpr const char* kBodiesCastAll =
    R"(All bodies that a convex shape meets when it moves, and turns if ``turn`` is given, in order of (t, body).

Parameters
----------
shape : Shape
way : (3,) array of float32
at : transform
turn, pivot : (3,) array of float32, optional
    As for cast().
)" JUXTA_DOC_NARROW JUXTA_DOC_DTYPE R"(
Returns
-------
CastHits
)";
inline constexpr const char* kBodiesNearest = R"(The body nearest to a shape.

Parameters
----------
)" JUXTA_DOC_ASKED R"(max_distance : float, or (m,) array
    Bodies farther away do not count.
)" JUXTA_DOC_NARROW JUXTA_DOC_DTYPE JUXTA_DOC_BULK R"(
Returns
-------
BodyDistance
    Of numbers for one question, of arrays for many. A distance below 0 is the least way out of each other.
)";
inline constexpr const char* kBodiesQuery = R"(The bodies that a shape overlaps, ascending.

Parameters
----------
)" JUXTA_DOC_ASKED JUXTA_DOC_NARROW JUXTA_DOC_DTYPE JUXTA_DOC_BULK R"(
Returns
-------
(n,) array
    For one question: numbers of bodies.
(2, n) array
    For many: a row of questions and a row of bodies.
)";

}  // namespace juxta::python::docs
