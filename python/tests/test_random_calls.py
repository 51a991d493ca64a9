# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Random calls with right and wrong arguments, from several threads, on objects that come and go.

Nothing but the exceptions below may come out. For more of them, and under an address sanitizer, set the number
(JUXTA_RANDOM_CALLS=10000); JUXTA_RANDOM_SEED changes them.
"""

import ast
import collections
import faulthandler
import gc
import inspect
import os
import pathlib
import tempfile
import threading
import unittest.mock

import numpy as np
import pytest

import juxta
from random_arguments import Arguments
from test_rules import CONTACTS

CALLS = int(os.environ.get("JUXTA_RANDOM_CALLS", "1500"))
SEED = int(os.environ.get("JUXTA_RANDOM_SEED", "1"))
THREADS = 4
EXPECTED = (ValueError, TypeError, RuntimeError, LookupError, OSError, OverflowError, MemoryError, ZeroDivisionError)
STUB = ast.parse((pathlib.Path(__file__).parents[1] / "juxta/_core.pyi").read_text())


def calls():
    """[(class or None, name, [(parameter, required)], is static)] of everything in the stub."""
    found = []
    for node in STUB.body:
        members = node.body if isinstance(node, ast.ClassDef) else [node]
        for member in members:
            if not isinstance(member, ast.FunctionDef) or member.name == "set_default_threads":
                continue
            decorators = {ast.unparse(d) for d in member.decorator_list}
            positional = [a.arg for a in member.args.args if a.arg != "self"]
            first_default = len(positional) - len(member.args.defaults)
            parameters = [(name, i < first_default) for i, name in enumerate(positional)]
            parameters += [(a.arg, False) for a in member.args.kwonlyargs]
            owner = node.name if isinstance(node, ast.ClassDef) else None
            found.append((owner, member.name, parameters, decorators))
    return found


class Caller:
    """One thread's calls on the shared pool."""

    def __init__(self, seed, pool, views, folder):
        self.arguments = Arguments(seed, pool, folder)
        self.pool, self.views = pool, views
        self.calls = calls()
        self.outcomes = collections.Counter()
        self.unexpected = []

    def run(self, count):
        try:
            for _ in range(count):
                self.call()
        except BaseException as error:  # the test reports it
            self.unexpected.append(("run", error))

    def call(self):
        owner, name, parameters, decorators = self.arguments.one_of(self.calls)
        chosen = {
            parameter: self.arguments.named(owner, parameter)
            for parameter, required in parameters
            if required or self.arguments.chance(0.3)
        }
        if (owner, name) == ("Population", "insert"):
            chosen |= {column: self.arguments.named(owner, "values") for column in ("x", "y", "age")}
        try:
            answer = self.target(owner, name, decorators, chosen)
            self.outcomes["answered"] += 1
            self.keep(answer)
        except EXPECTED as error:
            self.outcomes[type(error).__name__] += 1
        except Exception as error:
            self.unexpected.append((owner, name, error))

    def target(self, owner, name, decorators, chosen):
        if owner is None:
            return getattr(juxta, name)(**chosen)
        kind = getattr(juxta, owner)
        if name == "__init__":
            return kind(**chosen)
        if "staticmethod" in decorators:
            return getattr(kind, name)(**chosen)
        one = kind.__new__(kind) if self.arguments.chance(0.01) else self.arguments.object(kind)
        if one is None:
            raise ValueError("none of this kind yet")
        if any(setter.endswith(".setter") for setter in decorators):
            return setattr(one, name, *chosen.values())
        member = getattr(one, name)
        return member if "property" in decorators else member(**chosen)

    def keep(self, answer):
        """Objects and views live on for a while; then they go, whoever still uses what they own."""
        if isinstance(answer, tuple(k for k in vars(juxta).values() if inspect.isclass(k) and k.__module__ == "juxta")):
            self.pool.append(answer)
        elif isinstance(answer, np.ndarray):
            self.views.append(answer)
        if len(self.pool) > 60:
            del self.pool[int(self.arguments.rng.integers(20, 50))]
        if len(self.views) > 30:
            view = self.views.pop(int(self.arguments.rng.integers(20)))
            assert view.nbytes == len(view.tobytes())  # reads all of it
        if self.arguments.chance(0.01):
            gc.collect()


def rules():
    """A rule, where there is a compiler, by way of a cache that is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.dict(os.environ, JUXTA_CACHE=folder):
        try:
            return [*juxta.compile_rules(CONTACTS).values()]
        except juxta.errors.IoError:
            return []


def first_objects():
    rng = np.random.default_rng(SEED)
    hull = juxta.Shape.hull(rng.random((20, 3)))
    tree = juxta.Hierarchy(history=True)
    tree.insert_trees(np.zeros((20, 3)), np.arange(-1, 19))
    x, y = rng.random((2, 20))
    world = juxta.Simulation(0.0, 10.0, edges="periodic")
    sheep, wolves = world.add_population("sheep"), world.add_population("wolves")
    for name in ("vx", "vy", "vz", "count", "ill", "near", "total", "nearest"):
        sheep.add_column(name)
    sheep.add_column("age", 3, dtype="int32")
    sheep.add_references("friend", wolves)
    sheep.insert(x=rng.random(20), y=y)
    wolves.insert(12)
    flock = juxta.Flock()
    flock.scatter(30)
    scent = juxta.Field(0, (1, 1), (5, 4), components=2, edges="periodic")
    scent.deposit(rng.random((20, 2)), 1)
    return [
        juxta.Layer(np.zeros((7, 2, 2))), juxta.Layer(rng.random((17, 1, 3)) + [[[0], [0.2]]]), tree,
        juxta.Hierarchy(), juxta.Prefab(np.zeros((3, 3)), [-1, 0, 0]), juxta.PairTracker(),
        juxta.RankedPoints(x, y, np.arange(20)), hull, juxta.Shape.sphere(0.5), juxta.Shape.box([1, 1, 1]),
        juxta.Shape.mesh(rng.random((9, 3)), rng.integers(0, 9, (7, 3))), juxta.Shape.height_field(rng.random((4, 5))),
        world, sheep, wolves, flock, scent, juxta.Field(0, 1, (20, 17, 3)), *rules(),
        juxta.GridSpace((5, 4), kinds=2), juxta.GridSpace((3, 4, 5), holds="many", kinds=2, radius=2),
        juxta.Shape.compound([hull, hull]), juxta.Bodies(hull, rng.random((16, 3))),
        juxta.PointTree(rng.random((50, 3))), juxta.PointTree(rng.random((40, 2), np.float32), box=(1, 1)),
    ]  # fmt: skip


@pytest.mark.filterwarnings("ignore")
def test_random_calls(tmp_path, monkeypatch):
    faulthandler.enable()
    monkeypatch.chdir(tmp_path)  # any string may be taken for a path
    pool, views = first_objects(), []
    for i in range(4):
        (tmp_path / f"noise{i}.bin").write_bytes(os.urandom(1 << i * 4) if i else b"")
    pool[0].save(tmp_path / "layer.bin")
    pool[2].save(tmp_path / "tree.bin")
    pool[6].save(tmp_path / "points.bin")
    next(one for one in pool if isinstance(one, juxta.Simulation)).save(tmp_path / "world.bin")
    next(one for one in pool if isinstance(one, juxta.Field)).save(tmp_path / "field.bin")
    callers = [Caller(SEED * 1000 + i, pool, views, str(tmp_path)) for i in range(THREADS)]
    threads = [threading.Thread(target=caller.run, args=(CALLS // THREADS,)) for caller in callers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    outcomes = sum((caller.outcomes for caller in callers), collections.Counter())
    unexpected = [what for caller in callers for what in caller.unexpected]
    assert not unexpected, unexpected[:5]
    assert outcomes.total() >= CALLS // THREADS * THREADS
    assert outcomes["answered"] > CALLS // 5, outcomes
    assert outcomes["ValueError"] and outcomes["TypeError"], outcomes
    print(f"\n{outcomes.total()} calls: {dict(outcomes)}")


@pytest.mark.filterwarnings("ignore")
def test_input_that_changes_meanwhile():
    """Another thread writes to the arrays that calls read: answers may be anything, memory stays right."""
    rng = np.random.default_rng(SEED)
    n = 4000
    lo = rng.random((n, 3), dtype=np.float32)
    boxes = np.stack([lo, lo + np.float32(0.05)], axis=1)
    rank = rng.integers(0, 100, n)
    layer, done = juxta.Layer(boxes), threading.Event()

    def scribble():
        own = np.random.default_rng(SEED + 1)
        while not done.is_set():
            boxes[own.integers(0, n, 50)] = own.choice([0, 1, -1, 1e30, np.nan, np.inf], (50, 2, 3))
            rank[own.integers(0, n, 50)] = own.integers(-100, 100, 50)
            lo[own.integers(0, n, 50)] = own.choice([0, 1, np.nan, -np.inf], (50, 3))

    writer = threading.Thread(target=scribble)
    writer.start()
    try:
        for i in range(max(20, CALLS // 50)):
            for call in (
                lambda: layer.rebuild(boxes, threads=1 + i % 3),
                lambda: layer.refit(boxes, threads=1 + i % 3),
                lambda: layer.query(boxes, threads=1 + i % 3),
                lambda: layer.find_first(boxes, 3),
                lambda: layer.raycast(lo, boxes[:, 0], threads=1 + i % 3),
                lambda: layer.nearest(lo),
                lambda: juxta.neighbors(lo, 0.05, "ijdD", threads=1 + i % 3),
                lambda: juxta.PointTree(lo.astype(float), box=(1, 1, 1)).nearest(4, queries=lo),
                lambda: juxta.RankedPoints(lo[:, 0], lo[:, 1], rank, threads=1 + i % 3).top([0, 0, 1, 1], 9),
                lambda: juxta.Shape.hull(lo[:200]),
            ):
                try:
                    call()
                except EXPECTED:
                    pass
            boxes[:] = np.stack([lo, lo + np.float32(0.05)], axis=1)
    finally:
        done.set()
        writer.join()


@pytest.mark.filterwarnings("ignore")
def test_random_calls_of_models(tmp_path, monkeypatch):
    """Small runs, in which up to two arguments are anything. How long a run takes is left alone."""
    pytest.importorskip("juxta._study", reason="built without models")
    monkeypatch.chdir(tmp_path)  # anything may be a path
    arguments = Arguments(SEED, first_objects(), str(tmp_path))
    run = juxta.models.begin("schelling", set={"agents": 100})
    plain = {
        juxta.models.run: {"model": "schelling", "steps": 1, "set": {"agents": 100}, "preset": None, "seed": 1,
                           "agents_every": None, "threads": 1, "progress": None},
        juxta.models.sweep: {"model": "schelling", "vary": {"radius": [1, 2]}, "steps": 1, "seeds": [1], "set": None,
                             "every": None, "journal": None, "file": None, "threads": 2, "progress": None},
        juxta.models.load: {"path": tmp_path / "run.jxr", "agents_every": None},
        juxta.models.parameters: {"model": "schelling", "preset": None},
        juxta.sector.run: {"preset": "skirmish", "ticks": 1, "set": {"world.ships": 5}, "seed": 1, "ships_every": None,
                           "threads": 1, "progress": None},
        juxta.sector.load: {"path": tmp_path, "threads": 1},
        run.draw: {"size": 10}, run.save: {"path": tmp_path / "run.jxr"}, run.agents.to_pandas: {"population": "agents"},
    }  # fmt: skip
    outcomes, unexpected = collections.Counter(), []
    for _ in range(CALLS // 5):
        call, options = arguments.one_of([*plain.items()])
        names = [name for name in options if name not in ("steps", "ticks")]
        for name in arguments.rng.permutation(names)[: arguments.rng.integers(0, 3)]:
            options = {**options, str(name): arguments.anything()}
        try:
            call(**options)
            outcomes["answered"] += 1
        except (*EXPECTED, ImportError) as error:
            outcomes[type(error).__name__] += 1
        except Exception as error:
            unexpected.append((call, options, error))
    assert not unexpected, unexpected[:3]
    assert outcomes["TypeError"] and outcomes["ValueError"] and outcomes["answered"], outcomes
