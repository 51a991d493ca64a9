# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""The Python blocks of docs/python*.md run, one after the other."""

import pathlib
import re

import pytest

PAGES = sorted((pathlib.Path(__file__).parents[2] / "docs").glob("python*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_code_of_the_guide(page):
    blocks = re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.M | re.S)
    assert len(blocks) >= 5
    names = {}
    for block in blocks:
        exec(compile(block, str(page), "exec"), names)
