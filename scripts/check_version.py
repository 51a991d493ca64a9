#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Checks that all places that name the version name that of include/juxta/version.h.

Usage: check_version.py [ROOT]         prints every place that differs, exit 1 when there are any
       check_version.py --release      the same for a release: CHANGELOG.md gives it a day, and it has no tag yet
       check_version.py --self-test    plants another version in each place and expects it to be found
"""
import datetime
import pathlib
import re
import subprocess
import sys
import tempfile

HEADER = "include/juxta/version.h"
FULL, MINOR = r"(\d+\.\d+\.\d+)", r"(\d+\.\d+)"
# (file, what stands around the version). Every match must be right, and there is at least one.
PLACES = [
    ("CITATION.cff", rf"^version: {FULL}$"),
    ("CHANGELOG.md", rf"\A# Changelog\n.*?^## {FULL}"),  # the newest entry
    ("packaging/juxta.1", rf'"juxta {FULL}"'),
    ("packaging/vcpkg/juxta/vcpkg.json", rf'"version": "{FULL}"'),
    ("docs/embedding.md", rf"GIT_TAG v{FULL}"),
    ("docs/embedding.md", rf"find_package\(juxta {MINOR}\b"),
    ("docs/embedding.md", rf"`libjuxta(?:-study)?{MINOR}`"),
    ("docs/how-to/cluster.md", rf"find_package\(juxta {MINOR}\b"),
    ("docs/c.md", rf"find_package\(juxta {MINOR}\b"),
    ("docs/c.md", rf"`JUXTA_{MINOR}`"),
    ("packaging/debian/smoke_test.sh", rf"find_package\(juxta {MINOR}\b"),
    ("tests/house/consumer/CMakeLists.txt", rf"find_package\(juxta {MINOR}\b"),
    ("bench/agents/consumer/CMakeLists.txt", rf"find_package\(juxta {MINOR}\b"),
]


def version_of(root):
    return re.search(rf'JUXTA_VERSION_STRING "{FULL}"', (root / HEADER).read_text())[1]


def check_tree(root):
    version = version_of(root)
    major, minor, patch = (int(part) for part in version.split("."))
    offences = []
    header = (root / HEADER).read_text()
    for name, value in (("MAJOR", major), ("MINOR", minor), ("PATCH", patch)):
        if not re.search(rf"JUXTA_VERSION_{name} {value}$", header, flags=re.M):
            offences.append(f"{HEADER}: JUXTA_VERSION_{name} is not {value}")
    number = 10000 * major + 100 * minor + patch
    if not re.search(rf"#define JUXTA_C_VERSION {number}$", (root / "include/juxta/c/core.h").read_text(), flags=re.M):
        offences.append(f"include/juxta/c/core.h: JUXTA_C_VERSION is not {number}")
    for file, pattern in PLACES:
        expected = version if FULL in pattern else f"{major}.{minor}"
        found = re.findall(pattern, (root / file).read_text(), flags=re.M | re.S)
        if not found:
            offences.append(f"{file}: names no version where one is expected: {pattern}")
        offences += [f"{file}: {other} instead of {expected}" for other in found if other != expected]
    return offences


def check_release(root):
    version = version_of(root)
    day = re.search(rf"^## {re.escape(version)} \((.*)\)$", (root / "CHANGELOG.md").read_text(), flags=re.M)
    offences = []
    try:
        datetime.date.fromisoformat(day[1] if day else "")
    except ValueError:
        offences.append(f'CHANGELOG.md: the entry is not "## {version} (YEAR-MONTH-DAY)"')
    tags = subprocess.run(["git", "-C", root, "tag", "--list", f"v{version}"], capture_output=True, text=True)
    if tags.stdout.strip():
        offences.append(f"v{version} is tagged already: raise the version in {HEADER}")
    return offences


def self_test():
    source = pathlib.Path(__file__).resolve().parent.parent
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        files = {HEADER, "include/juxta/c/core.h", *(file for file, _ in PLACES)}
        for file in files:
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            (root / file).write_text((source / file).read_text())
        if found := check_tree(root):
            sys.exit(f"self-test: {found}")
        for file in sorted(files):
            text = (source / file).read_text()
            version = version_of(source)
            other = text.replace(version, "9.9.9").replace("juxta " + version.rpartition(".")[0], "juxta 9.9")
            other = re.sub(r"(JUXTA_C_VERSION) \d+", r"\1 7", other)
            (root / file).write_text(other)
            if other == text or not check_tree(root):
                sys.exit(f"self-test: another version in {file} is not found")
            (root / file).write_text(text)
        (root / "CHANGELOG.md").write_text(f"# Changelog\n\n## {version_of(root)} (soon)\n")
        if len(check_release(root)) != 1:
            sys.exit(f"self-test: a release without a day: {check_release(root)}")
    print("self-test passed")


def main():
    words = [word for word in sys.argv[1:] if word.startswith("--")]
    paths = [word for word in sys.argv[1:] if not word.startswith("--")]
    if "--self-test" in words:
        return self_test()
    root = pathlib.Path(paths[0] if paths else pathlib.Path(__file__).parent.parent).resolve()
    offences = check_tree(root) + (check_release(root) if "--release" in words else [])
    print("\n".join(offences))
    print(f"version {version_of(root)}, {len(offences)} offences")
    sys.exit(1 if offences else 0)


if __name__ == "__main__":
    main()
