# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What is compared in module shape, and its part of the pages that scripts/bench writes."""
from bench_report import faster

PROGRAM = "bench_shape"
TIME_AXIS = "nanoseconds per ray, cast or distance"

WORKLOADS = ("rays_coherent", "rays_incoherent", "rays_terrain", "layer_rays", "layer_casts", "layer_closest")
WHO = ("juxta", "juxta_tree", "juxta_single", "juxta_fast", "juxta_batch", "embree", "embree_single", "bullet")


def over(workload, slow, fast):
    return lambda rows: faster(rows, f"{workload}/{slow}", f"{workload}/{fast}")


def embree_row(workload, limit, note=""):
    return (f"{workload}: juxta / embree{note}", limit, 1, "x", False, over(workload, "juxta", "embree"))


def bullet_row(workload):
    return (f"{workload}: bullet / juxta", 3, 3, "x", True, over(workload, "bullet", "juxta"))


TARGETS = [
    embree_row("rays_coherent", 1.5, " (rtcIntersect16)"),
    embree_row("rays_incoherent", 2, " (rtcIntersect1)"),
    ("rays_incoherent: juxta one by one / embree (rtcIntersect1)", 2, 1, "x", False,
     over("rays_incoherent", "juxta_single", "embree")),
    embree_row("layer_rays", 1.5),
    *(bullet_row(workload) for workload in WORKLOADS if workload.startswith("layer_")),
]


def series(rows):
    """Contender -> [(workload, nanoseconds)] of the chart."""
    points = {}
    for workload in WORKLOADS:
        for who in WHO:
            if row := rows.get(f"{workload}/{who}"):
                points.setdefault(who, []).append((workload, row.median))
    return points


def cell(rows, name):
    """Nanoseconds, and how many answers differ from the library's where some do."""
    if name not in rows:
        return ""
    median, counters = rows[name].median, rows[name].counters
    text = f"{median:.3g}" if median < 1000 else f"{median:,.0f}"
    return f"{text} ({counters['differ']:.0f})" if counters.get("differ") else text


def table(rows):
    who = [name for name in WHO if any(f"{workload}/{name}" in rows for workload in WORKLOADS)]
    lines = ["| ns | " + " | ".join([*who, "questions", "that hit"]) + " |", "|---" * (len(who) + 3) + "|"]
    for workload in WORKLOADS:
        if ours := rows.get(f"{workload}/juxta"):
            count = ours.counters.get("rays", ours.counters.get("queries", 0))
            cells = [cell(rows, f"{workload}/{name}") for name in who]
            asked = f"{count:,.0f}" if count else ""
            lines.append(f"| {workload} | " + " | ".join([*cells, asked, f"{ours.counters['hits']:,.0f}"]) + " |")
    return lines


def build_lines(rows):
    row = rows.get("mesh_build/juxta")
    return ["", f"Building a mesh: {row.median:.0f} ns and {row.counters['bytes']:.0f} bytes per triangle."] if row else []


NAME = "shape"
TASK = "rays, casts and distances of exact shapes"
QUESTION = "Rays against triangle meshes; rays, casts and nearest bodies among 100,000 mixed shapes."
AGAINST = "The others are Embree and Bullet."
NOTES = ["", "For pictures of large meshes, a ray tracer such as Embree is the better choice."]
LABELS = {"embree": "Embree", "embree_single": "Embree", "bullet": "Bullet"}


def matches_wanted():
    """(what, rows of the library, {other: row})."""
    return [
        ("rays of a picture, mesh of 70,000", ("rays_coherent/juxta",), {"Embree": "rays_coherent/embree"}),
        ("the same, one ray per call", ("rays_coherent/juxta_single",), {"Embree": "rays_coherent/embree_single"}),
        ("rays from all around, same mesh", ("rays_incoherent/juxta",), {"Embree": "rays_incoherent/embree"}),
        ("the same, one ray per call", ("rays_incoherent/juxta_single",), {"Embree": "rays_incoherent/embree"}),
        *((what, (f"{workload}/juxta",), {"Embree": f"{workload}/embree", "Bullet": f"{workload}/bullet"})
          for what, workload in (("rays, 100,000 bodies", "layer_rays"), ("capsule casts, 100,000 bodies", "layer_casts"),
                                 ("nearest body, 100,000 bodies", "layer_closest"))),
    ]


def duels(rows):
    """(workload, the library's time, name of another, its time)."""
    for workload in WORKLOADS:
        for ours, way, others in (("juxta", "", ("embree", "bullet")),
                                  ("juxta_single", ", one ray per call", ("embree_single", "embree")),
                                  ("juxta_fast", ", in the default order", ("embree", "bullet"))):
            other = next((who for who in others if f"{workload}/{who}" in rows), None)
            if other and (row := rows.get(f"{workload}/{ours}")):
                yield f"`{workload}`{way}", row.median, LABELS[other], rows[f"{workload}/{other}"].median


def facts(rows):
    lines = build_lines(rows)[1:]
    return [lines[0][0].lower() + lines[0][1:].rstrip(".")] if lines else []


USE_TEXT = """### How each contender is used

- One thread. Answers of all contenders are compared before timing. The number of different answers is in brackets
  (grazing rays; Bullet counts what passes within 0.01 as a hit).
- rays_coherent: the primary rays of a picture of 512 x 512 of a mesh of 70,000 triangles, in squares of 4 x 4;
  rays_incoherent: 100,000 rays from all around; rays_terrain: a picture of a height field. juxta gets all of them in
  one call, juxta_single one by one; both return t, point and normal in doubles. juxta_tree is the search alone.
- layer_*: 100,000 bodies of mixed shapes; 10,000 rays, moving capsules, and capsules that find the nearest body within
  5. juxta is a layer of `OrderQuality::kTight`, juxta_fast one in the order of frames, juxta_batch all rays in one call.
- embree: its high-quality build; rtcIntersect16 for coherent rays (embree_single: rtcIntersect1), rtcIntersect1 for
  others; bodies are user geometry, tested by Juxta's own exact functions.
- cast_pair/*: one shape cast against one, 4,000 pairs. bullet_subsimplex is btSubsimplexConvexCast, bullet_continuous
  btContinuousConvexCollision, with shapes and transforms made beforehand and margins of 0.
- bullet: btDbvtBroadphase and its narrow phase: rayTest, convexSweepTest, and btGjkPairDetector for distances.
""".rstrip().split("\n")


def details(rows, images):
    lines = ["## shape"]
    lines += [f"\n![{caption}](img/{name})" for name, caption in images]
    return [*lines, "", "### Embree and Bullet", "", *table(rows), *build_lines(rows), "", *USE_TEXT]


def checks(_rows):
    return []
