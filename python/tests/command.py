# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""The command `juxta` of the same build tree, for tests that compare it with the module."""

import json
import os
import pathlib
import subprocess

import pytest

import juxta


def command():
    """Its path; without it the test is skipped."""
    beside = pathlib.Path(juxta.__file__).parents[2] / "bin/juxta"
    path = os.environ.get("JUXTA_COMMAND", str(beside))
    if not os.access(path, os.X_OK):
        pytest.skip("the command is not built (target juxta_tool, or JUXTA_COMMAND=PATH)")
    return path


def run_json(*arguments):
    """What the command prints with --json."""
    done = subprocess.run([command(), *map(str, arguments), "--json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
