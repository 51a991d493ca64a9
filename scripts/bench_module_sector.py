# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What is compared in module sector, and its part of the pages that scripts/bench writes."""
from bench_report import duration, faster

PROGRAM = "bench_sector"
TIME_AXIS = "nanoseconds per tick"
BATTLES = ("battle", "mission5")
STAGES = ("spawn", "steer", "hit", "propagate")
WHO = ("juxta", "classics", "juxta_2threads")
TWO = "juxta_2threads"


def ticks_per_second(row):
    return 1e9 / row.median


def tick_bars(battle, ticks):
    return [
        (f"{battle}: ticks per second on two threads", ticks, ticks, "", True,
         lambda rows: ticks_per_second(rows[f"{battle}/{TWO}"])),
        (f"{battle}: one thread / two", 1.6, 1.6, "x", True,
         lambda rows: faster(rows, f"{battle}/juxta", f"{battle}/{TWO}")),
    ]


def of_stages(rows, who):
    """Nanoseconds of all stages of a tick together."""
    return sum(rows[f"stages/{stage}/{who}"].median for stage in STAGES)


TARGETS = [
    *tick_bars("battle", 60),
    ("battle: p99 of ticks / median, two threads", 1.5, 1.5, "x", False,
     lambda rows: rows[f"battle/{TWO}"].counters["p99_ns"] / rows[f"battle/{TWO}"].counters["p50_ns"]),
    *tick_bars("mission5", 10),
    ("mission5: memory", 1.5, 1.5, " GiB", False,
     lambda rows: max(rows[f"mission5/{who}"].counters["bytes"] for who in ("juxta", TWO)) / 2**30),
    ("stages: classics / juxta, in sum", 2.5, 5, "x", True,
     lambda rows: of_stages(rows, "classics") / of_stages(rows, "juxta")),
    ("radar_build: 100,000 points on two threads", 8, 8, " ms", False,
     lambda rows: rows[f"radar_build/{TWO}"].median / 1e6),
]


def stage_ratio(rows, stage):
    return faster(rows, f"stages/{stage}/classics", f"stages/{stage}/juxta")


def series(rows):
    """Contender -> [(workload, nanoseconds per tick)] of the chart."""
    points = {}
    for who in WHO:
        for workload in (*BATTLES, *(f"stages/{stage}" for stage in STAGES)):
            if row := rows.get(f"{workload}/{who}"):
                points.setdefault(who, []).append((workload, row.median))
    return points


def battle_lines(rows):
    lines = []
    for battle in BATTLES:
        for who in ("juxta", TWO):
            if row := rows.get(f"{battle}/{who}"):
                p50, p99, most = (duration(row.counters[key]) for key in ("p50_ns", "p99_ns", "max_ns"))
                lines.append(f"| `{battle}/{who}` | {row.counters['nodes']:,.0f} | {ticks_per_second(row):.1f} | "
                             f"{duration(row.median)} | {p50} | {p99} | {most} | "
                             f"{row.counters['bytes'] / 2**20:,.0f} |")
    head = ["", "### Whole ticks", "", "Wall clock. Each repetition plays the same ticks; percentiles are of the median "
            "time of each tick.", "Memory is the peak of the process, including the start of the world.",
            "", "| row | nodes | ticks per second | mean tick | p50 | p99 | longest | MiB |", "|---" * 8 + "|"]
    return head + lines if lines else []


def stage_lines(rows):
    lines = []
    for stage in STAGES:
        ours, theirs, two = (rows.get(f"stages/{stage}/{who}") for who in ("juxta", "classics", TWO))
        if ours and theirs:
            lines.append(f"| {stage} | {duration(ours.median)} | {duration(theirs.median)} | "
                         f"{theirs.median / ours.median:.2f}x | {duration(two.median) if two else ''} |")
    if len(lines) == len(STAGES):
        ours, theirs = of_stages(rows, "juxta"), of_stages(rows, "classics")
        two = duration(of_stages(rows, TWO)) if all(f"stages/{stage}/{TWO}" in rows for stage in STAGES) else ""
        lines.append(f"| in sum | {duration(ours)} | {duration(theirs)} | {theirs / ours:.2f}x | {two} |")
    head = ["", "### The same stages with the classics", "",
            "Per tick, with the inputs of 100 ticks of mission5. One thread, except for the last column.", "",
            "| stage | juxta | classics | classics / juxta | juxta, two threads |", "|---" * 5 + "|"]
    return head + lines if lines else []


NAME = "sector"
TASK = "all modules in one world"
QUESTION = "All modules in one world: a tick of a space battle with 25,000 spawn points and a million nodes (`mission5`)."
AGAINST = "The others are the same stages made of the published algorithms (*classics*)."
NOTES = []


def matches_wanted():
    """(what, rows of the library, {other: row})."""
    return [(f"stage {stage}", (f"stages/{stage}/juxta",), {"classics": f"stages/{stage}/classics"}) for stage in STAGES]


def duels(rows):
    """(workload, the library's time, name of another, its time)."""
    for stage in STAGES:
        ours, theirs = rows.get(f"stages/{stage}/juxta"), rows.get(f"stages/{stage}/classics")
        if ours and theirs:
            yield f"stage {stage}", ours.median, "classics", theirs.median


def facts(rows):
    found = []
    for battle in BATTLES:
        one, two = rows.get(f"{battle}/juxta"), rows.get(f"{battle}/{TWO}")
        if one and two:
            found.append(f"`{battle}`, {one.counters['nodes']:,.0f} nodes: {ticks_per_second(one):.3g} ticks per second on "
                         f"one thread, {ticks_per_second(two):.3g} on two, {two.counters['bytes'] / 2**20:,.0f} MiB")
    return found


USE_TEXT = """### How each contender is used

- Both get the same arrays and must give the same answers: safe points and pairs exactly, sums of floats and places
  within rounding. Settings of a classic are tried on a tick in the middle of the recording, and the fastest is used.
- spawn: which spawn points touch neither each other nor anything else. juxta: layers are rebuilt, then pairs, then batches of
  object queries. classics: layers of buckets (classics/layer): pairs, then objects with an early out, or pairs of the
  remaining points.
- steer: ships are sorted in space, and fifteen sums are taken over the neighbours of each. juxta: sort() and see() with
  the battle's rules. classics: a cell list in 3D that is rebuilt each tick, four neighbours
  at a time with SSE, all cells of a row at once (bench/sector/classic_steer.cpp).
- hit: layers of ships and bullets, and all pairs of boxes among bullets, ships and asteroids. The exact tests that
  follow have no classic, and are left out.
- propagate: the roots of ships and spawn points and the turrets that turned are placed, and all is propagated. classics:
  the faster of depth-first and depth levels (classics/transform).
""".rstrip().split("\n")


def details(rows, images):
    lines = ["## sector"]
    lines += [f"\n![{caption}](img/{name})" for name, caption in images]
    return [*lines, *battle_lines(rows), *stage_lines(rows), "", *USE_TEXT]


def checks(_rows):
    return []
