# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What is compared in module ranked, and its part of the pages that scripts/bench writes."""
from bench_report import duration, faster, worst

PROGRAM = "bench_ranked"
SETS = ("uniform", "cities", "ugly", "hole", "diagonal", "lattice", "line")
FAMILIES = ("official", "tiny", "tall", "wide", "large", "right_half")


CHANGES = ("insert", "remove", "move")
REGIONS = ("circle", "ring", "hexagon", "star100", "across")
SEEDS = ("", *(f"_seed{number}" for number in range(2, 6)))  # the official one first


def mipmap_ratio(rows, workload):
    return faster(rows, f"{workload}/mipmap", f"{workload}/juxta")


def p99_ratio(rows, workload):
    return rows[f"{workload}/mipmap"].counters["p99_ns"] / rows[f"{workload}/juxta"].counters["p99_ns"]


def worst_seed(workload, ratio):
    """How to find the lowest ratio of all seeds; none when the rows of a seed were not run."""
    return lambda rows: min(ratio(rows, workload + seed) for seed in SEEDS)


def seed_bar(workload, limit, goal, what="records"):
    return (f"{workload}: mipmap / juxta, {what}, worst of five seeds", limit, goal, "x", True,
            worst_seed(workload, mipmap_ratio))


def seed_p99_bar(workload, limit, goal):
    return (f"{workload}: p99 of mipmap / juxta, worst of five seeds", limit, goal, "x", True,
            worst_seed(workload, p99_ratio))


def select_ratio(rows, workload):
    """Levels that gather, select and sort, by Juxta."""
    return faster(rows, f"{workload}/select", f"{workload}/juxta")


def any_k_bar(k, limit, goal):
    return (f"official_{k}: levels that select / juxta, ids, worst of five seeds", limit, goal, "x", True,
            worst_seed(f"official_{k}", select_ratio))


def filter_bar(name, share):
    """Worst of five seeds, or none when the rows of a seed were not run."""
    def slower(rows):
        return max(1 / faster(rows, f"filter_{name}{seed}/own", f"filter_{name}{seed}/juxta") for seed in SEEDS)
    return (f"filter of {share}: juxta / an index of its own, worst of five seeds", 2.5, 1.5, "x", False, slower)


def worst_cell(rows, counter):
    return max(rows[f"hard/{s}/{f}/juxta"].counters[counter] for s in SETS for f in FAMILIES)


def mib(rows, name):
    return rows[name].counters["bytes"] / 2**20


TARGETS = [
    seed_bar("official_hot", 4.5, 8),
    seed_bar("official_hot_ids", 6, 12, "ids"),
    seed_bar("official_stream", 2.8, 4),
    seed_bar("official_stream_ids", 4, 7, "ids"),
    seed_p99_bar("official_stream", 3, 3),
    seed_p99_bar("official_stream_ids", 3, 3),
    seed_bar("official_stream_k100", 3, 5, "ids"),
    any_k_bar("k1000", 1.15, 1.5),
    any_k_bar("k5000", 1.15, 1.5),
    any_k_bar("k20000", 1.15, 1.5),
    filter_bar("1pct", "1 %"),
    filter_bar("10pct", "10 %"),
    filter_bar("50pct", "50 %"),
    ("hard: worst mean of all cells", 80, 40, " misses", False, lambda r: worst_cell(r, "misses")),
    ("hard: worst p99 of all cells", 250, 120, " misses", False, lambda r: worst_cell(r, "p99_misses")),
    ("batch: one by one / a batch, one thread, worst of five seeds", 1.3, 2, "x", True,
     worst([(f"batch{seed}/juxta_1thread_single", f"batch{seed}/juxta_1thread") for seed in SEEDS])),
    ("regions: a scan / juxta, the worst", 1, 10, "x", True,
     worst([(f"region_{shape}/scan", f"region_{shape}/juxta") for shape in REGIONS])),
    ("a hundredth of the points has changed: live / frozen", 2, 1.2, "x", False,
     lambda r: faster(r, "live_query_1pct/juxta", "live_query_1pct/frozen")),
    ("a twentieth of the points has changed: live / frozen", 3, 2, "x", False,
     lambda r: faster(r, "live_query_5pct/juxta", "live_query_5pct/frozen")),
    ("a reader beside a writer / alone", 1.2, 1.2, "x", False,
     lambda r: faster(r, "live_reader_beside/juxta", "live_reader_alone/juxta")),
    ("1 % of 1M points moved, then 10,000 queries: rebuild / juxta", 5, 10, "x", True,
     lambda r: faster(r, "live_day/rebuild", "live_day/juxta")),
    ("1 % of 1M points moved, then 10,000 queries: Boost's R-tree / juxta", 3, 10, "x", True,
     lambda r: faster(r, "live_day/boost", "live_day/juxta")),
    *((f"live, {change}: a single change", 1, 1, " us", False,
       lambda r, change=change: r[f"live_change_{change}/juxta"].median / 1e3) for change in CHANGES),
    *((f"live, {change}: p99 of single changes", 5, 5, " us", False,
       lambda r, change=change: r[f"live_change_{change}/juxta"].counters["p99_ns"] / 1e3) for change in CHANGES),
    ("live: a change, with the merging", 6, 2, " us", False, lambda r: r["live_merged/juxta"].median / 1e3),
    ("batch: one by one / two threads", 1.8, 2.3, "x", True,
     lambda r: faster(r, "batch/juxta_1thread_single", "batch/juxta_2threads")),
    ("count: mean", 350, 100, " misses", False, lambda r: r["count/juxta"].counters["misses"]),
    ("memory, records included", 480, 350, " MiB", False, lambda r: mib(r, "memory/juxta")),
    ("build_10M: juxta / one std::sort", 6, 3, "x", False, lambda r: faster(r, "build_10M/juxta", "build_10M/sort")),
    ("build_10M: one thread / two", 1.6, 1.6, "x", True,
     lambda r: faster(r, "build_10M/juxta", "build_10M/juxta_2threads")),
    ("build_100k: juxta / one std::sort", 2, 1, "x", False,
     lambda r: faster(r, "build_100k/juxta", "build_100k/sort")),
    ("scan_bandwidth: the reference is sound", 6, 6, " GB/s", True,
     lambda r: r["scan_bandwidth"].counters["bytes_per_second"] / 1e9),
]


def hard_table(rows, who, cell):
    lines = ["| points \\ queries | " + " | ".join(FAMILIES) + " |", "|---" * (len(FAMILIES) + 1) + "|"]
    for point_set in SETS:
        cells = []
        for family in FAMILIES:
            row = rows.get(f"hard/{point_set}/{family}/{who}")
            cells.append("" if row is None else cell(row.counters))
        if any(cells):
            lines.append(f"| {point_set} | " + " | ".join(cells) + " |")
    return lines


def seed_table(rows):
    """mipmap / juxta of each seed, the mean over all queries / the p99 of one."""
    workloads = ("official_hot", "official_hot_ids", "official_stream", "official_stream_ids", "official_stream_k100")
    lines = ["| seed | " + " | ".join(workloads) + " |", "|---" * (len(workloads) + 1) + "|"]
    for number, seed in enumerate(SEEDS, 1):
        cells = [f"{mipmap_ratio(rows, workload + seed):.3g}x / {p99_ratio(rows, workload + seed):.3g}x"
                 if f"{workload}{seed}/juxta" in rows and f"{workload}{seed}/mipmap" in rows else ""
                 for workload in workloads]
        if any(cells):
            lines.append(f"| {'official' if number == 1 else number} | " + " | ".join(cells) + " |")
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


NAME = "ranked"
TASK = "the k lowest ranks in a rectangle"
QUESTION = "The k points of lowest rank in a rectangle, among 10,000,000 points."
AGAINST = ("The others are the *mipmap* of a published entry of the Churchill Navigation challenge, and a SIMD *scan* of the "
           "lowest ranks. *Levels that select* are written for large k: levels of ranks sorted by x and by y, std::nth_element, "
           "std::sort (bench/ranked/level_select.h).")
NOTES = ["", "`large` and `right_half` are rectangles that cover much of the world. [measurements.md](measurements.md) has the",
         "times of all point sets and queries, in cache misses."]


def matches_wanted():
    """(what, rows of the library, {other: row})."""
    def queries(what, workload):
        return (what, (f"{workload}/juxta",), {"mipmap": f"{workload}/mipmap", "scan": f"{workload}/scan",
                                               "levels that select": f"{workload}/select"})
    return [
        queries("k = 20, the same queries again", "official_hot"),
        queries("k = 20, the same, indices only", "official_hot_ids"),
        queries("k = 20, a stream of new queries", "official_stream"),
        queries("k = 20, stream, indices only", "official_stream_ids"),
        queries("k = 100, stream, indices only", "official_stream_k100"),
        queries("k = 1,000, stream, indices only", "official_k1000"),
        queries("k = 20,000, stream, indices only", "official_k20000"),
        queries("k = 20, again, wide world (seed 2)", "official_hot_seed2"),
        queries("k = 20, stream, wide world (seed 2)", "official_stream_seed2"),
        queries("k = 100, stream, wide world (seed 2)", "official_stream_k100_seed2"),
        queries("k = 1,000, stream, wide world (seed 2)", "official_k1000_seed2"),
    ]


def duels(rows):
    """(workload, the library's time, name of another, its time)."""
    for workload in ("official_hot", "official_hot_ids", "official_stream", "official_stream_ids",
                     "official_stream_k100", "official_k1000", "official_k5000", "official_k20000"):
        for seed in SEEDS:
            ours = rows.get(f"{workload}{seed}/juxta")
            for who in ("mipmap", "scan", "select"):
                if ours and (row := rows.get(f"{workload}{seed}/{who}")):
                    yield f"`{workload}{seed}`", ours.median, who, row.median
    for workload in (f"cells_{side}{seed}" for side in ("1", "0.3", "0.03") for seed in SEEDS):
        ours, theirs = rows.get(f"{workload}/juxta"), rows.get(f"{workload}/plain")
        if ours and theirs:
            yield f"`{workload}`", ours.median, "a plain loop", theirs.median
    for which in ("1pct", "10pct", "50pct", "any", "all", "none", "rare", "world", "count_10pct", "count_any", "count_all",
                  "count_world"):
        for workload in (f"filter_{which}{seed}" for seed in SEEDS):
            ours = rows.get(f"{workload}/juxta")
            for who, name in (("own", "an index of what passes"), ("scan", "a plain scan")):
                if ours and (row := rows.get(f"{workload}/{who}")):
                    yield f"`{workload}`", ours.median, name, row.median
    for which in ("001pct", "1pct", "10pct", "50pct", "worst"):
        for workload in (f"range_{what}{which}{seed}" for what in ("", "count_") for seed in SEEDS):
            ours = rows.get(f"{workload}/juxta")
            for who, name in (("own", "an index of what passes"), ("by_rank", "a scan in rank order"),
                              ("by_number", "a scan of the range")):
                if ours and (row := rows.get(f"{workload}/{who}")):
                    yield f"`{workload}`", ours.median, name, row.median
    for workload in (f"region_{what}{shape}" for what in ("", "count_")
                     for shape in REGIONS):
        ours, theirs = rows.get(f"{workload}/juxta"), rows.get(f"{workload}/scan")
        if ours and theirs:
            yield f"`{workload}`", ours.median, "a plain scan", theirs.median
    for point_set in SETS:
        for family in FAMILIES:
            ours, theirs = (rows.get(f"hard/{point_set}/{family}/{who}") for who in ("juxta", "mipmap"))
            if ours and theirs:
                yield (f"points `{point_set}`", ours.counters["misses"], f"mipmap on queries `{family}`",
                       theirs.counters["misses"])
    for size in ("100k", "10M"):
        ours, theirs = rows.get(f"build_{size}/juxta"), rows.get(f"build_{size}/sort")
        if ours and theirs:
            yield f"build of {size} points, beside one sort of their ranks", ours.median, "std::sort", theirs.median


def facts(rows):
    found = []
    if row := rows.get("memory/juxta"):
        found.append(f"memory for 10M points, records included: {mib(rows, 'memory/juxta'):.0f} MiB")
    if (row := rows.get("build_10M/juxta")) and (two := rows.get("build_10M/juxta_2threads")):
        found.append(f"build of 10M points: {duration(row.median)} on one thread, {duration(two.median)} on two")
    if row := rows.get("count/juxta"):
        found.append(f"an exact count of the points inside: {duration(row.median)}")
    if (one := rows.get("batch/juxta_1thread_single")) and (two := rows.get("batch/juxta_2threads")):
        found.append(f"a query in a batch on two threads: {duration(two.median)}, single calls: {duration(one.median)}")
    return found


def details(rows, images):
    lines = ["## ranked"]
    lines += [f"\n![{caption}](img/{name})" for name, caption in images]
    seeds = seed_table(rows)
    if len(seeds) > 2:
        lines += ["", "### Five seeds", "",
                  "mipmap / juxta, by the mean over all queries and by the p99 of one. The official world is 0.112 wide,",
                  "and its 10M points have 7,325 distinct x; that of seed 2 is 167 x 222 with 2.6 million. Seeds 2 to 5",
                  "are the leading bits of pi - 3, e, the square root of 2 and the logarithm of 2",
                  "(bench/ranked/seeds.cpp, which lists their worlds).", "", *seeds]
    if any(name.startswith("hard/") for name in rows):
        lines += ["", "### Hard points", "",
                  "Mean / p99 of a query, in units of one dependent cache miss. Columns are query families, rows are",
                  "point sets (scenes/hard_points.h).", "",
                  *hard_table(rows, "juxta", lambda c: f"{c['misses']:.3g} / {c['p99_misses']:.3g}")]
    if any(name.startswith("hard/") and name.endswith("/mipmap") for name in rows):
        lines += ["", "The mipmap on the same: mean in cache misses, and the slowest query in microseconds. Its article says",
                  "that none takes more than 2 ms.", "",
                  *hard_table(rows, "mipmap", lambda c: f"{c['misses']:.3g} / {c['max_ns'] / 1000:.3g} us")]
    return lines
