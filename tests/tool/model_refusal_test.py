#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Wrong use of juxta model, files that are none, disks that are full: one sentence, and nothing is lost.

Usage: model_refusal_test.py JUXTA
"""
import os
import re
import resource
import signal
import subprocess
import unittest

from model_case import ENDLESS, JUXTA, SWEEP, ModelCase, juxta, rows_of


class RefusalTest(ModelCase):
    def test_broken_sweeps_are_named_by_line(self):
        broken = [(1, 'model = "flocking"', 'model = "flock"', "there is no model 'flock'"),
                  (1, 'model = "flocking"', "model = 3", "name the model"),
                  (2, "steps = 60", "steps = -1", "steps"), (2, "steps = 60", "step = 60", "'step' is not known here"),
                  (2, "steps = 60", "steps = ", "no TOML"), (3, "every = 20", "every = 0", "every"),
                  (4, "seeds = 10", "seeds = 0", "seeds"), (4, "seeds = 10", "seeds = [1, 1]", "twice"),
                  (6, "birds = 150", "bird = 150", "no parameter 'bird'"),
                  (6, "birds = 150", "birds = 1.5", "a whole number from 0 to 1e+05"),
                  (6, "birds = 150", "birds = nan", "a whole number from 0 to 1e+05"),
                  (8, "birds = 150", "radius = 150", "radius stands in [set] too"),
                  (8, "radius = [5, 15]", "radius = []", "radius"),
                  (8, "radius = [5, 15]", "radius = [5, -1]", "from 0 to 1e+06"),
                  (9, "count = 3", "count = 2000000", "count"), (9, "cohere", "radius", "radius")]
        for line, old, new, wanted in broken:
            path = self.sweep(SWEEP.replace(old, new, 1))
            said = self.refused(1, "--sweep", path, "--out", self.folder / "never")
            self.assertIn(f"juxta: {path}:{line}: ", said)
            self.assertIn(wanted, said)
        self.assertFalse((self.folder / "never").exists())
        self.assertIn("none.toml", self.refused(1, "--sweep", self.folder / "none.toml"))
        self.assertIn("directory", self.refused(1, "--sweep", self.folder))
        self.assertIn("a sweep of flocking", self.refused(2, "schelling", "--sweep", self.sweep()))

    def test_mistakes_are_one_sentence(self):
        names = ", ".join(re.findall(r"^(\w+): ", self.done("--list"), re.M))
        wrong = [([], "--list"), (["flok"], f"no model 'flok': give one of {names}"), (["flok", "--list"], names),
                 (["schelling", "--set", "radios=1"], "give one of size, agents, radius, happy"),
                 (["schelling", "--set", "radius"], "name=number"), (["schelling", "--set", "=1"], "name=number"),
                 (["schelling", "--set", "radius="], "no number"), (["schelling", "--set", "radius=two"], "'two'"),
                 (["schelling", "--set", "radius=2x"], "'2x'"), (["schelling", "--set"], "--set"),
                 (["schelling", "--set", "radius=1e999"], "no number"),
                 (["schelling", "--set", "radius=-0.5"], "1 to 7"),
                 (["schelling", "--preset", "huge"], "give one of small, large"),
                 (["schelling", "--steps", -1], "0 to 1000000000"), (["schelling", "--steps", 1.5], "0 to 1000000000"),
                 (["schelling", "--steps", "ten"], "--steps"), (["schelling", "--steps", 10**10], "0 to 1000000000"),
                 (["schelling", "--seed", -1], "0 to 18446744073709551615"), (["schelling", "--seed", "x"], "--seed"),
                 (["schelling", "--seed", 2**64], "0 to 18446744073709551615"),
                 (["schelling", "--seed", 1.5], "--seed"),
                 (["schelling", "--threads", 1025], "0 to 1024"), (["schelling", "--speed", 1], "--speed"),
                 (["schelling", "flocking"], "flocking"), (["schelling", "--list", "--steps", 3], "--list"),
                 (["--list", "--json"], "--list"), (["schelling", "--checkpoint", "every", "ten"], "1 to 1000000000"),
                 *((["schelling", option, 5], "--out") for option in
                   ("--every", "--agents", "--snapshots", "--pictures", "--checkpoint")),
                 *((["schelling", "--out", self.folder / "o", option, 0], "1 to 1000000000") for option in
                   ("--every", "--agents", "--snapshots", "--pictures", "--checkpoint")),
                 *((["--sweep", self.sweep(), *more], "--sweep takes all") for more in
                   (["--steps", 5], ["--set", "radius=1"], ["--seed", 1], ["--preset", "small"], ["--resume", "x"],
                    ["--out", self.folder, "--every", 2], ["--out", self.folder, "--checkpoint", 2]))]
        for arguments, wanted in wrong:
            self.assertIn(wanted, self.refused(2, *arguments), arguments)
        self.assertEqual(os.listdir(self.folder), ["sweep.toml"])
        self.assertIn("--checkpoint", self.done("--help"))

    def test_places_that_cannot_be_written(self):
        file = self.folder / "file"
        file.write_text("old")
        (self.folder / "taken" / "steps.csv").mkdir(parents=True)
        (self.folder / "taken" / "sweep.csv").mkdir()
        for arguments in (["schelling", "--steps", ENDLESS], ["--sweep", self.sweep()]):  # at once, not after the run
            self.assertIn(str(file), self.refused(1, *arguments, "--out", file))
            self.assertIn(str(file), self.refused(1, *arguments, "--out", file / "below"))
            self.assertIn("csv", self.refused(1, *arguments, "--out", self.folder / "taken"))
        self.assertEqual(file.read_text(), "old")
        self.assertEqual(sorted(os.listdir(self.folder / "taken")), ["steps.csv", "sweep.csv"])

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_missing_rights(self):
        closed = self.folder / "closed"
        closed.mkdir(mode=0o500)
        for out in (closed, closed / "below"):
            self.assertIn("closed", self.refused(1, "schelling", "--steps", ENDLESS, "--out", out))
            self.assertIn("closed", self.refused(1, "--sweep", self.sweep(), "--out", out))

    def test_files_that_are_no_runs(self):
        out = self.folder / "out"
        self.done("schelling", "--steps", 4, "--out", out, "--checkpoint", 2)
        saved = out / "checkpoint.jxr"
        whole = saved.read_bytes()
        self.assertIn("none.jxr", self.refused(1, "--resume", self.folder / "none.jxr"))
        self.assertIn(str(out), self.refused(1, "--resume", out))
        self.assertIn("a run of schelling, not of flocking", self.refused(2, "flocking", "--resume", saved))
        self.assertIn("is at step 4 already", self.refused(2, "--resume", saved, "--steps", 3))
        for more in (["--set", "radius=2"], ["--seed", 1], ["--preset", "small"], ["--out", out, "--agents", 2]):
            self.assertIn("--resume goes on with the settings", self.refused(2, "--resume", saved, *more))
        self.assertEqual(saved.read_bytes(), whole)
        bad = self.folder / "bad.jxr"
        middle = len(whole) // 2
        for data in (b"", b"step,happy\n0,1\n", b"\0" * 5000, whole[:-64], whole + b"\0" * 64, whole[:4096],
                     whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1:], b"X" + whole[1:],
                     whole[:8] + b"\x09" + whole[9:], whole[-4096:] + whole[4096:]):
            bad.write_bytes(data)
            said = self.refused(1, "--resume", bad, "--steps", 5, "--out", self.folder / "never")
            self.assertIn("bad.jxr", said)
        self.assertFalse((self.folder / "never").exists())

    def limited(self, size, *arguments):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        return juxta(*arguments, preexec_fn=limit)

    def test_a_full_disk_keeps_what_was_written(self):
        out = self.folder / "out"
        self.done("forest_fire", "--steps", 5, "--out", out, "--checkpoint", 5)
        before = {path.name: path.read_bytes() for path in out.iterdir()}
        self.assertEqual(sorted(before), ["checkpoint.jxr", "forest_fire.png", "steps.csv", "steps.svg"])
        for size, failed, same in ((50, "steps.csv", before), (60_000, "checkpoint.jxr", {"checkpoint.jxr"})):
            done = self.limited(size, "--resume", out / "checkpoint.jxr", "--steps", 9, "--out", out, "--checkpoint", 8)
            self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
            self.assertRegex(done.stderr, r"^juxta: .*checkpoint.jxr.*File too large")
            self.assertEqual(sorted(os.listdir(out)), sorted(before), failed)  # no torn file beside them
            for name in same:
                self.assertEqual((out / name).read_bytes(), before[name], name)
        self.assertEqual(rows_of(out / "steps.csv")[-1][0], "8")  # as far as it came, since that had room
        self.assertIn(f"the tables up to there are in {out}", done.stderr)
        resumed = self.report("--resume", out / "checkpoint.jxr", "--steps", 9)
        self.assertEqual(resumed["state"], self.report("forest_fire", "--steps", 9)["state"])
        if os.path.exists("/dev/full"):
            for more in ([], ["--json"], ["--list"]):
                with open("/dev/full", "w", encoding="utf-8") as full:
                    told = subprocess.run([JUXTA, "model", "schelling", *more], stdout=full, stderr=subprocess.PIPE,
                                          text=True, timeout=120)
                self.assertEqual((told.returncode, told.stderr.count("\n")), (1, 1))
                self.assertIn("No space left", told.stderr)

    def test_a_full_disk_under_a_sweep(self):
        sweep, out = self.sweep(), self.folder / "out"
        done = self.limited(3000, "--sweep", sweep, "--out", out)
        self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
        self.assertIn("File too large", done.stderr)
        self.assertEqual(os.listdir(out), ["sweep.journal"])
        resumed = self.report("--sweep", sweep, "--out", out)
        self.assertTrue(0 < resumed["resumed"] < 60, resumed)
        self.assertEqual((out / "sweep.csv").read_text(), self.done("--sweep", sweep))


if __name__ == "__main__":
    unittest.main(verbosity=1)
