# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""juxta.compile_rules: interactions and actions in C++, compiled once and kept in a cache."""

from __future__ import annotations

import ctypes
import functools
import hashlib
import os
import pathlib
import platform
import re
import shlex
import shutil
import subprocess
import sys
import threading
from typing import Any

from juxta._cache import Cache
from juxta._core import Rule
from juxta.errors import CompileError, CorruptFile, IoError

INCLUDE = pathlib.Path(__file__).with_name("include")
FLAGS = (
    "-std=c++20", "-O3", "-march=native", "-fPIC", "-shared", "-fvisibility=hidden",
    # The same bits on every machine: nothing is fused (docs/determinism.md). GCC 12 fuses what it vectorises all the same;
    # rules name their lanes, so nothing is lost.
    "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-fno-tree-vectorize",
    *(("-Wl,-z,defs",) if sys.platform == "linux" else ()),
)  # fmt: skip

_loaded: dict[str, dict[str, Rule]] = {}
_loading = threading.Lock()


def compile_rules(text: str, *, name: str = "rules") -> dict[str, Rule]:
    """Compiles interactions and actions, and loads them.

    The text is what docs/interactions.md calls the source file: structs, and ``JUXTA_INTERACTION(Name);`` or
    ``JUXTA_ACTION(Name);`` for each. It is compiled with the system's compiler for the instruction set of this machine,
    which takes a second or two, and kept in a cache: the same text again takes less than a millisecond.

    Member variables of a struct are parameters when it names them:
    ``static constexpr auto kParameters = juxta::names("a", "b");``. All of them are float.

    Parameters
    ----------
    text : str
        C++20. ``<juxta/agents/interaction.h>`` is included already.
    name : str
        What messages call the text: ``rules:12: ...``.

    Returns
    -------
    dict of Rule
        By the names in ``JUXTA_INTERACTION`` and ``JUXTA_ACTION``.

    Raises
    ------
    juxta.errors.CompileError
        The compiler refuses it. ``line`` is the line of the text, ``output`` all that the compiler said.
    juxta.errors.IoError
        There is no compiler; the cache cannot be written, or is not yours alone.

    Notes
    -----
    The compiler is that of the environment variables ``JUXTA_CXX`` or ``CXX``, else ``c++``, ``g++`` or ``clang++``. The
    cache is ``JUXTA_CACHE``, else ``juxta`` in ``XDG_CACHE_HOME`` or in ``~/.cache``.
    """
    if not isinstance(text, str):
        raise TypeError(f"text is {text!r:.60}. Give C++ as a str")
    if not isinstance(name, str) or not re.fullmatch(r"[\w .+-]+", name):
        raise ValueError(f"name is {name!r}. Give letters, digits, spaces, and any of '._+-'")
    compiler = find_compiler()
    key = key_of(text, compiler)
    with _loading:
        if key not in _loaded:
            _loaded[key] = load(library_of(key, text, name, compiler))
        return dict(_loaded[key])


def library_of(key: str, text: str, name: str, compiler: tuple[str, ...]) -> pathlib.Path:
    """The compiled library, from the cache or made now."""
    if not INCLUDE.is_dir():
        raise IoError(f"the headers that rules need are not in {INCLUDE}. Install juxta again")
    source = f'#include <juxta/agents/interaction.h>\n#line 1 "{name}"\n{text}\n'

    def build(folder: pathlib.Path) -> pathlib.Path:
        (folder / "rules.cpp").write_text(source, encoding="utf-8")
        command = [*compiler, *FLAGS, f"-I{INCLUDE}", "rules.cpp", "-o", "rules.so"]
        try:
            done = subprocess.run(
                command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                env={**os.environ, "LC_ALL": "C"}, check=False,
            )  # fmt: skip
        except OSError as error:
            raise IoError(f"the compiler {compiler[0]} cannot be started: {error.strerror}. {WHICH}") from None
        if done.returncode != 0:
            raise compile_error(done.stdout.decode("utf-8", "replace"), text, name, compiler[0], done.returncode)
        return folder / "rules.so"

    return Cache.of_user("rules").file(f"{key}.so", build)


def load(library: pathlib.Path) -> dict[str, Rule]:
    """The rules of a library, which stays loaded to the end of the process."""
    try:
        loaded = ctypes.CDLL(str(library))
        first = loaded.juxta_rules
    except (OSError, AttributeError) as error:
        library.unlink(missing_ok=True)
        raise CorruptFile(
            f"the compiled rules cannot be loaded: {error}. The file was removed: compile them again. Where no program may "
            "run from the cache's folder, set JUXTA_CACHE to another one"
        ) from None
    first.restype = ctypes.c_void_p
    address = first()
    if not address:
        raise ValueError("the text declares no rule. Write JUXTA_INTERACTION(Name); or JUXTA_ACTION(Name); for each")
    new_capsule = ctypes.pythonapi.PyCapsule_New
    new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    make: Any = Rule
    return {rule.name: rule for rule in make._of(new_capsule(address, make._capsule, None))}


WHICH = "Install one (Debian: g++), or set JUXTA_CXX to its path"


def find_compiler() -> tuple[str, ...]:
    """The compiler as a command: its path, and what the environment has behind it ("ccache g++")."""
    for variable in ("JUXTA_CXX", "CXX"):
        if chosen := shlex.split(os.environ.get(variable, "")):
            found = shutil.which(chosen[0])
            if found is None:
                raise IoError(f"{variable} is {shlex.join(chosen)!r}, and there is no such program. {WHICH}")
            return (found, *chosen[1:])
    for candidate in ("c++", "g++", "clang++"):
        if found := shutil.which(candidate):
            return (found,)
    raise IoError(f"there is no C++ compiler, and rules are compiled where they run. {WHICH}")


def key_of(text: str, compiler: tuple[str, ...]) -> str:
    """A name for what is compiled: the text, and all else that the result depends on."""
    parts = [text, *FLAGS, machine(), headers()]
    for word in compiler:
        if program := shutil.which(word):
            found = os.stat(program)
            word = f"{os.path.realpath(program)} {found.st_size} {found.st_mtime_ns}"
        parts.append(word)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:40]


@functools.lru_cache(maxsize=None)
def machine() -> str:
    """The instruction sets of this processor: a home folder may be shared by several machines."""
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    kinds = ("flags", "Features", "isa", "model name", "CPU part")
    first = {line.partition(":")[0].strip(): line for line in reversed(lines)}
    return platform.machine() + platform.processor() + "".join(first.get(kind, "") for kind in kinds)


@functools.lru_cache(maxsize=None)
def headers() -> str:
    """A hash of the headers that rules are compiled with."""
    total = hashlib.sha256()
    for header in sorted(INCLUDE.rglob("*.h")):
        total.update(header.read_bytes())
    return total.hexdigest()


def compile_error(output: str, text: str, name: str, compiler: str, status: int) -> CompileError | IoError:
    """The first mistake as one sentence with the line of the text that it belongs to."""
    lines = output.splitlines()
    mention = re.compile(r"(?<![\w.+-])" + re.escape(name) + r":(\d+)[:,]")
    if not any(mention.search(line) for line in lines) and "undefined reference" not in output:
        what = f"was ended by signal {-status}" if status < 0 else "failed"  # a full disk, no memory
        return IoError(f"the compiler {compiler} {what}: {output.strip()[-500:] or 'it said nothing'}")
    mistake = re.compile(r"\berror: |undefined reference")
    at = next((i for i, line in enumerate(lines) if mistake.search(line)), 0)
    sentence = lines[at].partition("error: ")[2] or lines[at]
    # In a header: what it was instantiated for stands before it (GCC) or behind it (clang).
    near = [lines[at], *reversed(lines[:at]), *lines[at + 1 :]]
    found = next((match for line in near if (match := mention.search(line))), None)
    number = int(found[1]) if found else None
    where = name if number is None else f"{name}:{number}"
    shown = text.splitlines()[number - 1].strip() if number and number <= len(text.splitlines()) else ""
    error = CompileError(f"{where}: {sentence}" + (f"\n    {shown}" if shown else ""))
    error.line, error.output = number, output
    return error
