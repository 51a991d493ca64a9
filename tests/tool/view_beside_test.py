#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""juxta view: recordings, sweeps, overlays, shapes and labels that stay, asked by a program.

Usage: view_beside_test.py JUXTA
"""
import csv
import math
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from view_client import Server, WebSocket

JUXTA = sys.argv.pop(1)
EVERYTHING = {"lo": [-1e9] * 3, "hi": [1e9] * 3, "limit": 10_000}


def sorted_rows(rows, group):
    """Places and health of a group's rows, whatever their order."""
    return sorted((*row["at"], row["values"]["health"]) for row in rows if row["group"] == group)


class RecordingTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name) / "out" / "recording"
        subprocess.run([JUXTA, "sector", "skirmish", "--ticks", "95", "--record", "10", "--headless", "--out",
                        str(cls.folder.parent)], check=True, capture_output=True, timeout=120)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def test_it_shows_what_was(self):
        with Server(JUXTA, "recording", self.folder, "--paused") as server, \
                Server(JUXTA, "sector", "skirmish", "--paused") as battle:
            info = server.ask("info")
            self.assertEqual(info["recording"], {"first": 0, "last": 90})
            self.assertIsNone(battle.ask("info")["recording"])
            self.assertIn("no recording", battle.ask("seek", step=0)["error"])
            ships = [group["name"] for group in info["groups"]].index("ships")
            self.assertEqual(info["groups"][ships]["mark"], "ship")
            for step in (0, 30, 90):
                self.assertEqual(server.ask("seek", step=step)["step"], step)
                if step > 0:
                    battle.ask("step", steps=step - battle.ask("status")["step"])
                self.assertEqual(sorted_rows(server.ask("select", **EVERYTHING)["rows"], ships),
                                 sorted_rows(battle.ask("select", **EVERYTHING)["rows"], 0))

    def test_seek_step_and_play(self):
        with Server(JUXTA, "recording", self.folder / "ships.xdmf", "--paused") as server, \
                WebSocket(server.port) as page:
            self.assertEqual(len(server.ask("info")["groups"]), 1)
            for wanted, asked in [(40, 45), (40, 40), (0, 9), (90, 10**15), (0, 0)]:
                self.assertEqual(server.ask("seek", step=asked)["step"], wanted)
            page.say(watch={})
            self.assertEqual(page.frame().step, 0)
            page.ask("seek", step=60)
            frame = page.frame()
            while frame.step != 60:
                frame = page.frame()
            self.assertEqual(frame.groups[0]["total"], 580)
            self.assertEqual(server.ask("step", steps=2)["step"], 80)
            self.assertEqual(server.ask("step", steps=5)["step"], 90)
            self.assertIsNone(server.ask("status")["ended"])
            self.assertEqual(server.ask("history")["steps"], [0, 40, 60, 70, 80, 90])
            server.ask("speed", steps_per_second=0)
            self.assertTrue(server.ask("play")["playing"])  # from the beginning
            while server.ask("status")["playing"]:
                pass
            self.assertEqual(server.ask("status")["step"], 90)
            self.assertEqual(server.ask("history")["steps"], list(range(0, 100, 10)))
            for bad in ({}, {"step": -1}, {"step": 1.5}, {"step": "x"}):
                self.assertIn("error", server.ask("seek", **bad))

    def test_things_keep_their_names(self):
        with Server(JUXTA, "recording", self.folder / "ships.xdmf", "--paused") as server:
            row = server.ask("select", **EVERYTHING)["rows"][7]
            server.ask("seek", step=50)
            later = server.ask("entity", group=0, thing=row["id"])
            self.assertEqual(later["id"], row["id"])
            self.assertEqual(later["values"]["faction"], row["values"]["faction"])
            self.assertNotEqual(later["at"], row["at"])
            self.assertEqual(later["more"], {"time": 50.0})

    def test_damage(self):
        """A state that cannot be read: an error, and it stays where it is."""
        with tempfile.TemporaryDirectory() as scratch:
            copy = pathlib.Path(scratch) / "r"
            shutil.copytree(self.folder, copy)
            (copy / "ships_000040.vtkhdf").write_bytes(b"no more")
            with Server(JUXTA, "recording", copy, "--paused") as server:
                server.ask("seek", step=30)
                self.assertIn("ships_000040", server.ask("seek", step=40)["error"])
                self.assertEqual(server.ask("status")["step"], 30)
                self.assertIn("ships_000040", server.ask("step")["error"])
                self.assertEqual(server.ask("seek", step=50)["step"], 50)
            (copy / "ships.xdmf").write_text((copy / "ships.xdmf").read_text().replace("ships_0000", "../r/ships_0000"))
            for name in (copy, copy / "none", copy / "ships_000000.vtkhdf", scratch, "/dev/null"):
                done = subprocess.run([JUXTA, "view", "recording", str(name), "--no-browser", "--port", "0"],
                                      capture_output=True, text=True, timeout=60, check=False)
                self.assertEqual(done.returncode, 1, name)
                self.assertTrue(done.stderr.startswith("juxta: "), done.stderr)


    def test_odd_times(self):
        """Curves of long recordings keep rows at any steps; times that are none are refused."""
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            shutil.copy(self.folder / "ships_000000.vtkhdf", folder / "s.vtkhdf")
            whole = (self.folder / "ships.xdmf").read_text()
            head, grid = whole[:whole.index("      <Grid")], whole[whole.index("      <Grid"):whole.index("      </Grid>") + 14]
            grid = grid.replace("ships_000000", "s")
            tail = whole[whole.rindex("    </Grid>"):]

            def write(times):
                (folder / "ships.xdmf").write_text(head + "".join(grid.replace('Value="0"', f'Value="{t}"') for t in times)
                                                   + tail)
            write(range(1, 5000, 2))
            with Server(JUXTA, "recording", folder, "--paused") as server:
                self.assertEqual(server.ask("info")["recording"], {"first": 1, "last": 4999})
                server.ask("step", steps=2499)
                steps = server.ask("history")["steps"]
                self.assertTrue(1000 <= len(steps) <= 2000, len(steps))
                self.assertEqual((steps[0], steps[1] - steps[0]), (1, 4))
                self.assertGreater(steps[-1], 4990)
            write([0.5, 0.25 + 0.5, 1])
            with Server(JUXTA, "recording", folder, "--paused") as server:
                self.assertEqual(server.ask("info")["recording"], {"first": 0, "last": 2})
                self.assertEqual(server.ask("entity", group=0, thing=server.ask("select", **EVERYTHING)["rows"][0]["id"])
                                 ["more"], {"time": 0.5})
            for times in (["nan", 1], [0, "inf"], [2, 1], ["x"]):
                write(times)
                done = subprocess.run([JUXTA, "view", "recording", str(folder), "--no-browser", "--port", "0"],
                                      capture_output=True, text=True, timeout=60, check=False)
                self.assertEqual(done.returncode, 1, times)


class LongQuestionTest(unittest.TestCase):
    def test_others_are_answered_meanwhile(self):
        with Server(JUXTA, "flock", "--agents", 20_000, "--paused", "--threads", 1) as server, \
                WebSocket(server.port) as page:
            page.say(id=1, ask="step", steps=100_000)
            page.say(id=2, ask="status")
            begin = time.monotonic()

            def until(step):
                while server.ask("status")["step"] < step:
                    self.assertLess(time.monotonic() - begin, 20)
            until(200)  # many turns
            stopped = server.ask("pause")["step"]
            while len(page.answers) < 2:
                page.sort_one()
            self.assertEqual(list(page.answers), [1, 2])  # as they came
            self.assertTrue(stopped <= page.answers[1]["answer"]["step"] <= stopped + 1)
            self.assertEqual(page.answers[2]["answer"]["step"], page.answers[1]["answer"]["step"])
            page.say(id=3, ask="step", steps=100_000)
            with WebSocket(server.port) as other:  # to change the world, it comes next; it leaves instead
                other.say(id=1, ask="restart")
            until(page.answers[1]["answer"]["step"] + 5)
            server.ask("pause")
            while 3 not in page.answers:
                page.sort_one()
            self.assertLess(page.answers[3]["answer"]["step"], 100_000)


class SweepTest(unittest.TestCase):
    def test_curves(self):
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            (folder / "s.toml").write_text("model = \"schelling\"\nsteps = 20\nevery = 5\nseeds = 3\n[vary]\n"
                                           "agents = [800, 1000]\nhappy = [2, 3]\n")
            subprocess.run([JUXTA, "model", "--sweep", str(folder / "s.toml"), "--out", str(folder)], check=True,
                           capture_output=True, timeout=120)
            with open(folder / "sweep.csv", encoding="ascii") as file:
                rows = list(csv.reader(file))[1:]
            with Server(JUXTA, "sweep", folder / "sweep.csv") as server:
                info = server.ask("info")
                self.assertEqual((info["kind"], info["runs"], info["steps"]), ("sweep", 12, 20))
                self.assertEqual(info["vary"], [{"name": "agents", "values": [800, 1000]},
                                                {"name": "happy", "values": [2, 3]}])
                for column, report in enumerate(info["reports"], start=5):
                    runs = server.ask("curves", report=report)["runs"]
                    got = [[*run["at"], run["seed"], step, value]
                           for run in runs for step, value in zip(run["steps"], run["values"])]
                    self.assertEqual(got, [[float(row[2]), float(row[3]), float(row[1]), float(row[4]),
                                            float(row[column])] for row in rows])
                    self.assertEqual(server.ask("curves", report=report)["found"], 12)
                self.assertIn("error", server.ask("curves", report="agents"))
                self.assertIn("error", server.ask("curves"))
                self.assertEqual(server.ask("status")["clients"], 0)
            (folder / "long.csv").write_text("replica,seed,step,x\n" + "".join(
                f"{run},1,{step},{step}\n" for run in range(3) for step in range(100_000)))
            with Server(JUXTA, "sweep", folder / "long.csv") as server:
                runs = server.ask("curves", report="x")["runs"]
                self.assertLessEqual(sum(len(run["values"]) for run in runs), 200_000)
                self.assertEqual([(run["steps"][0], run["steps"][-1]) for run in runs], [(0, 99_999)] * 3)
                self.assertEqual(server.ask("info")["steps"], 99_999)
            (folder / "many.csv").write_text("replica,seed,step,x\n" + "".join(f"{run},1,0,1\n" for run in range(50_000)))
            with Server(JUXTA, "sweep", folder / "many.csv") as server:
                answer = server.ask("curves", report="x")
                self.assertEqual(answer["found"], 50_000)
                self.assertLessEqual(len(answer["runs"]), 20_000)
            (folder / "other.csv").write_text("x,y\n1,2\n")
            (folder / "text.csv").write_text("replica,seed,step,happy\n0,one,0,1\n")
            for name in ("other.csv", "text.csv", "none.csv"):
                done = subprocess.run([JUXTA, "view", "sweep", str(folder / name), "--no-browser", "--port", "0"],
                                      capture_output=True, text=True, timeout=60, check=False)
                self.assertEqual(done.returncode, 1, name)
                self.assertIn(name, done.stderr)


class BesideTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(JUXTA, "sector", "skirmish", "--paused")
        cls.server.ask("step", steps=120)

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__()

    def overlay(self, name, **more):
        answer = self.server.ask("overlay", name=name, most=50_000, **more)
        values = answer["values"]
        return answer, [values[i:i + 6] for i in range(0, len(values), 6)]

    def test_boxes_and_pairs(self):
        rows = [row for row in self.server.ask("select", **EVERYTHING)["rows"] if row["group"] == 0]
        answer, boxes = self.overlay("ship boxes")
        self.assertEqual((answer["found"], len(boxes), answer["kind"], answer["step"]), (580, 580, "boxes", 120))
        for box, row in zip(boxes, rows):
            for axis in range(3):
                self.assertLessEqual(box[axis] - 3, row["at"][axis])
                self.assertLessEqual(row["at"][axis], box[axis + 3] + 3)
        _, blocks = self.overlay("tree blocks")
        self.assertEqual(len(blocks), math.ceil(580 / 16))
        inside = lambda a, b: all(b[i] - 1e-3 <= a[i] and a[i + 3] <= b[i + 3] + 1e-3 for i in range(3))
        self.assertTrue(all(any(inside(box, block) for block in blocks) for box in boxes))
        overlapping = sum(all(a[i] <= b[i + 3] and b[i] <= a[i + 3] for i in range(3))
                          for i, a in enumerate(boxes) for b in boxes[:i])
        self.assertEqual(self.overlay("near pairs")[0]["found"], overlapping)

    def test_lines_end_at_ships(self):
        rows = {row["id"]: row["at"] for row in self.server.ask("select", **EVERYTHING)["rows"] if row["group"] == 0}
        _, lines = self.overlay("targets")
        self.assertGreater(len(lines), 100)
        aiming = 0
        for thing in list(rows)[:50]:
            target = self.server.ask("entity", group=0, thing=thing)["more"]["target"]
            if target in rows:
                aiming += 1
                wanted = (*rows[thing], *rows[target])
                self.assertLess(min(math.dist(wanted, line) for line in lines), 1e-3)
        self.assertGreater(aiming, 0)
        bullets = [row for row in self.server.ask("select", **EVERYTHING)["rows"] if row["group"] == 1]
        self.assertEqual(self.overlay("bullet paths")[0]["found"], sum(row["values"]["age"] > 0 for row in bullets))

    def test_fields(self):
        rows = self.server.ask("select", **EVERYTHING)
        density, _ = self.overlay("density")
        self.assertEqual(len(density["values"]), density["columns"] * density["rows"])
        self.assertLessEqual(sum(density["values"]), rows["found"])
        lo, hi = density["lo"], density["hi"]
        inside = sum(lo[0] <= r["at"][0] <= hi[0] and lo[1] <= r["at"][1] <= hi[1] for r in rows["rows"])
        self.assertEqual(sum(density["values"]), inside)
        self.assertEqual(self.overlay("radar cells")[0]["kind"], "field")

    def test_only_what_is_in_view(self):
        matrix = [1 / 20, 0, 0, 0, 0, 1 / 20, 0, 0, 0, 0, 0.001, 0, 0, 0, 0, 1]
        _, all_boxes = self.overlay("ship boxes")
        near = sum(all(abs(box[i] + box[i + 3]) / 2 / 20 <= 3 for i in (0, 1)) for box in all_boxes)
        answer, boxes = self.overlay("ship boxes", matrix=matrix)
        self.assertEqual((answer["found"], len(boxes)), (near, near))
        few = self.server.ask("overlay", name="ship boxes", most=7)
        self.assertLessEqual(few["shown"], 7)
        self.assertEqual((few["found"], len(few["values"])), (580, 6 * few["shown"]))
        self.assertEqual(self.server.ask("overlay", name="ship boxes", most=0)["shown"], 0)
        for bad in ({}, {"name": "none"}, {"name": "ship boxes", "matrix": [1]}, {"name": "ship boxes", "most": 10**9}):
            self.assertIn("error", self.server.ask("overlay", **bad))

    def test_shapes(self):
        groups = self.server.ask("info")["groups"]
        group = [g["name"] for g in groups].index("asteroids")
        self.assertEqual([g["shapes"] for g in groups].count(True), 1)
        rocks = [row for row in self.server.ask("select", **EVERYTHING)["rows"] if row["group"] == group]
        answer = self.server.ask("shapes", group=group, triangles=200_000, **{"from": [0, 0, 0]})
        self.assertEqual((answer["found"], answer["shown"], answer["within"]), (len(rocks), len(rocks), None))
        corners = len(answer["positions"]) // 3
        self.assertEqual((min(answer["triangles"]), max(answer["triangles"])), (0, corners - 1))
        for row in rocks:  # some corner is near each of them
            at = row["at"]
            self.assertLess(min(math.dist(at, answer["positions"][3 * i:3 * i + 3]) for i in range(corners)), 30)
        few = self.server.ask("shapes", group=group, triangles=500, **{"from": [0, 0, 0]})
        self.assertLess(few["shown"], few["found"])
        distances = sorted(math.hypot(*row["at"]) for row in rocks)
        self.assertAlmostEqual(few["within"], distances[few["shown"]], places=3)
        self.assertLessEqual(len(few["triangles"]) // 3, 500)
        for bad in ({"group": group}, {"group": 0, "from": [0, 0, 0]}, {"group": 99, "from": [0, 0, 0]}):
            self.assertIn("error", self.server.ask("shapes", **bad))

    def test_who_sees_whom(self):
        """All pairs, across the edges too."""
        for solid in ([], ["--3d"]):
            with Server(JUXTA, "flock", "--agents", 400, "--paused", *solid) as server:
                server.ask("step", steps=20)
                info = server.ask("info")
                sight = next(p["value"] for p in info["parameters"] if p["name"] == "sight")
                places = [row["at"] for row in server.ask("select", **EVERYTHING)["rows"]]
                size = [hi - lo or 1 for lo, hi in zip(info["lo"], info["hi"])]

                def distance(a, b):
                    return math.hypot(*(min(abs(p - q), n - abs(p - q)) for p, q, n in zip(a, b, size)))
                near = sum(distance(a, b) <= sight for i, a in enumerate(places) for b in places[:i])
                self.assertGreater(near, sum(math.dist(a, b) <= sight for i, a in enumerate(places) for b in places[:i]))
                lines = server.ask("overlay", name="sight", most=50_000)
                self.assertAlmostEqual(lines["found"], near, delta=1)
                for i in range(0, len(lines["values"]), 6):
                    self.assertLessEqual(math.dist(lines["values"][i:i + 3], lines["values"][i + 3:i + 6]), sight + 1e-3)
                cells = {tuple(math.floor(x / sight) for x in at) for at in places}
                boxes = server.ask("overlay", name="cells", most=50_000)
                self.assertAlmostEqual(boxes["found"], len(cells), delta=1)
                self.assertAlmostEqual(boxes["values"][3] - boxes["values"][0], sight, places=3)

    def test_many_parts(self):
        """However many there are, those in view are counted, and no more are told than was asked for."""
        with Server(JUXTA, "flock", "--agents", 60_000, "--paused") as server:
            server.ask("set", name="sight", value=1.5)
            hi = server.ask("info")["hi"]
            whole = server.ask("overlay", name="sight", most=1000)
            self.assertGreater(whole["found"], 500_000)
            self.assertTrue(500 <= whole["shown"] <= 1000, whole["shown"])
            self.assertFalse(whole["cut"])
            parts = 0
            for x in (-0.5, 0.5):  # two halves; a line belongs to the one that has its middle
                matrix = [3 / (0.5 * hi[0]), 0, 0, 0, 0, 0.1 / hi[1], 0, 0, 0, 0, 0.001, 0, -3 * x / 0.5, 0, 0, 1]
                parts += server.ask("overlay", name="sight", most=10, matrix=matrix)["found"]
            self.assertAlmostEqual(parts, whole["found"], delta=whole["found"] / 100)

    def test_selected(self):
        with Server(JUXTA, "flock", "--agents", 300, "--paused") as server:
            self.assertIn("nobody", server.ask("selected")["error"])
            matrix = [0.05, 0, 0, 0, 0, 0.05, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
            picked = server.ask("pick", matrix=matrix, at=[0, 0], within=[1, 1])["found"]
            self.assertEqual(server.ask("selected"), {"step": 0, "found": 1, "rows": [picked]})
            self.assertIsNone(server.ask("pick", matrix=matrix, at=[9, 9], within=[0.1, 0.1])["found"])
            self.assertEqual(server.ask("selected")["rows"], [picked])
            found = server.ask("select", lo=[-5, -5, -1], hi=[5, 5, 1])
            server.ask("step", steps=3)
            self.assertEqual(server.ask("selected"), {"step": 0, "found": found["found"], "rows": found["rows"]})


class LabelsThatStayTest(unittest.TestCase):
    def test_what_is_shown_stays_while_in_view(self):
        numbers = random.Random(3)
        with tempfile.TemporaryDirectory() as scratch:
            towns = pathlib.Path(scratch) / "towns.csv"
            towns.write_text("lon,lat,population,name\n" + "".join(
                f"{numbers.uniform(0, 10):.6f},{numbers.uniform(0, 10):.6f},{numbers.randrange(10**6)},Town {i}\n"
                for i in range(2000)), encoding="ascii")
            with Server(JUXTA, "points", towns) as server:
                shown, left, first = [], 0, None
                for i in range(40):
                    rect = [2 + i * 0.05, 3, 5 + i * 0.05, 6]
                    view = server.ask("view", rect=rect, width=800, height=600, keep=[label["i"] for label in shown])
                    labels = {label["i"] for label in view["labels"]}
                    for label in shown:
                        if rect[0] <= label["x"] <= rect[2]:
                            self.assertIn(label["i"], labels)
                        else:
                            left += 1
                    shown = view["labels"]
                    first = first or shown
                self.assertGreater(left, 0)
                plain = server.ask("view", rect=[2, 3, 5, 6], width=800, height=600)
                self.assertEqual(plain["labels"], first)
                for bad in ([2000], [-1], ["a"], 5, [0] * 1001):
                    self.assertIn("error", server.ask("view", rect=[0, 0, 1, 1], keep=bad))


if __name__ == "__main__":
    unittest.main()
