#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Checks the text of every source file: its length, its licence line, and words that must not be committed.

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
TEXT_SUFFIXES = SOURCE_SUFFIXES | {".cmake", ".in", ".md", ".txt", ".json", ".cff", ""}
# This file names the words that it looks for.
UNCHECKED = {"scripts/check_text.py", "LICENSE"}

FORBIDDEN = [
    (re.compile(r"\b(TODO|FIXME|XXX)\b"), "unfinished work stays out of the tree"),
    (re.compile(r"(?<![\w.])/(home|root|work|Users)/"), "an absolute path of one machine"),
    (re.compile(r"[ \t]+$"), "white space at the end of the line"),
    (re.compile(r"\r"), "a carriage return"),
    (re.compile(r"^(<{7}|>{7}) "), "a merge conflict"),
]


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
    for number, line in enumerate(lines, 1):
        for pattern, reason in FORBIDDEN:
            if path.suffix == ".md" and "white space" in reason:
                continue  # two blanks end a line in Markdown
            if pattern.search(line):
                offences.append(f"{path}:{number}: {reason}")
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
    ]
    failures = 0
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch)
        for name, text, _ in cases:
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
