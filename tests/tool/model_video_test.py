#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Pictures and videos of models: what a camera shows, frames and their times, and what is refused.

Usage: model_video_test.py JUXTA
"""
import os
import pathlib
import signal
import unittest

from model_case import ENDLESS, ModelCase, juxta, rows_of, small
from pictures import read_gif, read_png


class ModelVideoTest(ModelCase):
    def setUp(self):
        super().setUp()
        self.gif, self.out, self.frames = self.folder / "a.gif", self.folder / "out", f"{self.folder}/frames/"

    def frame(self, number):
        return read_png(pathlib.Path(self.frames, f"frame_{number:06}.png"))

    def inks_of(self, *arguments):
        """The last frame of a run, and where it is not white: columns and rows."""
        self.done(*arguments, "--video", self.frames, "--video-every", ENDLESS, "--video-width", 200)
        width, height, rows = self.frame(0)
        ink = {(x, y) for y in range(height) for x in range(width) if rows[y][x] != (255, 255, 255)}
        return (width, height), ink

    def test_a_gif_plays_the_run(self):
        if "cannot write GIF" in juxta("flocking", "--steps", 0, "--video", self.gif).stderr:
            self.skipTest("built without giflib")
        plain = self.report("flocking", "--steps", 12)
        report = self.report("flocking", "--steps", 12, "--video", self.gif)
        self.assertEqual((report["state"], report["files"]), (plain["state"], [str(self.gif)]))
        width, height, loops, frames = read_gif(self.gif)
        self.assertEqual((width, height, loops, len(frames), {frame[0] for frame in frames}), (800, 800, 0, 13, {4}))
        first = self.gif.read_bytes()
        self.done("flocking", "--steps", 12, "--video", self.gif, "--threads", 1)
        self.assertEqual(self.gif.read_bytes(), first)
        self.done("flocking", "--steps", 12, "--video", self.gif, "--video-every", 5, "--video-rate", 2, "--video-width", 64)
        width, height, _, frames = read_gif(self.gif)
        self.assertEqual((width, height, [frame[0] for frame in frames]), (64, 64, [50] * 3))
        self.assertEqual(os.listdir(self.folder), ["a.gif"])

    def test_frames_are_the_pictures_of_the_run(self):
        self.done(*small("dam_break"), "--steps", 20, "--video", self.frames, "--video-every", 10, "--video-width", 1000,
                  "--out", self.out, "--pictures", 10)
        self.assertEqual(sorted(os.listdir(self.frames)), [f"frame_{i:06}.png" for i in range(3)])
        for i in range(3):
            picture = read_png(self.out / f"dam_break_{10 * i:06}.png")
            frame = self.frame(i)
            self.assertEqual(frame[0], picture[0])
            self.assertLess(abs(frame[1] - picture[1]), 2)  # even
        self.assertNotEqual(self.frame(0), self.frame(2))

    def test_a_resumed_run_goes_on_with_its_frames(self):
        video = ["--video", self.frames, "--video-every", 4, "--video-width", 64]
        self.done("flocking", "--steps", 7, "--out", self.out, "--checkpoint", 7, *video)  # between two frames
        self.done("--resume", self.out / "checkpoint.jxr", "--steps", 16, "--out", self.out, *video)
        shown = {name: pathlib.Path(self.frames, name).read_bytes() for name in os.listdir(self.frames)}
        self.assertEqual(sorted(shown), [f"frame_{i:06}.png" for i in range(5)])
        self.done("flocking", "--steps", 16, *video)
        self.assertEqual({name: pathlib.Path(self.frames, name).read_bytes() for name in shown}, shown)

    def test_a_camera_shows_a_part_of_any_model(self):
        fire = ["forest_fire", "--set", "size=40", "--steps", 0]
        size, whole = self.inks_of(*fire)
        _, part = self.inks_of(*fire, "--zoom", 2, "--centre", "10,30")  # the upper left quarter
        self.assertEqual(size, (200, 200))
        quarter = {(x, y) for x in range(200) for y in range(200) if (x // 2, y // 2) in whole}
        self.assertLess(len(part ^ quarter), 0.02 * len(part))
        self.assertEqual(self.inks_of(*fire, "--zoom", 2, "--centre", "1000,1000")[1], set())
        self.done(*fire, "--out", self.out, "--zoom", 2, "--centre", "10,30", "--video", self.frames, "--video-width", 1000)
        self.assertEqual(self.frame(0), read_png(self.out / "forest_fire.png"))

    def test_a_camera_follows_agents(self):
        birds = ["flocking", "--set", "birds=50", "--steps", 30]
        self.done(*birds, "--out", self.out, "--agents", 30)
        head, *rows = rows_of(self.out / "birds.csv")
        at = {name: head.index(name) for name in ("step", "id", "x", "y")}
        last = [row for row in rows if row[at["step"]] == "30"]
        x, y = (sum(float(row[at[axis]]) for row in last) / len(last) for axis in "xy")
        self.assertEqual(len(last), 50)

        def shown(centre):
            self.done(*birds, "--out", self.out, "--zoom", 4, "--centre", centre)
            return (self.out / "flocking.png").read_bytes()
        self.assertEqual(shown("birds"), shown(f"{x!r},{y!r}"))
        one = last[17]
        self.assertEqual(shown(f"birds:{one[at['id']]}"), shown(f"{one[at['x']]},{one[at['y']]}"))
        self.assertNotEqual(shown("birds"), shown(f"birds:{one[at['id']]}"))
        # Whoever it follows dies: it stays, and the run goes on.
        wolves = ["wolf_sheep", "--out", self.out]
        self.done(*wolves, "--steps", 0, "--agents", 1)
        head, first, *_ = rows_of(self.out / "wolves.csv")
        self.done(*wolves, "--steps", 60, "--zoom", 3, "--centre", f"wolves:{first[head.index('id')]}", "--pictures", 30)

    def test_an_interrupted_run_leaves_what_it_has(self):
        process = self.start("flocking", "--steps", ENDLESS, "--video", self.frames, "--video-width", 64)
        self.wait_for(process, lambda: os.path.exists(f"{self.frames}/frame_000005.png"))
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        self.assertEqual(self.frame(5)[:2], (64, 64))

    def test_mistakes_are_one_sentence(self):
        run = ["flocking", "--steps", 1]
        video = ["--video", self.frames]
        for more, wanted in ((["--video", "a.avi"], "give a file that ends in .gif, or a folder that ends in /"),
                             ([*video, "--video-width", 0], "16 to 16384"), ([*video, "--video-every", 0], "--video-every"),
                             ([*video, "--video-rate", 51], "0.1 to 50"), ([*video, "--video-rate", "nan"], "0.1 to 50"),
                             ([*video, "--zoom", 0], "0.1 to 1000"), ([*video, "--zoom", "nan"], "0.1 to 1000"),
                             ([*video, "--zoom", -2], "0.1 to 1000"),
                             *(([*video, "--centre", centre], "give X,Y") for centre in
                               ("1,", "1,inf", "1,2,3", "nan,1", "birds:", "birds:x", "birds:-1")),
                             *(([*video, "--centre", centre], "give one of birds") for centre in ("fox", "5")),
                             ([*video, "--centre", "birds:7"], "no agent 7"),
                             (["--zoom", 2], "give --out FOLDER or --video too"),
                             (["--centre", "1,2"], "give --out FOLDER or --video too"),
                             (["--video-every", 3], "give --video too"), (["--video-rate", 3], "give --video too")):
            self.assertIn(wanted, self.refused(2, *run, *more), more)
        for more in (video, [*video, "--zoom", 2]):
            self.assertIn("--sweep takes all", self.refused(2, "--sweep", self.sweep(), *more))
            self.assertIn("--list", self.refused(2, "--list", *more))
        self.assertEqual(os.listdir(self.folder), ["sweep.toml"])
        file = self.folder / "file"
        file.write_text("", encoding="utf-8")
        self.assertIn("cannot make the folder", self.refused(1, *run, "--video", f"{file}/"))

    def test_no_video_overwrites_the_run_that_goes_on(self):
        self.done("flocking", "--steps", 2, "--out", self.out, "--checkpoint", 2)
        saved = (self.out / "checkpoint.jxr").read_bytes()
        os.mkdir(self.frames)
        for path, video in ((self.gif, self.gif), (pathlib.Path(self.frames, "frame_000003.png"), self.frames)):
            path.write_bytes(saved)
            said = juxta("--resume", path, "--steps", 4, "--video", video)
            self.assertEqual(said.returncode, 2)
            self.assertTrue("same file" in said.stderr or "cannot write GIF" in said.stderr, said.stderr)
            self.assertEqual(path.read_bytes(), saved)


if __name__ == "__main__":
    unittest.main(verbosity=1)
