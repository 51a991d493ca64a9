// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Docstrings of juxta.Simulation.
#pragma once

#include "common_docs.h"

namespace juxta::python::docs {

inline constexpr const char* kSimulation = R"(One world, and populations of agents in it.

A step is: ``sort`` the populations that are seen; passes over neighbours and your own lines of NumPy; ``end_step()``.
``simulation["name"]`` is a population, ``len()`` the number of them.
)";
inline constexpr const char* kSimulationInit = R"(An empty simulation.

Parameters
----------
lo, hi : float or (D,) array of float32, optional
    The corners of the world. Not looked at on open axes.
dimensions : 2 or 3
edges : "open", "wall" or "periodic", or one of them for each axis
    Open: any finite position. Wall: an agent outside [lo, hi] is refused. Periodic: hi is lo again.
seed : int

Raises
------
juxta.errors.InvalidArgument, juxta.errors.NotFinite
)";
inline constexpr const char* kSimulationAdd = R"(A new, empty population.

Parameters
----------
name : str

Returns
-------
Population

Raises
------
juxta.errors.InvalidArgument
    The name is empty or taken.
)";
inline constexpr const char* kSimulationGet = R"(The population of a name.

Parameters
----------
name : str

Returns
-------
Population

Raises
------
juxta.errors.NotFound
)";
inline constexpr const char* kSimulationAddField =
    R"(A new field of zeros over the world, saved and loaded with the agents.

Parameters
----------
name : str
cells : (D,) array_like of int
    How many along each axis.
components : int, optional
    Values of each cell.

Returns
-------
Field

Raises
------
juxta.errors.InvalidArgument
    The name is empty or taken, or there is no such field: the world needs lo and hi.
)";
inline constexpr const char* kSimulationField = R"(The field of a name. Every call returns the same object.

Parameters
----------
name : str

Returns
-------
Field

Raises
------
juxta.errors.NotFound
)";
inline constexpr const char* kSimulationFieldNames =
    "list of str: of the fields, in the order in which they were added.";
inline constexpr const char* kSimulationEndStep =
    R"(Carries out births and deaths, clears references to the dead, and counts the step.

Survivors keep their order; the newborn are the last rows.

Returns
-------
dict of str to StepReport
    By the names of populations.
)";
inline constexpr const char* kSimulationSave =
    R"(Writes the whole state to one file, between two steps. ``load`` goes on to the bit.

Parameters
----------
path : str, bytes or os.PathLike

Raises
------
juxta.errors.IoError
)";
inline constexpr const char* kSimulationLoad = R"(Reads what ``save`` wrote.

Parameters
----------
path : str, bytes or os.PathLike

Returns
-------
Simulation

Raises
------
juxta.errors.IoError, juxta.errors.CorruptFile
)";
inline constexpr const char* kSimulationNames =
    "list of str: of the populations, in the order in which they were added.";
inline constexpr const char* kSimulationStep = "int: steps that ended.";
inline constexpr const char* kSimulationSeed = "int.";
inline constexpr const char* kSimulationDimensions = "int: 2 or 3.";
inline constexpr const char* kSimulationEdges =
    R"(tuple of str: "open", "wall" or "periodic" for each axis.)";
inline constexpr const char* kSimulationLo = "(D,) array of float32: the low corner of the world.";
inline constexpr const char* kSimulationHi = "(D,) array of float32: the high corner of the world.";

}  // namespace juxta::python::docs
