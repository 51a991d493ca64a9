# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Hierarchy, Prefab and calls on many transforms, against matrices in NumPy."""

import numpy as np
import pytest

import juxta


def rotation_matrix(q):
    x, y, z, w = np.asarray(q, np.float64)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def matrix(transform, stretch=(1, 1, 1)):
    out = np.eye(4)
    out[:3, :3] = rotation_matrix(transform["rotation"]) * (transform["scale"] * np.asarray(stretch, np.float64))
    out[:3, 3] = transform["position"]
    return out


def random_locals(n, seed):
    rng = np.random.default_rng(seed)
    rotation = rng.normal(size=(n, 4))
    rotation /= np.linalg.norm(rotation, axis=1, keepdims=True)
    return juxta.local_transforms(rng.normal(size=(n, 3)), rotation, scale=rng.random(n) * 0.5 + 0.75)


def random_parents(n, seed):
    rng = np.random.default_rng(seed)
    return np.array([-1] + [rng.integers(-1, i) for i in range(1, n)])


def expected_worlds(local, parents):
    worlds = []
    for place, parent in zip(local, parents):
        worlds.append(matrix(place) if parent < 0 else worlds[parent] @ matrix(place))
    return np.array(worlds)


@pytest.mark.parametrize("threads", [1, 2])
def test_worlds_are_products_of_matrices(threads):
    local, parents = random_locals(300, 1), random_parents(300, 2)
    tree = juxta.Hierarchy()
    ids = tree.insert_trees(local, parents)
    want = expected_worlds(local, parents)
    done = tree.propagate(threads=threads)
    assert done.computed == 300 and done.version == tree.version == 1 and done.first_overflowed == juxta.NO_ID
    assert np.allclose(juxta.to_matrices(tree.world(ids), layout="4x4"), want, atol=1e-4)
    local["position"] += 1
    tree.set_local(ids, local, threads=threads)
    want = expected_worlds(local, parents)
    assert np.allclose(juxta.to_matrices(tree.world(ids), layout="4x4"), want, atol=1e-4)  # before propagate()
    tree.propagate(threads=threads)
    assert np.allclose(juxta.to_matrices(tree.world(ids)), want[:, :3], atol=1e-4)
    assert len(tree) == 300 and set(tree.ids()) == set(ids)
    assert np.array_equal(tree.local(ids)["position"], local["position"])


def test_single_nodes():
    tree = juxta.Hierarchy()
    hull = tree.insert([10, 0, 0])
    turret = tree.insert([0, 2, 0], hull)
    muzzle = tree.insert(juxta.local_transforms([0, 0, 4]), parent=turret, context=7, stretch=[1, 1, 2])
    assert isinstance(hull, int) and tree.alive(hull) is True
    tree.set_position(hull, [20, 0, 0], threads=2)
    world = tree.world(muzzle)
    assert world.dtype == juxta.WORLD and world["position"].tolist() == [20, 2, 4]
    assert world["context"] == 7 and world["stretch"].tolist() == [1, 1, 2]
    assert tree.local(muzzle)["position"].tolist() == [0, 0, 4]
    assert tree.parent(muzzle) == turret and tree.parent(hull) == juxta.NO_ID
    assert tree.children(hull).tolist() == [turret]
    tree.reparent(muzzle, None)
    assert tree.world(muzzle)["position"].tolist() == [20, 2, 4] and tree.parent(muzzle) == juxta.NO_ID
    tree.reparent(muzzle, hull, keep="local")
    assert tree.world(muzzle)["position"].tolist() == [40, 2, 4]
    tree.remove(hull)
    assert len(tree) == 0 and not tree.alive([hull, turret, muzzle]).any()


def test_many_below_one_and_below_many():
    tree = juxta.Hierarchy()
    root = tree.insert([1, 0, 0])
    arms = tree.insert(np.eye(3), root, context=[1, 2, 3])
    hands = tree.insert([0, 0, 5], arms)
    assert tree.world(hands)["position"].tolist() == [[2, 0, 5], [1, 1, 5], [1, 0, 6]]
    assert tree.world(arms)["context"].tolist() == [1, 2, 3]
    tree.remove(arms, children="to_ancestor")
    assert np.array_equal(tree.parent(hands), [root] * 3)
    assert tree.world(hands)["position"].tolist() == [[2, 0, 5], [1, 1, 5], [1, 0, 6]]


def test_writing_in_the_world():
    tree = juxta.Hierarchy()
    ids = tree.insert_trees(random_locals(100, 3), random_parents(100, 4))
    tree.propagate()
    worlds = juxta.transforms(np.random.default_rng(5).normal(size=(100, 3)), scale=2, context=np.arange(100))
    tree.set_world(ids, worlds)
    assert np.allclose(tree.world(ids)["position"], worlds["position"], atol=1e-3)
    assert np.array_equal(tree.world(ids)["context"], np.arange(100))
    tree.set_stretch(ids, [1, 2, 3])
    tree.set_context(ids[:2], [-5, 6])
    got = tree.world(ids[:2])
    assert got["stretch"].tolist() == [[1, 2, 3]] * 2 and got["context"].tolist() == [-5, 6]


def test_what_nodes_keep():
    tree = juxta.Hierarchy()
    root = tree.insert([0, 0, 0])
    child = tree.insert([1, 1, 1], root, inherit=juxta.Inherit.WORLD_Y)
    other = tree.insert([1, 1, 1], root)
    tree.propagate()
    tree.set_inherit(other, juxta.Inherit.WORLD_POSITION)
    assert tree.inherit(child) == juxta.Inherit.WORLD_Y
    assert tree.inherit([child, other]).tolist() == [2, 7]
    tree.set_position(root, [10, 10, 10])
    tree.propagate()
    assert tree.world([child, other])["position"].tolist() == [[11, 1, 11], [1, 1, 1]]
    with pytest.raises(ValueError, match="inherit is 512"):
        tree.set_inherit(child, 512)


def test_changes_and_history():
    tree = juxta.Hierarchy(history=True)
    ids = tree.insert(np.zeros((10, 3)))
    tree.propagate()
    since = tree.version
    assert tree.changed_since(0).ids.size == 10 and tree.changed_since(since).ids.size == 0
    tree.begin_step()
    tree.set_position(ids[3], [1, 0, 0])
    tree.propagate()
    changed = tree.changed_since(since)
    assert changed.ids.tolist() == [ids[3]] and changed.world["position"].tolist() == [[1, 0, 0]]
    assert tree.changed_at(ids[3]) == since + 1 and (tree.changed_at(ids[4:]) == since).all()
    assert tree.previous(ids[3])["position"].tolist() == [0, 0, 0]
    tree.begin_step()
    assert tree.previous(ids[3:5])["position"].tolist() == [[1, 0, 0], [0, 0, 0]]
    assert tree.two_ago(ids[3])["position"].tolist() == [0, 0, 0]
    half = juxta.interpolate(tree.two_ago(ids), tree.previous(ids), 0.5)
    assert half["position"][3].tolist() == [0.5, 0, 0]
    with pytest.raises(juxta.errors.InvalidArgument):
        juxta.Hierarchy().begin_step()


def test_prefabs():
    local, parents = random_locals(20, 6), random_parents(20, 7)
    parents[parents < 0] = 0
    parents[0] = -1
    prefab = juxta.Prefab(local, parents)
    assert len(prefab) == 20
    tree = juxta.Hierarchy()
    roots = random_locals(30, 8)
    ids = tree.instantiate(prefab, roots)
    assert ids.shape == (30, 20)
    for i in [0, 29]:
        local[0] = roots[i]
        want = expected_worlds(local, parents)
        assert np.allclose(juxta.to_matrices(tree.world(ids[i]), layout="4x4"), want, atol=1e-4)
    one = tree.instantiate(prefab, [5, 0, 0], parent=ids[0, 0])
    assert one.shape == (20,) and tree.parent(one[0]) == ids[0, 0]
    with pytest.raises(juxta.errors.InvalidArgument):
        juxta.Prefab(local[:2], [-1, -1])


def test_contexts_of_instances():
    prefab = juxta.Prefab(np.zeros((2, 3)), [-1, 0], context=[7, 8])
    tree = juxta.Hierarchy()

    def contexts(**given):
        return tree.world(tree.instantiate(prefab, np.zeros((3, 3)), **given).ravel())["context"].tolist()

    assert contexts() == [7, 8] * 3
    assert contexts(context=5) == [5, 8] * 3
    assert contexts(context=[1, 2, 3]) == [1, 8, 2, 8, 3, 8]
    assert contexts(context=np.arange(6).reshape(3, 2)) == [0, 1, 2, 3, 4, 5]
    for bad in [[1, 2], np.zeros((2, 3), int), np.zeros((3, 2, 1), int), 2**31]:
        with pytest.raises(ValueError):
            contexts(context=bad)
    assert len(tree) == 24


def test_parts_of_transforms():
    tree = juxta.Hierarchy()
    ids = tree.insert(np.zeros((3, 3)))
    half = 0.5**0.5
    quarter = [0, half, 0, half]
    tree.set_rotation(ids, [[0, 0, 0, 2], quarter, [0, 0, 0, 1]])
    tree.rotate_by(ids[:2], quarter)
    assert np.allclose(tree.local(ids)["rotation"], [quarter, [0, 1, 0, 0], [0, 0, 0, 1]], atol=1e-6)
    tree.set_scale(ids, [1, 2, 3])
    tree.set_scale(int(ids[0]), 5)
    assert tree.local(ids)["scale"].tolist() == [5, 2, 3]
    tree.translate_by(ids, [1, 2, 3])
    tree.translate_by(ids[[0, 0]], np.ones((2, 3)))
    assert tree.local(ids)["position"].tolist() == [[3, 4, 5], [1, 2, 3], [1, 2, 3]]
    for call, good, bad in [
        (tree.set_rotation, quarter, [np.nan, 0, 0, 1]), (tree.rotate_by, quarter, [0, np.inf, 0, 1]),
        (tree.set_scale, 1, np.nan), (tree.translate_by, [0, 0, 1], [0, 0, np.inf]),
    ]:  # fmt: skip
        before = tree.local(ids)
        with pytest.raises(juxta.errors.NotFinite) as caught:
            call(ids, np.array([good, good, bad], np.float32))
        assert caught.value.index == 2 and np.array_equal(tree.local(ids), before)
        with pytest.raises(ValueError, match="one for each id"):
            call(ids, np.array([good, good], np.float32))
        with pytest.raises(ValueError, match="one for each id"):
            call(ids, np.zeros((3, 5)))


def test_subtrees():
    tree = juxta.Hierarchy()
    parents = random_parents(100, 20)
    ids = tree.insert_trees(random_locals(100, 21), parents)
    place = {int(one): i for i, one in enumerate(ids)}
    roots = []
    for i in range(100):
        at = i
        while parents[at] >= 0:
            at = parents[at]
        roots.append(ids[at])
    assert tree.root_of(ids).tolist() == roots and tree.root_of(int(ids[0])) == ids[0]
    top = max(range(100), key=lambda i: tree.below(int(ids[i])).size)
    below = tree.below(int(ids[top]))
    assert (tree.root_of(below) == tree.root_of(int(ids[top]))).all() and below.size > 5
    seen = {int(ids[top])}
    for one in below.tolist():
        assert int(ids[parents[place[one]]]) in seen
        seen.add(one)
    copies = tree.copy(int(ids[top]), tree.parent(int(ids[top])))
    assert copies.size == below.size + 1 and len(tree) == 100 + copies.size
    assert np.array_equal(tree.world(copies[1:]), tree.world(below))
    assert tree.parent(int(tree.copy(int(ids[5]))[0])) == juxta.NO_ID
    tree.remove(ids[5])
    for call in [tree.root_of, tree.below, tree.copy]:
        with pytest.raises(juxta.errors.NotFound):
            call(int(ids[5]))
    with pytest.raises(ValueError, match="Give one"):
        tree.copy(ids)


def test_tags_go_down():
    tree = juxta.Hierarchy()
    hull = tree.insert([0, 0, 0])
    parts = tree.insert(np.zeros((3, 3)), hull)
    tree.set_tags(hull, 1)
    tree.set_tags(parts, [0, 2, 64])
    assert tree.tags(hull) == 1 and tree.tags(parts).tolist() == [0, 2, 64]
    assert tree.inherited_tags(parts).tolist() == [1, 3, 65] and tree.inherited_tags(parts).dtype == np.uint8
    for wrong, error in [(128, juxta.errors.InvalidArgument), ([1, 2], ValueError), (-1, ValueError)]:
        with pytest.raises(error):
            tree.set_tags(parts, wrong)
    tree.remove(parts[:1])
    with pytest.raises(juxta.errors.NotFound):
        tree.set_tags(parts, 5)
    assert tree.tags(parts[1:]).tolist() == [2, 64]


def test_side_by_side_is_a_choice():
    orders = []
    for side_by_side in [True, False]:
        tree = juxta.Hierarchy(side_by_side=side_by_side)
        parents = [-1 if i % 3 == 0 else i // 3 * 3 for i in range(24)]
        ids = tree.insert_trees(np.zeros((24, 3)), parents)
        place = {int(one): i for i, one in enumerate(ids)}
        orders.append([place[int(one)] for one in tree.ids()])
    assert orders[0] != orders[1] and sorted(orders[0]) == sorted(orders[1])


def test_destroyed_nodes_and_their_memory():
    tree = juxta.Hierarchy(destroyed=True)
    hull = tree.insert([0, 0, 0])
    parts = tree.insert(np.zeros((5000, 3)), hull)
    tree.propagate()
    seen = tree.version
    tree.remove(hull)
    assert tree.destroyed_since(seen).size == 0
    assert tree.propagate().version == seen + 1
    gone = tree.destroyed_since(seen)
    assert gone[-1] == hull and set(gone[:-1].tolist()) == set(parts.tolist())
    held = tree.stats().memory_bytes
    tree.forget_destroyed(tree.version)
    assert tree.shrink() == held - tree.stats().memory_bytes > 500_000
    with pytest.raises(juxta.errors.InvalidArgument, match="forgotten"):
        tree.destroyed_since(seen)
    assert not tree.alive(parts).any()
    with pytest.raises(juxta.errors.InvalidArgument):
        juxta.Hierarchy().destroyed_since(0)


def test_all_or_nothing():
    tree = juxta.Hierarchy()
    ids = tree.insert(np.zeros((5, 3)))
    bad = np.zeros((5, 3))
    bad[3] = np.nan
    for call in [tree.set_position, tree.set_local, tree.set_stretch]:
        with pytest.raises(juxta.errors.NotFinite) as caught:
            call(ids, bad)
        assert caught.value.index == 3
    with pytest.raises(juxta.errors.NotFinite) as caught:
        tree.insert(bad, ids)
    assert caught.value.index == 3 and len(tree) == 5
    tree.remove(ids[2])
    for call in [
        lambda: tree.set_context(ids, 1),
        lambda: tree.set_inherit(ids, 1),
        lambda: tree.world(ids),
        lambda: tree.remove(ids),
        lambda: tree.parent(ids),
        lambda: tree.insert([0, 0, 0], ids),
    ]:
        with pytest.raises(KeyError) as dead:
            call()
        assert dead.value.code == "not_found"
    assert len(tree) == 4 and (tree.world(ids[[0, 1, 3, 4]])["context"] == 0).all()
    with pytest.raises(juxta.errors.InvalidArgument):
        tree.reparent([ids[0], ids[1]], [ids[1], ids[0]])
    assert tree.parent(ids[0]) == juxta.NO_ID
    with pytest.raises(ValueError, match="3 parents for 2"):
        tree.insert(np.zeros((2, 3)), ids[:3])
    with pytest.raises(ValueError, match="children is"):
        tree.remove(ids[0], children="keep")
    with pytest.raises(ValueError, match="32 bits"):
        tree.set_context(ids[0], 2**31)


def test_save_and_load(tmp_path):
    tree = juxta.Hierarchy()
    ids = tree.insert_trees(random_locals(50, 9), random_parents(50, 10))
    tree.propagate()
    tree.save(tmp_path / "tree.jxh")
    loaded = juxta.Hierarchy.load(tmp_path / "tree.jxh")
    assert np.array_equal(loaded.world(ids), tree.world(ids)) and loaded.stats() == tree.stats()
    assert loaded.insert([0, 0, 0]) == tree.insert([0, 0, 0])


def test_world_boxes_hold_their_corners():
    rng = np.random.default_rng(11)
    local = random_locals(200, 12)
    places = juxta.transforms(local["position"], local["rotation"], scale=local["scale"], stretch=rng.random((200, 3)) + 0.5)
    lo = rng.normal(size=(200, 3))
    boxes = np.stack([lo, lo + rng.random((200, 3))], axis=1).astype(np.float32)
    got = juxta.world_boxes(places, boxes, threads=2)
    corners = np.array([[[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]])
    for i in range(200):
        points = np.where(corners[0], boxes[i, 1], boxes[i, 0]).astype(np.float64)
        at = points @ matrix(places[i], places[i]["stretch"])[:3, :3].T + places[i]["position"]
        assert (at.min(axis=0) >= got[i, 0]).all() and (at.max(axis=0) <= got[i, 1]).all()
        assert np.allclose([at.min(axis=0), at.max(axis=0)], got[i], atol=1e-3)
    assert np.array_equal(juxta.world_boxes(places[0], boxes[0]), got[0])
    with pytest.raises(ValueError, match="Give one for each"):
        juxta.world_boxes(places, boxes[:3])


def test_matrices_of_one():
    place = juxta.transforms([1, 2, 3], scale=2)
    assert juxta.to_matrices(place).tolist() == [[2, 0, 0, 1], [0, 2, 0, 2], [0, 0, 2, 3]]
    assert juxta.to_matrices(place, layout="4x4")[3].tolist() == [0, 0, 0, 1]
    with pytest.raises(ValueError, match="layout"):
        juxta.to_matrices(place, layout="2x2")
