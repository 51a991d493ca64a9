# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What the tests of juxta model share: small models, the command as a user runs it, one that is under way."""
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

JUXTA = sys.argv.pop(1)
SVG = "{http://www.w3.org/2000/svg}"
SMALL = {"flocking": [], "flock_3d": ["birds=400", "start=80"], "schelling": ["size=30", "agents=700"],
         "wolf_sheep": [], "forest_fire": ["size=40", "density=0.6"],
         "dam_break": ["across=8", "height=1", "tank=2", "wall=1.5"], "lennard_jones": ["cells=4"],
         "ants": [], "tissue": ["size=40"]}
DEEP = ["dimensions=3", "depth=8", "smoothing=1.2"]
ENDLESS = 1_000_000_000
SWEEP = """model = "flocking"
steps = 60
every = 20
seeds = 10
[set]
birds = 150
[vary]
radius = [5, 15]
cohere = { from = 0.01, to = 0.05, count = 3 }
"""


def juxta(*arguments, env=None, **options):
    return subprocess.run([JUXTA, "model", *map(str, arguments)], capture_output=True, text=True, timeout=250,
                          env={**os.environ, **(env or {})}, **options)


def small(model, deep=False):
    settings = SMALL[model] + (DEEP if deep else [])
    return [model, *(word for each in settings for word in ("--set", each))]


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


class ModelCase(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)

    def tearDown(self):
        self.scratch.cleanup()

    def done(self, *arguments, env=None):
        done = juxta(*arguments, env=env)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return done.stdout

    def report(self, *arguments, env=None):
        return json.loads(self.done(*arguments, "--json", env=env))

    def refused(self, code, *arguments, **options):
        done = juxta(*arguments, **options)
        self.assertEqual((done.returncode, done.stdout), (code, ""), f"{arguments}: {done.stderr}")
        self.assertTrue(done.stderr.startswith("juxta: "), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr

    def wait_for(self, process, there):
        deadline = time.time() + 120
        while not there() and process.poll() is None and time.time() < deadline:
            time.sleep(.005)
        self.assertIsNone(process.poll(), "ended before it could be interrupted")
        self.assertTrue(there())

    def start(self, *arguments):
        return subprocess.Popen([JUXTA, "model", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True)

    def sweep(self, text=SWEEP, name="sweep.toml"):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def check_curves(self, path, curves):
        root = xml.etree.ElementTree.parse(path).getroot()
        self.assertEqual((root.tag, len(list(root))), (SVG + "svg", curves))
        self.assertNotIn("nan", path.read_text(encoding="utf-8").lower())
