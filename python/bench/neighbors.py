# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""All pairs within r, and the k nearest, against scipy.spatial.cKDTree. One thread. See common.py.

"whole" builds the tree and asks; "asked" has the tree built before. SciPy answers with arrays
(query_pairs(output_type="ndarray")), and so does Juxta: (n, 2) of int64 and (n, k) of int64 and float64. float64 points
give the same answers as SciPy's, which are compared before anything is timed; float32 is faster and rounds.
"""

import argparse
import time

import numpy as np
from scipy.spatial import cKDTree

import common
import juxta


def cloud(kind, n, dims, seed=1):
    """Points in the unit cube; "clustered": in 1000 clumps of unlike sizes."""
    rng = np.random.default_rng(seed)
    if kind == "uniform":
        return rng.random((n, dims))
    centres = rng.random((1000, dims))
    spread = 10.0 ** rng.uniform(-3, -1, 1000)
    of = rng.integers(0, 1000, n)
    return centres[of] + spread[of, None] * rng.normal(size=(n, dims)) / 3


def radius_for(points, neighbours):
    """r that gives about so many neighbours: half of the points or more have fewer when they are clustered."""
    sample = points[:: max(1, len(points) // 1000)]
    d, _ = cKDTree(points).query(sample, [neighbours + 1])
    return float(np.median(d))


def ordered(pairs):
    pairs = np.sort(pairs, axis=1)
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def pairs_row(kind, n, dims, neighbours, rounds):
    points = cloud(kind, n, dims)
    narrow = points.astype(np.float32)
    r = radius_for(points, neighbours)
    theirs, wide, slim = cKDTree(points), juxta.PointTree(points), juxta.PointTree(narrow)
    found = theirs.query_pairs(r, output_type="ndarray")
    assert np.array_equal(wide.pairs(r, sorted=True).T, ordered(found))
    took = common.take_turns(
        {
            "theirs": lambda: cKDTree(points).query_pairs(r, output_type="ndarray"),
            "theirs asked": lambda: theirs.query_pairs(r, output_type="ndarray"),
            "whole": lambda: juxta.PointTree(points).pairs(r),
            "asked": lambda: wide.pairs(r),
            "sorted": lambda: wide.pairs(r, sorted=True),
            "whole 32": lambda: juxta.PointTree(narrow).pairs(r),
            "asked 32": lambda: slim.pairs(r),
            "lists 32": lambda: juxta.neighbors(narrow, r, "j", dtype="uint32"),
        },
        rounds,
        time.process_time,
    )
    ms = [f"{1e3 * took[name]:.0f}" for name in took]
    ratios = [
        f"{took[theirs] / took[ours]:.1f}x"
        for theirs, ours in (
            ("theirs", "whole"), ("theirs asked", "asked"), ("theirs", "whole 32"), ("theirs asked", "asked 32"),
        )
    ]  # fmt: skip
    return (f"{kind}, {dims}D, n = {n:,}, {2 * len(found) / n:.0f} neighbours", *ms, *ratios)


def nearest_row(kind, n, dims, k, rounds):
    points = cloud(kind, n, dims)
    narrow = points.astype(np.float32)
    theirs, wide, drop_in, slim = cKDTree(points), juxta.PointTree(points), juxta.KDTree(points), juxta.PointTree(narrow)
    d, _ = theirs.query(points, k)
    assert np.array_equal(drop_in.query(points, k)[0], d)
    took = common.take_turns(
        {
            "theirs": lambda: cKDTree(points).query(points, k),
            "theirs asked": lambda: theirs.query(points, k),
            "whole": lambda: juxta.KDTree(points).query(points, k),
            "asked": lambda: drop_in.query(points, k),
            "own": lambda: wide.nearest(k),
            "asked 32": lambda: slim.nearest(k, queries=narrow),
        },
        rounds,
        time.process_time,
    )
    ms = [f"{1e3 * took[name]:.0f}" for name in took]
    ratios = [
        f"{took[theirs] / took[ours]:.1f}x"
        for theirs, ours in (("theirs", "whole"), ("theirs asked", "asked"), ("theirs asked", "asked 32"))
    ]
    return (f"{kind}, {dims}D, n = {n:,}, k = {k}", *ms, *ratios)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="3D, uniform, one density")
    settings = parser.parse_args()
    n, rounds = settings.size, settings.rounds
    rows = [pairs_row("uniform", n, 3, 30, rounds)]
    if not settings.quick:
        rows += [pairs_row("uniform", n, 3, 6, rounds), pairs_row("uniform", n, 3, 60, rounds)]
        rows += [pairs_row("uniform", n // 10, 3, 30, rounds), pairs_row("uniform", n, 2, 30, rounds)]
        rows += [pairs_row("clustered", n, 3, 30, rounds), pairs_row("uniform", n // 100, 3, 30, 5 * rounds)]
    common.table(
        ["pairs within r, ms", "SciPy", "asked", "Juxta", "asked", "sorted", "float32", "asked", "lists of uint32",
         "whole", "asked", "float32", "asked"],
        rows,
    )  # fmt: skip
    rows = [nearest_row("uniform", n, 3, 8, rounds)]
    if not settings.quick:
        rows += [nearest_row("uniform", n, 3, 1, rounds), nearest_row("uniform", n, 3, 30, rounds)]
        rows += [nearest_row("uniform", n // 10, 3, 8, rounds), nearest_row("uniform", n, 2, 8, rounds)]
        rows += [nearest_row("clustered", n, 3, 8, rounds)]
    common.table(
        ["k nearest, ms", "SciPy", "asked", "Juxta", "asked", "of the tree's own", "float32, asked",
         "whole", "asked", "float32"],
        rows,
    )  # fmt: skip
