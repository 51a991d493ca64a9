# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What Python adds to a call: single queries in ns a call, bulk calls in per cent. See common.py.

Single: the same questions, one call each, in a loop of Python and in a loop of C++. The loop's own time is taken off.
Bulk: one call from Python, with fresh arrays for the answers, against the call from C++ into memory that is there
already. "uint32" answers are the library's own memory, "intp" ones are twice as large.
"""

import argparse
import statistics
import time

import numpy as np

import common
import juxta


def each(call, arguments):
    """ns a call of call(*one) for each of `arguments`, less what an empty loop takes."""
    nothing = lambda *one: None  # noqa: E731
    times = []
    for function in (nothing, call):
        began = time.perf_counter_ns()
        for one in arguments:
            function(*one)
        times.append((time.perf_counter_ns() - began) / len(arguments))
    return times[1] - times[0]


def single(library, n, m, rounds):
    boxes = common.boxes_of(n, 3, 1, 1)
    layer, native = juxta.Layer(boxes), library.native_layer(common.pointer(boxes), common.SIZE(n))
    native = common.POINTER(native)
    asked = common.boxes_of(m, 3, 1, 2)
    asked[:, 1] += np.float32((10 / n) ** (1 / 3) * 0.62)  # ten answers
    rng = np.random.default_rng(3)
    rays = np.empty((m, 7), np.float32)
    rays[:, :3], rays[:, 3:6], rays[:, 6] = rng.random((m, 3)), rng.normal(size=(m, 3)), np.inf
    points = rng.random((m, 3), dtype=np.float32)
    x, y = rng.random((2, n), dtype=np.float32)
    rank = rng.permutation(n).astype(np.int32)
    ranked, native_ranked = juxta.RankedPoints(x, y, rank), library.native_ranked(
        common.pointer(x), common.pointer(y), common.pointer(rank), common.SIZE(n)
    )
    native_ranked = common.POINTER(native_ranked)
    rects = rng.random((m, 2, 2))
    rects.sort(axis=1)
    origins, ways = rays[:, :3].copy(), rays[:, 3:6].copy()
    count = common.SIZE(m)
    print(f"{layer.count(asked).mean():.1f} answers a box\n")
    rows = {
        "Layer.query, 10 answers": (
            lambda: each(layer.query, [(box,) for box in asked]),
            lambda: library.native_query_each(native, common.pointer(asked), count),
        ),
        "Layer.query, a tuple of numbers": (
            lambda: each(layer.query, [(tuple(map(tuple, box)),) for box in asked.tolist()]),
            lambda: library.native_query_each(native, common.pointer(asked), count),
        ),
        "Layer.raycast": (
            lambda: each(layer.raycast, list(zip(origins, ways))),
            lambda: library.native_raycast_each(native, common.pointer(rays), count),
        ),
        "Layer.nearest": (
            lambda: each(layer.nearest, [(point,) for point in points]),
            lambda: library.native_nearest_each(native, common.pointer(points), count),
        ),
        "RankedPoints.top, k = 10": (
            lambda: each(ranked.top, [(rect, 10) for rect in rects]),
            lambda: library.native_top_each(native_ranked, common.pointer(rects), count, common.SIZE(10)),
        ),
    }
    lines = []
    for name, (python, cpp) in rows.items():
        samples = [(python(), cpp()) for _ in range(rounds)]
        p, c = (statistics.median(sample[i] for sample in samples) for i in (0, 1))
        added = statistics.median(a - b for a, b in samples)
        lines.append((name, f"{c:.0f}", f"{p:.0f}", f"{added:.0f}"))
    common.table(["call", "C++, ns", "Python, ns", "added, ns"], lines)
    library.native_layer_free(native)
    library.native_ranked_free(native_ranked)


def bulk(library, n, m, rounds):
    boxes = common.boxes_of(n, 3, 2, 4)
    layer = juxta.Layer(boxes)
    native = common.POINTER(library.native_layer(common.pointer(boxes), common.SIZE(n)))
    size, asked = common.SIZE, common.boxes_of(m, 3, 1, 5)
    asked[:, 1] += np.float32((10 / n) ** (1 / 3) * 0.55)
    rng = np.random.default_rng(6)
    origins, ways = rng.random((m, 3), dtype=np.float32), rng.normal(size=(m, 3)).astype(np.float32)
    rays = np.concatenate([origins, ways, np.full((m, 1), np.inf, np.float32)], axis=1)
    x, y = rng.random((2, n), dtype=np.float32)
    rank = rng.permutation(n).astype(np.int32)
    ranked = juxta.RankedPoints(x, y, rank)
    native_ranked = common.POINTER(
        library.native_ranked(common.pointer(x), common.pointer(y), common.pointer(rank), size(n))
    )
    rects = rng.random((m, 2, 2))
    rects.sort(axis=1)
    pairs, found = np.zeros((12 * m, 2), np.uint32), layer.count_pairs()
    hits, near, best = np.zeros((m, 2), np.uint32), np.zeros((m, 2), np.uint32), np.zeros((m, 20), np.uint32)
    counts = np.zeros(m, np.uint32)
    room, p = size(len(pairs)), common.pointer
    assert library.native_find_pairs(native, p(pairs), room) == found == layer.find_pairs().shape[1] <= len(pairs)
    rows = [
        ("Layer.rebuild", [lambda: layer.rebuild(boxes)], lambda: library.native_rebuild(native, p(boxes), size(n))),
        ("Layer.refit", [lambda: layer.refit(boxes)], lambda: library.native_refit(native, p(boxes), size(n))),
        (
            f"Layer.find_pairs, {found:,} pairs",
            [lambda: layer.find_pairs(dtype="uint32"), lambda: layer.find_pairs()],
            lambda: library.native_find_pairs(native, p(pairs), room),
        ),
        (
            f"Layer.query, {layer.count(asked).sum():,} answers",
            [lambda: layer.query(asked, dtype="uint32"), lambda: layer.query(asked)],
            lambda: library.native_query_many(native, p(asked), size(m), p(pairs), room),
        ),
        (
            "Layer.raycast",
            [lambda: layer.raycast(origins, ways, dtype="uint32"), lambda: layer.raycast(origins, ways)],
            lambda: library.native_raycast_many(native, p(rays), size(m), p(hits)),
        ),
        (
            "Layer.nearest",
            [lambda: layer.nearest(origins, dtype="uint32"), lambda: layer.nearest(origins)],
            lambda: library.native_nearest_many(native, p(origins), size(m), p(near)),
        ),
        (
            "RankedPoints.top, k = 20",
            [lambda: ranked.top(rects, 20, dtype="uint32"), lambda: ranked.top(rects, 20)],
            lambda: library.native_top_many(native_ranked, p(rects), size(m), size(20), p(best), p(counts)),
        ),
    ]
    lines = []
    for name, pythons, cpp in rows:
        calls = {"cpp": cpp, **{str(i): python for i, python in enumerate(pythons)}}
        took = common.take_turns(calls, rounds)
        added = [f"{100 * (took[str(i)] / took['cpp'] - 1):+.1f} %" for i in range(len(pythons))]
        lines.append((name, f"{1e3 * took['cpp']:.2f}", *added, *[""] * (2 - len(added))))
    common.table(["call", "C++, ms", "added, uint32", "added, intp"], lines)
    library.native_layer_free(native)
    library.native_ranked_free(native_ranked)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=100_000, help="boxes and points")
    parser.add_argument("--queries", type=int, default=100_000, help="of a bulk call; a fifth of it one by one")
    parser.add_argument("--rounds", type=int, default=21)
    settings = parser.parse_args()
    compiled = common.compiled()
    single(compiled, settings.size, max(1, settings.queries // 5), settings.rounds)
    bulk(compiled, settings.size, settings.queries, settings.rounds)
