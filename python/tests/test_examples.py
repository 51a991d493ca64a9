# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Every example runs at a small size and writes a picture, or says what it found."""

import pathlib
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"
SIZES = {"top_cities": 3000, "overlapping_boxes": 200, "nearest_obstacle": 40, "swept_model": 40, "flock": 300,
         "pheromone": 500}


@pytest.mark.parametrize("name,size", SIZES.items())
def test_example(name, size, tmp_path):
    pytest.importorskip("matplotlib")
    if name == "overlapping_boxes":
        pytest.importorskip("scipy")
    if name == "swept_model":
        pytest.importorskip("juxta._study", reason="built without models")
    suffix, first = ("gif", b"GIF89a") if name == "flock" else ("png", b"\x89PNG\r\n\x1a\n")
    if name == "flock":
        pytest.importorskip("PIL")
    picture = tmp_path / f"{name}.{suffix}"
    command = [sys.executable, str(EXAMPLES / f"{name}.py"), str(picture), "--size", str(size)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert picture.read_bytes().startswith(first) and picture.stat().st_size > 10_000
    assert str(picture) in done.stdout


def test_every_example_is_run():
    assert {*SIZES, "view_own_world"} == {path.stem for path in EXAMPLES.glob("*.py")}


def test_own_world():
    pytest.importorskip("juxta._view", reason="built without the viewer")
    command = [sys.executable, str(EXAMPLES / "view_own_world.py"), "--size", "500", "--steps", "90"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert " of 500 sparks lie low" in done.stdout and not done.stderr


def test_cities_of_a_file(tmp_path):
    pytest.importorskip("matplotlib")
    table = tmp_path / "cities.csv"
    table.write_text("name,longitude,latitude,population\nA,0,0,5\nB,1,1,9\nC,2,0,7\n")
    command = [sys.executable, str(EXAMPLES / "top_cities.py"), str(tmp_path / "map.png"), "--csv", str(table)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0 and "the largest is B" in done.stdout, done.stderr
