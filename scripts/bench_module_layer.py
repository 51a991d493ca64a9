# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What is compared in module layer, and its part of the pages that scripts/bench writes."""
from bench_report import duration, faster, times

PROGRAM = "bench_layer"
TIME_AXIS = "nanoseconds per box of a frame, or per query"
PEERS = ("embree", "embree_low", "cgal", "boost", "bullet")  # never the classics; embree_low is a row of builds alone
OURS = ("juxta", "juxta_refit")  # juxta_fast and juxta_tight, the other order of a row, are in tables alone
CLASSICS = ("classic_one", "classic_buckets")
FRAMES = ("pairs_uniform_10k", "pairs_uniform_100k", "pairs_uniform_1M", "pairs_clustered_100k", "pairs_mixed_100k",
          "pairs_flat_x_25k", "pairs_identical_4k", "bipartite_100k_25k")
QUERIES = ("query_any", "query_all", "query_any_batch", "query_all_batch", "query_all_spawn", "query_all_things",
           "ray_closest_10k", "ray_closest_100k", "ray_closest_1M", "ray_closest_clustered")
BUILDS = ("build_100k",)
# The articles step by step: bench/layer/stages.cpp, objects.cpp, reach.cpp.
SWEEPS = ("sweep_100", "sweep_1000", "sweep_5000", "sweep_20000")
STAGES = ("naive", "one_branch", "simd", "rearranged", "columns", "flipped", "sentinel", "batches", "unrolled_4",
          "unrolled_16", "two_axes", "linked", "avx")
OBJECTS = ("objects_100k", "objects_1k", "objects_spawn", "objects_orbits")
OBJECT_WAYS = ("printed", "recursive", "loop", "stack", "early")
REACH = ("nearest_100k", "boxcast_100k")


def best(rows, workloads, contenders):
    """The fastest of some contenders, over one workload or several that ask the same; KeyError: none was run."""
    found = [rows[name].median for workload in workloads for who in contenders
             if (name := f"{workload}/{who}") in rows]
    if not found:
        raise KeyError(workloads)
    return min(found)


def over_peers(workload, *same, ours="juxta"):
    """How many times faster juxta is on `workload` than the best peer on it or on one that asks the same."""
    return lambda rows: best(rows, (workload, *same), PEERS) / rows[f"{workload}/{ours}"].median


def over(workload, slow, fast="juxta"):
    return lambda rows: faster(rows, f"{workload}/{slow}", f"{workload}/{fast}")


def per_box(rows, name):
    return rows[name].median / rows[name].counters["boxes"]


def growth(rows):
    return per_box(rows, "pairs_uniform_1M/juxta") / per_box(rows, "pairs_uniform_10k/juxta")


def races(rows):
    """(ratio, workload, peer's row) of every peer on every workload, nearest to the library first; below 1 the peer
    is ahead. A batch may be asked one by one, and refitting is a way to take in a frame."""
    found = []
    for workload in (*FRAMES, *QUERIES, *BUILDS):
        if not any(f"{workload}/{who}" in rows for who in OURS):
            continue
        ours = best(rows, (workload,), OURS)
        for name in (f"{same}/{who}" for same in dict.fromkeys((workload, workload.removesuffix("_batch")))
                     for who in PEERS):
            if name in rows:
                found.append((rows[name].median / ours, workload, name))
    return sorted(found)


def closest_race(rows):
    """The first of races(); KeyError: there is none."""
    if not (found := races(rows)):
        raise KeyError("races")
    return found[0]


def faster_rows(text, workload, slow, limit, goal):
    return (f"{workload}: {text}", limit, goal, "x", True, over(workload, slow))


def peer_row(workload, limit, goal, *same):
    return (f"{workload}: best peer / juxta", limit, goal, "x", True, over_peers(workload, *same))


def tracker_ns(rows):
    """What events add to a frame of pairs alone, for each pair; the worst world."""
    worlds = ("events_100k", "events_1M", "events_clustered_1M", "events_slow_1M")
    return max((rows[f"{w}/juxta"].median - rows[f"{w}/juxta_pairs_alone"].median) / rows[f"{w}/juxta"].counters["pairs"]
               for w in worlds)


TARGETS = [
    peer_row("pairs_uniform_100k", 6, 12),
    faster_rows("classic, one bucket / juxta", "pairs_uniform_100k", "classic_one", 15, 15),
    faster_rows("classic, best buckets / juxta", "pairs_uniform_100k", "classic_buckets", 3, 3),
    peer_row("pairs_uniform_1M", 6, 12),
    ("pairs_uniform: time per box at 1M / at 10k", 2.6, 2.6, "x", False, growth),
    peer_row("pairs_clustered_100k", 6, 10),
    peer_row("pairs_mixed_100k", 4, 10),
    faster_rows("classic, best buckets / juxta", "pairs_mixed_100k", "classic_buckets", 1.5, 1.5),
    peer_row("pairs_flat_x_25k", 7, 10),
    peer_row("pairs_identical_4k", 4, 4),
    peer_row("bipartite_100k_25k", 4, 8),
    faster_rows("classic pairs, one bucket / juxta", "spawn_frame", "classic_pairs_one", 8, 15),
    faster_rows("classic pairs, best buckets / juxta", "spawn_frame", "classic_pairs_buckets", 2.5, 5),
    ("spawn_frame: pairs / pairs, then objects", 1, 1, "x", True, over("spawn_frame", "juxta_pairs",
                                                                     "juxta_pairs_objects")),
    peer_row("query_any", 2.4, 5),
    faster_rows("classic as published, best buckets / juxta", "query_any", "classic_buckets", 15, 15),
    peer_row("query_all", 2.2, 5),
    faster_rows("classic as published, best buckets / juxta", "query_all", "classic_buckets", 15, 15),
    peer_row("query_any_batch", 3.3, 5, "query_any"),
    peer_row("query_all_batch", 6, 6, "query_all"),
    faster_rows("embree / juxta", "query_all_spawn", "embree", 1, 1),
    *((f"{w}: juxta / embree", 1.2, 1, "x", False, over(w, "juxta", "embree"))
      for w in QUERIES if w.startswith("ray_closest")),
    *(faster_rows("classic, best buckets / juxta", w, "classic_buckets", 20, 20)
      for w in QUERIES if w.startswith("ray_closest")),
    ("threads_1M: one thread / two", 1.7, 1.7, "x", True, over("threads_1M", "juxta", "juxta_2threads")),
    ("threads_1M: exclusive visit / plain visit", 1.3, 1.3, "x", False,
     over("threads_1M", "juxta_exclusive", "juxta_visit")),
    faster_rows("rebuild / single moves", "moves_1pct_100k", "juxta_rebuild", 5, 20),
    ("events: what PairTracker adds to a frame, the worst of four worlds", 7, 7, " ns a pair", False, tracker_ns),
    ("every workload: best peer / juxta, where that is least", 1, 1, "x", True, lambda rows: closest_race(rows)[0]),
    ("pairs_uniform_100k: embree / classic, the reference is sound", 1.8, 1.8, "x", True,
     over("pairs_uniform_100k", "embree", "classic_buckets")),
]


def contenders(rows, workloads, order):
    return [who for who in order if any(f"{workload}/{who}" in rows for workload in workloads)]


def series(rows):
    """Contender -> [(workload, nanoseconds per box or query)] of the chart."""
    points = {}
    for workload in (*FRAMES, *QUERIES):
        for who in (*OURS, *CLASSICS, *PEERS):
            if row := rows.get(f"{workload}/{who}"):
                scale = row.counters["boxes"] if workload in FRAMES else 1
                points.setdefault(who, []).append((workload, row.median / scale))
    return points


def peers_ratio(rows, workload, ours):
    try:
        return f"{over_peers(workload, workload.removesuffix('_batch'), ours=ours)(rows):.3g}x"
    except KeyError:
        return ""


def table(rows, workloads, order, cell, note, ours):
    """Workloads down, contenders across; the last columns are the ratios of the best peer to each of `ours`."""
    names = contenders(rows, workloads, order)
    head = [note, *names, *(f"best peer / {who}" for who in ours)]
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for workload in workloads:
        cells = [cell(rows[name]) if (name := f"{workload}/{who}") in rows else "" for who in names]
        if not any(cells):
            continue
        lines.append(f"| {workload} | " + " | ".join([*cells, *(peers_ratio(rows, workload, who) for who in ours)]) +
                     " |")
    return lines


def figure(number):
    return f"{number:.3g}" if number < 1000 else f"{number:,.0f}"


def frame_cell(row):
    return f"{figure(row.median / 1e6)} ({figure(row.median / row.counters['boxes'])})"


def memory_lines(rows):
    """Bytes a box, of the contenders that know what they hold."""
    found = []
    for who in (*OURS, *CLASSICS, *PEERS):
        row = rows.get(f"pairs_uniform_1M/{who}") or rows.get(f"pairs_uniform_100k/{who}")
        if row and "bytes" in row.counters:
            found.append(f"{who} {row.counters['bytes'] / row.counters['boxes']:.0f}")
    return ["", "Memory in bytes per box, as each reports it, in its largest uniform world: " +
            ", ".join(found) + "."] if found else []


def events_lines(rows):
    with_events, without = rows.get("events_1M/juxta"), rows.get("events_1M/juxta_pairs_alone")
    if not with_events or not without:
        return []
    return ["", f"Begin and end events at 1M boxes: a frame of {duration(without.median)} becomes one of "
            f"{duration(with_events.median)}, {with_events.median / without.median:.2f} times as long."]


def spawn_lines(rows):
    lines = []
    for workload in ("spawn_frame", "spawn_orbits", "spawn_large", "small_layer"):
        ways = sorted((row.median, name) for name, row in rows.items() if name.startswith(workload + "/"))
        lines += [f"| `{name}` | {duration(time)} |" for time, name in ways]
    head = ["", "### Spawn points", "", "Finding the safe spawn points, including all builds of the frame "
            "(scenes/spawn.h); fastest first. The rows of", "`classic_objects_*` follow \"Find Objects 1\" step by "
            "step (bench/layer/spawn.cpp).", "", "| way | time |", "|---|---|"]
    return head + lines if lines else []


def step_table(rows, workloads, ways, cell):
    """Ways down, workloads across; empty where a row was not run."""
    found = [[cell(row) if (row := rows.get(f"{workload}/{way}")) else "" for workload in workloads] for way in ways]
    lines = ["| | " + " | ".join(workloads) + " |", "|---" * (len(workloads) + 1) + "|"]
    lines += [f"| {way} | " + " | ".join(cells) + " |" for way, cells in zip(ways, found) if any(cells)]
    return lines if len(lines) > 2 else []


def nodes_cell(row):
    nodes = f" ({figure(row.counters['nodes'])})" if "nodes" in row.counters else ""
    return figure(row.median) + nodes


def steps_lines(rows):
    """The articles' own steps: the sweep of one bucket, the walks of FindObjects, what is derived from it."""
    lines = []
    if table_lines := step_table(rows, SWEEPS, STAGES, lambda row: figure(row.median / 1e3)):
        lines += ["", "### The published sweep, stage by stage", "", "One bucket of boxes that are sorted already, as "
                  "in the article's own tests; microseconds", "(classics/layer/sweep_stages.h).", "", *table_lines]
    if table_lines := step_table(rows, OBJECTS, OBJECT_WAYS, nodes_cell):
        lines += ["", "### FindObjects, walk by walk", "", "Nanoseconds per query, and in brackets the nodes of the "
                  "interval tree that it reads. printed: with the error of its", "maxima; recursive, loop: the printed "
                  "walks without it; stack: not a printed form; early: ends at the first hit.", "", *table_lines]
    if table_lines := step_table(rows, REACH, ("juxta", "classic_buckets", "classic_one", "brute"),
                                 lambda row: figure(row.median)):
        lines += ["", "### Distances and casts over the classic layer", "", "Nanoseconds per query: the nearest box to a "
                  "point, and the first box that a moving box touches.", "", *table_lines]
    return lines


def closest_lines(rows):
    found = races(rows)
    if not found:
        return []
    ratio, workload, name = found[0]
    ahead = [f"`{name}` ({ratio:.2f} of the time on {workload})" for ratio, workload, name in found if ratio < 1]
    return ["", f"The closest peer: {workload}, `{name}` takes {ratio:.3g} times the time of the "
            "library's faster way.", "Rows where a peer is faster: " + (", ".join(ahead) if ahead else "none") + "."]


PEERS_TEXT = """### How each contender is used

- embree: one user geometry with all boxes, on a device of one thread. Frames use a low-quality dynamic scene that is
  committed again, and rtcCollide with a callback that tests the boxes. Queries use a medium-quality scene and
  rtcPointQuery with the ball around the box; the ball shrinks to nothing after an any-hit. Batches use rtcCollide with a
  scene of the queries. Rays use rtcIntersect1 with the slab test of `raycast.h` as callback.
- cgal: box_self_intersection_d and box_intersection_d over boxes by value, at the best cutoff of those tried.
- boost: the R-tree, packed from all boxes (rstar of 8), queried once per box; bipartite over the smaller set.
- bullet: btDbvt built top-down once; each frame sets the leaves, merges upwards and reinserts a fifth of them.
- classic: the published structure in classics/layer; buckets is the best number of y-z cells of those tried. Object
  queries use a tree that is built in one pass and searched by a loop over a stack of nodes. Both are faster than the
  printed forms, which have rows of their own (objects_*, classic_objects_*).
- juxta: frames use the fast order. Boxes that only answer queries are built once: there juxta is a layer of
  `OrderQuality::kTight`, and juxta_fast one in the order of frames. The row of builds has the cost of both.
""".rstrip().split("\n")


def early_out_lines(rows):
    early, ours = rows.get("query_any/classic_early_out"), rows.get("query_any/juxta")
    if not early or not ours:
        return []
    return ["", "FindObjects as published has no early out. With one, the classic's query_any takes "
            f"{figure(early.median)} ns, {early.median / ours.median:.2f} times juxta's; the target counts the "
            "published form."]


def difference_lines(rows):
    """Where a peer answers otherwise than brute force: rays that graze."""
    found = [f"`{name}` {row.counters['differ']:.0f}" for name, row in rows.items() if row.counters.get("differ")]
    return ["", "Checked rays for which a peer differs from brute force: " +
            (", ".join(found) if found else "none") + "."]


NAME = "layer"
TASK = "overlapping boxes, box and ray queries"
QUESTION = "Overlapping boxes: all pairs of a frame in which everything moves, and box and ray queries."
AGAINST = ("The others are Embree, CGAL, Boost and Bullet, each at its fastest setting found, and the published "
           "algorithm that this module started from (*classic*), at its best number of cells. In a frame Juxta rebuilds "
           "or refits, whichever is faster.")
NOTES = []
LABELS = {"embree": "Embree", "embree_low": "Embree (low quality)", "cgal": "CGAL", "boost": "Boost", "bullet": "Bullet",
          "classic_one": "classic (one cell)", "classic_buckets": "classic", "classic_early_out": "classic (early out)"}
WORDS = {"pairs_uniform_10k": "all pairs, 10,000 boxes", "pairs_uniform_100k": "all pairs, 100,000 boxes",
         "pairs_uniform_1M": "all pairs, 1,000,000 boxes", "pairs_clustered_100k": "all pairs, 100,000 in clusters",
         "pairs_mixed_100k": "all pairs, 100,000 of mixed sizes", "pairs_flat_x_25k": "all pairs, 25,000 in a flat world",
         "pairs_identical_4k": "all pairs, 4,000 identical boxes", "bipartite_100k_25k": "pairs of 100,000 with 25,000",
         "query_any": "does anything touch a box", "query_all": "all that touches a box",
         "query_any_batch": "the same, in a batch: any", "query_all_batch": "the same, in a batch: all",
         "query_all_spawn": "ships ask for spawn points they touch", "query_all_things": "spawn points ask for all things",
         "ray_closest_10k": "first hit of a ray, 10,000 boxes", "ray_closest_100k": "first hit of a ray, 100,000",
         "ray_closest_1M": "first hit of a ray, 1,000,000", "ray_closest_clustered": "first hit of a ray, clusters",
         "build_100k": "build, 100,000 boxes"}


def rivals(workload):
    """{name of another: its row}; a batch may also be asked one by one."""
    return {LABELS[who]: f"{same}/{who}" for same in (workload.removesuffix("_batch"), workload) for who in LABELS}


def matches_wanted():
    """(what, rows of the library, {other: row})."""
    return [(WORDS[workload], tuple(f"{workload}/{who}" for who in OURS), rivals(workload))
            for workload in (*FRAMES, *QUERIES, *BUILDS)]


def duels(rows):
    """(workload, the library's time, name of another, its time)."""
    for workload in (*FRAMES, *QUERIES, *BUILDS):
        for way, ours in (("", OURS), (", in the default order", ("juxta_fast",)), (" with kTight", ("juxta_tight",))):
            mine = [rows[name].median for who in ours if (name := f"{workload}/{who}") in rows]
            for who, name in rivals(workload).items():
                if mine and name in rows:
                    yield WORDS[workload] + way, min(mine), who, rows[name].median


def facts(rows):
    found = [line[0].lower() + line[1:].rstrip(".") for line in (*memory_lines(rows)[1:], *events_lines(rows)[1:])]
    if (one := rows.get("threads_1M/juxta")) and (two := rows.get("threads_1M/juxta_2threads")):
        found.append(f"all pairs of 1M boxes on two threads: {times(one.median / two.median)} as fast as on one")
    if (moves := rows.get("moves_1pct_100k/juxta")) and (build := rows.get("moves_1pct_100k/juxta_rebuild")):
        found.append(f"1 % of 100,000 boxes move: {duration(moves.median)} by single moves, {duration(build.median)} by "
                     "a rebuild")
    return found


def details(rows, images):
    everyone = (*OURS, *CLASSICS, "classic_dual_axis", *PEERS)
    lines = ["## layer", "", "A peer is Embree, CGAL, Boost or Bullet at its fastest setting found (bench/layer)."]
    lines += [f"\n![{caption}](img/{name})" for name, caption in images]
    lines += closest_lines(rows)
    if any(f"{workload}/juxta" in rows for workload in FRAMES):
        lines += ["", "### Frames", "", "All boxes move in each frame: rebuild (juxta_refit: refit), then write all pairs. "
                  "Milliseconds per frame,", "and nanoseconds per box in brackets.", "",
                  *table(rows, FRAMES, everyone, frame_cell, "ms (ns)", OURS), *memory_lines(rows), *events_lines(rows)]
    if any(f"{workload}/juxta" in rows for workload in QUERIES):
        lines += ["", "### Queries", "", "Nanoseconds per query. Batches answer all queries in one call.", "",
                  *table(rows, QUERIES, ("juxta", "juxta_fast", "juxta_batch", "juxta_batch_fast", *CLASSICS,
                                         "classic_early_out", *PEERS),
                         lambda row: figure(row.median), "ns", ("juxta", "juxta_fast")),
                  *early_out_lines(rows), *difference_lines(rows)]
    if any(f"{workload}/juxta" in rows for workload in BUILDS):
        lines += ["", "### Builds", "", "In the memory of the last build. juxta_tight and embree are what the query "
                  "rows ask, juxta and", "embree_low what frames build. Milliseconds, and nanoseconds per box in "
                  "brackets.", "",
                  *table(rows, BUILDS, ("juxta", "juxta_tight", *PEERS), frame_cell, "ms (ns)",
                         ("juxta", "juxta_tight"))]
    return [*lines, *spawn_lines(rows), *steps_lines(rows), "", *PEERS_TEXT]


def checks(rows):
    """Reasons not to believe the run: a yardstick that is suspiciously slow."""
    found = []
    classic, embree = (rows.get(f"pairs_uniform_100k/{who}") for who in ("classic_buckets", "embree"))
    if classic and embree and classic.counters["boxes"] >= 1e5 and embree.median < 1.8 * classic.median:
        found.append(f"the classic is only {embree.median / classic.median:.2f}x faster than Embree on "
                     "pairs_uniform_100k, not 1.8x: the machine is too busy, or the yardstick is broken")
    return found
