# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What the ranked room is held to, and its part of docs/performance.md. Used by scripts/bench."""
from bench_report import bar_table, faster, measured

PROGRAM = "bench_ranked"
SETS = ("uniform", "cities", "ugly", "hole", "diagonal", "lattice", "line")
FAMILIES = ("official", "tiny", "tall", "wide", "large", "right_half")


def p99_ratio(rows, slow, fast):
    return rows[slow].counters["p99_ns"] / rows[fast].counters["p99_ns"]


def worst_cell(rows, counter):
    return max(rows[f"hard/{s}/{f}/juxta"].counters[counter] for s in SETS for f in FAMILIES)


def mib(rows, name):
    return rows[name].counters["bytes"] / 2**20


BARS = [
    ("official_hot: mipmap / juxta, records", 4.5, 8, "x", True,
     lambda r: faster(r, "official_hot/mipmap", "official_hot/juxta")),
    ("official_hot_ids: mipmap / juxta", 6, 12, "x", True,
     lambda r: faster(r, "official_hot_ids/mipmap", "official_hot_ids/juxta")),
    ("official_stream: mipmap / juxta, records", 2.8, 4, "x", True,
     lambda r: faster(r, "official_stream/mipmap", "official_stream/juxta")),
    ("official_stream_ids: mipmap / juxta", 4, 7, "x", True,
     lambda r: faster(r, "official_stream_ids/mipmap", "official_stream_ids/juxta")),
    ("official_stream: p99 of mipmap / juxta", 3, 3, "x", True,
     lambda r: p99_ratio(r, "official_stream/mipmap", "official_stream/juxta")),
    ("official_stream_ids: p99 of mipmap / juxta", 3, 3, "x", True,
     lambda r: p99_ratio(r, "official_stream_ids/mipmap", "official_stream_ids/juxta")),
    ("official_stream_k100: mipmap / juxta, ids", 3, 5, "x", True,
     lambda r: faster(r, "official_stream_k100/mipmap", "official_stream_k100/juxta")),
    ("hard: worst mean of all cells", 80, 40, " misses", False, lambda r: worst_cell(r, "misses")),
    ("hard: worst p99 of all cells", 250, 120, " misses", False, lambda r: worst_cell(r, "p99_misses")),
    ("batch: one by one / two threads", 1.8, 2.3, "x", True,
     lambda r: faster(r, "batch/juxta_1thread_single", "batch/juxta_2threads")),
    ("count: mean", 350, 100, " misses", False, lambda r: r["count/juxta"].counters["misses"]),
    ("memory, records included", 420, 300, " MiB", False, lambda r: mib(r, "memory/juxta")),
    ("build_10M: juxta / one std::sort", 6, 3, "x", False, lambda r: faster(r, "build_10M/juxta", "build_10M/sort")),
    ("build_10M: one thread / two", 1.6, 1.6, "x", True,
     lambda r: faster(r, "build_10M/juxta", "build_10M/juxta_2threads")),
    ("build_100k: juxta / one std::sort", 2, 1, "x", False,
     lambda r: faster(r, "build_100k/juxta", "build_100k/sort")),
    ("scan_bandwidth: the yardstick is sound", 6, 6, " GB/s", True,
     lambda r: r["scan_bandwidth"].counters["bytes_per_second"] / 1e9),
]
RATIO_BARS = [bar for bar in BARS if bar[3] == "x" and bar[4] and "official" in bar[0]]


def hard_table(rows):
    lines = ["| points \\ queries | " + " | ".join(FAMILIES) + " |", "|---" * (len(FAMILIES) + 1) + "|"]
    for point_set in SETS:
        cells = []
        for family in FAMILIES:
            row = rows.get(f"hard/{point_set}/{family}/juxta")
            cells.append("" if row is None else
                         f"{row.counters['misses']:.3g} / {row.counters['p99_misses']:.3g}")
        if any(cells):
            lines.append(f"| {point_set} | " + " | ".join(cells) + " |")
    return lines


def checks(rows):
    """Reasons not to believe the run: a yardstick that is suspiciously slow, contenders that differ."""
    found = []
    bandwidth = rows.get("scan_bandwidth")
    if bandwidth and bandwidth.counters["points"] >= 1e6 and bandwidth.counters["bytes_per_second"] < 6e9:
        found.append(f"the scan reads only {bandwidth.counters['bytes_per_second'] / 1e9:.1f} GB/s: "
                     "the machine is too busy, or the yardstick is broken")
    for workload in ("official_hot", "official_stream"):
        mipmap, scan = rows.get(f"{workload}/mipmap"), rows.get(f"{workload}/scan")
        if mipmap and scan and mipmap.counters["bytes"] > 2**28 and scan.median < 30 * mipmap.median:
            found.append(f"the mipmap is less than 30x faster than the scan on {workload}: it is broken")
    return found


def ratio_rows(rows):
    """(short name, ratio, bar, goal) of the rows that the bar chart shows."""
    return [(bar[0].split(" /")[0].replace(": mipmap", "").replace(": p99 of mipmap", " p99"), value, bar[1], bar[2])
            for bar in RATIO_BARS if (value := measured(bar, rows)) is not None]


def section(rows, images):
    lines = ["## Ranked points: what it is held to", "", *bar_table(BARS, rows)]
    lines += [f"\n![{caption}](img/{name})" for name, caption in images]
    if any(name.startswith("hard/") for name in rows):
        lines += ["", "## Hard points", "",
                  "Mean / p99 of a query, in units of one dependent cache miss. Columns are query families, rows are",
                  "point sets (scenes/hard_points.h).", "", *hard_table(rows)]
    return lines
