# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What a viewer answers, as structured arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Dict, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

FARTHEST = 1.7e308  # JSON has no infinity


class Selection(Dict[str, NDArray[Any]]):
    """Rows by the name of their group: a dict of structured arrays, with an empty one for a group of which nothing was
    found.

    Fields are "id" (uint64), "x", "y", "z" and the group's columns (float64; NaN where there is no number). A column
    that is called like one of these four has a "_" behind its name.

    Attributes
    ----------
    found : int
        How many there are. More than there are rows when a limit cut them off.
    step : int or None
        The step at which it was asked. None: not told.
    microseconds : float or None
        What it took the engine.
    """

    found: int = 0
    step: int | None = None
    microseconds: float | None = None


class Entity(NamedTuple):
    """One thing, and what is near it."""

    #: numpy.void: its row, with the fields of a Selection.
    row: Any
    #: (n,) structured array: the nearest of its group, the nearest first, with the field "distance" behind the others.
    near: NDArray[Any]
    #: dict: what the world tells of it.
    more: dict[str, Any]


def field_names(columns: Sequence[str], taken: Sequence[str]) -> list[str]:
    """Columns as fields: names that are taken get a "_" behind them."""
    names = list(taken)
    for column in columns:
        while column in names:
            column += "_"
        names.append(column)
    return names[len(taken) :]


def rows_of(group: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], extra: Sequence[str] = ()) -> NDArray[Any]:
    """Rows of one group as a structured array."""
    columns = list(group["columns"])
    names = field_names([*columns, *extra], ("id", "x", "y", "z"))
    array = np.zeros(len(rows), [("id", "u8"), *((name, "f8") for name in ("x", "y", "z", *names))])
    array["id"] = [int(row["id"]) for row in rows]
    for axis, name in enumerate("xyz"):
        array[name] = np.array([row["at"][axis] for row in rows], np.float64)  # None becomes NaN
    for name, column in zip(names, columns):
        array[name] = np.array([row["values"].get(column) for row in rows], np.float64)
    for name, key in zip(names[len(columns) :], extra):
        array[name] = np.array([row[key] for row in rows], np.float64)
    return array


def corner(value: ArrayLike, name: str, missing: float) -> list[float]:
    """Three finite numbers: a corner in 2D reaches through all z."""
    given = np.asarray(value, np.float64)
    if given.shape not in ((2,), (3,)):
        raise ValueError(f"{name} has shape {given.shape}. Give two numbers, or three")
    if np.isnan(given).any():
        raise ValueError(f"{name} has a NaN in it. Give numbers")
    three = np.append(given, [missing] * (3 - len(given)))
    return [float(part) for part in np.clip(three, -FARTHEST, FARTHEST)]


def rect_of(value: ArrayLike) -> list[float]:
    """[x0, y0, x1, y1], from four numbers or two corners."""
    given = np.asarray(value, np.float64)
    if given.size != 4 or given.shape not in ((4,), (2, 2)) or np.isnan(given).any():
        raise ValueError(f"rect is {value!r:.80}. Give (x0, y0, x1, y1)")
    return [float(part) for part in np.clip(given.ravel(), -FARTHEST, FARTHEST)]


def points_of(points: Sequence[Mapping[str, Any]]) -> NDArray[Any]:
    """Points of a map as a structured array."""
    array = np.zeros(len(points), [("i", "i8"), ("x", "f8"), ("y", "f8"), ("rank", "f8"), ("name", "O")])
    for name in ("i", "x", "y", "rank"):
        array[name] = np.array([point.get(name) for point in points], array.dtype[name])
    array["name"] = [point.get("name", "") for point in points]
    return array
