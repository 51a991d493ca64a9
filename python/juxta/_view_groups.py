# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What things() of a world gives, checked, and in the types that the engine reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juxta._runs import number

MARKS = ("dot", "dart", "ship", "streak", "ball", "rock", "turret")
KEYS = ("x", "y", "z", "heading", "sizes", "columns", "ids", "mark", "size", "colour", "classes")
# Types that the engine reads as they are. Others are converted to one that holds their numbers.
COLUMN_TYPES = {"f4", "f8", "u1", "i4", "u4"}
WIDER = {"f2": "f4", "i1": "i4", "i2": "i4", "u2": "i4"}

Array = NDArray[Any]
Arrays = tuple[Any, ...]


class Group(NamedTuple):
    """What does not change of a group while the world runs, in the order in which the server reads it."""

    name: str
    mark: str
    size: float
    columns: list[str]
    colour: str
    classes: list[str]
    heading: bool
    has_z: bool


def row_of(value: Any, where: str, count: int | None = None) -> Array:
    """An array of one number for each thing, of any real type."""
    array = np.asarray(value)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{where} holds {array.dtype}. Give real numbers")
    if array.ndim != 1:
        raise ValueError(f"{where} has shape {array.shape}. Give one number for each thing: shape (n,)")
    if count is not None and len(array) != count:
        raise ValueError(f"{where} has {len(array)} numbers, but there are {count} in x. Give as many")
    return array


def floats(value: Any, where: str, count: int | None = None) -> Array:
    """As float32. A contiguous array of that type is not copied."""
    with np.errstate(over="ignore"):
        return np.require(row_of(value, where, count), np.float32, ["C", "A"])


def column_of(value: Any, where: str, count: int) -> Array:
    """In a type that the engine reads."""
    array = row_of(value, where, count)
    if array.dtype.kind == "b":
        array = array.view(np.uint8)
    kind = f"{array.dtype.kind}{array.dtype.itemsize}"
    return np.require(array, kind if kind in COLUMN_TYPES else WIDER.get(kind, "f8"), ["C", "A"])


def ids_of(value: Any, where: str, count: int) -> Array:
    """As uint64."""
    array = row_of(value, where, count)
    if array.dtype.kind not in "iu" and count:
        raise TypeError(f"{where} holds {array.dtype}. Give whole numbers")
    if array.dtype.kind == "i" and count and array.min() < 0:
        raise ValueError(f"{where} has {array.min()} in it. Give whole numbers from 0 on")
    return np.require(array, np.uint64, ["C", "A"])


def mapping_of(value: Any, where: str) -> Mapping[str, Any]:
    """A dict with names as keys."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise TypeError(f"{where} is {value!r:.80}. Give a dict with names as keys")
    return value


def words_of(value: Any, where: str) -> list[str]:
    """A list of str: never one str by mistake."""
    if isinstance(value, str) or not isinstance(value, Sequence) or not all(isinstance(word, str) for word in value):
        raise TypeError(f"{where} is {value!r:.80}. Give a list of str")
    return list(value)


def group_of(name: str, given: Mapping[str, Any]) -> Group:
    """What the first call of things() says of a group."""
    wrong = [key for key in given if key not in KEYS]
    if wrong:
        raise ValueError(f"{name}: there is no {wrong[0]!r}. A group has {', '.join(KEYS)}")
    heading = given.get("heading") is not None
    mark = given.get("mark", "dart" if heading else "dot")
    if mark not in MARKS:
        raise ValueError(f"{name}: mark is {mark!r}. Give one of {', '.join(MARKS)}")
    size = number(given.get("size", 0), f"{name}: size")
    if not 0 <= size < 3e38:
        raise ValueError(f"{name}: size is {size}. Give a length, or 0: a few pixels")
    columns = list(mapping_of(given.get("columns") or {}, f"{name}: columns"))
    colour = given.get("colour") or ""
    if colour and colour not in columns:
        known = ", ".join(columns) or "there is none"
        raise ValueError(f"{name}: colour is {colour!r}. Give the name of a column: {known}")
    classes = words_of(given.get("classes") or [], f"{name}: classes")
    return Group(name, mark, size, columns, colour, classes, heading, given.get("z") is not None)


def arrays_of(group: Group, given: Mapping[str, Any]) -> Arrays:
    """(x, y, z, heading, sizes, columns, ids), with None for what is not given."""

    def where(key: str) -> str:
        return f"{group.name}: {key}"

    for key in ("x", "y", "z") if group.has_z else ("x", "y"):
        if given.get(key) is None:
            raise ValueError(f"{where(key)} is missing. Give an array of one number for each thing")
    x = floats(given["x"], where("x"))
    count = len(x)
    columns = mapping_of(given.get("columns") or {}, where("columns"))
    if list(columns) != group.columns and set(columns) != set(group.columns):
        raise ValueError(f"{where('columns')} are {list(columns)}, but were {group.columns}. They must stay the same")
    heading = given.get("heading")
    heading = () if heading is None else tuple(heading)
    if len(heading) not in ((2, 3) if group.heading else (0,)):
        raise ValueError(f"{where('heading')} has {len(heading)} parts. Give 2 or 3 arrays, from the first call on")
    sizes, ids = given.get("sizes"), given.get("ids")
    return (
        x,
        floats(given["y"], where("y"), count),
        floats(given["z"], where("z"), count) if group.has_z else None,
        tuple(floats(part, where("heading"), count) for part in heading),
        None if sizes is None else floats(sizes, where("sizes"), count),
        tuple(column_of(columns[name], where(f"column {name!r}"), count) for name in group.columns),
        None if ids is None else ids_of(ids, where("ids"), count),
    )


def extent_of(groups: Sequence[Arrays], dimensions: int) -> tuple[list[float], list[float]]:
    """Corners of a box around all that has a place, a little larger than it."""
    lo, hi = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
    for axis in range(dimensions):
        there = [part[np.isfinite(part)] for part in (group[axis] for group in groups) if part is not None]
        there = [part for part in there if len(part)]
        least = float(min((part.min() for part in there), default=0.0))
        most = float(max((part.max() for part in there), default=1.0))
        margin = 0.05 * (most - least) or max(abs(most), 1.0) * 0.5
        lo[axis], hi[axis] = max(least - margin, -3e38), min(most + margin, 3e38)
    return lo, hi


def corners_of(bounds: Any) -> tuple[list[float], list[float]]:
    """`bounds` of a world: (lo, hi), each with two or three numbers."""
    try:
        lo, hi = ([float(part) for part in corner] for corner in bounds)
    except (TypeError, ValueError):
        lo, hi = [], []
    if len(lo) not in (2, 3) or len(lo) != len(hi) or not all(-3e38 < a < b < 3e38 for a, b in zip(lo, hi)):
        raise ValueError(
            f"bounds is {bounds!r:.80}. Give (lo, hi): two corners of 2 or 3 numbers below 3e38, the least first"
        )
    return [*lo, 0.0][:3], [*hi, 0.0][:3]
