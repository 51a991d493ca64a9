#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""juxta points, as a user runs it: insert, delete, top and log of one file, and what it refuses.

Usage: live_points_test.py JUXTA
"""
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

JUXTA = sys.argv.pop(1)


def juxta(*arguments, given=None):
    return subprocess.run([JUXTA, "points", *map(str, arguments)], input=given, capture_output=True, text=True, timeout=120)


class LivePointsTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.live = self.folder / "live.jxr"

    def insert(self, points):
        text = "x,y,rank\n" + "".join(f"{x},{y},{rank}\n" for x, y, rank in points)
        done = juxta("insert", self.live, "-", given=text)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [int(line) for line in done.stdout.split()]

    def rows(self, *arguments):
        done = juxta(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [line.split(",") for line in done.stdout.splitlines()[1:]]

    def test_a_history(self):
        rng = random.Random(1)
        points = {}
        for turn in range(6):
            new = [(rng.randrange(100), rng.randrange(100), rng.randrange(20)) for _ in range(700)]
            points.update(zip(self.insert(new), new))
            dying = rng.sample(sorted(points), 100)
            by_input = turn % 2 == 0
            done = juxta("delete", self.live, *(["-"] if by_input else dying), given="\n".join(map(str, dying)) if by_input else None)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
            for id in dying:
                del points[id]
            inside = [id for id, (x, y, _) in points.items() if 20 <= x <= 60 and 10 <= y <= 80]
            inside.sort(key=lambda id: (points[id][2], id % 2**32))
            got = self.rows("top", self.live, "--rect=20,10,60,80", "-k", 50)
            self.assertEqual([int(row[0]) for row in got], inside[:50])
            self.assertEqual([tuple(map(float, row[1:4])) for row in got], [points[id] for id in inside[:50]])
        self.assertEqual(len(list(self.folder.iterdir())), 3)  # the points, one log, and the lock

    def test_the_log(self):
        a, b = self.insert([(1, 2, 3), (4, 5, 6)])
        self.assertEqual(self.rows("log", self.live), [])
        (c,) = self.insert([(7, 8, 9)])
        self.assertEqual(juxta("delete", self.live, a, c).returncode, 0)
        self.assertEqual(self.rows("log", self.live), [
            ["1", str(c), "set", "7", "8", "9", "0"], ["2", str(a), "removed", "", "", "", ""],
            ["2", str(c), "removed", "", "", "", ""]])
        self.assertEqual([row[0] for row in self.rows("top", self.live, "--rect=-inf,-inf,inf,inf")], [str(b)])

    def test_large_ranks_first(self):
        text = "x,y,population\n0,0,5\n1,1,50\n2,2,10\n"
        ids = juxta("insert", self.live, "-", given=text).stdout.split()
        got = self.rows("top", self.live, "--rect=0,0,9,9", "-k", 2)
        self.assertEqual([row[0] for row in got], [ids[1], ids[2]])

    def test_refusals(self):
        self.insert([(1, 2, 3)])
        before = sorted((path.name, path.read_bytes()) for path in self.folder.iterdir())
        (self.folder / "p.csv").write_text("x,y\n1,nan\n", encoding="utf-8")
        for arguments, status, text in [
            (["delete", self.live, 5], 1, "no point has the id"),
            (["delete", self.live, 2**32, 2**32], 2, "named twice"),
            (["delete", self.live, "five"], 2, "'five' is not an id"),
            (["insert", self.live, self.folder / "none.csv"], 1, "none.csv"),
            (["insert", self.live, self.folder / "p.csv"], 1, "p.csv"),
            (["top", self.folder / "none.jxr", "--rect=0,0,1,1"], 1, "none.jxr"),
            (["top", self.live, "--rect=0,0,1"], 2, "--rect"),
            (["log", self.folder / "p.csv"], 1, "p.csv"),
            (["insert", self.folder / "p.csv", self.folder / "q.csv"], 1, "q.csv"),
        ]:
            done = juxta(*arguments)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(text, done.stderr)
            self.assertEqual(done.stdout, "")
        (self.folder / "p.csv").unlink()
        self.assertEqual(before, sorted((path.name, path.read_bytes()) for path in self.folder.iterdir()))

    def test_other_commands_say_what_to_use(self):
        self.insert([(1, 2, 3)])
        done = subprocess.run([JUXTA, "top", self.live, "--rect=0,0,9,9"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn("juxta points", done.stderr)


if __name__ == "__main__":
    unittest.main()
