# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Tay's part of the agents section of docs/measurements.md. Used by bench_module_agents.py."""
from bench_report import duration

# Structure -> the same with agents that stay.
STAY = {"tay_grid": "tay_grid_pointers", "tay_kd": "tay_kd_pointers", "tay_boxes": "tay_boxes_pointers"}
STRUCTURES = ("tay_grid", "tay_kd", "tay_z", "tay_boxes")
WIDTHS = {"tay_width_r50": 50, "tay_width_r100": 100, "tay_width_r200": 200, "tay_width_clump": 50,
          "tay_width_boxes_r50": 50, "tay_width_boxes_r100": 100}
HALVINGS = range(5)
PUBLISHED_THREADS = 16


def stay_lines(rows, workloads):
    """Copied against staying agents, both at the published width."""
    lines = []
    for workload in workloads:
        for copied, stays in STAY.items():
            a, b = rows.get(f"{workload}/{copied}"), rows.get(f"{workload}/{stays}")
            if a and b:
                sort, see = (f"{b.counters[key] / a.counters[key]:.2f}x" if a.counters.get(key) else ""
                             for key in ("sort_ns", "see_ns"))
                lines.append(f"| {workload} | {copied} | {duration(a.median)} | {duration(b.median)} | "
                             f"{b.median / a.median:.2f}x | {sort} | {see} |")
    head = ["| workload | structure | copied | staying | staying / copied | of it sorting | seeing |", "|---" * 7 + "|"]
    return head + lines if lines else []


def phase_lines(rows, workloads):
    """Sorting, seeing and acting apart, and the share of the step that the serial sort is."""
    lines = []
    for workload in workloads:
        for who in (*STRUCTURES, *STAY.values()):
            row = rows.get(f"{workload}/{who}")
            if row and "see_ns" in row.counters:
                parts = [row.counters[key] for key in ("sort_ns", "see_ns", "act_ns")]
                lines.append(f"| {workload} | {who} | " + " | ".join(duration(ns) for ns in parts) +
                             f" | {parts[0] / sum(parts):.1%} |")
    head = ["| workload | structure | sort | see | act | sort's share |", "|---" * 6 + "|"]
    return head + lines if lines else []


def width_lines(rows):
    """A line for each curve: the step, and what of the pairs tested is near, at each width."""
    lines = []
    for workload, radius in WIDTHS.items():
        for who in (*STRUCTURES, *STAY.values()):
            row = rows.get(f"{workload}/{who}")
            if row and "width0_ns" in row.counters:
                took = [row.counters[f"width{k}_ns"] for k in HALVINGS]
                cells = [f"{duration(ns)}{'*' if ns == min(took) else ''} ({row.counters[f'near{k}']:.1%}, "
                         f"{row.counters[f'uneven{k}']:.0%})" for k, ns in enumerate(took)]
                lines.append(f"| {workload} (2r = {2 * radius}) | {who} | " + " | ".join(cells) + " |")
    head = ["| workload | structure | 2r | r | r / 2 | r / 4 | r / 8 |", "|---" * 7 + "|"]
    return head + lines if lines else []


def thread_lines(rows):
    """What two threads bring, and what the serial part would leave of 16."""
    lines = []
    for who in ("tay_kd", "tay_grid", "tay_boxes"):
        for weight in ("", "_heavy"):
            one, two = (rows.get(f"threads_tay/{who}{weight}{threads}") for threads in ("", "_2threads"))
            if one and two and "see_ns" in one.counters:
                parts = [one.counters[key] for key in ("sort_ns", "see_ns", "act_ns")]
                serial = parts[0] / sum(parts)
                busy = 1 / (PUBLISHED_THREADS * serial + 1 - serial)
                lines.append(f"| {who}{weight} | {duration(one.median)} | {duration(two.median)} | "
                             f"{one.median / two.median:.2f} | {one.median / two.median / 2:.0%} | {serial:.1%} | "
                             f"{busy:.0%} |")
    one, two = rows.get("threads_tay/juxta"), rows.get("threads_tay/juxta_2threads")
    if one and two and lines:
        lines.append(f"| juxta | {duration(one.median)} | {duration(two.median)} | {one.median / two.median:.2f} | "
                     f"{one.median / two.median / 2:.0%} |  |  |")
    head = ["| structure | one thread | two | one / two | busy | serial share | so 16 would be busy |", "|---" * 7 + "|"]
    return head + lines if lines else []


def section(rows, workloads):
    """Lines of the document; none for rows that were not run."""
    lines = []
    parts = (
        ("Agents that stay in place, or are copied", [
            "Before and after of Tay's third article: linked lists of agents that never move in memory, and agents copied in the",
            "order of partitions, sorting included. Partitions of two radii."], stay_lines(rows, workloads)),
        ("Tay: sorting and seeing apart", ["The same rows. Sorting is serial, as published."],
         phase_lines(rows, workloads)),
        ("Tay: how wide partitions should be", [
            "10,000 agents; a step at each width (* the fastest). In brackets: the share of tested pairs that are near, and",
            "the mean deviation of eight threads from equal numbers of pairs. clump: a fifth of all points in a",
            "ten-thousandth of the space; boxes: edges from 1 to 50."], width_lines(rows)),
        ("Tay: threads", [
            "Wall clock, radius 100, partitions of one radius. _heavy: an interaction of about ten times the work. busy is",
            "one / two / 2. The last column is not measured: if 16 threads waited only for the serial share, they",
            "would be busy for 1 / (16 s + 1 - s) of the time; the author saw 70 %, and 85 % with ten times the work."],
         thread_lines(rows)),
    )
    for title, text, table in parts:
        if table:
            lines += ["", f"### {title}", "", *text, "", *table]
    return lines


def pictures(rows, svg):
    """The curves of the third article: points, and boxes, before and after."""
    found = []
    for workload, structures, file, what in (
            ("tay_width_r100", ("tay_kd", "tay_grid"), "bench_agents_tay_points.svg", "10,000 points, radius 100"),
            ("tay_width_boxes_r50", ("tay_kd", "tay_boxes"), "bench_agents_tay_boxes.svg",
             "10,000 boxes, edges 1 to 50, radius 50")):
        curves = [(who, [(2 * WIDTHS[workload] / 2 ** k, row.counters[f"width{k}_ns"] / 1e6) for k in HALVINGS])
                  for name in structures for who in (name, STAY[name])
                  if (row := rows.get(f"{workload}/{who}")) and "width0_ns" in row.counters]
        if curves:
            title = f"Tay's structures by the width of partitions: {what}"
            found.append((file, title, svg.curves(title, "width of a partition", "milliseconds per step", curves)))
    return found
