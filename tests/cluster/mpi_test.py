#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""juxta-mpi against juxta: the same states, tables and sweeps on any number of ranks, and what stops leave behind.

Usage: mpi_test.py JUXTA_MPI JUXTA [SmokeTest | SameTest | TwoHostsTest | StopTest | ThousandTest | HundredTest]
"""
import json
import os
import re
import shutil
import signal
import subprocess
import time
import unittest

from mpi_case import JUXTA_MPI, MPI, MpiCase, runs
from model_case import SWEEP
from two_hosts import TwoHosts

FLOCKS = [["--agents", 4000], ["--agents", 4000, "--periodic"], ["--agents", 4000, "--3d"],
          ["--agents", 4000, "--3d", "--periodic"], ["--agents", 9, "--half-size", 0.2], ["--agents", 3000, "--half-size", 90]]
MODELS = [["flock_3d", "--set", "birds=2000", "--set", "start=120", "--steps", 12],
          ["dam_break", "--set", "across=12", "--steps", 40],
          ["dam_break", "--set", "dimensions=3", "--set", "across=10", "--set", "depth=8", "--set", "smoothing=1.3",
           "--steps", 10],
          ["lennard_jones", "--set", "cells=5", "--steps", 25],
          ["tissue", "--set", "size=60", "--set", "cells=300", "--set", "divide=0.2", "--steps", 30]]


class SmokeTest(MpiCase):
    def test_a_flock_a_model_and_a_sweep(self):
        for words in (["flock", *FLOCKS[0], "--steps", 10], ["model", *MODELS[1][:-1], 12]):
            self.assertEqual(self.state(2, *words), self.state(0, *words), words)
        sweep = self.folder / "sweep.toml"
        sweep.write_text(SWEEP, encoding="utf-8")
        self.done(2, "sweep", sweep, "--out", self.folder / "two")
        self.done(1, "sweep", sweep, "--out", self.folder / "one")
        self.assertEqual((self.folder / "two" / "sweep.csv").read_bytes(), (self.folder / "one" / "sweep.csv").read_bytes())


class SameTest(MpiCase):
    def test_flocks(self):
        for words in FLOCKS:
            alone = self.state(0, "flock", *words, "--steps", 40)
            for ranks in (1, 2, 3, 4, 8):
                self.assertEqual(self.state(ranks, "flock", *words, "--steps", 40), alone, f"{words}, {ranks} ranks")

    def test_models(self):
        for words in MODELS:
            alone = self.state(0, "model", *words)
            for ranks in (1, 2, 3, 4, 8):
                self.assertEqual(self.state(ranks, "model", *words), alone, f"{words}, {ranks} ranks")

    def test_tables_and_pictures(self):
        """Gathered every so many steps alone, they are those of one machine."""
        alone, over = self.folder / "alone", self.folder / "over"
        words = ["model", *MODELS[3], "--every", 4, "--agents", 10, "--pictures", 6, "--snapshots", 5]
        self.state(0, *words, "--out", alone)
        self.state(3, *words, "--out", over)
        self.assertEqual(sorted(os.listdir(over)), sorted(os.listdir(alone)))
        for name in os.listdir(alone):
            if not name.endswith("hdf"):  # HDF5 writes the time into its files
                self.assertEqual((over / name).read_bytes(), (alone / name).read_bytes(), name)
        video = ["model", *MODELS[1], "--video-every", 10, "--video-width", 64, "--zoom", 2, "--centre", "particles", "--video"]
        self.state(0, *video, f"{alone}/frames/")
        self.state(3, *video, f"{over}/frames/")
        self.assertEqual(len(os.listdir(alone / "frames")), 5)
        for name in os.listdir(alone / "frames"):
            self.assertEqual((over / "frames" / name).read_bytes(), (alone / "frames" / name).read_bytes(), name)
        flock = ["flock", *FLOCKS[2], "--steps", 20, "--every", 5]
        self.state(0, *flock, "--out", alone, "--boids", alone / "boids.csv")
        self.state(2, *flock, "--out", over, "--boids", over / "boids.csv")
        for name in ("order.csv", "boids.csv"):
            self.assertEqual((over / name).read_bytes(), (alone / name).read_bytes(), name)

    def test_threads_in_ranks(self):
        words = ["model", *MODELS[0]]
        report = json.loads(self.done(2, *words, "--threads", 2, "--json"))
        self.assertEqual((report["threads"], report["state"]), (2, self.state(0, *words)))

    def test_collectives_of_any_algorithm(self):
        """MPI chooses how it gathers, by sizes and ranks: none of its ways may show in the result."""
        words = ["model", *MODELS[1]]
        alone = self.state(0, *words)
        for gather, swap in ((1, 1), (2, 2), (3, 3), (4, 4), (5, 1)):  # the fifth swap is for two ranks
            env = {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
                   "OMPI_MCA_coll_tuned_allgather_algorithm": str(gather),
                   "OMPI_MCA_coll_tuned_alltoall_algorithm": str(swap)}
            self.assertEqual(self.state(4, *words, env=env), alone, f"allgather {gather}, alltoall {swap}")

    def test_messages_over_tcp(self):
        words = ["flock", *FLOCKS[2], "--steps", 15]
        self.assertEqual(self.state(3, *words, env={"OMPI_MCA_btl": "self,tcp"}), self.state(0, *words))

    def test_what_cannot_be(self):
        for model in ("schelling", "wolf_sheep", "forest_fire", "flocking"):
            self.assertIn("runs on one machine: ", self.refused(2, 2, "model", model))
        self.assertIn("hold=0", self.refused(2, 2, "model", "lennard_jones", "--set", "hold=10"))
        self.assertIn("see juxta-mpi --help", self.refused(2, 2))
        self.assertIn("nowhere.toml", self.refused(2, 1, "sweep", self.folder / "nowhere.toml"))
        self.assertIn("nowhere.jxr", self.refused(2, 1, "model", "--resume", self.folder / "nowhere.jxr"))
        self.assertIn("Usage: juxta-mpi", self.done(2, "--help"))
        self.assertEqual(self.done(3, "--version").count("juxta-mpi"), 1)


class TwoHostsTest(MpiCase):
    def test_two_hosts(self):
        try:
            hosts = TwoHosts(self.folder).__enter__()
        except OSError as error:
            self.skipTest(f"this machine does not let us: {error}")
        self.addCleanup(hosts.__exit__)
        told = self.on_hosts(hosts, 1, "hostname").split()
        self.assertEqual(sorted(told), hosts.names)
        for words in (["flock", *FLOCKS[2], "--steps", 20], ["model", *MODELS[1]]):
            for ranks_each in (1, 2):
                report = json.loads(self.on_hosts(hosts, ranks_each, JUXTA_MPI, *words, "--json"))
                self.assertEqual((report["ranks"], report["state"]), (2 * ranks_each, self.state(0, *words)), words)

    def on_hosts(self, hosts, ranks_each, *program):
        done = subprocess.run(hosts.command(ranks_each, *program), capture_output=True, text=True, timeout=250,
                              env={**os.environ, **MPI})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout


class StopTest(MpiCase):
    settings = ["model", "dam_break", "--set", "across=16", "--set", "height=1", "--set", "tank=2", "--set", "wall=1.5"]

    def resume_and_compare(self, out, ranks, steps=5):
        """Goes on from a checkpoint on another number of ranks; juxta ends where it ends, from the start."""
        said = self.refused(1, 2, "model", "--resume", out / "checkpoint.jxr", "--steps", 0)
        at = int(re.search(r"is at step (\d+) already", said)[1])
        resumed = self.state(ranks, "model", "--resume", out / "checkpoint.jxr", "--steps", at + steps, "--out", out)
        self.assertEqual(resumed, self.state(0, *self.settings, "--steps", at + steps, "--out", self.folder / "whole"))
        self.assertEqual((out / "steps.csv").read_bytes(), (self.folder / "whole" / "steps.csv").read_bytes())

    def test_a_killed_rank_ends_the_others(self):
        for victim in (0, 1, 2):
            out = self.folder / f"out{victim}"
            process = self.start(3, *self.settings, "--steps", 1_000_000, "--out", out, "--checkpoint", 3)
            self.wait_for(process, (out / "checkpoint.jxr").exists)
            ranks = self.ranks_of(process)
            self.assertEqual(len(ranks), 3)
            began = time.time()
            os.kill(ranks[victim], signal.SIGKILL)
            told, errors = process.communicate(timeout=60)
            while any(map(runs, ranks)) and time.time() - began < 10:
                time.sleep(.05)
            self.assertLess(time.time() - began, 10)
            self.assertNotEqual(process.returncode, 0)
            self.assertRegex(errors, r"exited on signal 9 \(Killed\)")
            self.resume_and_compare(out, 2)

    def test_a_run_that_is_asked_to_end_saves_what_there_is(self):
        out = self.folder / "out"
        process = self.start(2, *self.settings, "--steps", 1_000_000, "--out", out, "--pictures", 1)
        self.wait_for(process, (out / "dam_break_000002.png").exists)
        process.send_signal(signal.SIGUSR1)  # mpirun hands it on
        told, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 128 + signal.SIGUSR1)
        self.assertIn("juxta-mpi model --resume", errors)
        self.assertEqual(errors.count("juxta: interrupted"), 1, errors)
        self.resume_and_compare(out, 3)

    def test_ctrl_c_leaves_the_last_checkpoint(self):
        """OpenMPI asks its processes after a second, and kills them after another."""
        out = self.folder / "out"
        process = self.start(2, *self.settings, "--steps", 1_000_000, "--out", out, "--checkpoint", 3)
        self.wait_for(process, (out / "checkpoint.jxr").exists)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 0)
        self.resume_and_compare(out, 2)

    def test_checkpoints_of_one_machine_go_on_over_ranks(self):
        out = self.folder / "out"
        self.state(0, *self.settings, "--steps", 6, "--out", out, "--checkpoint", 6)
        self.resume_and_compare(out, 4)

    def test_an_interrupted_sweep_goes_on(self):
        sweep = self.folder / "sweep.toml"
        sweep.write_text(SWEEP.replace("seeds = 10", "seeds = 60").replace("steps = 60", "steps = 400"), encoding="utf-8")
        out, whole = self.folder / "out", self.folder / "whole"
        journal = out / "sweep.journal"
        noted = lambda: journal.read_bytes().count(b"\nend") if journal.exists() else 0
        process = self.start(3, "sweep", sweep, "--out", out)
        self.wait_for(process, lambda: noted() > 3)
        process.send_signal(signal.SIGUSR1)
        told, errors = process.communicate(timeout=60)
        self.assertIn("the same command goes on", errors)
        process = self.start(2, "sweep", sweep, "--out", out)
        before = noted()
        self.wait_for(process, lambda: noted() > before + 3)
        os.kill(self.ranks_of(process)[1], signal.SIGKILL)
        process.communicate(timeout=60)
        resumed = json.loads(self.done(4, "sweep", sweep, "--out", out, "--json"))
        self.assertTrue(6 < resumed["resumed"] < resumed["replicas"], resumed)
        self.done(1, "sweep", sweep, "--out", whole)
        self.assertEqual((out / "sweep.csv").read_bytes(), (whole / "sweep.csv").read_bytes())

    def test_a_full_disk(self):
        """Rank 0 cannot write: all ranks end, with one message."""
        small = self.folder / "small"
        small.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", small], capture_output=True)
        if mounted.returncode != 0:
            self.skipTest("mounting a small disk takes root")
        try:
            done = self.over(2, *self.settings, "--steps", 9, "--out", small / "out", "--checkpoint", 3)
        finally:
            subprocess.run(["umount", "-l", small], check=True)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr.count("No space left on device"), 1, done.stderr)
        self.assertIn("was at step 3", done.stderr)

    def test_a_disk_that_fills_up(self):
        """The first checkpoint fits, the second one does not: all ranks end, and the first one goes on."""
        words = [*self.settings, "--checkpoint", 3, "--out"]
        small, kept, measured = self.folder / "small", self.folder / "kept", self.folder / "measured"
        self.state(2, *words, measured, "--steps", 3)
        saved = lambda folder: [file for file in folder.iterdir() if file.name.startswith("checkpoint.jxr")]
        pages = sum((file.stat().st_size + 4095) // 4096 for file in saved(measured))
        small.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={pages * 6}k", "tmpfs", small], capture_output=True)
        if mounted.returncode != 0:
            self.skipTest("mounting a small disk takes root")
        try:
            done = self.over(2, *words, small / "out", "--steps", 9)
            shutil.copytree(small / "out", kept)
        finally:
            subprocess.run(["umount", "-l", small], check=True)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr.count("No space left on device"), 1, done.stderr)
        self.assertEqual(len(saved(kept)), 3, "a manifest and two parts, and none of the second one")
        self.assertIn("is at step 3 already", self.refused(1, 2, "model", "--resume", kept / "checkpoint.jxr", "--steps", 0))
        self.resume_and_compare(kept, 3)


class ThousandTest(MpiCase):
    """A thousand steps: cuts move many times, and a single bit that differs would have become a flood."""

    def test_a_thousand_steps(self):
        for words in (["flock", "--agents", 3000, "--3d"],
                      ["model", "flock_3d", "--set", "birds=1500", "--set", "start=100"],
                      ["model", "dam_break", "--set", "across=10", "--set", "height=1", "--set", "tank=2"],
                      ["model", "dam_break", "--set", "dimensions=3", "--set", "across=8", "--set", "depth=8",
                       "--set", "height=1", "--set", "tank=2", "--set", "smoothing=1.3"],
                      ["model", "lennard_jones", "--set", "cells=4"]):
            alone = self.state(0, *words, "--steps", 1000)
            for ranks in (1, 2, 3, 5, 8):
                self.assertEqual(self.state(ranks, *words, "--steps", 1000), alone, f"{words}, {ranks} ranks")


class HundredTest(MpiCase):
    """None hangs, whoever is slow."""

    def test_a_hundred_runs(self):
        sweep = self.folder / "sweep.toml"
        sweep.write_text(SWEEP.replace("steps = 60", "steps = 20"), encoding="utf-8")
        flock, model = ["flock", "--agents", 1500, "--3d", "--steps", 20], ["model", *MODELS[1][:-1], 8]
        states = [self.state(0, *flock), self.state(0, *model)]
        for run in range(100):
            ranks = 1 + run % 8
            self.assertEqual([self.state(ranks, *flock), self.state(ranks, *model)], states, f"run {run}")
            self.done(ranks, "sweep", sweep, "--json", "--out", self.folder / str(run))


if __name__ == "__main__":
    unittest.main(verbosity=1)
