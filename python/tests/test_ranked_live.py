# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""LiveRankedPoints in lockstep with a dictionary of points."""

import threading

import numpy as np
import pytest

import juxta

EVERYWHERE = [-np.inf, -np.inf, np.inf, np.inf]
SLOT = 2**32 - 1


class Lockstep:
    def __init__(self, n, seed, coordinates=np.float64, ranks=np.int32):
        self.rng = np.random.default_rng(seed)
        x, y, rank, masks = self.columns(n)
        self.types = coordinates, ranks
        self.live = juxta.LiveRankedPoints(x.astype(coordinates), y.astype(coordinates), rank.astype(ranks), categories=masks)
        self.points = {2**32 + i: (x[i], y[i], rank[i], int(masks[i])) for i in range(n)}

    def columns(self, n):
        return self.rng.integers(0, 100, n), self.rng.integers(0, 100, n), self.rng.integers(0, 50, n), self.rng.integers(0, 4, n)

    def some(self, n):
        return self.rng.choice(np.array(list(self.points), np.uint64), min(n, len(self.points)), replace=False)

    def change(self):
        way = self.rng.integers(7)
        x, y, rank, masks = self.columns(9)
        if way == 0:
            ids = self.live.insert(x, y, rank.astype(self.types[1]), categories=masks)
            assert ids.dtype == np.uint64
            self.points.update({int(i): (x[j], y[j], rank[j], int(masks[j])) for j, i in enumerate(ids)})
        elif way == 1:
            one = self.live.insert(1.0, 2.0, self.types[1](3).item())
            self.points[one] = (1.0, 2.0, 3, 0)
        elif way == 2:
            ids = self.some(5)
            self.live.remove(ids)
            for i in ids:
                del self.points[int(i)]
        elif way == 3:
            ids = self.some(9)
            self.live.move(ids, x[: len(ids)], y[: len(ids)])
            self.points.update({int(i): (x[j], y[j], *self.points[int(i)][2:]) for j, i in enumerate(ids)})
        elif way == 4:
            one = int(self.some(1)[0])
            self.live.set_rank(one, self.types[1](7).item())
            self.points[one] = (*self.points[one][:2], 7, self.points[one][3])
        elif way == 5:
            one = int(self.some(1)[0])
            self.live.set_categories(one, 3)
            self.points[one] = (*self.points[one][:3], 3)
        else:
            self.live.merge()
            assert self.live.unmerged == 0

    def inside(self, rect, any=0):
        lx, ly, hx, hy = rect
        found = [i for i, (x, y, _, mask) in self.points.items() if lx <= x <= hx and ly <= y <= hy and (not any or mask & any)]
        return sorted(found, key=lambda i: (self.points[i][2], i & SLOT))

    def check(self):
        assert len(self.live) == len(self.points)
        lo = self.rng.integers(0, 60, 2)
        rect = [*lo, *(lo + self.rng.integers(1, 60, 2))]
        for any in [0, 1]:
            want = self.inside(rect, any)
            assert self.live.top(rect, 7, any=any).tolist() == want[:7]
            assert self.live.count(rect, any=any) == len(want)
            if len(want) > 3:
                last = want[2]
                page = self.live.top(rect, 5, any=any, after=(self.points[last][2], last))
                assert page.tolist() == want[3:8]
        many = self.live.top([rect, EVERYWHERE], 6)
        for row, of in zip(many, [rect, EVERYWHERE]):
            want = self.inside(of)[:6]
            assert row.tolist() == want + [juxta.NO_ID] * (6 - len(want))
        assert self.live.count([rect, EVERYWHERE]).tolist() == [len(self.inside(rect)), len(self.points)]
        one = int(self.some(1)[0])
        assert self.live.find(one) == self.points[one]
        self.check_places(rect)

    def nearest(self, x, y, k, most_important=None, any=0, far=np.inf):
        ids = self.inside(EVERYWHERE)[:most_important]
        squares = {i: float((self.points[i][0] - x) ** 2 + (self.points[i][1] - y) ** 2) for i in ids}
        near = [i for i in ids if squares[i] <= far * far and (not any or self.points[i][3] & any)]
        near.sort(key=squares.get)  # stable: equal distances stay in the order of ranks
        return near[:k], [squares[i] ** 0.5 for i in near[:k]]

    def check_places(self, rect):
        for asked in [{}, {"any": 1, "most_important": 20}, {"max_distance": 15.0}]:
            ids, distances = self.live.nearest(rect[:2], 9, **asked)
            want = self.nearest(*rect[:2], 9, asked.get("most_important"), asked.get("any", 0), asked.get("max_distance", np.inf))
            assert (ids.tolist(), pytest.approx(distances.tolist())) == want
        ids, distances = self.live.snapshot().nearest([[50, 50], rect[2:]], 200)
        for row, far, at in zip(ids, distances, [[50, 50], rect[2:]]):
            want, lengths = self.nearest(*at, 200)
            assert row.tolist() == want + [juxta.NO_ID] * (len(row) - len(want))
            assert far.tolist() == pytest.approx(lengths + [np.inf] * (len(row) - len(want)))
        x, y = (np.array([p[axis] for p in self.points.values()], np.float64) for axis in (0, 1))
        edges = (rect[1], rect[3]), (rect[0], rect[2])
        for live in [self.live, self.live.snapshot()]:
            assert np.array_equal(live.count_cells(rect, 4, 3), np.histogram2d(y, x, (3, 4), edges)[0])


@pytest.mark.parametrize("coordinates", [np.float32, np.float64])
@pytest.mark.parametrize("ranks", [np.int32, np.int64, np.float32, np.float64])
def test_lockstep(coordinates, ranks):
    both = Lockstep(60, 1, coordinates, ranks)
    for _ in range(120):
        both.change()
        both.check()


def test_regions_and_snapshots():
    live = juxta.LiveRankedPoints([0.0, 5.0, 9.0], [0.0, 5.0, 9.0], [3, 2, 1], background=False)
    then = live.snapshot()
    new = live.insert(5.0, 6.0, 0)
    live.remove(2**32 + 1)
    circle = juxta.Region.circle(5, 5, 2)
    assert then.top(circle, 9).tolist() == [2**32 + 1] and live.top(circle, 9).tolist() == [new]
    assert then.count(circle) == live.count(circle) == 1 and len(then) == 3
    assert live.unmerged == 2 and live.memory_bytes > 0
    assert repr(live) == "<juxta.LiveRankedPoints of 3 points>"
    del live
    assert then.top(EVERYWHERE, 3).tolist() == [2**32 + 2, 2**32 + 1, 2**32]


def test_refusals():
    live = juxta.LiveRankedPoints([1.0], [1.0], np.array([1], np.int32))
    for call, error in [
        (lambda: live.insert(np.nan, 0.0, 1), juxta.errors.NotFinite),
        (lambda: live.insert(0.0, 0.0, 0.5), juxta.errors.InvalidArgument),
        (lambda: live.insert([0.0, 1.0], [0.0], [1]), juxta.errors.InvalidArgument),
        (lambda: live.remove(5), juxta.errors.NotFound),
        (lambda: live.move(2**32, [1.0, 2.0], [1.0, 2.0]), juxta.errors.InvalidArgument),
        (lambda: live.top(EVERYWHERE, 1, after=(0.5, 2**32)), juxta.errors.InvalidArgument),
        (lambda: live.top(EVERYWHERE, 1, after=3), ValueError),
        (lambda: live.top([EVERYWHERE] * 2, 1, after=(1, 2**32)), ValueError),
        (lambda: live.find([2**32, 2**32]), ValueError),
        (lambda: juxta.RankedSnapshot(), TypeError),
    ]:
        with pytest.raises(error):
            call()
    with pytest.raises(juxta.errors.NotFound) as caught:
        live.remove([2**32, 5])
    assert caught.value.index == 1 and len(live) == 1


def test_readers_beside_a_writer():
    """Two points change sides at a time, so every answer has ten of twenty on the left."""
    live = juxta.LiveRankedPoints(np.tile([1.0, 9.0], 10), np.arange(20.0), np.arange(20))
    stop = threading.Event()

    def write():
        rng = np.random.default_rng(1)
        left = np.tile([True, False], 10)
        while not stop.is_set():
            a, b = rng.choice(np.flatnonzero(left)), rng.choice(np.flatnonzero(~left))
            left[[a, b]] = [False, True]
            live.move(np.array([a, b], np.uint64) + np.uint64(2**32), [8.0, 2.0], [0.0, 0.0])

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(300):
            now = live.snapshot()
            assert now.count([0, -1, 5, 99]) == 10 == len(now.top([5, -1, 99, 99], 20)) and len(live.top(EVERYWHERE, 30)) == 20
    finally:
        stop.set()
        writer.join()


def test_files(tmp_path):
    path = tmp_path / "points.jxr"
    live = juxta.LiveRankedPoints([0.0, 5.0, 9.0], [0.0, 5.0, 9.0], [3, 2, 1])
    live.keep(path)
    new = live.insert(1.0, 1.0, 0, categories=4)
    live.remove(2**32 + 1)
    live.sync()
    with pytest.raises(juxta.errors.InvalidArgument):
        live.keep(path)
    with pytest.raises(juxta.errors.Error):
        juxta.LiveRankedPoints.open(path)  # it is held
    del live
    again = juxta.LiveRankedPoints.open(str(path), sync=True)
    assert again.top(EVERYWHERE, 9).tolist() == [new, 2**32 + 2, 2**32] and again.find(new) == (1.0, 1.0, 0, 4)
    del again
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(juxta.errors.CorruptFile):
        juxta.LiveRankedPoints.open(path)


@pytest.mark.parametrize("merge", [False, True])
def test_numbers(merge, tmp_path):
    rng = np.random.default_rng(4)
    x, y, rank = rng.random(500), rng.random(500), rng.integers(0, 50, 500)
    price, time = rng.integers(0, 100, 500) / 4, rng.integers(0, 1000, 500)
    live = juxta.LiveRankedPoints(x, y, rank, values=[price, time], background=False)
    many = live.insert(x[:50], y[:50], rank[:50], values=[price[:50] + 1, time[:50]])
    one = live.insert(0.5, 0.5, -1, values=[7.25, 3])
    live.set_value(2**32 + 3, 0, np.nan)
    live.set_value(many[:2], 1, [-5, -6])
    price = np.concatenate([price, price[:50] + 1, [7.25]])
    time = np.concatenate([time, time[:50], [3]])
    price[3], time[500], time[501] = np.nan, -5, -6
    if merge:
        live.merge()
    found = live.find(one)
    assert found == (0.5, 0.5, -1, 0, 7.25, 3) and isinstance(found[5], int)
    assert np.isnan(live.find(2**32 + 3)[4])
    for ranges in [[(5, 10)], [None, (None, 300)], [(7.25, None), (-6, 200)], [(None, 3.5), (3, 3)]]:
        bounds = [(-np.inf if r is None or r[0] is None else r[0], np.inf if r is None or r[1] is None else r[1]) for r in ranges]
        inside = np.full(551, True)
        for i, (lo, hi) in enumerate(bounds):
            if ranges[i] is not None:
                inside &= ((price, time)[i] >= lo) & ((price, time)[i] <= hi)
        ids = live.top(EVERYWHERE, 600, ranges=ranges)
        assert set((ids & SLOT).tolist()) == set(np.flatnonzero(inside).tolist())
        assert live.count(EVERYWHERE, ranges=ranges) == inside.sum() == live.snapshot().count(EVERYWHERE, ranges=ranges)
        near = live.nearest((0.5, 0.5), 600, ranges=ranges)
        assert set(near.j.tolist()) == set(ids.tolist())
    live.keep(tmp_path / "points.jxr")
    del live
    again = juxta.LiveRankedPoints.open(tmp_path / "points.jxr")
    assert again.find(one) == (0.5, 0.5, -1, 0, 7.25, 3)
    with pytest.raises(juxta.errors.InvalidArgument):
        again.insert(1, 2, 3)  # times are whole numbers, which are never missing
    with pytest.raises(juxta.errors.InvalidArgument):
        again.set_value(one, 2, 1)
