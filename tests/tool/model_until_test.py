#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""juxta model --until, and sweeps with stop conditions and samples: where they end, and the same bytes always.

Usage: model_until_test.py JUXTA
"""
import unittest

from model_case import ModelCase, rows_of

UNTIL = """model = "schelling"
steps = 30
every = 4
until = "happy >= 0.95"
seeds = 4
[vary]
agents = [900, 1200]
"""
SAMPLE = """model = "schelling"
steps = 6
seeds = [7, 8]
sample = {{ kind = "{kind}", count = 16, seed = {seed} }}
[vary]
agents = {{ from = 800, to = 1400 }}
radius = {{ from = 1, to = 4 }}
"""


class UntilTest(ModelCase):
    def test_a_run_ends_after_the_step_that_meets_it(self):
        self.done("schelling", "--steps", 20, "--out", self.folder / "all")
        whole = rows_of(self.folder / "all" / "steps.csv")
        happy = whole[0].index("happy")
        end = next(i for i, row in enumerate(whole) if i > 1 and float(row[happy]) >= 0.95)
        for threads in (1, 2):
            out = self.folder / f"t{threads}"
            report = self.report("schelling", "--until", "happy >= 0.95", "--steps", 20, "--out", out, "--threads", threads)
            self.assertEqual((report["until"], report["until_met"], report["step"]), ("happy >= 0.95", True, end - 1))
            self.assertEqual(rows_of(out / "steps.csv"), whole[:end + 1])
        thin = self.folder / "thin"
        self.done("schelling", "--until", "happy>=0.95", "--steps", 20, "--out", thin, "--every", 100)
        self.assertEqual(rows_of(thin / "steps.csv"), [whole[0], whole[1], whole[end]])
        never = self.report("schelling", "--until", "happy > 2", "--steps", 7)
        self.assertEqual((never["until_met"], never["step"]), (False, 7))
        self.assertRegex(self.done("schelling", "--until", "happy >= 0.95"), r"until +happy >= 0.95, which is met")
        self.assertRegex(self.done("schelling", "--until", "happy > 2"), r"until +happy > 2: not met")
        self.assertEqual(self.report("schelling", "--until", "happy < 0.5", "--steps", 3)["step"], 3)  # the start is none

    def test_a_checkpoint_keeps_it(self):
        straight = self.report("schelling", "--until", "happy >= 0.95", "--steps", 20)
        self.assertGreater(straight["step"], 2)
        self.done("schelling", "--until", "happy >= 0.95", "--steps", 2, "--out", self.folder / "a", "--checkpoint", 2)
        saved = self.folder / "a" / "checkpoint.jxr"
        resumed = self.report("--resume", saved, "--steps", 20)
        for same in ("state", "step", "reported", "until", "until_met"):
            self.assertEqual(resumed[same], straight[same])
        self.assertEqual(self.report("--resume", saved, "--steps", 20, "--until", "step == 3")["step"], 3)
        dropped = self.report("--resume", saved, "--steps", 20, "--until", "none")
        self.assertEqual((dropped["step"], "until" in dropped), (20, False))

    def test_slips_are_one_sentence(self):
        self.assertIn("no stop condition: give REPORT OP NUMBER", self.refused(2, "schelling", "--until", "moves"))
        self.assertIn("give one of step, happy, moves, segregation", self.refused(2, "schelling", "--until", "mooves < 3"))
        self.assertIn("--resume FILE", self.refused(2, "schelling", "--until", "none"))
        self.assertIn("--sweep takes all", self.refused(2, "--sweep", self.sweep(UNTIL), "--until", "moves < 3"))
        self.assertIn("--list", self.refused(2, "--list", "--until", "moves < 3"))
        path = self.sweep(UNTIL.replace("happy >=", "hapy >="))
        said = self.refused(1, "--sweep", path)
        self.assertIn("replica 0", said)
        self.assertIn("give one of step, happy, moves, segregation", said)
        self.assertIn(f"{path}:4: until: ", self.refused(1, "--sweep", self.sweep(UNTIL.replace("happy >=", "happy"))))

    def both_ways(self, text, replicas):
        """The table of a sweep, which threads and a torn journal do not change."""
        path, tables = self.sweep(text), []
        for threads in (1, 2):
            out = self.folder / f"s{threads}"
            self.assertEqual(self.report("--sweep", path, "--out", out, "--threads", threads)["resumed"], 0)
            tables.append((out / "sweep.csv").read_bytes())
            journal = out / "sweep.journal"
            whole = journal.read_bytes()
            journal.write_bytes(whole[:len(whole) * 2 // 3])
            again = self.report("--sweep", path, "--out", out, "--threads", threads)
            self.assertTrue(0 < again["resumed"] < replicas)
            tables.append((out / "sweep.csv").read_bytes())
            self.check_curves(out / "sweep.svg", 3)
        self.assertEqual(len(set(tables)), 1)
        return rows_of(self.folder / "s1" / "sweep.csv")

    def test_a_sweep_ends_each_replica(self):
        rows = self.both_ways(UNTIL, 8)
        lasts = {rows[i][3] for i in range(1, len(rows)) if i + 1 == len(rows) or rows[i + 1][0] != rows[i][0]}
        self.assertGreater(len(lasts), 1)  # not all at the same step
        for replica in range(8):
            mine = [row for row in rows[1:] if row[0] == str(replica)]
            run = self.report("schelling", "--seed", mine[0][1], "--set", f"agents={mine[0][2]}", "--steps", 30, "--until",
                              "happy >= 0.95")
            self.assertEqual([float(cell) for cell in mine[-1][3:]], [run["step"], *run["reported"].values()])
            self.assertEqual([int(row[3]) for row in mine[:-1]], [*range(0, run["step"], 4)])

    def test_samples(self):
        for kind in ("latin", "sobol"):
            self.scratch.cleanup()
            self.setUp()
            rows = self.both_ways(SAMPLE.format(kind=kind, seed=3), 32)
            self.assertEqual(rows[0][:5], ["replica", "seed", "agents", "radius", "step"])
            self.assertEqual(len(rows), 33)
            self.assertEqual([row[1] for row in rows[1:]], ["7", "8"] * 16)
            self.assertEqual(rows[1][2:4], rows[2][2:4])
            self.assertEqual(sorted(row[3] for row in rows[1:]), sorted("1234" * 8))  # each equally likely
            run = self.report("schelling", "--seed", 8, "--set", f"agents={rows[32][2]}", "--set", f"radius={rows[32][3]}",
                              "--steps", 6)
            self.assertEqual([float(cell) for cell in rows[32][5:]], list(run["reported"].values()))
            out = self.folder / "s1"
            other = self.sweep(SAMPLE.format(kind=kind, seed=4), "other.toml")
            self.assertIn("journal of another sweep", self.refused(2, "--sweep", other, "--out", out))
        text = self.done("--sweep", self.sweep(SAMPLE.format(kind="sobol", seed=0)))
        self.assertEqual([line.split(",")[2:4] for line in text.splitlines()[1:6:2]], [["800", "1"], ["1100", "3"], ["1250", "2"]])


if __name__ == "__main__":
    unittest.main(verbosity=1)
