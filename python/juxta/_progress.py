# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What ``progress=True`` shows: one line, in a terminal or in a notebook."""

from __future__ import annotations

import sys
import time
from typing import Any, TextIO

WIDTH = 24


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    if ipython is None:
        return False
    shell = ipython.get_ipython()
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


class Display:
    """A callable (stage, done, total) that shows one line and removes it when the call is over.

    The first half second of a call shows nothing: most calls are over by then.
    """

    def __init__(self, stream: TextIO | None = None, delay: float = 0.5, notebook: bool | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._began = time.monotonic()
        self._delay = delay
        self._notebook = _in_notebook() if notebook is None else notebook
        self._handle: Any = None
        self._shown = 0

    def __call__(self, stage: str, done: int, total: int) -> None:
        seconds = time.monotonic() - self._began
        if seconds < self._delay:
            return
        line = self.line(stage, done, total, seconds)
        if self._notebook:
            self._show_in_notebook(line)
        else:
            self._stream.write("\r" + line.ljust(self._shown))
            self._stream.flush()
            self._shown = len(line)

    @staticmethod
    def line(stage: str, done: int, total: int, seconds: float) -> str:
        """The text for one moment, for example ``tall tree  [#####...]  21 %  3 s``."""
        if not total:
            return f"{stage}  {seconds:.0f} s"
        filled = WIDTH * done // total
        return f"{stage}  [{'#' * filled}{'.' * (WIDTH - filled)}]  {100 * done // total} %  {seconds:.0f} s"

    def _show_in_notebook(self, line: str) -> None:
        from IPython.display import display  # type: ignore[import]

        data = {"text/plain": line}
        if self._handle is None:
            self._handle = display(data, raw=True, display_id=True)
        else:
            self._handle.update(data, raw=True)

    def close(self) -> None:
        """Removes the line."""
        if self._notebook:
            if self._handle is not None:
                self._handle.update({"text/plain": ""}, raw=True)
        elif self._shown:
            self._stream.write("\r" + " " * self._shown + "\r")
            self._stream.flush()
        self._shown = 0
