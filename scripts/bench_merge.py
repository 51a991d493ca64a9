# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Puts newly measured modules into documents that also speak of others, whose figures stay. Used by scripts/bench."""
import re

HEAD = ""  # the name of what stands before the first section
OF_RANKED = re.compile(r"- (one dependent cache miss|hard/cities|[\d,]+ points in the large inputs)")  # in a head


def sections_of(text):
    """{name of a "## " section: its lines}, in order; HEAD first."""
    found, name = {HEAD: []}, HEAD
    for line in text.rstrip("\n").split("\n"):
        if line.startswith("## "):
            name = line[3:].strip()
            found[name] = []
        found[name].append(line)
    return found


def origin_line(names, measured):
    return f"- {', '.join(names)}: {measured}"


def origins_of(lines, modules):
    """[(modules, where and when they were measured)] of a document's head."""
    found = []
    for line in lines:
        if (parts := re.fullmatch(r"- ([a-z, ]+): (.+)", line)) and set(parts[1].split(", ")) <= set(modules):
            found.append((parts[1].split(", "), parts[2]))
    return found


def merged_head(old, new, modules, measured):
    """The new head, with the old lines about modules that were not measured."""
    origins = origins_of(new, modules)
    origins += [(left, what) for names, what in origins_of(old, modules) if (left := [n for n in names if n not in measured])]
    summary = {name: line for line in old if (name := summarised(line)) and name not in measured}
    summary.update((name, line) for line in new if (name := summarised(line)))
    lines, written = [], set()
    for line in new:
        kind = "summary" if summarised(line) else "origins" if origins_of([line], modules) else None
        if kind is None:
            lines.append(line)
        elif kind not in written:
            lines += ([summary[name] for name in modules if name in summary] if kind == "summary"
                      else [origin_line(names, what) for names, what in origins])
        written.add(kind)
    while lines and not lines[-1]:
        lines.pop()
    return [*lines, *(line for line in old if OF_RANKED.match(line) and "ranked" not in measured), ""]


def summarised(line):
    """The module whose line of the summary it is."""
    found = re.match(r"\| \[([a-z]+)\]\(#", line)
    return found[1] if found else None


def row_name(line):
    found = re.match(r"\| `([^`]+)` \|", line)
    return found[1] if found else None


def merged_rows(old, new, modules, measured):
    """The table of all rows. Those of module ranked have no name of a module in front."""
    def is_kept(line):
        module = name.split(": ")[0] if ": " in (name := row_name(line)) else "ranked"
        return module in modules and module not in measured
    rows = [line for line in old if row_name(line) and is_kept(line)] + [line for line in new if row_name(line)]
    rows.sort(key=lambda line: ((name := row_name(line)).split("/")[0], "/juxta" not in name, name))
    first = next(i for i, line in enumerate(new) if row_name(line))
    return [*(line for line in new[:first]), *rows, ""]


def merged(old_text, new_text, modules, measured):
    """`modules`: all names, in the order of the documents; `measured`: those whose figures are new."""
    old, new = sections_of(old_text), sections_of(new_text)
    lines = merged_head(old[HEAD], new[HEAD], modules, measured)
    for name in modules:
        if section := new.get(name, old.get(name)):
            lines += [*"\n".join(section).rstrip("\n").split("\n"), ""]
    for name, section in new.items():
        if name == "All rows":
            section = merged_rows(old[name], section, modules, measured)
        if name != HEAD and name not in modules:
            lines += [*"\n".join(section).rstrip("\n").split("\n"), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def self_test():
    modules = ("layer", "ranked", "agents")
    old = ("# T\n\n| [layer](#layer) | old |\n| [agents](#agents) | old |\n\n- layer, ranked, agents: A; revision 1\n- hard/cities: made up\n\n## layer\n\nold\n"
           "\n## ranked\n\nold\n\n## agents\n\nold\n\n## All rows\n\n| head |\n|---|\n| `agents: a/juxta` | 1 |\n| `layer: b/juxta` | 1 |\n"
           "| `c/juxta` | 1 |\n")
    new = ("# T\n\n| [agents](#agents) | new |\n\n- agents: B; revision 2\n- agents: B; revision 3\n\n## agents\n\nnew\n\n## All rows\n\n| head |\n|---|\n"
           "| `agents: a/juxta` | 2 |\n")
    right = ("# T\n\n| [layer](#layer) | old |\n| [agents](#agents) | new |\n\n- agents: B; revision 2\n- agents: B; revision 3\n"
             "- layer, ranked: A; revision 1\n- hard/cities: made up\n"
             "\n## layer\n\nold\n\n## ranked\n\nold\n\n## agents\n\nnew\n\n## All rows\n\n| head |\n|---|\n"
             "| `agents: a/juxta` | 2 |\n| `c/juxta` | 1 |\n| `layer: b/juxta` | 1 |\n")
    got = merged(old, new, modules, {"agents"})
    assert got == right, got
