# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Sweeps: juxta.models.sweep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Union

import numpy as np
from numpy.typing import NDArray

from juxta import _runs
from juxta._runs import Path, Progress
from juxta.errors import InvalidArgument

MOST_SEED = 2**53  # the table's numbers are whole up to here
MOST_REPLICAS = 1_000_000


class SweepResult(NamedTuple):
    """What a sweep found."""

    #: str: the model's name.
    model: str
    #: (n,) structured array: "replica", "seed", what varies, "step", what the model reports; by replica, then step.
    table: NDArray[Any]
    #: list of InvalidArgument: replicas whose numbers left what the model allows. ``index`` is the replica.
    diverged: list[InvalidArgument]
    #: int: replicas that were found in the journal.
    resumed: int

    def means(self) -> NDArray[Any]:
        """The mean over all seeds: a row for each combination of what varies and each step.

        Returns
        -------
        (m,) structured array
            What varies, "step", the means of what the model reports. NaN where a replica has no number.
        """
        names = self.table.dtype.names
        assert names is not None
        key_names = [*names[2 : names.index("step") + 1]]
        keys, group = np.unique(self.table[key_names], return_inverse=True)
        rows = np.bincount(group, minlength=len(keys))
        reported = names[names.index("step") + 1 :]
        means = np.empty(len(keys), [(n, self.table.dtype[n]) for n in (*key_names, *reported)])
        for name in key_names:
            means[name] = keys[name]
        for name in reported:
            means[name] = np.bincount(group, self.table[name], len(keys)) / rows
        return means

    def to_pandas(self) -> Any:
        """``table`` as a DataFrame.

        Returns
        -------
        pandas.DataFrame
        """
        return _runs.require_pandas().DataFrame(self.table)


def _seeds(seeds: int | Sequence[int]) -> list[int]:
    if np.ndim(seeds) == 0:
        return [*range(1, _runs.whole(seeds, "seeds", 1, MOST_REPLICAS) + 1)]
    each = [_runs.whole(seed, "a seed", 0, MOST_SEED) for seed in seeds]  # type: ignore[union-attr]
    if not each or len({*each}) != len(each):
        raise ValueError("seeds: give at least one, and each of them once. The same run twice tells nothing")
    return each


def _values(values: Any, name: str) -> list[float]:
    array = np.asarray(values)
    if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "fiu":
        raise ValueError(f"vary, {name}: give a list of numbers. A number that does not vary belongs in set")
    return [float(value) for value in array]


def _varied(vary: Any) -> list[tuple[str, list[float]]]:
    if vary is None:
        return []
    if not isinstance(vary, Mapping):
        raise TypeError(f"vary is {vary!r:.60}. Give a dict of names and lists of numbers")
    return [(_runs.text(name, "a name in vary"), _values(values, name)) for name, values in vary.items()]


def _sampled(sample: Any) -> tuple[str, int, int] | None:
    if sample is None:
        return None
    if not isinstance(sample, Mapping) or not {"kind", "count"} <= sample.keys() <= {"kind", "count", "seed"}:
        raise TypeError(f'sample is {sample!r:.60}. Give a dict: {{"kind": "latin" or "sobol", "count": n}}, and a "seed"')
    return (
        _runs.text(sample["kind"], "sample, kind"),
        _runs.whole(sample["count"], "sample, count", 1, MOST_REPLICAS),
        _runs.whole(sample.get("seed", 1), "sample, seed", 0, MOST_SEED),
    )


def _ranges(varied: list[tuple[str, list[float]]]) -> list[tuple[str, list[float]]]:
    for name, ends in varied:
        if len(ends) != 2:
            raise ValueError(f"vary, {name}: a sample takes its values from a range. Give (from, to)")
    return varied


def sweep(
    model: str | None = None,
    vary: Mapping[str, Union[Sequence[float], NDArray[Any]]] | None = None,
    *,
    file: Path | None = None,
    seeds: int | Sequence[int] = 1,
    preset: str | None = None,
    set: Mapping[str, float] | None = None,
    steps: int | None = None,
    every: int | None = None,
    until: str | None = None,
    sample: Mapping[str, Any] | None = None,
    journal: Path | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> SweepResult:
    """Runs a model with every combination of some parameter values, or with a sample of them, each with several seeds.
    Replicas run side by side, each on one thread. The results are bit for bit those of ``juxta model --sweep``.

    Parameters
    ----------
    model : str
        A name of ``juxta.models.list()``.
    vary : dict of sequences of float
        Values for each parameter that varies. The first parameter varies slowest. With ``sample``: (from, to) of each.
    file : str or os.PathLike
        A TOML file (docs/formats/sweep.md), in place of ``model``, ``vary``, ``seeds``, ``preset``, ``set``, ``steps``,
        ``every``, ``until`` and ``sample``.
    seeds : int or sequence of int
        How many, from 1 on; or which: each from 0 to 2**53.
    preset, set, steps
        As in ``juxta.models.run``.
    every : int, optional
        Rows of the table: every so many steps from step 0 on. Without it: the last step alone.
    journal : str or os.PathLike, optional
        A file that notes each replica when it is finished. After Ctrl-C or a crash, the same call goes on from it.
    threads : int, optional
        0: as many as this process may use. Results never depend on it.
    progress : bool or callable, optional
        True shows a line. A callable gets (stage, done, total), counts replicas, and may return False to stop.

    Returns
    -------
    SweepResult
    """
    noted = "" if journal is None else _runs.path_text(journal)
    threads = _runs.thread_count(threads)
    with _runs.Shown(progress, 0) as shown:
        tell = shown.whole_call()
        if file is not None:
            settings = (model, vary, preset, set, steps, every, until, sample)
            if any(given is not None for given in settings) or np.ndim(seeds) or seeds != 1:
                raise TypeError("file has all settings of the sweep: give journal, threads and progress alone beside it")
            found = _runs.compiled().sweep_file(_runs.path_text(file), noted, threads, tell)
        else:
            if model is None:
                raise TypeError("give the name of a model, or file")
            points = _sampled(sample)
            found = _runs.compiled().sweep(
                _runs.text(model, "model"),
                _varied(vary) if points is None else _ranges(_varied(vary)),
                points,
                _seeds(seeds),
                "" if preset is None else _runs.text(preset, "preset"),
                _runs.settings(set),
                None if steps is None else _runs.whole(steps, "steps"),
                0 if every is None else _runs.whole(every, "every", 1),
                None if until is None else _runs.text(until, "until"),
                noted,
                threads,
                tell,
            )
    table, resumed, diverged, name, _ = found
    errors = []
    for replica, message in diverged:
        errors.append(InvalidArgument(message))
        errors[-1].index = replica
    return SweepResult(name, table, errors, resumed)
