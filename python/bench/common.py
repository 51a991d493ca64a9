# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What the benchmarks of the Python module share: the compiled side, timing, tables.

    cmake --build BUILD --target juxta_python juxta_python_bench
    PYTHONPATH=BUILD/python python3 python/bench/overhead.py      calls and bulk calls, beside C++
    PYTHONPATH=BUILD/python python3 python/bench/boxes.py         boxes against boxes, beside Boost, GEOS, Shapely, rtree
    PYTHONPATH=BUILD/python python3 python/bench/top.py           the best in a rectangle, beside NumPy
    PYTHONPATH=BUILD/python python3 python/bench/neighbors.py     pairs and nearest points, beside SciPy

Contenders take turns, round by round; a figure is the median of the rounds. Answers are compared before anything is timed.
"""

import ctypes
import pathlib
import statistics
import sys
import time

import numpy as np

import juxta

SIZE, POINTER = ctypes.c_size_t, ctypes.c_void_p


def compiled():
    """The library of python/bench/CMakeLists.txt."""
    built = pathlib.Path(juxta.__file__).parent.parent / "bench/juxta_python_bench.so"
    if not built.exists():
        sys.exit(f"{built} is missing: build the target juxta_python_bench (python/bench/common.py says how)")
    library = ctypes.CDLL(str(built))
    for name in ("native_layer", "native_ranked", "boost_build_2", "boost_build_3", "geos_build_2"):
        if hasattr(library, name):
            getattr(library, name).restype = POINTER
    for name in ("native_find_pairs", "native_query_many", "boost_ask_2", "boost_ask_3", "geos_ask_2"):
        if hasattr(library, name):
            getattr(library, name).restype = SIZE
    for name in ("native_query_each", "native_raycast_each", "native_nearest_each", "native_top_each"):
        getattr(library, name).restype = ctypes.c_double
    return library


def pointer(array):
    """Of a C-contiguous array, for ctypes."""
    assert array.flags.c_contiguous
    return POINTER(array.ctypes.data)


def seconds(call, clock=time.perf_counter):
    began = clock()
    call()
    return clock() - began


def take_turns(calls, rounds, clock=time.perf_counter):
    """{name: median seconds}, of {name: callable}; one call of each in every round, after one that warms up.

    time.process_time as `clock` counts what this process used: of one thread, the time that it takes where nobody else
    wants the processor.
    """
    times = {name: [] for name in calls}
    for call in calls.values():
        call()
    for _ in range(rounds):
        for name, call in calls.items():
            times[name].append(seconds(call, clock))
    return {name: statistics.median(all_times) for name, all_times in times.items()}


def boxes_of(n, dims, overlaps, seed):
    """Uniform boxes, each of which overlaps about `overlaps` of another such set of n."""
    rng = np.random.default_rng(seed)
    edge = (overlaps / n) ** (1 / dims) / 2
    lo = rng.random((n, dims), dtype=np.float32)
    size = rng.random((n, dims), dtype=np.float32) * np.float32(2 * edge)
    return np.ascontiguousarray(np.stack([lo, lo + size], axis=1))


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "|".join("---" if i == 0 else "---:" for i in range(len(head))) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()
