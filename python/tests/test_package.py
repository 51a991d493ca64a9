# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What the build does where something that models need is missing: it says so, and builds the rest."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
CMAKE = os.environ.get("CMAKE", "cmake")


def configure(tree, *options):
    parts = [f"-DJUXTA_BUILD_{part}=OFF" for part in ("TESTS", "EXAMPLES", "TOOL", "CONTEST")]
    command = [
        CMAKE, "-S", str(ROOT), "-B", str(tree), "-DCMAKE_BUILD_TYPE=Release", f"-DPython_EXECUTABLE={sys.executable}",
        "-DJUXTA_BUILD_PYTHON=ON", "-DJUXTA_OPTIONAL_STUDY=ON", f"-DJUXTA_PYTHON_OUTPUT={tree}/out", *parts, *options,
    ]  # fmt: skip
    return subprocess.run(command, capture_output=True, text=True)


def test_without_hdf5(tmp_path):
    stale = tmp_path / "out/_study.cpython-311-x86_64-linux-gnu.so"  # of an earlier build
    stale.parent.mkdir()
    stale.write_bytes(b"")
    done = configure(tmp_path, "-DCMAKE_DISABLE_FIND_PACKAGE_HDF5=ON")
    assert done.returncode == 0, done.stderr
    assert "juxta.models and juxta.sector are left out" in " ".join(done.stderr.split())
    assert "HDF5 (libhdf5-dev)" in (tmp_path / "out/_missing.txt").read_text()
    assert not stale.exists()
    targets = subprocess.run([CMAKE, "--build", str(tmp_path), "--target", "help"], capture_output=True, text=True)
    assert "juxta_python" in targets.stdout and "juxta_python_study" not in targets.stdout


def targets_of(tree):
    return subprocess.run([CMAKE, "--build", str(tree), "--target", "help"], capture_output=True, text=True).stdout


def test_without_a_viewer(tmp_path):
    stale = tmp_path / "out/_view.cpython-311-x86_64-linux-gnu.so"  # of an earlier build
    stale.parent.mkdir()
    stale.write_bytes(b"")
    assert configure(tmp_path).returncode == 0
    assert (tmp_path / "out/_view_missing.txt").read_text().strip() and not stale.exists()
    assert "juxta_python_view" not in targets_of(tmp_path)


def test_with_a_viewer(tmp_path):
    done = configure(tmp_path, "-DJUXTA_BUILD_VIEW=ON", "-DJUXTA_VIEW_PAGES=OFF")
    if done.returncode != 0 or "left out" in done.stderr:
        pytest.skip("something that the viewer needs is missing here: " + done.stderr)
    assert "juxta_python_view" in targets_of(tmp_path) and not (tmp_path / "out/_view_missing.txt").exists()


def test_with_everything(tmp_path):
    done = configure(tmp_path)
    assert done.returncode == 0, done.stderr
    if "left out" in done.stderr:
        pytest.skip("something that models need is missing here: " + done.stderr)
    targets = subprocess.run([CMAKE, "--build", str(tmp_path), "--target", "help"], capture_output=True, text=True)
    assert "juxta_python_study" in targets.stdout and not (tmp_path / "out/_missing.txt").exists()
