#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""The published models on a grid stay short: each is one file, and no longer than this.

Usage: model_lines_test.py ROOT"""
import pathlib
import sys

MOST = {"schelling": 100, "wolf_sheep": 120, "forest_fire": 70}

root = pathlib.Path(sys.argv[1])
too_long = []
for model, most in MOST.items():
    lines = sum(len(file.read_text().splitlines()) for file in sorted((root / "models").glob(f"{model}*")))
    if not 0 < lines <= most:
        too_long.append(f"models/{model}*: {lines} lines, not 1 to {most}")
print("\n".join(too_long) or "short enough")
sys.exit(1 if too_long else 0)
