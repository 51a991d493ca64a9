# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Bodies: many shapes, against loops over single shapes."""

import gc

import numpy as np
import pytest

import juxta

CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], np.float32)


def some_bodies(n, seed):
    rng = np.random.default_rng(seed)
    kinds = [
        juxta.Shape.sphere(0.4),
        juxta.Shape.box([0.3, 0.2, 0.5]),
        juxta.Shape.capsule([0, 0, 0], [0, 1, 0], 0.2),
        juxta.Shape.hull(CUBE),
    ]
    shapes = [kinds[i] for i in rng.integers(0, 4, n)]
    rotation = rng.normal(size=(n, 4))
    rotation /= np.linalg.norm(rotation, axis=1, keepdims=True)
    at = juxta.transforms(rng.random((n, 3)) * 6, rotation, scale=rng.random(n) + 0.5)
    return shapes, at


@pytest.fixture(scope="module")
def world():
    shapes, at = some_bodies(150, 1)
    return shapes, at, juxta.Bodies(shapes, at, category=(1 << (np.arange(150) % 2)))


def rays(m, seed):
    rng = np.random.default_rng(seed)
    origin = rng.random((m, 3)).astype(np.float32) * 8 - 1
    return origin, rng.normal(size=(m, 3)).astype(np.float32)


def test_places_and_boxes(world):
    shapes, at, bodies = world
    assert len(bodies) == 150 and np.array_equal(bodies.places(), at)
    assert np.array_equal(bodies.boxes(), [shape.bounds(place) for shape, place in zip(shapes, at)])


@pytest.mark.parametrize("threads", [1, 2])
def test_rays(world, threads):
    shapes, at, bodies = world
    origin, way = rays(60, 2)
    closest = bodies.raycast(origin, way, 20.0, threads=threads)
    some = bodies.raycast_any(origin, way, 20.0, threads=threads)
    every = bodies.raycast_all(origin, way, 20.0, threads=threads)
    hits = 0
    for i in range(60):
        alone = [shape.raycast(origin[i], way[i], 20.0, at=place) for shape, place in zip(shapes, at)]
        sight = [shape.raycast_any(origin[i], way[i], 20.0, at=place) for shape, place in zip(shapes, at)]
        assert sight == [hit.body >= 0 for hit in alone]
        t = np.array([hit.t for hit in alone])
        row = slice(every.offsets[i], every.offsets[i + 1])
        assert np.array_equal(every.t[row], np.sort(t[np.isfinite(t)]))
        assert set(every.body[row]) == set(np.flatnonzero(np.isfinite(t)))
        one = bodies.raycast(origin[i], way[i], 20.0)
        assert (one.body, one.t) == (closest.body[i], closest.t[i]) and np.array_equal(one.normal, closest.normal[i])
        assert np.array_equal(bodies.raycast_all(origin[i], way[i], 20.0).body, every.body[row])
        if np.isfinite(t).any():
            hits += 1
            assert closest.body[i] == t.argmin() and closest.t[i] == t.min()
            assert some.body[i] in every.body[row]
        else:
            assert closest.body[i] == some.body[i] == -1
    assert hits > 20
    for shape, place in zip(shapes, at):
        many = shape.raycast_any(origin, way, 20.0, at=place, threads=threads)
        assert many.dtype == bool and np.array_equal(many, shape.raycast(origin, way, 20.0, at=place).body >= 0)


def test_what_queries_leave_out(world):
    shapes, at, bodies = world
    origin, way = rays(80, 3)
    closest = bodies.raycast(origin, way).body
    second = bodies.raycast(origin, way, skip=closest).body
    assert ((second != closest) | (closest == -1)).all() and (second != -1).sum() > 10
    assert np.array_equal(bodies.raycast_any(origin, way, skip=closest).body != -1, second != -1)
    odd = bodies.raycast(origin, way, mask=2).body
    assert (odd[odd != -1] % 2 == 1).all() and (odd != -1).any()
    low = bodies.raycast_all(origin, way, only=np.arange(150) < 20)
    assert low.body.size and low.body.max() < 20
    with pytest.raises(ValueError, match="only has shape"):
        bodies.raycast(origin, way, only=np.ones(3, bool))


def test_casts(world):
    shapes, at, bodies = world
    origin, way = rays(40, 4)
    ball = juxta.Shape.sphere(0.3)
    hits = bodies.cast(ball, way, origin)
    for i in range(40):
        alone = np.array([ball.cast(way[i], shape, at=origin[i], still_at=place).t for shape, place in zip(shapes, at)])
        assert hits.t[i] == pytest.approx(alone.min()) and (hits.body[i] == -1) == np.isinf(hits.t[i])
        one = bodies.cast(ball, way[i], origin[i])
        assert (one.body, one.t) == (hits.body[i], hits.t[i])
        assert one.distance == hits.distance[i] <= 0 and (one.t == 0 or one.distance == 0)
        every = bodies.cast_all(ball, way[i], origin[i])
        assert len(every.body) == np.isfinite(alone).sum() and (np.diff(every.t) >= 0).all()
    deep = ball.cast((1, 0, 0), juxta.Shape.sphere(0.3), still_at=(0.5, 0, 0))
    assert deep.t == 0 and deep.distance == pytest.approx(-0.1)
    fan = bodies.cast(ball, way, origin[0], dtype="uint32")
    assert fan.body.shape == (40,) and fan.body.dtype == np.uint32
    with pytest.raises(ValueError, match="way has 39 vectors for 40"):
        bodies.cast(ball, way[:39], origin)
    with pytest.raises(ValueError, match="not convex"):
        bodies.cast(juxta.Shape.mesh(CUBE, [[0, 1, 2]]), way[0])


def test_turning_casts(world):
    shapes, at, bodies = world
    origin, way = rays(40, 8)
    rod = juxta.Shape.capsule((0, 0, 0), (2, 0, 0), 0.1)
    turn = np.random.default_rng(3).uniform(-2, 2, (40, 3)).astype(np.float32)
    hits = bodies.cast(rod, way, origin, turn=turn, pivot=(0.5, 0, 0))
    for i in range(40):
        alone = np.array([
            rod.cast(way[i], shape, at=origin[i], still_at=place, turn=turn[i], pivot=(0.5, 0, 0)).t
            for shape, place in zip(shapes, at)
        ])
        assert hits.t[i] == pytest.approx(alone.min()) and (hits.body[i] == -1) == np.isinf(hits.t[i])
        one = bodies.cast(rod, way[i], origin[i], turn=turn[i], pivot=(0.5, 0, 0))
        assert (one.body, one.t) == (hits.body[i], hits.t[i])
        every = bodies.cast_all(rod, way[i], origin[i], turn=turn[i], pivot=(0.5, 0, 0))
        assert len(every.body) == np.isfinite(alone).sum()
    # A rod along x turns about z until it meets a ball above: at asin(0.6 / 1) before y.
    ball = juxta.Shape.sphere(0.5)
    hit = rod.cast((0, 0, 0), ball, still_at=(0, 1, 0), turn=(0, 0, np.pi))
    assert hit.t == pytest.approx(0.5 - np.arcsin(0.6) / np.pi, abs=1e-5)
    with pytest.raises(ValueError, match="turn has 39 vectors for 40"):
        bodies.cast(rod, way, origin, turn=turn[:39])
    with pytest.raises(ValueError, match="turn is an array"):
        rod.cast((0, 0, 0), ball, turn=turn)


def test_every_surface_on_a_ray():
    mesh = juxta.Shape.mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, -2], [1, 0, -2], [0, 1, -2]],
                            [[0, 1, 2], [3, 4, 5]])
    bodies = juxta.Bodies([mesh, juxta.Shape.sphere(0.5)], [(0, 0, 0), (0.25, 0.25, -1)])
    hits = bodies.raycast_every((0.25, 0.25, 3), (0, 0, -1))
    assert list(hits.body) == [0, 1, 0] and np.allclose(hits.t, [3, 3.5, 5])
    assert len(bodies.raycast_all((0.25, 0.25, 3), (0, 0, -1)).body) == 2
    many = bodies.raycast_every([(0.25, 0.25, 3), (5, 5, 5)], (0, 0, -1))
    assert list(many.offsets) == [0, 3, 3]


def test_nearest_and_query(world):
    shapes, at, bodies = world
    asked, places = some_bodies(30, 5)
    near = bodies.nearest(asked, places)
    pairs = bodies.query(asked, places)
    want = []
    for i in range(30):
        alone = np.array([asked[i].closest(s, at=places[i], other_at=p).distance for s, p in zip(shapes, at)])
        assert near.distance[i] == pytest.approx(alone.min(), abs=1e-4)
        one = bodies.nearest(asked[i], places[i])
        assert (one.body, one.distance) == (near.body[i], near.distance[i])
        want += [(i, j) for j in range(150) if asked[i].overlaps(shapes[j], at=places[i], other_at=at[j])]
        assert [(i, j) for j in bodies.query(asked[i], places[i])] == [pair for pair in want if pair[0] == i]
    assert list(map(tuple, pairs.T)) == want and len(want) > 10
    limits = np.where(np.arange(30) % 2, 0.0, np.inf).astype(np.float32)
    some = bodies.nearest(asked, places, limits)
    assert np.array_equal(some.body == -1, (limits == 0) & (near.distance > 0))


def test_contacts(world):
    shapes, at, bodies = world
    contacts = bodies.find_contacts(0.05)
    a, b = contacts.pairs
    want = [
        (i, j)
        for i in range(150)
        for j in range(i + 1, 150)
        if shapes[i].closest(shapes[j], at=at[i], other_at=at[j]).distance <= 0.05
    ]
    # The categories 1 and 2 meet every mask, so all pairs count.
    assert list(dict.fromkeys(zip(a, b))) == want and len(want) > 10
    for row in range(len(a)):
        there = np.arange(4) < contacts.count[row]
        assert np.array_equal(np.isfinite(contacts.distances[row]), there)
        assert np.array_equal(np.isfinite(contacts.points[row]).all(axis=1), there)
    assert bodies.find_contacts(0.05, only=np.zeros(150, bool)).pairs.shape == (2, 0)


def test_contacts_are_those_of_two_shapes(world):
    shapes, at, bodies = world
    mesh = juxta.Shape.mesh([[-9, 0, -9], [9, 0, -9], [-9, 0, 9], [9, 0, 9]], [[0, 2, 1], [1, 2, 3]])
    both = juxta.Shape.compound([juxta.Shape.box([1, 1, 1])] * 2, [(2, 2, 2), (4, 2, 4)])
    shapes, at = [*shapes, mesh, both], np.concatenate([at, juxta.transforms(np.array([[3, 1, 3], [0, 0, 0]]))])
    found = juxta.Bodies(shapes, at).find_contacts(0.05)
    few = juxta.Bodies(shapes, at).find_contacts(0.05, dtype="uint32")
    assert few.part_b.dtype == np.uint32 and (few.part_a == juxta.NO_BODY).any()
    assert found.features.dtype == np.uint32 and found.part_a.shape == found.part_b.shape == (len(found.count), 2)
    several = 0
    for a, b in set(zip(*found.pairs)):
        rows = np.flatnonzero((found.pairs == [[a], [b]]).all(axis=0))
        alone = shapes[a].contacts(shapes[b], at=at[a], other_at=at[b], margin=0.05)
        several += len(rows) > 1
        for field in alone._fields:
            np.testing.assert_array_equal(getattr(alone, field), getattr(found, field)[rows], err_msg=field)
    assert several > 0 and (found.part_a[found.pairs[1] < 150] == -1).all()
    assert set(found.part_a[found.pairs[0] == 150, 1]) <= {0, 1} and (found.part_b[found.pairs[1] == 151, 0] >= 0).all()


def matched(before, now, slack):
    """The rule, in Python."""
    out, taken = np.full((len(now.count), 4), -1), set()
    points = before.points.reshape(-1, 3)
    for by_feature in [True, False] if slack > 0 else [True]:
        for i, j in np.argwhere(np.arange(4) < now.count[:, None]):
            if out[i, j] >= 0:
                continue
            rows = np.flatnonzero((before.pairs == now.pairs[:, [i]]).all(axis=0))
            free = [k for r in rows for k in range(4 * r, 4 * r + before.count[r]) if k not in taken]
            if by_feature:
                fit = [k for k in free if before.features.ravel()[k] == now.features[i, j]]
            else:
                far = {k: np.linalg.norm(points[k].astype(float) - now.points[i, j]) for k in free}
                fit = sorted((k for k in free if far[k] <= slack), key=far.get)
            if fit:
                out[i, j] = fit[0]
                taken.add(fit[0])
    return out


@pytest.mark.parametrize("slack", [0.0, 0.05])
def test_what_contacts_continue(slack):
    floor = juxta.Shape.height_field(np.zeros((9, 9), np.float32), 0.5)
    places = np.array([[x + 0.3, 0.2, z + 0.3] for x in range(3) for z in range(3)], np.float32)
    shapes = [floor, *[juxta.Shape.box([0.2, 0.2, 0.2])] * 9]
    bodies = juxta.Bodies(shapes, np.concatenate([[[0, 0, 0]], places]))
    before = bodies.find_contacts(0.01)
    bodies.refit(np.concatenate([[[0, 0, 0]], places[:8] + np.float32([0.03, 0, 0]), [[2.3, 5, 2.3]]]))
    now = bodies.find_contacts(0.01)
    got = juxta.match_contacts(before, now, slack)
    assert got.shape == (len(now.count), 4) and got.dtype == np.intp
    assert np.array_equal(got, matched(before, now, slack)) and (got >= 0).any()
    assert np.array_equal(juxta.match_contacts(now, now, slack)[now.count == 4], np.arange(4 * len(now.count)).reshape(-1, 4)[now.count == 4])
    assert juxta.match_contacts(before, now, slack, dtype="uint32").dtype == np.uint32
    nothing = bodies.find_contacts(-1)
    assert (juxta.match_contacts(nothing, now) == -1).all() and juxta.match_contacts(now, nothing).shape == (0, 4)


def test_contacts_that_are_none_are_refused():
    contacts = juxta.Bodies(juxta.Shape.sphere(1), np.zeros((3, 3))).find_contacts()
    with pytest.raises(TypeError, match="previous is list"):
        juxta.match_contacts([], contacts)
    for change, said in [
        ({"count": contacts.count + 4}, "has 5 points"),
        ({"pairs": contacts.pairs[:, ::-1]}, "out of order"),
        ({"features": contacts.features[:1]}, "its features has shape"),
        ({"points": contacts.points[:, :3]}, "its points has shape"),
        ({"pairs": contacts.pairs[0]}, "its pairs has shape"),
    ]:
        with pytest.raises(ValueError, match=said):
            juxta.match_contacts(contacts, contacts._replace(**change))


@pytest.mark.parametrize("margin", [1e30, 3e38, np.inf])
@pytest.mark.parametrize("n", [1, 3, 16, 17, 50])
def test_contacts_within_a_huge_margin_are_all_pairs(n, margin):
    bodies = juxta.Bodies(juxta.Shape.sphere(0.1), np.random.default_rng(7).random((n, 3)))
    assert np.array_equal(bodies.find_contacts(margin).pairs, np.stack(np.triu_indices(n, 1)))


def test_bodies_keep_their_shapes_and_refit():
    shapes, at = some_bodies(50, 6)
    bodies = juxta.Bodies(shapes, at)
    boxes = bodies.boxes()
    shapes.clear()
    gc.collect()
    moved = at.copy()
    moved["position"] += 1
    bodies.refit(moved)
    assert np.allclose(bodies.boxes(), boxes + 1, atol=1e-4)
    with pytest.raises(ValueError):
        bodies.refit(moved[:49])
    moved["scale"][7] = -1
    with pytest.raises(juxta.errors.InvalidArgument) as caught:
        bodies.refit(moved)
    assert caught.value.index == 7
    bodies.rebuild(juxta.Shape.sphere(1), np.zeros((3, 3)))
    assert len(bodies) == 3 and bodies.find_contacts().pairs.T.tolist() == [[0, 1], [0, 2], [1, 2]]


def test_one_shape_for_all_and_lengths():
    bodies = juxta.Bodies(juxta.Shape.sphere(1), np.arange(30).reshape(10, 3))
    assert len(bodies) == 10 and "10" in repr(bodies)
    with pytest.raises(ValueError, match="at has 3 transforms for 2 shapes"):
        juxta.Bodies([juxta.Shape.sphere(1)] * 2, np.zeros((3, 3)))
    with pytest.raises(TypeError, match="shapes holds 3"):
        juxta.Bodies(3)
    assert len(juxta.Bodies([], np.empty((0, 3)))) == 0
