#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Indexes whose bytes have changed since they were saved.

Usage: damage_test.py JUXTA
"""
import pathlib
import random
import resource
import sys
import unittest

import files_test
from files_test import FilesCase, juxta


class DamageTest(FilesCase):
    """Indexes are checked as they are read: no answer, and no copy, of a damaged one."""

    def setUp(self):
        super().setUp()
        rows = "".join(f"{i % 731},{i % 977},{i},a place with the number {i}\n" for i in range(40_000))
        self.index = self.folder / "d.jxr"
        self.done("index", self.write("d.csv", "x,y,rank,name\n" + rows), "-o", self.index)
        self.good = self.index.read_bytes()

    def test_no_answer_differs(self):
        asked = [("top", self.index, "--rect=0,0,300,300"), ("count", self.index, "--rect=0,0,300,300"),
                 ("top", self.index, "--rect=10,0,12,999", "-k=9", "--format=json")]
        right = [self.done(*question) for question in asked]
        numbers = random.Random(4)
        refused = 0
        for _ in range(40):
            damaged = bytearray(self.good)
            at = numbers.randrange(len(damaged))
            for i in range(at, min(at + 5000, len(damaged))):
                damaged[i] ^= numbers.randrange(256)
            self.index.write_bytes(damaged)
            for question, want in zip(asked, right):
                done = juxta(*question)
                if done.returncode == 0:
                    self.assertEqual(done.stdout, want)  # the damage is where it does not look
                else:
                    refused += 1
                    self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
                    self.assertIn("d.jxr", done.stderr)
                    self.assertIn("build", done.stderr)
        self.assertGreater(refused, 10)

    def test_no_copy_gets_fresh_sums(self):
        for at in range(5000, len(self.good), len(self.good) // 9):
            damaged = bytearray(self.good)
            damaged[at] ^= 1
            self.index.write_bytes(damaged)
            self.refused("index", self.index, "-o", self.folder / "copy.jxr", code=1, words=["d.jxr", "build"])
            self.assertFalse((self.folder / "copy.jxr").exists())

    def test_where_addresses_are_few_the_whole_file_is_checked(self):
        def few():
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        question = "count", self.index, "--rect=0,0,300,300"
        self.assertEqual(juxta(*question, preexec_fn=few).stdout, self.done(*question))
        damaged = bytearray(self.good)
        damaged[len(damaged) // 2] ^= 1
        self.index.write_bytes(damaged)
        done = juxta(*question, preexec_fn=few)
        self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)


if __name__ == "__main__":
    files_test.JUXTA = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=1)
