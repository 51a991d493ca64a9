# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""All overlaps of n boxes with n others: Juxta from Python against trees called from C++. See common.py.

"whole" builds what is needed and asks; "asked" has the trees (or layers) built before. Juxta answers with NumPy arrays,
the trees write pairs to memory that is there already. --loops adds Shapely and rtree, which loop in Python.
"""

import argparse

import numpy as np

import common
import juxta


def as_sorted(pairs):
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


class Tree:
    """A tree of python/bench/*_trees.cpp."""

    def __init__(self, library, name, dims, boxes):
        self._ask = getattr(library, f"{name}_ask_{dims}")
        self._free = getattr(library, f"{name}_free_{dims}")
        build = getattr(library, f"{name}_build_{dims}")
        self._tree = common.POINTER(build(common.pointer(boxes), common.SIZE(len(boxes))))

    def ask(self, boxes, out):
        return self._ask(
            self._tree, common.pointer(boxes), common.SIZE(len(boxes)), common.pointer(out), common.SIZE(len(out))
        )

    def __del__(self):
        self._free(self._tree)


def whole_tree(library, name, dims, a, b, out):
    return Tree(library, name, dims, a).ask(b, out)


def compare(library, dims, n, overlaps, rounds):
    """One row: the slowest of Juxta's ways against the fastest tree is for the reader to take."""
    a, b = common.boxes_of(n, dims, overlaps, 1), common.boxes_of(n, dims, overlaps, 2)
    la, lb = juxta.Layer(a), juxta.Layer(b)
    want = as_sorted(lb.find_pairs(la).T)
    out = np.zeros((len(want) + 1, 2), np.uint32)
    assert np.array_equal(as_sorted(la.query(b).T), want)
    names = [name for name in ("boost", "geos") if hasattr(library, f"{name}_build_{dims}")]
    trees = {name: Tree(library, name, dims, a) for name in names}
    for name in names:
        assert trees[name].ask(b, out) == len(want) and np.array_equal(as_sorted(out[:-1]), want), name
    whole = common.take_turns(
        {
            "pairs": lambda: juxta.Layer(b).find_pairs(juxta.Layer(a)),
            "pairs32": lambda: juxta.Layer(b).find_pairs(juxta.Layer(a), dtype="uint32"),
            **{name: lambda name=name: whole_tree(library, name, dims, a, b, out) for name in names},
        },
        rounds,
    )
    asked = common.take_turns(
        {
            "query": lambda: la.query(b),
            "pairs": lambda: lb.find_pairs(la),
            **{name: lambda name=name: trees[name].ask(b, out) for name in names},
        },
        rounds,
    )
    head = f"{dims}D, {len(want) / n:.1f} a box"
    ms = lambda times, name: f"{1e3 * times[name]:.1f}" if name in times else "-"  # noqa: E731
    ratio = lambda times, name, own: f"{times[name] / times[own]:.1f}x" if name in times else "-"  # noqa: E731
    return (
        (head + ", whole", ms(whole, "pairs"), ms(whole, "boost"), ratio(whole, "boost", "pairs"), ms(whole, "geos"),
         ratio(whole, "geos", "pairs")),
        (head + ", asked", ms(asked, "query"), ms(asked, "boost"), ratio(asked, "boost", "query"), ms(asked, "geos"),
         ratio(asked, "geos", "query")),
    )  # fmt: skip


def loops(n, overlaps):
    """Debian's Shapely 1.8 and rtree 1.0, one query a call of Python."""
    a, b = common.boxes_of(n, 2, overlaps, 1), common.boxes_of(n, 2, overlaps, 2)
    took = {"juxta": common.seconds(lambda: juxta.Layer(a).query(b))}
    try:
        import shapely.geometry
        import shapely.strtree

        shapes = [shapely.geometry.box(*box.ravel()) for box in a.astype(float)]
        asked = [shapely.geometry.box(*box.ravel()) for box in b.astype(float)]

        def with_shapely():
            tree = shapely.strtree.STRtree(shapes)
            for box in asked:
                tree.query(box)

        took["shapely"] = common.seconds(with_shapely)
    except ImportError:
        pass
    try:
        import rtree.index

        def with_rtree():
            tree = rtree.index.Index((i, box.ravel().tolist(), None) for i, box in enumerate(a))
            for box in b:
                list(tree.intersection(box.ravel().tolist()))

        took["rtree"] = common.seconds(with_rtree)
    except ImportError:
        pass
    common.table(
        [f"{n:,} against {n:,}, 2D", "ms", "times Juxta"],
        [(name, f"{1e3 * time:.1f}", f"{time / took['juxta']:.0f}x") for name, time in took.items()],
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--loops", action="store_true", help="Shapely and rtree too")
    settings = parser.parse_args()
    compiled = common.compiled()
    rows = []
    for dims in (2, 3):
        for overlaps in (0.5, 2, 10):
            rows += compare(compiled, dims, settings.size, overlaps, settings.rounds)
    common.table(["boxes", "Juxta, ms", "Boost, ms", "", "GEOS, ms", ""], rows)
    if settings.loops:
        loops(settings.size, 2)
