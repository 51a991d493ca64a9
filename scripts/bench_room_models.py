# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What the published models are held to, and their part of docs/performance.md. Used by scripts/bench."""
from bench_report import bar_table, duration, faster, measured

PROGRAM = "bench_models"
RATIO_TITLE = "How many times faster than the same rules written straight down"
TIME_AXIS = "nanoseconds per row"

WORKLOADS = ("flocking_S", "flocking_L", "schelling_S", "schelling_L", "wolf_sheep_S", "wolf_sheep_L", "lj_32k",
             "sph_100k", "sph_3d_100k")
WHO = ("juxta", "scalar", "lammps")


def scalar_row(workload, limit, goal):
    return (f"{workload}: scalar / juxta", limit, goal, "x", True,
            lambda rows: faster(rows, f"{workload}/scalar", f"{workload}/juxta"))


BARS = [
    scalar_row("flocking_S", 5, 5),
    scalar_row("flocking_L", 5, 5),
    scalar_row("schelling_L", 1, 2),
    scalar_row("wolf_sheep_L", 1, 2),
    scalar_row("lj_32k", 2, 2),
    scalar_row("sph_100k", 8, 8),
]


def ratio_rows(rows):
    """(short name, ratio, bar, goal) of the rows that the bar chart shows."""
    return [(bar[0].partition(":")[0], value, bar[1], bar[2]) for bar in BARS
            if (value := measured(bar, rows)) is not None]


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


def table(rows):
    lines = ["| workload | juxta | scalar | scalar / juxta | lammps | M atom- or particle-steps a second: juxta | scalar | lammps |",
             "|---" * 8 + "|"]
    for workload in WORKLOADS:
        of = {who: rows.get(f"{workload}/{who}") for who in WHO}
        if of["juxta"] and of["scalar"]:
            times = {who: duration(row.median) if row else "" for who, row in of.items()}
            rates = {who: rate(row) if row else "" for who, row in of.items()}
            lines.append(f"| {workload} | {times['juxta']} | {times['scalar']} | "
                         f"{of['scalar'].median / of['juxta'].median:.3g}x | {times['lammps']} | {rates['juxta']} | "
                         f"{rates['scalar']} | {rates['lammps']} |")
    return lines if len(lines) > 2 else []


USE_TEXT = """### How each is used

- One thread. Every iteration begins from the same state, which is made outside of the time, and both contenders must
  end in the same one: to the last bit for birds, neighbours of two kinds, wolves and sheep, whose draws are the same;
  with equal energies and fronts, within rounding, for atoms and water.
- flocking, schelling, wolf_sheep: the steps of the field's comparison of frameworks (100, 20, 100), S and L as there.
- scalar: the same rules written straight down (tests/models/scalar), at -O3 for this machine. Birds look at all birds;
  atoms have half lists of neighbours with a skin of 0.3, in doubles; particles of water a counting-sorted cell list.
- lammps: LAMMPS of the system, where it is installed: its own bench/in.lj, its own loop time, one process.
""".rstrip().split("\n")


def section(rows, images):
    lines = ["## Models: what they are held to", "", *bar_table(BARS, rows)]
    lines += [f"\n![{caption}](img/{name})" for name, caption in images]
    return [*lines, "", "### Beside the same rules in plain C++", "", *table(rows), "", *USE_TEXT]


def checks(_rows):
    return []
