#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What docs/models.md does with study_epidemic: every command of the page, its tables, and what may go wrong.

Usage: study_epidemic_test.py PROGRAM
"""
import json
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = pathlib.Path(sys.argv.pop(1))
ROOT = pathlib.Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "models.md").read_text()
SWEEP = re.search(r"```toml\n(.*?)```", PAGE, re.S)[1]


def done(*arguments):
    command = [str(word) for word in (PROGRAM, *arguments)]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True, timeout=120).stdout


def table_of_page(first_line):
    """The lines of an indented table, those that it leaves out as "..."."""
    block = PAGE[PAGE.index("    " + first_line):].split("\n\n")[0]
    return [line.strip() for line in block.split("\n")]


class EpidemicTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        self.addCleanup(self.scratch.cleanup)

    def report(self, *arguments):
        return json.loads(done(*arguments, "--json"))

    def assert_shown(self, shown, lines):
        self.assertEqual(shown[0], lines[0])
        for row in shown:
            self.assertTrue(row == "..." or row in lines, f"docs/models.md shows {row}")

    def test_every_command_of_the_page_in_its_order(self):
        (self.folder / "build").mkdir()
        shutil.copy(PROGRAM, self.folder / "build" / "epidemic")
        (self.folder / "sweep.toml").write_text(SWEEP)
        commands = re.findall(r"^    (build/epidemic .*?)(?:   +.*)?$", PAGE, re.M)
        self.assertGreaterEqual(len(commands), 6)
        for command in commands:
            subprocess.run(shlex.split(command), cwd=self.folder, check=True, timeout=120, stdout=subprocess.DEVNULL)
        self.assert_shown(table_of_page("step,"), (self.folder / "out" / "steps.csv").read_text().splitlines())
        for name in ("epidemic_000070.png", "epidemic.png", "steps.svg"):
            self.assertTrue((self.folder / "out" / name).stat().st_size > 500, name)
        swept = next(path for path in (self.folder / "swept").iterdir() if path.suffix == ".csv")
        self.assert_shown(table_of_page("replica,"), swept.read_text().splitlines())

    def test_the_page_shows_the_whole_program(self):
        shown = "\n".join(re.findall(r"<!-- from examples/study_epidemic.cpp -->\n```cpp\n(.*?)```", PAGE, re.S))
        program = (ROOT / "examples" / "study_epidemic.cpp").read_text().split("\n")
        self.assertLessEqual(len(program), 81, "the tutorial is no longer short")  # and a last, empty line
        hidden = [line for line in program if line.strip() and line not in shown.split("\n")]
        self.assertLess(len(hidden), 25, "the page leaves out too much of the program")

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

    def test_who_meets_the_ill_falls_ill(self):
        report = self.report("--set", "infect=1", "--set", "radius=100", "--steps", 2)
        self.assertEqual(report["reported"], {"susceptible": 0, "ill": 4000, "recovered": 0})


if __name__ == "__main__":
    unittest.main(verbosity=1)
