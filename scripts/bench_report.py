# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Turns measured rows into docs/performance.md (for readers who choose a library), docs/measurements.md (every
figure) and docs/targets.md (what each module is held to). Used by scripts/bench; bench_module_<module>.py says what
is compared.

A target is (text, limit, goal, unit, at_least, how to measure it from the rows). at_least: the measured figure must
reach the limit; otherwise it must stay below.
"""
import math
import statistics
from typing import NamedTuple


class Match(NamedTuple):
    """One workload: the library against the fastest of the others, both in nanoseconds."""
    what: str
    ours: float
    other: str
    theirs: float

    @property
    def ratio(self):
        return self.theirs / self.ours


def faster(rows, slow, fast):
    return rows[slow].median / rows[fast].median


def worst(pairs):
    """How to find the lowest slow / fast of pairs (slow, fast) of rows; those that were not run are left out."""
    def measure(rows):
        found = [faster(rows, slow, fast) for slow, fast in pairs if slow in rows and fast in rows]
        if not found:
            raise KeyError(f"{pairs[0]}")
        return min(found)
    return measure


def measured(target, rows):
    """The figure, or None when its rows were not run (a peer that is not installed)."""
    try:
        return target[5](rows)
    except (KeyError, ZeroDivisionError):
        return None


def duration(ns):
    if ns == math.inf:
        return "not built"
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.3g} ns"


def times(ratio):
    """A ratio to two digits."""
    return f"{float(f'{ratio:.2g}'):,.10g}x"


def verdict(ratio):
    if 0.95 < ratio < 1.05:
        return "about as fast"
    return f"{times(ratio)} faster" if ratio >= 1 else f"**{times(1 / ratio)} slower**"


def matches(rows, wanted):
    """wanted: (what, the library's rows, {name of another: its row}); the faster row of each side counts."""
    found = []
    for what, ours, others in wanted:
        mine = [rows[name].median for name in ours if name in rows]
        theirs = [(rows[name].median, who) for who, name in others.items() if name in rows]
        if mine and theirs:
            time, who = min(theirs)
            found.append(Match(what, min(mine), who, time))
    return found


def match_table(found):
    lines = ["| workload | Juxta | fastest other | which | Juxta is |", "|---|---|---|---|---|"]
    for match in found:
        lines.append(f"| {match.what} | {duration(match.ours)} | {duration(match.theirs)} | {match.other} | "
                     f"{verdict(match.ratio)} |")
    return lines


def answer(found):
    """The short answer, as a sentence."""
    ahead = sum(match.ratio >= 1 for match in found)
    ratios = [match.ratio for match in found]
    plain = lambda ratio: verdict(ratio).strip("*")
    return (f"Juxta is faster than the fastest other program on {ahead} of {len(found)} workloads. At the median it is "
            f"{plain(statistics.median(ratios))}, at best {plain(max(ratios))}, at worst {plain(min(ratios))}.")


def summary(parts):
    """One line for each module."""
    lines = ["| module | task | Juxta is faster on | median | best | worst |", "|---|---|---|---|---|---|"]
    for module, rows in parts:
        if found := matches(rows, module.matches_wanted()):
            ratios = [match.ratio for match in found]
            cells = [verdict(ratio) for ratio in (statistics.median(ratios), max(ratios), min(ratios))]
            lines.append(f"| [{module.NAME}](#{module.NAME}) | {module.TASK} | {sum(ratio >= 1 for ratio in ratios)} of "
                         f"{len(found)} workloads | " + " | ".join(cells) + " |")
    return lines


def slower_list(duels):
    """duels: (workload, the library's time, name of another, its time). Those where the other is faster."""
    shares = {}
    for workload, ours, who, theirs in duels:
        if theirs < ours:
            shares.setdefault(workload, []).append((theirs / ours, who))
    lines = [f"- {workload}: " + ", ".join(f"{who} {share:.2f}" for share, who in sorted(others))
             for workload, others in shares.items()]
    if not lines:
        return ["- Nowhere in these measurements."]
    return ["The time of the faster program, as a fraction of Juxta's:", "", *lines]


def module_page(module, rows):
    """A module's part of docs/performance.md; docs_charts.py draws its chart from the table."""
    found = matches(rows, module.matches_wanted())
    lines = ["", f"## {module.NAME}", "", module.QUESTION, ""]
    if found:
        lines += [f"**{answer(found)}** {module.AGAINST}", ""]
        lines += [f"![How many times faster, {module.NAME}](charts/{module.NAME}.svg)", ""]
        lines += match_table(found)
    if facts := module.facts(rows):
        lines += ["", "Also measured:", "", *(f"- {fact}" for fact in facts)]
    return [*lines, "", "### Where Juxta is slower: " + module.NAME, "", *slower_list(module.duels(rows)), *module.NOTES]


PERFORMANCE_HEAD = """# Performance

How fast each module is, beside the best-known libraries, the published algorithms, and the plainest competent program
for the same task. Every workload is compared with whichever other program is fastest on it, which is not always the same
one. "2x faster" means that Juxta takes half the time. Each module has a list of the cases in which Juxta is slower.
""".rstrip().split("\n")

PERFORMANCE_TAIL = """
## How this was measured

- All contenders run interleaved in one process, do the same work and write the same outputs. Their answers are compared
  before timing. Times are medians.
- Others are compiled for this machine with -O3 -march=native, each at its fastest setting found. Juxta is compiled as
  users get it, and chooses the instruction set when it runs.
- Rows of one thread are processor time; rows with threads are wall clock.
- [measurements.md](measurements.md) has every figure, and says how each contender is used. [targets.md](targets.md)
  lists the targets of this project.

## Reproduce it

    scripts/install_packages build bench               # the libraries that Juxta is compared with, too
    cmake --preset bench && cmake --build --preset bench
    scripts/bench --filter '^pairs_'                   # some rows; prints a table
    scripts/bench                                      # all rows; rewrites this page, its charts, measurements.md and targets.md

Peers are optional: a row whose library is not installed is left out. `scripts/docs_charts.py` draws the charts from the
tables of this page. The most useful contribution is an input on which Juxta is slow or wrong.
""".rstrip().split("\n")


def performance(facts, parts, pages):
    """docs/performance.md as text. parts: (module, rows); pages: lines of each module, in order."""
    lines = [*PERFORMANCE_HEAD, "", *summary(parts), "", "![Median, best and worst of each module](charts/summary.svg)", "",
             "Machine and date:", "", *(f"- {fact}" for fact in facts)]
    for page in pages:
        lines += page
    return "\n".join([*lines, *PERFORMANCE_TAIL, "", "This page is written by `scripts/bench`; do not edit it.", ""])


def target_table(targets, rows):
    lines = ["| what | limit | goal | measured | |", "|---|---|---|---|---|"]
    for target in targets:
        what, limit, goal, unit, at_least, _ = target
        value, sign = measured(target, rows), ">=" if at_least else "<="
        if value is None:
            continue
        good = lambda wanted: value >= wanted if at_least else value <= wanted
        verdict = "goal met" if good(goal) else "limit met" if good(limit) else "**missed**"
        lines.append(f"| {what} | {sign} {limit:g}{unit} | {sign} {goal:g}{unit} | {value:.3g}{unit} | {verdict} |")
    return lines


TARGETS_HEAD = """# Targets

What each module is held to. `scripts/bench` measures every target and writes this page; do not edit it. A *limit* must
not be broken, a *goal* is where the module should get. If you choose a library, read [performance.md](performance.md)
instead.
""".rstrip().split("\n")


def targets(facts, tables):
    """docs/targets.md as text. tables: (module, rows) in order."""
    lines = [*TARGETS_HEAD, "", *(f"- {fact}" for fact in facts)]
    for module, rows in tables:
        lines += ["", f"## {module.NAME}", "", *target_table(module.TARGETS, rows)]
    return "\n".join([*lines, ""])


def row_table(rows):
    lines = ["| workload/contender | median | +- | p50 | p99 | max | MiB |", "|---|---|---|---|---|---|---|"]
    # By workload, juxta first; random interleaving has shuffled them.
    for name, row in sorted(rows.items(), key=lambda item: (item[0].split("/")[0], "/juxta" not in item[0], item[0])):
        if name.startswith("hard/"):
            continue
        single = [duration(row.counters[key]) if key in row.counters else "" for key in ("p50_ns", "p99_ns", "max_ns")]
        memory = f"{row.counters['bytes'] / 2**20:.0f}" if "bytes" in row.counters else ""
        lines.append(f"| `{name}` | {duration(row.median)} | {row.spread:.1%} | " + " | ".join(single) +
                     f" | {memory} |")
    return lines


MEASUREMENTS_HEAD = """# Measurements

Every figure behind [performance.md](performance.md). `scripts/bench` writes this page; do not edit it.

- Every row is the median of its repetitions, which run in random order in one process. The answers of all contenders
  are compared before timing.
- Rows of one thread are processor time, rows with threads are wall clock. p50, p99 and max are of single queries and
  include the clock's own 20 to 40 ns.
- Contenders other than juxta are compiled for this machine at -O3.
""".rstrip().split("\n")


def measurements(rows, facts, sections):
    """docs/measurements.md as text. sections: lines of each module, in order."""
    lines = [*MEASUREMENTS_HEAD, *(f"- {fact}" for fact in facts)]
    for section in sections:
        lines += ["", *section]
    lines += ["", "## All rows", "", *row_table(rows), ""]
    return "\n".join(lines)
