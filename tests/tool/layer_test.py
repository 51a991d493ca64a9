#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Runs juxta pairs, juxta query and juxta generate boxes as a user does, and compares with brute force.

Usage: layer_test.py JUXTA
"""
import csv
import io
import json
import math
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

JUXTA = ""


def juxta(*arguments, stdin=None):
    return subprocess.run([JUXTA, *map(str, arguments)], input=stdin, capture_output=True, text=True, timeout=120)


def make_boxes(count, dimensions, seed, side=40):
    """Boxes on a coarse grid, so that many touch exactly; quarters are exact in float."""
    numbers = random.Random(seed)
    boxes = []
    for _ in range(count):
        low = [numbers.randrange(side * 4) / 4 for _ in range(dimensions)]
        boxes.append((low, [low[axis] + numbers.randrange(12) / 4 for axis in range(dimensions)]))
    return boxes


def overlap(a, b):
    return all(a[0][i] <= b[1][i] and b[0][i] <= a[1][i] for i in range(len(a[0])))


def self_pairs(boxes):
    return [(a, b) for a in range(len(boxes)) for b in range(a + 1, len(boxes)) if overlap(boxes[a], boxes[b])]


def ray_enters(box, origin, direction, end):
    """t where the ray enters the box, or None. Directions in the tests are powers of two, so that this is exact."""
    enter, leave = 0.0, end
    for axis, (o, d) in enumerate(zip(origin, direction)):
        if d == 0:
            if not box[0][axis] <= o <= box[1][axis]:
                return None
            continue
        near, far = sorted(((box[0][axis] - o) / d, (box[1][axis] - o) / d))
        enter, leave = max(enter, near), min(leave, far)
    return enter if enter <= leave else None


def numbers(*groups):
    return ",".join(str(number) for group in groups for number in group)


class LayerTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)

    def tearDown(self):
        self.scratch.cleanup()

    def write(self, name, boxes, named=False):
        axes = "xyz"[: len(boxes[0][0])]
        with open(self.folder / name, "w", newline="", encoding="utf-8") as file:
            out = csv.writer(file)
            out.writerow([f"min{a}" for a in axes] + [f"max{a}" for a in axes] + (["name"] if named else []))
            out.writerows(box[0] + box[1] + ([f'Box {i}, "{i}"'] if named else []) for i, box in enumerate(boxes))
        return self.folder / name

    def done(self, *arguments, stdin=None):
        done = juxta(*arguments, stdin=stdin)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def rows(self, *arguments, stdin=None):
        return list(csv.DictReader(io.StringIO(self.done(*arguments, stdin=stdin))))

    def pairs_of(self, *arguments):
        return [(int(row["a"]), int(row["b"])) for row in self.rows("pairs", *arguments, "--out", "-")]

    def refused(self, code, *arguments, stdin=None):
        done = juxta(*arguments, stdin=stdin)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertTrue(done.stderr.startswith("juxta: "), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr

    def test_pairs_of_one_file_equal_brute_force(self):
        for dimensions in (2, 3):
            for count in (1, 2, 17, 700):
                boxes = make_boxes(count, dimensions, count, side=20 if dimensions == 2 else 12)
                file, want = self.write("b.csv", boxes), self_pairs(boxes)
                self.assertEqual(self.pairs_of(file, "--sorted"), want)
                natural = self.pairs_of(file)
                self.assertTrue(all(a < b for a, b in natural))
                self.assertEqual(sorted(natural), want)
                for threads in (1, 2, 5):
                    self.assertEqual(self.pairs_of(file, "--threads", threads), natural, "order of the pairs")

    def test_pairs_of_two_files_equal_brute_force(self):
        for dimensions in (2, 3):
            a, b = make_boxes(500, dimensions, 7, side=15), make_boxes(90, dimensions, 8, side=15)
            want = [(i, k) for i in range(len(a)) for k in range(len(b)) if overlap(a[i], b[k])]
            self.assertGreater(len(want), 10)
            got = self.pairs_of(self.write("a.csv", a), self.write("b.csv", b), "--sorted")
            self.assertEqual(got, want)

    def test_report_and_json_count_alike(self):
        boxes = make_boxes(600, 3, 3, side=12)
        file, want = self.write("b.csv", boxes, named=True), self_pairs(boxes)
        degree = [0] * len(boxes)
        for pair in want:
            for body in pair:
                degree[body] += 1
        target = self.folder / "pairs.csv"
        told = json.loads(self.done("pairs", file, "--json", "--sorted", "--out", target))
        self.assertEqual((told["boxes"], told["pairs"], told["dimensions"]), ([600], len(want), 3))
        self.assertEqual(told["boxes_with_a_pair"], sum(d > 0 for d in degree))
        self.assertEqual(told["most_pairs_of_a_box"], max(degree))
        self.assertTrue(all(told["seconds"][part] > 0 for part in ("read", "build", "find", "frame")))
        listed = list(csv.DictReader(io.StringIO(target.read_text(encoding="utf-8"))))
        self.assertEqual([(int(r["a"]), int(r["b"])) for r in listed], want)
        self.assertTrue(all(r["name_a"] == f'Box {r["a"]}, "{r["a"]}"' for r in listed))
        text = self.done("pairs", file, "--check")
        self.assertIn(f"{len(want):,} overlap", text)
        self.assertIn("the pairs of 600 boxes equal", text)
        self.assertEqual(json.loads(self.done("pairs", file, file, "--check", "--json"))["boxes_checked"], 600)

    def test_pairs_of_a_mesh_are_those_of_its_triangles(self):
        numbers_ = random.Random(5)
        points = [[numbers_.randrange(40) / 4 for _ in range(3)] for _ in range(150)]
        faces = [[numbers_.randrange(150) for _ in range(3)] for _ in range(200)]
        text = "# mesh\no thing\n" + "".join(f"v {numbers(p).replace(',', ' ')}\n" for p in points)
        text += "".join("f " + " ".join(f"{corner + 1}/1/1" for corner in face) + "\n" for face in faces)
        (self.folder / "m.obj").write_text(text)
        boxes = [([min(points[c][k] for c in face) for k in range(3)], [max(points[c][k] for c in face) for k in range(3)])
                 for face in faces]
        self.assertEqual(self.pairs_of(self.folder / "m.obj", "--sorted"), self_pairs(boxes))
        piped = self.rows("pairs", "-", "--sorted", "--out", "-", stdin=text)
        self.assertEqual(len(piped), len(self_pairs(boxes)))

    def test_words_that_obj_does_not_have_are_told(self):
        done = juxta("pairs", "-", stdin="v 0 0 0\nv 1 1 1\nnonsense\nf 1 2 2\nmore\n")
        self.assertEqual(done.returncode, 0)
        self.assertIn("-:3: skipped 2 lines", done.stderr)

    def test_queries_equal_brute_force(self):
        for dimensions in (2, 3):
            boxes = make_boxes(400, dimensions, 11, side=16)
            file = self.write("b.csv", boxes, named=True)
            some = make_boxes(12, dimensions, 12, side=16) + [([-math.inf] * dimensions, [math.inf] * dimensions),
                                                              ([3] * dimensions, [2] * dimensions)]
            asked = [word for box in some for word in ("--box", numbers(*box))]
            want = [[i for i, b in enumerate(boxes) if overlap(b, q) and q[0][0] <= q[1][0]] for q in some]
            got = [[] for _ in some]
            for row in self.rows("query", file, *asked):
                self.assertEqual(row["name"], f'Box {row["body"]}, "{row["body"]}"')
                got[int(row["query"])].append(int(row["body"]))
            self.assertEqual(got, want)
            counts = self.rows("query", file, *asked, "--count")
            self.assertEqual([int(row["count"]) for row in counts], [len(bodies) for bodies in want])
            for word, most in (("--any", 1), ("--first=3", 3)):
                listed = json.loads(self.done("query", file, *asked, word, "--json"))
                for item, bodies in zip(listed, want):
                    self.assertEqual(item["count"], min(most, len(bodies)))
                    self.assertTrue({b["body"] for b in item["bodies"]} <= set(bodies))

    def test_rays_and_segments_equal_brute_force(self):
        for dimensions in (2, 3):
            boxes = make_boxes(400, dimensions, 21, side=10)
            file, draws = self.write("b.csv", boxes), random.Random(22)
            asked, want = [], []
            for _ in range(25):
                origin = [draws.randrange(-8, 48) / 4 for _ in range(dimensions)]
                direction = [draws.choice([0, .5, 1, 2, -.5, -1, -2]) for _ in range(dimensions)]
                end = draws.choice([math.inf, 4, 10])
                asked += ["--ray", numbers(origin, direction, [] if end == math.inf else [end])]
                hits = ((ray_enters(box, origin, direction, end), i) for i, box in enumerate(boxes))
                want.append(sorted(hit for hit in hits if hit[0] is not None))
                goal = [o + 8 * d for o, d in zip(origin, direction)]
                asked += ["--segment", numbers(origin, goal)]
                hits = ((ray_enters(box, origin, [8 * d for d in direction], 1), i) for i, box in enumerate(boxes))
                want.append(sorted(hit for hit in hits if hit[0] is not None))
            self.assertGreater(sum(map(len, want)), 100)
            got = [[] for _ in want]
            for row in self.rows("query", file, *asked):
                self.assertEqual(row["kind"], "segment" if int(row["query"]) % 2 else "ray")
                got[int(row["query"])].append((float(row["t"]), int(row["body"])))
            self.assertEqual(got, want)
            for word, first in (("--first", 2), ("--first", 1)):
                listed = json.loads(self.done("query", file, *asked, word, first, "--json"))
                self.assertEqual([[(b["t"], b["body"]) for b in item["bodies"]] for item in listed],
                                 [hits[:first] for hits in want])
            some = json.loads(self.done("query", file, *asked, "--any", "--json"))
            for item, hits in zip(some, want):
                self.assertEqual(item["count"], min(1, len(hits)))
                self.assertTrue({(b["t"], b["body"]) for b in item["bodies"]} <= set(hits))
            self.assertEqual([int(row["count"]) for row in self.rows("query", file, *asked, "--count")], list(map(len, want)))

    def test_nearest_equals_brute_force(self):
        boxes = make_boxes(300, 3, 31, side=16)
        file, draws = self.write("b.csv", boxes), random.Random(32)
        points = [[draws.randrange(-40, 100) / 4 for _ in range(3)] for _ in range(40)]

        def distance2(box, point):
            return sum(max(box[0][k] - point[k], 0, point[k] - box[1][k]) ** 2 for k in range(3))

        want = [min((distance2(box, point), i) for i, box in enumerate(boxes)) for point in points]
        asked = [word for point in points for word in ("--nearest", numbers(point))]
        rows = self.rows("query", file, *asked)
        self.assertEqual([int(row["body"]) for row in rows], [i for _, i in want])
        for row, (d2, _) in zip(rows, want):
            self.assertAlmostEqual(float(row["distance"]), math.sqrt(d2), places=5)
        near = self.rows("query", file, *asked, "--within", 2)
        self.assertEqual([int(row["query"]) for row in near], [q for q, (d2, _) in enumerate(want) if d2 <= 4])

    def test_queries_of_a_file_equal_those_of_the_command_line(self):
        boxes = make_boxes(200, 3, 41, side=8)
        file = self.write("b.csv", boxes)
        some = make_boxes(5, 3, 42, side=8)
        lines = {"--box": "lx,ly,lz,hx,hy,hz", "--ray": "ox,oy,oz,dx,dy,dz", "--segment": "ax,ay,az,bx,by,bz"}
        for option, header in lines.items():
            path = self.folder / "q.csv"
            path.write_text(header + "\n" + "".join(numbers(*box) + "\n" for box in some))
            asked = [word for box in some for word in (option, numbers(*box))]
            self.assertEqual(self.done("query", file, "--file", path), self.done("query", file, *asked), option)
        mixed = self.rows("query", file, "--nearest", "-1,-1,-1", "--box", "0,0,0,9,9,9", "--nearest", "9,9,9", "--count")
        self.assertEqual([row["kind"] for row in mixed], ["nearest", "box", "nearest"])
        points = self.rows("query", file, "--file", "-", stdin="x,y,z\n1,2,3\n")
        self.assertEqual(points[0]["kind"], "nearest")

    def test_numbers_may_stand_apart(self):
        file = self.write("apart.csv", make_boxes(50, 3, 6))
        self.assertEqual(self.done("query", file, "--box", "-1", "0", "-2.5", 20, 20, "inf", "--nearest", 1, 2, 3),
                         self.done("query", file, "--box", "-1,0,-2.5,20,20,inf", "--nearest", "1,2,3"))
        self.assertIn("'1,2,3,4'", self.refused(2, "query", file, "--nearest", 1, 2, 3, 4))

    def test_pictures(self):
        boxes = make_boxes(300, 3, 51, side=12)
        file, svg = self.write("b.csv", boxes), self.folder / "p.svg"
        self.done("pairs", file, "--svg", svg)
        hit = len({body for pair in self_pairs(boxes) for body in pair})
        text = "".join(xml.etree.ElementTree.parse(svg).getroot().itertext())
        self.assertIn(f"{len(self_pairs(boxes)):,} overlapping pairs of 300 boxes", text)
        self.assertIn(f"boxes alone: {300 - hit}", text)
        self.assertIn(f"boxes that touch another: {hit}", text)
        self.done("pairs", file, self.write("c.csv", boxes[:9]), "--svg", svg)
        self.assertIn("second file, alone: 0", "".join(xml.etree.ElementTree.parse(svg).getroot().itertext()))
        many = self.folder / "many.csv"
        self.done("generate", "boxes", "--count", 150000, "--seed", 2, "--out", many)
        self.done("pairs", many, "--svg", svg)
        crowded = xml.etree.ElementTree.parse(svg).getroot()
        self.assertRegex("".join(crowded.itertext()), r"the [\d,]+ boxes that the plane [xyz] = [\d.]+ cuts")
        self.assertLess(len(list(crowded.iter("{http://www.w3.org/2000/svg}path"))), 10000)
        self.done("generate", "boxes", "--set", "flat-x", "--count", 150000, "--seed", 2, "--out", many)
        self.done("pairs", many, "--svg", svg)
        self.assertLess(svg.stat().st_size, 5_000_000)
        self.assertRegex("".join(xml.etree.ElementTree.parse(svg).getroot().itertext()), r"[\d,]+ of 150,000 boxes drawn")

    def test_generated_worlds_are_repeatable(self):
        for name in ("uniform", "clustered", "mixed", "flat-x", "identical"):
            text = self.done("generate", "boxes", "--set", name, "--count", 300, "--seed", 9)
            self.assertEqual(text, self.done("generate", "boxes", "--set", name, "--count", 300, "--seed", 9))
            boxes = [([float(r[f"min{a}"]) for a in "xyz"], [float(r[f"max{a}"]) for a in "xyz"])
                     for r in csv.DictReader(io.StringIO(text))]
            (self.folder / "g.csv").write_text(text)
            self.assertEqual(self.pairs_of(self.folder / "g.csv", "--sorted"), self_pairs(boxes), name)
            other = self.done("generate", "boxes", "--set", name, "--count", 300, "--seed", 10)
            self.assertTrue(other != text or name == "identical")

    def test_empty_files(self):
        empty = self.folder / "empty.csv"
        empty.write_text("lx,ly,hx,hy\n")
        self.assertEqual(json.loads(self.done("pairs", empty, "--json", "--svg", self.folder / "e.svg"))["pairs"], 0)
        self.assertEqual(self.done("query", empty, "--nearest", "0,0", "--count"), "query,kind,count\n0,nearest,0\n")
        self.assertEqual(self.rows("query", empty, "--box=-inf,-inf,inf,inf"), [])

    def test_mistakes_are_one_sentence(self):
        bad, good = self.folder / "bad.csv", self.write("good.csv", make_boxes(5, 3, 1))
        flat = self.write("flat.csv", make_boxes(5, 2, 1))
        for row, word in (("0,0,nan,1", "'nan'"), ("0,inf,1,1", "'inf'"), ("2,0,1,1", "inverted"), ("0,0,1", "3 cells")):
            bad.write_text("lx,ly,hx,hy\n0,0,1,1\n" + row + "\n")
            for command in (("pairs", bad), ("pairs", flat, bad), ("query", bad, "--box", "0,0,1,1")):
                self.assertRegex(self.refused(1, *command), f"bad.csv:3: .*{word}")
        bad.write_text("v 0 0 0\nv 1 1\n")
        self.assertIn("bad.csv:2:", self.refused(1, "pairs", bad))
        bad.write_text("a,b\n1,2\n")
        self.assertIn("'a', 'b'", self.refused(1, "pairs", bad))
        self.assertIn("none.csv", self.refused(1, "pairs", self.folder / "none.csv"))
        self.assertIn("2D", self.refused(2, "pairs", good, flat))
        self.refused(2, "pairs", "-", "-", stdin="")
        self.refused(2, "pairs", good, "--json", "--out", "-")
        self.refused(2, "pairs", good, "--threads", "-1")
        self.refused(1, "pairs", good, "--svg", self.folder)
        self.refused(1, "pairs", good, "--out", self.folder)
        self.assertIn("lx,ly,lz,hx,hy,hz", self.refused(2, "query", good, "--box", "0,0,1,1"))
        self.assertIn("lx,ly,hx,hy", self.refused(2, "query", flat, "--box", "0,0,0,1,1,1"))
        for option, text in (("--box", "0,0,0,1,1,nan"), ("--box", "0,0,0,1,1,x"), ("--ray", "0,0,0,1,1"),
                             ("--ray", "inf,0,0,1,1,1"), ("--segment", "0,0,0,1,1,1,1"), ("--nearest", "0,0,inf"),
                             ("--nearest", "")):
            self.assertIn(option, self.refused(2, "query", good, option, text))
        self.refused(2, "query", good)
        self.refused(2, "query", good, "--box", "0,0,0,1,1,1", "--any", "--count")
        self.refused(2, "query", good, "--box", "0,0,0,1,1,1", "--first", "-1")
        self.refused(2, "query", good, "--nearest", "0,0,0", "--within", "-1")
        self.refused(2, "generate", "boxes", "--set", "round")
        self.assertRegex(self.refused(2, "paris", good), "'paris' is no command: .*pairs")
        self.assertRegex(self.refused(2, "generate", "box"), "'box' is no command: .*boxes")
        self.assertRegex(self.refused(2, "generate"), "missing: .*boxes")
        queries = self.folder / "q.csv"
        queries.write_text("x,y,z\n1,2,3\n1,nan,3\n")
        self.assertIn("q.csv:3:", self.refused(1, "query", good, "--file", queries))
        self.assertIn("3D", self.refused(2, "query", flat, "--file", self.write("q.csv", make_boxes(2, 3, 1))))

    def test_too_many_pairs_are_counted_and_an_interrupt_leaves_no_half_list(self):
        same, target = self.folder / "same.csv", self.folder / "pairs.csv"
        self.done("generate", "boxes", "--set", "identical", "--count", 20000, "--out", same)
        self.assertIn("199,990,000 overlap", self.done("pairs", same, "--check"))
        self.assertIn("--sorted", self.refused(2, "pairs", same, "--sorted"))
        before = sorted(os.listdir(self.folder))
        process = subprocess.Popen([JUXTA, "pairs", same, "--out", target], stderr=subprocess.PIPE, text=True)
        deadline = time.time() + 60
        while sorted(os.listdir(self.folder)) == before and process.poll() is None and time.time() < deadline:
            time.sleep(0.01)
        self.assertNotEqual(sorted(os.listdir(self.folder)), before, "no temporary file appeared")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        self.assertEqual(errors.count("interrupted"), 1)
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_help(self):
        for command in (("pairs",), ("query",), ("generate", "boxes")):
            self.assertIn("Usage:", self.done(*command, "--help"))


if __name__ == "__main__":
    JUXTA = sys.argv.pop(1)
    unittest.main(verbosity=1)
