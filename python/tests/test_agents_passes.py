# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Passes over neighbours, against all pairs in NumPy."""

import numpy as np
import pytest

import juxta

F = np.float32


def population(n, dimensions, edges, seed, side=10.0):
    simulation = juxta.Simulation(0, side, dimensions=dimensions, edges=edges)
    one = simulation.add_population("one")
    rng = np.random.default_rng(seed)
    one.add_column("weight")
    one.add_column("out")
    at = {axis: rng.random(n, F) * F(side) for axis in "xyz"[:dimensions]}
    one.insert(**at, weight=rng.normal(size=n).astype(F))
    return simulation, one


def positions(one):
    return np.stack([one[axis] for axis in "xyz" if axis in one.columns], axis=1)


def gaps(seers, seen, side):
    """(n, m, D): from each seer to each other, in floats as the library does it; side: of a periodic world."""
    d = seen[None] - seers[:, None]
    return d if side is None else d - F(side) * np.round(d / F(side))


def near_ball(d, radius):
    return (d.astype(np.float64) ** 2).sum(2) <= float(radius) ** 2


@pytest.mark.parametrize("edges,side", [("wall", None), ("open", None), ("periodic", 10.0)])
@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize("threads", [1, 2])
def test_reduce(dimensions, edges, side, threads):
    _, one = population(600, dimensions, edges, 5)
    one.sort(1.3, threads=threads)
    near = near_ball(gaps(positions(one), positions(one), side), 1.3)
    np.fill_diagonal(near, False)
    weight = one["weight"].astype(np.float64)
    values = np.where(near, weight, np.nan)
    count = near.sum(1)
    lonely = count == 0
    with np.errstate(all="ignore"):
        want = {
            "count": count, "sum": np.nansum(values, 1), "mean": np.nansum(values, 1) / count,
            "min": np.where(lonely, np.inf, np.where(near, weight, np.inf).min(1)),
            "max": np.where(lonely, -np.inf, np.where(near, weight, -np.inf).max(1)),
        }  # fmt: skip
    for reduction, expected in want.items():
        one.reduce(reduction, None if reduction == "count" else "weight", "out", radius=1.3, threads=threads)
        assert np.allclose(one["out"], expected, rtol=1e-5, atol=1e-5, equal_nan=True), reduction
    assert count.max() > 3


def test_boxes_radii_and_other_populations():
    simulation, one = population(300, 2, "wall", 1)
    other = simulation.add_population("other")
    rng = np.random.default_rng(2)
    other.insert(x=rng.random(200, F) * F(10), y=rng.random(200, F) * F(10))
    one.add_column("reach")
    one["reach"] = rng.random(300, F)
    other.sort(1.0)
    d = gaps(positions(one), positions(other), None)
    one.reduce("count", None, "out", radius=1.0, seen=other, metric="box")
    assert np.array_equal(one["out"], (np.abs(d) <= 1).all(2).sum(1))
    one.reduce("count", None, "out", radius=1.0, seen=other, radii="reach")
    within = (d.astype(float) ** 2).sum(2) <= one["reach"].astype(float)[:, None] ** 2
    assert np.array_equal(one["out"], within.sum(1))
    other.add_column("ill", dtype=np.uint8)
    other["ill"] = rng.random(200) < 0.3
    one.reduce("count", None, "out", radius=1.0, seen=other, radii="reach", among="ill")
    assert np.array_equal(one["out"], (within & (other["ill"] != 0)).sum(1))
    with pytest.raises(juxta.errors.InvalidArgument, match="among is no column of bytes of 'other'"):
        one.reduce("count", None, "out", radius=1.0, seen=other, among="x")
    elsewhere = population(10, 2, "wall", 3)[1]
    elsewhere.sort(1.0)
    with pytest.raises(juxta.errors.InvalidArgument):
        one.reduce("count", None, "out", radius=1.0, seen=elsewhere)


def test_extents_reach_farther():
    simulation = juxta.Simulation(0, 10, dimensions=2, edges="wall")
    one = simulation.add_population("one")
    one.add_extents()
    one.add_column("out")
    one.insert(x=[1, 4], y=[5, 5], ex=[1, 0.5], ey=[1, 1])
    one.sort(2.0)
    one.reduce("count", None, "out", radius=1.4)
    assert one["out"].tolist() == [0, 0]
    one.reduce("count", None, "out", radius=1.6)
    assert one["out"].tolist() == [1, 1]


@pytest.mark.parametrize("edges,side", [("wall", None), ("periodic", 10.0)])
@pytest.mark.parametrize("dimensions", [2, 3])
def test_nearest(dimensions, edges, side):
    _, one = population(300, dimensions, edges, 7)
    one.sort(1.0)
    distance = np.sqrt((gaps(positions(one), positions(one), side).astype(float) ** 2).sum(2))
    np.fill_diagonal(distance, np.inf)
    found = one.nearest(4)
    assert found.row.shape == found.distance.shape == (300, 4) and (found.count == 4).all()
    assert found.row.dtype == np.intp and found.distance.dtype == np.float32
    assert np.allclose(found.distance, np.sort(distance, 1)[:, :4], rtol=1e-5)
    assert np.allclose(np.take_along_axis(distance, found.row, 1), found.distance, rtol=1e-5)
    close = one.nearest(4, radius=0.6, dtype="uint32", threads=2)
    assert np.array_equal(close.count, np.minimum((distance <= 0.6).sum(1), 4))
    absent = np.arange(4) >= close.count[:, None]
    assert (close.row[absent] == 2**32 - 1).all() and np.isinf(close.distance[absent]).all()
    assert np.allclose(close.distance[~absent], np.sort(distance, 1)[:, :4][~absent], rtol=1e-5)
    assert one.nearest(0).row.shape == (300, 0)
    with pytest.raises(juxta.errors.TooLarge):
        one.nearest(2**40)


def test_find_near():
    _, one = population(500, 2, "periodic", 8)
    d = gaps(np.array([[9.8, 0.1]], F), positions(one), 10.0)
    rows = one.find_near([9.8, 0.1], 1.5)
    assert np.array_equal(rows, np.flatnonzero(near_ball(d, 1.5)[0])) and len(rows) > 5
    assert len(one.find_near([5, 5], 20)) == 500
    with pytest.raises(ValueError, match=r"\(2,\)"):
        one.find_near([1, 2, 3], 1)


@pytest.mark.parametrize("dimensions", [2, 3])
def test_boids(dimensions):
    _, one = population(300, dimensions, "periodic", 9, side=4.0)
    rng = np.random.default_rng(3)
    names = ["vx", "vy", "vz"][:dimensions]
    for name in names:
        one.add_column(name)
        one[name] = rng.normal(size=300)
    one.sort(0.5)
    d = gaps(positions(one), positions(one), 4.0).astype(float)
    sees, near = near_ball(d, 0.5), near_ball(d, 0.2)
    np.fill_diagonal(sees, False)
    np.fill_diagonal(near, False)
    v = np.stack([one[name] for name in names], axis=1).astype(float)
    n = sees.sum(1, keepdims=True)
    some = np.maximum(n, 1)
    want = v + 0.3 * (d * sees[:, :, None]).sum(1) / some - 0.2 * (d * near[:, :, None]).sum(1)
    want = np.where(n > 0, want + 0.1 * ((sees @ v) / some - want), v)
    one.steer_boids(see_radius=0.5, avoid_radius=0.2, cohere=0.3, avoid=0.2, align=0.1, velocity=names, threads=2)
    got = np.stack([one[name] for name in names], axis=1)
    assert np.abs(got - want).max() < 1e-4


def test_what_passes_refuse():
    _, one = population(50, 2, "wall", 1)
    with pytest.raises(juxta.errors.InvalidArgument, match="sort"):
        one.reduce("count", None, "out", radius=1)
    one.sort(1)
    one.add_column("age", dtype="int32")
    one.sort(1)
    with pytest.raises(ValueError, match="'count', 'sum', 'mean', 'min', 'max'"):
        one.reduce("median", "weight", "out", radius=1)
    with pytest.raises(juxta.errors.NotFound):
        one.reduce("sum", "nothing", "out", radius=1)
    with pytest.raises(juxta.errors.InvalidArgument):
        one.reduce("sum", "age", "out", radius=1)
    for radius in (0, -1, np.nan):
        with pytest.raises(juxta.Error):
            one.reduce("count", None, "out", radius=radius)
        with pytest.raises(juxta.Error):
            one.sort(radius)
    with pytest.raises(ValueError, match="'hilbert'"):
        one.sort(1, arrangement="spiral")
    with pytest.raises(ValueError):
        one.steer_boids(see_radius=1, avoid_radius=1, cohere=1, avoid=1, align=1, velocity=["vx"])
    one["x"] = 11
    with pytest.raises(juxta.errors.InvalidArgument) as outside:
        one.sort(1)
    assert outside.value.index == 0
    one["x"] = [1.0] * 30 + [np.nan] + [1.0] * 19
    with pytest.raises(juxta.errors.NotFinite) as error:
        one.sort(1)
    assert error.value.index == 30


@pytest.mark.parametrize("arrangement", ["auto", "rows", "morton", "hilbert", "hashed", "tree"])
def test_every_arrangement_sees_the_same(arrangement):
    _, one = population(400, 2, "wall", 6)
    ids = one.ids
    assert one.sort(0.8, arrangement=arrangement).arrangement in (arrangement, "rows")
    one.reduce("count", None, "out", radius=0.8)
    near = near_ball(gaps(positions(one), positions(one), None), 0.8)
    assert np.array_equal(one["out"], near.sum(1) - 1) and len(one.rows(ids)) == 400


def test_neighbors_are_those_of_all_pairs():
    for dimensions, edges in ((2, "wall"), (3, "periodic")):
        _, one = population(300, dimensions, edges, 4)
        one.sort(1.3)
        d = gaps(positions(one), positions(one), 10.0 if edges == "periodic" else None)
        near = near_ball(d, 1.3)
        np.fill_diagonal(near, False)
        i, j = np.nonzero(near)
        for threads in (1, 3):
            found = one.neighbors(1.3, "ijdD", threads=threads)
            assert np.array_equal(found.i, i) and np.array_equal(found.j, j)
            assert np.array_equal(np.diff(found.offsets), near.sum(1))
            assert np.allclose(found.d, np.linalg.norm(d[i, j], axis=1), rtol=1e-5)
            assert np.allclose(found.D, d[i, j], atol=1e-6) and found.D.dtype == np.float32
        half = one.neighbors(1.3, "ij", half=True, dtype="uint32")
        assert half.i.dtype == half.j.dtype == np.uint32 and half.d is None and half.D is None
        assert np.array_equal(half.i, i[i < j]) and np.array_equal(half.j, j[i < j])
        counted = one.neighbors(1.3, "")
        assert counted.j is None and counted.i is None and counted.offsets[-1] == len(i)
        with pytest.raises(juxta.errors.InvalidArgument):
            one.neighbors(-1)
    with pytest.raises(juxta.errors.InvalidArgument, match="half"):
        one.neighbors(6)
    assert one.neighbors(6, "j", nearest_image=True).offsets[-1] > 0
