# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Compares the working tree's benchmarks with those of another revision. Used by scripts/bench --against.

Both revisions are built. Their executables run in turns, and the order changes from turn to turn, so that a machine
that gets slower or faster meets both alike. A row's ratio is the median of its turns' ratios. A row has moved when that
median is beyond LIMIT and nearly every turn agrees. Rows that look slower are measured a second time, because among
hundreds of rows a few look slower by chance.
"""
import csv
import json
import math
import pathlib
import shutil
import statistics
import subprocess
import sys

import bench_report as report
import bench_run as run

LIMIT = 0.05  # a row within this share of the other revision has not moved


class Against:
    """The times of one row, turn by turn: `then` of the other revision, `now` of the working tree."""

    def __init__(self, name, then, now):
        self.name, self.then, self.now = name, statistics.median(then), statistics.median(now)
        self.ratios = sorted(b / a if a not in (0, math.inf) else 1 for a, b in zip(then, now))
        self.ratio = statistics.median(self.ratios)

    @property
    def slower(self):
        return self.ratio > 1 + LIMIT and sum(ratio > 1 for ratio in self.ratios) >= most(self.ratios)

    @property
    def faster(self):
        return self.ratio < 1 - LIMIT and sum(ratio < 1 for ratio in self.ratios) >= most(self.ratios)

    def line(self):
        return (f"{self.name:52} {report.duration(self.then):>10} {report.duration(self.now):>10} {self.ratio:8.3f}  "
                f"{self.ratios[0]:.3f} .. {self.ratios[-1]:.3f}")


def most(turns):
    """How many turns must agree: all but one of seven."""
    return math.ceil(len(turns) * 6 / 7)


def self_test():
    """Rows made up here are judged as they must be."""
    then = [100.0] * 7
    cases = {"same": ([100.0, 104, 97, 101, 99, 103, 100], (False, False)),
             "slower": ([107.0, 108, 106, 109, 107, 99, 110], (True, False)),
             "faster": ([93.0, 90, 91, 92, 101, 90, 93], (False, True)),
             "noisy": ([80.0, 120, 70, 130, 125, 90, 121], (False, False)),
             "not built": ([math.inf] * 7, (True, False))}
    wrong = [name for name, (now, verdict) in cases.items()
             if ((row := Against(name, then, now)).slower, row.faster) != verdict]
    if wrong:
        sys.exit(f"bench: --against misjudges the rows {wrong}")


def build(tree, *commands):
    for command in commands:
        done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"bench: {tree} does not build:\n{(done.stdout + done.stderr)[-2000:]}")


def build_revision(root, revision):
    """A worktree of the revision under build/, its benchmarks built; returns its build tree."""
    try:
        commit = run.git(root, "rev-parse", "--verify", f"{revision}^{{commit}}")
        tree = root / "build/against" / commit[:12]
        if not tree.exists():
            run.git(root, "worktree", "prune")
            run.git(root, "worktree", "add", "--detach", str(tree), commit)
    except subprocess.CalledProcessError as error:
        sys.exit(f"bench: {error.stderr.strip()}")
    off = [f"-DJUXTA_BUILD_{part}=OFF" for part in ("TESTS", "TOOL", "EXAMPLES")]  # benchmarks alone are needed
    cache = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    # Before 0.2 the benchmarks were part of the preset `release`; both presets build in build/release.
    presets = [preset["name"] for preset in json.loads((tree / "CMakePresets.json").read_text())["configurePresets"]]
    build(tree, ["cmake", "--preset", "bench" if "bench" in presets else "release", *off, *cache],
          ["cmake", "--build", "build/release"])
    return tree / "build/release"


def run_turns(sides, names, options, settings, label):
    """Runs `names` with both executables, once a turn; returns what each row did."""
    rows = ({}, {})
    for turn in range(options.repetitions):
        options.progress.say(f"{label}: turn {turn + 1} of {options.repetitions}")
        for side in (0, 1) if turn % 2 == 0 else (1, 0):
            out = options.out / f"against-{sides[side].name}-{'then' if side == 0 else 'now'}.json"
            run.read_rows(run.run_rows(sides[side], names, out, 1, options.min_time, settings,
                                       options.against if side == 0 else "now"), rows[side])
    return {name: Against(name, rows[0][name].times, now.times) for name, now in rows[1].items()}


def second_look(sides, found, names, options, settings, label):
    """Measures the rows that look slower again; what the second look shows counts."""
    doubtful = [name for name in names if (row := found.get(run.plain(name))) and row.slower]
    if doubtful:
        found.update(run_turns(sides, doubtful, options, settings, f"{label}, second look"))


def write_csv(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("row", "then_ns", "now_ns", "ratio", "lowest_ratio", "highest_ratio"))
        for row in rows:
            writer.writerow((row.name, row.then, row.now, row.ratio, row.ratios[0], row.ratios[-1]))


def compare(root, options, programs, settings):
    """Prints the rows that moved; returns 1 when one is slower, else 0. Every row goes to against.csv in --out."""
    options.progress = run.Progress()
    options.progress.say(f"building {options.against} and the working tree")
    old = build_revision(root, options.against)
    names = [program.name for program in programs]
    build(root, ["cmake", "--build", str(options.build.resolve()), "--target", *names])
    options.progress.end()
    print(f"{'rows that moved':52} {'then':>10} {'now':>10} {'now/then':>8}  lowest .. highest of the turns")
    rows = []
    for program in programs:
        before = old / "bin" / program.name
        known = set(run.list_rows(before, "")) if before.exists() else set()
        for group, names in run.groups(program, options.filter or "").items():
            names = [name for name in names if name in known]
            if not names:
                continue
            label = f"{program.name} {group}"
            found = run_turns((before, program), names, options, settings, label)
            second_look((before, program), found, names, options, settings, label)
            options.progress.end()
            for row in found.values():
                rows.append(row)
                if row.slower or row.faster:
                    print(row.line(), flush=True)
    if not rows:
        sys.exit(f"bench: no row is in both revisions{f' and matches {options.filter!r}' if options.filter else ''}")
    path = pathlib.Path(options.out) / "against.csv"
    write_csv(path, rows)
    slower, faster = sum(row.slower for row in rows), sum(row.faster for row in rows)
    print(f"{len(rows)} rows: {slower} more than {LIMIT:.0%} slower, {faster} more than {LIMIT:.0%} faster; "
          f"all of them in {path}")
    return 1 if slower else 0
