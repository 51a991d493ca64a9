# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""juxta.neighbors, juxta.count_neighbors and juxta.PointTree against all pairs, computed by NumPy."""

import signal
import threading
import time

import numpy as np
import pytest

import juxta
from clouds import KINDS, cloud


def displacements(points, queries, box=None, periodic=None):
    """D[q, p]: from query q to point p, by the nearest image, in the type of the points."""
    points, queries = (np.array(a, copy=True) for a in (points, queries))
    if box is not None:
        lo, length = box[0], box[1] - box[0]
        for a in (points, queries):
            wrapped = a - length * np.floor((a - lo) / length)
            wrapped = np.where((wrapped >= lo) & (wrapped < box[1]), wrapped, lo)
            outside = ((a < lo) | (a >= box[1])) & periodic
            a[outside] = wrapped[outside]
    ways = points[None] - queries[:, None]
    if box is not None:
        moved = np.where(ways > length / 2, ways - length, np.where(ways < -length / 2, ways + length, ways))
        ways = np.where(periodic, moved, ways)
    return ways


def by_hand(points, r, queries=None, half=False, box=None, periodic=None):
    """(i, j, d, D) of all pairs within r."""
    own = queries is None
    ways = displacements(points, points if own else queries, box, periodic)
    squares = ways[..., 0] * ways[..., 0]
    for axis in range(1, points.shape[1]):
        squares = squares + ways[..., axis] * ways[..., axis]
    r = np.asarray(r).astype(points.dtype)
    near = squares <= (r * r if r.ndim == 0 else (r * r)[:, None])
    if own:
        np.fill_diagonal(near, False)
    if half:
        near = np.triu(near)
    i, j = np.nonzero(near)
    return i, j, np.sqrt(squares[i, j]), ways[i, j]


def check(found, wanted):
    i, j, d, ways = wanted
    assert np.array_equal(found.i, i) and np.array_equal(found.j, j)
    assert np.array_equal(found.d, d) and np.array_equal(found.D, ways)
    assert found.d.dtype == d.dtype and found.D.dtype == ways.dtype
    assert found.offsets.dtype == np.intp and found.offsets[0] == 0
    assert np.array_equal(np.repeat(np.arange(len(found.offsets) - 1), np.diff(found.offsets)), i)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("dims", [2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_all_pairs(kind, dims, dtype):
    for n in (0, 1, 2, 17, 300):
        points = cloud(kind, n, dims, seed=n).astype(dtype)
        for r in (0.05, 0.4, 3.0):
            for half in (False, True):
                wanted = by_hand(points, r, half=half)
                check(juxta.neighbors(points, r, "ijdD", half=half), wanted)
                counts = juxta.count_neighbors(points, r, half=half)
                assert counts.dtype == np.intp and np.array_equal(counts, np.bincount(wanted[0], minlength=n))
            tree = juxta.PointTree(points)
            assert np.array_equal(tree.pairs(r, sorted=True), wanted[:2])
            loose = tree.pairs(r)
            assert (loose[0] < loose[1]).all()
            assert np.array_equal(loose[:, np.lexsort(loose[::-1])], wanted[:2])
            wanted = by_hand(points, r)
            assert np.array_equal(tree.pairs(r, half=False, sorted=True), wanted[:2])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("dims", [2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_periodic(kind, dims, dtype):
    periodic = np.array([True, False, True][:dims])
    lo, hi = np.array([-1, 0, 0.5][:dims], dtype), np.array([0.25, 1, 2][:dims], dtype)
    points = (cloud(kind, 200, dims) * 9 - 4).astype(dtype)  # many are outside
    points[0], points[1] = lo, hi  # the same place on periodic axes
    tree = juxta.PointTree(points, box=[lo, hi], periodic=periodic)
    assert np.array_equal(tree.periodic, periodic) and np.array_equal(tree.box[:, periodic], [lo[periodic], hi[periodic]])
    assert np.isinf(tree.box[:, ~periodic]).all()
    for r in (0.1, 0.6):
        check(tree.neighbors(r, "ijdD"), by_hand(points, r, box=np.array([lo, hi]), periodic=periodic))
    with pytest.raises(ValueError, match="more than half of the box"):
        tree.neighbors(0.7)
    wanted = by_hand(points, 2.0, box=np.array([lo, hi]), periodic=periodic)
    check(tree.neighbors(2.0, "ijdD", nearest_image=True), wanted)
    assert np.array_equal(tree.count(2.0, nearest_image=True), np.bincount(wanted[0], minlength=200))


def test_ways_to_give_a_box():
    points = cloud("uniform", 100, 3)
    one = juxta.neighbors(points, 0.2, box=[1, 1, 1])
    for kwargs in (
        {"box": [[0, 0, 0], [1, 1, 1]]}, {"box": np.ones(3, np.float32), "periodic": True},
        {"box": [1, 1, 1], "periodic": (1, 1, 1)}, {"box": (1, 1, 1), "periodic": np.ones(3, bool)},
    ):  # fmt: skip
        assert np.array_equal(juxta.neighbors(points, 0.2, **kwargs).j, one.j)
    flat = juxta.neighbors(points, 0.2, box=[1, 1, 1], periodic=(1, 0, 1))
    check_j = by_hand(points, 0.2, box=np.array([[0.0] * 3, [1.0] * 3]), periodic=np.array([True, False, True]))[1]
    assert np.array_equal(flat.j, check_j) and len(flat.j) < len(one.j)
    open_box = juxta.neighbors(points, 0.2, box=[1, 1, 1], periodic=False)
    assert np.array_equal(open_box.j, juxta.neighbors(points, 0.2).j)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_queries(dtype):
    points, queries = cloud("lattice", 300, 3).astype(dtype), cloud("lattice", 70, 3, seed=2).astype(dtype)
    tree = juxta.PointTree(points)
    radii = np.linspace(0.1, 0.5, 70)
    for r in (0.25, radii):
        wanted = by_hand(points, r, queries)
        check(tree.neighbors(r, "ijdD", queries=queries), wanted)
        assert np.array_equal(tree.count(r, queries=queries), np.bincount(wanted[0], minlength=70))
        assert np.array_equal(tree.pairs(r, queries=queries, sorted=True), wanted[:2])
    one = tree.neighbors(0.25, "j", queries=queries[3])
    assert np.array_equal(one.j, by_hand(points, 0.25, queries[3:4])[1]) and list(one.offsets) == [0, len(one.j)]
    assert tree.count(0.25, queries=queries[3]) == len(one.j)
    assert tree.count(0.25, queries=queries[:0]).shape == (0,)
    assert tree.pairs(0.25, queries=queries[:0]).shape == (2, 0)


def nearest_by_hand(points, k, most, queries=None):
    ways = displacements(points, points if queries is None else queries)
    squares = ways[..., 0] * ways[..., 0]
    for axis in range(1, points.shape[1]):
        squares = squares + ways[..., axis] * ways[..., axis]
    if queries is None:
        np.fill_diagonal(squares, np.inf)
    most = np.asarray(most).astype(points.dtype)
    squares = np.where(squares <= most * most, squares, np.inf)
    rows, d = [], []
    for row in squares:
        order = np.lexsort((np.arange(len(row)), row))[:k]
        order = order[np.isfinite(row[order])]
        rows.append(order)
        d.append(np.sqrt(row[order]))
    return rows, d, ways


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("dims", [2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_nearest(kind, dims, dtype):
    points = cloud(kind, 250, dims).astype(dtype)
    tree = juxta.PointTree(points)
    for queries in (None, cloud("uniform", 40, dims, seed=3).astype(dtype)):
        for k, most in ((1, np.inf), (3, np.inf), (7, 0.1), (7, np.inf), (12, 0.2), (300, np.inf)):
            rows, d, ways = nearest_by_hand(points, k, most, queries)
            dense = tree.nearest(k, queries=queries, max_distance=most)
            assert dense.j.shape == dense.d.shape == (len(rows), k) and dense.d.dtype == dtype
            lists = tree.neighbors(None if most == np.inf else most, "ijdD", k=k, queries=queries)
            assert np.array_equal(np.diff(lists.offsets), [len(row) for row in rows])
            assert np.array_equal(lists.j, np.concatenate(rows)) and np.array_equal(lists.d, np.concatenate(d))
            assert np.array_equal(lists.D, ways[lists.i, lists.j])
            for i, row in enumerate(rows):
                assert np.array_equal(dense.j[i, : len(row)], row) and np.array_equal(dense.d[i, : len(row)], d[i])
                assert (dense.j[i, len(row) :] == -1).all() and np.isinf(dense.d[i, len(row) :]).all()
    one = tree.nearest(3, queries=points[0])
    assert one.j.shape == one.d.shape == (3,) and one.d[0] == 0
    assert tree.nearest(3, queries=points[:0]).j.shape == (0, 3)
    assert tree.nearest(3, dtype="uint32").j.dtype == np.uint32


def test_large_answers_take_the_memory_of_those_that_are_gone():
    points = cloud("uniform", 40_000, 3)
    tree = juxta.PointTree(points)
    calls = (lambda: tree.pairs(0.06, sorted=True), lambda: tree.nearest(20).j, lambda: tree.nearest(20).d)
    for call in calls:
        first = call()
        assert first.nbytes > 1 << 22 and first.flags.writeable
        wanted, place = first.copy(), first.ctypes.data
        second = call()  # while the first lives
        assert not np.shares_memory(first, second)
        second[:] = 0
        assert np.array_equal(first, wanted)
        del first, second
        again = [call() for _ in range(3)]
        assert place in [array.ctypes.data for array in again]
        assert all(np.array_equal(array, wanted) for array in again)
        assert not any(np.shares_memory(again[0], array) for array in again[1:])


def test_quantities_and_types():
    points = cloud("uniform", 500, 3)
    whole = juxta.neighbors(points, 0.2, "ijdD")
    assert juxta.neighbors(points, 0.2).i is not None and juxta.neighbors(points, 0.2).d is None
    for k in (None, 4):
        for letters in ("", "i", "j", "d", "D", "jd", "Di"):
            some = juxta.neighbors(points, 0.2, letters, k=k)
            for letter in "ijdD":
                assert (getattr(some, letter) is None) == (letter not in letters)
                if letter in letters and k is None:
                    assert np.array_equal(getattr(some, letter), getattr(whole, letter))
    small = juxta.neighbors(points, 0.2, dtype="uint32")
    assert small.i.dtype == small.j.dtype == np.uint32 and small.offsets.dtype == np.intp
    assert np.array_equal(small.i, whole.i) and np.array_equal(small.j, whole.j)
    assert juxta.count_neighbors(points, 0.2, dtype="uint32").dtype == np.uint32
    for ordered in (False, True):
        assert juxta.PointTree(points).pairs(0.2, sorted=ordered).T.flags.c_contiguous
        narrow = juxta.PointTree(points).pairs(0.2, sorted=ordered, dtype="uint32")
        assert narrow.dtype == np.uint32
        assert np.array_equal(narrow, juxta.PointTree(points).pairs(0.2, sorted=ordered))


def test_order_without_sorting_is_the_same_set():
    points = cloud("clustered", 3000, 3)
    tree = juxta.PointTree(points)
    ordered, loose = tree.neighbors(0.1, "ijdD"), tree.neighbors(0.1, "ijdD", sorted=False)
    assert np.array_equal(ordered.offsets, loose.offsets) and not np.array_equal(ordered.j, loose.j)
    order = np.lexsort((loose.j, loose.i))
    for letter in "ijdD":
        assert np.array_equal(getattr(loose, letter)[order], getattr(ordered, letter))


def test_threads_change_nothing():
    points = cloud("clustered", 30_000, 3)
    one, two = (juxta.neighbors(points, 0.02, "ijdD", threads=threads) for threads in (1, 3))
    for a, b in zip(one, two):
        assert np.array_equal(a, b)
    assert np.array_equal(*(juxta.count_neighbors(points, 0.02, threads=threads) for threads in (1, 3)))
    tree = juxta.PointTree(points)
    assert np.array_equal(*(tree.pairs(0.02, threads=threads) for threads in (1, 3)))
    dense = juxta.PointTree(cloud("equal", 3000, 2))  # pairs grow beyond what was reserved for them
    assert dense.pairs(0.1).shape == (2, 3000 * 2999 // 2)


def test_points_of_other_kinds():
    points = cloud("uniform", 100, 2)
    assert juxta.PointTree(points).dtype == "float64" and juxta.PointTree(points.astype("f4")).dtype == "float32"
    assert juxta.PointTree(points.astype("f2")).dtype == "float32" and juxta.PointTree([[1, 2], [3, 4]]).dtype == "float64"
    wanted = juxta.neighbors(points, 0.3)
    for other in (np.asfortranarray(points), points.astype(">f8"), np.repeat(points, 2, axis=0)[::2], points.tolist()):
        assert np.array_equal(juxta.neighbors(other, 0.3).j, wanted.j)
    tree = juxta.PointTree(points)
    points[:] = 0  # the tree has a copy
    assert np.array_equal(tree.neighbors(0.3).j, wanted.j)
    assert len(tree) == 100 and tree.dims == 2 and tree.memory_bytes > 0
    assert repr(tree) == "<juxta.PointTree of 100 points in 2D, float64>"


def test_float32_rounds_and_float64_does_not():
    """Two points, 1 + 1e-9 apart: nearer than 1 in float32, not in float64."""
    points = np.array([[0, 0, 0], [1 + 1e-9, 0, 0]])
    assert juxta.count_neighbors(points, 1.0).sum() == 0
    assert juxta.count_neighbors(points, 1 + 2e-9).sum() == 2
    assert juxta.count_neighbors(points.astype(np.float32), 1.0).sum() == 2


@pytest.mark.parametrize(
    "change,text",
    [
        ({"r": 0}, "r is 0.0. Give a distance above 0"),
        ({"r": -0.5}, "r is -0.5"),
        ({"r": np.nan}, "r is nan"),
        ({"r": None}, "neither r nor k"),
        ({"r": [0.1, 0.2]}, "goes with queries="),
        ({"r": [0.1, 0.2], "queries": np.zeros((3, 3))}, r"r has shape \(2,\)"),
        ({"r": [0.1, 0.0, 1], "queries": np.zeros((3, 3))}, r"r\[1\] is 0.0"),
        ({"points": np.zeros((4, 4))}, r"points has shape \(4, 4\)"),
        ({"points": np.zeros(3)}, r"points has shape \(3,\)"),
        ({"points": [[0, 0, 0], [0, np.nan, 0]]}, "point 1 has a NaN as its y"),
        ({"points": [[0, 0, 0], [0, 0, -np.inf]]}, "point 1 has an infinite number as its z"),
        ({"queries": np.zeros((4, 2))}, r"queries has shape \(4, 2\)"),
        ({"queries": [[0, 0, np.nan]]}, "point 0 has a NaN"),
        ({"quantities": "ik"}, "quantities is 'ik'"),
        ({"periodic": (1, 0, 1)}, "box is not"),
        ({"periodic": (1, 0), "box": (1, 1, 1)}, r"periodic has shape \(2,\)"),
        ({"periodic": (1, 0, 2), "box": (1, 1, 1)}, r"periodic\[2\] is 2.0"),
        ({"box": (1, 1)}, r"box has shape \(2,\)"),
        ({"box": (1, 0, 1)}, "needs a lo below its hi"),
        ({"box": (1, np.nan, 1)}, "needs a finite lo and hi"),
        ({"box": (1, 0.1, 1)}, "r is 0.1, more than half of the box, which is 0.1 long on axis 1"),
        ({"half": True, "k": 3}, "exclude each other"),
        ({"half": True, "queries": np.zeros((1, 3))}, "half=True goes with"),
        ({"k": 0}, "k is 0"),
        ({"dtype": "int16"}, "dtype is int16"),
    ],
)
def test_errors(change, text):
    arguments = {"points": cloud("uniform", 10, 3), "r": 0.1, **change}
    with pytest.raises(ValueError, match=text):
        juxta.neighbors(**arguments)


def test_wrong_types():
    with pytest.raises(TypeError, match="quantities is 3"):
        juxta.neighbors(cloud("uniform", 10, 3), 0.1, 3)
    with pytest.raises(TypeError, match="not real numbers"):
        juxta.neighbors(np.ones((3, 3), complex), 0.1)


def test_progress_and_cancel():
    points = cloud("uniform", 100_000, 3)
    stages = []
    juxta.neighbors(points, 0.01, progress=lambda stage, done, total: stages.append(stage))
    assert stages
    with pytest.raises(juxta.errors.Cancelled):
        juxta.neighbors(points, 0.1, progress=lambda *_: False)


def test_interrupt():
    """Ctrl-C arrives while C++ is at work; all pairs would take many seconds."""
    points = cloud("uniform", 200_000, 3)
    tree = juxta.PointTree(points)
    timer = threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT))
    began = time.perf_counter()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        tree.count(0.7)
    assert time.perf_counter() - began < 10
    timer.join()


def test_other_threads_run_meanwhile():
    tree = juxta.PointTree(cloud("uniform", 200_000, 3))
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    other = threading.Thread(target=tick)
    other.start()
    began = time.perf_counter()
    tree.count(0.12)
    ended = time.perf_counter()
    done.set()
    other.join()
    assert sum(began < t < ended for t in ticks) >= 3
