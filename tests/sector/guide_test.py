#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""The code that docs/sector.md shows is the code that runs: every block marked as a part of a file is in that file.

Usage: guide_test.py ROOT
"""
import pathlib
import re
import sys


def main():
    root = pathlib.Path(sys.argv[1])
    text = (root / "docs" / "sector.md").read_text(encoding="utf-8")
    shown = re.findall(r"<!-- from (sector/\w+\.\w+) -->\n```cpp\n(.*?)```", text, re.DOTALL)
    stale = [(name, block) for name, block in shown if block not in (root / name).read_text(encoding="utf-8")]
    for name, block in stale:
        print(f"docs/sector.md shows what is not in {name}:\n{block}")
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    links = re.findall(r"\]\((?!http)([^)#]+)", prose)
    missing = [link for link in links if not (root / "docs" / link).exists()]
    print(f"{len(shown)} blocks, {len(stale)} stale; {len(links)} links, to nothing: {missing}")
    sys.exit(1 if stale or missing or len(shown) < 2 or len(links) < 15 else 0)


if __name__ == "__main__":
    main()
