# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Turns measured rows into docs/performance.md. Used by scripts/bench; what each room is held to stands in
bench_room_<room>.py.

A bar is (text, bar, goal, unit, at_least, how to measure it from the rows). at_least: the measured figure must
reach the bar; otherwise it must stay below.
"""
import math


def faster(rows, slow, fast):
    return rows[slow].median / rows[fast].median


def measured(bar, rows):
    """The figure, or None when its rows were not run (a peer that is not installed)."""
    try:
        return bar[5](rows)
    except (KeyError, ZeroDivisionError):
        return None


def duration(ns):
    if ns == math.inf:
        return "not built"
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.3g} ns"


def bar_table(bars, rows):
    lines = ["| what | bar | goal | measured | |", "|---|---|---|---|---|"]
    for bar in bars:
        what, limit, goal, unit, at_least, _ = bar
        value, sign = measured(bar, rows), ">=" if at_least else "<="
        if value is None:
            continue
        good = lambda target: value >= target if at_least else value <= target
        verdict = "goal" if good(goal) else "bar" if good(limit) else "**missed**"
        lines.append(f"| {what} | {sign} {limit:g}{unit} | {sign} {goal:g}{unit} | {value:.3g}{unit} | {verdict} |")
    return lines


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


def document(rows, facts, sections):
    """docs/performance.md as text. sections: lines of each room, in order."""
    lines = ["# Performance", "",
             "Written by `scripts/bench`; do not edit. Every row is the median of its repetitions, which run in random",
             "order in one process; answers of all contenders are compared before timing. Rows of one thread are",
             "processor time, rows with threads are wall clock; p50, p99 and max are of single queries, the clock's own",
             "20 to 40 ns included. Contenders other than juxta are compiled for this machine at -O3.", ""]
    lines += [f"- {fact}" for fact in facts]
    for section in sections:
        lines += ["", *section]
    lines += ["", "## All rows", "", *row_table(rows), ""]
    return "\n".join(lines)
