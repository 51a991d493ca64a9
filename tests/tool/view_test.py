#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""juxta view, asked by a program: frames against the engine's own state, questions against brute force.

Usage: view_test.py JUXTA
"""
import json
import math
import pathlib
import random
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from view_client import Server, WebSocket

JUXTA = sys.argv.pop(1)
EVERYTHING = {"lo": [-1e9] * 3, "hi": [1e9] * 3, "limit": 10_000}
IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]


class WorldTest(unittest.TestCase):
    def test_frames_are_the_state(self):
        with Server(JUXTA, "sector", "skirmish", "--paused", "--threads", 2) as server, WebSocket(server.port) as page:
            page.ask("step", steps=60)
            info = page.ask("info")["answer"]
            page.say(watch={"colour": ["health", None, None, None, None, None]})
            frame = page.frame()
            while frame.step != 60:
                frame = page.frame()
            rows = page.ask("select", **EVERYTHING)["answer"]
            self.assertEqual(rows["found"], sum(group["total"] for group in frame.groups))
            for group in frame.groups:
                own = [row for row in rows["rows"] if row["group"] == group["index"]]
                self.assertEqual(len(own), group["sent"])
                for axis in range(3):
                    wanted = sorted(row["at"][axis] for row in own)
                    for got, want in zip(sorted(group["places"][axis]), wanted):
                        self.assertLessEqual(abs(got - want), 0.51 * group["step"] + 1e-4)
            ships = frame.groups[0]
            health = [row["values"]["health"] for row in rows["rows"] if row["group"] == 0]
            self.assertEqual((ships["lo"], ships["hi"]), (min(health), max(health)))
            self.assertEqual(len(ships["heading"]), 4 * ships["sent"])
            self.assertEqual(len(ships["size"]), ships["sent"])
            self.assertEqual(info["groups"][0]["name"], "ships")

    def test_a_view_holds_what_is_in_it(self):
        """A look from above at x and y from -40 to 40, a tenth wider."""
        matrix = [1 / 40, 0, 0, 0, 0, 1 / 40, 0, 0, 0, 0, 0.001, 0, 0, 0, 0, 1]
        with Server(JUXTA, "sector", "skirmish", "--paused") as server, WebSocket(server.port) as page:
            page.say(watch={"matrix": matrix})
            frame = page.frame()
            rows = page.ask("select", lo=[-44, -44, -1e9], hi=[44, 44, 1e9])["answer"]
            self.assertEqual(sum(group["in_view"] for group in frame.groups), rows["found"])
            self.assertLess(rows["found"], sum(group["total"] for group in frame.groups))
            polygon = [[-1, -1], [1, -1], [1, 1], [-1, 1]]
            inside = page.ask("select", matrix=matrix, polygon=polygon)["answer"]["found"]
            box = page.ask("select", lo=[-40, -40, -1e9], hi=[40, 40, 1e9])["answer"]["found"]
            self.assertEqual(inside, box)
            page.say(watch={"most": 10})
            self.assertLessEqual(sum(group["sent"] for group in page.frame().groups), 10)

    def test_pick_and_entity(self):
        matrix = [1 / 200, 0, 0, 0, 0, 1 / 200, 0, 0, 0, 0, 0.001, 0, 0, 0, 0, 1]
        with Server(JUXTA, "sector", "skirmish", "--paused") as server:
            ships = [row for row in server.ask("select", **EVERYTHING)["rows"] if row["group"] == 0]
            wanted = ships[len(ships) // 2]
            at = [wanted["at"][0] / 200, wanted["at"][1] / 200]
            picked = server.ask("pick", matrix=matrix, at=at, within=[0.001, 0.001])["found"]
            self.assertEqual(picked["id"], wanted["id"])
            self.assertIsNone(server.ask("pick", matrix=matrix, at=[5, 5], within=[0.01, 0.01])["found"])
            told = server.ask("entity", group=0, thing=wanted["id"])
            self.assertEqual({k: told[k] for k in wanted}, wanted)
            self.assertIn(told["more"]["kind"], ("fighter", "corvette", "cruiser"))
            distances = sorted(sum((a - b) ** 2 for a, b in zip(row["at"], wanted["at"])) ** 0.5
                               for row in ships if row["id"] != wanted["id"])[:5]
            for near, distance in zip(told["near"], distances):
                self.assertAlmostEqual(near["distance"], distance, places=4)
            lengths = {"fighter": 3, "corvette": 6, "cruiser": 12}
            size = lengths[told["more"]["kind"]]
            near = [row["id"] for row in told["touches"] if row["group"] == 0]
            for row in ships:  # a ship is a ball as long as it is
                other = lengths[server.ask("entity", group=0, thing=row["id"])["more"]["kind"]]
                gap = math.dist(row["at"], wanted["at"]) - (size + other) / 2
                if abs(gap) > 1e-4 and row["id"] != wanted["id"]:
                    self.assertEqual(row["id"] in near, gap < 0)
            self.assertIn("lives no more", server.ask("entity", group=0, thing="12345678901")["error"])
            for bad in ({"group": 99, "thing": "0"}, {"group": 0}, {"group": 0, "thing": "x"}, {"group": -1, "thing": "0"}):
                self.assertIn("error", server.ask("entity", **bad))

    def test_the_same_battle_as_without_a_viewer(self):
        done = subprocess.run([JUXTA, "sector", "skirmish", "--ticks", "90", "--headless", "--json"],
                              capture_output=True, text=True, timeout=120, check=True)
        with Server(JUXTA, "sector", "skirmish", "--paused") as server:
            server.ask("step", steps=90)
            self.assertIn(server.ask("hash")["hash"], done.stdout)
            self.assertEqual(server.ask("restart", seed=7)["kind"], "world")
            self.assertEqual(server.ask("status")["step"], 0)
            server.ask("step", steps=90)
            self.assertNotIn(server.ask("hash")["hash"], done.stdout)

    def test_play_pause_speed(self):
        with Server(JUXTA, "flock", "--agents", 500, "--paused") as server:
            self.assertEqual(server.ask("status")["step"], 0)
            server.ask("speed", steps_per_second=100)
            server.ask("play")
            time.sleep(1)
            step = server.ask("pause")["step"]
            self.assertTrue(20 <= step <= 120, step)
            self.assertEqual(server.ask("step", steps=3)["step"], step + 3)
            time.sleep(0.2)
            self.assertEqual(server.ask("status")["step"], step + 3)
            for bad in ({"steps_per_second": -1}, {"steps_per_second": "fast"}, {"steps_per_second": 1e9}):
                self.assertIn("error", server.ask("speed", **bad))
            self.assertIn("error", server.ask("step", steps=-1))
            self.assertIn("error", server.ask("step", steps=10**9))

    def test_parameters_act(self):
        with Server(JUXTA, "flock", "--agents", 500, "--paused") as server:
            before = server.ask("step", steps=10) and server.ask("hash")["hash"]
            server.ask("restart")
            self.assertAlmostEqual(server.ask("set", name="align", value=0.5)["value"], 0.5)
            server.ask("step", steps=10)
            self.assertNotEqual(server.ask("hash")["hash"], before)
            by_name = {p["name"]: p for p in server.ask("info")["parameters"]}
            self.assertAlmostEqual(by_name["align"]["value"], 0.5)
            for bad in ({"name": "align", "value": 1e9}, {"name": "align"}, {"name": "nose", "value": 1}, {}):
                self.assertIn("error", server.ask("set", **bad))
            server.ask("restart", parameters={"agents": 50})
            self.assertEqual(server.ask("select", **EVERYTHING)["found"], 50)

    def test_models(self):
        for name, live in [("flocking", "radius"), ("wolf_sheep", "wolf_gain"), ("schelling", "happy"),
                           ("forest_fire", None), ("flock_3d", "speed")]:
            more = ["--set", "birds=300"] if name == "flock_3d" else []
            with self.subTest(name), Server(JUXTA, "model", name, "--paused", *more) as server:
                info = server.ask("info")
                server.ask("step", steps=5)
                history = server.ask("history")
                self.assertEqual(history["steps"], list(range(6)))
                for report in info["reports"]:
                    self.assertEqual(len(history["reports"][report]), 6)
                for parameter in info["parameters"]:
                    if parameter["name"] == live:
                        value = parameter["value"] * 2
                        self.assertEqual(server.ask("set", name=live, value=value)["value"], value)
                    elif not parameter["live"]:
                        self.assertIn("error", server.ask("set", name=parameter["name"], value=parameter["value"]))
                self.assertEqual(server.ask("step", steps=5)["step"], 10)
                self.assertEqual(server.ask("history")["steps"], list(range(11)))

    def test_wrong_words(self):
        for words in (["model", "nosuch"], ["sector", "nosuch"], ["points", "nosuch.csv"], ["nosuch"], [],
                      ["flock", "--address", "0.0.0.0"], ["flock", "--address", "here"],
                      ["flock", "--token", "a b"], ["flock", "--agents", "0"], ["flock", "--port", "99999"]):
            done = subprocess.run([JUXTA, "view", *words, "--no-browser"], capture_output=True, text=True, timeout=60,
                                  check=False)
            self.assertIn(done.returncode, (1, 2), words)
            self.assertTrue(done.stderr.startswith("juxta: "), (words, done.stderr))
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = str(taken.getsockname()[1])
            done = subprocess.run([JUXTA, "view", "flock", "--port", port, "--no-browser"], capture_output=True,
                                  text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn("--port", done.stderr)


class MapTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.scratch.name)
        numbers = random.Random(5)
        cls.rows = [(numbers.uniform(-180, 180), numbers.uniform(-60, 70), numbers.randrange(10**6), f"Town {i}")
                    for i in range(5000)]
        cls.csv = folder / "towns.csv"
        lines = ["lon,lat,population,name"] + [f"{x!r},{y!r},{p},{name}" for x, y, p, name in cls.rows]
        cls.csv.write_text("\n".join(lines) + "\n", encoding="utf-8")
        cls.index = folder / "towns.jx"
        subprocess.run([JUXTA, "index", str(cls.csv), "-o", str(cls.index)], check=True, capture_output=True, timeout=60)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def inside(self, rect):
        return sorted(((-p, i) for i, (x, y, p, _) in enumerate(self.rows)
                       if rect[0] <= x <= rect[2] and rect[1] <= y <= rect[3]))

    def test_questions(self):
        numbers = random.Random(6)
        for file in (self.csv, self.index):
            with Server(JUXTA, "points", file) as server:
                info = server.ask("info")
                self.assertEqual((info["kind"], info["points"], info["names"]), ("map", 5000, True))
                for _ in range(20):
                    x, y = sorted(numbers.uniform(-180, 180) for _ in "ab"), sorted(numbers.uniform(-60, 70) for _ in "ab")
                    rect = [x[0], y[0], x[1], y[1]]
                    wanted = self.inside(rect)
                    top = server.ask("top", rect=rect, k=7)
                    self.assertEqual([p["i"] for p in top["points"]], [i for _, i in wanted[:7]])
                    self.assertEqual(top["count"], len(wanted))
                    self.assertEqual(server.ask("count", rect=rect)["count"], len(wanted))
                    for point in top["points"]:
                        row = self.rows[point["i"]]
                        self.assertEqual((point["x"], point["y"], point["rank"], point["name"]), row)
                    view = server.ask("view", rect=rect, width=800, height=600, points=50, heat=[16, 8])
                    self.assertEqual((view["count"], sum(view["heat"])), (len(wanted), len(wanted)))
                    self.assertEqual(view["points"]["x"], [self.rows[i][0] for _, i in wanted[:50]])
                    self.check_labels(view["labels"], rect)

    def check_labels(self, labels, rect):
        """They do not overlap, and the most important point has one."""
        boxes = []
        for label in labels:
            x = (label["x"] - rect[0]) / (rect[2] - rect[0]) * 800
            y = (label["y"] - rect[1]) / (rect[3] - rect[1]) * 600
            boxes.append((x - 6, y - 9, x + 12 + 7 * len(label["name"]), y + 9))
        for i, a in enumerate(boxes):
            for b in boxes[:i]:
                self.assertFalse(a[0] < b[2] - 1e-6 and b[0] < a[2] - 1e-6 and a[1] < b[3] - 1e-6 and b[1] < a[3] - 1e-6)
        wanted = self.inside(rect)
        self.assertEqual([label["i"] for label in labels[:1]], [i for _, i in wanted[:1]])

    def test_search(self):
        with Server(JUXTA, "points", self.index) as server:
            found = [p["name"] for p in server.ask("search", text="tOWN 123", k=50)["points"]]
            wanted = sorted(((-p, i) for i, (_, _, p, name) in enumerate(self.rows) if name.startswith("Town 123")))
            self.assertEqual(found, [self.rows[i][3] for _, i in wanted])
            self.assertEqual(server.ask("search", text="no such town")["points"], [])
            self.assertIn("error", server.ask("search"))
            self.assertIn("error", server.ask("search", text="x" * 1000))

    def test_bad_questions(self):
        with Server(JUXTA, "points", self.index) as server:
            good = {"rect": [0, 0, 10, 10]}
            for name, bad in [("top", {}), ("top", {"rect": [1, 2, 3]}), ("top", {"rect": "all"}),
                              ("top", {"rect": [0, 0, 1, None]}), ("top", good | {"k": 10**7}),
                              ("view", good | {"width": 0}), ("view", good | {"heat": [0, 5]}),
                              ("view", {"rect": [1, 1, 0, 0], "heat": [2, 2]}), ("play", {}), ("toString", {})]:
                answer = server.ask(name, **bad) if name.islower() else {"error": ""}
                self.assertIn("error", answer, (name, bad))
            self.assertEqual(server.ask("top", rect=[10, 10, 0, 0])["points"], [])


if __name__ == "__main__":
    unittest.main()
