# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Answers with several parts, as named tuples.

For one question the parts are numbers (or arrays of D numbers), for many they are arrays with one entry a question.
"None" is -1 in indices, and infinity in distances.
"""

from typing import Any, NamedTuple


class RayHit(NamedTuple):
    """Where rays enter boxes first."""

    #: int, or (m,) array: the body; -1: none.
    body: Any
    #: float, or (m,) array of float32: in lengths of the ray's direction; 0 when it starts inside; infinity: none.
    t: Any


class RayHits(NamedTuple):
    """All hits of each ray, in compressed rows: those of ray i are ``[offsets[i]:offsets[i + 1]]``."""

    #: (m + 1,) array of intp.
    offsets: Any
    #: (n,) array: bodies, for each ray in order of (t, body).
    body: Any
    #: (n,) array of float32.
    t: Any


class NearestHit(NamedTuple):
    """The body nearest to each point."""

    #: int, or (m,) array: the body; -1: none.
    body: Any
    #: float, or (m,) array of float32: to its box; 0 inside; infinity: none.
    distance: Any


class Neighbors(NamedTuple):
    """Neighbours of points, in compressed rows: those of point p are ``[offsets[p]:offsets[p + 1]]``.

    What was not asked for is None.
    """

    #: (n + 1,) array of intp.
    offsets: Any
    #: (q,) array: the point whose neighbour it is, ascending.
    i: Any
    #: (q,) array: the neighbour.
    j: Any
    #: (q,) array: distances, of the type that the points have.
    d: Any
    #: (q, D) array: position of j less position of i, by the nearest image.
    D: Any


class NearestPoints(NamedTuple):
    """The k nearest points of each point."""

    #: (n, k), or (k,) array: the neighbours, nearest first; -1: none.
    j: Any
    #: (n, k), or (k,) array: distances, of the type that the points have (ranked points: float64); infinity: none.
    d: Any


class LayerStats(NamedTuple):
    """What a layer holds, and how good its order is."""

    #: int: alive.
    bodies: int
    #: int: of up to 16 bodies each.
    blocks: int
    #: int: of the tree.
    levels: int
    #: int: held, spare capacity included.
    memory_bytes: int
    #: int: how often this layer has sorted its bodies.
    sorts: int
    #: float: 1 after a sort; it sorts again above 1.15.
    looseness: float
    #: int: bodies that joined or moved far since the last sort.
    strays: int


class PairEvents(NamedTuple):
    """Which overlaps began and which ended between two frames."""

    #: (2, n) array: pairs of this frame that the last one had not, ascending.
    begun: Any
    #: (2, n) array: the other way round.
    ended: Any


class SurfaceHit(NamedTuple):
    """Where rays meet surfaces first."""

    #: int, or (m,) array: the body; -1: none. For one shape: 0 or -1.
    body: Any
    #: float, or (m,) array of float32: in lengths of the ray's direction; infinity: none.
    t: Any
    #: (3,) or (m, 3) array of float32.
    point: Any
    #: (3,) or (m, 3) array of float32: of length 1, against the ray; zero when the ray starts inside a solid.
    normal: Any
    #: int, or (m,) array: part of a compound; -1: it has none.
    part: Any
    #: int, or (m,) array: triangle of a mesh or height field; -1: it has none.
    triangle: Any


class SurfaceHits(NamedTuple):
    """All hits of each ray, in compressed rows: those of ray i are ``[offsets[i]:offsets[i + 1]]``.

    The other fields are those of SurfaceHit, the first hit of each body that a ray meets, in order of (t, body).
    """

    #: (m + 1,) array of intp.
    offsets: Any
    body: Any
    t: Any
    point: Any
    normal: Any
    part: Any
    triangle: Any


class ClosestPoints(NamedTuple):
    """The two nearest points of two shapes."""

    #: float: below 0: the least way out of each other; infinity: farther apart than was asked for.
    distance: float
    #: (3,) array of float32.
    on_a: Any
    #: (3,) array of float32.
    on_b: Any
    #: (3,) array of float32: of length 1, from a to b.
    normal: Any
    #: (2,) array: part of a compound and triangle, of a; -1: none.
    part_a: Any
    #: (2,) array: the same of b.
    part_b: Any


class BodyDistance(NamedTuple):
    """The body nearest to each shape."""

    #: int, or (m,) array: the body; -1: none within the distance.
    body: Any
    #: float, or (m,) array of float32: below 0: the least way out of each other; infinity: none.
    distance: Any
    #: (3,) or (m, 3) array of float32: the nearest point of the shape asked with.
    on_shape: Any
    #: (3,) or (m, 3) array of float32: the nearest point of the body.
    on_body: Any
    #: (3,) or (m, 3) array of float32: of length 1, from the shape to the body.
    normal: Any


class CastHit(NamedTuple):
    """Which body a moving shape meets first."""

    #: int, or (m,) array: the body; -1: none. For one shape: 0 or -1.
    body: Any
    #: float, or (m,) array of float32: part of the way, 0 to 1; 0: they overlap at the start; infinity: none.
    t: Any
    #: (3,) or (m, 3) array of float32: where they touch then.
    point: Any
    #: (3,) or (m, 3) array of float32: of length 1, from the still shape to the moving one.
    normal: Any
    #: float, or (m,) array of float32: below 0: how deep they overlap at the start, along the normal; otherwise 0.
    distance: Any


class CastHits(NamedTuple):
    """The bodies that a moving shape meets, in order of (t, body)."""

    body: Any
    t: Any
    point: Any
    normal: Any
    distance: Any


class Contacts(NamedTuple):
    """Where bodies touch: one entry or more for each pair of bodies within the margin."""

    #: (2, n) array: the pairs, ascending, a < b; meshes, height fields and compounds may repeat one.
    pairs: Any
    #: (n, 3) array of float32: from a to b.
    normal: Any
    #: (n,) array of intp: how many of the four points are there.
    count: Any
    #: (n, 4, 3) array of float32: half way between the two surfaces; NaN where there is none.
    points: Any
    #: (n, 4) array of float32: along the normal, below 0: inside each other; NaN where there is none.
    distances: Any
    #: (n, 4) array of uint32: what touches what; stays from frame to frame while the same features touch.
    features: Any
    #: (n, 2) array: part of a compound and triangle of a, of the deepest point; -1: none.
    part_a: Any
    #: (n, 2) array: the same of b.
    part_b: Any


class Manifolds(NamedTuple):
    """Where two shapes touch: one entry for each direction of contact."""

    #: (n, 3) array of float32: from a to b.
    normal: Any
    #: (n,) array of intp: how many of the four points are there.
    count: Any
    #: (n, 4, 3) array of float32: half way between the two surfaces; NaN where there is none.
    points: Any
    #: (n, 4) array of float32: along the normal, below 0: inside each other; NaN where there is none.
    distances: Any
    #: (n, 4) array of uint32: what touches what.
    features: Any
    #: (n, 2) array: part of a compound and triangle of a, of the deepest point; -1: none.
    part_a: Any
    #: (n, 2) array: the same of b.
    part_b: Any


class Manifold(NamedTuple):
    """Up to four points where two convex shapes touch."""

    #: (3,) array of float32: from a to b.
    normal: Any
    #: (n, 3) array of float32, n <= 4: half way between the two surfaces.
    points: Any
    #: (n,) array of float32: along the normal; below 0: inside each other.
    distances: Any
    #: (n,) array of uint32: what touches what; stays from frame to frame while the same features touch.
    features: Any


class MassProperties(NamedTuple):
    """What a solid of density 1 weighs, and how it turns."""

    #: float.
    volume: float
    #: (3,) array of float32: of mass, in the world.
    center: Any
    #: (3, 3) array of float64: about the centre, along the world's axes.
    inertia: Any


class Propagated(NamedTuple):
    """What a call of ``Hierarchy.propagate`` did."""

    #: int: ``Hierarchy.version`` after the call.
    version: int
    #: int: world transforms computed.
    computed: int
    #: int: tiles visited.
    tiles: int
    #: int: one, and one more for each link between a change and its last effect.
    rounds: int
    #: int: nodes that moved in memory since the last call.
    moved_nodes: int
    #: int: nodes whose position or scale left the range of float32.
    overflowed: int
    #: int: the id of the first of them; ``juxta.NO_ID``: none.
    first_overflowed: int


class HierarchyStats(NamedTuple):
    """What a hierarchy holds, and how good its order is."""

    #: int: alive.
    nodes: int
    #: int: of them.
    roots: int
    #: int: of 1024 rows each.
    tiles: int
    #: int: nodes whose parent does not stand in their tile's order.
    links: int
    #: int: held, spare rows included.
    memory_bytes: int


class Changed(NamedTuple):
    """Nodes whose world transform changed, in the order of memory."""

    #: (n,) array of uint64: ids.
    ids: Any
    #: (n,) array of ``juxta.WORLD``: where they are now.
    world: Any


class SortReport(NamedTuple):
    """What ``Population.sort`` did."""

    #: str: "rows", "morton", "hilbert", "hashed" or "tree".
    arrangement: str
    #: int: in its table; blocks of a tree.
    cells: int
    #: bool: False: within the skin, all stayed where they were.
    sorted: bool


class StepReport(NamedTuple):
    """What ``Simulation.end_step`` did in one population."""

    #: int.
    born: int
    #: int.
    died: int
    #: int: references to agents that died.
    nulled: int


class NearestAgents(NamedTuple):
    """The k nearest agents of each agent, nearest first; equal distances by id."""

    #: (n, k) array: rows of the population that is seen; -1: none.
    row: Any
    #: (n, k) array of float32; infinity: none.
    distance: Any
    #: (n,) array: how many are there.
    count: Any
