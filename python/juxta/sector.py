# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""The space battle: all modules of the library in one world (docs/sector.md).

>>> import juxta
>>> battle = juxta.sector.run("skirmish", ticks=10)
>>> battle.table["tick"][-1]
10
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, List

import numpy as np
from numpy.typing import NDArray

from juxta import _runs
from juxta._runs import MOST_PIXELS, MOST_STEPS, Parameter, Path, Progress, Recording

__all__ = ["Battle", "Parameter", "begin", "load", "parameters", "presets", "run"]

TICKS = 600  # ten seconds of the battle's own time
MOST_SEED = 2**64 - 1


def presets() -> List[str]:
    """The names of the scenarios that are there: about 5,000, 100,000 and 1,000,000 nodes.

    Returns
    -------
    list of str
    """
    return list(_runs.compiled().presets())


def parameters(preset: str | Path = "battle") -> dict[str, Parameter]:
    """All numbers of a scenario, with their values and ranges.

    Parameters
    ----------
    preset : str or os.PathLike
        A preset, or a TOML file (docs/formats/scenario.md).

    Returns
    -------
    dict of Parameter
        Names are ``"section.key"`` of that file. Each has ``value``, ``lo``, ``hi``, ``whole`` and ``what``.
    """
    numbers = _runs.compiled().scenario_numbers(_runs.path_text(preset))
    return {name: Parameter(*rest) for name, *rest in numbers}


class Battle:
    """A battle between two ticks, and what happened so far.

    ``juxta.sector.begin``, ``juxta.sector.run`` and ``juxta.sector.load`` make one.

    Attributes
    ----------
    ships : Recording
        A mapping from ticks to structured arrays with a row for each ship: "id", "x", "y", "z" in metres, "vx", "vy",
        "vz" in metres a second, "faction", "health", "kind" and other columns. It has the ticks that were asked for, and
        the tick that the battle is at.
    """

    def __init__(self, core: Any, ships_every: int | None = None) -> None:
        self._core = core
        every = 0 if ships_every is None else _runs.whole(ships_every, "ships_every", 1)
        self.ships: Recording[NDArray[Any]] = Recording(every, core.tick, core.ships)

    @property
    def name(self) -> str:
        """str: of the scenario."""
        return str(self._core.name())

    @property
    def scenario(self) -> str:
        """str: every number of the scenario, as a TOML file that begins the same battle."""
        return str(self._core.scenario())

    @property
    def seed(self) -> int:
        """int."""
        return int(self._core.seed())

    @property
    def tick(self) -> int:
        """int: ticks that are done; 60 are a second of the battle's own time."""
        return int(self._core.tick())

    @property
    def state_hash(self) -> int:
        """int: a number that the whole state goes into: equal states, equal numbers. ``juxta sector`` prints it as
        ``f"{battle.state_hash:016x}"``."""
        return int(self._core.state_hash())

    @property
    def table(self) -> NDArray[Any]:
        """(n,) structured array of int64: a row for each tick from the start on. "ships_0", "bullets", "wrecks" and so on
        are how many there are; "released", "shots", "hits", "deaths" and so on are how often it happened in that tick."""
        table: NDArray[Any] = self._core.table()
        return table

    def advance(self, ticks: int, *, threads: int | None = None, progress: Progress = None) -> Battle:
        """Some ticks more. Ctrl-C ends it between two of them, and raises KeyboardInterrupt; call it again to go on.

        Parameters
        ----------
        ticks : int
        threads : int, optional
            0: as many as this process may use. Results never depend on it.
        progress : bool or callable, optional
            True shows a line. A callable gets (stage, done, total) and may return False to stop.

        Returns
        -------
        Battle
            This one.
        """
        at = self.tick
        last = at + _runs.whole(ticks, "ticks", 0, MOST_STEPS - at)
        _runs.drive(self._core.advance, self.ships, self._core.tick, last, threads, progress)
        return self

    def draw(self, size: int = 1000) -> NDArray[np.uint8]:
        """The battle from above.

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

    def save(self, folder: Path) -> None:
        """Writes a checkpoint (docs/formats/checkpoint.md). ``juxta.sector.load`` reads it, and so does
        ``juxta sector --resume``. The table and recordings are not in it.

        Parameters
        ----------
        folder : str or os.PathLike
            Made when it is not there. It keeps the last two checkpoints.
        """
        self._core.save(_runs.path_text(folder))

    def to_pandas(self) -> Any:
        """``table`` as a DataFrame.

        Returns
        -------
        pandas.DataFrame
        """
        return _runs.require_pandas().DataFrame(self.table)

    def __repr__(self) -> str:
        return f"<juxta.sector.Battle {self.name!r} at tick {self.tick}>"


def begin(
    preset: str | Path = "battle",
    *,
    seed: int | None = None,
    set: Mapping[str, float] | None = None,
    ships_every: int | None = None,
    threads: int | None = None,
) -> Battle:
    """A battle at tick 0. Parameters are those of ``juxta.sector.run``.

    Returns
    -------
    Battle
    """
    chosen = None if seed is None else _runs.whole(seed, "seed", 0, MOST_SEED)
    made = _runs.compiled().Battle(
        _runs.path_text(preset), _runs.settings(set), chosen, _runs.thread_count(threads)
    )
    return Battle(made, ships_every)


def run(
    preset: str | Path = "battle",
    *,
    ticks: int = TICKS,
    seed: int | None = None,
    set: Mapping[str, float] | None = None,
    ships_every: int | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Battle:
    """Runs a battle. The state is bit for bit that of the command ``juxta sector``.

    Parameters
    ----------
    preset : str or os.PathLike
        "skirmish", "battle" or "mission5" (about 5,000, 100,000 and 1,000,000 nodes), "fleets" (two fleets
        that meet), or a TOML file (docs/formats/scenario.md).
    ticks : int
        60 are a second of the battle's own time.
    seed : int, optional
        0 to 2**64 - 1. Without it: the scenario's.
    set : dict of float, optional
        Numbers that differ from the preset, as ``{"world.ships": 900, "steer.sight": 40}``:
        ``juxta.sector.parameters()``.
    ships_every : int, optional
        Keeps all ships every so many ticks, in ``Battle.ships``.
    threads : int, optional
        0: as many as this process may use. Results never depend on it.
    progress : bool or callable, optional
        True shows a line. A callable gets (stage, done, total) and may return False to stop.

    Returns
    -------
    Battle

    Raises
    ------
    KeyboardInterrupt, juxta.errors.Cancelled
        It was stopped between two ticks. The attribute ``battle`` of the exception is the battle as far as it came.
    """
    begun = begin(preset, seed=seed, set=set, ships_every=ships_every, threads=threads)
    try:
        return begun.advance(ticks, threads=threads, progress=progress)
    except BaseException as error:
        error.battle = begun  # type: ignore[attr-defined]
        raise


def load(path: Path, *, ships_every: int | None = None, threads: int | None = None) -> Battle:
    """A battle that ``Battle.save`` or ``juxta sector --checkpoint`` wrote. It goes on as if it had never been stopped.

    Parameters
    ----------
    path : str or os.PathLike
        The folder, or a manifest in it.
    ships_every, threads
        As in ``juxta.sector.run``.

    Returns
    -------
    Battle
    """
    return Battle(_runs.compiled().Battle.load(_runs.path_text(path), _runs.thread_count(threads)), ships_every)
