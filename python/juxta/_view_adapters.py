# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What juxta has already in Python, as worlds to look at. Their columns are copied once a step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

from juxta import models
from juxta._core import Flock, Population, Simulation
from juxta._runs import Parameter
from juxta.models import Run
from juxta.sector import Battle

Group = dict[str, Any]
Step = Union[Callable[[], object], None]
FACTIONS = ["blue", "red", "green", "yellow"]


def group_of_flock(flock: Flock) -> Group:
    """Boids with their velocities; "ids" are their numbers."""
    at, velocity = flock.positions.T, flock.velocities.T
    group: Group = {"x": at[0], "y": at[1], "heading": tuple(velocity), "ids": flock.numbers, "colour": "vx"}
    if len(at) == 3:
        group["z"] = at[2]
    return {**group, "columns": dict(zip(("vx", "vy", "vz"), velocity)), "size": 0.12}


def group_of_population(population: Population) -> Group:
    """Agents with all columns of numbers. References and columns of C++ types are left out."""
    kinds = {name: kind for name, kind in population.columns.items() if kind is not None and kind != np.uint64}
    columns = {name: population[name] for name in kinds}
    axes = [name for name, wanted in zip([*kinds][:3], "xyz") if name == wanted]
    return with_heading({**{axis: columns.pop(axis) for axis in axes}, "columns": columns, "ids": population.ids})


def group_of_rows(rows: NDArray[Any]) -> Group:
    """Rows of a structured array with "id", "x", "y" and so on."""
    names = [name for name in rows.dtype.names or () if name != "id" and rows[name].dtype != np.uint64]
    axes = [name for name, wanted in zip(names[:3], "xyz") if name == wanted]
    columns = {name: rows[name] for name in names if name not in axes}
    return with_heading({**{axis: rows[axis] for axis in axes}, "columns": columns, "ids": rows["id"]})


def with_heading(group: Group) -> Group:
    """A group with velocities flies along them."""
    velocity = [group["columns"].get(name) for name in ("vx", "vy", "vz")[: 3 if "z" in group else 2]]
    return group if any(part is None for part in velocity) else {**group, "heading": tuple(velocity)}


def things_of(thing: Flock | Simulation | Population | Run | Battle) -> dict[str, Group]:
    """The groups of something of juxta's, as ``things()`` of a world of your own may return them.

    Parameters
    ----------
    thing : Flock, Simulation, Population, models.Run or sector.Battle

    Returns
    -------
    dict of dict
        Change it as you like: add columns, ``"size"`` or ``"mark"``, or groups of your own.
    """
    if isinstance(thing, Flock):
        return {"boids": group_of_flock(thing)}
    if isinstance(thing, Population):
        return {thing.name: group_of_population(thing)}
    if isinstance(thing, Simulation):
        return {name: group_of_population(thing[name]) for name in thing.names}
    if isinstance(thing, Run):
        return {name: group_of_rows(rows) for name, rows in thing.agents[thing.step].items()}
    if isinstance(thing, Battle):
        factions = FACTIONS[: sum(name.startswith("ships_") for name in thing.table.dtype.names or ())]
        look = {"mark": "ship", "size": 4.0, "colour": "faction", "classes": factions}
        return {"ships": {**group_of_rows(thing.ships[thing.tick]), **look}}
    raise TypeError(f"{thing!r:.80} is nothing that has places: give a Flock, Simulation, Population, Run or Battle")


class Shown:
    """Something of juxta's that is not a world by itself."""

    def __init__(self, thing: Any, title: str, step: Step) -> None:
        self.title, self._thing, self._step = title, thing, step

    def things(self) -> dict[str, Group]:
        return things_of(self._thing)

    def step(self) -> None:
        assert self._step is not None
        self._step()


class StillWorld(Shown):
    """A dict of groups. Without a step it stays as it is."""

    def things(self) -> dict[str, Group]:
        return dict(self._thing)

    def step(self) -> None:
        if self._step is not None:
            self._step()


class FlockWorld(Shown):
    @property
    def steps(self) -> int:
        return int(self._thing.steps)


class SimulationWorld(Shown):
    @property
    def steps(self) -> int:
        return int(self._thing.step)

    def bounds(self) -> Any:
        """None where it is open: as large as what is in it."""
        open_sides = "open" in self._thing.edges
        return None if open_sides else (self._thing.lo, self._thing.hi)


class BattleWorld(Shown):
    @property
    def steps(self) -> int:
        return int(self._thing.tick)

    def reports(self) -> dict[str, float]:
        row = self._thing.table[-1]
        return {name: float(row[name]) for name in row.dtype.names if name.startswith("ships_") or name == "bullets"}

    def hash(self) -> int:
        return int(self._thing.state_hash)


class RunWorld(Shown):
    """A model. A restart begins another run and leaves the caller's as it is."""

    def __init__(self, run: Run, step: Step, threads: int | None) -> None:
        self._advance = step is None
        self._threads = threads
        super().__init__(run, run.model, step)

    def step(self) -> None:
        if self._advance:
            self._thing.advance(1, threads=self._threads)
        else:
            super().step()

    @property
    def steps(self) -> int:
        return int(self._thing.step)

    @property
    def parameters(self) -> dict[str, Parameter]:
        if not self._advance:
            return {}  # they act at a restart alone
        ranges = models.parameters(self._thing.model)
        return {name: ranges[name]._replace(value=value) for name, value in self._thing.parameters.items()}

    def reports(self) -> dict[str, float]:
        row = self._thing.table[-1]
        return {name: float(row[name]) for name in row.dtype.names if name != "step"}

    def hash(self) -> int:
        return int(self._thing.state_hash)

    def restart(self, seed: int | None, **parameters: float) -> None:
        if not self._advance:
            raise ValueError("this run cannot begin again: step= was given, and it goes on with the run that it knows")
        chosen = self._thing.seed if seed is None else seed
        self._thing = models.begin(self._thing.model, seed=chosen, set=parameters)


def world_of(world: Any, step: Step, threads: int | None) -> Any:
    """The world to show: `world` itself, or an adapter of it."""
    if step is not None and not callable(step):
        raise TypeError(f"step is {step!r:.80}. Give a function without arguments")
    if isinstance(world, Flock):
        return FlockWorld(world, "flock", step or (lambda: world.step(threads=threads)))
    if isinstance(world, Battle):
        return BattleWorld(world, f"battle: {world.name}", step or (lambda: world.advance(1, threads=threads)))
    if isinstance(world, Run):
        return RunWorld(world, step, threads)
    if isinstance(world, (Simulation, Population)):
        if step is None:
            kind = type(world).__name__
            raise TypeError(f"a {kind} has no step of its own: give step=, a function without arguments")
        name = "simulation" if isinstance(world, Simulation) else world.name
        return (SimulationWorld if isinstance(world, Simulation) else Shown)(world, name, step)
    if isinstance(world, Mapping):
        return StillWorld(world, "world", step)
    if callable(getattr(world, "things", None)) and (step is not None or callable(getattr(world, "step", None))):
        return world
    raise TypeError(
        f"{world!r:.80} is no world: give an object with things() and step(), a dict of groups, or something of "
        "juxta's that docs/python-view.md lists"
    )
