# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""juxta.KDTree against scipy.spatial.KDTree: the same calls, the same answers."""

import numpy as np
import pytest

import juxta
from clouds import KINDS, cloud

spatial = pytest.importorskip("scipy.spatial")
DTYPES = [np.float32, np.float64]


def trees(kind, n, dims, dtype, boxsize=None, seed=1):
    points = cloud(kind, n, dims, seed).astype(dtype)
    return points, juxta.KDTree(points, boxsize=boxsize), spatial.KDTree(points, boxsize=boxsize)


def radii_of(boxsize):
    """No pair of a lattice's points is exactly that far apart: SciPy rounds images in another order."""
    return (0.0, 0.061, 0.37) if boxsize is None else (0.061, 0.37)


def check_nearest(points, queries, ours, theirs, n, boxsize):
    """Equal distances, and points that are that far away: among equally near ones SciPy takes any."""
    (d, i), (their_d, their_i) = ours, theirs
    assert np.shape(d) == np.shape(their_d) and np.shape(i) == np.shape(their_i)
    assert type(d) is type(their_d) and type(i) is type(their_i)
    d, i, their_d = (np.asarray(a) for a in (d, i, their_d))
    np.testing.assert_allclose(d, their_d, rtol=0 if boxsize is None else 1e-12, atol=0 if boxsize is None else 1e-15)
    assert np.array_equal(i == n, their_i == n) and np.array_equal(i == n, np.isinf(d))
    ways = points.astype(float)[np.minimum(i, n - 1)] - np.expand_dims(queries.astype(float), tuple(range(queries.ndim - 1, i.ndim)))
    if boxsize is not None:
        length = np.where(boxsize > 0, boxsize, np.inf)
        ways -= np.where(boxsize > 0, boxsize, 0) * np.round(ways / length)
    np.testing.assert_allclose(np.linalg.norm(ways, axis=-1)[i < n], d[i < n], rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("boxed", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("dims", [2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_query(kind, dims, dtype, boxed):
    boxsize = np.array([1.0, 0.0, 1.0])[:dims] if boxed else None
    for n in (1, 2, 40, 400):
        points, own, scipy = trees(kind, n, dims, dtype, boxsize)
        queries = np.concatenate([cloud("uniform", 30, dims, 2) * 1.5 - 0.25, points[:10]]).astype(dtype)
        for k in (1, 2, 4, 8, 9, 20, [1], [2, 5], [3, 1]):
            for bound in (np.inf, 0.2):
                found = own.query(queries, k, distance_upper_bound=bound)
                check_nearest(points, queries, found, scipy.query(queries, k, distance_upper_bound=bound), n, boxsize)
        assert np.array_equal(own.query(queries, 3, workers=-1)[1], own.query(queries, 3)[1])


def test_query_shapes():
    points, own, scipy = trees("uniform", 50, 3, float)
    for queries in (points[0], points[:0], points[:6].reshape(2, 3, 3), points[:1]):
        for k in (1, 2, [1], [4, 2]):
            check_nearest(points, queries, own.query(queries, k), scipy.query(queries, k), 50, None)
    d, i = own.query(points[0].tolist())
    assert d == 0 and isinstance(d, float) and isinstance(i, np.intp) and i == 0
    assert own.query([5, 5, 5], distance_upper_bound=1) == (np.inf, 50) == scipy.query([5, 5, 5], distance_upper_bound=1)
    # A point at the bound itself is left out, as with SciPy.
    two = np.array([[0.0, 0, 0], [1, 0, 0]])
    for kind in (juxta.KDTree, spatial.KDTree):
        assert kind(two).query([3, 0, 0], distance_upper_bound=2)[1] == 2
        assert kind(two).query([3, 0, 0], distance_upper_bound=2.5)[1] == 1


@pytest.mark.parametrize("boxed", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("dims", [2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_pairs_and_lists(kind, dims, dtype, boxed):
    boxsize = np.array([1.0, 0.0, 1.0])[:dims] if boxed else None
    for n in (1, 2, 40, 300):
        _, own, scipy = trees(kind, n, dims, dtype, boxsize)
        other_points = cloud(kind, 60, dims, 5).astype(dtype)
        other, scipy_other = (k(other_points, boxsize=boxsize) for k in (juxta.KDTree, spatial.KDTree))
        for r in radii_of(boxsize):
            assert own.query_pairs(r) == scipy.query_pairs(r)
            pairs = own.query_pairs(r, output_type="ndarray")
            assert pairs.dtype == np.intp and pairs.shape == (len(pairs), 2)
            assert set(map(tuple, pairs.tolist())) == scipy.query_pairs(r) and (pairs[:, 0] < pairs[:, 1]).all()
            assert own.query_ball_tree(other, r) == [sorted(a) for a in scipy.query_ball_tree(scipy_other, r)]
            assert own.query_ball_point(own.data, r).tolist() == scipy.query_ball_point(own.data, r).tolist()
            ours = own.sparse_distance_matrix(other, r, output_type="dict")
            theirs = scipy.sparse_distance_matrix(scipy_other, r, output_type="dict")
            assert ours.keys() == theirs.keys() and np.allclose([ours[key] - theirs[key] for key in ours], 0)
            for cumulative in (True, False):
                edges = np.array([r, r + 0.103, np.inf])
                counts = own.count_neighbors(other, edges, cumulative=cumulative)
                assert np.array_equal(counts, scipy.count_neighbors(scipy_other, edges, cumulative=cumulative))
            assert own.count_neighbors(own, r) == scipy.count_neighbors(scipy, r)


def test_ball_point():
    points, own, scipy = trees("uniform", 200, 3, float)
    queries = cloud("uniform", 12, 3, 2).reshape(3, 4, 3)
    radii = np.linspace(0, 0.5, 12).reshape(3, 4)
    for r in (0.3, radii, radii[0]):
        for length in (False, True):
            ours, theirs = (t.query_ball_point(queries, r, return_length=length) for t in (own, scipy))
            assert ours.shape == theirs.shape == (3, 4) and ours.dtype == theirs.dtype and ours.tolist() == theirs.tolist()
    one, scipy_one = (t.query_ball_point(points[3], 0.3, return_sorted=True) for t in (own, scipy))
    assert one == scipy_one and isinstance(one, list) and set(own.query_ball_point(points[3], 0.3)) == set(one)
    assert own.query_ball_point(points[3], 0.3, return_length=True) == len(one)
    loose = own.query_ball_point(queries, 0.3, return_sorted=False)
    assert [sorted(a) for a in loose.ravel()] == own.query_ball_point(queries, 0.3).ravel().tolist()
    assert own.query_ball_point(queries, 0.3, workers=2).tolist() == own.query_ball_point(queries, 0.3).tolist()


def test_sparse_distance_matrix():
    _, own, scipy = trees("uniform", 80, 3, float)
    for kind in ("dok_matrix", "coo_matrix"):
        ours, theirs = (t.sparse_distance_matrix(t, 0.3, output_type=kind) for t in (own, scipy))
        assert type(ours) is type(theirs) and np.allclose(ours.toarray(), theirs.toarray())
    entries, scipy_entries = (t.sparse_distance_matrix(t, 0.3, output_type="ndarray") for t in (own, scipy))
    assert entries.dtype == scipy_entries.dtype
    scipy_entries.sort(order=["i", "j"])
    assert np.array_equal(entries[["i", "j"]], scipy_entries[["i", "j"]]) and np.allclose(entries["v"], scipy_entries["v"])


def test_what_a_tree_holds():
    points, own, scipy = trees("uniform", 50, 3, np.float32)
    for name in ("n", "m", "leafsize"):
        assert getattr(own, name) == getattr(scipy, name)
    for name in ("data", "maxes", "mins"):
        assert np.array_equal(getattr(own, name), getattr(scipy, name)) and getattr(own, name).dtype == np.float64
    assert own.boxsize is None and scipy.boxsize is None
    assert np.array_equal(juxta.KDTree(points, boxsize=1).boxsize, spatial.KDTree(points, boxsize=1).boxsize)
    doubles = points.astype(float)
    assert juxta.KDTree(doubles).data is doubles and juxta.KDTree(doubles, copy_data=True).data is not doubles
    assert juxta.KDTree(np.zeros((0, 2))).query_pairs(1) == set()
    assert repr(own) == "<juxta.KDTree of 50 points in 3D>"


def test_points_outside_a_box_are_brought_back():
    points = cloud("uniform", 100, 3)
    inside, outside = juxta.KDTree(points, boxsize=1), juxta.KDTree(points - [3, 0, 2], boxsize=1)
    assert inside.query_pairs(0.2) == outside.query_pairs(0.2)


@pytest.mark.parametrize(
    "call,text",
    [
        (lambda t: juxta.KDTree(np.zeros((3, 4))), r"takes \(n, 2\) or \(n, 3\)"),
        (lambda t: juxta.KDTree([[0, np.nan]]), "point 0 has a NaN"),
        (lambda t: juxta.KDTree([[0, 0]], boxsize=-1), "boxsize is -1"),
        (lambda t: juxta.KDTree([[0, 0]], leafsize=0), "leafsize is 0"),
        (lambda t: t.query([0, 0]), r"x has shape \(2,\)"),
        (lambda t: t.query([0, 0, np.nan]), "NaN"),
        (lambda t: t.query([0, 0, 0], 0), "k is 0"),
        (lambda t: t.query([0, 0, 0], [1, 0]), "number 1"),
        (lambda t: t.query([0, 0, 0], []), "several in one row"),
        (lambda t: t.query([0, 0, 0], p=1), "p is 1"),
        (lambda t: t.query([0, 0, 0], eps=-1), "eps is -1"),
        (lambda t: t.query([0, 0, 0], workers=0), "workers is 0"),
        (lambda t: t.query([0, 0, 0], distance_upper_bound=np.nan), "distance_upper_bound is nan"),
        (lambda t: t.query_ball_point([0, 0, 0], -1), "r is -1"),
        (lambda t: t.query_pairs(np.nan), "r is nan"),
        (lambda t: t.query_pairs(1, output_type="list"), "output_type is 'list'"),
        (lambda t: t.query_pairs(1, p=np.inf), "p is inf"),
        (lambda t: t.count_neighbors(t, 1, weights=[1]), "weights are not supported"),
        (lambda t: t.count_neighbors(t, [2, 1], cumulative=False), "must ascend"),
        (lambda t: t.count_neighbors(juxta.KDTree([[0, 0]]), 1), "other has points in 2D"),
        (lambda t: t.count_neighbors(juxta.KDTree([[0, 0, 0]], boxsize=1), 1), "boxsize is"),
        (lambda t: t.sparse_distance_matrix(t, 1, output_type="csr"), "output_type is 'csr'"),
    ],
)
def test_errors(call, text):
    with pytest.raises(ValueError, match=text):
        call(juxta.KDTree(cloud("uniform", 10, 3)))


def test_wrong_types():
    tree = juxta.KDTree(cloud("uniform", 10, 3))
    for call in (
        lambda: juxta.KDTree(np.zeros((3, 3), complex)), lambda: tree.query(np.zeros(3, complex)),
        lambda: tree.count_neighbors(spatial.KDTree(tree.data), 1),
    ):  # fmt: skip
        with pytest.raises(TypeError):
            call()
