# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Simulation and Population: columns, births and deaths, files."""

import gc
import threading

import numpy as np
import pytest

import juxta


def world_of(n=100, seed=1, **options):
    options = {"dimensions": 2, "edges": "periodic", **options}
    simulation = juxta.Simulation(0, 10, **options)
    sheep = simulation.add_population("sheep")
    rng = np.random.default_rng(seed)
    axes = "xyz"[: options["dimensions"]]
    sheep.insert(**{axis: rng.random(n, np.float32) * 10 for axis in axes})
    return simulation, sheep


def test_world():
    simulation = juxta.Simulation((0, -1, 2), (5, 6, 7), edges=("wall", "open", "periodic"), seed=9)
    assert simulation.lo.tolist() == [0, -1, 2] and simulation.hi.tolist() == [5, 6, 7]
    assert simulation.edges == ("wall", "open", "periodic") and simulation.dimensions == 3 and simulation.seed == 9
    assert len(simulation) == 0 and simulation.names == [] and simulation.step == 0
    simulation.add_population("a")
    simulation.add_population("b")
    assert simulation.names == ["a", "b"] and simulation["b"].name == "b" and len(simulation) == 2
    with pytest.raises(juxta.errors.NotFound, match="'c'"):
        simulation["c"]
    with pytest.raises(juxta.errors.InvalidArgument):
        simulation.add_population("a")
    for wrong in (dict(dimensions=4), dict(edges="round"), dict(edges=("wall", "wall")), dict(edges=3)):
        with pytest.raises(ValueError):
            juxta.Simulation(0, 1, **wrong)
    with pytest.raises(juxta.errors.InvalidArgument):
        juxta.Simulation(1, 0, edges="wall")
    with pytest.raises(juxta.errors.NotFinite):
        juxta.Simulation(0, np.nan, edges="wall")
    with pytest.raises(ValueError, match=r"lo.*one number"):
        juxta.Simulation((0, 0), 1)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "uint32", "uint8"])
def test_columns(dtype):
    _, sheep = world_of(50)
    sheep.add_column("c", 3, dtype=dtype)
    assert sheep["c"].dtype == dtype and sheep["c"].tolist() == [3] * 50
    assert sheep.columns == {"x": np.float32, "y": np.float32, "c": np.dtype(dtype)}
    sheep["c"] = np.arange(50)
    sheep["c"] += 1
    assert sheep["c"].tolist() == list(range(1, 51))
    sheep["c"] = 7
    assert sheep["c"].tolist() == [7] * 50
    sheep["c"][:] = 0  # a copy
    assert sheep["c"].tolist() == [7] * 50
    strided = np.arange(100, dtype=np.int64)[::2]
    sheep["c"] = strided
    assert sheep["c"].tolist() == strided.tolist()


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "uint32"])
def test_columns_of_bytes_that_begin_anywhere(dtype):
    """A view of a file's bytes need not begin where a number may (the sanitizers say so if it is read)."""
    _, sheep = world_of(50)
    sheep.add_column("value", dtype=dtype)
    values = np.arange(50).astype(dtype)
    sheep["value"] = np.frombuffer(b"-" + values.tobytes(), dtype, offset=1)
    assert np.array_equal(sheep["value"], values)


def test_columns_refuse_what_they_cannot_hold():
    _, sheep = world_of(4)
    sheep.add_column("age", 0, dtype=np.int32)
    sheep.add_column("byte", 0, dtype="uint8")
    for values, error in (
        ([0.5] * 4, TypeError), ([2**31] * 4, ValueError), ([1, 2, 3], ValueError), (np.zeros((4, 1)), ValueError),
        ("text", TypeError), ([1j] * 4, TypeError), (None, TypeError),
    ):  # fmt: skip
        with pytest.raises(error):
            sheep["age"] = values
    for value in (-1, 256):
        with pytest.raises(ValueError, match="from 0 to 255"):
            sheep["byte"] = value
    assert sheep["age"].tolist() == [0] * 4
    with pytest.raises(juxta.errors.NotFound, match="'colour'"):
        sheep["colour"]
    with pytest.raises(juxta.errors.NotFound):
        sheep["colour"] = 1
    with pytest.raises(juxta.errors.InvalidArgument):
        sheep.add_column("age")
    with pytest.raises(TypeError, match="float32"):
        sheep.add_column("long", dtype="int64")
    with pytest.raises(ValueError):
        sheep.add_column("many", [1, 2])


def test_insert_gives_ids_and_is_all_or_nothing():
    simulation, sheep = world_of(0)
    sheep.add_column("age", 5, dtype="int32")
    first = sheep.insert(3, x=[1, 2, 3])
    assert sheep["x"].tolist() == [1, 2, 3] and sheep["y"].tolist() == [0] * 3 and sheep["age"].tolist() == [5] * 3
    assert first.dtype == np.uint64 and first.tolist() == sheep.ids.tolist()
    one = sheep.insert(x=4, age=1)
    assert len(one) == 1 and len(sheep) == 4
    two = sheep.insert(x=np.array([5, 6]), age=2)
    assert sheep.rows(two).tolist() == [4, 5] and sheep.rows(int(two[1])) == 5 and sheep.alive(two).all()
    for wrong in (dict(x=[1, 2], y=[1]), dict(count=2, x=[1]), dict(colour=1), dict(age=0.5), dict(count=-1)):
        with pytest.raises((ValueError, TypeError, KeyError)):
            sheep.insert(**wrong)
    assert len(sheep) == 6
    assert len(sheep.insert(0)) == 0 and len(sheep.insert(x=[])) == 0


def test_births_and_deaths_wait_for_the_end_of_the_step():
    simulation, sheep = world_of(10)
    sheep.add_column("number", dtype="int32")
    sheep["number"] = np.arange(10)
    wolves = simulation.add_population("wolves")
    wolves.add_references("prey", sheep)
    wolves.insert(2, prey=sheep.ids[[3, 4]])
    ids = sheep.ids
    sheep.kill(sheep["number"] == 3)
    sheep.kill([5, 5])
    sheep.spawn_like([0, 9])
    sheep.spawn()
    assert len(sheep) == 10
    done = simulation.end_step()
    assert simulation.step == 1 and done["sheep"] == (3, 2, 0) and done["wolves"].nulled == 1
    assert sheep["number"].tolist() == [0, 1, 2, 4, 6, 7, 8, 9, 0, 9, 0]
    assert sheep.alive(ids).tolist() == [i not in (3, 5) for i in range(10)]
    assert sheep.rows(ids)[3] == -1 and sheep.rows(ids)[4] == 3
    assert wolves["prey"].tolist() == [juxta.NO_ID, int(ids[4])]
    for wrong in (99, [0, 99], np.ones(3, bool), [[0]], 0.5, -1):
        with pytest.raises((ValueError, TypeError, OverflowError)):
            sheep.kill(wrong)
    with pytest.raises(juxta.errors.InvalidArgument) as error:
        sheep.spawn_like([0, 1, 11])
    assert error.value.index == 2
    sheep.kill([])
    assert simulation.end_step()["sheep"].died == 0


def test_ids_survive_a_sort():
    _, sheep = world_of(500)
    sheep.add_column("number", dtype="int32")
    sheep["number"] = np.arange(500)
    ids = sheep.ids
    report = sheep.sort(1.0)
    assert report.sorted and report.arrangement in ("rows", "hashed") and report.cells > 0 and sheep.sorted
    assert sheep["number"].tolist() != list(range(500))
    assert sheep["number"][sheep.rows(ids)].tolist() == list(range(500))
    sheep["x"] += np.float32(0.01)
    assert not sheep.sorted
    sheep.sort(1.0, skin=0.5)
    sheep["x"] += np.float32(0.01)
    assert not sheep.sort(1.0, skin=0.5).sorted  # nobody moved by more than half the skin


def test_saved_simulations_go_on_to_the_bit(tmp_path):
    def step(simulation):
        birds = simulation["birds"]
        birds.sort(0.4)
        birds.steer_boids(see_radius=0.4, avoid_radius=0.1, cohere=0.2, avoid=0.1, align=0.1)
        for axis in "xy":
            birds[axis] += birds["v" + axis] * np.float32(0.01)
        birds.kill(birds["x"] < 0.01)
        simulation.end_step()

    simulation = juxta.Simulation(0, 5, dimensions=2, edges="periodic")
    birds = simulation.add_population("birds")
    rng = np.random.default_rng(4)
    birds.add_column("vx")
    birds.add_column("vy")
    birds.insert(**{name: rng.random(300, np.float32) * 5 for name in ("x", "y", "vx", "vy")})
    for _ in range(3):
        step(simulation)
    simulation.save(tmp_path / "world")
    again = juxta.Simulation.load(str(tmp_path / "world"))
    for _ in range(4):
        step(simulation)
        step(again)
    for name in ("x", "y", "vx", "vy"):
        assert birds[name].tobytes() == again["birds"][name].tobytes()
    (tmp_path / "world").write_bytes((tmp_path / "world").read_bytes()[:-9])
    with pytest.raises(juxta.errors.CorruptFile):
        juxta.Simulation.load(tmp_path / "world")
    with pytest.raises(juxta.errors.IoError):
        juxta.Simulation.load(tmp_path / "nothing")
    with pytest.raises(OSError):
        simulation.save(tmp_path / "no" / "folder")


def test_a_population_keeps_its_simulation():
    sheep = world_of(1000)[1]
    gc.collect()
    sheep.sort(1)
    assert len(sheep["x"]) == 1000


def test_changes_beside_a_long_call_are_refused():
    simulation, sheep = world_of(60_000)
    sheep.add_column("n")
    refused, done = [], threading.Event()

    def other():
        while not done.is_set():
            try:
                simulation.end_step()
            except RuntimeError as error:
                refused.append(error)

    thread = threading.Thread(target=other)
    thread.start()
    try:
        for _ in range(200):
            try:
                sheep.sort(0.2)
                sheep.reduce("count", None, "n", radius=0.2)
            except RuntimeError as error:
                refused.append(error)
            except juxta.errors.InvalidArgument as error:  # the other's step ended in between
                assert "sort" in str(error)
            if refused:
                break
    finally:
        done.set()
        thread.join()
    assert refused and len(sheep) == 60_000
