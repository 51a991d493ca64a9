# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What the viewer's server calls for a world of Python (python/src/view/world.h). It checks what the world gives, and
makes sentences of its exceptions."""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juxta._runs import Parameter, number

MARKS = ("dot", "dart", "ship", "streak", "ball", "rock", "turret")
KEYS = ("x", "y", "z", "heading", "sizes", "columns", "ids", "mark", "size", "colour", "classes")
PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep
# Types that the engine reads as they are. Others are converted to one that holds their numbers.
COLUMN_TYPES = {"f4", "f8", "u1", "i4", "u4"}
WIDER = {"f2": "f4", "i1": "i4", "i2": "i4", "u2": "i4"}

Array = NDArray[Any]
Arrays = tuple[Any, ...]
State = tuple[int, tuple[Arrays, ...], list[float], list[float]]


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


def explain(error: BaseException) -> str:
    """The error's text. With its kind and the line when it comes from a user's code."""
    theirs = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith(PACKAGE)]
    if not theirs:
        return str(error) or type(error).__name__
    place = f"{os.path.basename(theirs[-1].filename)}, line {theirs[-1].lineno}"
    return f"{type(error).__name__}: {error} ({place})" if str(error) else f"{type(error).__name__} ({place})"


def tell(error: BaseException) -> None:
    """The traceback, on stderr: the page shows the last line of it alone."""
    traceback.print_exception(type(error), error, error.__traceback__, file=sys.stderr)


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
    if len(lo) not in (2, 3) or len(lo) != len(hi) or not all(a < b for a, b in zip(lo, hi)):
        raise ValueError(f"bounds is {bounds!r:.80}. Give (lo, hi): two corners of 2 or 3 numbers, the least first")
    return [*lo, 0.0][:3], [*hi, 0.0][:3]


def parameter_of(name: str, given: Any, live: bool) -> tuple[Parameter, bool]:
    """(value, lo, hi), with `whole` and `what` behind them, or a dict of these, which may also say `live`."""
    try:
        if isinstance(given, Mapping):
            fields: dict[str, Any] = {"whole": False, "what": "", **given}
            live = bool(fields.pop("live", live))
            parameter = Parameter(**fields)
        else:
            parameter = Parameter(*given, *(False, "")[len(given) - 3 :])
        value, lo, hi = (float(part) for part in parameter[:3])
    except (TypeError, ValueError):
        raise TypeError(f"the parameter {name!r} is {given!r:.80}. Give (value, lo, hi)") from None
    if not lo <= value <= hi:
        raise ValueError(f"the parameter {name!r} is {value}. Give a value from {lo} to {hi}, its own range")
    return Parameter(value, lo, hi, bool(parameter.whole), str(parameter.what)), live


def plain(value: Any) -> Any:
    """As JSON has it: no arrays, and null for what is not finite."""
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    return value if value is None or isinstance(value, (str, int, bool)) else str(value)


class Source:
    """A world as the server reads it. `why` says what went wrong in the last call; empty: nothing did."""

    def __init__(self, world: Any, title: str | None, step: Callable[[], object] | None, speed: float) -> None:
        self._world, self._title, self._speed = world, title, number(speed, "speed")
        if not 0 <= self._speed <= 1e6:
            raise ValueError(f"speed is {speed}. Give steps a second, up to 1000000, or 0: as fast as it can")
        self._step = world.step if step is None else step
        self._groups: list[Group] | None = None
        self._bounds = ([0.0, 0.0, 0.0], [1.0, 1.0, 1.0])
        self._begun, self._measure = False, True  # after a restart the world may have another size
        self._reports: list[str] = []
        self._steps, self._step_ms = 0, 0.0
        self.why = ""
        live = hasattr(world, "set")
        declared = mapping_of(self._told("parameters") or {}, "parameters")
        self._declared = {name: parameter_of(name, given, live) for name, given in declared.items()}
        self._values = {name: parameter.value for name, (parameter, _) in self._declared.items()}

    def _told(self, name: str) -> Any:
        value = getattr(self._world, name, None)
        return value() if callable(value) else value

    def info(self) -> tuple[Any, ...]:
        """For the server: what does not change from step to step."""
        parameters = tuple(
            (name, self._values[name], p.lo, p.hi, p.whole, p.what, live) for name, (p, live) in self._declared.items()
        )
        title = self._title or getattr(self._world, "title", None) or type(self._world).__name__
        groups = tuple(tuple(group[:7]) for group in self._groups or [])
        return str(title), self._dimensions(), *self._bounds, self._speed, groups, parameters, self._reports

    def _dimensions(self) -> int:
        return 3 if any(group.has_z for group in self._groups or []) else 2

    def state(self) -> State:
        """For the server: steps, arrays, reports and milliseconds. Raises in the first call alone."""
        begin = time.perf_counter()
        groups: tuple[Arrays, ...] = ()
        reports = [float("nan")] * len(self._reports)
        try:
            groups = self._read()
            reports = self._report()
        except Exception as error:
            if not self._begun:
                raise
            groups = ()  # the page shows nothing rather than something else
            self.why = self.why or explain(error)
            tell(error)
        if self._measure and groups:
            bounds = self._told("bounds")
            self._bounds = extent_of(groups, self._dimensions()) if bounds is None else corners_of(bounds)
        self._begun, self._measure = True, self._measure and not groups
        steps = getattr(self._world, "steps", None)
        counted = self._steps if steps is None or callable(steps) else int(steps)
        return counted, groups, reports, [self._step_ms, (time.perf_counter() - begin) * 1e3]

    def _read(self) -> tuple[Arrays, ...]:
        told = mapping_of(self._world.things(), "what things() returns")
        given = {name: mapping_of(group, f"the group {name!r}") for name, group in told.items()}
        if self._groups is None:
            if not given:
                raise ValueError("things() returns no groups. Give a dict of at least one")
            groups = [group_of(name, group) for name, group in given.items()]
        else:
            groups = self._groups
            if set(given) != {group.name for group in groups}:
                names = [group.name for group in groups]
                raise ValueError(f"things() has the groups {list(given)}, but had {names}. They must stay the same")
        arrays = tuple(arrays_of(group, given[group.name]) for group in groups)
        self._groups = groups
        return arrays

    def _report(self) -> list[float]:
        if not hasattr(self._world, "reports"):
            return []
        told = mapping_of(self._told("reports"), "what reports() returns")
        if not self._begun:
            self._reports = list(told)
        missing = [name for name in self._reports if name not in told]
        if missing:
            raise ValueError(f"reports() has no {missing[0]!r} any more. It must have the same names each time")
        return [number(told[name], f"the report {name!r}") for name in self._reports]

    def _change(self, work: Callable[[], None]) -> State:
        self.why = ""
        try:
            work()
        except Exception as error:
            self.why = explain(error)
            if work == self._take_step:
                tell(error)
        return self.state()

    def _take_step(self) -> None:
        begin = time.perf_counter()
        self._step()
        self._step_ms = (time.perf_counter() - begin) * 1e3
        self._steps += 1

    def step(self) -> State:
        return self._change(self._take_step)

    def _checked(self, name: str, value: float) -> float:
        if name not in self._declared:
            raise ValueError(f"there is no parameter {name!r}. There are: {', '.join(self._declared) or 'none'}")
        p = self._declared[name][0]
        if not p.lo <= value <= p.hi or (p.whole and value != int(value)):
            raise ValueError(f"{name} is {value}. Give a {'whole ' if p.whole else ''}number from {p.lo:g} to {p.hi:g}")
        return int(value) if p.whole else value

    def set(self, name: str, value: float) -> State:
        def work() -> None:
            checked = self._checked(name, value)
            if not self._declared[name][1] or not hasattr(self._world, "set"):
                raise ValueError(f"{name} acts at the next restart")
            self._world.set(name, checked)
            self._values[name] = checked

        return self._change(work)

    def restart(self, seed: int | None, values: dict[str, float]) -> State:
        def work() -> None:
            if not hasattr(self._world, "restart"):
                raise ValueError("this world cannot begin again: it has no restart(seed, **parameters)")
            merged = {name: self._checked(name, value) for name, value in {**self._values, **values}.items()}
            self._world.restart(seed, **merged)
            self._values, self._steps, self._measure = merged, 0, True

        return self._change(work)

    def more(self, group: int, row: int) -> str:
        assert self._groups is not None
        if not hasattr(self._world, "more"):
            return "{}"
        try:
            return json.dumps(plain(mapping_of(self._world.more(self._groups[group].name, row), "what more() returns")))
        except Exception as error:
            return json.dumps({"error": explain(error)})

    def hash(self) -> int | None:
        if not hasattr(self._world, "hash"):
            return None
        try:
            return int(self._world.hash()) & (2**64 - 1)
        except Exception as error:
            tell(error)
            return None
