#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Runs the installed juxta.exe as somebody does who has nothing else: files with any letter, pipes, exit codes.

Usage: windows_test.py JUXTA.EXE [JUXTA]

Under Wine, or on Windows itself. JUXTA: the command of this machine, whose output must have the same bytes.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

EXE, OWN = "", ""
PREFIX = [] if sys.platform == "win32" else ["wine"]
NAME = "água – 水 🚀.csv"


def run(*arguments, program=None, stdin=None, folder=None):
    command = [program] if program else [*PREFIX, EXE]
    return subprocess.run([*command, *map(str, arguments)], input=stdin, capture_output=True, timeout=300, cwd=folder)


class WindowsTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def here(self, *arguments, **options):
        return run(*arguments, folder=self.folder, **options)

    def done(self, *arguments, **options):
        result = self.here(*arguments, **options)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return result.stdout

    def test_starts(self):
        self.assertRegex(self.done("--version"), rb"^juxta [0-9.]+\n\Z")
        self.assertIn(b"sse4", self.done("isa"))

    def test_bytes_are_as_they_were_printed(self):
        points = self.done("generate", "contest", "--points", 2000)
        self.assertEqual(points.count(b"\n"), 2001)
        self.assertEqual(points.count(b"\r"), 0)

    def test_files_have_any_letter(self):
        self.done("generate", "contest", "--points", 3000, "-o", NAME)
        self.assertEqual([p.name for p in self.folder.iterdir()], [NAME])
        question = ("--rect=-1e9,-1e9,1e9,1e9", "-k", 5, "--format", "csv")
        direct = self.done("top", NAME, *question)
        self.assertEqual(direct.count(b"\n"), 6)
        self.assertEqual(self.done("top", self.folder / NAME, *question), direct)  # "/tmp/x" is no option
        self.done("index", NAME, "-o", "índice.jxr")
        self.assertEqual(self.done("top", "índice.jxr", *question).count(b"\n"), 6)
        self.assertEqual(self.done("top", "-", *question, stdin=(self.folder / NAME).read_bytes()), direct)
        self.done("index", NAME, "-o", "índice.jxr")  # replaced, nothing left beside it
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), sorted([NAME, "índice.jxr"]))

    def test_errors_are_sentences_and_codes(self):
        missing = self.here("top", "não é.csv", "--rect", "0,0,1,1")
        self.assertEqual(missing.returncode, 1)
        self.assertIn("não é.csv", missing.stderr.decode())
        self.assertEqual(self.here("nonsense").returncode, 2)
        into = self.here("generate", "contest", "--points", 10, "-o", "no/such/file.csv")
        self.assertEqual(into.returncode, 1)

    def test_what_is_missing_in_this_build_is_said(self):
        shown = self.here("view", "flock")
        self.assertNotEqual(shown.returncode, 0)
        recorded = self.here("sector", "skirmish", "--ticks", 20, "--record", 10, "--out", "battle")
        if recorded.returncode != 0:
            self.assertIn(b"HDF5", recorded.stderr)

    def test_models_and_battles_run(self):
        self.done("model", "schelling", "--steps", 20, "--out", "ghetto")
        self.assertTrue((self.folder / "ghetto").is_dir())
        self.done("sector", "skirmish", "--ticks", 100, "--headless", "--checkpoint", 50, "--out", "battle")
        again = self.done("sector", "--resume", "battle/checkpoint", "--ticks", 150, "--headless", "--json")
        self.assertIn(b"{", again)

    def test_same_bytes_as_this_machine(self):
        if not OWN:
            self.skipTest("no command of this machine was given")
        for name, program in (("wine", None), ("own", OWN)):
            folder = self.folder / name
            folder.mkdir()

            def call(*arguments):
                result = run(*arguments, program=program, folder=folder)
                self.assertEqual(result.returncode, 0, result.stderr.decode())
                (folder / (arguments[0] + ".txt")).write_bytes(result.stdout)

            call("generate", "contest", "--points", 20000, "-o", "points.csv")
            call("index", "points.csv", "-o", "points.jxr")
            call("top", "points.csv", "--rect=-1e9,-1e9,1e9,1e9", "-k", 100, "--svg", "map.svg")
            call("generate", "boxes", "--set", "clustered", "--count", 2000, "--out", "boxes.csv")
            call("pairs", "boxes.csv", "--svg", "boxes.svg", "-o", "pairs.csv")
            call("model", "schelling", "--steps", 50, "--seed", 3, "--out", "schelling")
            call("model", "dam_break", "--steps", 20, "--out", "dam")
            call("flock", "--agents", 3000, "--steps", 60, "--out", "flock")
            call("sector", "skirmish", "--ticks", 200, "--headless", "--checkpoint", 100, "--out", "battle")
        names = sorted(p.relative_to(self.folder / "own") for p in (self.folder / "own").rglob("*") if p.is_file())
        names = [name for name in names if name.suffix != ".png"]  # not in a build without libpng
        self.assertGreater(len(names), 12)
        for name in names:
            both = [(self.folder / where / name).read_bytes() for where in ("wine", "own")]
            if name.suffix not in (".txt", ".html", ".json"):  # which tell times, and names of programs
                self.assertEqual(both[0] == both[1], True, name)
        states = [re.findall(rb"state +([0-9a-f]{16})", (self.folder / where / "flock.txt").read_bytes())
                  for where in ("wine", "own")]
        self.assertEqual(states[0], states[1])
        self.assertEqual(len(states[0]), 1)


if __name__ == "__main__":
    EXE = str(pathlib.Path(sys.argv[1]).resolve())
    OWN = str(pathlib.Path(sys.argv[2]).resolve()) if len(sys.argv) > 2 else ""
    unittest.main(argv=[sys.argv[0]], verbosity=1)
