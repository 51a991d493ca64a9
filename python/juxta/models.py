# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Published agent-based and particle models: run, recorded, swept.

>>> import juxta
>>> run = juxta.models.run("schelling", steps=10)
>>> run.table["step"][-1]
10

``docs/python-models.md`` is the guide.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, List, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juxta import _runs
from juxta._sweeps import SweepResult, sweep
from juxta._runs import MOST_PIXELS, MOST_STEPS, Parameter, Path, Progress, Recording
from juxta.errors import NotFound

__all__ = [
    "ModelInfo",
    "Parameter",
    "Preset",
    "Run",
    "SweepResult",
    "begin",
    "info",
    "list",
    "load",
    "parameters",
    "run",
    "sweep",
]

MOST_SEED = 2**64 - 1


class Preset(NamedTuple):
    """A name for some parameters, as a publication has them."""

    #: dict of float: what differs from the model's own values.
    values: dict[str, float]
    #: int: as that publication runs it.
    steps: int


class ModelInfo(NamedTuple):
    """What there is to know about a model."""

    name: str
    #: str: what it does, in a line.
    what: str
    #: int: how many steps a run has unless told otherwise.
    steps: int
    #: dict of Parameter, by name.
    parameters: dict[str, Parameter]
    #: dict of Preset, by name.
    presets: dict[str, Preset]


def _infos() -> dict[str, ModelInfo]:
    return {
        name: ModelInfo(
            name,
            what,
            steps,
            {key: Parameter(*rest) for key, *rest in numbers},
            {key: Preset(dict(values), count) for key, values, count in presets},
        )
        for name, what, steps, numbers, presets in _runs.compiled().infos()
    }


def list() -> List[str]:
    """The names of all models.

    Returns
    -------
    list of str
    """
    return [*_infos()]


def info(model: str) -> ModelInfo:
    """What a model does, its parameters and its presets.

    Parameters
    ----------
    model : str
        A name of ``juxta.models.list()``.

    Returns
    -------
    ModelInfo
    """
    all_of_them = _infos()
    if model not in all_of_them:
        raise NotFound(f"there is no model {model!r}. There are: {', '.join(all_of_them)}")
    return all_of_them[model]


def parameters(model: str, preset: str | None = None) -> dict[str, Parameter]:
    """The numbers that a model can be given, with their values and ranges.

    Parameters
    ----------
    model : str
        A name of ``juxta.models.list()``.
    preset : str, optional
        The values are those of this preset.

    Returns
    -------
    dict of Parameter
        Each has ``value``, ``lo``, ``hi``, ``whole`` and ``what``.
    """
    found = info(model)
    if preset is None:
        return found.parameters
    if preset not in found.presets:
        raise NotFound(f"{model} has no preset {preset!r}. It has: {', '.join(found.presets) or 'none'}")
    values = found.presets[preset].values
    return {name: p._replace(value=values.get(name, p.value)) for name, p in found.parameters.items()}


class Run:
    """A model between two steps, and what it reported so far.

    ``juxta.models.begin``, ``juxta.models.run`` and ``juxta.models.load`` make one.

    Attributes
    ----------
    agents : Recording
        A mapping from steps to ``{population: structured array}``. It has the steps that were asked for, and the step
        that the run is at.
    """

    def __init__(self, core: Any, agents_every: int | None = None) -> None:
        self._core = core
        every = 0 if agents_every is None else _runs.whole(agents_every, "agents_every", 1)
        self.agents: Recording[dict[str, NDArray[Any]]] = Recording(every, core.step, core.agents)

    @property
    def model(self) -> str:
        """str: the model's name."""
        return str(self._core.model())

    @property
    def parameters(self) -> dict[str, float]:
        """dict of float: the numbers of this run."""
        return dict(self._core.parameters())

    @property
    def seed(self) -> int:
        """int."""
        return int(self._core.seed())

    @property
    def step(self) -> int:
        """int: steps that are done."""
        return int(self._core.step())

    @property
    def state_hash(self) -> int:
        """int: a number that the whole state goes into: equal states, equal numbers. ``juxta model`` prints it as
        ``f"{run.state_hash:016x}"``."""
        return int(self._core.state_hash())

    @property
    def table(self) -> NDArray[Any]:
        """(n,) structured array: a row for each step from 0 on. "step" and whole numbers are int64, numbers
        float64 (NaN where there is none), and words str."""
        table: NDArray[Any] = self._core.table()
        return table

    def advance(self, steps: int | None = None, *, threads: int | None = None, progress: Progress = None) -> Run:
        """Some steps more. Ctrl-C ends it between two of them, and raises KeyboardInterrupt; call it again to go on.

        Parameters
        ----------
        steps : int, optional
            Without it: as many as are missing of what was planned at the start.
        threads : int, optional
            0: as many as this process may use. Results never depend on it.
        progress : bool or callable, optional
            True shows a line. A callable gets (stage, done, total) and may return False to stop.

        Returns
        -------
        Run
            This one.
        """
        at = self.step
        most = MOST_STEPS - at
        count = max(int(self._core.planned_steps()) - at, 0) if steps is None else _runs.whole(steps, "steps", 0, most)
        _runs.drive(self._core.advance, self.agents, self._core.step, at + count, threads, progress)
        return self

    def draw(self, size: int = 1000) -> NDArray[np.uint8]:
        """A picture of the state.

        Parameters
        ----------
        size : int
            Pixels of the longer side.

        Returns
        -------
        (height, width, 3) array of uint8
            Red, green and blue, from the top.
        """
        picture: NDArray[np.uint8] = self._core.draw(_runs.whole(size, "size", 1, MOST_PIXELS))
        return picture

    def save(self, path: Path) -> None:
        """Writes state and table to one file, whole or not at all. ``juxta.models.load`` reads it, and so does
        ``juxta model --resume``. Recordings of agents are not in it.

        Parameters
        ----------
        path : str or os.PathLike
        """
        self._core.save(_runs.path_text(path))

    def to_pandas(self) -> Any:
        """``table`` as a DataFrame.

        Returns
        -------
        pandas.DataFrame
        """
        return _runs.require_pandas().DataFrame(self.table)

    def __repr__(self) -> str:
        return f"<juxta.models.Run of {self.model} at step {self.step}>"


def begin(
    model: str,
    *,
    preset: str | None = None,
    seed: int = 1,
    steps: int | None = None,
    set: Mapping[str, float] | None = None,
    agents_every: int | None = None,
) -> Run:
    """A run at step 0. Parameters are those of ``juxta.models.run``.

    Returns
    -------
    Run
    """
    found = info(model)
    planned = found.presets[preset].steps if preset in found.presets else found.steps
    core = _runs.compiled().Run(
        model,
        "" if preset is None else _runs.text(preset, "preset"),
        _runs.settings(set),
        _runs.whole(seed, "seed", 0, MOST_SEED),
        planned if steps is None else _runs.whole(steps, "steps"),
    )
    return Run(core, agents_every)


def run(
    model: str,
    *,
    preset: str | None = None,
    seed: int = 1,
    steps: int | None = None,
    set: Mapping[str, float] | None = None,
    agents_every: int | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Run:
    """Runs a model. The results are bit for bit those of the command ``juxta model``.

    Parameters
    ----------
    model : str
        A name of ``juxta.models.list()``.
    preset : str, optional
        Parameters as a publication has them: ``juxta.models.info(model).presets``.
    seed : int
        0 to 2**64 - 1.
    steps : int, optional
        Without it: as many as the preset or the model says.
    set : dict of float, optional
        Parameters that differ from the preset: ``juxta.models.parameters(model)``.
    agents_every : int, optional
        Keeps the columns of all agents every so many steps, in ``Run.agents``.
    threads : int, optional
        0: as many as this process may use. Results never depend on it.
    progress : bool or callable, optional
        True shows a line. A callable gets (stage, done, total) and may return False to stop.

    Returns
    -------
    Run

    Raises
    ------
    KeyboardInterrupt, juxta.errors.Cancelled
        It was stopped between two steps. The attribute ``run`` of the exception is the run as far as it came:
        ``error.run.advance()`` goes on.
    juxta.errors.InvalidArgument
        The numbers left what the model allows (a time step that is too large). ``error.run`` has the table so far.
    """
    begun = begin(model, preset=preset, seed=seed, steps=steps, set=set, agents_every=agents_every)
    try:
        return begun.advance(steps, threads=threads, progress=progress)
    except BaseException as error:
        error.run = begun  # type: ignore[attr-defined]
        raise


def load(path: Path, *, agents_every: int | None = None) -> Run:
    """A run that ``Run.save`` or ``juxta model --checkpoint`` wrote. It goes on as if it had never been stopped.

    Parameters
    ----------
    path : str or os.PathLike
    agents_every : int, optional
        As in ``juxta.models.run``.

    Returns
    -------
    Run
    """
    return Run(_runs.compiled().Run.resume(_runs.path_text(path)), agents_every)
