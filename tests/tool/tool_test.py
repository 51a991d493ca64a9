#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Runs the juxta command as a user does and compares with an independent computation.

Usage: tool_test.py JUXTA
"""
import csv
import io
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

from pictures import read_png

JUXTA = ""


def juxta(*arguments, stdin=None):
    return subprocess.run([JUXTA, *map(str, arguments)], input=stdin, capture_output=True, text=True, timeout=120)


def make_rows(count, seed):
    """Points with many equal coordinates and ranks, so that edges and ties matter."""
    numbers = random.Random(seed)
    return [(numbers.randrange(-40, 40) / 4, numbers.randrange(-40, 40) / 4, numbers.randrange(count // 3 + 1))
            for _ in range(count)]


def best(rows, rect, k, descending):
    """The answer by sorting everything."""
    lx, ly, hx, hy = rect
    inside = [(-r if descending else r, i) for i, (x, y, r) in enumerate(rows) if lx <= x <= hx and ly <= y <= hy]
    return [i for _, i in sorted(inside)[:k]], len(inside)


def rect_text(rect):
    return ",".join(str(side) for side in rect)


class ToolTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        self.rows = make_rows(3000, 1)
        self.csv = self.folder / "points.csv"
        self.write_csv(self.csv, "population")

    def tearDown(self):
        self.scratch.cleanup()

    def write_csv(self, path, rank_title, delimiter=","):
        with open(path, "w", newline="", encoding="utf-8") as file:
            out = csv.writer(file, delimiter=delimiter)
            out.writerow(["name", "lat", "lon", rank_title])
            out.writerows([f'P {i}, "the {i}th"', y, x, r] for i, (x, y, r) in enumerate(self.rows))

    def write_geojson(self, path):
        features = [{"type": "Feature", "geometry": {"type": "Point", "coordinates": [x, y]},
                     "properties": {"name": f"P {i}", "population": r}} for i, (x, y, r) in enumerate(self.rows)]
        path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))

    @staticmethod
    def read_csv(path):
        return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))

    def top_csv(self, file, rect, k, *more):
        done = juxta("top", file, "--rect", rect_text(rect), "-k", k, "--format", "csv", *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return list(csv.DictReader(io.StringIO(done.stdout)))

    RECTS = [(-10, -5, 3, 4), (-2.5, -2.5, 2.5, 2.5), (1, 1, 1, 1), ("-inf", "-inf", "inf", "inf"),
             (-0.5, "-inf", -0.25, "inf"), (50, 50, 60, 60)]

    def test_top_and_count_equal_sorting_everything(self):
        geojson, tsv, index = self.folder / "p.geojson", self.folder / "p.tsv", self.folder / "p.jxr"
        self.write_geojson(geojson)
        self.write_csv(tsv, "importance", "\t")
        self.assertEqual(juxta("index", self.csv, "-o", index).returncode, 0)
        for rect in self.RECTS:
            for k in (0, 1, 20, 5000):
                want, inside = best(self.rows, [float(side) for side in rect], k, True)
                for file in (self.csv, geojson, tsv, index):
                    got = self.top_csv(file, rect, k)
                    self.assertEqual([int(row["index"]) for row in got], want, f"{file} {rect} {k}")
            self.assertEqual(juxta("count", self.csv, "--rect", rect_text(rect)).stdout, f"{inside}\n")
            self.assertEqual(juxta("count", index, "--rect", rect_text(rect)).stdout, f"{inside}\n")

    def test_directions(self):
        rect = (-5, -5, 5, 5)
        lowest, _ = best(self.rows, rect, 9, False)
        highest, _ = best(self.rows, rect, 9, True)
        self.assertNotEqual(lowest, highest)
        ranked = self.folder / "ranked.csv"
        self.write_csv(ranked, "rank")
        indices = lambda rows: [int(row["index"]) for row in rows]
        self.assertEqual(indices(self.top_csv(ranked, rect, 9)), lowest)
        self.assertEqual(indices(self.top_csv(ranked, rect, 9, "--descending")), highest)
        self.assertEqual(indices(self.top_csv(self.csv, rect, 9, "--ascending")), lowest)
        self.assertEqual(juxta("top", ranked, "--rect", "0,0,1,1", "--ascending", "--descending").returncode, 2)

    def test_names_and_formats(self):
        want, _ = best(self.rows, (-1, -1, 1, 1), 3, True)
        for row, index in zip(self.top_csv(self.csv, (-1, -1, 1, 1), 3), want):
            x, y, rank = self.rows[index]
            self.assertEqual(row["name"], f'P {index}, "the {index}th"')
            self.assertEqual((float(row["lon"]), float(row["lat"]), float(row["population"])), (x, y, rank))
        listed = json.loads(juxta("top", self.csv, "--rect", "-1,-1,1,1", "-k", 3, "--format", "json").stdout)
        self.assertEqual([item["index"] for item in listed], want)
        self.assertEqual(listed[0]["name"], f'P {want[0]}, "the {want[0]}th"')
        table = juxta("top", self.csv, "--rect=-1,-1,1,1", "-k", 3).stdout.splitlines()
        self.assertEqual(len(table), 4)
        self.assertEqual(table[0].split(), ["place", "index", "name", "lon", "lat", "population"])

    def test_given_columns_and_standard_input(self):
        text = "a,b,c,d\n1,2,3,Oslo\n1,2,4,Rome\n"
        done = juxta("top", "-", "--rect", "2,1,2,1", "--x", "b", "--y", 1, "--rank", "c", "--name", "d", "--format",
                     "csv", stdin=text)
        self.assertEqual(done.stdout, "place,index,d,b,a,c\n1,0,Oslo,2,1,3\n2,1,Rome,2,1,4\n")
        piped = juxta("top", "-", "--rect", "-1,-1,1,1", "--format", "csv", stdin=self.csv.read_text())
        self.assertEqual(piped.stdout, juxta("top", self.csv, "--rect", "-1,-1,1,1", "--format", "csv").stdout)

    def test_map(self):
        svg = self.folder / "map.svg"
        self.assertEqual(juxta("top", self.csv, "--rect", "-5,-5,5,5", "-k", 5, "--svg", svg).returncode, 0)
        self.assertIn("}svg", xml.etree.ElementTree.parse(svg).getroot().tag)
        self.assertIn("&quot;the ", svg.read_text())
        self.assertEqual(juxta("top", self.csv, "--rect", "0,0,1,1", "--svg", self.folder).returncode, 1)

    def test_heat_map(self):
        index, png = self.folder / "p.jxr", self.folder / "heat.png"
        self.assertEqual(juxta("index", self.csv, "-o", index).returncode, 0)
        for file in (self.csv, index):
            lx, ly, hx, hy = rect = -5, -5, 5, 2.5
            done = juxta("count", file, "--rect", rect_text(rect), "--heat", png, "--size", "40x30")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            width, height, rows = read_png(png)
            cells = [[0] * 40 for _ in range(30)]
            for x, y, _ in self.rows:
                if lx <= x <= hx and ly <= y <= hy:
                    cells[min(int((y - ly) * 4), 29)][min(int((x - lx) * 4), 39)] += 1
            self.assertEqual((width, height, int(done.stdout)), (40, 30, sum(map(sum, cells))))
            shades = {}
            for counts, row in zip(cells, reversed(rows)):  # the lowest row is the last one
                for count, colour in zip(counts, row):
                    self.assertEqual(shades.setdefault(count, colour), colour)
            self.assertEqual(shades[0], (255, 255, 255))
            self.assertEqual(len(set(shades.values())), len(shades))
        self.assertEqual(juxta("count", index, "--rect=-inf,0,inf,5", "--heat", png).returncode, 0)
        self.assertEqual(read_png(png)[:2], (512, 130))  # x from -10 to 9.75
        self.assertIn("no cells", self.refused(2, "count", index, "--rect=1,1,1,1", "--heat", png))
        self.assertIn("WIDTHxHEIGHT", self.refused(2, "count", index, "--rect=0,0,1,1", "--heat", png, "--size=0x9"))
        self.assertIn("antimeridian", self.refused(2, "count", index, "--rect=9,0,-9,9", "--geographic", "--heat", png))
        self.assertIn("p.jxr", self.refused(2, "count", index, "--rect=0,0,1,1", "--heat", index))

    def refused(self, code, *arguments, stdin=None):
        done = juxta(*arguments, stdin=stdin)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertTrue(done.stderr.startswith("juxta: "), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr

    def test_mistakes_are_one_sentence(self):
        bad = self.folder / "bad.csv"
        bad.write_text("x,y,rank\n1,2,3\n1,nan,3\n")
        self.assertIn("bad.csv:3: 'nan'", self.refused(1, "top", bad, "--rect", "0,0,1,1"))
        bad.write_text("")
        self.refused(1, "top", bad, "--rect", "0,0,1,1")
        self.refused(1, "top", self.folder, "--rect", "0,0,1,1")
        self.assertIn("none.csv", self.refused(1, "count", self.folder / "none.csv", "--rect", "0,0,1,1"))
        for rect in ("1,2,3", "1,2,3,4,5", "a,b,c,d", "1,2,3,nan", "", "3,3,-3,-3"):
            self.refused(2, "top", self.csv, "--rect", rect)
        self.refused(2, "top", self.csv)
        self.refused(2, "top", self.csv, "--rect", "0,0,1,1", "-k", "-3")
        self.refused(2, "top", self.csv, "--rect", "0,0,1,1", "--format", "xml")
        self.refused(2, "nonsense")
        self.refused(2)
        self.refused(2, "generate", "contest", "--seed", "12-zz")

    def test_help_and_version(self):
        self.assertRegex(juxta("--version").stdout, r"^juxta \d+\.\d+\.\d+\n$")
        for command in ((), ("top",), ("index",), ("count",), ("generate", "contest"), ("demo",), ("isa",)):
            done = juxta(*command, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertIn("Usage:", done.stdout)

    def test_damaged_index_is_refused(self):
        index = self.folder / "p.jxr"
        self.assertEqual(juxta("index", self.csv, "-o", index).returncode, 0)
        self.refused(2, "top", index, "--rect", "0,0,1,1", "--rank", "population")
        good = index.read_bytes()
        for damaged in (good[: len(good) // 2], good[:40], good + b"x", good[:300] + bytes([good[300] ^ 1]) + good[301:]):
            index.write_bytes(damaged)
            self.refused(1, "top", index, "--rect", "0,0,1,1")

    def test_generate_is_repeatable(self):
        points, queries = self.folder / "c.csv", self.folder / "q.csv"
        done = juxta("generate", "contest", "--points", 2000, "-o", points, "--queries", queries, "--query-count", 7)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertEqual(juxta("generate", "contest", "--points", 2000).stdout, points.read_text())
        rows = [(float(r["x"]), float(r["y"]), int(r["rank"])) for r in self.read_csv(points)]
        self.assertEqual(sorted(rank for _, _, rank in rows), list(range(2000)))
        for q in self.read_csv(queries):
            rect = [float(q[side]) for side in ("lx", "ly", "hx", "hy")]
            want, _ = best(rows, rect, 20, False)
            self.assertEqual([int(row["index"]) for row in self.top_csv(points, rect, 20)], want)

    def test_demo_checks_itself(self):
        out = self.folder / "out"
        done = juxta("demo", "--points", 20000, "--queries", 50, "--out", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("all 50 answers and counts equal a plain scan", done.stdout)
        self.assertEqual(juxta("demo", self.csv, "--queries", 50, "--out", out).returncode, 0)
        for picture in ("ranked_map.svg", "ranked_time.svg", "points_map.svg", "points_time.svg"):
            xml.etree.ElementTree.parse(out / picture)

    def test_interrupt_leaves_no_half_file(self):
        target = self.folder / "big.csv"
        target.write_text("old")
        before = sorted(os.listdir(self.folder))
        process = subprocess.Popen([JUXTA, "generate", "contest", "--points", "20000000", "-o", target],
                                   stderr=subprocess.PIPE, text=True)
        deadline = time.time() + 60
        while sorted(os.listdir(self.folder)) == before and process.poll() is None and time.time() < deadline:
            time.sleep(0.01)
        self.assertIsNone(process.poll(), "ended before it could be interrupted")
        self.assertNotEqual(sorted(os.listdir(self.folder)), before, "no temporary file appeared")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertIn("juxta: interrupted", errors)
        self.assertEqual(errors.count("interrupted"), 1)
        self.assertEqual(sorted(os.listdir(self.folder)), before)
        self.assertEqual(target.read_text(), "old")

    def test_interrupt_while_waiting_for_input(self):
        process = subprocess.Popen([JUXTA, "top", "-", "--rect", "0,0,1,1"], stdin=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=30), 130)
        process.stdin.close()
        process.stderr.close()

    def test_broken_pipe_is_quiet_and_full_disk_is_not(self):
        command = f"'{JUXTA}' generate contest --points 100000 | head -n 1"
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120)
        self.assertEqual((done.stdout, done.stderr), ("x,y,rank,id\n", ""))
        if os.path.exists("/dev/full"):
            with open("/dev/full", "w") as full:
                done = subprocess.run([JUXTA, "isa"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
            self.assertEqual(done.returncode, 1)
            self.assertIn("juxta: cannot write the standard output: No space left", done.stderr)
            with open("/dev/full", "w") as full:  # more rows than a disk holds: it ends at the first failure
                done = subprocess.run([JUXTA, "generate", "contest", "--points", "100000"], stdout=full,
                                      stderr=subprocess.PIPE, text=True, timeout=120)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stderr.count("No space left"), 1)
            self.assertEqual(done.stderr.count("\n"), 1)

    def test_isa(self):
        self.assertEqual(juxta("isa").stdout.count("*"), 1)
        done = subprocess.run([JUXTA, "isa"], capture_output=True, text=True, env={**os.environ, "JUXTA_ISA": "abacus"})
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stderr.startswith("juxta: "))


if __name__ == "__main__":
    JUXTA = sys.argv.pop(1)
    unittest.main(verbosity=1)
