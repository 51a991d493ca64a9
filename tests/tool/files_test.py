#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What the juxta command must never do to a person's files, and what it says about those that it cannot read.

Usage: files_test.py JUXTA
"""
import gzip
import json
import os
import pathlib
import random
import re
import resource
import struct
import subprocess
import sys
import tempfile
import time
import unittest

JUXTA = ""
MASK = (1 << 64) - 1


def juxta(*arguments, stdin=None, **more):
    return subprocess.run([JUXTA, *map(str, arguments)], input=stdin, capture_output=True, text=True, timeout=120,
                          **more)


def rotate(word, by):
    return (word << by | word >> 64 - by) & MASK


def checksum(data):
    """docs/formats/ranked_points.md"""
    def chains(words):
        chain = [1, 2, 3, 4]
        for w, word in enumerate(words):
            chain[w % 4] = rotate((chain[w % 4] ^ word) * 0x9E3779B97F4A7C15 & MASK, 29)
        return chain
    words = struct.unpack(f"<{len(data) // 8}Q", data)
    last = chains(chains(words) + [len(words)])
    return last[0] ^ rotate(last[1], 16) ^ rotate(last[2], 32) ^ rotate(last[3], 48)


def parted(index):
    """The bytes of a saved index without its table, as RankedPoints::save() alone writes them; and the table."""
    size = struct.unpack_from("<Q", index, 80)[0]
    chunks = 0
    while 4096 + chunks * 65536 < len(index) - (chunks * 8 + 63) // 64 * 64:
        chunks += 1
    end = len(index) - (chunks * 8 + 63) // 64 * 64 - (size + 63) // 64 * 64
    head = bytearray(index[:4096])
    struct.pack_into("<QQ", head, 72, 0, 0)
    sums = b"".join(struct.pack("<Q", checksum(index[at: min(at + 65536, end)])) for at in range(4096, end, 65536))
    struct.pack_into("<Q", head, 72, checksum(bytes(head) + sums))
    return bytes(head) + index[4096:end] + sums + bytes(-len(sums) % 64), index[end: end + size]


class FilesCase(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)

    def tearDown(self):
        self.scratch.cleanup()

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def done(self, *arguments, **more):
        done = juxta(*arguments, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def refused(self, *arguments, code=2, words=(), stdin=None):
        done = juxta(*arguments, stdin=stdin)
        self.assertEqual(done.returncode, code, f"{arguments} {done.stderr}")
        self.assertEqual(done.stdout, "", arguments)
        for word in words:
            self.assertIn(word, done.stderr)
        return done.stderr


class SavedIndexTest(FilesCase):
    """Index and names belong together, whatever happens while they are written."""

    def setUp(self):
        super().setUp()
        numbers = random.Random(3)
        places = [(numbers.randrange(80), numbers.randrange(80)) for _ in range(60)]
        self.csv, self.want = [], []
        for letter in "ab":  # the same places, other ranks and names
            ranks = numbers.sample(range(60), 60)
            rows = "".join(f"{x},{y},{r},{letter}{r}\n" for (x, y), r in zip(places, ranks))
            self.csv.append(self.write(f"{letter}.csv", "x,y,rank,name\n" + rows))
            self.want.append(self.answer(self.csv[-1]))
        self.index = self.folder / "z.jxr"

    def answer(self, file):
        return self.done("top", file, "--rect=0,0,100,100", "-k", 9, "--format", "csv")

    def test_a_failed_write_leaves_the_old_index_with_its_names(self):
        self.done("index", self.csv[0], "-o", self.index)
        before = sorted(os.listdir(self.folder))
        size = self.index.stat().st_size
        for limit in (0, 2048, size - 64):
            done = juxta("index", self.csv[1], "-o", self.index,
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("cannot write", done.stderr)
            self.assertEqual(self.answer(self.index), self.want[0])
            self.assertEqual(sorted(os.listdir(self.folder)), before)
        self.done("index", self.csv[1], "-o", self.index)
        self.assertEqual(self.answer(self.index), self.want[1])

    def test_a_kill_at_any_time_leaves_one_of_the_two(self):
        self.done("index", self.csv[0], "-o", self.index)
        started = time.perf_counter()
        self.done("index", self.csv[1], "-o", self.index)
        usual = time.perf_counter() - started
        self.assertEqual(self.answer(self.index), self.want[1])
        numbers = random.Random(5)
        killed = 0
        for i in range(25):
            process = subprocess.Popen([JUXTA, "index", self.csv[i % 2], "-o", self.index])
            time.sleep(usual * numbers.random() * 1.2)
            process.kill()
            killed += process.wait() != 0
            self.assertIn(self.answer(self.index), self.want)
        self.assertGreater(killed, 5)

    def test_a_table_of_another_index_is_refused(self):
        saved = []
        for csv in self.csv:
            self.done("index", csv, "-o", self.index)
            saved.append(self.index.read_bytes())
        (bare, _), (_, table) = parted(saved[0]), parted(saved[1])
        size = struct.unpack_from("<Q", saved[0], 80)[0]
        self.assertEqual(size, len(table))
        at = saved[0].index(parted(saved[0])[1])
        mixed = saved[0][:at] + table + saved[0][at + size:]
        self.assertNotEqual(mixed, saved[0])
        self.index.write_bytes(mixed)
        self.refused("top", self.index, "--rect=0,0,9,9", code=1, words=["checksum", "build"])

        self.index.write_bytes(bare)  # as a program saves it: row numbers alone
        self.assertEqual(self.answer(self.index),
                         "place,index\n" + "".join(",".join(row.split(",")[:2]) + "\n"
                                                   for row in self.want[0].splitlines()[1:]))
        self.refused("top", self.index, "--rect=0,0,9,9", "--svg", self.folder / "m.svg", words=["no table"])
        both = self.done("top", self.index, "--rect=9,0,0,9", "--geographic", "-k=1000000", "--format=csv")
        self.assertEqual(len(both.splitlines()) - 1, int(self.done("count", self.index, "--rect=9,0,0,9", "--geographic")))
        self.refused("index", self.index, "-o", self.folder / "y.jxr", words=["already"])

        self.write("z.jxr.table", table)  # as an earlier version kept it, and nothing tells whose it is
        self.refused("top", self.index, "--rect=0,0,9,9", code=1, words=["earlier version", "z.jxr.table", "build"])


class SameFileTest(FilesCase):
    """No output is an input, or another output, under whatever name."""

    CSV = "x,y,rank,name\n1,2,3,A\n4,5,6,B\n"
    BOXES = "minx,miny,maxx,maxy\n0,0,2,2\n1,1,3,3\n"
    OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 3 4\n"

    def gltf(self):
        data = struct.pack("<9f3H", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 2) + b"\0\0"
        self.write("my buffer.bin", data)
        return self.write("scene.gltf", json.dumps({
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0, "name": "n"}],
            "buffers": [{"byteLength": len(data), "uri": "my%20buffer.bin"}],
            "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 6}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                           "min": [0, 0, 0], "max": [1, 1, 0]},
                          {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}]}))

    def other_names(self, path):
        """The same file by other names: spelt otherwise, through links to it and to its folder, hard-linked."""
        number = len(list(self.folder.iterdir()))
        symlink, hard, around = (self.folder / f"{kind}{number}" for kind in ("symlink", "hard", "around"))
        symlink.symlink_to(path)
        os.link(path, hard)
        around.symlink_to(path.parent)
        return [path, f"{path.parent}/./{path.name}", f"{path.parent}/../{path.parent.name}/{path.name}", symlink, hard,
                around / path.name]

    def test_no_subcommand_overwrites_its_input(self):
        points, boxes, mesh = self.write("p.csv", self.CSV), self.write("b.csv", self.BOXES), self.write("r.obj", self.OBJ)
        second, gltf = self.write("c.csv", self.BOXES), self.gltf()
        buffer = self.folder / "my buffer.bin"
        battle = self.write("s.toml", 'preset = "skirmish"\n')
        rect = ("--rect", "0,0,9,9")
        cases = {
            "top": [(points, lambda out: ("top", points, *rect, "--svg", out))],
            "index": [(points, lambda out: ("index", points, "-o", out))],
            "points": [(points, lambda out: ("points", "insert", out, points))],
            "pairs": [(boxes, lambda out: ("pairs", boxes, "--out", out)),
                      (boxes, lambda out: ("pairs", boxes, "--svg", out)),
                      (second, lambda out: ("pairs", boxes, second, "-o", out)),
                      (buffer, lambda out: ("pairs", gltf, "--svg", out))],
            "render": [(mesh, lambda out: ("render", mesh, out)), (buffer, lambda out: ("render", gltf, out))],
            "scene": [(file, lambda out, option=option: ("scene", gltf, option, out))
                      for option in ("--csv", "--json", "--svg") for file in (gltf, buffer)],
            "sector": [(battle, lambda out: ("sector", battle, "--ticks", 1, "--trace", out))],
        }
        for commands in cases.values():
            for victim, command in commands:
                before = victim.read_bytes()
                for name in self.other_names(victim):
                    self.refused(*command(name), words=["same file", str(name)])
                    self.assertEqual(victim.read_bytes(), before)
        here = juxta("top", "p.csv", *rect, "--svg", points, cwd=self.folder)
        self.assertEqual(here.returncode, 2, here.stderr)
        with open(points, encoding="utf-8") as piped:
            done = subprocess.run([JUXTA, "index", "-", "-o", points], stdin=piped, capture_output=True, text=True,
                                  timeout=60)
        self.assertEqual((done.returncode, points.read_text()), (2, self.CSV), done.stderr)
        covered = {*cases, "demo", "model", "flock", "generate",  # below
                   "count", "query", "ray", "distance", "replay", "isa", "view"}  # they write no file
        listed = set(re.findall(r"^  (\w+)\s{2,}", self.done("--help").split("Subcommands:")[1], re.MULTILINE))
        self.assertEqual(listed, covered)

    def test_no_folder_of_results_overwrites_an_input(self):
        points = self.write("p.csv", self.CSV)
        out = self.folder / "out"
        out.mkdir()
        (out / "p_map.svg").symlink_to(points)
        self.refused("demo", points, "--queries", 3, "--out", out, words=["same file"])
        sweep = 'model = "schelling"\nsteps = 1\nseeds = 1\n'
        for name in ("sweep.csv", "sweep.svg", "sweep.journal"):
            file = self.write(f"out/{name}", sweep)
            self.refused("model", "--sweep", file, "--out", out, words=["same file"])
            self.assertEqual(file.read_text(), sweep)
            file.unlink()
        run = self.folder / "run"
        again = ("--steps", 2, "--out", run)
        self.done("model", "schelling", "--steps", 1, "--checkpoint", 1, "--out", run)
        for name in ("steps.csv", "steps.svg", "schelling.png"):
            (run / name).unlink()
            os.link(run / "checkpoint.jxr", run / name)
            self.refused("model", "--resume", run / name, *again, words=["same file"])
            (run / name).unlink()
        self.done("model", "--resume", run / "checkpoint.jxr", "--checkpoint", 1, *again)  # it goes on in place
        battle = self.write("out/report.html", 'preset = "skirmish"\n')
        self.refused("sector", battle, "--ticks", 1, "--out", out, words=["same file"])

    def test_two_outputs_are_two_files(self):
        boxes, gltf = self.write("b.csv", self.BOXES), self.gltf()
        one = self.folder / "one"
        for there in (False, True):
            if there:
                one.write_text("old")
            other = [f"{self.folder}/./one", self.folder / "link"]
            if not there:
                (self.folder / "link").symlink_to("one")
            for name in other:
                self.refused("pairs", boxes, "--out", one, "--svg", name, words=["same file", "--svg"])
                self.refused("scene", gltf, "--csv", name, "--svg", one, words=["same file", "--csv"])
                self.refused("generate", "contest", "--points", 9, "-o", one, "--queries", name, words=["same file"])
            self.assertEqual(one.exists(), there)
        self.refused("flock", "--agents", 9, "--steps", 1, "--out", self.folder, "--boids", self.folder / "order.csv",
                     code=2, words=["same file"])
        self.refused("sector", "skirmish", "--ticks", 1, "--out", self.folder, "--trace", self.folder / "report.html",
                     words=["same file"])

    def test_devices_and_other_files_are_no_obstacle(self):
        points = self.write("p.csv", self.CSV)
        self.done("top", points, "--rect", "0,0,9,9", "--svg", "/dev/null")
        self.done("pairs", self.write("b.csv", self.BOXES), "--out", "/dev/null", "--svg", "/dev/null")
        copy = self.write("q.csv", self.CSV)
        self.done("index", points, "-o", copy)
        self.assertEqual(points.read_text(), self.CSV)


class ReadingTest(FilesCase):
    """What is left out, and what is said about files that are something else."""

    def test_skip_bad_tells_what_it_left_out(self):
        rows = "".join(f"{i},{i},{'nan' if i % 3 == 0 else i}\n" for i in range(30))
        file = self.write("p.csv", "x,y,rank\n" + rows)
        rect = ("--rect", "0,0,99,99")
        self.refused("top", file, *rect, code=1, words=["p.csv:2:"])
        for command in (("top", "--format", "csv", *rect), ("count", *rect), ("index", "-o", self.folder / "z.jxr"),
                        ("demo", "--queries", 3, "--out", self.folder)):
            done = juxta(command[0], file, *command[1:], "--skip-bad")
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = done.stderr.splitlines()
            self.assertEqual(len(lines), 6, done.stderr)
            self.assertIn("p.csv:2: 'nan' in column 3 (rank)", lines[0])
            self.assertIn("p.csv:14:", lines[4])
            self.assertIn("left out 10", lines[5])
        self.assertEqual(self.done("count", self.folder / "z.jxr", *rect), "20\n")
        self.refused("count", self.write("q.csv", "x,y\n1,a\n"), *rect, "--skip-bad", code=1, words=["q.csv:2"])
        feature = '{"type":"Feature","geometry":%s,"properties":{"rank":1}}'
        text = "\n".join(feature % g for g in ('{"type":"Point","coordinates":[1,2]}', "null",
                                                '{"type":"Point","coordinates":["a",1,2]}')) + "\n{oops\n"
        file = self.write("p.geojsonl", text)
        self.refused("count", file, *rect, code=1, words=["feature 3", "'a'"])
        done = juxta("count", file, *rect, "--skip-bad")
        self.assertEqual((done.returncode, done.stdout), (0, "1\n"))
        for words in ("feature 3 has 'a'", "p.geojsonl:4:", "left out 2", "left out 1 feature without a place"):
            self.assertIn(words, done.stderr)

    def test_skip_bad_leaves_out_boxes(self):
        file = self.write("b.csv", 'name,lx,ly,hx,hy\na,0,0,1,1\nb,nan,0,1,1\nc,3,3,2,2\nd,1,1\ne,1,1,4,4\n"f,1,1,2,2\n')
        self.refused("pairs", file, code=1, words=["b.csv:3: 'nan' in column 2 (lx)"])
        for command in (("pairs", file, "--out", "-"), ("query", file, "--box", "1,1,1,1")):
            done = juxta(*command, "--skip-bad")
            self.assertEqual(done.returncode, 0, done.stderr)
            for words in ("b.csv:3: 'nan'", "b.csv:4: the box is inverted", "b.csv:5: the row has 3 cells", "b.csv:7:",
                          "left out 4 that cannot be read; 2 boxes, numbered without them, are left"):
                self.assertIn(words, done.stderr)
            self.assertIn("0,1,a,e" if command[0] == "pairs" else "0,box,1,e", done.stdout)
        self.refused("pairs", self.write("n.csv", "lx,ly,hx,hy\n1,1,0,0\n"), "--skip-bad", code=1, words=["n.csv:2"])

    def test_other_kinds_of_files_are_named(self):
        text = "x,y,rank\n1,2,3\n"
        boxes = "minx,miny,maxx,maxy\n1,2,3,4\n"
        for name, make, words in (("utf16.csv", lambda t: t.encode("utf-16"), ["UTF-16", "save it as UTF-8"]),
                                  ("bare.csv", lambda t: t.encode("utf-16-le"), ["UTF-16"]),
                                  ("table.csv.gz", lambda t: gzip.compress(t.encode()), ["gzip", "gunzip"]),
                                  ("a.out", lambda t: b"\x7fELF\x02\x01\x01\0\0\0\0\0\0", ["binary"])):
            file = self.write(name, make(text))
            for command in ("top", "count"):
                self.refused(command, file, "--rect=0,0,1,1", code=1, words=[name, *words])
            self.refused("index", file, "-o", self.folder / "z.jxr", code=1, words=words)
            file = self.write(name, make(boxes))
            self.refused("pairs", file, code=1, words=[name, *words])
            self.refused("query", file, "--box=0,0,1,1", code=1, words=[name, *words])
            self.refused("render", file, self.folder / "r.png", code=1, words=[name, *words])

    def test_rectangles_across_the_antimeridian(self):
        numbers = random.Random(8)
        rows = [(numbers.randrange(-180, 181, 5), numbers.randrange(-90, 91, 10), numbers.randrange(30))
                for _ in range(2000)]
        lines = "".join(f"{y},{x},{r}\n" for x, y, r in rows)
        named = {title: self.write(f"{title}.csv", f"lat,lon,{title}\n{lines}") for title in ("rank", "population")}
        index = self.folder / "rank.jxr"
        self.done("index", named["rank"], "-o", index)
        features = [{"type": "Feature", "geometry": {"type": "Point", "coordinates": [x, y]}, "properties": {"rank": r}}
                    for x, y, r in rows]
        geojson = self.write("rank.geojson", json.dumps({"type": "FeatureCollection", "features": features}))
        plain = self.write("plain.csv", f"y,x,rank\n{lines}")
        for lx, ly, hx, hy in ((170, -90, -170, 90), (180, -10, -180, 50), (20, -90, -20, 90), (175, 3, 160, 4)):
            inside = [i for i, (x, y, r) in enumerate(rows) if (x >= lx or x <= hx) and ly <= y <= hy]
            rect = f"--rect={lx},{ly},{hx},{hy}"
            for file, sign, more in ((named["rank"], 1, ()), (named["population"], -1, ()), (index, 1, ()),
                                     (geojson, 1, ()), (plain, 1, ("--geographic",))):
                self.assertEqual(self.done("count", file, rect, *more), f"{len(inside)}\n")
                for k in (7, 3000):
                    want = sorted(inside, key=lambda i: (sign * rows[i][2], i))[:k]
                    got = json.loads(self.done("top", file, rect, f"-k={k}", "--format", "json", *more))
                    self.assertEqual([point["index"] for point in got], want, (file, rect, k))
        svg = self.folder / "map.svg"
        self.done("top", index, "--rect=170,-90,-170,90", "--svg", svg)
        self.assertIn("<svg", svg.read_text())
        for command in ("top", "count"):
            self.refused(command, plain, "--rect=170,0,-170,9", words=["lx 170", "hx -170", "--geographic"])
            self.refused(command, geojson, "--rect=0,9,1,8", words=["ly 9", "hy 8"])
            self.refused(command, geojson, "--rect=200,0,-170,9", words=["from -180 to 180"])
            far = self.write("far.csv", "lon,lat,rank\n1,1,1\n300,2,2\n")
            self.refused(command, far, "--rect=170,0,-170,9", words=["300"])

    def test_short_options_take_an_equals_sign(self):
        file, index = self.write("p.csv", "x,y,rank\n1,2,3\n1,2,4\n"), self.folder / "z.jxr"
        self.assertEqual(self.done("top", file, "--rect=0,0,9,9", "-k=1", "--format=csv").count("\n"), 2)
        self.done("index", file, f"-o={index}")
        self.assertEqual(self.done("count", index, "--rect=0,0,9,9"), "2\n")
        self.assertEqual(self.done("generate", "contest", "--points", 3, "-o=-").count("\n"), 4)
        self.refused("top", file, "--rect=0,0,9,9", "-k=")
        self.refused("top", file, "--rect=0,0,9,9", "-k=-1")

    def test_meshes_that_touch_are_at_distance_zero(self):
        rock = self.folder / "r.obj"
        self.done("generate", "mesh", "--triangles", 200, "-o", rock)
        cube = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1))
        cube += "f 1 2 4\nf 1 4 3\nf 5 7 8\nf 5 8 6\nf 1 5 6\nf 1 6 2\nf 3 4 8\nf 3 8 7\nf 1 3 7\nf 1 7 5\nf 2 6 8\nf 2 8 4\n"
        cube = self.write("cube.obj", cube)
        for mesh, shift in ((rock, "0,0,0"), (cube, "0,0,0"), (cube, "1,0,0"), (cube, "1,1,1"), (cube, "0.3,-1,0.2")):
            told = self.done("distance", mesh, mesh, "--shift", shift, "--json")
            self.assertEqual(str(json.loads(told)["distance"]), "0.0", f"{mesh} {shift}")
            self.assertIn("distance  0 (they touch)", self.done("distance", mesh, mesh, "--shift", shift))
        for shift, want in (("1.25,0,0", 0.25), ("1.000001,0,0", 9.536743e-07)):
            told = json.loads(self.done("distance", cube, cube, "--shift", shift, "--json"))
            self.assertAlmostEqual(told["distance"], want, delta=1e-12)


if __name__ == "__main__":
    JUXTA = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=1)
