#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Checks the links of every page (*.md) as a git host resolves them.

A relative link leads to a file or folder of the tree, a link with a # to a heading of that page, and every page below docs/
is linked from another page. scripts/build_docs checks the same for the site.

Usage: check_links.py [ROOT | --self-test]
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+)\)")


def prose_of(path):
    """The lines outside of code: (number, text without `code`)."""
    inside = False
    for number, line in enumerate(path.read_text().split("\n"), 1):
        if line.lstrip().startswith("```"):
            inside = not inside
        elif not inside:
            yield number, line


def slug(title):
    """The name of a heading as git hosts make it."""
    title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")


def headings_of(path):
    return {slug(m[1]) for _, line in prose_of(path) if (m := re.match(r"#+ (.*)", line))}


def pages_of(root):
    command = ["git", "-C", str(root), "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        return [root / name for name in done.stdout.split() if (root / name).is_file()]
    return [p for p in root.rglob("*.md") if p.relative_to(root).parts[0] not in {"build", "out"}]


def offences_of(root):
    pages, headings, linked, found = sorted(pages_of(root)), {}, set(), []
    for page in pages:
        for number, line in prose_of(page):
            for link in LINK.findall(re.sub(r"`[^`]*`", "", line)):
                if re.match(r"[a-z]+:", link):
                    continue
                name, _, anchor = link.partition("#")
                target = pathlib.Path(os.path.normpath(page.parent / name)) if name else page
                place = f"{page.relative_to(root)}:{number}"
                if not target.exists():
                    found.append(f"{place}: there is no {link}")
                elif anchor and target.suffix == ".md":
                    if target not in headings:
                        headings[target] = headings_of(target)
                    if anchor not in headings[target]:
                        found.append(f"{place}: {name or page.name} has no heading #{anchor}")
                if target != page:
                    linked.add(target)
    for page in pages:
        if page.is_relative_to(root / "docs") and page not in linked and page != root / "docs/index.md":
            found.append(f"{page.relative_to(root)}:1: no page links to this one")
    return found, len(pages)


def self_test():
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch).resolve()
        (root / "docs").mkdir()
        (root / "docs/index.md").write_text("[a](a.md#one-two) [b](a.md#three)\n`[no](link)`\n[c](gone.md)\n")
        (root / "docs/a.md").write_text("# One, two\n```\n[d](gone.md)\n```\n")
        (root / "docs/b.md").write_text("alone\n")
        found, _ = offences_of(root)
    wanted = ["docs/index.md:1: a.md has no heading #three", "docs/index.md:3: there is no gone.md",
              "docs/b.md:1: no page links to this one"]
    if found != wanted:
        sys.exit(f"self-test: expected {wanted}, found {found}")
    print("self-test passed")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = pathlib.Path(sys.argv[1]) if sys.argv[1:] else pathlib.Path(__file__).parent.parent
    found, count = offences_of(root.resolve())
    print("\n".join([*found, f"{count} pages checked, {len(found)} offences"]))
    return 1 if found or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
