#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Stops runs and sweeps of juxta model, as users and machines do: what there was is kept, and goes on from there.

Usage: model_stop_test.py JUXTA
"""
import os
import re
import select
import signal
import subprocess
import time
import unittest

from model_case import ENDLESS, JUXTA, SWEEP, ModelCase, rows_of, small
from terminal import open_terminal


class StopTest(ModelCase):
    def test_an_interrupted_run_goes_on(self):
        out = self.folder / "out"
        settings = ["lennard_jones", "--set", "cells=8", "--set", "measure=7"]
        process = self.start(*settings, "--steps", ENDLESS, "--out", out, "--checkpoint", "every", 2)
        self.wait_for(process, (out / "checkpoint.jxr").exists)
        process.send_signal(signal.SIGINT)
        told, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, told), (130, ""), errors)
        self.assertIn("juxta: interrupted", errors)
        self.assertIn(f"--resume {out / 'checkpoint.jxr'} --out {out} --steps {ENDLESS} goes on", errors)
        self.assertEqual(sorted(os.listdir(out)), ["checkpoint.jxr", "lennard_jones.png", "steps.csv", "steps.svg"])
        at = int(rows_of(out / "steps.csv")[-1][0])
        resumed = self.report("--resume", out / "checkpoint.jxr", "--steps", at + 5, "--out", out)
        self.assertEqual(resumed["first_step"], at)
        whole = self.report(*settings, "--steps", at + 5, "--out", self.folder / "whole")
        self.assertEqual(resumed["state"], whole["state"])
        self.assertEqual((out / "steps.csv").read_bytes(), (self.folder / "whole" / "steps.csv").read_bytes())

    def test_a_run_without_checkpoints_is_saved_when_interrupted(self):
        out = self.folder / "out"
        process = self.start("forest_fire", "--preset", "large", "--out", out, "--pictures", 1)
        self.wait_for(process, (out / "forest_fire_000001.png").exists)
        process.send_signal(signal.SIGTERM)
        told, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, told), (143, ""), errors)
        self.assertIn(f"--out {out} --steps 1000 goes on", errors)  # a saved run does not know of its preset
        at = int(rows_of(out / "steps.csv")[-1][0])
        resumed = self.report("--resume", out / "checkpoint.jxr", "--steps", at)
        self.assertEqual((resumed["first_step"], resumed["step"]), (at, at))
        process = self.start(*small("lennard_jones"), "--steps", ENDLESS)  # without a folder: nothing to keep
        time.sleep(.5)
        process.send_signal(signal.SIGINT)
        told, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, told, errors.count("juxta: ")), (130, "", 1))
        self.assertFalse(os.path.exists("checkpoint.jxr"))

    def test_a_killed_run_goes_on_from_its_checkpoint(self):
        out = self.folder / "out"
        settings = small("dam_break")
        process = self.start(*settings, "--steps", ENDLESS, "--out", out, "--checkpoint", 3)
        self.wait_for(process, (out / "checkpoint.jxr").exists)
        time.sleep(.2)
        process.kill()
        process.communicate(timeout=60)
        first = self.first_step(out / "checkpoint.jxr")
        self.assertEqual((first % 3, first > 0), (0, True))
        resumed = self.report("--resume", out / "checkpoint.jxr", "--steps", first + 4, "--out", out)
        whole = self.report(*settings, "--steps", first + 4, "--out", self.folder / "whole")
        self.assertEqual(resumed["state"], whole["state"])
        self.assertEqual((out / "steps.csv").read_bytes(), (self.folder / "whole" / "steps.csv").read_bytes())

    def first_step(self, checkpoint):
        said = self.refused(2, "--resume", checkpoint, "--steps", 0)
        return int(re.search(r"is at step (\d+) already", said)[1])

    def test_an_interrupted_sweep_is_the_same_sweep(self):
        sweep = self.sweep(SWEEP.replace("seeds = 10", "seeds = 40").replace("steps = 60", "steps = 200"))
        out, whole = self.folder / "out", self.folder / "whole"
        process = self.start("--sweep", sweep, "--out", out, "--threads", 2)
        journal = out / "sweep.journal"
        self.wait_for(process, lambda: journal.exists() and journal.read_bytes().count(b"\nend") > 2)
        process.send_signal(signal.SIGINT)
        told, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, told), (130, ""))
        self.assertIn(f"what had finished is in {journal}: the same command goes on", errors)
        self.assertEqual(os.listdir(out), ["sweep.journal"])
        resumed = self.report("--sweep", sweep, "--out", out)
        self.assertTrue(2 < resumed["resumed"] < resumed["replicas"], resumed)
        self.done("--sweep", sweep, "--out", whole)
        for name in ("sweep.csv", "sweep.svg"):
            self.assertEqual((out / name).read_bytes(), (whole / name).read_bytes())
        self.assertIn("another sweep", self.refused(2, "--sweep", self.sweep(), "--out", out))

    def test_progress_is_for_terminals(self):
        sweep = self.sweep(SWEEP.replace("seeds = 10", "seeds = 100000"))
        for arguments, wanted in (([*small("lennard_jones"), "--steps", ENDLESS], rb"lennard_jones +0 %"),
                                  (["lennard_jones", "--set", "cells=90"], rb"the first step is under way"),
                                  (["--sweep", sweep, "--out", self.folder / "s"], rb"\w+ +\d+ %")):
            ours, theirs = open_terminal(self)
            process = subprocess.Popen([JUXTA, "model", *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=theirs)
            os.close(theirs)
            shown, began = b"", time.time()
            while not re.search(wanted, shown) and time.time() < began + 60:
                if select.select([ours], [], [], 1)[0]:
                    shown += os.read(ours, 1000)
            told_after = time.time() - began
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=60), 130)
            os.close(ours)
            self.assertRegex(shown, wanted)
            self.assertGreater(told_after, 1.9)
        process = self.start(*small("lennard_jones"), "--steps", ENDLESS)
        time.sleep(2.5)
        self.assertEqual(select.select([process.stderr], [], [], 0)[0], [])
        process.send_signal(signal.SIGINT)
        self.assertNotIn("%", process.communicate(timeout=60)[1])


if __name__ == "__main__":
    unittest.main(verbosity=1)
