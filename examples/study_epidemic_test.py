#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What docs/models.md does with study_epidemic: a run, a table, a picture, a checkpoint to go on from, a sweep.

Usage: study_epidemic_test.py PROGRAM
"""
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = pathlib.Path(sys.argv.pop(1))
SWEEP = """model = "epidemic"
seeds = 3

[vary]
infect = [0.05, 0.1, 0.2]
"""


def done(*arguments):
    command = [str(word) for word in (PROGRAM, *arguments)]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True, timeout=120).stdout


class EpidemicTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        self.addCleanup(self.scratch.cleanup)

    def report(self, *arguments):
        return json.loads(done(*arguments, "--json"))

    def test_a_run_has_the_table_of_the_page_and_a_picture(self):
        report = self.report("--out", self.folder, "--pictures", 70)
        rows = (self.folder / "steps.csv").read_text().splitlines()
        self.assertEqual([rows[0], rows[1], rows[-1]], ["step,susceptible,ill,recovered", "0,3995,5,0", "150,493,70,3437"])
        for name in ("epidemic_000070.png", "epidemic.png", "steps.svg"):
            self.assertTrue((self.folder / name).stat().st_size > 500, name)
        self.assertEqual(report["reported"], {"susceptible": 493, "ill": 70, "recovered": 3437})

    def test_a_resumed_run_is_one_that_never_stopped(self):
        straight = self.report("--threads", 1)
        self.report("--steps", 70, "--out", self.folder, "--checkpoint", 70)
        resumed = self.report("--resume", self.folder / "checkpoint.jxr", "--steps", 150)
        self.assertEqual((resumed["first_step"], resumed["step"]), (70, 150))
        self.assertEqual(resumed["state"], straight["state"])

    def test_ctrl_c_leaves_a_checkpoint_that_goes_on(self):
        process = subprocess.Popen([PROGRAM, "--steps", "1000000", "--out", self.folder, "--checkpoint", "5"], text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        deadline = time.time() + 60
        while not (self.folder / "checkpoint.jxr").exists() and time.time() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (130, ""))
        self.assertIn(f"{PROGRAM.name}: interrupted", said)
        self.assertIn(f"{PROGRAM} --resume {self.folder / 'checkpoint.jxr'} --out {self.folder} --steps 1000000 goes on", said)
        self.assertGreaterEqual(self.report("--resume", self.folder / "checkpoint.jxr", "--steps", 1000000, "--until",
                                            "step > 0")["first_step"], 5)

    def test_it_ends_when_nobody_is_ill(self):
        report = self.report("--set", "infect=0", "--until", "ill == 0")
        self.assertEqual((report["step"], report["until_met"], report["reported"]["recovered"]), (14, True, 5))

    def test_the_sweep_of_the_page(self):
        (self.folder / "sweep.toml").write_text(SWEEP)
        table = done("--sweep", self.folder / "sweep.toml").splitlines()
        self.assertEqual(len(table), 10)
        for row in ("replica,seed,infect,step,susceptible,ill,recovered", "0,1,0.05,150,3992,0,8", "3,1,0.1,150,3687,20,293",
                    "6,1,0.2,150,493,70,3437"):
            self.assertIn(row, table)
        page = (pathlib.Path(__file__).parent.parent / "docs" / "models.md").read_text()
        self.assertTrue("\n    ".join(table[:2]) in page and SWEEP in page, "docs/models.md has another sweep")


if __name__ == "__main__":
    unittest.main(verbosity=1)
