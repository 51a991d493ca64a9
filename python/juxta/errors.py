# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Exceptions of Juxta: one class for each kind of error of the library.

All of them are a ``juxta.Error``, and also the built-in exception that fits, so that ``except ValueError`` works too.
Arguments that never reach the library (a wrong shape, a wrong type) raise plain ``ValueError`` and ``TypeError``.
"""

from __future__ import annotations

__all__ = [
    "Cancelled",
    "CompileError",
    "CorruptFile",
    "Error",
    "InvalidArgument",
    "IoError",
    "NotFinite",
    "NotFound",
    "ParseError",
    "TooLarge",
    "UnsupportedCpu",
]


class Error(Exception):
    """What went wrong, and where.

    Attributes
    ----------
    code : str
        The kind of error, for a program: ``"invalid_argument"``, ``"not_finite"``, ``"too_large"``,
        ``"unsupported_cpu"``, ``"io"``, ``"corrupt_file"``, ``"parse"``, ``"cancelled"`` or ``"not_found"``.
    index : int or None
        The element of the input that is wrong, from 0.
    line : int or None
        The line of a text file, from 1.
    byte : int or None
        The offset in a binary file, from 0.
    """

    code: str = "error"
    index: int | None = None
    line: int | None = None
    byte: int | None = None

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class InvalidArgument(Error, ValueError):
    """An option, a length or a number that makes no sense. Nothing was changed."""

    code = "invalid_argument"


class NotFinite(Error, ValueError):
    """A NaN, or an infinity where none is allowed. ``index`` says which element."""

    code = "not_finite"


class TooLarge(Error, ValueError):
    """More elements than an index holds (2^32 - 2)."""

    code = "too_large"


class UnsupportedCpu(Error, RuntimeError):
    """The processor lacks SSE4.2, or ``JUXTA_ISA`` names a set of instructions that it lacks."""

    code = "unsupported_cpu"


class IoError(Error, OSError):
    """The operating system refused: a missing file, a missing right, a full disk."""

    code = "io"


class CorruptFile(Error, ValueError):
    """Not a file of Juxta, one of another version, a truncated or a damaged one."""

    code = "corrupt_file"


class ParseError(Error, ValueError):
    """A text file with a mistake. ``line`` says where."""

    code = "parse"


class CompileError(ParseError):
    """A rule that the C++ compiler refuses. ``line`` is the line of the rule's text."""

    #: str: all that the compiler said.
    output: str = ""


class Cancelled(Error, RuntimeError):
    """A progress callback returned False."""

    code = "cancelled"


class NotFound(Error, KeyError):
    """An id of something that was removed or was never there."""

    code = "not_found"
