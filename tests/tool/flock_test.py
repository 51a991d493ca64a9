#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Runs juxta flock as a user does, and flies the same boids in double precision, everybody looking at everybody.

Usage: flock_test.py JUXTA
"""
import csv
import io
import json
import math
import os
import pathlib
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

from terminal import open_terminal

JUXTA = ""
SEE2, AVOID2, SLOWEST, FASTEST, NEAR_WALL, DT = .138, .02598, 1.088, 1.55, .25292, 1 / 60
WALL, AVOID, ALIGN, COHERE = .14117, .07352, .09117, .22352
SVG = "{http://www.w3.org/2000/svg}"


def juxta(*arguments, env=None):
    return subprocess.run([JUXTA, "flock", *map(str, arguments)], capture_output=True, text=True, timeout=120,
                          env={**os.environ, **(env or {})})


def nearest_image(d, period):
    return d - period if d > period / 2 else d + period if d < -period / 2 else d


def near(boids, half, periodic):
    """For each boid, who is within the radius of sight: (their velocity, how far they are on each axis, squared)."""
    found = [[] for _ in boids]
    for i, (p, _) in enumerate(boids):
        for j, (q, v) in enumerate(boids):
            d = [b - a for a, b in zip(p, q)]
            if periodic:
                d = [nearest_image(c, 2 * half) for c in d]
            d2 = sum(c * c for c in d)
            if i != j and d2 < SEE2:
                found[i].append((v, d, d2))
    return found


def fly(boids, half, periodic):
    """One step of the rules that include/juxta/agents/flock.h states."""
    flown = []
    for (p, v), others in zip(boids, near(boids, half, periodic)):
        n, axes = len(others), range(len(p))
        away = [-sum(d[k] for _, d, d2 in others if d2 < AVOID2) for k in axes]
        if n:
            v = [v[k] + COHERE * sum(d[k] for _, d, _ in others) / n for k in axes]
        v = [v[k] + AVOID * away[k] for k in axes]
        if n:
            v = [v[k] + ALIGN * (sum(w[k] for w, _, _ in others) / n - v[k]) for k in axes]
        speed = math.sqrt(sum(c * c for c in v))
        v = [c * min(max(speed, SLOWEST), FASTEST) / speed for c in v]
        if not periodic:
            v = [v[k] + WALL * ((p[k] < -half + NEAR_WALL) - (p[k] > half - NEAR_WALL)) for k in axes]
        p = [p[k] + v[k] * DT for k in axes]
        if periodic:
            p = [(c + half) % (2 * half) - half for c in p]
        else:
            p = [min(max(c, -half + .01), half - .01) for c in p]
        flown.append((p, v))
    return flown


def unit(v):
    size = math.sqrt(sum(c * c for c in v))
    return [c / size if size else 0 for c in v]


def length_of_mean(vectors):
    return math.sqrt(sum(sum(c) ** 2 for c in zip(*vectors))) / len(vectors)


def order_of(boids, half, periodic):
    """What docs/formats/flock.md says, term by term."""
    speeds = [math.sqrt(sum(c * c for c in v)) for _, v in boids]
    mean = sum(speeds) / len(speeds)
    found = near(boids, half, periodic)
    order = {"polarisation": length_of_mean([unit(v) for _, v in boids]),
             "local_polarisation": sum(length_of_mean([unit(v)] + [unit(w) for w, _, _ in others])
                                       for (_, v), others in zip(boids, found)) / len(boids),
             "neighbours": sum(map(len, found)) / len(boids), "speed_mean": mean,
             "speed_deviation": math.sqrt(sum((s - mean) ** 2 for s in speeds) / len(speeds))}
    if not periodic:
        centre = [sum(c) / len(boids) for c in zip(*(p for p, _ in boids))]
        arms = [[a - b for a, b in zip(p, centre)] + [0] * (3 - len(p)) for p, _ in boids]
        flights = [unit(v) + [0] * (3 - len(v)) for _, v in boids]
        turns = [(r[1] * u[2] - r[2] * u[1], r[2] * u[0] - r[0] * u[2], r[0] * u[1] - r[1] * u[0])
                 for r, u in zip(map(unit, arms), flights)]
        order["milling"] = length_of_mean(turns)
        order["spread"] = math.sqrt(sum(c * c for r in arms for c in r) / len(boids))
    return order


def hash_of(rows):
    value = 0xcbf29ce484222325
    for row in rows:
        for byte in struct.pack("<I", int(row[0])) + struct.pack(f"<{len(row) - 1}f", *map(float, row[1:])):
            value = (value ^ byte) * 0x100000001b3 % 2 ** 64
    return f"{value:016x}"


class FlockTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)

    def tearDown(self):
        self.scratch.cleanup()

    def done(self, *arguments, env=None):
        done = juxta(*arguments, env=env)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def refused(self, code, *arguments):
        done = juxta(*arguments)
        self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
        self.assertTrue(done.stderr.startswith("juxta: "), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr

    def rows(self, *arguments):
        rows = list(csv.reader(io.StringIO(self.done(*arguments, "--boids", "-"))))
        self.assertEqual(rows[0], ["number", *"xyz"[:len(rows[0]) // 2], *["vx", "vy", "vz"][:len(rows[0]) // 2]])
        self.assertEqual([row[0] for row in rows[1:]], [str(i) for i in range(len(rows) - 1)])
        return rows[1:]

    def boids(self, *arguments):
        half = lambda row: [float(c) for c in row]
        return [(half(row[1:1 + len(row) // 2]), half(row[1 + len(row) // 2:])) for row in self.rows(*arguments)]

    def test_the_flight_is_the_rules(self):
        steps = 4
        for solid in ([], ["--3d"]):
            for periodic in ([], ["--periodic"]):
                half = 1.2 if solid else 1.5
                arguments = ["--agents", 300, "--half-size", half, "--seed", 5, *solid, *periodic]
                boids = self.boids(*arguments, "--steps", 0)
                self.assertEqual((len(boids), len(boids[0][0])), (300, 3 if solid else 2))
                self.assertLess(max(abs(c) for p, _ in boids for c in p), .9 * half + 1e-6)
                self.assertGreater(max(abs(c) for p, _ in boids for c in p), .8 * half)
                for _ in range(steps):
                    boids = fly(boids, half, bool(periodic))
                flown = self.boids(*arguments, "--steps", steps)
                for i, (want, got) in enumerate(zip(boids, flown)):
                    for a, b in zip(want[0] + want[1], got[0] + got[1]):
                        self.assertAlmostEqual(a, b, delta=2e-5, msg=f"boid {i} of {arguments}")

    def test_the_state_is_the_same_for_any_machine(self):
        arguments = ["--agents", 3000, "--steps", 20, "--seed", 9]
        for extra in ([], ["--3d"], ["--periodic"]):
            states = {json.loads(self.done(*arguments, *extra, "--json", "--threads", threads, env=env))["state"]
                      for threads in (1, 2, 5) for env in ({}, {"JUXTA_ISA": "sse4"})}
            self.assertEqual(states, {hash_of(self.rows(*arguments, *extra))})
        other = json.loads(self.done("--agents", 3000, "--steps", 20, "--seed", 10, "--json"))["state"]
        self.assertNotEqual(other, json.loads(self.done(*arguments, "--json"))["state"])

    def test_order_is_what_the_formulas_say(self):
        for extra in ([], ["--3d"], ["--periodic"], ["--3d", "--periodic"]):
            out = self.folder / "_".join(["o", *extra])
            arguments = ["--agents", 250, "--half-size", 1.4, "--seed", 2, *extra]
            text = self.done(*arguments, "--steps", 25, "--every", 10, "--out", out)
            self.assertIn(str(out / "order.csv"), text)
            rows = list(csv.DictReader(io.StringIO((out / "order.csv").read_text(encoding="utf-8"))))
            self.assertEqual([row["step"] for row in rows], ["0", "10", "20", "25"])
            for row in (rows[0], rows[1], rows[-1]):
                self.assertAlmostEqual(float(row["seconds"]), int(row["step"]) / 60, delta=1e-5)
                want = order_of(self.boids(*arguments, "--steps", row["step"]), 1.4, "--periodic" in extra)
                for name in ("milling", "spread"):
                    self.assertEqual(row[name] == "", name not in want)
                for name, value in want.items():
                    self.assertAlmostEqual(float(row[name]), value, delta=2e-5, msg=f"{name} of {extra}")

    def test_boids_learn_to_fly_together(self):
        report = json.loads(self.done("--agents", 2000, "--steps", 400, "--json"))
        self.assertLess(report["first"]["polarisation"], .1)
        self.assertLess(report["first"]["local_polarisation"], .4)
        self.assertGreater(report["last"]["local_polarisation"], .9)
        self.assertGreater(report["last"]["neighbours"], report["first"]["neighbours"])
        self.assertGreater(report["last"]["speed_mean"], SLOWEST - .01)

    def test_default_worlds_have_24_neighbours_at_the_start(self):
        for solid in ([], ["--3d"]):
            for agents in (4000, 20000):
                report = json.loads(self.done("--agents", agents, "--steps", 0, "--json", *solid))
                self.assertAlmostEqual(report["first"]["neighbours"], 24, delta=4 if solid else 2)
                self.assertNotIn("steps_a_second", report)

    def test_numbers_of_a_run(self):
        for extra in ([], ["--3d"], ["--periodic", "--threads", 1]):
            text = self.done("--agents", 5000, "--steps", 30, *extra)
            self.assertIn("5,000 in 3D" if "--3d" in extra else "5,000 in 2D", text)
            self.assertIn("periodic" if "--periodic" in extra else "walls", text)
            self.assertRegex(text, r"steps +30 in [0-9.]+ s: [0-9.]+ a second, [0-9.]+ ns a boid")
            self.assertRegex(text, r"at 60/s +about [0-9,]+ boids of this density: extrapolated from the last 3 steps")
            self.assertRegex(text, r"state +[0-9a-f]{16},")
            self.assertEqual(text.count("milling"), 0 if "--periodic" in extra else 1)
        report = json.loads(self.done("--agents", 5000, "--steps", 30, "--json", "--threads", 2))
        self.assertEqual((report["threads"], report["late_steps"], report["steps"]), (2, 3, 30))
        self.assertAlmostEqual(report["steps_a_second"], 30 / report["seconds"], delta=1e-6 * report["steps_a_second"])
        held = 5000 * 3 / report["late_seconds"] / 60
        self.assertAlmostEqual(report["agents_at_60_steps_a_second"], held, delta=1e-6 * held)
        self.assertGreaterEqual(report["seconds"], report["late_seconds"])

    def test_pictures(self):
        for agents, drawn, extra in ((500, 500, []), (20000, 20000, []), (20001, 10001, []), (700, 700, ["--3d"])):
            out = self.folder / f"p{agents}"
            self.done("--agents", agents, "--steps", 2, "--out", out / "deep", *extra)
            self.assertEqual(sorted(os.listdir(out / "deep")), ["flock.svg", "order.csv"])
            root = xml.etree.ElementTree.parse(out / "deep" / "flock.svg").getroot()
            text = "".join(root.itertext())
            self.assertIn(f"{agents:,} boids after 2 steps", text)
            self.assertEqual("one boid in 2 is drawn" in text, drawn < agents)
            darts = [path for path in root.iter(SVG + "path") if path.get("fill", "none") != "none"]
            self.assertEqual(sum(path.get("d").count("M") for path in darts), drawn)
            lines = [path for path in root.iter(SVG + "path") if path.get("fill") == "none"]
            self.assertEqual([path.get("d").count("M") for path in lines], [12] if extra else [])
            self.assertEqual("paler" in text, bool(extra))
            self.assertLess((out / "deep" / "flock.svg").stat().st_size, 1_000_000)
            if drawn == 500:  # in 2D the colour tells the direction, and the tip the place
                boids = self.boids("--agents", agents, "--steps", 2)
                half = json.loads(self.done("--agents", agents, "--steps", 0, "--json"))["half_size"]
                right = [p for p, v in boids if unit(v)[0] > math.cos(math.radians(7.4))]
                red = next(path.get("d") for path in darts if path.get("fill") == "#c81919")
                tips = [tuple(map(float, m)) for m in re.findall(r"M([-0-9.]+) ([-0-9.]+)", red)]
                self.assertLessEqual(len(right), len(tips))
                for p in right:
                    want = (16 + 968 * (p[0] + half) / 2 / half, 50 + 968 * (half - p[1]) / 2 / half)
                    self.assertTrue(any(math.dist(want, tip) < .2 for tip in tips), f"{want} not in {tips}")

    def test_small_flocks(self):
        for extra in ([], ["--3d"], ["--periodic"]):
            for agents in (1, 2, 3):
                self.done("--agents", agents, "--steps", 5, "--out", self.folder / "s", *extra)
                boids = self.boids("--agents", agents, "--steps", 5, *extra)
                self.assertTrue(all(math.isfinite(c) for p, v in boids for c in p + v))
        report = json.loads(self.done("--agents", 1, "--steps", 0, "--json"))
        self.assertAlmostEqual(report["first"]["polarisation"], 1, delta=1e-6)
        self.assertEqual((report["first"]["neighbours"], report["first"]["spread"], report["half_size"]), (0, 0, 1))

    def test_mistakes_are_one_sentence(self):
        for option, bad, wanted in (("--agents", 0, "1 to 1000000000"), ("--agents", "many", "--agents"),
                                    ("--steps", -1, "0 to 1000000000"), ("--threads", 1025, "0 to 1024"),
                                    ("--half-size", 0, "0.1 to 1"), ("--half-size", 1e9, "0.1 to 1"),
                                    ("--half-size", "nan", "0.1 to 1"), ("--seed", "x", "--seed"),
                                    ("--every", -2, "0 to 1000000000"), ("--agents", 1.5, "--agents")):
            text = self.refused(2, option, bad)
            self.assertIn(option, text)
            self.assertIn(wanted, text)
        self.assertIn("standard output", self.refused(2, "--json", "--boids", "-"))
        self.assertIn("--4d", self.refused(2, "--4d"))
        file = self.folder / "file"
        file.write_text("old")
        self.assertIn(str(file), self.refused(1, "--steps", 1, "--out", file))
        self.assertIn(str(file), self.refused(1, "--steps", 1, "--out", file / "below"))
        (self.folder / "taken" / "order.csv").mkdir(parents=True)
        long = ["--agents", 100_000, "--steps", 1_000_000]  # refused at once, not after the flight
        self.assertIn("order.csv", self.refused(1, *long, "--out", self.folder / "taken"))
        self.assertEqual(os.listdir(self.folder / "taken"), ["order.csv"])
        self.assertIn("none", self.refused(1, *long, "--boids", self.folder / "none" / "b.csv"))
        self.assertEqual(file.read_text(), "old")
        self.assertIn("--periodic", self.done("--help"))

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_missing_rights(self):
        closed = self.folder / "closed"
        closed.mkdir(mode=0o500)
        self.assertIn("closed", self.refused(1, "--agents", 100_000, "--steps", 1_000_000, "--out", closed))
        self.assertIn("closed", self.refused(1, "--agents", 100_000, "--steps", 1_000_000, "--out", closed / "below"))

    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no full disk")
    def test_full_disk(self):
        for arguments in ([], ["--json"], ["--boids", "-"]):
            with open("/dev/full", "w") as full:
                done = subprocess.run([JUXTA, "flock", "--agents", "50000", "--steps", "1", *arguments], stdout=full,
                                      stderr=subprocess.PIPE, text=True, timeout=120)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1))
            self.assertIn("No space left", done.stderr)
        self.assertIn("No space left", self.refused(1, "--agents", 50000, "--steps", 1, "--boids", "/dev/full"))

    def test_an_interrupted_flight_leaves_nothing(self):
        out = self.folder / "out"
        process = subprocess.Popen([JUXTA, "flock", "--steps", "1000000000", "--out", out, "--boids", self.folder / "b"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(1)
        self.assertIsNone(process.poll(), "ended before it could be interrupted")
        process.send_signal(signal.SIGINT)
        told, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, told), (130, ""))
        self.assertIn("juxta: interrupted", errors)
        self.assertEqual((os.listdir(self.folder), os.listdir(out)), (["out"], []))

    def test_progress_is_for_terminals(self):
        arguments = [JUXTA, "flock", "--agents", "20000", "--steps", "1000000000"]
        ours, theirs = open_terminal(self)
        process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=theirs)
        os.close(theirs)
        shown, deadline = b"", time.time() + 60
        while b"fly" not in shown and time.time() < deadline:
            shown += os.read(ours, 1000)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 130)
        os.close(ours)
        self.assertRegex(shown, rb"fly +0 %")


if __name__ == "__main__":
    JUXTA = sys.argv.pop(1)
    unittest.main(verbosity=1)
