#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Real meshes, where the files are present: pairs and queries of the command against a plain sweep over all triangles.

Usage: meshes_test.py JUXTA FOLDER        exit code 77 (skipped) without meshes in the folder
"""
import array
import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile


def read_boxes(path):
    """The box of every triangle, numbers rounded to float as the command does."""
    vertices, boxes = [], []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            vertices.append(tuple(array.array("f", map(float, words[1:4]))))
        elif words[:1] == ["f"]:
            corners = []
            for word in words[1:]:
                place = int(word.split("/")[0])
                corners.append(vertices[place - 1 if place > 0 else place])
            for k in range(2, len(corners)):
                triangle = (corners[0], corners[k - 1], corners[k])
                boxes.append(tuple(min(c[a] for c in triangle) for a in range(3)) +
                             tuple(max(c[a] for c in triangle) for a in range(3)))
    return boxes


def sweep(boxes):
    """All pairs, by a sweep along the axis that is widest."""
    axis = max(range(3), key=lambda a: max(b[a + 3] for b in boxes) - min(b[a] for b in boxes))
    u, v = [a for a in range(3) if a != axis]
    order = sorted(range(len(boxes)), key=lambda i: boxes[i][axis])
    pairs, active = [], []
    for i in order:
        b = boxes[i]
        start = b[axis]
        active = [k for k in active if boxes[k][axis + 3] >= start]
        for k in active:
            o = boxes[k]
            if o[u] <= b[u + 3] and b[u] <= o[u + 3] and o[v] <= b[v + 3] and b[v] <= o[v + 3]:
                pairs.append((min(i, k), max(i, k)))
        active.append(i)
    return sorted(pairs)


def run(*arguments):
    return subprocess.run([*map(str, arguments)], capture_output=True, text=True, check=True, timeout=200).stdout


def main():
    juxta, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    meshes = sorted(folder.glob("*.obj"))
    if not meshes:
        print(f"skipped: no meshes in {folder}")
        return 77
    for path in meshes:
        boxes = read_boxes(path)
        with tempfile.TemporaryDirectory() as scratch:
            out = pathlib.Path(scratch) / "pairs.csv"
            told = json.loads(run(juxta, "pairs", path, "--sorted", "--json", "--out", out))
            assert told["boxes"] == [len(boxes)], f"{path}: {told['boxes']} boxes instead of {len(boxes)}"
            if len(boxes) < 200000:  # the sweep above takes minutes for more
                got = [tuple(map(int, line.split(","))) for line in out.read_text().splitlines()[1:]]
                assert got == sweep(boxes), f"{path}: other pairs than the sweep finds"
        middle = [(min(b[a] for b in boxes) + max(b[a + 3] for b in boxes)) / 2 for a in range(3)]
        size = max(max(b[a + 3] for b in boxes) - min(b[a] for b in boxes) for a in range(3)) / 8
        query = array.array("f", [m - size for m in middle] + [m + size for m in middle])
        want = [i for i, b in enumerate(boxes) if all(b[a] <= query[a + 3] and query[a] <= b[a + 3] for a in range(3))]
        rows = csv.DictReader(io.StringIO(run(juxta, "query", path, "--box", ",".join(map(repr, query)))))
        assert [int(row["body"]) for row in rows] == want, f"{path}: other triangles in the middle"
        print(f"{path.name}: {len(boxes)} triangles, {told['pairs']} pairs, {len(want)} in the middle")
    return 0


if __name__ == "__main__":
    sys.exit(main())
