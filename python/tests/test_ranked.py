# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""RankedPoints against NumPy."""

import gc
import weakref

import numpy as np
import pytest

import juxta


def expected_top(x, y, rank, rect, k):
    lx, ly, hx, hy = rect
    inside = np.flatnonzero((x >= lx) & (x <= hx) & (y >= ly) & (y <= hy))
    return inside[np.argsort(rank[inside], kind="stable")][:k]


def rectangles(rng, m):
    corners = rng.random((m, 2, 2)) * 1.4 - 0.2
    corners.sort(axis=1)
    return corners


@pytest.mark.parametrize("coordinates", [np.float32, np.float64])
@pytest.mark.parametrize("ranks", [np.int32, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("n", [0, 1, 17, 5000])
def test_against_numpy(coordinates, ranks, n):
    rng = np.random.default_rng(n)
    x, y = rng.random((2, n)).astype(coordinates)
    rank = rng.integers(-50, 50, n).astype(ranks)
    points = juxta.RankedPoints(x, y, rank)
    assert len(points) == n
    rects = rectangles(rng, 40)
    many = points.top(rects, 30)
    counts = points.count(rects)
    assert many.shape == (40, min(30, n)) and counts.shape == (40,) and counts.dtype == np.intp
    for rect, row, count in zip(rects, many, counts):
        want = expected_top(x, y, rank, rect.ravel(), 30)
        assert np.array_equal(points.top(rect, 30), want)
        assert np.array_equal(row[: len(want)], want) and (row[len(want) :] == -1).all()
        assert count == points.count(rect) == len(expected_top(x, y, rank, rect.ravel(), n))


@pytest.mark.parametrize("coordinates", [np.float32, np.float64])
@pytest.mark.parametrize("n", [0, 1, 5000])
def test_cells_are_a_histogram(coordinates, n):
    rng = np.random.default_rng(n)
    x, y = (rng.integers(0, 100, (2, n)) / 100).astype(coordinates)  # often on an edge
    points = juxta.RankedPoints(x, y, x)
    for lx, ly, hx, hy in [(0, 0, 1, 1), (0.1, 0.25, 0.7, 0.75), (-3, 0.5, 8, 0.51), (5, 5, 6, 6)]:
        for columns, rows in [(1, 1), (10, 7), (100, 300)]:
            cells = points.count_cells([lx, ly, hx, hy], columns, rows, threads=2)
            want, _, _ = np.histogram2d(y.astype(float), x.astype(float), (rows, columns), ((ly, hy), (lx, hx)))
            assert cells.dtype == np.uint32 and np.array_equal(cells, want)
            assert cells.sum() == points.count([lx, ly, hx, hy])


def test_cells_refuse():
    points = juxta.RankedPoints([0.0, 5.0], [0.0, 5.0], [1, 2])
    for rect, columns, rows in [([0, 0, 0, 1], 1, 1), ([0, 0, np.inf, 1], 1, 1), ([0, 0, 1, 1], 0, 1),
                                ([0, 0, 1, 1], 1, 10**9), ([[0, 0, 1, 1], [0, 0, 2, 2]], 1, 1)]:
        with pytest.raises(ValueError):
            points.count_cells(rect, columns, rows)


def passes(masks, any=0, all=0, none=0):
    return ((masks & all) == all) & ((masks & none) == 0) & ((any == 0) | ((masks & any) != 0))


def test_filters_are_those_of_numpy(tmp_path):
    random = np.random.default_rng(5)
    n = 3000
    x, y = random.random(n).astype(np.float32), random.random(n).astype(np.float32)
    rank = random.integers(0, 500, n)
    masks = random.integers(0, 2**64, n, dtype=np.uint64) & random.integers(0, 2**64, n, dtype=np.uint64)
    points = juxta.RankedPoints(x, y, rank, categories=masks)
    points.save(tmp_path / "points.jxr")
    rects = np.sort(random.random((20, 2, 2)), axis=1)
    for each in points, juxta.RankedPoints.load(tmp_path / "points.jxr"):
        assert each.categories == int(np.bitwise_or.reduce(masks))
        for filter in [{}, {"all": 1}, {"any": 6}, {"all": 2**63 + 8, "none": 16}, {"any": 2**64 - 1, "none": 3}]:
            ok = passes(masks, **{name: np.uint64(mask) for name, mask in filter.items()})
            counts, tops = each.count(rects, **filter, threads=2), each.top(rects, 300, **filter, threads=2)
            for rect, count, top in zip(rects, counts, tops):
                (lx, ly), (hx, hy) = rect
                inside = np.flatnonzero(ok & (x >= lx) & (x <= hx) & (y >= ly) & (y <= hy))
                want = inside[np.argsort(rank[inside], kind="stable")][:300]
                assert count == len(inside) == each.count(rect, **filter)
                assert np.array_equal(top[:len(want)], want) and (top[len(want):] == -1).all()
                assert np.array_equal(each.top(rect, 300, **filter), want)


def test_filters_refuse():
    with pytest.raises(TypeError):
        juxta.RankedPoints([0.0, 5.0], [0.0, 5.0], [1, 2], categories=[0.5, 1])
    with pytest.raises(ValueError):
        juxta.RankedPoints([0.0, 5.0], [0.0, 5.0], [1, 2], categories=[1])
    points = juxta.RankedPoints([0.0, 5.0], [0.0, 5.0], [1, 2], categories=[1, 3])
    for wrong in -1, 2**64, "all", None, 1.5:
        with pytest.raises(ValueError):
            points.count([0, 0, 9, 9], all=wrong)
    points.rebuild([0.0, 5.0], [0.0, 5.0], [1, 2])
    assert points.categories == 0 and points.count([0, 0, 9, 9], any=1) == 0


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
def test_ranges_are_those_of_numpy(tmp_path, dtype):
    random = np.random.default_rng(6)
    n = 4000
    x, y, rank = random.random(n), random.random(n), random.integers(0, 500, n)
    price = random.integers(-20, 20, n).astype(dtype)
    time = np.where(random.random(n) < 0.2, np.nan, random.random(n))
    masks = random.integers(0, 4, n).astype(np.uint64)
    points = juxta.RankedPoints(x, y, rank, categories=masks, values=[price, time])
    points.save(tmp_path / "points.jxr")
    rects = np.sort(random.random((20, 2, 2)), axis=1)
    everything = np.ones(n, bool)
    cases = [
        ({"ranges": []}, everything),
        ({"ranges": [None, (None, None)]}, everything),
        ({"ranges": [(3, 3)]}, price == 3),
        ({"ranges": [(-2.5, None)]}, price >= -2.5),
        ({"ranges": [None, (0.25, 0.5)]}, (time >= 0.25) & (time <= 0.5)),
        ({"ranges": [(None, 10), (0.9, 0.91)], "any": 2}, (price <= 10) & (time >= 0.9) & (time <= 0.91) & (masks >= 2)),
        ({"ranges": [(5, 4)]}, ~everything),
        ({"ranges": [(np.float32(2.5), np.array(7.5))]}, (price >= 2.5) & (price <= 7.5)),
        ({"ranges": [None, (-np.inf, np.inf)]}, everything),
        ({"ranges": [None, (0.5, np.inf)]}, time >= 0.5),
        ({"ranges": [None, (np.nan, 1)]}, ~everything),
    ]
    for each in points, juxta.RankedPoints.load(tmp_path / "points.jxr"):
        for filter, ok in cases:
            counts, tops = each.count(rects, **filter), each.top(rects, 300, **filter)
            for rect, count, top in zip(rects, counts, tops):
                (lx, ly), (hx, hy) = rect
                inside = np.flatnonzero(ok & (x >= lx) & (x <= hx) & (y >= ly) & (y <= hy))
                want = inside[np.argsort(rank[inside], kind="stable")][:300]
                assert count == len(inside)
                assert np.array_equal(top[:len(want)], want) and (top[len(want):] == -1).all()
            near = each.nearest([0.5, 0.5], 5, **filter).j
            d = (x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5)
            assert np.array_equal(near, np.flatnonzero(ok)[np.argsort(d[ok], kind="stable")][:5])


def test_ranges_refuse():
    x = [0.0, 5.0]
    big = juxta.RankedPoints(x, x, [1, 2], values=[np.array([2**53, 2**53 + 1])])
    assert big.count([0, 0, 9, 9], ranges=[(2**53 + 1, None)]) == 1  # as a double, both would be 2^53
    for values in [x], [[1.0]], [x, x, x]:
        with pytest.raises((TypeError, ValueError)):
            juxta.RankedPoints(x, x, [1, 2], values=values if values != [x] else x)
    with pytest.raises(TypeError):
        juxta.RankedPoints(x, x, [1, 2], values=5)
    for wrong in (1, 2), [(1, 2, 3)], [None, None, None], 5:
        with pytest.raises(ValueError):
            big.count([0, 0, 9, 9], ranges=wrong)
    with pytest.raises(TypeError):
        big.count([0, 0, 9, 9], ranges=[("a", "b")])


def inside_polygon(rings, x, y):
    inside = np.zeros(len(x), bool)
    for ring in rings:
        for (ax, ay), (bx, by) in zip(ring, np.roll(ring, -1, axis=0)):
            crosses = (ay > y) != (by > y)
            left = (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0
            inside ^= crosses & (left == (by > ay))
    return inside


def test_regions_are_those_of_numpy():
    random = np.random.default_rng(6)
    n = 4000
    x, y, rank = random.random(n), random.random(n), random.integers(0, 500, n)
    masks = random.integers(0, 8, n, dtype=np.uint64)
    points = juxta.RankedPoints(x, y, rank, categories=masks)
    distance = (x - 0.4) * (x - 0.4) + (y - 0.5) * (y - 0.5)
    rings = [random.random((7, 2)), random.random((5, 2))]
    for region, inside in [(juxta.Region.circle(0.4, 0.5, 0.3), distance <= 0.3 * 0.3),
                           (juxta.Region.ring(0.4, 0.5, 0.1, 0.3), (distance >= 0.1 * 0.1) & (distance <= 0.3 * 0.3)),
                           (juxta.Region.across([0.8, 0.1, 0.2, 0.9]), ((x >= 0.8) | (x <= 0.2)) & (y >= 0.1) & (y <= 0.9)),
                           (juxta.Region.polygon(*rings), inside_polygon(rings, x, y))]:
        for mask in 0, 5:
            want = np.flatnonzero(inside & ((masks & np.uint64(mask)) == mask))
            want = want[np.argsort(rank[want], kind="stable")]
            assert points.count(region, all=mask) == len(want) > 0
            assert np.array_equal(points.top(region, 50, all=mask), want[:50])
        assert region.contains(x[want[0]], y[want[0]])


def test_regions_refuse():
    for wrong in [[0, 1, 2]], [[[0, 0], [np.nan, 1]]], [[[0, 0], [1e200, 1]]], [np.zeros((3, 3))]:
        with pytest.raises(ValueError):
            juxta.Region.polygon(*wrong)
    points = juxta.RankedPoints([0.0, 5.0], [0.0, 5.0], [1, 2])
    assert points.count(juxta.Region.polygon()) == 0
    assert points.count(juxta.Region.circle(0, 0, -1)) == 0


@pytest.mark.parametrize("coordinates", [np.float32, np.float64])
def test_nearest_is_that_of_numpy(coordinates):
    random = np.random.default_rng(7)
    n = 3000
    x, y = random.random((2, n)).astype(coordinates)
    rank = random.integers(0, 500, n)
    masks = random.integers(0, 8, n, dtype=np.uint64)
    points = juxta.RankedPoints(x, y, rank, categories=masks)
    place = np.empty(n, int)
    place[np.argsort(rank, kind="stable")] = np.arange(n)
    asked = random.random((15, 2)) * 1.4 - 0.2
    for k, most, mask, far in [(10, None, 0, np.inf), (4, 100, 0, 0.2), (50, 1500, 5, np.inf), (9, 10, 1, np.inf)]:
        options = {"most_important": most, "all": mask, "max_distance": far}
        rows, distances = points.nearest(asked, k, **options, threads=2)
        assert rows.shape == distances.shape == (15, k) and distances.dtype == np.float64
        for (px, py), row, distance in zip(asked, rows, distances):
            dx, dy = x.astype(float) - px, y.astype(float) - py
            square = dx * dx + dy * dy
            ok = ((masks & np.uint64(mask)) == mask) & (place < (n if most is None else most)) & (square <= far * far)
            want = np.flatnonzero(ok)
            want = want[np.lexsort((place[want], square[want]))][:k]
            assert np.array_equal(row[:len(want)], want) and (row[len(want):] == -1).all()
            assert np.array_equal(distance[:len(want)], np.sqrt(square[want])) and np.isinf(distance[len(want):]).all()
            one = points.nearest((px, py), k, **options)
            assert np.array_equal(one.j, want) and np.array_equal(one.d, np.sqrt(square[want]))


def test_nearest_refuses_and_finds_nothing():
    points = juxta.RankedPoints([0.0, 5.0], [0.0, 5.0], [1, 2])
    for wrong in [1, 2, 3], [[[1, 2]]], 5:
        with pytest.raises(ValueError):
            points.nearest(wrong, 1)
    with pytest.raises(ValueError):
        points.nearest([0, 0], -1)
    assert len(points.nearest([np.nan, 0], 2).j) == 0
    assert points.nearest([[np.nan, 0], [0, 0]], 9, dtype="uint32").j.tolist() == [[juxta.NO_BODY] * 2, [0, 1]]
    assert points.nearest(np.zeros((0, 2)), 9).d.shape == (0, 2)
    assert len(juxta.RankedPoints([], [], []).nearest([0, 0], 3).d) == 0


def test_uint32_rows_end_with_no_body():
    points = juxta.RankedPoints([0.0, 5.0], [0.0, 5.0], [1, 2])
    rows = points.top([[0, 0, 1, 1], [0, 0, 9, 9]], 2, dtype="uint32")
    assert rows.dtype == np.uint32 and rows.tolist() == [[0, juxta.NO_BODY], [0, 1]]
    assert rows.flags.writeable


def test_infinite_inverted_and_nan_rectangles():
    points = juxta.RankedPoints([0.0, 5.0], [0.0, 5.0], [2, 1])
    inf = np.inf
    assert points.top([-inf, -inf, inf, inf], 5).tolist() == [1, 0]
    assert points.top([1, 1, 0, 0], 5).tolist() == []
    assert points.count([np.nan, 0, 1, 1]) == 0


def test_bounds():
    points = juxta.RankedPoints([1.0, 5.0], [2.0, -3.0], [2, 1])
    assert points.bounds.tolist() == [[1, -3], [5, 2]]
    lo, hi = juxta.RankedPoints([], [], []).bounds
    assert (lo > hi).all()


def test_borrowed_columns_stay_alive_and_are_not_copied():
    rng = np.random.default_rng(3)
    table = rng.random((100_000, 2))
    x, y, rank = table[:, 0], table[:, 1], rng.integers(0, 10**6, 100_000)
    held = weakref.ref(table)
    copied = juxta.RankedPoints(x, y, rank)
    points = juxta.RankedPoints(x, y, rank, copy=False)
    assert points.memory_bytes < copied.memory_bytes - 15 * len(table)
    rect = [0.2, 0.3, 0.6, 0.9]
    want = expected_top(x, y, rank, rect, 100)
    del table, x, y
    gc.collect()
    assert held() is not None
    assert np.array_equal(points.top(rect, 100), want)
    points.rebuild([0.0], [0.0], [1])
    gc.collect()
    assert held() is None
    assert points.top([0, 0, 1, 1], 3).tolist() == [0]


@pytest.mark.parametrize("ranks", [np.int32, np.int64, np.float32, np.float64])
def test_pages(ranks, tmp_path):
    rng = np.random.default_rng(5)
    x, y = rng.random((2, 3000))
    rank = rng.integers(-9, 9, 3000).astype(ranks)
    made = juxta.RankedPoints(x, y, rank, keep_ranks=True)
    made.save(tmp_path / "ranks.jxr")
    circle = juxta.Region.circle(0.5, 0.5, 0.2)
    inside = (x - 0.5) ** 2 + (y - 0.5) ** 2 <= 0.2**2
    for points in (made, juxta.RankedPoints.load(tmp_path / "ranks.jxr")):
        for where, want in [
            ([0.2, 0.1, 0.9, 0.7], expected_top(x, y, rank, [0.2, 0.1, 0.9, 0.7], 3000)),
            (circle, np.flatnonzero(inside)[np.argsort(rank[inside], kind="stable")]),
        ]:
            pages = [points.top(where, 70)]
            while len(pages[-1]):
                last = pages[-1][-1]
                pages.append(points.top(where, 70, after=(rank[last], last)))
            assert np.array_equal(np.concatenate(pages), want)


def test_pages_refuse():
    rect = [0, 0, 9, 9]
    points = juxta.RankedPoints([1.0, 2.0], [1.0, 2.0], [1, 2], keep_ranks=True)
    assert points.top(rect, 5, after=(1, 0)).tolist() == [1]
    with pytest.raises(juxta.errors.InvalidArgument, match="integers"):
        points.top(rect, 5, after=(1.5, 0))
    for wrong in [3, (1,), (1, 2, 3), ("a", 0), (1, -1), (1, 2**32)]:
        with pytest.raises(ValueError, match="after"):
            points.top(rect, 5, after=wrong)
    with pytest.raises(ValueError, match="many"):
        points.top([rect, rect], 5, after=(1, 0))
    with pytest.raises(juxta.errors.InvalidArgument, match="keep_ranks"):
        juxta.RankedPoints([1.0], [1.0], [1]).top(rect, 5, after=(1, 0))


def test_rebuild_with_an_error_changes_nothing():
    points = juxta.RankedPoints([1.0], [1.0], [1], copy=False)
    with pytest.raises(juxta.errors.NotFinite):
        points.rebuild([1.0, np.inf], [1.0, 1.0], [1, 2])
    assert len(points) == 1 and points.top([0, 0, 2, 2], 5).tolist() == [0]


def test_save_and_load(tmp_path):
    rng = np.random.default_rng(4)
    x, y = rng.random((2, 1000))
    points = juxta.RankedPoints(x, y, np.arange(1000))
    points.save(tmp_path / "points.jxr", attachment=b"names")
    loaded = juxta.RankedPoints.load(tmp_path / "points.jxr", check="as_read")
    loaded.check_read()
    points.check_read()
    rects = rectangles(rng, 20)
    assert np.array_equal(loaded.top(rects, 9), points.top(rects, 9))
    assert loaded.attachment == b"names" and points.attachment == b""
    with pytest.raises(TypeError, match="attachment"):
        points.save(tmp_path / "points.jxr", attachment="text")


def test_a_damaged_file_is_found_when_it_was_read(tmp_path):
    path = tmp_path / "points.jxr"
    juxta.RankedPoints([1.0], [1.0], [1]).save(path, attachment=bytes(1 << 20))
    whole = bytearray(path.read_bytes())
    whole[len(whole) - 200] ^= 1
    path.write_bytes(whole)
    with pytest.raises(juxta.errors.CorruptFile):
        juxta.RankedPoints.load(path)
    with pytest.raises(ValueError, match="as_read"):
        juxta.RankedPoints.load(path, check="later")
    points = juxta.RankedPoints.load(path, check="as_read")
    assert points.attachment != bytes(1 << 20)
    with pytest.raises(juxta.errors.CorruptFile, match="points.jxr"):
        points.check_read()


def test_repr_and_docs():
    assert repr(juxta.RankedPoints([1.0], [1.0], [1])) == "<juxta.RankedPoints of 1 points>"
    assert "Lower rank" in juxta.RankedPoints.__doc__
