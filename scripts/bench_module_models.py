# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What is compared in module models, and its part of the pages that scripts/bench writes."""
from bench_report import duration, faster

PROGRAM = "bench_models"
TIME_AXIS = "nanoseconds per row"

WORKLOADS = ("flocking_S", "flocking_L", "flocking_300", "flocking_20k", "flocking_100k",
             "schelling_S", "schelling_L", "wolf_sheep_S", "wolf_sheep_L", "lj_32k",
             "sph_100k", "sph_3d_100k")
WHO = ("juxta", "grid", "counts", "scalar", "lammps")
# The plain C++ that targets use, where there is a faster one than `scalar`, and what it is called.
BEST_PLAIN = {**{f"flocking_{size}": ("grid", "plain grid") for size in ("S", "L", "300", "20k", "100k")},
              "schelling_S": ("counts", "count tables"), "schelling_L": ("counts", "count tables")}


def best_plain(workload):
    return BEST_PLAIN.get(workload, ("scalar", "scalar"))


def plain_target(workload, limit, goal):
    who, words = best_plain(workload)
    return (f"{workload}: {words} / juxta", limit, goal, "x", True,
            lambda rows: faster(rows, f"{workload}/{who}", f"{workload}/juxta"))


TARGETS = [
    plain_target("flocking_S", 1, 2),
    plain_target("flocking_L", 1, 2),
    plain_target("flocking_300", 1.3, 2),
    plain_target("flocking_20k", 3, 5),
    plain_target("flocking_100k", 3, 5),
    plain_target("schelling_L", 1, 2),
    plain_target("wolf_sheep_L", 1, 2),
    plain_target("lj_32k", 2, 2),
    plain_target("sph_100k", 8, 8),
]


def series(rows):
    """Contender -> [(workload, nanoseconds)] of the chart."""
    points = {}
    for who in WHO:
        for workload in WORKLOADS:
            if row := rows.get(f"{workload}/{who}"):
                points.setdefault(who, []).append((workload, row.median))
    return points


def rate(row):
    """Millions of steps of one atom or particle in a second, where a row counts them."""
    return next((f"{row.counters[key] / 1e6:.3g}" for key in ("atom_steps", "particle_steps") if key in row.counters), "")


def ratio(row, juxta):
    return f"{row.median / juxta.median:.3g}x" if row else ""


def table(rows):
    lines = ["| workload | juxta | grid or counts | scalar | lammps | grid or counts / juxta | scalar / juxta | lammps / juxta |",
             "|---" * 8 + "|"]
    for workload in WORKLOADS:
        of = {who: rows.get(f"{workload}/{who}") for who in WHO}
        if of["juxta"] and of["scalar"]:
            others = (of["grid"] or of["counts"], of["scalar"], of["lammps"])
            times = [duration(row.median) if row else "" for row in (of["juxta"], *others)]
            lines.append(f"| {workload} | " + " | ".join(times + [ratio(row, of["juxta"]) for row in others]) + " |")
    return lines if len(lines) > 2 else []


def rate_table(rows):
    lines = ["| workload | juxta | scalar | lammps |", "|---|---|---|---|"]
    for workload in WORKLOADS:
        rates = [rate(row) if (row := rows.get(f"{workload}/{who}")) else "" for who in ("juxta", "scalar", "lammps")]
        if rates[0]:
            lines.append(f"| {workload} | " + " | ".join(rates) + " |")
    return ["", "Millions of steps of one atom or particle in a second:", "", *lines] if len(lines) > 2 else []


NAME = "models"
TASK = "whole published models"
QUESTION = "Whole published models, beside the fastest plain C++ of the same rules that we could write, on one thread."
AGAINST = ("The others are a *grid* of cells, tables of neighbour counts (*counts*), the rules written straight down "
           "(*scalar*), and LAMMPS with its package OPT.")
NOTES = []
LABELS = {"grid": "grid", "counts": "counts", "scalar": "scalar", "lammps": "LAMMPS"}


def matches_wanted():
    """(what, rows of the library, {other: row})."""
    words = ("flocking, 200 birds", "flocking, 400 birds", "flocking, 300 birds", "flocking, 20,000 birds",
             "flocking, 100,000 birds", "Schelling, small", "Schelling, 8,000 agents",
             "wolf-sheep-grass, small", "wolf-sheep-grass, large", "Lennard-Jones, 32,000 atoms",
             "dam break, 100,000 particles, 2D", "dam break, 100,000 particles, 3D")
    return [(what, (f"{workload}/juxta",), {LABELS[who]: f"{workload}/{who}" for who in WHO[1:]})
            for what, workload in zip(words, WORKLOADS)]


def duels(rows):
    """(workload, the library's time, name of another, its time)."""
    for workload in WORKLOADS:
        for who in WHO[1:]:
            if (ours := rows.get(f"{workload}/juxta")) and (row := rows.get(f"{workload}/{who}")):
                yield f"`{workload}`", ours.median, LABELS[who], row.median


def facts(rows):
    return [f"`{workload}`: {rate(row)} million steps of one atom or particle per second"
            for workload in ("lj_32k", "sph_100k", "sph_3d_100k") if (row := rows.get(f"{workload}/juxta")) and rate(row)]


USE_TEXT = """### How each contender is used

- One thread. Every iteration starts from the same state, whose preparation is not timed. Contenders use the same random
  numbers. In wolf-sheep all contenders end in the same bits, and in Schelling's model those that have the same random
  order: juxta and turns, counts and scalar. Birds end at the same places within
  1e-9, since each contender adds in another order. Atoms and water end with equal energies
  and fronts, within rounding.
- flocking, schelling, wolf_sheep: the steps of the field's comparison of frameworks (100, 20, 100), S and L as there;
  flocking_300, _20k and _100k at the density of S, the larger ones for 20 steps.
- scalar: the same rules written straight down (tests/models/scalar), at -O3 for this machine. Birds test all birds,
  agents of Schelling's model test all cells around them. Atoms have half lists of neighbours with a skin of 0.3, in
  doubles; particles of water have a counting-sorted cell list.
- grid: flocking in plain C++ with cells a radius wide, each a list of its birds by value (flocking_grid.cpp there).
- counts: Schelling's model in plain C++ with a table of neighbour counts for each group, which moving agents keep
  up to date (schelling_counts.cpp there), all agents in the order of a shuffle. The model of Juxta keeps such counts
  too, but visits only agents that have too few like them, in the order of a random word of each; turns does so in
  plain C++ (schelling_turns.cpp there).
- lammps: the system's LAMMPS, if it is installed with its package OPT: its own bench/in.lj with `-sf opt`, its own
  loop time, one process.
""".rstrip().split("\n")


def details(rows, images):
    lines = ["## models"]
    lines += [f"\n![{caption}](img/{name})" for name, caption in images]
    return [*lines, "", "### The same rules in plain C++", "", *table(rows), *rate_table(rows), "", *USE_TEXT]


def checks(_rows):
    return []
