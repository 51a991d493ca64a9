// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What help(juxta.Shape) says.
#pragma once

#include "common_docs.h"

namespace juxta::python::docs {

inline constexpr const char* kShape =
    R"(What a body is, in its own coordinates: one of eight kinds. Never changed once it is made.

Make one with ``Shape.sphere``, ``capsule``, ``box``, ``triangle``, ``hull``, ``mesh``, ``compound`` or
``height_field``. Lengths are in units of the world; points on the surface belong to a shape. Spheres, capsules, boxes
and hulls are solid; triangles, meshes and height fields are surfaces with two sides; closed meshes are solid for
``contains``.

``at=`` says where a shape stands: a transform (``juxta.transforms``), a position (3,), or a position and a rotation
(7,), quaternions as (x, y, z, w). None: in the middle, as it is.
)";

inline constexpr const char* kShapeSphere = R"(All points within a radius.

Parameters
----------
radius : float
    0 or more. 0: a point.
center : (3,) array_like

Returns
-------
Shape
)";
inline constexpr const char* kShapeCapsule = R"(All points within a radius of a segment.

Parameters
----------
a, b : (3,) array_like
    Its ends; may be equal.
radius : float
    0 or more.

Returns
-------
Shape
)";
inline constexpr const char* kShapeBox = R"(A box, which may be turned.

Parameters
----------
half : (3,) array_like
    Half its edges, 0 or more.
center : (3,) array_like
rotation : (4,) array_like
    A quaternion (x, y, z, w) of length 1.

Returns
-------
Shape
)";
inline constexpr const char* kShapeTriangle = R"(A triangle, a surface.

Parameters
----------
a, b, c : (3,) array_like

Returns
-------
Shape
)";
inline constexpr const char* kShapeHull = R"(The smallest convex set that holds some points.

Parameters
----------
points : (n, 3) array of float32
    One or more; all in a plane, on a line or in one place is allowed.

Returns
-------
Shape

Raises
------
juxta.errors.InvalidArgument, juxta.errors.NotFinite, juxta.errors.TooLarge
    No point; a NaN or infinity, with the index; more than 65,535 corners.
)";
inline constexpr const char* kShapeMesh = R"(A surface of triangles. About 1 us a triangle on one thread.

Parameters
----------
vertices : (n, 3) array of float32
    Of any stride: a field of a structured array is fine. What is not packed float32 is copied first.
triangles : (m, 3) array of int
    Indices of vertices, of any integer type.
quality : {"default", "fast", "best"}
    "fast" builds in a tenth of the time, for meshes that are made anew all the time; rays then take about
    half as long again. "best" takes two to six times as long, for meshes that are built once; rays then take
    about a tenth less time where large and small triangles are mixed. No answer depends on it.
)" JUXTA_DOC_BULK R"(
Returns
-------
Shape

Raises
------
juxta.errors.InvalidArgument, juxta.errors.NotFinite
    A vertex that is not there, with the triangle's index; a vertex that is not finite, with its index.
)";
inline constexpr const char* kShapeOpenMesh = R"(The mesh that `save` wrote, mapped: nothing is copied.

The file is checked first. It may be replaced by `save`, but not be written to, while the mesh is in use.

Parameters
----------
path : str or path-like

Returns
-------
Shape

Raises
------
juxta.errors.IoError, juxta.errors.CorruptFile
    No such file, or no right to read it; damage, another version, or another kind of file.
)";
inline constexpr const char* kShapeRefit = R"(Gives all vertices of a mesh new places; the triangles stay.

Answers are those of a new mesh. Rays take longer where neighbours have moved apart: then build anew. No
other thread may ask the mesh, or bodies that hold it, meanwhile. Bodies keep the box that the mesh had until
`Bodies.refit`; compounds keep it, so make them anew.

Parameters
----------
vertices : (n, 3) array of float32
    As many as the mesh was built from.
)" JUXTA_DOC_BULK R"(
Raises
------
juxta.errors.InvalidArgument, juxta.errors.NotFinite
    Another number of vertices; a vertex that is not finite, with its index. The mesh is as it was.
)";
inline constexpr const char* kShapeSave = R"(Writes a mesh and its tree to a file, for `open_mesh`.

The file is replaced as a whole or not at all.

Parameters
----------
path : str or path-like

Raises
------
juxta.errors.IoError
    A missing directory, no right, a full disk.
)";
inline constexpr const char* kShapeCompound = R"(Shapes that move together.

Parameters
----------
shapes : Shape or sequence of Shape
    Not compounds.
at : transform, or (n,) of them; (n, 3) or (n, 7) array
    Where each part stands.

Returns
-------
Shape
)";
inline constexpr const char* kShapeHeightField =
    R"(Heights over a grid, y upwards: vertex (i, j) is at ``(i * cell, heights[j, i], j * cell)``.

Parameters
----------
heights : (rows, columns) array of float32
    2 or more of each. A NaN makes a hole.
cell : float
    Edge of a square, above 0.

Returns
-------
Shape
)";

inline constexpr const char* kShapeKind =
    "str: \"sphere\", \"capsule\", \"box\", \"triangle\", \"hull\", \"mesh\", \"compound\" or "
    "\"height_field\".";
inline constexpr const char* kShapeAdjoin =
    R"(Joins the border of a mesh or height field to that of another one, which stands beside it.

`Shape.contacts` and `Bodies.find_contacts` then have no ghost edges along the seam: what slides from one tile
of a terrain to the next does not catch. Call it for both. It holds while the two stand like that: when the
other goes, call `forget_adjoined`. `refit` forgets it, and `save` does not keep it. No other thread may ask for contacts meanwhile.

Parameters
----------
other : Shape
    A mesh or height field. Only read.
at, other_at : transform, optional
    Where the two stand.
within : float
    How far apart edges of the two borders may be, up to half of an edge's length. 0: a ten-thousandth of it.

Returns
-------
int
    How many edges of the border have got a neighbour.
)";
inline constexpr const char* kShapeForgetAdjoined = "All borders are free again: undoes `adjoin`.";
inline constexpr const char* kShapeConvex = "bool: a sphere, capsule, box, triangle or hull.";
inline constexpr const char* kShapeClosed =
    "bool: of a mesh: every edge belongs to two triangles, which run along it in opposite directions.";
inline constexpr const char* kShapeVertices =
    "(n, 3) array of float32: the corners of a hull. A read-only view, which keeps the shape alive.";
inline constexpr const char* kShapeFaces =
    "(n, 4) array of float32: the planes of a hull, normals outwards. A read-only view, which keeps the "
    "shape alive.";
inline constexpr const char* kShapeHeights =
    "(rows, columns) array of float32: of a height field. A read-only view, which keeps the shape alive.";
inline constexpr const char* kShapeTriangles = R"(The triangles of a mesh.

Returns
-------
(m, 3, 3) array of float32
    Three corners each.
)";

inline constexpr const char* kShapeRaycast =
    R"(Where rays meet this shape first.

Parameters
----------
)" JUXTA_DOC_RAY R"(at : transform, optional
    Where the shape stands.
)" JUXTA_DOC_DTYPE JUXTA_DOC_BULK R"(
Returns
-------
SurfaceHit
    Of numbers for one ray, of arrays for many. ``body`` is 0 where a ray hits, and -1 where it misses.

Notes
-----
30 to 160 ns a ray against a mesh of 70,000 triangles where neighbours in the array run side by side (give those of
a picture in squares of 4 x 4); 280 to 600 ns otherwise.
)";

inline constexpr const char* kShapeRaycastAny =
    R"(Whether rays meet this shape: a line of sight.

Parameters
----------
)" JUXTA_DOC_RAY R"(at : transform, optional
    Where the shape stands.
threads : int, optional

Returns
-------
bool, or (n,) array of bool
    Whether `raycast` hits. It costs less, for meshes and height fields.
)";

inline constexpr const char* kShapeRaycastEvery =
    R"(All surfaces of this shape that rays meet, in order of (t, part, triangle).

Each triangle of meshes and height fields, and each convex part once, where the ray enters it.

Parameters
----------
)" JUXTA_DOC_RAY R"(at : transform, optional
    Where the shape stands.
)" JUXTA_DOC_DTYPE JUXTA_DOC_BULK R"(
Returns
-------
SurfaceHit
    For one ray: of arrays. ``body`` is 0.
SurfaceHits
    For many: ``offsets`` (m + 1,) and arrays. Those of ray i are ``[offsets[i]:offsets[i + 1]]``.
)";

inline constexpr const char* kShapeClosest = R"(The two nearest points of two shapes.

Parameters
----------
other : Shape
at, other_at : transform, optional
    Where the two stand.
max_distance : float
    Shapes farther apart have distance infinity.

Returns
-------
ClosestPoints
    A distance below 0 is the least way out of each other.
)";
inline constexpr const char* kShapeOverlaps = R"(Whether two shapes have a point in common, touching included.

Parameters
----------
other : Shape
at, other_at : transform, optional

Returns
-------
bool
)";
inline constexpr const char* kShapeContains = R"(Whether points are in a solid, or on the surface.

Parameters
----------
points : (3,) or (n, 3) array of float32
at : transform, optional
threads : int, optional

Returns
-------
bool, or (n,) array of bool
)";
inline constexpr const char* kShapeCast =
    R"(When this convex shape first meets another, if it moves, and turns if ``turn`` is given.

Parameters
----------
way : (3,) array_like
    Where to, from where it stands.
still : Shape
    Of any kind.
at, still_at : transform, optional
turn : (3,) array_like, optional
    Axis times angle in radians, of length 1000 at most: how far it turns on the way.
pivot : (3,) array_like, optional
    What it turns about, in its own coordinates; the default is the origin.

Returns
-------
CastHit
    ``body`` is 0 if they meet, else -1. ``t`` is a part of the way, 0 to 1.
)";
inline constexpr const char* kShapeContact = R"(Up to four points where two convex shapes touch.

Parameters
----------
other : Shape
at, other_at : transform, optional
margin : float
    Points within this distance count. Below 0 or NaN: none.

Returns
-------
Manifold
    The deepest point first.
)";
inline constexpr const char* kShapeContacts = R"(Where two shapes of any kind touch.

Two convex shapes have one entry, or none. Others have up to 16: one for each pair of parts and each direction, the
normals of which differ by 5 degrees or more.

Parameters
----------
other : Shape
at, other_at : transform, optional
margin : float
    Points within this distance count. Below 0 or NaN: none.
)" JUXTA_DOC_DTYPE R"(
Returns
-------
Manifolds
    Ascending by (part_a, part_b).
)";
inline constexpr const char* kShapeBounds = R"(The box around this shape where it stands, rounded outwards.

Parameters
----------
at : transform, or (n,) of them, optional

Returns
-------
(2, 3) or (n, 2, 3) array of float32
)";
inline constexpr const char* kShapeMass = R"(What a solid of density 1 weighs, and how it turns.

Parameters
----------
at : transform, optional

Returns
-------
MassProperties
    All 0 for shapes without a volume.
)";

}  // namespace juxta::python::docs
