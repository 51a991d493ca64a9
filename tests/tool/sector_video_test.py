#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Videos of battles: GIF files and folders of PNG files, their frames and times, and what is refused.

Usage: sector_video_test.py JUXTA
"""
import os
import pathlib
import resource
import signal
import time
import unittest

from pictures import read_gif, read_png
from sector_case import ENDLESS, SectorCase, juxta


class VideoTest(SectorCase):
    def setUp(self):
        super().setUp()
        self.gif, self.frames = self.folder / "b.gif", f"{self.folder}/frames/"

    def needs_gif(self):
        if "cannot write GIF" in juxta("sector", "skirmish", "--ticks", 0, "--video", self.gif).stderr:
            self.skipTest("built without giflib")

    def test_a_gif_shows_the_battle_at_its_own_speed(self):
        self.needs_gif()
        plain = self.battle("skirmish", "--ticks", 60)
        report = self.battle("skirmish", "--ticks", 60, "--video", self.gif)
        self.assertEqual((report["state"], report["files"]), (plain["state"], [str(self.gif)]))
        width, height, loops, frames = read_gif(self.gif)
        self.assertEqual((width, height, loops, len(frames)), (800, 800, 0, 31))
        self.assertEqual(frames[0][1], (0, 0, 800, 800))
        self.assertEqual(sum(delay for delay, _ in frames[:30]), 100)  # 60 ticks are a second
        first = self.gif.read_bytes()
        for every, count, delay in ((1, 61, 2), (3, 21, 5), (60, 2, 100), (30000, 1, 50000)):
            self.battle("skirmish", "--ticks", 60, "--video", self.gif, "--video-every", every, "--video-width", 64)
            width, height, _, frames = read_gif(self.gif)
            self.assertEqual((width, height, len(frames), {frame[0] for frame in frames}), (64, 64, count, {delay}))
        self.battle("skirmish", "--ticks", 60, "--video", self.gif, "--threads", 1, "--headless")
        self.assertEqual(self.gif.read_bytes(), first)
        self.assertEqual(os.listdir(self.folder), ["b.gif"])

    def test_a_folder_has_a_picture_of_each_frame(self):
        self.battle("skirmish", "--ticks", 12, "--video", self.frames, "--video-every", 4, "--video-width", 1000,
                    "--out", self.out)
        names = [f"frame_{i:06}.png" for i in range(4)]
        self.assertEqual(sorted(os.listdir(self.frames)), names)
        last = pathlib.Path(self.frames, names[-1])
        self.assertEqual(last.read_bytes(), (self.out / "battle.png").read_bytes())
        whole = read_png(last)
        self.battle("skirmish", "--ticks", 12, "--video", self.frames, "--video-every", 12, "--video-width", 500,
                    "--video-zoom", 2, "--video-centre", "-65,65")  # the upper left quarter
        width, height, rows = read_png(pathlib.Path(self.frames, names[1]))
        self.assertEqual((width, height), (500, 500))
        same = sum(rows[y][x] == whole[2][y][x] for y in range(0, 500, 5) for x in range(0, 500, 5))
        self.assertGreater(same, 9900)
        scenario = self.folder / "wide.toml"
        scenario.write_text('preset = "fleets"\n[world]\nships = 50\n', encoding="utf-8")
        self.battle(scenario, "--ticks", 0, "--video", self.frames, "--video-width", 100)
        self.assertEqual(read_png(pathlib.Path(self.frames, names[0]))[:2], (100, 60))

    def test_a_resumed_battle_goes_on_with_its_frames(self):
        for ticks, first in ((8, None), (16, 8)):
            self.battle(*(["skirmish"] if first is None else ["--resume", self.out / "checkpoint"]), "--ticks", ticks,
                        "--out", self.out, "--checkpoint", 8, "--video", self.frames, "--video-every", 4, "--video-width", 64)
        self.assertEqual(len(os.listdir(self.frames)), 5)
        shown = {name: pathlib.Path(self.frames, name).read_bytes() for name in os.listdir(self.frames)}
        self.battle("skirmish", "--ticks", 16, "--video", self.frames, "--video-every", 4, "--video-width", 64)
        self.assertEqual({name: pathlib.Path(self.frames, name).read_bytes() for name in shown}, shown)

    def test_an_interrupted_battle_leaves_a_whole_gif(self):
        self.needs_gif()
        process = self.start("skirmish", "--ticks", ENDLESS, "--video", self.gif, "--video-width", 100)
        time.sleep(1.5)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        told, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn(str(self.gif), told)
        self.assertGreaterEqual(len(read_gif(self.gif)[3]), 1)
        self.assertEqual(os.listdir(self.folder), ["b.gif"])

    def test_a_full_disk_is_told(self):
        limit = 30_000

        def small():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        videos = [self.frames] if juxta("sector", "skirmish", "--ticks", 0, "--video", self.gif).returncode else \
            [self.frames, self.gif]
        for video in videos:
            done = juxta("sector", "skirmish", "--ticks", 60, "--video", video, "--video-width", 2000, preexec_fn=small)
            self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
            self.assertIn("File too large", done.stderr)
            self.assertIn("the battle was at tick", done.stderr)

    def test_mistakes_are_one_sentence(self):
        battle = ["sector", "skirmish", "--ticks", 1]
        for more, wanted in ((["--video", "b.avi"], "give a file that ends in .gif, or a folder that ends in /"),
                             (["--video", "frames"], "ends in /"),
                             (["--video", self.frames, "--video-width", 0], "16 to 16384"),
                             (["--video", self.frames, "--video-width", 70000], "16 to 16384"),
                             (["--video", self.frames, "--video-every", 0], "1 to 30000"),
                             (["--video", self.frames, "--video-zoom", 0], "0.1 to 1000"),
                             (["--video", self.frames, "--video-zoom", "nan"], "--video-zoom"),
                             (["--video", self.frames, "--video-centre", "1"], "give X,Y"),
                             (["--video", self.frames, "--video-centre", "1,inf"], "give X,Y"),
                             (["--video", self.frames, "--video-centre", "1,2,3"], "give X,Y"),
                             (["--video-every", 3], "give --video too"), (["--video-zoom", 3], "give --video too")):
            self.assertIn(wanted, self.refused(2, *battle, *more))
        self.assertEqual(os.listdir(self.folder), [])
        self.assertIn("no/b.gif", self.refused(1, *battle, "--video", self.folder / "no" / "b.gif")
                      if juxta(*battle, "--video", self.gif).returncode == 0 else "no/b.gif")
        file = self.folder / "file"
        file.write_text("", encoding="utf-8")
        self.assertIn("cannot make the folder", self.refused(1, *battle, "--video", f"{file}/"))

    def test_no_video_overwrites_an_input(self):
        text = 'preset = "skirmish"\n'
        os.mkdir(self.frames)
        for name in ("s.gif", "frames/frame_000000.png", "frames/frame_000123.png"):
            scenario = self.folder / name
            scenario.write_text(text, encoding="utf-8")
            link = self.folder / "frames" / "frame_000007.png"
            video = scenario if name == "s.gif" else self.frames
            if name == "s.gif" and "cannot write GIF" in juxta("sector", "skirmish", "--video", self.gif, "--ticks", 0).stderr:
                continue
            self.assertIn("same file", self.refused(2, "sector", scenario, "--ticks", 1, "--video", video))
            link.symlink_to(scenario)
            self.assertIn("same file", self.refused(2, "sector", scenario, "--ticks", 1, "--video", self.frames))
            link.unlink()
            self.assertEqual(scenario.read_text(encoding="utf-8"), text)
            scenario.unlink()
        said = juxta("sector", "skirmish", "--ticks", 1, "--trace", self.gif, "--video", self.gif).stderr
        self.assertTrue("same file" in said or "cannot write GIF" in said, said)


if __name__ == "__main__":
    unittest.main(verbosity=1)
