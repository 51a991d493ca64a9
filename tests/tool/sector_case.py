# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What the tests of juxta sector and juxta replay share: the commands as a user runs them."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

JUXTA = sys.argv.pop(1)
STAGES = ["spawn", "steer", "radar", "move", "fire", "hit", "damage"]
ENDLESS = 1_000_000_000


def juxta(*arguments, **options):
    return subprocess.run([JUXTA, *map(str, arguments)], capture_output=True, text=True, timeout=250, **options)


class SectorCase(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        self.out = self.folder / "out"

    def tearDown(self):
        self.scratch.cleanup()

    def done(self, *arguments):
        done = juxta(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return done.stdout

    def battle(self, *arguments):
        return json.loads(self.done("sector", *arguments, "--json"))

    def refused(self, code, *arguments):
        done = juxta(*arguments)
        self.assertEqual((done.returncode, done.stdout), (code, ""), f"{arguments}: {done.stderr}")
        self.assertTrue(done.stderr.startswith("juxta: "), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr

    def start(self, *arguments, **options):
        return subprocess.Popen([JUXTA, "sector", *map(str, arguments)], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, **options)

    def wait_for(self, process, there):
        deadline = time.time() + 120
        while not there() and process.poll() is None and time.time() < deadline:
            time.sleep(.005)
        self.assertIsNone(process.poll(), "ended before it could be interrupted")
        self.assertTrue(there())

    def listing(self):
        return sorted(os.listdir(self.out))
