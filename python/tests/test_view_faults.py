# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""juxta.view when something fails: worlds that raise, servers that are stopped from anywhere, programs that end."""

import os
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import juxta

pytest.importorskip("juxta._view", reason="built without the viewer")
from juxta._view_source import Source  # noqa: E402

ANYWHERE = ([-np.inf] * 3, [np.inf] * 3)
PLACES = {"a": {"x": [1.0, 2.0], "y": [1.0, 2.0]}}


class Counted:
    """A world whose parts tests replace. `error` is raised where a part asks for it."""

    title = "counted"

    def __init__(self, **parts):
        self.steps, self.entered, self.go_on = 0, threading.Event(), threading.Event()
        vars(self).update(parts)

    def things(self):
        return PLACES

    def step(self):
        self.steps += 1

    def restart(self, seed):
        self.steps = 0


class Slow(Counted):
    """Its step begins, and waits for the test."""

    def step(self):
        self.entered.set()
        assert self.go_on.wait(30)


@pytest.fixture
def server():
    with juxta.view.Server(port=0, paused=True) as one:
        yield one


def in_thread(work):
    """Runs it; returns the thread and a list that gets what it raises."""
    raised = []

    def run():
        try:
            work()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread, raised


def ended(thread, raised):
    thread.join(30)
    assert not thread.is_alive()
    return raised


def wait_for(condition):
    for _ in range(3000):
        if condition():
            return
        threading.Event().wait(0.01)
    raise AssertionError("it did not come true within 30 s")


@pytest.mark.parametrize("wrong,words", [
    (-1, "steps is -1. Give a whole number"), (2**64, "steps is 18446744073709551616"), ("no", "steps is 'no'"),
    (float("inf"), "steps is inf"),
])  # fmt: skip
def test_wrong_steps_pause_the_world(server, capfd, wrong, words):
    class Miscounted(Counted):
        def step(self):
            self.steps = wrong if self.steps == 2 else self.steps + 1

    client = server.start(Miscounted()).client
    with pytest.raises(juxta.errors.InvalidArgument, match=words):
        client.step(5)
    status = client.status()
    assert words in status["ended"] and not status["playing"] and status["step"] == 2
    assert client.select(*ANYWHERE).found == 2 and server.running
    assert "Traceback" in capfd.readouterr().err
    client.restart()
    assert client.step(2)["step"] == 2
    with pytest.raises(ValueError, match="steps is"):
        server.start(Counted(steps=wrong))


def test_bounds_that_raise_at_a_restart(server):
    class Unbound(Counted):
        broken = False

        def bounds(self):
            if self.broken:
                raise RuntimeError("no bounds any more")
            return (0, 0), (5, 5)

    world = Unbound()
    client = server.start(world).client
    world.broken = True
    with pytest.raises(juxta.errors.InvalidArgument, match=r"RuntimeError: no bounds any more \(test_view_faults"):
        client.restart()
    assert server.running and client.info()["hi"] == [5, 5, 0] and client.select(*ANYWHERE).found == 2
    world.broken = False
    assert client.restart()["hi"] == [5, 5, 0] and client.step()["ended"] is None


@pytest.mark.parametrize("bounds", [
    ((-np.inf, 0), (1, 1)), ((0, 0), (1, np.inf)), ((0, 0), (1, 3.2e38)), ((-1e300, 0), (1, 1)), ((0, np.nan), (1, 1)),
])  # fmt: skip
def test_bounds_are_finite(server, bounds):
    with pytest.raises(ValueError, match="bounds is .* below 3e38"):
        server.start(Counted(bounds=bounds))
    server.start(Counted(bounds=((-2.9e38, 0), (2.9e38, 1))))


class Unspeakable(Exception):
    def __str__(self):
        raise RuntimeError("nor this")


@pytest.mark.parametrize("error,words", [
    (ValueError("half \ud800 a pair"), r"half \? a pair"), (Unspeakable(), "Unspeakable"),
    (MemoryError(), "MemoryError"),
])  # fmt: skip
def test_texts_of_errors(server, error, words):
    def broken(*_, **__):
        raise error

    client = server.start(Counted(step=broken, more=broken, restart=broken, title="half \udfff")).client
    with pytest.raises(juxta.errors.InvalidArgument, match=words):
        client.step()
    assert server.running and client.status()["ended"]
    with pytest.raises(juxta.errors.InvalidArgument, match=words):
        client.restart()
    assert server.running and client.info()["title"] == "half ?"
    assert client.entity("a", 0).more["error"]


def test_what_more_tells_is_text(server):
    client = server.start(Counted(more=lambda group, row: {"word": "\ud800", "umlaut": "ü"})).client
    assert client.entity("a", 0).more == {"word": "?", "umlaut": "ü"}


def test_a_source_that_breaks_its_word_ends_nothing(server, monkeypatch):
    """What the extension cannot read, and what the source lets through, are errors of one question."""
    client = server.start(Counted(hash=lambda: 7)).client
    assert client.hash() == 7

    def broken(*_):
        raise RuntimeError("let through")

    for wrong in (lambda self: "no number", broken):
        with monkeypatch.context() as patch:
            patch.setattr(Source, "hash", wrong)
            with pytest.raises(juxta.errors.InvalidArgument):
                client.hash()
    assert client.hash() == 7 and server.running
    monkeypatch.setattr(Source, "set", broken)
    with pytest.raises(juxta.errors.InvalidArgument, match="let through"):
        client.set("any", 1)
    monkeypatch.setattr(Source, "step", lambda self: (-1, (), [], []))
    with pytest.raises(juxta.errors.InvalidArgument):
        client.step()
    assert client.status()["ended"] and server.running


@pytest.mark.parametrize("own", [True, False])
def test_a_restart_without_things(server, own):
    """`own`: the world counts its steps itself. Both begin at 0 again, although things() failed."""

    class Empty(Counted):
        broken = False

        def things(self):
            if self.broken:
                raise RuntimeError("nothing there")
            return PLACES

        def reports(self):
            return {"one": 1}

    world = Empty()
    if not own:
        world.steps, world.step, world.restart = None, lambda: None, lambda seed: None
    client = server.start(world).client
    client.step(5)
    world.broken = True
    with pytest.raises(juxta.errors.InvalidArgument, match="nothing there"):
        client.restart()
    assert client.status()["step"] == 0 and client.select(*ANYWHERE).found == 0
    world.broken = False
    client.restart()
    assert client.select(*ANYWHERE).found == 2
    assert client.step(3)["step"] == 3 and client.history()["step"].tolist() == [0, 1, 2, 3]


def test_runs_with_a_step_of_their_own_do_not_begin_again(server):
    pytest.importorskip("juxta._study", reason="built without models")
    run = juxta.models.begin("schelling", seed=3)
    client = server.start(run, step=lambda: run.advance(1)).client
    client.step(2)
    before = client.hash()
    assert client.info()["parameters"] == []
    with pytest.raises(juxta.errors.InvalidArgument, match="cannot begin again: step= was given"):
        client.restart(9)
    assert client.hash() == before == run.state_hash and client.status()["step"] == 2
    assert client.step()["step"] == run.step == 3


@pytest.mark.parametrize("threads,error", [(-5, ValueError), (1025, ValueError), (1.5, TypeError), ("2", TypeError)])
def test_threads_are_checked(threads, error):
    with pytest.raises(error, match="threads is"):
        juxta.view.Server(port=0, threads=threads)
    with juxta.view.Server(port=0, paused=True, threads=np.int64(2)) as server:
        assert server.start(PLACES).client.status()["step"] == 0


def test_close_waits_for_a_show_of_another_thread():
    server = juxta.view.Server(port=0)
    world = Slow()
    shown = in_thread(lambda: server.show(world))
    assert world.entered.wait(30)
    closed = in_thread(server.close)
    closed[0].join(0.2)
    assert closed[0].is_alive()  # the step is under way
    world.go_on.set()
    assert ended(*closed) == [] and ended(*shown) == []
    with pytest.raises(ValueError, match="closed"):
        server.start(PLACES)


def test_a_stop_while_show_begins_is_not_lost(server):
    class Late(Slow):
        def things(self):
            self.entered.set()
            assert self.go_on.wait(30)
            return PLACES

    for begin in (server.show, server.start):
        world = Late()
        shown = in_thread(lambda begin=begin, world=world: begin(world))
        assert world.entered.wait(30)
        stopped = in_thread(server.stop)
        wait_for(lambda: not any(turn.going() for turn in server._turns._all))
        world.go_on.set()
        assert ended(*stopped) == [] and ended(*shown) == [] and not server.running


def test_the_next_show_waits_for_the_last(server):
    """From any thread, also when the last world's own method said stop."""
    world = Slow(go_on=threading.Event())
    world.step = lambda: (server.stop(), Slow.step(world))
    client = server.start(world, speed=0).client
    asked = in_thread(client.play)
    assert world.entered.wait(30)
    begun = in_thread(lambda: server.start(PLACES, title="next"))
    begun[0].join(0.2)
    assert begun[0].is_alive()
    world.go_on.set()
    assert ended(*begun) == [] and client.info()["title"] == "next"
    ended(*asked)
    server.stop()
    assert not server.running


@pytest.mark.parametrize("then_stop", [False, True])
def test_a_world_may_start_the_next_one(server, then_stop):
    def change():
        server.start(PLACES, title="next")
        if then_stop:
            server.stop()  # also of the one that waits for this thread

    client = server.start(Counted(), step=change, title="first").client
    in_thread(client.play)
    if then_stop:
        wait_for(lambda: not server.running)
        return

    def is_next():
        try:
            return client.info()["title"] == "next"
        except juxta.errors.InvalidArgument:
            return False  # asked while the first one ended

    wait_for(is_next)
    assert server.running and client.select(*ANYWHERE).found == 2


@pytest.mark.parametrize("call", ["show", "close"])
def test_what_a_world_may_not_call(server, call):
    calls = {"show": lambda: server.show(PLACES), "close": server.close}
    client = server.start(Counted(), step=calls[call]).client
    with pytest.raises(juxta.errors.InvalidArgument, match=f"called {call}"):
        client.step()
    if call == "close":
        wait_for(lambda: not server.running)
    else:
        assert server.running and client.status()["ended"]


def test_many_threads_start_and_stop():
    with juxta.view.Server(port=0) as server:

        def work():
            for _ in range(10):
                server.start(Counted(), speed=0)
                server.stop()

        for thread, raised in [in_thread(work) for _ in range(4)]:
            assert ended(thread, raised) == []
        assert not server.running


def run_python(code):
    process = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=120,
                             env={**os.environ, "DISPLAY": ""})  # fmt: skip
    return process.returncode, process.stdout, process.stderr


def test_one_error_at_the_end_leaves_no_other_world_running():
    code, out, err = run_python("""
        import threading, juxta
        class Exits:
            def things(self):
                return {"a": {"x": [1.0], "y": [2.0]}}
            def step(self):
                raise SystemExit("this one ended itself")
        servers = [juxta.view.Server(port=0) for _ in range(6)]
        for i, server in enumerate(servers):
            if i % 2:
                server.start(Exits())
            else:
                flock = juxta.Flock()
                flock.scatter(20000)
                server.start(flock, speed=0)
        shown = juxta.view.Server(port=0)
        flock = juxta.Flock()
        flock.scatter(20000)
        threading.Thread(target=shown.show, args=(flock,), kwargs={"speed": 0}, daemon=True).start()
        while any(server.running for server in servers[1::2]):
            pass
        while shown.client.status()["step"] < 3:
            pass
        print("end")
    """)
    assert (code, out) == (0, "end\n"), err
    assert err.count("SystemExit: this one ended itself") == 3
