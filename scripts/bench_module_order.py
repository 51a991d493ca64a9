# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What is compared in module order, and its part of the pages that scripts/bench writes."""
from bench_report import faster

PROGRAM = "bench_order"
NAME = "order"
TASK = "sorting and spatial order"
QUESTION = "Sorting and spatial order: the groundwork of all modules."
AGAINST = "The others are the standard library's sorts and plain loops."
NOTES = []
TARGETS = []
TIME_AXIS = "nanoseconds per call"

# (what, workload, the library's row, other rows)
WORKLOADS = (
    ("sort 100 keys of 32 bits", "sort_u32_100", "juxta", ("std_sort", "std_stable_sort")),
    ("sort 1,000 keys", "sort_u32_1k", "juxta", ("std_sort", "std_stable_sort")),
    ("sort 10,000 keys", "sort_u32_10k", "juxta", ("std_sort", "std_stable_sort")),
    ("sort 100,000 keys", "sort_u32_100k", "juxta", ("std_sort", "std_stable_sort")),
    ("sort 10 million keys", "sort_u32", "juxta", ("std_sort", "std_sort_packed", "std_stable_sort")),
    ("sort 10 million keys of 64 bits", "sort_u64", "juxta", ("std_sort", "std_stable_sort")),
    ("sort 10 million fractions", "sort_fractions", "juxta", ("std_sort", "std_stable_sort")),
    ("gather 10 million floats", "gather_f32", "juxta", ("plain",)),
    ("Hilbert codes in 2D", "hilbert2", "juxta", ("one_by_one",)),
    ("spatial order of 100,000 boxes", "block_order_100k", "fast", ("plain",)),
    ("spatial order of 1,000,000 boxes", "block_order_1M", "fast", ("plain",)),
    ("fill a block tree, 100,000 boxes", "fill_tree_100k", "juxta", ("plain",)),
    ("fill a block tree, 1,000,000 boxes", "fill_tree_1M", "juxta", ("plain",)),
    ("fit its bounds, 100,000 boxes", "fit_levels_100k", "juxta", ("plain",)),
    ("fit its bounds, 1,000,000 boxes", "fit_levels_1M", "juxta", ("plain",)),
)


def label(who):
    return {"plain": "plain loop", "one_by_one": "one by one", "std_sort_packed": "std::sort (packed)"}.get(
        who, who.replace("std_", "std::"))


def matches_wanted():
    """(what, rows of the library, {other: row})."""
    return [(what, (f"{workload}/{ours}",), {label(who): f"{workload}/{who}" for who in others})
            for what, workload, ours, others in WORKLOADS]


def duels(rows):
    """(workload, the library's time, name of another, its time)."""
    for what, workload, ours, others in WORKLOADS:
        for who in others:
            if (mine := rows.get(f"{workload}/{ours}")) and (row := rows.get(f"{workload}/{who}")):
                yield what, mine.median, label(who), row.median


def facts(rows):
    return [f"{what} on two threads: {faster(rows, one, two):.2g}x as fast as on one" for what, one, two in (
        ("sort 10 million keys", "sort_u32/juxta", "sort_u32/juxta_2_threads"),
        ("spatial order of 1,000,000 boxes", "block_order_1M/fast", "block_order_1M/fast_2_threads"))
            if one in rows and two in rows]


def series(rows):
    return {}


def details(rows, images):
    return []


def checks(_rows):
    return []
