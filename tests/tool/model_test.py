#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Runs juxta model as a user does: what it lists, what it writes, and that nothing but the settings changes it.

Usage: model_test.py JUXTA
"""
import json
import os
import re
import struct
import subprocess
import unittest
import xml.etree.ElementTree
import zlib

from model_case import DEEP, JUXTA, SMALL, ModelCase, rows_of, small

POPULATIONS = {"flocking": ["birds"], "flock_3d": ["birds"], "schelling": ["agents"], "forest_fire": ["forest"],
               "wolf_sheep": ["grass", "sheep", "wolves"], "dam_break": ["particles"], "lennard_jones": ["atoms"],
               "ants": ["ants"], "tissue": ["cells"]}


def pixels_of(path):
    """A whole PNG: every chunk's checksum, as many bytes as width and height ask for. The set of its colours."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    at, chunks = 8, []
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + body), path
        chunks.append((kind, body))
        at += 12 + size
    assert chunks[0][0] == b"IHDR" and chunks[-1] == (b"IEND", b""), path
    width, height, depth, colour = struct.unpack(">IIBB", chunks[0][1][:10])
    assert (max(width, height), depth, colour) == (1000, 8, 2) and min(width, height) >= 100, path
    raw = zlib.decompress(b"".join(body for kind, body in chunks if kind == b"IDAT"))
    assert len(raw) == height * (1 + 3 * width), path
    return raw


class ModelTest(ModelCase):
    def test_the_list_is_what_the_models_take(self):
        text = self.done("--list")
        models = re.findall(r"^(\w+): .+; \d+ steps$", text, re.M)
        self.assertEqual(sorted(models), sorted(SMALL))
        listed = 0
        for model in models:
            alone = self.done(model, "--list")
            self.assertIn(alone, text)
            took = self.report(model, "--steps", 0) if model in ("flocking", "schelling", "forest_fire") else None
            for name, value, lo, hi, whole in re.findall(r"^  (\w+) +(\S+) +(\S+) to (\S+?)(, whole)?: .", alone, re.M):
                listed += 1
                if took:
                    self.assertEqual(took["parameters"][name], float(value))
                for out in (float(hi) * 2 + 1, float(lo) - 1, "nan", "inf", *([float(lo) + .5] if whole else [])):
                    said = self.refused(2, model, "--set", f"{name}={out}")
                    kind = "a whole number" if whole else "a number"
                    self.assertIn(f"give {kind} from {lo} to {hi}", said)
                    self.assertIn(f"{name} = ", said)
            for preset in re.findall(r"^  presets: (.*)$", alone, re.M):
                self.assertIn("small", preset)
        self.assertGreater(listed, 40)

    def test_what_a_run_writes(self):
        for model in [*SMALL, "deep"]:
            settings = small("dam_break", deep=True) if model == "deep" else small(model)
            model = "dam_break" if model == "deep" else model
            out = self.folder / f"{model}{len(settings)}" / "deep"
            report = self.report(*settings, "--steps", 12, "--seed", 3, "--out", out, "--agents", 4, "--snapshots", 6,
                                 "--pictures", 5)
            stepped = rows_of(out / "steps.csv")
            self.assertEqual(stepped[0], ["step", *report["reported"]])
            self.assertEqual([row[0] for row in stepped[1:]], [str(step) for step in range(13)])
            self.assertEqual([float(cell) for cell in stepped[-1][1:]], list(report["reported"].values()))
            self.assertEqual((report["model"], report["seed"], report["first_step"], report["step"]), (model, 3, 0, 12))
            self.check_curves(out / "steps.svg", len(stepped[0]) - 1)
            agents = self.check_agents(out, model, stepped)
            self.assertEqual(agents[12], report["agents"])
            times = ["000000", "000005", "000010"]
            pictures = [out / f"{model}_{at}.png" for at in times] + [out / f"{model}.png"]
            images = [pixels_of(path) for path in pictures]
            self.assertNotEqual(images[0], images[-1])  # something was drawn, and it moved
            self.assertGreater(len(set(images[0])), 3)
            self.check_snapshots(out, model, agents)
            files = {str(path) for path in out.iterdir()}
            self.assertLess(set(report["files"]), files)
            self.assertEqual({path for path in files if not path.endswith(".vtkhdf")}, set(report["files"]))
            self.assertNotIn(str(out / "checkpoint.jxr"), files)

    def check_agents(self, out, model, stepped):
        """Rows of POPULATION.csv: one an agent and time. How many agents of all populations there were, by step."""
        agents = {}
        for population in POPULATIONS[model]:
            table = rows_of(out / f"{population}.csv")
            self.assertEqual(table[0][:2], ["step", "id"])
            self.assertEqual({len(row) for row in table}, {len(table[0])})
            ids = [(int(row[0]), row[1]) for row in table[1:]]
            self.assertEqual(len(ids), len(set(ids)))
            for step in (0, 4, 8, 12):
                found = sum(at == step for at, _ in ids)
                agents[step] = agents.get(step, 0) + found
                if population in stepped[0] and population != "grass":
                    self.assertEqual(found, float(stepped[1 + step][stepped[0].index(population)]))
            self.assertEqual({at for at, _ in ids}, {0, 4, 8, 12})
        return agents

    def check_snapshots(self, out, model, agents):
        shown = 0
        for population in POPULATIONS[model]:
            files = sorted(path.name for path in out.glob(f"{population}_*.vtkhdf"))
            self.assertEqual(files, [f"{population}_{at:06}.vtkhdf" for at in (0, 6, 12)])
            for name in files:
                self.assertEqual((out / name).read_bytes()[:8], b"\x89HDF\r\n\x1a\n")
            grids = [grid for grid in xml.etree.ElementTree.parse(out / f"{population}.xdmf").getroot().iter("Grid")
                     if grid.get("GridType") == "Uniform"]
            self.assertEqual([float(grid.find("Time").get("Value")) for grid in grids], [0, 6, 12])
            for grid, name in zip(grids, files):
                self.assertEqual({item.text.strip().split(":")[0] for item in grid.iter("DataItem")}, {name})
            shown += int(grids[-1].find("Topology").get("NumberOfElements"))
        self.assertEqual(shown, agents[12])

    def test_populations_of_nobody(self):
        out = self.folder / "out"
        report = self.report("wolf_sheep", "--set", "wolves=0", "--steps", 3, "--out", out, "--snapshots", 1,
                             "--agents", 1)
        self.assertTrue(all(os.path.exists(path) for path in report["files"]), report["files"])
        self.assertEqual(report["reported"]["wolves"], 0)
        self.assertEqual(len(rows_of(out / "wolves.csv")), 1)

    def test_rows_of_every_so_many_steps(self):
        self.done("schelling", "--steps", 12, "--every", 5, "--out", self.folder / "thin")
        self.done("schelling", "--steps", 12, "--out", self.folder / "all")
        thin, whole = rows_of(self.folder / "thin" / "steps.csv"), rows_of(self.folder / "all" / "steps.csv")
        self.assertEqual(thin, [row for row in whole if row[0] in ("step", "0", "5", "10", "12")])

    def test_settings(self):
        for model in SMALL:
            report = self.report(*small(model), "--steps", 1, "--seed", 2**64 - 1)
            self.assertEqual((report["step"], report["seed"]), (1, 2**64 - 1))
            for name, value in (setting.split("=") for setting in SMALL[model]):
                self.assertEqual(report["parameters"][name], float(value))
        large = self.report("schelling", "--preset", "large", "--set", "happy=7", "--steps", 0)
        self.assertEqual(large["parameters"], {"size": 100, "agents": 8000, "radius": 2, "happy": 7})
        self.assertEqual((large["agents"], large["step"]), (8000, 0))
        self.assertEqual(self.report("schelling")["step"], 20)
        self.assertIn("large size=1000 density=0.9 (1000 steps)", self.done("forest_fire", "--list"))
        self.assertEqual(self.report("forest_fire", "--preset", "large", "--set", "size=50")["step"], 1000)
        states = [self.report("schelling", *more)["state"]
                  for more in ([], ["--seed", 1], ["--preset", "small"], ["--seed", 2], ["--set", "happy=4"])]
        self.assertEqual([state == states[0] for state in states], [True, True, True, False, False])
        text = self.done("schelling", "--steps", 7, "--threads", 2)
        self.assertRegex(text, r"steps +7, from 0 to 7, in [0-9.]+ m?s on 2 threads")
        self.assertIn("size=40 agents=1000 radius=1 happy=3", text)
        self.assertIn(self.report("schelling", "--steps", 7)["state"], text)

    def test_the_state_is_the_same_for_any_machine(self):
        isas = re.findall(r"\b(sse4|avx2|avx3|neon)\b", subprocess.run([JUXTA, "isa"], capture_output=True, text=True,
                                                                       timeout=60, check=True).stdout)
        self.assertTrue(isas)
        for model in [*SMALL, "deep"]:
            settings = small("dam_break", deep=True) if model == "deep" else small(model)
            arguments = [*settings, "--steps", 25, "--seed", 5]
            states = {self.report(*arguments, "--threads", threads, env={"JUXTA_ISA": isa})["state"]
                      for threads, isa in [(1, isas[0]), (2, isas[0]), (8, isas[0]), *((1, isa) for isa in isas),
                                           (8, isas[-1])]}
            self.assertEqual(len(states), 1, f"{model}: {states}")

    def test_a_resumed_run_is_one_that_never_stopped(self):
        for model in SMALL:
            straight, parts = self.folder / f"{model}_a", self.folder / f"{model}_b"
            common = ["--agents", 6, "--checkpoint", 10]
            whole = self.report(*small(model), "--steps", 30, "--out", straight, *common)
            self.done(*small(model), "--steps", 17, "--out", parts, "--agents", 6, "--checkpoint", "every", 10,
                      "--threads", 1)
            last = self.report("--resume", parts / "checkpoint.jxr", model, "--steps", 30, "--out", parts, "--threads",
                               2)
            self.assertEqual((last["first_step"], last["step"]), (17, 30))
            for same in ("state", "reported", "parameters", "seed"):
                self.assertEqual(last[same], whole[same], model)
            for name in ["steps.csv", "steps.svg", f"{model}.png", *(f"{p}.csv" for p in POPULATIONS[model])]:
                self.assertEqual((parts / name).read_bytes(), (straight / name).read_bytes(), f"{model}: {name}")
        self.assertEqual(self.report("--resume", parts / "checkpoint.jxr", "--steps", 17)["step"], 17)  # done already

    def test_a_sweep(self):
        tables = []
        for threads in (1, 2, 8):
            out = self.folder / f"s{threads}"
            report = self.report("--sweep", self.sweep(), "--out", out, "--threads", threads)
            self.assertEqual((report["model"], report["replicas"], report["resumed"], report["steps"]),
                             ("flocking", 60, 0, 60))
            self.assertEqual(report["files"], [str(out / "sweep.csv"), str(out / "sweep.svg")])
            self.check_curves(out / "sweep.svg", 1)
            tables.append((out / "sweep.csv").read_bytes() + (out / "sweep.svg").read_bytes())
        self.assertEqual(len(set(tables)), 1)
        rows = rows_of(self.folder / "s1" / "sweep.csv")
        self.assertEqual(rows[0], ["replica", "seed", "radius", "cohere", "step", "polarisation"])
        self.assertEqual([row[0] for row in rows[1:]], [str(i // 4) for i in range(240)])
        self.assertEqual([row[4] for row in rows[1:5]], ["0", "20", "40", "60"])
        self.assertEqual([(float(row[2]), round(float(row[3]), 9)) for row in rows[1::40]],
                         [(radius, cohere) for radius in (5, 15) for cohere in (.01, .03, .05)])
        self.assertEqual(self.done("flocking", "--sweep", self.sweep()), (self.folder / "s1" / "sweep.csv").read_text())
        for row in (rows[4], rows[-1]):  # a replica is a run
            run = self.report("flocking", "--steps", 60, "--seed", row[1], "--set", "birds=150", "--set",
                              f"radius={row[2]}", "--set", f"cohere={row[3]}")
            self.assertEqual(run["reported"]["polarisation"], float(row[5]))
        again = self.report("--sweep", self.sweep(), "--out", self.folder / "s1")
        self.assertEqual(again["resumed"], 60)
        self.assertIn("flocking   60 replicas of 60 steps, 60 of them from the journal",
                      self.done("--sweep", self.sweep(), "--out", self.folder / "s1"))


if __name__ == "__main__":
    unittest.main(verbosity=1)
