# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""The Python blocks of docs/python*.md and docs/grid.md run, one after the other."""

import pathlib
import re

import pytest

import juxta

DOCS = pathlib.Path(__file__).parents[2] / "docs"
NEEDS = {"python-models.md": "juxta._study", "python-view.md": "juxta._view"}
FEWEST = {"grid.md": 1, "python-rules.md": 3, "python-view.md": 3}  # blocks


def show_for_a_moment(world, **options):
    """In place of juxta.view.show, which ends with Ctrl-C: the world is accepted, and takes a few steps."""
    with juxta.view.Server(port=0, paused=True) as server:
        server.start(world, step=options.get("step"))
        assert server.client.step(3)["ended"] is None


@pytest.mark.parametrize("page", sorted(path.name for path in [*DOCS.glob("python*.md"), DOCS / "grid.md"]))
def test_code_of_the_guide(page, tmp_path, monkeypatch):
    pytest.importorskip(NEEDS.get(page, "juxta"))
    blocks = re.findall(r"^```python\n(.*?)^```$", (DOCS / page).read_text(), re.M | re.S)
    assert len(blocks) >= FEWEST.get(page, 5)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(juxta.view, "show", show_for_a_moment)
    monkeypatch.setenv("JUXTA_CACHE", str(tmp_path / "cache"))  # of compiled rules
    names = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
