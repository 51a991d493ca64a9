#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Filters of juxta top, count and points: by categories and by ranges of numbers, against a scan of all rows.

Usage: filter_test.py JUXTA
"""
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

from files_test import parted

JUXTA = sys.argv.pop(1)
KINDS = ["cafe", "bar", "fast food", "kiosk", "Bakery"]


def juxta(*arguments, given=None):
    return subprocess.run([JUXTA, *map(str, arguments)], input=given, capture_output=True, text=True, timeout=120)


def rows_of(rng, count):
    return [{"x": rng.randrange(100), "y": rng.randrange(100), "rank": rng.randrange(1000),
             "price": rng.choice([None, rng.randrange(50), rng.randrange(-9, 50) + 0.5]), "size": rng.randrange(9),
             "kind": rng.sample(KINDS, rng.randrange(3))} for _ in range(count)]


def csv_of(rows):
    return "x,y,rank,Price,size,kind,name\n" + "".join(
        f"{r['x']},{r['y']},{r['rank']},{'' if r['price'] is None else r['price']},{r['size']},"
        f"{';'.join(r['kind'])},n{i}\n" for i, r in enumerate(rows))


class FilterTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.rows = rows_of(random.Random(7), 4000)
        self.csv, self.index = self.folder / "p.csv", self.folder / "p.jxr"
        self.csv.write_text(csv_of(self.rows), encoding="utf-8")
        self.done("index", self.csv, "--values", "price,size", "--categories", "kind", "-o", self.index)

    def done(self, *arguments, **more):
        run = juxta(*arguments, **more)
        self.assertEqual((run.returncode, run.stderr), (0, ""), arguments)
        return run.stdout

    def refused(self, *arguments, code=2, words=(), **more):
        run = juxta(*arguments, **more)
        self.assertEqual((run.returncode, run.stdout), (code, ""), arguments)
        for word in words:
            self.assertIn(word, run.stderr)

    def check(self, passes, *options):
        """Of the index and of the CSV."""
        inside = [i for i, r in enumerate(self.rows) if 10 <= r["x"] <= 80 and 5 <= r["y"] <= 90 and passes(r)]
        best = sorted(inside, key=lambda i: (self.rows[i]["rank"], i))[:15]
        for file in ([self.index], [self.csv, "--values", "price,size", "--categories", "kind"]):
            asked = [*file, "--rect=10,5,80,90", *options]
            self.assertEqual(self.done("count", *asked), f"{len(inside)}\n")
            lines = self.done("top", *asked, "-k", "15", "--format", "csv").splitlines()[1:]
            self.assertEqual([int(line.split(",")[1]) for line in lines], best)
            self.assertEqual([line.split(",")[2] for line in lines], [f"n{i}" for i in best])
        self.assertGreater(len(inside), 10)
        self.assertLess(len(inside), 2500)

    def test_categories(self):
        self.check(lambda r: "bar" in r["kind"], "--any", "bar")
        self.check(lambda r: {"bar", "fast food"} & set(r["kind"]), "--any", "bar, fast food")
        self.check(lambda r: {"bar", "Bakery"} <= set(r["kind"]), "--all", "bar,bakery")  # any case of letters
        self.check(lambda r: not {"kiosk", "cafe"} & set(r["kind"]), "--none=kiosk,cafe")
        self.check(lambda r: "cafe" in r["kind"] and not {"kiosk", "bar"} & set(r["kind"]),
                   "--any", "cafe,bar", "--all", "cafe", "--none", "kiosk,bar")

    def test_ranges(self):
        inside = lambda r, least, most: r["price"] is not None and least <= r["price"] <= most
        self.check(lambda r: inside(r, 10, 20), "--range", "Price:10..20")
        self.check(lambda r: inside(r, 10.25, 20), "--range=price:10.25..20")
        self.check(lambda r: inside(r, -99, -1), "--range", "price:..-1")
        self.check(lambda r: inside(r, 40, 99), "--range", "1:40..")
        self.check(lambda r: inside(r, 7, 7), "--range", "price:7..7")
        self.check(lambda r: inside(r, 0, 30) and r["size"] <= 3, "--range", "size:..3", "--range", "price:0..30")
        self.check(lambda r: inside(r, 0, 30) and "bar" in r["kind"], "--any", "bar", "--range", "2:..inf",
                   "--range", "price:0..30")

    def test_a_text_needs_no_values(self):
        """A range names its column: --values is for an index."""
        want = self.done("count", self.index, "--rect=0,0,50,50", "--range", "size:2..4", "--range", "price:..9")
        for columns in (["--range", "size:2..4", "--range", "Price:..9"], ["--range", "5:2..4", "--range", "4:..9"]):
            self.assertEqual(self.done("count", self.csv, "--rect=0,0,50,50", *columns), want)
        self.assertNotEqual(want, self.done("count", self.index, "--rect=0,0,50,50", "--range", "size:2..4"))

    def test_numbers_are_bits(self):
        rng = random.Random(3)
        kinds = [rng.sample([0, 3, 5, 63], rng.randrange(3)) for _ in range(900)]
        text = "x,y,rank,kind\n" + "".join(f"{i % 30},{i // 30},{i},{'|'.join(map(str, k))}\n"
                                           for i, k in enumerate(kinds))
        index = self.folder / "n.jxr"
        self.done("index", "-", "--categories", "4", "-o", index, given=text)
        want = sum(bool({3, 63} & set(k)) and 5 not in k for k in kinds)
        self.assertGreater(want, 50)
        asked = ["--rect=0,0,99,99", "--any", "3,63", "--none", "5"]
        self.assertEqual(self.done("count", index, *asked), f"{want}\n")
        # Without a table there are no names, and numbers are bits all the same.
        index.write_bytes(parted(index.read_bytes())[0])
        self.assertEqual(self.done("count", index, *asked), f"{want}\n")
        self.refused("count", index, "--rect=0,0,99,99", "--any", "64", words=["'64'", "0 to 63"])

    def test_live_points(self):
        live = self.folder / "live.jxr"
        text = "x,y,rank,kind\n1,1,1,3\n2,2,2,3;5\n3,3,3,\n4,4,4,5\n"
        ids = self.done("points", "insert", live, "-", "--categories", "kind", given=text).split()
        ids += self.done("points", "insert", live, "-", "--categories", "kind", given=text).split()
        ask = lambda *options: [line.split(",") for line in
                                self.done("points", "top", live, "--rect=0,0,9,9", *options).splitlines()[1:]]
        self.assertEqual([row[0] for row in ask("--any", "3")], [ids[i] for i in (0, 4, 1, 5)])
        self.assertEqual([row[4] for row in ask("--all", "3,5")], ["40", "40"])
        self.assertEqual([row[0] for row in ask("--none", "3,5")], [ids[2], ids[6]])
        self.refused("points", "top", live, "--rect=0,0,9,9", "--any", "bar", words=["'bar'", "0 to 63"])
        before = live.read_bytes()
        self.refused("points", "insert", live, "-", "--categories", "kind", given="x,y,rank,kind\n1,1,1,bar\n",
                     words=["'bar'", "0 to 63"])
        self.assertEqual(live.read_bytes(), before)

    def test_refusals(self):
        rect = "--rect=0,0,9,9"
        for words, options in [
                (["--any", "'pub'", "'cafe'", "'Bakery'"], ["--any", "pub"]),
                (["--all", "''"], ["--all", "bar,"]), (["--none", "'3'"], ["--none", "3"]),
                (["'cost'", "'Price'", "'size'"], ["--range", "cost:1..2"]),
                (["'3'", "'Price'"], ["--range", "3:1..2"]), (["'0'"], ["--range", "0:1..2"]),
                (["price:10..20"], ["--range", "price"]), (["price:10..20"], ["--range", "price:7"]),
                (["price:10..20"], ["--range", ":1..2"]), (["price:10..20"], ["--range", "1..2"]),
                (["no number"], ["--range", "price:x..2"]), (["no number"], ["--range", "price:1..2,5"]),
                (["no number"], ["--range", "price:nan..2"]), (["inverted"], ["--range", "price:2..1"]),
                (["inverted"], ["--range", "price:9007199254740993..9007199254740992"]),
                (["two ranges"], ["--range", "price:1..2", "--range", "1:3..4"]),
                (["saved index", "--values"], ["--values", "price"]),
                (["saved index", "--categories"], ["--categories", "kind"])]:
            for command in ("top", "count"):
                self.refused(command, self.index, rect, *options, words=words)
        plain = self.folder / "plain.jxr"
        self.done("index", self.csv, "-o", plain)
        self.refused("top", plain, rect, "--any", "bar", words=["no categories", "--categories", "index"])
        self.refused("count", plain, rect, "--range", "price:1..2", words=["'price'", "--values"])
        self.refused("count", self.csv, rect, "--any", "bar", words=["no categories", "--categories"])
        self.refused("count", self.csv, rect, "--range", "cost:1..2", code=1, words=["'cost'", "'Price'"])
        self.refused("count", self.csv, rect, "--range", "kind:1..2", code=1, words=["p.csv:", "(kind)", "number"])
        self.refused("index", self.csv, "--values", "price,size,x", "-o", plain, words=["two"])
        self.refused("count", self.index, rect, "--any", "bar", "--heat", self.folder / "h.png", words=["--heat"])
        many = "x,y,rank,kind\n" + "".join(f"1,2,3,k{i}\n" for i in range(70))
        self.refused("index", "-", "--categories", "kind", "-o", plain, given=many, code=1, words=["66", "'k64'", "64"])
        point = '{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"rank":1}}'
        self.refused("count", "-", rect, "--range", "rank:1..2", given=point, words=["GeoJSON", "CSV"])

    def test_a_map_and_a_damaged_index(self):
        self.done("top", self.index, "--rect=0,0,50,50", "--any", "bar", "--svg", self.folder / "map.svg")
        self.assertIn("that pass the filter", (self.folder / "map.svg").read_text(encoding="utf-8"))
        good = self.index.read_bytes()
        at = good.rindex(b"fast food")
        self.index.write_bytes(good[:at] + b"slow" + good[at + 4:])
        for category in ("slow food", "fast food", "bar"):
            self.refused("count", self.index, "--rect=0,0,50,50", "--any", category, code=1, words=["p.jxr"])


if __name__ == "__main__":
    unittest.main()
