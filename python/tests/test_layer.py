# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Layer against NumPy: pairs, boxes, rays, points, frustums."""

import threading

import numpy as np
import pytest

import juxta
from boxes import as_set, overlap, random_boxes


@pytest.mark.parametrize("dims", [2, 3])
@pytest.mark.parametrize("threads", [1, 3])
class TestPairs:
    def test_of_one_layer(self, dims, threads):
        boxes = random_boxes(700, dims, 1)
        want = {(i, j) for i, j in np.argwhere(overlap(boxes, boxes)) if i < j}
        layer = juxta.Layer(boxes)
        pairs = layer.find_pairs(threads=threads)
        assert pairs.shape == (2, len(want)) and pairs.dtype == np.intp
        assert as_set(pairs) == want
        assert layer.count_pairs(threads=threads) == len(want)
        in_order = layer.find_pairs(sorted=True, threads=threads, dtype="uint32")
        assert in_order.dtype == np.uint32 and list(map(tuple, in_order.T)) == sorted(want)
        assert np.array_equal(layer.find_pairs(threads=1), pairs)

    def test_of_two_layers(self, dims, threads):
        a, b = random_boxes(400, dims, 2), random_boxes(300, dims, 3)
        want = set(map(tuple, np.argwhere(overlap(a, b)).tolist()))
        pairs = juxta.Layer(a).find_pairs(juxta.Layer(b), threads=threads)
        assert as_set(pairs) == want
        assert juxta.Layer(a).count_pairs(juxta.Layer(b), threads=threads) == len(want)

    def test_only(self, dims, threads):
        a, b = random_boxes(400, dims, 4), random_boxes(300, dims, 5)
        rng = np.random.default_rng(6)
        only_a, only_b = rng.random(400) < 0.5, rng.random(300) < 0.5
        want = overlap(a, b) & only_a[:, None] & only_b
        pairs = juxta.Layer(a).find_pairs(juxta.Layer(b), only=only_a, only_other=only_b, threads=threads)
        assert as_set(pairs) == set(map(tuple, np.argwhere(want).tolist()))

    def test_categories(self, dims, threads):
        boxes = random_boxes(500, dims, 7)
        rng = np.random.default_rng(8)
        category, mask = rng.integers(1, 16, (2, 500)).astype(np.uint32)
        meet = ((category[:, None] & mask) != 0) & ((category & mask[:, None]) != 0)
        want = {(i, j) for i, j in np.argwhere(overlap(boxes, boxes) & meet) if i < j}
        layer = juxta.Layer(boxes, category=category, mask=mask)
        assert as_set(layer.find_pairs(threads=threads)) == want
        assert np.array_equal(layer.filters(), np.stack([category, mask], axis=1))


@pytest.mark.parametrize("dims", [2, 3])
class TestQueries:
    def test_query_follows_the_shape(self, dims):
        boxes, asked = random_boxes(600, dims, 10), random_boxes(50, dims, 11, size=0.4)
        layer = juxta.Layer(boxes)
        want = overlap(asked, boxes)
        pairs = layer.query(asked, sorted=True)
        assert list(map(tuple, pairs.T)) == list(map(tuple, np.argwhere(want)))
        assert as_set(layer.query(asked, threads=2)) == as_set(pairs)
        counts = layer.count(asked)
        assert np.array_equal(counts, want.sum(axis=1)) and counts.dtype == np.intp
        some = layer.find_any(asked)
        first = layer.find_first(asked, 3)
        assert some.shape == (50,) and first.shape == (50, 3)
        for i, box in enumerate(asked):
            one = layer.query(box, sorted=True)
            assert one.ndim == 1 and np.array_equal(one, np.flatnonzero(want[i]))
            assert layer.count(box) == len(one)
            assert layer.find_any(box) == some[i]
            assert some[i] == -1 if len(one) == 0 else some[i] in one
            alone = layer.find_first(box, 3)
            assert np.array_equal(alone, layer.query(box)[:3])
            assert np.array_equal(first[i][: len(alone)], alone) and (first[i][len(alone) :] == -1).all()

    def test_more_answers_than_scratch_holds(self, dims):
        layer = juxta.Layer(random_boxes(6000, dims, 12))
        everything = np.array([[-9.0] * dims, [9.0] * dims], np.float32)
        assert np.array_equal(np.sort(layer.query(everything)), np.arange(6000))
        assert np.array_equal(layer.query(everything, sorted=True, dtype="uint32"), np.arange(6000))
        many = layer.query(np.tile(everything, (30, 1, 1)), sorted=True)
        assert np.array_equal(many[0], np.repeat(np.arange(30), 6000))
        assert np.array_equal(many[1], np.tile(np.arange(6000), 30))

    def test_skip_only_and_mask(self, dims):
        boxes, asked = random_boxes(300, dims, 13, size=0.3), random_boxes(40, dims, 14, size=0.3)
        category = (1 << (np.arange(300) % 3)).astype(np.uint32)
        layer = juxta.Layer(boxes, category=category)
        rng = np.random.default_rng(15)
        only, skip = rng.random(300) < 0.6, rng.integers(-1, 300, 40)
        want = overlap(asked, boxes) & only & ((category & 5) != 0)
        want[np.flatnonzero(skip >= 0), skip[skip >= 0]] = False
        got = layer.query(asked, skip=skip, only=only, mask=5, sorted=True)
        assert list(map(tuple, got.T)) == list(map(tuple, np.argwhere(want)))
        assert np.array_equal(layer.count(asked, skip=skip, only=only, mask=5), want.sum(axis=1))
        for i in range(40):
            one = layer.query(asked[i], skip=int(skip[i]), only=only, mask=5, sorted=True)
            assert np.array_equal(one, np.flatnonzero(want[i]))
        shared = overlap(asked, boxes)
        shared[:, 7] = False
        assert np.array_equal(layer.count(asked, skip=7), shared.sum(axis=1))
        several = layer.query(asked[0], skip=[1, 2, 3], sorted=True)
        assert np.array_equal(several, np.setdiff1d(np.flatnonzero(overlap(asked, boxes)[0]), [1, 2, 3]))

    def test_empty_infinite_and_nan_boxes(self, dims):
        layer = juxta.Layer(random_boxes(20, dims, 16))
        inf, nan = [np.inf] * dims, [np.nan] * dims
        assert layer.count((np.negative(inf), inf)) == 20
        assert layer.count((inf, np.negative(inf))) == 0
        assert layer.query([nan, inf]).tolist() == []
        assert layer.query([]).shape == (2, 0)
        assert layer.count(np.empty((0, 2, dims))).shape == (0,)
        nothing = juxta.Layer(np.empty((0, 2, dims), np.float32))
        assert len(nothing) == 0 and nothing.query((np.negative(inf), inf)).shape == (0,)
        assert nothing.find_pairs().shape == (2, 0)

    def test_frustum(self, dims):
        boxes = random_boxes(300, dims, 17)
        layer = juxta.Layer(boxes)
        rng = np.random.default_rng(18)
        planes = rng.normal(size=(6, 4, dims + 1)).astype(np.float32)
        inside = np.ones((6, 300), bool)
        for f in range(6):
            for plane in planes[f]:
                corner = np.where(plane[:dims] >= 0, boxes[:, 1], boxes[:, 0])
                inside[f] &= (corner * plane[:dims]).sum(axis=1, dtype=np.float64) + plane[dims] >= 0
        got = layer.in_frustum(planes, sorted=True)
        assert list(map(tuple, got.T)) == list(map(tuple, np.argwhere(inside)))
        assert np.array_equal(layer.in_frustum(planes[0], sorted=True), np.flatnonzero(inside[0]))
        with pytest.raises(ValueError, match="planes has shape"):
            layer.in_frustum(planes[0, 0])


def slabs(boxes, origin, direction, end):
    """Where a ray enters each box; infinity: nowhere. In float64."""
    boxes = boxes.astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (boxes - origin) / direction
    lo, hi = t.min(axis=1), t.max(axis=1)
    enter, leave = np.maximum(lo.max(axis=1), 0), np.minimum(hi.min(axis=1), end)
    return np.where(enter <= leave, enter, np.inf)


@pytest.mark.parametrize("dims", [2, 3])
class TestRays:
    def rays(self, dims, m, seed):
        rng = np.random.default_rng(seed)
        return (
            rng.random((m, dims)).astype(np.float32) * 2 - 0.5,
            rng.normal(size=(m, dims)).astype(np.float32),
            rng.random(m).astype(np.float32),
        )

    def test_against_slabs(self, dims):
        boxes = random_boxes(500, dims, 20)
        layer = juxta.Layer(boxes)
        origin, direction, end = self.rays(dims, 60, 21)
        closest = layer.raycast(origin, direction, end)
        some = layer.raycast_any(origin, direction, end)
        every = layer.raycast_all(origin, direction, end)
        assert every.offsets.dtype == np.intp and every.offsets[0] == 0 and every.offsets[-1] == len(every.body)
        for i in range(60):
            t = slabs(boxes, origin[i].astype(float), direction[i].astype(float), float(end[i]))
            first = every.offsets[i]
            last = every.offsets[i + 1]
            assert set(every.body[first:last]) == set(np.flatnonzero(np.isfinite(t)))
            assert np.allclose(every.t[first:last], np.sort(t[np.isfinite(t)]), atol=1e-5)
            one = layer.raycast(origin[i], direction[i], float(end[i]))
            assert (one.body, np.float32(one.t)) == (closest.body[i], closest.t[i])
            alone = layer.raycast_all(origin[i], direction[i], float(end[i]))
            assert np.array_equal(alone.body, every.body[first:last])
            assert np.array_equal(alone.t, every.t[first:last])
            if first < last:
                assert closest.body[i] == every.body[first] and closest.t[i] == every.t[first]
                assert some.body[i] in every.body[first:last]
            else:
                assert closest.body[i] == -1 == some.body[i] == one.body and np.isinf(closest.t[i])
            assert layer.raycast_any(origin[i], direction[i], float(end[i])).body == some.body[i]

    def test_shared_origin_and_direction(self, dims):
        layer = juxta.Layer(random_boxes(300, dims, 22))
        origin, direction, _ = self.rays(dims, 30, 23)
        fan = layer.raycast(origin[0], direction)
        assert np.array_equal(fan.body, layer.raycast(np.tile(origin[0], (30, 1)), direction).body)
        rain = layer.raycast(origin, direction[0], 5.0, dtype="uint32")
        assert rain.body.dtype == np.uint32
        assert [layer.raycast(o, direction[0], 5.0).body for o in origin] == rain.body.astype(np.int32).tolist()

    def test_skip_per_ray(self, dims):
        boxes = random_boxes(300, dims, 24, size=0.3)
        layer = juxta.Layer(boxes)
        middle = boxes.mean(axis=1)
        way = np.ones((300, dims), np.float32)
        assert (layer.raycast(middle, way).t == 0).all()
        skipped = layer.raycast(middle, way, skip=np.arange(300))
        assert (skipped.body != np.arange(300)).all()
        every = layer.raycast_all(middle, way, skip=np.arange(300))
        rows = np.repeat(np.arange(300), np.diff(every.offsets))
        assert (every.body != rows).all() and len(every.body) > 300

    def test_lengths_are_checked(self, dims):
        layer = juxta.Layer(random_boxes(30, dims, 25))
        origin, direction, _ = self.rays(dims, 30, 26)
        with pytest.raises(ValueError, match="origin has 30 points and direction has 20"):
            layer.raycast(origin, direction[:20])
        with pytest.raises(ValueError, match="max has shape"):
            layer.raycast(origin, direction, np.ones(29))
        with pytest.raises(ValueError, match="skip has shape"):
            layer.raycast(origin, direction, skip=[1, 2])
        with pytest.raises(ValueError, match="direction has shape"):
            layer.raycast(origin, np.zeros((30, 5 - dims)))
        with pytest.raises(ValueError, match="only has shape"):
            layer.raycast(origin, direction, only=np.ones(29, bool))
        with pytest.raises(TypeError, match="only holds int64"):
            layer.raycast(origin, direction, only=np.arange(30))

    def test_nearest(self, dims):
        boxes = random_boxes(400, dims, 27)
        layer = juxta.Layer(boxes)
        points = np.random.default_rng(28).random((50, dims)).astype(np.float32) * 3 - 1
        hits = layer.nearest(points)
        outside = np.maximum(boxes[None, :, 0] - points[:, None], points[:, None] - boxes[None, :, 1])
        distance = np.sqrt((np.maximum(outside, 0).astype(np.float64) ** 2).sum(axis=2))
        assert np.allclose(hits.distance, distance.min(axis=1), rtol=1e-5, atol=1e-6)
        assert np.allclose(distance[np.arange(50), hits.body], distance.min(axis=1), rtol=1e-5, atol=1e-6)
        one = layer.nearest(points[0])
        assert (one.body, np.float32(one.distance)) == (hits.body[0], hits.distance[0])
        none = layer.nearest([90.0] * dims, 1.0)
        assert none.body == -1 and np.isinf(none.distance)
        assert (layer.nearest(boxes.mean(axis=1), skip=np.arange(400)).body != np.arange(400)).all()


def test_many_threads_ask_one_layer():
    boxes = random_boxes(5000, 3, 61)
    layer = juxta.Layer(boxes)
    asked = random_boxes(200, 3, 62, size=0.3)
    want = layer.query(asked, sorted=True)
    wrong = []

    def ask():
        for _ in range(5):
            if not np.array_equal(layer.query(asked, sorted=True, threads=2), want):
                wrong.append(1)

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


# Threads keep memory for pairs between calls, and layers that were dropped leave theirs to the next ones.
@pytest.mark.parametrize("dims", [2, 3])
def test_answers_do_not_share_memory(dims):
    layer = juxta.Layer(random_boxes(3000, dims, 30))
    boxes, others = random_boxes(400, dims, 31), random_boxes(500, dims, 32)
    ask = [lambda: layer.query(boxes), lambda: layer.query(others), layer.find_pairs]
    kept = [call() for call in ask]
    copies = [pairs.copy() for pairs in kept]
    for pairs in kept:
        assert pairs.flags.c_contiguous and pairs.flags.writeable and pairs.size
    for call in reversed(ask):
        call()
    for pairs, copy in zip(kept, copies):
        assert np.array_equal(pairs, copy)
        pairs[:] = -7
    for call, copy in zip(ask, copies):
        assert np.array_equal(call(), copy)


def test_a_callback_may_ask_for_pairs():
    boxes = random_boxes(60_000, 2, 33, size=0.02)
    layer, small = juxta.Layer(boxes), juxta.Layer(boxes[:3000])
    want, inside = layer.find_pairs(), small.find_pairs()
    asked = []

    def progress(stage, done, total):
        asked.append(np.array_equal(small.find_pairs(), inside))

    assert np.array_equal(layer.find_pairs(progress=progress), want)
    assert asked and all(asked)


def test_dropped_layers_leave_nothing_behind():
    worlds = [random_boxes(n, dims, n, size=0.02) for n in (1500, 5000, 30_000, 31_000) for dims in (2, 3)]
    want = [juxta.Layer(world).find_pairs(sorted=True) for world in worlds]

    def work(seed, wrong):
        for i in np.random.default_rng(seed).integers(len(worlds), size=25):
            pairs = juxta.Layer(worlds[i]).find_pairs(sorted=True)
            wrong += [] if np.array_equal(pairs, want[i]) else [i]

    wrong = []
    threads = [threading.Thread(target=work, args=(seed, wrong)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
