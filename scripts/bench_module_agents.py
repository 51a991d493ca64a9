# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What is compared in module agents, and its part of the pages that scripts/bench writes."""
import math

import bench_agents_tay as tay_tables
from bench_report import duration, faster, times, worst

PROGRAM = "bench_agents"
TIME_AXIS = "nanoseconds per agent and step"
CALIBRATION = 110  # naive to sse at 20k, at least ...
KNOWN_NS = 140.0   # ... unless sse takes no longer than this for a boid

FLOCKS = ("flock_20k", "flock_20k_flocked", "flock_100k", "flock_1M")
VISITS = ("visit_2d_100k", "visit_2d_1M", "visit_3d_100k", "visit_3d_1M")
TAY = ("tay_points_r50", "tay_points_r100", "tay_points_r200", "tay_points_100k_r50", "tay_boxes", "clumped")
NEIGHBOURS = (1, 4, 8, 16, 32, 100)
DENSITY = tuple(f"density_{d}_{edge}" for d in ("2d", "3d") for edge in ("walls", "periodic"))
CROWDED = [f"crowded_{d}_{edge}_{k}" for d in ("2d", "3d") for edge in ("walls", "periodic") for k in (4, 16, 32)]
LISTS = [f"lists_{d}_{edge}_30_1M{seed}" for d in ("2d", "3d") for edge in ("walls", "periodic") for seed in ("", "_seed2")]
LISTS_WHO = ("juxta", "plain_grid", "plain_grid_branchless", "nanoflann")
THREADS = ("threads_flock_1M", "threads_clumped", "threads_visits", "threads_heavy")
GROWTH = ("growth_10k", "growth_100k", "growth_1M", "growth_10M")
BOIDS_WHO = ("juxta", "juxta_generic", "rows16", "sse", "cells", "grid", "naive")
STAGES_WHO = ("grid", "scalar_ordered", "sse", "sse_published", "sse_published_gather", "sse_published_morton",
              "sse_published_hilbert")
FRAME_WHO = ("juxta", "juxta_generic", "rows16", "sse", "sse_published", "scalar_ordered", "cells", "grid", "naive")
FRAME_MS = 1e3 / 60
VISITS_WHO = ("juxta", "cells", "nanoflann", "nanoflann_tuned")
TAY_CLASSICS = ("tay_grid", "tay_kd", "tay_z", "tay_boxes")  # *_pointers are what they replaced
TAY_WHO = ("juxta", *TAY_CLASSICS, "tay_tuned", "tay_simple")


def over(workload, slow, fast="juxta"):
    return lambda rows: faster(rows, f"{workload}/{slow}", f"{workload}/{fast}")


def best_tay(rows, workload):
    """The fastest of Tay's structures on a workload; KeyError: none was run."""
    found = [rows[name].median for who in TAY_CLASSICS if (name := f"{workload}/{who}") in rows]
    if not found:
        raise KeyError(workload)
    return min(found)


def sse_row(workload, limit, goal):
    return (f"{workload}: sse / juxta", limit, goal, "x", True, over(workload, "sse"))


def rows_row(workload):
    """Against the best plain program: no worse, and a goal of what layout alone should bring."""
    return (f"{workload}: rows16 / juxta", 1, 2, "x", True, over(workload, "rows16"))


def visit_row(workload, who, limit, goal):
    return (f"{workload}: {who} / juxta", limit, goal, "x", True, over(workload, who))


def tay_row(workload, limit, goal):
    return (f"{workload}: best of Tay / juxta", limit, goal, "x", True,
            lambda rows: best_tay(rows, workload) / rows[f"{workload}/juxta"].median)


def against(others, worlds):
    return worst([(f"{world}/{other}", f"{world}/juxta") for world in worlds for other in others])


def density_row(suffix, least, limit, goal):
    """The worst of all worlds with so many neighbours or more."""
    worlds = [f"{world}_{k}{suffix}" for world in DENSITY for k in NEIGHBOURS if k >= least]
    agents = "a million agents" if suffix else "100,000 agents"
    return (f"density, {agents}, {least} neighbours or more: plain_grid / juxta, the worst", limit, goal, "x", True,
            against(("plain_grid",), worlds))


def threads_row(workload, limit, who="juxta"):
    return (f"{workload}: one thread / two, {who}", limit, limit, "x", True,
            over(workload, who, f"{who}_2threads"))


def per_agent(rows, name):
    return rows[name].median / rows[name].counters.get("agents", 1)


def growth(who):
    """The most expensive agent of all sizes to one of ten thousand; a run without the largest says nothing."""
    def measure(rows):
        costs = [per_agent(rows, f"{workload}/{who}") for workload in GROWTH]
        return max(costs) / costs[0] if costs[0] < math.inf else math.inf
    return measure


TARGETS = [
    sse_row("flock_20k", 6.5, 14),
    sse_row("flock_1M", 8.5, 22),
    sse_row("flock_20k_flocked", 4.5, 4.5),
    *(rows_row(workload) for workload in ("flock_20k", "flock_20k_flocked", "flock_1M")),
    ("flock_1M on two threads: steps per second", 60, 120, "", True,
     lambda rows: 1e9 / rows["threads_flock_1M/juxta_2threads"].median),
    threads_row("threads_flock_1M", 1.7),
    ("flock_20k: juxta / juxta_generic", 0.6, 0.85, "x", True, over("flock_20k", "juxta", "juxta_generic")),
    *(visit_row(f"visit_{d}_1M", who, limit, goal)
      for d in ("3d", "2d") for who, limit, goal in (("cells", 6, 10), ("nanoflann", 80, 80))),
    *(density_row(suffix, least, limit, goal)
      for suffix, least, limit, goal in (("", 1, 2, 3), ("", 8, 3.5, 5), ("_1M", 1, 1.7, 3), ("_1M", 8, 3, 5))),
    ("crowded: plain_grid / juxta, the worst", 2, 2.5, "x", True, against(("plain_grid",), CROWDED)),
    ("lists of 1M points in space, 30 neighbours: best peer / juxta, the worst", 4, 8, "x", True,
     against(LISTS_WHO[1:], [world for world in LISTS if "3d" in world])),
    ("lists of 1M points in a plane, 30 neighbours: best peer / juxta, the worst", 4, 8, "x", True,
     against(LISTS_WHO[1:], [world for world in LISTS if "2d" in world])),
    *(tay_row(workload, 30, 60) for workload in ("tay_points_r50", "tay_points_r100", "tay_points_r200",
                                                 "tay_points_100k_r50")),
    tay_row("tay_boxes", 25, 60),
    threads_row("threads_clumped", 1.6),
    tay_row("clumped", 15, 15),
    threads_row("threads_heavy", 1.9),
    ("growth: most expensive agent of 10k to 10M / agent of 10k", 2, 1.5, "x", False, growth("juxta")),
    ("flock_20k: naive / sse, the reference is sound", CALIBRATION, CALIBRATION, "x", True,
     over("flock_20k", "naive", "sse")),
]


def series(rows):
    """Contender -> [(workload, nanoseconds per agent)] of the chart."""
    points = {}
    for who in dict.fromkeys((*BOIDS_WHO, *VISITS_WHO, *TAY_WHO)):
        for workload in (*FLOCKS, *VISITS, *TAY):
            if (row := rows.get(f"{workload}/{who}")) and row.median < math.inf:
                points.setdefault(who, []).append((workload, row.median / row.counters["agents"]))
    return points


def growth_curves(rows):
    """Contender -> [(agents, nanoseconds per agent)] of the growth chart."""
    curves = {}
    for who in ("juxta", "juxta_generic"):
        for workload in GROWTH:
            if (row := rows.get(f"{workload}/{who}")) and row.median < math.inf:
                curves.setdefault(who, []).append((row.counters["agents"], row.median / row.counters["agents"]))
    return curves


def pictures(rows, svg):
    """(file, caption, drawing) of pictures beside those that every module has."""
    drawn = tay_tables.pictures(rows, svg)
    if found := growth_curves(rows):
        drawn.append(("bench_agents_growth.svg", "What an agent costs in crowds of any size",
                      svg.curves("What an agent costs in crowds of any size, at one density", "agents",
                                 "nanoseconds per step", list(found.items()))))
    return drawn


def cell(row):
    """Time of a step, and of an agent in brackets."""
    if row is None:
        return ""
    if row.median == math.inf:
        return "not built"
    return f"{duration(row.median)} ({row.median / row.counters['agents']:.3g})"


def ratio(rows, workload, slow, fast="juxta"):
    try:
        return f"{over(workload, slow, fast)(rows):.3g}x"
    except (KeyError, ZeroDivisionError):
        return ""


def table(rows, workloads, order, ratios):
    """Workloads down, contenders across. ratios: (head, how to measure it for a workload)."""
    names = [who for who in order if any(f"{workload}/{who}" in rows for workload in workloads)]
    head = ["workload", *names, *(text for text, _ in ratios)]
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for workload in workloads:
        cells = [cell(rows.get(f"{workload}/{who}")) for who in names]
        if any(cells):
            lines.append(f"| {workload} | " + " | ".join([*cells, *(measure(workload) for _, measure in ratios)]) + " |")
    return lines if len(lines) > 2 else []


def section_of(title, text, lines):
    return ["", f"### {title}", "", *text, "", *lines] if lines else []


def tay_ratio(rows, workload):
    try:
        return f"{best_tay(rows, workload) / rows[f'{workload}/juxta'].median:.3g}x"
    except (KeyError, ZeroDivisionError):
        return ""


def frame_lines(rows):
    """Boids of the published world that fit into a frame of 60 Hz, the most first."""
    found = [(row.counters["agents"], who, row.median) for who in FRAME_WHO
             if (row := rows.get(f"flock_frame/{who}")) and row.median < math.inf]
    lines = [f"| {who} | {agents:,.0f} | {duration(took)} |" for agents, who, took in sorted(found, reverse=True)]
    return ["| contender | boids in a frame | their step |", "|---" * 3 + "|", *lines] if lines else []


def threads_lines(rows):
    lines = []
    for workload in THREADS:
        for who in ("juxta", "juxta_generic"):
            one, two = rows.get(f"{workload}/{who}"), rows.get(f"{workload}/{who}_2threads")
            if one and two and one.median < math.inf:
                lines.append(f"| {workload}, {who} | {duration(one.median)} | {duration(two.median)} | "
                             f"{one.median / two.median:.2f} | {1e9 / two.median:.3g} |")
    head = ["| workload | the calling thread | a oneTBB arena of two threads | one / two | steps per second |", "|---" * 5 + "|"]
    return head + lines if lines else []


def ahead_lines(rows):
    """Where something else takes less time than the library."""
    ahead = []
    for workload in (*FLOCKS, *VISITS, *TAY):
        ours = rows.get(f"{workload}/juxta")
        for who in dict.fromkeys((*BOIDS_WHO[2:], *VISITS_WHO[1:], *TAY_WHO[1:])):
            if ours and (row := rows.get(f"{workload}/{who}")) and row.median < ours.median:
                ahead.append(f"`{workload}/{who}` ({row.median / ours.median:.2f} of juxta's time)")
    return ["", "Rows where a classic or a peer is faster: " + (", ".join(ahead) or "none") + "."]


NAME = "agents"
TASK = "a step of agents that react to neighbours"
QUESTION = "Agents that react to their neighbours: one step of sorting, neighbour search and reaction, on one thread."
AGAINST = ("The others are the published boids with SSE (*sse*), our best plain program in 16-wide registers (*rows16*), "
           "cell lists in plain C++ (*cells*; *cell grid*, at the best of five cell sizes, of which one form for lists has no "
           "branches), nanoflann (also *tuned*), and Tay's structures at their published width and at the best of five (*tuned*).")
NOTES = []


def label(who):
    tay = {"tay_tuned": "Tay (tuned)", "tay_simple": "all pairs", **{name: f"Tay ({name[4:]})" for name in TAY_CLASSICS}}
    grids = {"plain_grid": "cell grid", "plain_grid_branchless": "cell grid (no branches)"}
    return {**tay, **grids}.get(who, who.replace("_tuned", " (tuned)"))


def matches_wanted():
    """(what, rows of the library, {other: row})."""
    flocks = (("boids, 20,000", "flock_20k"), ("boids, 20,000 in flocks", "flock_20k_flocked"), ("boids, 100,000", "flock_100k"),
              ("boids, 1,000,000", "flock_1M"))
    visits = (("30 neighbours, 2D, 100,000", "visit_2d_100k"), ("30 neighbours, 2D, 1,000,000", "visit_2d_1M"),
              ("30 neighbours, 3D, 100,000", "visit_3d_100k"), ("30 neighbours, 3D, 1,000,000", "visit_3d_1M"))
    tests = (("Tay's test, points, radius 50", "tay_points_r50"), ("Tay's test, points, radius 100", "tay_points_r100"),
             ("Tay's test, points, radius 200", "tay_points_r200"), ("Tay's test, 100,000 points", "tay_points_100k_r50"),
             ("Tay's test, boxes", "tay_boxes"), ("points in a dense clump", "clumped"))
    grids = tuple((f"{k} neighbour{'s' * (k > 1)}, {d}, 100,000, a sum", f"density_{d.lower()}_walls_{k}")
                  for d in ("2D", "3D") for k in (1, 8, 100))
    lists = (("lists of 30 neighbours, 2D, 1,000,000", "lists_2d_walls_30_1M"),
             ("lists of 30 neighbours, 3D, 1,000,000", "lists_3d_walls_30_1M"))
    of = lambda workload, who: {label(name): f"{workload}/{name}" for name in who}
    return [
        *((f"{what}, `Flock`", (f"{workload}/juxta",), of(workload, BOIDS_WHO[2:])) for what, workload in flocks),
        *((f"{what}, rules of your own", (f"{workload}/juxta_generic",), of(workload, BOIDS_WHO[2:]))
          for what, workload in flocks),
        *((what, (f"{workload}/juxta",), of(workload, VISITS_WHO[1:])) for what, workload in visits),
        *((what, (f"{workload}/juxta",), of(workload, TAY_WHO[1:])) for what, workload in tests),
        *((what, (f"{workload}/juxta",), {"cell grid": f"{workload}/plain_grid"}) for what, workload in grids),
        *((what, (f"{workload}/juxta",), of(workload, LISTS_WHO[1:])) for what, workload in lists),
    ]


def duels(rows):
    """(workload, the library's time, name of another, its time)."""
    for workload in (*FLOCKS, *VISITS, *TAY):
        for ours, way in (("juxta", ""), ("juxta_generic", ", rules of your own")):
            for who in dict.fromkeys((*BOIDS_WHO[2:], *VISITS_WHO[1:], *TAY_WHO[1:])):
                if (mine := rows.get(f"{workload}/{ours}")) and (row := rows.get(f"{workload}/{who}")):
                    yield f"`{workload}`{way}", mine.median, label(who), row.median
    density = [f"{world}_{k}{suffix}" for world in DENSITY for k in NEIGHBOURS for suffix in ("", "_1M")]
    for workload in (*density, *CROWDED, *LISTS):
        for who in LISTS_WHO[1:]:
            if (mine := rows.get(f"{workload}/juxta")) and (row := rows.get(f"{workload}/{who}")):
                yield f"`{workload}`", mine.median, label(who), row.median


def facts(rows):
    found = []
    if row := rows.get("flock_frame/juxta"):
        found.append(f"boids in a frame of 60 Hz on one thread: {row.counters['agents']:,.0f}" +
                     (f" with `Flock`, {other.counters['agents']:,.0f} with rules of your own"
                      if (other := rows.get("flock_frame/juxta_generic")) else ""))
    small, large = rows.get("growth_10k/juxta"), rows.get("growth_10M/juxta")
    if small and large and large.median < math.inf:
        found.append(f"cost per agent and step: {per_agent(rows, 'growth_10k/juxta'):.3g} ns with 10,000 agents, "
                     f"{per_agent(rows, 'growth_10M/juxta'):.3g} ns with 10 million")
    if (one := rows.get("threads_flock_1M/juxta")) and (two := rows.get("threads_flock_1M/juxta_2threads")):
        found.append(f"a million boids on two threads: {times(one.median / two.median)} as fast as on one, "
                     f"{1e9 / two.median:.3g} steps per second")
    return found


USE_TEXT = """### How each contender is used

- All agents start in the same state (scenes/flocks.h, scenes/agents.h). One or two steps are not timed, the next ones
  are, so all contenders see the same crowds. The time includes sorting, building and moving. Before that, two steps of
  each contender were compared with all pairs.
- juxta on flock_*: `juxta::Flock`. Everywhere else, and as juxta_generic: a population with its own rules, in
  bench/agents/consumer, a separate project that is built against the installed package; sort(), see(), act() and
  end_step() in each step. Both write the number of neighbours, and the sums.
- naive, grid: the first stages of the published boids, with the true radius (classics/agents/boids.h).
- sse_published: the published SSE kernel (classics/agents/boids_published.h). Four boids of a block of indices are
  tested together against one neighbour after the other. They are loaded where their indices are consecutive, and gathered
  elsewhere. sse_published_gather never loads, which is what the printed test does. sse_published_morton and
  sse_published_hilbert go over the cells along a curve, and so write their boids in that order.
- sse: ours, in the article's last layout: a counting sort by cells, then one boid against four neighbours, which are
  always loaded. Targets use it because it is the faster one. scalar_ordered is sse without SIMD, and is not
  in the article: grid / scalar_ordered is the gain from memory order, scalar_ordered / sse the gain from four lanes.
- rows16: sse in registers of 16 floats (8 where there is no AVX-512), with whole rows of cells as runs, and rules that
  the compiler vectorises. Agents are in the order of cells, one number each, no Ids: no births, deaths or references.
  sse / rows16 is the gain from width and careful code; rows16 / juxta is the gain from another layout.
- cells: a counting-sort cell list in plain C++ (classics/agents/cell_list.h).
- plain_grid: another in 25 lines, at the best of five cell sizes (bench/agents/plain_grid.cpp; list_grid.cpp for lists,
  where plain_grid_branchless writes every candidate and moves on where it is near).
- nanoflann: a tree built each step, as in its examples: agent after agent, radiusSearch() into an unsorted
  list. nanoflann_tuned: in the order of the tree's leaves, and without lists.
- tay_*: Tay's structures, which copy agents in their order in each step, and tay_*_pointers, the earlier forms in which
  agents stay in place (classics/agents/tay.h), with partitions of two radii as published. tay_tuned is the fastest of
  the first and four widths, chosen for each workload; targets use the published width. tay_simple: all pairs.
""".rstrip().split("\n")


def grid_tables(rows):
    """The library against cell grids in plain C++: at every density, in crowds, and where lists are written."""
    head = ["| world | " + " | ".join(f"{k}" for k in NEIGHBOURS) + " |", "|---" * (len(NEIGHBOURS) + 1) + "|"]
    lines = []
    for world in DENSITY:
        for suffix, agents in (("", "100,000"), ("_1M", "1,000,000")):
            cells = [ratio(rows, f"{world}_{k}{suffix}", "plain_grid") for k in NEIGHBOURS]
            if any(cells):
                lines.append(f"| {world.removeprefix('density_').replace('_', ', ')}, {agents} | {' | '.join(cells)} |")
    found = section_of("Any density", ["Each agent adds up the velocities of its neighbours; agents are sorted in each step. "
                                       "plain_grid / juxta,", "by the mean number of neighbours."], lines and head + lines)
    compare = lambda who: (f"{who} / juxta", lambda w: ratio(rows, w, who))
    found += section_of("Crowds", ["Nine of ten agents in a hundredth of the space. Time of a step, and nanoseconds per agent."],
                        table(rows, CROWDED, ("juxta", "plain_grid"), [compare("plain_grid")]))
    return found + section_of("Lists", ["Offsets and rows of all neighbours, written out. Time, and nanoseconds per point."],
                              table(rows, LISTS, LISTS_WHO, [compare(who) for who in LISTS_WHO[1:]]))


def details(rows, images):
    lines = ["## agents"]
    lines += [f"\n![{caption}](img/{name})" for name, caption in images]
    note = "Time of a step on one thread, and nanoseconds per agent in brackets."
    lines += section_of("Flocks", ["The published boids. " + note], table(
        rows, FLOCKS, BOIDS_WHO, [("sse / juxta", lambda w: ratio(rows, w, "sse")),
                                  ("rows16 / juxta", lambda w: ratio(rows, w, "rows16")),
                                  ("sse / rows16", lambda w: ratio(rows, w, "sse", "rows16")),
                                  ("rows16 / juxta_generic", lambda w: ratio(rows, w, "rows16", "juxta_generic")),
                                  ("juxta / juxta_generic", lambda w: ratio(rows, w, "juxta", "juxta_generic"))]))
    lines += section_of("Flocks: the gain from memory order, and from SIMD", [
        "The stages of the article, one thing changed at a time. " + note], table(
            rows, FLOCKS, STAGES_WHO,
            [("grid / scalar_ordered", lambda w: ratio(rows, w, "grid", "scalar_ordered")),
             ("scalar_ordered / sse", lambda w: ratio(rows, w, "scalar_ordered", "sse")),
             ("sse_published / sse", lambda w: ratio(rows, w, "sse_published", "sse")),
             ("gather / published", lambda w: ratio(rows, w, "sse_published_gather", "sse_published")),
             ("published / morton", lambda w: ratio(rows, w, "sse_published", "sse_published_morton")),
             ("published / hilbert", lambda w: ratio(rows, w, "sse_published", "sse_published_hilbert"))]))
    lines += section_of("Flocks: boids in a frame of 60 Hz", [
        "The article's own measure: how many boids of the published world (64 x 64 cells, for any number of boids) can be",
        f"stepped in {FRAME_MS:.1f} ms on one thread, from the published start. Drawing is not counted."],
                        frame_lines(rows))
    lines += section_of("Visits", ["The sum of (1 - d / r)^2 over about 30 neighbours. " + note], table(
        rows, VISITS, VISITS_WHO, [(f"{who} / juxta", lambda w, who=who: ratio(rows, w, who))
                                   for who in VISITS_WHO[1:]]))
    lines += section_of("Tay's own test", [
        "Points, cubes, and (clumped) a fifth of all points in a ten-thousandth of the space. " + note], table(
            rows, TAY, TAY_WHO, [("best of Tay / juxta", lambda w: tay_ratio(rows, w)),
                                 ("tay_tuned / juxta", lambda w: ratio(rows, w, "tay_tuned"))]))
    lines += tay_tables.section(rows, TAY)
    lines += section_of("Two threads", ["Wall clock. threads_heavy is threads_visits with an interaction of ten times "
                                        "the work."], threads_lines(rows))
    lines += grid_tables(rows)
    lines += section_of("Growth", ["One density, any size. " + note],
                        table(rows, GROWTH, ("juxta", "juxta_generic"), []))
    return [*lines, *ahead_lines(rows), "", *USE_TEXT]


def checks(rows):
    """Reasons not to believe the run: a yardstick that is suspiciously slow."""
    naive, sse = (rows.get(f"flock_20k/{who}") for who in ("naive", "sse"))
    # Where a machine does all pairs fast the ratio says little: there sse is held to the time it was known for.
    if naive and sse and sse.counters["agents"] >= 2e4 and naive.median < CALIBRATION * sse.median \
            and sse.median > KNOWN_NS * sse.counters["agents"]:
        return [f"sse is only {naive.median / sse.median:.0f}x faster than naive on flock_20k, not {CALIBRATION}x, and "
                f"takes more than {KNOWN_NS:g} ns per boid: the machine is too busy, or the yardstick is broken"]
    return []
