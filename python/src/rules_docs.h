// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Docstrings of juxta.Rule.
#pragma once

#include "common_docs.h"

namespace juxta::python::docs {

inline constexpr const char* kRule = R"(An interaction or an action in C++, compiled for this machine.

``juxta.compile_rules`` makes them. docs/interactions.md says how to write one.
)";
inline constexpr const char* kRuleSee =
    R"(One pass: for each agent, the totals of an interaction over all agents that are near.

They are written to the columns that the struct ``Found`` names, which must be there: ``Population.add_result``.

Parameters
----------
population : Population
    Whose agents see.
radius : float
    Who is near; above 0.
seen : Population, optional
    Whose agents are seen; sorted since it changed. None: the same population, each agent itself left out.
parameters : dict of float, optional
    Values for some of ``Rule.parameters``, for this call alone.
metric : "ball" or "box"
    "box": within the radius on each axis.
radii : str, optional
    A column with each agent's own radius, none above ``radius``.
among : str, optional
    A column of uint8 of the seen: only agents whose value is not 0 are seen.
)" JUXTA_DOC_BULK R"(
Returns
-------
int
    How many pairs were looked at, near or not.

Raises
------
juxta.errors.InvalidArgument
    ``seen`` was not sorted since it changed; a radius; a column of another type; one that is read and filled.
juxta.errors.NotFound
    There is no such column, or no such parameter.
)";
inline constexpr const char* kRuleAct = R"(One pass over all agents, with an action.

Parameters
----------
population : Population
    Sort it before the next ``see``, when positions are among what is written.
parameters : dict of float, optional
    Values for some of ``Rule.parameters``, for this call alone.
)" JUXTA_DOC_BULK R"(
Raises
------
juxta.errors.InvalidArgument
    A column of another type, or one that is in both lists.
juxta.errors.NotFound
    There is no such column, or no such parameter.
)";
inline constexpr const char* kRuleName = "str: as in ``JUXTA_INTERACTION(name)`` or ``JUXTA_ACTION(name)``.";
inline constexpr const char* kRuleParameters =
    "dict of float: the values that the struct's member variables have unless told otherwise, by the names "
    "of its "
    "``kParameters``.";
inline constexpr const char* kRuleColumns =
    "dict of lists of str: the columns of ``seer``, ``seen`` and ``found`` of an interaction, of ``reads`` "
    "and "
    "``writes`` of an action.";

}  // namespace juxta::python::docs
