// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What help(juxta.Hierarchy) says of parts of transforms, subtrees, destroyed nodes and memory.
#pragma once

namespace juxta::python::docs {

inline constexpr const char* kHierarchyRootOf = R"(The nodes at the top of nodes' trees; roots are their own.

Parameters
----------
ids : int, or (n,) array of uint64

Returns
-------
int, or (n,) array of uint64
)";
inline constexpr const char* kHierarchySetTags =
    R"(Sets seven bits of your own. Nodes and all below them count as changed.

Parameters
----------
ids : int, or (n,) array of uint64
tags : int or (n,) array of int
    Below 128.
)";
#define JUXTA_DOC_TAGS                                               \
  "\n\nParameters\n----------\nids : int, or (n,) array of uint64\n" \
  "\nReturns\n-------\nint, or (n,) array of uint8\n"

inline constexpr const char* kHierarchyTags = "The tags of nodes: 0, until they are set." JUXTA_DOC_TAGS;
inline constexpr const char* kHierarchyInheritedTags =
    "The tags that nodes or any node above them have: a part is hidden when its hull is." JUXTA_DOC_TAGS;
inline constexpr const char* kHierarchyBelow =
    R"(All nodes below a node, without the node itself: breadth first, so parents before children.

Parameters
----------
id : int

Returns
-------
(n,) array of uint64
)";
inline constexpr const char* kHierarchyCopy =
    R"(A copy of a node and of all below it. For many copies use a ``Prefab``.

Parameters
----------
id : int
parent : int, optional
    Below which the copy goes; it may be ``id`` itself, or below it. None: the copy is a root.

Returns
-------
(n,) array of uint64
    Ids of the copies: that of ``id`` first, then in the order of ``below(id)``.
)";
inline constexpr const char* kHierarchySetRotation =
    R"(Turns nodes relative to their parents; position and scale stay.

Parameters
----------
ids : int, or (n,) array of uint64
rotation : (4,) or (n, 4) array of float32
    Quaternions as (x, y, z, w).
)";
inline constexpr const char* kHierarchySetScale =
    R"(Sizes nodes relative to their parents; position and rotation stay.

Parameters
----------
ids : int, or (n,) array of uint64
scale : float, or (n,) array of float32
    Above 0.
)";
inline constexpr const char* kHierarchyTranslateBy =
    R"(Moves nodes by some way along the axes of their parents. An id that is there twice moves twice.

Parameters
----------
ids : int, or (n,) array of uint64
by : (3,) or (n, 3) array of float32
)";
inline constexpr const char* kHierarchyRotateBy =
    R"(Turns nodes about axes of their parents, in place. An id that is there twice turns twice.

Parameters
----------
ids : int, or (n,) array of uint64
by : (4,) or (n, 4) array of float32
    Quaternions as (x, y, z, w).
)";
inline constexpr const char* kHierarchyDestroyedSince =
    R"(The nodes that were destroyed since a version (``destroyed=True``), in the order of destruction.

A node is destroyed in the version of the next ``propagate``. Read them before ``changed_since``: a slot may live again.

Parameters
----------
version : int
    What ``version`` was then.

Returns
-------
(n,) array of uint64

Raises
------
juxta.errors.InvalidArgument
    Made without ``destroyed``, or forgotten.
)";
inline constexpr const char* kHierarchyForgetDestroyed =
    R"(Forgets what was destroyed up to a version, so that the list does not grow for ever.

Parameters
----------
version : int
)";
inline constexpr const char* kHierarchyShrink = R"(Gives back memory of nodes that are gone.

Returns
-------
int
    How many bytes.
)";

}  // namespace juxta::python::docs
