# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What is compared in module transform, and its part of the pages that scripts/bench writes."""
import bench_transform_whole as whole
from bench_report import duration, faster, times

PROGRAM = "bench_transform"
TIME_AXIS = "nanoseconds per node of a frame"
PUBLISHED = ("depth_first", "depth_levels")
PLAIN = ("linked_list", "static_array")  # programs of a page, bench/transform
WHO = ("juxta", "juxta_single", *PUBLISHED, *PLAIN)
YARDSTICK = "forms_prefabs_1M/all/depth_first_world_only"  # the form that was measured where the limits come from
CALIBRATION = 3.3  # that to copy, at most ...
KNOWN_NS = 15.0    # ... unless it takes no longer than this for a node

# Every workload in which roots move, and which of them.
FRAMES = ("prefabs_1M/all", "prefabs_1M/one_percent", "prefabs_1M/none", "random_1M/all", "random_1M/one_percent",
          "deep_wide/all", "deep_wide/chain_only", "prefabs_100k/all", "prefabs_100k/one_percent", "prefabs_1k/all",
          "prefabs_1k/one_percent", "prefabs_10M/all", "prefabs_10M/one_percent", "chain_100k/all", "ropes_100k/all",
          "ropes_100k/one_percent", "ropes_1M/all", "ropes_1M/one_percent", "star_1M/all", "roots_1M/all",
          "roots_1M/one_percent")
# Those in which locals anywhere in the trees are written.
WRITES = (*(f"{world}/{what}" for world in ("prefabs_1M", "random_1M", "ropes_1M")
            for what in ("every_local", "every_local_in_order")),
          "prefabs_1M/one_percent_nodes", "random_1M/one_percent_nodes")
REPARENT = ("prefabs_1M/reparent_all", "prefabs_1M/reparent_none")
CHURN = ("prefabs_1M/churn_all", "prefabs_1M/churn_none")
SPAWN = "spawn_10k_per_frame"
# Forms of the published systems, one row each way of moving.
FORMS = tuple(f"forms_{world}/{what}" for world in ("prefabs_1M", "random_1M", "prefabs_1k")
              for what in ("all", "one_percent", "none"))
FORM_NAMES = ("depth_first", "depth_first_eager", "depth_first_world_only", "depth_levels", "depth_levels_world_only")
OTHER_FORMS = ("depth_first_world_only", "depth_levels_world_only", "depth_levels_pruned")
THREADS = ("threads_prefabs_1M/all", "threads_random_1M/all", "threads_prefabs_1k/all",
           "threads_prefabs_1k/one_percent")
BUILDS = ("build_prefabs_1M", "build_random_1M")


def over(workload, slow, fast):
    return lambda rows: faster(rows, f"{workload}/{slow}", f"{workload}/{fast}")


def classic_row(workload, limit, goal=None):
    return (f"{workload}: depth_first / juxta", limit, goal or limit, "x", True, over(workload, "depth_first", "juxta"))


def best_plain(rows, workload):
    """The faster of the plain programs on a workload; KeyError: none was run."""
    found = [rows[name].median for who in PLAIN if (name := f"{workload}/{who}") in rows]
    if not found:
        raise KeyError(workload)
    return min(found)


def plain_row(workload):
    return (f"{workload}: best plain program / juxta", 1, 1, "x", True,
            lambda rows: best_plain(rows, workload) / rows[f"{workload}/juxta"].median)


def of_counters(name, above, below):
    return lambda rows: rows[name].counters[above] / rows[name].counters[below]


def threads_row(workload):
    return (f"{workload}: one thread / two", 1.6, 1.6, "x", True, over(workload, "juxta", "juxta_2threads"))


def bar(what, workload, slow, limit, goal):
    return (f"{workload}: {what} / juxta", limit, goal, "x", True, over(workload, slow, "juxta"))


def memory_row(workload, who, limit):
    return (f"{workload}: memory of a node, {who}", limit, limit, " bytes", False,
            of_counters(f"{workload}/{who}", "bytes", "nodes"))


TARGETS = [
    classic_row("prefabs_1M/all", 2.2, 3.5),
    ("prefabs_1M/all: juxta / copy", 1.5, 1, "x", False, over("prefabs_1M/all", "juxta", "copy")),
    classic_row("prefabs_1M/one_percent", 14, 40),
    ("prefabs_1M/none: juxta", 1000, 1000, " ns", False, lambda rows: rows["prefabs_1M/none/juxta"].median),
    classic_row("random_1M/all", 15, 30),
    classic_row("random_1M/one_percent", 90, 300),
    classic_row("deep_wide/all", 2.3),
    classic_row("deep_wide/chain_only", 300),
    classic_row("prefabs_1M/reparent_all", 3.5),
    classic_row("prefabs_1M/reparent_none", 10),
    *((f"{workload}: last ten frames / first ten", 1.3, 1.3, "x", False,
       of_counters(f"{workload}/juxta", "last_ns", "first_ns")) for workload in REPARENT),
    classic_row("prefabs_1k/all", 2.2),
    classic_row("prefabs_1k/one_percent", 8),
    (f"{SPAWN}: median of juxta / of depth_first", 0.5, 0.5, "x", False, over(SPAWN, "juxta", "depth_first")),
    (f"{SPAWN}: p99 / median", 2, 2, "x", False, of_counters(f"{SPAWN}/juxta", "p99_ns", "p50_ns")),
    threads_row("threads_prefabs_1M/all"),
    threads_row("threads_random_1M/all"),
    *(memory_row(workload, who, limit) for workload in BUILDS for who, limit in (("juxta", 120),
                                                                                 ("juxta_history", 220))),
    *(plain_row(workload) for workload in ("prefabs_1M/all", "prefabs_1M/one_percent", "random_1M/all",
                                           "random_1M/one_percent", "ropes_1M/all", *WRITES)),
    bar("static array", "prefabs_1M/all", "static_array", 2.5, 4),
    bar("linked list", "prefabs_1M/one_percent", "linked_list", 1.2, 2),
    bar("static array", "prefabs_1M/one_percent_nodes", "static_array", 0.7, 1.2),
    bar("static array", "chain_100k/all", "static_array", 0.8, 0.8),
    bar("linked list", "prefabs_1M/churn_all", "linked_list", 1, 2),
    bar("linked list", "prefabs_1M/churn_none", "linked_list", 1, 2),
    bar("linked list", "prefabs_1M/reparent_all", "linked_list", 1, 2),
    bar("linked list", "prefabs_1M/reparent_none", "linked_list", 1, 2),
    bar("linked list", "random_1M/all", "linked_list", 15, 15),
    *whole.TARGETS,
    ("random_1M/all: depth_first / depth_levels, as its article says", 1, 1, "x", True,
     over("random_1M/all", "depth_first", "depth_levels")),
    ("prefabs_1M/all: depth_first without ParentToWorld / copy, the reference is sound", CALIBRATION, CALIBRATION, "x",
     False, lambda rows: faster(rows, YARDSTICK, "prefabs_1M/all/copy")),
]


def series(rows):
    """Contender -> [(workload, nanoseconds per node)] of the chart; where nothing moves there is nothing to see."""
    points = {}
    for workload in (*FRAMES, *WRITES, *REPARENT):
        for who in (*WHO, "copy"):
            if (row := rows.get(f"{workload}/{who}")) and not workload.endswith("/none"):
                points.setdefault(who, []).append((workload, row.median / row.counters["nodes"]))
    return points


def ratio(rows, slow, fast):
    return f"{faster(rows, slow, fast):.3g}x" if slow in rows and fast in rows else ""


def plain_ratio(rows, workload):
    try:
        return f"{best_plain(rows, workload) / rows[f'{workload}/juxta'].median:.3g}x"
    except (KeyError, ZeroDivisionError):
        return ""


def frames_table(rows, workloads, order):
    head = ("workload", "nodes", *order, "depth_first / juxta", "best plain / juxta", "depth_first / depth_levels")
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for workload in workloads:
        found = [rows.get(f"{workload}/{who}") for who in order]
        if not any(found):
            continue
        nodes = next(row.counters["nodes"] for row in found if row)
        cells = [duration(row.median) if row else "" for row in found]
        ratios = [ratio(rows, f"{workload}/depth_first", f"{workload}/{who}") for who in ("juxta", "depth_levels")]
        ratios.insert(1, plain_ratio(rows, workload))
        lines.append(f"| {workload} | {nodes:,.0f} | " + " | ".join([*cells, *ratios]) + " |")
    return lines if len(lines) > 2 else []


def ahead_lines(rows):
    """Where something else takes less time than the library, contender by contender."""
    lines = []
    for who in WHO[1:]:
        ahead = []
        for workload in (*FRAMES, *WRITES, *REPARENT, SPAWN):
            if workload.endswith("/none"):  # nanoseconds, on either side
                continue
            ours, row = rows.get(f"{workload}/juxta"), rows.get(f"{workload}/{who}")
            if ours and row and row.median < ours.median:
                ahead.append(f"{workload} ({row.median / ours.median:.2f})")
        lines.append(f"- {who}: " + (", ".join(ahead) or "nowhere") + ".")
    return ["", "Where each of the others is faster: its time as a fraction of juxta's", "", *lines]


def levels_lines(rows):
    """Where the later of the two systems is ahead of the earlier one."""
    ahead, behind = [], []
    for workload in (*FRAMES, *REPARENT):
        first, levels = rows.get(f"{workload}/depth_first"), rows.get(f"{workload}/depth_levels")
        if first and levels:
            faster_by = first.median / levels.median
            (ahead if faster_by > 1 else behind).append(f"{workload} ({faster_by:.2f})")
    if not ahead and not behind:
        return []
    return ["", "Depth levels against depth-first: faster on " + (", ".join(ahead) or "none") + "; slower on " +
            (", ".join(behind) or "none") + ".",
            "Depth-first reads a child wherever it stands, right after its parent; depth levels read chunk after",
            "chunk in the order of memory and look up parents alone, which pays the more the less children stand in",
            "the order of their parents. Where they do (batches of prefabs) both read memory in order. Both find out",
            "what changed by chunks of 128: one root that moves makes its whole chunk, and the chunks of all their",
            "children, be computed again, so that one root in a hundred costs nearly as much as all."]


def churn_lines(rows):
    lines = []
    for workload in CHURN:
        for who in WHO:
            if row := rows.get(f"{workload}/{who}"):
                first, last, p99, most = (row.counters[key] for key in ("first_ns", "last_ns", "p99_ns", "max_ns"))
                lines.append(f"| `{workload}/{who}` | {duration(row.median)} | {duration(first)} | {duration(last)} | "
                             f"{duration(p99)} | {duration(most)} | {row.counters['bytes'] / row.counters['nodes']:.0f} |")
    head = ["", "### Instances come and go", "", "A hundredth of all instances is destroyed in each of 120 frames, and as "
            "many are created; mean of all frames,", "and medians of the first and the last ten.", "",
            "| row | frame | first ten | last ten | p99 | longest | bytes per node at the end |", "|---" * 7 + "|"]
    return head + lines if lines else []


def reparent_lines(rows):
    lines = []
    for workload in REPARENT:
        for who in (*WHO, *OTHER_FORMS):
            if row := rows.get(f"{workload}/{who}"):
                first, last, p99, most = (row.counters[key] for key in ("first_ns", "last_ns", "p99_ns", "max_ns"))
                lines.append(f"| `{workload}/{who}` | {duration(row.median)} | {duration(first)} | {duration(last)} | "
                             f"{last / first:.2f} | {duration(p99)} | {duration(most)} |")
    head = ["", "### New parents", "", "A hundredth of all nodes gets a root for a parent in each of 120 frames; mean "
            "of all frames, and medians", "of the first and the last ten.", "",
            "| row | frame | first ten | last ten | last / first | p99 | longest |", "|---" * 7 + "|"]
    return head + lines if lines else []


def spawn_lines(rows):
    lines = []
    for who in (*WHO, *OTHER_FORMS):
        if row := rows.get(f"{SPAWN}/{who}"):
            p99, most = row.counters["p99_ns"], row.counters["max_ns"]
            lines.append(f"| `{SPAWN}/{who}` | {duration(row.median)} | {duration(p99)} | {duration(most)} | "
                         f"{p99 / row.counters['p50_ns']:.2f} |")
    head = ["", "### Spawning", "", "100 frames from an empty world; each instantiates 10,000 nodes of eight prefabs, "
            "and all is propagated.", "", "| row | median frame | p99 | longest | p99 / median |", "|---" * 5 + "|"]
    return head + lines if lines else []


def threads_lines(rows):
    lines = []
    for workload in THREADS:
        for who in ("juxta", *PUBLISHED):
            one, two = (rows.get(f"{workload}/{name}") for name in (who, f"{who}_2threads"))
            if one and two:
                lines.append(f"| {workload}/{who} | {duration(one.median)} | {duration(two.median)} | "
                             f"{one.median / two.median:.2f} |")
    head = ["", "### Two threads", "", "Wall clock. At a thousand nodes the difference is the cost of scheduling.", "",
            "| workload | the calling thread | a oneTBB arena of two threads | one / two |", "|---" * 4 + "|"]
    return head + lines if lines else []


def forms_lines(rows):
    lines = []
    for workload in FORMS:
        found = [rows.get(f"{workload}/{who}") for who in FORM_NAMES]
        if all(found):
            eager, lazy = (rows[f"{workload}/{who}"].median for who in ("depth_first_eager", "depth_first"))
            lines.append(f"| {workload} | " + " | ".join(duration(row.median) for row in found) +
                         f" | {1 - lazy / eager:.0%} |")
    head = ["", "### The published systems, form by form", "", "One thread. _eager: a child's world transform is loaded "
            "whether or not it is needed; what loading lazily saves", "of that is the last column. _world_only: without "
            "ParentToWorld, 48 bytes per node. _pruned (above): depths from a list", "of who changed.", "",
            "| workload | " + " | ".join(FORM_NAMES) + " | lazily saves |", "|---" * (len(FORM_NAMES) + 2) + "|"]
    return head + lines if lines else []


def builds_lines(rows):
    lines = []
    for workload in BUILDS:
        for who in ("juxta", "juxta_history", "depth_first", *PLAIN):
            if row := rows.get(f"{workload}/{who}"):
                nodes = row.counters["nodes"]
                lines.append(f"| `{workload}/{who}` | {duration(row.median)} | {row.median / nodes:.3g} ns | "
                             f"{row.counters['bytes'] / nodes:.0f} |")
    head = ["", "### Building a world, and its memory", "", "All nodes are built and propagated once; juxta_history "
            "keeps history, and has begun a step. Of the plain programs the nodes alone are counted.", "",
            "| row | time | per node | bytes per node |", "|---" * 4 + "|"]
    return head + lines if lines else []


NAME = "transform"
TASK = "world transforms of hierarchies"
QUESTION = "World transforms of hierarchies: a frame in which nodes move and everything is brought up to date."
AGAINST = ("The others are the published ECS systems (*depth-first*, *depth levels*) and two plain programs of a page "
           "each: a *linked list* of nodes, and a *static array* sorted once, which cannot add, remove or reparent nodes.")
NOTES = ["", "If your trees never change, use a static array. If you write most nodes in each frame, keep your arrays in the",
         "order of `for_each`. If nothing has a parent, use a column of positions."]
OTHERS = (*PUBLISHED, *PLAIN)
LABELS = {"depth_first": "depth-first", "depth_levels": "depth levels", "linked_list": "linked list",
          "static_array": "static array"}


def matches_wanted():
    """(what, rows of the library, {other: row})."""
    words = (("prefabs, 1M nodes, all roots move", "prefabs_1M/all"), ("prefabs, 1 % of roots move", "prefabs_1M/one_percent"),
             ("prefabs, 1 % of nodes written", "prefabs_1M/one_percent_nodes"),
             ("prefabs, all written and all read", "prefabs_1M/every_local"),
             ("random parents, all roots move", "random_1M/all"),
             ("random parents, 1 % of roots move", "random_1M/one_percent"),
             ("random parents, all written and read", "random_1M/every_local"),
             ("a wide tree with a deep chain, all", "deep_wide/all"), ("prefabs, 1,000 nodes, all", "prefabs_1k/all"),
             ("prefabs, 10M nodes, all", "prefabs_10M/all"), ("ropes of 1,000 nodes, all", "ropes_1M/all"),
             ("one chain of 100,000 nodes", "chain_100k/all"), ("1M roots without children, all", "roots_1M/all"),
             ("1 % new parents, all roots move", "prefabs_1M/reparent_all"),
             ("1 % new parents, nothing moves", "prefabs_1M/reparent_none"),
             ("1 % of instances come and go, all roots move", "prefabs_1M/churn_all"), ("10,000 nodes spawned per frame", SPAWN))
    frames = (("prefabs", "prefabs"), ("roots alone", "roots"), ("a star", "star"), ("ropes", "ropes"), ("random parents", "random"))
    of = lambda workload, who: {LABELS.get(name, name.replace("_", " ")): f"{workload}/{name}" for name in who}
    return [*((what, (f"{workload}/juxta",), of(workload, OTHERS)) for what, workload in words),
            *((f"whole frame, {what}", (f"whole_{world}_1M/sum/juxta",), of(f"whole_{world}_1M/sum", whole.WHOLE_OTHERS))
              for what, world in frames)]


def duels(rows):
    """(workload, the library's time, name of another, its time)."""
    for workload in (*FRAMES, *WRITES, *REPARENT, *CHURN, SPAWN, *whole.WHOLE):
        ours = rows.get(f"{workload}/juxta")
        for who in (*OTHERS, *whole.WHOLE_OTHERS[4:]) if ours and not workload.endswith("/none") else ():  # those take nanoseconds, on either side
            if row := rows.get(f"{workload}/{who}"):
                yield f"`{workload}`", ours.median, LABELS.get(who, who.replace("_", " ")), row.median


def facts(rows):
    found = []
    for workload in ("threads_prefabs_1M/all", "threads_random_1M/all"):
        one, two = rows.get(f"{workload}/juxta"), rows.get(f"{workload}/juxta_2threads")
        if one and two:
            found.append(f"`{workload}` on two threads: {times(one.median / two.median)} as fast as on one")
    for who, what in (("juxta", "memory"), ("juxta_history", "memory with history")):
        if row := rows.get(f"build_prefabs_1M/{who}"):
            found.append(f"{what}: {row.counters['bytes'] / row.counters['nodes']:.0f} bytes per node")
    if row := rows.get("prefabs_1M/none/juxta"):
        found.append(f"a frame in which nothing was written: {duration(row.median)}")
    if (row := rows.get(f"{SPAWN}/juxta")) and (other := rows.get(f"{SPAWN}/linked_list")):
        found.append(f"longest of 100 frames that spawn 10,000 nodes each: {duration(row.counters['max_ns'])}, linked list "
                     f"{duration(other.counters['max_ns'])}")
    return found


USE_TEXT = """### How each contender is used

- juxta: the program keeps Ids and positions of the roots in arrays. A frame adds .01 to x there, passes Ids and
  positions (of the moving roots only) to set_position(), and calls propagate(). New parents: one call for all.
- depth_first, depth_levels: the published store and systems in classics/transform; each file says what is as printed.
  They also write ParentToWorld for every world transform. A frame adds .01 to x in place, as a job over chunks does,
  and runs the system. New parents: one entity after the other, as a command buffer is played back.
- linked_list: nodes in an array in the order of creation, each with the places of its parent, first child and
  siblings; a depth-first walk through the trees in which something was written. Nodes are added, removed and reparented
  in constant time. It has no versions, no Ids, no history and no flags.
- static_array: nodes sorted once, depth first, each with the place of its parent; one loop over all, or over the
  subtrees of what was written. It is the plainest program, and it can do the least: nodes cannot be added, removed or
  reparented. Where that is enough, and its row is ahead, it is the better choice.
- Both plain programs are single files in bench/transform, and check nothing.
- every_local: all locals are written and all worlds are read back, both in the order of the scene's list, which is not
  the order of memory. juxta: set_local() and world() with spans; juxta_single: node by node. The others write to and
  copy from the place of each node. every_local_in_order: the program keeps its arrays in the order of the store (juxta:
  the order of for_each()). one_percent_nodes: one node in a hundred is written, nothing is read.
- whole_*: a system turns every local a little and moves it a little along x, the same for all. Each contender writes
  and reads its own storage in its own order, and keeps its world transforms. juxta: frame(), with sixteen nodes at a time
  in loops that the compiler vectorises; juxta_parts: for_each_tile(), propagate(), changed_spans() or
  changed_matrices(); matrices by slot. depth_first, depth_levels: jobs over chunks before and after the system.
  linked_list: every node is tagged, then the walk. static_array: three loops; static_fused: one. static_lanes: one loop
  over nodes in columns, sixteen at a time, sorted so that trees of one shape are side by side. no_parents: columns in
  which a local transform is the world transform, for nodes that have no parents. They cannot add or remove nodes either.
- churn_*: destroyed instances are anywhere in memory, created ones are of all eight prefabs. juxta: one call of remove(),
  and one of instantiate() for each prefab. linked_list: new nodes take the places of destroyed ones.
- copy: for each node 32 bytes read from one array and 32 written to another by plain stores, both on huge pages.
""".rstrip().split("\n")


def details(rows, images):
    lines = ["## transform"]
    lines += [f"\n![{caption}](img/{name})" for name, caption in images]
    if table := frames_table(rows, (*FRAMES, *REPARENT), ("juxta", *PUBLISHED, *PLAIN, "copy")):
        lines += ["", "### Frames", "", "Time of a frame on one thread: roots move (all, one in a hundred, none), and "
                  "every world transform is", "brought up to date. Worlds and movers: scenes/hierarchies.h.", "",
                  *table, *levels_lines(rows)]
    if table := frames_table(rows, WRITES, WHO):
        lines += ["", "### Writing every local", "", "Locals anywhere in the trees are written; every_local also reads "
                  "every world back, in an order", "of the program's own; every_local_in_order in that of memory.", "", *table]
    if any(f"{workload}/juxta" in rows for workload in (*FRAMES, *WRITES)):
        lines += ["", "### Where others are faster", *ahead_lines(rows)]
    return [*lines, *whole.section(rows), *reparent_lines(rows), *churn_lines(rows), *spawn_lines(rows), *forms_lines(rows), *threads_lines(rows),
            *builds_lines(rows), "", *USE_TEXT]


def checks(rows):
    """Reasons not to believe the run: a yardstick that is suspiciously slow."""
    first, copy = rows.get(YARDSTICK), rows.get("prefabs_1M/all/copy")
    # Where memory is fast a copy says little about what a published system can do (docs/decisions/0014): there the
    # yardstick is held to the time that it took where it was first measured.
    if first and copy and first.counters["nodes"] >= 9e5 and first.median > CALIBRATION * copy.median \
            and first.median > KNOWN_NS * first.counters["nodes"]:
        return [f"{YARDSTICK} takes {first.median / copy.median:.2f} times as long as copy on prefabs_1M/all and more "
                f"than {KNOWN_NS} ns per node: the machine is too busy, or the yardstick is broken"]
    return []
