# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Flock, against its rules written down in NumPy."""

import numpy as np
import pytest

import juxta

RULES = dict(
    time_step=1 / 60, see_radius2=0.138, avoid_radius2=0.02598, min_speed=1.088, max_speed=1.55, wall_distance=0.25292,
    wall=0.14117, avoid=0.07352, align=0.09117, cohere=0.22352,
)  # fmt: skip


def expected_step(p, v, half, periodic, **rules):
    """All boids against all others, in double precision."""
    r = {**RULES, **rules}
    d = p[None, :, :] - p[:, None, :]
    if periodic:
        d -= 2 * half * np.round(d / (2 * half))
    d2 = (d**2).sum(2)
    np.fill_diagonal(d2, np.inf)
    sees, near = (d2 < r["see_radius2"])[:, :, None], (d2 < r["avoid_radius2"])[:, :, None]
    n = sees.sum(1)
    some = np.maximum(n, 1)
    new = v + r["cohere"] * (d * sees).sum(1) / some - r["avoid"] * (d * near).sum(1)
    new = np.where(n > 0, new + r["align"] * ((v[None, :, :] * sees).sum(1) / some - new), new)
    speed = np.linalg.norm(new, axis=1, keepdims=True)
    new *= np.clip(speed, r["min_speed"], r["max_speed"]) / speed
    if not periodic:
        new = new + r["wall"] * (p < -half + r["wall_distance"]) - r["wall"] * (p > half - r["wall_distance"])
    at = p + new * r["time_step"]
    return ((at + half) % (2 * half) - half if periodic else np.clip(at, -half + 0.01, half - 0.01)), new


def by_number(flock):
    order = np.argsort(flock.numbers)
    return flock.positions[order].astype(np.float64), flock.velocities[order].astype(np.float64)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("periodic", [False, True])
@pytest.mark.parametrize("dimensions", [2, 3])
def test_steps_are_those_of_the_rules(dimensions, periodic, threads):
    flock = juxta.Flock(half_size=1.5, dimensions=dimensions, periodic=periodic, align=0.2)
    flock.scatter(400, seed=3)
    for _ in range(3):
        want = expected_step(*by_number(flock), 1.5, periodic, align=0.2)
        flock.step(threads=threads)
        at, velocity = by_number(flock)
        apart = at - want[0]
        if periodic:
            apart -= 3 * np.round(apart / 3)
        assert np.abs(apart).max() < 1e-5 and np.abs(velocity - want[1]).max() < 1e-4
    assert flock.steps == 3 and len(flock) == 400 and flock.memory_bytes > 400 * 2 * dimensions * 4


def test_threads_and_seeds():
    flocks = [juxta.Flock() for _ in range(3)]
    for flock, seed, threads in zip(flocks, (7, 7, 8), (1, 3, 1)):
        flock.scatter(3000, seed=seed)
        flock.step(20, threads=threads)
    one, two, other = (flock.positions.tobytes() for flock in flocks)
    assert one == two and one != other


def test_rebuild_takes_any_layout_and_says_where_it_is_wrong():
    rng = np.random.default_rng(1)
    at, by = rng.random((50, 2)), rng.random((2, 50)).T - 0.5
    flock = juxta.Flock(half_size=2)
    flock.rebuild(at, by)
    assert np.array_equal(flock.positions[np.argsort(flock.numbers)], at.astype(np.float32))
    assert np.array_equal(flock.velocities[np.argsort(flock.numbers)], by.astype(np.float32))
    at[7, 1] = 5
    with pytest.raises(juxta.errors.InvalidArgument) as outside:
        flock.rebuild(at, by)
    assert outside.value.index == 7
    at[7, 1] = np.nan
    with pytest.raises(juxta.errors.NotFinite):
        flock.rebuild(at, by)
    with pytest.raises(ValueError, match=r"\(50, 3\).*\(n, 2\)"):
        flock.rebuild(np.zeros((50, 3)), by)
    with pytest.raises(juxta.errors.InvalidArgument):
        flock.rebuild(np.zeros((49, 2)), by)
    assert len(flock) == 50 and flock.positions.max() <= 1


def test_arrays_are_copies():
    flock = juxta.Flock()
    flock.scatter(100)
    before = flock.positions
    before[:] = 99
    flock.step()
    assert flock.positions.max() < 11


def test_wrong_rules_name_the_rule():
    for name, value in (("half_size", 0.0), ("time_step", -1.0), ("max_speed", 0.5), ("see_radius2", np.nan)):
        with pytest.raises(juxta.Error, match=name):
            juxta.Flock(**{name: value})
    with pytest.raises(juxta.Error, match="dimensions"):
        juxta.Flock(dimensions=4)
    with pytest.raises(ValueError):
        juxta.Flock().scatter(-1)
    with pytest.raises(juxta.errors.TooLarge):
        juxta.Flock().scatter(2**40)


def test_progress_stops_between_steps():
    flock, heard = juxta.Flock(), []

    def listen(stage, done, total):
        heard.append((stage, done, total))
        return False

    flock.scatter(10)
    with pytest.raises(juxta.errors.Cancelled):
        flock.step(10, progress=listen)
    assert flock.steps == 1 and heard == [("steps", 1, 10)]


def test_empty_flock():
    flock = juxta.Flock(dimensions=3)
    flock.step(2)
    assert flock.positions.shape == (0, 3) and len(flock) == 0 and flock.steps == 2
    assert "0 boids" in repr(flock)
