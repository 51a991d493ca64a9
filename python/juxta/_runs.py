# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What runs of models and battles have in common: arguments, steps with recordings and progress, data frames."""

from __future__ import annotations

import importlib
import operator
import os
import pathlib
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, Union

import numpy as np

from juxta import _core
from juxta._progress import Display

if TYPE_CHECKING:
    from types import ModuleType

Progress = Union[bool, Callable[[str, int, int], object], None]
Path = Union[str, os.PathLike[str]]
T = TypeVar("T")

MOST_STEPS = 2**32 - 2
MOST_PIXELS = 16384


class Parameter(NamedTuple):
    """A number that a model or a scenario can be given."""

    #: float: unless told otherwise.
    value: float
    #: float: the least that is allowed.
    lo: float
    #: float: the most that is allowed.
    hi: float
    #: bool: whole numbers only.
    whole: bool
    #: str: what it means, with its unit.
    what: str


def compiled() -> ModuleType:
    """The extension juxta._study, or an ImportError that says why there is none."""
    try:
        from juxta import _study
    except ModuleNotFoundError as error:
        if error.name not in {"juxta._study", None} and "_study" not in str(error):
            raise
        raise ImportError(missing_sentence(pathlib.Path(__file__).with_name("_missing.txt"))) from None
    except ImportError as error:
        if "cannot import name '_study'" not in str(error):
            raise  # a shared library that it needs, for example
        raise ImportError(missing_sentence(pathlib.Path(__file__).with_name("_missing.txt"))) from None
    return _study


def missing_sentence(note: pathlib.Path) -> str:
    """Why this installation has no models; `note` is what the build left."""
    missing = note.read_text(encoding="utf-8").strip() if note.exists() else ""
    why = f"when it was built, these were missing: {missing}" if missing else "it was built without them"
    return (
        f"this installation of juxta has no models and no battle: {why}. Install what is missing "
        "(scripts/install_packages tool python, on Debian) and install juxta again"
    )


def whole(value: Any, name: str, lo: int = 0, hi: int = MOST_STEPS) -> int:
    """A whole number within a range."""
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}. Give a whole number from {lo} to {hi}") from None
    if not lo <= number <= hi:
        raise ValueError(f"{name} is {number}. Give a whole number from {lo} to {hi}")
    return number


def text(value: Any, name: str) -> str:
    """A word: never a number or None by mistake."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is {value!r}. Give a str")
    return value


def settings(values: Mapping[str, float] | None, name: str = "set") -> list[tuple[str, float]]:
    """``set=``: a dict of numbers."""
    if values is None:
        return []
    if not isinstance(values, Mapping):
        raise TypeError(f"{name} is {values!r}. Give a dict of names and numbers")
    return [(text(key, f"a name in {name}"), number(value, key)) for key, value in values.items()]


def number(value: Any, name: str) -> float:
    """One number as a float."""
    try:
        if isinstance(value, (str, bytes)):
            raise TypeError
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name} is {value!r}. Give a number") from None


def path_text(path: Any) -> str:
    """A path as the library takes it."""
    return os.fsdecode(os.fspath(path))


def thread_count(threads: int | None) -> int:
    """``threads=``, with the default of this process in place of None."""
    return _core.default_threads() if threads is None else threads


class Shown:
    """``progress=`` of a call that is made in several parts: one display, one count over all of them."""

    def __init__(self, progress: Progress, total: int) -> None:
        if progress not in (None, True, False) and not callable(progress):
            raise TypeError(
                "progress is neither True, False or None nor callable. A callable gets (stage, done, total) and may "
                "return False to stop the call."
            )
        self._display = Display() if progress is True else None
        self._callback = self._display if progress is True else progress or None
        self._total = total
        self._last = 0.0

    def __enter__(self) -> Shown:
        return self

    def __exit__(self, *_: object) -> None:
        if self._display is not None:
            self._display.close()

    def whole_call(self) -> Callable[[str, int, int], object] | None:
        """The callable for a call in one part."""
        return self._callback

    def part(self, before: int) -> Callable[[str, int, int], object] | None:
        """The callable for a part that begins when `before` steps are done."""
        if self._callback is None:
            return None

        def tell(stage: str, done: int, _: int) -> object:
            now = time.monotonic()
            if now - self._last < 0.02 and before + done < self._total:
                return None
            self._last = now
            return self._callback(stage, before + done, self._total)  # type: ignore[misc]

        return tell


class Recording(Mapping[int, T]):
    """What agents were like at some steps: a mapping from the step to arrays.

    It holds the steps that were recorded, and always the one that the run is at, which is read when you ask for it.
    """

    def __init__(self, every: int, step: Callable[[], int], read: Callable[[], T]) -> None:
        self.every = every
        self._step, self._read = step, read
        self._kept: dict[int, T] = {}

    def note(self) -> None:
        """Keeps the state of this step, when it is one to record."""
        step = self._step()
        if self.every and step % self.every == 0 and step not in self._kept:
            self._kept[step] = self._read()

    def __getitem__(self, step: int) -> T:
        if step in self._kept:
            return self._kept[step]
        if step == self._step():
            return self._read()
        known = ", ".join(map(str, self)) if len(self) < 9 else f"{next(iter(self))} to {self._step()}"
        raise KeyError(f"step {step} was not recorded. There are: {known}")

    def __iter__(self) -> Iterator[int]:
        return iter(sorted({*self._kept, self._step()}))

    def __len__(self) -> int:
        return len({*self._kept, self._step()})

    def __repr__(self) -> str:
        return f"<juxta recording of {len(self)} steps, the last is {self._step()}>"

    def to_pandas(self, population: str | None = None) -> Any:
        """All steps as one DataFrame, with the column "step" in front.

        Parameters
        ----------
        population : str, optional
            Needed where there are several.

        Returns
        -------
        pandas.DataFrame
        """
        pandas = require_pandas()
        frames = {}
        for step in self:
            arrays = self[step]
            if isinstance(arrays, dict):
                if population is None and len(arrays) > 1:
                    raise ValueError(f"there are several populations: give one of {', '.join(arrays)}")
                name = next(iter(arrays)) if population is None else population
                if name not in arrays:
                    raise KeyError(f"there is no population {name!r}. There are: {', '.join(arrays)}")
                arrays = arrays[name]
            frames[step] = pandas.DataFrame(arrays)
        return pandas.concat(frames, names=["step"]).reset_index(level="step").reset_index(drop=True)


def drive(
    advance: Callable[..., None],
    recording: Recording[Any],
    step: Callable[[], int],
    last: int,
    threads: int | None,
    progress: Progress,
) -> None:
    """Steps up to `last`, recording where it is due. An interrupt ends it between two steps."""
    first, every = step(), recording.every
    threads = thread_count(threads)
    with Shown(progress, last - first) as shown:
        while True:
            recording.note()  # not behind advance(): an interrupt may come between the two
            at = step()
            if at >= last:
                return
            count = min(last - at, every - at % every) if every else last - at
            advance(count, threads, shown.part(at - first))


def require_pandas() -> Any:
    """pandas, or an ImportError that says what there is without it."""
    try:
        return importlib.import_module("pandas")
    except ImportError as error:
        raise ImportError(f"pandas is not there ({error}). Tables are NumPy structured arrays without it") from None
