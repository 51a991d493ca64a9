#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Checks every code block of README.md and docs/: it compiles, or it is part of a file that is compiled, or it says why not.

A block of C++ or C has one of these comments on the line above it:

  <!-- from examples/layer_queries.cpp -->          the block stands in that file, line by line
  <!-- from include/juxta/x.h, shortened -->        each line of code of the block stands in that file
  <!-- compile -->                                  a whole fragment, at namespace scope
  <!-- compile in function: std::span<int> x; -->   statements; what they need is declared in the comment
  <!-- tested by tests/house/embed_test.py -->      that file exists and names the page
  <!-- not yet: a reason -->                        shown, not compiled

In shell blocks, every line that begins with `juxta` must name a command and options that `juxta COMMAND --help` lists.

Usage: check_docs_code.py [--cxx g++] [--include DIR ...] [--juxta PROGRAM] [ROOT]
       check_docs_code.py --self-test
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

FENCE = re.compile(r"^\s*```(\w*)\s*$")
MARK = re.compile(r"^\s*<!-- (from|compile in function|compile|tested by|not yet)\b:?\s*(.*?)\s*-->\s*$")


def blocks(text):
    """(line, language, code, mark or None) of every fenced block."""
    lines, found, i = text.split("\n"), [], 0
    while i < len(lines):
        fence = FENCE.match(lines[i])
        if fence:
            end = next(j for j in range(i + 1, len(lines) + 1) if j == len(lines) or FENCE.match(lines[j]))
            found.append((i + 1, fence[1], "\n".join(lines[i + 1:end]), MARK.match(lines[i - 1]) if i else None))
            i = end
        i += 1
    return found


def squeezed(line):
    """A line of code without its comment and its spaces."""
    return re.sub(r"\s+", "", line.partition("//")[0])


def check_from(root, name, code):
    name, _, shortened = name.partition(",")
    path = root / name.strip()
    if not path.is_file():
        return f"there is no {name}"
    text = path.read_text()
    if shortened:
        have = {squeezed(line) for line in text.split("\n")}
        missing = [line for line in code.split("\n") if squeezed(line) not in have]
        return f"{name} has no line {missing[0].strip()!r}" if missing else None
    return None if code.strip("\n") in text else f"it differs from {name}"


def check_compiles(options, root, source):
    command = [options.cxx, "-std=c++20", "-fsyntax-only", "-x", "c++", "-", f"-I{root}/include", f"-I{root}"]
    command += [f"-I{folder}" for folder in options.include]
    done = subprocess.run(command, input=source, capture_output=True, text=True)
    errors = [line for line in done.stderr.split("\n") if "error" in line]
    return None if done.returncode == 0 else "it does not compile: " + (errors or [done.stderr])[0]


def check_cpp(options, root, page, code, mark):
    if mark is None:
        return "a C++ block needs a comment above it that says how it is tested"
    kind, rest = mark[1], mark[2]
    if kind == "from":
        return check_from(root, rest, code)
    if kind == "tested by":
        path = root / rest
        return None if path.is_file() and page.name in path.read_text() else f"{rest} does not name {page.name}"
    if kind == "not yet":
        return None if rest else "say why"
    if kind == "compile in function":
        return check_compiles(options, root, f"{rest}\nvoid block() {{\n{code}\n}}\n")
    return check_compiles(options, root, code)


def help_of(options, command, helps):
    """What `juxta COMMAND --help` prints; None when there is no such command."""
    if command not in helps:
        done = subprocess.run([options.juxta, *command, "--help"], capture_output=True, text=True)
        helps[command] = done.stdout if done.returncode == 0 else None
    return helps[command]


def check_shell(options, code, helps):
    """Every `juxta` line names a command and options that its help lists."""
    for line in code.split("\n"):
        words = line.partition("#")[0].replace("build/release/bin/juxta", "juxta").split()
        if not words or words[0] != "juxta" or options.juxta is None:
            continue
        command = tuple(words[1:2]) if words[1:] and not words[1].startswith("-") else ()
        listed = help_of(options, command, helps)
        if listed and words[2:] and words[2][0] != "-" and re.search(rf"^\s+{re.escape(words[2])}\s", listed, re.M):  # a command of a command
            command += (words[2],)
            listed = help_of(options, command, helps)
        if listed is None:
            return f"juxta has no command {' '.join(command)}"
        for word in words[1:]:
            option = word.partition("=")[0]
            if re.match(r"--?[a-zA-Z]", option) and not re.search(rf"(?<![\w-]){re.escape(option)}\b", listed):
                return f"juxta {' '.join(command)} has no option {option}"
    return None


def check_page(options, root, page, helps):
    offences = []
    for line, language, code, mark in blocks(page.read_text()):
        why = None
        if language in ("cpp", "c"):
            why = check_cpp(options, root, page, code, mark)
        elif language == "sh":
            why = check_shell(options, code, helps)
        if why:
            offences.append(f"{page.relative_to(root)}:{line}: {why}")
    return offences


def check_tree(options, root):
    pages, helps = [root / "README.md", *sorted((root / "docs").rglob("*.md"))], {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda page: check_page(options, root, page, helps), [p for p in pages if p.is_file()])
    return [offence for result in results for offence in result], len(pages)


def self_test(options):
    page = """
<!-- compile -->
```cpp
int good();
```
<!-- compile -->
```cpp
int bad(
```
<!-- compile in function: int x = 1; -->
```cpp
x = 2;
```
<!-- from code.cpp -->
```cpp
int a;
int b;
```
<!-- from code.cpp -->
```cpp
int c;
```
```cpp
int unmarked;
```
"""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "docs").mkdir()
        (root / "docs/page.md").write_text(page)
        (root / "code.cpp").write_text("int a;\nint b;\n")
        offences, _ = check_tree(options, root)
        lines = [int(offence.split(":")[1]) for offence in offences]
        if lines != [7, 20, 23]:
            sys.exit(f"self-test: expected offences in the lines 7, 20 and 23, found {offences}")
    print("self-test passed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root", nargs="?", default=str(pathlib.Path(__file__).parent.parent))
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--juxta")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return self_test(options)
    if options.juxta and not os.access(options.juxta, os.X_OK):
        sys.exit(f"check_docs_code: build the juxta command first, there is no {options.juxta}")
    offences, count = check_tree(options, pathlib.Path(options.root).resolve())
    print("\n".join(offences))
    print(f"{count} pages checked, {len(offences)} offences")
    sys.exit(1 if offences else 0)


if __name__ == "__main__":
    main()
