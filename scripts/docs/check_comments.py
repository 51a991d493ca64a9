#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Checks what the comments of public headers refer to: check_comments.py [ROOT | --self-test]

A name in backticks or with () behind it must occur in the code of some public header (or be a CMake function of ours),
and a file that a comment names must be there. Doxygen sees neither: to it they are words.
"""
import pathlib
import re
import sys
import tempfile

NAME = re.compile(r"`([^`]+)`|\b([A-Za-z_]\w*(?:::\w+)*)\(\)")
FILE = re.compile(r"(?<![\w/.-])[\w-]+(?:/[\w.-]+)*\.(?:h|md)\b")
EXAMPLE_FILES = {"rules.h"}  # names of the reader's own files


def names_of(root):
    words = set()
    for path in [*(root / "include").rglob("*.h"), *(root / "cmake").glob("*.cmake")]:
        for line in path.read_text().split("\n"):
            words |= set(re.findall(r"\w+", line.partition("//")[0]))
    return words


def offences_of(root):
    words, found = names_of(root), []
    for path in sorted((root / "include").rglob("*.h")):
        for number, line in enumerate(path.read_text().split("\n"), 1):
            _, slashes, comment = line.partition("//")
            if not slashes:
                continue
            place = f"{path.relative_to(root)}:{number}"
            for quoted, called in NAME.findall(comment):
                unknown = [word for word in re.findall(r"[A-Za-z_]\w+", quoted or called) if word not in words]
                found += [f"{place}: no header has {word!r}" for word in unknown]
            for name in FILE.findall(comment):
                folders = (root, root / "include", root / "include/juxta", path.parent)
                if name not in EXAMPLE_FILES and not any((folder / name).is_file() for folder in folders):
                    found.append(f"{place}: there is no file {name}")
    return found


def self_test():
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch)
        (root / "include").mkdir()
        (root / "cmake").mkdir()
        (root / "include/a.h").write_text("/// As `size` and near().\nint size();\n/// See b.h and a.h, and find().\n")
        lines = [offence.split(": ", 1)[1] for offence in offences_of(root)]
    if lines != ["no header has 'near'", "no header has 'find'", "there is no file b.h"]:
        sys.exit(f"self-test: found {lines}")
    print("self-test passed")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = pathlib.Path(sys.argv[1]) if sys.argv[1:] else pathlib.Path(__file__).parent.parent.parent
    found = offences_of(root.resolve())
    print("\n".join([*found, f"comments of the headers checked, {len(found)} offences"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
