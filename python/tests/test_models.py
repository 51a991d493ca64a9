# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""juxta.models: runs, recordings, interrupts; the same bits as the command."""

import io
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from command import run_json

import juxta

pytest.importorskip("juxta._study", reason="built without models")
STEPS = {"schelling": 10, "wolf_sheep": 20, "flocking": 10, "flock_3d": 5, "forest_fire": 30, "lennard_jones": 5, "ants": 40,
         "tissue": 10}


def assert_same_rows(a, b):
    assert a.dtype == b.dtype and a.tobytes() == b.tobytes()


def read_csv(path):
    return np.genfromtxt(path, delimiter=",", names=True, deletechars="")


def test_list_info_and_parameters():
    names = juxta.models.list()
    assert set(STEPS) | {"dam_break"} == set(names)
    for name in names:
        info = juxta.models.info(name)
        assert info.what and info.steps > 0 and info.parameters == juxta.models.parameters(name)
        for p in info.parameters.values():
            assert p.lo <= p.value <= p.hi and p.what and (not p.whole or p.value == int(p.value))
        for preset, (values, steps) in info.presets.items():
            chosen = juxta.models.parameters(name, preset)
            assert steps > 0 and all(chosen[key].value == value for key, value in values.items())
            assert all(chosen[key] == info.parameters[key] for key in chosen if key not in values)
    assert any(juxta.models.info(name).presets for name in names)


@pytest.mark.parametrize("model,steps", STEPS.items())
def test_bits_of_the_command(model, steps, tmp_path):
    told = run_json("model", model, "--steps", steps, "--seed", 5, "--agents", steps, "--out", tmp_path)
    run = juxta.models.run(model, steps=steps, seed=5, agents_every=steps, threads=2)
    assert run.step == told["step"] == steps and run.seed == 5
    assert f"{run.state_hash:016x}" == told["state"]
    assert run.parameters == told["parameters"]
    theirs = read_csv(tmp_path / "steps.csv")
    assert theirs.dtype.names == run.table.dtype.names
    for name in run.table.dtype.names:
        assert np.array_equal(run.table[name], theirs[name], equal_nan=True), name
    for population, agents in run.agents[steps].items():
        theirs = read_csv(tmp_path / f"{population}.csv")
        theirs = np.atleast_1d(theirs[theirs["step"] == steps])
        for name in theirs.dtype.names[1:]:
            assert np.array_equal(agents[name].astype(float), theirs[name], equal_nan=True), (population, name)


def test_preset_and_set():
    preset = next(iter(juxta.models.info("schelling").presets))
    run = juxta.models.run("schelling", preset=preset, steps=2, set={"radius": 2})
    expected = {key: p.value for key, p in juxta.models.parameters("schelling", preset).items()}
    assert run.parameters == {**expected, "radius": 2.0}
    begun = juxta.models.begin("schelling", preset=preset)
    assert begun.step == 0 and len(begun.table) == 1
    small = juxta.models.run("forest_fire", set={"size": 20})
    assert small.step == juxta.models.info("forest_fire").steps
    large = juxta.models.begin("forest_fire", preset="large", set={"size": 20})
    assert large.advance().step == juxta.models.info("forest_fire").presets["large"].steps == 1000


def test_results_never_depend_on_threads_or_parts():
    whole = juxta.models.run("flocking", steps=12, threads=1)
    parts = juxta.models.begin("flocking", steps=12)
    parts.advance(5, threads=2).advance(threads=3)
    assert parts.step == 12 and parts.state_hash == whole.state_hash
    assert_same_rows(parts.table, whole.table)
    assert parts.advance().step == 12  # nothing is missing of what was planned
    assert juxta.models.run("flocking", steps=12, seed=2).state_hash != whole.state_hash


def test_table_is_a_structured_array():
    table = juxta.models.run("wolf_sheep", steps=3).table
    assert table.shape == (4,) and table.dtype["step"] == np.int64
    assert all(table.dtype[name] == np.float64 for name in table.dtype.names[1:])
    assert table["step"].tolist() == [0, 1, 2, 3]


def test_recordings():
    run = juxta.models.run("wolf_sheep", steps=7, agents_every=3)
    assert [*run.agents] == [0, 3, 6, 7] and len(run.agents) == 4 and 5 not in run.agents
    for step, agents in run.agents.items():
        row = run.table[run.table["step"] == step]
        for population in ("wolves", "sheep"):
            assert len(agents[population]) == row[population][0]
            assert len(np.unique(agents[population]["id"])) == len(agents[population])
    one = juxta.models.begin("wolf_sheep").advance(3)
    assert_same_rows(one.agents[3]["sheep"], run.agents[3]["sheep"])
    assert [*one.agents] == [3]  # the step that it is at, and no other
    with pytest.raises(KeyError, match="step 4 was not recorded. There are: 0, 3, 6, 7"):
        run.agents[4]
    run.advance(3)
    assert [*run.agents] == [0, 3, 6, 9, 10]


def test_recordings_have_types_of_their_own():
    birds = juxta.models.begin("flocking").agents[0]
    (birds,) = birds.values()
    assert birds.dtype["id"] == np.uint64 and birds.dtype["x"] == np.float32
    birds["x"] = 0  # a copy: the run does not notice
    assert juxta.models.begin("flocking").agents[0] is not None


def test_pandas():
    pandas = pytest.importorskip("pandas")
    run = juxta.models.run("wolf_sheep", steps=4, agents_every=2)
    frame = run.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame["step"].tolist() == [0, 1, 2, 3, 4]
    sheep = run.agents.to_pandas("sheep")
    assert [*sheep.columns[:2]] == ["step", "id"] and sheep["step"].unique().tolist() == [0, 2, 4]
    assert (sheep.groupby("step").size().to_numpy() == run.table["sheep"][[0, 2, 4]]).all()
    with pytest.raises(ValueError, match="give one of"):
        run.agents.to_pandas()
    with pytest.raises(KeyError, match="there is no population 'goats'"):
        run.agents.to_pandas("goats")


def test_save_and_load(tmp_path):
    whole = juxta.models.run("schelling", steps=8)
    juxta.models.begin("schelling", steps=8).advance(3).save(tmp_path / "run.jxr")
    loaded = juxta.models.load(tmp_path / "run.jxr", agents_every=2)
    assert loaded.step == 3 and loaded.model == "schelling"
    loaded.advance()
    assert loaded.step == 8 and loaded.state_hash == whole.state_hash and [*loaded.agents] == [4, 6, 8]
    assert_same_rows(loaded.table, whole.table)
    (tmp_path / "other.jxr").write_bytes(b"something else")
    with pytest.raises(juxta.errors.CorruptFile, match="other.jxr"):
        juxta.models.load(tmp_path / "other.jxr")
    with pytest.raises(OSError):
        juxta.models.load(tmp_path / "none.jxr")
    with pytest.raises(OSError):
        loaded.save(tmp_path / "no folder" / "run.jxr")


def test_draw():
    picture = juxta.models.run("schelling", steps=1).draw(200)
    assert picture.dtype == np.uint8 and picture.shape[2] == 3 and max(picture.shape) == 200
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 1


def interrupt_soon(seconds=0.4):
    threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()


@pytest.mark.parametrize("every", [None, 1])
def test_ctrl_c_ends_between_two_steps(every):
    interrupt_soon()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt) as stopped:
        juxta.models.run("wolf_sheep", steps=10_000_000, agents_every=every)
    assert time.monotonic() - began < 20
    run = stopped.value.run
    done = run.step
    assert done > 0 and run.table["step"].tolist() == [*range(done + 1)]
    assert [*run.agents] == ([*range(done + 1)] if every else [done])
    run.advance(2)
    assert run.state_hash == juxta.models.run("wolf_sheep", steps=done + 2).state_hash


def test_progress_counts_all_steps_and_may_stop():
    calls = []
    juxta.models.run("schelling", steps=6, agents_every=2, progress=lambda *c: calls.append(c))
    assert calls[-1] == ("schelling", 6, 6) and all(total == 6 for _, _, total in calls)
    with pytest.raises(juxta.errors.Cancelled) as stopped:
        juxta.models.run("wolf_sheep", steps=10_000_000, progress=lambda stage, done, total: done < 4)
    run = stopped.value.run
    assert 4 <= run.step < 10_000_000
    with pytest.raises(ZeroDivisionError) as stopped:
        juxta.models.run("wolf_sheep", steps=10_000_000, progress=lambda *_: 1 / 0)
    assert 0 < stopped.value.run.step < 10_000_000
    done = run.step
    assert run.advance(1).step == done + 1


def test_progress_line(monkeypatch):
    from juxta import _progress

    shown = io.StringIO()
    monkeypatch.setattr(_progress.Display.__init__, "__defaults__", (shown, 0.0, False))
    juxta.models.run("schelling", steps=40, agents_every=1, progress=True)
    assert "schelling  [####" in shown.getvalue() and "100 %" in shown.getvalue()
    assert shown.getvalue().endswith("\r") and not shown.getvalue().split("\r")[-2].strip()


def test_two_threads_of_python():
    """The GIL is released; a second call on the same run is refused."""
    run, other = juxta.models.begin("flock_3d"), juxta.models.begin("flock_3d", seed=2)
    refused, done = [], threading.Event()

    def work():
        try:
            run.advance(60)
        finally:
            done.set()

    worker = threading.Thread(target=work)
    worker.start()
    while not done.is_set():
        try:
            run.advance(0)
            run.state_hash
        except RuntimeError as error:
            refused.append(error)
        other.advance(1)
    worker.join()
    assert run.step == 60 and other.step > 0
    assert refused and "another call is" in str(refused[0])


def test_a_run_that_diverges_keeps_its_table():
    with pytest.raises(juxta.errors.InvalidArgument, match="lennard_jones, step") as stopped:
        juxta.models.run("lennard_jones", steps=200, set={"cells": 4, "temperature": 10, "dt": 0.02})
    run = stopped.value.run
    assert len(run.table) == run.step + 1
    with pytest.raises(ValueError, match="cannot go on"):
        run.advance(1)


@pytest.mark.parametrize(
    "arguments,error,sentence",
    [
        (("shelling",), KeyError, "there is no model 'shelling'. There are: .*schelling"),
        ((5,), KeyError, "no model 5"),
        (("schelling", {"preset": "huge"}), KeyError, "huge"),
        (("schelling", {"preset": 5}), TypeError, "preset is 5. Give a str"),
        (("schelling", {"set": {"radiu": 1}}), KeyError, "radiu.*radius"),
        (("schelling", {"set": {"radius": "x"}}), TypeError, "radius is 'x'. Give a number"),
        (("schelling", {"set": {"radius": -1}}), ValueError, "radius = -1 is not allowed"),
        (("schelling", {"set": {"radius": float("nan")}}), ValueError, "radius"),
        (("schelling", {"set": 5}), TypeError, "set is 5. Give a dict"),
        (("schelling", {"set": {5: 5}}), TypeError, "a name in set is 5"),
        (("schelling", {"seed": -1}), ValueError, "seed is -1. Give a whole number from 0 to"),
        (("schelling", {"seed": 2**64}), ValueError, "seed is"),
        (("schelling", {"seed": 1.5}), TypeError, "seed is 1.5"),
        (("schelling", {"steps": -1}), ValueError, "steps is -1"),
        (("schelling", {"steps": 2**32}), ValueError, "steps is"),
        (("schelling", {"steps": True}), TypeError, "steps is True"),
        (("schelling", {"agents_every": 0}), ValueError, "agents_every is 0"),
        (("schelling", {"threads": -1, "steps": 1}), ValueError, "threads is -1"),
        (("schelling", {"threads": "x", "steps": 1}), ValueError, "threads is 'x'"),
        (("schelling", {"progress": 7, "steps": 1}), TypeError, "progress is neither"),
    ],
)
def test_wrong_arguments(arguments, error, sentence):
    name, options = (*arguments, {})[:2]
    with pytest.raises(error, match=sentence):
        juxta.models.run(name, **options)


def test_other_wrong_arguments():
    run = juxta.models.begin("schelling")
    for call, error in [
        (lambda: run.draw(0), ValueError),
        (lambda: run.draw(10**6), ValueError),
        (lambda: run.draw("x"), TypeError),
        (lambda: run.advance(-1), ValueError),
        (lambda: run.save(5), TypeError),
        (lambda: juxta.models.load(5), TypeError),
        (lambda: juxta.models.parameters("schelling", "none such"), KeyError),
    ]:
        with pytest.raises(error):
            call()
    assert run.step == 0 and "schelling at step 0" in repr(run) and "1 steps" in repr(run.agents)


def test_a_build_without_models_says_what_was_missing(tmp_path):
    from juxta import _runs

    assert "it was built without them" in _runs.missing_sentence(tmp_path / "none")
    (tmp_path / "note").write_text("HDF5 (libhdf5-dev)\n")
    assert "these were missing: HDF5 (libhdf5-dev). Install" in _runs.missing_sentence(tmp_path / "note")
    hidden = "import sys; sys.modules['juxta._study'] = None; import juxta; juxta.models.list()"
    done = subprocess.run([sys.executable, "-c", hidden], capture_output=True, text=True)
    assert done.returncode == 1 and "ImportError: this installation of juxta has no models" in done.stderr, done.stderr
