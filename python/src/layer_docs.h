// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What help(juxta.Layer) says.
#pragma once

#include "common_docs.h"

namespace juxta::python::docs {

inline constexpr const char* kLayer =
    R"(Axis-aligned boxes in 2D or 3D that answer which of them overlap, and what a box, ray, point or frustum touches.

Body i is box i. Boxes are closed: touching boxes overlap. Coordinates are float32: float64 and integers are rounded to
the nearest float32. Every answer is exact for the rounded boxes, and the same on any number of threads.

Any number of threads may ask at once; a change while another call runs raises RuntimeError. ``len()`` is the number of
living bodies.
)";

inline constexpr const char* kLayerInit =
    R"(Builds from boxes.

Parameters
----------
boxes : (n, 2, D) or (n, 2 D) array of float32, or a tuple (lo, hi) of two (n, D) arrays
    lo and hi corners, D = 2 or 3; finite, lo <= hi. A C-contiguous float32 array is read without a copy.
category, mask : int or (n,) array of uint32, optional
    What each body is, and what it meets, in bits: two bodies meet when each one's category has a bit in the other
    one's mask. None: all bits.
quality : "fast" or "tight"
    "tight" takes ten times as long to build and answers queries in about three quarters of the time. It changes the
    order of answers only.
)" JUXTA_DOC_BULK R"(
Raises
------
juxta.errors.NotFinite, juxta.errors.InvalidArgument
    A box with a NaN, an infinite or an inverted side; ``index`` says which.

Notes
-----
O(n): about 15 ns a box at 100k, on one thread. About 34 bytes a box (26 in 2D), 8 more with categories and masks.
)";

inline constexpr const char* kLayerRebuild =
    R"(Builds again in place, from other boxes of the same D, and keeps the memory. Forgets all bodies and their ids.

Parameters are those of the class. After an error the layer is as it was.
)";

inline constexpr const char* kLayerRefit =
    R"(All bodies move.

Takes half the time of a rebuild; sorts again when the order has become bad. Ids, categories and masks stay.

Parameters
----------
boxes : (capacity, 2, D) or (capacity, 2 D) array of float32, or a tuple (lo, hi)
    The new box of each body; those of dead ones are ignored.
)" JUXTA_DOC_BULK R"(
Raises
------
juxta.errors.NotFinite, juxta.errors.InvalidArgument
    A box with a NaN, an infinite or an inverted side, or another number of boxes. Then nothing has moved.
)";

inline constexpr const char* kLayerInsert =
    R"(New bodies.

Parameters
----------
boxes : (2, D) or (n, 2, D) array of float32, or another form of boxes
category, mask : int or (n,) array of uint32, optional
    As for the class.

Returns
-------
int, or (n,) array of uint64
    Ids. The low 32 bits are the body's number, which queries answer with: ``ids & 0xFFFFFFFF``. Numbers of removed
    bodies are given out again, with another id.

Raises
------
juxta.errors.NotFinite, juxta.errors.InvalidArgument
    With the index; then none was inserted.
)";

inline constexpr const char* kLayerMove =
    R"(Some bodies move; queries see it at once. About 70 ns a body near its old place.

Parameters
----------
ids : int, or (n,) array of uint64
boxes : (2, D) or (n, 2, D) array of float32, or another form of boxes
    One for each id.

Raises
------
juxta.errors.NotFound, juxta.errors.NotFinite, juxta.errors.InvalidArgument
    With the index; then nothing has moved.
)";

inline constexpr const char* kLayerRemove =
    R"(Some bodies go.

Parameters
----------
ids : int, or (n,) array of uint64
    Each once.

Raises
------
juxta.errors.NotFound
    One of them is not alive; ``index`` says which. Then nothing was removed.
)";

inline constexpr const char* kLayerSetFilter =
    R"(Changes what bodies are and what they meet.

Parameters
----------
ids : int, or (n,) array of uint64
category, mask : int or (n,) array of uint32, optional
    None: all bits.

Raises
------
juxta.errors.NotFound
)";

inline constexpr const char* kLayerAlive =
    R"(Whether ids name living bodies.

Parameters
----------
ids : int, or (n,) array of uint64

Returns
-------
bool, or (n,) array of bool
)";

inline constexpr const char* kLayerIds =
    R"(The ids of bodies, which ``move`` and ``remove`` take.

Parameters
----------
bodies : int, or (n,) array of int
    Numbers of bodies. A dead one gives an id that is not alive.

Returns
-------
int, or (n,) array of uint64
)";

inline constexpr const char* kLayerBodies =
    R"(The numbers of all living bodies, ascending.

Returns
-------
(n,) array of intp
)";

inline constexpr const char* kLayerBoxes =
    R"(The boxes of bodies, as they were given.

Parameters
----------
bodies : (n,) array of int, optional
    Numbers of living bodies. None: all, as ``bodies()`` lists them.

Returns
-------
(n, 2, D) array of float32

Raises
------
juxta.errors.NotFound
)";

inline constexpr const char* kLayerFilters =
    R"(The categories and masks of bodies.

Parameters
----------
bodies : (n,) array of int, optional
    Numbers of living bodies. None: all, as ``bodies()`` lists them.

Returns
-------
(n, 2) array of uint32
    Category and mask of each.

Raises
------
juxta.errors.NotFound
)";

inline constexpr const char* kLayerSave =
    R"(Writes everything to one file, so that ``load`` goes on as this layer would: same answers in the same order, same ids.

Replaces ``path`` as a whole or not at all.

Parameters
----------
path : str, bytes or os.PathLike

Raises
------
juxta.errors.IoError
)";

inline constexpr const char* kLayerLoad =
    R"(Reads what ``save`` wrote.

Parameters
----------
path : str, bytes or os.PathLike

Returns
-------
Layer

Raises
------
juxta.errors.IoError, juxta.errors.CorruptFile
)";

inline constexpr const char* kLayerStats = R"(What the layer holds, and how good its order is.

Returns
-------
LayerStats
)";
inline constexpr const char* kLayerNdim = "int: D, 2 or 3.";
inline constexpr const char* kLayerCapacity =
    "int: one more than the highest number of a body ever alive: how long ``refit`` and ``only=`` want their "
    "arrays.";

}  // namespace juxta::python::docs
