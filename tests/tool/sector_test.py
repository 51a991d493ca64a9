#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Plays battles with juxta sector and juxta replay: reports, traces, checkpoints and replays hold what they say.

Usage: sector_test.py JUXTA
"""
import base64
import collections
import html.parser
import json
import re
import unittest

from sector_case import STAGES, SectorCase, juxta


class Page(html.parser.HTMLParser):
    """What a page would fetch, and what it shows."""

    def __init__(self, text):
        super().__init__()
        self.count, self.sources, self.open = collections.Counter(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.count[tag] += 1
        self.sources += [value for name, value in attrs
                         if name in ("src", "href", "xlink:href", "srcset", "data", "action", "poster")]
        if tag not in ("meta", "img", "rect", "path", "line", "circle", "polyline", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"{tag} closes {self.open}"
        self.open.pop()


class SectorTest(SectorCase):
    def test_a_battle_is_told(self):
        report = self.battle("skirmish", "--ticks", 12, "--threads", 2)
        self.assertEqual((report["scenario"], report["first_tick"], report["tick"], report["threads"]),
                         ("skirmish", 0, 12, 2))
        rows = report["milliseconds"]
        self.assertEqual(list(rows), [*STAGES, "tick", "record"])
        for name, row in rows.items():
            self.assertTrue(0 <= row["median"] <= row["p99"] <= row["worst"], (name, row))
        self.assertGreater(rows["tick"]["median"], sum(rows[stage]["median"] for stage in STAGES) / 2)
        self.assertLessEqual(1e3 / rows["tick"]["worst"], report["ticks_per_second"])
        self.assertGreater(report["ticks_per_second"] * report["seconds"], 12 * .99)
        self.assertAlmostEqual(report["ticks_per_second_with_recording"] * report["seconds"], 12, delta=1e-6)
        self.assertGreater(report["living"]["nodes"], 3000)
        self.assertGreater(report["happened"]["nodes moved"], report["living"]["nodes"])
        text = self.done("sector", "skirmish", "--ticks", 12)
        for name in [*STAGES, "tick", "record"]:
            self.assertRegex(text, rf"(?m)^  {name} +\d+\.\d{{3}} +\d+\.\d{{3}} +\d+\.\d{{3}}")
        self.assertIn(f"state      {report['state']}, ", text)
        self.assertRegex(text, r"\n +\d+\.\d ticks per second, the simulation alone\n"
                               r" +\d+\.\d ticks per second with hashes, recording, pictures and checkpoints\n")

    def test_nothing_but_seed_and_scenario_changes_the_state(self):
        state = self.battle("skirmish", "--ticks", 9)["state"]
        self.assertRegex(state, r"^[0-9a-f]{16}$")
        for more in (["--threads", 1], ["--threads", 3, "--trace", self.folder / "t.json"], ["--headless"],
                     ["--out", self.out, "--record", 4]):
            self.assertEqual(self.battle("skirmish", "--ticks", 9, *more)["state"], state, more)
        self.assertNotEqual(self.battle("skirmish", "--ticks", 9, "--seed", 2)["state"], state)
        self.assertNotEqual(self.battle("skirmish", "--ticks", 10)["state"], state)
        mine = self.folder / "mine.toml"
        mine.write_text('preset = "skirmish"\nname = "mine"\n[steer]\nflee = 0.5\n', encoding="utf-8")
        report = self.battle(mine, "--ticks", 9)
        self.assertEqual(report["scenario"], "mine")
        self.assertNotEqual(report["state"], state)

    def test_the_report_needs_nothing_beside_it(self):
        report = self.battle("skirmish", "--ticks", 30, "--out", self.out)
        self.assertEqual(self.listing(), ["battle.png", "battle.replay", "report.html"])
        self.assertEqual(sorted(report["files"]), [str(self.out / name) for name in self.listing()])
        text = (self.out / "report.html").read_text(encoding="utf-8")
        page = Page(text)
        self.assertEqual(page.open, [])
        self.assertTrue(all(source.startswith("data:image/png;base64,") for source in page.sources))
        self.assertEqual((page.count["script"], page.count["link"], page.count["iframe"]), (0, 0, 0))
        self.assertNotRegex(text, r"url\(|@import")
        self.assertEqual(set(re.findall(r"\w+://[^\s\"<]*", text)), {"http://www.w3.org/2000/svg"})  # SVG's own name
        self.assertEqual((page.count["svg"], page.count["img"], len(page.sources)), (5, 7, 7))
        pictures = [base64.b64decode(source.split(",")[1], validate=True) for source in page.sources]
        self.assertTrue(all(picture.startswith(b"\x89PNG\r\n") and picture.endswith(b"IEND\xaeB`\x82")
                            for picture in pictures))
        self.assertEqual(pictures[0], (self.out / "battle.png").read_bytes())
        self.assertEqual(len(set(pictures)), 7)  # something happens
        self.assertEqual(re.findall(r"<figcaption>tick (\d+)", text), ["30", "0", "5", "10", "15", "20", "25"])
        for row in [*STAGES, "tick"]:
            self.assertRegex(text, rf"<td>{row}</td><td>\d+\.\d+</td><td>\d+\.\d+</td><td>\d+\.\d+</td>")
        self.assertIn(report["state"], text)
        self.assertNotIn("nan", re.sub(r"base64,[^\"]*", "", text).lower())
        self.battle("skirmish", "--ticks", 8, "--out", self.out, "--headless")
        self.assertEqual(Page((self.out / "report.html").read_text(encoding="utf-8")).count["img"], 1)
        self.battle("skirmish", "--ticks", 0, "--out", self.out)
        self.assertEqual(Page((self.out / "report.html").read_text(encoding="utf-8")).count["img"], 1)

    def test_a_trace_is_one_of_chromes(self):
        path = self.folder / "trace.json"
        self.battle("skirmish", "--ticks", 5, "--threads", 2, "--trace", path)
        trace = json.loads(path.read_text(encoding="utf-8"))["traceEvents"]
        events = [event for event in trace if event["ph"] != "M"]
        self.assertEqual({event["ph"] for event in events}, {"X"})
        for event in events:
            self.assertTrue(event["ts"] >= 0 and event["dur"] >= 0 and event["pid"] == 1, event)
        stages = [event for event in events if event["cat"] == "stage"]
        self.assertEqual([event["name"] for event in stages], STAGES * 5)
        for before, after in zip(stages, stages[1:]):
            self.assertLessEqual(before["ts"] + before["dur"], after["ts"] + .002)
        names = {event["tid"]: event["args"]["name"] for event in trace if event["name"] == "thread_name"}
        self.assertEqual(names[0], "stages")
        self.assertEqual(set(names), {0} | {event["tid"] for event in events})
        for task in events:
            if task["cat"] == "task" and task["name"] in STAGES:
                self.assertTrue(any(stage["name"] == task["name"] and stage["ts"] <= task["ts"] + .002 and
                                    task["ts"] + task["dur"] <= stage["ts"] + stage["dur"] + .002
                                    for stage in stages), task)

    def test_a_resumed_battle_never_stopped(self):
        whole = self.battle("skirmish", "--ticks", 30)
        saved = self.battle("skirmish", "--ticks", 20, "--out", self.out, "--checkpoint", "every", 7, "--threads", 2)
        self.assertIn(str(self.out / "checkpoint"), saved["files"])
        checkpoint = self.out / "checkpoint"
        for of, first, more in ((checkpoint, 20, []), (checkpoint / "checkpoint.json", 20, ["--threads", 1]),
                                (checkpoint / "previous.json", 14, ["--out", self.folder / "again"])):
            resumed = self.battle("--resume", of, "--ticks", 30, *more)
            self.assertEqual((resumed["first_tick"], resumed["tick"], resumed["state"]), (first, 30, whole["state"]))
        self.assertEqual(sorted(path.name for path in (self.folder / "again").iterdir()), ["battle.png", "report.html"])
        self.assertEqual(self.battle("--resume", checkpoint, "--ticks", 20)["state"], saved["state"])
        self.assertIn("is at tick 20 already", self.refused(2, "sector", "--resume", checkpoint, "--ticks", 19))

    def test_a_replay_tells_the_tick(self):
        self.battle("skirmish", "--ticks", 12, "--out", self.out, "--seed", 7)
        replay = self.out / "battle.replay"
        self.assertEqual(self.done("replay", replay, "--threads", 1), "12 ticks, all hashes equal\n")
        lines = replay.read_text(encoding="utf-8").splitlines(keepends=True)
        self.assertEqual(len(lines), 13)
        right = json.loads(lines[9])
        self.assertEqual(right["tick"], 9)
        wrong = f"{int(right['hash'], 16) ^ 1:016x}"
        lines[9] = lines[9].replace(right["hash"], wrong)
        replay.write_text("".join(lines), encoding="utf-8")
        told = self.refused_replay(replay)
        self.assertEqual(told, f"tick 9 is the first that differs: expected {wrong}, got {right['hash']}\n")
        text = "".join(lines[:9])
        replay.write_text(text[:-6], encoding="utf-8")  # as a crash leaves it
        self.assertEqual(self.refused_replay(replay, 0, "in the middle of a line"), "7 ticks, all hashes equal\n")

    def refused_replay(self, replay, code=1, error=""):
        done = juxta("replay", replay)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(error, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1 if error else 0, done.stderr)
        return done.stdout


if __name__ == "__main__":
    unittest.main(verbosity=1)
