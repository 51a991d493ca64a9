#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Checks what a script can check of docs/api.md in the public headers:

  - no public header mentions an executor, a workspace or a monitor but through Context (core/ defines them)
  - a Context is the last parameter; only a memory resource follows it
  - whatever takes a Context returns a Result
  - no function has a verb that the table of docs/api.md has another word for
  - no member is marked internal
  - what check_api_c.py says of the C headers

Usage: check_api.py [ROOT]         prints every offence as file:line: reason, exit 1 when there are any
       check_api.py --self-test    plants offences in a scratch tree and expects each to be found
"""
import pathlib
import re
import sys
import tempfile

import check_api_c

# What a header of core/ is about, it may name.
DEFINES = {"core/context.h", "core/executor.h", "core/workspace.h", "core/monitor.h"}
RAW = re.compile(r"\b(?:const\s+)?(Executor|Workspace|Monitor)\s*[*&]")
# {word: the one of the table}
OTHER_VERBS = {
    "make": "build", "create": "insert (or build)", "destroy": "remove", "add": "insert", "find_nearest": "nearest",
    "scan_near": "find_near", "top_batch": "top", "make_tbb_executor": "TbbExecutor::build",
}
# Words that mean something else there.
OTHER_MEANING = {("study/collector.h", "add"), ("study/snapshot.h", "add"), ("files/skipped_rows.h", "add")}
SKIPPED = re.compile(r"juxta/agents/(detail/|lanes\.h|interaction)")  # written by users, not called by them


def without_comments(text):
    text = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S)
    return re.sub(r"//[^\n]*", lambda m: " " * len(m[0]), text)


def closing(text, start):
    """The index of the parenthesis that closes the one at `start`."""
    depth = 0
    for i in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return i
    return len(text) - 1


def parameters(text):
    """Splits at commas that are in no bracket."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += {"(": 1, "<": 1, "{": 1, "[": 1, ")": -1, ">": -1, "}": -1, "]": -1}.get(c, 0)
        if c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def declarations(text):
    """(name, what stands before it, parameters, line) of whatever looks like a declared function."""
    for match in re.finditer(r"([A-Za-z_]\w*)\s*\(", text):
        before = text[max(text.rfind(";", 0, match.start()), text.rfind("{", 0, match.start()),
                          text.rfind("}", 0, match.start()), text.rfind("public:", 0, match.start())) + 1:match.start()]
        if not re.search(r"[\w>&*]\s*$", before) or re.search(r"\b(return|requires|if|for|while|=|static_assert)\b", before):
            continue
        end = closing(text, match.end() - 1)
        yield match[1], before, parameters(text[match.end():end]), text.count("\n", 0, match.start()) + 1


def check_header(root, path):
    name = path.relative_to(root / "include" / "juxta").as_posix()
    raw = path.read_text()
    text = without_comments(raw)
    where, offences = path.relative_to(root).as_posix(), []
    for number, line in enumerate(raw.split("\n"), 1):
        if re.search(r"///\s*Internal", line):
            offences.append(f"{where}:{number}: a public header has no internal members; befriend a private Access")
    if name not in DEFINES:
        for match in RAW.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            offences.append(f"{where}:{line}: {match[1]} is passed in a Context")
    for function, before, given, line in declarations(text):
        contexts = [i for i, p in enumerate(given) if re.search(r"\bContext\b", p)]
        if contexts:
            behind = given[contexts[0] + 1:]
            if any("memory_resource" not in p for p in behind):
                offences.append(f"{where}:{line}: {function}(): the Context is the last parameter")
            if not re.search(r"\bResult<", before):
                offences.append(f"{where}:{line}: {function}(): whatever takes a Context returns a Result")
        if function in OTHER_VERBS and (name, function) not in OTHER_MEANING and not SKIPPED.match(f"juxta/{name}"):
            offences.append(f"{where}:{line}: {function}(): the word for it is {OTHER_VERBS[function]}")
    return offences


def check_tree(root):
    headers = sorted((root / "include" / "juxta").rglob("*.h"))
    in_c = {path.relative_to(root).as_posix(): path.read_text() for path in headers if path.parent.name == "c"}
    offences = [offence for path in headers for offence in check_header(root, path)]
    return offences + check_api_c.check_headers(in_c), len(headers)


def self_test():
    bad = {
        "raw": "Result<void> sort(std::span<int> keys, const Executor* executor = nullptr);",
        "last": "Result<void> sort(const Context& context, std::span<int> keys);",
        "result": "void sort(std::span<int> keys,\n          const Context& context = {});",
        "verb": "class A {\n public:\n  static Result<A> make(int size);\n};",
        "internal": "class A {\n  /// Internal: for tests.\n  int store() const;\n};",
    }
    good = "Result<A> build(std::span<const int> keys, const Context& context = {},\n                std::pmr::memory_resource* r = f());"
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        home = root / "include/juxta/order"
        home.mkdir(parents=True)
        (home / "good.h").write_text(good)
        for name, text in bad.items():
            (home / f"{name}.h").write_text(text)
        offences, _ = check_tree(root)
        for name in bad:
            if sum(f"/{name}.h:" in offence for offence in offences) != 1:
                sys.exit(f"self-test: expected one offence in {name}.h, found {offences}")
        if len(offences) != len(bad):
            sys.exit(f"self-test: {offences}")
    if wrong := check_api_c.self_test():
        sys.exit(f"self-test of check_api_c.py: {wrong}")
    print("self-test passed")


def main():
    if "--self-test" in sys.argv[1:]:
        return self_test()
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    offences, count = check_tree(root)
    print("\n".join(offences))
    print(f"{count} headers checked, {len(offences)} offences")
    sys.exit(1 if offences else 0)


if __name__ == "__main__":
    main()
