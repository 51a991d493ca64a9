// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Docstrings of juxta.Flock and juxta.Population.
#pragma once

#include "common_docs.h"

namespace juxta::python::docs {

inline constexpr const char* kFlock = R"(Boids and nothing else, by the rules of a published program.

``len()`` is the number of boids. Every step moves boids to other rows, so arrays are copies; ``numbers`` says who is where.
For rules of your own take ``Simulation``.
)";
inline constexpr const char* kFlockInit = R"(An empty flock.

Parameters
----------
half_size : float
    The world is [-half_size, half_size] on every axis; above 0.02.
dimensions : 2 or 3
periodic : bool
    No walls: what leaves on one side comes back on the other.
time_step : float, optional
    Seconds, above 0. None, here and below: the published number.
see_radius2, avoid_radius2 : float, optional
    Squared: whom a boid follows, and whom it avoids.
min_speed, max_speed : float, optional
    In lengths of the world a second.
wall_distance : float, optional
    Where boids turn away from a wall.
wall, avoid, align, cohere : float, optional
    How strongly they turn from walls, keep apart, take over the velocity of others, and draw together.
)";
inline constexpr const char* kFlockScatter = R"(Replaces all boids by random ones.

Parameters
----------
count : int
seed : int
    The same boids for the same seed, on every machine.
)";
inline constexpr const char* kFlockRebuild = R"(Replaces all boids.

Parameters
----------
positions, velocities : (n, D) array of float32

Raises
------
juxta.errors.InvalidArgument, juxta.errors.NotFinite
    With the index of a boid outside the world, or that is NaN.
)";
inline constexpr const char* kFlockStep = R"(Some time steps.

Parameters
----------
steps : int
)" JUXTA_DOC_BULK;
inline constexpr const char* kFlockPositions = "(n, D) array of float32: where boids are. A copy.";
inline constexpr const char* kFlockVelocities = "(n, D) array of float32, in lengths a second. A copy.";
inline constexpr const char* kFlockNumbers =
    "(n,) array of uint32: the number that each boid had when it came. A copy.";
inline constexpr const char* kFlockSteps = "int: steps since the flock was made.";
inline constexpr const char* kFlockMemoryBytes = "int: bytes that it holds.";

inline constexpr const char* kPopulation =
    R"(Agents of one kind: a table with a row for each agent. Made by ``Simulation.add_population``.

``population["x"]`` is a copy of a column, and ``population["x"] = values`` writes it; ``population["x"] += 1`` works too.
The columns "x", "y" and, in 3D, "z" are always there. ``sort``, ``insert`` and ``Simulation.end_step`` move agents to other rows:
read again afterwards. An id names its agent for life.

Any number of threads may read at once; a change while another call runs raises RuntimeError.
)";
inline constexpr const char* kPopulationGet = R"(A copy of a column, row by row.

Parameters
----------
name : str

Returns
-------
(n,) array
    Of the column's dtype; references are ids, uint64.
)";
inline constexpr const char* kPopulationSet =
    R"(Writes a column. After positions were written, ``sort`` again before the next pass.

Parameters
----------
name : str
values : number, or (n,) array
)";
inline constexpr const char* kPopulationAddColumn = R"(A new column.

Parameters
----------
name : str
initial : number
    The value of every agent, and of those that come later.
dtype : "float32", "float64", "int32", "uint32" or "uint8"
    Passes read and write float32.

Raises
------
juxta.errors.InvalidArgument
    The name is empty or taken.
)";
inline constexpr const char* kPopulationAddResult =
    R"(A column of float32 that a pass fills anew each step: ``sort`` does not carry it, which saves time.

Parameters
----------
name : str
)";
inline constexpr const char* kPopulationAddReferences =
    R"(A column of ids of other agents, ``juxta.NO_ID`` at first and after that agent has died.

Parameters
----------
name : str
target : Population
    Of the same simulation.
)";
inline constexpr const char* kPopulationAddExtents =
    R"(Gives agents a size: the columns "ex", "ey" (and "ez"), half the edges of each agent's box. Passes go by the gaps.)";
inline constexpr const char* kPopulationColumns =
    "dict of str to numpy.dtype: all columns, the positions included; None: a type that only C++ knows.";
inline constexpr const char* kPopulationInsert =
    R"(Agents that live from now on, in the last rows: for filling a world.

Parameters
----------
count : int, optional
    None: as many as the arrays are long, or 1.
**columns : number, or (count,) array
    Values of columns by name. Others get their initial values.

Returns
-------
(count,) array of uint64
    Ids.
)";
inline constexpr const char* kPopulationSpawn = R"(Notes births for the end of the step, with initial values.

Parameters
----------
count : int
)";
inline constexpr const char* kPopulationSpawnLike =
    R"(Notes births for the end of the step, with the values that their parents have now.

Parameters
----------
rows : int, (m,) array of int, or (n,) array of bool
    The parents.
)";
inline constexpr const char* kPopulationKill = R"(Notes deaths for the end of the step. Twice is once.

Parameters
----------
rows : int, (m,) array of int, or (n,) array of bool
)";
inline constexpr const char* kPopulationRows = R"(Where agents stand now.

Parameters
----------
ids : int, or (m,) array of uint64

Returns
-------
int, or (m,) array of intp
    Rows; -1: dead.
)";
inline constexpr const char* kPopulationAlive = R"(Whether ids name living agents.

Parameters
----------
ids : int, or (m,) array of uint64

Returns
-------
bool, or (m,) array of bool
)";
inline constexpr const char* kPopulationIds = "(n,) array of uint64: who stands in each row. A copy.";
inline constexpr const char* kPopulationName = "str.";
inline constexpr const char* kPopulationMemoryBytes = "int: bytes that it holds.";
inline constexpr const char* kPopulationSort =
    R"(Puts all agents into the order of space and prepares the search for neighbours.

Positions in periodic worlds are brought back into [lo, hi).

Parameters
----------
radius : float
    That the coming passes ask for, above 0. Others are answered too, less quickly.
skin : float
    The order is kept until an agent has moved by more than half of it.
arrangement : "auto", "rows", "morton", "hilbert", "hashed" or "tree"
    How agents stand in memory. Never changes a set of neighbours.
)" JUXTA_DOC_BULK R"(
Returns
-------
SortReport

Raises
------
juxta.errors.InvalidArgument, juxta.errors.NotFinite
    With the row of an agent outside a wall, or that is NaN. Nothing was changed.
)";
inline constexpr const char* kPopulationSorted = "bool: nothing moved, came or went since ``sort``.";
inline constexpr const char* kPopulationReduce = R"(One number made of each agent's neighbours, into a column.

Parameters
----------
reduction : "count", "sum", "mean", "min" or "max"
    An agent without neighbours gets 0, 0, NaN, infinity or -infinity.
of : str or None
    The column of float32 to read; "count" does not look at it.
into : str
    The column of float32 to write; it may be the one that is read.
radius : float
    Who is near.
seen : Population, optional
    Whose agents are the neighbours. None: this one's, the agent itself left out.
metric : "ball" or "box"
    "box": within the radius on each axis.
radii : str, optional
    A column with each agent's own radius, none above ``radius``.
among : str, optional
    A column of uint8 of the seen: only agents whose value is not 0 are seen.
)" JUXTA_DOC_BULK R"(
Raises
------
juxta.errors.InvalidArgument
    ``seen`` was not sorted since it changed; a radius; a column of another type.
juxta.errors.NotFound
    There is no such column.
)";
inline constexpr const char* kPopulationSteerBoids =
    R"(One step of the rules of boids: new velocities, all from the old ones. You move the agents yourself.

Parameters
----------
see_radius, avoid_radius : float
    Whom a boid follows, and whom it avoids.
cohere, avoid, align : float
    To the middle of its neighbours; away from those that are too near; along with all.
velocity : sequence of str
    Columns of float32, one for each axis.
)" JUXTA_DOC_BULK;
inline constexpr const char* kPopulationNearest = R"(The k nearest agents of each agent.

Parameters
----------
k : int
radius : float
    Farther ones do not count.
seen : Population, optional
    None: this one, the agent itself left out.
)" JUXTA_DOC_DTYPE JUXTA_DOC_BULK R"(
Returns
-------
NearestAgents
)";
inline constexpr const char* kPopulationNeighbors =
    R"(The neighbours of all agents, as lists in compressed rows.

Parameters
----------
radius : float
    Who is near; above 0. Sort the population that is seen first.
quantities : str
    What to write: ``i`` rows of agents, ``j`` of their neighbours, ``d`` distances, ``D`` displacements.
seen : Population, optional
    Whose agents are the neighbours. None: this one's, the agent itself left out.
half : bool
    Each pair of this population once: only neighbours in a higher row.
metric : "ball" or "box"
    "box": within the radius on each axis.
radii : str, optional
    A column with each agent's own radius, none above ``radius``. Not with ``half``.
nearest_image : bool
    In a periodic world, allow a radius of half a period or more: each neighbour comes once.
)" JUXTA_DOC_DTYPE JUXTA_DOC_BULK R"(
Returns
-------
Neighbors
    Ascending. Rows hold until the next ``sort``, ``insert`` or ``end_step``.
)";
inline constexpr const char* kPopulationFindNear =
    R"(Who is near a point now, looked for among all agents; not sorted is fine.

Parameters
----------
point : (D,) array of float32
radius : float
)" JUXTA_DOC_DTYPE R"(
Returns
-------
(m,) array
    Rows, ascending.
)";

}  // namespace juxta::python::docs
