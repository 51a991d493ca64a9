# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""The 20 best points in a rectangle, beside what one would write with NumPy. See common.py.

mask      points inside by comparing all of them, then argpartition of their ranks
sorted    points sorted by x: two binary searches, y compared among those between, then argpartition
by rank   points sorted by rank: blocks of a thousand are compared in this order until 20 are inside
"""

import argparse

import numpy as np

import common
import juxta


def best(inside, rank, k):
    """The k of `inside` with the lowest ranks, ascending."""
    if len(inside) > k:
        inside = inside[np.argpartition(rank[inside], k)[:k]]
    return inside[np.argsort(rank[inside], kind="stable")]


class ByMask:
    def __init__(self, x, y, rank):
        self.x, self.y, self.rank = x, y, rank

    def top(self, rect, k):
        (lx, ly), (hx, hy) = rect
        inside = np.flatnonzero((self.x >= lx) & (self.x <= hx) & (self.y >= ly) & (self.y <= hy))
        return best(inside, self.rank, k)


class BySortedX:
    def __init__(self, x, y, rank):
        self.order = np.argsort(x, kind="stable")
        self.x, self.y, self.rank = x[self.order], y[self.order], rank[self.order]

    def top(self, rect, k):
        (lx, ly), (hx, hy) = rect.astype(self.x.dtype)  # of another type, searchsorted() would convert all of x
        first, last = np.searchsorted(self.x, lx, "left"), np.searchsorted(self.x, hx, "right")
        between = self.y[first:last]
        inside = first + np.flatnonzero((between >= ly) & (between <= hy))
        return self.order[best(inside, self.rank, k)]


class ByRank:
    def __init__(self, x, y, rank):
        self.order = np.argsort(rank, kind="stable")
        self.x, self.y = x[self.order], y[self.order]

    def top(self, rect, k):
        (lx, ly), (hx, hy) = rect
        found, count, first, size = [], 0, 0, 1000
        while count < k and first < len(self.x):
            x, y = self.x[first : first + size], self.y[first : first + size]
            inside = first + np.flatnonzero((x >= lx) & (x <= hx) & (y >= ly) & (y <= hy))
            found.append(inside)
            count += len(inside)
            first += size
            size = min(2 * size, 1 << 20)
        return self.order[np.concatenate(found)[:k]] if found else np.empty(0, np.intp)


def rectangles(rng, share, m):
    """Squares that hold about `share` of the points. Their sides are float32, as the points are."""
    edge = share**0.5
    corner = rng.random((m, 2)) * (1 - edge)
    return np.stack([corner, corner + edge], axis=1).astype(np.float32).astype(np.float64)


def each(owner, rects, k):
    def ask():
        for rect in rects:
            owner.top(rect, k)

    return common.seconds(ask) / len(rects)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=10_000_000)
    parser.add_argument("--k", type=int, default=20)
    settings = parser.parse_args()
    n, k = settings.size, settings.k
    rng = np.random.default_rng(1)
    x, y = rng.random((2, n), dtype=np.float32)
    rank = rng.permutation(n).astype(np.int32)
    points = juxta.RankedPoints(x, y, rank, threads=0)
    ways = {"mask": ByMask(x, y, rank), "sorted": BySortedX(x, y, rank), "by rank": ByRank(x, y, rank)}
    rows = []
    for share in (1e-6, 1e-4, 1e-2, 0.25):
        rects = rectangles(rng, share, 2000)
        many = points.top(rects, k)
        took = {"one": [], "batch": [], **{name: [] for name in ways}}
        for i in range(7):
            part = rects[3 * i : 3 * i + 3]
            for name, way in ways.items():
                for rect, row in zip(part, many[3 * i :]):
                    assert np.array_equal(way.top(rect, k), row[row >= 0]), name
                took[name].append(each(way, part, k))
            took["one"].append(each(points, rects, k))
            took["batch"].append(common.seconds(lambda: points.top(rects, k)) / len(rects))
        median = {name: float(np.median(times)) for name, times in took.items()}
        rows.append(
            (f"{share:g}", f"{1e6 * median['one']:.2f}", f"{1e6 * median['batch']:.2f}")
            + tuple(
                f"{1e6 * median[way]:.0f} ({median[way] / median['one']:,.0f}x, {median[way] / median['batch']:,.0f}x)"
                for way in ways
            )
        )
    print("In brackets: how many times what one call takes, and what each of a batch takes.\n")
    head = [f"share of {n:,} points inside", "one call, us", "of a batch, us"]
    common.table(head + [f"{name}, us" for name in ways], rows)
