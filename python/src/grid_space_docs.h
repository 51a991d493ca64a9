// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Docstrings of juxta.GridSpace.
#pragma once

#define JUXTA_DOC_KEY(name)                                                                                \
  name " : int, or (seed, step, purpose)\n"                                                                \
       "    What random numbers of one pass have in common: the seed of the run, the step, and what they " \
       "are "                                                                                              \
       "for. An\n"                                                                                         \
       "    int is a seed; step and purpose are 0 then. The same key gives the same numbers.\n"

#define JUXTA_DOC_CHANGE_ERRORS                                                                            \
  "\nRaises\n------\njuxta.errors.InvalidArgument\n"                                                       \
  "    With the row as index: it is in a cell already, or in none; a cell or a kind is not there; a cell " \
  "is "                                                                                                    \
  "taken. What\n"                                                                                          \
  "    came before that row is done, and nothing else.\n"

namespace juxta::python::docs {

inline constexpr const char* kGridSpace =
    R"(Agents in the cells of a grid: where each one is, which ones are near, which cells are free.

An agent is a row of yours, such as a row of a population or of your arrays. Cell (x, y, z) is number
x + nx * (y + ny * z) and covers [x, x + 1) along x, and so on. With kinds, the space keeps the number of agents of each
kind near each cell, so a question about them reads one number.

Rows and cells that are not there have no agents, no cell and counts of 0; -1 stands for "none".

Any number of threads may read at once; a change while another call runs raises RuntimeError.
)";
inline constexpr const char* kGridSpaceInit = R"(A space without agents.

Parameters
----------
cells : sequence of int
    How many there are along x, y and, in 3D, z.
edges : str, or sequence of str
    "periodic": next to the last cell is the first. "wall", "open": nothing is beyond. One word for all axes, or one for
    each.
holds : "one" or "many"
    How many agents a cell holds.
kinds : int
    Agents are of kinds 0, 1, ...: up to 64. 0: there are none, and nothing is counted.
radius : int
    What is near, for the counts: this many cells away.
near : "moore" or "von_neumann"
    "moore": so far along each axis, a square. "von_neumann": so many steps along the axes, a diamond.

Raises
------
juxta.errors.InvalidArgument, juxta.errors.TooLarge
    No cells along an axis, with the axis as index; too many kinds; more than 2**31 - 1 cells, or counts of all kinds that
    are too many.
)";
inline constexpr const char* kGridSpaceRebuild =
    R"(Row i is in the cell that holds point i; no other agent is in a cell.

Parameters
----------
x, y, z : (n,) arrays
    Positions, cells being 1 wide. z in 3D only.
kinds : (n,) array of int, optional
    For a space with kinds, and only there.

Raises
------
juxta.errors.InvalidArgument
    With the row as index, the lowest one: outside of the grid or not a number, of a kind that is not there, or in a cell
    that is taken. The space is empty then. A kind above 255, or a wrong shape, leaves it as it was.
)";
inline constexpr const char* kGridSpaceInsert = R"(Puts rows that are nowhere into cells, one after the other.

A row beyond all others takes memory for all rows up to it. In a cell for many, the last that came is the first.

Parameters
----------
rows : int, or (n,) array
cells : int, or (n,) array
    One for all rows, or one for each.
kinds : int, or (n,) array
    The same.
)" JUXTA_DOC_CHANGE_ERRORS;
inline constexpr const char* kGridSpaceRemove = R"(Takes rows out of their cells, one after the other.

Parameters
----------
rows : int, or (n,) array
)" JUXTA_DOC_CHANGE_ERRORS;
inline constexpr const char* kGridSpaceMove = R"(Moves rows to other cells, one after the other.

Parameters
----------
rows : int, or (n,) array
cells : int, or (n,) array
    One for all rows, or one for each.
)" JUXTA_DOC_CHANGE_ERRORS;
inline constexpr const char* kGridSpaceMoveToFree =
    R"(Moves rows to free cells, one after the other: each to ``free_cell(key, row)`` as it is then.

Parameters
----------
rows : int, or (n,) array
)" JUXTA_DOC_KEY("key") R"(
Returns
-------
int, or (n,) array of intp: the cells

Raises
------
juxta.errors.InvalidArgument, juxta.errors.NotFound
    A row that is in no cell, as index; or no cell is free. What came before that row is done, and nothing else.
)";
inline constexpr const char* kGridSpaceMoveBelow =
    R"(Moves agents that have too few of their own kind near them to free cells.

Each agent has one turn, in a random order. One with ``alike(row) < enough`` when its turn comes moves to
``free_cell(draw_key, row)``. Faster than a loop: those that have enough are not looked at one by one.

Parameters
----------
enough : int
)" JUXTA_DOC_KEY("order_key, draw_key") R"(
Returns
-------
(n,) array of intp: the rows that moved, in the order of their turns

Raises
------
juxta.errors.InvalidArgument, juxta.errors.NotFound
    There are no kinds; or one would move and no cell is free: those before it have moved.
)";
inline constexpr const char* kGridSpaceCellOf = R"(Where agents are.

Parameters
----------
rows : int, or (n,) array

Returns
-------
int, or (n,) array of intp: -1 for a row that is in no cell
)";
inline constexpr const char* kGridSpaceKindOf = R"(Of which kind agents are.

Parameters
----------
rows : int, or (n,) array

Returns
-------
int, or (n,) array of intp: 0 for a row that is in no cell
)";
inline constexpr const char* kGridSpaceAlike =
    R"(How many of its own kind are near an agent, in its cell too, but not itself.

Parameters
----------
rows : int, or (n,) array

Returns
-------
int, or (n,) array of intp
)";
inline constexpr const char* kGridSpaceUnlike =
    R"(How many of all other kinds are near an agent, in its cell too.

Parameters
----------
rows : int, or (n,) array

Returns
-------
int, or (n,) array of intp
)";
inline constexpr const char* kGridSpaceCountNear = R"(How many agents of a kind are in a cell and near it.

Parameters
----------
cells : int, or (n,) array
kind : int

Returns
-------
int, or (n,) array of intp
)";
inline constexpr const char* kGridSpaceCountIn = R"(How many agents are in a cell.

Parameters
----------
cells : int, or (n,) array

Returns
-------
int, or (n,) array of intp
)";
inline constexpr const char* kGridSpaceAgentsIn = R"(The agents in a cell.

Parameters
----------
cell : int

Returns
-------
(n,) array of intp: the last that came first; after ``rebuild`` in the order of rows
)";
inline constexpr const char* kGridSpaceAgentsNear = R"(The agents near a cell, but not those in it.

Parameters
----------
cell : int
radius : int, optional
near : "moore" or "von_neumann", optional
    None: those of the space.

Returns
-------
(n,) array of intp: cell by cell, in the order of z, then y, then x, from the lowest offset to the highest
)";
inline constexpr const char* kGridSpaceFreeCell = R"(A free cell, any as likely as any other.

Parameters
----------
)" JUXTA_DOC_KEY("key") R"(ids : int, or (n,) array
    Several draws with one key: each is as if made alone, so two may draw one cell.

Returns
-------
int, or (n,) array of intp

Raises
------
juxta.errors.NotFound
    No cell is free.
)";
inline constexpr const char* kGridSpaceNearestFree =
    R"(The free cell that is the fewest cells away from a cell.

A square around the cell grows ring by ring. The cell itself, if it is free; of several, the first in the order of
``agents_near``.

Parameters
----------
cells : int, or (n,) array
    Each as if asked alone.

Returns
-------
int, or (n,) array of intp

Raises
------
juxta.errors.NotFound, juxta.errors.InvalidArgument
    No cell is free; no such cell, with its number as index.
)";
inline constexpr const char* kGridSpaceCells = "tuple of int: along x, y and, in 3D, z.";
inline constexpr const char* kGridSpaceDimensions = "int: 2, or 3 if there is more than one cell along z.";
inline constexpr const char* kGridSpaceEdges =
    R"(tuple of str: "wall", "open" or "periodic", for each axis.)";
inline constexpr const char* kGridSpaceHolds = R"(str: "one" or "many".)";
inline constexpr const char* kGridSpaceKinds = "int: how many kinds of agents there are.";
inline constexpr const char* kGridSpaceRadius = "int: of what is near, in cells.";
inline constexpr const char* kGridSpaceNear = R"(str: "moore" or "von_neumann".)";
inline constexpr const char* kGridSpaceFreeCount = "int: cells without agents.";
inline constexpr const char* kGridSpaceMemoryBytes = "int: bytes that it holds.";

}  // namespace juxta::python::docs
