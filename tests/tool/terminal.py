# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""A terminal for a test that looks at what a person at one sees."""
import os
import pty


def open_terminal(case):
    """(our side, the command's side). Skips the test where no pseudo-terminal can be had, as in a minimal container
    or a sandbox without /dev/pts."""
    try:
        ours, theirs = pty.openpty()
        os.stat(os.ttyname(theirs))  # without a name, nobody can tell that it is a terminal
    except OSError as error:
        case.skipTest(f"no pseudo-terminal can be had here: {error}")
    return ours, theirs
