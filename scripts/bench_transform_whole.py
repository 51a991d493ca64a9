# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Whole frames of module transform: targets, and their part of docs/measurements.md. Used by bench_module_transform.py."""
import functools

# Whole frames: a system writes every local, everything is propagated, every world is read.
WHOLE = tuple(f"whole_{world}/{what}" for world in ("prefabs_1M", "roots_1M", "star_1M", "ropes_1M", "random_1M")
              for what in ("sum", "matrices"))
WHOLE_OURS = ("juxta", "juxta_parts", "juxta_2threads")
WHOLE_OTHERS = ("depth_first", "depth_levels", "linked_list", "static_array", "static_fused", "static_lanes", "no_parents")


def best_whole(rows, workload):
    """(time, name) of the fastest of the others in whole frames; KeyError: none was run."""
    found = [(rows[name].median, who) for who in WHOLE_OTHERS if (name := f"{workload}/{who}") in rows]
    if not found:
        raise KeyError(workload)
    return min(found)


def ratio(workload, rows):
    return best_whole(rows, workload)[0] / rows[f"{workload}/juxta"].median


def threads(workload, rows):
    return rows[f"{workload}/juxta"].median / rows[f"{workload}/juxta_2threads"].median


BARS = {"whole_prefabs_1M/sum": (2, 4), "whole_prefabs_1M/matrices": (2, 3.5), "whole_roots_1M/sum": (1, 2),
        "whole_star_1M/sum": (1, 2), "whole_ropes_1M/sum": (2.5, 4)}
TARGETS = [(f"{workload}: fastest of the others / juxta", limit, goal, "x", True, functools.partial(ratio, workload))
           for workload, (limit, goal) in BARS.items()]
TARGETS += [(f"{workload}: one thread / two", 1.7, 1.7, "x", True, functools.partial(threads, workload))
            for workload in BARS]


def section(rows):
    """Nanoseconds per node of whole frames, and the fastest of the others beside the library."""
    order = (*WHOLE_OURS, *WHOLE_OTHERS)
    lines = []
    for workload in WHOLE:
        found = [rows.get(f"{workload}/{who}") for who in order]
        if not found[0]:
            continue
        cells = [f"{row.median / row.counters['nodes']:.3g}" if row else "" for row in found]
        try:
            best, who = best_whole(rows, workload)
            cells += [who, f"{best / found[0].median:.2f}x"]
        except KeyError:
            cells += ["", ""]
        lines.append(f"| {workload} | " + " | ".join(cells) + " |")
    head = ["", "### Whole frames", "", "Nanoseconds per node. A system writes every local, everything is propagated, and "
            "every world is read: positions are", "added up (sum), or matrices are written (matrices).", "",
            "| workload | " + " | ".join(order) + " | fastest of the others | that / juxta |", "|---" * (len(order) + 3) + "|"]
    return head + lines if lines else []
