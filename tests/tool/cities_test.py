#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Real cities, where the file is present: answers of the command against sorting all of them.

Usage: cities_test.py JUXTA CITIES_CSV        exit code 77 (skipped) without the file
"""
import csv
import io
import os
import subprocess
import sys

RECTS = [(-10, 35, 30, 60), (-180, -90, 180, 90), (100, 20, 145, 45), (-75, -35, -35, 5), (2.2, 48.8, 2.5, 48.9),
         (0, 0, 0, 0)]


def main():
    juxta, path = sys.argv[1:3]
    if not os.path.exists(path):
        print(f"skipped: {path} is not there")
        return 77
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for rect in RECTS:
        lx, ly, hx, hy = rect
        inside = [i for i, r in enumerate(rows)
                  if lx <= float(r["longitude"]) <= hx and ly <= float(r["latitude"]) <= hy]
        want = sorted(inside, key=lambda i: (-float(rows[i]["population"]), i))[:20]
        done = subprocess.run([juxta, "top", path, "--rect", ",".join(map(str, rect)), "-k", "20", "--format", "csv"],
                              capture_output=True, text=True, check=True)
        got = list(csv.DictReader(io.StringIO(done.stdout)))
        if [int(r["index"]) for r in got] != want or [r["name"] for r in got] != [rows[i]["name"] for i in want]:
            print(f"{rect}: {got} instead of {want}")
            return 1
        print(f"{rect}: {len(inside)} cities inside, first {got[0]['name'] if got else 'none'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
