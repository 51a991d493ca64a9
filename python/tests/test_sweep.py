# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""juxta.models.sweep: arguments or a file, the same table as the command, resumed after Ctrl-C."""

import pathlib
import re
import signal

import numpy as np
import pytest
from command import run_json

import juxta

pytest.importorskip("juxta._study", reason="built without models")
SWEEP = """
model = "schelling"
steps = 6
every = 3
seeds = 3
[set]
happy = 3
[vary]
agents = [500, 900]
radius = [1, 2]
"""
SAME = {"steps": 6, "every": 3, "seeds": 3, "set": {"happy": 3}}
VARY = {"agents": [500, 900], "radius": np.array([1, 2])}


def test_bits_of_the_command(tmp_path):
    (tmp_path / "sweep.toml").write_text(SWEEP)
    out = tmp_path / "out"
    run_json("model", "--sweep", tmp_path / "sweep.toml", "--out", out)
    theirs = np.genfromtxt(out / "sweep.csv", delimiter=",", names=True, deletechars="")
    swept = juxta.models.sweep("schelling", VARY, threads=2, **SAME)
    from_file = juxta.models.sweep(file=tmp_path / "sweep.toml")
    assert swept.table.tobytes() == from_file.table.tobytes() and swept.model == from_file.model == "schelling"
    assert swept.table.dtype == from_file.table.dtype and len(swept.table) == 2 * 2 * 3 * 3
    assert swept.table.dtype.names == theirs.dtype.names and not swept.diverged
    for name in swept.table.dtype.names:
        assert np.array_equal(swept.table[name], theirs[name], equal_nan=True), name


def test_rows_are_those_of_runs():
    swept = juxta.models.sweep("wolf_sheep", seeds=[4, 9], steps=5)
    assert [swept.table.dtype[name] for name in ("replica", "seed", "step")] == [np.int64] * 3
    for row, seed in zip(swept.table, (4, 9)):
        run = juxta.models.run("wolf_sheep", seed=seed, steps=5)
        assert row["seed"] == seed and row["step"] == 5
        assert all(row[name] == run.table[name][-1] for name in run.table.dtype.names)


def test_means():
    swept = juxta.models.sweep("schelling", VARY, **SAME)
    means = swept.means()
    assert len(means) == 2 * 2 * 3 and means.dtype.names[:3] == ("agents", "radius", "step")
    for row in means:
        same = np.all([swept.table[name] == row[name] for name in ("agents", "radius", "step")], axis=0)
        assert same.sum() == 3
        for name in means.dtype.names[3:]:
            assert row[name] == pytest.approx(swept.table[name][same].mean(), nan_ok=True)


def test_pandas():
    pandas = pytest.importorskip("pandas")
    frame = juxta.models.sweep("schelling", VARY, **SAME).to_pandas()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 36 and frame["agents"].nunique() == 2


def test_ctrl_c_and_the_journal(tmp_path):
    journal = tmp_path / "sweep.journal"
    options = {"seeds": 400, "steps": 30, "journal": journal}

    def interrupt(stage, done, total):
        if done >= 5:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        juxta.models.sweep("wolf_sheep", progress=interrupt, **options)
    again = juxta.models.sweep("wolf_sheep", threads=2, **options)
    assert again.resumed >= 5
    assert again.table.tobytes() == juxta.models.sweep("wolf_sheep", **{**options, "journal": None}).table.tobytes()
    assert juxta.models.sweep("wolf_sheep", **options).resumed == 400
    with pytest.raises(ValueError, match="another sweep|that of"):
        juxta.models.sweep("wolf_sheep", **{**options, "steps": 31})


def test_progress():
    calls = []
    juxta.models.sweep("schelling", seeds=5, steps=1, progress=lambda *c: calls.append(c))
    assert calls[-1] == ("replicas", 5, 5)
    with pytest.raises(juxta.errors.Cancelled):
        juxta.models.sweep("schelling", seeds=500, steps=500, progress=lambda *_: False)


def test_replicas_that_diverge():
    hot = {"cells": 4, "temperature": 10}
    swept = juxta.models.sweep("lennard_jones", {"dt": [0.001, 0.02]}, set=hot, steps=50)
    assert [error.index for error in swept.diverged] == [1] and "replica 1" in str(swept.diverged[0])
    assert set(swept.table["dt"]) == {0.001} and len(swept.means()) == 1
    nothing = juxta.models.sweep("lennard_jones", set={**hot, "dt": 0.02}, steps=50)
    assert len(nothing.table) == 0 and len(nothing.diverged) == 1


@pytest.mark.parametrize(
    "options,error,sentence",
    [
        ({"vary": [1, 2]}, TypeError, r"vary is \[1, 2\]. Give a dict"),
        ({"vary": {"radius": 2}}, ValueError, "vary, radius: give a list"),
        ({"vary": {"radius": []}}, ValueError, "vary, radius"),
        ({"vary": {"radius": ["a"]}}, ValueError, "vary, radius"),
        ({"vary": {"radius": [[1, 2]]}}, ValueError, "vary, radius"),
        ({"vary": {"radius": [1, -5]}}, ValueError, "radius = -5 is not allowed"),
        ({"vary": {"radiu": [1]}}, KeyError, "radiu"),
        ({"vary": {5: [1]}}, TypeError, "a name in vary is 5"),
        ({"seeds": 0}, ValueError, "seeds is 0"),
        ({"seeds": []}, ValueError, "give at least one"),
        ({"seeds": [1, 1]}, ValueError, "each of them once"),
        ({"seeds": [2**60]}, ValueError, "a seed is"),
        ({"seeds": [1.5]}, TypeError, "a seed is 1.5"),
        ({"seeds": 10**6, "vary": {"radius": [1, 2]}}, ValueError, "2000000 replicas are more"),
        ({"every": 0}, ValueError, "every is 0"),
        ({"threads": 2000}, ValueError, "threads is 2000"),
        ({"file": "x.toml"}, TypeError, "file has all settings"),
        ({"until": 3}, TypeError, "until is 3. Give a str"),
        ({"until": "happy"}, juxta.errors.ParseError, "happy"),
        ({"until": "hapy > 1", "steps": 2}, KeyError, "hapy"),
        ({"sample": "latin"}, TypeError, "sample is 'latin'. Give a dict"),
        ({"sample": {"kind": "latin"}}, TypeError, "Give a dict"),
        ({"sample": {"kind": "latin", "count": 2, "sed": 1}}, TypeError, "Give a dict"),
        ({"sample": {"kind": "grid", "count": 2}, "vary": {"radius": (1, 2)}}, ValueError, "sample, kind is 'grid'"),
        ({"sample": {"kind": "latin", "count": 0}}, ValueError, "sample, count is 0"),
        ({"sample": {"kind": "latin", "count": 2, "seed": -1}}, ValueError, "sample, seed is -1"),
        ({"sample": {"kind": "latin", "count": 2}, "vary": {"radius": [1, 2, 3]}}, ValueError, r"Give \(from, to\)"),
        ({"sample": {"kind": "latin", "count": 2}, "vary": {"radius": (1, 99)}}, ValueError, "radius"),
        ({"sample": {"kind": "latin", "count": 2}, "vary": {"radiu": (1, 2)}}, KeyError, "radiu"),
        ({"sample": {"kind": "latin", "count": 2}}, ValueError, "one parameter that varies"),
    ],
)
def test_wrong_arguments(options, error, sentence):
    with pytest.raises(error, match=sentence):
        juxta.models.sweep("schelling", **options)


def test_wrong_files(tmp_path):
    with pytest.raises(TypeError, match="name of a model"):
        juxta.models.sweep()
    with pytest.raises(OSError):
        juxta.models.sweep(file=tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text('model = "schelling"\nseeds = 1\nstep = 3\n')
    with pytest.raises(juxta.errors.ParseError, match="'step' is not known") as found:
        juxta.models.sweep(file=tmp_path / "bad.toml")
    assert found.value.line == 3


def test_stop_conditions_and_samples_of_a_file(tmp_path):
    (tmp_path / "sweep.toml").write_text("""model = "schelling"
steps = 30
until = "happy >= 0.95"
seeds = 2
sample = { kind = "latin", count = 8 }
[vary]
agents = { from = 800, to = 1599 }
""")
    swept = juxta.models.sweep(file=tmp_path / "sweep.toml", threads=2)
    assert len(swept.table) == 16 and len({*swept.table["step"]}) > 1
    met = swept.table["happy"] >= 0.95
    assert met[swept.table["step"] < 30].all()
    assert sorted((swept.table["agents"][::2] - 800) // 100) == [*range(8)]  # one point in each eighth of the range
    out = tmp_path / "out"
    run_json("model", "--sweep", tmp_path / "sweep.toml", "--out", out)
    theirs = np.genfromtxt(out / "sweep.csv", delimiter=",", names=True, deletechars="")
    assert all(np.array_equal(swept.table[name], theirs[name]) for name in swept.table.dtype.names)


def test_stop_conditions_and_samples_are_those_of_files(tmp_path):
    """until= and sample= give the table of a file that says the same, and of the command."""
    for kind, seed in (("latin", 1), ("sobol", 0), ("sobol", 7)):
        (tmp_path / "sweep.toml").write_text(f"""model = "schelling"
steps = 30
every = 7
until = "happy >= 0.95"
seeds = 2
sample = {{ kind = "{kind}", count = 8, seed = {seed} }}
[vary]
agents = {{ from = 800, to = 1599 }}
radius = {{ from = 1, to = 3 }}
""")
        want = juxta.models.sweep(file=tmp_path / "sweep.toml", threads=2)
        got = juxta.models.sweep("schelling", {"agents": (800, 1599), "radius": np.array([1, 3])}, seeds=2, steps=30, every=7,
                                 until="happy >= 0.95", sample={"kind": kind, "count": 8, "seed": seed}, threads=2)
        assert got.table.tobytes() == want.table.tobytes() and len({*got.table["agents"]}) == 8
        ends = [got.table[got.table["replica"] == r][-1] for r in range(16)]
        assert all(end["happy"] >= 0.95 or end["step"] == 30 for end in ends)
        assert len({*got.table["radius"]}) == 3 and any(end["step"] < 30 for end in ends)
    out = tmp_path / "out"
    run_json("model", "--sweep", tmp_path / "sweep.toml", "--out", out)
    theirs = np.genfromtxt(out / "sweep.csv", delimiter=",", names=True, deletechars="")
    assert all(np.array_equal(got.table[name], theirs[name]) for name in got.table.dtype.names)


def test_the_journal_knows_stop_conditions(tmp_path):
    options = {"seeds": 3, "steps": 20, "journal": tmp_path / "sweep.journal"}
    juxta.models.sweep("schelling", until="happy >= 0.9", **options)
    assert juxta.models.sweep("schelling", until="happy >= 0.9", **options).resumed == 3
    with pytest.raises(ValueError, match="another sweep|that of"):
        juxta.models.sweep("schelling", until="happy >= 0.8", **options)


def test_the_file_of_the_page_about_the_format(tmp_path):
    page = (pathlib.Path(__file__).parents[2] / "docs/formats/sweep.md").read_text()
    (tmp_path / "sweep.toml").write_text(re.search(r"```\n(model = .*?)```", page, re.S)[1])
    swept = juxta.models.sweep(file=tmp_path / "sweep.toml", threads=2)
    assert swept.table.dtype.names[:5] == ("replica", "seed", "agents", "radius", "step") and len(swept.table) == 4000
