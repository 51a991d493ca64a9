#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Stops battles, fills their disk, and uses juxta sector wrongly: one sentence, and nothing is lost.

Usage: sector_stop_test.py JUXTA
"""
import json
import os
import re
import resource
import select
import signal
import subprocess
import time
import unittest

from sector_case import ENDLESS, JUXTA, STAGES, SectorCase
from terminal import open_terminal


class StopTest(SectorCase):
    def test_an_interrupted_battle_is_told_and_goes_on(self):
        process = self.start("skirmish", "--ticks", ENDLESS, "--out", self.out, "--checkpoint", "every", 5, "--trace",
                             self.folder / "trace.json")
        self.wait_for(process, (self.out / "checkpoint" / "checkpoint.json").exists)
        process.send_signal(signal.SIGINT)
        told, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        for stage in STAGES:
            self.assertRegex(told, rf"(?m)^  {stage} +\d")
        self.assertIn("juxta: interrupted", errors)
        self.assertIn(f"juxta sector --resume {self.out / 'checkpoint'} --ticks {ENDLESS} goes on", errors)
        self.assertEqual(self.listing(), ["battle.png", "battle.replay", "checkpoint", "report.html"])
        json.loads((self.folder / "trace.json").read_text(encoding="utf-8"))
        at = int(re.search(r"from 0 to (\d+)", told)[1])
        resumed = self.battle("--resume", self.out / "checkpoint", "--ticks", at + 5)
        self.assertEqual(resumed["first_tick"], at)
        self.assertEqual(resumed["state"], self.battle("skirmish", "--ticks", at + 5)["state"])
        self.assertEqual(self.done("replay", self.out / "battle.replay"), f"{at:,} ticks, all hashes equal\n")

    def test_without_a_checkpoint_the_table_is_all(self):
        process = self.start("skirmish", "--ticks", ENDLESS, "--json")
        time.sleep(.7)
        process.send_signal(signal.SIGTERM)
        told, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, errors.count("juxta: ")), (143, 1), errors)
        self.assertTrue(json.loads(told)["interrupted"])
        self.assertFalse(os.path.exists("checkpoint"))

    def test_a_killed_battle_goes_on_from_its_checkpoint(self):
        process = self.start("skirmish", "--ticks", ENDLESS, "--out", self.out, "--checkpoint", 3)
        self.wait_for(process, (self.out / "checkpoint" / "previous.json").exists)
        process.kill()
        process.communicate(timeout=60)
        resumed = self.battle("--resume", self.out / "checkpoint", "--out", self.folder / "more", "--headless")
        at = resumed["first_tick"]
        self.assertEqual((at % 3, resumed["tick"]), (0, at + 600))
        short = self.battle("--resume", self.out / "checkpoint", "--ticks", at + 2)
        self.assertEqual(short["state"], self.battle("skirmish", "--ticks", at + 2)["state"])

    def test_a_full_disk_keeps_the_last_checkpoint(self):
        process = self.start("skirmish", "--ticks", ENDLESS, "--out", self.out, "--checkpoint", 40,
                             preexec_fn=lambda: signal.signal(signal.SIGXFSZ, signal.SIG_IGN))
        self.wait_for(process, (self.out / "checkpoint" / "previous.json").exists)
        replayed = (self.out / "battle.replay").stat().st_size + 40_000  # the replay has room for some ticks more
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (replayed, replayed))
        told, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, told), (1, ""), errors)
        self.assertRegex(errors, r"^juxta: .*checkpoint.*File too large")
        good = int(re.search(rf"; the last checkpoint, of tick (\d+) in {self.out / 'checkpoint'}, is good", errors)[1])
        resumed = self.battle("--resume", self.out / "checkpoint", "--ticks", good + 3)
        self.assertEqual(resumed["first_tick"], good)
        self.assertEqual(resumed["state"], self.battle("skirmish", "--ticks", good + 3)["state"])

    def test_progress_is_for_terminals(self):
        for more, shown_there in (([], True), (["--headless"], False)):
            ours, theirs = open_terminal(self)
            process = subprocess.Popen([JUXTA, "sector", "skirmish", "--ticks", str(ENDLESS), *more],
                                       stdout=subprocess.DEVNULL, stderr=theirs)
            os.close(theirs)
            shown, began = b"", time.time()
            wanted = rb"skirmish: \d+ of 1000000000 ticks, \d+\.\d a second, \d+ s left"
            while not re.search(wanted, shown) and time.time() < began + (60 if shown_there else 1.5):
                if select.select([ours], [], [], .2)[0]:
                    shown += os.read(ours, 1000)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=60), 130)
            os.close(ours)
            self.assertEqual(re.search(wanted, shown) is not None, shown_there, shown)
        process = self.start("skirmish", "--ticks", ENDLESS)
        time.sleep(1)
        self.assertEqual(select.select([process.stderr], [], [], 0)[0], [])
        process.send_signal(signal.SIGINT)
        self.assertNotIn("left", process.communicate(timeout=60)[1].replace("left half-written", ""))


class RefusalTest(SectorCase):
    def test_mistakes_are_one_sentence(self):
        wrong = [(["skirmisch"], "skirmish, battle, mission5"), (["none.toml"], "none.toml"),
                 (["skirmish", "--ticks", -1], "0 to 1000000000"), (["skirmish", "--ticks", 1.5], "0 to 1000000000"),
                 (["skirmish", "--seed", -1], "no whole number"), (["skirmish", "--seed", "0x1"], "no whole number"),
                 (["skirmish", "--threads", 2000], "0 to 1024"), (["skirmish", "--record", 0], "1 to 1000000000"),
                 (["skirmish", "--record", "every"], "--record"), (["skirmish", "--checkpoint", 5], "give --out"),
                 (["skirmish", "--record", "every", 5], "give --out"), (["skirmish", "battle"], "battle"),
                 (["skirmish", "--resume", self.out], "give no SCENARIO"),
                 (["--resume", self.out, "--seed", 3], "no --seed"), (["--colour"], "--colour")]
        for arguments, wanted in wrong:
            said = self.refused(2, "sector", *arguments, *(["--out", self.out] if "give --out" not in wanted else []))
            self.assertIn(wanted, said)
        self.assertFalse(self.out.exists())
        self.assertIn("FILE", self.refused(2, "replay"))

    def test_files_that_are_none(self):
        text = self.folder / "notes.toml"
        text.write_text('preset = "skirmish"\n[steer]\nsite = 3\n', encoding="utf-8")
        said = self.refused(1, "sector", text, "--out", self.out)
        self.assertTrue(said.startswith(f"juxta: {text}:3: "), said)
        self.assertIn("site", said)
        for what in ("--resume", "replay"):
            command = ["sector", what] if what == "--resume" else [what]
            self.assertIn(str(text), self.refused(1, *command, text))
            self.assertIn("nothing", self.refused(1, *command, self.folder / "nothing"))
        self.assertFalse(self.out.exists())
        self.assertIn("t.json", self.refused(1, "sector", "skirmish", "--trace", self.folder / "no" / "t.json"))
        self.assertIn("cannot make the folder", self.refused(1, "sector", "skirmish", "--out", text / "below"))


if __name__ == "__main__":
    unittest.main(verbosity=1)
