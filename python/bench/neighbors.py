# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""All pairs within r, and the k nearest, against scipy.spatial.cKDTree. One thread. See common.py.

"whole" builds the tree and asks; "asked" has the tree built before. SciPy answers with arrays
(query_pairs(output_type="ndarray")), and so does Juxta: (n, 2) of int64 and (n, k) of int64 and float64. float64 points
give the same answers as SciPy's, which are compared before anything is timed; float32 is faster and rounds.

"first call" is that of a new process, whose memory the system has to find first; the others find memory that answers
before them had.
"""

import argparse
import subprocess
import sys
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


def milliseconds(seconds):
    return f"{1e3 * seconds:.0f}" if seconds >= 0.01 else f"{1e3 * seconds:.2f}"


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
    ms = [milliseconds(took[name]) for name in took]
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
    ms = [milliseconds(took[name]) for name in took]
    ratios = [
        f"{took[theirs] / took[ours]:.1f}x"
        for theirs, ours in (("theirs", "whole"), ("theirs asked", "asked"), ("theirs asked", "asked 32"))
    ]
    return (f"{kind}, {dims}D, n = {n:,}, k = {k}", *ms, *ratios)


FIRST = """
import sys, time
import numpy as np
points, r = np.random.default_rng(1).random((int(sys.argv[2]), 3)), float(sys.argv[3])
if sys.argv[1] == "SciPy":
    from scipy.spatial import cKDTree
    call = lambda: cKDTree(points).query_pairs(r, output_type="ndarray")
else:
    import juxta
    call = lambda: juxta.PointTree(points).pairs(r)
began = time.process_time()
call()
print(time.process_time() - began)
"""


def first_call_row(n, neighbours, rounds):
    """Tree and pairs in 3D, each in a process of its own."""
    r = radius_for(cloud("uniform", n, 3), neighbours)
    took = {"SciPy": [], "Juxta": []}
    for _ in range(rounds):
        for name, times in took.items():
            command = [sys.executable, "-c", FIRST, name, str(n), str(r)]
            times.append(float(subprocess.run(command, capture_output=True, check=True, text=True).stdout))
    theirs, ours = (1e3 * float(np.median(times)) for times in took.values())
    return (f"uniform, 3D, n = {n:,}, {neighbours} neighbours", f"{theirs:.0f}", f"{ours:.0f}", f"{theirs / ours:.1f}x")


def nearest_rows(n, rounds, quick):
    yield nearest_row("uniform", n, 3, 8, rounds)
    if not quick:
        yield nearest_row("uniform", n, 3, 1, rounds)
        yield nearest_row("uniform", n // 10, 3, 8, rounds)
        yield nearest_row("uniform", n // 100, 3, 8, 5 * rounds)
        yield nearest_row("uniform", n, 2, 8, rounds)
        yield nearest_row("clustered", n, 3, 8, rounds)
        yield nearest_row("uniform", n, 3, 30, rounds)


def pairs_rows(n, rounds, quick):
    yield pairs_row("uniform", n, 3, 30, rounds)
    if not quick:
        yield pairs_row("uniform", n // 10, 3, 30, rounds)
        yield pairs_row("uniform", n // 100, 3, 30, 5 * rounds)
        yield pairs_row("uniform", n, 2, 30, rounds)
        yield pairs_row("uniform", n, 3, 6, rounds)
        yield pairs_row("clustered", n, 3, 30, rounds)
        yield pairs_row("uniform", n, 3, 60, rounds)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="3D, uniform, one density")
    parser.add_argument("--table", choices=("pairs", "nearest"), help="only one of the two")
    settings = parser.parse_args()
    n, rounds = settings.size, settings.rounds
    if settings.table != "nearest":
        common.table(["first call, tree and pairs, ms", "SciPy", "Juxta", "whole"], [first_call_row(n, 30, rounds)])
        common.table(
            ["pairs within r, ms", "SciPy", "asked", "Juxta", "asked", "sorted", "float32", "asked", "lists of uint32",
             "whole", "asked", "float32", "asked"],
            pairs_rows(n, rounds, settings.quick),
        )  # fmt: skip
    if settings.table != "pairs":
        common.table(
            ["k nearest, ms", "SciPy", "asked", "Juxta", "asked", "of the tree's own", "float32, asked",
             "whole", "asked", "float32"],
            nearest_rows(n, rounds, settings.quick),
        )  # fmt: skip
