# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What the viewer's server calls for a world of Python (python/src/view/world.h). It checks what the world gives, and
makes sentences of its exceptions."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from juxta._runs import Parameter, number
from juxta._view_groups import Arrays, Group, arrays_of, corners_of, extent_of, group_of, mapping_of

PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep
State = tuple[int, tuple[Arrays, ...], list[float], list[float]]


def encodable(text: str) -> str:
    """With "?" for what UTF-8 cannot hold: half of a surrogate pair."""
    return text.encode("utf-8", "replace").decode()


def explain(error: BaseException) -> str:
    """The error's text. With its kind and the line when it comes from a user's code."""
    text = ""
    with contextlib.suppress(Exception):  # its __str__ is theirs, too
        text = encodable(str(error))
    theirs = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith(PACKAGE)]
    if not theirs:
        return text or type(error).__name__
    place = encodable(f"{os.path.basename(theirs[-1].filename)}, line {theirs[-1].lineno}")
    return f"{type(error).__name__}: {text} ({place})" if text else f"{type(error).__name__} ({place})"


def tell(error: BaseException) -> None:
    """The traceback, on stderr: the page shows the last line of it alone."""
    with contextlib.suppress(Exception):  # it may be closed
        traceback.print_exception(type(error), error, error.__traceback__, file=sys.stderr)


def count_of(steps: Any) -> int:
    """`steps` of a world."""
    try:
        count = int(steps)
    except (TypeError, ValueError, OverflowError):
        count = -1
    if not 0 <= count < 2**64:
        raise ValueError(f"steps is {steps!r:.80}. Give a whole number from 0 to 2**64 - 1")
    return count


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
        self._name = ""
        self._reports: list[str] = []
        self._steps, self._counted, self._step_ms = 0, 0, 0.0  # counted here, and told last
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
        groups = tuple(tuple(group[:7]) for group in self._groups or [])
        return self._name, self._dimensions(), *self._bounds, self._speed, groups, parameters, self._reports

    def _dimensions(self) -> int:
        return 3 if any(group.has_z for group in self._groups or []) else 2

    def state(self) -> State:
        """For the server: steps, arrays, reports and milliseconds. Raises in the first call alone. Later, what cannot
        be read stays as it was, but for arrays and reports: the page shows none rather than old ones."""
        begin = time.perf_counter()
        groups: tuple[Arrays, ...] = ()
        reports = [float("nan")] * len(self._reports)
        with self._explained():
            self._count()  # first: also when there are no things after a restart
        with self._explained():
            told = self._read()
            reports = self._report()
            groups = told
        if groups and self._measure:
            self._measure = False  # what cannot be read now is not asked for at each step
            with self._explained():
                self._name_and_bound(groups)
        self._begun = True
        return self._counted, groups, reports, [self._step_ms, (time.perf_counter() - begin) * 1e3]

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """After the first call an error becomes a sentence."""
        try:
            yield
        except Exception as error:
            if not self._begun:
                raise
            self.why = self.why or explain(error)
            tell(error)

    def _count(self) -> None:
        steps = getattr(self._world, "steps", None)
        self._counted = self._steps if steps is None or callable(steps) else count_of(steps)

    def _name_and_bound(self, groups: tuple[Arrays, ...]) -> None:
        title = self._title or getattr(self._world, "title", None) or type(self._world).__name__
        self._name = encodable(str(title))
        bounds = self._told("bounds")
        self._bounds = extent_of(groups, self._dimensions()) if bounds is None else corners_of(bounds)

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
            self._values, self._measure = merged, True
            self._steps, self._counted, self._step_ms = 0, 0, 0.0

        return self._change(work)

    def more(self, group: int, row: int) -> str:
        assert self._groups is not None
        try:
            if not hasattr(self._world, "more"):
                return "{}"
            told = mapping_of(self._world.more(self._groups[group].name, row), "what more() returns")
            return encodable(json.dumps(plain(told), ensure_ascii=False))
        except Exception as error:
            return json.dumps({"error": explain(error)})

    def hash(self) -> int | None:
        try:
            if not hasattr(self._world, "hash"):
                return None
            return int(self._world.hash()) & (2**64 - 1)
        except Exception as error:
            tell(error)
            return None
