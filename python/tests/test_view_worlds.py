# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What juxta.view accepts as a world, what it refuses and with which words; the worlds that juxta has itself."""

import pathlib
import sys

import numpy as np
import pytest

import juxta

sys.path.append(str(pathlib.Path(__file__).parents[2] / "tests/tool"))
from view_client import WebSocket  # noqa: E402  (a page, as the tests of the command have it)

pytest.importorskip("juxta._view", reason="built without the viewer")
ANYWHERE = ([-np.inf] * 3, [np.inf] * 3)


@pytest.fixture
def server():
    with juxta.view.Server(port=0, paused=True) as one:
        yield one


@pytest.mark.parametrize("dtype", "f2 f4 f8 >f4 >f8 i1 i2 i4 i8 u1 u2 u4 u8 ?".split())
def test_all_types_of_numbers(server, dtype):
    values = np.array([0, 1, 1, 0, 1], dtype)
    columns = {"c": values, "every other": np.repeat(values, 2)[::2]}
    group = {"x": values, "y": values[::-1], "sizes": values, "columns": columns}
    found = server.start({"a": group}).client.select(*ANYWHERE)["a"]
    for name, wanted in [("x", values), ("y", values[::-1]), ("c", values), ("every other", values)]:
        assert found[name].tolist() == wanted.astype(float).tolist(), name


def test_exact_numbers_in_columns(server):
    columns = {"u4": np.array([2**32 - 1], "u4"), "i8": np.array([-(2**53)]), "f8": np.array([0.1])}
    columns["i2"] = np.array([-7], "i2")
    group = {"x": [1], "y": [2], "ids": np.array([2**64 - 1], "u8"), "columns": columns}
    row = server.start({"a": group}).client.select(*ANYWHERE)["a"][0]
    assert row.tolist() == (2**64 - 1, 1, 2, 0, 2**32 - 1, -(2**53), 0.1, -7)


def test_columns_that_are_called_like_fields(server):
    group = {"x": [1], "y": [2], "columns": {"x": [3], "id": [4], "x_": [5]}}
    row = server.start({"a": group}).client.select(*ANYWHERE)["a"]
    assert row.dtype.names == ("id", "x", "y", "z", "x_", "id_", "x__") and row[0].tolist() == (0, 1, 2, 0, 3, 4, 5)


def test_looks(server):
    looks = {"mark": "rock", "size": 2.5, "colour": "kind", "classes": ["good", "bad"]}
    fly = (np.ones(2), np.zeros(2))
    info = server.start({
        "rocks": {"x": [0, 1], "y": [0, 1], "z": [0, 8], "columns": {"kind": [0, 1]}, **looks},
        "birds": {"x": [0, 1], "y": [0, 1], "heading": fly},
    }).client.info()  # fmt: skip
    rocks, birds = info["groups"]
    assert {key: rocks[key] for key in looks} == looks and not rocks["heading"]
    assert (birds["mark"], birds["heading"], birds["colour"], info["dimensions"]) == ("dart", True, None, 3)
    assert info["hi"][2] == pytest.approx(8.4)  # around all that is there, a twentieth larger


@pytest.mark.parametrize("change,error,words", [
    ({"x": None}, ValueError, "a: x is missing"),
    ({"y": [1, 2]}, ValueError, "a: y has 2 numbers, but there are 3 in x"),
    ({"z": [1]}, ValueError, "a: z has 1 numbers"),
    ({"x": np.zeros((3, 2))}, ValueError, r"a: x has shape \(3, 2\). Give one number for each thing"),
    ({"x": 5.0}, ValueError, r"a: x has shape \(\)"),
    ({"x": ["1", "2", "3"]}, TypeError, "a: x holds <U1. Give real numbers"),
    ({"x": np.zeros(3, complex)}, TypeError, "a: x holds complex128"),
    ({"heading": (np.zeros(3),)}, ValueError, "a: heading has 1 parts"),
    ({"heading": np.zeros((2, 4))}, ValueError, "a: heading has 4 numbers"),
    ({"sizes": [1]}, ValueError, "a: sizes has 1 numbers"),
    ({"columns": {"c": [1]}}, ValueError, "a: column 'c' has 1 numbers"),
    ({"columns": [1]}, TypeError, "a: columns is"),
    ({"ids": [1.5, 2, 3]}, TypeError, "a: ids holds float64. Give whole numbers"),
    ({"ids": [-1, 2, 3]}, ValueError, "a: ids has -1 in it"),
    ({"mark": "star"}, ValueError, "mark is 'star'. Give one of dot, dart"),
    ({"size": -1}, ValueError, "a: size is -1"),
    ({"size": "big"}, TypeError, "a: size is 'big'"),
    ({"colour": "c"}, ValueError, "a: colour is 'c'. Give the name of a column: there is none"),
    ({"classes": "no"}, TypeError, "a: classes is 'no'"),
    ({"color": "c"}, ValueError, "there is no 'color'. A group has x, y"),
])  # fmt: skip
def test_wrong_groups(server, change, error, words):
    with pytest.raises(error, match=words):
        server.start({"a": {"x": np.zeros(3), "y": np.zeros(3), **change}})
    assert not server.running


def test_frames_are_the_arrays():
    """While lengths change at full speed, what a page gets is a state that there was."""
    rng = np.random.default_rng(6)

    class Changing:
        def __init__(self):
            self.n = 10

        def things(self):
            self.at = rng.random((3, self.n)).astype(np.float32)
            motion = tuple(rng.normal(size=(3, self.n)))
            sizes = np.full(self.n, self.n)
            places = dict(zip("xyz", self.at))
            return {"a": {**places, "heading": motion, "sizes": sizes, "columns": {"c": sizes}, "colour": "c"}}

        def step(self):
            self.n = int(rng.integers(1, 500))

    world = Changing()
    with juxta.view.Server(port=0, threads=2) as server:
        server.start(world, speed=0)
        with WebSocket(server.port) as page:
            page.say(watch={"colour": ["c"], "rate": 60})
            for _ in range(40):
                group = page.frame().groups[0]
                assert group["sent"] == group["total"] == len(group["places"][2]) == len(group["size"])
                assert len(group["heading"]) == 4 * group["sent"]
            server.client.pause()
            last = server.client.step()["step"]
            frame = page.frame()
            while frame.step != last:
                frame = page.frame()
    group = frame.groups[0]
    assert group["sent"] == world.n
    for got, wanted in zip(group["places"], world.at):
        assert np.abs(np.sort(got) - np.sort(wanted)).max() <= 0.51 * group["step"] + 1e-6


class Settable:
    """A world whose parts tests replace."""

    def __init__(self, **parts):
        self.group = {"x": [1.0, 2.0], "y": [1.0, 2.0], "columns": {"c": [1, 2]}}
        self.others = {}
        vars(self).update(parts)

    def things(self):
        return {"a": self.group, **self.others}

    def step(self):
        pass


@pytest.mark.parametrize("parts,words", [
    ({"bounds": ((0, 0), (0, 1))}, "bounds is"),
    ({"bounds": 5}, "bounds is 5"),
    ({"parameters": {"p": 5}}, "the parameter 'p' is 5"),
    ({"parameters": {"p": (1, 2)}}, r"the parameter 'p' is \(1, 2\)"),
    ({"parameters": {"p": {"value": 1}}}, "the parameter 'p' is"),
    ({"parameters": {"p": (9, 0, 1)}}, "the parameter 'p' is 9.0. Give a value from 0.0 to 1.0"),
    ({"reports": lambda: [1]}, "what reports\\(\\) returns is"),
    ({"reports": lambda: {"r": "no"}}, "the report 'r' is 'no'"),
    ({"things": lambda: {}}, "no groups"),
    ({"things": lambda: [1]}, "what things\\(\\) returns is"),
])  # fmt: skip
def test_wrong_worlds(server, parts, words):
    with pytest.raises((ValueError, TypeError), match=words):
        server.start(Settable(**parts))


def test_what_is_no_world(server):
    for wrong in (5, np.zeros(3), object(), juxta.RankedPoints([1.0], [1.0], [1])):
        with pytest.raises(TypeError, match="is no world"):
            server.start(wrong)
    with pytest.raises(TypeError, match="no step of its own"):
        server.start(juxta.Simulation(0, 1))
    with pytest.raises(TypeError, match="step is 5"):
        server.start(Settable(), step=5)
    with pytest.raises(ValueError, match="speed is -1"):
        server.start(Settable(), speed=-1)
    for port in (-1, 65536, "no"):
        with pytest.raises((ValueError, TypeError), match="port is"):
            juxta.view.Server(port=port)


@pytest.mark.parametrize("change,words", [
    (lambda world: world.group.update(y=[1.0]), "a: y has 1 numbers, but there are 2 in x"),
    (lambda world: world.group.update(columns={"d": [1, 2]}), "a: columns are .'d'., but were .'c'."),
    (lambda world: world.others.update(b=world.group), "has the groups .'a', 'b'., but had .'a'."),
    (lambda world: world.group.pop("x"), "a: x is missing"),
    (lambda world: world.group.update(x="no"), "a: x holds"),
])  # fmt: skip
def test_worlds_that_go_wrong_later(server, change, words):
    world = Settable()
    client = server.start(world, step=lambda: change(world)).client
    with pytest.raises(juxta.errors.InvalidArgument, match=words):
        client.step()
    assert client.status()["ended"] and client.select(*ANYWHERE).found == 0


def test_errors_of_other_methods(server):
    def broken(*_, **__):
        raise RuntimeError("no luck")

    parts = {"set": broken, "restart": broken, "more": broken, "hash": broken, "parameters": {"p": (0, 0, 1)}}
    client = server.start(Settable(**parts)).client
    for ask in (lambda: client.set("p", 1), client.restart):
        with pytest.raises(juxta.errors.InvalidArgument, match="RuntimeError: no luck"):
            ask()
    assert "no luck" in client.entity("a", 0).more["error"] and client.step()["ended"] is None
    with pytest.raises(juxta.errors.InvalidArgument, match="no hash"):
        client.hash()


def test_flocks(server):
    flock = juxta.Flock(half_size=20, dimensions=3)
    flock.scatter(300, seed=4)
    client = server.start(flock).client
    assert client.step(5)["step"] == flock.steps == 5
    rows = client.select(*ANYWHERE)["boids"]
    assert rows["id"].tolist() == flock.numbers.tolist()
    assert np.array_equal(np.stack([rows[axis] for axis in "xyz"], 1), flock.positions.astype(float))
    assert np.array_equal(rows["vz"], flock.velocities[:, 2].astype(float))


def test_simulations_and_populations(server):
    world = juxta.Simulation(0, 10, dimensions=2, edges="wall", seed=2)
    agents = world.add_population("agents")
    agents.add_column("vx")
    agents.add_column("vy")
    agents.add_column("kind", dtype="uint8")
    agents.add_references("friend", agents)
    agents.insert(x=np.arange(9), y=np.arange(9), kind=np.arange(9), vx=0.5)

    def step():
        agents["x"] = agents["x"] + agents["vx"]
        agents.kill([0])
        world.end_step()

    client = server.start(world, step=step).client
    info = client.info()
    assert (info["dimensions"], info["lo"][:2], info["hi"][:2], info["title"]) == (2, [0, 0], [10, 10], "simulation")
    assert client.step(2)["step"] == world.step == 2
    rows = client.select(*ANYWHERE)["agents"]
    assert rows.dtype.names == ("id", "x", "y", "z", "vx", "vy", "kind")
    assert len(rows) == 7 and rows["id"].tolist() == agents.ids.tolist() and rows["x"].tolist() == agents["x"].tolist()
    server.start(agents, step=step)
    client.step()
    assert client.info()["groups"][0]["heading"] and client.select(*ANYWHERE).found == 6
    own = {**juxta.view.things_of(agents), "corners": {"x": [0, 10], "y": [0, 10]}}
    server.start(own)
    assert list(client.select(*ANYWHERE)) == ["agents", "corners"]
    with pytest.raises(TypeError, match="nothing that has places"):
        juxta.view.things_of(5)


def test_models(server):
    pytest.importorskip("juxta._study", reason="built without models")
    run = juxta.models.begin("wolf_sheep", seed=3)
    same = juxta.models.run("wolf_sheep", seed=3, steps=6)
    client = server.start(run).client
    client.step(6)
    assert client.hash() == same.state_hash == run.state_hash
    assert client.history()["sheep"].tolist() == same.table["sheep"].tolist()
    sheep = client.select(*ANYWHERE)["sheep"]
    assert sheep["id"].tolist() == same.agents[6]["sheep"]["id"].tolist()
    client.restart(9, set={"sheep": 33})
    assert run.step == 6 and len(client.select(*ANYWHERE)["sheep"]) == 33
    client.step(2)
    assert client.hash() == juxta.models.run("wolf_sheep", seed=9, set={"sheep": 33}, steps=2).state_hash
    assert server.start(juxta.models.begin("flock_3d", set={"birds": 50})).client.info()["dimensions"] == 3


def test_battles(server):
    pytest.importorskip("juxta._study", reason="built without models")
    battle = juxta.sector.begin("skirmish")
    client = server.start(battle).client
    client.step(4)
    assert client.hash() == battle.state_hash == juxta.sector.run("skirmish", ticks=4).state_hash
    rows = client.select(*ANYWHERE)["ships"]
    assert rows["health"].tolist() == battle.ships[4]["health"].tolist()
    assert client.info()["groups"][0]["classes"] == ["blue", "red"]
