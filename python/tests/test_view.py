# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""juxta.view: worlds of Python are served, asked over HTTP and compared with NumPy. How a server begins and ends."""

import os
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import juxta
from command import command

pytest.importorskip("juxta._view", reason="built without the viewer")
ANYWHERE = ([-np.inf] * 3, [np.inf] * 3)


class Cloud:
    """Points that stay. `n` of the next step may be set."""

    def __init__(self, n, dimensions=3, seed=1):
        self.rng = np.random.default_rng(seed)
        self.n, self.dimensions = n, dimensions
        self.step()

    def step(self):
        self.at = self.rng.uniform(-1, 1, (self.dimensions, self.n)).astype(np.float32)
        self.mass = self.rng.random(self.n)
        self.ids = self.rng.permutation(self.n) + 1000

    def things(self):
        places = dict(zip("xyz", self.at))
        return {"points": {**places, "columns": {"mass": self.mass}, "ids": self.ids}}

    def inside(self, lo, hi):
        """By NumPy: the ids in a box."""
        at = self.at.astype(np.float64)
        lo, hi = (np.asarray(corner)[: self.dimensions, None] for corner in (lo, hi))
        with np.errstate(invalid="ignore"):
            return self.ids[((at >= lo) & (at <= hi)).all(axis=0)]


@pytest.fixture
def server():
    with juxta.view.Server(port=0, paused=True) as one:
        yield one


def check_rows(cloud, found, ids):
    rows = found["points"]
    assert found.found == len(ids) and rows["id"].tolist() == ids.tolist()
    by_id = np.argsort(cloud.ids)
    at = by_id[np.searchsorted(cloud.ids[by_id], rows["id"])]
    assert np.array_equal(rows["mass"], cloud.mass[at], equal_nan=True)
    for axis, row in zip("xyz", cloud.at):
        assert np.array_equal(rows[axis][np.isfinite(row[at])], row[at][np.isfinite(row[at])])
    if cloud.dimensions == 2:
        assert not rows["z"].any()


@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize("kind", ["random", "empty", "nan"])
def test_select_is_exact(server, dimensions, kind):
    cloud = Cloud(0 if kind == "empty" else 3000, dimensions)
    if kind == "nan":
        cloud.at[cloud.rng.integers(0, dimensions, 300), cloud.rng.permutation(3000)[:300]] = np.nan
        cloud.at[0, :5], cloud.mass[::7] = np.inf, np.nan
    server.start(cloud)
    for _ in range(20):
        corners = np.sort(cloud.rng.uniform(-1.1, 1.1, (2, dimensions)), axis=0)
        lo, hi = corners.tolist()
        if kind == "random":
            lo = cloud.at[:, 17].tolist()  # faces are inside
        check_rows(cloud, server.client.select(lo, hi), cloud.inside(lo, hi))
    assert server.client.select([0.5] * dimensions, [-0.5] * dimensions).found == 0
    if kind == "random":
        few = server.client.select(*ANYWHERE, limit=7)
        assert (few.found, len(few["points"])) == (3000, 7) and few.microseconds > 0


def test_polygons_are_exact(server):
    cloud = Cloud(2000, 2)
    server.start(cloud)
    square = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.25], [-0.5, 0.25]]
    found = server.client.select(polygon=square, matrix=np.eye(4))
    check_rows(cloud, found, cloud.inside([-0.5, -0.5], [0.5, 0.25]))
    with pytest.raises(TypeError, match="polygon and its matrix"):
        server.client.select([0, 0])


def test_lengths_change(server):
    cloud = Cloud(10)
    server.start(cloud)
    for n in (0, 5, 4000, 1, 77):
        cloud.n = n
        server.client.step()
        check_rows(cloud, server.client.select(*ANYWHERE), cloud.ids)


def test_arrays_may_be_resized_in_place(server):
    class Growing:
        def __init__(self):
            self.x = np.zeros(3, np.float32)

        def things(self):
            return {"a": {"x": self.x, "y": self.x}}

        def step(self):
            self.x.resize(len(self.x) + 5)  # NumPy refuses it while anybody else holds the array

    server.start(Growing())
    assert server.client.select(*ANYWHERE).found == 3
    assert server.client.step(4)["ended"] is None
    assert server.client.select(*ANYWHERE).found == 23


def test_arrays_are_borrowed(server):
    x = np.zeros(4, np.float32)
    server.start({"a": {"x": x, "y": x}})
    x[:] = [1, 2, 3, 4]
    assert server.client.select(*ANYWHERE)["a"]["x"].tolist() == [1, 2, 3, 4]


class Counter(Cloud):
    """Parameters of all kinds; says what it was called with."""

    bounds = (-2, -2, -2), (2, 2, 2)
    parameters = {
        "pace": (1.0, 0.0, 5.0, False, "how fast"),
        "kinds": (3, 1, 9, True),
        "size": {"value": 5, "lo": 1, "hi": 10, "live": False},
    }

    def __init__(self):
        super().__init__(20)
        self.calls, self.count = [], 0

    def step(self):
        super().step()
        self.count = getattr(self, "count", 0) + 1

    def set(self, name, value):
        self.calls.append((name, value))

    def restart(self, seed, **parameters):
        self.calls.append((seed, parameters))
        self.count = 0

    def reports(self):
        return {"count": self.count, "none": np.nan}

    def hash(self):
        return -1

    def more(self, group, row):
        return {"group": group, "row": row, "bad": np.array([1.0, np.inf]), "word": {"a": 1}}


def test_parameters_and_restart(server):
    world = Counter()
    client = server.start(world, title="counted", speed=11).client
    info = client.info()
    assert (info["title"], info["dimensions"], info["lo"], info["hi"]) == ("counted", 3, [-2] * 3, [2] * 3)
    assert [(p["name"], p["value"], p["whole"], p["live"], p["what"]) for p in info["parameters"]] == [
        ("pace", 1, False, True, "how fast"), ("kinds", 3, True, True, ""), ("size", 5, False, False, ""),
    ]  # fmt: skip
    assert client.status()["speed"] == 11
    assert client.set("pace", 2.5)["value"] == 2.5 and client.set("kinds", 4)["value"] == 4
    assert world.calls == [("pace", 2.5), ("kinds", 4)] and type(world.calls[1][1]) is int
    wrong = [("pace", 6, "from 0 to 5"), ("kinds", 2.5, "whole"), ("size", 2, "restart"), ("no", 1, "pace")]
    for name, value, why in wrong:
        with pytest.raises(juxta.errors.InvalidArgument, match=why):
            client.set(name, value)
    client.step(5)
    assert client.status()["step"] == 5
    assert [p["value"] for p in client.restart(8, set={"size": 2})["parameters"]] == [2.5, 4, 2]
    assert world.calls[2:] == [(8, {"pace": 2.5, "kinds": 4, "size": 2})] and client.status()["step"] == 0
    client.restart()
    assert world.calls[3][0] is None
    with pytest.raises(juxta.errors.InvalidArgument, match="from 1 to 10"):
        client.restart(set={"size": 99})


def test_what_a_world_tells(server):
    client = server.start(Counter()).client
    client.step(4)
    history = client.history()
    assert history["step"].tolist() == [0, 1, 2, 3, 4] and history["count"].tolist() == [0, 1, 2, 3, 4]
    assert np.isnan(history["none"]).all() and len(client.history(3)) == 2
    assert client.hash() == 2**64 - 1
    rows = client.select(*ANYWHERE)["points"]
    thing = client.entity("points", rows["id"][3])
    assert thing.row == rows[3] and thing.more == {"group": "points", "row": 3, "bad": [1, None], "word": {"a": 1}}
    at = np.stack([rows[axis] for axis in "xyz"])
    distances = np.sort(np.linalg.norm(at - at[:, 3:4], axis=0))[1:6]
    assert np.allclose(thing.near["distance"], distances, rtol=1e-6)
    assert client.entity(0, rows["id"][3]).row == thing.row
    with pytest.raises(juxta.errors.InvalidArgument, match="lives no more"):
        client.entity("points", 7)
    with pytest.raises(ValueError, match="there is no group 'ships'. There are: points"):
        client.entity("ships", 7)


def test_an_error_ends_the_run(server, capfd):
    class Fragile(Counter):
        def step(self):
            super().step()
            if self.count == 3:
                raise ZeroDivisionError("three is too many")

    client = server.start(Fragile()).client
    words = r"ZeroDivisionError: three is too many \(test_view.py, line \d+\)"
    with pytest.raises(juxta.errors.InvalidArgument, match=words):
        client.step(5)
    with pytest.raises(juxta.errors.InvalidArgument, match=words):
        client.play()
    status = client.status()
    assert "three is too many" in status["ended"] and not status["playing"] and status["step"] == 2
    assert client.select(*ANYWHERE).found == 20
    assert "Traceback" in capfd.readouterr().err
    client.restart()
    assert client.step(2)["ended"] is None


def test_what_was_selected_last(server):
    cloud = Cloud(500)
    client = server.start(cloud).client
    try:
        client.selected()
    except juxta.errors.InvalidArgument as error:
        if "there is no question" in str(error):
            pytest.skip("this engine does not keep selections")
    client.step(3)
    before = client.select([0, 0, 0], [1, 1, 1])
    client.step()
    after = client.selected()
    assert (after.step, after.found) == (3, before.found)
    assert np.array_equal(after["points"], before["points"])


def test_tokens():
    with juxta.view.Server(port=0, token="abc-1") as server:
        server.start(Cloud(3))
        assert server.url.endswith("?token=abc-1") and server.client.info()["title"] == "Cloud"
        plain = server.url.split("?")[0]
        assert juxta.view.connect(plain, "abc-1").select(*ANYWHERE).found == 3
        for token in ("", "abc-2"):
            with pytest.raises(juxta.errors.IoError, match="token"):
                juxta.view.connect(plain, token)
    for bad, why in [({"token": "a b"}, "letters"), ({"address": "here"}, "here"), ({"address": "0.0.0.0"}, "token")]:
        with pytest.raises(juxta.errors.InvalidArgument, match=why):
            juxta.view.Server(port=0, **bad)


def test_where_there_is_no_viewer():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(juxta.errors.IoError, match="port=0"):
            juxta.view.Server(port=port)
        with pytest.raises(juxta.errors.IoError, match="did not answer"):
            juxta.view.connect(f"http://127.0.0.1:{port}/", timeout=0.2)
    with pytest.raises(juxta.errors.IoError, match="refused"):
        juxta.view.connect(f"http://127.0.0.1:{port}/")
    for url in ("127.0.0.1:8080", "https://127.0.0.1/", "http://"):
        with pytest.raises(ValueError, match="url is"):
            juxta.view.connect(url)


def test_one_server_shows_one_world_after_the_other(server):
    for n in (3, 5):
        server.start(Cloud(n))
        assert server.running and server.client.select(*ANYWHERE).found == n
    server.stop()
    assert not server.running
    # In the foreground, until another thread stops it.
    threading.Timer(0.3, server.stop).start()
    server.show(Cloud(9))
    server.close()
    with pytest.raises(ValueError, match="closed"):
        server.show(Cloud(9))


def run_python(code, *, interrupt=False):
    """A script, and Ctrl-C when it has printed a line and run for a moment."""
    process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, env={**os.environ, "DISPLAY": ""})  # fmt: skip
    if interrupt:
        assert process.stdout.readline().startswith("http://127.0.0.1:")
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


@pytest.mark.parametrize("step", ["pass", "time.sleep(10)", "while True: pass"], ids=["idle", "sleeping", "busy"])
def test_interrupts_end_it(step):
    code, out, err = run_python(f"""
        import time, juxta
        class World:
            def things(self):
                return {{"a": {{"x": [1.0], "y": [2.0]}}}}
            def step(self):
                {step}
        juxta.view.show(World(), port=0, open_browser=False)
        print("ended well")
    """, interrupt=True)  # fmt: skip
    assert (code, out) == (0, "ended well\n"), err
    assert "Traceback" not in err


def test_a_program_may_end_while_a_world_runs():
    code, out, err = run_python("""
        import juxta
        server = juxta.view.Server(port=0)
        flock = juxta.Flock()
        flock.scatter(2000)
        server.start(flock, speed=0)
        while server.client.status()["step"] < 5:
            pass
        print("end")
    """)
    assert (code, out, err) == (0, "end\n", "")


def test_without_the_extension():
    code, out, err = run_python("""
        import sys
        sys.modules["juxta._view"] = None
        import juxta
        for call in (lambda: juxta.view.show({"a": {"x": [1], "y": [1]}}), lambda: juxta.view.Server(port=0)):
            try:
                call()
            except ImportError as error:
                assert "no viewer" in str(error) and "JUXTA_BUILD_VIEW=ON" in str(error), error
                print("refused")
        print(juxta.view.connect, juxta.view.Client("http://127.0.0.1:9/"))
    """)
    assert code == 0 and out.startswith("refused\nrefused\n"), err


def test_a_map_of_the_command(tmp_path):
    rng = np.random.default_rng(3)
    x, y, rank = rng.uniform(-100, 100, 500), rng.uniform(-50, 50, 500), rng.permutation(500)
    rows = [f"{a!r},{b!r},{c},Town {i}" for i, (a, b, c) in enumerate(zip(x.tolist(), y.tolist(), rank.tolist()))]
    table = tmp_path / "towns.csv"
    table.write_text("\n".join(["lon,lat,population,name", *rows]) + "\n")
    viewer = subprocess.Popen([command(), "view", "points", table, "--port", "0", "--no-browser"],
                              stdout=subprocess.PIPE, text=True)  # fmt: skip
    try:
        url = viewer.stdout.readline().strip()
        if not url:
            pytest.skip("the command has no viewer")
        client = juxta.view.connect(url)
        rect = [-20, -30, 60, 10]
        inside = np.flatnonzero((x >= -20) & (x <= 60) & (y >= -30) & (y <= 10))
        best = inside[np.argsort(-rank[inside])]
        assert client.count(rect) == client.count([[-20, -30], [60, 10]]) == len(inside)
        top = client.top(rect, k=12)
        assert top["i"].tolist() == best[:12].tolist() and top["x"].tolist() == x[best[:12]].tolist()
        assert top["name"].tolist() == [f"Town {i}" for i in best[:12]]
        assert client.search("town 49")["i"].size == 11 and client.search("nowhere").size == 0
        with pytest.raises(juxta.errors.InvalidArgument, match="a map answers"):
            client.select([0, 0], [1, 1])
    finally:
        viewer.kill()
        viewer.communicate()
