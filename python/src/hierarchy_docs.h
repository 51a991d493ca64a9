// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What help(juxta.Hierarchy) and help(juxta.Prefab) say.
#pragma once

namespace juxta::python::docs {

inline constexpr const char* kHierarchy =
    R"(Trees of nodes, each placed relative to its parent, that answer where every node is in the world and what moved.

Local transforms are arrays of ``juxta.LOCAL`` (``juxta.local_transforms``), or positions (3,) or (n, 3), or positions
and rotations (7,) or (n, 7), quaternions as (x, y, z, w). World transforms are arrays of ``juxta.WORLD``.

Ids are ints, or arrays of uint64; ``juxta.NO_ID`` stands for no node. A change takes effect in ``world(ids)`` at once,
and everywhere with the next ``propagate()``. Calls with many ids do all or nothing. ``len()`` is the number of nodes.

Any number of threads may read at once; a change while another call runs raises RuntimeError.
)";
inline constexpr const char* kHierarchyInit = R"(An empty hierarchy.

Parameters
----------
history : bool
    Keep where nodes were one and two steps ago: 96 bytes a node more.
destroyed : bool
    Keep the ids of nodes that are removed, for ``destroyed_since``.
side_by_side : bool
    Eight trees of one shape stand side by side in memory: faster where most nodes move in a frame. Where a few long
    ropes move, False is faster.
)";

#define JUXTA_DOC_NODES                                                   \
  "stretch : (3,) or (n, 3) array of float32, optional\n"                 \
  "    Along the node's own axes; children do not inherit it. None: 1.\n" \
  "context : int or (n,) array of int32\n"                                \
  "    A number of yours.\n"                                              \
  "inherit : juxta.Inherit, or (n,) array of int\n"                       \
  "    What the node keeps of its own when its parent moves.\n"

inline constexpr const char* kHierarchyInsert =
    R"(New nodes below nodes that are there already. Large trees cost less with ``insert_trees``.

Parameters
----------
local : local transform, or (n,) of them, optional
    Relative to the parents. None: where the parent is.
parent : int, or (n,) array of uint64, optional
    Ids. None: the nodes are roots.
)" JUXTA_DOC_NODES R"(
Returns
-------
int, or (n,) array of uint64
    Ids.

Raises
------
juxta.errors.NotFound, juxta.errors.NotFinite, juxta.errors.InvalidArgument
    With the index; then none was inserted.
)";
inline constexpr const char* kHierarchyInsertTrees =
    R"(Whole trees at once, laid out in their final order: about 200 ns a node, the first ``propagate`` included.

Parameters
----------
local : (n,) local transforms
parents : (n,) array of int
    The place of each node's parent in this list, before the node's own; -1: a root.
)" JUXTA_DOC_NODES R"(
Returns
-------
(n,) array of uint64
    Ids.
)";
inline constexpr const char* kHierarchyInstantiate =
    R"(Copies of a tree: about 60 ns a node, the first ``propagate`` included.

Parameters
----------
prefab : Prefab
roots : local transform, or (m,) of them
    Where each copy's root stands.
parent : int, or (m,) array of uint64, optional
    Ids of what the roots hang below.
context : (m,) or (m, k) array of int32, optional
    Numbers of yours, for the root of each copy or for each of its nodes. None: the prefab's.

Returns
-------
(k,) array of uint64, or (m, k)
    Ids of the k nodes of each copy.
)";
inline constexpr const char* kHierarchyRemove = R"(Some nodes go.

Parameters
----------
ids : int, or (n,) array of uint64
children : "destroy" or "to_ancestor"
    What becomes of their children: they go too, or they are handed to the parent and keep their world transforms.
)";
inline constexpr const char* kHierarchyReparent = R"(Some nodes, with all below them, get another parent.

Parameters
----------
ids : int, or (n,) array of uint64
parent : int, or (n,) array of uint64, or None
    None: they become roots.
keep : "world" or "local"
    Which transform stays as it is.

Raises
------
juxta.errors.InvalidArgument
    A cycle; ``index`` says with which id.
)";
inline constexpr const char* kHierarchyParent = R"(The parents of nodes.

Parameters
----------
ids : int, or (n,) array of uint64

Returns
-------
int, or (n,) array of uint64
    ``juxta.NO_ID`` for roots.
)";
inline constexpr const char* kHierarchyChildren = R"(The children of a node, in the order of memory.

Parameters
----------
id : int

Returns
-------
(n,) array of uint64
)";
inline constexpr const char* kHierarchyAlive = R"(Whether ids name living nodes.

Parameters
----------
ids : int, or (n,) array of uint64

Returns
-------
bool, or (n,) array of bool
)";
inline constexpr const char* kHierarchyIds =
    R"(All living nodes, in the order of memory: calls with many ids are fastest in it.

Returns
-------
(n,) array of uint64
)";
inline constexpr const char* kHierarchySetLocal = R"(Places nodes relative to their parents.

Parameters
----------
ids : int, or (n,) array of uint64
local : local transform, or (n,) of them
threads : int, optional
)";
inline constexpr const char* kHierarchySetPosition =
    R"(Moves nodes relative to their parents; rotation and scale stay.

Parameters
----------
ids : int, or (n,) array of uint64
position : (3,) or (n, 3) array of float32
threads : int, optional
)";
inline constexpr const char* kHierarchySetWorld =
    R"(Places nodes in the world: place, stretch and context. The local transforms become what brings them there.

Parameters
----------
ids : int, or (n,) array of uint64
world : transform, or (n,) of them
)";
inline constexpr const char* kHierarchySetStretch = R"(Stretches nodes along their own axes.

Parameters
----------
ids : int, or (n,) array of uint64
stretch : (3,) or (n, 3) array of float32
)";
inline constexpr const char* kHierarchySetContext = R"(Sets the number of yours that a node carries.

Parameters
----------
ids : int, or (n,) array of uint64
context : int or (n,) array of int32
)";
inline constexpr const char* kHierarchySetInherit =
    R"(Sets what nodes keep of their own when their parents move.

Parameters
----------
ids : int, or (n,) array of uint64
inherit : juxta.Inherit, or (n,) array of int
)";

#define JUXTA_DOC_WORLDS                                             \
  "\n\nParameters\n----------\nids : int, or (n,) array of uint64\n" \
  "\nReturns\n-------\nrecord, or (n,) array, of juxta.WORLD\n"

inline constexpr const char* kHierarchyLocal = R"(Where nodes are relative to their parents.

Parameters
----------
ids : int, or (n,) array of uint64

Returns
-------
record, or (n,) array, of juxta.LOCAL
)";
inline constexpr const char* kHierarchyWorld =
    "Where nodes are in the world. Exact at once, propagated or not." JUXTA_DOC_WORLDS;
inline constexpr const char* kHierarchyPrevious =
    "Where nodes were when this step began (``history=True``)." JUXTA_DOC_WORLDS;
inline constexpr const char* kHierarchyTwoAgo =
    "Where nodes were when the step before this one began (``history=True``)." JUXTA_DOC_WORLDS;
inline constexpr const char* kHierarchyInherit = R"(What nodes keep of their own when their parents move.

Parameters
----------
ids : int, or (n,) array of uint64

Returns
-------
int, or (n,) array of intp
    Flags of ``juxta.Inherit``.
)";
inline constexpr const char* kHierarchyChangedAt =
    R"(The version in which nodes' world transforms changed last; 0: not propagated yet.

Parameters
----------
ids : int, or (n,) array of uint64

Returns
-------
int, or (n,) array of intp
)";
inline constexpr const char* kHierarchyPropagate =
    R"(Brings every world transform up to date that is not. Costs as much as what changed.

Parameters
----------
threads : int, optional

Returns
-------
Propagated
)";
inline constexpr const char* kHierarchyChangedSince =
    R"(The nodes whose world transform changed since a version.

Parameters
----------
version : int
    What ``version`` was then.

Returns
-------
Changed
    ``ids`` (n,) and ``world`` (n,), in the order of memory.
)";
inline constexpr const char* kHierarchyBeginStep =
    "A step begins: what was ``previous`` becomes ``two_ago``, and what is becomes ``previous`` "
    "(``history=True``).";
inline constexpr const char* kHierarchyVersion = "int: how many calls of ``propagate`` had something to do.";
inline constexpr const char* kHierarchyStats = R"(What the hierarchy holds, and how good its order is.

Returns
-------
HierarchyStats
)";
inline constexpr const char* kHierarchySave =
    R"(Writes everything to one file, so that ``load`` goes on bit for bit.

Parameters
----------
path : str, bytes or os.PathLike

Raises
------
juxta.errors.IoError
)";
inline constexpr const char* kHierarchyLoad = R"(Reads what ``save`` wrote.

Parameters
----------
path : str, bytes or os.PathLike

Returns
-------
Hierarchy

Raises
------
juxta.errors.IoError, juxta.errors.CorruptFile
)";

inline constexpr const char* kPrefab =
    "A tree that ``Hierarchy.instantiate`` copies. Never changed; ``len()`` is its nodes.";
inline constexpr const char* kPrefabInit = R"(A tree of at most 1000 nodes.

Parameters
----------
local : (n,) local transforms
    The first is the root's; ``instantiate`` does not use it.
parents : (n,) array of int
    The place of each node's parent in this list, before the node's own; -1 for the first.
)" JUXTA_DOC_NODES;

inline constexpr const char* kInterpolate = R"(Transforms between two moments.

Parameters
----------
a, b : transform, or (n,) of them
    At t = 0 and t = 1.
t : float
    Below 0 and above 1 the lines go on.
threads : int, optional

Returns
-------
record, or (n,) array, of juxta.WORLD
)";
inline constexpr const char* kToMatrices =
    R"(Transforms as matrices: ``m @ [x, y, z, 1]`` is where a point of a node stands.

Parameters
----------
transforms : transform, or (n,) of them
layout : "3x4" or "4x4"
    "4x4" lies column by column in memory, as OpenGL wants it.
threads : int, optional

Returns
-------
(3, 4), (4, 4), (n, 3, 4) or (n, 4, 4) array of float32
)";
inline constexpr const char* kWorldBoxes =
    R"(Boxes in the world around boxes in nodes' own space, for ``Layer``: rounded outwards.

Parameters
----------
transforms : transform, or (n,) of them
boxes : (2, 3) or (n, 2, 3) array of float32
threads : int, optional

Returns
-------
(2, 3) or (n, 2, 3) array of float32
)";

}  // namespace juxta::python::docs
