# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What is compared in module shape, and its part of the pages that scripts/bench writes."""
from bench_report import faster, worst

PROGRAM = "bench_shape"
TIME_AXIS = "nanoseconds per ray, cast or distance"

WORKLOADS = ("rays_coherent", "rays_incoherent", "rays_terrain", "layer_rays", "layer_casts", "layer_closest")
WHO = ("juxta", "juxta_tree", "juxta_single", "juxta_fast", "juxta_batch", "embree", "embree_single", "bullet")


# One ray after the other at one mesh, and all at once.
MESHES = ("ball", "terrain", "soup", "city", "knot", "hair")
MESH_RAYS = {"mesh_camera": "rays of a picture, one by one", "mesh_incoherent": "rays from all around, one by one",
             "mesh_any": "is anything hit", "mesh_miss": "rays past the mesh", "mesh_picture": "rays of a picture, at once",
             "mesh_scattered": "rays from all around, at once"}
PAIRS = ("box_box", "box_hull", "capsule_box", "capsule_capsule", "capsule_hull", "hull_hull")


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
    ("layer_rays: best peer / juxta", 1.2, 2, "x", True,
     worst([("layer_rays/embree", "layer_rays/juxta"), ("layer_rays/bullet", "layer_rays/juxta")])),
    *((f"{task}: embree / juxta_best, the worst of six meshes", limit, goal, "x", True,
       worst([(f"{task}/{mesh}/embree", f"{task}/{mesh}/juxta_best") for mesh in MESHES]))
      for task, limit, goal in (("mesh_camera", 0.8, 1), ("mesh_incoherent", 0.8, 1), ("mesh_any", 1, 1.5),
                                ("mesh_picture", 1, 1.3), ("mesh_scattered", 1, 1.5))),
    ("mesh_miss: juxta, the worst of six meshes", 8, 5, " ns", False,
     lambda rows: max(rows[f"mesh_miss/{mesh}/juxta"].median for mesh in MESHES)),
    ("mesh_build, fast: embree / juxta, the worst of six meshes", 1, 2, "x", True,
     worst([(f"mesh_build/fast/{mesh}/embree", f"mesh_build/fast/{mesh}/juxta") for mesh in MESHES])),
    ("cast_pair: bullet / juxta, the worst of six pairs", 3, 6, "x", True,
     worst([(f"cast_pair/{pair}/bullet_{way}", f"cast_pair/{pair}/juxta")
            for pair in PAIRS for way in ("subsimplex", "continuous")])),
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


def cells_of(rows, names):
    return [cell(rows, name) for name in names]


def mesh_lines(rows):
    """Rays at single meshes: the library in both qualities, and Embree."""
    lines = []
    for task in MESH_RAYS:
        for mesh in MESHES:
            names = [f"{task}/{mesh}/{who}" for who in ("juxta", "juxta_best", "embree")]
            if all(name in rows for name in names):
                ratios = [f"{faster(rows, names[2], name):.2f}x" for name in names[:2]]
                lines.append(f"| {task}/{mesh} | {' | '.join(cells_of(rows, names) + ratios)} |")
    head = ["", "### Rays at one mesh", "", "Nanoseconds per ray, for six shapes of mesh (bench/shape/meshes.h), one thread.", "",
            "| | juxta | juxta_best | embree | embree / juxta | embree / juxta_best |", "|---" * 6 + "|"]
    return head + lines if lines else []


def mesh_build_lines(rows):
    lines = []
    for what in (*(f"mesh_build/{quality}" for quality in ("fast", "default", "best")), "mesh_refit"):
        for mesh in MESHES:
            names = [f"{what}/{mesh}/{who}" for who in ("juxta", "embree")]
            if all(name in rows for name in names):
                milliseconds = [f"{rows[name].median / 1e6:.3g}" for name in names]
                lines.append(f"| {what}/{mesh} | {' | '.join(milliseconds)} | {faster(rows, names[1], names[0]):.2f}x |")
    head = ["", "### Building meshes", "", "Milliseconds, of 70,000 triangles; refit: all vertices have moved.", "",
            "| | juxta | embree | embree / juxta |", "|---" * 4 + "|"]
    return head + lines if lines else []


def cast_lines(rows):
    lines = []
    for task in ("cast_pair", "cast_turning"):
        for pair in PAIRS:
            names = [f"{task}/{pair}/{who}" for who in ("juxta", "bullet_subsimplex", "bullet_continuous")]
            if names[0] in rows and names[2] in rows:
                best = min(faster(rows, name, names[0]) for name in names[1:] if name in rows)
                lines.append(f"| {task}/{pair} | {' | '.join(cells_of(rows, names))} | {best:.3g}x |")
    head = ["", "### Casts of one shape at another", "", "Nanoseconds per cast.", "",
            "| | juxta | bullet_subsimplex | bullet_continuous | the faster / juxta |", "|---" * 5 + "|"]
    return head + lines if lines else []


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
        *((f"{MESH_RAYS[task]}: {mesh}", tuple(f"{task}/{mesh}/{who}" for who in ("juxta", "juxta_best")),
           {"Embree": f"{task}/{mesh}/embree"}) for task in MESH_RAYS if task != "mesh_miss" for mesh in MESHES),
        *((f"a cast of one at another: {pair.replace('_', ' at ')}", (f"cast_pair/{pair}/juxta",),
           {"Bullet": f"cast_pair/{pair}/bullet_subsimplex", "Bullet's other": f"cast_pair/{pair}/bullet_continuous"})
          for pair in PAIRS),
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
    names = [f"{task}/{mesh}" for task in MESH_RAYS for mesh in MESHES]
    builds = [f"{what}/{mesh}" for what in ("mesh_build/fast", "mesh_build/default", "mesh_build/best", "mesh_refit")
              for mesh in MESHES]
    for workload in (*names, *builds):
        for ours, way in (("juxta", ""), ("juxta_best", ", MeshQuality::kBest")):
            if (row := rows.get(f"{workload}/{ours}")) and (other := rows.get(f"{workload}/embree")):
                yield f"`{workload}`{way}", row.median, "Embree", other.median


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
- mesh_*: 70,000 triangles. Embree's high-quality build, rtcIntersect1 (rtcOccluded1 for mesh_any, rtcIntersect16 for
  mesh_picture). juxta is the default quality of mesh, juxta_best MeshQuality::kBest. mesh_build: Embree's low, medium and
  high quality; memory of an earlier build is used again, as a game does.
- cast_pair/*: one shape cast against one, 4,000 pairs. bullet_subsimplex is btSubsimplexConvexCast, bullet_continuous
  btContinuousConvexCollision, with shapes and transforms made beforehand and margins of 0.
- bullet: btDbvtBroadphase and its narrow phase: rayTest, convexSweepTest, and btGjkPairDetector for distances.
""".rstrip().split("\n")


def details(rows, images):
    lines = ["## shape"]
    lines += [f"\n![{caption}](img/{name})" for name, caption in images]
    return [*lines, "", "### Embree and Bullet", "", *table(rows), *build_lines(rows), *mesh_lines(rows), *mesh_build_lines(rows),
            *cast_lines(rows), "", *USE_TEXT]


def checks(_rows):
    return []
