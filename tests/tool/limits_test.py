#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Runs every subcommand of juxta where the system has limits: a full disk or nobody behind its output, few CPUs, little
memory; and with numbers that are none.

Usage: limits_test.py JUXTA
"""
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import unittest

JUXTA = sys.argv.pop(1)
TRIANGLE = '{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"root"}]}'


def juxta(*arguments, stdout=subprocess.PIPE, **options):
    return subprocess.run([JUXTA, *map(str, arguments)], stdout=stdout, stderr=subprocess.PIPE, text=True, timeout=120,
                          **options)


def subcommands(*of):
    """What --help lists, so that a new one cannot be forgotten here."""
    text = juxta(*of, "--help").stdout
    return re.findall(r"(?m)^  ([a-z]+) ", text[text.index("Subcommands:"):])


class LimitsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        folder = cls.folder = pathlib.Path(cls.scratch.name)
        (folder / "p.csv").write_text("x,y,rank\n1,2,3\n2,3,4\n5,6,7\n", encoding="utf-8")
        (folder / "b.csv").write_text("minx,miny,minz,maxx,maxy,maxz\n0,0,0,1,1,1\n0,0,0,2,2,2\n", encoding="utf-8")
        (folder / "s.gltf").write_text(TRIANGLE, encoding="utf-8")
        for made in (["generate", "mesh", "--triangles", 8, "-o", folder / "m.obj"],
                     ["sector", "skirmish", "--ticks", 2, "--headless", "--out", folder / "battle"]):
            assert juxta(*made).returncode == 0
        assert juxta("points", "insert", folder / "live.jxr", folder / "p.csv").returncode == 0
        live = cls.live = folder / "live.jxr"
        p, b, m = folder / "p.csv", folder / "b.csv", folder / "m.obj"
        cls.commands = {
            "top": [[p, "--rect=0,0,9,9"]], "count": [[p, "--rect=0,0,9,9"]],
            "points": [["top", live, "--rect=0,0,9,9"], ["log", live], ["insert", live, p]], "pairs": [[b], [b, "--out", "-"]],
            "query": [[b, "--box=0,0,0,1,1,1"]], "ray": [[m, "--from=0,0,-9", "--to=0,0,9"]],
            "distance": [[m, m, "--shift=9,0,0"]], "render": [[m, folder / "r.png", "--size", "8x8"]],
            "scene": [[folder / "s.gltf"]], "flock": [["--agents", 50, "--steps", 2]],
            "model": [["--list"], ["flocking", "--steps", 2], ["flocking", "--steps", 2, "--json"]],
            "sector": [["skirmish", "--ticks", 2, "--headless"], ["skirmish", "--ticks", 2, "--json"]],
            "replay": [[folder / "battle" / "battle.replay"]],
            "view": [["flock", "--agents", 5, "--port", 0, "--no-browser"]],
            "generate": [["contest", "--points", 9], ["boxes", "--count", 9], ["mesh", "--triangles", 8]],
            "demo": [["--points", 2000, "--queries", 9, "--out", folder / "demo"]], "isa": [[]]}

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def all_printing(self):
        known = set(subcommands())
        self.assertEqual(known, {*self.commands, "index"}, "every subcommand has a case here")
        yield ["--version"]
        yield ["--help"]
        for name in sorted(known):
            yield [name, "--help"]
        for name, cases in self.commands.items():
            for arguments in cases:
                yield [name, *arguments]

    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no full disk")
    def test_output_that_is_lost_is_told(self):
        for arguments in self.all_printing():
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = juxta(*arguments, stdout=full)
            self.assertEqual(done.returncode, 1, (arguments, done.stderr))
            told = [line for line in done.stderr.splitlines() if "cannot write" in line]
            self.assertEqual(told, ["juxta: cannot write the standard output: No space left on device"], arguments)

    def test_a_reader_that_went_away_is_no_success(self):
        for arguments in self.all_printing():
            ours, theirs = os.pipe()
            os.close(ours)
            quiet = juxta(*arguments, stdout=theirs)
            os.close(theirs)
            self.assertEqual((quiet.returncode, quiet.stderr), (-signal.SIGPIPE, ""), arguments)

    def test_a_closed_output_is_told_and_no_file_gets_the_text(self):
        out = self.folder / "i.jxr"
        for arguments in (["--version"], ["count", self.folder / "p.csv", "--rect=0,0,9,9"],
                          ["sector", "skirmish", "--ticks", 1, "--headless", "--out", self.folder / "closed"]):
            done = juxta(*arguments, stdout=None, preexec_fn=lambda: os.close(1))
            self.assertEqual((done.returncode, done.stderr.count("juxta: ")), (1, 1), (arguments, done.stderr))
            self.assertIn("cannot write the standard output", done.stderr)
        self.assertNotIn(b"battle:", (self.folder / "closed" / "battle.replay").read_bytes())
        self.assertEqual(juxta("index", self.folder / "p.csv", "-o", out).returncode, 0)

    def test_seeds_are_never_clamped(self):
        for command in (["flock", "--agents", 3, "--steps", 1], ["generate", "boxes", "--count", 3],
                        ["generate", "mesh", "--triangles", 8], ["model", "flocking", "--steps", 1],
                        ["sector", "skirmish", "--ticks", 1, "--headless"]):
            for seed in ("-1", str(2 ** 64), "010x", "0x10", "1.5", "", " 3"):
                done = juxta(*command, "--seed", seed)
                self.assertEqual((done.returncode, done.stdout), (2, ""), (command, seed))
                self.assertIn("no whole number from 0 to 18446744073709551615", done.stderr)
        most = juxta("generate", "boxes", "--count", 3, "--seed", 2 ** 64 - 1)
        self.assertEqual((most.returncode, most.stderr), (0, ""))
        self.assertNotEqual(most.stdout, juxta("generate", "boxes", "--count", 3, "--seed", 2 ** 64 - 2).stdout)
        self.assertIn("--seed UINT=1 ", re.sub(r" +", " ", juxta("flock", "--help").stdout))

    def test_counts_are_never_clamped(self):
        p, b = self.folder / "p.csv", self.folder / "b.csv"
        for command in (["points", "top", self.live, "--rect=0,0,9,9", "-k"],
                        ["top", p, "--rect=0,0,9,9", "-k"], ["top", p, "--rect=0,0,9,9", "--threads"],
                        ["pairs", b, "--threads"], ["query", b, "--box=0,0,0,1,1,1", "--first"],
                        ["flock", "--agents"], ["flock", "--steps"], ["flock", "--every"], ["flock", "--threads"],
                        ["generate", "boxes", "--count"], ["generate", "mesh", "--triangles"],
                        ["generate", "contest", "--points"], ["generate", "contest", "--query-count"],
                        ["model", "flocking", "--steps"], ["model", "flocking", "--threads"],
                        ["sector", "skirmish", "--ticks"], ["sector", "skirmish", "--threads"],
                        ["scene", self.folder / "s.gltf", "--instances"], ["demo", "--points"], ["demo", "--queries"]):
            for count in ("-1", "99999999999999999999", "1.5"):
                done = juxta(*command, count)
                self.assertEqual((done.returncode, done.stdout), (2, ""), (command, count, done.stderr))

    def test_threads_that_the_system_does_not_start_are_an_error(self):
        b = self.folder / "b.csv"
        for megabytes in (150, 300, 600):
            for command in (["pairs", b, "--threads", 64], ["flock", "--agents", 50, "--steps", 2, "--threads", 200],
                            ["sector", "skirmish", "--ticks", 1, "--headless", "--threads", 200]):
                bytes_ = megabytes << 20
                done = juxta(*command, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (bytes_, bytes_)))
                self.assertIn(done.returncode, (0, 1), (command, megabytes, done.stderr))  # and no signal
                if done.returncode == 1:
                    self.assertRegex(done.stderr, r"^juxta: (the system does not start \d+ threads: ask for at most "
                                                  r"\d+|not enough memory)", (command, megabytes))
        few = juxta("flock", "--agents", 50, "--steps", 2, "--threads", 200,
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20)))
        self.assertEqual(few.returncode, 1)

    @unittest.skipUnless(hasattr(os, "sched_setaffinity"), "the system has no affinity masks")
    def test_threads_follow_the_affinity_mask(self):
        one = {min(os.sched_getaffinity(0))}
        for threads, said in ((0, 1), (3, 3)):
            done = juxta("flock", "--agents", 5000, "--steps", 3, "--threads", threads,
                         preexec_fn=lambda: os.sched_setaffinity(0, one))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn(f"on {said} thread{'s' if said > 1 else ''} ", done.stdout)
        done = juxta("demo", "--points", 2000, "--queries", 9, "--out", self.folder / "demo",
                     preexec_fn=lambda: os.sched_setaffinity(0, one))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(" 1 threads to use", done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=1)
