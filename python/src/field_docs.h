// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Docstrings of juxta.Field.
#pragma once

#include "common_docs.h"

#define JUXTA_DOC_POINTS                                                                                  \
  "points : (n, D) array, (D,) array, or tuple of D arrays (n,)\n"                                        \
  "    Places, or one place. A tuple has the coordinates along each axis: columns of a population, say; " \
  "packed\n"                                                                                              \
  "    float32 is not copied.\n"

#define JUXTA_DOC_ACCESS                                                                                  \
  "component : int\n"                                                                                     \
  "method : \"linear\" or \"nearest\"\n"                                                                  \
  "    \"linear\": the 4 (in 3D 8) cells whose centres are around the point; \"nearest\": the cell that " \
  "holds it.\n"

#define JUXTA_DOC_THREADS     \
  "threads : int, optional\n" \
  "    Threads to use. None: ``juxta.default_threads()``; 0: as many as this process may use.\n"

namespace juxta::python::docs {

inline constexpr const char* kField =
    R"(Values on a regular grid of cells over a world: pheromone, oxygen, plankton.

They diffuse and decay; points leave amounts in the cells around them, and read values and slopes. ``field.values`` is the
grid as an array, x last: without a copy, for reading and writing. ``field[c]`` is that of component c.

Such arrays stay valid, and always show the field as it is, for as long as you keep them. While there is one, ``diffuse`` may take
a step more. Do not use them on one thread while another thread calls the field.

Any number of threads may read at once; a change while another call runs raises RuntimeError.
)";
inline constexpr const char* kFieldInit = R"(A field of zeros.

Parameters
----------
lo, hi : float, or (D,) array
    The corners of the world, for all axes or for each. Finite, lo < hi.
cells : sequence of int
    How many there are along x, y and, in 3D, z; this says how many dimensions the world has.
components : int
    Values of each cell, 1 to 64.
edges : str, or sequence of str
    "wall": nothing flows through, and points outside are refused. "periodic": the other end is the neighbour. "open":
    what flows out is lost. One word for all axes, or one for each.

Raises
------
juxta.errors.InvalidArgument, juxta.errors.NotFinite, juxta.errors.TooLarge
    With the axis as index.
)";
inline constexpr const char* kFieldValues =
    "(ny, nx) or (nz, ny, nx) array of float32: component 0, without a copy. Assign to it to set all values.";
inline constexpr const char* kFieldGet = R"(The values of a component, without a copy.

Parameters
----------
component : int

Returns
-------
(ny, nx) or (nz, ny, nx) array of float32
)";
inline constexpr const char* kFieldSet = R"(Sets the values of a component.

Parameters
----------
component : int
values : number, or (ny, nx) or (nz, ny, nx) array
    Or what NumPy broadcasts to that.
)";
inline constexpr const char* kFieldFill = R"(Every value of a component becomes one number.

Parameters
----------
value : float
component : int

Raises
------
juxta.errors.NotFinite, juxta.errors.InvalidArgument
)";
inline constexpr const char* kFieldTotal = R"(The sum of a component, in double precision.

Parameters
----------
component : int
)" JUXTA_DOC_THREADS R"(
Returns
-------
float
)";
inline constexpr const char* kFieldDiffuse = R"(Steps of diffusion and decay.

Without open edges and decay, the total stays. Many steps at once are faster than one by one, with the same result.

Parameters
----------
amount : float
    The part of the difference to each neighbour that flows in a step: 0 to 1/4, in 3D 0 to 1/6. For a diffusion
    coefficient d, a time step t and cells of size h it is d * t / h**2.
decay : float
    The part that is lost in a step: 0 to 1.
steps : int
component : int, optional
    None: all of them.
)" JUXTA_DOC_BULK R"(
Raises
------
juxta.errors.InvalidArgument, juxta.errors.NotFinite
    Nothing was changed. A value that is not finite has its cell as index, in the order of memory.
juxta.errors.Cancelled
    Some of the steps are done.
)";
inline constexpr const char* kFieldDeposit =
    R"(Adds amounts to the cells of points, or shares them among the cells around them.

Sums are taken in the order of the points, on one thread.

Parameters
----------
)" JUXTA_DOC_POINTS R"(amounts : float, or (n,) array
    One for all points, or one for each.
)" JUXTA_DOC_ACCESS R"(
Raises
------
juxta.errors.InvalidArgument, juxta.errors.NotFinite
    With the point as index, outside of walls or not finite: nothing was changed. NotFinite for a cell that would not be
    finite: earlier points have been added.
)";
inline constexpr const char* kFieldSample = R"(The values at points.

Parameters
----------
)" JUXTA_DOC_POINTS JUXTA_DOC_ACCESS JUXTA_DOC_THREADS R"(
Returns
-------
float, or (n,) array of float32

Raises
------
juxta.errors.InvalidArgument, juxta.errors.NotFinite
    With the first point outside of walls, or that is not finite.
)";
inline constexpr const char* kFieldGradient = R"(The slopes at points, per unit of length.

Central differences of the cells, read as ``sample`` reads values.

Parameters
----------
)" JUXTA_DOC_POINTS JUXTA_DOC_ACCESS JUXTA_DOC_THREADS R"(
Returns
-------
(n, D) or (D,) array of float32

Raises
------
juxta.errors.InvalidArgument, juxta.errors.NotFinite
    With the first point outside of walls, or that is not finite.
)";
inline constexpr const char* kFieldSave = R"(Writes one file, whole or not at all.

Parameters
----------
path : str, bytes or os.PathLike

Raises
------
juxta.errors.IoError, juxta.errors.NotFinite
)";
inline constexpr const char* kFieldLoad = R"(Reads what ``save`` wrote.

Parameters
----------
path : str, bytes or os.PathLike

Returns
-------
Field

Raises
------
juxta.errors.IoError, juxta.errors.CorruptFile
)";
inline constexpr const char* kFieldCells = "tuple of int: how many there are along x, y and, in 3D, z.";
inline constexpr const char* kFieldCellSize =
    "(D,) array of float32: of a cell, in the world's units of length.";
inline constexpr const char* kFieldDimensions = "int: 2 or 3.";
inline constexpr const char* kFieldEdges = R"(tuple of str: "open", "wall" or "periodic" for each axis.)";
inline constexpr const char* kFieldLo = "(D,) array of float32: the low corner of the world.";
inline constexpr const char* kFieldHi = "(D,) array of float32: the high corner of the world.";
inline constexpr const char* kFieldStateHash = "int: equal fields have equal ones.";
inline constexpr const char* kFieldMemoryBytes =
    "int: bytes that it holds. The first ``diffuse`` doubles them.";

}  // namespace juxta::python::docs
