# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""The Python blocks of docs/python.md run, one after the other."""

import pathlib
import re

PAGE = pathlib.Path(__file__).parents[2] / "docs/python.md"


def test_code_of_the_guide():
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
    assert len(blocks) >= 5
    names = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
