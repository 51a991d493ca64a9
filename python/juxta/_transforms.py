# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Transforms as structured arrays, laid out as the library has them."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


class Inherit(enum.IntFlag):
    """What a node keeps of its own world transform when its parent moves, instead of following. Combine with ``|``."""

    #: Follows its parent in everything.
    NORMAL = 0
    #: World position, axis by axis.
    WORLD_X = 1 << 0
    WORLD_Y = 1 << 1
    WORLD_Z = 1 << 2
    WORLD_POSITION = WORLD_X | WORLD_Y | WORLD_Z
    #: World direction of the node's +z axis.
    WORLD_FORWARD = 1 << 3
    #: World direction of the node's +y axis.
    WORLD_UP = 1 << 4
    #: The up axis has precedence over forward, not the reverse.
    STRICT_UP = 1 << 5
    WORLD_ROTATION = WORLD_FORWARD | WORLD_UP
    WORLD_SCALE = 1 << 6
    #: The whole world transform is the parent's.
    COPY_PARENT = 1 << 7
    #: ``Hierarchy.set_world`` writes this node's world transform, and nothing else moves it.
    USER_WORLD = 1 << 8


#: Where a node or body is in the world: 48 bytes. Rotations are quaternions (x, y, z, w) of length 1.
WORLD: np.dtype[Any] = np.dtype(
    [
        ("rotation", np.float32, (4,)),
        ("position", np.float32, (3,)),
        ("context", np.int32),
        ("stretch", np.float32, (3,)),
        ("scale", np.float32),
    ]
)

#: Where a node is relative to its parent: 32 bytes.
LOCAL: np.dtype[Any] = np.dtype([("rotation", np.float32, (4,)), ("position", np.float32, (3,)), ("scale", np.float32)])


def _fill(dtype: np.dtype[Any], fields: dict[str, ArrayLike]) -> NDArray[np.void]:
    """An array of `dtype`; each field is one value for all, or one for each."""
    arrays = {}
    for name, value in fields.items():
        array = np.asarray(value, dtype=dtype[name].base)
        width = dtype[name].shape
        if array.ndim < len(width) or array.ndim > len(width) + 1 or array.shape[array.ndim - len(width) :] != width:
            one = str(width) if width else "one number"
            raise ValueError(
                f"{name} has shape {array.shape}. Give {one} for all, or {('n', *width)} with one for each".replace(
                    "'", ""
                )
            )
        arrays[name] = array
    counts = {name: array.shape[0] for name, array in arrays.items() if array.ndim > len(dtype[name].shape)}
    if len(set(counts.values())) > 1:
        text = ", ".join(f"{name} has {count}" for name, count in counts.items())
        raise ValueError(f"{text}. Give one for all, or the same number of each")
    shape = (next(iter(counts.values())),) if counts else ()
    out = np.empty(shape, dtype)
    for name, array in arrays.items():
        out[name] = array
    return out


def transforms(
    position: ArrayLike = (0, 0, 0),
    rotation: ArrayLike = (0, 0, 0, 1),
    *,
    scale: ArrayLike = 1,
    stretch: ArrayLike = (1, 1, 1),
    context: ArrayLike = 0,
) -> NDArray[np.void]:
    """Places in the world, for ``at=`` of shapes and bodies and for ``Hierarchy.set_world``.

    A point p of a shape stands at ``position + rotate(rotation, p * stretch * scale)``.

    Parameters
    ----------
    position : (3,) or (n, 3) array_like
        Of float32, in units of the world.
    rotation : (4,) or (n, 4) array_like
        Quaternions (x, y, z, w) of length 1, the order that ``scipy.spatial.transform.Rotation.as_quat`` has.
    scale : float or (n,) array_like
        Above 0.
    stretch : (3,) or (n, 3) array_like
        Along the shape's own axes; above 0 for shapes.
    context : int or (n,) array_like
        A number of yours that travels along.

    Returns
    -------
    () or (n,) array of WORLD
    """
    return _fill(
        WORLD,
        {"rotation": rotation, "position": position, "context": context, "stretch": stretch, "scale": scale},
    )


def local_transforms(
    position: ArrayLike = (0, 0, 0), rotation: ArrayLike = (0, 0, 0, 1), *, scale: ArrayLike = 1
) -> NDArray[np.void]:
    """Places relative to a parent, for ``Hierarchy.insert`` and ``Hierarchy.set_local``.

    Parameters
    ----------
    position : (3,) or (n, 3) array_like
    rotation : (4,) or (n, 4) array_like
        Quaternions (x, y, z, w).
    scale : float or (n,) array_like
        Above 0.

    Returns
    -------
    () or (n,) array of LOCAL
    """
    return _fill(LOCAL, {"rotation": rotation, "position": position, "scale": scale})
