#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Checks the text of every source file: its length, its licence line, words that must not be committed, and phrases that
are not plain English (docs/writing.md): in pages, in comments, and in the help texts of the command. A test that the
CMakeLists.txt beside it does not name would never run: that is an offence, too.

Usage: check_text.py [ROOT]        prints every offence as file:line: reason, exit 1 when there are any
       check_text.py --self-test   plants bad files in a scratch tree and expects each to be found
"""
import pathlib
import re
import subprocess
import sys
import tempfile

MAX_LINES = 400
LICENCE = "Copyright (c) the juxta authors. SPDX-License-Identifier: MIT"
SOURCE_SUFFIXES = {".h", ".cpp", ".py", ".ts"}
TEXT_SUFFIXES = SOURCE_SUFFIXES | {".cmake", ".in", ".md", ".txt", ".json", ".cff", ".1", ""}
# This file names the words that it looks for.
UNCHECKED = {"scripts/check_text.py", "LICENSE"}

FORBIDDEN = [
    (re.compile(r"\b(TODO|FIXME|XXX)\b"), "unfinished work stays out of the tree"),
    (re.compile(r"(?<![\w.])/(home|root|work|Users)/"), "an absolute path of one machine"),
    (re.compile(r"[ \t]+$"), "white space at the end of the line"),
    (re.compile(r"\r"), "a carriage return"),
    (re.compile(r"^(<{7}|>{7}) "), "a merge conflict"),
]

# What to write instead. Only what a script can tell from proper use: "room for 16 boxes" is fine, "two rooms" is not.
PHRASES = [
    (r"\brooms\b|\b(?:every|each|which) room\b", "module"),
    (r"\bover night\b", "save it and load it later"),
    (r"\bby lot\b|\bcast(?:s|ing)? lots\b", "at random, a random number"),
    (r"\bforeseen\b", "predicted, mispredicted"),
    (r"\bbest gift\b", "the most useful contribution"),
    (r"\b(?:sees?|near|mean of|sums? of) nobody\b|\bnobody (?:is|are|who is) near\b", "no neighbours, no agents"),
    (r"\bsomebody (?:is )?near\b", "a neighbour"),
    (r"\b(?:actions?|models?|rules|system) of one's own\b|\bone's own (?:model|rules)\b", "your own"),
    (r"\b[Ww]ho (?:needs|wants)\b(?!.*\?)", "if you need"),
    (r"\bwill take still\b", "the remaining time"),
    (r"\bno order pays\b", "sorting does not pay off"),
    (r"\brest that must run alone\b", "serial remainder"),
    (r"\bhave the bits of single ones\b", "bit-identical to single queries"),
]
PHRASES = [(re.compile(pattern), f"say it plainly: {instead} (docs/writing.md)") for pattern, instead in PHRASES]
QUOTES_THEM = {"docs/writing.md", "scripts/check_text.py"}


def prose_of(path, line):
    """What a person reads of a line: all of a page, the comment of a line of code, a help text of the command."""
    if path.suffix in {".md", ".txt", ".1", ""}:
        return line
    if path.suffix in {".py", ".cmake"}:
        return line.partition("#")[2]
    code, slashes, comment = line.partition("//")
    return comment if slashes or path.parts[0] != "tool" else " ".join(re.findall(r'"((?:[^"\\]|\\.)*)"', code))


def tracked_files(root):
    """Committed and new files that git does not ignore; every file where there is no git."""
    command = ["git", "-C", str(root), "ls-files", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError):
        listed = [p.relative_to(root).as_posix() for p in root.rglob("*")
                  if p.relative_to(root).parts[0] not in {"build", "out", ".git"}]
    return [pathlib.Path(name) for name in listed if (root / name).is_file()]


def check_file(root, path):
    lines = (root / path).read_text(encoding="utf-8", errors="replace").split("\n")
    offences = []
    if path.suffix in SOURCE_SUFFIXES:
        if len(lines) > MAX_LINES + 1:
            offences.append(f"{path}:{len(lines)}: more than {MAX_LINES} lines; split it by concept")
        if not any(LICENCE in line for line in lines[:2]):
            offences.append(f"{path}:1: the first line lacks '{LICENCE}'")
    if path.name.endswith("_test.cpp"):
        listing = root / path.parent / "CMakeLists.txt"
        if not listing.is_file() or not re.search(rf"\b{re.escape(path.name)}\b", listing.read_text(encoding="utf-8")):
            offences.append(f"{path}:1: no CMakeLists.txt beside it names this test: it never runs")
    for number, line in enumerate(lines, 1):
        for pattern, reason in FORBIDDEN:
            if path.suffix == ".md" and "white space" in reason:
                continue  # two blanks end a line in Markdown
            if pattern.search(line):
                offences.append(f"{path}:{number}: {reason}")
        if path.as_posix() not in QUOTES_THEM:
            prose = prose_of(path, line)
            offences += [f"{path}:{number}: {reason}" for pattern, reason in PHRASES if pattern.search(prose)]
    return offences


def check_tree(root):
    files = [p for p in tracked_files(root) if p.suffix in TEXT_SUFFIXES and p.as_posix() not in UNCHECKED]
    return [offence for path in files for offence in check_file(root, path)], len(files)


def self_test():
    header = f"// {LICENCE}\n"
    cases = [
        ("good.cpp", header + "int main() {}\n", None),
        ("long.cpp", header + "\n" * MAX_LINES, "more than"),
        ("bare.h", "#pragma once\n", "first line lacks"),
        ("later.h", header + "// TODO: later\n", "unfinished"),
        ("path.md", "see /home/me/juxta\n", "absolute path"),
        ("url.md", "see https://example.org/home/page\n", None),
        ("blank.cpp", header + "int a; \n", "white space"),
        ("conflict.md", "<<<<<<< ours\n", "merge"),
        ("rooms.md", "two rooms of the library\n", "module"),
        ("space.md", "there is room for 16 boxes, and no room\n", None),
        ("lot.h", header + "/// An order drawn by lot.\n", "random"),
        ("code.h", header + "int rooms;\n", None),
        ("nobody.cpp", header + "f();  // 0 for an agent that sees nobody\n", "neighbours"),
        ("tool/help.cpp", header + 'f("every room in one world");\n', "module"),
        ("src/text.cpp", header + 'f("every room in one world");\n', None),
        ("asks.md", "Who needs this? You do.\n", None),
        ("tests/CMakeLists.txt", "juxta_test(a_test a_test.cpp)\n", None),
        ("tests/a_test.cpp", header, None),
        ("tests/b_test.cpp", header, "never runs"),
    ]
    failures = 0
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch)
        for name, text, _ in cases:
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text(text)
        offences, _ = check_tree(root)
        for name, _, expected in cases:
            reasons = [o for o in offences if o.startswith(name + ":")]
            if (reasons != []) if expected is None else not any(expected in r for r in reasons):
                failures += 1
                print(f"self-test: {name}: expected {expected!r}, got {reasons}")
    print(f"self-test: {len(cases)} planted files, {failures} judged wrongly")
    return failures


def main(arguments):
    if arguments == ["--self-test"]:
        return 1 if self_test() else 0
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).parent.parent
    offences, checked = check_tree(root.resolve())
    print("\n".join(offences + [f"{checked} files checked, {len(offences)} offences"]))
    return 1 if offences or checked == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
